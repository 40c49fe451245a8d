/* driver/npy.h: what is read, what is refused, and that a written file reads back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "driver/npy.h"
#include "driver/output.h"

static const char path[] = "hlocc_unit_npy.npy";

static int set_up(void **state) {
    *state = arena_new();
    return 0;
}

static int tear_down(void **state) {
    arena_free(*state);
    unlink(path);
    return 0;
}

/* A file of a version with this header and these data. */
static void make(Text *out, int version, const char *header, const void *data, size_t n) {
    size_t length = strlen(header);
    text_bytes(out, "\x93NUMPY", 6);
    text_char(out, (char)version);
    text_char(out, 0);
    for (int i = 0; i < (version == 1 ? 2 : 4); i++) text_char(out, (char)(length >> 8 * i & 0xFF));
    text_put(out, header);
    text_bytes(out, data, n);
}

static void put_file(const Text *bytes) {
    Text why = {0};
    assert_true(output_write(path, bytes->at, bytes->n, &why));
    text_free(&why);
}

static Literal *read_as(Arena *arena, const Text *bytes, DType dtype, int rank, const int64_t *dims, Text *why) {
    put_file(bytes);
    return npy_read(arena, path, shape_array(arena, dtype, rank, dims), why);
}

static void test_round_trip(void **state) {
    Arena *arena = *state;
    static const DType dtypes[] = {DT_PRED, DT_S8, DT_U16, DT_S32, DT_U64, DT_F16, DT_BF16,
                                   DT_F32,  DT_F64, DT_C64, DT_C128, DT_S4, DT_F8E5M2};
    static const char *const codes[] = {"|b1", "|i1", "<u2", "<i4", "<u8", "<f2", "|V2",
                                        "<f4", "<f8", "<c8", "<c16", "|V1", "|V1"};
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
        Literal *literal = literal_new(arena, shape_array(arena, dtypes[i], 2, (const int64_t[]){2, 3}));
        for (int k = 0; k < 6; k++)
            if (dtype_is_float(dtypes[i]) || dtype_is_complex(dtypes[i])) literal_set_double(literal, k, k - 2, k);
            else literal_set_int(literal, k, dtypes[i] == DT_PRED ? k % 2 : k - 2);
        Text file = {0}, why = {0};
        npy_print(&file, literal);
        assert_int_equal((file.n - (size_t)shape_bytes(literal->shape)) % 64, 0);
        assert_non_null(strstr(file.at + 10, codes[i]));
        Literal *again = read_as(arena, &file, dtypes[i], 2, (const int64_t[]){2, 3}, &why);
        assert_string_equal(text_string(&why), "");
        assert_true(literals_equal(literal, again));
        text_free(&file);
    }
}

static void test_scalar_and_empty(void **state) {
    Text why = {0}, scalar = {0}, empty = {0};
    make(&scalar, 1, "{'descr': '<i4', 'fortran_order': False, 'shape': (), }\n", "\x05\0\0", 4);
    Literal *one = read_as(*state, &scalar, DT_S32, 0, NULL, &why);
    assert_int_equal(literal_int(one, 0), 5);
    make(&empty, 1, "{'descr': '<i4', 'fortran_order': False, 'shape': (3, 0), }\n", "", 0);
    assert_non_null(read_as(*state, &empty, DT_S32, 2, (const int64_t[]){3, 0}, &why));
    text_free(&scalar);
    text_free(&empty);
}

static void test_fortran_order_and_versions(void **state) {
    for (int version = 1; version <= 3; version++) {
        Text file = {0}, why = {0};
        make(&file, version, "{'shape': (2, 3), 'fortran_order': True, 'descr': \"|i1\"}", "\1\4\2\5\3\6", 6);
        Literal *literal = read_as(*state, &file, DT_S8, 2, (const int64_t[]){2, 3}, &why);
        assert_non_null(literal);
        for (int k = 0; k < 6; k++) assert_int_equal(literal_int(literal, k), k + 1);
        text_free(&file);
    }
}

static void test_small_integers_are_sign_extended(void **state) {
    Text file = {0}, why = {0};
    make(&file, 1, "{'descr': '|V1', 'fortran_order': False, 'shape': (2,), }\n", "\x0F\x07", 2);
    Literal *literal = read_as(*state, &file, DT_S4, 1, (const int64_t[]){2}, &why);
    assert_int_equal(literal_int(literal, 0), -1);
    assert_int_equal(literal_int(literal, 1), 7);
    text_free(&file);
}

static void test_conversions(void **state) {
    Text file = {0}, why = {0};
    make(&file, 1, "{'descr': '|i1', 'fortran_order': False, 'shape': (2,), }\n", "\xFF\x07", 2);
    static const DType wider[] = {DT_F32, DT_BF16, DT_S64, DT_C128};
    for (int i = 0; i < 4; i++) {
        Literal *literal = read_as(*state, &file, wider[i], 1, (const int64_t[]){2}, &why);
        assert_non_null(literal);
        assert_true(literal_double(literal, 0) == -1 && literal_double(literal, 1) == 7);
    }
    assert_null(read_as(*state, &file, DT_PRED, 1, (const int64_t[]){2}, &why));
    text_clear(&file);
    make(&file, 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (), }\n", "\0\0\x80\x3F", 4);
    assert_true(literal_double(read_as(*state, &file, DT_F64, 0, NULL, &why), 0) == 1);
    assert_null(read_as(*state, &file, DT_S32, 0, NULL, &why));
    text_free(&file);
    text_free(&why);
}

static void expect_refusal(Arena *arena, const Text *file, const char *words) {
    Text why = {0};
    assert_null(read_as(arena, file, DT_F32, 1, (const int64_t[]){2}, &why));
    if (!strstr(text_string(&why), words)) fail_msg("'%s' lacks '%s'", text_string(&why), words);
    text_free(&why);
}

static void test_bad_files(void **state) {
    static const struct {
        const char *header, *words;
    } rows[] = {
        {"{'descr': '>f4', 'fortran_order': False, 'shape': (2,)}", "big-endian"},
        {"{'descr': '|O', 'fortran_order': False, 'shape': (2,)}", "not supported"},
        {"{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (2,)}", "records"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}", "too few"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", "too many"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4, 0, 2)}", "too many"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4)}", "too few"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}", "size in its shape"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, x)}", "shape"},
        {"{'descr': '<f4', 'fortran_order': Maybe, 'shape': (2,)}", "fortran_order"},
        {"{'descr': '<f4', 'fortran_order': False}", "lacks"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'more': 1}", "unknown key 'more'"},
        {"['descr']", "dictionary"},
        {"{'descr", "dictionary"},
        {"{'descr': '<c8', 'fortran_order': False, 'shape': (1,)}", "holds <c8 (1,), expected f32[2]: <f4 (2,)"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1)}", "holds <f4 (2, 1)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Text file = {0};
        make(&file, 1, rows[i].header, "12345678", 8);
        expect_refusal(*state, &file, rows[i].words);
        text_free(&file);
    }
}

static void test_cut_off_files(void **state) {
    Text file = {0};
    make(&file, 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", "12345678", 8);
    for (size_t n = 0; n < file.n; n++) {
        Text cut = {0};
        text_bytes(&cut, file.at, n);
        expect_refusal(*state, &cut, "cannot use");
        text_free(&cut);
    }
    file.at[6] = 9;
    expect_refusal(*state, &file, "version 9");
    text_free(&file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_round_trip, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_scalar_and_empty, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_fortran_order_and_versions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_small_integers_are_sign_extended, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_conversions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bad_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_cut_off_files, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
