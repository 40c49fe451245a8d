/* What rules need of operands, attributes and computations (ir/infer/infer.h). */
#include <stdarg.h>
#include <string.h>

#include "ir/infer/infer.h"

/* ---- faults ------------------------------------------------------------------------------------------------------ */

static void *report(Infer *f, Span span, const char *code, const char *format, va_list args) {
    diag_verror(f->diags, span, code, format, args);
    return NULL;
}

void *refuse(Infer *f, Span span, const char *code, const char *format, ...) {
    va_list args;
    va_start(args, format);
    report(f, span, code, format, args);
    va_end(args);
    return NULL;
}

void *refuse_operand(Infer *f, int k, const char *code, const char *format, ...) {
    va_list args;
    va_start(args, format);
    report(f, f->instr->operand_spans ? f->instr->operand_spans[k] : f->instr->op_span, code, format, args);
    va_end(args);
    return NULL;
}

void *refuse_attr(Infer *f, AttrId id, const char *code, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const Attr *attr = instr_attr(f->instr, id);
    report(f, attr ? attr->name : f->instr->op_span, code, format, args);
    va_end(args);
    return NULL;
}

void *refuse_op(Infer *f, const char *code, const char *format, ...) {
    va_list args;
    va_start(args, format);
    report(f, f->instr->op_span, code, format, args);
    va_end(args);
    return NULL;
}

void *refuse_shape(Infer *f, const char *code, const char *format, ...) {
    va_list args;
    va_start(args, format);
    report(f, f->instr->shape_span.end ? f->instr->shape_span : f->instr->op_span, code, format, args);
    va_end(args);
    return NULL;
}

const char *shape_words(Infer *f, const Shape *shape) {
    return shape_text(f->arena, shape);
}

const char *opcode(const Infer *f) {
    return op_name(f->instr->op);
}

/* ---- operands ---------------------------------------------------------------------------------------------------- */

const Shape *operand(const Infer *f, int k) {
    return f->instr->operands[k]->shape;
}

bool need_array(Infer *f, int k) {
    const Shape *shape = operand(f, k);
    if (shape_is_array(shape)) return true;
    return refuse_operand(f, k, E_OPERAND_TYPE, "'%s' needs an array here, not %s", opcode(f), shape_words(f, shape));
}

static const char *class_words(unsigned classes) {
    switch (classes) {
    case CLASS_FLOAT: return "floating-point numbers";
    case CLASS_INTEGER: return "integers";
    case CLASS_SIGNED: return "signed integers";
    case CLASS_UNSIGNED: return "unsigned integers";
    case CLASS_PRED: return "predicates";
    case CLASS_COMPLEX: return "complex numbers";
    case CLASS_FLOAT | CLASS_COMPLEX: return "floating-point or complex numbers";
    case CLASS_INTEGER | CLASS_PRED: return "integers or predicates";
    case CLASS_NUMBER: return "numbers";
    case CLASS_INTEGER | CLASS_FLOAT: return "integers or floating-point numbers";
    case CLASS_SIGNED | CLASS_FLOAT | CLASS_COMPLEX: return "signed numbers";
    default: return "another type";
    }
}

bool need_class(Infer *f, int k, unsigned classes) {
    if (!need_array(f, k)) return false;
    const Shape *shape = operand(f, k);
    if (classes & 1u << dtype_class(shape->dtype)) return true;
    return refuse_operand(f, k, E_OPERAND_TYPE, "'%s' works on %s, not on %s", opcode(f), class_words(classes),
                          shape_words(f, shape));
}

bool need_scalar(Infer *f, int k) {
    if (!need_array(f, k)) return false;
    if (operand(f, k)->rank == 0) return true;
    return refuse_operand(f, k, E_OPERAND_SHAPE, "'%s' needs a scalar here, not %s", opcode(f),
                          shape_words(f, operand(f, k)));
}

bool need_rank(Infer *f, int k, int rank) {
    if (!need_array(f, k)) return false;
    if (operand(f, k)->rank == rank) return true;
    return refuse_operand(f, k, E_OPERAND_SHAPE, "'%s' needs %d dimension%s here, not %s", opcode(f), rank,
                          rank == 1 ? "" : "s", shape_words(f, operand(f, k)));
}

