/* measure FUNCTION TYPE [--normal] IN OUT: the largest error of OUT = FUNCTION(IN), both .npy files of TYPE, in ulp.
 *
 * Prints "ULP ARGUMENT RESULT EXACT MISSED": the worst of all, and how many results are NaN where they should not be or
 * the other way round. An ulp is the distance of neighbours of TYPE around the exact value (of denormals: the smallest
 * number). What TYPE cannot hold counts as the next power of two. --normal leaves out denormal arguments and results, which XLA:CPU flushes.
 *
 * Every value is compared with libm in twice the precision first; those that may be the worst are then compared with MPFR. */
#include <math.h>
#include <mpfr.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/literal.h"

typedef struct {
    const char *name;
    double (*in_double)(double);
    long double (*in_long)(long double);
    int (*exact)(mpfr_t, const mpfr_t, mpfr_rnd_t);
} Function;

static double rsqrt(double x) { return 1 / sqrt(x); }
static long double rsqrtl(long double x) { return 1 / sqrtl(x); }
static double logistic(double x) { return 1 / (1 + exp(-x)); }
static long double logisticl(long double x) { return 1 / (1 + expl(-x)); }

static int exact_logistic(mpfr_t y, const mpfr_t x, mpfr_rnd_t round) {
    mpfr_neg(y, x, round);
    mpfr_exp(y, y, round);
    mpfr_add_ui(y, y, 1, round);
    return mpfr_ui_div(y, 1, y, round);
}

static const Function functions[] = {
    {"sqrt", sqrt, sqrtl, mpfr_sqrt},
    {"rsqrt", rsqrt, rsqrtl, mpfr_rec_sqrt},
    {"cbrt", cbrt, cbrtl, mpfr_cbrt},
    {"exponential", exp, expl, mpfr_exp},
    {"exponential-minus-one", expm1, expm1l, mpfr_expm1},
    {"log", log, logl, mpfr_log},
    {"log-plus-one", log1p, log1pl, mpfr_log1p},
    {"sine", sin, sinl, mpfr_sin},
    {"cosine", cos, cosl, mpfr_cos},
    {"tan", tan, tanl, mpfr_tan},
    {"asin", asin, asinl, mpfr_asin},
    {"acos", acos, acosl, mpfr_acos},
    {"atan", atan, atanl, mpfr_atan},
    {"sinh", sinh, sinhl, mpfr_sinh},
    {"cosh", cosh, coshl, mpfr_cosh},
    {"tanh", tanh, tanhl, mpfr_tanh},
    {"asinh", asinh, asinhl, mpfr_asinh},
    {"acosh", acosh, acoshl, mpfr_acosh},
    {"atanh", atanh, atanhl, mpfr_atanh},
    {"erf", erf, erfl, mpfr_erf},
    {"logistic", logistic, logisticl, exact_logistic},
};

/* The exponents of the smallest normal number and of the last place of a number below 2, and the largest exponent. */
typedef struct {
    int smallest, mantissa, largest;
} Range;

static Range range_of(DType dtype) {
    if (dtype == DT_F64) return (Range){-1022, 52, 1023};
    if (dtype == DT_F32) return (Range){-126, 23, 127};
    Range range = {0, dtype_mantissa_bits(dtype), 0};
    double one = small_float_to_double(dtype, small_float_from_double(dtype, 1));
    unsigned bits = small_float_from_double(dtype, one);
    range.smallest = 1 - (int)(bits >> range.mantissa);
    for (unsigned b = 0; b < 1u << (dtype_bits(dtype) - (dtype != DT_F8E8M0FNU)); b++) {
        double x = small_float_to_double(dtype, b);
        if (isfinite(x) && x > 0 && ilogb(x) > range.largest) range.largest = ilogb(x);
    }
    return range;
}

static double element(DType dtype, const unsigned char *data, long i) {
    if (dtype == DT_F64) return ((const double *)(const void *)data)[i];
    if (dtype == DT_F32) return ((const float *)(const void *)data)[i];
    if (dtype_bytes(dtype) == 2) return small_float_to_double(dtype, ((const uint16_t *)(const void *)data)[i]);
    return small_float_to_double(dtype, data[i]);
}

