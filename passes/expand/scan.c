#include "passes/expand/expand.h"

/* scan: a while loop over one slice after the other, with state (t, inputs, stacked outputs, carries). */

typedef struct {
    Builder b;
    const Instr *instr;
    int n_inputs, n_outputs, n_carries;
    int64_t dim, n; /* scanned; slices */
    const Shape *state;
} Scan;

static const Shape *result_shape(const Scan *s, int k) {
    return shape_is_tuple(s->instr->shape) ? s->instr->shape->elements[k] : s->instr->shape;
}

static Computation *condition(const Scan *s) {
    Computation *c = build_computation(&s->b, "scan_condition", 1, &s->state);
    Builder b = {c, s->b.arena, s->b.span, s->b.op_span};
    Instr *n = build_integer(&b, DT_S32, (uint64_t)s->n);
    c->root = build_compare(&b, DIRECTION_LT, build_element(&b, c->parameters[0], 0), n);
    return c;
}

/* Starts of slice t of an array of this rank. */
static int starts(const Scan *s, const Builder *b, Instr *t, int rank, Instr **operands) {
    for (int i = 0; i < rank; i++) operands[i] = i == s->dim ? t : build_integer(b, DT_S32, 0);
    return rank;
}

/* The dims of one slice of shape, the scanned one being 1. */
static int64_t *thin_dims(const Scan *s, const Shape *shape) {
    int64_t *dims = NEW_ARRAY(s->b.arena, int64_t, shape->rank);
    for (int i = 0; i < shape->rank; i++) dims[i] = i == s->dim ? 1 : shape->dims[i];
    return dims;
}

static Instr *slice_at(const Scan *s, const Builder *b, Instr *array, Instr *t, const Shape *slice) {
    int rank = array->shape->rank;
    Instr **operands = NEW_ARRAY(b->arena, Instr *, rank + 1);
    operands[0] = array;
    int n = 1 + starts(s, b, t, rank, operands + 1);
    int64_t *dims = thin_dims(s, array->shape);
    Instr *thin = build_op(b, OP_DYNAMIC_SLICE, shape_array(b->arena, array->shape->dtype, rank, dims), n, operands);
    instr_add_attr(thin, (Attr){.id = ATTR_DYNAMIC_SLICE_SIZES, .ints = {rank, dims}});
    return build_reshape(thin, slice->rank, slice->dims, b->span);
}

static Instr *with_slice(const Scan *s, const Builder *b, Instr *array, Instr *t, Instr *slice) {
    int rank = array->shape->rank;
    Instr **operands = NEW_ARRAY(b->arena, Instr *, rank + 2);
    operands[0] = array;
    operands[1] = build_reshape(slice, rank, thin_dims(s, array->shape), b->span);
    return build_op(b, OP_DYNAMIC_UPDATE_SLICE, array->shape, 2 + starts(s, b, t, rank, operands + 2), operands);
}

static Computation *body(const Scan *s) {
    Computation *c = build_computation(&s->b, "scan_body", 1, &s->state);
    Builder b = {c, s->b.arena, s->b.span, s->b.op_span};
    const Computation *called = instr_computation(s->instr, ATTR_TO_APPLY);
    int n_state = 1 + s->n_inputs + s->n_outputs + s->n_carries;
    Instr **state = NEW_ARRAY(b.arena, Instr *, n_state);
    Instr **arguments = NEW_ARRAY(b.arena, Instr *, s->n_inputs + s->n_carries);
    for (int k = 0; k < n_state; k++) state[k] = build_element(&b, c->parameters[0], k);
    Instr *t = state[0], *next = build_binary(&b, OP_ADD, t, build_integer(&b, DT_S32, 1));
    if (instr_bool(s->instr, ATTR_IS_REVERSE, false))
        t = build_binary(&b, OP_SUBTRACT, build_integer(&b, DT_S32, (uint64_t)(s->n - 1)), t);
    Instr **outputs = state + 1 + s->n_inputs, **carries = outputs + s->n_outputs;
    for (int k = 0; k < s->n_inputs; k++) arguments[k] = slice_at(s, &b, state[1 + k], t, called->parameters[k]->shape);
    for (int k = 0; k < s->n_carries; k++) arguments[s->n_inputs + k] = carries[k];
    Instr *round = build_inlined(&b, called, arguments);
    bool several = shape_is_tuple(round->shape);
    for (int k = 0; k < s->n_outputs; k++)
        outputs[k] = with_slice(s, &b, outputs[k], t, several ? build_element(&b, round, k) : round);
    for (int k = 0; k < s->n_carries; k++) carries[k] = several ? build_element(&b, round, s->n_outputs + k) : round;
    state[0] = next;
    c->root = build_tuple(&b, n_state, state);
    return c;
}

Instr *expand_scan(Instr *instr, Diags *diags) {
    (void)diags;
    Scan s = {.b = builder_for(instr), .instr = instr, .n_carries = (int)instr_int(instr, ATTR_NUM_CARRIES, 0)};
    s.n_inputs = instr->n_operands - s.n_carries;
    s.n_outputs = (shape_is_tuple(instr->shape) ? instr->shape->n_elements : 1) - s.n_carries;
    s.dim = instr_ints(instr, ATTR_DIMENSIONS).at[0];
    const Shape *along = s.n_inputs ? instr->operands[0]->shape : s.n_outputs ? result_shape(&s, 0) : NULL;
    s.n = along ? along->dims[s.dim] : 0;
    if (s.n > INT32_MAX) return NULL;
    int n_results = s.n_outputs + s.n_carries;
    Instr **start = NEW_ARRAY(s.b.arena, Instr *, 1 + s.n_inputs + n_results), **at = start;
    *at++ = build_integer(&s.b, DT_S32, 0);
    for (int k = 0; k < s.n_inputs; k++) *at++ = instr->operands[k];
    for (int k = 0; k < s.n_outputs; k++) *at++ = build_zeros(&s.b, result_shape(&s, k));
    for (int k = 0; k < s.n_carries; k++) *at++ = instr->operands[s.n_inputs + k];
    Instr *state = build_tuple(&s.b, (int)(at - start), start);
    s.state = state->shape;
    Instr *loop = build_op(&s.b, OP_WHILE, s.state, 1, &state);
    build_call_attr(&s.b, loop, ATTR_CONDITION, condition(&s));
    build_call_attr(&s.b, loop, ATTR_BODY, body(&s));
    Instr **results = NEW_ARRAY(s.b.arena, Instr *, n_results);
    for (int k = 0; k < n_results; k++) results[k] = build_element(&s.b, loop, 1 + s.n_inputs + k);
    return shape_is_tuple(instr->shape) ? build_tuple(&s.b, n_results, results) : results[0];
}
