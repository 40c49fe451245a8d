#include "passes/expand/calls.h"

#include <string.h>

/* Custom calls that plain HLO can say: annotations are their operand, threefry2x32 is a few adds, shifts and xors. */

static const char *const annotations[] = {
    "Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape", "annotate_device_placement", "LayoutConstraint",
    "MoveToHost", "MoveToDevice", "xla.sdy.FuncResultSharding", "xla.sdy.PropagationBarrier",
    "xla.sdy.GlobalToLocalShape", "xla.sdy.LocalToGlobalShape", "Pin", "Unpin", "AnnotateDevicePlacement",
    "stablehlo.shape_refinement_operand_wrapper",
};

static bool is_annotation(const char *target) {
    for (size_t i = 0; i < sizeof annotations / sizeof *annotations; i++)
        if (strcmp(target, annotations[i]) == 0) return true;
    return false;
}

/* --- threefry ----------------------------------------------------------------------------------------------------- */

static bool is_threefry(const Instr *call, const char *target) {
    if (!strstr(target, "threefry2x32") || call->n_operands != 4 || call->shape->n_elements != 2) return false;
    for (int k = 0; k < 4; k++)
        if (call->operands[k]->shape->dtype != DT_U32) return false;
    return true;
}

/* A scalar (or a smaller array with leading dims missing) next to the others: all to the shape of the result. */
static Instr *to_shape(const Builder *b, const Shape *shape, Instr *x) {
    return shapes_same_dims(x->shape, shape) ? x : broadcast_scalar(x, shape, b->span);
}

static Instr *threefry_call(Instr *call) {
    Builder b = builder_for(call);
    Instr *all[4];
    for (int k = 0; k < 4; k++) all[k] = to_shape(&b, call->shape->elements[0], call->operands[k]);
    build_threefry(&b, all, all + 2);
    return build_tuple(&b, 2, all + 2);
}

/* --- constants ---------------------------------------------------------------------------------------------------- */

/* A tuple constant is a tuple of constants. */
static Instr *split_constant(Instr *constant, const Shape *shape, const Literal *literal) {
    Computation *computation = constant->parent;
    if (!shape_is_tuple(shape)) {
        Instr *one = instr_new(computation, OP_CONSTANT, constant->name, shape, 0, NULL, constant->span);
        one->literal = literal;
        return one;
    }
    Instr **elements = NEW_ARRAY(computation->module->arena, Instr *, shape->n_elements + 1);
    for (int i = 0; i < shape->n_elements; i++) elements[i] = split_constant(constant, shape->elements[i],
                                                                             literal->elements[i]);
    return instr_new(computation, OP_TUPLE, constant->name, shape, shape->n_elements, elements, constant->span);
}

Instr *expand_constant(Instr *constant, Diags *diags) {
    (void)diags;
    return shape_is_tuple(constant->shape) ? split_constant(constant, constant->shape, constant->literal) : NULL;
}

/* --- by target ---------------------------------------------------------------------------------------------------- */

/* mhlo.asin and the like: the operation that is called so. */
static Instr *unary_call(Instr *call, const char *target) {
    if ((strncmp(target, "mhlo.", 5) != 0 && strncmp(target, "chlo.", 5) != 0) || call->n_operands != 1) return NULL;
    Op op = op_from_name(target + 5, strlen(target + 5));
    if (op == N_OPS || op_operands(op) != 1 || !shapes_compatible(call->shape, call->operands[0]->shape)) return NULL;
    Builder b = builder_for(call);
    return build_unary(&b, op, call->operands[0]);
}

/* A comparator that says less-than asks for the smallest. */
static bool wants_smallest(const Instr *call) {
    const Attr *called = instr_attr(call, ATTR_CALLED_COMPUTATIONS);
    const char *config = instr_string(call, ATTR_BACKEND_CONFIG);
    if (called && called->n_computations && called->computations[0]->root->op == OP_COMPARE) {
        Direction direction = (Direction)instr_int(called->computations[0]->root, ATTR_DIRECTION, DIRECTION_GT);
        return direction == DIRECTION_LT || direction == DIRECTION_LE;
    }
    return config && strstr(config, "largest = false");
}

static Instr *topk_call(Instr *call, const char *target) {
    static const char *const names[] = {"TopK", "mhlo.topk", "chlo.top_k", "stablehlo.topk"};
    bool named = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) named |= strcmp(target, names[i]) == 0;
    if (!named || call->n_operands != 1 || !shape_is_tuple(call->shape) || call->shape->n_elements != 2) return NULL;
    const Shape *values = call->shape->elements[0], *places = call->shape->elements[1], *from =
        call->operands[0]->shape;
    int last = values->rank - 1;
    if (last < 0 || from->rank != values->rank || places->dtype != DT_S32 || values->dtype != from->dtype ||
        dtype_is_complex(from->dtype) || values->dims[last] > from->dims[last])
        return NULL;
    Builder b = builder_for(call);
    Instr *topk = build_op(&b, OP_TOPK, call->shape, 1, call->operands);
    instr_add_attr(topk, (Attr){.id = ATTR_K, .integer = values->dims[last]});
    instr_add_attr(topk, (Attr){.id = ATTR_LARGEST, .integer = !wants_smallest(call)});
    return topk;
}

static Instr *annotation(Instr *call, const char *target) {
    bool wrapper = strcmp(target, "stablehlo.shape_refinement_operand_wrapper") == 0;
    if (!is_annotation(target) || call->n_operands < 1 || (call->n_operands > 1 && !wrapper)) return NULL;
    return shapes_compatible(call->shape, call->operands[0]->shape) ? call->operands[0] : NULL;
}

Instr *expand_custom_call(Instr *call, Diags *diags) {
    (void)diags;
    const char *target = instr_string(call, ATTR_CUSTOM_CALL_TARGET);
    Instr *expanded = annotation(call, target);
    if (!expanded) expanded = unary_call(call, target);
    if (!expanded) expanded = topk_call(call, target);
    if (!expanded) expanded = expand_nothing(call, target);
    if (!expanded) expanded = expand_approx_topk(call, target);
    if (!expanded) expanded = expand_csr(call, target);
    if (!expanded && is_threefry(call, target)) expanded = threefry_call(call);
    return expanded;
}
