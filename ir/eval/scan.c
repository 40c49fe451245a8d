/* scan: a computation on one slice after the other, with carries. */
#include "ir/eval/move.h"
#include "ir/eval/rule.h"

/* Slices of arrays along one dim, which the slices do not have. */
typedef struct {
    Arena *scratch;
    int64_t dim;
} Slicing;

/* Copies between an array and its slice at t. */
static void move_slice(const Slicing *slicing, const Shape *whole, void *array, void *slice, int64_t t, bool into) {
    Arena *scratch = arena_new();
    int64_t *strides = strides_new(scratch, whole), *dims = NEW_ARRAY(scratch, int64_t, whole->rank);
    int64_t *array_strides = NEW_ARRAY(scratch, int64_t, whole->rank);
    int64_t *slice_strides = NEW_ARRAY(scratch, int64_t, whole->rank), stride = 1;
    int n = 0;
    for (int d = 0; d < whole->rank; d++) {
        if (d == slicing->dim) continue;
        dims[n] = whole->dims[d];
        array_strides[n++] = strides[d];
    }
    for (int k = n - 1; k >= 0; k--) {
        slice_strides[k] = stride;
        stride *= dims[k];
    }
    int64_t start = t * strides[slicing->dim];
    size_t bytes = (size_t)dtype_bytes(whole->dtype);
    if (into) move_box(&(Move){n, dims, start, 0, array_strides, slice_strides}, bytes, array, slice);
    else move_box(&(Move){n, dims, 0, start, slice_strides, array_strides}, bytes, slice, array);
    arena_free(scratch);
}

/* One round at t: arguments are slices and carries; takes the carries and leaves the new ones. */
static bool scan_step(Eval *eval, const Instr *instr, const Computation *computation, const Slicing *slicing,
                      Value *const *operands, Value **carries, int n_carries, Value **stacked, int64_t t) {
    int n_inputs = instr->n_operands - n_carries;
    Value **arguments = NEW_ARRAY(slicing->scratch, Value *, instr->n_operands);
    for (int k = 0; k < n_inputs; k++) {
        arguments[k] = value_new(computation->parameters[k]->shape);
        move_slice(slicing, operands[k]->shape, operands[k]->data, arguments[k]->data, t, false);
    }
    for (int k = 0; k < n_carries; k++) arguments[n_inputs + k] = value_take(&carries[k]);
    Value *round = computation_run(eval, computation, arguments);
    if (!round) return false;
    int n_results = round->elements ? round->shape->n_elements : 1, n_outputs = n_results - n_carries;
    for (int k = 0; k < n_results; k++) {
        Value *part = round->elements ? round->elements[k] : round;
        if (k < n_outputs) move_slice(slicing, stacked[k]->shape, stacked[k]->data, part->data, t, true);
        else carries[k - n_outputs] = value_retain(part);
    }
    value_release(round);
    return true;
}

Value *eval_scan(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    const Computation *computation = instr_computation(instr, ATTR_TO_APPLY);
    int n_carries = (int)instr_int(instr, ATTR_NUM_CARRIES, 0), n_inputs = instr->n_operands - n_carries;
    int n_results = shape_is_tuple(shape) ? shape->n_elements : 1, n_outputs = n_results - n_carries;
    Slicing slicing = {arena_new(), instr_ints(instr, ATTR_DIMENSIONS).at[0]};
    bool reverse = instr_bool(instr, ATTR_IS_REVERSE, false), done = true;
    Value **results = NEW_ARRAY(slicing.scratch, Value *, n_results + 1);
    for (int k = 0; k < n_outputs; k++) results[k] = value_new(shape_is_tuple(shape) ? shape->elements[k] : shape);
    for (int k = 0; k < n_carries; k++) results[n_outputs + k] = value_retain(operands[n_inputs + k]);
    const Shape *along = n_inputs ? operands[0]->shape : n_outputs ? results[0]->shape : NULL;
    int64_t n = along ? along->dims[slicing.dim] : 0;
    for (int64_t i = 0; done && i < n; i++)
        done = scan_step(eval, instr, computation, &slicing, operands, results + n_outputs, n_carries, results,
                         reverse ? n - 1 - i : i);
    Value *result = NULL;
    if (done) {
        result = shape_is_tuple(shape) ? value_new(shape) : value_take(&results[0]);
        for (int k = 0; shape_is_tuple(shape) && k < n_results; k++) result->elements[k] = value_take(&results[k]);
    }
    for (int k = 0; k < n_results; k++) value_release(results[k]);
    arena_free(slicing.scratch);
    return result;
}
