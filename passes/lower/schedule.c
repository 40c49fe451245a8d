#include "passes/lower/schedule.h"

#include <math.h>

/* Choosing how the loops of a nest run (tile-programs.md section 5). The numbers there were measured. */

enum {
    MODEL_LANES = 16,      /* the lane variable is chosen as if every target had so many: it fixes the order of sums */
    UNROLLED_POINTS = 16,  /* windows of so many points are spelt out */
    COLUMN_VECTORS = 4,    /* vectors of columns side by side in a column reduction */
    DEPTHWISE_PIXELS = 7,
    SHIFTED = 8,           /* operations for one scan along the lanes */
    STREAMED_ROWS = 4,     /* of memory, that a streamed reduction reads in one pass over its accumulators */
    STREAMED_COLUMNS = 4,  /* rows of accumulators side by side */
    STREAMED_BYTES = 16 << 10, /* of accumulators */
};

typedef struct {
    const Target *target;
    IndexPool *pool;
    const NestFacts *facts;
    Schedule s;
    bool contracts; /* a product of two operands is reduced */
} Scheduler;

static void add_axis(Schedule *s, const Index *var, int64_t size, bool tiled, bool reduced) {
    Axis *axis = &s->axes[s->n_axes++];
    *axis = (Axis){.n_parts = 1, .size = size, .unroll = 1, .tiled = tiled, .reduced = reduced};
    axis->parts[0] = var;
    axis->sizes[0] = size;
}

/* --- strides ------------------------------------------------------------------------------------------------------ */

typedef struct {
    const TileGroup *group;
    const Index *part;
    bool found;
} RuntimeSearch;

static void search_runtime(const Index *variable, void *context) {
    RuntimeSearch *r = context;
    if (variable->kind != INDEX_SYM) return;
    const TileRuntime *runtime = &r->group->runtimes.at[variable->value];
    for (int i = 0; i < runtime->n; i++) r->found |= index_uses(runtime->index[i], r->part);
}

/* Whether a value that was loaded (an index of a gather) makes the subscript depend on part. */
static bool depends_by_value(const TileGroup *group, const Index *subscript, const Index *part) {
    RuntimeSearch r = {group, part, false};
    index_walk_variables(subscript, search_runtime, &r);
    return r.found;
}

bool access_stride(IndexPool *pool, const TileGroup *group, const Index *subscript, const Axis *axis, int64_t *stride) {
    const Index *last = axis->parts[axis->n_parts - 1];
    if (!index_linear_in(pool, subscript, last, stride, NULL)) return false;
    int64_t inner = 1, factor;
    for (int i = 0; i < axis->n_parts; i++)
        if (depends_by_value(group, subscript, axis->parts[i])) return false;
    for (int i = axis->n_parts - 2; i >= 0; i--) { /* the other parts must be the same step, further on */
        inner *= axis->sizes[i + 1];
        if (!index_linear_in(pool, subscript, axis->parts[i], &factor, NULL)) return false;
        if (factor != *stride * inner) return false;
    }
    return true;
}

static bool stride_along(const Scheduler *c, const NestAccess *access, const Axis *axis, int64_t *stride) {
    return access_stride(c->pool, c->facts->nest->group, access->subscript, axis, stride);
}

static bool guard_uses(const NestGuard *guard, const Axis *axis) {
    for (int i = 0; i < axis->n_parts; i++)
        if (index_uses(guard->expr, axis->parts[i])) return true;
    return false;
}

/* Stride of the first store along var. */
static int64_t store_stride(const Scheduler *c, const Index *var) {
    int64_t factor = 0;
    for (int i = 0; i < c->facts->accesses.n; i++)
        if (c->facts->accesses.at[i].is_store) {
            index_linear_in(c->pool, c->facts->accesses.at[i].subscript, var, &factor, NULL);
            break;
        }
    return factor < 0 ? -factor : factor;
}

/* --- axes --------------------------------------------------------------------------------------------------------- */

