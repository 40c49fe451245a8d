/* gather and scatter: windows at places that an array of indices gives. */
#include <string.h>

#include "ir/eval/move.h"
#include "ir/eval/program.h"
#include "ir/eval/window.h"

/* An array of index vectors: one for each index of its other dims, the batch. */
typedef struct {
    const Value *indices;
    int n_batch;
    int64_t *batch_dims, *batch_strides; /* strides: in indices */
    int64_t vector_stride, n_vector;
    IntList map;      /* component of the vector -> dim of the operand */
    IntList batching; /* dims of the operand that follow a batch dim */
    int64_t *followed; /* which batch dim each of them follows */
    int64_t *batch;   /* the index at hand */
} Starts;

/* vector_dim may be the rank: then each index is a vector of one. */
static Starts starts_new(Arena *arena, const Value *indices, int64_t vector_dim, IntList map, IntList batching,
                         IntList indices_batching) {
    const Shape *shape = indices->shape;
    int64_t *strides = strides_new(arena, shape);
    Starts starts = {.indices = indices, .n_vector = 1, .map = map, .batching = batching};
    starts.batch_dims = NEW_ARRAY(arena, int64_t, shape->rank);
    starts.batch_strides = NEW_ARRAY(arena, int64_t, shape->rank);
    starts.batch = NEW_ARRAY(arena, int64_t, shape->rank);
    starts.followed = NEW_ARRAY(arena, int64_t, batching.n);
    for (int d = 0; d < shape->rank; d++) {
        if (d == vector_dim) {
            starts.vector_stride = strides[d];
            starts.n_vector = shape->dims[d];
            continue;
        }
        for (int k = 0; k < indices_batching.n; k++)
            if (indices_batching.at[k] == d) starts.followed[k] = starts.n_batch;
        starts.batch_dims[starts.n_batch] = shape->dims[d];
        starts.batch_strides[starts.n_batch++] = strides[d];
    }
    return starts;
}

/* Where the window of the batch index at hand starts, per dim of the operand; not clamped. */
static void starts_at(const Starts *starts, int64_t *start, int rank) {
    memset(start, 0, (size_t)rank * sizeof *start);
    int64_t at = 0;
    for (int k = 0; k < starts->n_batch; k++) at += starts->batch[k] * starts->batch_strides[k];
    for (int k = 0; k < starts->map.n; k++)
        start[starts->map.at[k]] = value_index(starts->indices, at + k * starts->vector_stride);
    for (int k = 0; k < starts->batching.n; k++) start[starts->batching.at[k]] = starts->batch[starts->followed[k]];
}

static int64_t batch_size(const Starts *starts) {
    int64_t n = 1;
    for (int k = 0; k < starts->n_batch; k++) n *= starts->batch_dims[k];
    return n;
}

/* The dims of an array that are not in a list: their sizes and strides. */
static int other_dims(const Shape *shape, IntList list, const int64_t *strides, int64_t *dims, int64_t *their_strides) {
    int n = 0;
    for (int d = 0; d < shape->rank; d++) {
        if (int_list_has(list, d)) continue;
        dims[n] = shape->dims[d];
        their_strides[n++] = strides[d];
    }
    return n;
}

/* --- gather ------------------------------------------------------------------------------------------------------- */

Value *eval_gather(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)eval;
    Arena *scratch = arena_new();
    const Shape *operand = operands[0]->shape;
    IntList offset_dims = instr_ints(instr, ATTR_OFFSET_DIMS), sizes = instr_ints(instr, ATTR_SLICE_SIZES);
    IntList collapsed = instr_ints(instr, ATTR_COLLAPSED_SLICE_DIMS);
    IntList batching = instr_ints(instr, ATTR_OPERAND_BATCHING_DIMS);
    Starts starts = starts_new(scratch, operands[1], instr_int(instr, ATTR_INDEX_VECTOR_DIM, 0),
                               instr_ints(instr, ATTR_START_INDEX_MAP), batching,
                               instr_ints(instr, ATTR_START_INDICES_BATCHING_DIMS));
    int64_t *from = strides_new(scratch, operand), *to = strides_new(scratch, shape);
    int64_t *dims = NEW_ARRAY(scratch, int64_t, shape->rank + 1), *batch_to = NEW_ARRAY(scratch, int64_t, shape->rank);
    int64_t *start = NEW_ARRAY(scratch, int64_t, operand->rank);
    int64_t *window_from = NEW_ARRAY(scratch, int64_t, operand->rank);
    int64_t *window_to = NEW_ARRAY(scratch, int64_t, operand->rank);
    other_dims(shape, offset_dims, to, dims, batch_to);
    Move move = {.rank = offset_dims.n, .dims = dims, .strides_to = window_to, .strides_from = window_from};
    int n = 0;
    for (int d = 0; d < operand->rank; d++) {
        if (int_list_has(collapsed, d) || int_list_has(batching, d)) continue;
        dims[n] = sizes.at[d];
        window_to[n] = to[offset_dims.at[n]];
        window_from[n++] = from[d];
    }
    Value *result = value_new(shape);
    int64_t n_batch = value_elements(result) ? batch_size(&starts) : 0;
    for (int64_t i = 0; i < n_batch; i++, index_next(starts.n_batch, starts.batch_dims, starts.batch)) {
        starts_at(&starts, start, operand->rank);
        move.start_from = move.start_to = 0;
        for (int d = 0; d < operand->rank; d++) {
            int64_t last = operand->dims[d] - sizes.at[d], at = start[d] > last ? last : start[d];
            move.start_from += (at < 0 ? 0 : at) * from[d];
        }
        for (int k = 0; k < starts.n_batch; k++) move.start_to += starts.batch[k] * batch_to[k];
        move_box(&move, (size_t)dtype_bytes(shape->dtype), result->data, operands[0]->data);
    }
    arena_free(scratch);
    return result;
}