bool need_dtype(Infer *f, int k, DType dtype) {
    if (!need_array(f, k)) return false;
    if (operand(f, k)->dtype == dtype) return true;
    return refuse_operand(f, k, E_OPERAND_TYPE, "'%s' needs elements of type %s here, not %s", opcode(f),
                          dtype_name(dtype), shape_words(f, operand(f, k)));
}

bool need_started(Infer *f, Op start) {
    const Instr *before = f->instr->operands[0];
    if (!before->parent) return false; /* it was not read whole */
    if (before->op != start)
        return refuse_operand(f, 0, E_ASYNC, "'%s' needs the result of '%s' here, not of '%s'", opcode(f),
                              op_name(start), op_name(before->op));
    return shape_is_tuple(before->shape) && before->shape->n_elements >= 2; /* if not, the start was reported */
}

/* Position from 1, for the reader. */
static int ordinal(int k) {
    return k + 1;
}

bool need_same_dtype(Infer *f, int k, int as) {
    if (!need_array(f, k) || !need_array(f, as)) return false;
    const Shape *shape = operand(f, k), *model = operand(f, as);
    if (shape->dtype == model->dtype) return true;
    return refuse_operand(f, k, E_OPERAND_TYPE,
                          "'%s' needs equal element types: operand %d is %s, but operand %d is %s", opcode(f),
                          ordinal(k), shape_words(f, shape), ordinal(as), shape_words(f, model));
}

bool need_same_dims(Infer *f, int k, int as) {
    if (!need_array(f, k) || !need_array(f, as)) return false;
    const Shape *shape = operand(f, k), *model = operand(f, as);
    if (dims_agree(shape, model)) return true;
    return refuse_operand(f, k, E_OPERAND_SHAPE, "'%s' needs equal dimensions: operand %d is %s, but operand %d is %s",
                          opcode(f), ordinal(k), shape_words(f, shape), ordinal(as), shape_words(f, model));
}

bool need_same_shape(Infer *f, int k, int as) {
    return need_shape(f, k, operand(f, as));
}

bool need_shape(Infer *f, int k, const Shape *shape) {
    if (shapes_agree(operand(f, k), shape)) return true;
    return refuse_operand(f, k, E_OPERAND_SHAPE, "'%s' needs %s here, not %s", opcode(f), shape_words(f, shape),
                          shape_words(f, operand(f, k)));
}

/* ---- dims -------------------------------------------------------------------------------------------------------- */

bool need_dims(Infer *f, AttrId id, IntList dims, int rank, const char *what) {
    for (int i = 0; i < dims.n; i++) {
        if (dims.at[i] < 0 || dims.at[i] >= rank)
            return refuse_attr(f, id, E_DIMENSIONS, "'%s' names dimension %lld, but %s has %d, numbered from 0",
                               attr_name(id), (long long)dims.at[i], what, rank);
        if (int_list_has((IntList){i, dims.at}, dims.at[i]))
            return refuse_attr(f, id, E_DIMENSIONS, "'%s' names dimension %lld twice", attr_name(id),
                               (long long)dims.at[i]);
    }
    return true;
}

bool need_apart(Infer *f, AttrId id, IntList dims, AttrId other_id, IntList other) {
    for (int i = 0; i < dims.n; i++)
        if (int_list_has(other, dims.at[i]))
            return refuse_attr(f, id, E_DIMENSIONS, "dimension %lld is in '%s' and in '%s'", (long long)dims.at[i],
                               attr_name(other_id), attr_name(id));
    return true;
}

int the_dim(Infer *f, AttrId id, int rank) {
    IntList dims = instr_ints(f->instr, id);
    if (dims.n != 1) {
        refuse_attr(f, id, E_DIMENSIONS, "'%s' of '%s' is one dimension, not %d", attr_name(id), opcode(f), dims.n);
        return -1;
    }
    return need_dims(f, id, dims, rank, "the operand") ? (int)dims.at[0] : -1;
}

const Shape *array_of(Infer *f, DType dtype, const Sizes *sizes) {
    return shape_array(f->arena, dtype, sizes->n, sizes->at);
}