/* Outputs from the slowest in memory to the fastest, then the reduced axes. */
static void list_axes(Scheduler *c) {
    const TileNest *nest = c->facts->nest;
    bool *taken = NEW_ARRAY(c->pool->arena, bool, nest->n_vars + 1);
    c->s.axes = NEW_ARRAY(c->pool->arena, Axis, nest->n_vars + (nest->unit ? nest->unit->n_symbols : 0) + 1);
    for (int n = 0; n < nest->n_vars; n++) {
        int best = -1;
        for (int i = 0; i < nest->n_vars; i++) {
            if (taken[i]) continue;
            if (best < 0 || store_stride(c, nest->vars[i]) > store_stride(c, nest->vars[best])) best = i;
        }
        taken[best] = true;
        if (nest->extent[best] == 1 && nest->sizes[best] == 1) continue;
        add_axis(&c->s, nest->vars[best], nest->extent[best], nest->extent[best] != nest->sizes[best], false);
        Interval first = index_range(nest->group->domain, nest->origin[best]);
        c->s.axes[c->s.n_axes - 1].clipped = first.low < 0 || first.high + nest->extent[best] > nest->sizes[best];
    }
    c->s.n_outputs = c->s.n_axes;
    for (int i = 0; nest->unit && i < nest->unit->n_symbols; i++)
        if (nest->unit->sizes[i] != 1) add_axis(&c->s, nest->unit->symbols[i], nest->unit->sizes[i], false, true);
}

static bool axis_is(const Axis *axis, const Index *var) {
    return axis->n_parts == 1 && axis->parts[0] == var;
}

/* Whether axes a and a + 1 are one loop for every access: a step of a is as many steps of a + 1 as that has. */
static bool collapse(Scheduler *c, int a) {
    Axis *slow = &c->s.axes[a], *fast = &c->s.axes[a + 1];
    const TileUnit *unit = c->facts->nest->unit;
    if (unit && unit->scan && (axis_is(slow, unit->scan) || axis_is(fast, unit->scan))) return false;
    if (slow->reduced != fast->reduced || slow->clipped || fast->tiled || slow->n_parts + fast->n_parts > 8)
        return false;
    for (int i = 0; i < c->facts->guards.n; i++)
        if (guard_uses(&c->facts->guards.at[i], slow) || guard_uses(&c->facts->guards.at[i], fast)) return false;
    for (int i = 0; i < c->facts->accesses.n; i++) {
        int64_t x, y;
        const NestAccess *access = &c->facts->accesses.at[i];
        if (!stride_along(c, access, slow, &x) || !stride_along(c, access, fast, &y) || x != y * fast->size)
            return false;
    }
    for (int i = 0; i < fast->n_parts; i++) {
        slow->parts[slow->n_parts] = fast->parts[i];
        slow->sizes[slow->n_parts++] = fast->sizes[i];
    }
    slow->size *= fast->size;
    for (int i = a + 1; i + 1 < c->s.n_axes; i++) c->s.axes[i] = c->s.axes[i + 1];
    c->s.n_axes--;
    c->s.n_outputs -= !slow->reduced;
    return true;
}

static void collapse_axes(Scheduler *c) {
    if (c->facts->updates_in_place) return;
    for (int a = 0; a + 1 < c->s.n_axes;)
        if (!collapse(c, a)) a++;
}

/* --- the lane variable -------------------------------------------------------------------------------------------- */

/* An axis along which a load that strides along the lanes would not: W x W elements are turned in registers. Or -1. */
static int turn_axis(const Scheduler *c, const NestAccess *access, const Axis *lane) {
    int64_t stride;
    if (access->is_store || access->is_value || c->facts->nest->unit || c->facts->widest > 8) return -1;
    if (!stride_along(c, access, lane, &stride) || stride == 0 || stride == 1) return -1;
    for (int a = 0; a < c->s.n_outputs; a++) {
        const Axis *axis = &c->s.axes[a];
        if (axis == lane || axis->size < MODEL_LANES || axis->clipped) continue;
        if (stride_along(c, access, axis, &stride) && stride == 1) return a;
    }
    return -1;
}

static void choose_turn(Scheduler *c) {
    if (c->s.lane < 0 || c->s.axes[c->s.lane].size < c->s.lanes) return;
    for (int i = 0; i < c->facts->accesses.n && c->s.turn < 0; i++)
        c->s.turn = turn_axis(c, &c->facts->accesses.at[i], &c->s.axes[c->s.lane]);
    if (c->s.turn < 0) return;
    if (c->s.lanes > MODEL_LANES) c->s.lanes = MODEL_LANES;
    c->s.axes[c->s.turn].unroll = c->s.lanes;
    c->s.name = "turn";
}

