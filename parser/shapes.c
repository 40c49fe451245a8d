/* Shapes and layouts. Equal shapes of a text become one Shape. */
#include "parser/shapes.h"

#include <string.h>

#include "base/decimal.h"
#include "parser/actions.h"

/* ---- arrays ------------------------------------------------------------------------------------------------------ */

void shape_begin(Parser *p, TokenText type) {
    ShapeDraft *draft = &p->shape;
    draft->dtype = dtype_from_word(p, type);
    draft->dims.n = draft->kinds.n = 0;
    draft->dynamic = draft->has_layout = false;
}

void shape_dim(Parser *p, int64_t size, int kind, Span span) {
    ShapeDraft *draft = &p->shape;
    if (kind != DIM_UNBOUNDED && size < 0) {
        parse_error(p, span, E_SHAPE, "the size of a dimension is %lld, below 0", (long long)size);
        size = 0;
    }
    vec_push(p->scratch, &draft->dims, size);
    vec_push(p->scratch, &draft->kinds, (uint8_t)kind);
    if (kind != DIM_STATIC) draft->dynamic = true;
}

static bool same_list(const int64_t *a, int n, const int64_t *b, int m) {
    return n == m && (n == 0 || memcmp(a, b, (size_t)n * sizeof *a) == 0);
}

