/* driver/toolchain.h, driver/cache.h and the harness, with generated code written by hand in the form of abi.md. */
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "driver/cache.h"
#include "driver/output.h"
#include "driver/process.h"
#include "driver/tool_paths.h"
#include "driver/toolchain.h"

static const char header[] = "#ifndef MODEL_H\n"
                             "#define MODEL_H\n"
                             "#include \"hlocc/rt_core.h\"\n"
                         
                             "int add_one_call(const void *const in[], void *const out[], void *workspace,\n"
                             "                 const hlocc_context *ctx);\n"
                             "size_t add_one_workspace_bytes(int threads);\n"
                             "extern const hlocc_signature add_one_signature;\n"
                             "#endif\n";

/* out0 = x + 1, f32[2,3] with x column major; out1 = sum + 1, f32[2], in place of sum when the caller likes. %s: a
 * fault. */
static const char source[] =
    "#include \"model.h\"\n"
    "int add_one(const float *x, const float *sum, float *out0, float *out1, void *workspace,\n"
    "            const hlocc_context *ctx) {\n"
    "    float *scratch = workspace;\n"
    "    (void)ctx, (void)x;\n"
    "    for (int i = 0; i < 2; i++) scratch[i] = sum[i] + 1;\n"
    "    for (int i = 0; i < 2; i++)\n"
    "        for (int j = 0; j < 3; j++) out0[3 * i + j] = x[i + 2 * j] + 1;\n"
    "    for (int i = 0; i < 2; i++) out1[i] = scratch[i];\n"
    "    %s\n"
    "    return 0;\n"
    "}\n"
    "int add_one_call(const void *const in[], void *const out[], void *workspace, const hlocc_context *ctx) {\n"
    "    return add_one(in[0], in[1], out[0], out[1], workspace, ctx);\n"
    "}\n"
    "size_t add_one_workspace_bytes(int threads) { return threads > 0 ? 8 : 16; }\n"
    "static const int64_t dims[] = {2, 3};\n"
    "static const int column_major[] = {0, 1}, row_major[] = {1, 0}, one[] = {0};\n"
    "static const hlocc_array inputs[] = {{\"x\", \"f32\", 2, dims, column_major, 24, -1},\n"
    "                                     {\"sum\", \"f32\", 1, dims, one, 8, 1}};\n"
    "static const hlocc_array results[] = {{\"out0\", \"f32\", 2, dims, row_major, 24, -1},\n"
    "                                      {\"out1\", \"f32\", 1, dims, one, 8, 1}};\n"
    "const hlocc_signature add_one_signature = {.name = \"add_one\", .inputs = 2, .results = 2, .input = inputs,\n"
    "    .result = results, .replicas = 1, .partitions = 1, .call = add_one_call,\n"
    "    .workspace_bytes = add_one_workspace_bytes, .libraries = \"\"};\n";

static Arena *arena;
static Toolchain toolchain;
static char folder[] = "hlocc_unit_XXXXXX";
static const char *argv0;

static int set_up(void **state) {
    (void)state;
    arena = arena_new();
    Text why = {0};
    strcpy(folder, "hlocc_unit_XXXXXX");
    assert_true(folder_make_temporary(folder));
    char *here = realpath(folder, NULL);
    setenv("XDG_CACHE_HOME", here, 1);
    free(here);
    const char *tools = path_folder(arena, tool_folder(arena, argv0));
    const char *more = getenv("CFLAGS"); /* sanitizers, which the runtime library then needs too */
    const char *flags = arena_printf(arena, "-O1 -std=c99 -Wall -Wextra -Wpedantic -Werror %s", more ? more : "");
    assert_true(toolchain_from_environment(arena, tools, flags, &toolchain, &why));
    toolchain.seconds = 100;
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    folder_remove(folder);
    arena_free(arena);
    return 0;
}

static const char *build(const char *fault, Text *report) {
    Text c = {0}, h = {0};
    text_printf(&c, source, fault);
    text_put(&h, header);
    GeneratedCode code = {.source = &c, .header = &h, .header_name = "model.h", .function = "add_one"};
    const char *program = toolchain_build(arena, &toolchain, &code, report);
    text_free(&c);
    text_free(&h);
    return program;
}

static void run(Process *process, const char *program, const float *inputs, size_t bytes, const char *seconds) {
    Text why = {0};
    const char *in = path_join(arena, folder, "in"), *out = path_join(arena, folder, "out");
    assert_true(output_write(in, (const char *)inputs, bytes, &why));
    const char *argv[] = {program, in, out, "1", seconds, NULL};
    process_run(process, &(Command){.argv = argv, .seconds = 60});
}

