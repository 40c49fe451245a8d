/* The evaluator's front: arguments in, results out. */
#include "ir/eval/eval.h"

#include "ir/eval/rule.h"
#include "ir/eval/team.h"

Eval *eval_new(Arena *arena, Diags *diags) {
    Eval *eval = NEW(arena, Eval);
    eval->arena = arena;
    eval->diags = diags;
    eval->rng_state[0] = 0x7012395; /* where XLA's counter starts */
    return eval;
}

static Literal *run(Eval *eval, Arena *arena, const Computation *computation, const Literal *const *arguments) {
    Value **values = NEW_ARRAY(eval->arena, Value *, computation->n_parameters);
    for (int k = 0; k < computation->n_parameters; k++) values[k] = value_of_literal(arguments[k]);
    Value *result = computation_run(eval, computation, values);
    Literal *literal = result ? value_to_literal(arena, result, computation->root->shape) : NULL;
    value_release(result);
    return literal;
}

Literal *eval_computation(Arena *arena, const Computation *computation, const Literal *const *arguments, Diags *diags) {
    Eval *eval = eval_new(arena_new(), diags);
    Literal *literal = run(eval, arena, computation, arguments);
    arena_free(eval->arena);
    return literal;
}


typedef struct {
    Arena *arena;
    const Module *module;
    const Literal *const *const *arguments;
    Literal **results;
} DevicesRun;

static bool run_on_device(Eval *eval, void *context) {
    const DevicesRun *all = context;
    Literal *result = run(eval, all->arena, all->module->entry, all->arguments[eval->device]);
    all->results[eval->device] = result;
    return result != NULL;
}

bool eval_devices(Arena *arena, const Module *module, int devices, const Literal *const *const *arguments,
                  Literal **results, Diags *diags) {
    int64_t needed = module->attrs.replica_count * module->attrs.num_partitions;
    if (needed > 1 && needed != devices) {
        diag_error(diags, (Span){0, 0}, NULL, "the program is for %lld devices, not %d", (long long)needed, devices);
        return false;
    }
    if (devices == 1) return (results[0] = eval_computation(arena, module->entry, arguments[0], diags)) != NULL;
    DevicesRun all = {arena, module, arguments, results};
    return team_run(devices, diags, run_on_device, &all);
}

Literal *eval_module(Arena *arena, const Module *module, const Literal *const *arguments, Diags *diags) {
    Literal *result = NULL;
    return eval_devices(arena, module, 1, &arguments, &result, diags) ? result : NULL;
}

Literal *eval_instr(Arena *arena, const Instr *instr, const Literal *const *operands) {
    if (!eval_is_constant(instr)) return NULL;
    for (int k = 0; k < instr->n_operands; k++)
        if (literal_lacks_values(operands[k])) return NULL;
    Eval *eval = eval_new(arena_new(), NULL);
    Value **values = NEW_ARRAY(eval->arena, Value *, instr->n_operands + 1);
    for (int k = 0; k < instr->n_operands; k++) values[k] = value_of_literal(operands[k]);
    Value *result = eval_one(eval, instr, values);
    Literal *literal = result ? value_to_literal(arena, result, instr->shape) : NULL;
    value_release(result);
    for (int k = 0; k < instr->n_operands; k++) value_release(values[k]);
    arena_free(eval->arena);
    return literal;
}
