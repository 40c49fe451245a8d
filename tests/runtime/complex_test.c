/* Complex functions against long double. Vectors against one element, to the bit. */
#include "all.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>

typedef long double complex reference(long double complex);

static long checks, failures;
static uint64_t state = 88172645463325252u;
static uint64_t random_bits(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 2685821657736338717u;
}
static double uniform(double size)
{
    return (double)(int64_t)random_bits() * 0x1p-63 * size;
}

static long double complex c_expm1(long double complex z)
{
    long double a = creall(z), b = cimagl(z), h = sinl(b / 2);
    return expm1l(a) * cosl(b) - 2 * h * h + I * (expl(a) * sinl(b));
}
static long double complex c_log(long double complex z)
{
    return clogl(z);
}
static long double complex c_log1p(long double complex z)
{
    return clogl(1 + z);
}
static long double complex c_rsqrt(long double complex z)
{
    return 1 / csqrtl(z);
}
static long double complex c_logistic(long double complex z)
{
    return 1 / (1 + cexpl(-z));
}
static long double complex c_sign(long double complex z)
{
    return z / cabsl(z);
}

/* allowed: error relative to the size of the result, in units of 2^-24 (2^-53). */
#define FUNCTIONS(X)                                                                                                 \
    X(exp, cexpl, 20, 4) X(expm1, c_expm1, 3, 6) X(log, c_log, 20, 4) X(log1p, c_log1p, 0.9, 8) \
        X(sqrt, csqrtl, 100, 4) \
    X(rsqrt, c_rsqrt, 100, 6) X(sin, csinl, 10, 4) X(cos, ccosl, 10, 4) X(tan, ctanl, 3, 12) X(sinh, csinhl, 10, 4)  \
    X(cosh, ccoshl, 10, 4) X(tanh, ctanhl, 3, 12) X(logistic, c_logistic, 3, 16) X(sign, c_sign, 10, 4)              \
    X(asin, casinl, 3, 8) X(acos, cacosl, 3, 8) X(atan, catanl, 3, 8) X(asinh, casinhl, 3, 8) X(acosh, cacoshl, 3, 8) \
    X(atanh, catanhl, 3, 8)

