#include "passes/tile/tile.h"

#include "ir/kernel.h"

enum {
    CONTRACTION_ROWS = 8,
    UNIT_STRIDE_ELEMENTS = 64,
    LEAST_SHARED = 8, /* tiles for several threads */
};

typedef struct {
    const FuseContext *context;
    TileGroup *group;
    int unit_stride; /* position of the root variable that is fastest in memory */
} Tiler;

/* Stride in memory of root variable i in the lead's result, in elements. */
static int64_t store_stride(const TileGroup *group, int i) {
    const Shape *shape = element_shape(group->lead->instr);
    const TileVariable *v = &group->variables.at[group->root->vars[i]->value];
    int64_t stride = v->stride;
    for (int k = 0; k < shape->rank; k++) {
        int d = shape->layout->n_minor_to_major ? (int)shape->layout->minor_to_major[k] : shape->rank - 1 - k;
        if (d == v->dim) break;
        stride *= shape->dims[d];
    }
    return stride;
}

/* The slowest root variable in memory that may be tiled and is faster than one of stride `below`; -1: none. */
static int next_outer(const TileGroup *group, int64_t below) {
    const TileNest *root = group->root;
    int best = -1;
    for (int i = 0; i < root->n_vars && i < 64; i++) {
        if (!(group->outer_vars >> i & 1) || root->sizes[i] <= 1) continue;
        int64_t stride = store_stride(group, i);
        if (stride < below && (best < 0 || stride > store_stride(group, best))) best = i;
    }
    return best;
}

static void add_outer(Tiler *t, int var, int64_t tile) {
    TileGroup *group = t->group;
    int64_t size = group->root->sizes[var];
    const Index *origin = index_domain_dim(group->domain, (Interval){0, size - 1});
    vec_push(t->context->arena, &group->variables, group->variables.at[group->root->vars[var]->value]);
    vec_push(t->context->arena, &group->outer, (TileOuter){var, origin, size, tile});
}

/* Outer variables from the slowest in memory to the fastest. */
static void choose_outer(Tiler *t) {
    int64_t below = INT64_MAX;
    for (int var; (var = next_outer(t->group, below)) >= 0; below = store_stride(t->group, var))
        add_outer(t, var, t->group->root->sizes[var]);
}

/* A loop over tiles for the sake of threads. Guards along its variable would have to be tested in every tile.
 * Contractions read one operand again for every tile: the smaller one, when the longest dim is cut. */
static void choose_shared(Tiler *t) {
    TileGroup *group = t->group;
    int64_t below = INT64_MAX, tile;
    TileOuter best = {-1, NULL, 0, 0};
    for (int var; (var = next_outer(group, below)) >= 0; below = store_stride(group, var)) {
        int64_t size = group->root->sizes[var];
        if (group->guarded_vars >> var & 1 || !(tile = share_tile(group, size, var == t->unit_stride))) continue;
        if (best.var < 0 || (group->has_contraction && size > best.size)) best = (TileOuter){var, NULL, size, tile};
    }
    if (best.var >= 0) add_outer(t, best.var, best.tile);
}

/* --- tiles of nests ----------------------------------------------------------------------------------------------- */

typedef struct {
    const Index *base; /* in outer origins */
    Interval reach;    /* relative to base */
} Hull;

static Hull hull_of(Tiler *t, const Index *path) {
    TileGroup *group = t->group;
    IndexPool *pool = t->context->pool;
    Hull hull = {index_const(pool, 0), {0, 0}};
    const Index *rest = path;
    int64_t low = 0, high = 0, factor;
    for (int o = 0; o < group->outer.n; o++) {
        const TileOuter *outer = &group->outer.at[o];
        const Index *var = group->root->vars[outer->var], *without;
        if (!index_linear_in(pool, rest, var, &factor, &without) || !factor) continue;
        rest = without;
        hull.base = index_add(pool, hull.base, index_times(pool, outer->origin, factor));
        if (factor > 0) high += factor * (outer->tile - 1);
        else low += factor * (outer->tile - 1);
    }
    Interval range = index_range(group->domain, index_simplify(group->domain, rest));
    hull.reach = interval_add(range, (Interval){low, high});
    hull.base = index_simplify(group->domain, hull.base);
    return hull;
}

