#include "ir/index_map.h"

#include <string.h>

/* Making maps and asking about them. */

IndexMap *index_map_new(IndexPool *pool, int n_dims, int n_ranges, int n_rts, int n_results) {
    IndexMap *map = NEW(pool->arena, IndexMap);
    *map = (IndexMap){.pool = pool, .n_dims = n_dims, .n_ranges = n_ranges, .n_rts = n_rts, .n_results = n_results};
    map->vars = NEW_ARRAY(pool->arena, IndexVar, n_dims + n_ranges + n_rts);
    map->results = NEW_ARRAY(pool->arena, const Index *, n_results);
    return map;
}

void index_map_make_empty(IndexMap *map) {
    map->empty = true;
    map->constraints.n = 0;
    for (int i = 0; i < map->n_dims + map->n_ranges; i++) map->vars[i].bounds = (Interval){0, -1};
    for (int i = 0; i < map->n_results; i++) map->results[i] = index_const(map->pool, 0);
}

void index_map_close(IndexMap *map) {
    for (int i = 0; i < index_map_n_vars(map); i++) {
        if (interval_feasible(map->vars[i].bounds)) continue;
        index_map_make_empty(map);
        return;
    }
}

IndexMap *index_map_identity(IndexPool *pool, int rank, const int64_t *sizes) {
    IndexMap *map = index_map_new(pool, rank, 0, 0, rank);
    for (int i = 0; i < rank; i++) {
        map->vars[i].bounds = (Interval){0, sizes[i] - 1};
        map->results[i] = index_dim(pool, i);
    }
    index_map_close(map);
    return map;
}

IndexMap *index_map_copy(const IndexMap *map) {
    IndexMap *copy = index_map_new(map->pool, map->n_dims, map->n_ranges, map->n_rts, map->n_results);
    copy->empty = map->empty;
    for (int i = 0; i < index_map_n_vars(map); i++) copy->vars[i] = map->vars[i];
    for (int i = 0; i < map->n_results; i++) copy->results[i] = map->results[i];
    for (int i = 0; i < map->constraints.n; i++) vec_push(map->pool->arena, &copy->constraints, map->constraints.at[i]);
    return copy;
}

static IndexVar *variable(const IndexMap *map, const Index *e) {
    return &map->vars[e->kind == INDEX_DIM ? e->value : map->n_dims + e->value];
}

/* Bounds of a runtime variable are what its value is clamped to: they stay, and what is less becomes a constraint. */
static bool is_runtime(const IndexMap *map, const Index *e) {
    return e->kind == INDEX_SYM && e->value >= map->n_ranges;
}

static void add_constraint(IndexMap *map, const Index *expr, Interval in) {
    for (int i = 0; i < map->constraints.n; i++) {
        IndexConstraint *same = &map->constraints.at[i];
        if (same->expr != expr) continue;
        same->in = interval_intersect(same->in, in);
        if (!interval_feasible(same->in)) index_map_make_empty(map);
        return;
    }
    vec_push(map->pool->arena, &map->constraints, (IndexConstraint){expr, in});
}

void index_map_constrain(IndexMap *map, const Index *expr, Interval in) {
    if (map->empty) return;
    bool feasible = interval_feasible(in);
    if (feasible && expr->kind == INDEX_CONST) {
        feasible = interval_contains(in, expr->value);
    } else if (feasible && index_is_leaf(expr)) {
        IndexVar *var = variable(map, expr);
        Interval both = interval_intersect(var->bounds, in);
        feasible = interval_feasible(both);
        if (!is_runtime(map, expr)) var->bounds = both;
        else if (feasible && !interval_equal(both, var->bounds)) add_constraint(map, expr, in);
        feasible &= !map->empty;
    } else if (feasible) {
        add_constraint(map, expr, in);
        return;
    }
    if (!feasible) index_map_make_empty(map);
}

static bool has_constraint(const IndexMap *map, const IndexConstraint *constraint) {
    for (int i = 0; i < map->constraints.n; i++)
        if (map->constraints.at[i].expr == constraint->expr)
            return interval_equal(map->constraints.at[i].in, constraint->in);
    return false;
}

bool index_map_equal(const IndexMap *a, const IndexMap *b) {
    if (a == b || !a || !b) return a == b;
    if (a->n_dims != b->n_dims || a->n_ranges != b->n_ranges || a->n_rts != b->n_rts || a->n_results != b->n_results ||
        a->empty != b->empty || a->constraints.n != b->constraints.n)
        return false;
    for (int i = 0; i < a->n_results; i++)
        if (a->results[i] != b->results[i]) return false;
    for (int i = 0; i < index_map_n_vars(a); i++)
        if (!interval_equal(a->vars[i].bounds, b->vars[i].bounds)) return false;
    for (int i = 0; i < a->constraints.n; i++)
        if (!has_constraint(b, &a->constraints.at[i])) return false;
    return true;
}

static uint64_t hash_interval(uint64_t hash, Interval i) {
    return hash_mix(hash_mix(hash, (uint64_t)i.low), (uint64_t)i.high);
}

