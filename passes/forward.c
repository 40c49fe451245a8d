#include "passes/passes.h"

/* What only passes a value on: elements of tuples, barriers, and movements that move nothing. Layouts inside a module
 * are hints (abi.md), so a copy is its operand. */

static bool is_identity_list(IntList list, int rank) {
    if (list.n != rank) return false;
    for (int i = 0; i < rank; i++)
        if (list.at[i] != i) return false;
    return true;
}

/* (x.0, x.1, ...) of all elements of x is x. */
static Instr *whole_tuple(const Instr *tuple) {
    if (!tuple->n_operands || tuple->operands[0]->op != OP_GET_TUPLE_ELEMENT) return NULL;
    Instr *source = tuple->operands[0]->operands[0];
    if (source->shape->n_elements != tuple->n_operands) return NULL;
    for (int k = 0; k < tuple->n_operands; k++) {
        const Instr *element = tuple->operands[k];
        if (element->op != OP_GET_TUPLE_ELEMENT || element->operands[0] != source) return NULL;
        if (instr_int(element, ATTR_INDEX, -1) != k) return NULL;
    }
    return source;
}

static bool pads_nothing(const Attr *padding) {
    for (int i = 0; i < padding->n_pads; i++)
        if (padding->padding[i].low || padding->padding[i].high || padding->padding[i].interior) return false;
    return true;
}

static bool reverses_nothing(const Instr *instr) {
    IntList dims = instr_ints(instr, ATTR_DIMENSIONS);
    for (int i = 0; i < dims.n; i++)
        if (instr->shape->dims[dims.at[i]] > 1) return false;
    return true;
}

static bool moves_nothing(const Instr *instr) {
    const Shape *to = instr->shape, *from = instr->operands[0]->shape;
    Op op = instr->op;
    if (!shape_is_array(to) || !shape_is_array(from) || to->dtype != from->dtype || !shapes_same_dims(to, from))
        return false;
    if (op == OP_COPY || op == OP_RESHAPE || op == OP_CONVERT || op == OP_BITCAST_CONVERT || op == OP_SLICE)
        return true;
    if (op == OP_BITCAST) return shapes_same_layout(to, from);
    if (op == OP_BROADCAST || op == OP_TRANSPOSE) return is_identity_list(instr_ints(instr, ATTR_DIMENSIONS), to->rank);
    if (op == OP_CONCATENATE) return instr->n_operands == 1;
    if (op == OP_PAD) return pads_nothing(instr_attr(instr, ATTR_PADDING));
    return op == OP_REVERSE && reverses_nothing(instr);
}

/* What instr stands for, or NULL when it does something. */
static Instr *forwarded(const Instr *instr) {
    if (instr->op == OP_GET_TUPLE_ELEMENT && instr->operands[0]->op == OP_TUPLE)
        return instr->operands[0]->operands[instr_int(instr, ATTR_INDEX, 0)];
    if (instr->op == OP_OPT_BARRIER || instr->op == OP_ADD_DEPENDENCY) return instr->operands[0];
    if (instr->op == OP_COPY && shape_is_tuple(instr->shape)) return instr->operands[0];
    if (instr->op == OP_TUPLE) return whole_tuple(instr);
    if (instr->n_operands && moves_nothing(instr)) return instr->operands[0];
    return NULL;
}

bool pass_forward(Module *module, Diags *diags) {
    (void)diags;
    bool changed = false;
    for (int c = 0; c < module->computations.n; c++) {
        Computation *computation = module->computations.at[c];
        for (int i = 0; i < computation->instrs.n; i++) {
            Instr *instr = computation->instrs.at[i];
            Instr *source = forwarded(instr);
            if (!source || source == instr) continue;
            instr_replace_uses(instr, source);
            changed = true;
        }
    }
    return changed;
}
