/* Attributes as HLO text, in the order of the tables (hlo-text-format 9.6). */
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "ir/hlo_print.h"

void print_string(Text *out, const char *bytes, size_t n) {
    static const char escaped[] = "\n\r\t\"'\\", letters[] = "nrt\"'\\";
    text_char(out, '"');
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)bytes[i];
        const char *found = c ? strchr(escaped, c) : NULL;
        if (found) text_printf(out, "\\%c", letters[found - escaped]);
        else if (c >= ' ' && c < 0x7f) text_char(out, (char)c);
        else text_printf(out, "\\%03o", c);
    }
    text_char(out, '"');
}

void print_ints(Text *out, IntList ints) {
    text_char(out, '{');
    for (int i = 0; i < ints.n; i++) {
        if (i) text_char(out, ',');
        text_put_int(out, ints.at[i]);
    }
    text_char(out, '}');
}

void print_alias(Text *out, const AliasEntry *alias) {
    print_ints(out, alias->output_index);
    text_printf(out, ": (%lld, ", (long long)alias->operand);
    print_ints(out, alias->operand_index);
}

static int by_key(const void *a, const void *b) {
    const DictEntry *const *x = a, *const *y = b;
    return strcmp((*x)->key, (*y)->key);
}

void print_dictionary(Text *out, int n, const DictEntry *entries) {
    const DictEntry **sorted = base_malloc(sizeof *sorted * (size_t)n);
    for (int i = 0; i < n; i++) sorted[i] = &entries[i];
    qsort(sorted, (size_t)n, sizeof *sorted, by_key);
    text_char(out, '{');
    for (int i = 0; i < n; i++) {
        text_printf(out, "%s%s=", i ? "," : "", sorted[i]->key);
        if (sorted[i]->is_dict) text_bytes(out, sorted[i]->value, sorted[i]->length);
        else print_string(out, sorted[i]->value, sorted[i]->length);
    }
    text_char(out, '}');
    base_free(sorted);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static void print_int(Text *out, const Attr *attr) {
    text_put_int(out, attr->integer);
}

static void print_bool(Text *out, const Attr *attr) {
    text_put(out, attr->integer ? "true" : "false");
}

static void print_number(Text *out, const Attr *attr) {
    if (attr->number != attr->number) {
        text_put(out, "nan");
        return;
    }
    Decimal decimal = decimal_from_double(attr->number);
    decimal_print(out, &decimal);
}

static void print_text_value(Text *out, const Attr *attr) {
    text_put(out, attr->text);
}

static void print_string_value(Text *out, const Attr *attr) {
    print_string(out, attr->text, attr->length);
}

static void print_config(Text *out, const Attr *attr) {
    if (attr->integer) text_bytes(out, attr->text, attr->length);
    else print_string(out, attr->text, attr->length);
}

static void print_ints_value(Text *out, const Attr *attr) {
    print_ints(out, attr->ints);
}

static void print_bools(Text *out, const Attr *attr) {
    for (int i = 0; i < attr->ints.n; i++) text_printf(out, "%s%s", i ? "," : "{", attr->ints.at[i] ? "true" : "false");
    text_put(out, attr->ints.n ? "}" : "{}");
}

static void print_int_lists(Text *out, const Attr *attr) {
    text_char(out, '{');
    for (int i = 0; i < attr->n_lists; i++) {
        if (i) text_char(out, ',');
        print_ints(out, attr->lists[i]);
    }
    text_char(out, '}');
}

static void print_ints_or_lists(Text *out, const Attr *attr) {
    if (attr->integer) print_int_lists(out, attr);
    else print_ints(out, attr->ints);
}

static void print_computation_value(Text *out, const Attr *attr) {
    print_name(out, attr->computations[0]->name);
}

static void print_computations(Text *out, const Attr *attr) {
    text_char(out, '{');
    for (int i = 0; i < attr->n_computations; i++) {
        if (i) text_put(out, ", ");
        print_name(out, attr->computations[i]->name);
    }
    text_char(out, '}');
}

static void print_instrs(Text *out, const Attr *attr) {
    text_char(out, '{');
    for (int i = 0; i < attr->n_instrs; i++) {
        if (i) text_put(out, ", ");
        print_name(out, attr->instrs[i]->name);
    }
    text_char(out, '}');
}

static void print_dim_labels(Text *out, const Attr *attr) {
    text_put(out, attr->dim_labels->text);
}

static void print_padding(Text *out, const Attr *attr) {
    bool interior = false;
    for (int i = 0; i < attr->n_pads; i++) interior = interior || attr->padding[i].interior != 0;
    for (int i = 0; i < attr->n_pads; i++) {
        const PadDim *pad = &attr->padding[i];
        text_printf(out, "%s%lld_%lld", i ? "x" : "", (long long)pad->low, (long long)pad->high);
        if (interior) text_printf(out, "_%lld", (long long)pad->interior);
    }
}

static void print_slices(Text *out, const Attr *attr) {
    bool strides = false;
    for (int i = 0; i < attr->n_slices; i++) strides = strides || attr->slices[i].stride != 1;
    text_char(out, '{');
    for (int i = 0; i < attr->n_slices; i++) {
        const SliceDim *slice = &attr->slices[i];
        text_printf(out, "%s[%lld:%lld", i ? ", " : "", (long long)slice->start, (long long)slice->limit);
        if (strides) text_printf(out, ":%lld", (long long)slice->stride);
        text_char(out, ']');
    }
    text_char(out, '}');
}

static void print_precisions(Text *out, const Attr *attr) {
    text_char(out, '{');
    for (int i = 0; i < attr->ints.n; i++)
        text_printf(out, "%s%s", i ? "," : "", attr_word(ATTR_KIND_PRECISIONS, (int)attr->ints.at[i]));
    text_char(out, '}');
}

static void print_shape_value(Text *out, const Attr *attr) {
    shape_print(out, attr->shapes[0], SHAPE_WRITTEN_LAYOUT);
}

static void print_shapes(Text *out, const Attr *attr) {
    text_char(out, '{');
    for (int i = 0; i < attr->n_shapes; i++) {
        if (i) text_put(out, ", ");
        shape_print(out, attr->shapes[i], SHAPE_WRITTEN_LAYOUT);
    }
    text_char(out, '}');
}

static void print_aliasing(Text *out, const Attr *attr) {
    text_char(out, '{');
    for (int i = 0; i < attr->n_aliases; i++) {
        if (i) text_put(out, ", ");
        print_alias(out, &attr->aliasing[i]);
        text_char(out, ')');
    }
    text_char(out, '}');
}

static void print_groups(Text *out, const Attr *attr) {
    text_put(out, attr->groups->text);
}

/* Layouts stand in front of the braces of the values, which would be taken for a layout otherwise. */
static void print_typed_literal(Text *out, const Literal *literal) {
    if (!shape_is_tuple(literal->shape)) {
        shape_print(out, literal->shape, SHAPE_LAYOUT);
        text_char(out, ' ');
        literal_print(out, literal, 0);
        return;
    }
    text_put(out, literal->shape->n_elements ? "( " : "(");
    for (int i = 0; i < literal->shape->n_elements; i++) {
        if (i) text_put(out, ", ");
        print_typed_literal(out, literal->elements[i]);
    }
    text_put(out, literal->shape->n_elements ? " )" : ")");
}

static void print_literal_value(Text *out, const Attr *attr) {
    print_typed_literal(out, attr->literal);
}

static void print_dictionary_value(Text *out, const Attr *attr) {
    print_dictionary(out, attr->n_entries, attr->dictionary);
}

/* ---- windows ----------------------------------------------------------------------------------------------------- */

typedef enum { SIZE, STRIDE, PAD, LHS_DILATE, RHS_DILATE, RHS_REVERSAL, N_PARTS } WindowPart;

static bool is_default(const WindowDim *dim, WindowPart part) {
    switch (part) {
    case STRIDE: return dim->stride == 1;
    case PAD: return dim->pad_low == 0 && dim->pad_high == 0;
    case LHS_DILATE: return dim->base_dilation == 1;
    case RHS_DILATE: return dim->window_dilation == 1;
    case RHS_REVERSAL: return !dim->reversal;
    case SIZE:
    case N_PARTS: break;
    }
    return false;
}

static void print_window_dim(Text *out, const WindowDim *dim, WindowPart part) {
    switch (part) {
    case SIZE: text_put_int(out, dim->size); return;
    case STRIDE: text_put_int(out, dim->stride); return;
    case PAD: text_printf(out, "%lld_%lld", (long long)dim->pad_low, (long long)dim->pad_high); return;
    case LHS_DILATE: text_put_int(out, dim->base_dilation); return;
    case RHS_DILATE: text_put_int(out, dim->window_dilation); return;
    case RHS_REVERSAL: text_put_int(out, dim->reversal); return;
    case N_PARTS: return;
    }
}

static void print_window(Text *out, const Attr *attr) {
    static const char *const names[N_PARTS] = {"size", "stride", "pad", "lhs_dilate", "rhs_dilate", "rhs_reversal"};
    const Window *window = &attr->window;
    text_char(out, '{');
    for (int part = SIZE; part < N_PARTS; part++) {
        bool shown = false;
        for (int d = 0; d < window->n; d++) shown = shown || !is_default(&window->dims[d], (WindowPart)part);
        if (!shown) continue;
        text_printf(out, "%s%s=", part == SIZE ? "" : " ", names[part]);
        for (int d = 0; d < window->n; d++) {
            if (d) text_char(out, 'x');
            print_window_dim(out, &window->dims[d], (WindowPart)part);
        }
    }
    text_char(out, '}');
}

/* ---- one attribute, and all -------------------------------------------------------------------------------------- */

static void (*const printers[])(Text *, const Attr *) = {
    [ATTR_KIND_INT] = print_int,
    [ATTR_KIND_BOOL] = print_bool,
    [ATTR_KIND_FLOAT] = print_number,
    [ATTR_KIND_STRING] = print_string_value,
    [ATTR_KIND_INTS] = print_ints_value,
    [ATTR_KIND_BOOLS] = print_bools,
    [ATTR_KIND_INT_LISTS] = print_int_lists,
    [ATTR_KIND_INTS_OR_LISTS] = print_ints_or_lists,
    [ATTR_KIND_COMPUTATION] = print_computation_value,
    [ATTR_KIND_COMPUTATIONS] = print_computations,
    [ATTR_KIND_NAMES] = print_instrs,
    [ATTR_KIND_WINDOW] = print_window,
    [ATTR_KIND_DIM_LABELS] = print_dim_labels,
    [ATTR_KIND_PADDING] = print_padding,
    [ATTR_KIND_SLICES] = print_slices,
    [ATTR_KIND_PRECISIONS] = print_precisions,
    [ATTR_KIND_SHAPE] = print_shape_value,
    [ATTR_KIND_SHAPES] = print_shapes,
    [ATTR_KIND_ALIASING] = print_aliasing,
    [ATTR_KIND_GROUPS] = print_groups,
    [ATTR_KIND_LITERAL] = print_literal_value,
    [ATTR_KIND_DICTIONARY] = print_dictionary_value,
    [ATTR_KIND_CONFIG] = print_config,
};

static void print_value(Text *out, const Attr *attr) {
    AttrKind kind = attr_kind(attr->id);
    const char *const *words;
    bool listed = (size_t)kind < sizeof printers / sizeof *printers && printers[kind];
    if (listed) printers[kind](out, attr);
    else if (attr_words(kind, &words)) text_put(out, words[attr->integer]);
    else print_text_value(out, attr);
}

void print_attr(Text *out, const Attr *attr) {
    text_put(out, attr_name(attr->id));
    text_char(out, '=');
    print_value(out, attr);
}

/* Booleans are shown only where they are true; but for these, whose default is true or was not always false. */
static bool is_shown(const Attr *attr, Op op, const HloPrintOptions *options) {
    if (attr_kind(attr->id) == ATTR_KIND_BOOL)
        return attr->integer || op == OP_TOPK || attr->id == ATTR_HAS_DYNAMIC_ROOT;
    if (attr->id == ATTR_WINDOW) return attr->window.n > 0;
    bool about_source = attr->id == ATTR_METADATA || attr->id == ATTR_ORIGIN || attr->id == ATTR_STATISTICS;
    return options->metadata || !about_source;
}

static void print_one(Text *out, const Instr *instr, AttrId id, const HloPrintOptions *options) {
    const Attr *attr = instr_attr(instr, id);
    if (!attr || !is_shown(attr, instr->op, options)) return;
    text_put(out, ", ");
    print_attr(out, attr);
}

void print_attrs(Text *out, const Instr *instr, const HloPrintOptions *options) {
    if (!instr->attrs.n) return;
    for (const int *row = op_attrs(instr->op); *row >= 0; row++)
        print_one(out, instr, (AttrId)(*row & ~ATTR_REQUIRED), options);
    for (int id = ATTR_SHARDING; id <= ATTR_BACKEND_CONFIG; id++) print_one(out, instr, (AttrId)id, options);
}
