/* Syntax errors: what was expected, in words. */
#include <string.h>

#include "parser/actions.h"

/* Several tokens that are one thing to the reader: if `all` of these are expected, `shown` stands for `these`. */
static const struct {
    const char *all[4], *these[8], *shown;
} groups[] = {
    {{"word", "%name"}, {"word", "%name", "name:", "word("}, "a name"},
    {{"word(", "word"}, {"word(", "word"}, "an opcode"},
    {{"type", "("}, {"type", "(", "b("}, "a shape"},
    {{"true", "integer"}, {"true", "false", "integer", "decimal number", "inf", "-inf", "nan"}, "a value"},
    {{"integer", "inf"}, {"integer", "decimal number", "inf", "-inf", "nan"}, "a number"},
    {{"true", "false"}, {"true", "false"}, "true or false"},
    {{"{"}, {"{", "{0"}, "'{'"},
    {{"{0"}, {"{0"}, "a layout"},
    {{"name="}, {"name="}, "an attribute (name=value)"},
    {{"end of text"}, {"end of text"}, "the end of the text"},
    {{"word("}, {"word("}, "a word and '('"},
};
enum { N_GROUPS = sizeof groups / sizeof *groups };

static int find(const char *word, const char *const list[], int n) {
    for (int i = 0; i < n && list[i]; i++)
        if (strcmp(word, list[i]) == 0) return i;
    return -1;
}

static bool contains_all(const char *const these[], const char *const list[], int n) {
    for (int i = 0; i < 4 && these[i]; i++)
        if (find(these[i], list, n) < 0) return false;
    return true;
}

/* Replaces groups of tokens by what they are called; returns how many remain. */
static int name_groups(const char *expected[], int n) {
    for (int g = 0; g < N_GROUPS; g++) {
        if (!contains_all(groups[g].all, expected, n)) continue;
        int kept = 0;
        for (int i = 0; i < n; i++)
            if (find(expected[i], groups[g].these, 8) < 0) expected[kept++] = expected[i];
        expected[kept++] = groups[g].shown;
        n = kept;
    }
    return n;
}

static bool is_one_of_groups(const char *word) {
    for (int g = 0; g < N_GROUPS; g++)
        if (strcmp(groups[g].shown, word) == 0) return true;
    return false;
}

static const char *join_expected(Parser *p, const char *expected[], int n) {
    if (n == 0) return "nothing more";
    static const char *const plain[] = {"integer", "string", "decimal number", "word", "keyword", "type"};
    Text text = {0};
    for (int i = 0; i < n; i++) {
        const char *word = expected[i];
        text_put(&text, i == 0 ? "" : i == n - 1 ? " or " : ", ");
        if (is_one_of_groups(word)) text_put(&text, word);
        else if (find(word, plain, 6) >= 0) text_printf(&text, "%s %s", strchr("aeio", word[0]) ? "an" : "a", word);
        else text_printf(&text, "'%s'", word);
    }
    const char *joined = arena_string(p->scratch, text_string(&text), text.n);
    text_free(&text);
    return joined;
}

static const char *found_text(Parser *p) {
    const Token *token = &p->last;
    if (token->kind == TOKEN_END) return "the end of the text";
    TokenText text = {p->source->bytes + token->span.begin, token->span.end - token->span.begin};
    const char *quoted = token->kind == TOKEN_DEVICES_COMMA ? ", device_ids=" : text_quoted(p, text);
    bool is_type = token->kind == TOKEN_WORD && dtype_from_word(p, token->text) != N_DTYPES;
    return arena_printf(p->scratch, is_type ? "the type '%s'" : "'%s'", quoted);
}

/* Where we are, for the reader: " in attribute 'window'". */
static const char *place_text(Parser *p) {
    if (p->namings.n) return arena_printf(p->scratch, " in '%s'", p->namings.at[p->namings.n - 1].name);
    return "";
}

void syntax_error(Parser *p, const char *expected[], int n) {
    p->recovering = p->recheck = true;
    if (p->last.kind == TOKEN_END && p->levels.n && p->suspect_dict.end) {
        Span brace = {p->suspect_dict.begin, p->suspect_dict.begin + 1},
             end = {p->suspect_dict.end - 1, p->suspect_dict.end};
        parse_error(p, brace, E_ENDLESS, "'{' is never closed, or only by the '}' of its computation");
        parse_note(p, end, "this brace is taken for its end");
        return;
    }
    bool is_empty = p->last.kind == TOKEN_END && !p->module && !p->modules.n && !p->levels.n;
    if (is_empty) {
        parse_error(p, p->last.span, E_NO_MODULE, "the text holds no HLO module");
        return;
    }
    n = name_groups(expected, n);
    const char *found = found_text(p), *place = place_text(p);
    parse_error(p, p->last.span, E_SYNTAX, "expected %s, found %s%s", join_expected(p, expected, n), found, place);
    if (p->last.kind == TOKEN_KEY && lexer_begins_line(p->lexer, p->last.span.begin))
        parse_note(p, p->last.span, "'%s' is read as an attribute: in front of '=' belongs a blank",
                   text_copy(p, p->last.text));
    p->recovering = p->recheck = true;
    p->last_fault = p->last.span.begin;
}
