/* Sorts by a key: comparators f(x) < f(y) on one operand, which need no comparisons at all. */
#ifndef PASSES_LOWER_SORT_KEY_H
#define PASSES_LOWER_SORT_KEY_H

#include "passes/lower/whole.h"

typedef struct {
    int operand;      /* of the sort: whose elements have keys */
    bool descending;
    const Computation *comparator;
    Instr *compare;
    int side;         /* operand of compare: f of the element */
    DType key;        /* unsigned, as wide as what is compared */
} SortKey;

/* Whether the comparator orders by a key. f is the same function on both sides when it gives the same value, in kernel,
 * for the same element. */
bool sort_key_of(Kernel *kernel, const Instr *sort, SortKey *found);

/* The key of an element, as an unsigned integer that is smaller where the element goes before. */
Elem sort_key(Kernel *kernel, const SortKey *key, Elem element);

#endif
