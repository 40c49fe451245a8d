#include "ir/index.h"

#include "ir/index_dialect_c.h"

/* Interning and construction. Folding follows MLIR's affine expressions (indexing.md 4.7, dialect A); what dialect C
 * does instead is in index_dialect_c.c. */

IndexPool *index_pool_new(Arena *arena) {
    IndexPool *pool = NEW(arena, IndexPool);
    pool->arena = arena;
    return pool;
}

static void grow(IndexPool *pool) {
    size_t capacity = pool->capacity ? 2 * pool->capacity : 256;
    const Index **slots = NEW_ARRAY(pool->arena, const Index *, capacity);
    for (size_t i = 0; i < pool->capacity; i++) {
        if (!pool->slots[i]) continue;
        size_t at = pool->slots[i]->hash & (capacity - 1);
        while (slots[at]) at = (at + 1) & (capacity - 1);
        slots[at] = pool->slots[i];
    }
    pool->slots = slots;
    pool->capacity = capacity;
}

static uint32_t tree_size(const Index *lhs, const Index *rhs) {
    uint64_t size = 1 + (lhs ? (uint64_t)lhs->size : 0) + (rhs ? (uint64_t)rhs->size : 0);
    return size < INT32_MAX ? (uint32_t)size : INT32_MAX;
}

static const Index *intern(IndexPool *pool, IndexKind kind, int64_t value, const Index *lhs, const Index *rhs) {
    if (2 * (pool->n + 1) > pool->capacity) grow(pool);
    uint64_t hash = hash_mix(hash_mix((uint64_t)kind, (uint64_t)value),
                             hash_mix(lhs ? lhs->serial + 1u : 0, rhs ? rhs->serial + 1u : 0));
    size_t at = hash & (pool->capacity - 1);
    for (; pool->slots[at]; at = (at + 1) & (pool->capacity - 1)) {
        const Index *e = pool->slots[at];
        if (e->hash == hash && e->kind == kind && e->value == value && e->lhs == lhs && e->rhs == rhs) return e;
    }
    Index *e = NEW(pool->arena, Index);
    *e = (Index){.kind = kind, .value = value, .lhs = lhs, .rhs = rhs, .hash = hash, .serial = (uint32_t)pool->n++};
    e->has_dim = kind == INDEX_DIM || (lhs && (lhs->has_dim || rhs->has_dim));
    e->size = tree_size(lhs, rhs);
    pool->slots[at] = e;
    return e;
}

const Index *index_const(IndexPool *pool, int64_t value) {
    return intern(pool, INDEX_CONST, value, NULL, NULL);
}

const Index *index_dim(IndexPool *pool, int64_t number) {
    return intern(pool, INDEX_DIM, number, NULL, NULL);
}

const Index *index_sym(IndexPool *pool, int64_t number) {
    return intern(pool, INDEX_SYM, number, NULL, NULL);
}

static bool is_const(const Index *e) {
    return e->kind == INDEX_CONST;
}

static bool is_mul_const(const Index *e) {
    return e->kind == INDEX_MUL && is_const(e->rhs);
}

/* x and c of x * c; a bare x counts as x * 1. */
static const Index *multiplied(const Index *e, int64_t *factor) {
    *factor = is_mul_const(e) ? e->rhs->value : 1;
    return is_mul_const(e) ? e->lhs : e;
}

int64_t index_known_divisor(const Index *e) {
    switch (e->kind) {
    case INDEX_CONST:
        return gcd_of(e->value, 0);
    case INDEX_ADD:
    case INDEX_MOD:
    case INDEX_MIN:
    case INDEX_MAX:
        return gcd_of(index_known_divisor(e->lhs), index_known_divisor(e->rhs));
    case INDEX_MUL: {
        int64_t product;
        if (multiply_overflows(index_known_divisor(e->lhs), index_known_divisor(e->rhs), &product)) return 1;
        return product;
    }
    case INDEX_FLOORDIV:
    case INDEX_CEILDIV: {
        if (!is_const(e->rhs) || e->rhs->value == 0) return 1;
        int64_t c = gcd_of(e->rhs->value, 0), q = index_known_divisor(e->lhs);
        return q % c == 0 ? q / c : 1;
    }
    case INDEX_DIM:
    case INDEX_SYM:
        return 1;
    }
    return 1;
}

