/* Reading HLO text: lexer.l makes tokens, grammar.y finds their structure, its actions (actions.h) build the HLO IR.
 * What was read is verified (hlo_verify). */
#ifndef PARSER_PARSER_H
#define PARSER_PARSER_H

#include "base/diag.h"
#include "ir/hlo.h"

typedef struct {
    bool allow_unknown; /* unknown attributes are a warning, not an error */
    bool in_recovery_module; /* of the parser itself: the text is a string of an origin_recovery_table */
} ParseOptions;

/* The module of diags->source (the first one, if the text has several: then a warning says so), or NULL when there
 * were errors; they are in diags. A fragment without header, a bare instruction or computations only become a module
 * too. What is no HLO text (StableHLO, a proto, JSON ...) is recognised, and the error says how to obtain HLO text. */
Module *parse_module(Arena *arena, Diags *diags, ParseOptions options);

/* All modules of the text, in order; NULL-terminated. NULL when there were errors. */
Module **parse_modules(Arena *arena, Diags *diags, ParseOptions options);

#endif
