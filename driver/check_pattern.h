/* One pattern of a FileCheck-like test: plain text, {{regular expressions}} (POSIX extended) and variables:
 *
 *     [[X:regex]]  matches, and calls what matched X      [[X]]      what X was
 *     [[#N:]]      a number, called N                     [[#N+1]]   the number that is one more; [[#]] any
 *     [[@LINE+2]], [[#@LINE+2]]   the pattern's own line number plus 2
 *
 * Blanks and tabs of text and pattern count as one blank each run, unless strict. */
#ifndef DRIVER_CHECK_PATTERN_H
#define DRIVER_CHECK_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "base/vec.h"

typedef struct {
    const char *name; /* "#N" for numbers */
    const char *value;
} CheckVariable;

typedef struct {
    Arena *arena;
    VEC(CheckVariable) list; /* the last one of a name counts */
} CheckVariables;

typedef enum {
    PATTERN_FOUND,
    PATTERN_NOT_FOUND,
    PATTERN_FAULTY, /* why says what is wrong with the pattern */
} PatternResult;

/* The first match of pattern in text[begin, end): its place in *at and *n. A successful match sets the variables that
 * the pattern names. text is changed while it is searched, and restored. whole_line: the match is a line without the
 * blanks around it. line: of the pattern, for @LINE. */
PatternResult pattern_find(CheckVariables *variables, const char *pattern, int line, bool whole_line, char *text,
                           size_t begin, size_t end, size_t *at, size_t *n, Text *why);

const char *variable_value(const CheckVariables *variables, const char *name); /* NULL: it was never set */

#endif
