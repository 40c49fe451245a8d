/* Strings and pieces of source text. */
#include <string.h>

#include "parser/actions.h"

Span span_within(const Parser *p, const char *from, const char *to) {
    return (Span){(uint32_t)(from - p->source->bytes), (uint32_t)(to - p->source->bytes)};
}

/* ---- escapes ----------------------------------------------------------------------------------------------------- */

static void put_utf8(Text *out, unsigned code) {
    if (code < 0x80) {
        text_char(out, (char)code);
    } else if (code < 0x800) {
        text_char(out, (char)(0xC0 | code >> 6));
        text_char(out, (char)(0x80 | (code & 0x3F)));
    } else if (code < 0x10000) {
        text_char(out, (char)(0xE0 | code >> 12));
        text_char(out, (char)(0x80 | (code >> 6 & 0x3F)));
        text_char(out, (char)(0x80 | (code & 0x3F)));
    } else {
        text_char(out, (char)(0xF0 | code >> 18));
        text_char(out, (char)(0x80 | (code >> 12 & 0x3F)));
        text_char(out, (char)(0x80 | (code >> 6 & 0x3F)));
        text_char(out, (char)(0x80 | (code & 0x3F)));
    }
}

static int digit_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return 99;
}

/* The number of at most `most` digits at *at, and how many there were; beyond `limit` it stays above it. */
static unsigned read_code(const char **at, const char *end, int base, int most, unsigned limit, int *n) {
    unsigned code = 0;
    for (*n = 0; *at < end && *n < most && digit_value(**at) < base; ++*at, ++*n)
        if (code <= limit) code = code * (unsigned)base + (unsigned)digit_value(**at);
    return code;
}

/* One escape, *at behind its backslash. False: there is no such escape. */
static bool put_escape(Text *out, const char **at, const char *end) {
    static const char letters[] = "nrtabfv\\?'\"", meanings[] = "\n\r\t\a\b\f\v\\?'\"";
    char letter = **at;
    const char *found = letter ? strchr(letters, letter) : NULL;
    int n;
    if (found) {
        text_char(out, meanings[found - letters]);
        ++*at;
        return true;
    }
    if (letter >= '0' && letter <= '7') {
        unsigned code = read_code(at, end, 8, 3, 0xFF, &n);
        text_char(out, (char)code);
        return code <= 0xFF;
    }
    ++*at;
    if (letter == 'x' || letter == 'X') {
        unsigned code = read_code(at, end, 16, INT32_MAX, 0xFF, &n);
        text_char(out, (char)code);
        return n > 0 && code <= 0xFF;
    }
    int length = letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
    if (!length) return false;
    unsigned code = read_code(at, end, 16, length, 0x10FFFF, &n);
    bool surrogate = code >= 0xD800 && code < 0xE000;
    if (n != length || surrogate || code > 0x10FFFF) return false;
    put_utf8(out, code);
    return true;
}

TokenText string_bytes(Parser *p, TokenText quoted, Span span) {
    const char *at = quoted.at + 1, *end = quoted.at + quoted.n - 1;
    size_t n = (size_t)(end - at);
    if (!memchr(at, '\\', n)) return (TokenText){arena_string(p->arena, at, n), n};
    Text text = {0};
    while (at < end) {
        if (*at != '\\') {
            text_char(&text, *at++);
            continue;
        }
        const char *escape = at++;
        if (!put_escape(&text, &at, end))
            parse_error(p, span, E_BAD_ESCAPE, "'%.*s' is no escape of HLO strings", (int)(at - escape), escape);
    }
    TokenText bytes = {arena_string(p->arena, text_string(&text), text.n), text.n};
    text_free(&text);
    return bytes;
}

/* ---- source text ------------------------------------------------------------------------------------------------- */

/* Behind a string that begins at at. */
static const char *skip_string(const char *at, const char *end) {
    char quote = *at++;
    while (at < end && *at != quote) at += *at == '\\' ? 2 : 1;
    return at < end ? at + 1 : end;
}

static const char *skip_comment(const char *at, const char *end) {
    if (at[1] == '/') {
        while (at < end && *at != '\n' && *at != '\r') at++;
        return at;
    }
    at += 2;
    while (at + 1 < end && !(at[0] == '*' && at[1] == '/')) at++;
    return at + 2 < end ? at + 2 : end;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The words of span with a blank at most between them: no comments, no line ends but in strings. */
const char *source_text(Parser *p, Span span) {
    const char *at = p->source->bytes + span.begin, *end = p->source->bytes + span.end;
    Text text = {0};
    bool blank = false;
    while (at < end) {
        if (is_blank(*at)) {
            blank = true;
            at++;
            continue;
        }
        if (*at == '/' && at + 1 < end && (at[1] == '/' || at[1] == '*')) {
            at = skip_comment(at, end);
            continue;
        }
        bool after_open = !text.n || strchr("{[(", text.at[text.n - 1]), closes = strchr("}]),", *at) != NULL;
        if (blank && !after_open && !closes) text_char(&text, ' ');
        blank = false;
        const char *next = *at == '"' || *at == '\'' ? skip_string(at, end) : at + 1;
        text_bytes(&text, at, (size_t)(next - at));
        at = next;
    }
    const char *copy = arena_string(p->arena, text_string(&text), text.n);
    text_free(&text);
    return copy;
}
