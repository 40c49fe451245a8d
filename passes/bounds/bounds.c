#include "passes/bounds/bounds.h"

#include <string.h>

#include "base/codes.h"
#include "ir/kernel.h"

/* --- values of computations: an array or tuple with bounds becomes (itself, its sizes ...) ------------------------ */

static const Shape *without_bounds(Arena *arena, const Shape *shape) {
    if (!shape_has_bounds(shape)) return shape;
    Shape *fixed = NEW(arena, Shape);
    *fixed = *shape;
    fixed->dynamic = NULL;
    if (!shape->n_elements) return fixed;
    const Shape **elements = NEW_ARRAY(arena, const Shape *, shape->n_elements);
    for (int k = 0; k < shape->n_elements; k++) elements[k] = without_bounds(arena, shape->elements[k]);
    fixed->elements = elements;
    return fixed;
}

/* Numbers the sizes of shape's leaves; those of bounded dims go into at, if there is room. Returns how many there are.
 */
static int bounded_sizes(const Shape *shape, int *at, int n, int *number) {
    for (int k = 0; k < shape->n_elements; k++) n = bounded_sizes(shape->elements[k], at, n, number);
    for (int d = 0; d < shape->rank; d++, (*number)++) {
        if (!shape->dynamic || shape->dynamic[d] != DIM_BOUNDED) continue;
        if (at) at[n] = *number;
        n++;
    }
    return n;
}

static int *packed_sizes(Arena *arena, const Shape *shape, int *n) {
    int number = 0, *at;
    *n = bounded_sizes(shape, NULL, 0, &number);
    at = NEW_ARRAY(arena, int, *n);
    number = 0;
    bounded_sizes(shape, at, 0, &number);
    return at;
}

static int64_t dim_at(const Shape *shape, int *at) {
    for (int k = 0; k < shape->n_elements; k++) {
        int64_t dim = dim_at(shape->elements[k], at);
        if (dim >= 0) return dim;
    }
    if (*at < shape->rank) return shape->dims[*at];
    *at -= shape->rank;
    return -1;
}

static Instr *pack(Bounds *bounds, const Builder *b, Instr *value, const Shape *declared) {
    int n, *at = packed_sizes(b->arena, declared, &n);
    if (!n) return value;
    Instr **elements = NEW_ARRAY(b->arena, Instr *, n + 1);
    elements[0] = value;
    for (int k = 0; k < n; k++) {
        int where = at[k];
        Instr *size = size_known(bounds, value, at[k]);
        elements[1 + k] = size ? size : size_number(b, dim_at(value->shape, &where));
    }
    return build_tuple(b, n + 1, elements);
}

static Instr *unpack(Bounds *bounds, const Builder *b, Instr *packed, const Shape *declared) {
    int n, *at = packed_sizes(b->arena, declared, &n);
    if (!n) return packed;
    Instr *value = build_element(b, packed, 0);
    for (int k = 0; k < n; k++) size_note(bounds, value, at[k], build_element(b, packed, 1 + k));
    return value;
}

static const Shape *packed_shape(Arena *arena, const Shape *declared) {
    int n;
    packed_sizes(arena, declared, &n);
    if (!n) return declared;
    const Shape **elements = NEW_ARRAY(arena, const Shape *, n + 1);
    elements[0] = without_bounds(arena, declared);
    for (int k = 0; k < n; k++) elements[1 + k] = shape_scalar(arena, DT_S32);
    return shape_tuple(arena, n + 1, elements);
}

/* --- rules of a line or two --------------------------------------------------------------------------------------- */

static Instr *elementwise(Bounds *bounds, Instr *instr, const Shape *declared) {
    (void)declared;
    Builder b = builder_for(instr);
    for (int k = 0; k < instr->n_operands; k++) {
        int rank = instr->operands[k]->shape->rank;
        bool widths = instr->op == OP_BITCAST_CONVERT; /* may add or take a minor dim */
        for (int d = 0; (widths || rank == instr->shape->rank) && d < rank && d < instr->shape->rank; d++)
            size_note(bounds, instr, d,
                      size_smaller(&b, size_known(bounds, instr, d), size_known(bounds, instr->operands[k], d)));
    }
    return instr;
}

