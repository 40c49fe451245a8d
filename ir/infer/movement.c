/* Shapes of opcodes that move elements. */
#include "ir/infer/infer.h"

INFER(iota) {
    const Shape *shape = f->instr->shape;
    int64_t dim = instr_int(f->instr, ATTR_IOTA_DIMENSION, 0);
    unsigned numbers = CLASS_NUMBER;
    if (!shape_is_array(shape) || !(numbers & 1u << dtype_class(shape->dtype)))
        return refuse_shape(f, E_RESULT_SHAPE, "'iota' gives an array of numbers, not %s", shape_words(f, shape));
    if (dim < 0 || dim >= shape->rank)
        return refuse_attr(f, ATTR_IOTA_DIMENSION, E_DIMENSIONS, "'iota_dimension' is %lld, but %s has %d dimension%s",
                           (long long)dim, shape_words(f, shape), shape->rank, shape->rank == 1 ? "" : "s");
    return shape;
}

INFER(bitcast) {
    const Shape *from = operand(f, 0), *to = f->instr->shape;
    if (!need_array(f, 0)) return NULL;
    if (!shape_is_array(to))
        return refuse_shape(f, E_RESULT_SHAPE, "'bitcast' gives an array, not %s", shape_words(f, to));
    if (shape_bytes(from) != shape_bytes(to))
        return refuse_shape(f, E_RESULT_SHAPE, "'bitcast' keeps the bytes: %s has %lld, but %s has %lld",
                            shape_words(f, from), (long long)shape_bytes(from), shape_words(f, to),
                            (long long)shape_bytes(to));
    return to;
}

INFER(broadcast) {
    if (!need_array(f, 0)) return NULL;
    const Shape *from = operand(f, 0), *to = f->instr->shape;
    const Attr *attr = instr_attr(f->instr, ATTR_DIMENSIONS);
    IntList dims = instr_ints(f->instr, ATTR_DIMENSIONS);
    if (!attr && from->rank) return refuse_op(f, E_MISSING_ATTRIBUTE, "'broadcast' lacks its attribute 'dimensions'");
    if (!to) {
        if (from->rank == 0 && dims.n == 0) return from;
        return refuse_op(f, E_MISSING_SHAPE, "'broadcast' needs the shape of its result in front of it");
    }
    if (!shape_is_array(to))
        return refuse_shape(f, E_RESULT_SHAPE, "'broadcast' gives an array, not %s", shape_words(f, to));
    if (dims.n != from->rank)
        return refuse_attr(f, ATTR_DIMENSIONS, E_DIMENSIONS,
                           "'dimensions' names %d of the result, but the operand %s has %d", dims.n,
                           shape_words(f, from), from->rank);
    if (!need_dims(f, ATTR_DIMENSIONS, dims, to->rank, "the result")) return NULL;
    for (int d = 0; d < from->rank; d++)
        if (!sizes_agree(from->dims[d], to->dims[dims.at[d]]))
            return refuse_shape(
                f, E_RESULT_SHAPE, "'broadcast' of %s cannot give %s: dimension %lld must have size %lld",
                shape_words(f, from), shape_words(f, to), (long long)dims.at[d], (long long)from->dims[d]);
    return same_dims_as(f, to, from->dtype);
}

INFER(concatenate) {
    if (!need_array(f, 0)) return NULL;
    const Shape *first = operand(f, 0);
    int dim = the_dim(f, ATTR_DIMENSIONS, first->rank);
    if (dim < 0) return NULL;
    Sizes sizes = {0};
    for (int d = 0; d < first->rank; d++) vec_push(f->arena, &sizes, first->dims[d]);
    for (int k = 1; k < f->instr->n_operands; k++) {
        if (!need_same_dtype(f, k, 0) || !need_rank(f, k, first->rank)) return NULL;
        const Shape *shape = operand(f, k);
        for (int d = 0; d < first->rank; d++)
            if (d != dim && !sizes_agree(shape->dims[d], first->dims[d]))
                return refuse_operand(f, k, E_OPERAND_SHAPE, "'concatenate' along dimension %d cannot join %s and %s",
                                      dim, shape_words(f, first), shape_words(f, shape));
        bool known = sizes.at[dim] >= 0 && shape->dims[dim] >= 0;
        if (known && shape->dims[dim] > INT64_MAX - sizes.at[dim])
            return refuse_op(f, E_SHAPE_SIZE, "the result of 'concatenate' is larger than 2^63 elements");
        sizes.at[dim] = known ? sizes.at[dim] + shape->dims[dim] : -1;
    }
    return array_of(f, first->dtype, &sizes);
}