static double access_cost(const Scheduler *c, const NestAccess *access, const Axis *axis) {
    int64_t stride;
    double points = c->facts->nest->unit ? c->facts->nest->unit->points : 1;
    double weight = access->under_unit || points < 1 ? 1 : 1 / points;
    bool linear = stride_along(c, access, axis, &stride);
    if (access->is_value) return linear ? 0.1 : 1;
    if (access->packed || access->computed) return weight * (linear && stride == 0 ? 0.1 : 2.0 / MODEL_LANES);
    if (access->is_store) return weight * (!linear ? 3 : stride == 1 ? 1.0 / MODEL_LANES : stride == 0 ? 9 : 3);
    if (turn_axis(c, access, axis) >= 0) return weight * 0.5;
    return weight * (!linear ? 2.5 : stride == 0 ? 0.1 : stride == 1 ? 2.0 / MODEL_LANES : 2.5);
}

static double lane_cost(const Scheduler *c, const Axis *axis) {
    const TileUnit *unit = c->facts->nest->unit;
    double rounds = unit && unit->scan && axis_is(axis, unit->scan) ? SHIFTED : 1; /* operators that combine in steps */
    double cost = (c->facts->work + rounds - 1) / MODEL_LANES, n = (double)axis->size;
    for (int i = 0; i < c->facts->accesses.n; i++) cost += access_cost(c, &c->facts->accesses.at[i], axis);
    cost /= n / (MODEL_LANES * ceil(n / MODEL_LANES));
    return axis->reduced ? cost + 8 / n : cost;
}

static double scalar_cost(const Scheduler *c) {
    return c->facts->work + c->facts->accesses.n;
}

/* A contraction's lanes run where its store is unit-stride: there vectors of results are written. */
static int contraction_lane(const Scheduler *c) {
    for (int a = 0; a < c->s.n_outputs; a++) {
        int64_t stride;
        for (int i = 0; i < c->facts->accesses.n; i++) {
            const NestAccess *access = &c->facts->accesses.at[i];
            if (access->is_store && stride_along(c, access, &c->s.axes[a], &stride) && stride == 1 &&
                c->s.axes[a].size >= 4 && !c->s.axes[a].clipped)
                return a;
        }
    }
    return -1;
}

/* Whether a load under the reduction moves along axis. */
static bool load_moves(const Scheduler *c, const NestAccess *access, const Axis *axis) {
    int64_t stride;
    if (access->is_store || !access->under_unit) return false;
    return !stride_along(c, access, axis, &stride) || stride != 0;
}

/* How often a register tile of rows uses what a vector along axis loads: rows that move nothing that has lanes. */
static double rows_beside(const Scheduler *c, int lane) {
    double rows = 1;
    for (int a = 0; a < c->s.n_outputs; a++) {
        bool with_lanes = false;
        for (int i = 0; i < c->facts->accesses.n && a != lane; i++)
            with_lanes |= load_moves(c, &c->facts->accesses.at[i], &c->s.axes[a]) &&
                          load_moves(c, &c->facts->accesses.at[i], &c->s.axes[lane]);
        if (a != lane && !with_lanes) rows *= (double)c->s.axes[a].size;
    }
    return rows;
}

/* Whether what moves along the lanes is worth a packed copy, or needs none. */
static bool lanes_are_fed(const Scheduler *c, int lane) {
    enum { WORTH_ROWS = 8 };
    if (rows_beside(c, lane) >= WORTH_ROWS) return true;
    for (int i = 0; i < c->facts->accesses.n; i++) {
        int64_t stride;
        const NestAccess *access = &c->facts->accesses.at[i];
        if (!load_moves(c, access, &c->s.axes[lane])) continue;
        if (!stride_along(c, access, &c->s.axes[lane], &stride) || stride != 1) return false;
    }
    return true;
}

/* Lanes along what is combined need combiners that can begin in the middle. */
static bool lanes_make_sense(const Scheduler *c, int a) {
    const TileUnit *unit = c->facts->nest->unit;
    if (c->s.axes[a].clipped) return false;
    if (a >= c->s.n_outputs) return c->facts->splits && !unit->scan;
    return !unit || !unit->scan || !axis_is(&c->s.axes[a], unit->scan) || c->facts->has_neutral;
}

