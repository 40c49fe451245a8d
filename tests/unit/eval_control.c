/* ir/eval: control flow, called computations, memory, bounded dims. */
#include <sys/resource.h>

#include "tests/unit/eval_text.h"

/* Counts to a number, doubling an array on the way. */
#define LOOP(count, size)                                                   \
    "HloModule m\n"                                                         \
    "cond {\n"                                                              \
    "  s = (s32[], f32[" size "]) parameter(0)\n"                           \
    "  i = s32[] get-tuple-element(s), index=0\n"                           \
    "  n = s32[] constant(" count ")\n"                                     \
    "  ROOT c = pred[] compare(i, n), direction=LT\n"                       \
    "}\n"                                                                   \
    "body {\n"                                                              \
    "  s = (s32[], f32[" size "]) parameter(0)\n"                           \
    "  i = s32[] get-tuple-element(s), index=0\n"                           \
    "  x = f32[" size "] get-tuple-element(s), index=1\n"                   \
    "  k = s32[] constant(1)\n"                                             \
    "  j = s32[] add(i, k)\n"                                               \
    "  y = f32[" size "] add(x, x)\n"                                       \
    "  ROOT t = (s32[], f32[" size "]) tuple(j, y)\n"                       \
    "}\n"                                                                   \
    "ENTRY e {\n"                                                           \
    "  z = s32[] constant(0)\n"                                             \
    "  f = f32[] constant(0)\n"                                             \
    "  x = f32[" size "] broadcast(f), dimensions={}\n"                     \
    "  t = (s32[], f32[" size "]) tuple(z, x)\n"                            \
    "  w = (s32[], f32[" size "]) while(t), condition=cond, body=body\n"    \
    "  ROOT r = s32[] get-tuple-element(w), index=0\n"                      \
    "}\n"

static void a_long_scalar_loop_is_quick(void **state) {
    (void)state;
    ASSERT_EVALUATES(LOOP("100000", "1"), "100000");
}

static void a_loop_forgets_what_died(void **state) {
    (void)state;
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    ASSERT_EVALUATES(LOOP("1000", "262144"), "1000"); /* 1 MB each round */
    getrusage(RUSAGE_SELF, &after);
    assert_true(after.ru_maxrss - before.ru_maxrss < 400 * 1024); /* sanitizers keep freed memory for a while */
}

#define BRANCHES                                                                                        \
    "HloModule m\n"                                                                                     \
    "a {\n  x = s32[] parameter(0)\n  ROOT r = s32[] negate(x)\n}\n"                                    \
    "b {\n  ROOT x = s32[] parameter(0)\n}\n"                                                           \
    "c {\n  x = s32[] parameter(0)\n  ROOT r = s32[] add(x, x)\n}\n"

static void an_index_out_of_range_takes_the_last_branch(void **state) {
    (void)state;
    ASSERT_EVALUATES(BRANCHES "ENTRY e {\n  i = s32[] constant(-1)\n  x = s32[] constant(7)\n"
                              "  ROOT r = s32[] conditional(i, x, x, x), branch_computations={a, b, c}\n}\n",
                     "14");
    ASSERT_EVALUATES(BRANCHES "ENTRY e {\n  i = s32[] constant(1)\n  x = s32[] constant(7)\n"
                              "  ROOT r = s32[] conditional(i, x, x, x), branch_computations={a, b, c}\n}\n",
                     "7");
    ASSERT_EVALUATES(BRANCHES "ENTRY e {\n  i = pred[] constant(true)\n  x = s32[] constant(7)\n"
                              "  ROOT r = s32[] conditional(i, x, x), true_computation=a, false_computation=c\n}\n",
                     "-7");
}

/* The combiner holds a loop, so it is called, not compiled to steps: halves until below 1, then adds. */
static void a_reduction_may_call_anything(void **state) {
    (void)state;
    ASSERT_EVALUATES("HloModule m\n"
                     "cond {\n  x = f32[] parameter(0)\n  o = f32[] constant(1)\n"
                     "  ROOT c = pred[] compare(x, o), direction=GE\n}\n"
                     "body {\n  x = f32[] parameter(0)\n  h = f32[] constant(0.5)\n  ROOT y = f32[] multiply(x, h)\n}\n"
                     "f {\n  a = f32[] parameter(0)\n  x = f32[] parameter(1)\n"
                     "  w = f32[] while(x), condition=cond, body=body\n  ROOT s = f32[] add(a, w)\n}\n"
                     "ENTRY e {\n  x = f32[2,2] constant({{4, 3}, {0.25, 8}})\n  z = f32[] constant(0)\n"
                     "  ROOT r = f32[2] reduce(x, z), dimensions={1}, to_apply=f\n}\n",
                     "{1.25, 0.75}");
}

