/* Shapes of transforms, linear algebra, normalisation, random numbers and dynamic sizes. */
#include "ir/infer/infer.h"

INFER(declared) {
    return f->instr->shape;
}

INFER(parameter) {
    const Attr *replication = instr_attr(f->instr, ATTR_PARAMETER_REPLICATION);
    int leaves = shape_leaves(f->instr->shape);
    if (replication && replication->ints.n != leaves)
        return refuse_attr(f, ATTR_PARAMETER_REPLICATION, E_VALUE,
                           "'parameter_replication' has %d value%s, but %s has %d leaves", replication->ints.n,
                           replication->ints.n == 1 ? "" : "s", shape_words(f, f->instr->shape), leaves);
    return f->instr->shape;
}

INFER(id) {
    return shape_scalar(f->arena, DT_U32);
}

/* ---- transforms and linear algebra ------------------------------------------------------------------------------- */

static bool need_length(Infer *f, const Shape *from, IntList lengths, FftType type) {
    if (lengths.n < 1 || lengths.n > 3)
        return refuse_attr(f, ATTR_FFT_LENGTH, E_DIMENSIONS, "'fft_length' has 1 to 3 numbers, not %d", lengths.n);
    if (from->rank < lengths.n)
        return refuse_attr(f, ATTR_FFT_LENGTH, E_DIMENSIONS, "'fft_length' has %d numbers, but the operand is %s",
                           lengths.n, shape_words(f, from));
    for (int i = 0; i < lengths.n; i++) {
        int64_t size = from->dims[from->rank - lengths.n + i], length = lengths.at[i];
        bool halved = type == FFT_IRFFT && i == lengths.n - 1;
        int64_t wanted = halved ? (length > 0 ? length / 2 + 1 : 0) : length;
        if (length < 0)
            return refuse_attr(f, ATTR_FFT_LENGTH, E_VALUE, "'fft_length' cannot be %lld", (long long)length);
        if (!sizes_agree(size, wanted) && !(halved && length == 0))
            return refuse_attr(f, ATTR_FFT_LENGTH, E_DIMENSIONS,
                               "'fft_length' %lld needs %lld elements in dimension %d, but %s has %lld",
                               (long long)length, (long long)wanted, from->rank - lengths.n + i, shape_words(f, from),
                               (long long)size);
    }
    return true;
}

INFER(fft) {
    FftType type = (FftType)instr_int(f->instr, ATTR_FFT_TYPE, FFT_FFT);
    IntList lengths = instr_ints(f->instr, ATTR_FFT_LENGTH);
    if (!need_class(f, 0, type == FFT_RFFT ? CLASS_FLOAT : CLASS_COMPLEX)) return NULL;
    const Shape *from = operand(f, 0);
    if (type == FFT_RFFT && from->dtype != DT_F32 && from->dtype != DT_F64)
        return refuse_operand(f, 0, E_OPERAND_TYPE, "'fft' works on f32 and f64, not on %s", shape_words(f, from));
    if (!need_length(f, from, lengths, type)) return NULL;
    DType dtype = from->dtype;
    if (type == FFT_RFFT) dtype = dtype == DT_F32 ? DT_C64 : DT_C128;
    if (type == FFT_IRFFT) dtype = dtype_component(dtype);
    Sizes sizes = {0};
    for (int d = 0; d < from->rank; d++) vec_push(f->arena, &sizes, from->dims[d]);
    int64_t last = lengths.at[lengths.n - 1];
    if (type == FFT_RFFT) sizes.at[sizes.n - 1] = last > 0 ? last / 2 + 1 : 0;
    if (type == FFT_IRFFT) sizes.at[sizes.n - 1] = last;
    return array_of(f, dtype, &sizes);
}

static bool need_square(Infer *f, int k) {
    const Shape *shape = operand(f, k);
    bool square = shape->rank >= 2 && sizes_agree(shape->dims[shape->rank - 1], shape->dims[shape->rank - 2]);
    if (square) return true;
    return refuse_operand(f, k, E_OPERAND_SHAPE, "'%s' needs square matrices here, not %s", opcode(f),
                          shape_words(f, shape));
}

