#include "driver/test_golden.h"

#include <stdint.h>
#include <string.h>

enum { CONTEXT = 3, MOST_SHOWN = 80 };

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

/* A line of the difference: of expected (-), of what we got (+), or of both ( ). */
typedef struct {
    char mark;
    Line line;
} Change;

typedef VEC(Change) Changes;

/* lengths[i * (m + 1) + k]: of the longest common subsequence of the expected lines from i on and those got from k on.
 */
static int *common_lengths(Arena *arena, const Line *expected, int n, const Line *got, int m) {
    size_t row = (size_t)m + 1;
    int *lengths = NEW_ARRAY(arena, int, (n + 1) * (m + 1));
    for (int i = n; i-- > 0;)
        for (int k = m; k-- > 0;) {
            int *here = &lengths[(size_t)i * row + (size_t)k];
            int skip = here[row] > here[1] ? here[row] : here[1];
            *here = same_text(expected[i], got[k]) ? here[row + 1] + 1 : skip;
        }
    return lengths;
}

/* The lines of both, those in common once. Of very many, all are taken for different. */
static void add_changes(Arena *arena, Changes *changes, const Line *expected, int n, const Line *got, int m) {
    enum { MOST_COMPARED = 4000000 };
    const int *lengths = (int64_t)(n + 1) * (m + 1) > MOST_COMPARED ? NULL : common_lengths(arena, expected, n, got, m);
    size_t row = (size_t)m + 1;
    int i = 0, k = 0;
    while (i < n || k < m) {
        if (lengths && i < n && k < m && same_text(expected[i], got[k])) {
            vec_push(arena, changes, (Change){' ', got[k]});
            i++, k++;
        } else if (i < n && (!lengths || k == m || lengths[(size_t)(i + 1) * row + (size_t)k] >=
                                                       lengths[(size_t)i * row + (size_t)k + 1])) {
            vec_push(arena, changes, (Change){'-', expected[i++]});
        } else {
            vec_push(arena, changes, (Change){'+', got[k++]});
        }
    }
}

static bool is_near_change(const Changes *changes, int at) {
    for (int i = at - CONTEXT; i <= at + CONTEXT; i++)
        if (i >= 0 && i < changes->n && changes->at[i].mark != ' ') return true;
    return false;
}

static void show_changes(Text *report, const Changes *changes) {
    int shown = 0, left_out = 0;
    bool any = false;
    for (int i = 0; i < changes->n; i++) {
        const Change *change = &changes->at[i];
        bool near = is_near_change(changes, i);
        if (near && shown == MOST_SHOWN) {
            left_out++;
        } else if (near) {
            if (any && !is_near_change(changes, i - 1)) text_put(report, "    ...\n");
            text_printf(report, "    %c %.*s\n", change->mark, (int)change->line.n, change->line.text);
            shown++;
            any = true;
        }
    }
    if (left_out) text_printf(report, "    ... (%d lines more)\n", left_out);
}

/* As diff -u shows it. */
static void show_difference(Arena *arena, Text *report, const Lines *expected, const Lines *got) {
    Changes changes = {0};
    int head = 0, tail = 0;
    int shorter = expected->n < got->n ? expected->n : got->n;
    while (head < shorter && same_text(expected->at[head], got->at[head])) head++;
    while (tail < shorter - head && same_text(expected->at[expected->n - 1 - tail], got->at[got->n - 1 - tail])) tail++;
    for (int i = 0; i < head; i++) vec_push(arena, &changes, (Change){' ', got->at[i]});
    const Line *of_expected = expected->n ? expected->at + head : NULL, *of_got = got->n ? got->at + head : NULL;
    add_changes(arena, &changes, of_expected, expected->n - head - tail, of_got, got->n - head - tail);
    for (int i = got->n - tail; i < got->n; i++) vec_push(arena, &changes, (Change){' ', got->at[i]});
    text_printf(report, "  output differs from the CHECK lines at its line %d (- expected, + got):\n", head + 1);
    show_changes(report, &changes);
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
        show_difference(arena, report, &expected, &got);
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
