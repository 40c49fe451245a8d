#include "passes/fuse/planner.h"

/* Nests and units: their variables, and how they follow from the root's. */

enum { MOST_PATHS = 32 };

static const SplitHint *hint_of(const Planner *planner, const Instr *instr, int dim, bool is_symbol) {
    for (int i = 0; i < planner->hints->n; i++) {
        const SplitHint *hint = &planner->hints->at[i];
        if (hint->instr == instr && hint->dim == dim && hint->is_symbol == is_symbol) return hint;
    }
    return NULL;
}

typedef struct {
    VEC(const Index *) vars;
    VEC(int64_t) sizes;
} Variables;

/* Variables of one dim of size n, outermost piece first, and the dim's index in them. */
static const Index *new_variables(Planner *planner, TileGroup *group, const Instr *instr, int dim, bool is_symbol,
                                  int64_t n, Variables *out) {
    const SplitHint *hint = hint_of(planner, instr, dim, is_symbol);
    const Index *index = index_const(planner->pool, 0);
    int pieces = hint ? hint->inner.n + 1 : 1;
    for (int i = pieces - 1; i >= 0; i--) {
        int64_t stride = i ? hint->inner.at[i - 1] : 1, outside = i < pieces - 1 ? hint->inner.at[i] : n;
        int64_t size = n ? outside / stride : 0;
        const Index *var = index_domain_dim(group->domain, (Interval){0, size - 1});
        vec_push(planner->arena, &group->variables, (TileVariable){instr, dim, is_symbol, stride});
        vec_push(planner->arena, &out->vars, var);
        vec_push(planner->arena, &out->sizes, size);
        index = index_add(planner->pool, index, index_times(planner->pool, var, stride));
    }
    return index;
}

TileNest *nest_new(Planner *planner, TileGroup *group, TileNestKind kind, const Instr *shape_of) {
    const Shape *shape = element_shape(shape_of);
    TileNest *nest = NEW(planner->arena, TileNest);
    Variables variables = {{0}, {0}};
    const Index **index = NEW_ARRAY(planner->arena, const Index *, shape->rank + 1);
    *nest = (TileNest){.number = group->nests.n, .group = group, .kind = kind, .n_dims = shape->rank, .index = index,
                       .points = 1};
    for (int i = 0; i < shape->rank; i++)
        index[i] = new_variables(planner, group, shape_of, i, false, shape->dims[i], &variables);
    nest->n_vars = variables.vars.n;
    nest->vars = variables.vars.at;
    nest->sizes = variables.sizes.at;
    for (int i = 0; i < nest->n_vars; i++) nest->points *= (double)nest->sizes[i];
    vec_push(planner->arena, &group->nests, nest);
    nest->paths = NEW_ARRAY(planner->arena, TilePaths, nest->n_vars + 1);
    for (int i = 0; kind == NEST_ROOT && i < nest->n_vars; i++)
        vec_push(planner->arena, &nest->paths[i].at, nest->vars[i]);
    return nest;
}

TileUnit *unit_new(Planner *planner, TileNest *nest, TileMember *reduction, const Index *const *index) {
    TileGroup *group = nest->group;
    WindowScan scan;
    Instr *instr = reduction_of(reduction->instr);
    const Access *access = access_of(planner->context->access, instr);
    TileUnit *unit = NEW(planner->arena, TileUnit);
    Variables variables = {{0}, {0}};
    const Index **ranges = NEW_ARRAY(planner->arena, const Index *, access->n_ranges + 1);
    bool scans = window_scan(instr, &scan);
    for (int i = 0; i < access->n_ranges; i++) {
        if (scans && i == scan.dim) ranges[i] = index_const(planner->pool, scan.newest);
        else
            ranges[i] =
                new_variables(planner, group, instr, i, true, interval_count(access->domain->syms.at[i]), &variables);
    }
    *unit = (TileUnit){.n_symbols = variables.vars.n, .symbols = variables.vars.at, .sizes = variables.sizes.at,
                       .n_ranges = access->n_ranges, .ranges = ranges, .points = 1};
    if (scans) {
        unit->scan = index[scan.dim];
        unit->reverse = scan.reverse;
        forbid_tiles(nest, unit->scan);
    }
    for (int i = 0; i < unit->n_symbols; i++) unit->points *= (double)unit->sizes[i];
    vec_push(planner->arena, &unit->reductions, reduction);
    return unit;
}

void nest_add_target(Planner *planner, TileNest *nest, TileMember *member) {
    vec_push(planner->arena, &nest->targets, member);
    member->nest = nest;
}

