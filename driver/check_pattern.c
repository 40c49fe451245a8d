#define _POSIX_C_SOURCE 200809L
#include "driver/check_pattern.h"

#include <ctype.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BACK_REFERENCES = 9 };

/* A pattern on its way to a regular expression. */
typedef struct {
    CheckVariables *variables;
    int line;
    Text regex;
    int n_groups;
    bool only_text; /* no part of it is an expression */
    VEC(const char *) names; /* set by the pattern */
    VEC(int) groups;         /* which group each is */
    Text *why;
} Builder;

const char *variable_value(const CheckVariables *variables, const char *name) {
    for (int i = variables->list.n; i-- > 0;)
        if (strcmp(variables->list.at[i].name, name) == 0) return variables->list.at[i].value;
    return NULL;
}

static void put_literal(Text *regex, const char *text, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (strchr("\\.[]{}()*+?^$|", text[i]) && text[i]) text_char(regex, '\\');
        text_char(regex, text[i]);
    }
}

/* Groups that an expression of the user's opens, so that ours are counted right. */
static int count_groups(const char *regex, size_t n) {
    int groups = 0;
    bool in_set = false;
    for (size_t i = 0; i < n; i++) {
        if (regex[i] == '\\') {
            i++;
        } else if (in_set) {
            in_set = regex[i] != ']';
        } else if (regex[i] == '[') {
            in_set = true;
            if (i + 1 < n && regex[i + 1] == '^') i++;
            if (i + 1 < n && regex[i + 1] == ']') i++;
        } else {
            groups += regex[i] == '(';
        }
    }
    return groups;
}

static void put_group(Builder *b, const char *regex, size_t n) {
    text_char(&b->regex, '(');
    text_bytes(&b->regex, regex, n);
    text_char(&b->regex, ')');
    b->n_groups += 1 + count_groups(regex, n);
    b->only_text = false;
}

static int own_group(const Builder *b, const char *name) {
    for (int i = b->names.n; i-- > 0;)
        if (strcmp(b->names.at[i], name) == 0) return b->groups.at[i];
    return 0;
}

static void set_name(Builder *b, const char *name) {
    vec_push(b->variables->arena, &b->names, name);
    vec_push(b->variables->arena, &b->groups, b->n_groups + 1);
}

/* The value of a variable: of this pattern (a back reference), or of an earlier one. */
static bool put_value(Builder *b, const char *name) {
    int group = own_group(b, name);
    if (group > MOST_BACK_REFERENCES) {
        text_printf(b->why, "'%s' is used in the pattern that sets it, behind more than 9 groups", name);
        return false;
    }
    if (group) {
        text_printf(&b->regex, "\\%d", group);
        b->only_text = false;
        return true;
    }
    const char *value = variable_value(b->variables, name);
    if (value) put_literal(&b->regex, value, strlen(value));
    else text_printf(b->why, "the variable '%s' was not set", name);
    return value;
}

/* "NAME+2", "@LINE-1", "7": the number as text. */
static bool put_number(Builder *b, const char *expression) {
    Arena *arena = b->variables->arena;
    while (*expression == ' ') expression++;
    size_t n = strcspn(expression, "+- ");
    const char *name = arena_string(arena, expression, n);
    const char *rest = expression + n + strspn(expression + n, " ");
    if (!*rest && own_group(b, arena_printf(arena, "#%s", name))) return put_value(b, arena_printf(arena, "#%s", name));
    const char *value = isdigit((unsigned char)*name) ? name
                                                      : variable_value(b->variables, arena_printf(arena, "#%s", name));
    long long number = strcmp(name, "@LINE") == 0 ? b->line : value ? strtoll(value, NULL, 10) : 0;
    if (!value && strcmp(name, "@LINE") != 0) {
        text_printf(b->why, "the number '%s' was not set", name);
        return false;
    }
    if (*rest) {
        char *end;
        long long other = strtoll(rest + 1 + strspn(rest + 1, " "), &end, 10);
        if (*end || (*rest != '+' && *rest != '-')) {
            text_printf(b->why, "expected a number, a name, or a sum of them, not '%s'", expression);
            return false;
        }
        number += *rest == '+' ? other : -other;
    }
    const char *text = arena_printf(arena, "%lld", number);
    put_literal(&b->regex, text, strlen(text));
    return true;
}

/* What stands between [[ and ]]. */
static bool put_variable(Builder *b, const char *text, size_t n) {
    Arena *arena = b->variables->arena;
    const char *inside = arena_string(arena, text, n), *colon = strchr(inside, ':');
    if (*inside == '#') {
        if (!inside[1]) {
            put_group(b, "[0-9]+", 6);
            return true;
        }
        if (!colon) return put_number(b, inside + 1);
        if (colon[1]) {
            text_printf(b->why, "[[%s]]: a number takes no expression", inside);
            return false;
        }
        set_name(b, arena_string(arena, inside, (size_t)(colon - inside)));
        put_group(b, "[0-9]+", 6);
        return true;
    }
    if (strncmp(inside, "@LINE", 5) == 0) return put_number(b, inside);
    if (!colon) return put_value(b, inside);
    set_name(b, arena_string(arena, inside, (size_t)(colon - inside)));
    put_group(b, colon + 1, strlen(colon + 1));
    return true;
}

