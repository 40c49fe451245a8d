#include "ir/eval/running.h"

#include "ir/eval/move.h"
#include "ir/eval/reducer.h"

bool running_find(Running *running, Window window, const Shape *operand) {
    running->dim = -1;
    for (int d = 0; d < window.n; d++) {
        const WindowDim *w = &window.dims[d];
        if (w->stride != 1 || w->base_dilation != 1 || w->window_dilation != 1) return false;
        if (w->size == 1 && w->pad_low == 0 && w->pad_high == 0) continue;
        bool forwards = w->pad_low == w->size - 1 && w->pad_high == 0;
        running->backwards = w->pad_low == 0 && w->pad_high == w->size - 1;
        if (running->dim >= 0 || w->size < operand->dims[d] || !(forwards || running->backwards)) return false;
        running->dim = d;
    }
    return running->dim >= 0;
}

/* Lines along the dim, LANES at a time. */
typedef struct {
    const Running *running;
    int64_t n, inner, n_lines; /* elements of a line, how far apart, how many lines */
    int64_t *starts;           /* of LANES lines */
    void **elements, **rounded;
    void **results;
} Lines;

static bool run_lines(Eval *eval, Arena *scratch, Reducer *reducer, const Lines *lines, int count,
                      Value *const *operands) {
    void **accumulators = reducer_start(scratch, reducer, operands + reducer->n, count);
    for (int64_t i = 0; i < lines->n; i++) {
        reducer->element_first = lines->running->backwards && i > 0; /* the initial value still comes before all */
        int64_t at = (lines->running->backwards ? lines->n - 1 - i : i) * lines->inner;
        for (int k = 0; k < reducer->n; k++)
            gather_elements((size_t)dtype_bytes(reducer->element_dtypes[k]), lines->elements[k], operands[k]->data, at,
                            lines->starts, count);
        if (!reducer_step(eval, reducer, accumulators, (const void *const *)lines->elements, count)) return false;
        for (int k = 0; k < reducer->n; k++) {
            reducer_finish(reducer, k, lines->rounded[k], accumulators[k], count);
            scatter_elements((size_t)dtype_bytes(reducer->result_dtypes[k]), lines->results[k], lines->rounded[k], at,
                             lines->starts, count);
        }
    }
    return true;
}

Value *running_reduce(Eval *eval, const Instr *instr, const Running *running, const Shape *shape, Value **operands) {
    Arena *scratch = arena_new();
    int n = instr->n_operands / 2;
    const Shape *array = operands[0]->shape;
    Reducer *reducer = reducer_new(eval, scratch, instr_computation(instr, ATTR_TO_APPLY), n, operands);
    Lines lines = {running, array->dims[running->dim], 1, 0, NEW_ARRAY(scratch, int64_t, LANES),
                   NEW_ARRAY(scratch, void *, n), NEW_ARRAY(scratch, void *, n), NULL};
    Value *value = reducer_results(scratch, shape, n, &lines.results);
    for (int d = running->dim + 1; d < array->rank; d++) lines.inner *= array->dims[d];
    lines.n_lines = lines.n ? shape_elements(array) / lines.n : 0;
    for (int k = 0; k < n; k++) {
        lines.elements[k] = arena_alloc(scratch, LANES * (size_t)dtype_bytes(reducer->element_dtypes[k]));
        lines.rounded[k] = arena_alloc(scratch, LANES * (size_t)dtype_bytes(reducer->result_dtypes[k]));
    }
    bool done = true;
    for (int64_t start = 0; done && start < lines.n_lines; start += LANES) {
        int count = lines.n_lines - start < LANES ? (int)(lines.n_lines - start) : LANES;
        for (int i = 0; i < count; i++) {
            int64_t line = start + i;
            lines.starts[i] = line / lines.inner * lines.inner * lines.n + line % lines.inner;
        }
        done = run_lines(eval, scratch, reducer, &lines, count, operands);
    }
    arena_free(scratch);
    if (done) return value;
    value_release(value);
    return NULL;
}
