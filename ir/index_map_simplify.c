#include "ir/index_map.h"

/* Simplification of whole maps (indexing.md 4.1 to 4.3) and rescaled symbols (3.6). */

typedef VEC(IndexConstraint) Constraints;

/* Keeps the constraints that are not marked, then adds others. */
static void replace_constraints(IndexMap *map, const bool *erased, const Constraints *added) {
    int n = 0;
    for (int i = 0; i < map->constraints.n; i++)
        if (!erased[i]) map->constraints.at[n++] = map->constraints.at[i];
    map->constraints.n = n;
    for (int i = 0; i < added->n; i++) index_map_constrain(map, added->at[i].expr, added->at[i].in);
}

/* Those that always hold go, the others are simplified. Whether any changed its form, or none can hold. */
static bool simplify_constraints(IndexMap *map) {
    IndexDomain *domain = index_map_domain(map, false);
    bool *erased = NEW_ARRAY(map->pool->arena, bool, map->constraints.n);
    Constraints added = {0};
    for (int i = 0; i < map->constraints.n; i++) {
        IndexConstraint c = map->constraints.at[i];
        const Index *simple = index_simplify(domain, c.expr);
        Interval range = index_range(domain, simple);
        if (!interval_feasible(interval_intersect(range, c.in))) {
            index_map_make_empty(map);
            return true;
        }
        erased[i] = interval_includes(c.in, range) || simple != c.expr;
        if (!interval_includes(c.in, range) && simple != c.expr)
            vec_push(map->pool->arena, &added, (IndexConstraint){simple, c.in});
    }
    replace_constraints(map, erased, &added);
    return added.n > 0;
}

static Interval scale(Interval i, int64_t factor) {
    return interval_mul(i, (Interval){factor, factor});
}

/* One step of 4.2; false when none applies. */
static bool tighten_sum(IndexDomain *domain, IndexConstraint *c) {
    Interval rhs = index_range(domain, c->expr->rhs);
    if (interval_is_point(rhs)) {
        c->in = interval_subtract(c->in, rhs);
        c->expr = c->expr->lhs;
        return true;
    }
    if (c->in.low != 0) return false;
    IndexSplit split = index_split_by_gcd(domain, c->expr);
    Interval rest = index_range(domain, split.rest);
    if (split.gcd <= 1 || rest.low < 0 || rest.high >= split.gcd) return false;
    Interval quotient = interval_floordiv(interval_subtract((Interval){c->in.high, c->in.high}, rest), split.gcd);
    if (!interval_is_point(quotient)) return false;
    c->expr = index_times(domain->pool, split.multiplied, split.gcd);
    if (floor_div(c->in.high, split.gcd) != quotient.low) c->in = scale((Interval){0, quotient.low}, split.gcd);
    return true;
}

static bool tighten_product(IndexDomain *domain, IndexConstraint *c) {
    Interval k = index_range(domain, c->expr->rhs);
    if (!interval_is_point(k) || k.low == 0 || k.low == INT64_MIN) return false;
    if (k.low < 0) {
        c->in = interval_negate(c->in);
        k.low = -k.low;
    }
    c->in = (Interval){interval_ceildiv((Interval){c->in.low, c->in.low}, k.low).low,
                       interval_floordiv((Interval){c->in.high, c->in.high}, k.low).low};
    c->expr = c->expr->lhs;
    return true;
}

static bool tighten_quotient(IndexDomain *domain, IndexConstraint *c) {
    Interval k = index_range(domain, c->expr->rhs), one = {1, 1};
    if (!interval_is_point(k) || k.low == 0 || k.low == INT64_MIN) return false;
    /* q = floor(x / k): q k <= x < (q + 1) k for positive k, (q + 1) k < x <= q k for negative k. */
    Interval next = scale(interval_add(c->in, one), k.low), this = scale(c->in, k.low);
    c->in = k.low > 0 ? (Interval){this.low, interval_subtract(next, one).high}
                      : (Interval){interval_add(next, one).low, this.high};
    c->expr = c->expr->lhs;
    return true;
}

