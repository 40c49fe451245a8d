/* ir/eval: elementwise operations at the edges of their types. */
#include "tests/unit/eval_text.h"

static void integers_divide_without_faults(void **state) {
    (void)state;
    ASSERT_ENTRY("a = s32[4] constant({7, -7, -2147483648, 5})\n"
                 "b = s32[4] constant({0, 2, -1, -3})\n"
                 "q = s32[4] divide(a, b)\n"
                 "r = s32[4] remainder(a, b)\n"
                 "ROOT t = (s32[4], s32[4]) tuple(q, r)",
                 "( {-1, -3, -2147483648, -1}, {7, -1, 0, 2} )");
    ASSERT_ENTRY("a = u8[2] constant({7, 200})\nb = u8[2] constant({0, 3})\nROOT q = u8[2] divide(a, b)", "{255, 66}");
}

static void shifts_by_too_much_give_zero_or_the_sign(void **state) {
    (void)state;
    ASSERT_ENTRY("a = s8[4] constant({-8, -8, 3, 3})\n"
                 "b = s8[4] constant({8, -1, 1, 7})\n"
                 "l = s8[4] shift-left(a, b)\n"
                 "g = s8[4] shift-right-logical(a, b)\n"
                 "h = s8[4] shift-right-arithmetic(a, b)\n"
                 "ROOT t = (s8[4], s8[4], s8[4]) tuple(l, g, h)",
                 "( {0, 0, 6, -128}, {0, 0, 1, 0}, {-1, -1, 1, 0} )");
}

static void sub_byte_integers_wrap_to_their_width(void **state) {
    (void)state;
    ASSERT_ENTRY("a = s4[3] constant({7, -8, 5})\n"
                 "b = s4[3] constant({1, 1, 4})\n"
                 "s = s4[3] add(a, b)\n"
                 "p = s4[3] multiply(a, b)\n"
                 "c = s4[3] count-leading-zeros(b)\n"
                 "ROOT t = (s4[3], s4[3], s4[3]) tuple(s, p, c)",
                 "( {-8, -7, -7}, {7, -8, 4}, {3, 3, 1} )");
}

static void integer_powers_are_exact_and_negative_exponents_defined(void **state) {
    (void)state;
    ASSERT_ENTRY("a = s32[6] constant({3, -1, -1, 1, 2, 0})\n"
                 "b = s32[6] constant({64, -3, -2, -5, -1, 0})\n"
                 "ROOT p = s32[6] power(a, b)",
                 "{2038349057, -1, 1, 1, 0, 1}");
}

static void high_products(void **state) {
    (void)state;
    ASSERT_ENTRY("a = s64[2] constant({-3, 9223372036854775807})\n"
                 "b = s64[2] constant({5, 9223372036854775807})\n"
                 "ROOT p = s64[2] mulhi(a, b)",
                 "{-1, 4611686018427387903}");
    ASSERT_ENTRY("a = u64[1] constant({18446744073709551615})\nROOT p = u64[1] mulhi(a, a)", "{18446744073709551614}");
}

static void maximum_propagates_nan_and_orders_zeros(void **state) {
    (void)state;
    ASSERT_ENTRY("a = f32[4] constant({nan, 1, -0.0, 2})\n"
                 "b = f32[4] constant({1, nan, 0, 3})\n"
                 "h = f32[4] maximum(a, b)\n"
                 "l = f32[4] minimum(a, b)\n"
                 "ROOT t = (f32[4], f32[4]) tuple(h, l)",
                 "( {nan, nan, 0, 3}, {nan, nan, -0, 2} )");
}

static void total_order_tells_zeros_and_nans_apart(void **state) {
    (void)state;
    ASSERT_ENTRY("a = bf16[5] constant({-nan, -inf, -0.0, inf, nan})\n"
                 "b = bf16[5] constant({-inf, -1, 0, nan, nan})\n"
                 "l = pred[5] compare(a, b), direction=LT, type=TOTALORDER\n"
                 "f = pred[5] compare(a, b), direction=LT\n"
                 "ROOT t = (pred[5], pred[5]) tuple(l, f)",
                 "( {1, 1, 1, 1, 0}, {0, 1, 0, 0, 0} )");
}

