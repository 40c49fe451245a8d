/* ir/interval.h, ir/index.h, ir/index_map.h: arithmetic of intervals, every rule of the simplifier, messages of the
 * parser; with random maps: simplification keeps every value, the print reads back, a composite is one map after the
 * other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "ir/index_map.h"

static const Interval everything = {INT64_MIN, INT64_MAX};

static Interval at(int64_t low, int64_t high) {
    return (Interval){low, high};
}

static void assert_interval(Interval got, int64_t low, int64_t high) {
    assert_true(got.low == low);
    assert_true(got.high == high);
}

/* --- intervals ---------------------------------------------------------------------------------------------------- */

static void sums_saturate(void **state) {
    (void)state;
    assert_interval(interval_add(at(1, 2), at(-3, 5)), -2, 7);
    assert_interval(interval_add(at(INT64_MIN, 2), at(1, 1)), INT64_MIN, 3);
    assert_interval(interval_add(at(0, INT64_MAX), at(-7, -7)), -7, INT64_MAX);
    assert_interval(interval_add(at(INT64_MIN + 1, 0), at(-5, 0)), INT64_MIN, 0);
    assert_interval(interval_add(at(INT64_MAX - 1, INT64_MAX - 1), at(5, 5)), INT64_MAX, INT64_MAX);
    assert_interval(interval_subtract(at(1, 2), at(3, 5)), -4, -1);
    assert_interval(interval_negate(everything), INT64_MIN, INT64_MAX);
}

static void products_saturate(void **state) {
    (void)state;
    assert_interval(interval_mul(at(1, 2), at(-3, 5)), -6, 10);
    assert_interval(interval_mul(at(-4, 2), at(-3, -3)), -6, 12);
    assert_interval(interval_mul(at(0, INT64_MAX), at(-1, -1)), INT64_MIN, 0);
    assert_interval(interval_mul(at(-3, INT64_MAX / 2), at(3, 3)), -9, INT64_MAX);
    assert_interval(interval_mul(at(INT64_MIN, 5), at(2, 2)), INT64_MIN, 10);
}

static void quotients_round_down(void **state) {
    (void)state;
    assert_interval(interval_floordiv(at(-7, 7), 2), -4, 3);
    assert_interval(interval_floordiv(at(-7, 7), -2), -4, 3);
    assert_interval(interval_floordiv(at(INT64_MIN, 9), 4), INT64_MIN, 2);
    assert_interval(interval_floordiv(at(0, INT64_MAX), -4), INT64_MIN, 0);
    assert_interval(interval_mod(at(0, 3), 4), 0, 3);
    assert_interval(interval_mod(at(-1, 2), 4), 0, 3);
    assert_true(floor_div(INT64_MIN, -1) == INT64_MAX);
    assert_true(floor_mod(-7, 3) == 2);
}

static void comparisons_know_three_values(void **state) {
    (void)state;
    assert_int_equal(interval_greater(at(5, 7), at(1, 4)), KNOWN_TRUE);
    assert_int_equal(interval_greater(at(1, 4), at(4, 7)), KNOWN_FALSE);
    assert_int_equal(interval_greater(at(1, 5), at(4, 7)), NOT_KNOWN);
    assert_int_equal(interval_greater(at(1, 0), at(4, 7)), NOT_KNOWN);
    assert_int_equal(interval_at_most(at(1, 4), at(4, 7)), KNOWN_TRUE);
    assert_int_equal(interval_same(at(3, 3), at(3, 3)), KNOWN_TRUE);
    assert_int_equal(interval_same(at(3, 4), at(4, 5)), NOT_KNOWN);
    assert_int_equal(interval_same(at(3, 4), at(5, 5)), KNOWN_FALSE);
    assert_true(interval_count(at(2, 1)) == 0);
    assert_true(interval_count(at(-2, 2)) == 5);
    assert_true(interval_count(everything) == INT64_MAX);
}

/* --- texts -------------------------------------------------------------------------------------------------------- */

typedef struct {
    Arena *arena;
    IndexPool *pool;
    Diags *diags;
} World;

static World world_new(bool dialect_c) {
    World w = {.arena = arena_new()};
    w.pool = index_pool_new(w.arena);
    w.pool->dialect_c = dialect_c;
    w.diags = diags_new(w.arena, NULL);
    return w;
}

static IndexMap *parse(World *w, const char *text) {
    w->diags->source = source_from_bytes(w->arena, "map", text, strlen(text));
    return index_map_parse(w->pool, w->diags, (Span){0, (uint32_t)strlen(text)});
}

