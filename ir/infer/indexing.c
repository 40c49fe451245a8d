/* Shapes of gather and scatter (op-semantics 1.12). */
#include "ir/infer/infer.h"

/* Dims of what is indexed that its windows do not have: collapsed or inserted ones, and batching ones. */
typedef struct {
    AttrId left_out_id, batching_id, index_batching_id, map_id;
    IntList left_out, batching, index_batching, map; /* map: of each component of an index, the dim it indexes */
    int64_t vector_dim;
} Indexing;

static bool need_sorted(Infer *f, AttrId id, IntList dims) {
    for (int i = 1; i < dims.n; i++)
        if (dims.at[i] <= dims.at[i - 1])
            return refuse_attr(f, id, E_DIMENSIONS, "'%s' must name its dimensions in increasing order", attr_name(id));
    return true;
}

static bool need_vector_dim(Infer *f, const Shape *indices, Indexing *x) {
    x->vector_dim = instr_int(f->instr, ATTR_INDEX_VECTOR_DIM, 0);
    if (x->vector_dim < 0 || x->vector_dim > indices->rank)
        return refuse_attr(f, ATTR_INDEX_VECTOR_DIM, E_DIMENSIONS,
                           "'index_vector_dim' is %lld, but the indices %s have %d dimension%s",
                           (long long)x->vector_dim, shape_words(f, indices), indices->rank,
                           indices->rank == 1 ? "" : "s");
    int64_t components = x->vector_dim == indices->rank ? 1 : indices->dims[x->vector_dim];
    if (!sizes_agree(components, x->map.n))
        return refuse_attr(f, x->map_id, E_DIMENSIONS,
                           "'%s' names %d dimension%s, but an index of %s has %lld component%s", attr_name(x->map_id),
                           x->map.n, x->map.n == 1 ? "" : "s", shape_words(f, indices), (long long)components,
                           components == 1 ? "" : "s");
    return true;
}

static bool need_batching(Infer *f, const Shape *array, const Shape *indices, const Indexing *x) {
    if (!need_dims(f, x->index_batching_id, x->index_batching, indices->rank, "the indices")) return false;
    if (x->batching.n != x->index_batching.n)
        return refuse_attr(
            f, x->batching_id, E_DIMENSIONS, "'%s' and '%s' name %d and %d dimensions: they must be equally many",
            attr_name(x->batching_id), attr_name(x->index_batching_id), x->batching.n, x->index_batching.n);
    if (int_list_has(x->index_batching, x->vector_dim))
        return refuse_attr(f, x->index_batching_id, E_DIMENSIONS,
                           "dimension %lld of the indices is 'index_vector_dim' and in '%s'", (long long)x->vector_dim,
                           attr_name(x->index_batching_id));
    for (int i = 0; i < x->batching.n; i++) {
        int64_t size = array->dims[x->batching.at[i]], index_size = indices->dims[x->index_batching.at[i]];
        if (!sizes_agree(size, index_size))
            return refuse_attr(f, x->batching_id, E_DIMENSIONS,
                               "batching dimension %lld of %s has size %lld, but dimension %lld of %s has %lld",
                               (long long)x->batching.at[i], shape_words(f, array), (long long)size,
                               (long long)x->index_batching.at[i], shape_words(f, indices), (long long)index_size);
    }
    return true;
}

static bool need_indexing(Infer *f, const Shape *array, const Shape *indices, Indexing *x) {
    return need_vector_dim(f, indices, x) && need_dims(f, x->left_out_id, x->left_out, array->rank, "the operand") &&
           need_sorted(f, x->left_out_id, x->left_out) &&
           need_dims(f, x->batching_id, x->batching, array->rank, "the operand") &&
           need_sorted(f, x->batching_id, x->batching) &&
           need_apart(f, x->batching_id, x->batching, x->left_out_id, x->left_out) &&
           need_dims(f, x->map_id, x->map, array->rank, "the operand") &&
           need_apart(f, x->map_id, x->map, x->batching_id, x->batching) && need_batching(f, array, indices, x);
}

/* Sizes of the indices but for index_vector_dim: one index each. */
static Sizes index_space(Infer *f, const Shape *indices, const Indexing *x) {
    Sizes sizes = {0};
    for (int d = 0; d < indices->rank; d++)
        if (d != x->vector_dim) vec_push(f->arena, &sizes, indices->dims[d]);
    return sizes;
}

