#include "passes/passes.h"
#include "passes/reach.h"

/* Unused instructions and computations. Parameters stay: they are the interface. */

static void mark(Arena *scratch, Instr *root) {
    VEC(Instr *) stack = {0};
    vec_push(scratch, &stack, root);
    while (stack.n) {
        Instr *instr = stack.at[--stack.n];
        if (instr->mark == 1) continue;
        instr->mark = 1;
        for (int k = 0; k < instr->n_operands; k++)
            if (instr->operands[k]->mark != 1) vec_push(scratch, &stack, instr->operands[k]);
    }
}

/* Drops what is not marked, and its entries in the users of what stays. */
static bool sweep(Computation *computation) {
    int kept = 0;
    for (int i = 0; i < computation->instrs.n; i++) {
        Instr *instr = computation->instrs.at[i];
        kept += instr->mark == 1;
        int n = 0;
        for (int u = 0; u < instr->users.n; u++)
            if (instr->users.at[u]->mark == 1) instr->users.at[n++] = instr->users.at[u];
        instr->users.n = n;
        if (instr->mark != 1) instr->mark = -1;
    }
    if (kept == computation->instrs.n) return false;
    computation_renumber(computation);
    return true;
}

static bool sweep_computation(Arena *scratch, Computation *computation) {
    for (int i = 0; i < computation->instrs.n; i++) computation->instrs.at[i]->mark = 0;
    mark(scratch, computation->root);
    for (int i = 0; i < computation->instrs.n; i++) {
        Instr *instr = computation->instrs.at[i];
        if (instr->op == OP_PARAMETER || instr_has_effect(instr)) mark(scratch, instr);
    }
    return sweep(computation);
}

bool pass_dce(Module *module, Diags *diags) {
    (void)diags;
    Arena *scratch = arena_new();
    bool changed = false;
    for (int i = 0; i < module->computations.n; i++) changed |= sweep_computation(scratch, module->computations.at[i]);
    Reach reach = reach_new(scratch, module);
    reach_all(scratch, &reach);
    changed |= reach_drop_others(module, &reach);
    arena_free(scratch);
    return changed;
}
