#include "ir/index.h"

/* Simplification over a domain: the rewrites of indexing.md 4.4 to 4.6. Both dialects share them; they differ in what
 * the constructors fold, in the canonical form between steps (C), and in what becomes of constants under mod and
 * floordiv. */

/* --- one step ---------------------------------------------------------------------------------------------------- */

typedef struct {
    IndexDomain *domain;
    IndexPool *pool;
    bool keep_points;
} Simplifier;

typedef VEC(const Index *) Summands;

static const Index *once(const Simplifier *s, const Index *e);
static const Index *fixpoint(const Simplifier *s, const Index *e);

/* The value of e when its range is a point. */
static bool point(const Simplifier *s, const Index *e, int64_t *value) {
    Interval range = index_range(s->domain, e);
    *value = range.low;
    return interval_is_point(range);
}

static void flatten(const Simplifier *s, Summands *out, const Index *e) {
    if (e->kind == INDEX_ADD) {
        flatten(s, out, e->lhs);
        flatten(s, out, e->rhs);
    } else {
        vec_push(s->pool->arena, out, e);
    }
}

/* x and c of x * c, where c may be any expression with one value. */
static const Index *peel(const Simplifier *s, const Index *e, int64_t *factor) {
    if (e->kind == INDEX_MUL && point(s, e->rhs, factor)) return e->lhs;
    *factor = 1;
    return e;
}

static const Index *sum_of(const Simplifier *s, const Summands *summands) {
    const Index *sum = index_const(s->pool, 0);
    for (int i = 0; i < summands->n; i++) sum = index_add(s->pool, sum, summands->at[i]);
    return sum;
}

static IndexSplit split_by_gcd(const Simplifier *s, const Index *e) {
    Summands all = {0}, multiplied = {0}, rest = {0};
    flatten(s, &all, e);
    int64_t gcd = 0, factor;
    int n = 0;
    for (int i = 0; i < all.n; i++) {
        if (all.at[i]->kind != INDEX_MUL) continue;
        peel(s, all.at[i], &factor);
        if (factor == 1) continue;
        gcd = n++ ? gcd_of(gcd, factor) : factor;
    }
    if (gcd == 0 || gcd == 1) return (IndexSplit){1, index_const(s->pool, 0), e};
    for (int i = 0; i < all.n; i++) {
        const Index *base = peel(s, all.at[i], &factor);
        if (all.at[i]->kind == INDEX_MUL && factor != 1)
            vec_push(s->pool->arena, &multiplied, index_times(s->pool, base, factor / gcd));
        else
            vec_push(s->pool->arena, &rest, all.at[i]);
    }
    return (IndexSplit){gcd, sum_of(s, &multiplied), sum_of(s, &rest)};
}

static const Index *simplify_mul(const Simplifier *s, const Index *e) {
    int64_t k;
    if (!point(s, e->rhs, &k)) return e;
    const Index *x = once(s, e->lhs);
    if (x->kind == INDEX_ADD) {
        Summands summands = {0};
        flatten(s, &summands, x);
        for (int i = 0; i < summands.n; i++) summands.at[i] = index_times(s->pool, summands.at[i], k);
        return sum_of(s, &summands);
    }
    if (k == 1) return x;
    return x == e->lhs && e->rhs->kind == INDEX_CONST ? e : index_times(s->pool, x, k);
}

/* The terms of a sum: distinct bases with the total of their factors. */
typedef struct {
    const Index *base;
    int64_t factor;
} Term;
typedef VEC(Term) Terms;

static void add_term(const Simplifier *s, Terms *terms, const Index *base, int64_t factor) {
    if (base->kind == INDEX_CONST) { /* constants gather in one term, whatever their factors */
        factor = wrapping_mul(factor, base->value);
        base = index_const(s->pool, 1);
    }
    for (int i = 0; i < terms->n; i++) {
        if (terms->at[i].base != base) continue;
        terms->at[i].factor = wrapping_add(terms->at[i].factor, factor);
        return;
    }
    vec_push(s->pool->arena, terms, (Term){base, factor});
}

/* Whether a and b differ by a constant multiple of c: *apart is a - b. */
static bool differ_by_multiple(const Simplifier *s, const Index *a, const Index *b, int64_t c, int64_t *apart) {
    const Index *difference = fixpoint(s, index_sub(s->pool, a, b));
    *apart = difference->value;
    return difference->kind == INDEX_CONST && difference->value % c == 0;
}

