/* ir/literal.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include "ir/literal.h"

static const DType small[] = {DT_F4E2M1FN,  DT_F6E2M3FN,   DT_F6E3M2FN,      DT_F8E3M4, DT_F8E4M3,
                              DT_F8E4M3FN,  DT_F8E4M3FNUZ, DT_F8E4M3B11FNUZ, DT_F8E5M2, DT_F8E5M2FNUZ,
                              DT_F8E8M0FNU, DT_F16,        DT_BF16};
enum { N_SMALL = sizeof small / sizeof *small };

static void small_floats_survive_double(void **state) {
    (void)state;
    for (int t = 0; t < N_SMALL; t++) {
        DType dtype = small[t];
        for (unsigned bits = 0; bits < 1u << dtype_bits(dtype); bits++) {
            double value = small_float_to_double(dtype, bits);
            if (!isnan(value)) assert_int_equal(small_float_from_double(dtype, value), bits);
            else assert_true(isnan(small_float_to_double(dtype, small_float_from_double(dtype, value))));
        }
    }
}

/* Between two neighbours: to the nearer one, and half way to the even one (powers of two: up). */
static void small_floats_round_to_nearest_even(void **state) {
    (void)state;
    for (int t = 0; t < N_SMALL; t++) {
        DType dtype = small[t];
        for (unsigned bits = 0; bits + 1 < 1u << (dtype_bits(dtype) - 1); bits++) {
            double low = small_float_to_double(dtype, bits), high = small_float_to_double(dtype, bits + 1);
            if (!isfinite(low) || !isfinite(high)) continue;
            double half = low + (high - low) / 2;
            bool up = bits & 1 || dtype == DT_F8E8M0FNU;
            assert_int_equal(small_float_from_double(dtype, half), up ? bits + 1 : bits);
            assert_int_equal(small_float_from_double(dtype, nextafter(half, INFINITY)), bits + 1);
            assert_int_equal(small_float_from_double(dtype, nextafter(half, 0)), bits);
        }
    }
}

static void limits_are_those_of_the_table(void **state) {
    (void)state;
    static const struct {
        DType dtype;
        double value;
        unsigned bits;
    } cases[] = {{DT_F16, 65504, 0x7bff},   {DT_F16, 65520, 0x7c00},       {DT_F8E4M3FN, 448, 0x7e},
                 {DT_F8E4M3FN, 1000, 0x7f}, {DT_F8E4M3FNUZ, 240, 0x7f},    {DT_F8E4M3FNUZ, 1e9, 0x80},
                 {DT_F8E5M2, 57344, 0x7b},  {DT_F8E5M2, 1e9, 0x7c},        {DT_F8E4M3B11FNUZ, 30, 0x7f},
                 {DT_F8E8M0FNU, 0, 0xff},   {DT_F8E8M0FNU, 0x1p127, 0xfe}, {DT_F8E8M0FNU, 0x1p-127, 0},
                 {DT_F4E2M1FN, 100, 7},     {DT_F4E2M1FN, -6, 15},         {DT_F8E4M3FNUZ, -0.0, 0},
                 {DT_F8E3M4, 15.5, 0x6f},   {DT_F6E2M3FN, 7.5, 0x1f},      {DT_BF16, -1, 0xbf80}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(small_float_from_double(cases[i].dtype, cases[i].value), cases[i].bits);
}

static void integers_wrap_to_their_width(void **state) {
    (void)state;
    Arena *arena = arena_new();
    Literal *s4 = literal_new(arena, shape_scalar(arena, DT_S4)), *u4 = literal_new(arena, shape_scalar(arena, DT_U4));
    Literal *u64 = literal_new(arena, shape_scalar(arena, DT_U64));
    literal_set_int(s4, 0, 12);
    assert_int_equal(literal_int(s4, 0), -4);
    literal_set_int(u4, 0, -1);
    assert_int_equal(literal_int(u4, 0), 15);
    literal_set_int(u64, 0, -1);
    assert_true(literal_double(u64, 0) == 0x1p64);
    arena_free(arena);
}

static void literals_print_as_hlo(void **state) {
    (void)state;
    Arena *arena = arena_new();
    const Shape *row = shape_array(arena, DT_F32, 1, (int64_t[]){2}),
                *matrix = shape_array(arena, DT_S32, 2, (int64_t[]){2, 2});
    const Shape *empty = shape_array(arena, DT_F32, 2, (int64_t[]){2, 0}),
                *flags = shape_array(arena, DT_PRED, 1, (int64_t[]){2});
    const Shape *parts[] = {row, matrix, empty, flags, shape_scalar(arena, DT_PRED), shape_scalar(arena, DT_C64)};
    Literal *tuple = literal_new(arena, shape_tuple(arena, 6, parts));
    literal_set_double(tuple->elements[0], 1, -0.5, 0);
    literal_set_int(tuple->elements[1], 3, -7);
    literal_set_int(tuple->elements[3], 1, 5);
    literal_set_double(tuple->elements[5], 0, 1, INFINITY);
    Text text = {0};
    literal_print(&text, tuple, 0);
    assert_string_equal(text_string(&text),
                        "( {0, -0.5}, { { 0, 0 }, { 0, -7 } }, { {}, {} }, {0, 1}, false, /*index=5*/(1, inf) )");
    text_free(&text);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_floats_survive_double),   cmocka_unit_test(small_floats_round_to_nearest_even),
        cmocka_unit_test(limits_are_those_of_the_table), cmocka_unit_test(integers_wrap_to_their_width),
        cmocka_unit_test(literals_print_as_hlo),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
