/* Every operator of every type with N lanes (-DN=16) against the operator of one element. */
#include "all.h" /* every header of the runtime; made by tests/runtime/run */

#include <stdio.h>
#include <stdlib.h>

static int failures, checks;

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define VEC(T) CAT(CAT(hlocc_, T), CAT(x, N))
#define FN(op, T) CAT(CAT(CAT(hlocc_, op), CAT(_, T)), CAT(x, N))
#define FNS(op, T) CAT(CAT(hlocc_, op), CAT(_, T))
#define MASK CAT(hlocc_m, N)
#define MFN(op) CAT(CAT(hlocc_, op), CAT(_m, N))

typedef float f32;
typedef double f64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

static uint64_t state = 88172645463325252u;
static uint64_t random_bits(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 2685821657736338717u;
}

/* Bits of an interesting value. */
static uint64_t value_bits(int bytes, int is_float)
{
    static const double doubles[] =
        {0, -0.0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 0.49999999999999994, 1e300, -1e300, 1e-310, 2147483647.0,
        2147483648.0, -2147483648.0, -2147483649.0, 4294967295.0, 4294967296.0, 9223372036854775807.0,
            -9223372036854775808.0,
        18446744073709551615.0, 127, 128, -128, -129, 255, 256, 32767, 32768, 65535.5, 4503599627370497.5, -3.7,
            100.25};
    uint64_t bits = random_bits();
    unsigned choice = (unsigned)(random_bits() >> 60);
    if (is_float && choice < 8) {
        unsigned k = (unsigned)(random_bits() >> 32) % (sizeof doubles / sizeof *doubles + 3);
        double d = k < sizeof doubles / sizeof *doubles ? doubles[k] : k % 3 == 0 ? __builtin_inf() : k % 3 == 1 ?
            -__builtin_inf() : __builtin_nan("");
        float f = (float)d;
        if (bytes == 4) {
            uint32_t b;
            memcpy(&b, &f, 4);
            return b;
        }
        memcpy(&bits, &d, 8);
        return bits;
    }
    if (is_float && choice < 14) {
        double d = (double)(int64_t)random_bits() / (double)(1ull << (random_bits() >> 58));
        float f = (float)d;
        if (bytes == 4) {
            uint32_t b;
            memcpy(&b, &f, 4);
            return b;
        }
        memcpy(&bits, &d, 8);
        return bits;
    }
    if (choice < 4) return (uint64_t)(int64_t)((int)(bits >> 40) % 5 - 2);
    if (choice < 6) return (uint64_t)1 << (bits >> 40) % (unsigned)(bytes * 8);
    if (choice < 8) return ((uint64_t)1 << (bits >> 40) % (unsigned)(bytes * 8)) - 1;
    return bits;
}

static int same_bits(const void *a, const void *b, int bytes, int is_float)
{
    if (memcmp(a, b, (size_t)bytes) == 0) return 1;
    if (!is_float) return 0;
    if (bytes == 4) {
        float x, y;
        memcpy(&x, a, 4);
        memcpy(&y, b, 4);
        return x != x && y != y;
    }
    double x, y;
    memcpy(&x, a, 8);
    memcpy(&y, b, 8);
    return x != x && y != y;
}

static void fail(const char *what, const char *type, int lane, const void *a, const void *b, const void *got, const
    void *want, int in, int out)
{
    uint64_t v[4] = {0, 0, 0, 0};
    memcpy(&v[0], a, (size_t)in);
    memcpy(&v[1], b, (size_t)in);
    memcpy(&v[2], got, (size_t)out);
    memcpy(&v[3], want, (size_t)out);
    if (failures++ < 40)
        printf("FAIL %s_%sx%d lane %d: %llx, %llx gives %llx, not %llx\n", what, type, N, lane,
            (unsigned long long)v[0],
               (unsigned long long)v[1], (unsigned long long)v[2], (unsigned long long)v[3]);
}

