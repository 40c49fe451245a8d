/* For the tests of the evaluator: programs as text, without parameters, and their results as literals in text. */
#ifndef TESTS_UNIT_EVAL_TEXT_H
#define TESTS_UNIT_EVAL_TEXT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "ir/eval/eval.h"
#include "parser/parser.h"

/* The result of a module, printed, or the messages when it has none. In the arena. */
static inline const char *evaluated(Arena *arena, const char *text) {
    Text out = {0};
    Diags *diags = diags_new(arena, source_from_bytes(arena, "test.hlo", text, strlen(text)));
    Module *module = parse_module(arena, diags, (ParseOptions){0});
    Literal *result = module && eval_can(module, diags) ? eval_module(arena, module, NULL, diags) : NULL;
    if (result) literal_print(&out, result, 0);
    else diags_print(diags, &out, false);
    const char *printed = arena_string(arena, text_string(&out), out.n);
    text_free(&out);
    return printed;
}

static inline void check_evaluates(const char *text, const char *expected, const char *file, int line) {
    Arena *arena = arena_new();
    const char *got = evaluated(arena, text);
    if (strcmp(got, expected) != 0) {
        print_error("%s\ngives    %s\nexpected %s\n", text, got, expected);
        _fail(file, line);
    }
    arena_free(arena);
}

/* A module's text: its entry, or all of it. */
#define ASSERT_EVALUATES(text, expected) check_evaluates(text, expected, __FILE__, __LINE__)
#define ASSERT_ENTRY(instructions, expected) \
    check_evaluates("HloModule m\nENTRY e {\n" instructions "\n}\n", expected, __FILE__, __LINE__)

/* A message among those that a module gives. */
static inline void check_message(const char *text, const char *expected, const char *file, int line) {
    Arena *arena = arena_new();
    const char *got = evaluated(arena, text);
    if (!strstr(got, expected)) {
        print_error("%s\ngives    %s\nexpected ...%s...\n", text, got, expected);
        _fail(file, line);
    }
    arena_free(arena);
}
#define ASSERT_MESSAGE(text, expected) check_message(text, expected, __FILE__, __LINE__)

#endif
