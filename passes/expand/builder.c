#include "passes/expand/expand.h"

/* Instructions that rules of expansion build. */

void instr_drop(Instr *instr) {
    instr->mark = -1;
    for (int k = 0; k < instr->n_operands; k++) {
        Instr *operand = instr->operands[k];
        int n = 0;
        for (int u = 0; u < operand->users.n; u++)
            if (operand->users.at[u] != instr) operand->users.at[n++] = operand->users.at[u];
        operand->users.n = n;
    }
}

Builder builder_for(const Instr *instr) {
    return (Builder){instr->parent, instr->parent->module->arena, instr->span, instr->op_span};
}

Instr *build_op(const Builder *b, Op op, const Shape *shape, int n, Instr *const *operands) {
    Instr *instr = instr_new(b->computation, op, op_name(op), shape, n, operands, b->span);
    instr->op_span = b->op_span;
    return instr;
}

static const Shape *with_dtype(const Builder *b, const Shape *shape, DType dtype) {
    return shape_array(b->arena, dtype, shape->rank, shape->dims);
}

Instr *build_unary(const Builder *b, Op op, Instr *x) {
    return build_op(b, op, x->shape, 1, &x);
}

Instr *build_binary(const Builder *b, Op op, Instr *x, Instr *y) {
    return build_op(b, op, x->shape, 2, (Instr *[]){x, y});
}

Instr *build_compare(const Builder *b, Direction direction, Instr *x, Instr *y) {
    Instr *compare = build_op(b, OP_COMPARE, with_dtype(b, x->shape, DT_PRED), 2, (Instr *[]){x, y});
    instr_add_attr(compare, (Attr){.id = ATTR_DIRECTION, .integer = direction});
    return compare;
}

Instr *build_select(const Builder *b, Instr *predicate, Instr *yes, Instr *no) {
    return build_op(b, OP_SELECT, yes->shape, 3, (Instr *[]){predicate, yes, no});
}

Instr *build_convert(const Builder *b, Instr *x, DType dtype) {
    return x->shape->dtype == dtype ? x : build_op(b, OP_CONVERT, with_dtype(b, x->shape, dtype), 1, &x);
}

Instr *build_bits(const Builder *b, Instr *x, DType dtype) {
    return x->shape->dtype == dtype ? x : build_op(b, OP_BITCAST_CONVERT, with_dtype(b, x->shape, dtype), 1, &x);
}

Instr *build_integer(const Builder *b, DType dtype, uint64_t value) {
    const Shape *shape = shape_scalar(b->arena, dtype);
    Instr *constant = build_op(b, OP_CONSTANT, shape, 0, NULL);
    Literal *literal = literal_new(b->arena, shape);
    literal_set_int(literal, 0, (int64_t)value);
    constant->literal = literal;
    return constant;
}

Instr *build_fill(const Builder *b, const Shape *shape, DType dtype, double value) {
    return broadcast_scalar(constant_scalar(b->computation, dtype, value, b->span), with_dtype(b, shape, dtype),
                            b->span);
}

Instr *build_fill_integer(const Builder *b, const Shape *shape, DType dtype, uint64_t value) {
    return broadcast_scalar(build_integer(b, dtype, value), with_dtype(b, shape, dtype), b->span);
}

static void add_dims(const Builder *b, Instr *instr, AttrId id, int n, const int64_t *dims) {
    int64_t *copy = NEW_ARRAY(b->arena, int64_t, n);
    for (int i = 0; i < n; i++) copy[i] = dims[i];
    instr_add_attr(instr, (Attr){.id = id, .ints = {n, copy}});
}

Instr *build_spread(const Builder *b, Instr *x, const Shape *shape, int n, const int64_t *dims) {
    Instr *broadcast = build_op(b, OP_BROADCAST, with_dtype(b, shape, x->shape->dtype), 1, &x);
    add_dims(b, broadcast, ATTR_DIMENSIONS, n, dims);
    return broadcast;
}

Instr *build_slice(const Builder *b, Instr *x, int dim, int64_t start, int64_t limit) {
    int rank = x->shape->rank;
    if (start == 0 && limit == x->shape->dims[dim]) return x;
    SliceDim *slices = NEW_ARRAY(b->arena, SliceDim, rank);
    int64_t *dims = NEW_ARRAY(b->arena, int64_t, rank);
    for (int i = 0; i < rank; i++) {
        slices[i] = i == dim ? (SliceDim){start, limit, 1} : (SliceDim){0, x->shape->dims[i], 1};
        dims[i] = slices[i].limit - slices[i].start;
    }
    Instr *slice = build_op(b, OP_SLICE, shape_array(b->arena, x->shape->dtype, rank, dims), 1, &x);
    instr_add_attr(slice, (Attr){.id = ATTR_SLICE, .n_slices = rank, .slices = slices});
    return slice;
}

Instr *build_concatenate(const Builder *b, int dim, int n, Instr *const *parts) {
    const Shape *first = parts[0]->shape;
    int64_t *dims = NEW_ARRAY(b->arena, int64_t, first->rank), at = dim;
    for (int i = 0; i < first->rank; i++) dims[i] = i == dim ? 0 : first->dims[i];
    for (int k = 0; k < n; k++) dims[dim] += parts[k]->shape->dims[dim];
    Instr *whole = build_op(b, OP_CONCATENATE, shape_array(b->arena, first->dtype, first->rank, dims), n, parts);
    add_dims(b, whole, ATTR_DIMENSIONS, 1, &at);
    return whole;
}

