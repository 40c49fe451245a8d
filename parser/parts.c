/* Values that are lists of parts: windows, metadata, domains ... (parser/parts.def). */
#include "parser/parts.h"

#include <string.h>

#include "parser/actions.h"

enum { REQUIRED = PART_REQUIRED, INT32 = PART_INT32, OLD = PART_OLD };

static const PartRow rows[] = {
#define PART(of, key, kind, flags) {ATTR_KIND_##of, key, ATTR_KIND_##kind, flags},
#include "parser/parts.def"
#undef PART
};
enum { N_ROWS = sizeof rows / sizeof *rows };

/* What the parts that are being read are parts of. */
static AttrKind parent_kind(const Naming *parent) {
    return parent->kind == ATTR_KIND_METADATAS ? ATTR_KIND_METADATA : parent->kind;
}

void parts_begin(Parser *p) {
    naming(p)->first_part = p->parts.n;
}

static bool report_unknown(Parser *p, const Naming *parent, TokenText key, Span span) {
    const char *keys[N_ROWS];
    int n = 0;
    for (int i = 0; i < N_ROWS; i++)
        if (rows[i].of == parent_kind(parent)) keys[n++] = rows[i].key;
    return parse_fail(p, span, E_UNKNOWN_PART, "'%s' is no part of '%s'%s", text_quoted(p, key), parent->name,
                      suggestion(p, key, keys, n));
}

static const Part *find_part(const Parser *p, const Naming *parent, const char *key) {
    for (int i = parent->first_part; i < p->parts.n; i++)
        if (strcmp(p->parts.at[i].row->key, key) == 0) return &p->parts.at[i];
    return NULL;
}

bool part_begin(Parser *p, TokenText key, Span span) {
    const Naming *parent = naming(p);
    const PartRow *row = NULL;
    for (int i = 0; i < N_ROWS && !row; i++)
        if (rows[i].of == parent_kind(parent) && text_is(key, rows[i].key)) row = &rows[i];
    if (!row) return report_unknown(p, parent, key, span);
    const Part *first = find_part(p, parent, row->key);
    if (first) {
        parse_fail(p, span, E_DUPLICATE, "'%s' stands twice in '%s'", row->key, parent->name);
        parse_note(p, first->name, "the first is here");
        return false;
    }
    if (row->flags & PART_OLD)
        diag_warning(p->diags, span, W_OLD, "'%s' is from an old version and left out", row->key);
    naming_push(p, row->key, span, row->kind)->row = row;
    expect_value(p, row->kind);
    return true;
}

void part_end(Parser *p, Span span) {
    Naming *part = naming(p);
    part->value.value = span;
    bool too_large = part->value.integer < INT32_MIN || part->value.integer > INT32_MAX;
    if (part->row->flags & PART_INT32 && too_large)
        parse_error(p, span, E_INTEGER_RANGE, "%lld is out of range for '%s', a number of 32 bits",
                    (long long)part->value.integer, part->name);
    Part read = {part->row, part->span, part->value};
    naming_pop(p);
    vec_push(p->scratch, &p->parts, read);
}

/* ---- windows ----------------------------------------------------------------------------------------------------- */

/* Where a part of a window goes in a WindowDim. */
static void set_window_dims(const Part *part, WindowDim *dims, int n) {
    const char *key = part->row->key;
    for (int d = 0; d < n; d++) {
        if (strcmp(key, "pad") == 0) {
            dims[d].pad_low = part->value.padding[d].low;
            dims[d].pad_high = part->value.padding[d].high;
            continue;
        }
        int64_t value = part->value.ints.at[d];
        if (strcmp(key, "size") == 0) dims[d].size = value;
        else if (strcmp(key, "stride") == 0) dims[d].stride = value;
        else if (strcmp(key, "lhs_dilate") == 0) dims[d].base_dilation = value;
        else if (strcmp(key, "rhs_dilate") == 0) dims[d].window_dilation = value;
        else dims[d].reversal = value != 0;
    }
}

