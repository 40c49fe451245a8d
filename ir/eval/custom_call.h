/* Custom calls that the evaluator knows, by target. */
#ifndef IR_EVAL_CUSTOM_CALL_H
#define IR_EVAL_CUSTOM_CALL_H

#include "ir/eval/rule.h"

/* Does the evaluator know the target, with whatever operands and results? */
bool custom_call_is_known(const Instr *instr);

/* The rule of a custom call, or NULL: the target is unknown, or its rule has no use for these operands and results. */
EvalRule *custom_call_rule(const Instr *instr);

/* One opcode's worth of meaning under another name: the unary operation that "mhlo.tan" and the like stand for, or
 * N_OPS. */
Op custom_call_op(const Instr *instr);

#endif
