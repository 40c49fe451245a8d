#include "base/diag.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_MAX_ERRORS = 20, WIDEST_LINE = 160 };

Diags *diags_new(Arena *arena, Source *source) {
    Diags *diags = NEW(arena, Diags);
    diags->arena = arena;
    diags->source = source;
    return diags;
}

static void add(Diags *diags, DiagLevel level, Span span, const char *code, const char *format, va_list args) {
    Diag diag = {level, code, span.end ? diags->source : NULL, span, arena_vprintf(diags->arena, format, args)};
    vec_push(diags->arena, &diags->list, diag);
}

void diag_verror(Diags *diags, Span span, const char *code, const char *format, va_list args) {
    add(diags, DIAG_ERROR, span, code, format, args);
    diags->left_out = false;
    diags->n_errors++;
}

void diag_error(Diags *diags, Span span, const char *code, const char *format, ...) {
    va_list args;
    va_start(args, format);
    diag_verror(diags, span, code, format, args);
    va_end(args);
}

static DiagChoice choose(const Diags *diags, const char *code) {
    if (diags->no_warnings) return DIAG_OFF;
    for (int i = diags->rules.n; code && i-- > 0;)
        if (strcmp(diags->rules.at[i].code, code) == 0) return diags->rules.at[i].choice;
    return diags->warnings_are_errors ? DIAG_AS_ERROR : DIAG_AS_WARNING;
}

void diag_warning(Diags *diags, Span span, const char *code, const char *format, ...) {
    DiagChoice choice = choose(diags, code);
    diags->left_out = choice == DIAG_OFF;
    if (diags->left_out) return;
    va_list args;
    va_start(args, format);
    add(diags, choice == DIAG_AS_ERROR ? DIAG_ERROR : DIAG_WARNING, span, code, format, args);
    va_end(args);
    diags->n_warnings++;
    diags->n_errors += choice == DIAG_AS_ERROR;
}

void diag_note(Diags *diags, Span span, const char *format, ...) {
    if (diags->left_out) return;
    va_list args;
    va_start(args, format);
    add(diags, DIAG_NOTE, span, NULL, format, args);
    va_end(args);
}

static int limit(const Diags *diags) {
    return diags->max_errors ? diags->max_errors : DEFAULT_MAX_ERRORS;
}

bool diags_full(const Diags *diags) {
    return diags->n_errors >= limit(diags);
}

/* A long line is shown from shortly before the place that is meant. */
static void print_line(Text *out, const Source *source, Span line, Span span, bool color) {
    uint32_t begin = line.begin, end = line.end;
    if (end - begin > WIDEST_LINE) {
        if (span.begin > begin + WIDEST_LINE / 2) begin = span.begin - WIDEST_LINE / 4;
        if (end - begin > WIDEST_LINE) end = begin + WIDEST_LINE;
    }
    for (uint32_t i = begin; i < end; i++) {
        char c = source->bytes[i];
        text_char(out, c == '\t' ? ' ' : (unsigned char)c < ' ' ? '?' : c);
    }
    text_char(out, '\n');
    for (uint32_t i = begin; i < span.begin; i++)
        if (((unsigned char)source->bytes[i] & 0xC0) != 0x80) text_char(out, ' '); /* one column a UTF-8 character */
    if (color) text_put(out, "\033[1;32m");
    text_char(out, '^');
    for (uint32_t i = span.begin + 1; i < span.end && i < end; i++)
        if (((unsigned char)source->bytes[i] & 0xC0) != 0x80) text_char(out, '~');
    if (color) text_put(out, "\033[0m");
    text_char(out, '\n');
}