static bool check_window_part(Parser *p, const Part *part, int n) {
    const char *key = part->row->key;
    bool is_pad = part->row->kind == ATTR_KIND_PADDING;
    int length = is_pad ? part->value.n_pads : part->value.ints.n;
    if (length != n) {
        parse_error(p, part->value.value, E_WINDOW, "'%s' has %d dimension%s, 'size' %d", key, length,
                    length == 1 ? "" : "s", n);
        return false;
    }
    for (int d = 0; is_pad && d < n; d++) {
        if (part->value.padding[d].interior < 0) continue;
        parse_error(p, part->value.value, E_WINDOW, "padding of a window is low_high, without a third number");
        return false;
    }
    return true;
}

static void finish_window(Parser *p, Naming *window) {
    const Part *size = find_part(p, window, "size");
    int n = size ? size->value.ints.n : 0;
    WindowDim *dims = NEW_ARRAY(p->arena, WindowDim, n);
    for (int d = 0; d < n; d++) dims[d] = (WindowDim){.size = 1, .stride = 1, .base_dilation = 1, .window_dilation = 1};
    for (int i = window->first_part; i < p->parts.n; i++)
        if (check_window_part(p, &p->parts.at[i], n)) set_window_dims(&p->parts.at[i], dims, n);
    window->value.window = (Window){n, dims};
}

/* ---- others ------------------------------------------------------------------------------------------------------ */

static void finish_metadata(Parser *p, Naming *metadata) {
    p->entries.n = 0;
    for (int i = metadata->first_part; i < p->parts.n; i++) {
        const Part *part = &p->parts.at[i];
        if (part->row->kind != ATTR_KIND_STRING) continue;
        DictEntry entry = {part->row->key, part->value.text, part->value.length, false};
        vec_push(p->scratch, &p->entries, entry);
    }
    value_dictionary(p);
    const Part *profile = find_part(p, metadata, "profile_type");
    for (int i = 0; profile && i < profile->value.ints.n; i++)
        if (profile->value.ints.at[i] < 0 || profile->value.ints.at[i] > 3)
            parse_error(p, profile->value.value, E_VALUE, "profile types are 0 to 3, not %lld",
                        (long long)profile->value.ints.at[i]);
}

static void check_required(Parser *p, const Naming *parent, Span span) {
    for (int i = 0; i < N_ROWS; i++) {
        if (rows[i].of != parent_kind(parent) || !(rows[i].flags & PART_REQUIRED)) continue;
        if (!find_part(p, parent, rows[i].key))
            parse_error(p, span, E_MISSING_PART, "'%s' lacks its '%s'", parent->name, rows[i].key);
    }
}

static void check_tolerances(Parser *p, const Naming *tolerance) {
    for (int i = tolerance->first_part; i < p->parts.n; i++)
        if (p->parts.at[i].value.number < 0)
            parse_error(p, p->parts.at[i].value.value, E_VALUE, "'%s' is not negative", p->parts.at[i].row->key);
}

static void check_domain(Parser *p, const Naming *domain) {
    const Part *kind = find_part(p, domain, "kind");
    if (kind && strcmp(kind->value.text, "sharding") != 0)
        parse_error(p, kind->value.value, E_VALUE, "the only kind of domain is \"sharding\", not \"%s\"",
                    text_quoted(p, (TokenText){kind->value.text, kind->value.length}));
}

void value_parts(Parser *p, Span span) {
    Naming *parent = naming(p);
    check_required(p, parent, span);
    AttrKind kind = parent_kind(parent);
    if (kind == ATTR_KIND_WINDOW) finish_window(p, parent);
    if (kind == ATTR_KIND_METADATA) finish_metadata(p, parent);
    if (kind == ATTR_KIND_DOMAIN) check_domain(p, parent);
    if (kind == ATTR_KIND_TOLERANCE) check_tolerances(p, parent);
    p->parts.n = parent->first_part;
    if (kind != ATTR_KIND_WINDOW) parent->value.text = source_text(p, span);
}
