/* Complex numbers, in double. Products and quotients are written out: C's own recover infinities from NaNs, which
 * XLA's do not (op-semantics.md 1.6). */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "ir/eval/complex_math.h"
#include "ir/eval/map_kernel.h"

static Complex make(double re, double im) {
    return (Complex){re, im};
}

static Complex from_c(double complex z) {
    return make(creal(z), cimag(z));
}

static double complex to_c(Complex z) {
    const double parts[2] = {z.re, z.im}; /* CMPLX is not everywhere */
    double complex c;
    memcpy(&c, parts, sizeof c);
    return c;
}

/* What a quotient means when its formula gave NaN in both parts: infinity or zero with the right signs. */
static Complex quotient_of_limits(Complex x, Complex y, Complex quotient) {
    if (y.re == 0 && y.im == 0 && !(isnan(x.re) && isnan(x.im)))
        return make(copysign(INFINITY, y.re) * x.re, copysign(INFINITY, y.re) * x.im);
    if ((isinf(x.re) || isinf(x.im)) && isfinite(y.re) && isfinite(y.im)) {
        double a = copysign(isinf(x.re) ? 1 : 0, x.re), b = copysign(isinf(x.im) ? 1 : 0, x.im);
        return make(INFINITY * (a * y.re + b * y.im), INFINITY * (b * y.re - a * y.im));
    }
    if (isfinite(x.re) && isfinite(x.im) && (isinf(y.re) || isinf(y.im))) {
        double c = copysign(isinf(y.re) ? 1 : 0, y.re), d = copysign(isinf(y.im) ? 1 : 0, y.im);
        return make(0 * (x.re * c + x.im * d), 0 * (x.im * c - x.re * d));
    }
    return quotient;
}

/* Smith's algorithm: scaled by the larger part of the divisor. */
static Complex divide(Complex x, Complex y) {
    Complex quotient;
    if (fabs(y.re) >= fabs(y.im)) {
        double ratio = y.im / y.re, scale = y.re + y.im * ratio;
        quotient = make((x.re + x.im * ratio) / scale, (x.im - x.re * ratio) / scale);
    } else {
        double ratio = y.re / y.im, scale = y.re * ratio + y.im;
        quotient = make((x.re * ratio + x.im) / scale, (x.im * ratio - x.re) / scale);
    }
    if (isnan(quotient.re) && isnan(quotient.im)) return quotient_of_limits(x, y, quotient);
    return quotient;
}

static Complex expm1_complex(Complex z) {
    double half = sin(z.im / 2);
    return make(expm1(z.re) * cos(z.im) - 2 * half * half, z.im == 0 ? z.im : exp(z.re) * sin(z.im));
}

/* log |1 + z| without cancellation: half of log1p of |1 + z|^2 - 1. */
static Complex log1p_complex(Complex z) {
    double re = fabs(z.re) < 0.5 && fabs(z.im) < 1 ? 0.5 * log1p(z.re * (2 + z.re) + z.im * z.im)
                                                   : log(hypot(1 + z.re, z.im));
    return make(re, atan2(z.im, 1 + z.re));
}

static Complex rsqrt_complex(Complex z) {
    if (z.re == 0 && z.im == 0) return make(INFINITY, NAN);
    if (isinf(z.re) || isinf(z.im)) return isnan(z.re) || isnan(z.im) ? make(NAN, NAN) : make(0, 0);
    return divide(make(1, 0), from_c(csqrt(to_c(z))));
}

static Complex logistic_complex(Complex z) {
    Complex e = from_c(cexp(to_c(make(-z.re, -z.im))));
    return divide(make(1, 0), make(1 + e.re, e.im));
}

static Complex sign_complex(Complex z) {
    double magnitude = hypot(z.re, z.im);
    return magnitude == 0 ? make(0, 0) : make(z.re / magnitude, z.im / magnitude);
}

/* |x|^c e^(-d theta) at the angle d ln|x| + c theta, for y = c + di. */
static Complex power_complex(Complex x, Complex y) {
    if ((x.re == 1 && x.im == 0) || (y.re == 0 && y.im == 0)) return make(1, 0);
    if (isinf(x.re) && x.re > 0 && x.im == 0 && y.re != 0) return y.re > 0 ? make(INFINITY, 0) : make(0, 0);
    if (x.re == 0 && x.im == 0 && y.re > 0) return make(0, 0);
    double logarithm = log(hypot(x.re, x.im)), angle = atan2(x.im, x.re);
    double magnitude = exp(y.re * logarithm - y.im * angle), turn = y.im * logarithm + y.re * angle;
    return make(magnitude * cos(turn), magnitude * sin(turn));
}

