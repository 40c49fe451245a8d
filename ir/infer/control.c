/* Shapes of tuples, calls, control flow, custom calls. */
#include "ir/infer/infer.h"

/* ---- tuples ------------------------------------------------------------------------------------------------------ */

INFER(tuple) {
    int n = f->instr->n_operands;
    const Shape **elements = NEW_ARRAY(f->arena, const Shape *, n);
    for (int k = 0; k < n; k++) elements[k] = operand(f, k);
    return shape_tuple(f->arena, n, elements);
}

INFER(get_tuple_element) {
    const Shape *tuple = operand(f, 0);
    int64_t index = instr_int(f->instr, ATTR_INDEX, 0);
    if (!shape_is_tuple(tuple))
        return refuse_operand(f, 0, E_OPERAND_TYPE, "'get-tuple-element' needs a tuple here, not %s",
                              shape_words(f, tuple));
    if (index < 0 || index >= tuple->n_elements)
        return refuse_attr(f, ATTR_INDEX, E_TUPLE_INDEX, "'index' is %lld, but %s has %d element%s", (long long)index,
                           shape_words(f, tuple), tuple->n_elements, tuple->n_elements == 1 ? "" : "s");
    return tuple->elements[index];
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

/* Operands fit the parameters: their number at the opcode, each at itself. */
static bool need_arguments(Infer *f, const Computation *computation, int first) {
    int n = f->instr->n_operands - first;
    if (computation->n_parameters != n)
        return refuse_op(f, E_CALLEE, "'%s' passes %d operand%s to '%s', which has %d parameter%s", opcode(f), n,
                         n == 1 ? "" : "s", computation->name, computation->n_parameters,
                         computation->n_parameters == 1 ? "" : "s");
    for (int i = 0; i < n; i++) {
        const Shape *parameter = computation->parameters[i]->shape, *shape = operand(f, first + i);
        if (parameter && !shapes_agree(parameter, shape))
            return refuse_operand(f, first + i, E_CALLEE, "parameter %d of '%s' is %s, but the operand is %s", i,
                                  computation->name, shape_words(f, parameter), shape_words(f, shape));
    }
    return true;
}

/* Aliases join parts of the result to parts of operands that are the same. */
static bool need_aliasing(Infer *f, const Shape *result) {
    const Attr *attr = instr_attr(f->instr, ATTR_OUTPUT_TO_OPERAND_ALIASING);
    for (int i = 0; attr && i < attr->n_aliases; i++) {
        const AliasEntry *alias = &attr->aliasing[i];
        const Shape *output = shape_part(result, alias->output_index.n, alias->output_index.at);
        if (!output)
            return refuse(f, alias->output_span, E_ALIAS, "the result %s has no such part", shape_words(f, result));
        if (alias->operand < 0 || alias->operand >= f->instr->n_operands)
            return refuse(f, alias->operand_span, E_ALIAS, "'%s' has no operand %lld: they count from 0", opcode(f),
                          (long long)alias->operand);
        const Shape *input =
            shape_part(operand(f, (int)alias->operand), alias->operand_index.n, alias->operand_index.at);
        if (!input)
            return refuse(f, alias->operand_span, E_ALIAS, "operand %lld, %s, has no such part",
                          (long long)alias->operand, shape_words(f, operand(f, (int)alias->operand)));
        if (!shapes_agree(output, input))
            return refuse(f, alias->operand_span, E_ALIAS, "%s of the result cannot be %s of an operand",
                          shape_words(f, output), shape_words(f, input));
    }
    return true;
}

static const Shape *call_result(Infer *f, AttrId id) {
    const Computation *computation = callee(f, id);
    if (!computation) return f->instr->shape;
    if (!need_arguments(f, computation, 0)) return NULL;
    const Shape *result = computation->root->shape;
    return need_aliasing(f, result) ? result : NULL;
}

INFER(call) {
    const char *name = instr_frontend(f->instr, "composite.name");
    if (instr_bool(f->instr, ATTR_IS_COMPOSITE, false) && (!name || !*name))
        return refuse_op(f, E_MISSING_PART,
                         "a composite call lacks its name: frontend_attributes={composite.name=...}");
    return call_result(f, ATTR_TO_APPLY);
}

INFER(fusion) {
    return call_result(f, ATTR_CALLS);
}

INFER(while) {
    const Computation *condition = callee(f, ATTR_CONDITION), *body = callee(f, ATTR_BODY);
    const Shape *state = operand(f, 0);
    if (condition && !need_parameters(f, ATTR_CONDITION, condition, 1, &state)) return NULL;
    if (condition && !need_root(f, ATTR_CONDITION, condition, shape_scalar(f->arena, DT_PRED))) return NULL;
    if (body && (!need_parameters(f, ATTR_BODY, body, 1, &state) || !need_root(f, ATTR_BODY, body, state))) return NULL;
    return state;
}

/* ---- conditionals ------------------------------------------------------------------------------------------------ */

static bool need_branch(Infer *f, AttrId id, const Computation *branch, int k, const Shape **result) {
    const Shape *argument = operand(f, k);
    if (!branch->root || !branch->root->shape) return true;
    if (!need_parameters(f, id, branch, 1, &argument)) return false;
    if (*result && !need_root(f, id, branch, *result)) return false;
    *result = branch->root->shape;
    return true;
}

static const Shape *two_branches(Infer *f) {
    static const AttrId ids[] = {ATTR_TRUE_COMPUTATION, ATTR_FALSE_COMPUTATION};
    const Shape *result = NULL;
    if (instr_attr(f->instr, ATTR_BRANCH_COMPUTATIONS))
        return refuse_attr(f, ATTR_BRANCH_COMPUTATIONS, E_UNEXPECTED_ATTRIBUTE,
                           "a conditional on %s has 'true_computation' and 'false_computation'",
                           shape_words(f, operand(f, 0)));
    for (int i = 0; i < 2; i++)
        if (!instr_attr(f->instr, ids[i]))
            return refuse_op(f, E_MISSING_ATTRIBUTE, "'conditional' on %s lacks its attribute '%s'",
                             shape_words(f, operand(f, 0)), attr_name(ids[i]));
    if (f->instr->n_operands != 3)
        return refuse_op(f, E_OPERAND_COUNT, "'conditional' takes its condition and an operand per branch: 3, not %d",
                         f->instr->n_operands);
    for (int i = 0; i < 2; i++)
        if (!need_branch(f, ids[i], instr_computation(f->instr, ids[i]), 1 + i, &result)) return NULL;
    return result ? result : f->instr->shape;
}

static const Shape *many_branches(Infer *f) {
    const Attr *branches = instr_attr(f->instr, ATTR_BRANCH_COMPUTATIONS);
    const Shape *result = NULL;
    for (int i = 0; i < 2; i++) {
        AttrId id = i ? ATTR_FALSE_COMPUTATION : ATTR_TRUE_COMPUTATION;
        if (instr_attr(f->instr, id))
            return refuse_attr(f, id, E_UNEXPECTED_ATTRIBUTE, "a conditional on %s has 'branch_computations'",
                               shape_words(f, operand(f, 0)));
    }
    if (!branches || !branches->n_computations)
        return refuse_op(f, E_MISSING_ATTRIBUTE, "'conditional' on %s lacks its attribute 'branch_computations'",
                         shape_words(f, operand(f, 0)));
    if (f->instr->n_operands != 1 + branches->n_computations)
        return refuse_op(f, E_OPERAND_COUNT, "'conditional' takes its index and an operand per branch: %d, not %d",
                         1 + branches->n_computations, f->instr->n_operands);
    for (int i = 0; i < branches->n_computations; i++)
        if (!need_branch(f, ATTR_BRANCH_COMPUTATIONS, branches->computations[i], 1 + i, &result)) return NULL;
    return result ? result : f->instr->shape;
}

INFER(conditional) {
    const Shape *index = operand(f, 0);
    bool scalar = shape_is_array(index) && index->rank == 0;
    if (scalar && index->dtype == DT_PRED) return two_branches(f);
    if (scalar && index->dtype == DT_S32) return many_branches(f);
    return refuse_operand(f, 0, E_OPERAND_TYPE, "'conditional' chooses by pred[] or s32[], not by %s",
                          shape_words(f, index));
}

/* ---- custom calls ------------------------------------------------------------------------------------------------ */

INFER(custom_call) {
    const Instr *instr = f->instr;
    const Attr *constraints = instr_attr(instr, ATTR_OPERAND_LAYOUT_CONSTRAINTS);
    if (instr_attr(instr, ATTR_TO_APPLY) && instr_attr(instr, ATTR_CALLED_COMPUTATIONS))
        return refuse_attr(f, ATTR_CALLED_COMPUTATIONS, E_VALUE,
                           "'to_apply' and 'called_computations' exclude each other");
    if (constraints && constraints->n_shapes != instr->n_operands)
        return refuse_attr(f, ATTR_OPERAND_LAYOUT_CONSTRAINTS, E_VALUE,
                           "'operand_layout_constraints' lists %d shape%s for %d operand%s", constraints->n_shapes,
                           constraints->n_shapes == 1 ? "" : "s", instr->n_operands, instr->n_operands == 1 ? "" : "s");
    for (int k = 0; constraints && k < instr->n_operands; k++)
        if (!shapes_agree(constraints->shapes[k], operand(f, k)))
            return refuse(f, constraints->shape_spans[k], E_VALUE, "operand %d is %s, but its constraint is for %s", k,
                          shape_words(f, operand(f, k)), shape_words(f, constraints->shapes[k]));
    return need_aliasing(f, instr->shape) ? instr->shape : NULL;
}
