/* Rules of the evaluator: one per word of the column `eval` of ir/ops.def, eval_WORD.
 *
 * A rule gets the instruction, the shape of its result and one value per operand, and returns a new value, held once,
 * or NULL when it cannot (then it has said why, by eval_error).
 *   - shape is the instruction's own one except for arrays with bounded dims: then rules are called with static
 *     shapes of the run-time sizes (dynamic.c), so they take sizes from shape and the operands, never from instr
 *   - each operand is held once for the rule: one that keeps it takes it (value_take) or retains it; the caller
 *     releases what was not taken. An operand of which value_may_overwrite is true dies here, and may be the result
 *   - every array of instr, operands and shape is of a type with elements; hlo_verify has passed on the module */
#ifndef IR_EVAL_RULE_H
#define IR_EVAL_RULE_H

#include "base/table.h"
#include "ir/eval/eval.h"
#include "ir/eval/value.h"

typedef struct Eval Eval;
struct Eval {
    Diags *diags;  /* NULL: no messages */
    Arena *arena;  /* lives as long as the evaluation: compiled computations and the like, nothing per iteration */
    KeyTable programs; /* Computation -> Program, or Program that says it is none (program.h) */
    uint64_t rng_state[2]; /* the counter of rng-get-and-update-state, low word first */
    uint64_t rng_draws;    /* how many blocks rng has used */
    int depth;             /* of nested calls */
    struct Team *team;     /* of several devices; NULL: there is one */
    int device;            /* number of this one */
};

Eval *eval_new(Arena *arena, Diags *diags);

typedef Value *EvalRule(Eval *eval, const Instr *instr, const Shape *shape, Value **operands);

/* Column words: one prototype each, however many opcodes share it. */
#define OP(id, text, operands, shape, access, element, eval, ...) EvalRule eval_##eval;
#include "ir/ops.def"
#undef OP

/* Runs a computation. Takes its arguments (they are NULL afterwards); NULL on failure. */
Value *computation_run(Eval *eval, const Computation *computation, Value **arguments);

/* One instruction, bounded dims included (run.c). */
Value *eval_one(Eval *eval, const Instr *instr, Value **operands);

/* Whether an instruction gives the same on every run and every device for the same operands, and does nothing else. */
bool eval_is_constant(const Instr *instr);

/* Whether the opcode's rule is eval_map: then map_plan knows it. */
bool eval_is_map(Op op);

/* Says at the opcode what is wrong; returns NULL, for `return eval_error(...)`. */
Value *eval_error(Eval *eval, const Instr *instr, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
