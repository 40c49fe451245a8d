/* Words of the tables, and what to say about a word that is in none. */
#include <ctype.h>
#include <string.h>

#include "parser/actions.h"

static void put_word(Parser *p, StringTable *table, const char *word, int value) {
    string_table_put(p->scratch, table, word, strlen(word), (void *)(uintptr_t)(value + 1));
}

void words_init(Parser *p) {
    for (int i = 0; i < N_OPS; i++) put_word(p, &p->opcodes, op_name((Op)i), i);
    for (int i = 0; i < N_ATTRS; i++) put_word(p, &p->attributes, attr_name((AttrId)i), i);
    for (int i = 0; i < N_DTYPES; i++)
        if (i != DT_TUPLE && i != DT_BUFFER) put_word(p, &p->types, dtype_name((DType)i), i);
}

static int find_word(const StringTable *table, TokenText word, int otherwise) {
    uintptr_t found = (uintptr_t)string_table_get(table, word.at, word.n);
    return found ? (int)found - 1 : otherwise;
}

DType dtype_from_word(const Parser *p, TokenText word) {
    return (DType)find_word(&p->types, word, N_DTYPES);
}

Op op_from_word(const Parser *p, TokenText word) {
    return (Op)find_word(&p->opcodes, word, N_OPS);
}

AttrId attr_from_word(const Parser *p, TokenText word) {
    return (AttrId)find_word(&p->attributes, word, N_ATTRS);
}

bool text_is(TokenText text, const char *word) {
    return text.n == strlen(word) && memcmp(text.at, word, text.n) == 0;
}

const char *text_copy(Parser *p, TokenText text) {
    return arena_string(p->arena, text.at, text.n);
}

/* A name that was shortened to fit into a message. */
const char *text_quoted(Parser *p, TokenText text) {
    enum { LONGEST = 60 };
    if (text.n <= LONGEST) return arena_string(p->scratch, text.at, text.n);
    return arena_printf(p->scratch, "%.*s...", LONGEST - 3, text.at);
}

static bool is_in_other_case(TokenText text, const char *word) {
    if (text.n != strlen(word)) return false;
    for (size_t i = 0; i < text.n; i++)
        if (tolower((unsigned char)text.at[i]) != tolower((unsigned char)word[i])) return false;
    return true;
}

typedef struct {
    const char *elsewhere, *here;
} OtherWord;

static const OtherWord other_opcodes[] = {
#define OTHER_OPCODE(elsewhere, here) {elsewhere, here},
#include "parser/other_words.def"
#undef OTHER_OPCODE
};

static const OtherWord other_types[] = {
#define OTHER_TYPE(elsewhere, here) {elsewhere, here},
#include "parser/other_words.def"
#undef OTHER_TYPE
};

/* What is called so elsewhere, as a suggestion; NULL: nothing is. */
static const char *other_word(Parser *p, TokenText word, const OtherWord *words, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (text_is(word, words[i].elsewhere)) return arena_printf(p->scratch, "; did you mean '%s'?", words[i].here);
    return NULL;
}

/* "; did you mean 'x'?", or nothing. */
const char *suggestion(Parser *p, TokenText word, const char *const words[], int n) {
    const char *nearest = NULL;
    for (int i = 0; i < n && !nearest; i++)
        if (is_in_other_case(word, words[i])) nearest = words[i];
    if (!nearest && word.n <= 64) nearest = nearest_word(text_quoted(p, word), words, n);
    return nearest ? arena_printf(p->scratch, "; did you mean '%s'?", nearest) : "";
}

/* X-start and the like, misspelt behind the dash. */
static const char *async_suggestion(Parser *p, TokenText word) {
    static const char *const forms[] = {"start", "update", "done"};
    size_t dash = word.n;
    while (dash > 0 && word.at[dash - 1] != '-') dash--;
    if (dash < 2 || word.n - dash > 16 || op_from_word(p, (TokenText){word.at, dash - 1}) == N_OPS) return "";
    const char *form = nearest_word(arena_string(p->scratch, word.at + dash, word.n - dash), forms, 3);
    if (!form) return "";
    Op wrapped;
    const char *whole = arena_printf(p->scratch, "%.*s%s", (int)dash, word.at, form);
    bool exists = async_from_word(p, (TokenText){whole, strlen(whole)}, &wrapped) != N_OPS;
    return exists ? arena_printf(p->scratch, "; did you mean '%s'?", whole) : "";
}

const char *opcode_suggestion(Parser *p, TokenText word) {
    const char *other = other_word(p, word, other_opcodes, sizeof other_opcodes / sizeof *other_opcodes);
    if (other) return other;
    const char *names[N_OPS];
    for (int i = 0; i < N_OPS; i++) names[i] = op_name((Op)i);
    const char *nearest = suggestion(p, word, names, N_OPS);
    return *nearest ? nearest : async_suggestion(p, word);
}

const char *dtype_suggestion(Parser *p, TokenText word) {
    const char *other = other_word(p, word, other_types, sizeof other_types / sizeof *other_types);
    if (other) return other;
    const char *names[N_DTYPES];
    for (int i = 0; i < N_DTYPES; i++) names[i] = dtype_name((DType)i);
    return suggestion(p, word, names, N_DTYPES);
}

const char *attr_suggestion(Parser *p, TokenText word) {
    const char *names[N_ATTRS];
    int n = 0;
    for (int i = 0; i < N_ATTRS; i++)
        if (attribute_is_expected(p, (AttrId)i)) names[n++] = attr_name((AttrId)i);
    return suggestion(p, word, names, n);
}

/* "a, b or c", each in quotes. */
const char *quoted_list(Parser *p, const char *const words[], int n) {
    Text text = {0};
    for (int i = 0; i < n; i++) text_printf(&text, "%s'%s'", i == 0 ? "" : i == n - 1 ? " or " : ", ", words[i]);
    const char *list = arena_string(p->scratch, text_string(&text), text.n);
    text_free(&text);
    return list;
}