INFER(cholesky) {
    return need_class(f, 0, CLASS_FLOAT | CLASS_COMPLEX) && need_square(f, 0) ? operand(f, 0) : NULL;
}

INFER(triangular_solve) {
    if (!need_class(f, 0, CLASS_FLOAT | CLASS_COMPLEX) || !need_square(f, 0)) return NULL;
    if (!need_same_dtype(f, 1, 0) || !need_rank(f, 1, operand(f, 0)->rank)) return NULL;
    if (!instr_attr(f->instr, ATTR_TRANSPOSE_A))
        return refuse_op(f, E_MISSING_ATTRIBUTE, "'triangular-solve' lacks its attribute 'transpose_a'");
    if (instr_int(f->instr, ATTR_TRANSPOSE_A, TRANSPOSE_NONE) == TRANSPOSE_INVALID)
        return refuse_attr(f, ATTR_TRANSPOSE_A, E_VALUE, "'transpose_a' is NO_TRANSPOSE, TRANSPOSE or ADJOINT");
    const Shape *a = operand(f, 0), *b = operand(f, 1);
    bool left = instr_bool(f->instr, ATTR_LEFT_SIDE, false);
    int d = b->rank - (left ? 2 : 1);
    if (!sizes_agree(a->dims[a->rank - 1], b->dims[d]))
        return refuse_operand(f, 1, E_OPERAND_SHAPE, "dimension %d of %s must have the size of the matrices %s", d,
                              shape_words(f, b), shape_words(f, a));
    for (int i = 0; i < b->rank - 2; i++)
        if (!sizes_agree(a->dims[i], b->dims[i]))
            return refuse_operand(f, 1, E_OPERAND_SHAPE, "batch dimension %d of %s differs from that of %s", i,
                                  shape_words(f, b), shape_words(f, a));
    return b;
}

/* ---- batch normalisation ----------------------------------------------------------------------------------------- */

/* Operands first .. last are vectors, one number per feature of operand 0. */
static bool need_features(Infer *f, int first, int last, int64_t *features) {
    if (!need_class(f, 0, CLASS_FLOAT)) return false;
    const Shape *from = operand(f, 0);
    int64_t index = instr_int(f->instr, ATTR_FEATURE_INDEX, 0);
    if (index < 0 || index >= from->rank)
        return refuse_attr(f, ATTR_FEATURE_INDEX, E_DIMENSIONS, "'feature_index' is %lld, but the operand is %s",
                           (long long)index, shape_words(f, from));
    *features = from->dims[index];
    for (int k = first; k <= last; k++) {
        if (!need_same_dtype(f, k, 0) || !need_rank(f, k, 1)) return false;
        if (!sizes_agree(operand(f, k)->dims[0], *features))
            return refuse_operand(f, k, E_OPERAND_SHAPE, "'%s' needs one number for each of %lld features, not %s",
                                  opcode(f), (long long)*features, shape_words(f, operand(f, k)));
    }
    return true;
}

static const Shape *with_vectors(Infer *f, int64_t features) {
    const Shape *vector = shape_array(f->arena, operand(f, 0)->dtype, 1, &features);
    const Shape *results[] = {operand(f, 0), vector, vector};
    return shape_tuple(f->arena, 3, results);
}

INFER(batch_norm_training) {
    int64_t features;
    return need_features(f, 1, 2, &features) ? with_vectors(f, features) : NULL;
}

INFER(batch_norm_inference) {
    int64_t features;
    return need_features(f, 1, 4, &features) ? operand(f, 0) : NULL;
}

INFER(batch_norm_grad) {
    int64_t features;
    return need_features(f, 1, 3, &features) && need_same_shape(f, 4, 0) ? with_vectors(f, features) : NULL;
}

/* ---- random numbers ---------------------------------------------------------------------------------------------- */

INFER(rng) {
    const Shape *shape = f->instr->shape;
    if (f->instr->n_operands != 2)
        return refuse_op(f, E_OPERAND_COUNT, "'rng' takes 2 operands, not %d", f->instr->n_operands);
    if (!shape_is_array(shape))
        return refuse_shape(f, E_RESULT_SHAPE, "'rng' gives an array, not %s", shape_words(f, shape));
    bool normal = instr_int(f->instr, ATTR_DISTRIBUTION, RNG_UNIFORM) == RNG_NORMAL;
    unsigned classes = normal ? CLASS_FLOAT : CLASS_FLOAT | CLASS_INTEGER | CLASS_PRED;
    for (int k = 0; k < 2; k++)
        if (!need_class(f, k, classes) || !need_scalar(f, k) || !need_dtype(f, k, shape->dtype)) return NULL;
    return shape;
}

