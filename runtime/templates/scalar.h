/* header: hlocc/scalar_S.h */
/* Operators of one element. Integers wrap; floats are IEEE. */

/* piece: hlocc_bitcast_V_W | F I | scalar | same-bytes F I */
HLOCC_INLINE hlocc_V hlocc_bitcast_V_W(hlocc_W x)
{
    hlocc_V y;
    memcpy(&y, &x, sizeof y);
    return y;
}

/* piece: hlocc_add_V hlocc_sub_V hlocc_mul_V | F | scalar */
HLOCC_INLINE hlocc_V hlocc_add_V(hlocc_V a, hlocc_V b) { return a + b; }
HLOCC_INLINE hlocc_V hlocc_sub_V(hlocc_V a, hlocc_V b) { return a - b; }
HLOCC_INLINE hlocc_V hlocc_mul_V(hlocc_V a, hlocc_V b) { return a * b; }

/* piece: hlocc_add_V | I | scalar */
@if b64
HLOCC_INLINE hlocc_V hlocc_add_V(hlocc_V a, hlocc_V b) { return (hlocc_V)((uint64_t)a + (uint64_t)b); }
@else
HLOCC_INLINE hlocc_V hlocc_add_V(hlocc_V a, hlocc_V b) { return (hlocc_V)((uint32_t)a + (uint32_t)b); }
@end

/* piece: hlocc_sub_V | I | scalar */
@if b64
HLOCC_INLINE hlocc_V hlocc_sub_V(hlocc_V a, hlocc_V b) { return (hlocc_V)((uint64_t)a - (uint64_t)b); }
@else
HLOCC_INLINE hlocc_V hlocc_sub_V(hlocc_V a, hlocc_V b) { return (hlocc_V)((uint32_t)a - (uint32_t)b); }
@end

/* piece: hlocc_mul_V | I | scalar */
@if b64
HLOCC_INLINE hlocc_V hlocc_mul_V(hlocc_V a, hlocc_V b) { return (hlocc_V)((uint64_t)a * (uint64_t)b); }
@else
HLOCC_INLINE hlocc_V hlocc_mul_V(hlocc_V a, hlocc_V b) { return (hlocc_V)((uint32_t)a * (uint32_t)b); }
@end

/* piece: hlocc_neg_V | F I | scalar */
@if float
HLOCC_INLINE hlocc_V hlocc_neg_V(hlocc_V a) { return -a; }
@elif b64
HLOCC_INLINE hlocc_V hlocc_neg_V(hlocc_V a) { return (hlocc_V)(0 - (uint64_t)a); }
@else
HLOCC_INLINE hlocc_V hlocc_neg_V(hlocc_V a) { return (hlocc_V)(0 - (uint32_t)a); }
@end

/* piece: hlocc_div_V | F | scalar */
HLOCC_INLINE hlocc_V hlocc_div_V(hlocc_V a, hlocc_V b) { return a / b; }

/* piece: hlocc_div_V | I | scalar */
/* By zero: all bits set. The least integer by -1: itself. */
HLOCC_INLINE hlocc_V hlocc_div_V(hlocc_V a, hlocc_V b)
{
    if (b == 0) return (hlocc_V)-1;
@if signed
    if (b == -1) return hlocc_neg_V(a);
@end
    return (hlocc_V)(a / b);
}

/* piece: hlocc_rem_V | I | scalar */
/* By zero: the dividend. Else the sign is the dividend's. */
HLOCC_INLINE hlocc_V hlocc_rem_V(hlocc_V a, hlocc_V b)
{
    if (b == 0) return a;
@if signed
    if (b == -1) return 0;
@end
    return (hlocc_V)(a % b);
}

/* piece: hlocc_abs_V | F | scalar */
HLOCC_INLINE hlocc_V hlocc_abs_V(hlocc_V a)
{
    return hlocc_bitcast_V_U(hlocc_bitcast_U_V(a) & ((hlocc_U)-1 >> 1));
}

/* piece: hlocc_abs_V | S | scalar */
/* Of the least integer: itself. */
HLOCC_INLINE hlocc_V hlocc_abs_V(hlocc_V a) { return a < 0 ? hlocc_neg_V(a) : a; }

