#include "passes/passes.h"

#include "ir/eval/eval.h"

/* Constants, by the evaluator: where the result is no larger than its operands, or small. */

enum { SMALL_BYTES = 4096, MOST_WORK = 1 << 20 };

static int64_t literal_bytes(const Shape *shape) {
    int64_t bytes = 0;
    for (int i = 0; i < shape_leaves(shape); i++) bytes += shape_bytes(shape_leaf(shape, i));
    return bytes;
}

static bool can_fold(const Instr *instr) {
    if (instr->op == OP_CONSTANT || instr->op == OP_PARAMETER || instr->op == OP_TUPLE || instr->op == OP_BROADCAST ||
        instr->op == OP_IOTA || instr->op == OP_WHILE || instr->op == OP_GET_TUPLE_ELEMENT ||
        instr->op == OP_CUSTOM_CALL || !instr->n_operands || (op_flags(instr->op) & (OP_EFFECT | OP_COLLECTIVE)) ||
        !shape_is_array(instr->shape))
        return false;
    int64_t operands = 0;
    for (int k = 0; k < instr->n_operands; k++) {
        const Instr *operand = instr->operands[k];
        if (operand->op != OP_CONSTANT || operand->literal->elided) return false;
        operands += literal_bytes(operand->shape);
    }
    int64_t result = literal_bytes(instr->shape);
    if (operands > MOST_WORK || result > MOST_WORK) return false;
    return result <= SMALL_BYTES || result <= operands;
}

static bool fold(Instr *instr) {
    Arena *arena = instr->parent->module->arena;
    const Literal **operands = NEW_ARRAY(arena, const Literal *, instr->n_operands);
    for (int k = 0; k < instr->n_operands; k++) operands[k] = instr->operands[k]->literal;
    Literal *value = eval_instr(arena, instr, operands);
    if (!value) return false;
    Instr *constant = instr_new(instr->parent, OP_CONSTANT, instr->name, instr->shape, 0, NULL, instr->span);
    constant->literal = value;
    instr_replace_uses(instr, constant);
    return true;
}

bool pass_fold(Module *module, Diags *diags) {
    (void)diags;
    bool changed = false;
    for (int c = 0; c < module->computations.n; c++) {
        Computation *computation = module->computations.at[c];
        bool here = false;
        int n = computation->instrs.n;
        for (int i = 0; i < n; i++)
            if (can_fold(computation->instrs.at[i])) here |= fold(computation->instrs.at[i]);
        for (int i = 0; i < computation->instrs.n; i++) computation->instrs.at[i]->mark = 0;
        if (here) computation_renumber(computation);
        changed |= here;
    }
    return changed;
}
