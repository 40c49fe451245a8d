#include "ir/index.h"

/* Domains and the ranges of expressions over them (indexing.md 1.5). */

IndexDomain *index_domain_new(IndexPool *pool) {
    IndexDomain *domain = NEW(pool->arena, IndexDomain);
    domain->pool = pool;
    return domain;
}

const Index *index_domain_dim(IndexDomain *domain, Interval range) {
    vec_push(domain->pool->arena, &domain->dims, range);
    return index_dim(domain->pool, domain->dims.n - 1);
}

const Index *index_domain_sym(IndexDomain *domain, Interval range) {
    vec_push(domain->pool->arena, &domain->syms, range);
    return index_sym(domain->pool, domain->syms.n - 1);
}

void index_domain_changed(IndexDomain *domain) {
    domain->simplified = domain->kept = domain->ranges = (KeyTable){0};
}

static const Interval everything = {INT64_MIN, INT64_MAX};

static Interval binary_range(IndexKind kind, Interval a, Interval b) {
    switch (kind) {
    case INDEX_ADD:
        return interval_add(a, b);
    case INDEX_MUL:
        return interval_mul(a, b);
    case INDEX_MIN:
        return interval_min(a, b);
    case INDEX_MAX:
        return interval_max(a, b);
    case INDEX_MOD:
        return interval_is_point(b) && b.low > 0 ? interval_mod(a, b.low) : everything;
    case INDEX_FLOORDIV:
        return interval_is_point(b) && b.low != 0 ? interval_floordiv(a, b.low) : everything;
    case INDEX_CEILDIV:
        return interval_is_point(b) && b.low != 0 ? interval_ceildiv(a, b.low) : everything;
    case INDEX_DIM:
    case INDEX_SYM:
    case INDEX_CONST:
        break;
    }
    return everything;
}

Interval index_range(IndexDomain *domain, const Index *e) {
    switch (e->kind) {
    case INDEX_CONST:
        return (Interval){e->value, e->value};
    case INDEX_DIM:
        return e->value < domain->dims.n ? domain->dims.at[e->value] : everything;
    case INDEX_SYM:
        return e->value < domain->syms.n ? domain->syms.at[e->value] : everything;
    case INDEX_ADD:
    case INDEX_MUL:
    case INDEX_MOD:
    case INDEX_FLOORDIV:
    case INDEX_CEILDIV:
    case INDEX_MIN:
    case INDEX_MAX:
        break;
    }
    const Interval *known = key_table_get(&domain->ranges, e->serial + 1ull);
    if (known) return *known;
    Interval *range = NEW(domain->pool->arena, Interval);
    *range = binary_range(e->kind, index_range(domain, e->lhs), index_range(domain, e->rhs));
    const Interval *narrowed = domain->has_narrowed ? key_table_get(&domain->narrowed, e->serial + 1ull) : NULL;
    if (narrowed) *range = interval_intersect(*range, *narrowed);
    key_table_put(domain->pool->arena, &domain->ranges, e->serial + 1ull, range);
    return *range;
}
