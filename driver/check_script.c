#include "driver/check_script.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "driver/check_pattern.h"

typedef enum { KIND_PLAIN, KIND_NEXT, KIND_SAME, KIND_NOT, KIND_DAG, KIND_LABEL, KIND_EMPTY } CheckKind;

/* What follows the prefix. */
static const struct {
    const char *suffix;
    CheckKind kind;
} kinds[] = {{":", KIND_PLAIN},       {"-NEXT:", KIND_NEXT},   {"-SAME:", KIND_SAME},   {"-NOT:", KIND_NOT},
             {"-DAG:", KIND_DAG},     {"-LABEL:", KIND_LABEL}, {"-EMPTY:", KIND_EMPTY}};

typedef struct {
    CheckKind kind;
    int line, count;     /* count: of CHECK-COUNT-n, else 1 */
    const char *spelling; /* "CHECK-NEXT" */
    const char *pattern;
} Check;

typedef struct {
    size_t at, end;
} Range;

typedef struct {
    Arena *arena;
    const CheckOptions *options;
    const char *path;
    VEC(Check) checks;
    CheckVariables variables;
    char *text; /* the output, blanks made one */
    size_t size;
    Range found; /* by find: the last match */
    Text *report;
} Script;

/* ---- the command line -------------------------------------------------------------------------------------------- */

static void split_commas(Arena *arena, Words *list, const char *words) {
    while (*words) {
        size_t n = strcspn(words, ",");
        words_add(arena, list, arena_string(arena, words, n));
        words += n + (words[n] == ',');
    }
}

/* The value of an option as --name=value or --name value, with one dash or two. NULL: another option. */
static const char *value_of(const Words *words, int *at, const char *name) {
    const char *word = words->at[*at];
    if (*word != '-') return NULL;
    word += word[1] == '-' ? 2 : 1;
    size_t n = strlen(name);
    if (strncmp(word, name, n) != 0) return NULL;
    if (word[n] == '=') return word + n + 1;
    if (word[n] || *at + 1 >= words->n) return NULL;
    return words->at[++*at];
}

static bool is_flag(const char *word, const char *name) {
    return *word == '-' && strcmp(word + (word[1] == '-' ? 2 : 1), name) == 0;
}

bool check_options_read(Arena *arena, const Words *words, int first, CheckOptions *options, Text *report) {
    for (int i = first; i < words->n; i++) {
        const char *word = words->at[i], *value;
        if (*word != '-') continue; /* the file with the CHECK lines: the test itself */
        if ((value = value_of(words, &i, "check-prefix")) || (value = value_of(words, &i, "check-prefixes")))
            split_commas(arena, &options->prefixes, value);
        else if ((value = value_of(words, &i, "implicit-check-not"))) words_add(arena, &options->implicit_nots, value);
        else if (is_flag(word, "strict-whitespace")) options->strict_whitespace = true;
        else if (is_flag(word, "match-full-lines")) options->full_lines = true;
        else if (is_flag(word, "allow-empty")) options->allow_empty = true;
        else if (is_flag(word, "enable-var-scope")) options->variable_scope = true;
        else if (!is_flag(word, "v") && !is_flag(word, "vv") && !value_of(words, &i, "dump-input") &&
                 !value_of(words, &i, "dump-input-filter")) {
            text_printf(report, "  FileCheck: unknown option '%s'\n", word);
            return false;
        }
    }
    return true;
}

/* ---- reading the lines ------------------------------------------------------------------------------------------- */

static const char *trim(Arena *arena, const char *begin, const char *end) {
    while (begin < end && (*begin == ' ' || *begin == '\t')) begin++;
    while (end > begin && isspace((unsigned char)end[-1])) end--;
    return arena_string(arena, begin, (size_t)(end - begin));
}

