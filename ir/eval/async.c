/* async-start, -update and -done around any operation: it is done at once, as soon as all its operands are there. */
#include "ir/eval/rule.h"

/* The computation of the start that an update continues. */
static const Computation *wrapped(const Instr *instr) {
    while (instr && !instr_computation(instr, ATTR_CALLS)) instr = instr->n_operands ? instr->operands[0] : NULL;
    return instr ? instr_computation(instr, ATTR_CALLS) : NULL;
}

/* How many operands the start, and the updates up to this one, brought. */
static int brought_before(const Instr *update) {
    int n = 0;
    const Instr *instr = update->operands[0];
    for (; instr->op == OP_ASYNC_UPDATE; instr = instr->operands[0]) n += instr->n_operands - 1;
    return n + instr->n_operands;
}

/* ((operands), result, contexts ...) for n operands; zeros for the result, and for operands that are missing. */
static Value *begun(Eval *eval, const Instr *instr, const Shape *shape, int n, Value **operands) {
    const Computation *computation = wrapped(instr);
    if (!computation) return eval_error(eval, instr, "cannot find the computation of this '%s'", op_name(instr->op));
    Value *start = value_new(shape);
    start->elements[0] = value_new(shape->elements[0]);
    for (int k = 0; k < shape->elements[0]->n_elements; k++)
        start->elements[0]->elements[k] =
            k < n ? value_retain(operands[k]) : value_zeros(shape->elements[0]->elements[k]);
    for (int k = 2; k < shape->n_elements; k++) start->elements[k] = value_zeros(shape->elements[k]);
    start->elements[1] = n == computation->n_parameters ? computation_run(eval, computation, operands)
                                                        : value_zeros(shape->elements[1]);
    if (start->elements[1]) return start;
    value_release(start);
    return NULL;
}

Value *eval_async_start(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    return begun(eval, instr, shape, instr->n_operands, operands);
}

/* An update may bring more operands. */
Value *eval_async_update(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    if (instr->n_operands == 1) return value_take(&operands[0]);
    const Value *before = operands[0]->elements[0];
    int n_before = brought_before(instr), n = n_before + instr->n_operands - 1;
    if (n > before->shape->n_elements) return eval_error(eval, instr, "too many operands for this computation");
    Value **all = base_malloc((size_t)n * sizeof *all);
    for (int k = 0; k < n; k++)
        all[k] = value_retain(k < n_before ? before->elements[k] : operands[1 + k - n_before]);
    Value *update = begun(eval, instr, shape, n, all);
    for (int k = 0; k < n; k++) value_release(all[k]);
    base_free(all);
    return update;
}
