/* Speed of the math functions: Gelem/s of one thread (CPU time, best of many slices) over arrays of 4096 elements.
 *
 *     math [FUNCTION] */
#include "all.h"

#include <stdio.h>
#include <time.h>

#ifndef N32
#define N32 16
#endif
#ifndef N64
#define N64 8
#endif
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define FN(op, T, N) CAT(CAT(CAT(hlocc_, op), _##T##x), N)

enum { COUNT = 4096 };
static float x32[COUNT], y32[COUNT], z32[COUNT];
static double x64[COUNT], y64[COUNT], z64[COUNT];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double rate(void (*run)(void))
{
    double best = 1e9;
    for (int slice = 0; slice < 40; slice++) {
        int rounds = 0;
        double begin = now(), end;
        do {
            for (int i = 0; i < 16; i++) {
                run();
                __asm__ volatile("" : : "r"(y32), "r"(y64) : "memory");
            }
            rounds += 16;
            end = now();
        } while (end - begin < 1e-3);
        if ((end - begin) / rounds < best) best = (end - begin) / rounds;
    }
    return COUNT / best * 1e-9;
}

#define UNARY(op)                                                                                            \
    static void __attribute__((noinline)) op##_v32(void)                                                     \
    {                                                                                                        \
        for (int i = 0; i < COUNT; i += N32)                                                                 \
            FN(store, f32, N32)(y32 + i, FN(op, f32, N32)(FN(load, f32, N32)(x32 + i)));                     \
    }                                                                                                        \
    static void __attribute__((noinline)) op##_v64(void)                                                     \
    {                                                                                                        \
        for (int i = 0; i < COUNT; i += N64)                                                                 \
            FN(store, f64, N64)(y64 + i, FN(op, f64, N64)(FN(load, f64, N64)(x64 + i)));                     \
    }                                                                                                        \
    static void __attribute__((noinline)) op##_s32(void)                                                     \
    {                                                                                                        \
        for (int i = 0; i < COUNT; i++) y32[i] = hlocc_##op##_f32(x32[i]);                                   \
    }
#define BINARY(op)                                                                                           \
    static void __attribute__((noinline)) op##_v32(void)                                                     \
    {                                                                                                        \
        for (int i = 0; i < COUNT; i += N32)                                                                 \
            FN(store, f32, N32)(y32 + i, FN(op, f32, N32)(FN(load, f32, N32)(x32 + i), FN(load, f32, N32)(z32 + i))); \
    }                                                                                                        \
    static void __attribute__((noinline)) op##_v64(void)                                                     \
    {                                                                                                        \
        for (int i = 0; i < COUNT; i += N64)                                                                 \
            FN(store, f64, N64)(y64 + i, FN(op, f64, N64)(FN(load, f64, N64)(x64 + i), FN(load, f64, N64)(z64 + i))); \
    }                                                                                                        \
    static void __attribute__((noinline)) op##_s32(void)                                                     \
    {                                                                                                        \
        for (int i = 0; i < COUNT; i++) y32[i] = hlocc_##op##_f32(x32[i], z32[i]);                           \
    }

#define UNARIES(X)                                                                                           \
    X(sqrt, 0, 100) X(rsqrt, 0, 100) X(exp, -10, 10) X(expm1, -10, 10) X(log, 0, 100) X(log1p, 0, 10) X(tanh, -3, 3)  \
    X(logistic, -5, 5) X(sinh, -3, 3) X(cosh, -3, 3) X(erf, -3, 3) X(floor, -10, 10) X(round_afz, -9, 9) \
        X(sign, -1, 1) X(sin, -9, 9) X(cos, -9, 9) \
    X(tan, -9, 9) X(asin, -1, 1) X(acos, -1, 1) X(atan, -4, 4) X(cbrt, -9, 9) X(asinh, -9, 9) X(acosh, 1, 9) \
        X(atanh, -1, 1)
#define BINARIES(X) X(max, -3, 3) X(min, -3, 3) X(rem, -9, 9) X(pow, 0, 9) X(atan2, -3, 3)
#define DEFINE(op, lo, hi) UNARY(op)
#define DEFINE2(op, lo, hi) BINARY(op)
UNARIES(DEFINE)
BINARIES(DEFINE2)

typedef struct {
    const char *name;
    double low, high;
    void (*v32)(void);
    void (*v64)(void);
    void (*s32)(void);
} Function;
#define ROW(op, lo, hi) {#op, lo, hi, op##_v32, op##_v64, op##_s32},
static const Function functions[] = {UNARIES(ROW) BINARIES(ROW)};

int main(int argc, char **argv)
{
    printf("Gelem/s     f32x%d  f64x%d  one f32\n", N32, N64);
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
        const Function *f = &functions[k];
        if (argc > 1 && strcmp(argv[1], f->name) != 0) continue;
        unsigned seed = 1;
        for (int i = 0; i < COUNT; i++) {
            seed = seed * 1664525u + 1013904223u;
            x64[i] = f->low + (f->high - f->low) * (seed / 4294967296.0);
            seed = seed * 1664525u + 1013904223u;
            z64[i] = 3 * (seed / 4294967296.0);
            x32[i] = (float)x64[i];
            z32[i] = (float)z64[i];
        }
        double v32 = rate(f->v32), v64 = rate(f->v64), s32 = rate(f->s32);
        printf("%-10s  %6.2f  %6.2f  %6.2f\n", f->name, v32, v64, s32);
        fflush(stdout);
    }
    return 0;
}
