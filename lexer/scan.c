/* The lexer around the generated scanner, and those of its actions that are more than a line. */
#include <stdlib.h>
#include <string.h>

#include "base/codes.h"
#include "lexer/lexer.h"
#include "lexer/scanner.h"

Lexer *lexer_new(Arena *arena, Diags *diags, Span range) {
    Lexer *lexer = NEW(arena, Lexer);
    lexer->diags = diags;
    lexer->bytes = diags->source->bytes;
    lexer->begin = range.begin;
    lexer->end = range.end;
    lexer->scanner = scanner_new(lexer);
    return lexer;
}

void lexer_free(Lexer *lexer) {
    scanner_free(lexer->scanner);
}

void lexer_next(Lexer *lexer, Token *token) {
    token->kind = (TokenKind)scanner_next(&token->text, &token->span, lexer->scanner);
    lexer->expects_dict = false;
}

void lexer_expect_dict(Lexer *lexer) {
    lexer->expects_dict = true;
}

void lexer_quiet(Lexer *lexer, bool quiet) {
    lexer->quiet = quiet;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

uint32_t lexer_skip(const Lexer *lexer, uint32_t at) {
    const char *bytes = lexer->bytes;
    while (at < lexer->end) {
        if (is_blank(bytes[at])) {
            at++;
        } else if (bytes[at] == '/' && bytes[at + 1] == '/') {
            while (at < lexer->end && bytes[at] != '\n' && bytes[at] != '\r') at++;
        } else if (bytes[at] == '/' && bytes[at + 1] == '*') {
            at += 2;
            while (at < lexer->end && !(bytes[at] == '*' && bytes[at + 1] == '/')) at++;
            at += 2;
        } else {
            return at;
        }
    }
    return lexer->end;
}

char lexer_peek(const Lexer *lexer, uint32_t offset) {
    uint32_t at = lexer_skip(lexer, offset);
    return at < lexer->end ? lexer->bytes[at] : 0;
}

bool lexer_begins_line(const Lexer *lexer, uint32_t offset) {
    while (offset > lexer->begin) {
        char before = lexer->bytes[--offset];
        if (before == '\n' || before == '\r') return true;
        if (before != ' ' && before != '\t') return false;
    }
    return true;
}

/* ---- actions ----------------------------------------------------------------------------------------------------- */

TokenKind scan_word(const Lexer *lexer, Span span) {
    return lexer_peek(lexer, span.end) == '(' ? TOKEN_CALL : TOKEN_WORD;
}

TokenKind scan_brace(const Lexer *lexer, Span span) {
    char next = lexer_peek(lexer, span.end);
    return (next >= '0' && next <= '9') || next == '-' || next == ':' ? TOKEN_DIGIT_BRACE : (TokenKind)'{';
}

TokenKind scan_comma(const Lexer *lexer, Span span) {
    static const char key[] = "device_ids=";
    size_t n = sizeof key - 1;
    uint32_t at = span.end;
    if (at < lexer->end && lexer->bytes[at] == ' ') at++; /* nearly always, and then a byte decides */
    if (at < lexer->end && (is_blank(lexer->bytes[at]) || lexer->bytes[at] == '/')) at = lexer_skip(lexer, at);
    bool devices = lexer->end - at >= n && memcmp(lexer->bytes + at, key, n) == 0;
    return devices ? TOKEN_DEVICES_COMMA : (TokenKind)',';
}

static void report(Lexer *lexer, Span span, const char *code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void report(Lexer *lexer, Span span, const char *code, const char *format, ...) {
    if (lexer->quiet) return;
    va_list args;
    va_start(args, format);
    diag_verror(lexer->diags, span, code, format, args);
    va_end(args);
}

TokenKind scan_dict(Lexer *lexer, TokenText *text, Span *span) {
    span->begin = lexer->dict_begin;
    *text = (TokenText){lexer->bytes + span->begin, span->end - span->begin};
    return TOKEN_DICT;
}

TokenKind scan_endless_dict(Lexer *lexer, Span *span) {
    *span = (Span){lexer->dict_begin, lexer->dict_begin + 1};
    report(lexer, *span, E_ENDLESS, "'{' is never closed: the text ends %d level%s deep in it", lexer->dict_depth,
           lexer->dict_depth == 1 ? "" : "s");
    return TOKEN_BAD;
}

TokenKind scan_endless(Lexer *lexer, Span span, const char *what) {
    if (lexer->end - span.end > 1) { /* only a backslash before a line end stops a string before the text ends */
        report(lexer, (Span){span.end, span.end + 1}, E_BAD_ESCAPE,
               "a backslash may not stand at the end of a line in a string");
        return TOKEN_BAD;
    }
    span.end = span.begin + (lexer->bytes[span.begin] == '/' ? 2 : 1);
    report(lexer, span, E_ENDLESS, "this %s never ends", what);
    return TOKEN_BAD;
}

TokenKind scan_nan(Lexer *lexer, Span span) {
    const char *at = lexer->bytes + span.begin, *paren = memchr(at, '(', span.end - span.begin);
    if (!paren) return TOKEN_NAN;
    bool closed = at[span.end - span.begin - 1] == ')';
    uint64_t payload = closed ? strtoull(paren + 1, NULL, 16) : 0;
    if (payload && payload >> 52 == 0) return TOKEN_NAN;
    report(lexer, span, E_NAN_PAYLOAD, "the payload of a nan is written (0x1) to (0xfffffffffffff)");
    return TOKEN_BAD;
}

TokenKind scan_number_with_letters(Lexer *lexer, Span span) {
    enum { SHOWN = 40 };
    int n = span.end - span.begin < SHOWN ? (int)(span.end - span.begin) : SHOWN;
    report(lexer, span, E_BAD_BYTE, "'%.*s' is neither a number nor a name", n, lexer->bytes + span.begin);
    return TOKEN_BAD;
}

TokenKind scan_bad(Lexer *lexer, Span span) {
    unsigned char byte = (unsigned char)lexer->bytes[span.begin];
    span.end = span.begin + 1;
    if (byte == '%')
        report(lexer, span, E_BAD_BYTE, "'%%' must be followed by a name, which begins with a letter or '_'");
    else if (byte == '-') report(lexer, span, E_BAD_BYTE, "'-' must be followed by a number");
    else if (byte > ' ' && byte < 0x7f) report(lexer, span, E_BAD_BYTE, "'%c' has no meaning in HLO text", byte);
    else report(lexer, span, E_BAD_BYTE, "the byte 0x%02X has no meaning outside strings and comments", byte);
    return TOKEN_BAD;
}

TokenKind scan_end(const Lexer *lexer, Span *span) {
    *span = (Span){lexer->end, lexer->end ? lexer->end : 1}; /* {0, 0} would be no place */
    return TOKEN_END;
}
