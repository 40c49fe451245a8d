/* driver/compare.h and driver/notes.h: the tolerance rule of cases. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "driver/compare.h"
#include "driver/run.h"

static Literal *floats(Arena *arena, DType dtype, int n, const double *values) {
    Literal *literal = literal_new(arena, shape_array(arena, dtype, 1, (const int64_t[]){n}));
    for (int i = 0; i < n; i++) literal_set_double(literal, i, values[i], 0);
    return literal;
}

static bool near(double got, double expected, Tolerance tolerance) {
    Arena *arena = arena_new();
    Text report = {0};
    bool same = literal_compare(floats(arena, DT_F64, 1, &got), floats(arena, DT_F64, 1, &expected), tolerance, "x",
                                &report);
    assert_true(same == (report.n == 0));
    text_free(&report);
    arena_free(arena);
    return same;
}

static void test_rule(void **state) {
    (void)state;
    Tolerance some = {true, 1e-2, 1e-3}, exact = {true, 0, 0}, wide = {true, 0, INFINITY};
    assert_true(near(101, 100, some));
    assert_true(near(101.0009, 100, some));
    assert_false(near(101.1, 100, some));
    assert_true(near(0.001, 0, some));
    assert_false(near(0.0011, 0, some));
    assert_true(near(NAN, NAN, exact));
    assert_false(near(NAN, 1, wide));
    assert_false(near(1, NAN, wide));
    assert_true(near(INFINITY, INFINITY, exact));
    assert_false(near(INFINITY, -INFINITY, wide));
    assert_false(near(1e308, INFINITY, some));
    assert_true(near(-0.0, 0.0, exact));
    assert_false(near(1, nextafter(1, 2), exact));
}

static void test_report_names_the_worst(void **state) {
    (void)state;
    Arena *arena = arena_new();
    const Shape *shape = shape_array(arena, DT_F32, 2, (const int64_t[]){2, 3});
    Literal *got = literal_new(arena, shape), *expected = literal_new(arena, shape);
    literal_set_double(got, 1, 0.5, 0);
    literal_set_double(got, 5, 2, 0);
    Text report = {0};
    assert_false(literal_compare(got, expected, (Tolerance){true, 0, 0.25}, "out3", &report));
    assert_string_equal(text_string(&report), "out3: 2 of 6 elements differ; the worst at [1,2]: got 2, expected 0 "
                                              "(off by 2, allowed 0.25)\n");
    text_free(&report);
    arena_free(arena);
}

static void test_integers_are_exact(void **state) {
    (void)state;
    Arena *arena = arena_new();
    const Shape *shape = shape_array(arena, DT_U64, 0, NULL);
    Literal *got = literal_new(arena, shape), *expected = literal_new(arena, shape);
    literal_set_int(got, 0, INT64_MAX);
    literal_set_int(expected, 0, INT64_MAX - 1);
    Text report = {0};
    assert_false(literal_compare(got, expected, (Tolerance){true, 1, 1}, "out0", &report));
    assert_true(literal_compare(got, got, (Tolerance){true, 0, 0}, "out0", &report));
    text_free(&report);
    arena_free(arena);
}

static void test_complex_by_distance(void **state) {
    (void)state;
    Arena *arena = arena_new();
    const Shape *shape = shape_array(arena, DT_C128, 0, NULL);
    Literal *got = literal_new(arena, shape), *expected = literal_new(arena, shape);
    literal_set_double(got, 0, 1000, 1e-3);
    literal_set_double(expected, 0, 1000, 0);
    Text report = {0};
    assert_true(literal_compare(got, expected, (Tolerance){true, 1e-5, 0}, "out0", &report));
    assert_false(literal_compare(got, expected, (Tolerance){true, 1e-7, 0}, "out0", &report));
    literal_set_double(got, 0, INFINITY, 1);
    literal_set_double(expected, 0, INFINITY, NAN);
    assert_false(literal_compare(got, expected, (Tolerance){true, 1, 1}, "out0", &report));
    text_free(&report);
    arena_free(arena);
}

static void test_notes(void **state) {
    (void)state;
    Notes notes = notes_read("// case: add of two\n\n//tolerance: rtol=2e-05 atol=1.2e-38\n"
                             "// unpartitioned\nHloModule m\n"
                             "// tolerance: exact\n");
    assert_memory_equal(notes.about, "add of two", (size_t)notes.about_length);
    assert_int_equal(notes.about_length, 10);
    assert_true(notes.tolerance.given && notes.tolerance.rtol == 2e-05 && notes.tolerance.atol == 1.2e-38);
    assert_true(notes.unpartitioned);
    notes = notes_read("// tolerance: exact\n");
    assert_true(notes.tolerance.given && notes.tolerance.rtol == 0 && notes.tolerance.atol == 0);
    notes = notes_read("HloModule m\n// tolerance: exact\n");
    assert_false(notes.tolerance.given);
    Tolerance tolerance;
    assert_false(tolerance_read(" rtol=x", &tolerance));
    assert_false(tolerance_read(" tight", &tolerance));
}

static void test_times(void **state) {
    (void)state;
    static const struct {
        double seconds;
        const char *text;
    } rows[] = {{0, "0.000001000"},     {2.3456e-9, "0.002346"}, {1e-6, "1.000"},       {12.34567e-6, "12.35"},
                {123.4567e-6, "123.5"}, {1234.4e-6, "1234"},     {123456.7e-6, "123500"}, {9.9996e-6, "10.000"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Text text = {0};
        time_print(&text, rows[i].seconds);
        assert_string_equal(text_string(&text), rows[i].text);
        text_free(&text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rule),
        cmocka_unit_test(test_report_names_the_worst),
        cmocka_unit_test(test_integers_are_exact),
        cmocka_unit_test(test_complex_by_distance),
        cmocka_unit_test(test_notes),
        cmocka_unit_test(test_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
