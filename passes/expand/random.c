#include "passes/expand/expand.h"

/* Random numbers as integer arithmetic on counters, so that they fuse with what uses them.
 *
 * Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011): Threefry-2x32 with 20 rounds, Philox-4x32 with
 * 10.
 * Which block and word makes which element is XLA's choice, followed to the bit. */

static Instr *number(const Builder *b, const Instr *like, uint64_t value) {
    return build_fill_integer(b, like->shape, like->shape->dtype, value);
}

static Instr *rotate_left(const Builder *b, Instr *x, uint32_t by) {
    Instr *left = build_binary(b, OP_SHIFT_LEFT, x, number(b, x, by));
    return build_binary(b, OP_OR, left, build_binary(b, OP_SHIFT_RIGHT_LOGICAL, x, number(b, x, 32 - by)));
}

void build_threefry(const Builder *b, Instr *const keys[2], Instr *x[2]) {
    static const uint32_t rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
    Instr *schedule[3] = {keys[0], keys[1], build_binary(b, OP_XOR, keys[0], keys[1])};
    schedule[2] = build_binary(b, OP_XOR, schedule[2], number(b, keys[0], 0x1BD11BDA));
    x[0] = build_binary(b, OP_ADD, x[0], schedule[0]);
    x[1] = build_binary(b, OP_ADD, x[1], schedule[1]);
    for (uint32_t group = 0; group < 5; group++) {
        for (int r = 0; r < 4; r++) {
            x[0] = build_binary(b, OP_ADD, x[0], x[1]);
            x[1] = build_binary(b, OP_XOR, rotate_left(b, x[1], rotations[group % 2][r]), x[0]);
        }
        x[0] = build_binary(b, OP_ADD, x[0], schedule[(group + 1) % 3]);
        x[1] = build_binary(b, OP_ADD, build_binary(b, OP_ADD, x[1], schedule[(group + 2) % 3]),
                            number(b, x[1], group + 1));
    }
}

static Instr *low_half(const Builder *b, Instr *x) {
    return build_convert(b, x, DT_U32);
}

static Instr *high_half(const Builder *b, Instr *x) {
    return build_convert(b, build_binary(b, OP_SHIFT_RIGHT_LOGICAL, x, number(b, x, 32)), DT_U32);
}

/* x scalar keys are the same for all. */
static void philox(const Builder *b, Instr *k0, Instr *k1, Instr *x[4]) {
    for (int round = 0; round < 10; round++) {
        Instr *product[2];
        for (int p = 0; p < 2; p++) {
            Instr *wide = build_convert(b, x[2 * p], DT_U64);
            product[p] = build_binary(b, OP_MULTIPLY, wide, number(b, wide, p ? 0xCD9E8D57 : 0xD2511F53));
        }
        Instr *keys[2] = {broadcast_scalar(k0, x[0]->shape, b->span), broadcast_scalar(k1, x[0]->shape, b->span)};
        Instr *y0 = build_binary(b, OP_XOR, build_binary(b, OP_XOR, high_half(b, product[1]), x[1]), keys[0]);
        Instr *y2 = build_binary(b, OP_XOR, build_binary(b, OP_XOR, high_half(b, product[0]), x[3]), keys[1]);
        x[1] = low_half(b, product[1]);
        x[3] = low_half(b, product[0]);
        x[0] = y0;
        x[2] = y2;
        k0 = build_binary(b, OP_ADD, k0, number(b, k0, 0x9E3779B9));
        k1 = build_binary(b, OP_ADD, k1, number(b, k1, 0xBB67AE85));
    }
}

/* --- rng-bit-generator -------------------------------------------------------------------------------------------- */

/* Numbers 0, 1, 2 ... in an array of these dims, row-major. */
static Instr *numbering(const Builder *b, int rank, const int64_t *dims) {
    int64_t n = 1;
    for (int i = 0; i < rank; i++) n *= dims[i];
    return build_reshape(build_iota(b, DT_U64, 1, &n, 0), rank, dims, b->span);
}

/* Two words of one block each, as a number of 64 bits. */
static Instr *joined(const Builder *b, Instr *low, Instr *high) {
    Instr *upper = build_convert(b, high, DT_U64);
    return build_binary(b, OP_OR, build_convert(b, low, DT_U64), build_binary(b, OP_SHIFT_LEFT, upper,
                                                                              number(b, upper, 32)));
}

