#include "passes/lower/accumulate.h"

/* Running reductions. With lanes along another axis the accumulators simply go on from point to point. With lanes along
 * the axis itself a vector of elements becomes their running results by log2(lanes) shifted combinations, and takes in
 * what was carried from the vector before it. */

/* --- lanes along another axis, or none ---------------------------------------------------------------------------- */

static void next_point(NestBuild *b, int a) {
    (void)a;
    step_copies(b, b->accumulators, 0);
    finish_accumulators(b, b->accumulators);
    nest_store_copies(b);
    b->copy_heroes = NULL;
    pull_forget(&b->puller);
}

static void scan_across(NestBuild *b) {
    int axis = b->schedule.n_outputs - 1;
    b->axes[axis] = (AxisState){.base = index_const(b->build->low->pool, 0), .copies = 1};
    Accumulators a = accumulators_new(b);
    b->accumulators = &a;
    declare_accumulators(b, &a, first_value);
    pull_forget(&b->puller);
    nest_axis(b, axis, next_point);
}

/* --- lanes along the axis ----------------------------------------------------------------------------------------- */

static void select_elems(NestBuild *b, int n, KValue *condition, Elem *elems, const Elem *others, const Instr *from) {
    condition = kvalue_splat(b->scope->func, b->schedule.lanes, condition);
    for (int leaf = 0; leaf < n; leaf++)
        elems[leaf] = elem_select(&b->puller, condition, elems[leaf], others[leaf], from);
}

static void splat_elems(NestBuild *b, int n, Elem *elems) {
    for (int leaf = 0; leaf < n; leaf++)
        for (int i = 0; i < 2 && elems[leaf].part[i]; i++)
            elems[leaf].part[i] = kvalue_splat(b->scope->func, b->schedule.lanes, elems[leaf].part[i]);
}

/* Every lane takes in the one `distance` before it (behind it, in reverse), or the neutral element. */
static void combine_shifted(NestBuild *b, const Instr *reduction, Elem *elems, const Elem *neutral, int distance) {
    int n = leaves_of(reduction), lanes = b->schedule.lanes;
    KFunc *f = b->scope->func;
    Elem *shifted = NEW_ARRAY(b->build->low->arena, Elem, n);
    bool reverse = b->nest->unit->reverse;
    KValueKind shift = reverse ? KVALUE_DOWN : KVALUE_UP;
    for (int leaf = 0; leaf < n; leaf++)
        for (int i = 0; i < 2 && elems[leaf].part[i]; i++)
            shifted[leaf].part[i] =
                kvalue_shift(f, shift, elems[leaf].part[i], distance, reverse ? NULL : neutral[leaf].part[i]);
    if (reverse) select_elems(b, n, kvalue_first(f, lanes, lanes - distance), shifted, neutral, reduction);
    combine_elems(b, reduction, shifted, elems, elems);
    name_elems(b, n, elems, reduction);
}

/* The elements at the point that is bound: neutral where there is none. False: there are none at all. */
static bool new_elems(NestBuild *b, Instr *reduction, const Elem *neutral, int r, Elem *elems) {
    int n = leaves_of(reduction);
    const Index **index = reduction_index(b, r), **ranges = unit_ranges(b);
    KValue *condition;
    int holds = pull_guards(&b->puller, reduction, 0, index, ranges, &condition);
    if (holds == 0) return false;
    for (int leaf = 0; leaf < n; leaf++) elems[leaf] = pull_operand(&b->puller, reduction, leaf, index, ranges);
    splat_elems(b, n, elems);
    if (holds < 0) select_elems(b, n, condition, elems, neutral, reduction);
    if (b->puller.count && b->nest->unit->reverse)
        select_elems(b, n, kvalue_first(b->scope->func, b->schedule.lanes, b->puller.count), elems, neutral, reduction);
    return true;
}