static const char *print(World *w, const IndexMap *map) {
    Text text = {0};
    index_map_print(&text, map);
    const char *copy = arena_string(w->arena, text_string(&text), text.n);
    text_free(&text);
    return copy;
}

typedef struct {
    const char *map, *a, *c; /* what it becomes in dialect A and C; NULL: not compared */
} Case;

static void simplify_cases(const Case *cases) {
    for (const Case *one = cases; one->map; one++) {
        for (int c = 0; c < 2; c++) {
            const char *expected = c ? one->c : one->a;
            World w = world_new(c);
            IndexMap *map = parse(&w, one->map);
            assert_non_null(map);
            index_map_simplify(map, false);
            if (expected) assert_string_equal(print(&w, map), expected);
            arena_free(w.arena);
        }
    }
}

static void simplifier_of_sums(void **state) {
    (void)state;
    simplify_cases((const Case[]){
        /* factors are distributed, equal terms gathered */
        {"(d0, d1) -> ((d0 + d1) * 3 + d0), domain: d0 in [0, 9], d1 in [0, 9]",
         "(d0, d1) -> (d0 * 4 + d1 * 3), domain: d0 in [0, 9], d1 in [0, 9]",
         "(d0, d1) -> (d0 * 4 + d1 * 3), domain: d0 in [0, 9], d1 in [0, 9]"},
        /* a remainder and its quotient */
        {"(d0, d1) -> ((d0 mod 8) * 128 + d1 + (d0 floordiv 8) * 1024), domain: d0 in [0, 99], d1 in [0, 127]",
         "(d0, d1) -> (d0 * 128 + d1), domain: d0 in [0, 99], d1 in [0, 127]",
         "(d0, d1) -> (d0 * 128 + d1), domain: d0 in [0, 99], d1 in [0, 127]"},
        /* x minus the multiples of 3 in it */
        {"(d0)[s0] -> (d0 - (s0 floordiv 3) * 3 + s0), domain: d0 in [0, 6], s0 in [0, 9]",
         "(d0)[s0] -> (d0 + s0 mod 3), domain: d0 in [0, 6], s0 in [0, 9]",
         "(d0)[s0] -> (s0 mod 3 + d0), domain: d0 in [0, 6], s0 in [0, 9]"},
        {"(d0)[s0] -> (d0 - (s0 floordiv 3) * 12 + s0 * 7), domain: d0 in [0, 6], s0 in [0, 9]",
         "(d0)[s0] -> (d0 + (s0 mod 3) * 4 + s0 * 3), domain: d0 in [0, 6], s0 in [0, 9]",
         "(d0)[s0] -> ((s0 mod 3) * 4 + s0 * 3 + d0), domain: d0 in [0, 6], s0 in [0, 9]"},
        /* no pair: the factors do not fit */
        {"()[s0] -> ((s0 * 128) mod 715 + ((s0 * 64) floordiv 715) * 715), domain: s0 in [0, 127]",
         "()[s0] -> (((s0 * 64) floordiv 715) * 715 + (s0 * 128) mod 715), domain: s0 in [0, 127]",
         "()[s0] -> (((s0 * 64) / 715) * 715 + (s0 * 128) mod 715), domain: s0 in [0, 127]"},
        /* what has one value becomes it */
        {"(d0, d1) -> (d0 + d1 floordiv 7), domain: d0 in [5, 5], d1 in [7, 13]",
         "(d0, d1) -> (6), domain: d0 in [5, 5], d1 in [7, 13]",
         "(d0, d1) -> (6), domain: d0 in [5, 5], d1 in [7, 13]"},
        {NULL, NULL, NULL}});
}

