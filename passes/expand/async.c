#include "passes/expand/expand.h"

#include "base/codes.h"

/* What is started here and done there is done at once. Between the two stands the tuple
 * ((operands), result, contexts ...). */

static Instr *whole_start(const Builder *b, const Shape *shape, Instr *operands, Instr *result) {
    Instr **elements = NEW_ARRAY(b->arena, Instr *, shape->n_elements);
    elements[0] = operands;
    elements[1] = result;
    for (int k = 2; k < shape->n_elements; k++) elements[k] = build_zeros(b, shape->elements[k]);
    return build_tuple(b, shape->n_elements, elements);
}

/* The tuple for n operands. Updates may bring more of them: as long as some are missing the result is zeros. */
static Instr *begun(Instr *instr, const Computation *wrapped, int n, Instr *const *operands) {
    Builder b = builder_for(instr);
    Instr *result = n == wrapped->n_parameters ? build_inlined(&b, wrapped, operands) :
        build_zeros(&b, instr->shape->elements[1]);
    Instr *known = build_zeros(&b, instr->shape->elements[0]);
    for (int k = 0; k < n; k++) instr_set_operand(known, k, operands[k]);
    Instr *start = whole_start(&b, instr->shape, known, result);
    for (int u = 0; u < instr->users.n; u++) {
        Instr *update = instr->users.at[u];
        if (update->op != OP_ASYNC_UPDATE || update->n_operands == 1 || update->operands[0] != instr) continue;
        if (n + update->n_operands - 1 > wrapped->n_parameters) continue;
        Instr **all = NEW_ARRAY(b.arena, Instr *, n + update->n_operands - 1);
        for (int k = 0; k < n; k++) all[k] = operands[k];
        for (int k = 1; k < update->n_operands; k++) all[n + k - 1] = update->operands[k];
        instr_replace_uses(update, begun(update, wrapped, n + update->n_operands - 1, all));
        instr_drop(update);
        u--; /* the users that are walked here are one less */
    }
    return start;
}

Instr *expand_async_start(Instr *instr, Diags *diags) {
    (void)diags;
    const Computation *wrapped = instr_computation(instr, ATTR_CALLS);
    return wrapped ? begun(instr, wrapped, instr->n_operands, instr->operands) : NULL;
}

Instr *expand_async_update(Instr *instr, Diags *diags) {
    (void)diags;
    return instr->n_operands == 1 ? instr->operands[0] : NULL;
}

/* (destination, source, context). */
Instr *expand_copy_start(Instr *instr, Diags *diags) {
    (void)diags;
    Builder b = builder_for(instr);
    return whole_start(&b, instr->shape, instr->operands[0], instr->operands[0]);
}

Instr *expand_first(Instr *instr, Diags *diags) {
    (void)diags;
    Builder b = builder_for(instr);
    return build_element(&b, instr->operands[0], 0);
}

Instr *expand_forward(Instr *instr, Diags *diags) {
    (void)diags;
    return instr->operands[0];
}

/* --- collectives: those of one device, and halves of those of several --------------------------------------------- */

static bool is_alone(const Instr *instr) {
    const ModuleAttrs *attrs = &instr->parent->module->attrs;
    return attrs->replica_count * attrs->num_partitions <= 1;
}

Instr *expand_second(Instr *instr, Diags *diags) {
    (void)diags;
    Builder b = builder_for(instr);
    return build_element(&b, instr->operands[0], 1);
}

/* Where a start stands between several devices, the operation is done: lowering lets it run until its result is read,
 * so that work in between overlaps. */
static Instr *whole_collective(const Builder *b, const Instr *start, Op op, const Shape *shape) {
    Instr *whole = build_op(b, op, shape, start->n_operands, start->operands);
    for (int i = 0; i < start->attrs.n; i++)
        if (start->attrs.at[i].id != ATTR_CONTROL_PREDECESSORS) instr_add_attr(whole, start->attrs.at[i]);
    return whole;
}

/* The operand, or a tuple of the operands where the shape is one. */
static Instr *operands_as(const Builder *b, const Shape *shape, int n, Instr *const *operands) {
    return shape_is_tuple(shape) ? build_tuple(b, n, operands) : operands[0];
}

