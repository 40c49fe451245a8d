/* Kernels that look at attributes or at bits: compare, reduce-precision, stochastic-convert. */
#include <math.h>

#include "ir/eval/map_kernel.h"

/* The answer to a comparison from its three possible outcomes; of NaNs none holds, and only NE is true. */
static bool compare_holds(int direction, bool less, bool equal, bool greater) {
    switch (direction) {
    case DIRECTION_EQ: return equal;
    case DIRECTION_NE: return !equal;
    case DIRECTION_GE: return greater || equal;
    case DIRECTION_GT: return greater;
    case DIRECTION_LE: return less || equal;
    default: return less;
    }
}

#define COMPARE(name, T, IN) KERNEL2(name, i, T, IN, compare_holds(plan->direction, x < y, x == y, x > y))
COMPARE(compare_signed, int64_t, i)
COMPARE(compare_unsigned, uint64_t, i)
COMPARE(compare_float, double, f)

/* Lexicographic: real parts first. XLA itself only has EQ and NE. */
static void compare_complex(KERNEL_PARAMETERS) {
    (void)c;
    for (int i = 0; i < n; i++) {
        Complex x = a->c[i], y = b->c[i];
        bool equal = x.re == y.re && x.im == y.im;
        bool less = x.re < y.re || (x.re == y.re && x.im < y.im);
        bool greater = x.re > y.re || (x.re == y.re && x.im > y.im);
        out->i[i] = compare_holds(plan->direction, less, equal, greater);
    }
}

MapKernel *map_compare_kernel(DTypeClass class) {
    switch ((int)class) {
    case DTYPE_PRED: case DTYPE_UNSIGNED: return compare_unsigned;
    case DTYPE_SIGNED: return compare_signed;
    case DTYPE_FLOAT: return compare_float;
    case DTYPE_COMPLEX: return compare_complex;
    default: return NULL;
    }
}

/* -NaN < -inf < ... < -0 < +0 < ... < inf < NaN, as numbers: magnitudes of negative ones count downwards from -1. */
static int64_t total_order_key(int64_t bits, int width) {
    int64_t value = (int64_t)((uint64_t)bits << (64 - width)) >> (64 - width);
    return value < 0 ? (INT64_MAX >> (64 - width)) ^ value : value;
}

void map_total_order_bits(KERNEL_PARAMETERS) {
    (void)c;
    int width = dtype_bits(plan->from);
    for (int i = 0; i < n; i++) {
        int64_t x = total_order_key(a->i[i], width), y = total_order_key(b->i[i], width);
        out->i[i] = compare_holds(plan->direction, x < y, x == y, x > y);
    }
}

/* For types whose only NaN is 0x80, or that have no sign: the order of their values, NaN last. */
void map_total_order_values(KERNEL_PARAMETERS) {
    (void)c;
    for (int i = 0; i < n; i++) {
        double x = isnan(a->f[i]) ? INFINITY : a->f[i], y = isnan(b->f[i]) ? INFINITY : b->f[i];
        out->i[i] = compare_holds(plan->direction, x < y, x == y, x > y);
    }
}

void map_copy_int(KERNEL_PARAMETERS) {
    (void)plan, (void)b, (void)c;
    for (int i = 0; i < n; i++) out->i[i] = a->i[i];
}

/* --- reduce-precision --------------------------------------------------------------------------------------------- */

static bool bits_are_nan(DType dtype, uint64_t bits) {
    Lanes value;
    lanes_load(&value, dtype, &bits, 1);
    return isnan(value.f[0]);
}

static uint64_t bits_of_infinity(DType dtype) {
    Lanes value = {.f = {INFINITY}};
    uint64_t bits = 0;
    lanes_store(dtype, &bits, &value, 1);
    return bits;
}

static uint64_t reduce_precision(const MapPlan *plan, uint64_t bits, uint64_t infinity) {
    int exponent_bits = dtype_exponent_bits(plan->from), mantissa_bits = dtype_mantissa_bits(plan->from);
    uint64_t sign = bits >> (exponent_bits + mantissa_bits) << (exponent_bits + mantissa_bits);
    if (bits_are_nan(plan->from, bits)) return plan->mantissa_bits > 0 ? bits : sign | infinity;
    bits ^= sign;
    if (plan->mantissa_bits < mantissa_bits) { /* to nearest even; the carry may go into the exponent */
        int drop = mantissa_bits - plan->mantissa_bits;
        bits += (bits >> drop & 1) + (UINT64_C(1) << (drop - 1)) - 1;
        bits = bits >> drop << drop;
    }
    if (plan->exponent_bits < exponent_bits) { /* what the narrow exponent cannot say: infinity, and no denormals */
        int bias = (1 << (exponent_bits - 1)) - 1, narrow = (1 << (plan->exponent_bits - 1)) - 1;
        int exponent = (int)(bits >> mantissa_bits);
        if (exponent > bias + narrow) bits = infinity;
        if (exponent <= bias - narrow) bits = 0;
    }
    return sign | bits;
}

void map_reduce_precision(KERNEL_PARAMETERS) {
    (void)b, (void)c;
    uint64_t infinity = bits_of_infinity(plan->from);
    for (int i = 0; i < n; i++) out->i[i] = (int64_t)reduce_precision(plan, (uint64_t)a->i[i], infinity);
}

/* --- stochastic-convert ------------------------------------------------------------------------------------------- */

/* Rounds up in magnitude when the random bits are below the fraction, both seen as numbers of `width` bits. */
static int64_t stochastic_convert(double x, uint64_t random, int width, DType to) {
    double limit = ldexp(1, dtype_bits(to) - 1);
    if (isnan(x) || x >= limit - 1 || x <= -limit) return int_from_double(x, to);
    double whole = floor(fabs(x));
    uint64_t fraction = (uint64_t)ldexp(fabs(x) - whole, width);
    int64_t magnitude = (int64_t)whole + (random < fraction);
    return x < 0 ? -magnitude : magnitude;
}

void map_stochastic_convert(KERNEL_PARAMETERS) {
    (void)c;
    int width = dtype_bits(plan->in[1]);
    for (int i = 0; i < n; i++) out->i[i] = stochastic_convert(a->f[i], (uint64_t)b->i[i], width, plan->to);
}