/* (x mod c) * m + (x floordiv c) * c * m is x * m; also when the division is of x plus a multiple of c. */
static void merge_mods(const Simplifier *s, Terms *terms, Terms *mods, Terms *divs) {
    for (int i = 0; i < mods->n; i++) {
        const Index *mod = mods->at[i].base;
        int64_t c;
        if (!point(s, mod->rhs, &c) || c <= 0) continue;
        const Index *quotient = fixpoint(s, index_over(s->pool, mod->lhs, c));
        for (int k = 0; k < divs->n; k++) {
            const Index *div = divs->at[k].base;
            int64_t apart = 0, divisor;
            if (divs->at[k].factor == 0 || divs->at[k].factor != wrapping_mul(c, mods->at[i].factor)) continue;
            if (div != quotient && !(point(s, div->rhs, &divisor) && divisor == c && div->lhs != mod->lhs &&
                                     differ_by_multiple(s, div->lhs, mod->lhs, c, &apart)))
                continue;
            add_term(s, terms, mod->lhs, mods->at[i].factor);
            if (apart) add_term(s, terms, index_const(s->pool, apart), mods->at[i].factor);
            mods->at[i].factor = divs->at[k].factor = 0;
            break;
        }
    }
}

/* -(x floordiv c) * c is (x mod c) - x. */
static void divs_to_mods(const Simplifier *s, Terms *terms, Terms *mods, Terms *divs) {
    for (int i = 0; i < divs->n; i++) {
        const Index *div = divs->at[i].base;
        int64_t c, k = divs->at[i].factor;
        if (k >= 0 || !point(s, div->rhs, &c) || c <= 0 || k % c != 0) continue;
        Summands summands = {0};
        flatten(s, &summands, div->lhs);
        for (int j = 0; j < summands.n; j++) {
            int64_t factor;
            const Index *base = peel(s, summands.at[j], &factor);
            add_term(s, terms, base, wrapping_mul(factor, k / c));
        }
        add_term(s, mods, index_modulo(s->pool, div->lhs, c), -(k / c));
        divs->at[i].factor = 0;
    }
}

static const Index *build_sum(const Simplifier *s, const Terms *terms) {
    Summands parts = {0};
    for (int i = 0; i < terms->n; i++) {
        const Index *part = index_times(s->pool, terms->at[i].base, terms->at[i].factor);
        int at = parts.n;
        vec_push(s->pool->arena, &parts, part);
        for (; at > 0 && index_compare(part, parts.at[at - 1]) < 0; at--) parts.at[at] = parts.at[at - 1];
        parts.at[at] = part;
    }
    return sum_of(s, &parts);
}

static const Index *simplify_add(const Simplifier *s, const Index *e) {
    Summands summands = {0};
    Terms terms = {0}, mods = {0}, divs = {0};
    flatten(s, &summands, e);
    for (int i = 0; i < summands.n; i++) {
        int64_t factor;
        const Index *simple = once(s, summands.at[i]);
        const Index *base = peel(s, simple, &factor);
        add_term(s, base->kind == INDEX_MOD ? &mods : base->kind == INDEX_FLOORDIV ? &divs : &terms, base, factor);
    }
    if (divs.n) {
        merge_mods(s, &terms, &mods, &divs);
        divs_to_mods(s, &terms, &mods, &divs);
    }
    for (int i = 0; i < mods.n; i++) add_term(s, &terms, mods.at[i].base, mods.at[i].factor);
    for (int i = 0; i < divs.n; i++) add_term(s, &terms, divs.at[i].base, divs.at[i].factor);
    return build_sum(s, &terms);
}

/* Rule c3: summands that m divides vanish; the constants leave their residue. */
static const Index *drop_multiples(const Simplifier *s, const Index *x, int64_t m) {
    Summands all = {0}, kept = {0};
    flatten(s, &all, x);
    int64_t constant = 0, factor;
    bool dropped = false;
    for (int i = 0; i < all.n; i++) {
        if (all.at[i]->kind == INDEX_CONST) {
            constant = wrapping_add(constant, all.at[i]->value);
            continue;
        }
        peel(s, all.at[i], &factor);
        if (all.at[i]->kind == INDEX_MUL && factor % m == 0) dropped = true;
        else vec_push(s->pool->arena, &kept, all.at[i]);
    }
    int64_t residue = s->pool->dialect_c ? floor_mod(constant, m) : constant % m;
    if (!dropped && residue == constant) return x;
    if (residue) vec_push(s->pool->arena, &kept, index_const(s->pool, residue));
    return sum_of(s, &kept);
}