/* parts, which have equal dims, element by element along a new dim at `dim`. */
static Instr *interleaved(const Builder *b, int n, Instr *const *parts, int dim) {
    const Shape *shape = parts[0]->shape;
    int64_t *dims = NEW_ARRAY(b->arena, int64_t, shape->rank + 1);
    for (int i = 0; i <= shape->rank; i++) dims[i] = i == dim ? 1 : shape->dims[i - (i > dim)];
    Instr *single[4];
    for (int k = 0; k < n; k++) single[k] = build_reshape(parts[k], shape->rank + 1, dims, b->span);
    return build_concatenate(b, dim, n, single);
}

/* Words of Threefry for the blocks of an array of these dims. */
static void threefry_blocks(const Builder *b, Instr *const *state, int rank, const int64_t *dims, Instr *words[2]) {
    Instr *block = numbering(b, rank, dims);
    Instr *counter = build_binary(b, OP_ADD, block, broadcast_scalar(state[1], block->shape, b->span));
    words[0] = low_half(b, counter);
    words[1] = high_half(b, counter);
    Instr *keys[2] = {broadcast_scalar(low_half(b, state[0]), words[0]->shape, b->span),
                      broadcast_scalar(high_half(b, state[0]), words[0]->shape, b->span)};
    build_threefry(b, keys, words);
}

/* The dim whose elements come in pairs from one block: the first of even size, else the largest. */
static int pair_dim(const Shape *shape) {
    int largest = 0;
    for (int d = 0; d < shape->rank; d++) {
        if (shape->dims[d] % 2 == 0) return d;
        if (shape->dims[d] > shape->dims[largest]) largest = d;
    }
    return largest;
}

/* Bits for shape, 64 or 32 of them in an element; *blocks of them were used. */
static Instr *threefry_bits(const Builder *b, Instr *const *state, const Shape *shape, bool is_64, int64_t *blocks) {
    Instr *words[2];
    int split = pair_dim(shape);
    int64_t *dims = NEW_ARRAY(b->arena, int64_t, shape->rank + 1);
    for (int i = 0; i < shape->rank; i++) dims[i] = i == split && !is_64 ? (shape->dims[i] + 1) / 2 : shape->dims[i];
    threefry_blocks(b, state, shape->rank, dims, words);
    *blocks = shape_elements(words[0]->shape);
    if (is_64) return joined(b, words[0], words[1]);
    if (!shape->rank) return words[0];
    Instr *pairs = interleaved(b, 2, words, split + 1);
    dims[split] *= 2;
    return build_slice(b, build_reshape(pairs, shape->rank, dims, b->span), split, 0, shape->dims[split]);
}

/* The same with Philox: words in order, four to a block. */
static Instr *philox_bits(const Builder *b, Instr *const *state, const Shape *shape, bool is_64, int64_t *blocks) {
    int64_t n = shape_elements(shape), per_block = is_64 ? 2 : 4, padded;
    *blocks = (n + per_block - 1) / per_block;
    padded = *blocks * per_block;
    Instr *block = numbering(b, 1, blocks);
    Instr *start = broadcast_scalar(state[1], block->shape, b->span), *low = build_binary(b, OP_ADD, block, start);
    Instr *carry = build_convert(b, build_compare(b, DIRECTION_LT, low, start), DT_U64);
    Instr *high = build_binary(b, OP_ADD, carry, broadcast_scalar(state[2], block->shape, b->span));
    Instr *words[4] = {low_half(b, low), high_half(b, low), low_half(b, high), high_half(b, high)};
    philox(b, low_half(b, state[0]), high_half(b, state[0]), words);
    Instr *pairs[2];
    if (is_64) {
        pairs[0] = joined(b, words[0], words[1]);
        pairs[1] = joined(b, words[2], words[3]);
    }
    Instr *bits = build_reshape(interleaved(b, (int)per_block, is_64 ? pairs : words, 1), 1, &padded, b->span);
    return build_reshape(build_slice(b, bits, 0, 0, n), shape->rank, shape->dims, b->span);
}

