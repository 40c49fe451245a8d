/* Shapes of tokens, asynchronous copies and wrappers, input and output. */
#include <string.h>

#include "ir/infer/infer.h"

static bool need_token(Infer *f, int k) {
    if (operand(f, k)->dtype == DT_TOKEN) return true;
    return refuse_operand(f, k, E_OPERAND_TYPE, "'%s' needs a token here, not %s", opcode(f),
                          shape_words(f, operand(f, k)));
}

INFER(after_all) {
    for (int k = 0; k < f->instr->n_operands; k++)
        if (!need_token(f, k)) return NULL;
    return shape_token(f->arena);
}

INFER(add_dependency) {
    return need_token(f, 1) ? operand(f, 0) : NULL;
}

static const Shape *pair(Infer *f, const Shape *a, const Shape *b) {
    const Shape *elements[] = {a, b};
    return shape_tuple(f->arena, 2, elements);
}

static const Shape *triple(Infer *f, const Shape *a, const Shape *b, const Shape *c) {
    const Shape *elements[] = {a, b, c};
    return shape_tuple(f->arena, 3, elements);
}

/* ---- copies ------------------------------------------------------------------------------------------------------ */

INFER(copy_start) {
    if (!need_array(f, 0)) return NULL;
    return triple(f, operand(f, 0), operand(f, 0), shape_scalar(f->arena, DT_U32));
}

INFER(copy_done) {
    return need_started(f, OP_COPY_START) ? operand(f, 0)->elements[0] : NULL;
}

/* ---- asynchronous wrappers --------------------------------------------------------------------------------------- */

/* ((operands), result, ...): of what is started, and goes on from start to update to done. */
static bool need_async_shape(Infer *f, const Shape *shape) {
    bool fits = shape_is_tuple(shape) && shape->n_elements >= 2 && shape_is_tuple(shape->elements[0]);
    if (fits) return true;
    return refuse_shape(f, E_ASYNC_SHAPE, "the shape of '%s' is ((operands), result, ...), not %s", opcode(f),
                        shape_words(f, shape));
}

static bool need_wrapped(Infer *f, const Shape *shape) {
    const Computation *computation = callee(f, ATTR_CALLS);
    if (!computation) return true;
    return need_parameters(f, ATTR_CALLS, computation, shape->elements[0]->n_elements, shape->elements[0]->elements) &&
           need_root(f, ATTR_CALLS, computation, shape->elements[1]);
}

INFER(async_start) {
    const Instr *instr = f->instr;
    const Shape *shape = instr->shape;
    if (!instr_attr(instr, ATTR_CALLS))
        return refuse_op(f, E_MISSING_ATTRIBUTE, "'async-start' lacks its attribute 'calls'");
    if (!need_async_shape(f, shape) || !need_wrapped(f, shape)) return NULL;
    if (instr->n_operands > shape->elements[0]->n_elements)
        return refuse_op(f, E_OPERAND_COUNT, "'async-start' has %d operands, but its shape holds %d", instr->n_operands,
                         shape->elements[0]->n_elements);
    for (int k = 0; k < instr->n_operands; k++)
        if (!need_shape(f, k, shape->elements[0]->elements[k])) return NULL;
    return shape;
}

/* The start or update before: through tuples and the like it may come from anywhere, and is not looked for. */
static bool need_going_on(Infer *f) {
    const Instr *before = f->instr->operands[0];
    const Shape *shape = before->shape;
    if (!before->parent) return false; /* it was not read whole */
    if (before->op == OP_ASYNC_DONE)
        return refuse_operand(f, 0, E_ASYNC, "'%s' cannot go on with what 'async-done' ended", opcode(f));
    if (!shape_is_tuple(shape) || shape->n_elements < 2)
        return refuse_operand(f, 0, E_ASYNC, "'%s' needs the result of 'async-start' or 'async-update' here, not %s",
                              opcode(f), shape_words(f, shape));
    if (before->op != OP_ASYNC_START && before->op != OP_ASYNC_UPDATE) return true;
    const char *thread = instr_string(f->instr, ATTR_ASYNC_EXECUTION_THREAD),
               *earlier = instr_string(before, ATTR_ASYNC_EXECUTION_THREAD);
    const Computation *calls = instr_computation(f->instr, ATTR_CALLS),
                      *started = instr_computation(before, ATTR_CALLS);
    if (thread && earlier && strcmp(thread, earlier) != 0)
        return refuse_attr(f, ATTR_ASYNC_EXECUTION_THREAD, E_ASYNC, "the start runs in thread '%s', not in '%s'",
                           earlier, thread);
    if (calls && started && calls != started)
        return refuse_attr(f, ATTR_CALLS, E_ASYNC, "the start calls '%s', not '%s'", started->name, calls->name);
    return true;
}