static int choose_lane(const Scheduler *c) {
    int best = c->contracts ? contraction_lane(c) : -1;
    if (best >= 0 && lanes_are_fed(c, best)) return best;
    best = -1;
    double least = scalar_cost(c);
    for (int a = 0; a < c->s.n_axes; a++) {
        if (c->s.axes[a].size < 2 || !lanes_make_sense(c, a)) continue;
        double cost = lane_cost(c, &c->s.axes[a]);
        if (cost >= least) continue;
        least = cost;
        best = a;
    }
    return best;
}

/* Moves axis a to position `to`, among the outputs or among the reduced axes; lane follows. */
static int move_axis(Scheduler *c, int a, int to) {
    Axis moved = c->s.axes[a];
    for (; a < to; a++) c->s.axes[a] = c->s.axes[a + 1];
    for (; a > to; a--) c->s.axes[a] = c->s.axes[a - 1];
    c->s.axes[to] = moved;
    return to;
}

/* --- reductions --------------------------------------------------------------------------------------------------- */

/* An output axis along which only what has no lanes moves: rows of a matrix product. The fastest such axis, or -1. */
static int row_axis(const Scheduler *c) {
    const Axis *lane = &c->s.axes[c->s.lane];
    for (int a = c->s.n_outputs - 1; a >= 0; a--) {
        if (a == c->s.lane || c->s.axes[a].clipped) continue;
        bool with_lanes = false, alone = false;
        for (int i = 0; i < c->facts->accesses.n; i++) {
            if (!load_moves(c, &c->facts->accesses.at[i], &c->s.axes[a])) continue;
            if (load_moves(c, &c->facts->accesses.at[i], lane)) with_lanes = true;
            else alone = true;
        }
        if (alone && !with_lanes) return a;
    }
    return -1;
}

/* A divisor of n between about two thirds of most and most, else most. */
static int64_t near_divisor(int64_t n, int64_t most) {
    if (n <= most) return n;
    for (int64_t r = most; 3 * r >= 2 * most; r--)
        if (n % r == 0) return r;
    return most;
}

static int axis_of(const Schedule *s, const Index *part) {
    for (int a = 0; a < s->n_axes; a++)
        if (s->axes[a].parts[0] == part) return a;
    return -1;
}

/* Rows x vectors of columns in registers; the lane axis around the rows, so that a panel of columns is used again. */
static void tile_contraction(Scheduler *c, int rows) {
    Schedule *s = &c->s;
    const Index *lane = s->axes[s->lane].parts[0];
    int64_t vectors = ceil_div(s->axes[s->lane].size, s->lanes);
    s->axes[s->lane].unroll = vectors < c->target->tile_vectors ? vectors : c->target->tile_vectors;
    s->axes[rows].unroll = near_divisor(s->axes[rows].size, c->target->tile_rows);
    move_axis(c, rows, s->n_outputs - 1);
    s->lane = move_axis(c, axis_of(s, lane), s->n_outputs - 2);
    s->rows = s->n_outputs - 1;
    s->name = "contraction";
}

/* Whether something that is reduced lies in memory rows that together exceed L2, and moves along the lanes. */
static bool rows_exceed_cache(const Scheduler *c) {
    const Axis *lane = &c->s.axes[c->s.lane];
    for (int i = 0; i < c->facts->accesses.n; i++) {
        const NestAccess *access = &c->facts->accesses.at[i];
        int64_t along, stride;
        if (!load_moves(c, access, lane) || access->packed || access->computed) continue;
        if (!stride_along(c, access, lane, &along) || along != 1) return false;
        for (int a = c->s.n_outputs; a < c->s.n_axes; a++)
            if (stride_along(c, access, &c->s.axes[a], &stride) &&
                stride * c->s.axes[a].size * access->bytes > c->target->l2_bytes)
                return true;
    }
    return false;
}

