/* Random numbers: rng-bit-generator to the bit as XLA, rng with a generator of the same kind. */
#include "ir/eval/random.h"

#include <math.h>
#include <string.h>

#include "ir/eval/map.h"
#include "ir/eval/move.h"
#include "ir/eval/rule.h"

static uint32_t rotate_left(uint32_t x, int n) {
    return x << n | x >> (32 - n);
}

void threefry(uint32_t k0, uint32_t k1, uint32_t x[2]) {
    static const int rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
    const uint32_t key[3] = {k0, k1, 0x1BD11BDA ^ k0 ^ k1};
    x[0] += key[0];
    x[1] += key[1];
    for (uint32_t group = 0; group < 5; group++) {
        for (int r = 0; r < 4; r++) {
            x[0] += x[1];
            x[1] = rotate_left(x[1], rotations[group % 2][r]) ^ x[0];
        }
        x[0] += key[(group + 1) % 3];
        x[1] += key[(group + 2) % 3] + group + 1;
    }
}

void philox(uint64_t key, uint64_t counter_low, uint64_t counter_high, uint32_t out[4]) {
    uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
    uint32_t x[4] = {(uint32_t)counter_low, (uint32_t)(counter_low >> 32), (uint32_t)counter_high,
                     (uint32_t)(counter_high >> 32)};
    for (int round = 0; round < 10; round++, k0 += 0x9E3779B9, k1 += 0xBB67AE85) {
        uint64_t p0 = (uint64_t)x[0] * 0xD2511F53, p1 = (uint64_t)x[2] * 0xCD9E8D57;
        uint32_t y[4] = {(uint32_t)(p1 >> 32) ^ x[1] ^ k0, (uint32_t)p1, (uint32_t)(p0 >> 32) ^ x[3] ^ k1,
                         (uint32_t)p0};
        memcpy(x, y, sizeof x);
    }
    memcpy(out, x, sizeof x);
}

/* --- rng-bit-generator -------------------------------------------------------------------------------------------- */

/* The dim whose elements come in pairs from one block: the first of even size, else the largest. */
static int pair_dim(const Shape *shape) {
    int largest = 0;
    for (int d = 0; d < shape->rank; d++) {
        if (shape->dims[d] % 2 == 0) return d;
        if (shape->dims[d] > shape->dims[largest]) largest = d;
    }
    return largest;
}

static void threefry_block(const uint64_t state[2], uint64_t i, uint32_t x[2]) {
    uint64_t counter = state[1] + i;
    x[0] = (uint32_t)counter;
    x[1] = (uint32_t)(counter >> 32);
    threefry((uint32_t)state[0], (uint32_t)(state[0] >> 32), x);
}

/* Both fill n numbers and move the state on. */
static void threefry_64(uint64_t *state, uint64_t *to, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        uint32_t x[2];
        threefry_block(state, (uint64_t)i, x);
        to[i] = x[0] | (uint64_t)x[1] << 32;
    }
    state[1] += (uint64_t)n;
}

static void threefry_32(uint64_t *state, const Shape *shape, uint32_t *to, int64_t n) {
    int split = pair_dim(shape);
    int64_t size = shape->rank ? shape->dims[split] : 1, half = (size + 1) / 2, inner = 1;
    for (int d = split + 1; d < shape->rank; d++) inner *= shape->dims[d];
    for (int64_t i = 0; i < n; i++) {
        int64_t outer = i / inner / size, j = i / inner % size;
        uint32_t x[2];
        threefry_block(state, (uint64_t)((outer * half + j / 2) * inner + i % inner), x);
        to[i] = x[j % 2];
    }
    state[1] += n ? (uint64_t)(n / size * half) : 0;
}

/* words of 32 bits; state {key, low, high} of the counter. */
static void philox_words(uint64_t *state, uint32_t *to, int64_t n) {
    for (int64_t i = 0; i < n; i += 4) {
        uint32_t block[4];
        philox(state[0], state[1], state[2], block);
        memcpy(to + i, block, sizeof *to * (size_t)(n - i < 4 ? n - i : 4));
        state[2] += ++state[1] == 0;
    }
}

/* Bits of the element's width: 64 from two words, 32 from one, narrower ones cut from one. */
static void store_bits(const Shape *shape, void *to, const uint32_t *words, int64_t n) {
    size_t bytes = (size_t)dtype_bytes(shape->dtype);
    if (bytes >= 4) {
        memcpy(to, words, (size_t)n * bytes);
        return;
    }
    int bits = dtype_bits(shape->dtype);
    for (int64_t i = 0; i < n; i++) {
        int64_t value = dtype_is_integer(shape->dtype) ? int_wrap(shape->dtype, words[i])
                                                       : (int64_t)(words[i] & ((1u << bits) - 1));
        if (bytes == 2) ((uint16_t *)to)[i] = (uint16_t)value;
        else ((uint8_t *)to)[i] = (uint8_t)value;
    }
}

