#include "ir/index_dialect_c.h"

static bool is_const(const Index *e) {
    return e->kind == INDEX_CONST;
}

static const Index *canonical(IndexPool *pool, const Index *e) {
    return dialect_c_canonical(pool, e);
}

/* a * c for a constant c that makes it simpler, or NULL. */
static const Index *times_constant(IndexPool *pool, const Index *a, const Index *c) {
    if (c->value == 0) return c;
    if (c->value == 1) return a;
    if (a->kind != INDEX_MUL || !is_const(a->rhs)) return NULL;
    return dialect_c_raw(pool, INDEX_MUL, a->lhs, index_const(pool, wrapping_mul(a->rhs->value, c->value)));
}

const Index *dialect_c_raw(IndexPool *pool, IndexKind kind, const Index *a, const Index *b) {
    bool divides = kind == INDEX_MOD || kind == INDEX_FLOORDIV || kind == INDEX_CEILDIV;
    if (is_const(a) && is_const(b) && !(divides && b->value == 0))
        return index_const(pool, index_evaluate(index_raw(pool, kind, a, b), NULL, NULL));
    if (!divides && is_const(a)) {
        const Index *constant = a;
        a = b;
        b = constant;
    }
    if (kind == INDEX_ADD && index_is_const(b, 0)) return a;
    const Index *simple = kind == INDEX_MUL && is_const(b) ? times_constant(pool, a, b) : NULL;
    return simple ? simple : index_raw(pool, kind, a, b);
}

const Index *dialect_c_binary(IndexPool *pool, IndexKind kind, const Index *a, const Index *b) {
    if ((kind == INDEX_FLOORDIV || kind == INDEX_CEILDIV) && index_is_const(b, 1)) return a;
    if (kind == INDEX_MOD && (index_is_const(b, 1) || index_is_const(b, -1))) return index_const(pool, 0);
    return dialect_c_raw(pool, kind, a, b);
}

/* --- sums -------------------------------------------------------------------------------------------------------- */

typedef struct {
    const Index *base;
    int64_t factor;
} Term;
typedef VEC(Term) Terms;

static void add_terms(IndexPool *pool, Terms *terms, const Index *e) {
    if (e->kind == INDEX_ADD) {
        add_terms(pool, terms, e->lhs);
        add_terms(pool, terms, e->rhs);
        return;
    }
    int64_t factor = 1;
    while (e->kind == INDEX_MUL && is_const(e->rhs)) {
        factor = wrapping_mul(factor, e->rhs->value);
        e = e->lhs;
    }
    if (is_const(e)) { /* constants gather in one term */
        factor = wrapping_mul(factor, e->value);
        e = index_const(pool, 1);
    }
    for (int i = 0; i < terms->n; i++) {
        if (terms->at[i].base != e) continue;
        terms->at[i].factor = wrapping_add(terms->at[i].factor, factor);
        return;
    }
    vec_push(pool->arena, terms, (Term){e, factor});
}

/* (x floordiv c) * c * y + (x mod c) * y is x * y: the factors of the pair become 0. Whether there was such a pair. */
static bool merge_pairs(IndexPool *pool, Terms *terms) {
    bool merged = false;
    int n = terms->n;
    for (int i = 0; i < n; i++) {
        const Index *div = terms->at[i].base;
        if (div->kind != INDEX_FLOORDIV || !is_const(div->rhs) || div->rhs->value <= 0) continue;
        int64_t c = div->rhs->value, factor = terms->at[i].factor;
        if (factor == 0 || factor % c != 0) continue;
        const Index *mod = canonical(pool, index_mod(pool, div->lhs, div->rhs));
        for (int k = 0; k < n; k++) {
            if (terms->at[k].base != mod || terms->at[k].factor != factor / c) continue;
            terms->at[i].factor = terms->at[k].factor = 0;
            add_terms(pool, terms, canonical(pool, index_times(pool, div->lhs, factor / c)));
            merged = true;
            break;
        }
    }
    return merged;
}

static const Index *canonical_sum(IndexPool *pool, const Index *a, const Index *b) {
    Terms terms = {0};
    VEC(const Index *) parts = {0};
    add_terms(pool, &terms, a);
    add_terms(pool, &terms, b);
    bool merged = merge_pairs(pool, &terms);
    for (int i = 0; i < terms.n; i++) {
        if (terms.at[i].factor == 0) continue;
        const Index *part = canonical(pool, index_times(pool, terms.at[i].base, terms.at[i].factor));
        int at = parts.n;
        vec_push(pool->arena, &parts, part);
        for (; at > 0 && index_compare(part, parts.at[at - 1]) < 0; at--) parts.at[at] = parts.at[at - 1];
        parts.at[at] = part;
    }
    if (!parts.n) return index_const(pool, 0);
    const Index *sum = parts.at[0];
    for (int i = 1; i < parts.n; i++) sum = dialect_c_raw(pool, INDEX_ADD, sum, parts.at[i]);
    return merged ? canonical(pool, sum) : sum;
}

/* --- the other kinds --------------------------------------------------------------------------------------------- */

static const Index *canonical_product(IndexPool *pool, const Index *a, const Index *b) {
    const Index *simple = is_const(b) ? times_constant(pool, a, b) : NULL;
    if (simple) return is_const(simple) || simple == a ? simple : canonical(pool, simple);
    const Index *sum = a->kind == INDEX_ADD ? a : b->kind == INDEX_ADD ? b : NULL;
    if (!sum) return dialect_c_raw(pool, INDEX_MUL, a, b);
    const Index *other = sum == a ? b : a;
    return canonical(pool, index_add(pool, index_mul(pool, sum->lhs, other), index_mul(pool, sum->rhs, other)));
}