static void simplifier_of_remainders(void **state) {
    (void)state;
    simplify_cases((const Case[]){
        /* no wrap */
        {"(d0) -> (d0 mod 42), domain: d0 in [53, 71]", "(d0) -> (d0 - 42), domain: d0 in [53, 71]",
         "(d0) -> (d0 - 42), domain: d0 in [53, 71]"},
        {"(d0) -> (d0 mod 5), domain: d0 in [-5, -1]", "(d0) -> (d0 + 5), domain: d0 in [-5, -1]",
         "(d0) -> (d0 + 5), domain: d0 in [-5, -1]"},
        {"(d0) -> (d0 mod 5), domain: d0 in [-4, 0]", "(d0) -> (d0 mod 5), domain: d0 in [-4, 0]",
         "(d0) -> (d0 mod 5), domain: d0 in [-4, 0]"},
        /* a common factor goes out */
        {"(d0) -> ((d0 * 4) mod 12), domain: d0 in [0, 9]", "(d0) -> ((d0 mod 3) * 4), domain: d0 in [0, 9]",
         "(d0) -> ((d0 mod 3) * 4), domain: d0 in [0, 9]"},
        /* multiples of the modulus go */
        {"(d0, d1) -> ((d0 * 24 + d1 + 13) mod 12), domain: d0 in [0, 9], d1 in [0, 99]",
         "(d0, d1) -> ((d1 + 1) mod 12), domain: d0 in [0, 9], d1 in [0, 99]",
         "(d0, d1) -> ((d1 + 1) mod 12), domain: d0 in [0, 9], d1 in [0, 99]"},
        /* a rest below the common factor goes out */
        {"()[s0, s1, s2, s3] -> ((s0 * 458752 + s1 + s2 * 4 + s3 * 512) mod 20000), "
         "domain: s0 in [0, 32], s1 in [0, 3], s2 in [0, 127], s3 in [0, 895]",
         "()[s0, s1, s2, s3] -> (((s0 * 114688 + s3 * 128 + s2) mod 5000) * 4 + s1), "
         "domain: s0 in [0, 32], s1 in [0, 3], s2 in [0, 127], s3 in [0, 895]",
         "()[s0, s1, s2, s3] -> (((s0 * 114688 + s3 * 128 + s2) mod 5000) * 4 + s1), "
         "domain: s0 in [0, 32], s1 in [0, 3], s2 in [0, 127], s3 in [0, 895]"},
        {"(d0) -> ((-d0) mod 2), domain: d0 in [0, 9]", "(d0) -> ((-d0) mod 2), domain: d0 in [0, 9]",
         "(d0) -> (-d0 mod 2), domain: d0 in [0, 9]"},
        {NULL, NULL, NULL}});
}

static void simplifier_of_quotients(void **state) {
    (void)state;
    simplify_cases((const Case[]){
        /* of a remainder */
        {"(d0) -> ((d0 mod 12) floordiv 4), domain: d0 in [0, 99]",
         "(d0) -> ((d0 floordiv 4) mod 3), domain: d0 in [0, 99]", "(d0) -> ((d0 / 4) mod 3), domain: d0 in [0, 99]"},
        /* of a quotient */
        {"()[s0] -> ((s0 floordiv 3) floordiv 5), domain: s0 in [0, 99]",
         "()[s0] -> (s0 floordiv 15), domain: s0 in [0, 99]", "()[s0] -> (s0 / 15), domain: s0 in [0, 99]"},
        {"()[s0] -> ((s0 floordiv 2) floordiv -7), domain: s0 in [0, 99]",
         "()[s0] -> ((s0 floordiv 2) floordiv -7), domain: s0 in [0, 99]",
         "()[s0] -> (s0 / 2 / -7), domain: s0 in [0, 99]"},
        /* multiples of the divisor go out, the rest is divided by what they share */
        {"(d0, d1, d2) -> ((d0 * 16 + d1 * 4 + d2) floordiv 8), domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 3]",
         "(d0, d1, d2) -> (d0 * 2 + d1 floordiv 2), domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 3]",
         "(d0, d1, d2) -> (d0 * 2 + d1 / 2), domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 3]"},
        {"()[s0] -> ((s0 * 6 + 9) floordiv 18), domain: s0 in [0, 99]",
         "()[s0] -> ((s0 * 2 + 3) floordiv 6), domain: s0 in [0, 99]",
         "()[s0] -> ((s0 * 2 + 3) / 6), domain: s0 in [0, 99]"},
        /* one quotient within a sum; two are left alone, for 16 floordiv 3 + 2 floordiv 3 is not 18 floordiv 3 */
        {"()[s0, s1] -> ((s0 * 2 + s1 floordiv 64) floordiv 3), domain: s0 in [0, 99], s1 in [0, 127]",
         "()[s0, s1] -> ((s0 * 128 + s1) floordiv 192), domain: s0 in [0, 99], s1 in [0, 127]",
         "()[s0, s1] -> ((s0 * 128 + s1) / 192), domain: s0 in [0, 99], s1 in [0, 127]"},
        {"()[s0, s1] -> ((s0 floordiv 3 + s1 floordiv 3) floordiv 6), domain: s0 in [0, 99], s1 in [0, 99]",
         "()[s0, s1] -> ((s0 floordiv 3 + s1 floordiv 3) floordiv 6), domain: s0 in [0, 99], s1 in [0, 99]",
         "()[s0, s1] -> ((s0 / 3 + s1 / 3) / 6), domain: s0 in [0, 99], s1 in [0, 99]"},
        {"()[s0] -> ((s0 * 16 - 497) floordiv 512), domain: s0 in [0, 4]", "()[s0] -> (-1), domain: s0 in [0, 4]",
         "()[s0] -> (-1), domain: s0 in [0, 4]"},
        {"(d0, d1) -> (min(128, d0 * 32 + d1 floordiv 64 + 1), max(128, d0 * 32 + d1 floordiv 64 + 1)), "
         "domain: d0 in [0, 3], d1 in [0, 2047]",
         "(d0, d1) -> (d0 * 32 + d1 floordiv 64 + 1, 128), domain: d0 in [0, 3], d1 in [0, 2047]",
         "(d0, d1) -> (d0 * 32 + d1 / 64 + 1, 128), domain: d0 in [0, 3], d1 in [0, 2047]"},
        {NULL, NULL, NULL}});
}

