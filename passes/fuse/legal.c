#include "passes/fuse/planner.h"

/* Which variables of the root may be tiled when a member is staged (tile-programs.md section 2). */

enum { MIN_ROWS = 8 }; /* rows of a tile of a contraction, at least */

typedef struct {
    const TileNest *root;
    uint64_t found;
} RootVars;

static void note_root_var(const Index *variable, void *context) {
    RootVars *r = context;
    for (int i = 0; i < r->root->n_vars && i < 64; i++)
        if (r->root->vars[i] == variable) r->found |= (uint64_t)1 << i;
}

uint64_t root_vars_in(const TileNest *root, const Index *e) {
    RootVars r = {root, 0};
    index_walk_variables(e, note_root_var, &r);
    return r.found;
}

static uint64_t root_vars_of(const TileNest *nest, const Index *var) {
    uint64_t found = 0;
    for (int i = 0; i < nest->n_vars; i++)
        for (int p = 0; nest->vars[i] == var && p < nest->paths[i].at.n; p++)
            found |= root_vars_in(nest->group->root, nest->paths[i].at.at[p]);
    return found;
}

void forbid_tiles(TileNest *nest, const Index *var) {
    nest->group->outer_vars &= ~root_vars_of(nest, var);
}

bool may_forbid_tiles(const TileNest *nest, const Index *var) {
    const TileGroup *group = nest->group;
    uint64_t left = group->outer_vars & ~root_vars_of(nest, var);
    for (int i = 0; i < group->nests.n; i++)
        if (group->nests.at[i]->kind == NEST_STAGE && !left) return false;
    return true;
}

/* Root variables that some variable of nest follows linearly wherever it is read, and that occur nowhere under a
 * division. */
static uint64_t followed(Planner *planner, const TileNest *nest) {
    const TileNest *root = nest->group->root;
    uint64_t found = 0, excluded = 0;
    for (int i = 0; i < nest->n_vars; i++) {
        const TilePaths *paths = &nest->paths[i];
        uint64_t always = paths->any || !paths->at.n ? 0 : ~(uint64_t)0;
        for (int p = 0; p < paths->at.n; p++) {
            uint64_t here = root_vars_in(root, paths->at.at[p]);
            always &= here;
            for (int v = 0; v < root->n_vars && v < 64; v++) {
                int64_t factor;
                if (here >> v & 1 &&
                    !(index_linear_in(planner->pool, paths->at.at[p], root->vars[v], &factor, NULL) && factor))
                    excluded |= (uint64_t)1 << v;
            }
        }
        found |= always;
    }
    return found & ~excluded;
}

/* How many elements of variable i of nest one tile covers when each outer variable has `rows` elements. */
static int64_t tile_width(Planner *planner, const TileNest *nest, int i, uint64_t outer, int64_t rows, bool *halo) {
    const TileNest *root = nest->group->root;
    const TilePaths *paths = &nest->paths[i];
    Interval span = {0, 0};
    int64_t step = 0, reach = 0;
    if (paths->any) return nest->sizes[i];
    for (int p = 0; p < paths->at.n; p++) {
        const Index *rest = paths->at.at[p];
        int64_t factor;
        reach = 0;
        for (int v = 0; v < root->n_vars && v < 64; v++) {
            if (!(outer >> v & 1) || !index_linear_in(planner->pool, rest, root->vars[v], &factor, &rest) || !factor)
                continue;
            int64_t n = rows < root->sizes[v] ? rows : root->sizes[v];
            step = factor < 0 ? -factor : factor;
            reach += step * (n - 1);
        }
        Interval range = index_range(nest->group->domain, index_simplify(nest->group->domain, rest));
        range.high = range.high > INT64_MAX - reach ? INT64_MAX : range.high + reach;
        span = p ? interval_union(span, range) : range;
    }
    int64_t width = interval_count(span);
    if (step && width - reach > step) *halo = true;
    return width < nest->sizes[i] ? width : nest->sizes[i];
}

static double tile_bytes(Planner *planner, const TileNest *nest, const Shape *shape, uint64_t outer, int64_t rows,
                         bool *halo) {
    double bytes = dtype_bytes(shape->dtype);
    for (int i = 0; i < nest->n_vars; i++) bytes *= (double)tile_width(planner, nest, i, outer, rows, halo);
    return bytes;
}

