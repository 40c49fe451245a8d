#include "passes/lower/combiner.h"

#include <math.h>

#include "ir/kernel.h"
#include "passes/fuse/fuse.h"

ScalarOp plain_combiner(const Instr *reduction) {
    const Computation *computation = instr_computation(reduction, ATTR_TO_APPLY);
    const Instr *root = computation->root;
    if (computation->n_parameters != 2 || root->n_operands != 2) return SCALAR_NONE;
    if (root->operands[0]->op != OP_PARAMETER || root->operands[1]->op != OP_PARAMETER) return SCALAR_NONE;
    if (root->operands[0] == root->operands[1]) return SCALAR_NONE;
    return op_element(root->op) == ELEMENT_map ? op_scalar(root->op) : SCALAR_NONE;
}

/* Whether a combiner only ever chooses one of its arguments: then its first value may stand in every partial result. */
static bool chooses(const Instr *instr) {
    if (instr->op == OP_PARAMETER) return true;
    if (instr->op == OP_SELECT) return chooses(instr->operands[1]) && chooses(instr->operands[2]);
    bool extremum = instr->op == OP_MAXIMUM || instr->op == OP_MINIMUM;
    return extremum && chooses(instr->operands[0]) && chooses(instr->operands[1]);
}

bool combiner_chooses(const Instr *reduction) {
    const Instr *root = instr_computation(reduction, ATTR_TO_APPLY)->root;
    if (root->op != OP_TUPLE) return chooses(root);
    for (int k = 0; k < root->n_operands; k++)
        if (!chooses(root->operands[k])) return false;
    return true;
}

static int64_t highest_of(DType dtype) {
    int bits = dtype_bits(dtype);
    if (dtype_class(dtype) == DTYPE_SIGNED) return (int64_t)(((uint64_t)1 << (bits - 1)) - 1);
    return (int64_t)(bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1); /* of 64 bits: as they stand */
}

static int64_t lowest_of(DType dtype) {
    return dtype_class(dtype) == DTYPE_SIGNED ? -highest_of(dtype) - 1 : 0;
}

bool combiner_neutral(const Instr *reduction, Neutral *neutral) {
    DType dtype = shape_leaf(reduction->shape, 0)->dtype;
    ScalarOp op = plain_combiner(reduction);
    bool is_signed = dtype_class(dtype) == DTYPE_SIGNED, is_pred = dtype == DT_PRED;
    bool is_integer = dtype_is_integer(dtype);
    *neutral = (Neutral){0};
    if (op == SCALAR_ADD) neutral->real = neutral->imag = -0.0;
    if (op == SCALAR_MUL) neutral->real = neutral->integer = 1;
    if (op == SCALAR_AND) neutral->integer = is_pred ? 1 : is_signed ? -1 : highest_of(dtype);
    if (op == SCALAR_MAX) neutral->real = -INFINITY;
    if (op == SCALAR_MAX && is_integer) neutral->integer = lowest_of(dtype);
    if (op == SCALAR_MIN) neutral->real = INFINITY;
    if (op == SCALAR_MIN) neutral->integer = is_integer ? highest_of(dtype) : 1;
    if (op == SCALAR_MAX || op == SCALAR_MIN) return !dtype_is_complex(dtype);
    return op == SCALAR_ADD || op == SCALAR_MUL || op == SCALAR_AND || op == SCALAR_OR || op == SCALAR_XOR;
}

bool combiner_splits(const Instr *reduction) {
    Neutral neutral;
    return op_element(reduction->op) == ELEMENT_contract || combiner_chooses(reduction) ||
           combiner_neutral(reduction, &neutral);
}