#define CHECK(C, T, W, unit, op, exact, size, allowed)                                                               \
    static void op##_##C(void)                                                                                       \
    {                                                                                                                \
        double worst = 0;                                                                                            \
        for (int k = 0; k < 5000; k++) {                                                                             \
            T a[8], b[8], re[8], im[8];                                                                              \
            for (int i = 0; i < 8; i++) a[i] = (T)uniform(size), b[i] = (T)uniform(size);                            \
            if (k % 50 == 0) b[0] = 0, a[1] = 0;                                                                     \
            hlocc_store_##W##x8(re, hlocc_##op##_re_##C##x8(hlocc_load_##W##x8(a), hlocc_load_##W##x8(b)));          \
            hlocc_store_##W##x8(im, hlocc_##op##_im_##C##x8(hlocc_load_##W##x8(a), hlocc_load_##W##x8(b)));          \
            for (int i = 0; i < 8; i++) {                                                                            \
                T r = hlocc_##op##_re_##C(a[i], b[i]), m = hlocc_##op##_im_##C(a[i], b[i]);                          \
                long double complex want = exact(a[i] + I * (long double)b[i]);                                      \
                double error = (double)(cabsl(r + I * (long double)m - want) / cabsl(want) / unit);                  \
                checks++;                                                                                            \
                if (error > worst) worst = error;                                                                    \
                if (error <= allowed && (r == re[i] || r != r) && (m == im[i] || m != m)) continue;                  \
                if (failures++ < 40)                                                                                 \
                    printf("FAIL " #op "_" #C " (%a, %a): (%a, %a), lanes (%a, %a), not (%La, %La): %g\n",           \
                           (double)a[i], (double)b[i], (double)r, (double)m, (double)re[i], (double)im[i], \
                               creall(want), cimagl(want), error); \
            }                                                                                                        \
        }                                                                                                            \
        printf("%-10s " #C "  %.2f\n", #op, worst);                                                                  \
    }
#define CHECK32(op, exact, size, allowed) CHECK(c64, float, f32, 0x1p-24, op, exact, size, allowed)
#define CHECK64(op, exact, size, allowed) CHECK(c128, double, f64, 0x1p-53, op, exact, size, allowed)
FUNCTIONS(CHECK32)
FUNCTIONS(CHECK64)
#define CALL(op, exact, size, allowed) op##_c64(), op##_c128();

static int same(double x, double y)
{
    return x == y || (x != x && y != y);
}

static void test_divide(void)
{
    static const double parts[] = {0, -0.0, 1, -2, 3.5, 1e300, -1e-300, INFINITY, -INFINITY, NAN};
    enum { COUNT = sizeof parts / sizeof *parts };
    for (int i = 0; i < COUNT * COUNT * COUNT * COUNT; i++) {
        double a = parts[i % COUNT], b = parts[i / COUNT % COUNT], c = parts[i / COUNT / COUNT % COUNT];
        double d = parts[i / COUNT / COUNT / COUNT];
        double re = hlocc_divide_re_c128(a, b, c, d), im = hlocc_divide_im_c128(a, b, c, d);
        int ordinary = isfinite(a) && isfinite(b) && isfinite(c) && isfinite(d) && (c != 0 || d != 0);
        int ok = 1;
        if (ordinary) {
            long double complex want = (a + I * (long double)b) / (c + I * (long double)d);
            ok = cabsl(want) > 1e307L || cabsl(want) < 1e-307L || cabsl(re + I * (long double)im - want) <= cabsl(want)
                * 0x1p-50L;
        } else if (c == 0 && d == 0 && !(isnan(a) && isnan(b))) {
            ok = same(re, copysign(INFINITY, c) * a) && same(im, copysign(INFINITY, c) * b);
        } else if (isfinite(a) && isfinite(b) && (isinf(c) || isinf(d))) {
            ok = (re == 0 && im == 0) || isnan(c) || isnan(d);
        } else if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) {
            ok = isinf(re) || isinf(im);
        }
        checks++;
        if (!ok && failures++ < 40) printf("FAIL (%g, %g) / (%g, %g) = (%g, %g)\n", a, b, c, d, re, im);
    }
}

static void test_pow(void)
{
    for (int k = 0; k < 20000; k++) {
        double a = uniform(3), b = uniform(3), c = uniform(3), d = uniform(3);
        long double complex want = cpowl(a + I * (long double)b, c + I * (long double)d);
        long double complex got = hlocc_pow_re_c128(a, b, c, d) + I * (long double)hlocc_pow_im_c128(a, b, c, d);
        checks++;
        if (cabsl(got - want) > cabsl(want) * 0x1p-48L && failures++ < 40)
            printf("FAIL pow c128 (%g, %g) (%g, %g)\n", a, b, c, d);
        float fa = (float)a, fb = (float)b, fc = (float)c, fd = (float)d;
        want = cpowl(fa + I * (long double)fb, fc + I * (long double)fd);
        got = hlocc_pow_re_c64(fa, fb, fc, fd) + I * (long double)hlocc_pow_im_c64(fa, fb, fc, fd);
        checks++;
        if (cabsl(got - want) > cabsl(want) * 0x1p-19L && failures++ < 40)
            printf("FAIL pow c64 (%g, %g) (%g, %g)\n", a, b, c, d);
        /* tan(atan2(y, x)) = y / x */
        long double complex y = a + I * (long double)b, x = c + I * (long double)d;
        long double complex t = ctanl(hlocc_atan2_re_c128(a, b, c, d) + I *
            (long double)hlocc_atan2_im_c128(a, b, c, d));
        checks++;
        if (cabsl(t - y / x) > cabsl(y / x) * 1e-9L && cabsl(x) > 0.1L && cabsl(y) > 0.1L && failures++ < 40)
            printf("FAIL atan2 c128 (%g, %g) (%g, %g)\n", a, b, c, d);
        double h = hlocc_abs_c128(a, b);
        checks++;
        if (fabs(h - hypot(a, b)) > 3 * 0x1p-53 * h && failures++ < 40) printf("FAIL abs (%g, %g)\n", a, b);
    }
}

int main(void)
{
    FUNCTIONS(CALL)
    test_divide();
    test_pow();
    printf("%ld checks, %ld failures\n", checks, failures);
    return failures != 0;
}
