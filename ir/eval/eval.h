/* The evaluator: what HLO means, in obvious code over typed arrays. It is the oracle of the tests and the constant
 * folder; XLA:CPU is its own oracle. It shares no rule with the lowering, or it would be no oracle.
 *
 * Semantics: op-semantics.md; where XLA:CPU departs from the documents, docs/differences.md says what is done.
 * Speed: at most about 50 ns per element operation. Float sums of f32, f16 and bf16 are kept in double.
 *
 * The room: run.c runs computations, rule.h says what a rule is, value.h what it computes with. Elementwise operations
 * are plans (map.h) over lanes (lanes.h), one kernel per operator and class of types (map_*.c); program.h compiles
 * computations on scalars to such plans. move.h moves elements, reducer.h applies combiners, contract.h sums products,
 * linalg.h factors matrices. The other files are rules, named after their operations; dynamic.h wraps rules where dims
 * are bounded. */
#ifndef IR_EVAL_EVAL_H
#define IR_EVAL_EVAL_H

#include "base/diag.h"
#include "ir/hlo.h"

/* Reports, at its opcode, every instruction that the evaluator cannot do ("cannot evaluate 'infeed'"), once each, in
 * every computation reachable from the entry. True when there is none. */
bool eval_can(const Module *module, Diags *diags);

/* The value of the entry computation for one literal per entry parameter (of its shape, tuples as tuple literals), in
 * arena. NULL when something is wrong at run time: then diags say what and where. */
Literal *eval_module(Arena *arena, const Module *module, const Literal *const *arguments, Diags *diags);

/* The same on several devices at once: one list of arguments and one result for each. False when something is wrong. */
bool eval_devices(Arena *arena, const Module *module, int devices, const Literal *const *const *arguments,
                  Literal **results, Diags *diags);

/* The same for any computation: n_parameters arguments. */
Literal *eval_computation(Arena *arena, const Computation *computation, const Literal *const *arguments, Diags *diags);

/* The value of one instruction for values of its operands; NULL when the evaluator cannot, or when the value is not
 * the same on every run and device: random numbers, collectives, custom calls (no message). For the constant folder. */
Literal *eval_instr(Arena *arena, const Instr *instr, const Literal *const *operands);

#endif