INFER(pad) {
    if (!need_array(f, 0) || !need_scalar(f, 1) || !need_same_dtype(f, 1, 0)) return NULL;
    const Shape *from = operand(f, 0);
    const Attr *padding = instr_attr(f->instr, ATTR_PADDING);
    if (padding->n_pads != from->rank)
        return refuse_attr(f, ATTR_PADDING, E_DIMENSIONS, "'padding' has %d dimension%s, but the operand %s has %d",
                           padding->n_pads, padding->n_pads == 1 ? "" : "s", shape_words(f, from), from->rank);
    Sizes sizes = {0};
    for (int d = 0; d < from->rank; d++) {
        const PadDim *pad = &padding->padding[d];
        int64_t n = from->dims[d], limit = INT64_MAX / 8;
        bool large = pad->low > limit || pad->high > limit || pad->low < -limit || pad->high < -limit ||
                     (n > 1 && pad->interior > limit / n);
        if (large)
            return refuse_attr(f, ATTR_PADDING, E_SHAPE_SIZE, "'padding' makes dimension %d larger than 2^60", d);
        int64_t size = n < 0 ? -1 : n + pad->low + pad->high + (n > 1 ? (n - 1) * pad->interior : 0);
        if (n >= 0 && size < 0)
            return refuse_attr(f, ATTR_PADDING, E_VALUE, "'padding' leaves dimension %d of %s with %lld elements", d,
                               shape_words(f, from), (long long)size);
        vec_push(f->arena, &sizes, size);
    }
    return array_of(f, from->dtype, &sizes);
}

INFER(reshape) {
    if (!need_array(f, 0)) return NULL;
    const Shape *from = operand(f, 0), *to = f->instr->shape;
    if (!shape_is_array(to))
        return refuse_shape(f, E_RESULT_SHAPE, "'reshape' gives an array, not %s", shape_words(f, to));
    bool known = true;
    for (int d = 0; d < from->rank; d++) known = known && from->dims[d] >= 0;
    for (int d = 0; d < to->rank; d++) known = known && to->dims[d] >= 0;
    if (known && shape_elements(from) != shape_elements(to))
        return refuse_shape(f, E_RESULT_SHAPE, "'reshape' keeps the number of elements: %s has %lld, but %s has %lld",
                            shape_words(f, from), (long long)shape_elements(from), shape_words(f, to),
                            (long long)shape_elements(to));
    int64_t inferred = instr_int(f->instr, ATTR_INFERRED_DIMENSION, -1);
    if (inferred < -1 || inferred >= to->rank)
        return refuse_attr(f, ATTR_INFERRED_DIMENSION, E_DIMENSIONS, "'inferred_dimension' is %lld, but %s has %d",
                           (long long)inferred, shape_words(f, to), to->rank);
    return same_dims_as(f, to, from->dtype);
}

INFER(reverse) {
    if (!need_array(f, 0)) return NULL;
    IntList dims = instr_ints(f->instr, ATTR_DIMENSIONS);
    return need_dims(f, ATTR_DIMENSIONS, dims, operand(f, 0)->rank, "the operand") ? operand(f, 0) : NULL;
}

INFER(slice) {
    if (!need_array(f, 0)) return NULL;
    const Shape *from = operand(f, 0);
    const Attr *attr = instr_attr(f->instr, ATTR_SLICE);
    if (attr->n_slices != from->rank)
        return refuse_attr(f, ATTR_SLICE, E_DIMENSIONS, "'slice' has %d dimension%s, but the operand %s has %d",
                           attr->n_slices, attr->n_slices == 1 ? "" : "s", shape_words(f, from), from->rank);
    Sizes sizes = {0};
    for (int d = 0; d < from->rank; d++) {
        const SliceDim *slice = &attr->slices[d];
        if (slice->stride < 1)
            return refuse_attr(f, ATTR_SLICE, E_VALUE, "the stride of a slice is at least 1, not %lld: dimension %d",
                               (long long)slice->stride, d);
        if (slice->start < 0 || slice->start > slice->limit)
            return refuse_attr(f, ATTR_SLICE, E_VALUE, "a slice cannot go from %lld to %lld: dimension %d",
                               (long long)slice->start, (long long)slice->limit, d);
        if (from->dims[d] >= 0 && slice->limit > from->dims[d])
            return refuse_attr(f, ATTR_SLICE, E_VALUE, "the slice ends at %lld, but dimension %d of %s has size %lld",
                               (long long)slice->limit, d, shape_words(f, from), (long long)from->dims[d]);
        int64_t extent = slice->limit - slice->start;
        vec_push(f->arena, &sizes, extent / slice->stride + (extent % slice->stride != 0));
    }
    return array_of(f, from->dtype, &sizes);
}

INFER(transpose) {
    if (!need_array(f, 0)) return NULL;
    const Shape *from = operand(f, 0);
    IntList dims = instr_ints(f->instr, ATTR_DIMENSIONS);
    if (dims.n != from->rank)
        return refuse_attr(f, ATTR_DIMENSIONS, E_DIMENSIONS,
                           "'dimensions' lists %d dimension%s, but the operand %s has %d", dims.n,
                           dims.n == 1 ? "" : "s", shape_words(f, from), from->rank);
    if (!need_dims(f, ATTR_DIMENSIONS, dims, from->rank, "the operand")) return NULL;
    Sizes sizes = {0};
    for (int d = 0; d < from->rank; d++) vec_push(f->arena, &sizes, from->dims[dims.at[d]]);
    return array_of(f, from->dtype, &sizes);
}

