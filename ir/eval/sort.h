/* Stable sorting, for sort, topk and the custom calls that are the same. */
#ifndef IR_EVAL_SORT_H
#define IR_EVAL_SORT_H

#include "ir/eval/rule.h"

/* Whether item i must stand before item j: 1 or 0, or -1 on failure. */
typedef int SortBefore(void *context, int64_t i, int64_t j);

/* Stable: orders n items, with room for n more. False as soon as `before` fails. */
bool merge_sort(int64_t *order, int64_t *spare, int64_t n, SortBefore *before, void *context);

/* The first `keep` of the rows of n_operands arrays along one dim, in the comparator's order, all moved alike.
 * shape: of the result, a tuple for more than one array. */
Value *sort_rows(Eval *eval, const Shape *shape, int n_operands, Value *const *operands, const Computation *comparator,
                 int64_t along, int64_t keep);

/* The k largest (or smallest) elements of each row of the last dim, in order, equal ones by position; floats in total
 * order. shape: a tuple of values and s32 positions. */
Value *topk(const Shape *shape, const Value *operand, int64_t k, bool largest);

#endif
