/* Collectives on several devices. */
#ifndef IR_EVAL_COLLECTIVE_H
#define IR_EVAL_COLLECTIVE_H

#include "ir/eval/team.h"

/* What this device gets when all of its group have come. */
Value *shared_result(Eval *eval, const Instr *instr, const Shape *shape, Value **operands);

/* collective-permute. */
Value *permuted_result(Eval *eval, const Instr *instr, const Shape *shape, Value **operands);

/* Whether this device is on the given side (0: source, 1: target) of a pair; *other is the device on the other side. */
bool device_pair(const Eval *eval, const Instr *instr, const Attr *pairs, int side, int64_t *other);

#endif