/* The state as scalars of 64 bits: {key, counter} or {key, counter, upper half of it}; u32 arrays in pairs. */
static int state_words(const Builder *b, Instr *state, Instr *words[3]) {
    if (state->shape->dtype == DT_U32) {
        int64_t n = shape_elements(state->shape) / 2;
        Instr *pairs = build_reshape(state, 2, (int64_t[]){n, 2}, b->span);
        state = build_op(b, OP_BITCAST_CONVERT, shape_array(b->arena, DT_U64, 1, &n), 1, &pairs);
    }
    int n = (int)shape_elements(state->shape);
    state = build_reshape(state, 1, (int64_t[]){n}, b->span);
    for (int k = 0; k < n; k++) words[k] = build_pick(b, state, k);
    return n;
}

static Instr *state_array(const Builder *b, const Shape *shape, int n, Instr *const words[3]) {
    Instr *single[3];
    int64_t one = 1;
    for (int k = 0; k < n; k++) single[k] = build_reshape(words[k], 1, &one, b->span);
    Instr *state = build_concatenate(b, 0, n, single);
    if (shape->dtype == DT_U32)
        state = build_op(b, OP_BITCAST_CONVERT, shape_array(b->arena, DT_U32, 2, (int64_t[]){n, 2}), 1, &state);
    return build_reshape(state, shape->rank, shape->dims, b->span);
}

/* Bits of the element's own width. */
static Instr *as_type(const Builder *b, Instr *bits, DType dtype) {
    if (dtype_is_integer(dtype)) return build_convert(b, bits, dtype);
    int bytes = dtype_bytes(dtype);
    DType same = bytes == 8 ? DT_U64 : bytes == 4 ? DT_U32 : bytes == 2 ? DT_U16 : DT_U8;
    return build_bits(b, build_convert(b, bits, same), dtype);
}

static Instr *generate(const Builder *b, Algorithm algorithm, Instr *state[3], int n_state, const Shape *shape) {
    bool is_64 = dtype_bytes(shape->dtype) == 8;
    int64_t blocks;
    Instr *bits;
    if (algorithm == ALGORITHM_RNG_THREE_FRY) {
        bits = threefry_bits(b, state, shape, is_64, &blocks);
    } else {
        if (n_state < 3) state[2] = state[0];
        bits = philox_bits(b, state, shape, is_64, &blocks);
    }
    Instr *moved = build_binary(b, OP_ADD, state[1], number(b, state[1], (uint64_t)blocks));
    if (n_state > 2)
        state[2] = build_binary(b, OP_ADD, state[2], build_convert(b, build_compare(b, DIRECTION_LT, moved, state[1]),
                                                                   DT_U64));
    state[1] = moved;
    return as_type(b, bits, shape->dtype);
}

Instr *expand_rng_bit_generator(Instr *instr, Diags *diags) {
    (void)diags;
    Builder b = builder_for(instr);
    const Shape *data = shape_is_tuple(instr->shape) ? instr->shape->elements[1] : instr->shape;
    const Shape *old = instr->operands[0]->shape;
    int64_t bytes = shape_bytes(old);
    bool counts = old->dtype == DT_U64 || old->dtype == DT_U32;
    if (!counts || (bytes != 16 && bytes != 24) || dtype_is_complex(data->dtype) || data->dtype == DT_PRED) return NULL;
    Instr *state[3];
    int n = state_words(&b, instr->operands[0], state);
    Algorithm algorithm = (Algorithm)instr_int(instr, ATTR_ALGORITHM, ALGORITHM_RNG_DEFAULT);
    if (algorithm == ALGORITHM_RNG_THREE_FRY && n != 2) return NULL;
    Instr *bits = generate(&b, algorithm, state, n, data);
    return shape_is_tuple(instr->shape) ? build_tuple(&b, 2, (Instr *[]){state_array(&b, old, n, state), bits}) : bits;
}

/* --- rng ---------------------------------------------------------------------------------------------------------- */

/* Fresh bits of Philox for an array of these dims: the counter is that of rng-get-and-update-state. */
static Instr *fresh_bits(const Builder *b, DType dtype, int rank, const int64_t *dims) {
    const Shape *shape = shape_array(b->arena, dtype, rank, dims);
    int64_t two = 2, words = shape_elements(shape) * (dtype == DT_U64 ? 2 : 1);
    Instr *counter = build_op(b, OP_RNG_GET_AND_UPDATE_STATE, shape_array(b->arena, DT_U64, 1, &two), 0, NULL);
    instr_add_attr(counter, (Attr){.id = ATTR_DELTA, .integer = (words + 3) / 4});
    Instr *state[3] = {build_integer(b, DT_U64, 0x5DEECE66D), build_pick(b, counter, 0), build_pick(b, counter, 1)};
    return generate(b, ALGORITHM_RNG_PHILOX, state, 3, shape);
}