/* Rule c4: y * g + rest, with g sharing a divisor with m. NULL: does not apply. */
static const Index *split_mod(const Simplifier *s, const Index *x, int64_t m) {
    IndexSplit split = split_by_gcd(s, x);
    if (split.gcd == 1 || m % split.gcd != 0) return NULL;
    Interval rest = index_range(s->domain, split.rest);
    int64_t g = split.gcd < 0 ? -split.gcd : split.gcd;
    if (rest.low == 0 && rest.high == 0) {
        const Index *y = index_times(s->pool, split.multiplied, split.gcd / g);
        if (y->kind == INDEX_MUL || split.gcd < 0) y = fixpoint(s, y);
        return index_times(s->pool, index_modulo(s->pool, y, m / g), g);
    }
    if (rest.low < 0 || rest.high >= g) return NULL;
    const Index *whole = index_times(s->pool, split.multiplied, split.gcd);
    return index_add(s->pool, index_modulo(s->pool, whole, m), split.rest);
}

static const Index *simplify_mod(const Simplifier *s, const Index *e) {
    int64_t m;
    if (!point(s, e->rhs, &m)) return e;
    if (m == 0) return index_const(s->pool, 0);
    const Index *x = once(s, e->lhs);
    if (m < 0) return x == e->lhs ? e : index_modulo(s->pool, x, m);
    Interval range = index_range(s->domain, x);
    int64_t offset, top;
    if (range.low != INT64_MIN && range.high != INT64_MAX &&
        !multiply_overflows(-m, floor_div(range.low, m), &offset) &&
        !__builtin_add_overflow(range.high, offset, &top) && top < m)
        return index_plus(s->pool, x, offset);
    int64_t a;
    const Index *y = peel(s, x, &a);
    if (x->kind == INDEX_MUL && a > 1 && m % a == 0)
        return index_times(s->pool, index_modulo(s->pool, y, m / a), a);
    const Index *kept = drop_multiples(s, x, m);
    if (kept != x) return index_modulo(s->pool, kept, m);
    const Index *split = split_mod(s, x, m);
    if (split) return split;
    return x == e->lhs && e->rhs->kind == INDEX_CONST ? e : index_modulo(s->pool, x, m);
}

/* One plain floordiv among the summands: (y floordiv c + others) floordiv d is (y + others * c) floordiv (c * d). */
static const Index *merge_inner_div(const Simplifier *s, const Index *numerator, int64_t *d) {
    Summands all = {0};
    flatten(s, &all, numerator);
    int at = -1, n = 0;
    int64_t c = 0, inner;
    for (int i = 0; i < all.n; i++) {
        if (all.at[i]->kind != INDEX_FLOORDIV || !point(s, all.at[i]->rhs, &inner) || inner <= 0) continue;
        at = i;
        c = inner;
        n++;
    }
    int64_t product;
    if (n != 1 || multiply_overflows(*d, c, &product)) return numerator;
    const Index *y = all.at[at]->lhs;
    for (int i = at; i + 1 < all.n; i++) all.at[i] = all.at[i + 1];
    all.n--;
    *d = product;
    return index_add(s->pool, y, index_times(s->pool, sum_of(s, &all), c));
}

/* What divide_sum works on: numerator floordiv d + extracted. */
typedef struct {
    const Index *numerator, *extracted;
    int64_t d;
} Quotient;

/* Summands that d divides leave the numerator; in dialect C constants do too, but for their residue. */
static Quotient extract_multiples(const Simplifier *s, const Index *x, int64_t d) {
    Summands all = {0}, whole = {0}, rest = {0};
    flatten(s, &all, x);
    for (int i = 0; i < all.n; i++) {
        int64_t factor;
        const Index *base = peel(s, all.at[i], &factor);
        if (all.at[i]->kind == INDEX_MUL && factor % d == 0) {
            vec_push(s->pool->arena, &whole, index_times(s->pool, base, factor / d));
        } else if (all.at[i]->kind == INDEX_CONST && s->pool->dialect_c) {
            vec_push(s->pool->arena, &whole, index_const(s->pool, floor_div(all.at[i]->value, d)));
            vec_push(s->pool->arena, &rest, index_const(s->pool, floor_mod(all.at[i]->value, d)));
        } else {
            vec_push(s->pool->arena, &rest, all.at[i]);
        }
    }
    return (Quotient){sum_of(s, &rest), sum_of(s, &whole), d};
}

