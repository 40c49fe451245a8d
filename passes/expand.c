#include "passes/passes.h"

#include <string.h>

/* Custom calls that plain HLO can say: annotations are their operand, threefry2x32 is a few adds, shifts and xors. */

static const char *const annotations[] = {
    "Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape", "annotate_device_placement", "LayoutConstraint",
    "MoveToHost", "MoveToDevice", "xla.sdy.FuncResultSharding", "xla.sdy.PropagationBarrier",
    "xla.sdy.GlobalToLocalShape", "xla.sdy.LocalToGlobalShape", "Pin", "Unpin", "X64Combine",
};

static bool is_annotation(const char *target) {
    for (size_t i = 0; i < sizeof annotations / sizeof *annotations; i++)
        if (strcmp(target, annotations[i]) == 0) return true;
    return false;
}

static bool drop_annotation(Instr *call, const char *target) {
    if (!is_annotation(target) || call->n_operands != 1) return false;
    if (!shapes_compatible(call->shape, call->operands[0]->shape)) return false;
    instr_replace_uses(call, call->operands[0]);
    return true;
}

/* --- threefry ---------------------------------------------------------------------------------------------------------- */

typedef struct {
    Computation *computation;
    const Shape *shape;
    Span span;
} Builder;

static Instr *binary(const Builder *b, Op op, Instr *x, Instr *y) {
    return instr_new(b->computation, op, op_name(op), b->shape, 2, (Instr *[]){x, y}, b->span);
}

static Instr *number(const Builder *b, uint32_t value) {
    return broadcast_scalar(constant_scalar(b->computation, DT_U32, value, b->span), b->shape, b->span);
}

static Instr *rotate_left(const Builder *b, Instr *x, uint32_t by) {
    Instr *left = binary(b, OP_SHIFT_LEFT, x, number(b, by)), *right = binary(b, OP_SHIFT_RIGHT_LOGICAL, x, number(b, 32 - by));
    return binary(b, OP_OR, left, right);
}

/* Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011), Threefry-2x32 with 20 rounds. */
static void threefry(const Builder *b, Instr *const keys[2], Instr *x[2]) {
    static const uint32_t rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
    Instr *schedule[3] = {keys[0], keys[1], NULL};
    schedule[2] = binary(b, OP_XOR, binary(b, OP_XOR, keys[0], keys[1]), number(b, 0x1BD11BDA));
    x[0] = binary(b, OP_ADD, x[0], schedule[0]);
    x[1] = binary(b, OP_ADD, x[1], schedule[1]);
    for (uint32_t group = 0; group < 5; group++) {
        for (int r = 0; r < 4; r++) {
            x[0] = binary(b, OP_ADD, x[0], x[1]);
            x[1] = binary(b, OP_XOR, rotate_left(b, x[1], rotations[group % 2][r]), x[0]);
        }
        x[0] = binary(b, OP_ADD, x[0], schedule[(group + 1) % 3]);
        x[1] = binary(b, OP_ADD, binary(b, OP_ADD, x[1], schedule[(group + 2) % 3]), number(b, group + 1));
    }
}

static bool is_threefry(const Instr *call, const char *target) {
    if (!strstr(target, "threefry2x32") || call->n_operands != 4 || call->shape->n_elements != 2) return false;
    for (int k = 0; k < 4; k++)
        if (call->operands[k]->shape->dtype != DT_U32) return false;
    return true;
}

/* A scalar (or a smaller array with leading dims missing) next to the others: all to the shape of the result. */
static Instr *to_shape(const Builder *b, Instr *x) {
    return shapes_same_dims(x->shape, b->shape) ? x : broadcast_scalar(x, b->shape, b->span);
}

static void expand_threefry(Instr *call) {
    Builder b = {call->parent, call->shape->elements[0], call->span};
    Instr *keys[2] = {to_shape(&b, call->operands[0]), to_shape(&b, call->operands[1])};
    Instr *x[2] = {to_shape(&b, call->operands[2]), to_shape(&b, call->operands[3])};
    threefry(&b, keys, x);
    instr_replace_uses(call, instr_new(call->parent, OP_TUPLE, "threefry", call->shape, 2, x, call->span));
}

/* --- constants ---------------------------------------------------------------------------------------------------------- */

/* A tuple constant is a tuple of constants. */
static Instr *split_constant(Instr *constant, const Shape *shape, const Literal *literal) {
    Computation *computation = constant->parent;
    if (!shape_is_tuple(shape)) {
        Instr *one = instr_new(computation, OP_CONSTANT, constant->name, shape, 0, NULL, constant->span);
        one->literal = literal;
        return one;
    }
    Instr **elements = NEW_ARRAY(computation->module->arena, Instr *, shape->n_elements + 1);
    for (int i = 0; i < shape->n_elements; i++) elements[i] = split_constant(constant, shape->elements[i], literal->elements[i]);
    return instr_new(computation, OP_TUPLE, constant->name, shape, shape->n_elements, elements, constant->span);
}

static bool expand_calls(Computation *computation) {
    bool changed = false;
    int n = computation->instrs.n;
    for (int i = 0; i < n; i++) {
        Instr *instr = computation->instrs.at[i];
        if (instr->op == OP_CONSTANT && shape_is_tuple(instr->shape)) {
            instr_replace_uses(instr, split_constant(instr, instr->shape, instr->literal));
            changed = true;
        }
        if (instr->op != OP_CUSTOM_CALL) continue;
        const char *target = instr_string(instr, ATTR_CUSTOM_CALL_TARGET);
        if (drop_annotation(instr, target)) {
            changed = true;
        } else if (is_threefry(instr, target)) {
            expand_threefry(instr);
            changed = true;
        }
    }
    for (int i = 0; i < computation->instrs.n; i++) computation->instrs.at[i]->mark = 0;
    if (changed) computation_renumber(computation);
    return changed;
}

bool pass_expand(Module *module, Diags *diags) {
    (void)diags;
    bool changed = false;
    for (int i = 0; i < module->computations.n; i++) changed |= expand_calls(module->computations.at[i]);
    return changed;
}
