/* Plumbing and control flow. */
#include "ir/eval/program.h"
#include "ir/eval/rule.h"

/* Arguments take the place of parameters before anything runs. */
Value *eval_parameter(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)shape, (void)operands;
    return eval_error(eval, instr, "parameter %d has no argument", (int)instr->parameter_number);
}

Value *eval_constant(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)shape, (void)operands;
    if (literal_lacks_values(instr->literal))
        return eval_error(eval, instr, "the values of this constant were left out, {...}");
    return value_of_literal(instr->literal);
}

Value *eval_tuple(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)eval;
    Value *tuple = value_new(shape);
    for (int k = 0; k < instr->n_operands; k++) tuple->elements[k] = value_take(&operands[k]);
    return tuple;
}

Value *eval_get_tuple_element(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)eval, (void)shape;
    return value_retain(operands[0]->elements[instr_int(instr, ATTR_INDEX, 0)]);
}

/* The first operand as it is. */
Value *eval_forward(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)eval, (void)instr, (void)shape;
    return value_take(&operands[0]);
}

Value *eval_token(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)eval, (void)instr, (void)operands;
    return value_new(shape);
}

/* call and fusion. */
Value *eval_call(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)shape;
    AttrId called = instr->op == OP_FUSION ? ATTR_CALLS : ATTR_TO_APPLY;
    return computation_run(eval, instr_computation(instr, called), operands);
}

/* 1 or 0, or -1 on failure. */
static int condition_holds(Eval *eval, const Computation *condition, Value *state) {
    Value *argument = value_retain(state);
    Value *answer = computation_run(eval, condition, &argument);
    if (!answer) return -1;
    int holds = *(const uint8_t *)answer->data != 0;
    value_release(answer);
    return holds;
}

/* The body alone holds the state while it runs, so that it can update it in place. */
Value *eval_while(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)shape;
    const Computation *condition = instr_computation(instr, ATTR_CONDITION);
    const Computation *body = instr_computation(instr, ATTR_BODY);
    Value *state = value_take(&operands[0]);
    int holds;
    while ((holds = condition_holds(eval, condition, state)) == 1) {
        state = computation_run(eval, body, &state);
        if (!state) return NULL;
    }
    if (holds == 0) return state;
    value_release(state);
    return NULL;
}

/* A pred chooses the first computation when true; an index out of range the last. */
Value *eval_conditional(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)shape;
    const Attr *listed = instr_attr(instr, ATTR_BRANCH_COMPUTATIONS);
    int64_t n = listed ? listed->n_computations : 2, branch = value_index(operands[0], 0);
    if (operands[0]->shape->dtype == DT_PRED) branch = !branch;
    if (branch < 0 || branch >= n) branch = n - 1;
    const Computation *computation = listed ? listed->computations[branch]
                                            : instr_computation(instr, branch ? ATTR_FALSE_COMPUTATION
                                                                              : ATTR_TRUE_COMPUTATION);
    return computation_run(eval, computation, &operands[1 + branch]);
}

/* A scalar function on each element. */
Value *eval_map_computation(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    Program *program = program_of(eval, instr_computation(instr, ATTR_TO_APPLY));
    const void **arguments = base_malloc((size_t)(instr->n_operands + 1) * sizeof *arguments);
    for (int k = 0; k < instr->n_operands; k++) arguments[k] = operands[k]->data;
    Value *result = value_new(shape);
    void *results[] = {result->data};
    bool done = program_run(eval, program, arguments, results, value_elements(result));
    base_free(arguments);
    if (done) return result;
    value_release(result);
    return NULL;
}