/* Rows of accumulators in L1, the reduced axis outside: memory is read in its order. */
static bool stream(Scheduler *c, int rows) {
    Schedule *s = &c->s;
    if (c->facts->guards.n || s->n_outputs == s->n_axes || (rows >= 0 && s->axes[rows].size > STREAMED_COLUMNS))
        return false;
    if (!rows_exceed_cache(c)) return false;
    const Index *lane = s->axes[s->lane].parts[0];
    if (rows >= 0) s->axes[move_axis(c, rows, s->n_outputs - 1)].unroll = s->axes[rows].size;
    s->lane = move_axis(c, axis_of(s, lane), s->n_outputs - 1);
    int64_t copies = rows >= 0 ? s->axes[s->n_outputs - 2].size : 1, most = STREAMED_BYTES / c->facts->widest / copies;
    int64_t strips = ceil_div(s->axes[s->lane].size, most);
    s->strip = ceil_div(ceil_div(s->axes[s->lane].size, strips), s->lanes) * s->lanes;
    Axis *reduced = &s->axes[s->n_axes - 1];
    reduced->unroll = reduced->size < STREAMED_ROWS ? reduced->size : STREAMED_ROWS;
    s->form = FORM_STREAMED;
    s->name = c->contracts ? "streamed contraction" : "streamed reduction";
    return true;
}

static void lanes_along_output(Scheduler *c) {
    Schedule *s = &c->s;
    int rows = row_axis(c);
    if (stream(c, rows)) return;
    if (rows >= 0) {
        tile_contraction(c, rows);
        return;
    }
    s->lane = move_axis(c, s->lane, s->n_outputs - 1);
    int64_t vectors = ceil_div(s->axes[s->lane].size, s->lanes);
    s->axes[s->lane].unroll = vectors < COLUMN_VECTORS ? vectors : COLUMN_VECTORS;
    s->name = c->contracts ? "column contraction" : "column reduction";
}

static void lanes_along_reduced(Scheduler *c) {
    Schedule *s = &c->s;
    s->form = FORM_ROW;
    s->name = c->contracts ? "row contraction" : "row reduction";
    s->lane = move_axis(c, s->lane, s->n_axes - 1);
    int64_t vectors = ceil_div(s->axes[s->lane].size, s->lanes);
    s->partials = s->total / s->lanes > 0 ? s->total / s->lanes : 1;
    if (vectors < s->partials) s->partials = (int)vectors;
    s->axes[s->lane].unroll = s->partials;
}

/* The axis that is scanned comes last, the lanes before it if they are along another. */
static void schedule_scan(Scheduler *c) {
    Schedule *s = &c->s;
    const Index *lane = s->lane >= 0 ? s->axes[s->lane].parts[0] : NULL;
    for (int a = 0; a < s->n_outputs; a++)
        if (axis_is(&s->axes[a], c->facts->nest->unit->scan)) move_axis(c, a, s->n_outputs - 1);
    s->form = FORM_SCAN;
    s->name = "scan";
    if (!lane) return;
    s->lane = axis_of(s, lane);
    if (s->lane == s->n_outputs - 1) return;
    s->lane = move_axis(c, s->lane, s->n_outputs - 2);
    int64_t vectors = ceil_div(s->axes[s->lane].size, s->lanes);
    s->axes[s->lane].unroll = vectors < COLUMN_VECTORS ? vectors : COLUMN_VECTORS;
}

/* --- guards ------------------------------------------------------------------------------------------------------- */

static void add_cut(Axis *axis, int64_t at) {
    if (at <= 0 || at >= axis->size) return;
    int i = 0;
    while (i < axis->n_cuts && axis->cuts[i] < at) i++;
    if ((i < axis->n_cuts && axis->cuts[i] == at) || axis->n_cuts == (int)(sizeof axis->cuts / sizeof *axis->cuts))
        return;
    for (int k = axis->n_cuts++; k > i; k--) axis->cuts[k] = axis->cuts[k - 1];
    axis->cuts[i] = at;
}

/* Where low <= factor * v + rest <= high changes its truth. */
static void cut_at(Axis *axis, int64_t factor, int64_t rest, Interval in) {
    if (factor < 0) {
        in = interval_negate(in);
        factor = -factor;
        rest = -rest;
    }
    add_cut(axis, ceil_div(in.low - rest, factor));
    add_cut(axis, floor_div(in.high - rest, factor) + 1);
}

