#include "passes/lower/accumulate.h"

/* Reductions and contractions of a nest: accumulators, the loops over reduced axes, folding, the first values.
 *
 * Orders (abi.md): with lanes along an output each element is summed in the order of the reduced index. With lanes
 * along the reduced axis element j goes to partial result j mod 64 (32 of eight bytes), and partial results are
 * combined in a fixed tree: those 16 (8) apart, then 32 (16) apart, then 8, 4, 2, 1. */

/* --- loops over the reduced axes ---------------------------------------------------------------------------------- */

void reduced_copies(NestBuild *b, int a) {
    const Schedule *s = &b->schedule;
    if (a == s->n_axes) {
        step_copies(b, b->accumulators, b->partial);
        return;
    }
    for (int copy = 0; copy < b->axes[a].copies; copy++) {
        nest_bind_axis(b, a, copy);
        if (a == s->lane) b->partial = copy;
        reduced_copies(b, a + 1);
    }
}

static void reduced_axes(NestBuild *b, int a) {
    if (a == b->schedule.n_axes) reduced_copies(b, b->schedule.n_outputs);
    else nest_axis(b, a, reduced_axes);
}

/* --- the end ------------------------------------------------------------------------------------------------------ */

void name_elems(NestBuild *b, int n, Elem *elems, const Instr *after) {
    for (int k = 0; k < n; k++)
        for (int i = 0; i < 2 && elems[k].part[i]; i++)
            elems[k].part[i] =
                emit_let(b->scope->emitter, elems[k].part[i], identifier_of(b->build->low->arena, after->name, false));
}

/* Partial vectors `distance` elements apart become one: vector q takes in vector q + step. */
static void fold_vectors(NestBuild *b, const Instr *reduction, Elem **partials, int n_partials, int step, bool *gone) {
    for (int q = 0; q + step < n_partials; q++) {
        if (gone[q] || gone[q + step]) continue;
        combine_elems(b, reduction, partials[q], partials[q + step], partials[q]);
        name_elems(b, leaves_of(reduction), partials[q], reduction);
        gone[q + step] = true;
    }
}

static void fold_lanes(NestBuild *b, const Instr *reduction, Elem *elems, int distance) {
    int n = leaves_of(reduction);
    Elem *shifted = NEW_ARRAY(b->build->low->arena, Elem, n);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < 2 && elems[k].part[i]; i++)
            shifted[k].part[i] = kvalue_shift(b->scope->func, KVALUE_DOWN, elems[k].part[i], distance, NULL);
    combine_elems(b, reduction, elems, shifted, elems);
    name_elems(b, n, elems, reduction);
}

/* The lanes of one vector as one scalar by a function of the runtime, in the order of fold_lanes; false: there is none.
 */
static bool fold_by_call(NestBuild *b, const Instr *reduction, const Elem *elems, Elem *out) {
    ScalarOp op = op_element(reduction->op) == ELEMENT_contract ? SCALAR_ADD : plain_combiner(reduction);
    DType dtype = elems[0].part[0]->type.dtype;
    int lanes = b->puller.lanes;
    bool any = op == SCALAR_ADD || op == SCALAR_MUL || op == SCALAR_MAX || op == SCALAR_MIN;
    bool bits = dtype_is_integer(dtype) && (op == SCALAR_AND || op == SCALAR_OR);
    if (lanes < 2 || dtype == DT_PRED || elems[0].part[1] || !(any || bits)) return false;
    const char *name = arena_printf(b->build->low->arena, "fold_%s_%sx%d", scalar_name(op), dtype_name(dtype), lanes);
    out[0].part[0] = kvalue_call(b->scope->func, name, (KType){dtype, 1}, 1, elems[0].part, reduction);
    return true;
}