static void simplifier_of_constraints(void **state) {
    (void)state;
    simplify_cases((const Case[]){
        {"(d0) -> (d0), domain: d0 in [0, 99], d0 + 5 in [6, 10]", "(d0) -> (d0), domain: d0 in [1, 5]",
         "(d0) -> (d0), domain: d0 in [1, 5]"},
        {"(d0) -> (d0), domain: d0 in [0, 99], d0 mod 8 + 5 in [6, 10]",
         "(d0) -> (d0), domain: d0 in [0, 99], d0 mod 8 in [1, 5]",
         "(d0) -> (d0), domain: d0 in [0, 99], d0 mod 8 in [1, 5]"},
        {"(d0) -> (d0), domain: d0 in [0, 99], d0 mod 8 + 5 in [50, 54]", "KNOWN EMPTY", "KNOWN EMPTY"},
        {"(d0)[s0, s1] -> (d0), domain: d0 in [0, 1999], s0 in [0, 1], s1 in [0, 2], d0 * 6 + s0 * 3 + s1 in [0, 599]",
         "(d0)[s0, s1] -> (d0), domain: d0 in [0, 99], s0 in [0, 1], s1 in [0, 2]",
         "(d0)[s0, s1] -> (d0), domain: d0 in [0, 99], s0 in [0, 1], s1 in [0, 2]"},
        {"(d0)[s0, s1] -> (d0), domain: d0 in [0, 1999], s0 in [0, 1], s1 in [0, 2], d0 * 6 + s0 * 3 + s1 in [0, 598]",
         "(d0)[s0, s1] -> (d0), domain: d0 in [0, 1999], s0 in [0, 1], s1 in [0, 2], d0 * 6 + s0 * 3 + s1 in [0, 598]",
         NULL},
        {"(d0)[s0] -> (d0 * 6 + s0 * 3), domain: d0 in [0, 1999], s0 in [0, 1], d0 * 6 + s0 * 3 in [0, 599]",
         "(d0)[s0] -> (d0 * 6 + s0 * 3), domain: d0 in [0, 99], s0 in [0, 1]",
         "(d0)[s0] -> (d0 * 6 + s0 * 3), domain: d0 in [0, 99], s0 in [0, 1]"},
        {"(d0)[s0] -> (d0, s0), domain: d0 in [0, 100], s0 in [-99, 99], d0 floordiv 8 in [5, 11], s0 floordiv -3 in "
         "[-11, -5]",
         "(d0)[s0] -> (d0, s0), domain: d0 in [40, 95], s0 in [13, 33]",
         "(d0)[s0] -> (d0, s0), domain: d0 in [40, 95], s0 in [13, 33]"},
        {"(d0)[s0] -> (d0, s0), domain: d0 in [0, 100], s0 in [-99, 99], d0 * 8 in [14, 33], s0 * -3 in [-11, -5]",
         "(d0)[s0] -> (d0, s0), domain: d0 in [2, 4], s0 in [2, 3]",
         "(d0)[s0] -> (d0, s0), domain: d0 in [2, 4], s0 in [2, 3]"},
        /* remainders of one variable are merged, and tighten its bounds */
        {"()[s0] -> (s0), domain: s0 in [-21, -2], s0 mod 2 in [0, 0], s0 mod 3 in [0, 0]",
         "()[s0] -> (s0), domain: s0 in [-18, -6], s0 mod 6 in [0, 0]",
         "()[s0] -> (s0), domain: s0 in [-18, -6], s0 mod 6 in [0, 0]"},
        {"()[s0] -> (s0), domain: s0 in [-21, -8], s0 mod 6 in [4, 4]",
         "()[s0] -> (s0), domain: s0 in [-20, -8], s0 mod 6 in [4, 4]",
         "()[s0] -> (s0), domain: s0 in [-20, -8], s0 mod 6 in [4, 4]"},
        {"()[s0] -> (s0), domain: s0 in [1, 2], s0 mod 6 in [4, 4]", "KNOWN EMPTY", "KNOWN EMPTY"},
        /* an expression that is a constraint is narrowed by it */
        {"(d0, d1) -> ((d0 * 86 + d1) floordiv 1024), domain: d0 in [0, 11], d1 in [0, 85], d0 * 86 + d1 in [0, 1023]",
         "(d0, d1) -> (0), domain: d0 in [0, 11], d1 in [0, 85], d0 * 86 + d1 in [0, 1023]", NULL},
        /* bounds of a runtime variable are what it is clamped to: they stay */
        {"(){rt0} -> (rt0), domain: rt0 in [0, 9], rt0 + 1 in [3, 20]",
         "(){rt0} -> (rt0), domain: rt0 in [0, 9], rt0 in [2, 19]",
         "(){rt0} -> (rt0), domain: rt0 in [0, 9], rt0 in [2, 19]"},
        {NULL, NULL, NULL}});
}

