/* driver/options.h and driver/words.h: command lines. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "driver/compile_options.h"

typedef struct {
    Words inputs;
    double bench;
} Extra;

static const OptionRow extra_rows[] = {
    {"--in", NULL, TAKES_MANY, SETS_WORDS, offsetof(Extra, inputs), "FILE...", "run", "inputs", NULL, 0},
    {"--bench", NULL, TAKES_OPTIONAL, SETS_NUMBER, offsetof(Extra, bench), "SECONDS", "run", "time", NULL, 1},
    {0},
};

static Arena *arena;
static CompileOptions options;
static Extra extra;
static Words files;
static Text error;

static int set_up(void **state) {
    (void)state;
    arena = arena_new();
    unsetenv("HLOCC_FLAGS");
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    text_free(&error);
    arena_free(arena);
    return 0;
}

static bool read_line(const char *line) {
    Words words = {0};
    words_add(arena, &words, "hlocc");
    assert_true(words_split(arena, &words, line));
    options = compile_options_default();
    extra = (Extra){0};
    files = (Words){0};
    text_clear(&error);
    OptionTable tables[] = {{compile_option_rows, &options}, {extra_rows, &extra}};
    char **argv = (char **)(void *)(uintptr_t)words.at;
    return options_read(arena, tables, 2, "HLOCC_FLAGS", words.n, argv, &files, &error);
}

static void test_forms(void **state) {
    (void)state;
    assert_true(read_line("-o x.c --prefix=f --entry g -O0 a.hlo"));
    assert_string_equal(options.output, "x.c");
    assert_string_equal(options.prefix, "f");
    assert_string_equal(options.entry, "g");
    assert_int_equal(options.level, LEVEL_0);
    assert_int_equal(files.n, 1);
    assert_true(read_line("-ox.c --emit=c,hlo --emit fused -MD -MF d -MTt -Werror -Wall -w"));
    assert_string_equal(options.output, "x.c");
    assert_int_equal(options.emit.n, 3);
    assert_string_equal(options.emit.at[1], "hlo");
    assert_true(options.dependencies && options.warnings_are_errors && options.no_warnings);
    assert_string_equal(options.dependency_target, "t");
    assert_true(read_line("- -- --emit=c"));
    assert_int_equal(files.n, 2);
    assert_string_equal(files.at[0], "-");
    assert_string_equal(files.at[1], "--emit=c");
    assert_int_equal(options.emit.n, 0);
    assert_true(read_line("--help --color --list-ops=json --bench --max-errors=3"));
    assert_string_equal(options.help, "");
    assert_string_equal(options.list_ops, "json");
    assert_int_equal(options.color, COLOR_ALWAYS);
    assert_int_equal(options.max_errors, 3);
    assert_true(extra.bench == 1);
    assert_true(read_line("--in a.npy b,c.npy --bench=0.25 m.hlo"));
    assert_int_equal(extra.inputs.n, 2);
    assert_string_equal(extra.inputs.at[1], "b,c.npy");
    assert_true(extra.bench == 0.25);
    assert_int_equal(files.n, 1);
}

static void test_faults(void **state) {
    (void)state;
    static const struct {
        const char *line, *error;
    } rows[] = {
        {"--emti=c", "unknown option '--emti'; did you mean '--emit'?"},
        {"--zzzzzzzzz", "unknown option '--zzzzzzzzz'"},
        {"-x", "unknown option '-x'"},
        {"--emit=fussed", "--emit: unknown value 'fussed'; did you mean 'fused'?"},
        {"-O1", "-O: unknown value '1'; known: 0, 2"},
        {"-o", "-o needs a value: FILE"},
        {"--time=3", "--time takes no value"},
        {"--max-errors=-1", "--max-errors: expected a whole number that is not negative, not '-1'"},
        {"--max-errors=1.5", "--max-errors: expected a whole number that is not negative, not '1.5'"},
        {"--bench=soon", "--bench: expected a number that is not negative, not 'soon'"},
        {"--instrument", "--instrument is not supported yet"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_false(read_line(rows[i].line));
        assert_string_equal(text_string(&error), rows[i].error);
    }
}

static void test_environment_comes_first(void **state) {
    (void)state;
    setenv("HLOCC_FLAGS", "-O0 --prefix='a b'", 1);
    assert_true(read_line("--prefix=c"));
    assert_int_equal(options.level, LEVEL_0);
    assert_string_equal(options.prefix, "c");
    setenv("HLOCC_FLAGS", "--nonsense", 1);
    assert_false(read_line("-O2"));
    assert_string_equal(text_string(&error), "unknown option '--nonsense' (in HLOCC_FLAGS)");
    setenv("HLOCC_FLAGS", "'", 1);
    assert_false(read_line("-O2"));
    unsetenv("HLOCC_FLAGS");
}

static void test_words(void **state) {
    (void)state;
    Words words = {0};
    assert_true(words_split(arena, &words, " a 'b c'\\ d \"e'f\" '' g\\'h\t"));
    static const char *const expected[] = {"a", "b c d", "e'f", "", "g'h"};
    assert_int_equal(words.n, 5);
    for (int i = 0; i < 5; i++) assert_string_equal(words.at[i], expected[i]);
    assert_false(words_split(arena, &words, "a 'b"));
}

static void test_help_lists_every_topic(void **state) {
    (void)state;
    OptionTable table = {compile_option_rows, &options};
    Text text = {0};
    options_print_topics(&text, &table, 1);
    assert_string_equal(text_string(&text), "output, maps, optimisation, passes, diagnostics, information");
    text_clear(&text);
    options_print(&text, &table, 1, "passes");
    assert_non_null(strstr(text_string(&text), "  --passes=A,B,...      run these passes only\n"));
    text_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_forms, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_faults, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_environment_comes_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_words, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_help_lists_every_topic, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