Instr *build_iota(const Builder *b, DType dtype, int rank, const int64_t *dims, int dim) {
    Instr *iota = build_op(b, OP_IOTA, shape_array(b->arena, dtype, rank, dims), 0, NULL);
    instr_add_attr(iota, (Attr){.id = ATTR_IOTA_DIMENSION, .integer = dim});
    return iota;
}

Instr *build_tuple(const Builder *b, int n, Instr *const *elements) {
    const Shape **shapes = NEW_ARRAY(b->arena, const Shape *, n);
    for (int k = 0; k < n; k++) shapes[k] = elements[k]->shape;
    return build_op(b, OP_TUPLE, shape_tuple(b->arena, n, shapes), n, elements);
}

Instr *build_element(const Builder *b, Instr *tuple, int k) {
    if (tuple->op == OP_TUPLE) return tuple->operands[k];
    Instr *element = build_op(b, OP_GET_TUPLE_ELEMENT, tuple->shape->elements[k], 1, &tuple);
    instr_add_attr(element, (Attr){.id = ATTR_INDEX, .integer = k});
    return element;
}

Instr *build_zeros(const Builder *b, const Shape *shape) {
    if (shape_is_array(shape)) return build_fill(b, shape, shape->dtype, 0);
    if (!shape_is_tuple(shape)) return build_op(b, OP_AFTER_ALL, shape_token(b->arena), 0, NULL);
    Instr **elements = NEW_ARRAY(b->arena, Instr *, shape->n_elements);
    for (int k = 0; k < shape->n_elements; k++) elements[k] = build_zeros(b, shape->elements[k]);
    return build_tuple(b, shape->n_elements, elements);
}

Instr *build_pick(const Builder *b, Instr *vector, int64_t at) {
    return build_reshape(build_slice(b, vector, 0, at, at + 1), 0, NULL, b->span);
}

static Instr *add_parameter(const Builder *b, Computation *computation, int number, const Shape *shape) {
    Instr *parameter = instr_new(computation, OP_PARAMETER, "parameter", shape, 0, NULL, b->span);
    parameter->parameter_number = number;
    computation->parameters[number] = parameter;
    return parameter;
}

Computation *build_computation(const Builder *b, const char *name, int n, const Shape *const *parameters) {
    Computation *computation = computation_new(b->computation->module, name);
    computation->n_parameters = n;
    computation->parameters = NEW_ARRAY(b->arena, Instr *, n);
    for (int k = 0; k < n; k++) add_parameter(b, computation, k, parameters[k]);
    return computation;
}

Computation *build_combiner(const Builder *b, Op op, DType dtype) {
    const Shape *scalar = shape_scalar(b->arena, dtype);
    Computation *computation = build_computation(b, op_name(op), 2, (const Shape *[]){scalar, scalar});
    computation->root = instr_new(computation, op, op_name(op), scalar, 2, computation->parameters, b->span);
    return computation;
}

void build_call_attr(const Builder *b, Instr *instr, AttrId id, Computation *computation) {
    Computation **one = NEW(b->arena, Computation *);
    *one = computation;
    instr_add_attr(instr, (Attr){.id = id, .n_computations = 1, .computations = one});
}

Instr *build_reduce(const Builder *b, Op op, Instr *x, double initial, int n, const int64_t *dims) {
    int rank = 0;
    int64_t *kept = NEW_ARRAY(b->arena, int64_t, x->shape->rank);
    for (int i = 0; i < x->shape->rank; i++) {
        bool reduced = false;
        for (int k = 0; k < n; k++) reduced |= dims[k] == i;
        if (!reduced) kept[rank++] = x->shape->dims[i];
    }
    DType dtype = x->shape->dtype;
    Instr *start = constant_scalar(b->computation, dtype, initial, b->span);
    Instr *reduce = build_op(b, OP_REDUCE, shape_array(b->arena, dtype, rank, kept), 2, (Instr *[]){x, start});
    add_dims(b, reduce, ATTR_DIMENSIONS, n, dims);
    build_call_attr(b, reduce, ATTR_TO_APPLY, build_combiner(b, op, dtype));
    return reduce;
}

Instr *build_inlined(const Builder *b, const Computation *called, Instr *const *arguments) {
    return inline_computation(b->computation, called, arguments, b->span);
}

Instr *expand_in_f32(Instr *instr, Diags *diags) {
    (void)diags;
    Builder b = builder_for(instr);
    if (dtype_bits(instr->shape->dtype) > 16) return NULL;
    Instr **operands = NEW_ARRAY(b.arena, Instr *, instr->n_operands);
    for (int k = 0; k < instr->n_operands; k++) operands[k] = build_convert(&b, instr->operands[k], DT_F32);
    Instr *wide = build_op(&b, instr->op, with_dtype(&b, instr->shape, DT_F32), instr->n_operands, operands);
    for (int i = 0; i < instr->attrs.n; i++) instr_add_attr(wide, instr->attrs.at[i]);
    return build_convert(&b, wide, instr->shape->dtype);
}
