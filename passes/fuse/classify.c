#include "passes/fuse/planner.h"

#include "ir/kernel.h"

/* What can be known of an instruction before anything is decided: where it may live, what an element costs. */

LeafSource leaf_source(Instr *instr, int leaf) {
    for (;;) {
        if (instr->op == OP_TUPLE) {
            int k = 0;
            while (leaf >= shape_leaves(instr->operands[k]->shape)) leaf -= shape_leaves(instr->operands[k++]->shape);
            instr = instr->operands[k];
        } else if (instr->op == OP_GET_TUPLE_ELEMENT) {
            const Shape *tuple = instr->operands[0]->shape;
            int index = (int)instr_int(instr, ATTR_INDEX, 0);
            for (int i = 0; i < index; i++) leaf += shape_leaves(tuple->elements[i]);
            instr = instr->operands[0];
        } else if (instr->op == OP_OPT_BARRIER || instr->op == OP_ADD_DEPENDENCY) {
            instr = instr->operands[0];
        } else {
            return (LeafSource){instr, leaf};
        }
    }
}

Instr *reduction_of(Instr *instr) {
    if (instr->op == OP_GET_TUPLE_ELEMENT) instr = instr->operands[0];
    ElementRule rule = op_element(instr->op);
    return rule == ELEMENT_reduce || rule == ELEMENT_contract ? instr : NULL;
}

bool instr_is_reduction(const Instr *instr) {
    return reduction_of((Instr *)instr) != NULL;
}

bool instr_is_pullable(const Instr *instr) {
    if (instr_is_reduction(instr)) return true;
    switch (op_element(instr->op)) {
    case ELEMENT_constant:
    case ELEMENT_iota:
    case ELEMENT_map:
    case ELEMENT_convert:
    case ELEMENT_bitcast:
    case ELEMENT_bitcast_convert:
    case ELEMENT_mulhi:
    case ELEMENT_reduce_precision:
    case ELEMENT_stochastic_convert:
    case ELEMENT_compare:
    case ELEMENT_move:
    case ELEMENT_choose:
        return shape_is_array(instr->shape);
    case ELEMENT_later:
    case ELEMENT_parameter:
    case ELEMENT_reduce:
    case ELEMENT_contract:
    case ELEMENT_whole:
    case ELEMENT_plumb:
    case ELEMENT_inlined:
    case ELEMENT_custom_call:
        break;
    }
    return false;
}

const Shape *element_shape(const Instr *instr) {
    const Shape *shape = instr->shape;
    while (shape_is_tuple(shape) && shape->n_elements) shape = shape->elements[0];
    return shape;
}

int64_t instr_elements(const Instr *instr) {
    return shape_elements(element_shape(instr));
}

static bool is_small_constant(const Instr *instr) {
    return instr->op == OP_CONSTANT && (instr->shape->rank == 0 || literal_is_splat(instr->literal));
}

/* How many elements a reduction reads for one of its own. */
static double reduced_elements(Planner *planner, Instr *reduction) {
    const Access *access = access_of(planner->context->access, reduction);
    double n = 1;
    WindowScan scan;
    if (window_scan(reduction, &scan)) return 1; /* the others are known from the neighbour */
    for (int i = 0; access && i < access->n_ranges; i++) n *= (double)interval_count(access->domain->syms.at[i]);
    return n;
}

double instr_cost(const Instr *instr) {
    double factor = dtype_is_complex(element_shape(instr)->dtype) ? 4 : 1;
    switch (op_element(instr->op)) {
    case ELEMENT_map:
        return factor * scalar_weight(op_scalar(instr->op));
    case ELEMENT_convert:
    case ELEMENT_mulhi:
    case ELEMENT_reduce_precision:
    case ELEMENT_stochastic_convert:
    case ELEMENT_compare:
    case ELEMENT_choose:
    case ELEMENT_reduce:
    case ELEMENT_contract:
        return factor;
    case ELEMENT_later:
    case ELEMENT_parameter:
    case ELEMENT_constant:
    case ELEMENT_iota:
    case ELEMENT_bitcast:
    case ELEMENT_bitcast_convert:
    case ELEMENT_move:
    case ELEMENT_whole:
    case ELEMENT_plumb:
    case ELEMENT_inlined:
    case ELEMENT_custom_call:
        break;
    }
    return 0;
}

/* An operand with far fewer elements is read again and again, and one that holds a reduction is not computed for each
 * of several readers: whatever they cost, it is paid once. */
static bool will_be_staged(const Planner *planner, const Instr *reader, const Instr *operand) {
    if (instr_elements(reader) >= 4 * instr_elements(operand)) return true;
    if (!plan_of(planner, operand)->heavy) return false;
    for (int i = 1; i < operand->users.n; i++)
        if (operand->users.at[i] != operand->users.at[0]) return true;
    return false;
}

