/* Building and changing HLO IR (ir/hlo.h). */
#include "ir/hlo.h"

#include <string.h>

Module *module_new(Arena *arena, const char *name) {
    Module *module = NEW(arena, Module);
    module->arena = arena;
    module->name = name;
    module->attrs.replica_count = module->attrs.num_partitions = 1;
    return module;
}

/* Length of name without a number that makes it unique (add.12 -> add). */
static size_t stem_length(const char *name) {
    size_t n = strlen(name), digits = n;
    while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') digits--;
    return digits > 1 && digits < n && name[digits - 1] == '.' ? digits - 1 : n;
}

/* base if it is free, else its stem with the first number that makes it free. last_numbers: stem -> last one tried. */
static const char *fresh_name(Arena *arena, const StringTable *names, StringTable *last_numbers, const char *base) {
    if (!string_table_get(names, base, strlen(base))) return base;
    size_t n = stem_length(base);
    int *last = string_table_get(last_numbers, base, n);
    if (!last) {
        last = NEW(arena, int);
        string_table_put(arena, last_numbers, arena_string(arena, base, n), n, last);
    }
    for (;;) {
        const char *name = arena_printf(arena, "%.*s.%d", (int)n, base, ++*last);
        if (!string_table_get(names, name, strlen(name))) return name;
    }
}

const char *computation_fresh_name(Module *module, const char *base) {
    return fresh_name(module->arena, &module->names, &module->last_numbers, base);
}

Computation *computation_new(Module *module, const char *name) {
    Arena *arena = module->arena;
    Computation *computation = NEW(arena, Computation);
    computation->name = computation_fresh_name(module, name);
    computation->module = module;
    vec_push(arena, &module->computations, computation);
    string_table_put(arena, &module->names, computation->name, strlen(computation->name), computation);
    return computation;
}

const char *instr_fresh_name(Computation *computation, const char *base) {
    return fresh_name(computation->module->arena, &computation->names, &computation->last_numbers, base);
}

Instr *instr_new(Computation *computation, Op op, const char *base, const Shape *shape, int n_operands,
                 Instr *const *operands, Span span) {
    return instr_new_named(computation, op, instr_fresh_name(computation, base), shape, n_operands, operands, span);
}

Instr *instr_new_named(Computation *computation, Op op, const char *name, const Shape *shape, int n_operands,
                       Instr *const *operands, Span span) {
    Arena *arena = computation->module->arena;
    Instr *instr = NEW(arena, Instr);
    instr->op = op;
    instr->name = name;
    instr->shape = shape;
    instr->parent = computation;
    instr->span = instr->op_span = span;
    instr->n_operands = n_operands;
    instr->operands = NEW_ARRAY(arena, Instr *, n_operands);
    for (int k = 0; k < n_operands; k++) {
        instr->operands[k] = operands[k];
        vec_push(arena, &operands[k]->users, instr);
    }
    instr->position = computation->instrs.n;
    vec_push(arena, &computation->instrs, instr);
    string_table_put(arena, &computation->names, instr->name, strlen(instr->name), instr);
    return instr;
}

void instr_add_attr(Instr *instr, Attr attr) {
    vec_push(instr->parent->module->arena, &instr->attrs, attr);
}

/* Takes one entry for user out of value's users; the order of the others stays. */
static void remove_user(Instr *value, const Instr *user) {
    for (int i = value->users.n - 1; i >= 0; i--) {
        if (value->users.at[i] != user) continue;
        memmove(&value->users.at[i], &value->users.at[i + 1], (size_t)(value->users.n - 1 - i) * sizeof(Instr *));
        value->users.n--;
        return;
    }
}

void instr_set_operand(Instr *instr, int k, Instr *value) {
    if (instr->operands[k] == value) return;
    remove_user(instr->operands[k], instr);
    instr->operands[k] = value;
    vec_push(instr->parent->module->arena, &value->users, instr);
}

void instr_replace_uses(Instr *old, Instr *new_one) {
    if (old == new_one) return;
    Arena *arena = old->parent->module->arena;
    for (int i = 0; i < old->users.n; i++) {
        Instr *user = old->users.at[i];
        for (int k = 0; k < user->n_operands; k++) { /* an entry per slot: the first finds them all */
            if (user->operands[k] != old) continue;
            user->operands[k] = new_one;
            vec_push(arena, &new_one->users, user);
        }
    }
    old->users.n = 0;
    if (old->parent->root == old) old->parent->root = new_one;
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

typedef struct {
    Instr *instr;
    int next; /* its first operand that was not looked at */
} Visit;

/* Appends first's operands and then itself to sorted, each once. position -1: not yet. */
static void append_after_operands(Arena *scratch, Instr *first, Instr **sorted, int *n) {
    VEC(Visit) stack = {0};
    if (first->position < 0) vec_push(scratch, &stack, (Visit){first, 0});
    while (stack.n) {
        Visit *top = &stack.at[stack.n - 1];
        if (top->next < top->instr->n_operands) {
            Instr *operand = top->instr->operands[top->next++];
            if (operand->position < 0) vec_push(scratch, &stack, (Visit){operand, 0});
            continue;
        }
        Instr *instr = top->instr;
        stack.n--;
        if (instr->position >= 0) continue;
        instr->position = *n;
        sorted[(*n)++] = instr;
    }
}

void computation_renumber(Computation *computation) {
    Arena *arena = computation->module->arena, *scratch = arena_new();
    int n_kept = 0;
    for (int i = 0; i < computation->instrs.n; i++) {
        computation->instrs.at[i]->position = -1;
        n_kept += computation->instrs.at[i]->mark >= 0;
    }
    Instr **sorted = NEW_ARRAY(arena, Instr *, n_kept);
    int n = 0;
    for (int i = 0; i < computation->instrs.n; i++)
        if (computation->instrs.at[i]->mark >= 0) append_after_operands(scratch, computation->instrs.at[i], sorted, &n);
    computation->instrs.at = sorted;
    computation->instrs.n = computation->instrs.cap = n;
    arena_free(scratch);
}
