/* Custom calls that the evaluator knows, by target. */
#ifndef IR_EVAL_CUSTOM_CALL_H
#define IR_EVAL_CUSTOM_CALL_H

#include "ir/eval/rule.h"

/* The rule of a custom call, or NULL. */
EvalRule *custom_call_rule(const Instr *instr);

/* One opcode's worth of meaning under another name: the unary operation that "mhlo.tan" and the like stand for, or
 * N_OPS. */
Op custom_call_op(const Instr *instr);

#endif
