#include "ir/index.h"

/* Substitution, evaluation and looking into expressions. */

typedef struct {
    IndexPool *pool;
    int n_dims, n_syms;
    const Index *const *dims, *const *syms;
    KeyTable done; /* serial + 1 -> result: expressions are DAGs */
} Substitution;

static const Index *substitute(Substitution *s, const Index *e) {
    switch (e->kind) {
    case INDEX_CONST:
        return e;
    case INDEX_DIM:
        return e->value < s->n_dims && s->dims[e->value] ? s->dims[e->value] : e;
    case INDEX_SYM:
        return e->value < s->n_syms && s->syms[e->value] ? s->syms[e->value] : e;
    case INDEX_ADD:
    case INDEX_MUL:
    case INDEX_MOD:
    case INDEX_FLOORDIV:
    case INDEX_CEILDIV:
    case INDEX_MIN:
    case INDEX_MAX:
        break;
    }
    bool small = index_is_leaf(e->lhs) && index_is_leaf(e->rhs);
    const Index *result = small ? NULL : key_table_get(&s->done, e->serial + 1ull);
    if (result) return result;
    const Index *lhs = substitute(s, e->lhs), *rhs = substitute(s, e->rhs);
    result = lhs == e->lhs && rhs == e->rhs ? e : index_rebuild(s->pool, e->kind, lhs, rhs);
    if (!small) key_table_put(s->pool->arena, &s->done, e->serial + 1ull, (void *)(uintptr_t)result);
    return result;
}

const Index *index_substitute(IndexPool *pool, const Index *e, int n_dims, const Index *const *dims, int n_syms,
                              const Index *const *syms) {
    Substitution s = {.pool = pool, .n_dims = n_dims, .dims = dims, .n_syms = n_syms, .syms = syms};
    return substitute(&s, e);
}

const Index *index_replace(IndexPool *pool, const Index *e, const Index *old_one, const Index *new_one) {
    if (e == old_one) return new_one;
    if (index_is_leaf(e)) return e;
    const Index *lhs = index_replace(pool, e->lhs, old_one, new_one);
    const Index *rhs = index_replace(pool, e->rhs, old_one, new_one);
    return lhs == e->lhs && rhs == e->rhs ? e : index_rebuild(pool, e->kind, lhs, rhs);
}

int64_t index_evaluate(const Index *e, const int64_t *dims, const int64_t *syms) {
    switch (e->kind) {
    case INDEX_CONST:
        return e->value;
    case INDEX_DIM:
        return dims[e->value];
    case INDEX_SYM:
        return syms[e->value];
    case INDEX_ADD:
    case INDEX_MUL:
    case INDEX_MOD:
    case INDEX_FLOORDIV:
    case INDEX_CEILDIV:
    case INDEX_MIN:
    case INDEX_MAX:
        break;
    }
    int64_t a = index_evaluate(e->lhs, dims, syms), b = index_evaluate(e->rhs, dims, syms);
    switch (e->kind) {
    case INDEX_ADD:
        return wrapping_add(a, b);
    case INDEX_MUL:
        return wrapping_mul(a, b);
    case INDEX_MOD:
        return b ? floor_mod(a, b) : 0;
    case INDEX_FLOORDIV:
        return b ? floor_div(a, b) : 0;
    case INDEX_CEILDIV:
        return b ? ceil_div(a, b) : 0;
    case INDEX_MIN:
        return a < b ? a : b;
    case INDEX_MAX:
        return a > b ? a : b;
    case INDEX_DIM:
    case INDEX_SYM:
    case INDEX_CONST:
        break;
    }
    return 0;
}

bool index_uses(const Index *e, const Index *variable) {
    if (e == variable) return true;
    return !index_is_leaf(e) && (index_uses(e->lhs, variable) || index_uses(e->rhs, variable));
}

void index_walk_variables(const Index *e, void (*visit)(const Index *variable, void *context), void *context) {
    if (e->kind == INDEX_DIM || e->kind == INDEX_SYM) visit(e, context);
    if (index_is_leaf(e)) return;
    index_walk_variables(e->lhs, visit, context);
    index_walk_variables(e->rhs, visit, context);
}

static void add_terms(IndexPool *pool, Arena *arena, IndexSum *sum, const Index *e, int64_t factor) {
    int64_t product;
    if (e->kind == INDEX_ADD) {
        add_terms(pool, arena, sum, e->lhs, factor);
        add_terms(pool, arena, sum, e->rhs, factor);
    } else if (e->kind == INDEX_CONST && !multiply_overflows(e->value, factor, &product)) {
        vec_push(arena, &sum->terms, (IndexTerm){index_const(pool, 1), product});
    } else if (e->kind == INDEX_MUL && e->rhs->kind == INDEX_CONST &&
               !multiply_overflows(e->rhs->value, factor, &product)) {
        add_terms(pool, arena, sum, e->lhs, product);
    } else {
        vec_push(arena, &sum->terms, (IndexTerm){e, factor});
    }
}

IndexSum index_sum(IndexPool *pool, Arena *arena, const Index *e) {
    IndexSum sum = {{0}};
    add_terms(pool, arena, &sum, e, 1);
    return sum;
}

bool index_linear_in(IndexPool *pool, const Index *e, const Index *variable, int64_t *factor, const Index **rest) {
    *factor = 0;
    if (rest) *rest = e;
    if (!index_uses(e, variable)) return true;
    if (e == variable) {
        *factor = 1;
        if (rest) *rest = index_const(pool, 0);
        return true;
    }
    int64_t a, b;
    const Index *x, *y;
    if (e->kind == INDEX_ADD) {
        if (!index_linear_in(pool, e->lhs, variable, &a, &x) || !index_linear_in(pool, e->rhs, variable, &b, &y))
            return false;
        *factor = a + b;
        if (rest) *rest = index_add(pool, x, y);
        return true;
    }
    if (e->kind == INDEX_MUL && e->rhs->kind == INDEX_CONST) {
        if (!index_linear_in(pool, e->lhs, variable, &a, &x)) return false;
        *factor = a * e->rhs->value;
        if (rest) *rest = index_mul(pool, x, e->rhs);
        return true;
    }
    return false;
}

int index_compare(const Index *a, const Index *b) {
    if (a == b) return 0;
    bool ca = a->kind == INDEX_CONST, cb = b->kind == INDEX_CONST;
    if (ca != cb) return ca ? 1 : -1;
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    if (index_is_leaf(a)) return a->value < b->value ? -1 : a->value > b->value;
    int order = index_compare(a->lhs, b->lhs);
    return order ? order : index_compare(a->rhs, b->rhs);
}
