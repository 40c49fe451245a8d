/* Values of attributes, by their kind (ir/attr.h). */
#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "parser/actions.h"

/* Elements first .. first+n-1 of a list. */
static void *copy_part(Parser *p, const void *at, int first, int n, size_t element_bytes) {
    void *copy = arena_alloc(p->arena, (size_t)n * element_bytes);
    if (n) memcpy(copy, (const char *)at + (size_t)first * element_bytes, (size_t)n * element_bytes);
    return copy;
}

static void *copy_list(Parser *p, const void *at, int n, size_t element_bytes) {
    return copy_part(p, at, 0, n, element_bytes);
}

/* ---- names of values --------------------------------------------------------------------------------------------- */

Naming *naming(Parser *p) {
    return &p->namings.at[p->namings.n - 1];
}

Naming *naming_push(Parser *p, const char *name, Span span, AttrKind kind) {
    Naming fresh = {.name = name,
                    .span = span,
                    .kind = kind,
                    .first_part = p->parts.n,
                    .first_shape = p->shapes.n,
                    .first_callee = p->callees.n};
    fresh.value.name = span;
    vec_push(p->scratch, &p->namings, fresh);
    p->ints.n = p->int_lists.n = p->instrs.n = p->slices.n = p->aliases.n = 0;
    if (kind == ATTR_KIND_DICTIONARY) p->entries.n = 0;
    return naming(p);
}