/* Results of reduction r at one vector of elements; what the next vector needs goes to carried. */
static Elem *scan_vector(NestBuild *b, int copy, int r, Elem *carried) {
    Instr *reduction = reduction_at(b, r);
    Arena *arena = b->build->low->arena;
    int n = leaves_of(reduction);
    Elem *elems = NEW_ARRAY(arena, Elem, 3 * n), *neutral = elems + n, *carry = neutral + n;
    for (int leaf = 0; leaf < n; leaf++) {
        neutral[leaf] = neutral_value(b, reduction, leaf);
        carry[leaf] = read_accumulator(b, accumulator(b->accumulators, copy, r, leaf, 0));
    }
    b->puller.wide = true;
    if (new_elems(b, reduction, neutral, r, elems)) {
        for (int distance = 1; distance < b->schedule.lanes; distance *= 2)
            combine_shifted(b, reduction, elems, neutral, distance);
        combine_elems(b, reduction, carry, elems, elems);
    } else {
        for (int leaf = 0; leaf < n; leaf++) elems[leaf] = carry[leaf];
    }
    b->puller.wide = false;
    name_elems(b, n, elems, reduction);
    for (int leaf = 0; leaf < n; leaf++)
        for (int i = 0; i < 2 && elems[leaf].part[i]; i++)
            carried[leaf].part[i] =
                kvalue_lane(b->scope->func, elems[leaf].part[i], b->nest->unit->reverse ? 0 : b->schedule.lanes - 1);
    return elems;
}

static void carry_on(NestBuild *b, int copy, int r, Elem *carried) {
    int n = leaves_of(reduction_at(b, r));
    splat_elems(b, n, carried);
    for (int leaf = 0; leaf < n; leaf++)
        for (int i = 0; i < 2 && carried[leaf].part[i]; i++)
            emit_sets(b->scope->emitter, 1, &accumulator(b->accumulators, copy, r, leaf, 0)->vars[i],
                      &carried[leaf].part[i]);
}

static void next_vector(NestBuild *b, const Index *base, int count) {
    Accumulators *a = b->accumulators;
    Arena *arena = b->build->low->arena;
    b->axes[b->schedule.lane] = (AxisState){.base = base, .copies = 1, .last_count = count};
    b->copy_heroes = NEW_ARRAY(arena, Elem **, a->n_copies);
    for (int c = 0; c < a->n_copies; c++) {
        nest_bind_outputs(b, c);
        b->copy_heroes[c] = NEW_ARRAY(arena, Elem *, a->n_reductions);
        for (int r = 0; r < a->n_reductions; r++) {
            Elem *carried = NEW_ARRAY(arena, Elem, leaves_of(reduction_at(b, r)));
            b->copy_heroes[c][r] = scan_vector(b, c, r, carried);
            carry_on(b, c, r, carried);
            round_results(b, reduction_at(b, r), b->copy_heroes[c][r]);
        }
    }
    pull_forget(&b->puller);
    nest_store_copies(b);
    b->copy_heroes = NULL;
    pull_forget(&b->puller);
}

static void scan_along(NestBuild *b) {
    int axis = b->schedule.lane, lanes = b->schedule.lanes;
    IndexPool *pool = b->build->low->pool;
    int64_t size = b->schedule.axes[axis].size, whole = size / lanes * lanes;
    b->axes[axis] = (AxisState){.base = index_const(pool, 0), .copies = 1};
    Accumulators a = accumulators_new(b);
    b->accumulators = &a;
    declare_accumulators(b, &a, first_value);
    pull_forget(&b->puller);
    const Index *at = index_const(pool, 0);
    if (whole > lanes) at = emit_for(b->scope->emitter, "i", at, index_const(pool, whole), lanes, KFOR_SERIAL);
    if (b->nest->unit->reverse) at = index_plus(pool, index_times(pool, at, -1), size - lanes);
    if (whole) next_vector(b, at, 0);
    if (whole > lanes) emit_end(b->scope->emitter);
    if (size > whole) next_vector(b, index_const(pool, b->nest->unit->reverse ? 0 : whole), (int)(size - whole));
}

void lower_scan(NestBuild *b) {
    if (b->schedule.lane == b->schedule.n_outputs - 1) scan_along(b);
    else scan_across(b);
}