/* In [0, 1), in f32 or f64: as many bits as the mantissa holds. */
static Instr *unit(const Builder *b, DType dtype, int rank, const int64_t *dims) {
    bool is_64 = dtype == DT_F64;
    Instr *bits = fresh_bits(b, is_64 ? DT_U64 : DT_U32, rank, dims);
    Instr *mantissa = build_convert(b, build_binary(b, OP_SHIFT_RIGHT_LOGICAL, bits, number(b, bits, is_64 ? 11 : 8)),
                                    dtype);
    return build_binary(b, OP_MULTIPLY, mantissa, build_fill(b, mantissa->shape, dtype, is_64 ? 0x1p-53 : 0x1p-24));
}

static Instr *spread_scalar(const Builder *b, Instr *scalar, DType dtype, const Shape *shape) {
    return broadcast_scalar(build_convert(b, scalar, dtype), shape, b->span);
}

/* Two numbers of [0, 1) make a normal one (Box and Muller). */
static Instr *normal(const Builder *b, DType dtype, const Shape *shape) {
    Instr *u = unit(b, dtype, shape->rank, shape->dims), *v = unit(b, dtype, shape->rank, shape->dims);
    Instr *one = build_fill(b, shape, dtype, 1), *logarithm = build_unary(b, OP_LOG, build_binary(b, OP_SUBTRACT, one,
                                                                                                  u));
    Instr *radius = build_unary(b, OP_SQRT, build_binary(b, OP_MULTIPLY, logarithm, build_fill(b, shape, dtype, -2)));
    Instr *angle = build_binary(b, OP_MULTIPLY, v, build_fill(b, shape, dtype, 6.283185307179586));
    return build_binary(b, OP_MULTIPLY, radius, build_unary(b, OP_COSINE, angle));
}

static Instr *rng_floats(const Builder *b, const Instr *rng) {
    const Shape *shape = rng->shape;
    DType dtype = shape->dtype == DT_F64 ? DT_F64 : DT_F32;
    Instr *first = spread_scalar(b, rng->operands[0], dtype, shape), *second = spread_scalar(b, rng->operands[1],
                                                                                             dtype, shape);
    if (instr_int(rng, ATTR_DISTRIBUTION, RNG_UNIFORM) == RNG_NORMAL) {
        Instr *scaled = build_binary(b, OP_MULTIPLY, second, normal(b, dtype, shape));
        return build_convert(b, build_binary(b, OP_ADD, first, scaled), shape->dtype);
    }
    Instr *width = build_binary(b, OP_SUBTRACT, second, first);
    Instr *scaled = build_binary(b, OP_MULTIPLY, width, unit(b, dtype, shape->rank, shape->dims));
    Instr *value = build_convert(b, build_binary(b, OP_ADD, first, scaled), shape->dtype);
    Instr *low = spread_scalar(b, rng->operands[0], shape->dtype, shape);
    Instr *high = spread_scalar(b, rng->operands[1], shape->dtype, shape);
    return build_select(b, build_compare(b, DIRECTION_LT, value, high), value, low);
        /* rounding must not reach the end */
}

static Instr *rng_integers(const Builder *b, const Instr *rng) {
    const Shape *shape = rng->shape;
    Instr *low = build_convert(b, rng->operands[0], DT_U64), *high = build_convert(b, rng->operands[1], DT_U64);
    Instr *range = broadcast_scalar(build_binary(b, OP_SUBTRACT, high, low), shape, b->span);
    Instr *rest = build_binary(b, OP_REMAINDER, fresh_bits(b, DT_U64, shape->rank, shape->dims), range);
    Instr *zero = number(b, range, 0), *empty = build_compare(b, DIRECTION_EQ, range, zero);
    Instr *value = build_binary(b, OP_ADD, broadcast_scalar(low, shape, b->span), build_select(b, empty, zero, rest));
    return build_convert(b, value, shape->dtype);
}

Instr *expand_rng(Instr *instr, Diags *diags) {
    (void)diags;
    Builder b = builder_for(instr);
    if (instr->n_operands != 2 || dtype_is_complex(instr->shape->dtype)) return NULL;
    return dtype_is_float(instr->shape->dtype) ? rng_floats(&b, instr) : rng_integers(&b, instr);
}
