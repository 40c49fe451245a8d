#include "passes/lower/accumulate.h"

/* Streamed reductions: accumulators of a strip in memory; for each few steps of the reduced axes one pass over them. */

static DType memory_dtype(DType dtype) {
    return dtype_is_complex(dtype) ? dtype : register_type(dtype);
}

static const Index *place_in_memory(NestBuild *b, int copy) {
    IndexPool *pool = b->build->low->pool;
    int within = copy % b->axes[b->schedule.lane].copies, row = copy / b->axes[b->schedule.lane].copies;
    const Index *at = index_plus(pool, b->strip_at, row * b->schedule.strip + (int64_t)within * b->schedule.lanes);
    return b->puller.lane ? index_add(pool, at, b->puller.lane) : at;
}

static Elem load_accumulator(NestBuild *b, int copy, int r, int leaf) {
    const Accumulators *a = b->accumulators;
    KBuffer *buffer = scope_buffer(b->scope, a->memory[a->first_leaf[r] + leaf]);
    buffer->ready = emitter_block(b->scope->emitter);
    return pull_load_at(&b->puller, buffer, memory_dtype(leaf_dtype(reduction_at(b, r), leaf)),
                        place_in_memory(b, copy));
}

static void store_accumulators(NestBuild *b, const Accumulators *a) {
    emit_batch(b->scope->emitter);
    for (int c = 0; c < a->n_copies; c++) {
        nest_bind_outputs(b, c);
        for (int r = 0; r < a->n_reductions; r++)
            for (int leaf = 0; leaf < leaves_of(reduction_at(b, r)); leaf++) {
                KBuffer *buffer = scope_buffer(b->scope, a->memory[a->first_leaf[r] + leaf]);
                push_store(&b->puller, buffer, memory_dtype(leaf_dtype(reduction_at(b, r), leaf)),
                           place_in_memory(b, c), read_accumulator(b, accumulator(a, c, r, leaf, 0)),
                           reduction_at(b, r));
            }
    }
    emit_flush(b->scope->emitter);
}

static void at_strip(NestBuild *b, FirstValue *first, NestLeaf *body) {
    Accumulators a = accumulators_new(b);
    a.memory = b->accumulators->memory;
    Accumulators *outside = b->accumulators;
    b->accumulators = &a;
    b->puller.version++; /* the memory was written since it was read */
    declare_accumulators(b, &a, first);
    body(b);
    b->accumulators = outside;
    pull_forget(&b->puller);
}

static void keep(NestBuild *b) {
    store_accumulators(b, b->accumulators);
}

static void step_and_keep(NestBuild *b) {
    reduced_copies(b, b->schedule.n_outputs);
    keep(b);
}

static void finish_and_store(NestBuild *b) {
    finish_accumulators(b, b->accumulators);
    pull_forget(&b->puller);
    nest_store_copies(b);
    b->copy_heroes = NULL;
}

static void first_at_strip(NestBuild *b) {
    at_strip(b, first_value, keep);
}

static void steps_at_strip(NestBuild *b) {
    at_strip(b, load_accumulator, step_and_keep);
}

static void finish_at_strip(NestBuild *b) {
    at_strip(b, load_accumulator, finish_and_store);
}

static void streamed_axes(NestBuild *b, int a) {
    if (a == b->schedule.n_axes) nest_strip(b, steps_at_strip);
    else nest_axis(b, a, streamed_axes);
}

static void allocate_memory(NestBuild *b, Accumulators *a) {
    Lowering *low = b->build->low;
    int64_t rows = 1;
    for (int k = 0; k < b->schedule.n_outputs; k++)
        if (k != b->schedule.lane) rows *= b->axes[k].copies;
    a->memory = NEW_ARRAY(low->arena, KBuffer *, a->n_leaves);
    for (int r = 0; r < a->n_reductions; r++)
        for (int leaf = 0; leaf < leaves_of(reduction_at(b, r)); leaf++)
            a->memory[a->first_leaf[r] + leaf] = scratch_buffer(
                low, b->scope, "acc", memory_dtype(leaf_dtype(reduction_at(b, r), leaf)), rows * b->schedule.strip);
}

void lower_streamed(NestBuild *b) {
    Accumulators a = accumulators_new(b);
    allocate_memory(b, &a);
    b->accumulators = &a;
    nest_strip(b, first_at_strip);
    streamed_axes(b, b->schedule.n_outputs);
    nest_strip(b, finish_at_strip);
}

