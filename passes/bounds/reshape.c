#include "passes/bounds/bounds.h"

/* reshape and dynamic-reshape: the elements that are there keep their row-major order.
 *
 * Dims that are multiplied or divided together form a run. Where only the outermost dim of a run is bounded, its
 * elements are the first ones of the run before and after, and a reshape of all the room does. Otherwise the position
 * of each element of the result is computed, and the element fetched. */

/* A run: dims from[0] .. of the operand and to[0] .. of the result with equally many elements; ends are in to[1]. */
typedef struct {
    int from, from_end, to, to_end;
} Run;

static bool next_run(const Shape *from, const Shape *to, Run *run) {
    run->from = run->from_end;
    run->to = run->to_end;
    if (run->from == from->rank && run->to == to->rank) return false;
    int64_t n = 1, m = 1;
    if (run->from_end < from->rank) n = from->dims[run->from_end++];
    if (run->to_end < to->rank) m = to->dims[run->to_end++];
    while (n != m) {
        if (n < m && run->from_end < from->rank) n *= from->dims[run->from_end++];
        else if (m < n && run->to_end < to->rank) m *= to->dims[run->to_end++];
        else return false;
    }
    while (run->to_end == to->rank && run->from_end < from->rank) run->from_end++; /* ones at the end */
    while (run->from_end == from->rank && run->to_end < to->rank) run->to_end++;
    return true;
}

static int64_t product(const Shape *shape, int from, int end) {
    int64_t n = 1;
    for (int d = from; d < end; d++) n *= shape->dims[d];
    return n;
}

/* Whether a reshape of all the room keeps the elements together; then notes the sizes. */
static bool by_runs(Bounds *bounds, const Builder *b, Instr *x, Instr *result) {
    Instr **sizes = NEW_ARRAY(b->arena, Instr *, result->shape->rank);
    if (!shape_elements(x->shape)) return false;
    Run run = {0, 0, 0, 0};
    while (next_run(x->shape, result->shape, &run)) {
        int first = run.from;
        while (first < run.from_end && x->shape->dims[first] == 1 && !size_known(bounds, x, first)) first++;
        for (int d = first + 1; d < run.from_end; d++)
            if (size_known(bounds, x, d)) return false;
        Instr *size = first < run.from_end ? size_known(bounds, x, first) : NULL;
        if (!size) continue;
        int to = run.to;
        int64_t inside = product(x->shape, first + 1, run.from_end);
        while (to + 1 < run.to_end && result->shape->dims[to] == 1) to++;
        if (to >= run.to_end) return false;
        int64_t inside_to = product(result->shape, to + 1, run.to_end);
        if (inside % inside_to == 0) sizes[to] = size_times(b, size, inside / inside_to);
        else sizes[to] = size_over(b, size_times(b, size, inside), inside_to);
    }
    if (run.from_end != x->shape->rank || run.to_end != result->shape->rank) return false;
    for (int d = 0; d < result->shape->rank; d++) size_note(bounds, result, d, sizes[d]);
    return true;
}

/* --- element by element ------------------------------------------------------------------------------------------- */

/* Where each element of shape lies among those that are there: its row-major number. */
static Instr *numbers_of(const Builder *b, const Shape *shape, Instr *const *sizes) {
    Instr *number = NULL, *step = size_number(b, 1);
    for (int d = shape->rank - 1; d >= 0; d--) {
        Instr *index = build_iota(b, DT_S32, shape->rank, shape->dims, d);
        Instr *part = build_binary(b, OP_MULTIPLY, index, broadcast_scalar(step, index->shape, b->span));
        number = number ? build_binary(b, OP_ADD, number, part) : part;
        step = build_binary(b, OP_MULTIPLY, step, sizes[d]);
    }
    return number;
}

