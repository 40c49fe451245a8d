/* Diagnostics: what the user reads when something is wrong.
 *
 *     FILE:LINE:COL: error: message
 *     the source line
 *         ^~~~
 *     FILE:LINE:COL: note: ...
 *
 * Messages are lower case without a full stop, quote the user's words with '...', and give both sides of a
 * disagreement (expected and found). One message for one fault: who reports an error marks the thing as broken, and
 * nobody reports what only follows from it. At most max_errors errors are shown.
 *
 * Diagnostics are collected and printed in the order of the text by diags_print, so that passes may find them in
 * any order. */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <stdarg.h>
#include <stdbool.h>

#include "base/source.h"
#include "base/text.h"
#include "base/vec.h"

typedef enum { DIAG_ERROR, DIAG_WARNING, DIAG_NOTE } DiagLevel;

typedef struct {
    DiagLevel level;
    const char *code; /* "E0123", or NULL */
    Source *source;   /* NULL: no place (a whole file, an option) */
    Span span;
    const char *message;
} Diag;

/* What is to be done with the warnings of one code; of several rules the last one counts. */
typedef enum { DIAG_AS_WARNING, DIAG_AS_ERROR, DIAG_OFF } DiagChoice;

typedef struct {
    const char *code;
    DiagChoice choice;
} DiagRule;

typedef struct {
    Arena *arena;
    Source *source; /* the text that spans refer to from now on */
    VEC(Diag) list; /* a note belongs to the error or warning before it */
    int n_errors, n_warnings;
    int max_errors; /* 0: 20 */
    bool warnings_are_errors, no_warnings;
    VEC(DiagRule) rules;
    bool left_out; /* the warning reported last was turned off: so are its notes */
} Diags;

Diags *diags_new(Arena *arena, Source *source);

/* span {0, 0} stands for the whole file: no line is shown. code: of docs/diagnostics.md, or NULL. */
void diag_error(Diags *diags, Span span, const char *code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void diag_verror(Diags *diags, Span span, const char *code, const char *format, va_list args);
void diag_warning(Diags *diags, Span span, const char *code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* More about the error or warning reported last. */
void diag_note(Diags *diags, Span span, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* True as soon as max_errors were reported: a good moment to give up. */
bool diags_full(const Diags *diags);

/* Indices into list of the errors and warnings that are to be shown, in the order of their places (of equal ones, of
 * their discovery), in the arena; *n of them. The notes of each follow it in list. */
const int *diags_in_order(const Diags *diags, int *n);

/* All of them as text, in the order of the places; color: with ANSI colours. */
void diags_print(const Diags *diags, Text *out, bool color);

/* The nearest of n words to a misspelt one (edit distance at most a third of its length; of two
 * letters one more may be needed), or NULL. */
const char *nearest_word(const char *word, const char *const words[], int n);

/* A fault of ours: "internal error" with where it happened (a NULL-terminated name of an instruction or pass), how to
 * report it, exit 70. Never for anything that a user's text can cause. */
_Noreturn void internal_error(const char *where, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
