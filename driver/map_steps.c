#include "driver/map_steps.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/codes.h"

typedef struct {
    IndexPool *pool;
    Diags *diags;
    const char *argument; /* what follows the name of the step: ":0:2" */
    VEC(IndexMap *) maps;
    VEC(Span) spans;
} Steps;

typedef bool Step(Steps *s);

static bool compose(Steps *s) {
    for (int i = 1; i < s->maps.n; i++) {
        IndexMap *first = s->maps.at[0], *second = s->maps.at[i];
        if (first->n_results != second->n_dims) {
            diag_error(s->diags, s->spans.at[i], E_MAP,
                       "expected a map of %d dimensions, as many as the one before has results, found %d",
                       first->n_results, second->n_dims);
            return false;
        }
        s->maps.at[0] = index_map_compose(first, second);
    }
    s->maps.n = 1;
    return true;
}

static bool simplify(Steps *s) {
    for (int i = 0; i < s->maps.n; i++) index_map_simplify(s->maps.at[i], false);
    return true;
}

static bool simplify_keep_points(Steps *s) {
    for (int i = 0; i < s->maps.n; i++) index_map_simplify(s->maps.at[i], true);
    return true;
}

static bool remove_unused_symbols(Steps *s) {
    for (int i = 0; i < s->maps.n; i++) index_map_remove_unused(s->maps.at[i], false);
    return true;
}

static bool remove_unused_vars(Steps *s) {
    for (int i = 0; i < s->maps.n; i++) index_map_remove_unused(s->maps.at[i], true);
    return true;
}

static bool rescale(Steps *s) {
    for (int i = 0; i < s->maps.n; i++) index_map_rescale(s->maps.at[i]);
    return true;
}

static bool symbols_to_dims(Steps *s) {
    for (int i = 0; i < s->maps.n; i++) s->maps.at[i] = index_map_symbols_to_dims(s->maps.at[i]);
    return true;
}

static bool ranges_to_dims(Steps *s) {
    VEC(int) numbers = {0};
    char *end;
    for (const char *c = s->argument; *c == ':'; c = end) {
        int at = numbers.n, number = (int)strtol(c + 1, &end, 10);
        vec_push(s->pool->arena, &numbers, number);
        for (; at > 0 && numbers.at[at - 1] > number; at--) numbers.at[at] = numbers.at[at - 1];
        numbers.at[at] = number;
    }
    for (int i = 0; i < s->maps.n; i++) {
        IndexMap *map = s->maps.at[i];
        for (int k = 0; k < numbers.n; k++) {
            bool twice = k && numbers.at[k] == numbers.at[k - 1];
            if (!twice && numbers.at[k] < map->n_ranges) continue;
            diag_error(s->diags, s->spans.at[i], E_MAP,
                       twice ? "range %d is to become a dimension twice" : "there is no range %d to become a dimension",
                       numbers.at[k]);
            return false;
        }
        s->maps.at[i] = index_map_ranges_to_dims(map, numbers.n, numbers.at);
    }
    return true;
}

static const struct {
    const char *name;
    Step *step;
    bool numbers; /* ":0:2" follows */
} steps_known[] = {
    {"compose", compose, false},
    {"simplify", simplify, false},
    {"simplify-keep-points", simplify_keep_points, false},
    {"remove-unused-symbols", remove_unused_symbols, false},
    {"remove-unused-vars", remove_unused_vars, false},
    {"rescale", rescale, false},
    {"symbols-to-dims", symbols_to_dims, false},
    {"ranges-to-dims", ranges_to_dims, true},
};
enum { N_STEPS = sizeof steps_known / sizeof *steps_known };

static bool are_numbers(const char *text) {
    if (*text != ':') return false;
    while (*text == ':') {
        const char *digits = ++text;
        while (isdigit((unsigned char)*text)) text++;
        if (text == digits || text - digits > 6) return false;
    }
    return !*text;
}

static int find_step(const char *word) {
    for (int i = 0; i < N_STEPS; i++) {
        size_t n = strlen(steps_known[i].name);
        if (strncmp(word, steps_known[i].name, n) != 0) continue;
        if (steps_known[i].numbers ? are_numbers(word + n) : !word[n]) return i;
    }
    return -1;
}

const char *map_steps_unknown(const Words *steps) {
    for (int i = 0; i < steps->n; i++)
        if (find_step(steps->at[i]) < 0) return steps->at[i];
    return NULL;
}

/* Whether a line holds the word `then` alone. */
static bool separates(const char *line, const char *end) {
    while (line < end && isspace((unsigned char)*line)) line++;
    if (end - line < 4 || strncmp(line, "then", 4) != 0) return false;
    for (line += 4; line < end; line++)
        if (!isspace((unsigned char)*line)) return false;
    return true;
}

static void read_maps(Steps *s) {
    const Source *source = s->diags->source;
    const char *end = source->bytes + source->size, *begin = source->bytes;
    for (const char *line = begin, *next; line <= end; line = next) {
        const char *stop = line < end ? memchr(line, '\n', (size_t)(end - line)) : NULL;
        next = stop ? stop + 1 : end + 1;
        bool last = next > end;
        if (!last && !separates(line, stop)) continue;
        Span span = {(uint32_t)(begin - source->bytes), (uint32_t)((last ? end : line) - source->bytes)};
        IndexMap *map = index_map_parse(s->pool, s->diags, span);
        vec_push(s->pool->arena, &s->maps, map);
        vec_push(s->pool->arena, &s->spans, span);
        begin = next;
    }
}

bool map_steps_run(IndexPool *pool, Diags *diags, const Words *steps, Text *out) {
    Steps s = {.pool = pool, .diags = diags};
    read_maps(&s);
    if (diags->n_errors) return false;
    for (int i = 0; i < steps->n; i++) {
        int step = find_step(steps->at[i]);
        s.argument = steps->at[i] + strlen(steps_known[step].name);
        if (!steps_known[step].step(&s)) return false;
    }
    for (int i = 0; i < s.maps.n; i++) {
        index_map_print(out, s.maps.at[i]);
        text_char(out, '\n');
    }
    return true;
}