static void cost(Planner *planner, Instr *instr, Plan *plan) {
    double own = instr_cost(instr), below = 0;
    for (int k = 0; k < instr->n_operands; k++) {
        const Plan *operand = plan_of(planner, instr->operands[k]);
        if (operand->storage != STORAGE_NONE) continue;
        if (will_be_staged(planner, instr, instr->operands[k])) continue;
        below += operand->cost;
    }
    Instr *reduction = reduction_of(instr);
    if (reduction == instr) below = (own + below) * reduced_elements(planner, instr) - own;
    plan->cost = own + below > 1e12 ? 1e12 : own + below;
}

static void heaviness(const Planner *planner, Instr *instr, Plan *plan) {
    Instr *reduction = reduction_of(instr);
    plan->heavy = reduction != NULL;
    plan->contracts = reduction && op_element(reduction->op) == ELEMENT_contract;
    for (int k = 0; k < instr->n_operands && !reduction; k++) {
        const Plan *operand = plan_of(planner, instr->operands[k]);
        if (operand->storage != STORAGE_NONE || will_be_staged(planner, instr, instr->operands[k])) continue;
        plan->heavy |= operand->heavy;
        plan->contracts |= operand->contracts;
    }
}

/* Scalar operations to compute all elements of instr from its operands. */
static double tiny_work(Planner *planner, Instr *instr) {
    Instr *reduction = reduction_of(instr);
    double n = (double)instr_elements(instr);
    return reduction ? n * reduced_elements(planner, reduction) : n;
}

/* What a reduction over something large gives is computed with the reduction, not after it. */
static bool continues_reduction(const Planner *planner, const Instr *instr) {
    for (int k = 0; k < instr->n_operands; k++) {
        const Plan *operand = plan_of(planner, instr->operands[k]);
        if (operand->storage == STORAGE_NONE && operand->heavy && !will_be_staged(planner, instr, instr->operands[k]))
            return true;
    }
    return false;
}

static bool is_tiny(Planner *planner, Instr *instr) {
    if (instr->op == OP_CONSTANT || !instr_is_pullable(instr)) return false;
    int64_t n = instr_elements(instr);
    if (continues_reduction(planner, instr)) return false;
    bool tiny = n > 0 && n <= TINY_ELEMENTS && tiny_work(planner, instr) <= TINY_WORK;
    if (!tiny || (n > 1 && planner->tiny_work > MOST_TINY_WORK)) return false;
    planner->tiny_work += tiny_work(planner, instr);
    return true;
}

static TileStorage storage_of(Planner *planner, Instr *instr) {
    if (instr_is_reduction(instr)) return is_tiny(planner, instr) ? STORAGE_TINY : STORAGE_NONE;
    switch (op_element(instr->op)) {
    case ELEMENT_parameter:
        return STORAGE_LEAF;
    case ELEMENT_constant:
        return is_small_constant(instr) ? STORAGE_NONE : STORAGE_LEAF;
    case ELEMENT_plumb:
        return STORAGE_PLUMB;
    case ELEMENT_whole:
    case ELEMENT_later:
    case ELEMENT_custom_call:
        return STORAGE_BUFFER;
    case ELEMENT_iota:
    case ELEMENT_map:
    case ELEMENT_convert:
    case ELEMENT_bitcast:
    case ELEMENT_bitcast_convert:
    case ELEMENT_mulhi:
    case ELEMENT_reduce_precision:
    case ELEMENT_stochastic_convert:
    case ELEMENT_compare:
    case ELEMENT_move:
    case ELEMENT_choose:
    case ELEMENT_reduce:
    case ELEMENT_contract:
    case ELEMENT_inlined:
        break;
    }
    return is_tiny(planner, instr) ? STORAGE_TINY : STORAGE_NONE;
}

void classify(Planner *planner) {
    planner->tiny_work = 0;
    for (int i = 0; i < planner->computation->instrs.n; i++) {
        Instr *instr = planner->computation->instrs.at[i];
        Plan *plan = plan_of(planner, instr);
        ElementRule rule = op_element(instr->op);
        plan->node = -1;
        plan->storage = storage_of(planner, instr);
        plan->is_move = rule == ELEMENT_move || rule == ELEMENT_iota || rule == ELEMENT_constant ||
                        rule == ELEMENT_bitcast;
        if (plan->storage == STORAGE_NONE) heaviness(planner, instr, plan);
        if (plan->storage == STORAGE_NONE || plan->storage == STORAGE_TINY) cost(planner, instr, plan);
    }
}
