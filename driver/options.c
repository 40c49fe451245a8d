#include "driver/options.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"

typedef struct {
    Arena *arena;
    const OptionTable *tables;
    int n_tables;
    const Words *words;
    int at; /* the next word */
    Words *files;
    Text *error;
} Reader;

static bool starts_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

/* The row that word names, and where its attached value begins (NULL: none). An exact name wins over a joined one, and
 * of joined ones the longest. */
static const OptionRow *find_row(const Reader *reader, const char *word, const char **attached, void **options) {
    const OptionRow *best = NULL;
    size_t longest = 0;
    for (int t = 0; t < reader->n_tables; t++) {
        for (const OptionRow *row = reader->tables[t].rows; row->name; row++) {
            for (int k = 0; k < 2; k++) {
                const char *name = k ? row->other : row->name;
                if (!name || !starts_with(word, name)) continue;
                size_t n = strlen(name);
                bool is_long = name[1] == '-';
                bool exact = !word[n], with_value = is_long ? word[n] == '=' : row->takes != TAKES_NOTHING;
                if ((!exact && !with_value) || n <= longest) continue;
                best = row;
                longest = n;
                *attached = exact ? NULL : word + n + (is_long ? 1 : 0);
                *options = reader->tables[t].options;
            }
        }
    }
    return best;
}

static void report_unknown(const Reader *reader, const char *word) {
    VEC(const char *) names = {0};
    for (int t = 0; t < reader->n_tables; t++)
        for (const OptionRow *row = reader->tables[t].rows; row->name; row++) {
            vec_push(reader->arena, &names, row->name);
            if (row->other) vec_push(reader->arena, &names, row->other);
        }
    const char *name = arena_string(reader->arena, word, strcspn(word, "="));
    const char *nearest = nearest_word(name, names.at, names.n);
    text_printf(reader->error, "unknown option '%s'", name);
    if (nearest) text_printf(reader->error, "; did you mean '%s'?", nearest);
}

static int find_word(const char *const *words, const char *value) {
    for (int i = 0; words[i]; i++)
        if (strcmp(words[i], value) == 0) return i;
    return -1;
}

static bool check_word(const Reader *reader, const OptionRow *row, const char *value) {
    if (!row->words || find_word(row->words, value) >= 0) return true;
    int n = 0;
    while (row->words[n]) n++;
    const char *nearest = nearest_word(value, row->words, n);
    text_printf(reader->error, "%s: unknown value '%s'", row->name, value);
    if (nearest) {
        text_printf(reader->error, "; did you mean '%s'?", nearest);
        return false;
    }
    text_put(reader->error, "; known:");
    for (int i = 0; i < n; i++) text_printf(reader->error, "%s %s", i ? "," : "", row->words[i]);
    return false;
}

static bool read_number(const Reader *reader, const OptionRow *row, const char *value, double *number) {
    char *end;
    *number = strtod(value, &end);
    bool count = row->sets == SETS_COUNT;
    if (*value && !*end && *number >= 0 && *number < 1e18 &&
        (!count || (*number <= INT32_MAX && *number == (int)*number)))
        return true;
    text_printf(reader->error, "%s: expected a %s that is not negative, not '%s'", row->name,
                count ? "whole number" : "number", value);
    return false;
}

static bool add_words(const Reader *reader, const OptionRow *row, Words *words, const char *value) {
    while (true) {
        size_t n = row->takes == TAKES_MANY ? strlen(value) : strcspn(value, ",");
        const char *word = arena_string(reader->arena, value, n);
        if (!check_word(reader, row, word)) return false;
        words_add(reader->arena, words, word);
        if (!value[n]) return true;
        value += n + 1;
    }
}

/* value: NULL when an optional one is absent. */
static bool set_row(const Reader *reader, const OptionRow *row, void *options, const char *value) {
    void *member = (char *)options + row->offset;
    double number = row->otherwise;
    switch (row->sets) {
    case SETS_TRUE:
    case SETS_FALSE:
        *(bool *)member = row->sets == SETS_TRUE;
        return true;
    case SETS_STRING:
        if (value && !check_word(reader, row, value)) return false;
        *(const char **)member = value ? value : "";
        return true;
    case SETS_COUNT:
        if (value && !read_number(reader, row, value, &number)) return false;
        *(int *)member = (int)number;
        return true;
    case SETS_NUMBER:
        if (value && !read_number(reader, row, value, &number)) return false;
        *(double *)member = number;
        return true;
    case SETS_WORD:
        if (value && !check_word(reader, row, value)) return false;
        *(int *)member = value ? find_word(row->words, value) : (int)number;
        return true;
    case SETS_WORDS:
        return add_words(reader, row, member, value ? value : "");
    case SETS_LATER:
        text_printf(reader->error, "%s is not supported yet", row->name);
        return false;
    }
    return true;
}