static void print_one(const Diags *diags, const Diag *diag, Text *out, bool color) {
    static const char *const words[] = {"error", "warning", "note"};
    static const char *const colors[] = {"\033[1;31m", "\033[1;35m", "\033[1;36m"};
    int line = 0, column = 0;
    const Source *named = diag->source ? diag->source : diags->source;
    if (named) text_printf(out, "%s:", named->name);
    else text_put(out, "hlocc:");
    if (diag->source) {
        source_position(diags->arena, diag->source, diag->span.begin, &line, &column);
        text_printf(out, "%d:%d:", line, column);
    }
    text_printf(out, " %s%s:%s %s", color ? colors[diag->level] : "", words[diag->level], color ? "\033[0m" : "",
                diag->message);
    if (diag->code) text_printf(out, " [%s]", diag->code);
    text_char(out, '\n');
    if (!diag->source) return;
    print_line(out, diag->source, source_line(diags->arena, diag->source, line), diag->span, color);
}

typedef struct {
    int index; /* of the error or warning; its notes follow it in the list */
    uint32_t place;
} Order;

static int by_place(const void *a, const void *b) {
    const Order *x = a, *y = b;
    if (x->place != y->place) return x->place < y->place ? -1 : 1;
    return x->index - y->index;
}

const int *diags_in_order(const Diags *diags, int *n) {
    int found = 0, errors = 0;
    Order *order = NEW_ARRAY(diags->arena, Order, diags->list.n);
    for (int i = 0; i < diags->list.n; i++)
        if (diags->list.at[i].level != DIAG_NOTE) order[found++] = (Order){i, diags->list.at[i].span.begin};
    if (found) qsort(order, (size_t)found, sizeof *order, by_place);
    int *indices = NEW_ARRAY(diags->arena, int, found);
    for (*n = 0; *n < found; ++*n) {
        if (diags->list.at[order[*n].index].level == DIAG_ERROR && errors++ == limit(diags)) break;
        indices[*n] = order[*n].index;
    }
    return indices;
}

void diags_print(const Diags *diags, Text *out, bool color) {
    int n;
    const int *order = diags_in_order(diags, &n);
    for (int i = 0; i < n; i++) {
        print_one(diags, &diags->list.at[order[i]], out, color);
        for (int k = order[i] + 1; k < diags->list.n && diags->list.at[k].level == DIAG_NOTE; k++)
            print_one(diags, &diags->list.at[k], out, color);
    }
    if (diags->n_errors > limit(diags))
        text_printf(out, "%s: note: too many errors, %d more not shown (--max-errors)\n",
                    diags->source ? diags->source->name : "hlocc", diags->n_errors - limit(diags));
}

static int edit_distance(const char *a, const char *b) {
    enum { LONGEST = 64 };
    size_t n = strlen(a), m = strlen(b);
    if (n > LONGEST || m > LONGEST) return LONGEST;
    int row[LONGEST + 1];
    for (size_t j = 0; j <= m; j++) row[j] = (int)j;
    for (size_t i = 1; i <= n; i++) {
        int diagonal = row[0];
        row[0] = (int)i;
        for (size_t j = 1; j <= m; j++) {
            int best = diagonal + (a[i - 1] != b[j - 1]);
            if (row[j] + 1 < best) best = row[j] + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[m];
}

const char *nearest_word(const char *word, const char *const words[], int n) {
    size_t n_chars = strlen(word);
    int best = n_chars == 2 ? 2 : (int)n_chars / 3 + (n_chars > 1);
    const char *nearest = NULL;
    for (int i = 0; i < n; i++) {
        if (n_chars == 2 && strlen(words[i]) == 2) continue; /* nearly all words of two letters would do */
        int distance = edit_distance(word, words[i]);
        if (distance < best) {
            best = distance;
            nearest = words[i];
        }
    }
    return nearest;
}

void internal_error(const char *where, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fprintf(stderr, "hlocc: internal error%s%s: ", where ? " at " : "", where ? where : "");
    vfprintf(stderr, format, args);
    fputs("\nThis is a fault of hlocc, not of your program. Please report it with the .hlo file (or the smallest part "
          "of\n"
          "it that still shows it) and the command line.\n",
          stderr);
    va_end(args);
    exit(70);
}