/* --- scatter ------------------------------------------------------------------------------------------------------ */

typedef struct {
    Eval *eval;
    Program *program;
    int n;               /* operands */
    void **results;      /* where the operands' elements are, n; their updates behind them */
    size_t *bytes;
    Value *const *updates;
    int64_t n_window;
    int64_t *window, *update_window; /* offsets of the elements of a window: in the operand, in the updates */
    void **lanes;        /* 2n buffers of LANES elements: current, update */
} Combination;

/* Puts one window of the updates into the operands. Its elements are different ones, so they go together. */
static bool combine_window(const Combination *c, int64_t at, int64_t update_at) {
    for (int64_t start = 0; start < c->n_window; start += LANES) {
        int count = c->n_window - start < LANES ? (int)(c->n_window - start) : LANES;
        for (int k = 0; k < c->n; k++) {
            gather_elements(c->bytes[k], c->lanes[k], c->results[k], at, c->window + start, count);
            gather_elements(c->bytes[k], c->lanes[c->n + k], c->updates[k]->data, update_at, c->update_window + start,
                            count);
        }
        if (!program_run(c->eval, c->program, (const void *const *)c->lanes, c->lanes, count)) return false;
        for (int k = 0; k < c->n; k++)
            scatter_elements(c->bytes[k], c->results[k], c->lanes[k], at, c->window + start, count);
    }
    return true;
}

/* The offset in the operand of a window that lies inside it, or -1: then all of it is dropped. */
static int64_t window_inside(const Shape *operand, const int64_t *start, const int64_t *window_dims,
                             const int64_t *strides) {
    int64_t at = 0;
    for (int d = 0; d < operand->rank; d++) {
        if (start[d] < 0 || start[d] > operand->dims[d] - window_dims[d]) return -1;
        at += start[d] * strides[d];
    }
    return at;
}

static bool scatter_all(Arena *scratch, Combination *c, const Instr *instr, const Shape *operand,
                        const Value *indices) {
    const Shape *update = c->updates[0]->shape;
    IntList update_window = instr_ints(instr, ATTR_UPDATE_WINDOW_DIMS);
    IntList inserted = instr_ints(instr, ATTR_INSERTED_WINDOW_DIMS);
    IntList batching = instr_ints(instr, ATTR_INPUT_BATCHING_DIMS);
    Starts starts = starts_new(scratch, indices, instr_int(instr, ATTR_INDEX_VECTOR_DIM, 0),
                               instr_ints(instr, ATTR_SCATTER_DIMS_TO_OPERAND_DIMS), batching,
                               instr_ints(instr, ATTR_SCATTER_INDICES_BATCHING_DIMS));
    int64_t *strides = strides_new(scratch, operand), *update_strides = strides_new(scratch, update);
    int64_t *whole = NEW_ARRAY(scratch, int64_t, operand->rank), *start = NEW_ARRAY(scratch, int64_t, operand->rank);
    int64_t *dims = NEW_ARRAY(scratch, int64_t, update->rank), *to = NEW_ARRAY(scratch, int64_t, update->rank);
    int64_t *from = NEW_ARRAY(scratch, int64_t, update->rank);
    int64_t *batch_strides = NEW_ARRAY(scratch, int64_t, update->rank);
    other_dims(update, update_window, update_strides, dims, batch_strides);
    int n = 0;
    for (int d = 0; d < operand->rank; d++) {
        whole[d] = 1;
        if (int_list_has(inserted, d) || int_list_has(batching, d)) continue;
        dims[n] = whole[d] = update->dims[update_window.at[n]];
        from[n] = update_strides[update_window.at[n]];
        to[n++] = strides[d];
    }
    c->window = offsets_new(scratch, n, dims, to, &c->n_window);
    c->update_window = offsets_new(scratch, n, dims, from, &c->n_window);
    int64_t n_batch = batch_size(&starts);
    for (int64_t i = 0; i < n_batch; i++, index_next(starts.n_batch, starts.batch_dims, starts.batch)) {
        starts_at(&starts, start, operand->rank);
        int64_t at = window_inside(operand, start, whole, strides), update_at = 0;
        for (int k = 0; k < starts.n_batch; k++) update_at += starts.batch[k] * batch_strides[k];
        if (at >= 0 && !combine_window(c, at, update_at)) return false;
    }
    return true;
}

Value *eval_scatter(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    Arena *scratch = arena_new();
    int n = (instr->n_operands - 1) / 2;
    Value *result = n > 1 || shape_is_tuple(shape) ? value_new(shape) : NULL;
    Combination combination = {eval, program_of(eval, instr_computation(instr, ATTR_TO_APPLY)), n,
                               NEW_ARRAY(scratch, void *, n), NEW_ARRAY(scratch, size_t, n), operands + n + 1, 0, NULL,
                               NULL, NEW_ARRAY(scratch, void *, 2 * n)};
    const Shape *operand = operands[0]->shape;
    const Value *indices = operands[n];
    for (int k = 0; k < n; k++) {
        Value *own = value_may_overwrite(operands[k]) ? value_take(&operands[k])
                                                      : value_copy(operands[k]->shape, operands[k]);
        if (result) result->elements[k] = own;
        else result = own;
        combination.results[k] = own->data;
        combination.bytes[k] = (size_t)dtype_bytes(own->shape->dtype);
        for (int side = 0; side < 2; side++)
            combination.lanes[side * n + k] = arena_alloc(scratch, LANES * combination.bytes[k]);
    }
    bool done = scatter_all(scratch, &combination, instr, operand, indices);
    arena_free(scratch);
    if (done) return result;
    value_release(result);
    return NULL;
}
