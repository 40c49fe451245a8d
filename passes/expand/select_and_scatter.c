#include "passes/expand/expand.h"

/* select-and-scatter: a reduce-window over (element, its number) finds which element each window selects; a scatter
 * puts the source there. A window that lies in the padding selects number -1, which scatter drops. */

/* (chosen, its number, candidate, its number) -> what stays: the candidate when nothing was chosen so far. */
static Computation *choice(const Builder *b, const Computation *select, DType dtype) {
    const Shape *value = shape_scalar(b->arena, dtype), *number = shape_scalar(b->arena, DT_S32);
    Computation *c = build_computation(b, "select", 4, (const Shape *[]){value, number, value, number});
    Builder inside = {c, b->arena, b->span, b->op_span};
    Instr *keep = build_inlined(&inside, select, (Instr *[]){c->parameters[0], c->parameters[2]});
    Instr *chosen = build_compare(&inside, DIRECTION_GE, c->parameters[1], build_integer(&inside, DT_S32, 0));
    keep = build_binary(&inside, OP_AND, keep, chosen);
    Instr *parts[] = {build_select(&inside, keep, c->parameters[0], c->parameters[2]),
                      build_select(&inside, keep, c->parameters[1], c->parameters[3])};
    c->root = build_tuple(&inside, 2, parts);
    return c;
}

static Instr *selected(const Builder *b, Instr *instr) {
    Instr *operand = instr->operands[0];
    const Shape *source = instr->operands[1]->shape;
    DType dtype = operand->shape->dtype;
    int64_t n = shape_elements(operand->shape);
    Instr *numbers = build_reshape(build_iota(b, DT_S32, 1, &n, 0), operand->shape->rank, operand->shape->dims,
                                   b->span);
    Instr *inputs[] = {operand, numbers, constant_scalar(b->computation, dtype, 0, b->span),
                       build_integer(b, DT_S32, (uint64_t)-1)};
    const Shape *shapes[] = {shape_array(b->arena, dtype, source->rank, source->dims),
                             shape_array(b->arena, DT_S32, source->rank, source->dims)};
    Instr *windows = build_op(b, OP_REDUCE_WINDOW, shape_tuple(b->arena, 2, shapes), 4, inputs);
    const Attr *window = instr_attr(instr, ATTR_WINDOW);
    if (window) instr_add_attr(windows, *window);
    build_call_attr(b, windows, ATTR_TO_APPLY, choice(b, instr_computation(instr, ATTR_SELECT), dtype));
    return build_element(b, windows, 1);
}

/* scatter's combiner gets what is there first; ours gets the source first. */
static Computation *swapped(const Builder *b, const Computation *scatter) {
    const Shape *shapes[] = {scatter->parameters[1]->shape, scatter->parameters[0]->shape};
    Computation *c = build_computation(b, "scatter", 2, shapes);
    Builder inside = {c, b->arena, b->span, b->op_span};
    c->root = build_inlined(&inside, scatter, (Instr *[]){c->parameters[1], c->parameters[0]});
    return c;
}

Instr *expand_select_and_scatter(Instr *instr, Diags *diags) {
    (void)diags;
    Builder b = builder_for(instr);
    const Shape *shape = instr->shape;
    int64_t n = shape_elements(shape), n_source = shape_elements(instr->operands[1]->shape);
    if (n > INT32_MAX) return NULL;
    if (!n || !n_source) return broadcast_scalar(instr->operands[2], shape, b.span);
    Instr *indices = build_reshape(selected(&b, instr), 1, &n_source, b.span);
    Instr *inputs[] = {build_spread(&b, instr->operands[2], shape_array(b.arena, shape->dtype, 1, &n), 0, NULL),
                       indices,
                       build_reshape(instr->operands[1], 1, &n_source, b.span)};
    Instr *scatter = build_op(&b, OP_SCATTER, inputs[0]->shape, 3, inputs);
    static const int64_t zero[] = {0};
    instr_add_attr(scatter, (Attr){.id = ATTR_UPDATE_WINDOW_DIMS});
    instr_add_attr(scatter, (Attr){.id = ATTR_INSERTED_WINDOW_DIMS, .ints = {1, zero}});
    instr_add_attr(scatter, (Attr){.id = ATTR_SCATTER_DIMS_TO_OPERAND_DIMS, .ints = {1, zero}});
    instr_add_attr(scatter, (Attr){.id = ATTR_INDEX_VECTOR_DIM, .integer = 1});
    build_call_attr(&b, scatter, ATTR_TO_APPLY, swapped(&b, instr_computation(instr, ATTR_SCATTER)));
    return build_reshape(scatter, shape->rank, shape->dims, b.span);
}