static void generate(Algorithm algorithm, uint64_t state[3], int n_state, Value *data) {
    int64_t n = value_elements(data);
    bool is_64 = dtype_bytes(data->shape->dtype) == 8;
    Arena *scratch = arena_new();
    uint32_t *words = NEW_ARRAY(scratch, uint32_t, 2 * n + 4);
    if (algorithm == ALGORITHM_RNG_THREE_FRY) {
        if (is_64) threefry_64(state, (uint64_t *)(void *)words, n);
        else threefry_32(state, data->shape, words, n);
    } else {
        uint64_t counter[3] = {state[0], state[1], n_state > 2 ? state[2] : state[0]};
        philox_words(counter, words, is_64 ? 2 * n : n);
        memcpy(state, counter, (size_t)n_state * sizeof *state);
    }
    store_bits(data->shape, data->data, words, n);
    arena_free(scratch);
}

Value *eval_rng_bit_generator(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)eval;
    const Value *old = operands[0];
    int64_t state_bytes = shape_bytes(old->shape);
    if (state_bytes != 16 && state_bytes != 24)
        return eval_error(eval, instr, "cannot evaluate 'rng-bit-generator' with a state of %lld bytes",
                          (long long)state_bytes);
    uint64_t state[3] = {0};
    memcpy(state, old->data, (size_t)state_bytes);
    Value *data = value_new(shape_is_tuple(shape) ? shape->elements[1] : shape);
    generate((Algorithm)instr_int(instr, ATTR_ALGORITHM, ALGORITHM_RNG_DEFAULT), state, (int)(state_bytes / 8), data);
    if (!shape_is_tuple(shape)) return data;
    Value *result = value_new(shape);
    result->elements[0] = value_new(shape->elements[0]);
    memcpy(result->elements[0]->data, state, (size_t)state_bytes);
    result->elements[1] = data;
    return result;
}

Value *eval_rng_get_and_update_state(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)operands;
    Value *result = value_new(shape);
    memcpy(result->data, eval->rng_state, sizeof eval->rng_state);
    uint64_t delta = (uint64_t)instr_int(instr, ATTR_DELTA, 0);
    eval->rng_state[0] += delta;
    eval->rng_state[1] += eval->rng_state[0] < delta;
    return result;
}

/* --- rng ---------------------------------------------------------------------------------------------------------- */

/* 64 fresh bits. */
static uint64_t draw(Eval *eval) {
    uint32_t block[4];
    philox(0x5DEECE66D, eval->rng_draws++, 0, block);
    return block[0] | (uint64_t)block[1] << 32;
}

/* In [0, 1). */
static double draw_unit(Eval *eval) {
    return (double)(draw(eval) >> 11) * 0x1p-53;
}

/* A standard normal number, by Box and Muller. */
static double draw_normal(Eval *eval) {
    double radius = sqrt(-2 * log(1 - draw_unit(eval)));
    return radius * cos(6.283185307179586 * draw_unit(eval));
}

static void rng_integers(Eval *eval, Value *result, int64_t low, uint64_t range) {
    Lanes lane;
    size_t bytes = (size_t)dtype_bytes(result->shape->dtype);
    for (int64_t i = 0; i < value_elements(result); i++) {
        lane.i[0] = (int64_t)((uint64_t)low + (range ? draw(eval) % range : 0));
        lanes_store(result->shape->dtype, (char *)result->data + (size_t)i * bytes, &lane, 1);
    }
}

static void rng_floats(Eval *eval, Value *result, bool normal, double a, double b) {
    DType dtype = result->shape->dtype;
    size_t bytes = (size_t)dtype_bytes(dtype);
    Lanes lane;
    for (int64_t i = 0; i < value_elements(result); i++) {
        void *at = (char *)result->data + (size_t)i * bytes;
        lane.f[0] = normal ? a + b * draw_normal(eval) : a + (b - a) * draw_unit(eval);
        lanes_store(dtype, at, &lane, 1);
        lanes_load(&lane, dtype, at, 1);
        if (normal || lane.f[0] < b) continue;
        lane.f[0] = a; /* rounding must not reach the end of [a, b) */
        lanes_store(dtype, at, &lane, 1);
    }
}

Value *eval_rng(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    if (instr->n_operands != 2 || dtype_is_complex(shape->dtype))
        return eval_error(eval, instr, "cannot evaluate 'rng' of %s with %d operands", dtype_name(shape->dtype),
                          instr->n_operands);
    bool normal = instr_int(instr, ATTR_DISTRIBUTION, RNG_UNIFORM) == RNG_NORMAL;
    Lanes a, b;
    lanes_load(&a, operands[0]->shape->dtype, operands[0]->data, 1);
    lanes_load(&b, operands[1]->shape->dtype, operands[1]->data, 1);
    Value *result = value_new(shape);
    if (lane_class(shape->dtype) == LANE_INT) rng_integers(eval, result, a.i[0], (uint64_t)b.i[0] - (uint64_t)a.i[0]);
    else rng_floats(eval, result, normal, a.f[0], b.f[0]);
    return result;
}
