#include "passes/bounds/bounds.h"

/* Data movement: sizes go where the elements go; what has to lie side by side is packed. */

static bool has(IntList list, int64_t value) {
    for (int k = 0; k < list.n; k++)
        if (list.at[k] == value) return true;
    return false;
}

Instr *bounds_transpose(Bounds *bounds, Instr *instr, const Shape *declared) {
    (void)declared;
    IntList dims = instr_ints(instr, ATTR_DIMENSIONS);
    for (int d = 0; d < dims.n; d++)
        size_note(bounds, instr, d, size_known(bounds, instr->operands[0], (int)dims.at[d]));
    return instr;
}

Instr *bounds_broadcast(Bounds *bounds, Instr *instr, const Shape *declared) {
    (void)declared;
    IntList dims = instr_ints(instr, ATTR_DIMENSIONS);
    for (int k = 0; k < dims.n; k++)
        size_note(bounds, instr, (int)dims.at[k], size_known(bounds, instr->operands[0], k));
    return instr;
}

/* A part of a bounded dim has all the elements it asks for, as XLA has it, unless its shape says that it may not. */
Instr *bounds_slice(Bounds *bounds, Instr *instr, const Shape *declared) {
    Builder b = builder_for(instr);
    const SliceDim *slices = instr_attr(instr, ATTR_SLICE)->slices;
    for (int d = 0; d < instr->shape->rank; d++) {
        Instr *size = size_known(bounds, instr->operands[0], d);
        SliceDim s = slices[d];
        bool whole = s.start == 0 && s.limit == instr->operands[0]->shape->dims[d] && s.stride == 1;
        bool bounded = declared->dynamic && declared->dynamic[d] == DIM_BOUNDED;
        if (!size || (!whole && !bounded)) continue;
        Instr *limit = whole ? size : build_binary(&b, OP_MINIMUM, size, size_number(&b, s.limit));
        Instr *room = size_at_least(&b, size_plus(&b, limit, s.stride - 1 - s.start), 0);
        size_note(bounds, instr, d, whole ? size : size_over(&b, room, s.stride));
    }
    return instr;
}

Instr *bounds_dynamic_slice(Bounds *bounds, Instr *instr, const Shape *declared) {
    (void)declared;
    for (int d = 0; d < instr->shape->rank; d++)
        if (instr->shape->dims[d] == instr->operands[0]->shape->dims[d])
            size_note(bounds, instr, d, size_known(bounds, instr->operands[0], d));
    return instr;
}

/* Only what is there of the update goes in: the rest of it becomes what stands in its place. */
Instr *bounds_dynamic_update_slice(Bounds *bounds, Instr *instr, const Shape *declared) {
    (void)declared;
    Builder b = builder_for(instr);
    Instr *update = instr->operands[1], *valid = elements_below(bounds, &b, update, ~(uint64_t)0);
    sizes_copy(bounds, instr, instr->operands[0]);
    if (!valid) return instr;
    Instr **operands = NEW_ARRAY(b.arena, Instr *, instr->n_operands - 1);
    operands[0] = instr->operands[0];
    for (int k = 2; k < instr->n_operands; k++) operands[k - 1] = instr->operands[k];
    Instr *old = build_op(&b, OP_DYNAMIC_SLICE, update->shape, instr->n_operands - 1, operands);
    instr_add_attr(old, (Attr){.id = ATTR_DYNAMIC_SLICE_SIZES, .ints = {update->shape->rank, update->shape->dims}});
    instr_set_operand(instr, 1, build_select(&b, valid, update, old));
    return instr;
}

/* Starts of an array's corner that is moved along one dim. */
static Instr *moved_corner(const Builder *b, Op op, int n, Instr *const *arrays, int dim, Instr *start,
                           const Shape *shape) {
    Instr **operands = NEW_ARRAY(b->arena, Instr *, n + shape->rank);
    for (int k = 0; k < n; k++) operands[k] = arrays[k];
    for (int d = 0; d < shape->rank; d++) operands[n + d] = d == dim ? start : size_number(b, 0);
    Instr *moved = build_op(b, op, shape, n + shape->rank, operands);
    if (op == OP_DYNAMIC_SLICE)
        instr_add_attr(moved, (Attr){.id = ATTR_DYNAMIC_SLICE_SIZES, .ints = {shape->rank, shape->dims}});
    return moved;
}

/* Part after part over what the one before has behind its size. */
Instr *bounds_concatenate(Bounds *bounds, Instr *instr, const Shape *declared) {
    (void)declared;
    Builder b = builder_for(instr);
    int dim = (int)instr_ints(instr, ATTR_DIMENSIONS).at[0];
    Instr *result = instr, *end = NULL;
    bool packed = false;
    for (int k = 0; k + 1 < instr->n_operands; k++) packed |= size_known(bounds, instr->operands[k], dim) != NULL;
    if (packed) result = build_zeros(&b, instr->shape);
    for (int k = 0; k < instr->n_operands; k++) {
        Instr *part = instr->operands[k], *start = end ? end : size_number(&b, 0);
        if (packed)
            result = moved_corner(&b, OP_DYNAMIC_UPDATE_SLICE, 2, (Instr *[]){result, part}, dim, start, instr->shape);
        end = build_binary(&b, OP_ADD, start, size_of(bounds, &b, part, dim));
    }
    for (int d = 0; d < instr->shape->rank; d++) {
        Instr *size = NULL;
        bool bounded = false;
        for (int k = 0; k < instr->n_operands; k++) {
            Instr *one = size_known(bounds, instr->operands[k], d);
            bounded |= one != NULL;
            size = size_smaller(&b, size, one);
        }
        if (bounded) size_note(bounds, result, d, d == dim ? end : size);
    }
    return result;
}