/* min and max of two that differ by a constant. */
static const Index *canonical_extremum(IndexPool *pool, IndexKind kind, const Index *a, const Index *b) {
    const Index *apart = canonical(pool, index_sub(pool, a, b));
    if (!is_const(apart)) return dialect_c_raw(pool, kind, a, b);
    return (apart->value <= 0) == (kind == INDEX_MIN) || apart->value == 0 ? a : b;
}

/* (x * c) divided by d, both reduced by their greatest common divisor; NULL: there is none. */
static const Index *reduce(IndexPool *pool, IndexKind kind, const Index *a, int64_t d) {
    if (a->kind != INDEX_MUL || !is_const(a->rhs)) return NULL;
    int64_t gcd = gcd_of(a->rhs->value, d);
    if (gcd <= 1) return NULL;
    const Index *numerator = index_times(pool, a->lhs, a->rhs->value / gcd);
    const Index *reduced = index_binary(pool, kind, numerator, index_const(pool, d / gcd));
    return canonical(pool, kind == INDEX_MOD ? index_times(pool, reduced, gcd) : reduced);
}

/* (part + rest) floordiv d where part is a constant multiple of d; NULL otherwise. */
static const Index *divide_part(IndexPool *pool, const Index *part, const Index *rest, int64_t d) {
    bool product = part->kind == INDEX_MUL && is_const(part->rhs);
    if (!product && !is_const(part)) return NULL;
    int64_t factor = product ? part->rhs->value : part->value;
    if (factor % d != 0) return NULL;
    const Index *quotient = index_times(pool, product ? part->lhs : index_const(pool, 1), factor / d);
    return canonical(pool, index_add(pool, quotient, index_over(pool, rest, d)));
}

static const Index *canonical_quotient(IndexPool *pool, IndexKind kind, const Index *a, const Index *b) {
    if (index_is_const(a, 0)) return a;
    if (!is_const(b) || b->value == 0) return dialect_c_raw(pool, kind, a, b);
    int64_t d = b->value;
    if (d == 1) return a;
    if (d == -1) return canonical(pool, index_times(pool, a, -1));
    const Index *simple = reduce(pool, kind, a, d);
    if (simple) return simple;
    if (kind == INDEX_CEILDIV) {
        if (d > 0) return canonical(pool, index_over(pool, canonical(pool, index_plus(pool, a, d - 1)), d));
        return canonical(pool, index_times(pool, index_over(pool, a, wrapping_mul(d, -1)), -1));
    }
    if (a->kind == INDEX_ADD) {
        simple = divide_part(pool, a->lhs, a->rhs, d);
        if (!simple) simple = divide_part(pool, a->rhs, a->lhs, d);
        if (simple) return simple;
    }
    return dialect_c_raw(pool, kind, a, b);
}

static const Index *canonical_remainder(IndexPool *pool, const Index *a, const Index *b) {
    if (index_is_const(a, 0)) return a;
    if (a == b) return index_const(pool, 0);
    if (!is_const(b) || b->value == 0) return dialect_c_raw(pool, INDEX_MOD, a, b);
    int64_t d = b->value;
    if (index_known_divisor(a) % d == 0) return index_const(pool, 0);
    const Index *simple = reduce(pool, INDEX_MOD, a, d);
    if (simple) return simple;
    if (a->kind == INDEX_MOD && is_const(a->rhs) && a->rhs->value != 0 && a->rhs->value % d == 0)
        return canonical(pool, index_mod(pool, a->lhs, b));
    if (a->kind == INDEX_ADD && index_known_divisor(a->lhs) % d == 0)
        return canonical(pool, index_mod(pool, a->rhs, b));
    if (a->kind == INDEX_ADD && index_known_divisor(a->rhs) % d == 0)
        return canonical(pool, index_mod(pool, a->lhs, b));
    return dialect_c_raw(pool, INDEX_MOD, a, b);
}

static const Index *canonical_node(IndexPool *pool, const Index *e) {
    const Index *a = canonical(pool, e->lhs), *b = canonical(pool, e->rhs);
    bool divides = e->kind == INDEX_MOD || e->kind == INDEX_FLOORDIV || e->kind == INDEX_CEILDIV;
    if (is_const(a) && is_const(b)) return dialect_c_raw(pool, e->kind, a, b);
    if (!divides && index_compare(b, a) < 0) {
        const Index *first = b;
        b = a;
        a = first;
    }
    switch (e->kind) {
    case INDEX_ADD:
        return canonical_sum(pool, a, b);
    case INDEX_MUL:
        return canonical_product(pool, a, b);
    case INDEX_MOD:
        return canonical_remainder(pool, a, b);
    case INDEX_FLOORDIV:
    case INDEX_CEILDIV:
        return canonical_quotient(pool, e->kind, a, b);
    case INDEX_MAX:
    case INDEX_MIN:
        return canonical_extremum(pool, e->kind, a, b);
    case INDEX_DIM:
    case INDEX_SYM:
    case INDEX_CONST:
        break;
    }
    return e;
}

const Index *dialect_c_canonical(IndexPool *pool, const Index *e) {
    if (index_is_leaf(e)) return e;
    const Index *known = key_table_get(&pool->canonical, e->serial + 1ull);
    if (known) return known;
    const Index *form = canonical_node(pool, e);
    key_table_put(pool->arena, &pool->canonical, e->serial + 1ull, (void *)(uintptr_t)form);
    return form;
}
