/* Index expressions: quasi-affine integer expressions over variables, the language of indexing maps and of every
 * subscript that we generate (spec: indexing.md; the notation is that of XLA's indexing analysis).
 *
 * Invariants
 *   - immutable and interned in an IndexPool: equal expressions are the same pointer, so == compares them
 *   - constructors fold what needs no ranges (constants, neutral elements, known multiples), as MLIR's affine
 *     expressions do; index_simplify uses the ranges of a domain
 *   - floordiv and mod round towards minus infinity: x mod m lies in [0, m-1] for m > 0
 *
 * Variables are dims and symbols, numbered from 0 each; what they stand for is the owner's business (an indexing map, a
 * loop nest). */
#ifndef IR_INDEX_H
#define IR_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/table.h"
#include "base/text.h"
#include "base/vec.h"
#include "ir/interval.h"

/* In the order in which summands are sorted; constants come last. */
typedef enum {
    INDEX_ADD,
    INDEX_MUL,
    INDEX_MOD,
    INDEX_FLOORDIV,
    INDEX_CEILDIV,
    INDEX_MAX,
    INDEX_MIN,
    INDEX_DIM,
    INDEX_SYM,
    INDEX_CONST,
} IndexKind;

typedef struct Index Index;
struct Index {
    IndexKind kind;
    bool has_dim;  /* some dim occurs in it */
    int64_t value; /* of a constant; number of a variable */
    const Index *lhs, *rhs;
    uint64_t hash;
    uint32_t serial; /* counts up as expressions are made: a stable key */
    uint32_t size;   /* nodes when written out as a tree; INT32_MAX: that many, or more */
};

/* Text and order have two dialects (indexing.md section 0). A, the default, is that of MLIR's affine expressions:
 * folding while building, summands of symbols to the right. C, XLA's of 2026, builds what it is told and orders when it
 * simplifies. Both mean the same; what is compiled is always built in A. */
typedef struct {
    Arena *arena;
    const Index **slots;
    size_t n, capacity;
    bool dialect_c;      /* to be set before the first expression is made */
    KeyTable canonical;  /* dialect C: serial + 1 -> canonical form */
} IndexPool;

IndexPool *index_pool_new(Arena *arena);

const Index *index_const(IndexPool *pool, int64_t value);
const Index *index_dim(IndexPool *pool, int64_t number);
const Index *index_sym(IndexPool *pool, int64_t number);
const Index *index_add(IndexPool *pool, const Index *a, const Index *b);
const Index *index_sub(IndexPool *pool, const Index *a, const Index *b);
const Index *index_mul(IndexPool *pool, const Index *a, const Index *b);
const Index *index_floordiv(IndexPool *pool, const Index *a, const Index *b);
const Index *index_ceildiv(IndexPool *pool, const Index *a, const Index *b);
const Index *index_mod(IndexPool *pool, const Index *a, const Index *b);
const Index *index_min(IndexPool *pool, const Index *a, const Index *b);
const Index *index_max(IndexPool *pool, const Index *a, const Index *b);

/* With a constant on the right. */
const Index *index_plus(IndexPool *pool, const Index *a, int64_t c);
const Index *index_times(IndexPool *pool, const Index *a, int64_t c);
const Index *index_over(IndexPool *pool, const Index *a, int64_t c);   /* floordiv */
const Index *index_modulo(IndexPool *pool, const Index *a, int64_t c); /* mod */

/* kind of two operands, folded like the function of its name. */
const Index *index_binary(IndexPool *pool, IndexKind kind, const Index *a, const Index *b);
/* The same where an expression is read or its parts are replaced: in dialect C divisions by 1 stay. */
const Index *index_rebuild(IndexPool *pool, IndexKind kind, const Index *a, const Index *b);
/* In dialect C the canonical form, which depends on no ranges: sums flattened and ordered, products distributed
 * (indexing.md 4.8). In dialect A e itself. */
const Index *index_canonical(IndexPool *pool, const Index *e);

static inline bool index_is_const(const Index *e, int64_t value) {
    return e->kind == INDEX_CONST && e->value == value;
}
static inline bool index_is_leaf(const Index *e) {
    return e->kind >= INDEX_DIM;
}