INFER(async_update) {
    if (!need_going_on(f) || !need_async_shape(f, f->instr->shape)) return NULL;
    return operand(f, 0);
}

INFER(async_done) {
    return need_going_on(f) ? operand(f, 0)->elements[1] : NULL;
}

/* ---- input and output -------------------------------------------------------------------------------------------- */

INFER(infeed) {
    const Shape *shape = f->instr->shape;
    if (!need_token(f, 0)) return NULL;
    if (!shape_is_tuple(shape) || shape->n_elements != 2 || shape->elements[1]->dtype != DT_TOKEN)
        return refuse_shape(f, E_RESULT_SHAPE, "'infeed' gives (data, token[]), not %s", shape_words(f, shape));
    return shape;
}

INFER(outfeed) {
    const Attr *shape = instr_attr(f->instr, ATTR_OUTFEED_SHAPE);
    if (shape && !need_shape(f, 0, shape->shapes[0])) return NULL;
    return need_token(f, 1) ? shape_token(f->arena) : NULL;
}

INFER(send) {
    if (!need_token(f, 1)) return NULL;
    return triple(f, operand(f, 0), shape_scalar(f->arena, DT_U32), shape_token(f->arena));
}

INFER(recv) {
    const Shape *shape = f->instr->shape;
    if (!need_token(f, 0)) return NULL;
    if (!shape_is_tuple(shape) || shape->n_elements < 1)
        return refuse_shape(f, E_RESULT_SHAPE, "'recv' gives (data, u32[], token[]), not %s", shape_words(f, shape));
    return triple(f, shape->elements[0], shape_scalar(f->arena, DT_U32), shape_token(f->arena));
}

/* A done belongs to its start's channel; both without one is fine. */
static bool need_same_channel(Infer *f, Op start) {
    const Instr *before = f->instr->operands[0];
    if (before->op != start) return true;
    const Attr *mine = instr_attr(f->instr, ATTR_CHANNEL_ID), *its = instr_attr(before, ATTR_CHANNEL_ID);
    if (!mine && !its) return true;
    if (mine && its && mine->integer == its->integer) return true;
    if (!mine || !its)
        return refuse_attr(f, ATTR_CHANNEL_ID, E_ASYNC, "'%s' and '%s' have a channel_id both or neither",
                           op_name(start), opcode(f));
    return refuse_attr(f, ATTR_CHANNEL_ID, E_ASYNC, "channel_id is %lld, but its '%s' has %lld",
                       (long long)mine->integer, op_name(start), (long long)its->integer);
}

static bool need_transfer(Infer *f) {
    const Shape *shape = operand(f, 0);
    if (shape_is_tuple(shape) && shape->n_elements == 3) return true;
    return refuse_operand(f, 0, E_OPERAND_TYPE, "'%s' needs (data, u32[], token[]) here, not %s", opcode(f),
                          shape_words(f, shape));
}

INFER(send_done) {
    return need_transfer(f) && need_same_channel(f, OP_SEND) ? shape_token(f->arena) : NULL;
}

INFER(recv_done) {
    if (!need_transfer(f) || !need_same_channel(f, OP_RECV)) return NULL;
    return pair(f, operand(f, 0)->elements[0], shape_token(f->arena));
}
