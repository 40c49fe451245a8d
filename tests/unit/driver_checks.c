/* CHECK lines as FileCheck reads them: each kind, patterns, variables; what matches, and what is said otherwise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "driver/check_script.h"

typedef struct {
    const char *checks, *output;
    const char *complaint; /* part of the report; NULL: they match */
} Example;

static void run_examples(const Example *examples, int n, const CheckOptions *options) {
    for (int i = 0; i < n; i++) {
        Arena *arena = arena_new();
        Text report = {0};
        bool good = check_script_run(arena, options, "t", examples[i].checks, examples[i].output, &report);
        if (good != !examples[i].complaint) print_error("example %d:\n%s\n", i, text_string(&report));
        assert_int_equal(good, !examples[i].complaint);
        if (!good && !strstr(text_string(&report), examples[i].complaint))
            fail_msg("example %d says\n%s", i, text_string(&report));
        text_free(&report);
        arena_free(arena);
    }
}

#define RUN(examples, options) run_examples(examples, (int)(sizeof examples / sizeof *examples), options)

static const CheckOptions plain;

static void test_places(void **state) {
    static const Example examples[] = {
        {"// CHECK: two\n", "one\ntwo\n", NULL},
        {"// CHECK: two\n// CHECK: one\n", "one\ntwo\n", "t:2: CHECK: not found"},
        {"// CHECK: one\n// CHECK-NEXT: two\n", "one\ntwo\n", NULL},
        {"// CHECK: one\n// CHECK-NEXT: two\n", "one\n\ntwo\n", "is not on the next line"},
        {"// CHECK: a\n// CHECK-SAME: b\n", "a b\n", NULL},
        {"// CHECK: a\n// CHECK-SAME: b\n", "a\nb\n", "is not on the same line"},
        {"// CHECK-NEXT: a\n", "a\n", "there is no match before"},
        {"// CHECK: a\n// CHECK-EMPTY:\n// CHECK-NEXT: b\n", "a\n\nb\n", NULL},
        {"// CHECK: a\n// CHECK-EMPTY:\n", "a\nb\n", "the next line is not empty"},
        {"// CHECK-COUNT-2: a\n// CHECK: b\n", "a\na\nb\n", NULL},
        {"// CHECK-COUNT-3: a\n", "a\na\n", "not found"},
        {"// CHECK: multiply\n", "x = multipy(y)\nmultipl\n", "did you mean"},
    };
    (void)state;
    RUN(examples, &plain);
}

static void test_not(void **state) {
    static const Example examples[] = {
        {"// CHECK: a\n// CHECK-NOT: x\n// CHECK: b\n", "x\na\nb\nx\n", NULL},
        {"// CHECK: a\n// CHECK-NOT: x\n// CHECK: b\n", "a\nx\nb\n", "found, and should not be"},
        {"// CHECK: a\n// CHECK-NOT: x\n", "a\nb\nx\n", "output line 3: x"},
        {"// CHECK-NOT: x\n// CHECK: a\n", "x\na\n", "found, and should not be"},
        {"// CHECK-NOT: x\n", "a\n", NULL},
    };
    (void)state;
    RUN(examples, &plain);
}

static void test_any_order(void **state) {
    static const Example examples[] = {
        {"// CHECK-DAG: a\n// CHECK-DAG: b\n// CHECK: c\n", "b\na\nc\n", NULL},
        {"// CHECK-DAG: a\n// CHECK-DAG: b\n// CHECK: c\n", "b\nc\na\n", "CHECK: not found"},
        {"// CHECK-DAG: a\n// CHECK-DAG: a\n", "a\na\n", NULL},
        {"// CHECK-DAG: a\n// CHECK-DAG: a\n", "a\n", "t:2: CHECK-DAG: not found"},
        {"// CHECK-DAG: b\n// CHECK-NOT: x\n// CHECK-DAG: a\n", "b\nx\na\n", "found, and should not be"},
        {"// CHECK-DAG: [[X:.]] = add\n// CHECK-DAG: neg([[X]])\n", "neg(y)\ny = add\n", NULL},
    };
    (void)state;
    RUN(examples, &plain);
}

static void test_labels(void **state) {
    static const Example examples[] = {
        {"// CHECK-LABEL: f\n// CHECK: a\n// CHECK-LABEL: g\n// CHECK: b\n", "f\na\ng\nb\n", NULL},
        {"// CHECK-LABEL: f\n// CHECK: b\n// CHECK-LABEL: g\n", "f\na\ng\nb\n", "t:2: CHECK: not found"},
        {"// CHECK-LABEL: f\n// CHECK-NOT: b\n// CHECK-LABEL: g\n", "f\na\ng\nb\n", NULL},
        {"// CHECK-LABEL: h\n", "f\n", "CHECK-LABEL: not found"},
        {"// CHECK-LABEL: f\n// CHECK-NEXT: a\n", "f\na\n", NULL},
    };
    (void)state;
    RUN(examples, &plain);
}

