/* Shapes of reductions, window reductions, scans and sorts. */
#include "ir/infer/infer.h"

/* One result as itself, several as a tuple. */
static const Shape *one_or_tuple(Infer *f, int n, const Shape *const *shapes) {
    return n == 1 ? shapes[0] : shape_tuple(f->arena, n, shapes);
}

/* Operands are n arrays of equal dims, then n scalars to begin with, of their types. */
static bool need_inputs_and_inits(Infer *f, int n) {
    for (int k = 0; k < n; k++)
        if (!need_array(f, k) || (k && !need_same_dims(f, k, 0))) return false;
    for (int k = 0; k < n; k++)
        if (!need_scalar(f, n + k) || !need_same_dtype(f, n + k, k)) return false;
    return true;
}

static bool need_reducer_of_operands(Infer *f, int n) {
    DType *dtypes = NEW_ARRAY(f->arena, DType, n);
    for (int k = 0; k < n; k++) dtypes[k] = operand(f, k)->dtype;
    return need_reducer(f, ATTR_TO_APPLY, n, dtypes);
}

INFER(reduce) {
    int n = f->instr->n_operands / 2;
    if (!need_inputs_and_inits(f, n)) return NULL;
    const Shape *first = operand(f, 0);
    IntList dims = instr_ints(f->instr, ATTR_DIMENSIONS);
    if (!need_dims(f, ATTR_DIMENSIONS, dims, first->rank, "the operand") || !need_reducer_of_operands(f, n))
        return NULL;
    Sizes sizes = {0};
    for (int d = 0; d < first->rank; d++)
        if (!int_list_has(dims, d)) vec_push(f->arena, &sizes, first->dims[d]);
    const Shape **results = NEW_ARRAY(f->arena, const Shape *, n);
    for (int k = 0; k < n; k++) results[k] = array_of(f, operand(f, k)->dtype, &sizes);
    return one_or_tuple(f, n, results);
}

/* Dims of the positions of a window over shape; NULL: reported. */
static const int64_t *window_positions(Infer *f, const Shape *shape) {
    Window window;
    if (!need_window(f, shape->rank, &window)) return NULL;
    int64_t *dims = NEW_ARRAY(f->arena, int64_t, shape->rank);
    for (int d = 0; d < shape->rank; d++) dims[d] = windowed_size(f, &window.dims[d], shape->dims[d]);
    return dims;
}

INFER(reduce_window) {
    int n = f->instr->n_operands / 2;
    if (!need_inputs_and_inits(f, n)) return NULL;
    const int64_t *dims = window_positions(f, operand(f, 0));
    if (!dims || !need_reducer_of_operands(f, n)) return NULL;
    const Shape **results = NEW_ARRAY(f->arena, const Shape *, n);
    for (int k = 0; k < n; k++) results[k] = shape_array(f->arena, operand(f, k)->dtype, operand(f, 0)->rank, dims);
    return one_or_tuple(f, n, results);
}

INFER(select_and_scatter) {
    if (!need_array(f, 0) || !need_array(f, 1) || !need_same_dtype(f, 1, 0)) return NULL;
    if (!need_scalar(f, 2) || !need_same_dtype(f, 2, 0)) return NULL;
    const Shape *scalar = shape_scalar(f->arena, operand(f, 0)->dtype), *pair[] = {scalar, scalar};
    const int64_t *dims = window_positions(f, operand(f, 0));
    if (!dims) return NULL;
    if (!need_shape(f, 1, shape_array(f->arena, operand(f, 0)->dtype, operand(f, 0)->rank, dims))) return NULL;
    const Computation *select = callee(f, ATTR_SELECT);
    if (select && (!need_parameters(f, ATTR_SELECT, select, 2, pair) ||
                   !need_root(f, ATTR_SELECT, select, shape_scalar(f->arena, DT_PRED))))
        return NULL;
    return need_reducer(f, ATTR_SCATTER, 1, &scalar->dtype) ? operand(f, 0) : NULL;
}

/* A dim of shape taken out. */
static const Shape *without_dim(Infer *f, const Shape *shape, int dim) {
    Sizes sizes = {0};
    for (int d = 0; d < shape->rank; d++)
        if (d != dim) vec_push(f->arena, &sizes, shape->dims[d]);
    return array_of(f, shape->dtype, &sizes);
}

static const Shape *with_dim(Infer *f, const Shape *shape, int dim, int64_t size) {
    Sizes sizes = {0};
    for (int d = 0; d <= shape->rank; d++)
        vec_push(f->arena, &sizes, d < dim ? shape->dims[d] : d == dim ? size : shape->dims[d - 1]);
    return array_of(f, shape->dtype, &sizes);
}

