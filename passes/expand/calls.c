#include "passes/expand/calls.h"

#include <stdlib.h>
#include <string.h>

/* Custom calls that sort, gather and scatter can say: the first few of a sort, sparse matrices, and what is nothing. */

static void add_ints(const Builder *b, Instr *instr, AttrId id, int n, const int64_t *values) {
    int64_t *at = NEW_ARRAY(b->arena, int64_t, n);
    for (int i = 0; i < n; i++) at[i] = values[i];
    instr_add_attr(instr, (Attr){.id = id, .ints = {n, at}});
}

/* --- nothing ------------------------------------------------------------------------------------------------------ */

Instr *expand_nothing(Instr *call, const char *target) {
    static const char *const names[] = {"AllocateBuffer", "CreateBuffer", "GetRngSeed", "dce_sink",
                                        "xla.sdy.ShardingGroup"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(target, names[i]) == 0) {
            Builder b = builder_for(call);
            return build_zeros(&b, call->shape);
        }
    return NULL;
}

/* --- ApproxTopK: done exactly ------------------------------------------------------------------------------------- */

/* The number behind key in the text of a backend_config, whether {key = 1} or {"key": 1}. */
static int64_t number_behind(const char *config, const char *key, int64_t otherwise) {
    const char *at = config ? strstr(config, key) : NULL;
    return at ? strtoll(at + strcspn(at, "0123456789-"), NULL, 10) : otherwise;
}

Instr *expand_approx_topk(Instr *call, const char *target) {
    if (strcmp(target, "ApproxTopK") != 0 && strcmp(target, "PartialReduce") != 0) return NULL;
    const Attr *called = instr_attr(call, ATTR_CALLED_COMPUTATIONS);
    int n = call->n_operands / 2;
    if (!called || called->n_computations != 1 || n < 1 || call->n_operands != 2 * n) return NULL;
    const Shape *array = call->operands[0]->shape, *first = shape_leaf(call->shape, 0);
    int64_t dim = number_behind(instr_string(call, ATTR_BACKEND_CONFIG), "reduction_dim", -1);
    if (dim < 0) dim += array->rank;
    if (dim < 0 || dim >= array->rank || first->rank != array->rank || shape_leaves(call->shape) != n) return NULL;
    if (first->dims[dim] > array->dims[dim] || called->computations[0]->n_parameters != 2 * n) return NULL;
    Builder b = builder_for(call);
    const Shape **shapes = NEW_ARRAY(b.arena, const Shape *, n);
    Instr **parts = NEW_ARRAY(b.arena, Instr *, n);
    for (int k = 0; k < n; k++) shapes[k] = call->operands[k]->shape;
    Instr *sort = build_op(&b, OP_SORT, n == 1 ? shapes[0] : shape_tuple(b.arena, n, shapes), n, call->operands);
    add_ints(&b, sort, ATTR_DIMENSIONS, 1, &dim);
    instr_add_attr(sort, (Attr){.id = ATTR_IS_STABLE, .integer = 1});
    build_call_attr(&b, sort, ATTR_TO_APPLY, called->computations[0]);
    for (int k = 0; k < n; k++)
        parts[k] = build_slice(&b, n == 1 ? sort : build_element(&b, sort, k), (int)dim, 0, first->dims[dim]);
    return shape_is_tuple(call->shape) ? build_tuple(&b, n, parts) : parts[0];
}

/* --- sparse times dense ------------------------------------------------------------------------------------------- */

/* Adds rows of updates to those of array that places (a vector) name; what lies outside is left out. */
static Instr *add_at(const Builder *b, Instr *array, Instr *places, Instr *updates) {
    Instr *scatter = build_op(b, OP_SCATTER, array->shape, 3, (Instr *[]){array, places, updates});
    int64_t windows[1] = {1}, zero[1] = {0};
    add_ints(b, scatter, ATTR_UPDATE_WINDOW_DIMS, array->shape->rank - 1, windows);
    add_ints(b, scatter, ATTR_INSERTED_WINDOW_DIMS, 1, zero);
    add_ints(b, scatter, ATTR_SCATTER_DIMS_TO_OPERAND_DIMS, 1, zero);
    instr_add_attr(scatter, (Attr){.id = ATTR_INDEX_VECTOR_DIM, .integer = 1});
    build_call_attr(b, scatter, ATTR_TO_APPLY, build_combiner(b, OP_ADD, array->shape->dtype));
    return scatter;
}