INFER(rng_state) {
    int64_t two = 2;
    return shape_array(f->arena, DT_U64, 1, &two);
}

/* (state, bits), or in old texts the bits alone. */
INFER(rng_bit_generator) {
    const Shape *shape = f->instr->shape, *bits = shape;
    if (!need_class(f, 0, CLASS_UNSIGNED)) return NULL;
    int64_t algorithm = instr_int(f->instr, ATTR_ALGORITHM, ALGORITHM_RNG_DEFAULT);
    if (algorithm < ALGORITHM_RNG_DEFAULT)
        return refuse_attr(f, ATTR_ALGORITHM, E_VALUE, "'%s' is no algorithm of rng-bit-generator",
                           attr_word(ATTR_KIND_ALGORITHM, (int)algorithm));
    if (shape_is_tuple(shape)) {
        if (shape->n_elements != 2 || !shapes_agree(shape->elements[0], operand(f, 0)))
            return refuse_shape(f, E_RESULT_SHAPE, "'rng-bit-generator' gives (%s, bits), not %s",
                                shape_words(f, operand(f, 0)), shape_words(f, shape));
        bits = shape->elements[1];
    }
    if (!shape_is_array(bits) || dtype_is_complex(bits->dtype))
        return refuse_shape(f, E_RESULT_SHAPE, "'rng-bit-generator' gives an array of bits, not %s",
                            shape_words(f, bits));
    return shape;
}

/* ---- dynamic sizes ----------------------------------------------------------------------------------------------- */

INFER(dynamic_reshape) {
    const Shape *shape = f->instr->shape;
    if (!need_array(f, 0)) return NULL;
    if (!shape_is_array(shape))
        return refuse_shape(f, E_RESULT_SHAPE, "'dynamic-reshape' gives an array, not %s", shape_words(f, shape));
    if (!shape->dynamic && !operand(f, 0)->dynamic && shape_elements(shape) != shape_elements(operand(f, 0)))
        return refuse_shape(f, E_RESULT_SHAPE, "'dynamic-reshape' keeps the number of elements: %s, not %s",
                            shape_words(f, operand(f, 0)), shape_words(f, shape));
    if (f->instr->n_operands != 1 + shape->rank)
        return refuse_op(f, E_OPERAND_COUNT, "'dynamic-reshape' takes a size per dimension of %s: %d, not %d",
                         shape_words(f, shape), shape->rank, f->instr->n_operands - 1);
    for (int k = 1; k < f->instr->n_operands; k++)
        if (!need_dtype(f, k, DT_S32) || !need_scalar(f, k)) return NULL;
    return same_dims_as(f, shape, operand(f, 0)->dtype);
}

INFER(get_dimension_size) {
    if (!need_array(f, 0) || the_dim(f, ATTR_DIMENSIONS, operand(f, 0)->rank) < 0) return NULL;
    return shape_scalar(f->arena, DT_S32);
}

/* The dim becomes a bounded one. */
INFER(set_dimension_size) {
    if (!need_array(f, 0) || !need_dtype(f, 1, DT_S32) || !need_scalar(f, 1)) return NULL;
    const Shape *from = operand(f, 0);
    int dim = the_dim(f, ATTR_DIMENSIONS, from->rank);
    if (dim < 0) return NULL;
    Shape *bounded = NEW(f->arena, Shape);
    uint8_t *dynamic = NEW_ARRAY(f->arena, uint8_t, from->rank);
    for (int d = 0; d < from->rank; d++) dynamic[d] = from->dynamic ? from->dynamic[d] : DIM_STATIC;
    if (dynamic[dim] == DIM_STATIC) dynamic[dim] = DIM_BOUNDED;
    *bounded = *from;
    bounded->dynamic = dynamic;
    return bounded;
}