/* Runs of blanks and tabs as one blank. */
static const char *squeeze(Arena *arena, const char *text, size_t *size) {
    char *out = arena_string(arena, text, *size);
    size_t n = 0;
    for (size_t i = 0; i < *size; i++) {
        bool blank = text[i] == ' ' || text[i] == '\t';
        if (text[i] == '\r' && (text[i + 1] == '\n' || !text[i + 1])) continue;
        if (blank && n && out[n - 1] == ' ') continue;
        out[n++] = blank ? ' ' : text[i];
    }
    out[n] = 0;
    *size = n;
    return out;
}

static bool read_kind(const char *at, Check *check, size_t *length) {
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if (strncmp(at, kinds[k].suffix, strlen(kinds[k].suffix)) != 0) continue;
        check->kind = kinds[k].kind;
        check->count = 1;
        *length = strlen(kinds[k].suffix);
        return true;
    }
    if (strncmp(at, "-COUNT-", 7) != 0 || !isdigit((unsigned char)at[7])) return false;
    char *end;
    long count = strtol(at + 7, &end, 10);
    if (*end != ':' || count < 1 || count > 1000000) return false;
    *check = (Check){.kind = KIND_PLAIN, .count = (int)count};
    *length = (size_t)(end - at) + 1;
    return true;
}

/* Where prefix stands as a word of its own, at or behind at. */
static const char *find_prefix(const char *at, const char *end, const char *prefix) {
    size_t n = strlen(prefix);
    for (const char *begin = at; at + n <= end; at++) {
        bool inside = at > begin && (isalnum((unsigned char)at[-1]) || strchr("-_", at[-1]));
        if (!inside && strncmp(at, prefix, n) == 0) return at;
    }
    return NULL;
}

static bool read_check(Script *script, const char *line, const char *end, const char *prefix, Check *check) {
    for (const char *at = line; (at = find_prefix(at, end, prefix)); at++) {
        size_t n = strlen(prefix), length;
        if (!read_kind(at + n, check, &length)) continue;
        check->spelling = arena_string(script->arena, at, n + length - 1);
        size_t size;
        check->pattern = trim(script->arena, at + n + length, end);
        size = strlen(check->pattern);
        if (!script->options->strict_whitespace) check->pattern = squeeze(script->arena, check->pattern, &size);
        return true;
    }
    return false;
}

static const char *const only_check[] = {"CHECK"};

static void read_checks(Script *script, const char *text) {
    const Words *given = &script->options->prefixes;
    const char *const *prefixes = given->n ? given->at : only_check;
    int n = given->n ? given->n : 1, line = 0;
    for (const char *end; *text; text = end + (*end == '\n')) {
        Check check;
        end = text + strcspn(text, "\n");
        line++;
        for (int i = 0; i < n; i++) {
            if (!read_check(script, text, end, prefixes[i], &check)) continue;
            check.line = line;
            vec_push(script->arena, &script->checks, check);
            break;
        }
    }
}

bool check_kind_is_known(const char *rest) {
    Check check;
    size_t length;
    return read_kind(rest, &check, &length);
}

bool check_script_is_needed(const char *text) {
    for (const char *at = text; (at = strstr(at, "CHECK-")); at++) {
        const char *line = at;
        Check check;
        size_t length;
        while (line > text && line[-1] != '\n') line--;
        line += strspn(line, " \t");
        if (strncmp(line, "//", 2) != 0 || line + 2 + strspn(line + 2, " \t") != at) continue;
        if (read_kind(at + 5, &check, &length) && strncmp(at + 5, "-NEXT:", 6) != 0) return true;
    }
    return false;
}

/* ---- matching ---------------------------------------------------------------------------------------------------- */

static int line_at(const Script *script, size_t at) {
    int line = 1;
    for (size_t i = 0; i < at; i++) line += script->text[i] == '\n';
    return line;
}

static size_t line_begin(const Script *script, size_t at) {
    while (at && script->text[at - 1] != '\n') at--;
    return at;
}

static size_t line_stop(const Script *script, size_t at) {
    while (at < script->size && script->text[at] != '\n') at++;
    return at;
}

