#include "passes/bounds/bounds.h"

#include "base/codes.h"

/* Which rule expands which opcode. */

static ExpandRule *const rules[N_OPS] = {
    [OP_CONSTANT] = expand_constant,
    [OP_CUSTOM_CALL] = expand_custom_call,
    [OP_PARTITION_ID] = expand_device_number,
    [OP_REPLICA_ID] = expand_device_number,
    [OP_DOMAIN] = expand_forward,
    [OP_ASYNC_START] = expand_async_start,
    [OP_ASYNC_UPDATE] = expand_async_update,
    [OP_ASYNC_DONE] = expand_second,
    [OP_COPY_START] = expand_copy_start,
    [OP_COPY_DONE] = expand_first,
    [OP_ALL_GATHER] = expand_own_share,
    [OP_ALL_GATHER_START] = expand_all_gather_start,
    [OP_ALL_GATHER_DONE] = expand_second,
    [OP_ALL_REDUCE] = expand_own_share,
    [OP_ALL_REDUCE_START] = expand_own_share,
    [OP_ALL_REDUCE_DONE] = expand_forward,
    [OP_ALL_TO_ALL] = expand_own_share,
    [OP_REDUCE_SCATTER] = expand_own_share,
    [OP_COLLECTIVE_REDUCE] = expand_own_share,
    [OP_COLLECTIVE_BROADCAST] = expand_collective_broadcast,
    [OP_COLLECTIVE_PERMUTE] = expand_collective_permute,
    [OP_COLLECTIVE_PERMUTE_START] = expand_collective_permute_start,
    [OP_COLLECTIVE_PERMUTE_DONE] = expand_second,
    [OP_BATCH_NORM_TRAINING] = expand_batch_norm_training,
    [OP_BATCH_NORM_INFERENCE] = expand_batch_norm_inference,
    [OP_BATCH_NORM_GRAD] = expand_batch_norm_grad,
    [OP_RNG] = expand_rng,
    [OP_RNG_BIT_GENERATOR] = expand_rng_bit_generator,
    [OP_SELECT_AND_SCATTER] = expand_select_and_scatter,
    [OP_SCAN] = expand_scan,
    [OP_CHOLESKY] = expand_in_f32,
    [OP_TRIANGULAR_SOLVE] = expand_in_f32,
    [OP_RAGGED_DOT] = expand_ragged_dot,
    [OP_SCALED_DOT] = expand_scaled_dot,
    [OP_SHUFFLE] = expand_shuffle,
};

/* Rules that count elements do not know of sizes of the run. */
static bool counts_elements(Op op) {
    return op == OP_BATCH_NORM_TRAINING || op == OP_BATCH_NORM_GRAD || op == OP_SELECT_AND_SCATTER || op == OP_SCAN ||
           op == OP_BATCH_NORM_INFERENCE || op == OP_RAGGED_DOT || op == OP_SCALED_DOT || op == OP_SHUFFLE ||
           op == OP_CHOLESKY || op == OP_TRIANGULAR_SOLVE;
}

static bool is_refused(const Instr *instr, Diags *diags) {
    bool bounded = false;
    for (int k = 0; k < instr->n_operands; k++) bounded |= shape_has_bounds(instr->operands[k]->shape);
    if (!bounded || !counts_elements(instr->op)) return false;
    diag_error(diags, instr->op_span, E_NOT_COMPILED, "cannot compile '%s' on an array of bounded size",
               op_name(instr->op));
    return true;
}

static bool expand_computation(Computation *computation, Diags *diags) {
    bool changed = false;
    for (int i = 0; i < computation->instrs.n; i++) computation->instrs.at[i]->mark = 0;
    for (int i = 0; i < computation->instrs.n && !diags_full(diags);
         i++) { /* what rules build comes later in the list */
        Instr *instr = computation->instrs.at[i];
        if (instr->mark < 0 || !rules[instr->op] || is_refused(instr, diags)) continue;
        Instr *expanded = rules[instr->op](instr, diags);
        if (!expanded) continue;
        instr_replace_uses(instr, expanded);
        instr_drop(instr);
        changed = true;
    }
    if (changed) computation_renumber(computation);
    return changed;
}

/* --- order of computations ---------------------------------------------------------------------------------------- */

typedef struct {
    Arena *scratch;
    KeyTable seen;
    VEC(Computation *) order;
} Sort;

static void place(Sort *sort, Computation *computation) {
    if (key_table_get(&sort->seen, POINTER_KEY(computation))) return;
    key_table_put(sort->scratch, &sort->seen, POINTER_KEY(computation), computation);
    for (int i = 0; i < computation->instrs.n; i++) {
        int n = instr_called(computation->instrs.at[i], NULL, 0);
        Computation **called = NEW_ARRAY(sort->scratch, Computation *, n);
        instr_called(computation->instrs.at[i], called, n);
        for (int k = 0; k < n; k++) place(sort, called[k]);
    }
    vec_push(sort->scratch, &sort->order, computation);
}

void sort_computations(Module *module) {
    Sort sort = {.scratch = arena_new()};
    for (int i = 0; i < module->computations.n; i++) place(&sort, module->computations.at[i]);
    for (int i = 0; i < sort.order.n; i++) module->computations.at[i] = sort.order.at[i];
    arena_free(sort.scratch);
}

bool pass_expand(Module *module, Diags *diags) {
    bool changed = false;
    unwrap_buffers(module);
    for (int i = 0; i < module->computations.n; i++) changed |= expand_computation(module->computations.at[i], diags);
    if (changed) sort_computations(module);
    return changed;
}
