/* reduce. */
#include "ir/eval/move.h"
#include "ir/eval/reducer.h"

typedef struct {
    int64_t n_outputs, n_reduced;
    int64_t *outputs, *reduced; /* offsets in the operands: an element is at the sum of one of each */
} Space;

static Space space_new(Arena *arena, const Shape *shape, IntList reduced_dims) {
    Space space;
    int64_t *strides = strides_new(arena, shape);
    int64_t *dims[2], *along[2];
    int rank[2] = {0, 0};
    for (int r = 0; r < 2; r++) {
        dims[r] = NEW_ARRAY(arena, int64_t, shape->rank);
        along[r] = NEW_ARRAY(arena, int64_t, shape->rank);
    }
    for (int d = 0; d < shape->rank; d++) {
        int reduced = 0;
        for (int k = 0; k < reduced_dims.n; k++) reduced |= reduced_dims.at[k] == d;
        dims[reduced][rank[reduced]] = shape->dims[d];
        along[reduced][rank[reduced]++] = strides[d];
    }
    space.outputs = offsets_new(arena, rank[0], dims[0], along[0], &space.n_outputs);
    space.reduced = offsets_new(arena, rank[1], dims[1], along[1], &space.n_reduced);
    return space;
}

/* The accumulators of LANES outputs take their elements one after the other, in row-major order of the reduced dims. */
static bool reduce_block(Eval *eval, const Reducer *reducer, Value *const *operands, const Space *space, int64_t start,
                         int count, void *const *accumulators, void *const *elements) {
    for (int64_t r = 0; r < space->n_reduced; r++) {
        for (int k = 0; k < reducer->n; k++)
            gather_elements((size_t)dtype_bytes(reducer->element_dtypes[k]), elements[k], operands[k]->data,
                            space->reduced[r], space->outputs + start, count);
        if (!reducer_step(eval, reducer, accumulators, (const void *const *)elements, count)) return false;
    }
    return true;
}

Value *eval_reduce(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    Arena *scratch = arena_new();
    int n = instr->n_operands / 2;
    Reducer *reducer = reducer_new(eval, scratch, instr_computation(instr, ATTR_TO_APPLY), n, operands);
    Space space = space_new(scratch, operands[0]->shape, instr_ints(instr, ATTR_DIMENSIONS));
    void **results, **elements = NEW_ARRAY(scratch, void *, n);
    Value *value = reducer_results(scratch, shape, n, &results);
    for (int k = 0; k < n; k++)
        elements[k] = arena_alloc(scratch, LANES * (size_t)dtype_bytes(reducer->element_dtypes[k]));
    bool done = true;
    for (int64_t start = 0; done && start < space.n_outputs; start += LANES) {
        int count = space.n_outputs - start < LANES ? (int)(space.n_outputs - start) : LANES;
        void **accumulators = reducer_start(scratch, reducer, operands + n, LANES);
        done = reduce_block(eval, reducer, operands, &space, start, count, accumulators, elements);
        for (int k = 0; k < n; k++) {
            size_t bytes = (size_t)dtype_bytes(reducer->result_dtypes[k]);
            reducer_finish(reducer, k, (char *)results[k] + (size_t)start * bytes, accumulators[k], count);
        }
    }
    arena_free(scratch);
    if (done) return value;
    value_release(value);
    return NULL;
}
