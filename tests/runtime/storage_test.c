/* Small floats of the runtime against ir/small_float.c: every bit pattern, f32 and f64 values around every boundary,
 * one
 * element and N lanes. */
#include "all.h"

#include <math.h>
#include <stdio.h>

#include "ir/literal.h"

#ifndef N
#define N 16
#endif
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define V(T) CAT(CAT(T, x), N)

static long checks, failures;

static void check(const char *what, double x, double got, double want)
{
    checks++;
    if ((got != got && want != want) || (got == want && signbit(got) == signbit(want))) return;
    if (failures++ < 30) printf("FAIL %s of %a: %a, not %a\n", what, x, got, want);
}

static uint64_t state = 88172645463325252u;
static uint64_t random_bits(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 2685821657736338717u;
}

/* A value near a border of the format: between two neighbours, or a hair beside. */
static double near_border(DType dtype, int bits, long i)
{
    unsigned code = (unsigned)random_bits() & ((1u << bits) - 1);
    double a = small_float_to_double(dtype, code), b = small_float_to_double(dtype, code + 1), x = a;
    if (i % 4 == 1) x = (a + b) / 2;
    if (i % 4 == 2) x = nextafter((a + b) / 2, i % 8 == 2 ? HUGE_VAL : -HUGE_VAL);
    if (i % 4 == 3) x = i % 8 == 3 ? (double)(int64_t)random_bits() * 0x1p-60 :
        ldexp((double)(int64_t)random_bits(), (int)(random_bits() % 400) - 260);
    if (i == 0) x = HUGE_VAL;
    if (i == 4) x = -HUGE_VAL;
    if (i == 8) x = NAN;
    if (i == 12) x = -NAN;
    if (i == 16) x = -0.0;
    return x;
}

#define TEST(W, RAW, dtype, bits)                                                                            \
    static void test_##W(void)                                                                               \
    {                                                                                                        \
        for (unsigned code = 0; code < 1u << bits; code += N) {                                              \
            RAW c[N];                                                                                        \
            float f[N];                                                                                      \
            double d[N];                                                                                     \
            for (unsigned i = 0; i < N; i++) c[i] = (RAW)((code + i) & ((1u << bits) - 1));                  \
            CAT(hlocc_store_, V(f32))(f, CAT(CAT(hlocc_load_, V(f32)), _##W)(c));                            \
            CAT(hlocc_store_, V(f64))(d, CAT(CAT(hlocc_load_, V(f64)), _##W)(c));                            \
            for (unsigned i = 0; i < N; i++) {                                                               \
                double want = small_float_to_double(dtype, c[i]);                                            \
                check(#W " to f32", c[i], f[i], want);                                                       \
                check(#W " to f64", c[i], d[i], want);                                                       \
                check(#W " to one f32", c[i], hlocc_f32_from_##W(c[i]), want);                               \
                check(#W " to one f64", c[i], hlocc_f64_from_##W(c[i]), want);                               \
            }                                                                                                \
        }                                                                                                    \
        for (long k = 0; k < 200000; k += N) {                                                               \
            RAW c[N], e[N];                                                                                  \
            float f[N];                                                                                      \
            double d[N];                                                                                     \
            for (int i = 0; i < N; i++) {                                                                    \
                d[i] = near_border(dtype, bits, k + i);                                                      \
                f[i] = (float)d[i];                                                                          \
            }                                                                                                \
            CAT(CAT(hlocc_store_, V(f32)), _##W)(c, CAT(hlocc_load_, V(f32))(f));                            \
            CAT(CAT(hlocc_store_, V(f64)), _##W)(e, CAT(hlocc_load_, V(f64))(d));                            \
            for (int i = 0; i < N; i++) {                                                                    \
                unsigned want32 = small_float_from_double(dtype, f[i]), want64 = small_float_from_double(dtype, d[i]); \
                check("f32 to " #W, f[i], same_nan(dtype, c[i], want32), want32);                            \
                check("f64 to " #W, d[i], same_nan(dtype, e[i], want64), want64);                            \
                check("one f32 to " #W, f[i], same_nan(dtype, hlocc_##W##_from_f32(f[i]), want32), want32);  \
                check("one f64 to " #W, d[i], same_nan(dtype, hlocc_##W##_from_f64(d[i]), want64), want64);  \
            }                                                                                                \
        }                                                                                                    \
    }

/* NaN may keep its payload in 16 bits. */
static unsigned same_nan(DType dtype, unsigned got, unsigned want)
{
    if (dtype_bits(dtype) != 16) return got;
    double a = small_float_to_double(dtype, got), b = small_float_to_double(dtype, want);
    return a != a && b != b ? want : got;
}

#define FORMATS(X)                                                                                                   \
    X(bf16, uint16_t, DT_BF16, 16) X(f16, uint16_t, DT_F16, 16) X(f8e5m2, uint8_t, DT_F8E5M2, 8)                      \
    X(f8e4m3, uint8_t, DT_F8E4M3, 8) X(f8e3m4, uint8_t, DT_F8E3M4, 8) X(f8e4m3fn, uint8_t, DT_F8E4M3FN, 8)            \
    X(f8e4m3fnuz, uint8_t, DT_F8E4M3FNUZ, 8) X(f8e5m2fnuz, uint8_t, DT_F8E5M2FNUZ, 8)                                 \
    X(f8e4m3b11fnuz, uint8_t, DT_F8E4M3B11FNUZ, 8) X(f8e8m0fnu, uint8_t, DT_F8E8M0FNU, 8)                             \
    X(f6e2m3fn, uint8_t, DT_F6E2M3FN, 6) X(f6e3m2fn, uint8_t, DT_F6E3M2FN, 6) X(f4e2m1fn, uint8_t, DT_F4E2M1FN, 4)
FORMATS(TEST)
#define CALL(W, RAW, dtype, bits) test_##W();

int main(void)
{
    FORMATS(CALL)
    printf("%d lanes: %ld checks, %ld failures\n", N, checks, failures);
    return failures != 0;
}
