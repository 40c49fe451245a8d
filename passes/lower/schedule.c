#include "passes/lower/schedule.h"

/* Choosing how the loops of a nest run. */

static void add_axis(Schedule *s, const Index *var, int64_t size, bool tiled, bool reduced) {
    Axis *axis = &s->axes[s->n_axes++];
    *axis = (Axis){.n_parts = 1, .size = size, .unroll = 1, .tiled = tiled, .reduced = reduced};
    axis->parts[0] = var;
    axis->sizes[0] = size;
}

/* Stride of the nest's store along var. */
static int64_t store_stride(IndexPool *pool, const NestFacts *facts, const Index *var) {
    int64_t factor = 0;
    for (int i = 0; i < facts->accesses.n; i++)
        if (facts->accesses.at[i].is_store) index_linear_in(pool, facts->accesses.at[i].subscript, var, &factor, NULL);
    return factor < 0 ? -factor : factor;
}

/* Outputs from the slowest in memory to the fastest, then the reduced axes. */
static void list_axes(Schedule *s, IndexPool *pool, const NestFacts *facts) {
    const TileNest *nest = facts->nest;
    bool taken[64] = {false};
    for (int n = 0; n < nest->n_vars; n++) {
        int best = -1;
        for (int i = 0; i < nest->n_vars; i++) {
            if (taken[i]) continue;
            if (best < 0 || store_stride(pool, facts, nest->vars[i]) > store_stride(pool, facts, nest->vars[best])) best = i;
        }
        taken[best] = true;
        if (nest->extent[best] == 1 && nest->sizes[best] == 1) continue;
        bool tiled = nest->extent[best] != nest->sizes[best];
        add_axis(s, nest->vars[best], nest->extent[best], tiled, false);
    }
    s->n_outputs = s->n_axes;
    for (int i = 0; nest->unit && i < nest->unit->n_symbols; i++)
        add_axis(s, nest->unit->symbols[i], nest->unit->sizes[i], false, true);
}

Schedule schedule_nest(const Target *target, IndexPool *pool, const NestFacts *facts) {
    Schedule s = {.form = FORM_MAP, .lane = -1, .lanes = 1, .turn = -1, .total = facts->widest > 4 ? 32 : 64, .name = "map"};
    (void)target;
    list_axes(&s, pool, facts);
    return s;
}