static void show_line(const Script *script, const char *mark, size_t at) {
    size_t begin = line_begin(script, at), end = line_stop(script, at);
    text_printf(script->report, "    %s %d: %.*s\n", mark, line_at(script, at), (int)(end - begin),
                script->text + begin);
}

static bool fail(const Script *script, const Check *check, const char *what) {
    text_printf(script->report, "  %s:%d: %s: %s\n    %s\n", script->path, check->line, check->spelling, what,
                check->pattern);
    return false;
}

/* The line of a range that a pattern that was not found may have meant: the nearest in its letters. */
static void show_nearest(const Script *script, const Check *check, Range range) {
    enum { MOST_LINES = 2000 };
    VEC(const char *) lines = {0};
    VEC(size_t) places = {0};
    for (size_t at = range.at; at < range.end && lines.n < MOST_LINES; at = line_stop(script, at) + 1) {
        size_t end = line_stop(script, at);
        vec_push(script->arena, &lines, trim(script->arena, script->text + at, script->text + end));
        vec_push(script->arena, &places, at);
    }
    show_line(script, "searched from", range.at);
    const char *nearest = nearest_word(check->pattern, lines.at, lines.n);
    for (int i = 0; nearest && i < lines.n; i++)
        if (lines.at[i] == nearest) {
            show_line(script, "did you mean ", places.at[i]);
            return;
        }
}

/* The check's first match in range, into script->found. A fault of the pattern is reported. */
static PatternResult find(Script *script, const Check *check, Range range) {
    Text why = {0};
    size_t at, n;
    PatternResult result = pattern_find(&script->variables, check->pattern, check->line, script->options->full_lines,
                                        script->text, range.at, range.end, &at, &n, &why);
    if (result == PATTERN_FOUND) script->found = (Range){at, at + n};
    if (result == PATTERN_FAULTY) fail(script, check, text_string(&why));
    text_free(&why);
    return result;
}

static bool must_find(Script *script, const Check *check, Range range) {
    PatternResult result = find(script, check, range);
    if (result == PATTERN_NOT_FOUND) {
        fail(script, check, "not found in the output");
        show_nearest(script, check, range);
    }
    return result == PATTERN_FOUND;
}

static bool must_not_find(Script *script, const Check *check, Range range) {
    Range before = script->found;
    PatternResult result = find(script, check, range);
    if (result == PATTERN_FOUND) {
        fail(script, check, "found, and should not be");
        show_line(script, "output line", script->found.at);
    }
    script->found = before;
    return result == PATTERN_NOT_FOUND;
}

/* CHECK-NOT lines [first, last), and the implicit ones. */
static bool check_nots(Script *script, int first, int last, Range range) {
    if (range.end < range.at) range.end = range.at;
    for (int i = first; i < last; i++)
        if (!must_not_find(script, &script->checks.at[i], range)) return false;
    for (int i = 0; i < script->options->implicit_nots.n; i++) {
        Check check = {KIND_NOT, 0, 1, "--implicit-check-not", script->options->implicit_nots.at[i]};
        if (!must_not_find(script, &check, range)) return false;
    }
    return true;
}

static bool on_line(Script *script, const Check *check, size_t start, int expected) {
    int lines = line_at(script, script->found.at) - line_at(script, start);
    if (lines == expected) return true;
    fail(script, check, expected ? "is not on the next line" : "is not on the same line");
    show_line(script, "behind    ", start);
    show_line(script, "found only", script->found.at);
    return false;
}

static bool check_empty(Script *script, const Check *check, Range range) {
    size_t next = line_stop(script, range.at);
    if (next < range.end && script->text[next + 1] == '\n') {
        script->found = (Range){next + 1, next + 1};
        return true;
    }
    fail(script, check, "the next line is not empty");
    show_line(script, "behind", range.at);
    return false;
}

