/* header: hlocc/math_parts_V.h */
/* What the functions of math_f32.h and math_f64.h are made of. Additions that must not be reordered or contracted are
 * written as operators; products that an addition follows are FMA, so that one element and several agree to the bit. */

/* piece: hlocc_clip_V | F | scalar vector */
/* min(max(x, low), high); NaN stays. low and high are no NaN; the sign of zeros is unspecified. */
HLOCC_INLINE hlocc_V hlocc_clip_V(hlocc_V low, hlocc_V x, hlocc_V high)
{
@if scalar
    x = x < low ? low : x;
    return x > high ? high : x;
@elif wide
    hlocc_V r = {hlocc_clip_VH(low.lo, x.lo, high.lo), hlocc_clip_VH(low.hi, x.hi, high.hi)};
    return r;
@elif p64
#if defined(__clang__)
    return __builtin_ia32_min${t}512(high, __builtin_ia32_max${t}512(low, x, 4), 4);
#else
    return __builtin_ia32_min${t}512_mask(high, __builtin_ia32_max${t}512_mask(low, x, x, -1, 4), x, -1, 4);
#endif
@elif sse2
    return __builtin_ia32_min${t}${bits_not_128}(high, __builtin_ia32_max${t}${bits_not_128}(low, x));
@else
    x = hlocc_select_V(LT(x, low), low, x);
    return hlocc_select_V(GT(x, high), high, x);
@end
}

/* piece: hlocc_scale_V | F | scalar vector */
/* x * 2^n for an integer n of the exponents' size at most, rounded once. */
HLOCC_INLINE hlocc_V hlocc_scale_V(hlocc_V x, hlocc_V n)
{
@if vector & !wide & avx512
    return __builtin_ia32_scalef${t}${bits}_mask(x, n, x, -1${round});
@else
@if f32
    const hlocc_V magic = K(0x1.8p23f); /* its last bits take an integer */
@else
    const hlocc_V magic = K(0x1.8p52);
@end
    hlocc_V half = FMA(n, K(0.5${f}), magic);
    hlocc_V rest = ADD(SUB(n, SUB(half, magic)), magic);
    return MUL(MUL(x, hlocc_pow2_of_bits_V(half)), hlocc_pow2_of_bits_V(rest));
@end
}

/* piece: hlocc_pow2_of_bits_V | F | scalar vector */
/* 2^k from an x of which the last bits are k (x = 0x1.8p23f + k), for normal results. */
HLOCC_INLINE hlocc_V hlocc_pow2_of_bits_V(hlocc_V x)
{
@if f32
    return hlocc_bitcast_V_U(hlocc_shl_U(hlocc_add_U(hlocc_bitcast_U_V(x), KU(127)), KU(23)));
@else
    return hlocc_bitcast_V_U(hlocc_shl_U(hlocc_add_U(hlocc_bitcast_U_V(x), KU(1023)), KU(52)));
@end
}

/* piece: hlocc_mantissa_V | F | scalar vector */
/* m with x = m * 2^e, 0.75 <= m < 1.5, for positive x; 1 for 0 and inf; else unspecified
 * (with AVX-512: NaN). */
HLOCC_INLINE hlocc_V hlocc_mantissa_V(hlocc_V x)
{
@if vector & !wide & avx512
    return __builtin_ia32_getmant${t}${bits}_mask(x, 11, x, -1${round});
@elif f32
    hlocc_M small = LT(x, K(0x1p-126f));
    hlocc_I bits = hlocc_bitcast_I_V(hlocc_select_V(small, MUL(x, K(0x1p23f)), x));
    hlocc_I k = hlocc_and_I(hlocc_sub_I(bits, KI(0x3F400000)), KI((int32_t)0xFF800000));
    return hlocc_bitcast_V_I(hlocc_sub_I(bits, k));
@else
    hlocc_M small = LT(x, K(0x1p-1022));
    hlocc_I bits = hlocc_bitcast_I_V(hlocc_select_V(small, MUL(x, K(0x1p52)), x));
    hlocc_I k = hlocc_and_I(hlocc_sub_I(bits, KI(0x3FE8000000000000)), KI((int64_t)0xFFF0000000000000));
    return hlocc_bitcast_V_I(hlocc_sub_I(bits, k));
@end
}

