/* Access relations: which elements of its operands an instruction reads for one element of its result.
 *
 * This is the only place that knows how an output index leads to operand indices. Fusion, tiling and lowering
 * substitute into it, and the indexing maps that `--emit=maps` prints are projections of it (indexing.md section 2).
 *
 * An Access speaks of output dims (Index dims 0 .. n_dims-1) and of symbols: first the range symbols (reduced and
 * contracted dims, window positions), then the runtime variables (start indices of dynamic slices and gathers). Both
 * are shared by all operands, so that lhs[d0, s0] * rhs[s0, d1] means what it says.
 *
 * The relation is exact: an element is read for exactly those values of the symbols for which all guards hold. Where a
 * guard fails the op says what happens instead (the value of a pad, the next operand of a concatenate, a skipped term
 * of a window). */
#ifndef PASSES_INDEXING_ACCESS_H
#define PASSES_INDEXING_ACCESS_H

#include "ir/hlo.h"
#include "ir/index.h"

typedef struct {
    const Index *expr;
    Interval in;
} Guard;

/* The value of one element of an operand, clamped to range: the start of a slice. */
typedef struct {
    int operand;
    int n_index;
    const Index *const *index; /* in output dims */
    Interval range;
    bool clamped; /* false: the value is used as it is (scatter), and range only says what is inside */
} RuntimeVar;

typedef struct {
    bool reads; /* false: nothing of this operand is read (directly, or only as a runtime variable) */
    int n_index;
    const Index *const *index; /* one per operand dim */
    int n_guards;
    const Guard *guards;
} OperandAccess;

typedef struct {
    int n_dims, n_ranges, n_rts;
    IndexDomain *domain; /* ranges of dims and symbols */
    const RuntimeVar *rts;
    int n_operands;
    const OperandAccess *operands;
} Access;

/* Makes and keeps the relations of one module. */
typedef struct {
    IndexPool *pool;
    KeyTable known; /* instr -> Access */
    bool keeps_points; /* starts that can only be 0 are runtime variables too: for those who print */
} AccessTable;

AccessTable *access_table_new(IndexPool *pool);

/* The relation of output 0 of instr (variadic reduces: of any output, they are alike), or NULL when nothing is known
 * (access rule `opaque`) or there are no operands (`none`). */
const Access *access_of(AccessTable *table, const Instr *instr);

/* --- for the rules ----------------------------------------------------------------------------------------------- */

/* What a rule fills in: one per opcode family, access_RULE in the files of this folder. */
typedef struct {
    IndexPool *pool;
    const Instr *instr;
    IndexDomain *domain;
    int n_dims;
    VEC(RuntimeVar) rts;
    OperandAccess *operands;
    bool keeps_points;
} AccessBuilder;

/* The rules by name: false when nothing is known. */
#define ACCESS_RULES(X)                                                                                              \
    X(elementwise) X(bitcast_convert) X(bitcast) X(broadcast) X(concatenate) X(dynamic_slice) X(dynamic_update_slice) \
    X(gather) X(pad) X(reshape) X(reverse) X(slice) X(transpose) X(reduce) X(reduce_window) X(dot) X(convolution)      \
    X(scaled_dot) X(get_tuple_element)

#define ACCESS_RULE(rule) bool access_##rule(AccessBuilder *b);
ACCESS_RULES(ACCESS_RULE)
#undef ACCESS_RULE

const Index *access_dim(const AccessBuilder *b, int k);
/* A new range symbol 0 .. size-1. All of them before the first runtime variable. */
const Index *access_range(AccessBuilder *b, int64_t size);
/* A new runtime variable: operand's element at index (n_index of them); the constant 0 when range has nothing else
 * (unless the table keeps such points). */
const Index *access_runtime(AccessBuilder *b, int operand, int n_index, const Index *const *index, Interval range);
/* operand is read at index (one entry per dim, copied), nowhere guarded. */
void access_reads(AccessBuilder *b, int operand, const Index *const *index);
void access_guard(AccessBuilder *b, int operand, const Index *expr, int64_t low, int64_t high);

/* Row-major: sum of index[k] * stride. */
const Index *index_linearise(IndexPool *pool, int n, const int64_t *sizes, const Index *const *index);
/* The inverse, into out. */
void index_delinearise(IndexPool *pool, const Index *linear, int n, const int64_t *sizes, const Index **out);
/* Reshape by minimal groups of dims (indexing.md 2.9): the index of the `from` element for an index of the `to` shape.
 */
void index_reshape(IndexPool *pool, int n_to, const int64_t *to, const Index *const *index, int n_from,
                   const int64_t *from, const Index **out);
/* Bitcast between arrays of as many elements: the index of the `from` element, into out, for an index of the `to`
 * shape. */
void index_bitcast(IndexPool *pool, const Shape *to, const Index *const *index, const Shape *from, const Index **out);

/* Whether op works element by element. */
bool access_is_elementwise(Op op);

#endif
