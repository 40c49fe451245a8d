/* What the driver writes for other programs: JSON, dependency files, JUnit; and what a crash says. */
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "driver/crash.h"
#include "driver/depfile.h"
#include "driver/diag_json.h"
#include "driver/junit.h"
#include "driver/list_ops.h"
#include "driver/process.h"
#include "ir/op.h"

static void expect(Text *text, const char *expected) {
    assert_string_equal(text_string(text), expected);
    text_free(text);
}

static void test_json_strings(void **state) {
    (void)state;
    Text text = {0};
    json_string(&text, "a\"b\\c\nd\te\x01");
    expect(&text, "\"a\\\"b\\\\c\\nd\\u0009e\\u0001\"");
}

static void test_dependencies_are_escaped(void **state) {
    (void)state;
    Text text = {0};
    static const char *const targets[] = {"a b.c", "$x.h", NULL};
    depfile_print(&text, targets, "c:d#e.hlo");
    expect(&text, "a\\ b.c $$x.h: c\\:d\\#e.hlo\n");
}

static void test_junit(void **state) {
    (void)state;
    Junit junit = {0};
    Text text = {0};
    junit_add(&junit, "good", 0.5, NULL);
    junit_add(&junit, "bad<&>\"", 0.25, "line\n\x1b[1m");
    junit_print(&junit, &text);
    junit_free(&junit);
    expect(&text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<testsuite name=\"hlocc-test\" tests=\"2\" failures=\"1\" time=\"0.750\">\n"
                  "  <testcase name=\"good\" time=\"0.500\"/>\n"
                  "  <testcase name=\"bad&lt;&amp;&gt;&quot;\" time=\"0.250\">\n"
                  "    <failure>line\n?[1m</failure>\n  </testcase>\n"
                  "</testsuite>\n");
}

static void test_every_op_is_listed(void **state) {
    (void)state;
    for (int json = 0; json < 2; json++) {
        Text text = {0};
        list_ops(&text, json);
        int lines = 0;
        for (const char *c = text_string(&text); *c; c++) lines += *c == '\n';
        assert_int_equal(lines, json ? N_OPS : N_OPS + 1);
        for (int op = 0; op < N_OPS; op++) assert_non_null(strstr(text_string(&text), op_name((Op)op)));
        text_free(&text);
    }
}

static int crash(void *context) {
    crash_report_install();
    raise(*(int *)context);
    return 0;
}

static void test_a_crash_is_ours(void **state) {
    (void)state;
#if !defined(__SANITIZE_ADDRESS__)
    int signals[] = {SIGSEGV, SIGFPE, SIGABRT};
    for (int i = 0; i < 3; i++) {
        Process process;
        assert_true(process_start(&process, crash, &signals[i], 10, false, false));
        process_wait_any((Process *const[]){&process}, 1);
        assert_int_equal(process.code, 70);
        assert_non_null(strstr(text_string(&process.err), "internal error"));
        process_free(&process);
    }
#else
    (void)crash;
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json_strings), cmocka_unit_test(test_dependencies_are_escaped),
        cmocka_unit_test(test_junit),        cmocka_unit_test(test_every_op_is_listed),
        cmocka_unit_test(test_a_crash_is_ours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
