/* Bytes to tokens. Comments and blanks are passed over; what is no token is reported, and becomes a TOKEN_BAD. */
#ifndef LEXER_LEXER_H
#define LEXER_LEXER_H

#include "base/diag.h"
#include "lexer/token.h"

typedef struct Lexer Lexer;

/* Over the bytes range of diags->source (a range of less than 2 GB, without NUL bytes). Lives until lexer_free. */
Lexer *lexer_new(Arena *arena, Diags *diags, Span range);
void lexer_free(Lexer *lexer);

void lexer_next(Lexer *lexer, Token *token);

/* The next token, if it begins with '{', is a TOKEN_DICT up to the brace that closes it. */
void lexer_expect_dict(Lexer *lexer);

/* Quiet: what is no token is not reported. */
void lexer_quiet(Lexer *lexer, bool quiet);

/* The first byte at or after offset that is neither blank nor in a comment; 0 at the end. */
char lexer_peek(const Lexer *lexer, uint32_t offset);

/* Where that byte is. */
uint32_t lexer_skip(const Lexer *lexer, uint32_t offset);

/* Whether only blanks stand before offset on its line. */
bool lexer_begins_line(const Lexer *lexer, uint32_t offset);

#endif