/* The other variables of a guard are constants, or windows that are spelt out: every value of them is a place to cut.
 */
static void cut_for_values(Scheduler *c, Axis *axis, int64_t factor, const Index *rest, Interval in) {
    for (int a = 0; a < c->s.n_axes; a++) {
        const Axis *other = &c->s.axes[a];
        if (!index_uses(rest, other->parts[0])) continue;
        if (!other->unrolled || other->n_parts > 1) return;
        for (int64_t v = 0; v < other->size; v++)
            cut_for_values(c, axis, factor, index_replace(c->pool, rest, other->parts[0], index_const(c->pool, v)), in);
        return;
    }
    if (rest->kind == INDEX_CONST) cut_at(axis, factor, rest->value, in);
}

static void cut_axes(Scheduler *c) {
    for (int g = 0; g < c->facts->guards.n; g++) {
        const NestGuard *guard = &c->facts->guards.at[g];
        for (int a = 0; a < c->s.n_outputs; a++) {
            Axis *axis = &c->s.axes[a];
            int64_t factor;
            const Index *rest;
            if (axis->tiled || axis->n_parts > 1 || (c->s.form == FORM_SCAN && a == c->s.lane) ||
                !index_uses(guard->expr, axis->parts[0]))
                continue;
            if (index_linear_in(c->pool, guard->expr, axis->parts[0], &factor, &rest))
                cut_for_values(c, axis, factor, rest, guard->in);
        }
    }
}

/* An axis that runs backwards meets its bounds from the other side. */
static void mirror_cuts(Axis *axis) {
    for (int i = 0; i < axis->n_cuts / 2; i++) {
        int64_t t = axis->cuts[i];
        axis->cuts[i] = axis->cuts[axis->n_cuts - 1 - i];
        axis->cuts[axis->n_cuts - 1 - i] = t;
    }
    for (int i = 0; i < axis->n_cuts; i++) axis->cuts[i] = axis->size - axis->cuts[i];
}

/* Windows of few points are spelt out where guards ask which of them count. */
static void unroll_windows(Scheduler *c) {
    int64_t points = 1;
    for (int a = c->s.n_outputs; a < c->s.n_axes; a++) {
        bool guarded = false;
        for (int g = 0; g < c->facts->guards.n; g++) guarded |= guard_uses(&c->facts->guards.at[g], &c->s.axes[a]);
        if (!guarded || a == c->s.lane) continue;
        if (points * c->s.axes[a].size > UNROLLED_POINTS) continue;
        points *= c->s.axes[a].size;
        c->s.axes[a].unrolled = true;
    }
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static bool reduces_products(const TileNest *nest) {
    for (int r = 0; nest->unit && r < nest->unit->reductions.n; r++) {
        Op op = nest->unit->reductions.at[r]->instr->op;
        if (op == OP_DOT || op == OP_CONVOLUTION) return true;
    }
    return false;
}

Schedule schedule_nest(const Target *target, IndexPool *pool, const NestFacts *facts) {
    Scheduler c = {.target = target, .pool = pool, .facts = facts, .contracts = reduces_products(facts->nest)};
    c.s = (Schedule){.form = FORM_MAP,
                     .lane = -1,
                     .lanes = 1,
                     .turn = -1,
                     .rows = -1,
                     .total = facts->widest > 4 ? 32 : 64,
                     .name = "map"};
    list_axes(&c);
    collapse_axes(&c);
    int lanes = target_lanes(target, facts->widest);
    if (lanes > 1) c.s.lane = choose_lane(&c);
    if (c.s.lane >= 0) c.s.lanes = lanes;
    if (facts->nest->unit && facts->nest->unit->scan) schedule_scan(&c);
    else if (c.s.lane >= 0) {
        if (c.s.lane >= c.s.n_outputs) lanes_along_reduced(&c);
        else if (facts->nest->unit) lanes_along_output(&c);
        else {
            c.s.lane = move_axis(&c, c.s.lane, c.s.n_outputs - 1);
            choose_turn(&c);
        }
    }
    unroll_windows(&c);
    cut_axes(&c);
    if (c.s.form == FORM_SCAN && facts->nest->unit->reverse) mirror_cuts(&c.s.axes[c.s.n_outputs - 1]);
    return c.s;
}
