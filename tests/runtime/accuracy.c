/* The largest error in ulp of every math function, against MPFR (f64) or libm in double and MPFR where it matters
 * (f32), and whether one element and 16 (8) agree to the bit.
 *
 *     accuracy [f32 STRIDE] [f64 COUNT] [FUNCTION]
 *     accuracy --results FUNCTION f32|f64 RESULTS X [Y]: the error of somebody else's results, arrays of raw numbers;
 *         where an argument or result is denormal it does not count (XLA:CPU flushes those)
 *
 * f32: every STRIDE-th bit pattern, and all special values; f64: COUNT random bit patterns, ranges and specials. */
#include "all.h"

#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N32
#define N32 16
#endif
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define F32(op) CAT(CAT(hlocc_, op), CAT(_f32x, N32))
#define F64(op) CAT(CAT(hlocc_, op), CAT(_f64x, N32))

typedef int reference(mpfr_t, const mpfr_t, mpfr_rnd_t);

static int mp_logistic(mpfr_t r, const mpfr_t x, mpfr_rnd_t rnd)
{
    mpfr_neg(r, x, rnd);
    mpfr_exp(r, r, rnd);
    mpfr_add_ui(r, r, 1, rnd);
    return mpfr_ui_div(r, 1, r, rnd);
}
static int mp_rsqrt(mpfr_t r, const mpfr_t x, mpfr_rnd_t rnd)
{
    return mpfr_rec_sqrt(r, x, rnd);
}

#define UNARY(X) \
    X(exp, mpfr_exp) X(expm1, mpfr_expm1) X(log, mpfr_log) X(log1p, mpfr_log1p) X(tanh, mpfr_tanh) \
        X(logistic, mp_logistic) \
    X(sinh, mpfr_sinh) X(cosh, mpfr_cosh) X(erf, mpfr_erf) X(rsqrt, mp_rsqrt) \
    X(sin, mpfr_sin) X(cos, mpfr_cos) X(tan, mpfr_tan) X(asin, mpfr_asin) X(acos, mpfr_acos) X(atan, mpfr_atan) \
    X(cbrt, mpfr_cbrt) X(asinh, mpfr_asinh) X(acosh, mpfr_acosh) X(atanh, mpfr_atanh)
#define BINARY(X) X(pow, mpfr_pow) X(atan2, mpfr_atan2)

typedef struct {
    const char *name;
    float (*f32)(float);
    double (*f64)(double);
    void (*v32)(const float *, float *);
    void (*v64)(const double *, double *);
    reference *exact;
} Function;

#define DEFINE(op, mp)                                                                                  \
    static float op##_f32(float x) { return CAT(CAT(hlocc_, op), _f32)(x); }                            \
    static double op##_f64(double x) { return CAT(CAT(hlocc_, op), _f64)(x); }                          \
    static void op##_v32(const float *x, float *y) { F32(store)(y, F32(op)(F32(load)(x))); }            \
    static void op##_v64(const double *x, double *y) { F64(store)(y, F64(op)(F64(load)(x))); }
UNARY(DEFINE)
#define ROW(op, mp) {#op, op##_f32, op##_f64, op##_v32, op##_v64, mp},
static const Function functions[] = {UNARY(ROW)};

#define DEFINE2(op, mp)                                                                                                        \
    static float op##_f32(float x, float y) { return CAT(CAT(hlocc_, op), _f32)(x, y); } \
    static double op##_f64(double x, double y) { return CAT(CAT(hlocc_, op), _f64)(x, y); } \
    static void op##_v32(const float *x, const float *y, float *r) \
        { F32(store)(r, F32(op)(F32(load)(x), F32(load)(y))); } \
    static void op##_v64(const double *x, const double *y, double *r) \
        { F64(store)(r, F64(op)(F64(load)(x), F64(load)(y))); }
BINARY(DEFINE2)
typedef struct {
    const char *name;
    float (*f32)(float, float);
    double (*f64)(double, double);
    void (*v32)(const float *, const float *, float *);
    void (*v64)(const double *, const double *, double *);
    int (*exact)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);
} Function2;
#define ROW2(op, mp) {#op, op##_f32, op##_f64, op##_v32, op##_v64, mp},
static const Function2 functions2[] = {BINARY(ROW2){0, 0, 0, 0, 0, 0}};

typedef struct {
    double worst, worst_x, worst_y;
    long wrong_special, disagree, n;
    double special_x, special_y, disagree_x;
} Result;

