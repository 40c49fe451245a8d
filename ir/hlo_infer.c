#include "ir/hlo.h"
const Shape *hlo_infer(const Instr *instr, Diags *diags) {
    (void)diags;
    return instr->n_operands ? instr->operands[0]->shape : NULL;
}
void hlo_verify(const Module *module, Diags *diags) { (void)module, (void)diags; }
