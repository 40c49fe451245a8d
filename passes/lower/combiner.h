/* What is known of the computation that combines the elements of a reduction. */
#ifndef PASSES_LOWER_COMBINER_H
#define PASSES_LOWER_COMBINER_H

#include "ir/kernel.h"

/* The operator of a combiner that is one operator on its two parameters, or SCALAR_NONE. */
ScalarOp plain_combiner(const Instr *reduction);

/* Whether it only ever chooses one of its arguments (max, argmax): combined twice, an element changes nothing. */
bool combiner_chooses(const Instr *reduction);

/* The value that, combined with any other, changes nothing. integer: of integers and pred. */
typedef struct {
    double real, imag;
    int64_t integer;
} Neutral;
bool combiner_neutral(const Instr *reduction, Neutral *neutral);

/* Whether partial results of the reduction can begin without its init value. */
bool combiner_splits(const Instr *reduction);

#endif