static void add_path(Planner *planner, TilePaths *paths, const Index *e) {
    for (int i = 0; i < paths->at.n; i++)
        if (paths->at.at[i] == e) return;
    if (paths->at.n == MOST_PATHS) paths->any = true;
    else vec_push(planner->arena, &paths->at, e);
}

typedef struct {
    Planner *planner;
    const TileNest *reader;
    TilePaths *into;
    IndexDomain *domain;
} Composer;

/* e with the reader's variables from i on replaced by every combination of their paths. */
static void compose_paths(const Composer *c, const Index *e, int i) {
    IndexPool *pool = c->planner->pool;
    while (i < c->reader->n_vars && !index_uses(e, c->reader->vars[i])) i++;
    if (i == c->reader->n_vars) {
        add_path(c->planner, c->into, index_simplify(c->domain, e));
        return;
    }
    const TilePaths *paths = &c->reader->paths[i];
    c->into->any |= paths->any;
    for (int p = 0; p < paths->at.n && !c->into->any; p++)
        compose_paths(c, index_replace(pool, e, c->reader->vars[i], paths->at.at[p]), i + 1);
}

/* One more way in which nest is read. */
void nest_add_path(Planner *planner, TileNest *nest, const TileUse *use) {
    TileGroup *group = nest->group;
    for (int i = 0; i < nest->n_vars; i++) {
        const TileVariable *v = &group->variables.at[nest->vars[i]->value];
        const Index *e = index_over(planner->pool, use->index[v->dim], v->stride);
        if (i > 0 && group->variables.at[nest->vars[i - 1]->value].dim == v->dim)
            e = index_modulo(planner->pool, e, nest->sizes[i]); /* an inner piece */
        Composer c = {planner, use->nest, &nest->paths[i], group->domain};
        compose_paths(&c, e, 0);
    }
}

/* --- splits ------------------------------------------------------------------------------------------------------- */

static void add_hint(Planner *planner, const TileVariable *v, int64_t cut) {
    WindowScan scan;
    if (!v->is_symbol && window_scan(v->instr, &scan) && scan.dim == v->dim) return; /* it runs along one variable */
    SplitHint *hint = (SplitHint *)hint_of(planner, v->instr, v->dim, v->is_symbol);
    if (!hint) {
        vec_push(planner->arena, planner->hints, (SplitHint){v->instr, v->dim, v->is_symbol, {0}});
        hint = &planner->hints->at[planner->hints->n - 1];
    }
    int at = hint->inner.n;
    for (int i = 0; i < hint->inner.n; i++) {
        int64_t inner = hint->inner.at[i];
        if (inner == cut) return;
        if (inner % cut != 0 && cut % inner != 0) return; /* crossing cuts: one of them stays a division */
        if (inner > cut && at == hint->inner.n) at = i;
    }
    vec_push(planner->arena, &hint->inner, cut);
    for (int i = hint->inner.n - 1; i > at; i--) hint->inner.at[i] = hint->inner.at[i - 1];
    hint->inner.at[at] = cut;
    planner->new_hints = true;
}

/* Divisions of one variable (times a factor, plus smaller things) by a constant that cuts its range evenly. */
static void find_cuts(Planner *planner, TileGroup *group, const Index *e) {
    if (index_is_leaf(e)) return;
    find_cuts(planner, group, e->lhs);
    find_cuts(planner, group, e->rhs);
    if ((e->kind != INDEX_FLOORDIV && e->kind != INDEX_MOD) || e->rhs->kind != INDEX_CONST || e->rhs->value <= 1)
        return;
    if (e->lhs->kind != INDEX_DIM) return;
    int64_t c = e->rhs->value, size = interval_count(group->domain->dims.at[e->lhs->value]);
    if (size % c == 0 && c < size) {
        const TileVariable *v = &group->variables.at[e->lhs->value];
        add_hint(planner, v, v->stride * c);
    }
}

void split_hints_from(Planner *planner, TileGroup *group) {
    for (int m = 0; m < group->members.n; m++) {
        const TileMember *member = group->members.at[m];
        for (int u = 0; u < member->uses.n; u++)
            for (int i = 0; i < element_shape(member->instr)->rank; i++)
                find_cuts(planner, group, member->uses.at[u].index[i]);
    }
    for (int n = 0; n < group->nests.n; n++)
        for (int i = 0; i < group->nests.at[n]->n_vars; i++)
            for (int p = 0; p < group->nests.at[n]->paths[i].at.n; p++)
                find_cuts(planner, group, group->nests.at[n]->paths[i].at.at[p]);
}