/* x + (x floordiv q) * -q is x mod q. */
static const Index *fold_to_mod(IndexPool *pool, const Index *a, const Index *b) {
    int64_t factor;
    const Index *quotient = multiplied(b, &factor);
    if (quotient->kind != INDEX_FLOORDIV || quotient->lhs != a || !is_const(quotient->rhs)) return NULL;
    if (quotient->rhs->value <= 0 || factor != -quotient->rhs->value) return NULL;
    return index_mod(pool, a, quotient->rhs);
}

const Index *index_add(IndexPool *pool, const Index *a, const Index *b) {
    if (pool->dialect_c) return dialect_c_binary(pool, INDEX_ADD, a, b);
    int64_t sum;
    if (is_const(a) && is_const(b) && !__builtin_add_overflow(a->value, b->value, &sum)) return index_const(pool, sum);
    if ((is_const(a) && !is_const(b)) || (!a->has_dim && b->has_dim)) return index_add(pool, b, a);
    if (index_is_const(b, 0)) return a;
    if (a->kind == INDEX_ADD && is_const(a->rhs)) {
        if (is_const(b) && !__builtin_add_overflow(a->rhs->value, b->value, &sum))
            return index_add(pool, a->lhs, index_const(pool, sum));
        return index_add(pool, index_add(pool, a->lhs, b), a->rhs);
    }
    int64_t ca, cb;
    const Index *xa = multiplied(a, &ca), *xb = multiplied(b, &cb);
    if (xa == xb && !is_const(xa) && !__builtin_add_overflow(ca, cb, &sum))
        return index_mul(pool, xa, index_const(pool, sum));
    const Index *mod = fold_to_mod(pool, a, b);
    return mod ? mod : intern(pool, INDEX_ADD, 0, a, b);
}

const Index *index_mul(IndexPool *pool, const Index *a, const Index *b) {
    if (pool->dialect_c) return dialect_c_binary(pool, INDEX_MUL, a, b);
    int64_t product;
    if (is_const(a) && is_const(b) && !multiply_overflows(a->value, b->value, &product))
        return index_const(pool, product);
    if (is_const(a) && !is_const(b)) return index_mul(pool, b, a);
    if (b->has_dim && !a->has_dim) return index_mul(pool, b, a);
    if (index_is_const(b, 1)) return a;
    if (index_is_const(b, 0)) return b;
    if (is_mul_const(a)) {
        if (is_const(b) && !multiply_overflows(a->rhs->value, b->value, &product))
            return index_mul(pool, a->lhs, index_const(pool, product));
        if (!is_const(b)) return index_mul(pool, index_mul(pool, a->lhs, b), a->rhs);
    }
    return intern(pool, INDEX_MUL, 0, a, b);
}

/* floordiv (up: ceildiv) by a constant c of at least 1. */
static const Index *divide(IndexPool *pool, const Index *a, const Index *b, bool up) {
    IndexKind kind = up ? INDEX_CEILDIV : INDEX_FLOORDIV;
    if (pool->dialect_c) return dialect_c_binary(pool, kind, a, b);
    if (!is_const(b) || b->value < 1) {
        if (is_const(a) && is_const(b) && b->value < 0)
            return index_const(pool, up ? ceil_div(a->value, b->value) : floor_div(a->value, b->value));
        return intern(pool, kind, 0, a, b);
    }
    int64_t c = b->value;
    if (is_const(a)) return index_const(pool, up ? ceil_div(a->value, c) : floor_div(a->value, c));
    if (c == 1) return a;
    if (is_mul_const(a) && a->rhs->value % c == 0) return index_mul(pool, a->lhs, index_const(pool, a->rhs->value / c));
    if (a->kind == INDEX_ADD &&
        (index_known_divisor(a->lhs) % c == 0 || index_known_divisor(a->rhs) % c == 0))
        return index_add(pool, divide(pool, a->lhs, b, up), divide(pool, a->rhs, b, up));
    return intern(pool, kind, 0, a, b);
}

