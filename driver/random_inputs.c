#include "driver/random_inputs.h"

#include <math.h>

/* SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014). */
static uint64_t next(Random *random) {
    uint64_t z = random->state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

Random random_from_seed(uint64_t seed) {
    Random random = {seed};
    next(&random);
    return random;
}

/* Uniform in (0, 1]. */
static double uniform(Random *random) {
    return (double)((next(random) >> 11) + 1) * 0x1p-53;
}

/* Box and Muller; one of the two values is enough here. */
static double normal(Random *random) {
    const double two_pi = 6.283185307179586;
    double radius = sqrt(-2 * log(uniform(random)));
    return radius * cos(two_pi * uniform(random));
}

/* How many values from 0 upwards a type gets. */
static unsigned integer_values(DType dtype) {
    int bits = dtype_bits(dtype) - (dtype_class(dtype) == DTYPE_SIGNED);
    if (dtype_class(dtype) == DTYPE_PRED || bits <= 1) return 2;
    return bits <= 8 ? 4 : 8;
}

Literal *literal_random(Arena *arena, const Shape *shape, Random *random) {
    Literal *literal = literal_new(arena, shape);
    bool is_float = dtype_is_float(shape->dtype), is_complex = dtype_is_complex(shape->dtype);
    for (int64_t i = 0, n = shape_elements(shape); i < n; i++) {
        if (is_complex) {
            double re = normal(random);
            literal_set_double(literal, i, re, normal(random));
        } else if (is_float) {
            double value = normal(random);
            literal_set_double(literal, i, shape->dtype == DT_F8E8M0FNU ? fabs(value) : value, 0);
        } else {
            literal_set_int(literal, i, (int64_t)((next(random) >> 33) % integer_values(shape->dtype)));
        }
    }
    return literal;
}
