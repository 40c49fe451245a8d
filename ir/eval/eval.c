/* The evaluator's front: arguments in, results out. */
#include "ir/eval/eval.h"

#include "ir/eval/rule.h"

static Eval *eval_new(Diags *diags) {
    Arena *arena = arena_new();
    Eval *eval = NEW(arena, Eval);
    eval->arena = arena;
    eval->diags = diags;
    eval->rng_state[0] = 0x7012395; /* where XLA's counter starts */
    return eval;
}

Literal *eval_computation(Arena *arena, const Computation *computation, const Literal *const *arguments, Diags *diags) {
    Eval *eval = eval_new(diags);
    Value **values = NEW_ARRAY(eval->arena, Value *, computation->n_parameters);
    for (int k = 0; k < computation->n_parameters; k++) values[k] = value_of_literal(arguments[k]);
    Value *result = computation_run(eval, computation, values);
    Literal *literal = result ? value_to_literal(arena, result, computation->root->shape) : NULL;
    value_release(result);
    arena_free(eval->arena);
    return literal;
}

Literal *eval_module(Arena *arena, const Module *module, const Literal *const *arguments, Diags *diags) {
    return eval_computation(arena, module->entry, arguments, diags);
}

Literal *eval_instr(Arena *arena, const Instr *instr, const Literal *const *operands) {
    if (!eval_is_constant(instr)) return NULL;
    for (int k = 0; k < instr->n_operands; k++)
        if (literal_lacks_values(operands[k])) return NULL;
    Eval *eval = eval_new(NULL);
    Value **values = NEW_ARRAY(eval->arena, Value *, instr->n_operands + 1);
    for (int k = 0; k < instr->n_operands; k++) values[k] = value_of_literal(operands[k]);
    Value *result = eval_one(eval, instr, values);
    Literal *literal = result ? value_to_literal(arena, result, instr->shape) : NULL;
    value_release(result);
    for (int k = 0; k < instr->n_operands; k++) value_release(values[k]);
    arena_free(eval->arena);
    return literal;
}