/* piece: hlocc_sign_V | F S | scalar */
@if float
HLOCC_INLINE hlocc_V hlocc_sign_V(hlocc_V a) { return a > 0 ? 1 : a < 0 ? -1 : a; } /* keeps zeros and NaN */
@else
HLOCC_INLINE hlocc_V hlocc_sign_V(hlocc_V a) { return (hlocc_V)((a > 0) - (a < 0)); }
@end

/* piece: hlocc_max_V | F | scalar */
/* NaN if either is; -0 is less than +0. */
HLOCC_INLINE hlocc_V hlocc_max_V(hlocc_V a, hlocc_V b)
{
    if (a == b) return hlocc_bitcast_V_U(hlocc_bitcast_U_V(a) & hlocc_bitcast_U_V(b));
    return a > b || a != a ? a : b;
}

/* piece: hlocc_min_V | F | scalar */
/* NaN if either is; -0 is less than +0. */
HLOCC_INLINE hlocc_V hlocc_min_V(hlocc_V a, hlocc_V b)
{
    if (a == b) return hlocc_bitcast_V_U(hlocc_bitcast_U_V(a) | hlocc_bitcast_U_V(b));
    return a < b || a != a ? a : b;
}

/* piece: hlocc_at_least_V hlocc_at_most_V | F | scalar */
/* max and min with a bound that is neither NaN nor zero. */
HLOCC_INLINE hlocc_V hlocc_at_least_V(hlocc_V x, hlocc_V bound) { return bound > x ? bound : x; }
HLOCC_INLINE hlocc_V hlocc_at_most_V(hlocc_V x, hlocc_V bound) { return bound < x ? bound : x; }

/* piece: hlocc_positive_V | F | scalar */
/* max with +0: NaN stays, -0 becomes +0. */
HLOCC_INLINE hlocc_V hlocc_positive_V(hlocc_V x) { return x <= 0 ? 0 : x; }

/* piece: hlocc_max_V | I | scalar */
HLOCC_INLINE hlocc_V hlocc_max_V(hlocc_V a, hlocc_V b) { return a > b ? a : b; }

/* piece: hlocc_min_V | I | scalar */
HLOCC_INLINE hlocc_V hlocc_min_V(hlocc_V a, hlocc_V b) { return a < b ? a : b; }

/* piece: hlocc_and_V hlocc_or_V hlocc_xor_V hlocc_not_V | I | scalar */
HLOCC_INLINE hlocc_V hlocc_and_V(hlocc_V a, hlocc_V b) { return (hlocc_V)(a & b); }
HLOCC_INLINE hlocc_V hlocc_or_V(hlocc_V a, hlocc_V b) { return (hlocc_V)(a | b); }
HLOCC_INLINE hlocc_V hlocc_xor_V(hlocc_V a, hlocc_V b) { return (hlocc_V)(a ^ b); }
HLOCC_INLINE hlocc_V hlocc_not_V(hlocc_V a) { return (hlocc_V)~a; }

/* piece: hlocc_and_V hlocc_or_V hlocc_xor_V hlocc_not_V hlocc_andnot_V hlocc_any_V hlocc_all_V hlocc_splat_V | P | scalar */
HLOCC_INLINE int hlocc_and_V(int a, int b) { return a & b; }
HLOCC_INLINE int hlocc_or_V(int a, int b) { return a | b; }
HLOCC_INLINE int hlocc_xor_V(int a, int b) { return a ^ b; }
HLOCC_INLINE int hlocc_not_V(int a) { return !a; }
HLOCC_INLINE int hlocc_andnot_V(int a, int b) { return (!a) & b; }
HLOCC_INLINE int hlocc_any_V(int a) { return a; }
HLOCC_INLINE int hlocc_all_V(int a) { return a; }
HLOCC_INLINE int hlocc_splat_V(int a) { return a; }

/* piece: hlocc_shl_V hlocc_shrl_V | I | scalar */
/* Amounts count as unsigned; from the width on, nothing is left. */
HLOCC_INLINE hlocc_V hlocc_shl_V(hlocc_V a, hlocc_V k)
{
    return (hlocc_US)k < BITS ? (hlocc_V)((hlocc_US)a << ((hlocc_US)k & (BITS - 1))) : 0;
}
HLOCC_INLINE hlocc_V hlocc_shrl_V(hlocc_V a, hlocc_V k)
{
    return (hlocc_US)k < BITS ? (hlocc_V)((hlocc_US)a >> ((hlocc_US)k & (BITS - 1))) : 0;
}