static const float inputs[] = {1, 2, 3, 4, 5, 6, 10, 20};

static void test_results_in_logical_order(void **state) {
    (void)state;
    Text report = {0}, bytes = {0};
    const char *program = build("", &report);
    assert_string_equal(text_string(&report), "");
    Process process;
    run(&process, program, inputs, sizeof inputs, "0.05");
    assert_string_equal(text_string(&process.err), "");
    assert_int_equal(process.code, 0);
    assert_true(input_read(path_join(arena, folder, "out"), &bytes, &report));
    assert_int_equal(bytes.n, sizeof inputs);
    for (size_t k = 0; k < sizeof inputs / sizeof *inputs; k++) {
        float value;
        memcpy(&value, bytes.at + k * sizeof value, sizeof value);
        assert_true(value == inputs[k] + 1);
    }
    double least, median;
    assert_int_equal(sscanf(text_string(&process.out), "%lf %lf", &least, &median), 2);
    assert_true(least > 0 && least <= median && median < 1e-3);
    process_free(&process);
    text_free(&bytes);
}

static void test_built_once(void **state) {
    (void)state;
    Text report = {0};
    const char *program = build("", &report), *again = build("", &report), *other = build("(void)out0;", &report);
    assert_string_equal(program, again);
    assert_string_not_equal(program, other);
    vec_push(arena, &toolchain.compile, "-O0");
    assert_string_not_equal(program, build("", &report));
    toolchain.compile.n--;
}

static void test_faults_are_found(void **state) {
    (void)state;
    static const struct {
        const char *fault, *words;
    } rows[] = {
#if !defined(__SANITIZE_ADDRESS__) /* which finds these itself */
        {"out0[6] = 1;", "something was written outside of the buffer of out0"},
        {"out1[-1] = 1;", "something was written outside of the buffer of out1"},
        {"scratch[2] = 1;", "something was written outside of the buffer of the workspace"},
#endif
        {"((float *)(uintptr_t)x)[0] = 9;", "a call changed the parameter x"},
        {"{ static int n; out0[0] = (float)n++; }", "a second call gives other bits for out0"},
        {"if (out1 == sum) out1[1] = 7;", "a second call gives other bits for out1"},
        {"return HLOCC_ELAPACK;", "error "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Text report = {0};
        const char *program = build(rows[i].fault, &report);
        assert_string_equal(text_string(&report), "");
        Process process;
        run(&process, program, inputs, sizeof inputs, "0");
        assert_int_equal(process.code, 5);
        if (!strstr(text_string(&process.err), rows[i].words)) fail_msg("'%s'", text_string(&process.err));
        process_free(&process);
    }
}

static void test_inputs_of_another_size(void **state) {
    (void)state;
    Text report = {0};
    const char *program = build("", &report);
    Process process;
    run(&process, program, inputs, sizeof inputs - 4, "0");
    assert_int_equal(process.code, 5);
    process_free(&process);
    float more[9] = {0};
    run(&process, program, more, sizeof more, "0");
    assert_int_equal(process.code, 5);
    process_free(&process);
}

static void test_the_compiler_may_fail(void **state) {
    (void)state;
    Text report = {0};
    assert_null(build("nonsense;", &report));
    assert_non_null(strstr(text_string(&report), "the C compiler failed (exit code 1)"));
    assert_non_null(strstr(text_string(&report), "nonsense"));
    text_clear(&report);
    toolchain.compile.at[0] = "/nonexistent/cc";
    assert_null(build("", &report));
    assert_non_null(strstr(text_string(&report), "cannot run '/nonexistent/cc'"));
    text_free(&report);
}

static void test_keys(void **state) {
    (void)state;
    CacheKey a = {0}, b = {0}, c = {0};
    key_add_string(&a, "ab");
    key_add_string(&a, "c");
    key_add_string(&b, "a");
    key_add_string(&b, "bc");
    key_add_string(&c, "ab");
    key_add_string(&c, "c");
    assert_true(a.a != b.a && a.b != b.b && a.a == c.a && a.b == c.b);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_results_in_logical_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_built_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_faults_are_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_inputs_of_another_size, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_compiler_may_fail, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_keys, set_up, tear_down),
    };
    (void)argc;
    argv0 = argv[0];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
