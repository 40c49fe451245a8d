#include "passes/passes.h"

/* Calls, fusions (of every kind: a kCustom fusion is its computation) and maps become the instructions that they call.
 * Computations stand callees first, so what is copied has nothing left to inline. */

enum { MOST_INSTRS = 4000000 }; /* of one computation after inlining: calls of calls may double and double */

typedef struct {
    Computation *into;
    const Instr *call;
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
    if (instr->op == OP_PARAMETER) return in->call->operands[instr->parameter_number];
    Instr **operands = NEW_ARRAY(arena, Instr *, instr->n_operands);
    for (int k = 0; k < instr->n_operands; k++) operands[k] = in->copies[instr->operands[k]->position];
    const Shape *shape = instr->op == OP_CONSTANT ? instr->shape : copied_shape(in, instr);
    Instr *copy = instr_new(in->into, instr->op, instr->name, shape, instr->n_operands, operands, in->call->span);
    copy->literal = instr->literal;
    copy->op_span = instr->op_span;
    copy->span = instr->span;
    for (int i = 0; i < instr->attrs.n; i++)
        if (instr->attrs.at[i].id != ATTR_CONTROL_PREDECESSORS) instr_add_attr(copy, copied(instr->attrs.at[i]));
    if (in->map_shape && instr->op == OP_CONSTANT) return broadcast_scalar(copy, in->map_shape, in->call->span);
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
        for (int k = 0; k < instr->n_operands && !simple; k++) simple = shapes_same_dims(instr->operands[k]->shape, instr->shape);
        if (!simple || (op_flags(instr->op) & (OP_CALLS | OP_EFFECT | OP_COLLECTIVE))) return false;
    }
    return true;
}

static Computation *callee(const Instr *instr, Diags *diags) {
    if (instr->op == OP_CALL) return instr_computation(instr, ATTR_TO_APPLY);
    if (instr->op == OP_FUSION) return instr_computation(instr, ATTR_CALLS);
    if (instr->op != OP_MAP) return NULL;
    const Instr *culprit;
    Computation *mapped = instr_computation(instr, ATTR_TO_APPLY);
    if (is_elementwise(mapped, &culprit)) return mapped;
    diag_error(diags, instr->op_span, NULL, "cannot compile 'map' of a computation that holds '%s' yet", op_name(culprit->op));
    return NULL;
}

static void inline_call(Instr *call, const Computation *called) {
    Arena *arena = call->parent->module->arena;
    Inliner in = {call->parent, call, NEW_ARRAY(arena, Instr *, called->instrs.n), NULL};
    if (call->op == OP_MAP) in.map_shape = call->shape;
    for (int i = 0; i < called->instrs.n; i++) in.copies[i] = copy_instr(&in, called->instrs.at[i]);
    instr_replace_uses(call, in.copies[called->root->position]);
    call->mark = -1;
}

static void drop_operands(Instr *call) {
    Instr *none = call; /* a call that is gone must not stay among the users of its operands */
    for (int k = 0; k < call->n_operands; k++) {
        Instr *operand = call->operands[k];
        int n = 0;
        for (int u = 0; u < operand->users.n; u++)
            if (operand->users.at[u] != none) operand->users.at[n++] = operand->users.at[u];
        operand->users.n = n;
    }
}

static bool inline_calls(Computation *computation, Diags *diags) {
    bool changed = false;
    int n = computation->instrs.n; /* copies go to the end; they hold no calls */
    for (int i = 0; i < computation->instrs.n; i++) computation->instrs.at[i]->mark = 0;
    for (int i = 0; i < n && !diags_full(diags); i++) {
        Instr *instr = computation->instrs.at[i];
        Computation *called = callee(instr, diags);
        if (!called) continue;
        if (computation->instrs.n + called->instrs.n > MOST_INSTRS) {
            diag_error(diags, instr->op_span, NULL, "calls within calls unfold to more than %d instructions", (int)MOST_INSTRS);
            return true;
        }
        inline_call(instr, called);
        drop_operands(instr);
        changed = true;
    }
    if (changed) computation_renumber(computation);
    return changed;
}

bool pass_inline(Module *module, Diags *diags) {
    bool changed = false;
    for (int i = 0; i < module->computations.n; i++) changed |= inline_calls(module->computations.at[i], diags);
    return changed;
}
