/* Shape inference: a rule per opcode (ir/infer/). */
#include "ir/infer/infer.h"

static const Shape *(*const rules[N_OPS])(Infer *) = {
#define OP(id, text, operands, shape, ...) [OP_##id] = infer_##shape,
#include "ir/ops.def"
#undef OP
};

const Shape *hlo_infer(const Instr *instr, Diags *diags) {
    const Module *module = instr->parent->module;
    Infer context = {instr, module, module->arena, diags};
    return rules[instr->op](&context);
}