/* The two results are swapped arguments: storing one must not spoil the other. */
static void variadic_reductions_may_swap(void **state) {
    (void)state;
    ASSERT_EVALUATES("HloModule m\n"
                     "f {\n  a = s32[] parameter(0)\n  b = s32[] parameter(1)\n  x = s32[] parameter(2)\n"
                     "  y = s32[] parameter(3)\n  s = s32[] add(a, x)\n  ROOT t = (s32[], s32[]) tuple(b, s)\n}\n"
                     "ENTRY e {\n  x = s32[3] constant({1, 2, 4})\n  z = s32[] constant(0)\n  o = s32[] constant(100)\n"
                     "  ROOT r = (s32[], s32[]) reduce(x, x, z, o), dimensions={0}, to_apply=f\n}\n",
                     "( 102, 5 )");
}

#define RUNNING(combine, pad)                                                                                       \
    "HloModule m\n"                                                                                                 \
    "f {\n  a = s32[] parameter(0)\n  b = s32[] parameter(1)\n  ROOT s = s32[] " combine "\n}\n"                     \
    "ENTRY e {\n  x = s32[2,3] constant({{1, 2, 3}, {4, 5, 6}})\n  z = s32[] constant(100)\n"                       \
    "  ROOT r = s32[2,3] reduce-window(x, z), window={size=1x3 pad=0_0x" pad "}, to_apply=f\n}\n"

/* Windows that grow to one side are done in one pass; the initial value counts once, and the order stays. */
static void running_reductions_keep_their_order(void **state) {
    (void)state;
    ASSERT_EVALUATES(RUNNING("add(a, b)", "2_0"), "{ { 101, 103, 106 }, { 104, 109, 115 } }");
    ASSERT_EVALUATES(RUNNING("add(a, b)", "0_2"), "{ { 106, 105, 103 }, { 115, 111, 106 } }");
    ASSERT_EVALUATES(RUNNING("maximum(b, b)", "2_0"), "{ { 1, 2, 3 }, { 4, 5, 6 } }");
    ASSERT_EVALUATES(RUNNING("maximum(b, b)", "0_2"), "{ { 3, 3, 3 }, { 6, 6, 6 } }");
}

static void sums_are_rounded_once(void **state) {
    (void)state;
    ASSERT_EVALUATES("HloModule m\n"
                     "f {\n  a = bf16[] parameter(0)\n  b = bf16[] parameter(1)\n  ROOT s = bf16[] add(a, b)\n}\n"
                     "ENTRY e {\n  o = bf16[] constant(1)\n  x = bf16[1000] broadcast(o), dimensions={}\n"
                     "  z = bf16[] constant(0)\n  ROOT r = bf16[] reduce(x, z), dimensions={0}, to_apply=f\n}\n",
                     "1000");
}

static void a_window_that_leaves_the_operand_is_dropped_whole(void **state) {
    (void)state;
    ASSERT_EVALUATES("HloModule m\n"
                     "f {\n  a = s32[] parameter(0)\n  ROOT b = s32[] parameter(1)\n}\n"
                     "ENTRY e {\n  x = s32[4] constant({1, 2, 3, 4})\n  i = s32[2,1] constant({{1}, {3}})\n"
                     "  u = s32[2,2] constant({{10, 20}, {30, 40}})\n"
                     "  ROOT r = s32[4] scatter(x, i, u), update_window_dims={1}, inserted_window_dims={}, "
                     "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=f\n}\n",
                     "{1, 10, 20, 4}");
}

static void sorting_is_stable(void **state) {
    (void)state;
    ASSERT_EVALUATES("HloModule m\n"
                     "f {\n  a = s32[] parameter(0)\n  b = s32[] parameter(1)\n  p = s32[] parameter(2)\n"
                     "  q = s32[] parameter(3)\n  ROOT c = pred[] compare(a, b), direction=LT\n}\n"
                     "ENTRY e {\n  k = s32[5] constant({2, 1, 2, 1, 0})\n  v = s32[5] constant({0, 1, 2, 3, 4})\n"
                     "  ROOT r = (s32[5], s32[5]) sort(k, v), dimensions={0}, to_apply=f\n}\n",
                     "( {0, 1, 1, 2, 2}, {4, 1, 3, 0, 2} )");
}

static void sizes_go_with_their_arrays(void **state) {
    (void)state;
    ASSERT_EVALUATES("HloModule m\n"
                     "f {\n  a = s32[] parameter(0)\n  b = s32[] parameter(1)\n  ROOT s = s32[] add(a, b)\n}\n"
                     "ENTRY e {\n  x = s32[2,4] constant({{1, 2, 3, 4}, {5, 6, 7, 8}})\n  n = s32[] constant(3)\n"
                     "  d = s32[2,<=4] set-dimension-size(x, n), dimensions={1}\n"
                     "  t = s32[<=4,2] transpose(d), dimensions={1,0}\n"
                     "  u = s32[<=4,2] add(t, t)\n"
                     "  v = s32[<=4,2] reverse(u), dimensions={0}\n"
                     "  w = s32[<=8,2] concatenate(v, u), dimensions={0}\n"
                     "  s = s32[] get-dimension-size(w), dimensions={0}\n"
                     "  z = s32[] constant(0)\n"
                     "  r = s32[2] reduce(w, z), dimensions={0}, to_apply=f\n"
                     "  h = s32[1,2] slice(v), slice={[0:1], [0:2]}\n"
                     "  ROOT q = (s32[], s32[2], s32[1,2]) tuple(s, r, h)\n}\n",
                     "( 6, {24, 72}, { { 6, 14 } } )");
}