static bool left_out(const Indexing *x, int d) {
    return int_list_has(x->left_out, d) || int_list_has(x->batching, d);
}

/* ---- gather ------------------------------------------------------------------------------------------------------ */

static bool need_slice_sizes(Infer *f, const Shape *array, const Indexing *x, IntList slices, int n_offsets) {
    if (slices.n != array->rank)
        return refuse_attr(f, ATTR_SLICE_SIZES, E_DIMENSIONS,
                           "'slice_sizes' has %d numbers, but the operand %s has %d dimensions", slices.n,
                           shape_words(f, array), array->rank);
    int kept = 0;
    for (int d = 0; d < slices.n; d++) {
        if (slices.at[d] < 0 || (array->dims[d] >= 0 && slices.at[d] > array->dims[d]))
            return refuse_attr(f, ATTR_SLICE_SIZES, E_VALUE,
                               "'slice_sizes' takes %lld of dimension %d, but %s has %lld", (long long)slices.at[d], d,
                               shape_words(f, array), (long long)array->dims[d]);
        if (left_out(x, d) && slices.at[d] > 1)
            return refuse_attr(f, ATTR_SLICE_SIZES, E_VALUE,
                               "'slice_sizes' takes %lld of dimension %d, which is collapsed or batched: 1 at most",
                               (long long)slices.at[d], d);
        kept += !left_out(x, d);
    }
    if (kept != n_offsets)
        return refuse_attr(f, ATTR_OFFSET_DIMS, E_DIMENSIONS, "'offset_dims' names %d dimension%s, but slices have %d",
                           n_offsets, n_offsets == 1 ? "" : "s", kept);
    return true;
}

/* There must be something to gather from, if there is something to gather. */
static bool need_elements(Infer *f, const Indexing *x, IntList slices, const Sizes *result) {
    for (int d = 0; d < result->n; d++)
        if (result->at[d] == 0) return true;
    for (int d = 0; d < slices.n; d++)
        if (left_out(x, d) && slices.at[d] == 0)
            return refuse_attr(f, ATTR_SLICE_SIZES, E_VALUE, "'slice_sizes' takes nothing of dimension %d, but the "
                               "result has elements", d);
    return true;
}

INFER(gather) {
    if (!need_array(f, 0) || !need_class(f, 1, CLASS_INTEGER)) return NULL;
    const Shape *array = operand(f, 0), *indices = operand(f, 1);
    const Instr *instr = f->instr;
    IntList offsets = instr_ints(instr, ATTR_OFFSET_DIMS), slices = instr_ints(instr, ATTR_SLICE_SIZES);
    Indexing x = {.left_out_id = ATTR_COLLAPSED_SLICE_DIMS,
                  .batching_id = ATTR_OPERAND_BATCHING_DIMS,
                  .index_batching_id = ATTR_START_INDICES_BATCHING_DIMS,
                  .map_id = ATTR_START_INDEX_MAP,
                  .left_out = instr_ints(instr, ATTR_COLLAPSED_SLICE_DIMS),
                  .batching = instr_ints(instr, ATTR_OPERAND_BATCHING_DIMS),
                  .index_batching = instr_ints(instr, ATTR_START_INDICES_BATCHING_DIMS),
                  .map = instr_ints(instr, ATTR_START_INDEX_MAP)};
    if (instr_attr(instr, ATTR_SLICE_SIZES)->integer)
        return refuse_attr(f, ATTR_SLICE_SIZES, E_VALUE, "'slice_sizes' of 'gather' is one list of numbers");
    if (!need_indexing(f, array, indices, &x) || !need_slice_sizes(f, array, &x, slices, offsets.n)) return NULL;
    Sizes space = index_space(f, indices, &x), sizes = {0};
    int rank = space.n + offsets.n;
    if (!need_dims(f, ATTR_OFFSET_DIMS, offsets, rank, "the result") || !need_sorted(f, ATTR_OFFSET_DIMS, offsets))
        return NULL;
    int next_index = 0, next_dim = 0;
    for (int d = 0; d < rank; d++) {
        if (!int_list_has(offsets, d)) {
            vec_push(f->arena, &sizes, space.at[next_index++]);
            continue;
        }
        while (left_out(&x, next_dim)) next_dim++;
        vec_push(f->arena, &sizes, slices.at[next_dim++]);
    }
    if (!need_elements(f, &x, slices, &sizes)) return NULL;
    return array_of(f, array->dtype, &sizes);
}

