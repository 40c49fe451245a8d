/* Text: a growing byte buffer, what every printer writes into. A zeroed Text is empty and valid. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdarg.h>
#include <stddef.h>

typedef struct {
    char *at; /* NUL-terminated once something was put; NULL before */
    size_t n, capacity;
} Text;

void text_free(Text *text);
void text_clear(Text *text); /* empty, memory kept */
void text_cut(Text *text, size_t n); /* to its first n bytes */
void text_char(Text *text, char c);
void text_put(Text *text, const char *string);
void text_bytes(Text *text, const char *bytes, size_t n);
void text_repeat(Text *text, char c, int times);
void text_printf(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vprintf(Text *text, const char *format, va_list args);

/* The bytes as a C string: "" when nothing was put. */
const char *text_string(const Text *text);

#endif
