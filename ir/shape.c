#include "ir/shape.h"

#include <stddef.h>
#include <string.h>

#include "base/decimal.h"

enum { SHARED_RANK = 16 };

static const int64_t descending[SHARED_RANK] = {15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0};

#define SHARED(rank) {.n_minor_to_major = (rank), .minor_to_major = descending + SHARED_RANK - (rank)}
static const Layout shared_layouts[SHARED_RANK + 1] = {
    SHARED(0), SHARED(1),  SHARED(2),  SHARED(3),  SHARED(4),  SHARED(5),  SHARED(6),  SHARED(7),  SHARED(8),
    SHARED(9), SHARED(10), SHARED(11), SHARED(12), SHARED(13), SHARED(14), SHARED(15), SHARED(16),
};
#undef SHARED

const Layout *layout_default(Arena *arena, int rank) {
    if (rank <= SHARED_RANK) return &shared_layouts[rank];
    int64_t *order = NEW_ARRAY(arena, int64_t, rank);
    for (int i = 0; i < rank; i++) order[i] = rank - 1 - i;
    Layout *layout = NEW(arena, Layout);
    *layout = (Layout){.n_minor_to_major = rank, .minor_to_major = order};
    return layout;
}

static const int64_t *copy_dims(Arena *arena, int rank, const int64_t *dims) {
    int64_t *copy = NEW_ARRAY(arena, int64_t, rank);
    if (rank) memcpy(copy, dims, (size_t)rank * sizeof *copy);
    return copy;
}

static Shape *new_shape(Arena *arena, DType dtype) {
    Shape *shape = NEW(arena, Shape);
    shape->dtype = dtype;
    return shape;
}

const Shape *shape_array(Arena *arena, DType dtype, int rank, const int64_t *dims) {
    Shape *shape = new_shape(arena, dtype);
    shape->rank = rank;
    shape->dims = copy_dims(arena, rank, dims);
    shape->layout = layout_default(arena, rank);
    return shape;
}

const Shape *shape_scalar(Arena *arena, DType dtype) {
    return shape_array(arena, dtype, 0, NULL);
}

const Shape *shape_tuple(Arena *arena, int n, const Shape *const *elements) {
    Shape *shape = new_shape(arena, DT_TUPLE);
    const Shape **copy = NEW_ARRAY(arena, const Shape *, n);
    if (n) memcpy(copy, elements, (size_t)n * sizeof *copy);
    shape->n_elements = n;
    shape->elements = copy;
    return shape;
}

const Shape *shape_token(Arena *arena) {
    return new_shape(arena, DT_TOKEN);
}

const Shape *shape_opaque(Arena *arena) {
    return new_shape(arena, DT_OPAQUE);
}

const Shape *shape_with_dtype(Arena *arena, const Shape *shape, DType dtype) {
    if (shape->dtype == dtype) return shape;
    Shape *changed = NEW(arena, Shape);
    *changed = *shape;
    changed->dtype = dtype;
    return changed;
}

const Shape *shape_with_default_layout(Arena *arena, const Shape *shape) {
    Shape *changed = NEW(arena, Shape);
    *changed = *shape;
    if (shape_is_array(shape)) changed->layout = layout_default(arena, shape->rank);
    if (!shape->n_elements) return changed;
    const Shape **elements = NEW_ARRAY(arena, const Shape *, shape->n_elements);
    for (int i = 0; i < shape->n_elements; i++) elements[i] = shape_with_default_layout(arena, shape->elements[i]);
    changed->elements = elements;
    return changed;
}

static int64_t saturating_product(int64_t a, int64_t b) {
    return b && a > INT64_MAX / b ? INT64_MAX : a * b;
}

int64_t shape_elements(const Shape *shape) {
    if (!shape_is_array(shape)) return 0;
    int64_t n = 1;
    for (int d = 0; d < shape->rank; d++) /* a zero behind dims that saturate still makes it zero */
        if (shape->dims[d] <= 0) return 0;
    for (int d = 0; d < shape->rank; d++) n = saturating_product(n, shape->dims[d]);
    return n;
}

int64_t shape_bytes(const Shape *shape) {
    return saturating_product(shape_elements(shape), dtype_bytes(shape->dtype));
}

int shape_leaves(const Shape *shape) {
    if (!shape_is_tuple(shape)) return 1;
    int n = 0;
    for (int i = 0; i < shape->n_elements; i++) n += shape_leaves(shape->elements[i]);
    return n;
}

const Shape *shape_leaf(const Shape *shape, int k) {
    if (!shape_is_tuple(shape)) return k == 0 ? shape : NULL;
    for (int i = 0; i < shape->n_elements; i++) {
        int n = shape_leaves(shape->elements[i]);
        if (k < n) return shape_leaf(shape->elements[i], k);
        k -= n;
    }
    return NULL;
}

