#include "passes/bounds/bounds.h"

/* The table of sizes, and arithmetic on them. */

bool shape_has_bounds(const Shape *shape) {
    for (int k = 0; k < shape->n_elements; k++)
        if (shape_has_bounds(shape->elements[k])) return true;
    for (int d = 0; shape->dynamic && d < shape->rank; d++)
        if (shape->dynamic[d] == DIM_BOUNDED) return true;
    return false;
}

int shape_n_sizes(const Shape *shape) {
    int n = shape->rank;
    for (int k = 0; k < shape->n_elements; k++) n += shape_n_sizes(shape->elements[k]);
    return n;
}

static Instr **sizes_of(const Bounds *bounds, const Instr *instr) {
    return key_table_get(&bounds->sizes, POINTER_KEY(instr));
}

bool has_sizes(const Bounds *bounds, const Instr *instr) {
    return sizes_of(bounds, instr) != NULL;
}

Instr *size_known(const Bounds *bounds, const Instr *instr, int at) {
    Instr **sizes = sizes_of(bounds, instr);
    return sizes ? sizes[at] : NULL;
}

Instr *size_of(const Bounds *bounds, const Builder *b, Instr *array, int dim) {
    Instr *size = size_known(bounds, array, dim);
    return size ? size : size_number(b, array->shape->dims[dim]);
}

void size_note(Bounds *bounds, Instr *instr, int at, Instr *size) {
    Instr **sizes = sizes_of(bounds, instr);
    if (!sizes && !size) return;
    if (!sizes) {
        sizes = NEW_ARRAY(bounds->arena, Instr *, shape_n_sizes(instr->shape));
        key_table_put(bounds->arena, &bounds->sizes, POINTER_KEY(instr), sizes);
    }
    sizes[at] = size;
}

void sizes_copy(Bounds *bounds, Instr *instr, const Instr *source) {
    for (int at = 0; at < shape_n_sizes(instr->shape); at++)
        size_note(bounds, instr, at, size_known(bounds, source, at));
}

/* --- arithmetic --------------------------------------------------------------------------------------------------- */

Instr *size_number(const Builder *b, int64_t value) {
    return build_integer(b, DT_S32, (uint64_t)value);
}

Instr *size_plus(const Builder *b, Instr *size, int64_t value) {
    return value ? build_binary(b, OP_ADD, size, size_number(b, value)) : size;
}

Instr *size_times(const Builder *b, Instr *size, int64_t value) {
    return value != 1 ? build_binary(b, OP_MULTIPLY, size, size_number(b, value)) : size;
}

Instr *size_over(const Builder *b, Instr *size, int64_t value) {
    return value > 1 ? build_binary(b, OP_DIVIDE, size, size_number(b, value)) : size;
}

Instr *size_at_least(const Builder *b, Instr *size, int64_t value) {
    return build_binary(b, OP_MAXIMUM, size, size_number(b, value));
}

Instr *size_smaller(const Builder *b, Instr *x, Instr *y) {
    if (!x || !y || x == y) return x ? x : y;
    return build_binary(b, OP_MINIMUM, x, y);
}

Instr *windows_in(const Builder *b, Instr *size, const WindowDim *w) {
    if (!size) return NULL;
    int64_t extent = w->size ? (w->size - 1) * w->window_dilation + 1 : 0;
    Instr *spread = size_plus(b, size_times(b, size_plus(b, size, -1), w->base_dilation), 1);
    Instr *room = size_plus(b, size_at_least(b, spread, 0), w->pad_low + w->pad_high - extent + w->stride);
    return size_over(b, size_at_least(b, room, 0), w->stride);
}

/* --- masks -------------------------------------------------------------------------------------------------------- */

Instr *index_below(const Builder *b, const Shape *shape, int dim, Instr *size) {
    Instr *index = build_iota(b, DT_S32, shape->rank, shape->dims, dim);
    return build_compare(b, DIRECTION_LT, index, broadcast_scalar(size, index->shape, b->span));
}

Instr *elements_below(const Bounds *bounds, const Builder *b, Instr *array, uint64_t dims) {
    Instr *all = NULL;
    for (int d = 0; d < array->shape->rank; d++) {
        Instr *size = size_known(bounds, array, d);
        if (!(dims >> d & 1) || !size) continue;
        Instr *below = index_below(b, array->shape, d, size);
        all = all ? build_binary(b, OP_AND, all, below) : below;
    }
    return all;
}

Instr *fill_unless(const Builder *b, Instr *valid, Instr *x, Instr *fill) {
    return valid ? build_select(b, valid, x, broadcast_scalar(fill, x->shape, b->span)) : x;
}
