#include "passes/bounds/bounds.h"

/* Reductions and sorts see which elements are there: by a value that changes nothing, or by a flag beside each element
 * that the combiner or comparator asks first. */

/* --- the value that changes nothing ------------------------------------------------------------------------------- */

static bool is_plain(const Computation *c, Op op) {
    const Instr *root = c->root;
    return c->n_parameters == 2 && root->op == op && root->operands[0]->op == OP_PARAMETER &&
           root->operands[1]->op == OP_PARAMETER && root->operands[0] != root->operands[1];
}

static bool neutral_number(const Computation *combiner, DType dtype, double *number) {
    bool floats = dtype == DT_F32 || dtype == DT_F64 || dtype == DT_F16 || dtype == DT_BF16;
    bool integers = dtype_is_integer(dtype);
    if (is_plain(combiner, OP_ADD)) *number = floats ? -0.0 : 0;
    else if (is_plain(combiner, OP_MULTIPLY)) *number = 1;
    else if (is_plain(combiner, OP_MAXIMUM) && floats) *number = -1.0 / 0.0;
    else if (is_plain(combiner, OP_MINIMUM) && floats) *number = 1.0 / 0.0;
    else if (is_plain(combiner, OP_OR)) *number = 0;
    else return false;
    return floats || integers;
}

/* --- the flag ----------------------------------------------------------------------------------------------------- */

static Instr *result_of(const Builder *b, Instr *results, int k) {
    return shape_is_tuple(results->shape) ? build_element(b, results, k) : results;
}

/* f(a.., b..) of n each becomes (a.., a there, b.., b there) -> (either, or f of both; one of them there). */
static Computation *guarded_combiner(const Builder *outer, const Computation *f, int n) {
    const Shape **shapes = NEW_ARRAY(outer->arena, const Shape *, 2 * n + 2);
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < n; k++) shapes[side * (n + 1) + k] = f->parameters[side * n + k]->shape;
        shapes[side * (n + 1) + n] = shape_scalar(outer->arena, DT_PRED);
    }
    Computation *guarded = build_computation(outer, f->name, 2 * n + 2, shapes);
    Builder b = {guarded, outer->arena, outer->span, outer->op_span};
    Instr **arguments = NEW_ARRAY(b.arena, Instr *, 2 * n), **results = NEW_ARRAY(b.arena, Instr *, n + 1);
    for (int k = 0; k < 2 * n; k++) arguments[k] = guarded->parameters[k + (k >= n)];
    Instr *there[2] = {guarded->parameters[n], guarded->parameters[2 * n + 1]};
    Instr *both = build_binary(&b, OP_AND, there[0], there[1]), *combined = build_inlined(&b, f, arguments);
    for (int k = 0; k < n; k++) {
        Instr *one = build_select(&b, there[0], arguments[k], arguments[n + k]);
        results[k] = build_select(&b, both, result_of(&b, combined, k), one);
    }
    results[n] = build_binary(&b, OP_OR, there[0], there[1]);
    guarded->root = build_tuple(&b, n + 1, results);
    return guarded;
}

static const Shape *with_flags(const Builder *b, const Shape *shape) {
    int n = shape_is_tuple(shape) ? shape->n_elements : 1;
    const Shape **elements = NEW_ARRAY(b->arena, const Shape *, n + 1);
    for (int k = 0; k < n; k++) elements[k] = shape_leaf(shape, k);
    elements[n] = shape_with_dtype(b->arena, elements[0], DT_PRED);
    return shape_tuple(b->arena, n + 1, elements);
}

static void copy_attrs(const Builder *b, Instr *to, const Instr *from, Computation *called) {
    for (int i = 0; i < from->attrs.n; i++)
        if (from->attrs.at[i].id != ATTR_TO_APPLY) instr_add_attr(to, from->attrs.at[i]);
    build_call_attr(b, to, ATTR_TO_APPLY, called);
}

/* The results that were asked for, of an instr with the flags behind them. */
static Instr *without_flags(const Builder *b, Instr *guarded, const Shape *shape) {
    if (!shape_is_tuple(shape)) return build_element(b, guarded, 0);
    Instr **results = NEW_ARRAY(b->arena, Instr *, shape->n_elements);
    for (int k = 0; k < shape->n_elements; k++) results[k] = build_element(b, guarded, k);
    return build_tuple(b, shape->n_elements, results);
}

/* reduce or reduce-window over what is there. */
static Instr *reduce_below(Bounds *bounds, Instr *instr, uint64_t dims) {
    Builder b = builder_for(instr);
    int n = instr->n_operands / 2;
    Computation *combiner = instr_computation(instr, ATTR_TO_APPLY);
    Instr *valid = NULL;
    for (int k = 0; k < n && !valid; k++) valid = elements_below(bounds, &b, instr->operands[k], dims);
    if (!valid) return instr;
    double neutral;
    DType dtype = instr->operands[0]->shape->dtype;
    if (n == 1 && neutral_number(combiner, dtype, &neutral)) {
        Instr *fill = constant_scalar(b.computation, dtype, neutral, b.span);
        instr_set_operand(instr, 0, fill_unless(&b, valid, instr->operands[0], fill));
        return instr;
    }
    Instr **operands = NEW_ARRAY(b.arena, Instr *, 2 * n + 2);
    for (int k = 0; k < 2 * n; k++) operands[k + (k >= n)] = instr->operands[k];
    operands[n] = valid;
    operands[2 * n + 1] = build_integer(&b, DT_PRED, 1);
    Instr *guarded = build_op(&b, instr->op, with_flags(&b, instr->shape), 2 * n + 2, operands);
    copy_attrs(&b, guarded, instr, guarded_combiner(&b, combiner, n));
    return without_flags(&b, guarded, instr->shape);
}