/* (y * g + rest) floordiv d, divided by what g and d have in common: the rest must be small, or a constant. */
static void reduce_quotient(const Simplifier *s, Quotient *q) {
    IndexSplit split = split_by_gcd(s, q->numerator);
    if (split.gcd == 1) return;
    int64_t h = gcd_of(q->d, split.gcd), p;
    if (h == 1) return;
    Interval range = index_range(s->domain, split.rest);
    const Index *constant = NULL;
    if (range.low >= 0 && range.high < h) {
        constant = index_const(s->pool, 0);
    } else if (point(s, split.rest, &p) && p != 0) {
        int64_t shared = gcd_of(p, h);
        if (shared == 1 && floor_mod(p, q->d) >= h)
            return; /* else what is left of p does not reach the next multiple */
        if (shared != 1) h = shared;
        constant = index_const(s->pool, floor_div(p, h));
    }
    if (!constant) return;
    q->numerator = index_add(s->pool, index_times(s->pool, split.multiplied, split.gcd / h), constant);
    q->d /= h;
}

/* Rule d3. NULL: nothing changed. */
static const Index *divide_sum(const Simplifier *s, const Index *x, int64_t d) {
    Quotient q = extract_multiples(s, x, d);
    reduce_quotient(s, &q);
    q.numerator = merge_inner_div(s, q.numerator, &q.d);
    if (q.numerator == x) return NULL;
    return index_add(s->pool, index_over(s->pool, q.numerator, q.d), q.extracted);
}

static const Index *simplify_div(const Simplifier *s, const Index *e) {
    int64_t d, k;
    const Index *x = once(s, e->lhs);
    if (!point(s, e->rhs, &d)) {
        const Index *rhs = once(s, e->rhs);
        return x == e->lhs && rhs == e->rhs ? e : index_binary(s->pool, e->kind, x, rhs);
    }
    if (d > 1 && e->kind == INDEX_FLOORDIV) {
        if (x->kind == INDEX_MOD && point(s, x->rhs, &k) && k > 0 && k % d == 0)
            return index_modulo(s->pool, index_over(s->pool, x->lhs, d), k / d);
        if (x->kind == INDEX_FLOORDIV && point(s, x->rhs, &k) && k != 0) {
            int64_t product;
            if (!multiply_overflows(k, d, &product)) return index_over(s->pool, x->lhs, product);
        }
        const Index *divided = divide_sum(s, x, d);
        if (divided) return divided;
    }
    return x == e->lhs ? e : index_binary(s->pool, e->kind, x, index_const(s->pool, d));
}

static const Index *simplify_extremum(const Simplifier *s, const Index *e) {
    if (e->lhs == e->rhs) return e->lhs;
    Interval a = index_range(s->domain, e->lhs), b = index_range(s->domain, e->rhs);
    bool min = e->kind == INDEX_MIN;
    if (interval_at_most(a, b) == KNOWN_TRUE) return min ? e->lhs : e->rhs;
    if (interval_at_most(b, a) == KNOWN_TRUE) return min ? e->rhs : e->lhs;
    const Index *lhs = once(s, e->lhs), *rhs = once(s, e->rhs);
    return lhs == e->lhs && rhs == e->rhs ? e : index_binary(s->pool, e->kind, lhs, rhs);
}

static const Index *once(const Simplifier *s, const Index *e) {
    if (e->kind == INDEX_CONST) return e;
    int64_t value;
    if (!s->keep_points && point(s, e, &value)) return index_const(s->pool, value);
    switch (e->kind) {
    case INDEX_ADD:
        return simplify_add(s, e);
    case INDEX_MUL:
        return simplify_mul(s, e);
    case INDEX_MOD:
        return simplify_mod(s, e);
    case INDEX_FLOORDIV:
    case INDEX_CEILDIV:
        return simplify_div(s, e);
    case INDEX_MIN:
    case INDEX_MAX:
        return simplify_extremum(s, e);
    case INDEX_DIM:
    case INDEX_SYM:
    case INDEX_CONST:
        break;
    }
    return e;
}

static const Index *fixpoint(const Simplifier *s, const Index *e) {
    if (index_is_leaf(e)) return once(s, e);
    KeyTable *memo = s->keep_points ? &s->domain->kept : &s->domain->simplified;
    const Index *known = key_table_get(memo, e->serial + 1ull);
    if (known) return known;
    const Index *now = index_canonical(s->pool, e), *next;
    while ((next = once(s, now)) != now) now = index_canonical(s->pool, next);
    key_table_put(s->pool->arena, memo, e->serial + 1ull, (void *)(uintptr_t)now);
    return now;
}

const Index *index_simplify(IndexDomain *domain, const Index *e) {
    Simplifier s = {domain, domain->pool, false};
    return fixpoint(&s, e);
}

const Index *index_simplify_keep_points(IndexDomain *domain, const Index *e) {
    Simplifier s = {domain, domain->pool, true};
    return fixpoint(&s, e);
}

IndexSplit index_split_by_gcd(IndexDomain *domain, const Index *e) {
    Simplifier s = {domain, domain->pool, false};
    return split_by_gcd(&s, e);
}