static Instr *all_there(Bounds *bounds, Instr *instr, const Shape *declared) {
    (void)bounds, (void)declared;
    return instr;
}

static Instr *as_operand(Bounds *bounds, Instr *instr, const Shape *declared) {
    (void)declared;
    sizes_copy(bounds, instr, instr->operands[0]);
    return instr;
}

static Instr *of_tuple(Bounds *bounds, Instr *instr, const Shape *declared) {
    (void)declared;
    for (int k = 0, to = 0; k < instr->n_operands; k++)
        for (int at = 0; at < shape_n_sizes(instr->operands[k]->shape); at++)
            size_note(bounds, instr, to++, size_known(bounds, instr->operands[k], at));
    return instr;
}

static Instr *of_element(Bounds *bounds, Instr *instr, const Shape *declared) {
    (void)declared;
    int from = 0;
    const Shape *tuple = instr->operands[0]->shape;
    for (int k = 0; k < instr_int(instr, ATTR_INDEX, 0); k++) from += shape_n_sizes(tuple->elements[k]);
    for (int at = 0; at < shape_n_sizes(instr->shape); at++)
        size_note(bounds, instr, at, size_known(bounds, instr->operands[0], from + at));
    return instr;
}

static Instr *get_size(Bounds *bounds, Instr *instr, const Shape *declared) {
    (void)declared;
    Builder b = builder_for(instr);
    Instr *size = size_of(bounds, &b, instr->operands[0], (int)instr_ints(instr, ATTR_DIMENSIONS).at[0]);
    return build_convert(&b, size, instr->shape->dtype);
}

static Instr *set_size(Bounds *bounds, Instr *instr, const Shape *declared) {
    Builder b = builder_for(instr);
    int dim = (int)instr_ints(instr, ATTR_DIMENSIONS).at[0];
    Instr *result = build_unary(&b, OP_COPY, instr->operands[0]);
    bool bounded = declared->dynamic && declared->dynamic[dim] == DIM_BOUNDED;
    sizes_copy(bounds, result, instr->operands[0]);
    size_note(bounds, result, dim, bounded ? build_convert(&b, instr->operands[1], DT_S32) : NULL);
    return result;
}

/* The calls that XLA's own padder leaves. */
static Instr *custom_call(Bounds *bounds, Instr *instr, const Shape *declared) {
    (void)declared;
    Builder b = builder_for(instr);
    const char *target = instr_string(instr, ATTR_CUSTOM_CALL_TARGET);
    Instr *x = instr->operands[0], *array = build_unary(&b, OP_COPY, x);
    int rank = x->shape->rank;
    if (strcmp(target, "SliceToDynamic") == 0 && instr->n_operands == 1 + rank) {
        for (int d = 0; d < rank; d++) size_note(bounds, array, d, build_convert(&b, instr->operands[1 + d], DT_S32));
        return array;
    }
    if (strcmp(target, "PadToStatic") != 0 || instr->shape->n_elements != 1 + rank) return NULL;
    Instr **elements = NEW_ARRAY(b.arena, Instr *, 1 + rank);
    elements[0] = array;
    for (int d = 0; d < rank; d++) elements[1 + d] = size_of(bounds, &b, x, d);
    return build_tuple(&b, 1 + rank, elements);
}

/* Rows may be bounded, not what is chosen from. */
static Instr *rows_of_topk(Bounds *bounds, Instr *instr, const Shape *declared) {
    (void)declared;
    int rank = instr->operands[0]->shape->rank;
    if (size_known(bounds, instr->operands[0], rank - 1)) return NULL;
    for (int k = 0; k < 2; k++)
        for (int d = 0; d < rank - 1; d++)
            size_note(bounds, instr, k * rank + d, size_known(bounds, instr->operands[0], d));
    return instr;
}

/* --- control flow ------------------------------------------------------------------------------------------------- */

static void walk(Bounds *bounds, Computation *computation, const Shape *result);