static bool tighten(IndexDomain *domain, IndexConstraint *c) {
    switch (c->expr->kind) {
    case INDEX_ADD:
        return tighten_sum(domain, c);
    case INDEX_MUL:
        return tighten_product(domain, c);
    case INDEX_FLOORDIV:
        return tighten_quotient(domain, c);
    case INDEX_MOD:
    case INDEX_CEILDIV:
    case INDEX_MIN:
    case INDEX_MAX:
    case INDEX_DIM:
    case INDEX_SYM:
    case INDEX_CONST:
        break;
    }
    return false;
}

static bool tighten_constraints(IndexMap *map) {
    if (map->empty || !map->constraints.n) return false;
    IndexDomain *domain = index_map_domain(map, false);
    bool *erased = NEW_ARRAY(map->pool->arena, bool, map->constraints.n);
    Constraints added = {0};
    for (int i = 0; i < map->constraints.n; i++) {
        IndexConstraint c = map->constraints.at[i];
        while (tighten(domain, &c)) erased[i] = true;
        if (erased[i]) vec_push(map->pool->arena, &added, c);
    }
    replace_constraints(map, erased, &added);
    return added.n > 0;
}

/* --- remainders -------------------------------------------------------------------------------------------------- */

/* lhs mod modulus = residue. */
typedef struct {
    const Index *lhs;
    int64_t modulus, residue;
    int n; /* of constraints that say so together */
} Residue;

static bool as_residue(const IndexConstraint *c, Residue *out) {
    if (c->expr->kind != INDEX_MOD || c->expr->rhs->kind != INDEX_CONST || c->expr->rhs->value <= 0 ||
        !interval_is_point(c->in))
        return false;
    *out = (Residue){c->expr->lhs, c->expr->rhs->value, c->in.low, 1};
    return true;
}

/* A variable with the bounds that its residue leaves it. */
static bool tighten_variable(IndexMap *map, const Residue *r) {
    if ((r->lhs->kind != INDEX_DIM && r->lhs->kind != INDEX_SYM) || map->empty) return false;
    IndexVar *var = &map->vars[r->lhs->value + (r->lhs->kind == INDEX_DIM ? 0 : map->n_dims)];
    Interval old = var->bounds, now = old;
    int64_t up = floor_mod(floor_mod(r->residue, r->modulus) - floor_mod(old.low, r->modulus), r->modulus);
    int64_t down = floor_mod(floor_mod(old.high, r->modulus) - floor_mod(r->residue, r->modulus), r->modulus);
    if (old.low != INT64_MIN) now.low = interval_add((Interval){old.low, old.low}, (Interval){up, up}).low;
    if (old.high != INT64_MAX)
        now.high = interval_subtract((Interval){old.high, old.high}, (Interval){down, down}).high;
    var->bounds = now;
    if (!interval_feasible(now)) index_map_make_empty(map);
    return !interval_equal(old, now);
}

/* Constraints on the remainder of one expression with equal residue become one, of the least common multiple. */
static bool merge_residues(IndexMap *map) {
    VEC(Residue) merged = {0};
    bool *erased = NEW_ARRAY(map->pool->arena, bool, map->constraints.n), changed = false;
    for (int i = 0; i < map->constraints.n; i++) {
        Residue r;
        if (!as_residue(&map->constraints.at[i], &r)) continue;
        bool found = false;
        for (int k = 0; k < merged.n && !found; k++) {
            int64_t multiple;
            if (merged.at[k].lhs != r.lhs || merged.at[k].residue != r.residue) continue;
            int64_t gcd = gcd_of(merged.at[k].modulus, r.modulus);
            if (multiply_overflows(merged.at[k].modulus / gcd, r.modulus, &multiple)) continue;
            merged.at[k].modulus = multiple;
            merged.at[k].n++;
            found = true;
        }
        if (!found) vec_push(map->pool->arena, &merged, r);
    }
    Constraints added = {0};
    for (int k = 0; k < merged.n; k++) {
        if (merged.at[k].n == 1) continue;
        for (int i = 0; i < map->constraints.n; i++) {
            Residue r;
            if (as_residue(&map->constraints.at[i], &r) && r.lhs == merged.at[k].lhs &&
                r.residue == merged.at[k].residue && merged.at[k].modulus % r.modulus == 0)
                erased[i] = true;
        }
        vec_push(map->pool->arena, &added,
                 (IndexConstraint){index_modulo(map->pool, merged.at[k].lhs, merged.at[k].modulus),
                                   {merged.at[k].residue, merged.at[k].residue}});
        changed = true;
    }
    if (changed) replace_constraints(map, erased, &added);
    for (int k = 0; k < merged.n; k++) changed |= tighten_variable(map, &merged.at[k]);
    return changed;
}