const Shape *shape_part(const Shape *shape, int n, const int64_t *index) {
    for (int i = 0; i < n; i++) {
        if (!shape_is_tuple(shape) || index[i] < 0 || index[i] >= shape->n_elements) return NULL;
        shape = shape->elements[index[i]];
    }
    return shape;
}

bool layout_is_default(const Shape *shape) {
    const Layout *layout = shape->layout;
    if (!layout || layout->auto_layout) return true;
    for (int i = 0; i < layout->n_minor_to_major; i++)
        if (layout->minor_to_major[i] != layout->n_minor_to_major - 1 - i) return false;
    return true;
}

bool shapes_same_dims(const Shape *a, const Shape *b) {
    if (a->rank != b->rank) return false;
    for (int d = 0; d < a->rank; d++)
        if (a->dims[d] != b->dims[d]) return false;
    return true;
}

static bool same_order(const Layout *a, const Layout *b) {
    if (a == b) return true;
    if (!a || !b || a->n_minor_to_major != b->n_minor_to_major) return false;
    for (int i = 0; i < a->n_minor_to_major; i++)
        if (a->minor_to_major[i] != b->minor_to_major[i]) return false;
    return true;
}

bool dims_agree(const Shape *a, const Shape *b) {
    if (a->rank != b->rank) return false;
    for (int d = 0; d < a->rank; d++)
        if (!sizes_agree(a->dims[d], b->dims[d])) return false;
    return true;
}

typedef enum { EQUAL_SIZES, EQUAL_SIZES_AND_LAYOUT, AGREEING_SIZES } Comparison;

static bool same_array(const Shape *a, const Shape *b, Comparison how) {
    if (how == AGREEING_SIZES) return dims_agree(a, b);
    return shapes_same_dims(a, b) && (how == EQUAL_SIZES || same_order(a->layout, b->layout));
}

static bool same_shape(const Shape *a, const Shape *b, Comparison how) {
    if (a == b) return true;
    if (a->dtype != b->dtype || a->n_elements != b->n_elements) return false;
    if (shape_is_array(a) && !same_array(a, b, how)) return false;
    for (int i = 0; i < a->n_elements; i++)
        if (!same_shape(a->elements[i], b->elements[i], how)) return false;
    return true;
}

bool shapes_compatible(const Shape *a, const Shape *b) {
    return same_shape(a, b, EQUAL_SIZES);
}

bool shapes_same_layout(const Shape *a, const Shape *b) {
    return same_shape(a, b, EQUAL_SIZES_AND_LAYOUT);
}

bool shapes_agree(const Shape *a, const Shape *b) {
    return same_shape(a, b, AGREEING_SIZES);
}

static void print_layout(Text *out, const Layout *layout) {
    text_char(out, '{');
    for (int i = 0; i < layout->n_minor_to_major; i++) {
        if (i) text_char(out, ',');
        text_put_int(out, layout->minor_to_major[i]);
    }
    if (layout->items) text_printf(out, ":%s", layout->items);
    text_char(out, '}');
}

static bool layout_is_shown(const Shape *shape, ShapeStyle style) {
    const Layout *layout = shape->layout;
    if (!layout) return false;
    switch (style) {
    case SHAPE_NO_LAYOUT: return false;
    case SHAPE_WRITTEN_LAYOUT: return layout->written || !layout_is_default(shape);
    case SHAPE_LAYOUT: break;
    }
    return shape->rank > 0 || layout->items;
}

static void print_dim(Text *out, const Shape *shape, int d) {
    int kind = shape->dynamic ? shape->dynamic[d] : DIM_STATIC;
    if (kind == DIM_BOUNDED) text_put(out, "<=");
    if (kind == DIM_UNBOUNDED) text_char(out, '?');
    else text_put_int(out, shape->dims[d]);
}

void shape_print(Text *out, const Shape *shape, ShapeStyle style) {
    if (shape->dtype == DT_TUPLE || shape->dtype == DT_BUFFER) {
        text_put(out, shape->dtype == DT_BUFFER ? "b(" : "(");
        for (int i = 0; i < shape->n_elements; i++) {
            if (i) text_put(out, ", ");
            if (i && i % 5 == 0) text_printf(out, "/*index=%d*/", i);
            shape_print(out, shape->elements[i], style);
        }
        text_char(out, ')');
        return;
    }
    text_put(out, dtype_name(shape->dtype));
    text_char(out, '[');
    for (int d = 0; d < shape->rank; d++) {
        if (d) text_char(out, ',');
        print_dim(out, shape, d);
    }
    text_char(out, ']');
    if (layout_is_shown(shape, style)) print_layout(out, shape->layout);
}

const char *shape_text(Arena *arena, const Shape *shape) {
    Text text = {0};
    shape_print(&text, shape, SHAPE_NO_LAYOUT);
    const char *copy = arena_string(arena, text_string(&text), text.n);
    text_free(&text);
    return copy;
}