/* piece: hlocc_shra_V | I | scalar */
/* Copies the sign, also of unsigned types; from the width on, only signs are left. */
HLOCC_INLINE hlocc_V hlocc_shra_V(hlocc_V a, hlocc_V k)
{
    int amount = (hlocc_US)k < BITS ? (int)k : BITS - 1;
    return (hlocc_V)((hlocc_IS)a >> amount);
}

/* piece: hlocc_clz_V hlocc_popcnt_V | I | scalar */
HLOCC_INLINE hlocc_V hlocc_clz_V(hlocc_V a)
{
    hlocc_US x = (hlocc_US)a;
#if defined(__GNUC__)
@if b64
    return (hlocc_V)(x ? __builtin_clzll(x) : BITS);
@else
    return (hlocc_V)(x ? __builtin_clz(x) - (32 - BITS) : BITS);
@end
#else
    int n = BITS;
    for (; x; x = (hlocc_US)(x >> 1)) n--;
    return (hlocc_V)n;
#endif
}
HLOCC_INLINE hlocc_V hlocc_popcnt_V(hlocc_V a)
{
    hlocc_US x = (hlocc_US)a;
#if defined(__GNUC__)
@if b64
    return (hlocc_V)__builtin_popcountll(x);
@else
    return (hlocc_V)__builtin_popcount(x);
@end
#else
    int n = 0;
    for (; x; x = (hlocc_US)(x & (x - 1))) n++;
    return (hlocc_V)n;
#endif
}

/* piece: hlocc_eq_V hlocc_ne_V hlocc_lt_V hlocc_le_V hlocc_gt_V hlocc_ge_V | F I P | scalar */
HLOCC_INLINE int hlocc_eq_V(hlocc_V a, hlocc_V b) { return a == b; }
HLOCC_INLINE int hlocc_ne_V(hlocc_V a, hlocc_V b) { return a != b; }
HLOCC_INLINE int hlocc_lt_V(hlocc_V a, hlocc_V b) { return a < b; }
HLOCC_INLINE int hlocc_le_V(hlocc_V a, hlocc_V b) { return a <= b; }
HLOCC_INLINE int hlocc_gt_V(hlocc_V a, hlocc_V b) { return a > b; }
HLOCC_INLINE int hlocc_ge_V(hlocc_V a, hlocc_V b) { return a >= b; }

/* piece: hlocc_select_V | F I P | scalar */
HLOCC_INLINE hlocc_V hlocc_select_V(int m, hlocc_V a, hlocc_V b) { return m ? a : b; }

/* piece: hlocc_fma_V | F | scalar */
/* a * b + c, rounded once where the machine has an instruction for it. */
HLOCC_INLINE hlocc_V hlocc_fma_V(hlocc_V a, hlocc_V b, hlocc_V c)
{
#if HLOCC_FMA
    return __builtin_fma${f}(a, b, c);
#else
    return a * b + c;
#endif
}

/* piece: hlocc_exact_V | F | scalar */
/* x itself; but a product x is rounded before it is used, never contracted with an addition. */
HLOCC_INLINE hlocc_V hlocc_exact_V(hlocc_V x)
{
#if HLOCC_FMA && defined(__x86_64__)
    __asm__("" : "+x"(x));
#elif HLOCC_FMA && defined(__aarch64__)
    __asm__("" : "+w"(x));
#endif
    return x;
}

/* piece: hlocc_is_finite_V | F | scalar */
HLOCC_INLINE int hlocc_is_finite_V(hlocc_V a)
{
@if f32
    return (hlocc_bitcast_U_V(a) & 0x7FFFFFFF) < 0x7F800000;
@else
    return (hlocc_bitcast_U_V(a) & 0x7FFFFFFFFFFFFFFF) < 0x7FF0000000000000;
@end
}

/* piece: hlocc_round_even_V | F | scalar */
HLOCC_INLINE hlocc_V hlocc_round_even_V(hlocc_V x)
{
#if defined(__SSE4_1__)
    return __builtin_rint${f}(x);
#else
@if f32
    const float big = 0x1p23f;
@else
    const double big = 0x1p52;
@end
    hlocc_V a = hlocc_abs_V(x);
    return a < big ? hlocc_copysign_V((a + big) - big, x) : x;
#endif
}

