/* header: hlocc/rt_inline.h */
/* What the functions of the runtime, and generated functions, are declared with; threads. */

/* piece: HLOCC_CONTRACTION */
/* Multiply and add may become one instruction (gcc forbids it under -std=c99 unless told otherwise). */
#if defined(__clang__)
#pragma clang fp contract(fast)
#elif defined(__GNUC__)
#pragma GCC optimize("-ffp-contract=fast")
#endif

/* piece: HLOCC_INLINE */
@needs HLOCC_CONTRACTION
@include <stddef.h>
@include <stdint.h>
@include <string.h>
#if defined(__GNUC__)
#define HLOCC_INLINE static inline __attribute__((always_inline, unused))
#else
#define HLOCC_INLINE static inline
#endif

/* piece: HLOCC_NOINLINE */
#if defined(__GNUC__)
#define HLOCC_NOINLINE static __attribute__((noinline, unused))
#else
#define HLOCC_NOINLINE static
#endif

/* piece: HLOCC_UNUSED */
#if defined(__GNUC__)
#define HLOCC_UNUSED __attribute__((unused))
#else
#define HLOCC_UNUSED
#endif

/* piece: HLOCC_ALIGNED */
/* Alignment in bytes, behind the name of a variable. */
#if defined(__GNUC__)
#define HLOCC_ALIGNED(bytes) __attribute__((aligned(bytes)))
#else
#define HLOCC_ALIGNED(bytes)
#endif

/* piece: HLOCC_OPENMP_FUNCTIONS */
#if defined(_OPENMP) /* as <omp.h>, which is not always beside the compiler */
extern int omp_get_max_threads(void);
extern int omp_get_thread_num(void);
#endif

/* piece: HLOCC_PRAGMA */
#define HLOCC_PRAGMA(text) _Pragma(#text)

/* piece: HLOCC_UNROLL */
/* Before a for loop: the compiler should do n passes at a time. */
#if defined(__clang__)
#define HLOCC_UNROLL(n) HLOCC_PRAGMA(clang loop unroll_count(n))
#elif defined(__GNUC__) && __GNUC__ >= 8
#define HLOCC_UNROLL(n) HLOCC_PRAGMA(GCC unroll n)
#else
#define HLOCC_UNROLL(n)
#endif

/* piece: HLOCC_PARALLEL_FOR */
/* Before a for loop that n threads share, in equal parts. A statement of its own without OpenMP: use braces around. */
#if defined(_OPENMP)
#define HLOCC_PARALLEL_FOR(n) HLOCC_PRAGMA(omp parallel for schedule(static) num_threads(n))
#else
#define HLOCC_PARALLEL_FOR(n) (void)(n);
#endif

/* piece: HLOCC_PARALLEL_FOR_DYNAMIC */
/* The same for passes of unequal work. */
#if defined(_OPENMP)
#define HLOCC_PARALLEL_FOR_DYNAMIC(n) HLOCC_PRAGMA(omp parallel for schedule(dynamic) num_threads(n))
#else
#define HLOCC_PARALLEL_FOR_DYNAMIC(n) (void)(n);
#endif

/* piece: HLOCC_PARALLEL */
/* Before a block that n threads run; inside, HLOCC_FOR shares a loop and ends with a barrier. */
#if defined(_OPENMP)
#define HLOCC_PARALLEL(n) HLOCC_PRAGMA(omp parallel num_threads(n))
#else
#define HLOCC_PARALLEL(n) (void)(n);
#endif

/* piece: HLOCC_FOR */
#if defined(_OPENMP)
#define HLOCC_FOR HLOCC_PRAGMA(omp for schedule(static))
#else
#define HLOCC_FOR
#endif

/* piece: HLOCC_BARRIER */
#if defined(_OPENMP)
#define HLOCC_BARRIER HLOCC_PRAGMA(omp barrier)
#else
#define HLOCC_BARRIER
#endif

/* piece: hlocc_thread_count */
/* The number of threads that a request stands for: 0 is as many as OpenMP gives. */
HLOCC_INLINE int hlocc_thread_count(int threads)
{
@needs HLOCC_OPENMP_FUNCTIONS
    if (threads > 0) return threads;
#if defined(_OPENMP)
    return omp_get_max_threads();
#else
    return 1;
#endif
}

/* piece: hlocc_threads */
/* The threads that a call may use; ctx may be NULL: one. */
HLOCC_INLINE int hlocc_threads(const hlocc_context *ctx)
{
    return ctx ? hlocc_thread_count(ctx->threads) : 1;
}

/* piece: hlocc_share */
/* The first of n tiles that thread takes; of thread `threads`, n. Shared in equal parts are `whole` of them: one that
 * overlaps the tile before it goes to the thread that computes that one. */
HLOCC_INLINE ptrdiff_t hlocc_share(ptrdiff_t n, ptrdiff_t whole, ptrdiff_t thread, ptrdiff_t threads)
{
    return thread == threads ? n : whole * thread / threads;
}

/* piece: hlocc_thread_number */
/* Of the calling thread within its team, from 0. */
HLOCC_INLINE int hlocc_thread_number(void)
{
@needs HLOCC_OPENMP_FUNCTIONS
#if defined(_OPENMP)
    return omp_get_thread_num();
#else
    return 0;
#endif
}

/* header: hlocc/rt_target.h */
/* piece: HLOCC_VECTOR_BYTES HLOCC_GNU_VECTORS */
/* Bytes of a vector register that this compilation may use. Vector types of up to that size are GNU vectors, larger
 * ones are structs of two halves. */
#if defined(__GNUC__) && !defined(__TINYC__)
#define HLOCC_GNU_VECTORS 1
#else
#define HLOCC_GNU_VECTORS 0
#endif
#if defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512BW__) && defined(__AVX512DQ__)
#define HLOCC_VECTOR_BYTES 64
#elif defined(__AVX2__)
#define HLOCC_VECTOR_BYTES 32
#else
#define HLOCC_VECTOR_BYTES 16
#endif

/* piece: HLOCC_FMA */
/* Is there an instruction that multiplies and adds with one rounding? */
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA) || defined(__FP_FAST_FMAF)
#define HLOCC_FMA 1
#else
#define HLOCC_FMA 0
#endif

/* piece: HLOCC_HAS_SHUFFLEVECTOR */
#if defined(__clang__) || __GNUC__ >= 12
#define HLOCC_HAS_SHUFFLEVECTOR 1
#else
#define HLOCC_HAS_SHUFFLEVECTOR 0
#endif

/* piece: HLOCC_HAS_ELEMENTWISE_FMA */
#if defined(__clang__) && __clang_major__ >= 17
#define HLOCC_HAS_ELEMENTWISE_FMA 1
#else
#define HLOCC_HAS_ELEMENTWISE_FMA 0
#endif

/* piece: HLOCC_HAS_ELEMENTWISE_SQRT */
#if defined(__clang__) && __clang_major__ >= 17
#define HLOCC_HAS_ELEMENTWISE_SQRT 1
#else
#define HLOCC_HAS_ELEMENTWISE_SQRT 0
#endif
