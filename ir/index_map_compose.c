#include "ir/index_map.h"

/* Maps after one another, and maps without the variables they do not need (indexing.md 3). */

/* Symbols of the composite: ranges of the second map, of the first, runtime variables of the second, of the first. */
typedef struct {
    IndexPool *pool;
    const IndexMap *first, *second;
    IndexMap *whole;
    const Index **first_symbols, **second_symbols, **second_dims;
} Composition;

static void place(Composition *c, const IndexMap *from, int begin, int n, const Index **symbols, int *at) {
    for (int k = begin; k < begin + n; k++) {
        symbols[k] = index_sym(c->pool, *at);
        c->whole->vars[c->whole->n_dims + (*at)++] = from->vars[from->n_dims + k];
    }
}

static const Index *of_first(const Composition *c, const Index *e) {
    return index_substitute(c->pool, e, 0, NULL, index_map_n_symbols(c->first), c->first_symbols);
}

static const Index *of_second(const Composition *c, const Index *e) {
    return index_substitute(c->pool, e, c->second->n_dims, c->second_dims, index_map_n_symbols(c->second),
                            c->second_symbols);
}

IndexMap *index_map_compose(const IndexMap *first, const IndexMap *second) {
    if (!first || !second) return NULL;
    IndexPool *pool = first->pool;
    Composition c = {.pool = pool, .first = first, .second = second};
    c.whole = index_map_new(pool, first->n_dims, first->n_ranges + second->n_ranges, first->n_rts + second->n_rts,
                            second->n_results);
    c.first_symbols = NEW_ARRAY(pool->arena, const Index *, index_map_n_symbols(first));
    c.second_symbols = NEW_ARRAY(pool->arena, const Index *, index_map_n_symbols(second));
    c.second_dims = NEW_ARRAY(pool->arena, const Index *, second->n_dims);
    for (int i = 0; i < first->n_dims; i++) c.whole->vars[i] = first->vars[i];
    int at = 0;
    place(&c, second, 0, second->n_ranges, c.second_symbols, &at);
    place(&c, first, 0, first->n_ranges, c.first_symbols, &at);
    place(&c, second, second->n_ranges, second->n_rts, c.second_symbols, &at);
    place(&c, first, first->n_ranges, first->n_rts, c.first_symbols, &at);
    for (int i = 0; i < second->n_dims; i++) c.second_dims[i] = of_first(&c, first->results[i]);
    for (int i = 0; i < second->n_results; i++) c.whole->results[i] = of_second(&c, second->results[i]);
    index_map_close(c.whole);
    if (first->empty || second->empty) index_map_make_empty(c.whole);
    for (int i = 0; i < second->constraints.n; i++)
        index_map_constrain(c.whole, of_second(&c, second->constraints.at[i].expr), second->constraints.at[i].in);
    for (int i = 0; i < first->constraints.n; i++)
        index_map_constrain(c.whole, of_first(&c, first->constraints.at[i].expr), first->constraints.at[i].in);
    for (int i = 0; i < second->n_dims; i++) index_map_constrain(c.whole, c.second_dims[i], second->vars[i].bounds);
    return c.whole;
}

/* --- unused variables -------------------------------------------------------------------------------------------- */

typedef struct {
    const IndexMap *map;
    bool *used; /* by variable number */
    bool any;   /* of the variables looked at: used */
} Usage;

static int number_of(const IndexMap *map, const Index *variable) {
    return (int)variable->value + (variable->kind == INDEX_DIM ? 0 : map->n_dims);
}

static void mark_used(const Index *variable, void *context) {
    Usage *usage = context;
    usage->used[number_of(usage->map, variable)] = true;
}

static void ask_used(const Index *variable, void *context) {
    Usage *usage = context;
    usage->any |= usage->used[number_of(usage->map, variable)];
}

static bool uses_used(Usage *usage, const Index *e) {
    usage->any = false;
    index_walk_variables(e, ask_used, usage);
    return usage->any;
}

/* Variables that results use, and those that a constraint joins with them. */
static void find_used(Usage *usage, bool dims_too) {
    const IndexMap *map = usage->map;
    for (int i = 0; i < map->n_dims; i++) usage->used[i] = !dims_too;
    for (int i = 0; i < map->n_results; i++) index_walk_variables(map->results[i], mark_used, usage);
    bool *joined = NEW_ARRAY(map->pool->arena, bool, map->constraints.n);
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < map->constraints.n; i++) {
            if (joined[i] || !uses_used(usage, map->constraints.at[i].expr)) continue;
            index_walk_variables(map->constraints.at[i].expr, mark_used, usage);
            joined[i] = more = true;
        }
    }
}

static const Index **renumber(IndexMap *map, const bool *used) {
    const Index **vars = NEW_ARRAY(map->pool->arena, const Index *, index_map_n_vars(map));
    int n_vars = index_map_n_vars(map), at = 0, dims = 0, ranges = 0, rts = 0;
    for (int i = 0; i < n_vars; i++) {
        bool is_dim = i < map->n_dims, is_range = !is_dim && i < map->n_dims + map->n_ranges;
        if (!used[i]) continue;
        map->vars[at++] = map->vars[i];
        vars[i] = is_dim ? index_dim(map->pool, dims++) : index_sym(map->pool, is_range ? ranges++ : ranges + rts++);
    }
    map->n_dims = dims;
    map->n_ranges = ranges;
    map->n_rts = rts;
    return vars;
}

const bool *index_map_remove_unused(IndexMap *map, bool dims_too) {
    int n_dims = map->n_dims, n_symbols = index_map_n_symbols(map), n = n_dims + n_symbols;
    if (dims_too ? !n : !n_symbols) return NULL;
    IndexMap old = *map;
    Usage usage = {&old, NEW_ARRAY(map->pool->arena, bool, n), false};
    find_used(&usage, dims_too);
    bool *removed = NEW_ARRAY(map->pool->arena, bool, n), any = false;
    for (int i = 0; i < n; i++) any |= removed[i] = !usage.used[i];
    map->constraints.n = map->constraints.cap = 0;
    map->constraints.at = NULL;
    const Index **vars = renumber(map, usage.used);
    for (int i = 0; i < map->n_results; i++)
        map->results[i] = index_substitute(map->pool, map->results[i], n_dims, vars, n_symbols, vars + n_dims);
    /* Those that change with the numbers go behind the others. */
    for (int changed = 0; changed < 2; changed++) {
        for (int i = 0; i < old.constraints.n; i++) {
            const Index *before = old.constraints.at[i].expr;
            if (!uses_used(&usage, before)) continue;
            const Index *expr = index_substitute(map->pool, before, n_dims, vars, n_symbols, vars + n_dims);
            if ((expr != before) == changed) index_map_constrain(map, expr, old.constraints.at[i].in);
        }
    }
    return !any ? NULL : dims_too ? removed : removed + n_dims;
}