void naming_pop(Parser *p) {
    Naming *top = naming(p);
    p->parts.n = top->first_part;
    p->shapes.n = p->shape_spans.n = top->first_shape;
    p->callees.n = top->first_callee;
    p->ints.n = 0;
    p->namings.n--;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

int64_t token_int(Parser *p, TokenText text, Span span) {
    bool negative = text.at[0] == '-', too_large = false;
    uint64_t value = 0, limit = negative ? UINT64_C(1) << 63 : INT64_MAX;
    for (size_t i = negative; i < text.n; i++) {
        uint64_t digit = (uint64_t)(text.at[i] - '0');
        too_large = too_large || value > (limit - digit) / 10;
        value = 10 * value + digit;
    }
    if (!too_large) return (int64_t)(negative ? 0 - value : value);
    parse_error(p, span, E_INTEGER_RANGE, "%s is out of range: integers have 64 bits", text_quoted(p, text));
    return 0; /* nothing more is said about it */
}

IntList ints_take(Parser *p) {
    IntList ints = {p->ints.n, copy_list(p, p->ints.at, p->ints.n, sizeof *p->ints.at)};
    p->ints.n = 0;
    return ints;
}

void ints_add(Parser *p, int64_t value) {
    vec_push(p->scratch, &p->ints, value);
}

void int_lists_add(Parser *p, IntList list) {
    vec_push(p->scratch, &p->int_lists, list);
}

void value_int(Parser *p, int64_t value) {
    naming(p)->value.integer = value;
}

void value_float(Parser *p, TokenText text, Span span) {
    bool is_inf = text.at[text.n - 1] == 'f', is_nan = !is_inf && memchr(text.at, 'n', text.n);
    double value = is_inf ? INFINITY : is_nan ? NAN : decimal_read(text.at, text.n);
    if (isinf(value))
        parse_error(p, span, E_VALUE, "'%s' wants a finite number, not %s", naming(p)->name, text_quoted(p, text));
    naming(p)->value.number = value;
}

void value_ints(Parser *p, IntList ints) {
    naming(p)->value.ints = ints;
}

void value_taken_ints(Parser *p) {
    naming(p)->value.ints = ints_take(p);
}

void value_int_lists(Parser *p) {
    Attr *value = &naming(p)->value;
    value->integer = 1;
    value->n_lists = p->int_lists.n;
    value->lists = copy_list(p, p->int_lists.at, p->int_lists.n, sizeof *p->int_lists.at);
}

/* Numbers of d1xd2x... from at on; returns how many. */
void value_sizes(Parser *p, TokenText text) {
    p->ints.n = 0;
    const char *at = text.at, *end = text.at + text.n;
    while (at < end) {
        const char *number = at;
        while (at < end && *at != 'x') at++;
        Span span = span_within(p, number, at);
        vec_push(p->scratch, &p->ints, token_int(p, (TokenText){number, (size_t)(at - number)}, span));
        at++;
    }
    value_taken_ints(p);
}

/* One number of low_high_interior; *at moves behind it. */
static int64_t pad_number(Parser *p, const char **at, const char *end) {
    const char *number = *at;
    *at += **at == '-';
    while (*at < end && **at >= '0' && **at <= '9') ++*at;
    return token_int(p, (TokenText){number, (size_t)(*at - number)}, span_within(p, number, *at));
}

/* interior is -1 where it is not written; the padding attribute makes it 0. */
void value_padding(Parser *p, TokenText text) {
    VEC(PadDim) pads = {0};
    const char *at = text.at, *end = text.at + text.n;
    while (at < end) {
        PadDim pad = {.interior = -1};
        pad.low = pad_number(p, &at, end);
        at++;
        pad.high = pad_number(p, &at, end);
        if (at < end && *at == '_') at++, pad.interior = pad_number(p, &at, end);
        if (naming(p)->kind == ATTR_KIND_PADDING && !naming(p)->row && pad.interior < 0) pad.interior = 0;
        vec_push(p->arena, &pads, pad);
        at++;
    }
    naming(p)->value.n_pads = pads.n;
    naming(p)->value.padding = pads.at;
}

/* ---- words and strings ------------------------------------------------------------------------------------------- */

static void report_word(Parser *p, AttrKind kind, TokenText word, Span span) {
    const char *const *words;
    int n = attr_words(kind, &words);
    const char *hint = suggestion(p, word, words, n);
    if (!*hint && n <= 6) hint = arena_printf(p->scratch, ": it is %s", quoted_list(p, words, n));
    parse_error(p, span, E_UNKNOWN_WORD, "'%s' is no value of '%s'%s", text_quoted(p, word), naming(p)->name, hint);
}

void value_word(Parser *p, TokenText word, Span span) {
    Naming *top = naming(p);
    int value = attr_word_value(top->kind, word.at, word.n);
    if (value < 0) report_word(p, top->kind, word, span);
    top->value.integer = value < 0 ? 0 : value;
}

void value_add_word(Parser *p, TokenText word, Span span) {
    int value = attr_word_value(naming(p)->kind, word.at, word.n);
    if (value < 0) report_word(p, naming(p)->kind, word, span);
    vec_push(p->scratch, &p->ints, value < 0 ? 0 : value);
}

void value_text(Parser *p, Span span) {
    naming(p)->value.text = source_text(p, span);
}

void value_string(Parser *p, TokenText text, Span span) {
    Attr *value = &naming(p)->value;
    TokenText bytes = string_bytes(p, text, span);
    value->integer = 0;
    value->text = bytes.at;
    value->length = bytes.n;
}

void value_dict(Parser *p, TokenText text, Span span) {
    bool over_lines = memchr(text.at, '\n', text.n) != NULL, in_first_column = text.at[text.n - 2] == '\n';
    if (over_lines && in_first_column) p->suspect_dict = span;
    Attr *value = &naming(p)->value;
    value->integer = 1;
    value->text = text_copy(p, text);
    value->length = text.n;
}

/* ---- dictionaries ------------------------------------------------------------------------------------------------ */

void entry_key(Parser *p, TokenText key) {
    p->entry_key = text_copy(p, key);
    lexer_expect_dict(p->lexer);
}

static void add_entry(Parser *p, TokenText value, bool is_dict) {
    DictEntry entry = {p->entry_key, value.at, value.n, is_dict};
    for (int i = 0; i < p->entries.n; i++) { /* the last one of equal keys counts */
        if (strcmp(p->entries.at[i].key, entry.key) != 0) continue;
        p->entries.at[i] = entry;
        return;
    }
    vec_push(p->scratch, &p->entries, entry);
}

void entry_string(Parser *p, TokenText text, Span span) {
    add_entry(p, string_bytes(p, text, span), false);
}

void entry_dict(Parser *p, TokenText text) {
    add_entry(p, (TokenText){text_copy(p, text), text.n}, true);
}

void value_dictionary(Parser *p) {
    naming(p)->value.n_entries = p->entries.n;
    naming(p)->value.dictionary = copy_list(p, p->entries.at, p->entries.n, sizeof *p->entries.at);
}

/* ---- shapes, slices, aliases, callees ---------------------------------------------------------------------------- */

void value_shapes(Parser *p) {
    Naming *top = naming(p);
    int n = p->shapes.n - top->first_shape;
    top->value.n_shapes = n;
    top->value.shapes = copy_part(p, p->shapes.at, top->first_shape, n, sizeof *p->shapes.at);
    top->value.shape_spans = copy_part(p, p->shape_spans.at, top->first_shape, n, sizeof *p->shape_spans.at);
}

void slice_add(Parser *p, int64_t start, int64_t limit, int64_t stride) {
    vec_push(p->scratch, &p->slices, (SliceDim){start, limit, stride});
}

void value_slices(Parser *p) {
    naming(p)->value.n_slices = p->slices.n;
    naming(p)->value.slices = copy_list(p, p->slices.at, p->slices.n, sizeof *p->slices.at);
}

void alias_add(Parser *p, IntList output_index, Span output, int64_t operand, Span span, IntList operand_index) {
    if (output_index.n) output.begin = lexer_skip(p->lexer, output.begin + 1); /* its first number */
    AliasEntry entry = {output_index, operand, operand_index, ALIAS_MAY, output, span};
    vec_push(p->scratch, &p->aliases, entry);
}

void alias_kind(Parser *p, TokenText word, Span span) {
    static const char *const words[] = {"may-alias", "must-alias"};
    AliasEntry *entry = &p->aliases.at[p->aliases.n - 1];
    if (text_is(word, words[0])) entry->kind = ALIAS_MAY;
    else if (text_is(word, words[1])) entry->kind = ALIAS_MUST;
    else
        parse_error(p, span, E_UNKNOWN_WORD, "'%s' is no kind of alias: %s", text_quoted(p, word),
                    quoted_list(p, words, 2));
    if (naming(p)->value.id != ATTR_INPUT_OUTPUT_ALIAS)
        parse_error(p, span, E_VALUE, "only input_output_alias has kinds of alias");
}

void value_aliasing(Parser *p) {
    naming(p)->value.n_aliases = p->aliases.n;
    naming(p)->value.aliasing = copy_list(p, p->aliases.at, p->aliases.n, sizeof *p->aliases.at);
}

void value_instrs(Parser *p) {
    naming(p)->value.n_instrs = p->instrs.n;
    naming(p)->value.instrs = copy_list(p, p->instrs.at, p->instrs.n, sizeof *p->instrs.at);
}

void value_computations(Parser *p) {
    Naming *top = naming(p);
    int n = p->callees.n - top->first_callee;
    top->value.n_computations = n;
    top->value.computations = copy_part(p, p->callees.at, top->first_callee, n, sizeof *p->callees.at);
}

void value_literal(Parser *p) {
    naming(p)->value.literal = literal_take(p);
}

void origin_word(Parser *p, TokenText word, Span span) {
    if (!text_is(word, "synthetic_call"))
        parse_error(p, span, E_UNKNOWN_WORD, "'%s' is no origin: it is 'synthetic_call'", text_quoted(p, word));
}
