#include "passes/passes.h"

/* Small pieces of HLO that passes build and recognise. */

Instr *constant_scalar(Computation *computation, DType dtype, double value, Span span) {
    Arena *arena = computation->module->arena;
    const Shape *shape = shape_scalar(arena, dtype);
    Instr *constant = instr_new(computation, OP_CONSTANT, "constant", shape, 0, NULL, span);
    Literal *literal = literal_new(arena, shape);
    literal_set_double(literal, 0, value, 0);
    constant->literal = literal;
    return constant;
}

Instr *broadcast_scalar(Instr *scalar, const Shape *shape, Span span) {
    if (shape->rank == 0) return scalar;
    const Shape *wide = shape_with_dtype(scalar->parent->module->arena, shape, scalar->shape->dtype);
    Instr *broadcast = instr_new(scalar->parent, OP_BROADCAST, "broadcast", wide, 1, &scalar, span);
    instr_add_attr(broadcast, (Attr){.id = ATTR_DIMENSIONS});
    return broadcast;
}

Instr *build_reshape(Instr *operand, int rank, const int64_t *dims, Span span) {
    const Shape *shape = shape_array(operand->parent->module->arena, operand->shape->dtype, rank, dims);
    if (shapes_same_dims(shape, operand->shape)) return operand;
    return instr_new(operand->parent, OP_RESHAPE, "reshape", shape, 1, &operand, span);
}

Instr *build_transpose(Instr *operand, const int64_t *permutation, Span span) {
    Arena *arena = operand->parent->module->arena;
    int rank = operand->shape->rank;
    int64_t *dims = NEW_ARRAY(arena, int64_t, rank), *copy = NEW_ARRAY(arena, int64_t, rank);
    bool identity = true;
    for (int i = 0; i < rank; i++) {
        copy[i] = permutation[i];
        dims[i] = operand->shape->dims[permutation[i]];
        identity &= permutation[i] == i;
    }
    if (identity) return operand;
    const Shape *shape = shape_array(arena, operand->shape->dtype, rank, dims);
    Instr *transpose = instr_new(operand->parent, OP_TRANSPOSE, "transpose", shape, 1, &operand, span);
    instr_add_attr(transpose, (Attr){.id = ATTR_DIMENSIONS, .ints = {rank, copy}});
    return transpose;
}

bool is_splat_constant(const Instr *instr, double *value) {
    while (instr->op == OP_BROADCAST || instr->op == OP_RESHAPE || instr->op == OP_COPY) instr = instr->operands[0];
    if (instr->op != OP_CONSTANT || instr->literal->elided || !shape_is_array(instr->shape)) return false;
    if (shape_elements(instr->shape) < 1 || !literal_is_splat(instr->literal)) return false;
    *value = literal_double(instr->literal, 0);
    return true;
}
