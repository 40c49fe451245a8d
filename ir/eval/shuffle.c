/* shuffle: elements of some dims in another order. */
#include <string.h>

#include "ir/eval/move.h"
#include "ir/eval/rule.h"
#include "ir/eval/window.h"

/* Rotated: element i of dim d is the operand's element (i + shift) mod size. */
static void rotate_index(const Shape *shape, IntList dims, IntList shifts, int64_t *index) {
    for (int k = 0; k < dims.n; k++) {
        int64_t size = shape->dims[dims.at[k]];
        index[dims.at[k]] = ((index[dims.at[k]] + shifts.at[k]) % size + size) % size;
    }
}

/* Permuted: the literal holds, for each element (with size 1 where a dim does not matter), its coordinates in the
 * shuffled dims: in a last dim of their own, or one coordinate without. Clamped, as gather does. */
static void permute_index(const Shape *shape, IntList dims, const Value *indices, const int64_t *strides,
                          int64_t *index) {
    int64_t at = 0;
    for (int d = 0; d < shape->rank; d++) at += indices->shape->dims[d] == 1 ? 0 : index[d] * strides[d];
    for (int k = 0; k < dims.n; k++) {
        int64_t to = value_index(indices, at + k), last = shape->dims[dims.at[k]] - 1;
        index[dims.at[k]] = to < 0 ? 0 : to > last ? last : to;
    }
}

Value *eval_shuffle(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    IntList dims = instr_ints(instr, ATTR_DIMENSIONS), shifts = instr_ints(instr, ATTR_SHIFTS);
    const Attr *permutation = instr_attr(instr, ATTR_INDICES);
    if (!permutation && shifts.n != dims.n)
        return eval_error(eval, instr, "expected %d shifts, found %d", dims.n, shifts.n);
    Arena *scratch = arena_new();
    Value *indices = permutation ? value_of_literal(permutation->literal) : NULL;
    int64_t *index_strides = indices ? strides_new(scratch, indices->shape) : NULL;
    int64_t *strides = strides_new(scratch, shape), *index = NEW_ARRAY(scratch, int64_t, shape->rank);
    int64_t *target = NEW_ARRAY(scratch, int64_t, shape->rank);
    Value *result = value_new(shape);
    size_t bytes = (size_t)dtype_bytes(shape->dtype);
    for (int64_t i = 0; i < value_elements(result); i++, index_next(shape->rank, shape->dims, index)) {
        memcpy(target, index, (size_t)shape->rank * sizeof *index);
        if (indices) permute_index(shape, dims, indices, index_strides, target);
        else rotate_index(shape, dims, shifts, target);
        int64_t from = 0;
        for (int d = 0; d < shape->rank; d++) from += target[d] * strides[d];
        memcpy((char *)result->data + (size_t)i * bytes, (const char *)operands[0]->data + (size_t)from * bytes, bytes);
    }
    value_release(indices);
    arena_free(scratch);
    return result;
}