static Instr *loop(Bounds *bounds, Instr *instr, const Shape *declared) {
    (void)declared;
    Builder b = builder_for(instr);
    Computation *condition = instr_computation(instr, ATTR_CONDITION), *body = instr_computation(instr, ATTR_BODY);
    const Shape *state = body->parameters[0]->shape;
    if (key_table_get(&bounds->done, POINTER_KEY(body)) && shape_has_bounds(instr->shape)) return NULL;
    walk(bounds, condition, NULL);
    walk(bounds, body, state);
    if (!shape_has_bounds(state)) return instr;
    Instr *packed = pack(bounds, &b, instr->operands[0], state);
    Instr *whole = build_op(&b, OP_WHILE, packed->shape, 1, &packed);
    for (int i = 0; i < instr->attrs.n; i++) instr_add_attr(whole, instr->attrs.at[i]);
    return unpack(bounds, &b, whole, state);
}

static Instr *branches(Bounds *bounds, Instr *instr, const Shape *declared) {
    Builder b = builder_for(instr);
    int n = instr_called(instr, NULL, 0);
    Computation **called = NEW_ARRAY(b.arena, Computation *, n);
    instr_called(instr, called, n);
    Instr **operands = NEW_ARRAY(b.arena, Instr *, 1 + n);
    operands[0] = instr->operands[0];
    for (int k = 0; k < n; k++) {
        operands[1 + k] = pack(bounds, &b, instr->operands[1 + k], called[k]->parameters[0]->shape);
        walk(bounds, called[k], declared);
    }
    Instr *whole = build_op(&b, OP_CONDITIONAL, packed_shape(b.arena, declared), 1 + n, operands);
    for (int i = 0; i < instr->attrs.n; i++) instr_add_attr(whole, instr->attrs.at[i]);
    return unpack(bounds, &b, whole, declared);
}

/* --- the walk ----------------------------------------------------------------------------------------------------- */

static BoundsRule *const rules[N_OPS] = {
    [OP_TUPLE] = of_tuple, [OP_GET_TUPLE_ELEMENT] = of_element, [OP_OPT_BARRIER] = as_operand,
    [OP_ADD_DEPENDENCY] = as_operand, [OP_DOMAIN] = as_operand, [OP_COPY] = as_operand,
    [OP_CONSTANT] = all_there, [OP_IOTA] = all_there, [OP_AFTER_ALL] = all_there, [OP_PARAMETER] = all_there,
    [OP_GET_DIMENSION_SIZE] = get_size, [OP_SET_DIMENSION_SIZE] = set_size, [OP_CUSTOM_CALL] = custom_call,
    [OP_DYNAMIC_RESHAPE] = bounds_dynamic_reshape, [OP_RESHAPE] = bounds_reshape,
    [OP_WHILE] = loop, [OP_CONDITIONAL] = branches, [OP_TOPK] = rows_of_topk,
    [OP_SELECT] = elementwise, [OP_CLAMP] = elementwise, [OP_MAP] = elementwise,
    [OP_REDUCE] = bounds_reduce, [OP_REDUCE_WINDOW] = bounds_reduce_window, [OP_SORT] = bounds_sort,
    [OP_DOT] = bounds_dot, [OP_CONVOLUTION] = bounds_convolution,
    [OP_CONCATENATE] = bounds_concatenate, [OP_PAD] = bounds_pad, [OP_REVERSE] = bounds_reverse,
    [OP_SLICE] = bounds_slice, [OP_DYNAMIC_SLICE] = bounds_dynamic_slice,
    [OP_DYNAMIC_UPDATE_SLICE] = bounds_dynamic_update_slice, [OP_TRANSPOSE] = bounds_transpose,
    [OP_BROADCAST] = bounds_broadcast, [OP_GATHER] = bounds_gather, [OP_SCATTER] = bounds_scatter,
};

static BoundsRule *rule_of(const Instr *instr) {
    switch (op_element(instr->op)) {
    case ELEMENT_map: case ELEMENT_convert: case ELEMENT_bitcast_convert: case ELEMENT_mulhi: case ELEMENT_compare:
    case ELEMENT_reduce_precision: case ELEMENT_stochastic_convert: return elementwise;
    case ELEMENT_later: case ELEMENT_parameter: case ELEMENT_constant: case ELEMENT_iota: case ELEMENT_bitcast:
    case ELEMENT_move: case ELEMENT_choose: case ELEMENT_reduce: case ELEMENT_contract: case ELEMENT_whole:
    case ELEMENT_plumb: case ELEMENT_inlined: case ELEMENT_custom_call: break;
    }
    return rules[instr->op];
}

