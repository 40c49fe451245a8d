/* What the generated scanner and scan.c share. */
#ifndef LEXER_SCANNER_H
#define LEXER_SCANNER_H

#include "lexer/lexer.h"

struct Lexer {
    Diags *diags;
    void *scanner;       /* flex's state */
    const char *copy;    /* flex's own copy of the range: it writes NULs into it */
    const char *bytes;   /* of the source */
    uint32_t begin, end; /* the range */
    bool expects_dict, quiet;
    uint32_t dict_begin;
    int dict_depth;
};

/* The generated scanner: the next token of lexer->scanner. */
int scanner_next(TokenText *text, Span *span, void *scanner);

void *scanner_new(Lexer *lexer);
void scanner_free(void *scanner);

/* Actions that are more than a line: what token stands at span. */
TokenKind scan_word(const Lexer *lexer, Span span);
TokenKind scan_brace(const Lexer *lexer, Span span);
TokenKind scan_comma(const Lexer *lexer, Span span);
TokenKind scan_nan(Lexer *lexer, Span span);
TokenKind scan_number_with_letters(Lexer *lexer, Span span);
TokenKind scan_dict(Lexer *lexer, TokenText *text, Span *span); /* span: its last brace; becomes the whole */
TokenKind scan_endless_dict(Lexer *lexer, Span *span);
TokenKind scan_endless(Lexer *lexer, Span span, const char *what);
TokenKind scan_bad(Lexer *lexer, Span span);
TokenKind scan_end(const Lexer *lexer, Span *span);

#endif