/* Texts without a header do not say how many devices there are: a result for several is a fault when one runs. */
static bool fits_one_device(const Instr *instr, const Shape *result, Diags *diags) {
    for (int k = 0; k < instr->n_operands && k < shape_leaves(result); k++) {
        if (shapes_same_dims(shape_leaf(result, k), instr->operands[k]->shape)) continue;
        Span span = instr->shape_span.end > instr->shape_span.begin ? instr->shape_span : instr->op_span;
        diag_error(diags, span, E_GROUPS, "'%s' changes no shape on one device: the header needs replica_count or "
                   "num_partitions", op_name(instr->op));
        return false;
    }
    return true;
}

/* all-reduce, all-gather, reduce-scatter, all-to-all, collective-reduce: the only share is one's own. */
Instr *expand_own_share(Instr *instr, Diags *diags) {
    Builder b = builder_for(instr);
    if (!is_alone(instr))
        return instr->op == OP_ALL_REDUCE_START ? whole_collective(&b, instr, OP_ALL_REDUCE, instr->shape) : NULL;
    if (!fits_one_device(instr, instr->shape, diags)) return NULL;
    return operands_as(&b, instr->shape, instr->n_operands, instr->operands);
}

/* With has_dynamic_root the last operand says who sends: there is only one. */
Instr *expand_collective_broadcast(Instr *instr, Diags *diags) {
    (void)diags;
    Builder b = builder_for(instr);
    if (!is_alone(instr)) return NULL;
    if (groups_leave_out(instr_attr(instr, ATTR_REPLICA_GROUPS), 0)) return build_zeros(&b, instr->shape);
    int n = instr->n_operands - instr_bool(instr, ATTR_HAS_DYNAMIC_ROOT, false);
    return operands_as(&b, instr->shape, n, instr->operands);
}

static bool sends_to_itself(const Instr *instr) {
    const Attr *pairs = instr_attr(instr, ATTR_SOURCE_TARGET_PAIRS);
    for (int k = 0; pairs && k < pairs->n_lists; k++)
        if (pairs->lists[k].n == 2 && pairs->lists[k].at[0] == 0 && pairs->lists[k].at[1] == 0) return true;
    return false;
}

/* Who is no target gets zeros. */
static Instr *permuted(const Builder *b, Instr *instr, const Shape *shape) {
    if (!sends_to_itself(instr)) return build_zeros(b, shape);
    return operands_as(b, shape, instr->n_operands, instr->operands);
}

Instr *expand_collective_permute(Instr *instr, Diags *diags) {
    (void)diags;
    Builder b = builder_for(instr);
    return is_alone(instr) && !instr_attr(instr, ATTR_SLICE_SIZES) ? permuted(&b, instr, instr->shape) : NULL;
}

Instr *expand_collective_permute_start(Instr *instr, Diags *diags) {
    (void)diags;
    Builder b = builder_for(instr);
    if (instr_attr(instr, ATTR_SLICE_SIZES)) return NULL;
    const Shape *shape = instr->shape->elements[1];
    Instr *operands = operands_as(&b, instr->shape->elements[0], instr->n_operands, instr->operands);
    Instr *result = is_alone(instr) ? permuted(&b, instr, shape)
        : whole_collective(&b, instr, OP_COLLECTIVE_PERMUTE, shape);
    return whole_start(&b, instr->shape, operands, result);
}

Instr *expand_all_gather_start(Instr *instr, Diags *diags) {
    Builder b = builder_for(instr);
    const Shape *shape = instr->shape->elements[1];
    if (is_alone(instr) && !fits_one_device(instr, shape, diags)) return NULL;
    Instr *operands = operands_as(&b, instr->shape->elements[0], instr->n_operands, instr->operands);
    Instr *result = is_alone(instr) ? operands_as(&b, shape, instr->n_operands, instr->operands)
                                    : whole_collective(&b, instr, OP_ALL_GATHER, shape);
    return whole_start(&b, instr->shape, operands, result);
}

/* partition-id and replica-id. */
Instr *expand_device_number(Instr *instr, Diags *diags) {
    (void)diags;
    Builder b = builder_for(instr);
    return is_alone(instr) ? build_integer(&b, instr->shape->dtype, 0) : NULL;
}