INFER(shuffle) {
    if (!need_array(f, 0)) return NULL;
    IntList dims = instr_ints(f->instr, ATTR_DIMENSIONS);
    const Attr *shifts = instr_attr(f->instr, ATTR_SHIFTS), *indices = instr_attr(f->instr, ATTR_INDICES);
    const char *mode = attr_word(ATTR_KIND_MODE, (int)instr_int(f->instr, ATTR_MODE, 0));
    if (!need_dims(f, ATTR_DIMENSIONS, dims, operand(f, 0)->rank, "the operand")) return NULL;
    bool rotates = mode[0] == 'r', permutes = mode[0] == 'p';
    if (!rotates && !permutes)
        return refuse_attr(f, ATTR_MODE, E_VALUE, "'%s' is no mode of 'shuffle': it is 'rotate' or 'permute'", mode);
    if (rotates && !shifts)
        return refuse_op(f, E_MISSING_ATTRIBUTE, "'shuffle' that rotates lacks its attribute 'shifts'");
    if (permutes && !indices)
        return refuse_op(f, E_MISSING_ATTRIBUTE, "'shuffle' that permutes lacks its attribute 'indices'");
    if (rotates && shifts->ints.n != dims.n)
        return refuse_attr(f, ATTR_SHIFTS, E_DIMENSIONS, "'shifts' has %d number%s for %d dimension%s", shifts->ints.n,
                           shifts->ints.n == 1 ? "" : "s", dims.n, dims.n == 1 ? "" : "s");
    return operand(f, 0);
}

/* ---- dynamic slices ---------------------------------------------------------------------------------------------- */

/* Start indices from operand `first` on: a scalar per dim, or in old texts one vector of them; integers of one type. */
static bool need_starts(Infer *f, int first, int rank) {
    int n = f->instr->n_operands - first;
    bool vector = n == 1 && shape_is_array(operand(f, first)) && operand(f, first)->rank == 1;
    if (!vector && n != rank)
        return refuse_op(f, E_OPERAND_COUNT, "'%s' takes a start index per dimension: %d for %s, not %d", opcode(f),
                         rank, shape_words(f, operand(f, 0)), n);
    for (int k = first; k < f->instr->n_operands; k++) {
        if (!need_class(f, k, CLASS_INTEGER) || !need_same_dtype(f, k, first)) return false;
        if (!vector && !need_scalar(f, k)) return false;
    }
    if (vector && !sizes_agree(operand(f, first)->dims[0], rank))
        return refuse_operand(f, first, E_OPERAND_SHAPE, "'%s' takes %d start indices, not %s", opcode(f), rank,
                              shape_words(f, operand(f, first)));
    return true;
}

INFER(dynamic_slice) {
    if (!need_array(f, 0)) return NULL;
    const Shape *from = operand(f, 0);
    IntList slices = instr_ints(f->instr, ATTR_DYNAMIC_SLICE_SIZES);
    if (!need_starts(f, 1, from->rank)) return NULL;
    if (slices.n != from->rank)
        return refuse_attr(f, ATTR_DYNAMIC_SLICE_SIZES, E_DIMENSIONS,
                           "'dynamic_slice_sizes' has %d dimension%s, but %s has %d", slices.n,
                           slices.n == 1 ? "" : "s", shape_words(f, from), from->rank);
    Sizes sizes = {0};
    for (int d = 0; d < from->rank; d++) {
        int64_t size = slices.at[d];
        if (size < 0 || (from->dims[d] >= 0 && size > from->dims[d]))
            return refuse_attr(f, ATTR_DYNAMIC_SLICE_SIZES, E_VALUE,
                               "'dynamic_slice_sizes' takes %lld of dimension %d, but %s has %lld", (long long)size, d,
                               shape_words(f, from), (long long)from->dims[d]);
        vec_push(f->arena, &sizes, size);
    }
    return array_of(f, from->dtype, &sizes);
}

INFER(dynamic_update_slice) {
    if (!need_array(f, 0) || !need_same_dtype(f, 1, 0) || !need_rank(f, 1, operand(f, 0)->rank)) return NULL;
    const Shape *into = operand(f, 0), *update = operand(f, 1);
    if (!need_starts(f, 2, into->rank)) return NULL;
    for (int d = 0; d < into->rank; d++)
        if (into->dims[d] >= 0 && update->dims[d] > into->dims[d])
            return refuse_operand(f, 1, E_OPERAND_SHAPE, "the update %s is larger than %s in dimension %d",
                                  shape_words(f, update), shape_words(f, into), d);
    return into;
}