static void changes_are_told(void **state) {
    (void)state;
    World w = world_new(false);
    IndexMap *map = parse(&w, "(d0) -> (d0), domain: d0 in [5, 5]");
    assert_false(index_map_simplify(map, true));
    assert_true(index_map_simplify(map, false));
    assert_false(index_map_simplify(map, false));
    map = parse(&w, "(d0)[s0] -> (d0), domain: d0 in [0, 5], s0 in [1, 3], d0 + s0 in [0, 20]");
    assert_false(index_map_simplify(map, false)); /* a constraint that always holds goes silently */
    assert_int_equal(map->constraints.n, 0);
    arena_free(w.arena);
}

static void ranges_use_constraints(void **state) {
    (void)state;
    World w = world_new(false);
    Interval ranges[2];
    IndexMap *map = parse(&w, "(d0, d1) -> ((d0 * 86 + d1) floordiv 64, (d0 * 86 + d1) mod 64), "
                              "domain: d0 in [0, 11], d1 in [0, 85], d0 * 86 + d1 in [0, 1023]");
    index_map_result_ranges(map, true, ranges);
    assert_interval(ranges[0], 0, 15);
    assert_interval(ranges[1], 0, 63);
    index_map_result_ranges(map, false, ranges);
    assert_interval(ranges[0], 0, 16);
    assert_false(index_map_symbol_constrained(map, 0));
    arena_free(w.arena);
}

static void unused_variables_are_removed(void **state) {
    (void)state;
    World w = world_new(false);
    IndexMap *map =
        parse(&w, "(d0, d1, d2, d3, d4)[s0, s1, s2] -> (s0 * 4 + d1 + d3 - 42), domain: d0 in [0, 1], d1 in [0, 2], "
                  "d2 in [0, 3], d3 in [0, 4], d4 in [0, 5], s0 in [0, 32], s1 in [0, 64], s2 in [0, 96], "
                  "s0 * 4 + d1 + d3 in [24, 459], s0 + s2 in [0, 512]");
    const bool expected[8] = {true, false, true, false, true, false, true, false};
    const bool *removed = index_map_remove_unused(map, true);
    assert_memory_equal(removed, expected, sizeof expected);
    assert_string_equal(print(&w, map),
                        "(d0, d1)[s0, s1] -> (d0 + s0 * 4 + d1 - 42), domain: d0 in [0, 2], d1 in [0, 4], "
                        "s0 in [0, 32], s1 in [0, 96], d0 + s0 * 4 + d1 in [24, 459], s0 + s1 in [0, 512]");
    assert_null(index_map_remove_unused(map, true));
    arena_free(w.arena);
}

