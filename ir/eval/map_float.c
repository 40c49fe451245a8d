/* Floats of every width, in double. */
#include <math.h>

#include "ir/eval/map_kernel.h"

/* NaN if either is, and -0 is below +0. */
static double maximum(double x, double y) {
    if (isnan(x) || isnan(y)) return isnan(x) ? x : y;
    if (x == y) return signbit(x) ? y : x;
    return x > y ? x : y;
}

static double minimum(double x, double y) {
    if (isnan(x) || isnan(y)) return isnan(x) ? x : y;
    if (x == y) return signbit(x) ? x : y;
    return x < y ? x : y;
}

static double sign(double x) {
    return isnan(x) || x == 0 ? x : copysign(1, x);
}

static double logistic(double x) {
    return 1 / (1 + exp(-x));
}

#define FLOAT1(name, expression) KERNEL1(name, f, double, f, expression)
#define FLOAT2(name, expression) KERNEL2(name, f, double, f, expression)

FLOAT1(float_abs, fabs(x))
FLOAT1(float_acos, acos(x))
FLOAT1(float_acosh, acosh(x))
FLOAT1(float_asin, asin(x))
FLOAT1(float_asinh, asinh(x))
FLOAT1(float_atan, atan(x))
FLOAT1(float_atanh, atanh(x))
FLOAT1(float_cbrt, cbrt(x))
FLOAT1(float_ceil, ceil(x))
FLOAT1(float_cosine, cos(x))
FLOAT1(float_cosh, cosh(x))
FLOAT1(float_erf, erf(x))
FLOAT1(float_exponential, exp(x))
FLOAT1(float_exponential_minus_one, expm1(x))
FLOAT1(float_floor, floor(x))
FLOAT1(float_log, log(x))
FLOAT1(float_log_plus_one, log1p(x))
FLOAT1(float_logistic, logistic(x))
FLOAT1(float_negate, -x)
FLOAT1(float_identity, x)
FLOAT1(float_zero, ((void)x, 0))
FLOAT1(float_round_away, round(x))
FLOAT1(float_round_even, rint(x))
FLOAT1(float_rsqrt, 1 / sqrt(x))
FLOAT1(float_sign, sign(x))
FLOAT1(float_sine, sin(x))
FLOAT1(float_sinh, sinh(x))
FLOAT1(float_sqrt, sqrt(x))
FLOAT1(float_tan, tan(x))
FLOAT1(float_tanh, tanh(x))
FLOAT2(float_add, x + y)
FLOAT2(float_subtract, x - y)
FLOAT2(float_multiply, x * y)
FLOAT2(float_divide, x / y)
FLOAT2(float_remainder, fmod(x, y))
FLOAT2(float_power, pow(x, y))
FLOAT2(float_atan2, atan2(x, y))
FLOAT2(float_maximum, maximum(x, y))
FLOAT2(float_minimum, minimum(x, y))
KERNEL3(float_clamp, f, double, f, minimum(maximum(x, y), z))
KERNEL1(float_is_finite, i, double, f, isfinite(x) != 0)
KERNEL2(float_complex, c, double, f, ((Complex){x, y}))

MapKernel *const map_float_kernels[N_OPS] = {
    [OP_ABS] = float_abs,
    [OP_ACOS] = float_acos,
    [OP_ACOSH] = float_acosh,
    [OP_ASIN] = float_asin,
    [OP_ASINH] = float_asinh,
    [OP_ATAN] = float_atan,
    [OP_ATANH] = float_atanh,
    [OP_CBRT] = float_cbrt,
    [OP_CEIL] = float_ceil,
    [OP_COSINE] = float_cosine,
    [OP_COSH] = float_cosh,
    [OP_ERF] = float_erf,
    [OP_EXPONENTIAL] = float_exponential,
    [OP_EXPONENTIAL_MINUS_ONE] = float_exponential_minus_one,
    [OP_FLOOR] = float_floor,
    [OP_IMAG] = float_zero,
    [OP_IS_FINITE] = float_is_finite,
    [OP_LOG] = float_log,
    [OP_LOG_PLUS_ONE] = float_log_plus_one,
    [OP_LOGISTIC] = float_logistic,
    [OP_NEGATE] = float_negate,
    [OP_REAL] = float_identity,
    [OP_ROUND_NEAREST_AFZ] = float_round_away,
    [OP_ROUND_NEAREST_EVEN] = float_round_even,
    [OP_RSQRT] = float_rsqrt,
    [OP_SIGN] = float_sign,
    [OP_SINE] = float_sine,
    [OP_SINH] = float_sinh,
    [OP_SQRT] = float_sqrt,
    [OP_TAN] = float_tan,
    [OP_TANH] = float_tanh,
    [OP_ADD] = float_add,
    [OP_SUBTRACT] = float_subtract,
    [OP_MULTIPLY] = float_multiply,
    [OP_DIVIDE] = float_divide,
    [OP_REMAINDER] = float_remainder,
    [OP_POWER] = float_power,
    [OP_ATAN2] = float_atan2,
    [OP_MAXIMUM] = float_maximum,
    [OP_MINIMUM] = float_minimum,
    [OP_CLAMP] = float_clamp,
    [OP_COMPLEX] = float_complex,
};