static bool same_text(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

static uint64_t hash_draft(const ShapeDraft *draft) {
    uint64_t hash = hash_mix(draft->dtype, hash_bytes(draft->dims.at, (size_t)draft->dims.n * sizeof(int64_t)));
    if (draft->dynamic) hash = hash_mix(hash, hash_bytes(draft->kinds.at, (size_t)draft->kinds.n));
    if (!draft->has_layout) return hash;
    hash = hash_mix(hash, hash_bytes(draft->order.at, (size_t)draft->order.n * sizeof(int64_t)));
    return hash_mix(hash, hash_bytes(text_string(&draft->items), draft->items.n));
}

static bool is_draft(const Shape *shape, const ShapeDraft *draft) {
    const Layout *layout = shape->layout;
    if (shape->dtype != draft->dtype || !same_list(shape->dims, shape->rank, draft->dims.at, draft->dims.n))
        return false;
    if (draft->dynamic != (shape->dynamic != NULL)) return false;
    if (draft->dynamic && memcmp(shape->dynamic, draft->kinds.at, (size_t)draft->kinds.n) != 0) return false;
    if (!layout || layout->written != draft->has_layout) return layout == NULL;
    if (!draft->has_layout) return true;
    return same_list(layout->minor_to_major, layout->n_minor_to_major, draft->order.at, draft->order.n) &&
           same_text(layout->items ? layout->items : "", text_string(&draft->items));
}

static const Layout *make_layout(Parser *p, const ShapeDraft *draft) {
    if (!draft->has_layout) return layout_default(p->arena, draft->dims.n);
    Layout *layout = NEW(p->arena, Layout);
    int64_t *order = NEW_ARRAY(p->arena, int64_t, draft->order.n);
    if (draft->order.n) memcpy(order, draft->order.at, (size_t)draft->order.n * sizeof *order);
    *layout = (Layout){.n_minor_to_major = draft->order.n,
                       .minor_to_major = order,
                       .written = true,
                       .auto_layout = draft->order.n == 0 && draft->dims.n > 0,
                       .items = draft->items.n ? arena_string(p->arena, draft->items.at, draft->items.n) : NULL,
                       .element_bits = (int)draft->element_bits,
                       .memory_space = (int)draft->memory_space};
    return layout;
}

static const Shape *make_array(Parser *p, const ShapeDraft *draft) {
    if (!dtype_is_array(draft->dtype)) return draft->dtype == DT_TOKEN ? shape_token(p->arena) : shape_opaque(p->arena);
    Shape *shape = NEW(p->arena, Shape);
    *shape = *shape_array(p->arena, draft->dtype, draft->dims.n, draft->dims.at);
    shape->layout = make_layout(p, draft);
    if (!draft->dynamic) return shape;
    uint8_t *kinds = NEW_ARRAY(p->arena, uint8_t, draft->kinds.n);
    memcpy(kinds, draft->kinds.at, (size_t)draft->kinds.n);
    shape->dynamic = kinds;
    return shape;
}

/* XLA multiplies the sizes in order, and minds that they overflow before they are 0. */
static bool elements_overflow(const Shape *shape) {
    int64_t n = 1;
    for (int d = 0; d < shape->rank; d++) {
        if (shape->dims[d] > 0 && n > INT64_MAX / shape->dims[d]) return true;
        n *= shape->dims[d] >= 0 ? shape->dims[d] : 1;
    }
    return false;
}

static void check_size(Parser *p, const Shape *shape, Span span) {
    if (shape_bytes(shape) < INT64_MAX && !elements_overflow(shape)) return;
    parse_error(p, span, E_SHAPE_SIZE, "%s is larger than 2^63 bytes", shape_text(p->arena, shape));
}

static void check_layout(Parser *p, const Shape *shape, Span span) {
    const Layout *layout = shape->layout;
    const char *text = shape_text(p->arena, shape);
    if (layout->auto_layout) {
        if (layout->memory_space == 0) parse_error(p, span, E_LAYOUT, "the layout of %s lists no dimensions", text);
        return;
    }
    if (layout->n_minor_to_major != shape->rank) {
        parse_error(p, span, E_LAYOUT, "the layout lists %d dimension%s, but %s has %d", layout->n_minor_to_major,
                    layout->n_minor_to_major == 1 ? "" : "s", text, shape->rank);
        return;
    }
    bool *seen = NEW_ARRAY(p->scratch, bool, shape->rank);
    for (int i = 0; i < shape->rank; i++) {
        int64_t d = layout->minor_to_major[i];
        if (d < 0 || d >= shape->rank || seen[d]) {
            parse_error(p, span, E_LAYOUT, "the layout of %s is no permutation of its dimensions: %lld is %s", text,
                        (long long)d, d < 0 || d >= shape->rank ? "out of range" : "there twice");
            return;
        }
        seen[d] = true;
    }
    if (p->shape.n_levels >= 0 && p->shape.n_levels != shape->rank)
        parse_error(p, span, E_LAYOUT, "D(...) lists %d dimensions, but %s has %d", p->shape.n_levels, text,
                    shape->rank);
}

const Shape *shape_array_end(Parser *p, Span span, Span layout) {
    ShapeDraft *draft = &p->shape;
    draft->has_layout = layout.end != 0;
    if (!dtype_is_array(draft->dtype) && (draft->dims.n || draft->has_layout)) {
        parse_error(p, span, E_SHAPE, "%s has neither dimensions nor a layout", dtype_name(draft->dtype));
        draft->has_layout = false;
    }
    uint64_t hash = hash_draft(draft);
    const Shape *known = key_table_get(&p->known_shapes, hash);
    if (known && is_draft(known, draft)) return known;
    const Shape *shape = make_array(p, draft);
    if (shape_is_array(shape)) {
        check_size(p, shape, span);
        if (draft->has_layout) check_layout(p, shape, layout);
    }
    key_table_put(p->scratch, &p->known_shapes, hash, (void *)shape);
    return shape;
}

/* ---- tuples and buffers ------------------------------------------------------------------------------------------ */

void shape_declare(Parser *p, const Shape *shape, Span span) {
    p->declared = shape;
    p->declared_span = span;
    p->declared_broken = p->faulty;
    p->faulty = false;
}

void shape_add(Parser *p, const Shape *shape, Span span) {
    vec_push(p->scratch, &p->shapes, shape);
    vec_push(p->scratch, &p->shape_spans, span);
}

const Shape *shape_take_tuple(Parser *p, int first) {
    int n = p->shapes.n - first;
    const Shape *tuple = shape_tuple(p->arena, n, n ? p->shapes.at + first : NULL);
    p->shapes.n = p->shape_spans.n = first;
    return tuple;
}

const Shape *shape_buffer(Parser *p, const Shape *content, Span span) {
    if (!shape_is_array(content))
        parse_error(p, span, E_SHAPE, "a buffer holds an array, not %s", shape_text(p->arena, content));
    Shape *buffer = NEW(p->arena, Shape);
    const Shape **elements = NEW_ARRAY(p->arena, const Shape *, 1);
    elements[0] = content;
    *buffer = (Shape){.dtype = DT_BUFFER, .n_elements = 1, .elements = elements};
    return buffer;
}

/* ---- layouts ----------------------------------------------------------------------------------------------------- */

void layout_begin(Parser *p, IntList order) {
    ShapeDraft *draft = &p->shape;
    draft->order.n = 0;
    for (int i = 0; i < order.n; i++) vec_push(p->scratch, &draft->order, order.at[i]);
    text_clear(&draft->items);
    draft->last_item = -1;
    draft->n_levels = -1;
    draft->element_bits = draft->memory_space = 0;
}

/* What stands behind the colon, in the order in which it must stand. */
typedef enum { NUMBER, TILES, LEVELS, SPLITS, INDEX_TYPE } ItemForm;

static const struct {
    const char *letter, *meaning;
    ItemForm form;
} items[] = {
    {"D", "level types", LEVELS},      {"T", "tiles", TILES},
    {"L", "tail padding", NUMBER},     {"#", "index type", INDEX_TYPE},
    {"*", "pointer type", INDEX_TYPE}, {"E", "element size", NUMBER},
    {"S", "memory space", NUMBER},     {"SC", "split", SPLITS},
    {"P", "physical shape", NUMBER},   {"M", "metadata prefix", NUMBER},
};
enum { N_ITEMS = sizeof items / sizeof *items, PHYSICAL_SHAPE = 8 };

static bool begin_item(Parser *p, TokenText letter, Span span) {
    ShapeDraft *draft = &p->shape;
    int item = 0;
    while (item < N_ITEMS && !text_is(letter, items[item].letter)) item++;
    if (item == N_ITEMS)
        return parse_fail(p, span, E_LAYOUT, "'%.*s' is no part of a layout: D, T, L, #, *, E, S, SC or M",
                          (int)letter.n, letter.at);
    if (item == PHYSICAL_SHAPE)
        return parse_fail(p, span, E_LAYOUT, "P(...) is for sparse arrays, which HLO no longer has");
    if (item <= draft->last_item)
        return parse_fail(p, span, E_LAYOUT, "'%s' (%s) must stand before '%s' (%s), and once", items[item].letter,
                          items[item].meaning, items[draft->last_item].letter, items[draft->last_item].meaning);
    draft->last_item = item;
    draft->n_groups = draft->n_arguments = 0;
    text_put(&draft->items, items[item].letter);
    return true;
}

bool layout_item_begin(Parser *p, TokenText letter, Span span) {
    return begin_item(p, letter, span);
}

bool layout_item_type(Parser *p, const char *letter, TokenText type, Span span) {
    if (!begin_item(p, (TokenText){letter, 1}, span)) return false;
    DType dtype = dtype_from_word(p, type);
    if (dtype_class(dtype) != DTYPE_UNSIGNED)
        return parse_fail(p, span, E_LAYOUT, "the %s of a layout is an unsigned integer type, not %s",
                          items[p->shape.last_item].meaning, dtype_name(dtype));
    text_printf(&p->shape.items, "(%s)", dtype_name(dtype));
    return true;
}

bool layout_item_end(Parser *p, Span span) {
    ShapeDraft *draft = &p->shape;
    const char *letter = items[draft->last_item].letter;
    if (items[draft->last_item].form == NUMBER && (draft->n_groups != 1 || draft->n_arguments != 1))
        return parse_fail(p, span, E_LAYOUT, "expected one number, as in %s(1)", letter);
    if (items[draft->last_item].form == LEVELS) draft->n_levels = draft->n_arguments;
    if (strcmp(letter, "E") == 0) draft->element_bits = draft->last_number;
    if (strcmp(letter, "S") == 0) draft->memory_space = draft->last_number;
    return true;
}

void layout_group_begin(Parser *p) {
    text_char(&p->shape.items, '(');
    p->shape.in_group = 0;
}

void layout_group_end(Parser *p) {
    text_char(&p->shape.items, ')');
    p->shape.n_groups++;
}

/* The next argument, of a form that the item takes. */
static bool begin_argument(Parser *p, bool fits, Span span) {
    ShapeDraft *draft = &p->shape;
    if (draft->in_group++) text_char(&draft->items, ',');
    draft->n_arguments++;
    if (!fits)
        return parse_fail(p, span, E_LAYOUT, "this does not belong into %s(...), the %s of a layout",
                          items[draft->last_item].letter, items[draft->last_item].meaning);
    return true;
}

bool layout_number(Parser *p, int64_t number, Span span) {
    ItemForm form = items[p->shape.last_item].form;
    bool fits = form == NUMBER || form == TILES || (form == SPLITS && p->shape.in_group > 0);
    if (!begin_argument(p, fits && number >= 0 && number <= INT32_MAX, span)) return false;
    text_put_int(&p->shape.items, number);
    p->shape.last_number = number;
    return true;
}

bool layout_split(Parser *p, int64_t dimension, int64_t index, Span span) {
    if (!begin_argument(p, items[p->shape.last_item].form == SPLITS && p->shape.in_group == 0, span)) return false;
    text_printf(&p->shape.items, "%lld:%lld", (long long)dimension, (long long)index);
    return true;
}

bool layout_star(Parser *p, Span span) {
    if (!begin_argument(p, items[p->shape.last_item].form == TILES, span)) return false;
    text_char(&p->shape.items, '*');
    return true;
}

bool layout_level(Parser *p, TokenText word, TokenText flags, Span span) {
    bool known = word.n == 1 && strchr("DCSH", word.at[0]);
    if (!begin_argument(p, known && items[p->shape.last_item].form == LEVELS, span)) return false;
    text_bytes(&p->shape.items, word.at, word.n);
    text_bytes(&p->shape.items, flags.at, flags.n);
    return true;
}