static void symbols_are_rescaled(void **state) {
    (void)state;
    World w = world_new(false);
    IndexMap *map =
        parse(&w, "()[s0, s1, s2] -> (s2, s0), domain: s0 in [0, 9], s1 in [0, 5], s2 in [0, 6], s0 mod 6 in [3, 3], "
                  "s0 * s2 in [0, 28]");
    assert_true(index_map_rescale(map));
    assert_string_equal(print(&w, map),
                        "()[s0, s1, s2] -> (s2, s0 * 6 + 3), domain: s0 in [0, 1], s1 in [0, 5], s2 in [0, 6], "
                        "(s0 * 6 + 3) * s2 in [0, 28]");
    assert_false(index_map_rescale(map));
    arena_free(w.arena);
}

static void maps_are_equal_whatever_the_names(void **state) {
    (void)state;
    World w = world_new(false);
    IndexMap *a = parse(&w, "(x, y) -> (x), domain: x in [0, 5], y in [0, 6], x + y in [0, 7], x - y in [0, 2]");
    IndexMap *b =
        parse(&w, "(d0, d1) -> (d0), domain: d0 in [0, 5], d1 in [0, 6], d0 - d1 in [0, 2], d0 + d1 in [0, 7]");
    IndexMap *c =
        parse(&w, "(d0, d1) -> (d0), domain: d0 in [0, 5], d1 in [0, 6], d0 - d1 in [0, 2], d0 + d1 in [0, 8]");
    assert_true(index_map_equal(a, b));
    assert_true(index_map_hash(a) == index_map_hash(b));
    assert_false(index_map_equal(a, c));
    assert_false(index_map_equal(a, NULL));
    assert_string_equal(print(&w, NULL), "unknown");
    arena_free(w.arena);
}

static void parser_says_what_it_expected(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
        uint32_t begin;
    } cases[] = {
        {"", "expected a map: '(' and the dimensions, found the end", 0},
        {"(d0 -> (d0)", "expected ')' behind the dimensions, found '->'", 4},
        {"(d0)[s0 -> (d0)", "expected ']' behind the ranges, found '->'", 8},
        {"(d0){r -> (d0)", "expected '}' behind the runtime variables, found '->'", 7},
        {"(d0) (d0)", "expected '->' and the results, found '('", 5},
        {"(d0) -> d0", "expected '(' and the results, found 'd0'", 8},
        {"(d0) -> (d0", "expected ')' behind the results, found the end", 11},
        {"(d0) -> (d0)", "expected ', domain:' and the bounds of the variables, found the end", 12},
        {"(d0) -> (d0), d0 in [0, 1]", "expected 'domain:', found 'd0'", 14},
        {"(d0) -> (d0), domain: d1 in [0, 1]", "expected the bounds of 'd0', found 'd1'", 22},
        {"(d0) -> (d0), domain: d0 [0, 1]", "expected 'in', found '['", 25},
        {"(d0) -> (d0), domain: d0 in (0, 1]", "expected '[' and the bounds, found '('", 28},
        {"(d0) -> (d0), domain: d0 in [x, 1]", "expected an integer, found 'x'", 29},
        {"(d0) -> (d0), domain: d0 in [0 1]", "expected ',', found '1'", 31},
        {"(d0) -> (d0), domain: d0 in [0, 1)", "expected ']', found ')'", 33},
        {"(d0) -> (d0), domain: d0 in [0, 1], d0 +", "expected an expression, found the end", 40},
        {"(d0) -> (d0 + d9), domain: d0 in [0, 1]", "expected a declared variable, found 'd9'", 14},
        {"(d0) -> (min(d0)), domain: d0 in [0, 1]", "expected ',' and a second argument, found ')'", 15},
        {"(d0) -> (d0 mod 0), domain: d0 in [0, 1]", "expected a divisor other than 0, found '0'", 16},
        {"(d0, 5) -> (d0)", "expected the name of a variable, found '5'", 5},
        {"() -> (), x", "expected the end of the map, found ','", 8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        World w = world_new(false);
        assert_null(parse(&w, cases[i].text));
        assert_int_equal(w.diags->list.n, 1);
        assert_string_equal(w.diags->list.at[0].message, cases[i].message);
        assert_int_equal(w.diags->list.at[0].span.begin, cases[i].begin);
        arena_free(w.arena);
    }
}

static void nesting_has_an_end(void **state) {
    (void)state;
    World w = world_new(false);
    Text text = {0};
    text_put(&text, "(d0) -> (");
    text_repeat(&text, '(', 100000);
    assert_null(parse(&w, text_string(&text)));
    text_clear(&text);
    text_put(&text, "(d0) -> (");
    text_repeat(&text, '-', 100000);
    assert_null(parse(&w, text_string(&text)));
    text_free(&text);
    arena_free(w.arena);
}