static void tile_variable(Tiler *t, TileNest *nest, int i) {
    const TilePaths *paths = &nest->paths[i];
    Hull hull = {index_const(t->context->pool, 0), {0, nest->sizes[i] - 1}};
    bool whole = paths->any;
    for (int p = 0; p < paths->at.n && !whole; p++) {
        Hull other = hull_of(t, paths->at.at[p]);
        if (!p) hull = other;
        whole |= other.base != hull.base;
        hull.reach = interval_union(hull.reach, other.reach);
    }
    int64_t extent = interval_count(hull.reach);
    if (whole || extent >= nest->sizes[i]) {
        nest->origin[i] = index_const(t->context->pool, 0);
        nest->extent[i] = nest->sizes[i];
        return;
    }
    nest->origin[i] = index_simplify(t->group->domain, index_plus(t->context->pool, hull.base, hull.reach.low));
    nest->extent[i] = extent;
}

static void tile_root(Tiler *t, TileNest *nest) {
    for (int i = 0; i < nest->n_vars; i++) {
        nest->origin[i] = index_const(t->context->pool, 0);
        nest->extent[i] = nest->sizes[i];
    }
    for (int o = 0; o < t->group->outer.n; o++) {
        const TileOuter *outer = &t->group->outer.at[o];
        nest->origin[outer->var] = outer->origin;
        nest->extent[outer->var] = outer->tile;
    }
}

static void tile_nests(Tiler *t) {
    for (int n = 0; n < t->group->nests.n; n++) {
        TileNest *nest = t->group->nests.at[n];
        if (!nest->origin) {
            nest->origin = NEW_ARRAY(t->context->arena, const Index *, nest->n_vars + 1);
            nest->extent = NEW_ARRAY(t->context->arena, int64_t, nest->n_vars + 1);
        }
        if (nest->kind == NEST_ROOT) {
            tile_root(t, nest);
            nest->level = t->group->outer.n;
            continue;
        }
        nest->level = 0;
        for (int i = 0; i < nest->n_vars; i++) {
            tile_variable(t, nest, i);
            for (int o = 0; o < t->group->outer.n; o++)
                if (index_uses(nest->origin[i], t->group->outer.at[o].origin) && o + 1 > nest->level)
                    nest->level = o + 1;
        }
        if (nest->kind == NEST_STAGE) nest->level = t->group->outer.n;
    }
}

/* --- sizes -------------------------------------------------------------------------------------------------------- */

int64_t tile_elements(const TileNest *nest) {
    int64_t n = 1;
    for (int i = 0; i < nest->n_vars; i++) n *= nest->extent[i];
    return n;
}

/* Bytes of the part of an array in memory that the nests of one tile read more than once; 0 if only one nest reads it.
 */
static double shared_bytes(Tiler *t, const TileMember *member) {
    const TileNest *first = NULL;
    bool shared = false;
    uint64_t outer = 0;
    for (int u = 0; u < member->uses.n; u++) {
        const TileUse *use = &member->uses.at[u];
        shared |= first && use->nest != first;
        first = use->nest;
        for (int i = 0; i < element_shape(member->instr)->rank; i++)
            for (int v = 0; v < use->nest->n_vars; v++)
                if (index_uses(use->index[i], use->nest->vars[v]))
                    for (int o = 0; o < t->group->outer.n; o++)
                        for (int p = 0; p < use->nest->paths[v].at.n; p++)
                            if (index_uses(use->nest->paths[v].at.at[p],
                                           t->group->root->vars[t->group->outer.at[o].var]))
                                outer |= (uint64_t)1 << o;
    }
    if (!shared) return 0;
    double bytes = (double)shape_bytes(element_shape(member->instr));
    for (int o = 0; o < t->group->outer.n; o++)
        if (outer >> o & 1) bytes *= (double)t->group->outer.at[o].tile / (double)t->group->outer.at[o].size;
    return bytes;
}

static double footprint(Tiler *t) {
    double bytes = 0;
    for (int n = 0; n < t->group->nests.n; n++) {
        const TileNest *nest = t->group->nests.at[n];
        if (nest->kind != NEST_STAGE) continue;
        for (int k = 0; k < nest->targets.n; k++)
            bytes += (double)tile_elements(nest) * dtype_bytes(element_shape(nest->targets.at[k]->instr)->dtype);
    }
    for (int m = 0; m < t->group->members.n; m++) {
        const TileMember *member = t->group->members.at[m];
        if (member->mode == TILE_READ || !member->nest) bytes += shared_bytes(t, member);
    }
    return bytes;
}