static bool is_option(const char *word) {
    return word[0] == '-' && word[1];
}

static bool read_option(Reader *reader, const char *word) {
    const char *value = NULL;
    void *options = NULL;
    const OptionRow *row = find_row(reader, word, &value, &options);
    if (!row) {
        report_unknown(reader, word);
        return false;
    }
    switch (row->takes) {
    case TAKES_NOTHING:
        if (!value) break;
        text_printf(reader->error, "%s takes no value", row->name);
        return false;
    case TAKES_VALUE:
        if (!value && reader->at < reader->words->n) value = reader->words->at[reader->at++];
        if (value) break;
        text_printf(reader->error, "%s needs a value: %s", row->name, row->value);
        return false;
    case TAKES_OPTIONAL:
        break;
    case TAKES_JOINED:
        if (!value) value = "";
        break;
    case TAKES_MANY:
        if (value) return set_row(reader, row, options, value);
        while (reader->at < reader->words->n && !is_option(reader->words->at[reader->at]))
            if (!set_row(reader, row, options, reader->words->at[reader->at++])) return false;
        return true;
    }
    return set_row(reader, row, options, value);
}

bool options_read(Arena *arena, const OptionTable *tables, int n_tables, const char *variable, int argc,
                  char *const *argv, Words *files, Text *error) {
    Words words = {0};
    const char *from_environment = variable ? getenv(variable) : NULL;
    if (from_environment && !words_split(arena, &words, from_environment)) {
        text_printf(error, "%s: a quote is not closed", variable);
        return false;
    }
    int n_from_environment = words.n;
    for (int i = 1; i < argc; i++) words_add(arena, &words, argv[i]);
    Reader reader = {arena, tables, n_tables, &words, 0, files, error};
    bool options_ended = false;
    while (reader.at < words.n) {
        const char *word = words.at[reader.at++];
        if (options_ended || !is_option(word)) {
            words_add(arena, files, word);
        } else if (strcmp(word, "--") == 0) {
            options_ended = true;
        } else if (!read_option(&reader, word)) {
            if (reader.at <= n_from_environment) text_printf(error, " (in %s)", variable);
            return false;
        }
    }
    return true;
}

/* ---- help -------------------------------------------------------------------------------------------------------- */

enum { HELP_COLUMN = 24 };

static void print_row(Text *out, const OptionRow *row) {
    size_t start = out->n;
    text_printf(out, "  %s", row->name);
    if (row->value) {
        bool is_long = row->name[1] == '-';
        if (row->takes == TAKES_OPTIONAL) text_printf(out, "[=%s]", row->value);
        else if (row->takes == TAKES_JOINED) text_put(out, row->value);
        else text_printf(out, "%c%s", is_long && row->takes != TAKES_MANY ? '=' : ' ', row->value);
    }
    if (row->other) text_printf(out, ", %s", row->other);
    int column = (int)(out->n - start);
    if (column > HELP_COLUMN - 2) {
        text_char(out, '\n');
        column = 0;
    }
    text_repeat(out, ' ', HELP_COLUMN - column);
    text_printf(out, "%s\n", row->help);
}

void options_print(Text *out, const OptionTable *tables, int n_tables, const char *topic) {
    const char *last = NULL;
    bool all = strcmp(topic, "all") == 0;
    for (int t = 0; t < n_tables; t++)
        for (const OptionRow *row = tables[t].rows; row->name; row++) {
            if (!row->topic || !(all || strcmp(row->topic, topic) == 0)) continue;
            if (!last || strcmp(last, row->topic) != 0) text_printf(out, "%s%s:\n", last ? "\n" : "", row->topic);
            last = row->topic;
            print_row(out, row);
        }
}

void options_print_topics(Text *out, const OptionTable *tables, int n_tables) {
    const char *last = "";
    for (int t = 0; t < n_tables; t++)
        for (const OptionRow *row = tables[t].rows; row->name; row++) {
            if (!row->topic || strcmp(last, row->topic) == 0) continue;
            text_printf(out, "%s%s", *last ? ", " : "", row->topic);
            last = row->topic;
        }
}