/* --- random maps -------------------------------------------------------------------------------------------------- */

typedef struct {
    uint64_t seed;
} Random;

static int64_t draw(Random *r, int64_t low, int64_t high) {
    r->seed = r->seed * 6364136223846793005u + 1442695040888963407u;
    return low + (int64_t)((r->seed >> 33) % (uint64_t)(high - low + 1));
}

enum { VARIABLES = 3 }; /* two dims and a range, or one more dim */

static const Index *random_expression(World *w, Random *r, int n_dims, int depth) {
    int64_t which = draw(r, 0, depth > 0 ? 9 : 1);
    if (which == 0) return index_const(w->pool, draw(r, -9, 9));
    if (which == 1) {
        int64_t k = draw(r, 0, VARIABLES - 1);
        return k < n_dims ? index_dim(w->pool, k) : index_sym(w->pool, k - n_dims);
    }
    const Index *a = random_expression(w, r, n_dims, depth - 1);
    int64_t c = draw(r, 1, 12);
    if (which == 2) return index_over(w->pool, a, c);
    if (which == 3) return index_modulo(w->pool, a, c);
    if (which == 4) return index_times(w->pool, a, draw(r, -8, 8));
    const Index *b = random_expression(w, r, n_dims, depth - 1);
    if (which == 5) return draw(r, 0, 1) ? index_min(w->pool, a, b) : index_max(w->pool, a, b);
    if (which == 6) return index_ceildiv(w->pool, a, index_const(w->pool, c));
    return index_add(w->pool, a, b);
}

static IndexMap *random_map(World *w, Random *r, int n_dims, int n_results) {
    IndexMap *map = index_map_new(w->pool, n_dims, VARIABLES - n_dims, 0, n_results);
    for (int i = 0; i < VARIABLES; i++) {
        int64_t low = draw(r, -4, 6);
        map->vars[i].bounds = at(low, low + draw(r, 0, 7));
    }
    for (int i = 0; i < n_results; i++) map->results[i] = random_expression(w, r, n_dims, 4);
    index_map_close(map);
    for (int64_t n = draw(r, 0, 2); n > 0; n--) {
        int64_t low = draw(r, -9, 9);
        index_map_constrain(map, random_expression(w, r, n_dims, 3), at(low, low + draw(r, 0, 9)));
    }
    return map;
}

/* Whether values of the variables lie in the domain. */
static bool inside(const IndexMap *map, const int64_t *values) {
    for (int i = 0; i < VARIABLES; i++)
        if (!interval_contains(map->vars[i].bounds, values[i])) return false;
    return index_map_constraints_hold(map, values, values + map->n_dims);
}

static bool next_values(const IndexMap *map, int64_t *values) {
    for (int i = 0; i < VARIABLES; i++) {
        if (++values[i] <= map->vars[i].bounds.high) return true;
        values[i] = map->vars[i].bounds.low;
    }
    return false;
}

/* The simplified map has the same domain, within the box of the first, and there the same values. */
static void assert_same_map(World *w, const IndexMap *map, const IndexMap *simple) {
    int64_t values[VARIABLES];
    for (int i = 0; i < VARIABLES; i++) values[i] = map->vars[i].bounds.low;
    if (map->empty) {
        assert_true(simple->empty);
        return;
    }
    do {
        bool here = inside(map, values);
        if (here != inside(simple, values)) fail_msg("%s\nbecame\n%s", print(w, map), print(w, simple));
        for (int i = 0; here && i < map->n_results; i++)
            if (index_map_evaluate(map, i, values, values + map->n_dims) !=
                index_map_evaluate(simple, i, values, values + map->n_dims))
                fail_msg("%s\nbecame\n%s", print(w, map), print(w, simple));
    } while (next_values(map, values));
}

enum { ROUNDS = 4000 };

static void simplification_keeps_values(void **state) {
    (void)state;
    Random r = {1};
    for (int i = 0; i < ROUNDS; i++) {
        World w = world_new(i & 1);
        IndexMap *map = random_map(&w, &r, 2, 2), *simple = index_map_copy(map);
        index_map_simplify(simple, i & 2);
        assert_same_map(&w, map, simple);
        arena_free(w.arena);
    }
}