uint64_t index_map_hash(const IndexMap *map) {
    uint64_t hash = hash_mix((uint64_t)map->n_dims, (uint64_t)map->n_ranges), constraints = 0;
    hash = hash_mix(hash, (uint64_t)map->n_rts * 2 + map->empty);
    for (int i = 0; i < index_map_n_vars(map); i++) hash = hash_interval(hash, map->vars[i].bounds);
    for (int i = 0; i < map->n_results; i++) hash = hash_mix(hash, map->results[i]->hash);
    for (int i = 0; i < map->constraints.n; i++) /* a sum: their order does not matter */
        constraints += hash_interval(map->constraints.at[i].expr->hash, map->constraints.at[i].in);
    return hash_mix(hash, constraints);
}

IndexDomain *index_map_domain(const IndexMap *map, bool with_constraints) {
    IndexDomain *domain = index_domain_new(map->pool);
    for (int i = 0; i < map->n_dims; i++) index_domain_dim(domain, map->vars[i].bounds);
    for (int i = map->n_dims; i < index_map_n_vars(map); i++) index_domain_sym(domain, map->vars[i].bounds);
    for (int i = 0; with_constraints && i < map->constraints.n; i++) {
        IndexConstraint *constraint = &map->constraints.at[i];
        Interval *in = NEW(map->pool->arena, Interval);
        *in = constraint->in; /* constraints may be rewritten while the domain lives */
        key_table_put(map->pool->arena, &domain->narrowed, constraint->expr->serial + 1ull, in);
        domain->has_narrowed = true;
    }
    return domain;
}

int64_t index_map_evaluate(const IndexMap *map, int k, const int64_t *dims, const int64_t *symbols) {
    return index_evaluate(map->results[k], dims, symbols);
}

bool index_map_constraints_hold(const IndexMap *map, const int64_t *dims, const int64_t *symbols) {
    for (int i = 0; i < map->constraints.n; i++)
        if (!interval_contains(map->constraints.at[i].in, index_evaluate(map->constraints.at[i].expr, dims, symbols)))
            return false;
    return !map->empty;
}

void index_map_result_ranges(const IndexMap *map, bool with_constraints, Interval *ranges) {
    IndexDomain *domain = index_map_domain(map, with_constraints);
    for (int i = 0; i < map->n_results; i++) ranges[i] = index_range(domain, map->results[i]);
}

bool index_map_symbol_constrained(const IndexMap *map, int k) {
    const Index *symbol = index_sym(map->pool, k);
    for (int i = 0; i < map->constraints.n; i++)
        if (index_uses(map->constraints.at[i].expr, symbol)) return true;
    return false;
}

/* A map with the same parts, its variables spread anew: new_vars[i] says what becomes of variable i. */
static IndexMap *rearrange(const IndexMap *map, IndexMap *to, const Index *const *new_vars) {
    for (int i = 0; i < map->n_results; i++)
        to->results[i] = index_substitute(map->pool, map->results[i], map->n_dims, new_vars, index_map_n_symbols(map),
                                          new_vars + map->n_dims);
    to->empty = map->empty;
    for (int i = 0; i < map->constraints.n; i++) {
        const Index *expr = index_substitute(map->pool, map->constraints.at[i].expr, map->n_dims, new_vars,
                                             index_map_n_symbols(map), new_vars + map->n_dims);
        index_map_constrain(to, expr, map->constraints.at[i].in);
    }
    return to;
}

IndexMap *index_map_ranges_to_dims(const IndexMap *map, int n, const int *numbers) {
    IndexMap *to = index_map_new(map->pool, map->n_dims + n, map->n_ranges - n, map->n_rts, map->n_results);
    const Index **vars = NEW_ARRAY(map->pool->arena, const Index *, index_map_n_vars(map));
    int dim = map->n_dims, symbol = 0;
    for (int i = 0; i < map->n_dims; i++) {
        vars[i] = index_dim(map->pool, i);
        to->vars[i] = map->vars[i];
    }
    for (int k = 0; k < index_map_n_symbols(map); k++) {
        bool chosen = k < map->n_ranges && dim - map->n_dims < n && numbers[dim - map->n_dims] == k;
        IndexVar *var = &to->vars[chosen ? dim : to->n_dims + symbol];
        vars[map->n_dims + k] = chosen ? index_dim(map->pool, dim++) : index_sym(map->pool, symbol++);
        *var = map->vars[map->n_dims + k];
    }
    return rearrange(map, to, vars);
}

IndexMap *index_map_symbols_to_dims(const IndexMap *map) {
    int n = index_map_n_vars(map);
    IndexMap *to = index_map_new(map->pool, n, 0, 0, map->n_results);
    const Index **vars = NEW_ARRAY(map->pool->arena, const Index *, n);
    for (int i = 0; i < n; i++) {
        vars[i] = index_dim(map->pool, i);
        to->vars[i] = map->vars[i];
        if (i >= map->n_dims) to->vars[i].name = NULL;
    }
    return rearrange(map, to, vars);
}

IndexMap *index_map_result(const IndexMap *map, int k) {
    IndexMap *one = index_map_copy(map);
    one->n_results = 1;
    one->results[0] = map->results[k];
    return one;
}
