/* passes/indexing/measure.h: counts of touched elements against counting, runs of elements side by side. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "passes/indexing/measure.h"

typedef struct {
    Arena *arena;
    IndexPool *pool;
    IndexDomain *domain;
    uint64_t seed;
} World;

static World world_new(uint64_t seed) {
    World w = {.arena = arena_new(), .seed = seed};
    w.pool = index_pool_new(w.arena);
    w.domain = index_domain_new(w.pool);
    return w;
}

static int64_t draw(World *w, int64_t low, int64_t high) {
    w->seed = w->seed * 6364136223846793005u + 1442695040888963407u;
    return low + (int64_t)((w->seed >> 33) % (uint64_t)(high - low + 1));
}

static const Index *dim(World *w, int64_t size) {
    return index_domain_dim(w->domain, (Interval){0, size - 1});
}

enum { DIMS = 3, CELLS = 512 };

/* Different pairs of values, by trying all points. */
static int count_pairs(World *w, const Index *const *index) {
    static bool seen[CELLS][CELLS];
    int64_t at[DIMS];
    int found = 0;
    for (int i = 0; i < CELLS; i++)
        for (int k = 0; k < CELLS; k++) seen[i][k] = false;
    for (at[0] = 0; at[0] <= w->domain->dims.at[0].high; at[0]++)
        for (at[1] = 0; at[1] <= w->domain->dims.at[1].high; at[1]++)
            for (at[2] = 0; at[2] <= w->domain->dims.at[2].high; at[2]++) {
                int64_t a = index_evaluate(index[0], at, NULL) + CELLS / 2,
                        b = index_evaluate(index[1], at, NULL) + CELLS / 2;
                assert_true(a >= 0 && a < CELLS && b >= 0 && b < CELLS);
                found += !seen[a][b];
                seen[a][b] = true;
            }
    return found;
}

static const Index *random_index(World *w) {
    const Index *sum = index_const(w->pool, draw(w, -3, 3));
    for (int i = 0; i < DIMS; i++)
        if (draw(w, 0, 1)) sum = index_add(w->pool, sum, index_times(w->pool, index_dim(w->pool, i), draw(w, -6, 6)));
    if (draw(w, 0, 3) == 0) sum = index_over(w->pool, sum, draw(w, 2, 4));
    if (draw(w, 0, 3) == 0) sum = index_modulo(w->pool, sum, draw(w, 2, 9));
    return index_simplify(w->domain, sum);
}

static void touched_elements_are_counted(void **state) {
    (void)state;
    int exact = 0;
    enum { ROUNDS = 500 };
    for (int i = 0; i < ROUNDS; i++) {
        World w = world_new((uint64_t)i);
        for (int k = 0; k < DIMS; k++) dim(&w, draw(&w, 1, 9));
        const Index *index[2] = {random_index(&w), random_index(&w)};
        Touched touched = index_touched(w.domain, 2, index);
        int counted = count_pairs(&w, index);
        if (touched.exact) assert_true(touched.elements == counted);
        else assert_true(touched.elements >= counted);
        exact += touched.exact;
        arena_free(w.arena);
    }
    assert_int_equal(exact, ROUNDS); /* so few points are tried one by one, if need be */
}

/* Too many points to try: the rule for sums whose steps continue each other. */
static void large_sums_are_counted_by_rule(void **state) {
    (void)state;
    World w = world_new(0);
    const Index *a = dim(&w, 100000), *b = dim(&w, 3), *c = dim(&w, 1000);
    const Index *window = index_add(w.pool, a, b), *spread = index_add(w.pool, index_times(w.pool, a, 4), b);
    Touched touched = index_touched(w.domain, 1, &window);
    assert_true(touched.exact && touched.elements == 100002);
    touched = index_touched(w.domain, 1, &spread);
    assert_true(touched.exact && touched.elements == 300000);
    const Index *apart[2] = {spread, index_times(w.pool, c, -2)};
    touched = index_touched(w.domain, 2, apart);
    assert_true(touched.exact && touched.elements == 300000000.0);
    const Index *diagonal[2] = {a, a};
    touched = index_touched(w.domain, 2, diagonal);
    assert_true(touched.elements >= 100000);
    arena_free(w.arena);
}

static void runs_follow_the_layout(void **state) {
    (void)state;
    World w = world_new(0);
    const int64_t dims[2] = {8, 16}, columns[2] = {0, 1};
    Shape rows = *shape_array(w.arena, DT_F32, 2, dims), turned = rows;
    Layout layout = {.n_minor_to_major = 2, .minor_to_major = columns};
    turned.layout = &layout;
    const Index *i = dim(&w, 8), *k = dim(&w, 16), *half = dim(&w, 4);
    Contiguity found = index_contiguity(w.domain, &rows, (const Index *[]){i, k});
    assert_ptr_equal(found.unit_stride, k);
    assert_true(found.run == 128); /* row after row */
    found = index_contiguity(w.domain, &turned, (const Index *[]){i, k});
    assert_ptr_equal(found.unit_stride, i);
    assert_true(found.run == 128);
    found = index_contiguity(w.domain, &rows, (const Index *[]){i, half});
    assert_true(found.unit_stride == half && found.run == 4);
    found = index_contiguity(w.domain, &rows, (const Index *[]){i, index_times(w.pool, half, 2)});
    assert_null(found.unit_stride);
    found = index_contiguity(w.domain, &rows, (const Index *[]){i, index_sub(w.pool, index_const(w.pool, 15), k)});
    assert_ptr_equal(found.unit_stride, k); /* backwards */
    arena_free(w.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(touched_elements_are_counted),
        cmocka_unit_test(large_sums_are_counted_by_rule),
        cmocka_unit_test(runs_follow_the_layout),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
