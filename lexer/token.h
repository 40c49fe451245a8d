/* Tokens of HLO text. The lexer knows their forms only: which words are opcodes, element types or attributes is not its
 * business. */
#ifndef LEXER_TOKEN_H
#define LEXER_TOKEN_H

#include <stddef.h>

#include "base/source.h"

/* Punctuation is a token of its own, with its character as kind. */
typedef enum {
    TOKEN_END = 0,   /* of the text */
    TOKEN_BAD = 256, /* nothing that HLO has; reported */
    TOKEN_WORD,      /* add.5, kLoop, b01f */
    TOKEN_CALL,      /* a word before '(' */
    TOKEN_NAME,      /* %add.5: without % */
    TOKEN_LABEL,     /* x: without the colon that follows at once */
    TOKEN_KEY,       /* dimensions= without the = that follows at once */
    TOKEN_KEYWORD,   /* words of shardings, reserved everywhere: replicated, maximal ... */
    TOKEN_HLO_MODULE,
    TOKEN_ENTRY,
    TOKEN_ROOT,
    TOKEN_FILE_NAMES,
    TOKEN_FUNCTION_NAMES,
    TOKEN_FILE_LOCATIONS,
    TOKEN_STACK_FRAMES,
    TOKEN_TRUE,
    TOKEN_FALSE,
    TOKEN_INF,
    TOKEN_NEGATIVE_INF,
    TOKEN_NAN, /* nan, -nan, nan(0x7f) */
    TOKEN_INT,
    TOKEN_DECIMAL,
    TOKEN_SIZES,      /* 3x3 */
    TOKEN_PADS,       /* 0_1x2_3 */
    TOKEN_DIM_LABELS, /* b01f_01io->b01f */
    TOKEN_SPARSITY,   /* L.1@2:4_R.0@2:4 */
    TOKEN_STRING,     /* with its quotes */
    TOKEN_DICT,       /* { ... } as it stands, where lexer_expect_dict asked for it */
    TOKEN_ARROW,      /* -> */
    TOKEN_AT_MOST,    /* <= */
    TOKEN_DOTS,       /* ... */
    TOKEN_DIGIT_BRACE, /* { before a digit, '-' or ':', as a layout begins */
    TOKEN_DEVICES_COMMA, /* the comma before device_ids=, the only one that does not end an attribute's value */
    N_TOKEN_KINDS
} TokenKind;

/* The characters of a token in the source; not NUL-terminated. */
typedef struct {
    const char *at;
    size_t n;
} TokenText;

typedef struct {
    TokenKind kind;
    TokenText text;
    Span span;
} Token;

#endif
