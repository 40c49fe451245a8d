/* reduce-window and select-and-scatter. */
#include <string.h>

#include "ir/eval/move.h"
#include "ir/eval/reducer.h"
#include "ir/eval/running.h"
#include "ir/eval/window.h"

/* Windows of an instruction over the dims of an operand. */
typedef struct {
    int rank;
    const WindowDim *windows;
    const int64_t *sizes, *strides; /* of the operand */
    int64_t *taps;                  /* window sizes, a box to walk through */
    int64_t n_taps;
} Windows;

static Windows windows_new(Arena *arena, const Instr *instr, const Shape *operand) {
    Windows windows = {operand->rank, instr_window(instr, operand->rank).dims, operand->dims,
                       strides_new(arena, operand), NEW_ARRAY(arena, int64_t, operand->rank), 1};
    for (int d = 0; d < operand->rank; d++) {
        windows.taps[d] = windows.windows[d].size;
        windows.n_taps *= windows.taps[d];
    }
    return windows;
}

/* --- reduce-window ------------------------------------------------------------------------------------------------ */

/* Up to LANES outputs at a time. Of one window position, only those outputs take part whose element exists: they are
 * brought together, stepped, and put back. */
typedef struct {
    Eval *eval;
    Arena *scratch;
    Reducer *reducer;
    Windows windows;
    Value *const *operands;
    int64_t *output;   /* LANES indices of rank */
    int64_t *position; /* in the window */
    int64_t lanes[LANES], offsets[LANES]; /* of the outputs that take part */
    void **together, **elements;
} Sweep;

static bool sweep_position(Sweep *sweep, void *const *accumulators, int count) {
    const Windows *windows = &sweep->windows;
    int n = 0;
    for (int i = 0; i < count; i++) {
        int64_t offset = window_offset(windows->rank, windows->windows, windows->sizes, windows->strides,
                                       sweep->output + i * windows->rank, sweep->position);
        if (offset < 0) continue;
        sweep->lanes[n] = i;
        sweep->offsets[n++] = offset;
    }
    const Reducer *reducer = sweep->reducer;
    for (int k = 0; k < reducer->n; k++) {
        size_t bytes = (size_t)dtype_bytes(reducer->accumulator_dtypes[k]);
        gather_elements(bytes, sweep->together[k], accumulators[k], 0, sweep->lanes, n);
        gather_elements((size_t)dtype_bytes(reducer->element_dtypes[k]), sweep->elements[k], sweep->operands[k]->data,
                        0, sweep->offsets, n);
    }
    if (!reducer_step(sweep->eval, reducer, sweep->together, (const void *const *)sweep->elements, n)) return false;
    for (int k = 0; k < reducer->n; k++) {
        size_t bytes = (size_t)dtype_bytes(reducer->accumulator_dtypes[k]);
        scatter_elements(bytes, accumulators[k], sweep->together[k], 0, sweep->lanes, n);
    }
    return true;
}

/* Outputs start .. start + count - 1 of an array of dims `dims`. */
static bool sweep_block(Sweep *sweep, const Shape *shape, int64_t start, int count, void *const *accumulators) {
    const Windows *windows = &sweep->windows;
    for (int i = 0; i < count; i++)
        index_from_number(windows->rank, shape->dims, start + i, sweep->output + i * windows->rank);
    if (!windows->n_taps) return true;
    memset(sweep->position, 0, (size_t)windows->rank * sizeof(int64_t));
    do {
        if (!sweep_position(sweep, accumulators, count)) return false;
    } while (index_next(windows->rank, windows->taps, sweep->position));
    return true;
}

static Sweep *sweep_new(Eval *eval, Arena *scratch, const Instr *instr, int n, Value *const *operands) {
    Sweep *sweep = NEW(scratch, Sweep);
    int rank = operands[0]->shape->rank;
    sweep->eval = eval;
    sweep->scratch = scratch;
    sweep->reducer = reducer_new(eval, scratch, instr_computation(instr, ATTR_TO_APPLY), n, operands);
    sweep->windows = windows_new(scratch, instr, operands[0]->shape);
    sweep->operands = operands;
    sweep->output = NEW_ARRAY(scratch, int64_t, LANES * rank);
    sweep->position = NEW_ARRAY(scratch, int64_t, rank);
    sweep->together = NEW_ARRAY(scratch, void *, n);
    sweep->elements = NEW_ARRAY(scratch, void *, n);
    for (int k = 0; k < n; k++) {
        sweep->together[k] = arena_alloc(scratch, LANES * (size_t)dtype_bytes(sweep->reducer->accumulator_dtypes[k]));
        sweep->elements[k] = arena_alloc(scratch, LANES * (size_t)dtype_bytes(sweep->reducer->element_dtypes[k]));
    }
    return sweep;
}