static void a_size_beyond_the_bound_is_an_error(void **state) {
    (void)state;
    ASSERT_MESSAGE("HloModule m\nENTRY e {\n  x = s32[4] constant({1, 2, 3, 4})\n  n = s32[] constant(5)\n"
                   "  ROOT d = s32[<=4] set-dimension-size(x, n), dimensions={0}\n}\n",
                   "size 5 does not lie between 0 and the bound 4");
}

static void what_cannot_be_evaluated_is_said_beforehand(void **state) {
    (void)state;
    ASSERT_MESSAGE("HloModule m\nENTRY e {\n  x = s32[4] constant({1, 2, 3, 4})\n"
                   "  ROOT d = s32[4] custom-call(x), custom_call_target=\"mine\"\n}\n",
                   "test.hlo:4:19: error: cannot evaluate custom call 'mine'");
    ASSERT_MESSAGE("HloModule m, replica_count=2\nf {\n  a = s32[] parameter(0)\n  b = s32[] parameter(1)\n"
                   "  ROOT s = s32[] add(a, b)\n}\nENTRY e {\n  x = s32[] constant(1)\n"
                   "  ROOT d = s32[] all-reduce(x), replica_groups={}, to_apply=f\n}\n",
                   "the program is for 2 devices, not 1");
    ASSERT_MESSAGE("HloModule m\nENTRY e {\n  t = token[] after-all()\n"
                   "  ROOT d = ((s32[3]), token[]) infeed(t)\n}\n",
                   "cannot evaluate 'infeed'");
    ASSERT_MESSAGE("HloModule m\nENTRY e {\n  ROOT x = s32[100] constant({...})\n}\n", "{...}");
}

/* The root of a module as the constant folder sees it: its operands are constants. NULL: not to be folded. */
static const char *folded(Arena *arena, const char *text) {
    Diags *diags = diags_new(arena, source_from_bytes(arena, "test.hlo", text, strlen(text)));
    Module *module = parse_module(arena, diags, (ParseOptions){0});
    assert_non_null(module);
    const Instr *root = module->entry->root;
    const Literal *operands[4];
    for (int k = 0; k < root->n_operands; k++) operands[k] = root->operands[k]->literal;
    Literal *value = eval_instr(arena, root, operands);
    if (!value) return NULL;
    Text out = {0};
    literal_print(&out, value, 0);
    const char *printed = arena_string(arena, out.at, out.n);
    text_free(&out);
    return printed;
}

static void only_constants_are_folded(void **state) {
    (void)state;
    Arena *arena = arena_new();
    assert_string_equal(folded(arena, "HloModule m\nENTRY e {\n  a = s32[2] constant({1, 2})\n"
                                      "  ROOT r = s32[2] multiply(a, a)\n}\n"),
                        "{1, 4}");
    assert_null(folded(arena, "HloModule m\nENTRY e {\n  a = s32[2] constant({...})\n"
                              "  ROOT r = s32[2] multiply(a, a)\n}\n"));
    assert_null(folded(arena, "HloModule m\nENTRY e {\n  a = f32[] constant(0)\n  b = f32[] constant(1)\n"
                              "  ROOT r = f32[2] rng(a, b), distribution=rng_uniform\n}\n"));
    assert_null(folded(arena, "HloModule m\nf {\n  a = f32[] parameter(0)\n  b = f32[] constant(1)\n"
                              "  ROOT r = f32[2] rng(a, b), distribution=rng_uniform\n}\n"
                              "ENTRY e {\n  a = f32[] constant(0)\n  ROOT r = f32[2] call(a), to_apply=f\n}\n"));
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_scalar_loop_is_quick),
        cmocka_unit_test(a_loop_forgets_what_died),
        cmocka_unit_test(an_index_out_of_range_takes_the_last_branch),
        cmocka_unit_test(a_reduction_may_call_anything),
        cmocka_unit_test(variadic_reductions_may_swap),
        cmocka_unit_test(running_reductions_keep_their_order),
        cmocka_unit_test(sums_are_rounded_once),
        cmocka_unit_test(a_window_that_leaves_the_operand_is_dropped_whole),
        cmocka_unit_test(sorting_is_stable),
        cmocka_unit_test(sizes_go_with_their_arrays),
        cmocka_unit_test(a_size_beyond_the_bound_is_an_error),
        cmocka_unit_test(only_constants_are_folded),
        cmocka_unit_test(what_cannot_be_evaluated_is_said_beforehand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