/* Bytes of a contraction's operands that every tile reads again because no outer variable occurs in them. */
static double reread_bytes(Planner *planner, const TileNest *nest, Instr *contraction, uint64_t outer) {
    const Access *access = access_of(planner->context->access, contraction);
    double bytes = 0;
    for (int k = 0; access && k < 2; k++) {
        bool moves = false;
        for (int d = 0; d < access->n_dims; d++) {
            const Index *dim = index_dim(planner->pool, d);
            bool used = false;
            for (int i = 0; i < access->operands[k].n_index; i++) used |= index_uses(access->operands[k].index[i], dim);
            for (int i = 0; used && i < nest->n_vars; i++)
                for (int p = 0; p < nest->paths[i].at.n; p++)
                    moves |= nest->group->variables.at[nest->vars[i]->value].dim == d &&
                             (root_vars_in(nest->group->root, nest->paths[i].at.at[p]) & outer);
        }
        if (!moves) bytes += (double)shape_bytes(contraction->operands[k]->shape);
    }
    return bytes;
}

/* The contraction below instr with nothing stored between, or NULL. */
static Instr *contraction_below(const Planner *planner, Instr *instr) {
    for (int depth = 0; depth < 64; depth++) {
        Instr *reduction = reduction_of(instr), *next = NULL;
        if (reduction) return op_element(reduction->op) == ELEMENT_contract ? reduction : NULL;
        for (int k = 0; k < instr->n_operands && !next; k++) {
            const Plan *plan = plan_of(planner, instr->operands[k]);
            if (plan->storage == STORAGE_NONE && plan->contracts) next = instr->operands[k];
        }
        if (!next) return NULL;
        instr = next;
    }
    return NULL;
}

/* Whether the tile of variable i of nest is all of it, in every tile of the root's. */
static bool reads_all(const TileNest *nest, int i) {
    const TilePaths *paths = &nest->paths[i];
    Interval read = {INT64_MAX, INT64_MIN};
    for (int p = 0; p < paths->at.n; p++)
        read = interval_union(read, index_range(nest->group->domain, paths->at.at[p]));
    return paths->any || (read.low <= 0 && read.high >= nest->sizes[i] - 1);
}

/* A running reduction starts at the first element and keeps every one: its tile is all of the dim along which it runs.
 */
static bool keep_scan_whole(TileNest *nest, const TileMember *member, uint64_t *outer) {
    WindowScan scan;
    Instr *reduction = reduction_of(member->instr);
    if (!reduction || !window_scan(reduction, &scan)) return true;
    for (int i = 0; i < nest->n_vars; i++) {
        if (nest->group->variables.at[nest->vars[i]->value].dim != scan.dim) continue;
        if (!reads_all(nest, i)) return false;
        *outer &= ~root_vars_of(nest, nest->vars[i]);
    }
    return true;
}

bool stage_is_legal(Planner *planner, TileNest *nest, const TileMember *member) {
    TileGroup *group = nest->group;
    const FuseContext *context = planner->context;
    uint64_t outer = group->outer_vars & followed(planner, nest);
    if (!keep_scan_whole(nest, member, &outer) || !outer) return false;
    bool halo = false;
    int64_t rows = plan_of(planner, member->instr)->contracts ? MIN_ROWS : 1;
    double bytes = tile_bytes(planner, nest, element_shape(member->instr), outer, rows, &halo);
    if (bytes > (double)context->l2_bytes / 2) return false;
    nest->has_halo = halo;
    if (halo && member->cost > EXPENSIVE) return false;
    Instr *contraction = contraction_below(planner, member->instr);
    if (contraction && reread_bytes(planner, nest, contraction, outer) > (double)context->l2_bytes / 2) return false;
    group->outer_vars = outer;
    return true;
}

bool covers_once(const TileNest *nest) {
    const TileNest *root = nest->group->root;
    uint64_t seen = 0;
    for (int i = 0; i < nest->n_vars; i++) {
        if (nest->sizes[i] == 1) continue;
        if (nest->paths[i].any || nest->paths[i].at.n != 1) return false;
        const Index *e = nest->paths[i].at.at[0];
        if (e->kind != INDEX_DIM) return false;
        if (interval_count(nest->group->domain->dims.at[e->value]) != nest->sizes[i]) return false;
        uint64_t vars = root_vars_in(root, e);
        if (vars & seen) return false;
        seen |= vars;
    }
    return true;
}
