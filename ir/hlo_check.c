/* The invariants of ir/hlo.h, after a pass: what is wrong is ours. */
#include <string.h>

#include "ir/hlo.h"

typedef struct {
    const Module *module;
    const char *pass;
    Arena *scratch;
    KeyTable place; /* computation -> its place in the module + 1 */
} Check;

static _Noreturn void fail(const Check *check, const Computation *computation, const Instr *instr, const char *what) {
    const char *where = instr ? instr->name : computation ? computation->name : check->module->name;
    internal_error(where, "after pass '%s': %s (in computation '%s')", check->pass, what,
                   computation ? computation->name : "none");
}

static void check_names(const Check *check, const Computation *computation) {
    StringTable seen = {0};
    for (int i = 0; i < computation->instrs.n; i++) {
        Instr *instr = computation->instrs.at[i];
        if (string_table_get(&seen, instr->name, strlen(instr->name)))
            fail(check, computation, instr, "two instructions of this name");
        string_table_put(check->scratch, &seen, instr->name, strlen(instr->name), instr);
    }
}

static void check_operands(const Check *check, const Computation *computation, const Instr *instr) {
    for (int k = 0; k < instr->n_operands; k++) {
        const Instr *operand = instr->operands[k];
        if (operand->parent != computation) fail(check, computation, instr, "an operand of another computation");
        bool earlier = operand->position < instr->position && computation->instrs.at[operand->position] == operand;
        if (!earlier) fail(check, computation, instr, "an operand that is not defined before");
    }
}

static int *count_of(const Check *check, KeyTable *counts, const Instr *value, const Instr *user) {
    uint64_t key = hash_mix(POINTER_KEY(value), POINTER_KEY(user));
    int *count = key_table_get(counts, key);
    if (count) return count;
    count = NEW(check->scratch, int);
    key_table_put(check->scratch, counts, key, count);
    return count;
}

/* For each value and each user as many entries in the list of users as there are operand slots. */
static void check_users(const Check *check, const Computation *computation) {
    KeyTable counts = {0};
    int64_t n = 0;
    for (int i = 0; i < computation->instrs.n; i++) {
        const Instr *instr = computation->instrs.at[i];
        for (int k = 0; k < instr->n_operands; k++) ++*count_of(check, &counts, instr->operands[k], instr);
        n += instr->n_operands;
    }
    for (int i = 0; i < computation->instrs.n; i++) {
        const Instr *instr = computation->instrs.at[i];
        for (int u = 0; u < instr->users.n; u++)
            if (--*count_of(check, &counts, instr, instr->users.at[u]) < 0)
                fail(check, computation, instr, "a user that does not use it");
        n -= instr->users.n;
    }
    if (n) fail(check, computation, NULL, "a list of users is not complete");
}

static void check_callees(const Check *check, const Computation *computation, const Instr *instr, int place) {
    int n = instr_called(instr, NULL, 0);
    if (!n) return;
    Computation **called = NEW_ARRAY(check->scratch, Computation *, n);
    instr_called(instr, called, n);
    for (int i = 0; i < n; i++) {
        int *its = key_table_get(&check->place, POINTER_KEY(called[i]));
        if (!its || *its >= place) fail(check, computation, instr, "a called computation that does not stand before");
    }
}

static void check_parameters(const Check *check, const Computation *computation) {
    int n = 0;
    for (int i = 0; i < computation->instrs.n; i++) {
        const Instr *instr = computation->instrs.at[i];
        if (instr->op != OP_PARAMETER) continue;
        n++;
        bool listed = instr->parameter_number >= 0 && instr->parameter_number < computation->n_parameters &&
                      computation->parameters[instr->parameter_number] == instr;
        if (!listed) fail(check, computation, instr, "a parameter that is not listed under its number");
    }
    if (n != computation->n_parameters) fail(check, computation, NULL, "parameters are missing");
}

static void check_instr(const Check *check, const Computation *computation, int i, int place) {
    const Instr *instr = computation->instrs.at[i];
    if (instr->position != i) fail(check, computation, instr, "its position is wrong");
    if (instr->parent != computation) fail(check, computation, instr, "it belongs to another computation");
    if (!instr->shape) fail(check, computation, instr, "it has no shape");
    if (instr->op == OP_CONSTANT && !instr->literal) fail(check, computation, instr, "a constant without literal");
    check_operands(check, computation, instr);
    check_callees(check, computation, instr, place);
}

static void check_shapes(const Check *check, const Computation *computation) {
    Diags *diags = diags_new(check->scratch, check->module->source);
    for (int i = 0; i < computation->instrs.n; i++) {
        const Instr *instr = computation->instrs.at[i];
        const Shape *shape = hlo_infer(instr, diags);
        if (diags->n_errors) fail(check, computation, instr, diags->list.at[0].message);
        if (shape && !shapes_agree(shape, instr->shape))
            fail(check, computation, instr, "its shape is not what its opcode gives");
    }
}

void hlo_check(const Module *module, const char *pass) {
    Check check = {.module = module, .pass = pass, .scratch = arena_new()};
    bool has_entry = false;
    int *places = NEW_ARRAY(check.scratch, int, module->computations.n);
    for (int c = 0; c < module->computations.n; c++) {
        const Computation *computation = module->computations.at[c];
        places[c] = c;
        if (!computation->root || computation->root->parent != computation)
            fail(&check, computation, NULL, "it has no root");
        for (int i = 0; i < computation->instrs.n; i++) check_instr(&check, computation, i, c);
        check_names(&check, computation);
        check_users(&check, computation);
        check_parameters(&check, computation);
        check_shapes(&check, computation);
        key_table_put(check.scratch, &check.place, POINTER_KEY(computation), &places[c]);
        has_entry = has_entry || computation == module->entry;
    }
    if (!has_entry) fail(&check, NULL, NULL, "the module has no entry");
    arena_free(check.scratch);
}
