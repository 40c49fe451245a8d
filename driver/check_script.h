/* CHECK lines as LLVM's FileCheck reads them, enough for XLA's own .hlo tests:
 *
 *     CHECK: pattern        somewhere behind the match before
 *     CHECK-NEXT: pattern   on the next line           CHECK-SAME: on the same line
 *     CHECK-EMPTY:          the next line is empty     CHECK-COUNT-3: pattern   three times
 *     CHECK-DAG: pattern    neighbours of this kind match in any order, without overlap
 *     CHECK-NOT: pattern    nowhere between the match before and the one behind
 *     CHECK-LABEL: pattern  divides the output: what stands between two labels is looked for between them
 *
 * Patterns: driver/check_pattern.h. Comparing an output in full is another thing: driver/test_golden.h. */
#ifndef DRIVER_CHECK_SCRIPT_H
#define DRIVER_CHECK_SCRIPT_H

#include <stdbool.h>

#include "base/text.h"
#include "driver/words.h"

typedef struct {
    Words prefixes; /* empty: CHECK */
    bool strict_whitespace, full_lines, allow_empty, variable_scope;
    Words implicit_nots; /* patterns that may match nothing that no other pattern matches */
} CheckOptions;

/* Reads a FileCheck command line, from the word behind FileCheck on. False: report says which word is not known. */
bool check_options_read(Arena *arena, const Words *words, int first, CheckOptions *options, Text *report);

/* Whether what follows a prefix is the rest of a line's kind: "-NOT: pattern". */
bool check_kind_is_known(const char *rest);

/* Whether text has a line that only FileCheck's meaning fits: CHECK-SAME: and those below it in the list above. */
bool check_script_is_needed(const char *text);

/* Checks output against the lines of text; path: of text, for the report. */
bool check_script_run(Arena *arena, const CheckOptions *options, const char *path, const char *text, const char *output,
                      Text *report);

#endif