static bool check_positive(Script *script, const Check *check, Range range, bool first) {
    if (check->kind == KIND_EMPTY) return check_empty(script, check, range);
    for (int i = 0; i < check->count; i++) {
        Range here = {i ? script->found.end : range.at, range.end};
        if (!must_find(script, check, here)) return false;
    }
    if (check->kind == KIND_PLAIN) return true;
    if (first) return fail(script, check, "there is no match before this one");
    return on_line(script, check, range.at, check->kind == KIND_NEXT);
}

/* CHECK-DAG lines [first, last): each its first match that overlaps none of the others. found: from the first of the
 * matches to the end of the last. */
static bool check_group(Script *script, int first, int last, Range range) {
    VEC(Range) taken = {0};
    Range all = {range.end, range.at};
    for (int i = first; i < last; i++) {
        Range here = range;
        for (bool overlaps = true; overlaps;) {
            if (!must_find(script, &script->checks.at[i], here)) return false;
            overlaps = false;
            for (int k = 0; k < taken.n && !overlaps; k++)
                overlaps = script->found.at < taken.at[k].end && taken.at[k].at < script->found.end;
            here.at = script->found.at + 1;
        }
        vec_push(script->arena, &taken, script->found);
        if (script->found.at < all.at) all.at = script->found.at;
        if (script->found.end > all.end) all.end = script->found.end;
    }
    script->found = all;
    return true;
}

/* The checks [first, last) between two labels; they are matched in range. has_before: a label matched in front. */
static bool check_section(Script *script, int first, int last, Range range, bool has_before) {
    int nots = first;
    for (int i = first; i < last;) {
        const Check *check = &script->checks.at[i];
        int end = i + 1;
        if (check->kind == KIND_NOT) {
            i++;
            continue;
        }
        while (check->kind == KIND_DAG && end < last && script->checks.at[end].kind == KIND_DAG) end++;
        bool good = check->kind == KIND_DAG ? check_group(script, i, end, range)
                                            : check_positive(script, check, range, !has_before);
        if (!good || !check_nots(script, nots, i, (Range){range.at, script->found.at})) return false;
        range.at = script->found.end;
        has_before = true;
        i = nots = end;
    }
    return check_nots(script, nots, last, range);
}

static void forget_locals(CheckVariables *variables) {
    int kept = 0;
    for (int i = 0; i < variables->list.n; i++) {
        const char *name = variables->list.at[i].name;
        if (name[*name == '#'] == '$') variables->list.at[kept++] = variables->list.at[i];
    }
    variables->list.n = kept;
}

/* Labels first: each is looked for behind the one before. Then what stands between them. */
static bool check_sections(Script *script) {
    int n = script->checks.n, first = 0;
    size_t at = 0;
    bool has_before = false;
    while (true) {
        int label = first;
        while (label < n && script->checks.at[label].kind != KIND_LABEL) label++;
        Range section = {at, script->size}, found = {script->size, script->size};
        if (label < n) {
            if (!must_find(script, &script->checks.at[label], section)) return false;
            found = script->found;
            section.end = found.at;
        }
        if (!check_section(script, first, label, section, has_before)) return false;
        if (label == n) return true;
        if (script->options->variable_scope) forget_locals(&script->variables);
        has_before = true;
        at = found.end;
        first = label + 1;
    }
}

bool check_script_run(Arena *arena, const CheckOptions *options, const char *path, const char *text, const char *output,
                      Text *report) {
    Script script = {.arena = arena, .options = options, .path = path, .variables = {.arena = arena}, .report = report};
    script.size = strlen(output);
    script.text = options->strict_whitespace ? arena_string(arena, output, script.size)
                                             : (char *)squeeze(arena, output, &script.size);
    read_checks(&script, text);
    if (!script.checks.n) {
        text_printf(report, "  %s: no line of FileCheck's with the prefix '%s'\n", path,
                    options->prefixes.n ? options->prefixes.at[0] : "CHECK");
        return false;
    }
    if (!script.size && !options->allow_empty) {
        text_put(report, "  the command printed nothing (--allow-empty, if that is right)\n");
        return false;
    }
    return check_sections(&script);
}