/* (slices of inputs, carries) -> (slices of outputs, carries). */
INFER(scan) {
    int n = f->instr->n_operands;
    int64_t n_carries = instr_int(f->instr, ATTR_NUM_CARRIES, 0);
    if (n_carries < 0 || n_carries > n)
        return refuse_attr(f, ATTR_NUM_CARRIES, E_VALUE, "'num_carries' is %lld, but there are %d operands",
                           (long long)n_carries, n);
    int n_inputs = n - (int)n_carries, dim = -1;
    IntList dims = instr_ints(f->instr, ATTR_DIMENSIONS);
    if (dims.n != 1)
        return refuse_attr(f, ATTR_DIMENSIONS, E_DIMENSIONS, "'dimensions' of 'scan' is one dimension, not %d", dims.n);
    const Shape **parameters = NEW_ARRAY(f->arena, const Shape *, n);
    for (int k = 0; k < n; k++) {
        if (!need_array(f, k)) return NULL;
        if (k >= n_inputs) {
            parameters[k] = operand(f, k);
            continue;
        }
        dim = the_dim(f, ATTR_DIMENSIONS, operand(f, k)->rank);
        if (dim < 0) return NULL;
        if (operand(f, k)->dims[dim] != operand(f, 0)->dims[dim])
            return refuse_operand(f, k, E_OPERAND_SHAPE,
                                  "'scan' goes along dimension %d of %s and %s: their sizes differ", dim,
                                  shape_words(f, operand(f, 0)), shape_words(f, operand(f, k)));
        parameters[k] = without_dim(f, operand(f, k), dim);
    }
    const Computation *computation = callee(f, ATTR_TO_APPLY);
    if (!computation) return f->instr->shape ? f->instr->shape : operand(f, 0);
    if (!need_parameters(f, ATTR_TO_APPLY, computation, n, parameters)) return NULL;
    const Shape *root = computation->root->shape;
    bool is_tuple = shape_is_tuple(root);
    int n_results = is_tuple ? root->n_elements : 1, n_outputs = n_results - (int)n_carries;
    if (n_outputs < 0)
        return refuse_attr(f, ATTR_TO_APPLY, E_CALLEE,
                           "'scan' needs a computation that returns %lld carr%s, but '%s' returns %s",
                           (long long)n_carries, n_carries == 1 ? "y" : "ies", computation->name, shape_words(f, root));
    const Shape **results = NEW_ARRAY(f->arena, const Shape *, n_results);
    for (int i = 0; i < n_results; i++) {
        const Shape *part = is_tuple ? root->elements[i] : root;
        bool carried = i >= n_outputs;
        if (carried && !shapes_agree(part, parameters[n_inputs + i - n_outputs]))
            return refuse_attr(f, ATTR_TO_APPLY, E_CALLEE, "'%s' takes %s as carry and returns %s", computation->name,
                               shape_words(f, parameters[n_inputs + i - n_outputs]), shape_words(f, part));
        results[i] = carried || !n_inputs ? part : with_dim(f, part, dim, operand(f, 0)->dims[dim]);
    }
    return is_tuple ? shape_tuple(f->arena, n_results, results) : results[0];
}

INFER(sort) {
    int n = f->instr->n_operands;
    const Shape **parameters = NEW_ARRAY(f->arena, const Shape *, 2 * n),
                **results = NEW_ARRAY(f->arena, const Shape *, n);
    for (int k = 0; k < n; k++) {
        if (!need_array(f, k) || (k && !need_same_dims(f, k, 0))) return NULL;
        parameters[2 * k] = parameters[2 * k + 1] = shape_scalar(f->arena, operand(f, k)->dtype);
        results[k] = operand(f, k);
    }
    if (the_dim(f, ATTR_DIMENSIONS, operand(f, 0)->rank) < 0) return NULL;
    const Computation *less = callee(f, ATTR_TO_APPLY);
    if (less && (!need_parameters(f, ATTR_TO_APPLY, less, 2 * n, parameters) ||
                 !need_root(f, ATTR_TO_APPLY, less, shape_scalar(f->arena, DT_PRED))))
        return NULL;
    return one_or_tuple(f, n, results);
}

INFER(topk) {
    if (!need_array(f, 0)) return NULL;
    const Shape *from = operand(f, 0);
    int64_t k = instr_int(f->instr, ATTR_K, 0);
    if (from->rank == 0)
        return refuse_operand(f, 0, E_OPERAND_SHAPE, "'topk' needs at least one dimension, not %s",
                              shape_words(f, from));
    if (k < 0 || (from->dims[from->rank - 1] >= 0 && k > from->dims[from->rank - 1]))
        return refuse_attr(f, ATTR_K, E_VALUE, "'k' is %lld, but the last dimension of %s has size %lld", (long long)k,
                           shape_words(f, from), (long long)from->dims[from->rank - 1]);
    Sizes sizes = {0};
    for (int d = 0; d < from->rank; d++) vec_push(f->arena, &sizes, d == from->rank - 1 ? k : from->dims[d]);
    const Shape *results[] = {array_of(f, from->dtype, &sizes), array_of(f, DT_S32, &sizes)};
    return shape_tuple(f->arena, 2, results);
}