/* Error of got in ulp of the exact value, for a format of `digits` and least exponent e_min (of the last place). */
static double ulp_error(double got, mpfr_t exact, int digits, int e_min, double limit)
{
    if (mpfr_nan_p(exact)) return got != got ? 0 : HUGE_VAL;
    if (got != got) return HUGE_VAL;
    double rounded = mpfr_get_d(exact, MPFR_RNDN);
    if (isinf(got) || mpfr_inf_p(exact) || fabs(rounded) >= limit) {
        double r = fabs(rounded) >= limit ? copysign(HUGE_VAL, rounded) : rounded;
        if (got == r) return 0;
        if (isinf(got) != isinf(r) && fabs(isinf(got) ? rounded : got) > limit * 0.999999) return 1; /* at the edge */
        return HUGE_VAL;
    }
    if (mpfr_zero_p(exact)) return got == 0 && signbit(got) == (mpfr_signbit(exact) != 0) ? 0 : got == 0 ? HUGE_VAL :
        HUGE_VAL;
    long e = mpfr_get_exp(exact) - digits;
    if (e < e_min) e = e_min;
    mpfr_t d;
    mpfr_init2(d, 200);
    mpfr_set_d(d, got, MPFR_RNDN);
    mpfr_sub(d, d, exact, MPFR_RNDN);
    mpfr_mul_2si(d, d, -e, MPFR_RNDN);
    double error = fabs(mpfr_get_d(d, MPFR_RNDN));
    mpfr_clear(d);
    return error;
}

static void note(Result *r, double x, double y, double got, double other, double error)
{
    r->n++;
    if (memcmp(&got, &other, 8) != 0 && !(got != got && other != other)) r->disagree++, r->disagree_x = x;
    if (error == HUGE_VAL) {
        r->wrong_special++;
        r->special_x = x;
        r->special_y = y;
    } else if (error > r->worst) {
        r->worst = error;
        r->worst_x = x;
        r->worst_y = y;
    }
}

static void print(const char *name, const char *type, const Result *r)
{
    printf("%-10s %s  %6.3f ulp at %a, %a", name, type, r->worst, r->worst_x, r->worst_y);
    if (r->wrong_special) printf("  WRONG: %ld, as at %a, %a", r->wrong_special, r->special_x, r->special_y);
    if (r->disagree) printf("  DIFFERS from one element: %ld, as at %a", r->disagree, r->disagree_x);
    printf("  (%ld values)\n", r->n);
    fflush(stdout);
}

static void run_f32(const Function *f, uint64_t stride)
{
    Result result = {0};
    float x[N32], y[N32];
    int n = 0;
    mpfr_t a, b;
    mpfr_init2(a, 60);
    mpfr_init2(b, 80);
    for (uint64_t bits = 0; bits < (1ull << 32) + 64; bits += bits < 1ull << 32 ? stride : 1) {
        static const float special[64] =
            {0.0f, -0.0f, 1, -1, HUGE_VALF, -HUGE_VALF, NAN, 0x1p-149f, -0x1p-149f, 0x1p-126f, 2, -2, 0.5f, -0.5f, 88,
                89, 90, 104, -88, -104, -103.5f};
        uint32_t u = (uint32_t)bits;
        float v;
        memcpy(&v, &u, 4);
        if (bits >= 1ull << 32) v = special[bits & 63];
        x[n++] = v;
        if (n < N32) continue;
        n = 0;
        f->v32(x, y);
        for (int i = 0; i < N32; i++) {
            mpfr_set_flt(a, x[i], MPFR_RNDN);
            f->exact(b, a, MPFR_RNDN);
            note(&result, x[i], 0, y[i], f->f32(x[i]), ulp_error(y[i], b, 24, -149, 0x1.ffffffp127));
        }
    }
    print(f->name, "f32", &result);
    mpfr_clear(a);
    mpfr_clear(b);
}

static uint64_t state = 88172645463325252u;
static uint64_t random_bits(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 2685821657736338717u;
}

static double random_f64(long i)
{
    static const double special[] =
        {0.0, -0.0, 1, -1, HUGE_VAL, -HUGE_VAL, NAN, 0x1p-1074, -0x1p-1074, 0x1p-1022, 2, -2, 0.5, -0.5, 709.9, 710.4,
            -745.1, -746, 0x1.fffffffffffffp1023};
    uint64_t bits = random_bits();
    double d;
    if (i < (long)(sizeof special / sizeof *special)) return special[i];
    int kind = (int)(i % 5);
    if (kind == 0) {
        memcpy(&d, &bits, 8);
        return d;
    }
    double unit = (double)(int64_t)bits * 0x1p-63;
    return kind == 1 ? unit * 2 : kind == 2 ? unit * 30 : kind == 3 ? unit * 800 :
        ldexp(unit, (int)(random_bits() % 80) - 50);
}

static void run_f64(const Function *f, long count)
{
    Result result = {0};
    double x[N32], y[N32];
    mpfr_t a, b;
    mpfr_init2(a, 60);
    mpfr_init2(b, 120);
    for (long k = 0; k < count; k += N32) {
        for (int i = 0; i < N32; i++) x[i] = random_f64(k + i);
        f->v64(x, y);
        for (int i = 0; i < N32; i++) {
            mpfr_set_d(a, x[i], MPFR_RNDN);
            f->exact(b, a, MPFR_RNDN);
            note(&result, x[i], 0, y[i], f->f64(x[i]), ulp_error(y[i], b, 53, -1074, 0x1.fffffffffffff8p1023));
        }
    }
    print(f->name, "f64", &result);
    mpfr_clear(a);
    mpfr_clear(b);
}

