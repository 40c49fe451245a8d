/* ir/eval: random bits to the bit, and shuffles. */
#include "ir/eval/random.h"
#include "tests/unit/eval_text.h"

/* Vectors of the authors' own test suite (Random123, kat_vectors). */
static void generators_give_the_published_numbers(void **state) {
    (void)state;
    uint32_t x[2] = {0, 0};
    threefry(0, 0, x);
    assert_int_equal(x[0], 0x6b200159);
    assert_int_equal(x[1], 0x99ba4efe);
    uint32_t y[2] = {0x243f6a88, 0x85a308d3};
    threefry(0x13198a2e, 0x03707344, y);
    assert_int_equal(y[0], 0xc4923a9c);
    assert_int_equal(y[1], 0x483df7a0);
    uint32_t words[4];
    philox(0, 0, 0, words);
    assert_int_equal(words[0], 0x6627e8d5);
    assert_int_equal(words[1], 0xe169c58d);
    assert_int_equal(words[2], 0xbc57ac4c);
    assert_int_equal(words[3], 0x9b00dbd8);
}

static void bits_and_states_are_those_of_xla(void **state) {
    (void)state;
    ASSERT_ENTRY("s = u64[2] constant({1, 2})\n"
                 "ROOT r = (u64[2], u64[2,2]) rng-bit-generator(s), algorithm=rng_three_fry",
                 "( {1, 6}, { { 9236835810183407956, 16087790271692313299 }, "
                 "{ 18212823393184779219, 2658481902456610144 } } )");
    ASSERT_ENTRY("s = u64[2] constant({3, 3})\n"
                 "ROOT r = (u64[2], u64[]) rng-bit-generator(s), algorithm=rng_three_fry",
                 "( {3, 4}, 3349939604322698703 )");
    ASSERT_ENTRY("s = u64[2] constant({184683593770, 193273528364})\n"
                 "r = (u64[2], u32[60,4]) rng-bit-generator(s), algorithm=rng_philox\n"
                 "d = u32[60,4] get-tuple-element(r), index=1\n"
                 "ROOT f = u32[1,4] slice(d), slice={[0:1], [0:4]}",
                 "{ { 2427392780, 1458059130, 393278117, 4094008499 } }");
}

static void the_process_wide_counter_moves_on(void **state) {
    (void)state;
    ASSERT_ENTRY("a = u64[2] rng-get-and-update-state(), delta=5\n"
                 "b = u64[2] rng-get-and-update-state(), delta=5\n"
                 "ROOT d = u64[2] subtract(b, a), control-predecessors={a}",
                 "{5, 0}");
}

static void uniform_numbers_stay_below_the_end(void **state) {
    (void)state;
    ASSERT_EVALUATES("HloModule m\n"
                     "f {\n  a = f16[] parameter(0)\n  b = f16[] parameter(1)\n  ROOT s = f16[] maximum(a, b)\n}\n"
                     "ENTRY e {\n  a = f16[] constant(2)\n  b = f16[] constant(2.002)\n"
                     "  u = f16[1000] rng(a, b), distribution=rng_uniform\n"
                     "  ROOT r = f16[] reduce(u, a), dimensions={0}, to_apply=f\n}\n",
                     "2");
}

static void shuffles_rotate_and_permute(void **state) {
    (void)state;
    ASSERT_ENTRY("a = s32[4] constant({1, 2, 3, 4})\n"
                 "ROOT r = s32[4] shuffle(a), dimensions={0}, mode=rotate, shifts={1}",
                 "{2, 3, 4, 1}");
    ASSERT_ENTRY("a = s32[3,2] constant({{1, 2}, {3, 4}, {5, 6}})\n"
                 "ROOT r = s32[3,2] shuffle(a), dimensions={0}, mode=permute, indices=s32[3,1]{1,0} {{2}, {0}, {1}}",
                 "{ { 5, 6 }, { 1, 2 }, { 3, 4 } }");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generators_give_the_published_numbers),
        cmocka_unit_test(bits_and_states_are_those_of_xla),
        cmocka_unit_test(the_process_wide_counter_moves_on),
        cmocka_unit_test(uniform_numbers_stay_below_the_end),
        cmocka_unit_test(shuffles_rotate_and_permute),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