static Instr *rows_at(const Builder *b, Instr *array, Instr *places, const Shape *shape) {
    Instr *gather = build_op(b, OP_GATHER, shape, 2, (Instr *[]){array, places});
    int64_t windows[1] = {1}, zero[1] = {0}, sizes[2] = {1, array->shape->rank > 1 ? array->shape->dims[1] : 0};
    add_ints(b, gather, ATTR_OFFSET_DIMS, array->shape->rank - 1, windows);
    add_ints(b, gather, ATTR_COLLAPSED_SLICE_DIMS, 1, zero);
    add_ints(b, gather, ATTR_START_INDEX_MAP, 1, zero);
    instr_add_attr(gather, (Attr){.id = ATTR_INDEX_VECTOR_DIM, .integer = 1});
    add_ints(b, gather, ATTR_SLICE_SIZES, array->shape->rank, sizes);
    return gather;
}

/* Sums of the elements up to each. */
static Instr *running_sum(const Builder *b, Instr *x) {
    int64_t n = x->shape->dims[0];
    WindowDim *window = NEW(b->arena, WindowDim);
    *window = (WindowDim){n, 1, n - 1, 0, 1, 1, false};
    Instr *zero = build_integer(b, x->shape->dtype, 0);
    Instr *sums = build_op(b, OP_REDUCE_WINDOW, x->shape, 2, (Instr *[]){x, zero});
    instr_add_attr(sums, (Attr){.id = ATTR_WINDOW, .window = {1, window}});
    build_call_attr(b, sums, ATTR_TO_APPLY, build_combiner(b, OP_ADD, x->shape->dtype));
    return sums;
}

/* Elements, where rows begin, columns, the dense matrix or vector. An element belongs to as many rows further down as
 * have begun by then. */
Instr *expand_csr(Instr *call, const char *target) {
    if (strcmp(target, "cpu_csr_sparse_dense_ffi") != 0 || call->n_operands != 4) return NULL;
    for (int k = 0; k < 4; k++)
        if (!shape_is_array(call->operands[k]->shape)) return NULL;
    Builder b = builder_for(call);
    Instr *elements = call->operands[0], *starts = call->operands[1], *columns = call->operands[2];
    Instr *dense = call->operands[3];
    const Shape *result = call->shape;
    bool vectors = elements->shape->rank == 1 && starts->shape->rank == 1 && columns->shape->rank == 1;
    if (!shape_is_array(result) || !vectors || result->rank != dense->shape->rank || result->rank < 1 ||
        result->rank > 2)
        return NULL;
    int64_t n = elements->shape->dims[0], rows = result->dims[0],
            shape_of[2] = {n, result->rank > 1 ? result->dims[1] : 0};
    bool fits = starts->shape->dims[0] == rows + 1 && columns->shape->dims[0] == n &&
                elements->shape->dtype == result->dtype && dense->shape->dtype == result->dtype;
    if (!fits) return NULL;
    Instr *zeros = build_zeros(&b, result);
    if (!n || !rows) return zeros;
    Instr *row = build_fill_integer(&b, elements->shape, DT_S32, 0);
    if (rows > 1) {
        Instr *begins = build_slice(&b, starts, 0, 1, rows);
        row = running_sum(&b, add_at(&b, row, begins, build_fill_integer(&b, begins->shape, DT_S32, 1)));
    }
    const Shape *products = shape_array(b.arena, result->dtype, result->rank, shape_of);
    int64_t first[1] = {0};
    Instr *spread = result->rank > 1 ? build_spread(&b, elements, products, 1, first) : elements;
    return add_at(&b, zeros, row, build_binary(&b, OP_MULTIPLY, spread, rows_at(&b, dense, columns, products)));
}
