/* The counter-based generators behind rng-bit-generator and jax.random. */
#ifndef IR_EVAL_RANDOM_H
#define IR_EVAL_RANDOM_H

#include <stdint.h>

/* Threefry-2x32, 20 rounds (Salmon et al., Parallel random numbers: as easy as 1, 2, 3): encrypts x in place. */
void threefry(uint32_t k0, uint32_t k1, uint32_t x[2]);

/* Philox-4x32, 10 rounds (the same paper). */
void philox(uint64_t key, uint64_t counter_low, uint64_t counter_high, uint32_t out[4]);

#endif