/* Variables replaced: dims by dims[number], symbols by syms[number]; those with a NULL entry or a number beyond n stay.
 * The result is folded, not simplified. */
const Index *index_substitute(IndexPool *pool, const Index *e, int n_dims, const Index *const *dims, int n_syms,
                              const Index *const *syms);

/* Every occurrence of old_one, which may be any expression, replaced by new_one. */
const Index *index_replace(IndexPool *pool, const Index *e, const Index *old_one, const Index *new_one);

/* The value for given values of the variables (arrays long enough for those that occur). A divisor of 0 gives 0. */
int64_t index_evaluate(const Index *e, const int64_t *dims, const int64_t *syms);

/* Whether variable (a dim or symbol) occurs in e. */
bool index_uses(const Index *e, const Index *variable);
/* Calls visit for every variable of e, each occurrence, left to right. */
void index_walk_variables(const Index *e, void (*visit)(const Index *variable, void *context), void *context);

/* Largest positive number known to divide e for all values: 4 for d0 * 8 + s1 * 4. */
int64_t index_known_divisor(const Index *e);

/* e as a sum: calls visit with each summand and its constant factor (d0 * 8 + 3: (d0, 8), (1, 3)). */
typedef struct {
    const Index *term; /* never a sum nor a product with a constant; the constant 1 for the constant part */
    int64_t factor;
} IndexTerm;
typedef struct {
    VEC(IndexTerm) terms;
} IndexSum;
IndexSum index_sum(IndexPool *pool, Arena *arena, const Index *e);

/* The factor c when e = c * variable + rest and rest does not contain variable; false otherwise. rest may be NULL. */
bool index_linear_in(IndexPool *pool, const Index *e, const Index *variable, int64_t *factor, const Index **rest);

/* The order of summands: below, equal to or above 0. */
int index_compare(const Index *a, const Index *b);

/* --- ranges and simplification ----------------------------------------------------------------------------------- */

/* Ranges of variables. What is memoised in a domain holds as long as ranges do not change: adding variables is fine. */
typedef struct {
    IndexPool *pool;
    VEC(Interval) dims;
    VEC(Interval) syms;
    KeyTable simplified; /* serial -> Index: with points replaced */
    KeyTable kept;       /* the same with points kept */
    KeyTable ranges;     /* serial -> Interval */
    KeyTable narrowed;   /* serial -> Interval: what a constraint says of an expression (indexing_map only) */
    bool has_narrowed;
} IndexDomain;

IndexDomain *index_domain_new(IndexPool *pool);
/* A new variable with a range. */
const Index *index_domain_dim(IndexDomain *domain, Interval range);
const Index *index_domain_sym(IndexDomain *domain, Interval range);
/* Forgets what was memoised, after ranges or constraints changed. */
void index_domain_changed(IndexDomain *domain);

/* Bounds of e over the domain (indexing.md 1.5). */
Interval index_range(IndexDomain *domain, const Index *e);

/* The simplest form of e over the domain (indexing.md 4): idempotent, keeps the value everywhere on the domain.
 * keep_points: a variable with one value stays. */
const Index *index_simplify(IndexDomain *domain, const Index *e);
const Index *index_simplify_keep_points(IndexDomain *domain, const Index *e);

/* A sum e = multiplied * gcd + rest (indexing.md 4.6). gcd 1: there was nothing to split, rest is e. A lone multiplier
 * keeps its sign; several have a positive gcd. */
typedef struct {
    int64_t gcd;
    const Index *multiplied, *rest;
} IndexSplit;
IndexSplit index_split_by_gcd(IndexDomain *domain, const Index *e);

/* --- text -------------------------------------------------------------------------------------------------------- */

typedef struct {
    const char *const *dims, *const *syms; /* names; NULL entries and numbers beyond n: d0, s0 ... */
    int n_dims, n_syms;
    bool dialect_c; /* " / " for floordiv, its parentheses */
} IndexNames;

void index_print(Text *out, const Index *e, const IndexNames *names); /* names may be NULL */

#endif