static double random_for(int is_f32, long i, int second)
{
    double d = random_f64(i);
    if (second && i % 3 == 0) d = ldexp((double)(int64_t)random_bits() * 0x1p-63, (int)(random_bits() % 16) - 6);
    if (second && i % 7 == 0) d = rint(d);
    if (is_f32) {
        uint32_t bits = (uint32_t)random_bits();
        float f = (float)d;
        if (i % 5 == 0 && i > 50) memcpy(&f, &bits, 4);
        return f;
    }
    return d;
}

static void run2(const Function2 *f, int is_f32, long count)
{
    Result result = {0};
    mpfr_t a, b, c;
    mpfr_init2(a, 60);
    mpfr_init2(b, 60);
    mpfr_init2(c, 120);
    for (long k = 0; k < count; k += N32) {
        double x[N32], y[N32], r[N32], s[N32];
        float x32[N32], y32[N32], r32[N32];
        for (int i = 0; i < N32; i++) {
            x[i] = random_for(is_f32, k < 400 ? k / 20 % 20 : k + i, 0);
            y[i] = random_for(is_f32, k < 400 ? (k + i) % 20 : k + i, 1);
            x32[i] = (float)x[i];
            y32[i] = (float)y[i];
        }
        if (is_f32) f->v32(x32, y32, r32);
        else f->v64(x, y, r);
        for (int i = 0; i < N32; i++) {
            if (is_f32) r[i] = r32[i];
            s[i] = is_f32 ? f->f32(x32[i], y32[i]) : f->f64(x[i], y[i]);
            mpfr_set_d(a, x[i], MPFR_RNDN);
            mpfr_set_d(b, y[i], MPFR_RNDN);
            f->exact(c, a, b, MPFR_RNDN);
            double error = is_f32 ? ulp_error(r[i], c, 24, -149, 0x1.ffffffp127) :
                ulp_error(r[i], c, 53, -1074, 0x1.fffffffffffff8p1023);
            note(&result, x[i], y[i], r[i], s[i], error);
        }
    }
    print(f->name, is_f32 ? "f32" : "f64", &result);
    mpfr_clear(a);
    mpfr_clear(b);
    mpfr_clear(c);
}

static double *read_numbers(const char *path, int is_f32, long *n)
{
    FILE *file = fopen(path, "rb");
    if (!file) exit(2);
    fseek(file, 0, SEEK_END);
    *n = ftell(file) / (is_f32 ? 4 : 8);
    rewind(file);
    double *numbers = malloc(sizeof(double) * (size_t)*n);
    for (long i = 0; i < *n; i++) {
        float f;
        if (fread(is_f32 ? (void *)&f : (void *)&numbers[i], is_f32 ? 4 : 8, 1, file) != 1) exit(2);
        if (is_f32) numbers[i] = f;
    }
    fclose(file);
    return numbers;
}

static int judge_results(char **argv)
{
    int is_f32 = strcmp(argv[1], "f32") == 0;
    double least = is_f32 ? 0x1p-126 : 0x1p-1022;
    long n;
    double *got = read_numbers(argv[2], is_f32, &n), *x = read_numbers(argv[3], is_f32, &n);
    double *y = argv[4] ? read_numbers(argv[4], is_f32, &n) : NULL;
    Result result = {0};
    mpfr_t a, b, c;
    mpfr_init2(a, 60);
    mpfr_init2(b, 60);
    mpfr_init2(c, 120);
    for (long i = 0; i < n; i++) {
        mpfr_set_d(a, x[i], MPFR_RNDN);
        if (y) mpfr_set_d(b, y[i], MPFR_RNDN);
        for (size_t k = 0; !y && k < sizeof functions / sizeof *functions; k++)
            if (strcmp(functions[k].name, argv[0]) == 0) functions[k].exact(c, a, MPFR_RNDN);
        for (const Function2 *f = functions2; y && f->name; f++)
            if (strcmp(f->name, argv[0]) == 0) f->exact(c, a, b, MPFR_RNDN);
        double value = fabs(mpfr_get_d(c, MPFR_RNDN));
        int denormal = (value < least && value > 0) || (fabs(x[i]) < least && x[i] != 0) ||
            (y && fabs(y[i]) < least && y[i] != 0);
        if (denormal) continue;
        double error = is_f32 ? ulp_error(got[i], c, 24, -149, 0x1.ffffffp127) :
            ulp_error(got[i], c, 53, -1074, 0x1.fffffffffffff8p1023);
        note(&result, x[i], y ? y[i] : 0, got[i], got[i], error);
    }
    print(argv[0], argv[1], &result);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 5 && strcmp(argv[1], "--results") == 0) return judge_results(argv + 2);
    uint64_t stride = argc > 1 ? strtoull(argv[1], 0, 0) : 4099;
    long count = argc > 2 ? atol(argv[2]) : 100000;
    const char *only = argc > 3 ? argv[3] : NULL;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (only && strcmp(only, functions[i].name) != 0) continue;
        if (stride) run_f32(&functions[i], stride);
        if (count) run_f64(&functions[i], count);
    }
    for (const Function2 *f = functions2; f->name; f++) {
        if (only && strcmp(only, f->name) != 0) continue;
        run2(f, 1, count);
        run2(f, 0, count);
    }
    return 0;
}
