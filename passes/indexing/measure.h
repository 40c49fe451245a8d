/* What index expressions say of an access to memory: how many different elements it touches (utilisation,
 * indexing.md 7.1) and how many of them lie side by side (coalescing in its sense for CPUs, 7.2). */
#ifndef PASSES_INDEXING_MEASURE_H
#define PASSES_INDEXING_MEASURE_H

#include "ir/hlo.h"
#include "ir/index.h"

/* Different elements that an index of n expressions takes while its variables run through the domain. exact: the count
 * is right; otherwise it is a bound from above. */
typedef struct {
    double elements;
    bool exact;
} Touched;
Touched index_touched(IndexDomain *domain, int n, const Index *const *index);

/* The elements of shape that lie side by side: the variable that goes from one to the next, and how many there are when
 * it (and the variables that go on where it ends) runs through its values. NULL and 1: no variable does. */
typedef struct {
    const Index *unit_stride;
    int64_t run;
} Contiguity;
Contiguity index_contiguity(IndexDomain *domain, const Shape *shape, const Index *const *index);

#endif
