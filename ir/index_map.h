/* Indexing maps (spec: indexing.md sections 1 and 3; docs/indexing.md explains them from the beginning):
 *
 *     (d0, d1)[s0]{rt0} -> (d0 + rt0, s0), domain: d0 in [0, 9], d1 in [0, 4], s0 in [0, 7], rt0 in [0, 3], d0 + s0 in
 * [0, 12]
 *
 * From an element of one tensor (the dims) to the elements of another (the results): one for every value of the ranges
 * s0 ..., at places that depend on values known at run time, rt0 ... . The domain is the bounds of the variables and
 * the constraints.
 *
 * Invariants
 *   - variables stand in one array: dims, ranges, runtime variables. Index dim k is variable k, Index symbol k is
 *     variable n_dims + k
 *   - constraints are about sums, products and the like: what is said of a dim or range alone tightens its bounds, what
 * is said of a constant is decided at once (index_map_constrain). Bounds of a runtime variable are what its value is
 *     clamped to and are never tightened: a constraint may be such a variable alone
 *   - a map whose domain is empty is `empty`: its results are 0, its dims and ranges in [0, -1], it has no constraints
 *   - "undefined" (nothing is known) is a NULL map; functions that take a map do not take NULL unless they say so
 *
 * Maps are made in one go and then only read; the functions that change one say so and take it without const. */
#ifndef IR_INDEX_MAP_H
#define IR_INDEX_MAP_H

#include "base/diag.h"
#include "ir/index.h"

typedef struct {
    Interval bounds;
    const char *name; /* NULL: d0, s0, rt0 by number */
} IndexVar;

typedef struct {
    const Index *expr;
    Interval in;
} IndexConstraint;

typedef struct {
    IndexPool *pool;
    int n_dims, n_ranges, n_rts, n_results;
    bool empty;
    IndexVar *vars;
    const Index **results;
    VEC(IndexConstraint) constraints; /* in the order in which they came; expressions are distinct */
} IndexMap;

static inline int index_map_n_symbols(const IndexMap *map) {
    return map->n_ranges + map->n_rts;
}
static inline int index_map_n_vars(const IndexMap *map) {
    return map->n_dims + map->n_ranges + map->n_rts;
}

/* --- making ------------------------------------------------------------------------------------------------------ */

/* Bounds and results are for the caller to fill in; then index_map_close. */
IndexMap *index_map_new(IndexPool *pool, int n_dims, int n_ranges, int n_rts, int n_results);
/* Empty if some variable has no value. To be called once bounds and results are there. */
void index_map_close(IndexMap *map);
/* (d0, d1) -> (d0, d1) over a tensor's sizes. */
IndexMap *index_map_identity(IndexPool *pool, int rank, const int64_t *sizes);
IndexMap *index_map_copy(const IndexMap *map);

/* The domain shrinks to where expr lies in `in`. expr is not simplified. */
void index_map_constrain(IndexMap *map, const Index *expr, Interval in);
void index_map_make_empty(IndexMap *map);

/* --- asking ------------------------------------------------------------------------------------------------------ */

/* Equal results, bounds and constraints (as a set); names do not count. Either may be NULL. */
bool index_map_equal(const IndexMap *a, const IndexMap *b);
uint64_t index_map_hash(const IndexMap *map); /* equal for equal maps */

/* The ranges of the variables as a domain to simplify over; with_constraints: what constraints say of expressions too.
 */
IndexDomain *index_map_domain(const IndexMap *map, bool with_constraints);
/* Result k for given values; the domain is not looked at. */
int64_t index_map_evaluate(const IndexMap *map, int k, const int64_t *dims, const int64_t *symbols);
/* Whether the constraints hold (bounds of variables are not looked at); false for an empty map. */
bool index_map_constraints_hold(const IndexMap *map, const int64_t *dims, const int64_t *symbols);
/* Bounds of every result, into ranges. */
void index_map_result_ranges(const IndexMap *map, bool with_constraints, Interval *ranges);
/* Symbol k occurs in a constraint. */
bool index_map_symbol_constrained(const IndexMap *map, int k);

/* --- changing ---------------------------------------------------------------------------------------------------- */

/* indexing.md 4.1: constraints simplified, tightened and merged, then the results. keep_points: a variable with one
 * value stays in the results. Whether anything changed (a constraint that always holds goes silently). */
bool index_map_simplify(IndexMap *map, bool keep_points);

/* 3.5: symbols (with dims_too: dims also) that neither a result nor a needed constraint uses are removed. NULL when
 * there were none, else an array of a flag for every symbol (dims_too: for every variable) there was: removed. */
const bool *index_map_remove_unused(IndexMap *map, bool dims_too);

/* 3.6: a range s with s mod c = k becomes s * c + k; false when there was none. */
bool index_map_rescale(IndexMap *map);

/* Results of first are the dims of second (3.1); not simplified. NULL if one is NULL. */
IndexMap *index_map_compose(const IndexMap *first, const IndexMap *second);

/* All symbols become trailing dims and lose their names. */
IndexMap *index_map_symbols_to_dims(const IndexMap *map);
/* The ranges with these (increasing) numbers become trailing dims and keep their names. */
IndexMap *index_map_ranges_to_dims(const IndexMap *map, int n, const int *numbers);
/* The same with result k alone. */
IndexMap *index_map_result(const IndexMap *map, int k);

/* --- text -------------------------------------------------------------------------------------------------------- */

/* The map on one line (indexing.md 5.1), in the dialect of its pool; "KNOWN EMPTY"; for NULL "unknown". */
void index_map_print(Text *out, const IndexMap *map);
/* A name for every variable, as printed. */
IndexNames index_map_names(const IndexMap *map);

/* Reads the map that stands in span of diags->source (5.4), in any dialect, through index_map_constrain. NULL: it is
 * none, and diags says why. */
IndexMap *index_map_parse(IndexPool *pool, Diags *diags, Span span);

#endif