static int64_t least_tile(const Tiler *t, const TileOuter *outer) {
    if (outer->var == t->unit_stride) return UNIT_STRIDE_ELEMENTS;
    return t->group->has_contraction && outer == &t->group->outer.at[t->group->outer.n - 1] ? CONTRACTION_ROWS : 1;
}

/* Half of it, as a multiple of the least tile; 0 when it cannot be halved. */
static int64_t halved(const Tiler *t, const TileOuter *outer) {
    int64_t least = least_tile(t, outer);
    int64_t half = ceil_div(ceil_div(outer->tile, 2), least) * least;
    return half < outer->tile ? half : 0;
}

/* When one step of an outer variable is much work already, tiles of one step serve threads and readers best. */
static void single_steps(Tiler *t) {
    enum { MUCH = 8192 };
    TileGroup *group = t->group;
    for (int o = 0; o < group->outer.n; o++) {
        int64_t before = group->outer.at[o].tile;
        if (least_tile(t, &group->outer.at[o]) > 1) return;
        group->outer.at[o].tile = 1;
        tile_nests(t);
        if (tile_elements(group->root) >= MUCH) continue;
        group->outer.at[o].tile = before;
        return;
    }
}

/* A tile of everything needs no loop. Tiles are of equal size: the last one begins earlier and computes a few elements
 * that the one before it computed too, to the same bits. */
static void keep_loops(Tiler *t) {
    TileGroup *group = t->group;
    int kept = 0;
    for (int o = 0; o < group->outer.n; o++) {
        TileOuter outer = group->outer.at[o];
        if (outer.tile >= outer.size) continue;
        int64_t least = least_tile(t, &group->outer.at[o]);
        int64_t even = ceil_div(ceil_div(outer.size, ceil_div(outer.size, outer.tile)), least) * least;
        if (even < outer.tile) outer.tile = even;
        group->domain->dims.at[outer.origin->value] = (Interval){0, outer.size - outer.tile};
        group->outer.at[kept++] = outer;
    }
    group->outer.n = kept;
    index_domain_changed(group->domain);
}

static void choose_sizes(Tiler *t) {
    TileGroup *group = t->group;
    bool strips = false, halo = false;
    for (int o = 0; o < group->outer.n; o++) strips |= group->outer.at[o].var == t->unit_stride;
    for (int n = 0; n < group->nests.n; n++) halo |= group->nests.at[n]->has_halo;
    int64_t cache = group->has_contraction || strips || halo ? t->context->l2_bytes : t->context->l1_bytes;
    double budget = (double)cache / 2;
    for (int o = 0; o < group->outer.n;) {
        tile_nests(t);
        if (footprint(t) <= budget) break;
        int64_t half = halved(t, &group->outer.at[o]);
        if (half) group->outer.at[o].tile = half;
        else o++;
    }
    single_steps(t);
    TileOuter *first = group->outer.n ? &group->outer.at[0] : NULL;
    for (int64_t half;
         first && group->shared && ceil_div(first->size, first->tile) < LEAST_SHARED && (half = halved(t, first));)
        first->tile = half;
    tile_nests(t);
    group->footprint = (int64_t)footprint(t);
}

void tile_group(const FuseContext *context, TileGroup *group) {
    Tiler t = {context, group, -1};
    for (int i = 0; i < group->root->n_vars; i++)
        if (store_stride(group, i) == 1 && group->root->sizes[i] > 1) t.unit_stride = i;
    bool staged = false;
    for (int i = 0; i < group->nests.n; i++) staged |= group->nests.at[i]->kind == NEST_STAGE;
    group->shared = context->optimise && group_is_shared(group);
    if (staged) {
        choose_outer(&t);
        choose_sizes(&t);
    } else if (group->shared) {
        choose_shared(&t);
        tile_nests(&t);
    }
    keep_loops(&t);
    tile_nests(&t);
    group->shared &= group->outer.n > 0;
    for (int i = 0, k = group->nests.n - 1; i < k; i++, k--) { /* readers were found first */
        TileNest *nest = group->nests.at[i];
        group->nests.at[i] = group->nests.at[k];
        group->nests.at[k] = nest;
    }
}