static void conversion_to_integers_saturates(void **state) {
    (void)state;
    ASSERT_ENTRY("a = f32[6] constant({nan, 3e9, -3e9, -1.9, 255.9, inf})\n"
                 "s = s32[6] convert(a)\n"
                 "u = u8[6] convert(a)\n"
                 "p = pred[6] convert(a)\n"
                 "ROOT t = (s32[6], u8[6], pred[6]) tuple(s, u, p)",
                 "( {0, 2147483647, -2147483648, -1, 255, 2147483647}, {0, 255, 0, 0, 255, 255}, {1, 1, 1, 1, 1, 1} )");
}

/* 2^53 + 2^29 + 1 lies just above the middle of two floats, but its double lies on the middle. */
static void integers_are_rounded_once(void **state) {
    (void)state;
    ASSERT_ENTRY("a = s64[1] constant({9007199791611905})\nc = f32[1] convert(a)\nROOT b = u32[1] bitcast-convert(c)",
                 "{1509949441}");
}

static void reduce_precision_rounds_bits(void **state) {
    (void)state;
    ASSERT_ENTRY("a = f32[5] constant({1.0625, 1.1875, 1e-20, 1e9, nan})\n"
                 "ROOT r = f32[5] reduce-precision(a), exponent_bits=5, mantissa_bits=3",
                 "{1, 1.25, 0, inf, nan}");
}

static void stochastic_convert_rounds_by_the_random_bits(void **state) {
    (void)state;
    ASSERT_ENTRY("a = f32[5] constant({1.5, 1.5, -1.5, nan, 1e9})\n"
                 "b = u32[5] constant({0, 4000000000, 0, 0, 0})\n"
                 "ROOT r = s8[5] stochastic-convert(a, b)",
                 "{2, 1, -2, 0, 127}");
}

static void select_and_clamp_take_scalars(void **state) {
    (void)state;
    ASSERT_ENTRY("p = pred[] constant(false)\n"
                 "a = s32[3] constant({1, 2, 3})\n"
                 "b = s32[3] constant({4, 5, 6})\n"
                 "s = s32[3] select(p, a, b)\n"
                 "l = s32[] constant(5)\n"
                 "ROOT c = s32[3] clamp(l, s, b)",
                 "{4, 5, 6}");
}

static void complex_products_do_not_recover_infinities(void **state) {
    (void)state;
    ASSERT_ENTRY("a = c64[2] constant({(1, 2), (0, inf)})\n"
                 "b = c64[2] constant({(3, -1), (inf, 0)})\n"
                 "p = c64[2] multiply(a, b)\n"
                 "r = f32[2] real(p)\n"
                 "n = pred[2] compare(r, r), direction=NE\n"
                 "i = f32[2] imag(p)\n"
                 "ROOT t = (pred[2], f32[2]) tuple(n, i)",
                 "( {0, 1}, {5, inf} )");
}

static void elements_split_and_join_low_bits_first(void **state) {
    (void)state;
    ASSERT_ENTRY("a = u16[2] constant({4660, 22136})\n"
                 "s = u4[2,4] bitcast-convert(a)\n"
                 "ROOT j = u32[] bitcast-convert(a)",
                 "1450709556");
    ASSERT_ENTRY("a = u8[2] constant({18, 240})\nROOT s = s4[2,2] bitcast-convert(a)",
                 "{ { 2, 1 }, { 0, -1 } }");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_divide_without_faults),
        cmocka_unit_test(shifts_by_too_much_give_zero_or_the_sign),
        cmocka_unit_test(sub_byte_integers_wrap_to_their_width),
        cmocka_unit_test(integer_powers_are_exact_and_negative_exponents_defined),
        cmocka_unit_test(high_products),
        cmocka_unit_test(maximum_propagates_nan_and_orders_zeros),
        cmocka_unit_test(total_order_tells_zeros_and_nans_apart),
        cmocka_unit_test(conversion_to_integers_saturates),
        cmocka_unit_test(integers_are_rounded_once),
        cmocka_unit_test(reduce_precision_rounds_bits),
        cmocka_unit_test(stochastic_convert_rounds_by_the_random_bits),
        cmocka_unit_test(select_and_clamp_take_scalars),
        cmocka_unit_test(complex_products_do_not_recover_infinities),
        cmocka_unit_test(elements_split_and_join_low_bits_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
