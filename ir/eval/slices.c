/* dynamic-slice and dynamic-update-slice. */
#include <string.h>

#include "ir/eval/move.h"
#include "ir/eval/rule.h"

/* Where a box of dims `box` starts in an array of dims `whole`: start indices, one scalar per dim or one vector for
 * all, moved so that the box lies inside. As an offset. */
static int64_t clamped_start(const Shape *whole, const Shape *box, Value *const *starts, int n_starts,
                             const int64_t *strides) {
    int64_t offset = 0;
    bool vector = n_starts == 1 && starts[0]->shape->rank == 1;
    for (int d = 0; d < whole->rank; d++) {
        int64_t start = vector ? value_index(starts[0], d) : value_index(starts[d], 0);
        int64_t last = whole->dims[d] - box->dims[d];
        if (start > last) start = last;
        if (start < 0) start = 0;
        offset += start * strides[d];
    }
    return offset;
}

Value *eval_dynamic_slice(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)eval;
    Arena *scratch = arena_new();
    const Value *operand = operands[0];
    int64_t *strides = strides_new(scratch, operand->shape);
    int64_t start = clamped_start(operand->shape, shape, operands + 1, instr->n_operands - 1, strides);
    Value *result = value_new(shape);
    Move move = {shape->rank, shape->dims, 0, start, strides_new(scratch, shape), strides};
    move_box(&move, (size_t)dtype_bytes(shape->dtype), result->data, operand->data);
    arena_free(scratch);
    return result;
}

Value *eval_dynamic_update_slice(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)eval;
    Arena *scratch = arena_new();
    const Value *update = operands[1];
    int64_t *strides = strides_new(scratch, shape);
    int64_t start = clamped_start(shape, update->shape, operands + 2, instr->n_operands - 2, strides);
    Value *result = value_may_overwrite(operands[0]) ? value_take(&operands[0]) : value_copy(shape, operands[0]);
    Move move = {shape->rank, update->shape->dims, start, 0, strides, strides_new(scratch, update->shape)};
    move_box(&move, (size_t)dtype_bytes(shape->dtype), result->data, update->data);
    arena_free(scratch);
    return result;
}