/* Element number of x, counting what is there, as its place in all of x's room. */
static Instr *places_of(const Bounds *bounds, const Builder *b, Instr *x, Instr *number) {
    Instr *place = NULL;
    int64_t step = 1;
    for (int d = x->shape->rank - 1; d >= 0; d--) {
        Instr *size = broadcast_scalar(size_at_least(b, size_of(bounds, b, x, d), 1), number->shape, b->span);
        Instr *index = build_binary(b, OP_REMAINDER, number, size);
        number = build_binary(b, OP_DIVIDE, number, size);
        index = build_binary(b, OP_MULTIPLY, index, build_fill_integer(b, index->shape, DT_S32, (uint64_t)step));
        place = place ? build_binary(b, OP_ADD, place, index) : index;
        step *= x->shape->dims[d];
    }
    return place;
}

static void add_ints(const Builder *b, Instr *instr, AttrId id, int n, int64_t value) {
    int64_t *at = NEW_ARRAY(b->arena, int64_t, n);
    for (int i = 0; i < n; i++) at[i] = value;
    instr_add_attr(instr, (Attr){.id = id, .ints = {n, at}});
}

/* The elements of a vector at these places. */
static Instr *fetched(const Builder *b, Instr *vector, Instr *places) {
    const Shape *shape = shape_array(b->arena, vector->shape->dtype, places->shape->rank, places->shape->dims);
    Instr *gather = build_op(b, OP_GATHER, shape, 2, (Instr *[]){vector, places});
    add_ints(b, gather, ATTR_OFFSET_DIMS, 0, 0);
    add_ints(b, gather, ATTR_COLLAPSED_SLICE_DIMS, 1, 0);
    add_ints(b, gather, ATTR_START_INDEX_MAP, 1, 0);
    instr_add_attr(gather, (Attr){.id = ATTR_INDEX_VECTOR_DIM, .integer = places->shape->rank});
    add_ints(b, gather, ATTR_SLICE_SIZES, 1, 1);
    return gather;
}

/* An array of shape with these sizes (all given) and the elements of x. */
static Instr *rearranged(Bounds *bounds, const Builder *b, Instr *x, const Shape *shape, Instr *const *sizes) {
    int64_t n = shape_elements(x->shape);
    if (n == 0 || shape_elements(shape) == 0 || n > INT32_MAX) return NULL;
    Instr *vector = build_reshape(x, 1, &n, b->span);
    if (shape->rank == 0) return build_pick(b, vector, 0);
    Instr *result = fetched(b, vector, places_of(bounds, b, x, numbers_of(b, shape, sizes)));
    for (int d = 0; d < shape->rank; d++) size_note(bounds, result, d, sizes[d]);
    return result;
}

/* At most one dim of the result may be bounded: it takes what the others leave. */
Instr *bounds_reshape(Bounds *bounds, Instr *instr, const Shape *declared) {
    Builder b = builder_for(instr);
    Instr *x = instr->operands[0], **sizes = NEW_ARRAY(b.arena, Instr *, instr->shape->rank);
    if (by_runs(bounds, &b, x, instr)) return instr;
    int bounded = -1;
    int64_t others = 1;
    for (int d = 0; d < instr->shape->rank; d++) {
        bool is_bounded = declared->dynamic && declared->dynamic[d] == DIM_BOUNDED;
        if (is_bounded && bounded >= 0) return NULL;
        if (is_bounded) bounded = d;
        else others *= instr->shape->dims[d];
        sizes[d] = size_number(&b, instr->shape->dims[d]);
    }
    if (bounded < 0) return NULL;
    Instr *n = size_number(&b, 1);
    for (int d = 0; d < x->shape->rank; d++) n = build_binary(&b, OP_MULTIPLY, n, size_of(bounds, &b, x, d));
    sizes[bounded] = size_over(&b, n, others);
    return rearranged(bounds, &b, x, instr->shape, sizes);
}

Instr *bounds_dynamic_reshape(Bounds *bounds, Instr *instr, const Shape *declared) {
    (void)declared;
    Builder b = builder_for(instr);
    Instr **sizes = NEW_ARRAY(b.arena, Instr *, instr->shape->rank);
    for (int d = 0; d < instr->shape->rank; d++) sizes[d] = build_convert(&b, instr->operands[1 + d], DT_S32);
    return rearranged(bounds, &b, instr->operands[0], instr->shape, sizes);
}