const Index *index_floordiv(IndexPool *pool, const Index *a, const Index *b) {
    return divide(pool, a, b, false);
}

const Index *index_ceildiv(IndexPool *pool, const Index *a, const Index *b) {
    return divide(pool, a, b, true);
}

const Index *index_mod(IndexPool *pool, const Index *a, const Index *b) {
    if (pool->dialect_c) return dialect_c_binary(pool, INDEX_MOD, a, b);
    if (!is_const(b) || b->value < 1) return intern(pool, INDEX_MOD, 0, a, b);
    int64_t c = b->value;
    if (is_const(a)) return index_const(pool, floor_mod(a->value, c));
    if (index_known_divisor(a) % c == 0) return index_const(pool, 0);
    if (a->kind == INDEX_ADD) {
        if (index_known_divisor(a->lhs) % c == 0) return index_mod(pool, a->rhs, b);
        if (index_known_divisor(a->rhs) % c == 0) return index_mod(pool, a->lhs, b);
    }
    if (a->kind == INDEX_MOD && is_const(a->rhs) && a->rhs->value >= 1 && a->rhs->value % c == 0)
        return index_mod(pool, a->lhs, b);
    return intern(pool, INDEX_MOD, 0, a, b);
}

static const Index *extremum(IndexPool *pool, IndexKind kind, const Index *a, const Index *b) {
    if (pool->dialect_c) return dialect_c_binary(pool, kind, a, b);
    if (a == b) return a;
    if (is_const(a) && is_const(b)) return (a->value < b->value) == (kind == INDEX_MIN) ? a : b;
    if (is_const(a)) return intern(pool, kind, 0, b, a);
    return intern(pool, kind, 0, a, b);
}

const Index *index_min(IndexPool *pool, const Index *a, const Index *b) {
    return extremum(pool, INDEX_MIN, a, b);
}

const Index *index_max(IndexPool *pool, const Index *a, const Index *b) {
    return extremum(pool, INDEX_MAX, a, b);
}

const Index *index_sub(IndexPool *pool, const Index *a, const Index *b) {
    return index_add(pool, a, index_canonical(pool, index_times(pool, b, -1)));
}

const Index *index_plus(IndexPool *pool, const Index *a, int64_t c) {
    return index_add(pool, a, index_const(pool, c));
}

const Index *index_times(IndexPool *pool, const Index *a, int64_t c) {
    return index_mul(pool, a, index_const(pool, c));
}

const Index *index_over(IndexPool *pool, const Index *a, int64_t c) {
    return index_floordiv(pool, a, index_const(pool, c));
}

const Index *index_modulo(IndexPool *pool, const Index *a, int64_t c) {
    return index_mod(pool, a, index_const(pool, c));
}

const Index *index_binary(IndexPool *pool, IndexKind kind, const Index *a, const Index *b) {
    switch (kind) {
    case INDEX_ADD:
        return index_add(pool, a, b);
    case INDEX_MUL:
        return index_mul(pool, a, b);
    case INDEX_MOD:
        return index_mod(pool, a, b);
    case INDEX_FLOORDIV:
        return index_floordiv(pool, a, b);
    case INDEX_CEILDIV:
        return index_ceildiv(pool, a, b);
    case INDEX_MIN:
        return index_min(pool, a, b);
    case INDEX_MAX:
        return index_max(pool, a, b);
    case INDEX_DIM:
    case INDEX_SYM:
    case INDEX_CONST:
        break;
    }
    return a;
}

const Index *index_raw(IndexPool *pool, IndexKind kind, const Index *a, const Index *b) {
    return intern(pool, kind, 0, a, b);
}

const Index *index_rebuild(IndexPool *pool, IndexKind kind, const Index *a, const Index *b) {
    return pool->dialect_c ? dialect_c_raw(pool, kind, a, b) : index_binary(pool, kind, a, b);
}

const Index *index_canonical(IndexPool *pool, const Index *e) {
    return pool->dialect_c ? dialect_c_canonical(pool, e) : e;
}