/* -i log((x + iy) / sqrt(x^2 + y^2)) for y the first operand. */
static Complex atan2_complex(Complex y, Complex x) {
    double complex square = to_c(c_add(c_mul(x, x), c_mul(y, y)));
    Complex ratio = divide(make(x.re - y.im, x.im + y.re), from_c(csqrt(square)));
    double complex logarithm = clog(to_c(ratio));
    return make(cimag(logarithm), -creal(logarithm));
}

#define COMPLEX1(name, expression) KERNEL1(name, c, Complex, c, expression)
#define COMPLEX2(name, expression) KERNEL2(name, c, Complex, c, expression)
#define LIBRARY1(name, function) COMPLEX1(name, from_c(function(to_c(x))))

KERNEL1(complex_abs, f, Complex, c, hypot(x.re, x.im))
KERNEL1(complex_real, f, Complex, c, x.re)
KERNEL1(complex_imag, f, Complex, c, x.im)
COMPLEX1(complex_negate, make(-x.re, -x.im))
COMPLEX1(complex_expm1, expm1_complex(x))
COMPLEX1(complex_log1p, log1p_complex(x))
COMPLEX1(complex_rsqrt, rsqrt_complex(x))
COMPLEX1(complex_logistic, logistic_complex(x))
COMPLEX1(complex_sign, sign_complex(x))
LIBRARY1(complex_exp, cexp)
LIBRARY1(complex_log, clog)
LIBRARY1(complex_sqrt, csqrt)
LIBRARY1(complex_sin, csin)
LIBRARY1(complex_cos, ccos)
LIBRARY1(complex_tan, ctan)
LIBRARY1(complex_sinh, csinh)
LIBRARY1(complex_cosh, ccosh)
LIBRARY1(complex_tanh, ctanh)
LIBRARY1(complex_asin, casin)
LIBRARY1(complex_acos, cacos)
LIBRARY1(complex_atan, catan)
LIBRARY1(complex_asinh, casinh)
LIBRARY1(complex_acosh, cacosh)
LIBRARY1(complex_atanh, catanh)
COMPLEX2(complex_add, c_add(x, y))
COMPLEX2(complex_subtract, c_sub(x, y))
COMPLEX2(complex_multiply, c_mul(x, y))
COMPLEX2(complex_divide, divide(x, y))
COMPLEX2(complex_power, power_complex(x, y))
COMPLEX2(complex_atan2, atan2_complex(x, y))
/* XLA:CPU compares the real parts only, and takes the first of equals. */
COMPLEX2(complex_maximum, x.re >= y.re ? x : y)
COMPLEX2(complex_minimum, x.re <= y.re ? x : y)

MapKernel *const map_complex_kernels[N_OPS] = {
    [OP_ABS] = complex_abs,
    [OP_ACOS] = complex_acos,
    [OP_ACOSH] = complex_acosh,
    [OP_ASIN] = complex_asin,
    [OP_ASINH] = complex_asinh,
    [OP_ATAN] = complex_atan,
    [OP_ATANH] = complex_atanh,
    [OP_COSINE] = complex_cos,
    [OP_COSH] = complex_cosh,
    [OP_EXPONENTIAL] = complex_exp,
    [OP_EXPONENTIAL_MINUS_ONE] = complex_expm1,
    [OP_IMAG] = complex_imag,
    [OP_LOG] = complex_log,
    [OP_LOG_PLUS_ONE] = complex_log1p,
    [OP_LOGISTIC] = complex_logistic,
    [OP_NEGATE] = complex_negate,
    [OP_REAL] = complex_real,
    [OP_RSQRT] = complex_rsqrt,
    [OP_SIGN] = complex_sign,
    [OP_SINE] = complex_sin,
    [OP_SINH] = complex_sinh,
    [OP_SQRT] = complex_sqrt,
    [OP_TAN] = complex_tan,
    [OP_TANH] = complex_tanh,
    [OP_ADD] = complex_add,
    [OP_SUBTRACT] = complex_subtract,
    [OP_MULTIPLY] = complex_multiply,
    [OP_DIVIDE] = complex_divide,
    [OP_POWER] = complex_power,
    [OP_ATAN2] = complex_atan2,
    [OP_MAXIMUM] = complex_maximum,
    [OP_MINIMUM] = complex_minimum,
};
