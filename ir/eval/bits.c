/* Bits seen as another type: bitcast (of the bytes in memory, by the layouts) and bitcast-convert (of elements). */
#include <string.h>

#include "ir/eval/map.h"
#include "ir/eval/move.h"
#include "ir/eval/rule.h"

/* Bits of one element in a run of elements: pred takes a byte. */
static int bits_in_run(DType dtype) {
    return dtype == DT_PRED ? 8 : dtype_bits(dtype);
}

static uint64_t read_bits(const uint8_t *from, int64_t position, int bits) {
    uint64_t value = 0;
    for (int i = 0; i < bits; i++, position++) value |= (uint64_t)(from[position >> 3] >> (position & 7) & 1) << i;
    return value;
}

static void write_bits(uint8_t *to, int64_t position, int bits, uint64_t value) {
    for (int i = 0; i < bits; i++, position++)
        to[position >> 3] = (uint8_t)((to[position >> 3] & ~(1u << (position & 7))) |
                                      (unsigned)(value >> i & 1) << (position & 7));
}

/* n elements as a row of bits, `bits` of each, low ones first. */
static uint8_t *pack(Arena *arena, int bits, const void *from, int64_t n) {
    uint8_t *run = arena_alloc(arena, (size_t)(n * bits + 7) / 8);
    if (bits >= 8)
        memcpy(run, from, (size_t)(n * bits / 8));
    else
        for (int64_t i = 0; i < n; i++) write_bits(run, i * bits, bits, ((const uint8_t *)from)[i]);
    return run;
}

static void unpack(DType dtype, int bits, void *to, const uint8_t *run, int64_t n) {
    if (bits >= 8) memcpy(to, run, (size_t)(n * bits / 8));
    if (dtype_bits(dtype) >= 8) return;
    uint8_t *at = to;
    for (int64_t i = 0; i < n; i++) {
        if (bits < 8) at[i] = (uint8_t)read_bits(run, i * bits, bits);
        if (dtype == DT_PRED || dtype_is_integer(dtype)) at[i] = (uint8_t)int_wrap(dtype, at[i]);
    }
}

/* Splitting and joining elements follows from their bits standing in a row, low ones first. */
Value *eval_bitcast_convert(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)eval, (void)instr;
    Arena *scratch = arena_new();
    Value *result = value_new(shape);
    DType from = operands[0]->shape->dtype;
    const uint8_t *run = pack(scratch, bits_in_run(from), operands[0]->data, value_elements(operands[0]));
    unpack(shape->dtype, bits_in_run(shape->dtype), result->data, run, value_elements(result));
    arena_free(scratch);
    return result;
}

/* Strides of the elements of an array as its layout places them, in elements. */
static int64_t *physical_strides(Arena *arena, const Shape *shape) {
    if (!shape->layout || shape->layout->n_minor_to_major != shape->rank) return strides_new(arena, shape);
    int64_t *strides = NEW_ARRAY(arena, int64_t, shape->rank), stride = 1;
    for (int k = 0; k < shape->rank; k++) {
        int64_t d = shape->layout->minor_to_major[k];
        strides[d] = stride;
        stride *= shape->dims[d];
    }
    return strides;
}

Value *eval_bitcast(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    Value *operand = operands[0];
    const Shape *from = instr->operands[0]->shape; /* with its layout */
    int64_t n = value_elements(operand), n_result = shape_elements(shape);
    size_t bytes = (size_t)dtype_bytes(from->dtype), result_bytes = (size_t)dtype_bytes(shape->dtype);
    int bits = bits_in_run(from->dtype), result_bits = bits_in_run(shape->dtype);
    if (n * bits != n_result * result_bits) { /* types of less than a byte, seen as the bytes that they take */
        if (shape_bytes(from) != shape_bytes(shape))
            return eval_error(eval, instr, "cannot evaluate a bitcast between arrays of different sizes");
        bits = 8 * (int)bytes;
        result_bits = 8 * (int)result_bytes;
    }
    Arena *scratch = arena_new();
    void *in_memory = arena_alloc(scratch, (size_t)n * bytes);
    Move to_memory = {from->rank, from->dims, 0, 0, physical_strides(scratch, from), strides_new(scratch, from)};
    move_box(&to_memory, bytes, in_memory, operand->data);
    if (from->dtype != shape->dtype) {
        const uint8_t *run = pack(scratch, bits, in_memory, n);
        in_memory = arena_alloc(scratch, (size_t)n_result * result_bytes);
        unpack(shape->dtype, result_bits, in_memory, run, n_result);
    }
    Value *result = value_new(shape);
    Move to_logical = {shape->rank, shape->dims, 0, 0, strides_new(scratch, shape), physical_strides(scratch, shape)};
    move_box(&to_logical, result_bytes, result->data, in_memory);
    arena_free(scratch);
    return result;
}