/* The partial results of one reduction at one copy, as one scalar per leaf. */
static void fold(NestBuild *b, const Accumulators *a, int copy, int r, Elem *out) {
    const Instr *reduction = reduction_at(b, r);
    int n = leaves_of(reduction), lanes = b->puller.lanes;
    Arena *arena = b->build->low->arena;
    Elem **partials = NEW_ARRAY(arena, Elem *, a->n_partials);
    bool *gone = NEW_ARRAY(arena, bool, a->n_partials);
    for (int q = 0; q < a->n_partials; q++) {
        partials[q] = NEW_ARRAY(arena, Elem, n);
        for (int leaf = 0; leaf < n; leaf++) partials[q][leaf] = read_accumulator(b, accumulator(a, copy, r, leaf, q));
    }
    int total = b->schedule.total;
    const int distances[] = {total / 4, total / 2, total / 8, total / 16, total / 32, total / 64};
    for (size_t d = 0; d < sizeof distances / sizeof *distances; d++)
        if (distances[d] >= lanes && distances[d] < lanes * a->n_partials)
            fold_vectors(b, reduction, partials, a->n_partials, distances[d] / lanes, gone);
    if (fold_by_call(b, reduction, partials[0], out)) return;
    for (int distance = lanes / 2; distance > 0; distance /= 2) fold_lanes(b, reduction, partials[0], distance);
    for (int leaf = 0; leaf < n; leaf++)
        for (int i = 0; i < 2 && partials[0][leaf].part[i]; i++)
            out[leaf].part[i] =
                lanes > 1 ? kvalue_lane(b->scope->func, partials[0][leaf].part[i], 0) : partials[0][leaf].part[i];
}

static void combine_init(NestBuild *b, const Instr *reduction, Elem *elems) {
    int n = leaves_of(reduction);
    Elem *init = NEW_ARRAY(b->build->low->arena, Elem, n);
    for (int leaf = 0; leaf < n; leaf++) init[leaf] = pull(&b->puller, reduction->operands[n + leaf], 0, NULL);
    combine_elems(b, reduction, init, elems, elems);
}

/* f16 results round once, at the end. */
void round_results(NestBuild *b, const Instr *reduction, Elem *elems) {
    for (int leaf = 0; leaf < leaves_of(reduction); leaf++)
        elems[leaf] = apply_rounding(&b->puller, leaf_dtype(reduction, leaf), elems[leaf], reduction);
}

void finish_accumulators(NestBuild *b, const Accumulators *a) {
    Arena *arena = b->build->low->arena;
    bool row = b->schedule.form == FORM_ROW;
    b->copy_heroes = NEW_ARRAY(arena, Elem **, a->n_copies);
    for (int c = 0; c < a->n_copies; c++) {
        nest_bind_outputs(b, c);
        b->copy_heroes[c] = NEW_ARRAY(arena, Elem *, a->n_reductions);
        for (int r = 0; r < a->n_reductions; r++) {
            const Instr *reduction = reduction_at(b, r);
            Elem *elems = NEW_ARRAY(arena, Elem, leaves_of(reduction));
            b->copy_heroes[c][r] = elems;
            if (row) fold(b, a, c, r, elems);
            else
                for (int leaf = 0; leaf < leaves_of(reduction); leaf++)
                    elems[leaf] = read_accumulator(b, accumulator(a, c, r, leaf, 0));
            if (begin_of(b, reduction) == BEGIN_NEUTRAL) combine_init(b, reduction, elems);
            round_results(b, reduction, elems);
        }
    }
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

void lower_reduction(NestBuild *b) {
    if (b->schedule.form == FORM_STREAMED) {
        lower_streamed(b);
        return;
    }
    bool row = b->schedule.form == FORM_ROW;
    Accumulators a = accumulators_new(b);
    b->accumulators = &a;
    declare_accumulators(b, &a, first_value);
    reduced_axes(b, b->schedule.n_outputs);
    const Index *lane = b->puller.lane;
    int lanes = b->puller.lanes;
    b->puller.count = 0;
    finish_accumulators(b, &a);
    if (row) { /* what is left is scalar */
        b->puller.lane = NULL;
        b->puller.lanes = 1;
    }
    pull_forget(&b->puller);
    nest_store_copies(b);
    b->copy_heroes = NULL;
    b->puller.lane = lane;
    b->puller.lanes = lanes;
}