static bool simplify_results(IndexMap *map, bool keep_points) {
    if (map->empty) return false;
    IndexDomain *domain = index_map_domain(map, true);
    bool changed = false;
    for (int i = 0; i < map->n_results; i++) {
        const Index *simple = keep_points ? index_simplify_keep_points(domain, map->results[i])
                                          : index_simplify(domain, map->results[i]);
        changed |= simple != map->results[i];
        map->results[i] = simple;
    }
    return changed;
}

bool index_map_simplify(IndexMap *map, bool keep_points) {
    if (map->empty) return false;
    bool constraints_changed = false;
    for (bool again = map->constraints.n > 0; again;) {
        bool simplified = simplify_constraints(map);
        again = tighten_constraints(map) || simplified;
        constraints_changed |= again;
        if (map->empty) return true;
    }
    if (map->constraints.n) constraints_changed |= merge_residues(map);
    return simplify_results(map, keep_points) || constraints_changed;
}

/* The first constraint s mod c = k of a range that is not rescaled yet; -1: none. */
static int find_rescaling(const IndexMap *map, const bool *rescaled, Residue *r) {
    for (int i = 0; i < map->constraints.n; i++)
        if (as_residue(&map->constraints.at[i], r) && r->lhs->kind == INDEX_SYM && r->lhs->value < map->n_ranges &&
            !rescaled[r->lhs->value])
            return i;
    return -1;
}

bool index_map_rescale(IndexMap *map) {
    if (map->empty) return false;
    merge_residues(map);
    bool *rescaled = NEW_ARRAY(map->pool->arena, bool, map->n_ranges), any = false;
    const Index **symbols = NEW_ARRAY(map->pool->arena, const Index *, index_map_n_symbols(map));
    Residue r;
    for (int at; !map->empty && (at = find_rescaling(map, rescaled, &r)) >= 0; any = true) {
        int64_t s = r.lhs->value;
        IndexVar *var = &map->vars[map->n_dims + s];
        rescaled[s] = true;
        symbols[s] = index_plus(map->pool, index_times(map->pool, r.lhs, r.modulus), r.residue);
        Interval shifted = interval_subtract(var->bounds, (Interval){r.residue, r.residue});
        var->bounds = (Interval){interval_ceildiv((Interval){shifted.low, shifted.low}, r.modulus).low,
                                 interval_floordiv((Interval){shifted.high, shifted.high}, r.modulus).low};
        bool *erased = NEW_ARRAY(map->pool->arena, bool, map->constraints.n);
        Constraints added = {0};
        erased[at] = true;
        for (int i = 0; i < map->constraints.n; i++) {
            IndexConstraint c = map->constraints.at[i];
            c.expr = index_substitute(map->pool, c.expr, 0, NULL, (int)s + 1, symbols);
            if (i == at || c.expr == map->constraints.at[i].expr) continue;
            erased[i] = true;
            vec_push(map->pool->arena, &added, c);
        }
        for (int i = 0; i < map->n_results; i++)
            map->results[i] = index_substitute(map->pool, map->results[i], 0, NULL, (int)s + 1, symbols);
        symbols[s] = NULL;
        if (!interval_feasible(var->bounds)) index_map_make_empty(map);
        else replace_constraints(map, erased, &added);
    }
    return any;
}
