#include "passes/passes.h"

#include <string.h>

/* Instructions that compute the same thing: one is kept. Equal means the same opcode, operands, shape and attributes.
 */

static bool may_merge(const Instr *instr) {
    if (instr_has_effect(instr) || (op_flags(instr->op) & OP_COLLECTIVE)) return false;
    return instr->op != OP_PARAMETER && instr->op != OP_CUSTOM_CALL && instr->op != OP_RNG_BIT_GENERATOR;
}

/* The instruction as text, without its name: everything that says what it computes. */
static const char *describe(Text *out, const Instr *instr) {
    text_clear(out);
    hlo_print_instr(out, instr, (HloPrintOptions){.metadata = false});
    const char *equals = strstr(text_string(out), " = ");
    return equals ? equals : text_string(out);
}

static bool merge(Computation *computation) {
    enum { LARGE_CONSTANT = 4096 };
    Arena *scratch = arena_new();
    StringTable seen = {0};
    Text text = {0};
    bool changed = false;
    for (int i = 0; i < computation->instrs.n; i++) {
        Instr *instr = computation->instrs.at[i];
        if (!may_merge(instr) ||
            (instr->op == OP_CONSTANT && (!shape_is_array(instr->shape) || instr->literal->elided ||
                                          shape_elements(instr->shape) > LARGE_CONSTANT)))
            continue;
        const char *key = describe(&text, instr);
        size_t n = strlen(key);
        Instr *same = string_table_get(&seen, key, n);
        if (same) {
            instr_replace_uses(instr, same);
            changed = true;
        } else {
            string_table_put(scratch, &seen, arena_string(scratch, key, n), n, instr);
        }
    }
    text_free(&text);
    arena_free(scratch);
    return changed;
}

bool pass_cse(Module *module, Diags *diags) {
    (void)diags;
    bool changed = false;
    for (int i = 0; i < module->computations.n; i++) changed |= merge(module->computations.at[i]);
    return changed;
}
