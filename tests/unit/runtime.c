/* The runtime's text: include lines, copied pieces, unknown symbols. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "codegen/runtime.h"

static void symbols_have_headers(void **state) {
    static const char *const symbols[] = {"hlocc_max_f32x16", "hlocc_exp_f32x16", "hlocc_f32x16", "hlocc_max_f32x16"};
    (void)state;
    Text text = {0};
    runtime_include_lines(&text, symbols, 4);
    assert_string_equal(text_string(&text), "#include \"hlocc/math_exp_f32x16.h\"\n"
                                            "#include \"hlocc/vec_f32x16.h\"\n"
                                            "#include \"hlocc/vector_types.h\"\n");
    text_free(&text);
}

static void every_kind_of_name_is_known(void **state) {
    static const char *const symbols[] = {
        "hlocc_context", "HLOCC_PARALLEL_FOR", "hlocc_m16", "hlocc_and_m16", "hlocc_load_m64",
            "hlocc_s32x16_from_f32x16",
        "hlocc_s32_from_f32", "hlocc_bf16_from_f64", "hlocc_load_f32x16_bf16", "hlocc_storen_f64x8_f8e4m3fn",
        "hlocc_bitcast_s8x64_s32x16", "hlocc_gather_f32x16_s64x16", "hlocc_pow_re_c64x8", "hlocc_round_bf16_f32x2",
        "hlocc_fold_max_s32x16", "hlocc_pred_from_f32", "hlocc_select_pred", "hlocc_bf16", "hlocc_erf_f64",
            "hlocc_m4_from_u8x4",
    };
    (void)state;
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (!runtime_has(symbols[i])) fail_msg("%s", symbols[i]);
}

static void other_names_are_not(void **state) {
    static const char *const symbols[] = {
        "hlocc_max_f32x3", "hlocc_max_f16", "hlocc_shl_f32", "hlocc_exp_s32", "hlocc_abs_u8x16", "hlocc_", "max", "",
        "hlocc_f32x128", "hlocc_m1", "hlocc_s32x16_from_f32x8", "hlocc_add_m16", "hlocc_fold_max_s32",
            "hlocc_max_f32x016",
    };
    (void)state;
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (runtime_has(symbols[i])) fail_msg("%s", symbols[i]);
}

static void copies_come_before_their_use(void **state) {
    static const char *const symbols[] = {"hlocc_tanh_f32"};
    (void)state;
    Text text = {0};
    runtime_copy_pieces(&text, symbols, 1);
    const char *all = text_string(&text);
    const char *definition = strstr(all, "float hlocc_tanh_f32("), *part = strstr(all, "float hlocc_exp2_normal_f32(");
    assert_non_null(definition);
    assert_non_null(part);
    assert_true(part < definition);
    assert_null(strstr(all, "hlocc_V"));
    assert_null(strstr(all, "${"));
    assert_null(strstr(all, "#include \"hlocc"));
    text_free(&text);
}

static void pieces_for_narrower_vectors_are_guarded(void **state) {
    static const char *const symbols[] = {"hlocc_add_f32x16"};
    (void)state;
    Text text = {0};
    runtime_copy_pieces(&text, symbols, 1);
    const char *all = text_string(&text), *half = strstr(all, "hlocc_add_f32x8(hlocc_f32x8 a"), *guard = NULL;
    assert_non_null(half);
    for (const char *at = all; (at = strstr(at, "#if HLOCC_VECTOR_BYTES < 64\n")) && at < half; at++) guard = at;
    assert_non_null(guard);
    text_free(&text);
}

static void what_is_asked_twice_is_copied_once(void **state) {
    static const char *const twice[] = {"hlocc_exp_f32x16", "hlocc_max_f32x16", "hlocc_exp_f32x16"};
    static const char *const once[] = {"hlocc_max_f32x16", "hlocc_exp_f32x16"};
    (void)state;
    Text a = {0}, b = {0};
    runtime_copy_pieces(&a, twice, 3);
    runtime_copy_pieces(&b, once, 2);
    assert_string_equal(text_string(&a), text_string(&b));
    text_free(&a);
    text_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symbols_have_headers),
        cmocka_unit_test(every_kind_of_name_is_known),
        cmocka_unit_test(other_names_are_not),
        cmocka_unit_test(copies_come_before_their_use),
        cmocka_unit_test(pieces_for_narrower_vectors_are_guarded),
        cmocka_unit_test(what_is_asked_twice_is_copied_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
