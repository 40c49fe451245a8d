#include "driver/warnings.h"

#include <string.h>

#include "base/codes.h"

static const struct {
    const char *name;
    const char *code;
    const char *help;
} table[] = {
    {"elided-zeros", E_ELIDED, "--elided=zeros: constants whose values were left out are zeros"},
    {"more-modules", W_MORE_MODULES, "only the first module of a text is compiled"},
    {"old-syntax", W_OLD, "something of an old version of XLA is left out"},
    {"unknown-attribute", W_UNKNOWN_ATTRIBUTE, "--allow-unknown: an attribute is left out"},
    {"wraps", W_WRAPS, "a constant does not fit its type and wraps around"},
};

enum { N_WARNINGS = sizeof table / sizeof *table };

/* What stands in front of the name, and what that does to the warning. */
static const struct {
    const char *start;
    DiagChoice choice;
} forms[] = {{"no-error=", DIAG_AS_WARNING}, {"error=", DIAG_AS_ERROR}, {"no-", DIAG_OFF}, {"", DIAG_AS_WARNING}};

static bool is_group(const char *word) {
    return strcmp(word, "all") == 0 || strcmp(word, "extra") == 0;
}

/* The number in the table, and what is to be done; -1: neither. */
static int find(const char *word, DiagChoice *choice) {
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        size_t n = strlen(forms[f].start);
        if (strncmp(word, forms[f].start, n) != 0) continue;
        for (int i = 0; i < N_WARNINGS; i++) {
            if (strcmp(word + n, table[i].name) != 0) continue;
            *choice = forms[f].choice;
            return i;
        }
    }
    return -1;
}

const char *warnings_unknown(const Words *words) {
    DiagChoice choice;
    for (int i = 0; i < words->n; i++)
        if (!is_group(words->at[i]) && find(words->at[i], &choice) < 0) return words->at[i];
    return NULL;
}

const char *warnings_nearest(Arena *arena, const char *word) {
    const char *names[N_WARNINGS], *start = "";
    for (size_t f = 0; f < sizeof forms / sizeof *forms && !*start; f++)
        if (strncmp(word, forms[f].start, strlen(forms[f].start)) == 0) start = forms[f].start;
    for (int i = 0; i < N_WARNINGS; i++) names[i] = table[i].name;
    const char *nearest = nearest_word(word + strlen(start), names, N_WARNINGS);
    return nearest ? arena_printf(arena, "%s%s", start, nearest) : NULL;
}

void warnings_set(const Words *words, Diags *diags) {
    for (int i = 0; i < words->n; i++) {
        DiagChoice choice;
        int number = find(words->at[i], &choice);
        if (number >= 0) vec_push(diags->arena, &diags->rules, (DiagRule){table[number].code, choice});
    }
}

void warnings_print(Text *out) {
    text_put(out, "warnings:\n");
    for (int i = 0; i < N_WARNINGS; i++) text_printf(out, "  -W%-20s  %s\n", table[i].name, table[i].help);
    text_put(out, "\n  -Wno-NAME: off; -Werror=NAME: an error; -Wno-error=NAME: a warning in spite of -Werror\n");
}