static unsigned char *read_file(const char *path, long *n) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(1);
    }
    fseek(file, 0, SEEK_END);
    *n = ftell(file);
    rewind(file);
    unsigned char *data = malloc((size_t)*n + 1);
    if (!data || fread(data, 1, (size_t)*n, file) != (size_t)*n) exit(1);
    fclose(file);
    return data;
}

static long data_begin(const unsigned char *npy) {
    return 10 + npy[8] + 256 * npy[9];
}

static double ulp_of(const Range *range, long double exact) {
    int exponent = exact == 0 ? range->smallest : ilogbl(exact);
    if (exponent < range->smallest) exponent = range->smallest;
    if (exponent > range->largest) exponent = range->largest;
    return ldexp(1, exponent - range->mantissa);
}

/* What overflows is the next power of two, on both sides. */
static long double limited(const Range *range, long double x) {
    long double most = ldexpl(1, range->largest + 1);
    return x > most ? most : x < -most ? -most : x;
}

/* The error in ulp, exactly; *exact is the value as a double. */
static double measured(const Function *f, const Range *range, double x, double got, double *exact) {
    mpfr_t in, out;
    mpfr_inits2(200, in, out, (mpfr_ptr)0);
    mpfr_set_d(in, x, MPFR_RNDN);
    f->exact(out, in, MPFR_RNDN);
    *exact = mpfr_get_d(out, MPFR_RNDN);
    long double near = limited(range, mpfr_get_ld(out, MPFR_RNDN));
    double error;
    if (fabsl(near) >= ldexpl(1, range->largest + 1)) {
        error = (double)(fabsl(near - limited(range, got)) / ulp_of(range, near));
    } else {
        mpfr_t difference;
        mpfr_init2(difference, 200);
        mpfr_set_ld(difference, limited(range, got), MPFR_RNDN);
        mpfr_sub(difference, difference, out, MPFR_RNDN);
        error = fabs(mpfr_get_d(difference, MPFR_RNDN)) / ulp_of(range, near);
        mpfr_clear(difference);
    }
    mpfr_clears(in, out, (mpfr_ptr)0);
    return error;
}

int main(int argc, char **argv) {
    if (argc < 5) return 2;
    bool normal = strcmp(argv[3], "--normal") == 0;
    DType dtype = dtype_from_name(argv[2], strlen(argv[2]));
    const Function *f = NULL;
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
        if (strcmp(functions[k].name, argv[1]) == 0) f = &functions[k];
    if (!f || dtype == N_DTYPES) return 2;
    long in_bytes, out_bytes;
    unsigned char *in = read_file(argv[3 + normal], &in_bytes), *out = read_file(argv[4 + normal], &out_bytes);
    long n = (in_bytes - data_begin(in)) / dtype_bytes(dtype);
    if ((out_bytes - data_begin(out)) / dtype_bytes(dtype) != n) return 1;
    const unsigned char *x_data = in + data_begin(in), *y_data = out + data_begin(out);
    Range range = range_of(dtype);
    double worst = 0, at = 0, result = 0, exact = 0, smallest = ldexp(1, range.smallest);
    long missed = 0;
    for (long i = 0; i < n; i++) {
        double x = element(dtype, x_data, i), got = element(dtype, y_data, i);
        long double near = dtype == DT_F64 ? f->in_long(x) : f->in_double(x);
        if (normal && ((x != 0 && fabs(x) < smallest) || fabsl(near) < smallest)) continue;
        bool no_nan = dtype == DT_F4E2M1FN || dtype == DT_F6E2M3FN || dtype == DT_F6E3M2FN;
        bool overflows = fabsl(near) >= ldexpl(1, range.largest + 1) && isnan(got) && dtype_bits(dtype) <= 8;
        if (isnan(got) || isnan(near) || (no_nan && isinf(near))) {
            missed += isnan(got) != isnan(near) && !no_nan && !overflows;
            continue;
        }
        near = limited(&range, near);
        double error = (double)(fabsl(limited(&range, got) - near) / ulp_of(&range, near));
        if (error <= worst || no_nan) continue;
        if (dtype_bits(dtype) > 8 && isfinite(x)) error = measured(f, &range, x, got, &exact);
        else exact = (double)near;
        if (error <= worst) continue;
        worst = error;
        at = x;
        result = got;
    }
    printf("%.3f %.17g %.17g %ld\n", worst, at, result, missed);
    return 0;
}
