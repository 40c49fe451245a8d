#include "passes/passes.h"

/* A concatenate of very many operands becomes a tree of smaller ones: an element's code asks in which operand it lies,
 * and then that takes a few questions in each of a few levels. */

enum { MOST_JOINED = 64 };

static Instr *join(Instr *whole, int n, Instr *const *parts, int along) {
    Computation *computation = whole->parent;
    int64_t *dims = NEW_ARRAY(computation->module->arena, int64_t, whole->shape->rank);
    for (int d = 0; d < whole->shape->rank; d++) dims[d] = whole->shape->dims[d];
    dims[along] = 0;
    for (int k = 0; k < n; k++) dims[along] += parts[k]->shape->dims[along];
    const Shape *shape = shape_array(computation->module->arena, whole->shape->dtype, whole->shape->rank, dims);
    Instr *joined = instr_new(computation, OP_CONCATENATE, whole->name, shape, n, parts, whole->span);
    joined->op_span = whole->op_span;
    instr_add_attr(joined, *instr_attr(whole, ATTR_DIMENSIONS));
    return joined;
}

static void split_concatenate(Instr *whole) {
    Arena *scratch = arena_new();
    int n = whole->n_operands, along = (int)instr_ints(whole, ATTR_DIMENSIONS).at[0];
    Instr **parts = NEW_ARRAY(scratch, Instr *, n);
    for (int k = 0; k < n; k++) parts[k] = whole->operands[k];
    while (n > MOST_JOINED) {
        int groups = 0;
        for (int k = 0; k < n; k += MOST_JOINED)
            parts[groups++] = join(whole, n - k < MOST_JOINED ? n - k : MOST_JOINED, parts + k, along);
        n = groups;
    }
    instr_replace_uses(whole, join(whole, n, parts, along));
    arena_free(scratch);
}

static bool split(Computation *computation) {
    bool changed = false;
    int n = computation->instrs.n; /* what is new goes to the end */
    for (int i = 0; i < n; i++) {
        Instr *instr = computation->instrs.at[i];
        if (instr->op != OP_CONCATENATE || instr->n_operands <= MOST_JOINED) continue;
        split_concatenate(instr);
        changed = true;
    }
    for (int i = 0; changed && i < computation->instrs.n; i++) computation->instrs.at[i]->mark = 0;
    if (changed) computation_renumber(computation);
    return changed;
}

bool pass_split(Module *module, Diags *diags) {
    (void)diags;
    bool changed = false;
    for (int i = 0; i < module->computations.n; i++) changed |= split(module->computations.at[i]);
    return changed;
}
