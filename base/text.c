#include "base/text.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"

static void reserve(Text *text, size_t more) {
    if (text->n + more + 1 <= text->capacity) return;
    size_t capacity = text->capacity ? text->capacity : 256;
    while (capacity < text->n + more + 1) capacity *= 2;
    text->at = base_realloc(text->at, capacity);
    text->capacity = capacity;
}

void text_free(Text *text) {
    base_free(text->at);
    *text = (Text){0};
}

void text_clear(Text *text) {
    text->n = 0;
    if (text->at) text->at[0] = 0;
}

void text_cut(Text *text, size_t n) {
    text->n = n;
    if (text->at) text->at[n] = 0;
}

void text_bytes(Text *text, const char *bytes, size_t n) {
    reserve(text, n);
    if (n) memcpy(text->at + text->n, bytes, n);
    text->n += n;
    text->at[text->n] = 0;
}

void text_char(Text *text, char c) {
    text_bytes(text, &c, 1);
}

void text_put(Text *text, const char *string) {
    text_bytes(text, string, strlen(string));
}

void text_repeat(Text *text, char c, int times) {
    for (int i = 0; i < times; i++) text_char(text, c);
}

void text_vprintf(Text *text, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    reserve(text, (size_t)n);
    vsnprintf(text->at + text->n, (size_t)n + 1, format, args);
    text->n += (size_t)n;
}

void text_printf(Text *text, const char *format, ...) {
    va_list args;
    va_start(args, format);
    text_vprintf(text, format, args);
    va_end(args);
}

const char *text_string(const Text *text) {
    return text->at ? text->at : "";
}