const Shape *same_dims_as(Infer *f, const Shape *shape, DType dtype) {
    return shape_with_dtype(f->arena, shape, dtype);
}

/* ---- windows ----------------------------------------------------------------------------------------------------- */

bool need_window(Infer *f, int n_dims, Window *window) {
    const Attr *attr = instr_attr(f->instr, ATTR_WINDOW);
    int n = attr ? attr->window.n : 0;
    if (n != n_dims)
        return refuse_attr(f, ATTR_WINDOW, E_WINDOW, "'window' has %d dimension%s, but %d are needed", n,
                           n == 1 ? "" : "s", n_dims);
    *window = instr_window(f->instr, n_dims);
    for (int d = 0; d < n_dims; d++) {
        const WindowDim *dim = &window->dims[d];
        bool positive = dim->size > 0 && dim->stride > 0 && dim->base_dilation > 0 && dim->window_dilation > 0;
        if (!positive)
            return refuse_attr(f, ATTR_WINDOW, E_WINDOW,
                               "sizes, strides and dilations of a window are positive: dimension %d", d);
        const int64_t numbers[] = {dim->size, dim->window_dilation, dim->base_dilation, dim->pad_low, dim->pad_high};
        for (int i = 0; i < 5; i++)
            if (numbers[i] > INT32_MAX || numbers[i] < INT32_MIN)
                return refuse_attr(f, ATTR_WINDOW, E_WINDOW, "%lld is too large for a window: dimension %d",
                                   (long long)numbers[i], d);
    }
    return true;
}

/* Extent of n elements with so many places from one to the next. */
static int64_t dilated(int64_t n, int64_t dilation) {
    return n <= 0 ? 0 : n - 1 > INT64_MAX / 4 / dilation ? -1 : (n - 1) * dilation + 1;
}

int64_t windowed_size(Infer *f, const WindowDim *window, int64_t size) {
    (void)f;
    if (size < 0) return -1;
    int64_t base = dilated(size, window->base_dilation), reach = dilated(window->size, window->window_dilation);
    if (base < 0) return -1;
    int64_t padded = base + window->pad_low + window->pad_high;
    return padded <= 0 || reach > padded ? 0 : (padded - reach) / window->stride + 1;
}

/* ---- computations ------------------------------------------------------------------------------------------------ */

const Computation *callee(const Infer *f, AttrId id) {
    const Computation *computation = instr_computation(f->instr, id);
    return computation && computation->root && computation->root->shape ? computation : NULL;
}

bool need_parameters(Infer *f, AttrId id, const Computation *computation, int n, const Shape *const *shapes) {
    if (computation->n_parameters != n)
        return refuse_attr(f, id, E_CALLEE, "'%s' needs a computation of %d parameter%s, but '%s' has %d", opcode(f), n,
                           n == 1 ? "" : "s", computation->name, computation->n_parameters);
    for (int i = 0; i < n; i++) {
        const Shape *shape = computation->parameters[i]->shape;
        if (!shape || shapes_agree(shape, shapes[i])) continue;
        return refuse_attr(f, id, E_CALLEE, "'%s' passes %s as parameter %d of '%s', which is %s", opcode(f),
                           shape_words(f, shapes[i]), i, computation->name, shape_words(f, shape));
    }
    return true;
}

bool need_root(Infer *f, AttrId id, const Computation *computation, const Shape *shape) {
    if (!computation->root->shape || shapes_agree(computation->root->shape, shape)) return true;
    return refuse_attr(f, id, E_CALLEE, "'%s' needs a computation that returns %s, but '%s' returns %s", opcode(f),
                       shape_words(f, shape), computation->name, shape_words(f, computation->root->shape));
}

bool need_reducer(Infer *f, AttrId id, int n, const DType *dtypes) {
    const Computation *computation = callee(f, id);
    if (!computation) return true;
    const Shape **shapes = NEW_ARRAY(f->arena, const Shape *, 2 * n);
    for (int i = 0; i < n; i++) shapes[i] = shapes[n + i] = shape_scalar(f->arena, dtypes[i]);
    const Shape *result = n == 1 ? shapes[0] : shape_tuple(f->arena, n, shapes);
    return need_parameters(f, id, computation, 2 * n, shapes) && need_root(f, id, computation, result);
}