#define IS_FLOAT(T) ((T)0.5 != 0)
#define CHECK(what, T, R, i, a, b, got, want)                                                             \
    do {                                                                                                  \
        R got_ = (got), want_ = (want);                                                                   \
        checks++;                                                                                         \
        if (!same_bits(&got_, &want_, sizeof(R), IS_FLOAT(R))) \
            fail(what, #T, i, &(a), &(b), &got_, &want_, sizeof(T), sizeof(R)); \
    } while (0)

#define FILL(T, p, n)                                                        \
    for (int fi = 0; fi < (n); fi++) {                                       \
        uint64_t bits = value_bits((int)sizeof(T), IS_FLOAT(T));             \
        memcpy(&(p)[fi], &bits, sizeof(T));                                  \
    }

#define BINARY(op, T)                                                            \
    FN(store, T)(r, FN(op, T)(FN(load, T)(a), FN(load, T)(b)));                  \
    for (int i = 0; i < N; i++) CHECK(#op, T, T, i, a[i], b[i], r[i], FNS(op, T)(a[i], b[i]));
#define UNARY(op, T)                                                             \
    FN(store, T)(r, FN(op, T)(FN(load, T)(a)));                                  \
    for (int i = 0; i < N; i++) CHECK(#op, T, T, i, a[i], a[i], r[i], FNS(op, T)(a[i]));
#define COMPARE(op, T)                                                           \
    m = FN(op, T)(FN(load, T)(a), FN(load, T)(b));                               \
    for (int i = 0; i < N; i++) CHECK(#op, T, int, i, a[i], b[i], MFN(lane)(m, i), FNS(op, T)(a[i], b[i]));
#define PREDICATE(op, T)                                                         \
    m = FN(op, T)(FN(load, T)(a));                                               \
    for (int i = 0; i < N; i++) CHECK(#op, T, int, i, a[i], a[i], MFN(lane)(m, i), FNS(op, T)(a[i]));
#define CONVERT(T, W)                                                                                       \
    {                                                                                                       \
        W w[N];                                                                                             \
        FN(store, W)(w, CAT(FN2(W, from, T), )(FN(load, T)(a)));                                            \
        for (int i = 0; i < N; i++) CHECK("to_" #W "_from", T, W, i, a[i], a[i], w[i], FNS2(W, from, T)(a[i])); \
    }
#define FN2(W, word, T) CAT(CAT(hlocc_, CAT(CAT(W, x), N)), CAT(CAT(_, word), CAT(_, CAT(CAT(T, x), N))))
#define FNS2(W, word, T) CAT(CAT(hlocc_, W), CAT(CAT(_, word), CAT(_, T)))
#define CONVERSIONS(T) \
    CONVERT(T, f32) CONVERT(T, f64) CONVERT(T, s8) CONVERT(T, s16) CONVERT(T, s32) CONVERT(T, s64) CONVERT(T, u8) \
        CONVERT(T, u16) CONVERT(T, u32) CONVERT(T, u64)

#define COMMON(T)                                                                                          \
    BINARY(add, T) BINARY(sub, T) BINARY(mul, T) BINARY(div, T) BINARY(max, T) BINARY(min, T) UNARY(neg, T) \
    COMPARE(eq, T) COMPARE(ne, T) COMPARE(lt, T) COMPARE(le, T) COMPARE(gt, T) COMPARE(ge, T)              \
    m = FN(lt, T)(FN(load, T)(a), FN(load, T)(b));                                                         \
    FN(store, T)(r, FN(select, T)(m, FN(load, T)(a), FN(load, T)(b)));                                     \
    for (int i = 0; i < N; i++) CHECK("select", T, T, i, a[i], b[i], r[i], a[i] < b[i] ? a[i] : b[i]);     \
    FN(store, T)(r, FN(clamp, T)(FN(load, T)(a), FN(load, T)(b), FN(splat, T)(a[0])));                     \
    for (int i = 0; i < N; i++) CHECK("clamp", T, T, i, a[i], b[i], r[i], FNS(clamp, T)(a[i], b[i], a[0])); \
    memory_##T(a, b, m);

#define MEMORY(T)                                                                                           \
    static void memory_##T(const T *a, const T *b, MASK m)                                                  \
    {                                                                                                       \
        T r[4 * N + 2], z = 0;                                                                              \
        for (int n = 0; n <= N; n++) {                                                                      \
            FN(store, T)(r, FN(loadn, T)(a + 1, n));                                                        \
            for (int i = 0; i < N; i++) CHECK("loadn", T, T, i, a[i], b[i], r[i], i < n ? a[i + 1] : z);       \
            memcpy(r, b, sizeof(T) * (N + 1));                                                              \
            FN(storen, T)(r, n, FN(load, T)(a));                                                            \
            for (int i = 0; i <= N; i++) CHECK("storen", T, T, i, a[i], b[i], r[i], i < n ? a[i] : b[i]);   \
            FN(store, T)(r, FN(loadsn, T)(a, 2, n));                                                        \
            for (int i = 0; i < N; i++) CHECK("loadsn", T, T, i, a[i], b[i], r[i], i < n ? a[2 * i] : z);   \
            MASK f = MFN(first)(n);                                                                         \
            for (int i = 0; i < N; i++) CHECK("first", T, int, i, a[i], b[i], MFN(lane)(f, i), i < n);      \
            if (n == N) continue;                                                                           \
            FN(store, T)(r, FN(down, T)(FN(load, T)(a), n));                                                \
            for (int i = 0; i + n < N; i++) CHECK("down", T, T, i, a[i], b[i], r[i], a[i + n]);             \
            FN(store, T)(r, FN(up, T)(FN(load, T)(a), n, b[0]));                                            \
            for (int i = 0; i < N; i++) CHECK("up", T, T, i, a[i], b[i], r[i], i < n ? b[0] : a[i - n]);    \
            CHECK("lane", T, T, n, a[n], b[n], FN(lane, T)(FN(load, T)(a), n), a[n]);                       \
            FN(store, T)(r, FN(set_lane, T)(FN(load, T)(a), n, b[0]));                                      \
            for (int i = 0; i < N; i++) CHECK("set_lane", T, T, i, a[i], b[i], r[i], i == n ? b[0] : a[i]); \
        }                                                                                                   \
        FN(store, T)(r, FN(loadm, T)(a, m));                                                                \
        for (int i = 0; i < N; i++) CHECK("loadm", T, T, i, a[i], b[i], r[i], MFN(lane)(m, i) ? a[i] : z);  \
        memcpy(r, b, sizeof(T) * N);                                                                        \
        FN(storem, T)(r, m, FN(load, T)(a));                                                                \
        for (int i = 0; i < N; i++) CHECK("storem", T, T, i, a[i], b[i], r[i], MFN(lane)(m, i) ? a[i] : b[i]); \
        FN(store, T)(r, FN(loads, T)(a, 3));                                                                \
        for (int i = 0; i < N; i++) CHECK("loads", T, T, i, a[i], b[i], r[i], a[3 * i]);                    \
        memcpy(r, b, sizeof(T) * 3 * N);                                                                    \
        FN(stores, T)(r, 3, FN(load, T)(a));                                                                \
        for (int i = 0; i < 3 * N; i++) CHECK("stores", T, T, i, a[i], b[i], r[i], i % 3 ? b[i] : a[i / 3]); \
        memcpy(r, b, sizeof(T) * 3 * N);                                                                    \
        FN(storesn, T)(r, 3, N / 2 + 1, FN(load, T)(a));                                                    \
        for (int i = 0; i < 3 * N; i++) \
            CHECK("storesn", T, T, i, a[i], b[i], r[i], i % 3 || i / 3 > N / 2 ? b[i] : a[i / 3]); \
        FN(store, T)(r, FN(load_even, T)(a));                                                               \
        FN(store, T)(r + N, FN(load_odd, T)(a));                                                            \
        for (int i = 0; i < N; i++) {                                                                       \
            CHECK("load_even", T, T, i, a[i], b[i], r[i], a[2 * i]);                                        \
            CHECK("load_odd", T, T, i, a[i], b[i], r[N + i], a[2 * i + 1]);                                 \
        }                                                                                                   \
        FN(store_pairs, T)(r, FN(load, T)(a), FN(load, T)(b));                                              \
        for (int i = 0; i < 2 * N; i++) CHECK("store_pairs", T, T, i, a[i], b[i], r[i], i % 2 ? b[i / 2] : a[i / 2]); \
        FN(store, T)(r, FN(splat, T)(a[0]));                                                                \
        for (int i = 0; i < N; i++) CHECK("splat", T, T, i, a[i], b[i], r[i], a[0]);                        \
        FN(store, T)(r, FN(iota, T)());                                                                     \
        for (int i = 0; i < N; i++) CHECK("iota", T, T, i, a[i], b[i], r[i], (T)i);                         \
        s32 i32[N];                                                                                         \
        s64 i64[N];                                                                                         \
        for (int i = 0; i < N; i++) i64[i] = i32[i] = (i * 7 + 3) % N;                                      \
        FN(store, T)(r, FN3(gather, T, s32)(a, FN(load, s32)(i32)));                                        \
        for (int i = 0; i < N; i++) CHECK("gather32", T, T, i, a[i], b[i], r[i], a[i32[i]]);                \
        FN(store, T)(r, FN3(gather, T, s64)(a, FN(load, s64)(i64)));                                        \
        for (int i = 0; i < N; i++) CHECK("gather64", T, T, i, a[i], b[i], r[i], a[i32[i]]);                \
        FN3(scatter, T, s32)(r, FN(load, s32)(i32), FN(load, T)(a));                                        \
        for (int i = 0; i < N; i++) CHECK("scatter", T, T, i, a[i], b[i], r[i32[i]], a[i]);                 \
        FN(store, T)(r, FN3(gatherm, T, s64)(a, FN(load, s64)(i64), m));                                    \
        for (int i = 0; i < N; i++) CHECK("gatherm", T, T, i, a[i], b[i], r[i], MFN(lane)(m, i) ? a[i32[i]] : z); \
        memcpy(r, b, sizeof(T) * N);                                                                        \
        FN3(scatterm, T, s64)(r, FN(load, s64)(i64), m, FN(load, T)(a));                                    \
        for (int i = 0; i < N; i++) \
            CHECK("scatterm", T, T, i, a[i], b[i], r[i32[i]], MFN(lane)(m, i) ? a[i] : b[i32[i]]); \
        FN(store, T)(r, CAT(hlocc_, CAT(CAT(CAT(T, x), N), CAT(_from_m, N)))(m));                           \
        for (int i = 0; i < N; i++) CHECK("from_mask", T, T, i, a[i], b[i], r[i], (T)MFN(lane)(m, i));      \
        m = CAT(CAT(hlocc_m, N), CAT(_from_, CAT(CAT(T, x), N)))(FN(load, T)(a));                           \
        for (int i = 0; i < N; i++) CHECK("to_mask", T, int, i, a[i], b[i], MFN(lane)(m, i), a[i] != 0);    \
    }
#define FN3(op, T, W) CAT(FN(op, T), CAT(_, CAT(CAT(W, x), N)))
MEMORY(f32) MEMORY(f64) MEMORY(s8) MEMORY(s16) MEMORY(s32) MEMORY(s64) MEMORY(u8) MEMORY(u16) MEMORY(u32) MEMORY(u64)

#define FLOATS(T)                                                                                          \
    static void test_##T(void)                                                                             \
    {                                                                                                      \
        T a[4 * N + 2], b[4 * N + 2], r[4 * N];                                                            \
        MASK m;                                                                                            \
        FILL(T, a, 4 * N + 2)                                                                              \
        FILL(T, b, 4 * N + 2)                                                                              \
        COMMON(T) CONVERSIONS(T) UNARY(abs, T) UNARY(sign, T) UNARY(sqrt, T) UNARY(rsqrt, T)               \
        BINARY(at_least, T) BINARY(at_most, T) UNARY(positive, T)                                            \
        UNARY(floor, T) UNARY(ceil, T) UNARY(trunc, T) UNARY(round_even, T) UNARY(round_afz, T)            \
        BINARY(copysign, T) PREDICATE(is_finite, T) BINARY(rem, T)                                         \
        FN(store, T)(r, FN(fma, T)(FN(load, T)(a), FN(load, T)(b), FN(load, T)(a + 1)));                   \
        for (int i = 0; i < N; i++) CHECK("fma", T, T, i, a[i], b[i], r[i], FNS(fma, T)(a[i], b[i], a[i + 1])); \
    }
#define INTEGERS(T)                                                                                        \
    static void test_##T(void)                                                                             \
    {                                                                                                      \
        T a[4 * N + 2], b[4 * N + 2], r[4 * N];                                                            \
        MASK m;                                                                                            \
        FILL(T, a, 4 * N + 2)                                                                              \
        FILL(T, b, 4 * N + 2)                                                                              \
        COMMON(T) CONVERSIONS(T) BINARY(rem, T) BINARY(pow, T) BINARY(and, T) BINARY(or, T) BINARY(xor, T) \
            UNARY(not, T) \
        BINARY(shl, T) BINARY(shra, T) BINARY(shrl, T) UNARY(clz, T) UNARY(popcnt, T)                      \
        if ((T)-1 < (T)1) { SIGNED_ONLY(T) }                                                               \
    }
#define SIGNED_ONLY(T) ;
FLOATS(f32) FLOATS(f64)
INTEGERS(u8) INTEGERS(u16) INTEGERS(u32) INTEGERS(u64)
#undef SIGNED_ONLY
#define SIGNED_ONLY(T) UNARY(abs, T) UNARY(sign, T)
INTEGERS(s8) INTEGERS(s16) INTEGERS(s32) INTEGERS(s64)

static void test_masks(void)
{
    uint8_t a[N], b[N], r[N];
    int any = 0, all = 1, density = (int)(random_bits() >> 62);
    for (int i = 0; i < N; i++) {
        a[i] = density == 0 ? 0 : density == 1 ? 1 : random_bits() >> 63;
        b[i] = random_bits() >> 63;
        any |= a[i];
        all &= a[i];
    }
    MASK x = MFN(load)(a), y = MFN(load)(b);
    int z = 0;
    CHECK("any", s32, int, 0, z, z, MFN(any)(x), any);
    CHECK("all", s32, int, 0, z, z, MFN(all)(x), all);
    MASK n = MFN(not)(x);
    CHECK("any(not)", s32, int, 0, z, z, MFN(any)(n), !all);
    CHECK("all(not)", s32, int, 0, z, z, MFN(all)(n), !any);
#define LOGIC(op, value)                                                                            \
    MFN(store)(r, op);                                                                              \
    for (int i = 0; i < N; i++) CHECK(#op, u8, u8, i, a[i], b[i], r[i], (u8)(value));
    LOGIC(MFN(and)(x, y), a[i] & b[i])
    LOGIC(MFN(or)(x, y), a[i] | b[i])
    LOGIC(MFN(xor)(x, y), a[i] ^ b[i])
    LOGIC(MFN(eq)(x, y), a[i] == b[i])
    LOGIC(MFN(ne)(x, y), a[i] != b[i])
    LOGIC(MFN(lt)(x, y), a[i] < b[i])
    LOGIC(MFN(le)(x, y), a[i] <= b[i])
    LOGIC(MFN(gt)(x, y), a[i] > b[i])
    LOGIC(MFN(ge)(x, y), a[i] >= b[i])
    LOGIC(MFN(not)(x), !a[i])
    LOGIC(MFN(select)(x, y, n), a[i] ? b[i] : !a[i])
    LOGIC(MFN(splat)(1), 1)
    LOGIC(MFN(splat)(0), 0)
    for (int k = 0; k <= N; k++) {
        LOGIC(MFN(loadn)(a, k), i < k && a[i])
        memcpy(r, b, N);
        MFN(storen)(r, k, x);
        for (int i = 0; i < N; i++) CHECK("storen_m", u8, u8, i, a[i], b[i], r[i], i < k ? a[i] : b[i]);
    }
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 200;
    for (int i = 0; i < rounds; i++) {
        test_f32(), test_f64(), test_s8(), test_s16(), test_s32(), test_s64(), test_u8(), test_u16(), test_u32(),
            test_u64();
        test_masks();
    }
    printf("%d lanes: %d checks, %d failures\n", N, checks, failures);
    return failures != 0;
}
