/* passes/indexing/symbolic_tile.h: the values that a result takes over a tile are those that its size, stride and
 * offset say, for all sizes that meet the constraints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "passes/indexing/symbolic_tile.h"

static IndexMap *parse(Arena *arena, IndexPool *pool, const char *text) {
    Diags *diags = diags_new(arena, NULL);
    diags->source = source_from_bytes(arena, "map", text, strlen(text));
    return index_map_parse(pool, diags, (Span){0, (uint32_t)strlen(text)});
}

static bool next(int n, int64_t *values, const int64_t *low, const int64_t *high) {
    for (int i = 0; i < n; i++) {
        if (++values[i] <= high[i]) return true;
        values[i] = low[i];
    }
    return false;
}

enum { MOST = 8, CELLS = 4096 };

/* Values of result k over the tile at the origin: as many as its size says, each of them in steps of the stride. */
static void assert_box(const SymbolicTile *tile, int k, const int64_t *sizes) {
    const IndexMap *map = tile->map;
    int n = map->n_dims + map->n_ranges;
    int64_t low[MOST] = {0}, high[MOST], values[MOST] = {0};
    bool seen[CELLS] = {false};
    for (int i = 0; i < n; i++) high[i] = i < map->n_dims ? sizes[i] - 1 : map->vars[i].bounds.high;
    int64_t count = index_evaluate(tile->sizes[k], sizes, NULL), step = index_evaluate(tile->strides[k], sizes, NULL);
    int64_t first = index_evaluate(tile->offsets[k], sizes, NULL);
    int found = 0;
    do {
        int64_t away = index_map_evaluate(map, k, values, values + map->n_dims) - first;
        int64_t at = step ? away / step : 0;
        assert_true(at * step == away && at >= 0 && at < count && at < CELLS);
        found += !seen[at];
        seen[at] = true;
    } while (next(n, values, low, high));
    assert_int_equal(found, count);
}

/* How many sizes of tiles meet the constraints. */
static int check_map(const char *text) {
    Arena *arena = arena_new();
    IndexMap *map = parse(arena, index_pool_new(arena), text);
    SymbolicTile tile;
    int64_t ones[MOST], most[MOST], sizes[MOST];
    int fitting = 0;
    assert_non_null(map);
    const char *why = symbolic_tile_of(map, &tile);
    if (why) fail_msg("%s: %s", text, why);
    for (int i = 0; i < map->n_dims; i++) {
        ones[i] = sizes[i] = 1;
        most[i] = map->vars[i].bounds.high + 1;
    }
    do {
        if (!tile_constraints_hold(&tile.constraints, sizes)) continue;
        fitting++;
        for (int k = 0; k < map->n_results; k++) assert_box(&tile, k, sizes);
    } while (next(map->n_dims, sizes, ones, most));
    arena_free(arena);
    return fitting;
}

static void tiles_are_boxes(void **state) {
    (void)state;
    assert_int_equal(check_map("(d0, d1) -> (d1, d0 * 3 + 5), domain: d0 in [0, 5], d1 in [0, 6]"), 42);
    assert_int_equal(check_map("(d0)[s0] -> (-d0 + 9, s0), domain: d0 in [0, 9], s0 in [0, 3]"), 10);
    assert_int_equal(check_map("(d0) -> (d0 floordiv 6, d0 mod 6), domain: d0 in [0, 47]"), 11);
    assert_int_equal(check_map("(d0) -> (d0 floordiv 35, (d0 floordiv 7) mod 5, d0 mod 7), domain: d0 in [0, 104]"), 5);
    assert_int_equal(check_map("(d0, d1) -> (d0 * 7 + d1), domain: d0 in [0, 3], d1 in [0, 6]"), 13);
    assert_true(check_map("(d0, d1, d2) -> (d0 * 12 - d1 * 4 - d2 + 11), "
                          "domain: d0 in [0, 3], d1 in [0, 2], d2 in [0, 3]") > 10);
    assert_int_equal(check_map("()[s0, s1] -> (s1 * 2 + s0), domain: s0 in [0, 1], s1 in [0, 8]"), 1);
    assert_int_equal(check_map("(d0)[s0] -> (d0 * 4 + s0), domain: d0 in [0, 5], s0 in [0, 3]"), 6);
}