/* ---- scatter ----------------------------------------------------------------------------------------------------- */

/* Updates are windows along window_dims, one for each index along the others. */
static bool need_updates(Infer *f, int k, const Shape *array, const Indexing *x, IntList window_dims,
                         const Sizes *space) {
    const Shape *updates = operand(f, k);
    if (updates->rank != space->n + window_dims.n)
        return refuse_operand(f, k, E_OPERAND_SHAPE,
                              "updates need %d dimensions, one per dimension of indices and of a window, not %s",
                              space->n + window_dims.n, shape_words(f, updates));
    int next_index = 0, next_dim = 0;
    for (int d = 0; d < updates->rank; d++) {
        if (!int_list_has(window_dims, d)) {
            int64_t size = space->at[next_index++];
            if (!sizes_agree(size, updates->dims[d]))
                return refuse_operand(f, k, E_OPERAND_SHAPE,
                                      "dimension %d of the updates %s must have size %lld, as the indices have", d,
                                      shape_words(f, updates), (long long)size);
            continue;
        }
        while (left_out(x, next_dim)) next_dim++;
        int64_t size = array->dims[next_dim++];
        if (size >= 0 && updates->dims[d] > size)
            return refuse_operand(f, k, E_OPERAND_SHAPE,
                                  "dimension %d of the updates %s is larger than dimension %d of %s", d,
                                  shape_words(f, updates), next_dim - 1, shape_words(f, array));
    }
    return true;
}

INFER(scatter) {
    const Instr *instr = f->instr;
    int n = instr->n_operands / 2;
    DType *dtypes = NEW_ARRAY(f->arena, DType, n);
    const Shape **results = NEW_ARRAY(f->arena, const Shape *, n);
    for (int k = 0; k < n; k++) {
        if (!need_array(f, k) || (k && !need_same_dims(f, k, 0))) return NULL;
        results[k] = operand(f, k);
        dtypes[k] = operand(f, k)->dtype;
    }
    if (!need_class(f, n, CLASS_INTEGER)) return NULL;
    const Shape *array = operand(f, 0), *indices = operand(f, n);
    IntList window_dims = instr_ints(instr, ATTR_UPDATE_WINDOW_DIMS);
    Indexing x = {.left_out_id = ATTR_INSERTED_WINDOW_DIMS,
                  .batching_id = ATTR_INPUT_BATCHING_DIMS,
                  .index_batching_id = ATTR_SCATTER_INDICES_BATCHING_DIMS,
                  .map_id = ATTR_SCATTER_DIMS_TO_OPERAND_DIMS,
                  .left_out = instr_ints(instr, ATTR_INSERTED_WINDOW_DIMS),
                  .batching = instr_ints(instr, ATTR_INPUT_BATCHING_DIMS),
                  .index_batching = instr_ints(instr, ATTR_SCATTER_INDICES_BATCHING_DIMS),
                  .map = instr_ints(instr, ATTR_SCATTER_DIMS_TO_OPERAND_DIMS)};
    if (!need_indexing(f, array, indices, &x)) return NULL;
    int kept = 0;
    for (int d = 0; d < array->rank; d++) kept += !left_out(&x, d);
    if (kept != window_dims.n)
        return refuse_attr(f, ATTR_UPDATE_WINDOW_DIMS, E_DIMENSIONS,
                           "'update_window_dims' names %d dimension%s, but windows of %s have %d", window_dims.n,
                           window_dims.n == 1 ? "" : "s", shape_words(f, array), kept);
    Sizes space = index_space(f, indices, &x);
    int rank = space.n + window_dims.n;
    if (!need_dims(f, ATTR_UPDATE_WINDOW_DIMS, window_dims, rank, "the updates")) return NULL;
    if (!need_sorted(f, ATTR_UPDATE_WINDOW_DIMS, window_dims)) return NULL;
    for (int k = n + 1; k < instr->n_operands; k++) {
        if (!need_array(f, k) || !need_same_dtype(f, k, k - n - 1)) return NULL;
        if (!need_updates(f, k, array, &x, window_dims, &space)) return NULL;
    }
    if (!need_reducer(f, ATTR_TO_APPLY, n, dtypes)) return NULL;
    return n == 1 ? results[0] : shape_tuple(f->arena, n, results);
}
