#include "driver/test_golden.h"

#include <string.h>

enum { CONTEXT = 3, MOST_SHOWN = 40 };

typedef struct {
    const char *text;
    size_t n; /* without blanks at the end */
    bool first;
} Line;

typedef VEC(Line) Lines;

static size_t trimmed(const char *text, size_t n) {
    while (n && (text[n - 1] == ' ' || text[n - 1] == '\t' || text[n - 1] == '\r')) n--;
    return n;
}

static bool same_text(Line a, Line b) {
    return a.n == b.n && memcmp(a.text, b.text, a.n) == 0;
}

static void show(Text *report, char mark, const Lines *lines, int begin, int end) {
    for (int i = begin; i < end && i < begin + MOST_SHOWN; i++)
        text_printf(report, "    %c %.*s\n", mark, (int)lines->at[i].n, lines->at[i].text);
    if (end - begin > MOST_SHOWN) text_printf(report, "    %c ... (%d lines more)\n", mark, end - begin - MOST_SHOWN);
}

/* What lies between the common beginning and the common end. */
static void show_difference(Text *report, const Lines *expected, const Lines *got) {
    int head = 0, tail = 0;
    int shorter = expected->n < got->n ? expected->n : got->n;
    while (head < shorter && same_text(expected->at[head], got->at[head])) head++;
    while (tail < shorter - head && same_text(expected->at[expected->n - 1 - tail], got->at[got->n - 1 - tail])) tail++;
    int before = head < CONTEXT ? head : CONTEXT, after = tail < CONTEXT ? tail : CONTEXT;
    text_printf(report, "  output differs from the CHECK lines at its line %d (- expected, + got):\n", head + 1);
    show(report, ' ', got, head - before, head);
    show(report, '-', expected, head, expected->n - tail);
    show(report, '+', got, head, got->n - tail);
    show(report, ' ', got, got->n - tail, got->n - tail + after);
}

bool golden_compare(Arena *arena, const TestFile *file, const char *const *outputs, Text *report) {
    Lines got = {0}, expected = {0};
    for (int k = 0; outputs[k]; k++) {
        bool first = true;
        for (const char *at = outputs[k]; *at; first = false) {
            size_t n = strcspn(at, "\n");
            vec_push(arena, &got, (Line){at, trimmed(at, n), first});
            at += n + (at[n] == '\n');
        }
    }
    for (int i = 0; i < file->checks.n; i++) {
        const CheckLine *check = &file->checks.at[i];
        vec_push(arena, &expected, (Line){check->text, trimmed(check->text, strlen(check->text)), check->first});
    }
    int same = 0;
    while (same < got.n && same < expected.n && same_text(got.at[same], expected.at[same])) same++;
    if (same < got.n || same < expected.n) {
        show_difference(report, &expected, &got);
        return false;
    }
    for (int i = 0; i < got.n; i++) {
        if (i == 0 ? expected.at[i].first : !expected.at[i].first || got.at[i].first) continue;
        text_printf(report, "  %s:%d: %s\n", file->path, file->checks.at[i].line,
                    i ? "CHECK stands for the first line of a command's output, this is a later one: CHECK-NEXT"
                      : "CHECK-NEXT, but this is the first line of output: CHECK");
        return false;
    }
    return true;
}