/* Notes a size of dim for each array of a result. */
static void note_of_each(Bounds *bounds, Instr *result, int dim, Instr *size) {
    int n = shape_is_tuple(result->shape) ? result->shape->n_elements : 1, rank = shape_leaf(result->shape, 0)->rank;
    for (int k = 0; k < n; k++) size_note(bounds, result, k * rank + dim, size);
}

static Instr *smallest(const Bounds *bounds, const Builder *b, const Instr *instr, int n, int dim) {
    Instr *size = NULL;
    for (int k = 0; k < n; k++) size = size_smaller(b, size, size_known(bounds, instr->operands[k], dim));
    return size;
}

Instr *bounds_reduce(Bounds *bounds, Instr *instr, const Shape *declared) {
    (void)declared;
    Builder b = builder_for(instr);
    IntList reduced = instr_ints(instr, ATTR_DIMENSIONS);
    uint64_t dims = 0;
    for (int k = 0; k < reduced.n; k++) dims |= (uint64_t)1 << reduced.at[k];
    Instr *result = reduce_below(bounds, instr, dims);
    for (int d = 0, to = 0; d < instr->operands[0]->shape->rank; d++)
        if (!(dims >> d & 1)) note_of_each(bounds, result, to++, smallest(bounds, &b, instr, instr->n_operands / 2, d));
    return result;
}

Instr *bounds_reduce_window(Bounds *bounds, Instr *instr, const Shape *declared) {
    (void)declared;
    Builder b = builder_for(instr);
    int rank = instr->operands[0]->shape->rank;
    Instr **sizes = NEW_ARRAY(b.arena, Instr *, rank);
    for (int d = 0; d < rank; d++) sizes[d] = smallest(bounds, &b, instr, instr->n_operands / 2, d);
    Window window = instr_window(instr, rank);
    Instr *result = reduce_below(bounds, instr, ~(uint64_t)0);
    for (int d = 0; d < rank; d++) note_of_each(bounds, result, d, windows_in(&b, sizes[d], &window.dims[d]));
    return result;
}

/* --- sort --------------------------------------------------------------------------------------------------------- */

/* Elements that are there come first, in f's order. */
static Computation *guarded_comparator(const Builder *outer, const Computation *f) {
    int n = f->n_parameters;
    const Shape **shapes = NEW_ARRAY(outer->arena, const Shape *, n + 2);
    for (int k = 0; k < n; k++) shapes[k] = f->parameters[k]->shape;
    shapes[n] = shapes[n + 1] = shape_scalar(outer->arena, DT_PRED);
    Computation *guarded = build_computation(outer, f->name, n + 2, shapes);
    Builder b = {guarded, outer->arena, outer->span, outer->op_span};
    Instr *less = build_inlined(&b, f, guarded->parameters);
    Instr *left = guarded->parameters[n], *right = guarded->parameters[n + 1];
    Instr *behind = build_unary(&b, OP_NOT, right);
    guarded->root = build_binary(&b, OP_AND, left, build_binary(&b, OP_OR, behind, less));
    return guarded;
}

Instr *bounds_sort(Bounds *bounds, Instr *instr, const Shape *declared) {
    (void)declared;
    Builder b = builder_for(instr);
    int n = instr->n_operands, dim = (int)instr_ints(instr, ATTR_DIMENSIONS).at[0];
    int rank = instr->operands[0]->shape->rank;
    Instr **sizes = NEW_ARRAY(b.arena, Instr *, rank), *valid = NULL, *result = instr;
    for (int d = 0; d < rank; d++) sizes[d] = smallest(bounds, &b, instr, n, d);
    for (int k = 0; k < n && !valid; k++)
        valid = elements_below(bounds, &b, instr->operands[k], (uint64_t)1 << dim);
    if (valid) {
        Instr **operands = NEW_ARRAY(b.arena, Instr *, n + 1);
        for (int k = 0; k < n; k++) operands[k] = instr->operands[k];
        operands[n] = valid;
        Instr *guarded = build_op(&b, OP_SORT, with_flags(&b, instr->shape), n + 1, operands);
        copy_attrs(&b, guarded, instr, guarded_comparator(&b, instr_computation(instr, ATTR_TO_APPLY)));
        result = without_flags(&b, guarded, instr->shape);
    }
    for (int d = 0; d < rank; d++) note_of_each(bounds, result, d, sizes[d]);
    return result;
}