Value *eval_reduce_window(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    int n = instr->n_operands / 2;
    Running running;
    if (running_find(&running, instr_window(instr, operands[0]->shape->rank), operands[0]->shape))
        return running_reduce(eval, instr, &running, shape, operands);
    Arena *scratch = arena_new();
    Sweep *sweep = sweep_new(eval, scratch, instr, n, operands);
    void **results;
    Value *value = reducer_results(scratch, shape, n, &results);
    const Shape *output = shape_is_tuple(shape) ? shape->elements[0] : shape;
    int64_t n_outputs = shape_elements(output);
    bool done = true;
    for (int64_t start = 0; done && start < n_outputs; start += LANES) {
        int count = n_outputs - start < LANES ? (int)(n_outputs - start) : LANES;
        void **accumulators = reducer_start(scratch, sweep->reducer, operands + n, count);
        done = sweep_block(sweep, output, start, count, accumulators);
        for (int k = 0; k < n; k++) {
            size_t bytes = (size_t)dtype_bytes(sweep->reducer->result_dtypes[k]);
            reducer_finish(sweep->reducer, k, (char *)results[k] + (size_t)start * bytes, accumulators[k], count);
        }
    }
    arena_free(scratch);
    if (done) return value;
    value_release(value);
    return NULL;
}

/* --- select-and-scatter ------------------------------------------------------------------------------------------- */

typedef struct {
    Eval *eval;
    Windows windows;
    Program *select, *scatter;
    const char *operand;
    size_t bytes;
    int64_t *position;
} Selection;

/* The offset of the element that the window of one source element selects: the first one, then whichever the chosen
 * one does not hold against. -1: all padding; -2: failed. */
static int64_t select_in_window(const Selection *selection, const int64_t *source_index) {
    const Windows *windows = &selection->windows;
    int64_t selected = -1;
    if (!windows->n_taps) return -1;
    memset(selection->position, 0, (size_t)windows->rank * sizeof(int64_t));
    do {
        int64_t offset = window_offset(windows->rank, windows->windows, windows->sizes, windows->strides, source_index,
                                       selection->position);
        if (offset < 0) continue;
        uint8_t keep = selected >= 0;
        if (keep) {
            const void *arguments[] = {selection->operand + (size_t)selected * selection->bytes,
                                       selection->operand + (size_t)offset * selection->bytes};
            void *results[] = {&keep};
            if (!program_run(selection->eval, selection->select, arguments, results, 1)) return -2;
        }
        if (!keep) selected = offset;
    } while (index_next(windows->rank, windows->taps, selection->position));
    return selected;
}

Value *eval_select_and_scatter(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    Arena *scratch = arena_new();
    const Value *operand = operands[0], *source = operands[1], *initial = operands[2];
    size_t bytes = (size_t)dtype_bytes(shape->dtype);
    int rank = shape->rank;
    Selection selection = {eval, windows_new(scratch, instr, operand->shape),
                           program_of(eval, instr_computation(instr, ATTR_SELECT)),
                           program_of(eval, instr_computation(instr, ATTR_SCATTER)), operand->data, bytes,
                           NEW_ARRAY(scratch, int64_t, rank)};
    Value *result = value_new(shape);
    fill_elements(bytes, result->data, initial->data, value_elements(result));
    int64_t *index = NEW_ARRAY(scratch, int64_t, rank), n = value_elements(source);
    bool done = true;
    for (int64_t i = 0; done && i < n; i++, index_next(rank, source->shape->dims, index)) {
        int64_t selected = select_in_window(&selection, index);
        if (selected >= 0) {
            void *at = (char *)result->data + (size_t)selected * bytes;
            const void *arguments[] = {(const char *)source->data + (size_t)i * bytes, at};
            done = program_run(eval, selection.scatter, arguments, &at, 1);
        }
        done = done && selected != -2;
    }
    arena_free(scratch);
    if (done) return result;
    value_release(result);
    return NULL;
}