/* Whether a rule has to look: an operand has sizes, the shape bounds, or the operation is about sizes, or calls. */
static bool concerns(const Bounds *bounds, const Instr *instr) {
    bool always = instr->op == OP_GET_DIMENSION_SIZE || instr->op == OP_SET_DIMENSION_SIZE || instr->op == OP_WHILE ||
                  instr->op == OP_DYNAMIC_RESHAPE || instr->op == OP_CONDITIONAL;
    if (instr->op == OP_CUSTOM_CALL) {
        const char *target = instr_string(instr, ATTR_CUSTOM_CALL_TARGET);
        always |= strcmp(target, "SliceToDynamic") == 0 || strcmp(target, "PadToStatic") == 0;
    }
    for (int k = 0; k < instr->n_operands && !always; k++) always = has_sizes(bounds, instr->operands[k]);
    return always || shape_has_bounds(instr->shape);
}

static void do_instr(Bounds *bounds, Instr *instr) {
    Arena *arena = instr->parent->module->arena;
    if (!concerns(bounds, instr)) return;
    BoundsRule *rule = rule_of(instr);
    const Shape *declared = instr->shape;
    instr->shape = without_bounds(arena, declared);
    Instr *result = rule ? rule(bounds, instr, declared) : NULL;
    if (!result) {
        diag_error(bounds->diags, instr->op_span, E_NOT_COMPILED, "cannot compile '%s' on an array of bounded size",
                   op_name(instr->op));
        return;
    }
    if (result == instr) return;
    instr_replace_uses(instr, result);
    instr_drop(instr);
}

/* Parameters with bounds bring their sizes along. */
static void unpack_parameters(Bounds *bounds, Computation *computation) {
    for (int k = 0; k < computation->n_parameters; k++) {
        Instr *old = computation->parameters[k];
        const Shape *declared = old->shape;
        if (!shape_has_bounds(declared)) continue;
        Builder b = builder_for(old);
        Instr *packed = build_op(&b, OP_PARAMETER, packed_shape(b.arena, declared), 0, NULL);
        packed->parameter_number = k;
        computation->parameters[k] = packed;
        instr_replace_uses(old, unpack(bounds, &b, packed, declared));
        instr_drop(old);
    }
}

/* result: what the caller expects of the root; NULL: no sizes. */
static void walk(Bounds *bounds, Computation *computation, const Shape *result) {
    if (key_table_get(&bounds->done, POINTER_KEY(computation))) return;
    key_table_put(bounds->arena, &bounds->done, POINTER_KEY(computation), computation);
    int n = computation->instrs.n;
    for (int i = 0; i < n; i++) computation->instrs.at[i]->mark = 0;
    if (computation != computation->module->entry) unpack_parameters(bounds, computation);
    for (int i = 0; i < n && !diags_full(bounds->diags); i++) {
        Instr *instr = computation->instrs.at[i];
        bool parameter = instr->op == OP_PARAMETER; /* of the entry: lowering says what it thinks of it */
        if (instr->mark >= 0 && !parameter) do_instr(bounds, instr);
    }
    Builder b = builder_for(computation->root);
    if (result) computation->root = pack(bounds, &b, computation->root, result);
    computation_renumber(computation);
}

static bool has_work(const Module *module) {
    for (int c = 0; c < module->computations.n; c++)
        for (int i = 0; i < module->computations.at[c]->instrs.n; i++) {
            const Instr *instr = module->computations.at[c]->instrs.at[i];
            if (shape_has_bounds(instr->shape) || instr->op == OP_GET_DIMENSION_SIZE) return true;
        }
    return false;
}

bool pass_bounds(Module *module, Diags *diags) {
    if (!has_work(module)) return false;
    Bounds bounds = {.diags = diags, .arena = arena_new()};
    walk(&bounds, module->entry, NULL);
    sort_computations(module);
    arena_free(bounds.arena);
    return true;
}