/* The "]]" that ends a variable: one that stands inside a set of its expression does not. */
static const char *variable_end(const char *at) {
    int depth = 0;
    for (; *at; at++) {
        if (*at == '\\' && at[1]) at++;
        else if (*at == '[') depth++;
        else if (*at == ']' && depth) depth--;
        else if (*at == ']' && at[1] == ']') return at;
    }
    return NULL;
}

/* The "}}" that ends an expression: the last of "}}}". */
static const char *expression_end(const char *at) {
    const char *end = strstr(at, "}}");
    while (end && end[2] == '}') end++;
    return end;
}

static bool is_variable(const char *at) {
    return strncmp(at, "[[", 2) == 0 && (isalpha((unsigned char)at[2]) || strchr("_$@#", at[2])) && at[2];
}

static bool build(Builder *b, const char *pattern, Text *plain) {
    while (*pattern) {
        bool expression = strncmp(pattern, "{{", 2) == 0, variable = is_variable(pattern);
        if (!expression && !variable) {
            put_literal(&b->regex, pattern, 1);
            text_char(plain, *pattern++);
            continue;
        }
        const char *end = expression ? expression_end(pattern + 2) : variable_end(pattern + 2);
        if (!end) {
            text_printf(b->why, "%s is not closed", expression ? "{{" : "[[");
            return false;
        }
        size_t n = (size_t)(end - pattern) - 2;
        b->only_text &= !variable;
        if (expression) put_group(b, pattern + 2, n);
        else if (!put_variable(b, pattern + 2, n)) return false;
        pattern = end + 2;
    }
    return true;
}

static void set_variables(const Builder *b, const char *text, const regmatch_t *groups) {
    for (int i = 0; i < b->names.n; i++) {
        regmatch_t group = groups[b->groups.at[i]];
        size_t n = group.rm_so < 0 ? 0 : (size_t)(group.rm_eo - group.rm_so);
        CheckVariable variable = {b->names.at[i], arena_string(b->variables->arena, n ? text + group.rm_so : "", n)};
        vec_push(b->variables->arena, &b->variables->list, variable);
    }
}

static PatternResult find_regex(Builder *b, char *text, size_t begin, size_t end, size_t *at, size_t *n) {
    regex_t regex;
    int code = regcomp(&regex, text_string(&b->regex), REG_EXTENDED | REG_NEWLINE);
    if (code) {
        char message[200];
        regerror(code, &regex, message, sizeof message);
        text_printf(b->why, "not a regular expression: %s", message);
        return PATTERN_FAULTY;
    }
    regmatch_t *groups = NEW_ARRAY(b->variables->arena, regmatch_t, b->n_groups + 1);
    char behind = text[end];
    int flags = (begin && text[begin - 1] != '\n' ? REG_NOTBOL : 0) | (behind && behind != '\n' ? REG_NOTEOL : 0);
    text[end] = 0;
    bool found = regexec(&regex, text + begin, (size_t)b->n_groups + 1, groups, flags) == 0;
    if (found) {
        *at = begin + (size_t)groups[0].rm_so;
        *n = (size_t)(groups[0].rm_eo - groups[0].rm_so);
        set_variables(b, text + begin, groups);
    }
    text[end] = behind;
    regfree(&regex);
    return found ? PATTERN_FOUND : PATTERN_NOT_FOUND;
}

static PatternResult find_plain(const char *plain, char *text, size_t begin, size_t end, size_t *at, size_t *n) {
    char behind = text[end];
    text[end] = 0;
    const char *found = strstr(text + begin, plain);
    text[end] = behind;
    if (!found) return PATTERN_NOT_FOUND;
    *at = (size_t)(found - text);
    *n = strlen(plain);
    return PATTERN_FOUND;
}

PatternResult pattern_find(CheckVariables *variables, const char *pattern, int line, bool whole_line, char *text,
                           size_t begin, size_t end, size_t *at, size_t *n, Text *why) {
    Builder builder = {.variables = variables, .line = line, .only_text = !whole_line, .why = why};
    Text plain = {0};
    if (whole_line) text_put(&builder.regex, "^ *");
    PatternResult result = PATTERN_FAULTY;
    if (build(&builder, pattern, &plain)) {
        if (whole_line) text_put(&builder.regex, " *$");
        result = builder.only_text ? find_plain(text_string(&plain), text, begin, end, at, n)
                                   : find_regex(&builder, text, begin, end, at, n);
    }
    text_free(&plain);
    text_free(&builder.regex);
    return result;
}
