#include "base/codes.h"
#include "passes/passes.h"
#include "passes/reach.h"

/* Calls, fusions (of every kind: a kCustom fusion is its computation) and maps become the instructions that they call.
 * Only what is not itself inlined everywhere gets its calls inlined, from the outside inwards: the work is what comes
 * out of it, also for long chains of calls. */

enum { MOST_INSTRS = 4000000 }; /* that may come out of calls: calls of calls may double and double */

typedef struct {
    Computation *into;
    Instr *const *arguments;
    Span span;
    Instr **copies;         /* by position in the callee */
    const Shape *map_shape; /* maps: elements of this shape, one per call */
} Inliner;

static Attr copied(Attr attr) {
    return attr;
}

/* The scalar shapes of a mapped computation are those of the map. */
static const Shape *copied_shape(const Inliner *in, const Instr *instr) {
    return in->map_shape ? shape_with_dtype(in->into->module->arena, in->map_shape, instr->shape->dtype) : instr->shape;
}

static Instr *copy_instr(Inliner *in, const Instr *instr) {
    Arena *arena = in->into->module->arena;
    if (instr->op == OP_PARAMETER) return in->arguments[instr->parameter_number];
    Instr **operands = NEW_ARRAY(arena, Instr *, instr->n_operands);
    for (int k = 0; k < instr->n_operands; k++) operands[k] = in->copies[instr->operands[k]->position];
    const Shape *shape = instr->op == OP_CONSTANT ? instr->shape : copied_shape(in, instr);
    Instr *copy = instr_new(in->into, instr->op, instr->name, shape, instr->n_operands, operands, in->span);
    copy->literal = instr->literal;
    copy->op_span = instr->op_span;
    copy->span = instr->span;
    for (int i = 0; i < instr->attrs.n; i++)
        if (instr->attrs.at[i].id != ATTR_CONTROL_PREDECESSORS) instr_add_attr(copy, copied(instr->attrs.at[i]));
    if (in->map_shape && instr->op == OP_CONSTANT) return broadcast_scalar(copy, in->map_shape, in->span);
    return copy;
}

/* What can stand for many elements at once: each element by itself. */
static bool is_elementwise(const Computation *computation, const Instr **culprit) {
    for (int i = 0; i < computation->instrs.n; i++) {
        const Instr *instr = computation->instrs.at[i];
        *culprit = instr;
        if (instr->shape->rank != 0 || !shape_is_array(instr->shape)) return false;
        bool simple = instr->op == OP_PARAMETER || instr->op == OP_CONSTANT || instr->op == OP_CONVERT ||
                      instr->op == OP_BITCAST_CONVERT || instr->op == OP_COMPARE || instr->op == OP_COPY ||
                      instr->op == OP_RESHAPE || instr->op == OP_BITCAST || instr->op == OP_REDUCE_PRECISION;
        for (int k = 0; k < instr->n_operands && !simple; k++)
            simple = shapes_same_dims(instr->operands[k]->shape, instr->shape);
        if (!simple || (op_flags(instr->op) & (OP_CALLS | OP_EFFECT | OP_COLLECTIVE))) return false;
    }
    return true;
}

static Computation *inlined_callee(const Instr *instr) {
    if (instr->op == OP_CALL || instr->op == OP_MAP) return instr_computation(instr, ATTR_TO_APPLY);
    return instr->op == OP_FUSION ? instr_computation(instr, ATTR_CALLS) : NULL;
}

static bool check_map(const Instr *map, const Computation *mapped, Diags *diags) {
    const Instr *culprit;
    if (is_elementwise(mapped, &culprit)) return true;
    diag_error(diags, map->op_span, E_NOT_COMPILED, "cannot compile 'map' of a computation that holds '%s' yet",
               op_name(culprit->op));
    return false;
}

static Instr *copy_all(Inliner *in, const Computation *called) {
    in->copies = NEW_ARRAY(in->into->module->arena, Instr *, called->instrs.n);
    for (int i = 0; i < called->instrs.n; i++) in->copies[i] = copy_instr(in, called->instrs.at[i]);
    return in->copies[called->root->position];
}

