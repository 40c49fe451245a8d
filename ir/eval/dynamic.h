/* Arrays with bounded dims, `f32[<=8]`: a value has room for the bound and the sizes of this run beside it. Elements
 * behind the size are there, but mean nothing.
 *
 * Rules do not know of it. Operations that work element by element compute all of the room and hand the sizes on;
 * for the others, operands are cut to their sizes, the rule sees static shapes, and its result gets its room again. */
#ifndef IR_EVAL_DYNAMIC_H
#define IR_EVAL_DYNAMIC_H

#include "ir/eval/rule.h"

/* Whether an operand has sizes, or the result's shape bounded dims. */
bool dynamic_concerns(const Instr *instr, Value *const *operands);

Value *dynamic_eval(Eval *eval, const Instr *instr, EvalRule *rule, Value **operands);

/* The custom calls of XLA's dynamic padder. SliceToDynamic: the operand with sizes, one scalar per dim. */
Value *slice_to_dynamic(Eval *eval, const Shape *shape, const Value *operand, Value *const *size_operands);
/* PadToStatic: (the operand with all its room, its size per dim). */
Value *pad_to_static(const Shape *shape, const Value *operand);

#endif
