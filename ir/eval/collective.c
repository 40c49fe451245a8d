/* Collectives: on one device mostly copies, on several what share.h says. */
#include "ir/eval/collective.h"

#include <string.h>

#include "ir/eval/move.h"

/* The operand, or a tuple of the operands where the shape is one. */
static Value *operands_as(const Shape *shape, int n, Value **operands) {
    if (!shape_is_tuple(shape)) return value_retain(operands[0]);
    Value *tuple = value_new(shape);
    for (int k = 0; k < n; k++) tuple->elements[k] = value_retain(operands[k]);
    return tuple;
}

/* all-reduce, all-gather, reduce-scatter, all-to-all, collective-reduce. */
Value *eval_own_share(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    if (eval->team) return shared_result(eval, instr, shape, operands);
    return operands_as(shape, instr->n_operands, operands);
}

/* With has_dynamic_root the last operand says who sends: there is only one. */
Value *eval_collective_broadcast(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    if (eval->team) return shared_result(eval, instr, shape, operands);
    if (groups_leave_out(instr_attr(instr, ATTR_REPLICA_GROUPS), 0)) return value_zeros(shape);
    return operands_as(shape, instr->n_operands - instr_bool(instr, ATTR_HAS_DYNAMIC_ROOT, false), operands);
}

static bool sends_to_itself(const Instr *instr) {
    const Attr *pairs = instr_attr(instr, ATTR_SOURCE_TARGET_PAIRS);
    for (int k = 0; pairs && k < pairs->n_lists; k++)
        if (pairs->lists[k].n == 2 && pairs->lists[k].at[0] == 0 && pairs->lists[k].at[1] == 0) return true;
    return false;
}

/* Who is no target gets zeros. */
Value *eval_collective_permute(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    if (instr_attr(instr, ATTR_SLICE_SIZES))
        return eval_error(eval, instr, "cannot evaluate a '%s' into a part of its operand", op_name(instr->op));
    if (eval->team) return permuted_result(eval, instr, shape, operands);
    return sends_to_itself(instr) ? operands_as(shape, instr->n_operands, operands) : value_zeros(shape);
}

/* (operands, results, contexts ...): results by the rule of the whole operation. */
static Value *started(const Instr *instr, const Shape *shape, Value **operands, Value *result) {
    Value *start = value_new(shape);
    start->elements[0] = operands_as(shape->elements[0], instr->n_operands, operands);
    start->elements[1] = result;
    for (int k = 2; k < shape->n_elements; k++) start->elements[k] = value_zeros(shape->elements[k]);
    return start;
}

Value *eval_all_gather_start(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    Value *result = eval_own_share(eval, instr, shape->elements[1], operands);
    return result ? started(instr, shape, operands, result) : NULL;
}

Value *eval_collective_permute_start(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    Value *result = eval_collective_permute(eval, instr, shape->elements[1], operands);
    return result ? started(instr, shape, operands, result) : NULL;
}

/* (destination, source, context). */
Value *eval_copy_start(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)eval, (void)instr;
    Value *start = value_zeros(shape);
    for (int k = 0; k < 2; k++) {
        value_release(start->elements[k]);
        start->elements[k] = value_retain(operands[0]);
    }
    return start;
}

Value *eval_first(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)eval, (void)instr, (void)shape;
    return value_retain(operands[0]->elements[0]);
}

Value *eval_second(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)eval, (void)instr, (void)shape;
    return value_retain(operands[0]->elements[1]);
}

/* partition-id, replica-id. */
Value *eval_device_number(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)operands;
    Value *number = value_zeros(shape);
    int64_t partitions = instr->parent->module->attrs.num_partitions;
    bool partition = instr->op == OP_PARTITION_ID;
    *(uint32_t *)number->data = (uint32_t)(partition ? eval->device % partitions : eval->device / partitions);
    return number;
}

/* Rows of the input go to the output: send_sizes[j] of them from input_offsets[j] to output_offsets[j]. */
Value *eval_ragged_all_to_all(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    if (instr->n_operands != 6) return eval_error(eval, instr, "expected 6 operands, found %d", instr->n_operands);
    if (eval->team) return shared_result(eval, instr, shape, operands);
    const Value *input = operands[0];
    Value *result = value_copy(shape, operands[1]);
    int64_t n_in = input->shape->dims[0], n_out = shape->dims[0];
    size_t row = n_in ? (size_t)(shape_bytes(input->shape) / n_in) : 0;
    for (int64_t j = 0; j < value_elements(operands[2]); j++) {
        int64_t from = value_index(operands[2], j), n = value_index(operands[3], j), to = value_index(operands[4], j);
        if (n <= 0) continue;
        if (from < 0 || to < 0 || from > n_in - n || to > n_out - n) {
            value_release(result);
            return eval_error(eval, instr, "rows %lld to %lld of 'ragged-all-to-all' lie outside its arrays",
                              (long long)from, (long long)(from + n - 1));
        }
        memcpy((char *)result->data + (size_t)to * row, (const char *)input->data + (size_t)from * row,
               (size_t)n * row);
    }
    return result;
}