static void test_patterns(void **state) {
    static const Example examples[] = {
        {"// CHECK: f(a.b)\n", "f(a.b)\n", NULL},
        {"// CHECK: f(a.b)\n", "f(acb)\n", "not found"},
        {"// CHECK: {{[0-9]+|x}}.5\n", "12.5\n", NULL},
        {"// CHECK: {{^}}b{{$}}\n", "ab\nb\n", NULL},
        {"// CHECK: {{^}}b\n", "ab\n", "not found"},
        {"// CHECK: a{{.*}}c\n", "a\nc\n", "not found"},
        {"// CHECK: x{{a{2}}}y\n", "xaay\n", NULL},
        {"// CHECK: a   b\n", "a\t b\n", NULL},
        {"// CHECK: {{(}}\n", "(\n", "not a regular expression"},
        {"// CHECK: {{a\n", "a\n", "{{ is not closed"},
        {"// CHECK: [[1,2]]\n", "x[[1,2]]\n", NULL},
    };
    (void)state;
    RUN(examples, &plain);
}

static void test_variables(void **state) {
    static const Example examples[] = {
        {"// CHECK: [[X:%[a-z]+]] =\n// CHECK: neg([[X]])\n", "%a = 1\nneg(%a)\n", NULL},
        {"// CHECK: [[X:%[a-z]+]] =\n// CHECK: neg([[X]])\n", "%a = 1\nneg(%b)\n", "not found"},
        {"// CHECK: [[X:[a-z]+]] + [[X]]\n", "a + b\nc + c\n", NULL},
        {"// CHECK: {{(x|(y))}} [[X:[a-z]]] [[X]]\n", "y a a\n", NULL},
        {"// CHECK: [[X]]\n", "a\n", "the variable 'X' was not set"},
        {"// CHECK: n[[#N:]]\n// CHECK: n[[#N+1]] n[[#N - 1]] n[[#N]]\n", "n7\nn8 n6 n7\n", NULL},
        {"// CHECK: n[[#N:]]\n// CHECK: n[[#N+1]]\n", "n7\nn9\n", "not found"},
        {"// CHECK: n[[#]]$\n", "n123$\n", NULL},
        {"\n// CHECK: t:[[@LINE-1]]: t:[[#@LINE+3]]\n", "t:1: t:5\n", NULL},
        {"// CHECK: [[X:a]]\n// CHECK: [[X:b]]\n// CHECK: =[[X]]\n", "a\nb\n=b\n", NULL},
    };
    (void)state;
    RUN(examples, &plain);
}

static void read_options(Arena *arena, const char *line, CheckOptions *options, bool expected) {
    Words words = {0};
    Text report = {0};
    assert_true(words_split(arena, &words, line));
    assert_int_equal(check_options_read(arena, &words, 0, options, &report), expected);
    assert_int_equal(report.n == 0, expected);
    text_free(&report);
}

static void test_options(void **state) {
    static const Example prefixes[] = {{"// CHECK: no\n// A: a\n// B-NEXT: b\n// XA: no\n", "a\nb\n", NULL},
                                       {"// CHECK: a\n", "a\n", "no line of FileCheck's with the prefix 'A'"}};
    static const Example full[] = {{"// CHECK: a\n", "  a  \n", NULL}, {"// CHECK: a\n", "ab\n", "not found"}};
    static const Example implicit[] = {{"// CHECK: a\n", "a\nwarning\n", "found, and should not be"},
                                       {"// CHECK: a\n", "a\n", NULL}};
    static const Example empty[] = {{"// CHECK-NOT: a\n", "", NULL}},
                         refused[] = {{"// CHECK-NOT: a\n", "", "--allow-empty"}};
    static const Example strict[] = {{"// CHECK: a  b\n", "a b\n", "not found"}};
    static const Example scope[] = {
        {"// CHECK: [[X:a]]\n// CHECK-LABEL: f\n// CHECK: [[X]]\n", "a\nf\na\n", "the variable 'X' was not set"},
        {"// CHECK: [[$X:a]]\n// CHECK-LABEL: f\n// CHECK: [[$X]]\n", "a\nf\na\n", NULL}};
    static const struct {
        const char *line;
        const Example *examples;
        int n;
    } table[] = {{"--check-prefixes=A,B %s", prefixes, 2},       {"%s -match-full-lines", full, 2},
                 {"--implicit-check-not warning", implicit, 2},  {"--allow-empty --dump-input=fail", empty, 1},
                 {"", refused, 1},                               {"--strict-whitespace", strict, 1},
                 {"--enable-var-scope", scope, 2}};
    (void)state;
    Arena *arena = arena_new();
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        CheckOptions options = {0};
        read_options(arena, table[i].line, &options, true);
        run_examples(table[i].examples, table[i].n, &options);
    }
    CheckOptions options = {0};
    read_options(arena, "--check-prefx=A", &options, false);
    arena_free(arena);
}

static void test_needed(void **state) {
    (void)state;
    assert_false(check_script_is_needed("// CHECK: a\n// CHECK-NEXT: {{0,1}}\n"));
    assert_false(check_script_is_needed("// CHECK: // CHECK-DAG: x\n"));
    assert_true(check_script_is_needed("// CHECK: a\n  // CHECK-SAME: b\n"));
    assert_true(check_script_is_needed("// CHECK-COUNT-2: a\n"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),   cmocka_unit_test(test_not),       cmocka_unit_test(test_any_order),
        cmocka_unit_test(test_labels),   cmocka_unit_test(test_patterns),  cmocka_unit_test(test_variables),
        cmocka_unit_test(test_options),  cmocka_unit_test(test_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