static void reason(const char *text, const char *why) {
    Arena *arena = arena_new();
    SymbolicTile tile;
    IndexMap *map = parse(arena, index_pool_new(arena), text);
    assert_non_null(map);
    assert_string_equal(symbolic_tile_of(map, &tile), why);
    arena_free(arena);
}

static void what_has_no_tile_says_why(void **state) {
    (void)state;
    reason("(d0) -> (d0), domain: d0 in [1, 0]", "nothing is read");
    reason("(d0, d1)[s0] -> (d0 * 2048 + d1, s0), domain: d0 in [0, 3], d1 in [0, 2047], s0 in [0, 50303], "
           "d0 * 2048 + d1 in [2, 4096]", "a constraint is more than padding at the end");
    reason("(d0)[s0] -> (s0), domain: d0 in [0, 3], s0 in [1, 2]", "a range does not begin at 0");
    reason("(d0) -> ((d0 * 5 + 1) floordiv 6), domain: d0 in [0, 9]",
           "the quotient of something that goes in other steps than 1");
    reason("(d0) -> ((d0 * 5 + 1) mod 6), domain: d0 in [0, 9]",
           "the remainder of something that goes in other steps than 1");
    reason("(d0, d1) -> (d0 * d1), domain: d0 in [0, 9], d1 in [0, 9]", "a product of variables");
    reason("(d0, d1) -> (d0 * 9 + d1), domain: d0 in [0, 9], d1 in [0, 9]",
           "a sum whose parts do not follow each other without gaps");
    reason("(d0, d1) -> (min(d0, d1)), domain: d0 in [0, 9], d1 in [0, 9]",
           "a minimum, a maximum or a quotient rounded up");
}

/* Padding at the end is no hindrance. */
static void the_end_may_be_padding(void **state) {
    (void)state;
    Arena *arena = arena_new();
    SymbolicTile tile;
    IndexMap *map = parse(arena, index_pool_new(arena), "(d0, d1)[s0] -> (d0 * 2048 + d1, s0), domain: d0 in [0, 3], "
                          "d1 in [0, 2047], s0 in [0, 50303], d0 * 2048 + d1 in [0, 4096]");
    assert_null(symbolic_tile_of(map, &tile));
    Text text = {0};
    tile_constraints_print(&text, tile.map, &tile.constraints);
    assert_string_equal(text_string(&text), "d0 in [1, 1] || d1 in [1, 1] || d1 in [2048, 2048]");
    text_free(&text);
    arena_free(arena);
}

static void constraints_are_joined(void **state) {
    (void)state;
    Arena *arena = arena_new();
    IndexPool *pool = index_pool_new(arena);
    SymbolicTile a, b;
    IndexMap *map = parse(arena, pool, "(d0) -> (d0 floordiv 6, d0 mod 6), domain: d0 in [0, 47]");
    assert_null(symbolic_tile_of(map, &a));
    assert_null(symbolic_tile_of(map, &b));
    assert_true(tile_constraints_both(pool, &a.constraints, &b.constraints));
    assert_int_equal(a.constraints.any.n, 2); /* the same ones again say nothing */
    TileConstraints always = tile_constraints_always(pool);
    assert_true(tile_constraints_hold_always(&always));
    assert_true(tile_constraints_both(pool, &always, &a.constraints));
    assert_false(tile_constraints_hold_always(&always));
    const int64_t three = 3, five = 5;
    assert_true(tile_constraints_hold(&always, &three));
    assert_false(tile_constraints_hold(&always, &five));
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_are_boxes),
        cmocka_unit_test(what_has_no_tile_says_why),
        cmocka_unit_test(the_end_may_be_padding),
        cmocka_unit_test(constraints_are_joined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