/* piece: hlocc_exponent_V | F | scalar vector */
/* e with x = m * 2^e, m = hlocc_mantissa_V(x); -inf for 0, inf for inf. */
HLOCC_INLINE hlocc_V hlocc_exponent_V(hlocc_V x, hlocc_V m)
{
@if vector & !wide & avx512
    return SUB(__builtin_ia32_getexp${t}${bits}_mask(x, x, -1${round}),
        __builtin_ia32_getexp${t}${bits}_mask(m, m, -1${round}));
@elif f32
    hlocc_M small = LT(x, K(0x1p-126f));
    hlocc_I bits = hlocc_bitcast_I_V(hlocc_select_V(small, MUL(x, K(0x1p23f)), x));
    hlocc_V e = hlocc_V_from_I(hlocc_shra_I(hlocc_sub_I(bits, hlocc_bitcast_I_V(m)), KI(23)));
    e = SUB(e, hlocc_select_V(small, K(23), K(0)));
    e = hlocc_select_V(EQ(x, K(0)), NEG(hlocc_inf_V()), e);
    return hlocc_select_V(EQ(x, hlocc_inf_V()), x, e);
@else
    hlocc_M small = LT(x, K(0x1p-1022));
    hlocc_I bits = hlocc_bitcast_I_V(hlocc_select_V(small, MUL(x, K(0x1p52)), x));
    hlocc_U k = hlocc_add_U(hlocc_bitcast_U_I(hlocc_sub_I(bits, hlocc_bitcast_I_V(m))), KU(0x4000000000000000));
    hlocc_U shifted = hlocc_or_U(hlocc_shrl_U(k, KU(52)), KU(0x4330000000000000)); /* 2^52 + 1024 + e */
    hlocc_V e = SUB(hlocc_bitcast_V_U(shifted), K(0x1p52 + 1024));
    e = SUB(e, hlocc_select_V(small, K(52), K(0)));
    e = hlocc_select_V(EQ(x, K(0)), NEG(hlocc_inf_V()), e);
    return hlocc_select_V(EQ(x, hlocc_inf_V()), x, e);
@end
}

/* piece: hlocc_xorsign_V | F | scalar vector */
/* x with its sign flipped where y is negative. */
HLOCC_INLINE hlocc_V hlocc_xorsign_V(hlocc_V x, hlocc_V y)
{
    const hlocc_U sign = KU((hlocc_US)1 << (BITS - 1));
    return hlocc_bitcast_V_U(hlocc_xor_U(hlocc_bitcast_U_V(x), hlocc_and_U(hlocc_bitcast_U_V(y), sign)));
}

/* piece: hlocc_nan_V hlocc_inf_V | F | scalar vector */
HLOCC_INLINE hlocc_V hlocc_nan_V(void)
{
@if f32
    return hlocc_bitcast_V_U(KU(0x7FC00000));
@else
    return hlocc_bitcast_V_U(KU(0x7FF8000000000000));
@end
}
HLOCC_INLINE hlocc_V hlocc_inf_V(void)
{
@if f32
    return hlocc_bitcast_V_U(KU(0x7F800000));
@else
    return hlocc_bitcast_V_U(KU(0x7FF0000000000000));
@end
}

/* piece: hlocc_product_rest_V | F | scalar vector */
/* a * b - p, exactly, for p = a * b rounded (Dekker's product where there is no fused multiply-add). */
HLOCC_INLINE hlocc_V hlocc_product_rest_V(hlocc_V a, hlocc_V b, hlocc_V p)
{
@if hwfma
    return FMA(a, b, NEG(p));
@else
@if f32
    const hlocc_V splitter = K(4097);
@else
    const hlocc_V splitter = K(134217729);
@end
    hlocc_V ca = MUL(a, splitter), cb = MUL(b, splitter);
    hlocc_V ah = SUB(ca, SUB(ca, a)), al = SUB(a, ah), bh = SUB(cb, SUB(cb, b)), bl = SUB(b, bh);
    return ADD(ADD(ADD(SUB(MUL(ah, bh), p), MUL(ah, bl)), MUL(al, bh)), MUL(al, bl));
@end
}

/* piece: hlocc_scale_normal_V | F | scalar vector */
/* x * 2^n where 2^n and the result are normal. */
HLOCC_INLINE hlocc_V hlocc_scale_normal_V(hlocc_V x, hlocc_V n)
{
@if vector & !wide & avx512
    return hlocc_scale_V(x, n);
@else
    return MUL(x, hlocc_pow2_V(n));
@end
}

/* piece: hlocc_pow2_V | F | scalar vector */
/* 2^n for an integer n with a normal result. */
HLOCC_INLINE hlocc_V hlocc_pow2_V(hlocc_V n)
{
@if vector & !wide & avx512
    return hlocc_scale_V(K(1), n);
@elif f32
    return hlocc_pow2_of_bits_V(ADD(n, K(0x1.8p23f)));
@else
    return hlocc_pow2_of_bits_V(ADD(n, K(0x1.8p52)));
@end
}

/* piece: hlocc_exp2_normal_V | f32 | scalar vector */
/* 2^x for a normal result; the error of x itself counts. */
HLOCC_INLINE hlocc_V hlocc_exp2_normal_V(hlocc_V x)
{
    const hlocc_V magic = K(0x1.8p23f);
    hlocc_V n = SUB(ADD(x, magic), magic), r = SUB(x, n);
    hlocc_V p = FMA(r, K(0x1.3f9bcp-13f), K(0x1.5f0b8cp-10f));
    p = FMA(p, r, K(0x1.3b30a6p-7f));
    p = FMA(p, r, K(0x1.c6af76p-5f));
    p = FMA(p, r, K(0x1.ebfbd8p-3f));
    p = FMA(p, r, K(0x1.62e43p-1f));
    p = FMA(p, r, K(1));
    return hlocc_scale_normal_V(p, n);
}