Instr *inline_computation(Computation *into, const Computation *called, Instr *const *arguments, Span span) {
    Inliner in = {.into = into, .arguments = arguments, .span = span};
    return copy_all(&in, called);
}

static void inline_call(Instr *call, const Computation *called) {
    Inliner in = {.into = call->parent, .arguments = call->operands, .span = call->span};
    if (call->op == OP_MAP) in.map_shape = call->shape;
    instr_replace_uses(call, copy_all(&in, called));
    call->mark = -1;
}

/* Calls that are gone must not stay among the users of their operands. */
static void forget_calls(Computation *computation) {
    for (int i = 0; i < computation->instrs.n; i++) {
        Instr *instr = computation->instrs.at[i];
        int n = 0;
        for (int u = 0; u < instr->users.n; u++)
            if (instr->users.at[u]->mark >= 0) instr->users.at[n++] = instr->users.at[u];
        instr->users.n = n;
    }
}

/* Copies go to the end of the list, and calls among them have their turn there. */
static bool inline_calls(Computation *computation, Diags *diags) {
    bool changed = false;
    for (int i = 0; i < computation->instrs.n; i++) computation->instrs.at[i]->mark = 0;
    for (int i = 0; i < computation->instrs.n && !diags_full(diags); i++) {
        Instr *instr = computation->instrs.at[i];
        const Computation *called = inlined_callee(instr);
        if (!called || (instr->op == OP_MAP && !check_map(instr, called, diags))) continue;
        inline_call(instr, called);
        changed = true;
    }
    if (!changed) return false;
    forget_calls(computation);
    computation_renumber(computation);
    return true;
}

/* ---- which computations ------------------------------------------------------------------------------------------ */

/* What is called otherwise, or mapped, and the entry: the computations in which calls are inlined. */
static Reach inlined_into(Arena *scratch, const Module *module, const Reach *reached) {
    Reach into = reach_new(scratch, module);
    into.wanted[reach_number(&into, module->entry)] = true;
    for (int i = 0; i < module->computations.n; i++) {
        const Computation *computation = module->computations.at[i];
        for (int k = 0; reached->wanted[i] && k < computation->instrs.n; k++) {
            const Instr *instr = computation->instrs.at[k];
            if (instr->op != OP_CALL && instr->op != OP_FUSION) reach_called(scratch, &into, instr);
        }
    }
    return into;
}

/* How many instrs computation number i has when its calls are inlined; sizes: those of the ones before it. Reports the
 * call at which there are too many. */
static bool unfolded_size(const Reach *into, int i, int64_t *sizes, int64_t *total, Diags *diags) {
    const Computation *computation = into->module->computations.at[i];
    sizes[i] = 0;
    for (int k = 0; k < computation->instrs.n; k++) {
        const Instr *instr = computation->instrs.at[k];
        const Computation *called = inlined_callee(instr);
        int64_t more = called ? sizes[reach_number(into, called)] : 1;
        sizes[i] = sizes[i] + more > MOST_INSTRS ? MOST_INSTRS + 1 : sizes[i] + more;
        if (!called || !into->wanted[i]) continue;
        *total += more;
        if (*total <= MOST_INSTRS) continue;
        diag_error(diags, instr->op_span, E_UNFOLDS, "calls within calls unfold to more than %d instructions",
                   (int)MOST_INSTRS);
        return false;
    }
    return true;
}

static bool check_sizes(Arena *scratch, const Reach *into, Diags *diags) {
    int64_t *sizes = NEW_ARRAY(scratch, int64_t, into->module->computations.n), total = 0;
    for (int i = 0; i < into->module->computations.n; i++)
        if (!unfolded_size(into, i, sizes, &total, diags)) return false;
    return true;
}

bool pass_inline(Module *module, Diags *diags) {
    Arena *scratch = arena_new();
    Reach reached = reach_new(scratch, module);
    reach_all(scratch, &reached);
    Reach into = inlined_into(scratch, module, &reached);
    bool changed = false, fits = check_sizes(scratch, &into, diags);
    for (int i = 0; fits && i < module->computations.n; i++)
        if (into.wanted[i]) changed |= inline_calls(module->computations.at[i], diags);
    if (fits) changed |= reach_drop_others(module, &into);
    arena_free(scratch);
    return changed;
}
