/* Operations that only move elements. */
#include <string.h>

#include "ir/eval/map.h"
#include "ir/eval/move.h"
#include "ir/eval/rule.h"

static size_t element_bytes(const Value *value) {
    return (size_t)dtype_bytes(value->shape->dtype);
}

/* An array read through strides of the operand: result[i] = operand[start + sum i_d strides[d]]. */
static Value *read_strided(const Shape *shape, const Value *operand, int64_t start, const int64_t *strides) {
    Arena *scratch = arena_new();
    Value *result = value_new(shape);
    Move move = {shape->rank, shape->dims, 0, start, strides_new(scratch, shape), strides};
    move_box(&move, element_bytes(operand), result->data, operand->data);
    arena_free(scratch);
    return result;
}

Value *eval_broadcast(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)eval;
    Value *operand = operands[0];
    if (operand->shape->rank == 0) {
        Value *result = value_new(shape);
        fill_elements(element_bytes(operand), result->data, operand->data, value_elements(result));
        return result;
    }
    Arena *scratch = arena_new();
    IntList dims = instr_ints(instr, ATTR_DIMENSIONS);
    int64_t *own = strides_new(scratch, operand->shape), *strides = NEW_ARRAY(scratch, int64_t, shape->rank);
    for (int k = 0; k < dims.n; k++)
        strides[dims.at[k]] = operand->shape->dims[k] == shape->dims[dims.at[k]] ? own[k] : 0;
    Value *result = read_strided(shape, operand, 0, strides);
    arena_free(scratch);
    return result;
}

Value *eval_transpose(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)eval;
    Arena *scratch = arena_new();
    IntList permutation = instr_ints(instr, ATTR_DIMENSIONS);
    int64_t *own = strides_new(scratch, operands[0]->shape), *strides = NEW_ARRAY(scratch, int64_t, shape->rank);
    for (int d = 0; d < permutation.n; d++) strides[d] = own[permutation.at[d]];
    Value *result = read_strided(shape, operands[0], 0, strides);
    arena_free(scratch);
    return result;
}

Value *eval_reverse(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)eval;
    Arena *scratch = arena_new();
    IntList dims = instr_ints(instr, ATTR_DIMENSIONS);
    int64_t *strides = strides_new(scratch, shape), start = 0;
    for (int k = 0; k < dims.n; k++) {
        int64_t d = dims.at[k];
        start += (shape->dims[d] - 1) * strides[d];
        strides[d] = -strides[d];
    }
    Value *result = read_strided(shape, operands[0], start, strides);
    arena_free(scratch);
    return result;
}

Value *eval_slice(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)eval;
    Arena *scratch = arena_new();
    const Attr *slice = instr_attr(instr, ATTR_SLICE);
    int64_t *strides = strides_new(scratch, operands[0]->shape), start = 0;
    for (int d = 0; d < shape->rank; d++) {
        start += slice->slices[d].start * strides[d];
        strides[d] *= slice->slices[d].stride;
    }
    Value *result = read_strided(shape, operands[0], start, strides);
    arena_free(scratch);
    return result;
}

/* The same elements under another shape. */
Value *eval_reshape(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)eval, (void)instr;
    return value_view(shape, operands[0]);
}

/* A copy may change the layout, which values do not have. */
Value *eval_copy(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    if (!shape_is_array(shape)) return eval_forward(eval, instr, shape, operands);
    return eval_reshape(eval, instr, shape, operands);
}

Value *eval_iota(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)operands;
    int64_t along = instr_int(instr, ATTR_IOTA_DIMENSION, 0), n = shape->dims[along], inner = 1;
    for (int d = (int)along + 1; d < shape->rank; d++) inner *= shape->dims[d];
    Value *result = value_new(shape);
    MapPlan plan;
    if (!map_plan_convert(&plan, DT_S64, shape->dtype)) {
        value_release(result);
        return eval_error(eval, instr, "cannot evaluate 'iota' of %s", dtype_name(shape->dtype));
    }
    int64_t *indices = base_malloc((size_t)n * sizeof *indices);
    for (int64_t i = 0; i < n; i++) indices[i] = i;
    size_t bytes = (size_t)dtype_bytes(shape->dtype);
    char *column = base_malloc((size_t)n * bytes), *to = result->data;
    map_run(&plan, column, (const void *const[]){indices}, n);
    int64_t total = value_elements(result);
    for (int64_t i = 0; inner && i < total / inner; i++, to += (size_t)inner * bytes)
        fill_elements(bytes, to, column + (size_t)(i % n) * bytes, inner);
    base_free(indices);
    base_free(column);
    return result;
}

Value *eval_concatenate(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)eval;
    Arena *scratch = arena_new();
    int64_t along = instr_ints(instr, ATTR_DIMENSIONS).at[0], start = 0;
    int64_t *strides = strides_new(scratch, shape);
    Value *result = value_new(shape);
    for (int k = 0; k < instr->n_operands; k++) {
        const Shape *part = operands[k]->shape;
        Move move = {shape->rank, part->dims, start * strides[along], 0, strides, strides_new(scratch, part)};
        move_box(&move, element_bytes(operands[k]), result->data, operands[k]->data);
        start += part->dims[along];
    }
    arena_free(scratch);
    return result;
}

/* Elements i with 0 <= low + i * step < size: *first of them, and how many. */
static int64_t inside(int64_t n, int64_t low, int64_t step, int64_t size, int64_t *first) {
    *first = low < 0 ? (-low + step - 1) / step : 0;
    int64_t end = size - low <= 0 ? 0 : (size - low + step - 1) / step;
    if (end > n) end = n;
    return end > *first ? end - *first : 0;
}

Value *eval_pad(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)eval;
    Arena *scratch = arena_new();
    const PadDim *padding = instr_attr(instr, ATTR_PADDING)->padding;
    const Value *operand = operands[0];
    Value *result = value_new(shape);
    fill_elements(element_bytes(operand), result->data, operands[1]->data, value_elements(result));
    int64_t *to = strides_new(scratch, shape), *from = strides_new(scratch, operand->shape);
    int64_t *dims = NEW_ARRAY(scratch, int64_t, shape->rank);
    Move move = {shape->rank, dims, 0, 0, to, from};
    for (int d = 0; d < shape->rank; d++) {
        int64_t first, step = padding[d].interior + 1;
        dims[d] = inside(operand->shape->dims[d], padding[d].low, step, shape->dims[d], &first);
        move.start_from += first * from[d];
        move.start_to += (padding[d].low + first * step) * to[d];
        to[d] *= step;
    }
    move_box(&move, element_bytes(operand), result->data, operand->data);
    arena_free(scratch);
    return result;
}