/* piece: hlocc_floor_V | F | scalar */
HLOCC_INLINE hlocc_V hlocc_floor_V(hlocc_V x)
{
#if defined(__SSE4_1__)
    return __builtin_floor${f}(x);
#else
    hlocc_V r = hlocc_round_even_V(x);
    return r > x ? r - 1 : r;
#endif
}

/* piece: hlocc_ceil_V | F | scalar */
HLOCC_INLINE hlocc_V hlocc_ceil_V(hlocc_V x)
{
#if defined(__SSE4_1__)
    return __builtin_ceil${f}(x);
#else
    hlocc_V r = hlocc_round_even_V(x);
    return r < x ? hlocc_copysign_V(r + 1, x) : r; /* -0.5 gives -0 */
#endif
}

/* piece: hlocc_trunc_V | F | scalar */
HLOCC_INLINE hlocc_V hlocc_trunc_V(hlocc_V x)
{
#if defined(__SSE4_1__)
    return __builtin_trunc${f}(x);
#else
    return hlocc_copysign_V(hlocc_floor_V(hlocc_abs_V(x)), x);
#endif
}

/* piece: hlocc_sqrt_V | F | scalar */
@include <math.h>
HLOCC_INLINE hlocc_V hlocc_sqrt_V(hlocc_V x)
{
@if f32
#if defined(__SSE2__)
    typedef float four __attribute__((vector_size(16)));
    four v = {x, 0, 0, 0}; /* the function of libm would set errno */
    return __builtin_ia32_sqrtss(v)[0];
#else
    return sqrtf(x);
#endif
@else
#if defined(__SSE2__)
    typedef double two __attribute__((vector_size(16)));
    two v = {x, 0}; /* the function of libm would set errno */
    return __builtin_ia32_sqrtsd(v)[0];
#else
    return sqrt(x);
#endif
@end
}

/* piece: hlocc_pow_V | I | scalar */
/* Modulo 2^BITS. Negative exponents: 1 stays 1, -1 gives 1 or -1, any other base 0. */
HLOCC_INLINE hlocc_V hlocc_pow_V(hlocc_V base, hlocc_V exponent)
{
@if signed
    if (exponent < 0) return base == 1 ? 1 : base == -1 ? (exponent & 1 ? -1 : 1) : 0;
@end
    hlocc_V power = 1;
    hlocc_US k = (hlocc_US)exponent;
    for (; k; k = (hlocc_US)(k >> 1)) {
        if (k & 1) power = hlocc_mul_V(power, base);
        base = hlocc_mul_V(base, base);
    }
    return power;
}

/* header: hlocc/OPS_V.h */
/* piece: hlocc_clamp_V | F I | scalar vector */
HLOCC_INLINE hlocc_V hlocc_clamp_V(hlocc_V low, hlocc_V x, hlocc_V high)
{
    return hlocc_min_V(hlocc_max_V(low, x), high);
}

/* piece: hlocc_copysign_V | F | scalar vector */
/* The absolute value of a with the sign of b. */
HLOCC_INLINE hlocc_V hlocc_copysign_V(hlocc_V a, hlocc_V b)
{
@if scalar
    const hlocc_US sign = (hlocc_US)1 << (BITS - 1);
    return hlocc_bitcast_V_U((hlocc_bitcast_U_V(a) & ~sign) | (hlocc_bitcast_U_V(b) & sign));
@else
    const hlocc_U sign = hlocc_splat_U((hlocc_US)1 << (BITS - 1));
    return hlocc_bitcast_V_U(
        hlocc_or_U(hlocc_and_U(hlocc_bitcast_U_V(a), hlocc_not_U(sign)), hlocc_and_U(hlocc_bitcast_U_V(b), sign)));
@end
}

/* piece: hlocc_round_afz_V | F | scalar vector */
/* To the nearest integer, ties away from zero. */
HLOCC_INLINE hlocc_V hlocc_round_afz_V(hlocc_V x)
{
    hlocc_V t = hlocc_trunc_V(x);
    hlocc_M away = hlocc_ge_V(hlocc_abs_V(hlocc_sub_V(x, t)), K(0.5${f}));
    return hlocc_copysign_V(hlocc_add_V(t, hlocc_select_V(away, hlocc_copysign_V(K(1), x), K(0))), x);
}

/* piece: hlocc_rsqrt_V | F | scalar vector */
HLOCC_INLINE hlocc_V hlocc_rsqrt_V(hlocc_V x) { return hlocc_div_V(K(1), hlocc_sqrt_V(x)); }