static void prints_read_back(void **state) {
    (void)state;
    Random r = {2};
    for (int i = 0; i < ROUNDS; i++) {
        World w = world_new(i & 1);
        IndexMap *map = random_map(&w, &r, 2, 2);
        if (i & 2) index_map_simplify(map, false);
        if (map->empty) {
            arena_free(w.arena);
            continue;
        }
        const char *text = print(&w, map);
        IndexMap *again = parse(&w, text);
        if (!again) fail_msg("%s: %s", text, w.diags->list.at[0].message);
        /* Sums within sums fold when they are read; what was read once, or simplified, stays. */
        if (i & 2) assert_string_equal(print(&w, again), text);
        const char *settled = print(&w, again);
        if (!again->empty) assert_string_equal(print(&w, parse(&w, settled)), settled);
        assert_same_map(&w, map, again);
        arena_free(w.arena);
    }
}

static void composites_are_one_after_the_other(void **state) {
    (void)state;
    Random r = {3};
    for (int i = 0; i < ROUNDS; i++) {
        World w = world_new(i & 1);
        IndexMap *first = random_map(&w, &r, 3, 3), *second = random_map(&w, &r, 3, 2);
        IndexMap *whole = index_map_compose(first, second);
        if (i & 2) index_map_simplify(whole, false);
        int64_t values[VARIABLES], between[VARIABLES];
        for (int k = 0; k < VARIABLES; k++) values[k] = first->vars[k].bounds.low;
        do {
            for (int k = 0; k < 3; k++) between[k] = index_map_evaluate(first, k, values, NULL);
            bool here = inside(first, values) && inside(second, between);
            if (here != inside(whole, values))
                fail_msg("%s\nthen\n%s\nbecame\n%s", print(&w, first), print(&w, second), print(&w, whole));
            for (int k = 0; here && k < 2; k++)
                assert_true(index_map_evaluate(second, k, between, NULL) == index_map_evaluate(whole, k, values, NULL));
        } while (!first->empty && next_values(first, values));
        arena_free(w.arena);
    }
}

/* A rescaled map has the same image. */
static void rescaling_keeps_the_image(void **state) {
    (void)state;
    Random r = {4};
    for (int i = 0; i < ROUNDS; i++) {
        World w = world_new(false);
        IndexMap *map = random_map(&w, &r, 2, 1);
        int64_t modulus = draw(&r, 2, 4), low = draw(&r, 0, 1);
        uint64_t images[2] = {0, 0};
        index_map_constrain(map, index_modulo(w.pool, index_sym(w.pool, 0), modulus), at(low, 1));
        IndexMap *scaled = index_map_copy(map);
        index_map_rescale(scaled);
        const IndexMap *both[2] = {map, scaled};
        for (int k = 0; k < 2; k++) {
            int64_t values[VARIABLES];
            for (int j = 0; j < VARIABLES; j++) values[j] = both[k]->vars[j].bounds.low;
            if (both[k]->empty) continue;
            do { /* a sum over values that does not depend on their order */
                if (inside(both[k], values)) {
                    uint64_t value = (uint64_t)index_map_evaluate(both[k], 0, values, values + 2);
                    images[k] += hash_mix(hash_mix(value, (uint64_t)values[0]), (uint64_t)values[1]);
                }
            } while (next_values(both[k], values));
        }
        if (images[0] != images[1]) fail_msg("%s\nbecame\n%s", print(&w, map), print(&w, scaled));
        arena_free(w.arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_saturate),
        cmocka_unit_test(products_saturate),
        cmocka_unit_test(quotients_round_down),
        cmocka_unit_test(comparisons_know_three_values),
        cmocka_unit_test(simplifier_of_sums),
        cmocka_unit_test(simplifier_of_remainders),
        cmocka_unit_test(simplifier_of_quotients),
        cmocka_unit_test(simplifier_of_constraints),
        cmocka_unit_test(changes_are_told),
        cmocka_unit_test(ranges_use_constraints),
        cmocka_unit_test(unused_variables_are_removed),
        cmocka_unit_test(symbols_are_rescaled),
        cmocka_unit_test(maps_are_equal_whatever_the_names),
        cmocka_unit_test(parser_says_what_it_expected),
        cmocka_unit_test(nesting_has_an_end),
        cmocka_unit_test(simplification_keeps_values),
        cmocka_unit_test(prints_read_back),
        cmocka_unit_test(composites_are_one_after_the_other),
        cmocka_unit_test(rescaling_keeps_the_image),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
