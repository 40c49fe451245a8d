/* Inputs for programs that were given none: of tame values, the same for the same seed on every machine (up to the last
 * bit of libm's log and cos). */
#ifndef DRIVER_RANDOM_INPUTS_H
#define DRIVER_RANDOM_INPUTS_H

#include "ir/literal.h"

typedef struct {
    uint64_t state;
} Random;

Random random_from_seed(uint64_t seed);

/* Floats standard normal (complex: both components), integers 0..7 (8-bit and smaller ones 0..3, as far as they go),
 * predicates fair. An array shape. */
Literal *literal_random(Arena *arena, const Shape *shape, Random *random);

#endif
