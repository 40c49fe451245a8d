/* What the evaluator cannot do, or must not do beforehand, found before it runs. */
#include "base/codes.h"
#include "ir/eval/custom_call.h"
#include "ir/eval/map.h"
#include "ir/eval/rule.h"

typedef struct {
    Diags *diags;
    KeyTable seen; /* computations */
    Arena *scratch;
    VEC(const Computation *) waiting;
    bool all;
} Check;

static void complain(Check *check, const Instr *instr, const char *what) {
    check->all = false;
    diag_error(check->diags, instr->op_span, E_NOT_EVALUATED, "cannot evaluate %s", what);
}

static bool has_unbounded_dim(const Shape *shape) {
    for (int k = 0; k < shape->n_elements; k++)
        if (has_unbounded_dim(shape->elements[k])) return true;
    for (int d = 0; shape->dynamic && d < shape->rank; d++)
        if (shape->dynamic[d] == DIM_UNBOUNDED) return true;
    return false;
}

static void check_instr(Check *check, const Instr *instr) {
    const char *name = op_name(instr->op);
    MapPlan plan;
    if (!op_is_evaluated(instr->op)) {
        complain(check, instr, arena_printf(check->scratch, "'%s'", name));
    } else if (instr->op == OP_CUSTOM_CALL && !custom_call_rule(instr)) {
        const char *target = instr_string(instr, ATTR_CUSTOM_CALL_TARGET);
        const char *how = custom_call_is_known(instr) ? " with these operands and results" : "";
        complain(check, instr, arena_printf(check->scratch, "custom call '%s'%s", target, how));
    } else if (has_unbounded_dim(instr->shape)) {
        complain(check, instr, arena_printf(check->scratch, "'%s' of the unbounded shape %s", name,
                                            shape_text(check->scratch, instr->shape)));
    } else if (eval_is_map(instr->op) && !map_plan(&plan, instr)) {
        complain(check, instr, arena_printf(check->scratch, "'%s' of %s", name,
                                            shape_text(check->scratch, instr->operands[0]->shape)));
    }
}

/* Computations that instr calls are to be looked at too, once each. */
static void add_called(Check *check, const Instr *instr) {
    int n = instr_called(instr, NULL, 0);
    Computation **called = NEW_ARRAY(check->scratch, Computation *, n);
    instr_called(instr, called, n);
    for (int k = 0; k < n; k++) {
        if (key_table_get(&check->seen, POINTER_KEY(called[k]))) continue;
        key_table_put(check->scratch, &check->seen, POINTER_KEY(called[k]), called[k]);
        vec_push(check->scratch, &check->waiting, called[k]);
    }
}

bool eval_can(const Module *module, Diags *diags) {
    Check check = {.diags = diags, .scratch = arena_new(), .all = true};
    vec_push(check.scratch, &check.waiting, module->entry);
    while (check.waiting.n) {
        const Computation *computation = check.waiting.at[--check.waiting.n];
        for (int i = 0; i < computation->instrs.n; i++) {
            check_instr(&check, computation->instrs.at[i]);
            add_called(&check, computation->instrs.at[i]);
        }
    }
    arena_free(check.scratch);
    return check.all;
}

static bool is_foldable(const Instr *instr) {
    return op_is_evaluated(instr->op) && !(op_flags(instr->op) & (OP_EFFECT | OP_COLLECTIVE)) &&
           instr->op != OP_CUSTOM_CALL && instr->op != OP_PARTITION_ID && instr->op != OP_REPLICA_ID;
}

bool eval_is_constant(const Instr *instr) {
    Check check = {.scratch = arena_new()};
    bool constant = is_foldable(instr);
    add_called(&check, instr);
    while (constant && check.waiting.n) {
        const Computation *computation = check.waiting.at[--check.waiting.n];
        for (int i = 0; constant && i < computation->instrs.n; i++) {
            constant = is_foldable(computation->instrs.at[i]);
            add_called(&check, computation->instrs.at[i]);
        }
    }
    arena_free(check.scratch);
    return constant;
}