Instr *bounds_pad(Bounds *bounds, Instr *instr, const Shape *declared) {
    (void)declared;
    Builder b = builder_for(instr);
    Instr *x = instr->operands[0], *valid = elements_below(bounds, &b, x, ~(uint64_t)0);
    const PadDim *padding = instr_attr(instr, ATTR_PADDING)->padding;
    for (int d = 0; d < x->shape->rank; d++) {
        Instr *size = size_known(bounds, x, d);
        if (!size) continue;
        Instr *spread = size_times(&b, size_plus(&b, size, -1), padding[d].interior + 1);
        Instr *inside = size_at_least(&b, size_plus(&b, spread, 1), 0);
        size_note(bounds, instr, d, size_at_least(&b, size_plus(&b, inside, padding[d].low + padding[d].high), 0));
    }
    instr_set_operand(instr, 0, fill_unless(&b, valid, x, instr->operands[1]));
    return instr;
}

/* Reversed, the elements stand at the end: they are moved to the front. */
Instr *bounds_reverse(Bounds *bounds, Instr *instr, const Shape *declared) {
    (void)declared;
    Builder b = builder_for(instr);
    IntList dims = instr_ints(instr, ATTR_DIMENSIONS);
    Instr *x = instr->operands[0], *result = build_unary(&b, OP_REVERSE, x);
    for (int i = 0; i < instr->attrs.n; i++) instr_add_attr(result, instr->attrs.at[i]);
    for (int k = 0; k < dims.n; k++) {
        int d = (int)dims.at[k];
        Instr *size = size_known(bounds, x, d);
        if (!size) continue;
        Instr *start = build_binary(&b, OP_SUBTRACT, size_number(&b, x->shape->dims[d]), size);
        Instr *room = build_concatenate(&b, d, 2, (Instr *[]){result, build_zeros(&b, x->shape)});
        result = moved_corner(&b, OP_DYNAMIC_SLICE, 1, &room, d, start, x->shape);
    }
    sizes_copy(bounds, result, x);
    return result;
}

/* --- gather and scatter ------------------------------------------------------------------------------------------- */

Instr *bounds_gather(Bounds *bounds, Instr *instr, const Shape *declared) {
    (void)declared;
    Instr *x = instr->operands[0], *indices = instr->operands[1];
    IntList offset_dims = instr_ints(instr, ATTR_OFFSET_DIMS), collapsed = instr_ints(instr, ATTR_COLLAPSED_SLICE_DIMS);
    IntList batching = instr_ints(instr, ATTR_OPERAND_BATCHING_DIMS), slices = instr_ints(instr, ATTR_SLICE_SIZES);
    int vector = (int)instr_int(instr, ATTR_INDEX_VECTOR_DIM, 0), next = 0, from = 0;
    for (int d = 0; d < instr->shape->rank; d++) {
        if (!has(offset_dims, d)) {
            next += next == vector;
            size_note(bounds, instr, d, size_known(bounds, indices, next++));
            continue;
        }
        while (has(collapsed, from) || has(batching, from)) from++;
        if (slices.at[from] == x->shape->dims[from]) size_note(bounds, instr, d, size_known(bounds, x, from));
        from++;
    }
    return instr;
}

/* Indices that are not there become such as are dropped. */
Instr *bounds_scatter(Bounds *bounds, Instr *instr, const Shape *declared) {
    (void)declared;
    Builder b = builder_for(instr);
    int n = (instr->n_operands - 1) / 2, vector = (int)instr_int(instr, ATTR_INDEX_VECTOR_DIM, 0), scatter = 0;
    Instr *indices = instr->operands[n], *update = instr->operands[n + 1];
    IntList window_dims = instr_ints(instr, ATTR_UPDATE_WINDOW_DIMS);
    for (int d = 0; d < update->shape->rank; d++) {
        if (has(window_dims, d)) continue;
        scatter += scatter == vector;
        Instr *size = size_smaller(&b, size_known(bounds, update, d), size_known(bounds, indices, scatter));
        if (size && indices->shape->rank == 0) return NULL;
        if (size) {
            Instr *valid = index_below(&b, indices->shape, scatter, size);
            indices = fill_unless(&b, valid, indices, build_integer(&b, indices->shape->dtype, UINT64_MAX));
        }
        scatter++;
    }
    instr_set_operand(instr, n, indices);
    int rank = instr->operands[0]->shape->rank;
    for (int k = 0; k < n; k++)
        for (int d = 0; d < rank; d++)
            size_note(bounds, instr, k * rank + d, size_known(bounds, instr->operands[k], d));
    return instr;
}
