/* header: hlocc/vec_V.h */
/* Operators of several elements at once, the same as those of one element (scalar.h) in each lane. */

/* piece: hlocc_add_V | F I | vector */
HLOCC_INLINE hlocc_V hlocc_add_V(hlocc_V a, hlocc_V b)
{
@if wide
    hlocc_V r = {hlocc_add_VH(a.lo, b.lo), hlocc_add_VH(a.hi, b.hi)};
    return r;
@elif signed
    return (hlocc_V)((hlocc_U)a + (hlocc_U)b);
@else
    return a + b;
@end
}

/* piece: hlocc_sub_V | F I | vector */
HLOCC_INLINE hlocc_V hlocc_sub_V(hlocc_V a, hlocc_V b)
{
@if wide
    hlocc_V r = {hlocc_sub_VH(a.lo, b.lo), hlocc_sub_VH(a.hi, b.hi)};
    return r;
@elif signed
    return (hlocc_V)((hlocc_U)a - (hlocc_U)b);
@else
    return a - b;
@end
}

/* piece: hlocc_mul_V | F I | vector */
HLOCC_INLINE hlocc_V hlocc_mul_V(hlocc_V a, hlocc_V b)
{
@if wide
    hlocc_V r = {hlocc_mul_VH(a.lo, b.lo), hlocc_mul_VH(a.hi, b.hi)};
    return r;
@elif signed
    return (hlocc_V)((hlocc_U)a * (hlocc_U)b);
@else
    return a * b;
@end
}

/* piece: hlocc_div_V | F | vector */
HLOCC_INLINE hlocc_V hlocc_div_V(hlocc_V a, hlocc_V b)
{
@if wide
    hlocc_V r = {hlocc_div_VH(a.lo, b.lo), hlocc_div_VH(a.hi, b.hi)};
    return r;
@else
    return a / b;
@end
}

/* piece: hlocc_neg_V | F I | vector */
HLOCC_INLINE hlocc_V hlocc_neg_V(hlocc_V a)
{
@if wide
    hlocc_V r = {hlocc_neg_VH(a.lo), hlocc_neg_VH(a.hi)};
    return r;
@elif float
    return -a;
@else
    return (hlocc_V)(0 - (hlocc_U)a);
@end
}

/* piece: hlocc_abs_V | F S | vector */
HLOCC_INLINE hlocc_V hlocc_abs_V(hlocc_V a)
{
@if wide
    hlocc_V r = {hlocc_abs_VH(a.lo), hlocc_abs_VH(a.hi)};
    return r;
@elif float
    return (hlocc_V)((hlocc_U)a & ((hlocc_U){0} + ((hlocc_US)-1 >> 1)));
@else
    hlocc_V sign = a >> (BITS - 1);
    return (hlocc_V)((hlocc_U)(a ^ sign) - (hlocc_U)sign);
@end
}

/* piece: hlocc_sign_V | F S | vector */
HLOCC_INLINE hlocc_V hlocc_sign_V(hlocc_V a)
{
@if wide
    hlocc_V r = {hlocc_sign_VH(a.lo), hlocc_sign_VH(a.hi)};
    return r;
@elif float
    hlocc_V one = hlocc_copysign_V(K(1), a);
    return hlocc_select_V(hlocc_gt_V(hlocc_abs_V(a), K(0)), one, a); /* keeps zeros and NaN */
@else
    return (a < 0) - (a > 0);
@end
}

/* piece: hlocc_and_V hlocc_or_V hlocc_xor_V hlocc_not_V | I | vector */
@if wide
HLOCC_INLINE hlocc_V hlocc_and_V(hlocc_V a, hlocc_V b)
{
    hlocc_V r = {hlocc_and_VH(a.lo, b.lo), hlocc_and_VH(a.hi, b.hi)};
    return r;
}
HLOCC_INLINE hlocc_V hlocc_or_V(hlocc_V a, hlocc_V b)
{
    hlocc_V r = {hlocc_or_VH(a.lo, b.lo), hlocc_or_VH(a.hi, b.hi)};
    return r;
}
HLOCC_INLINE hlocc_V hlocc_xor_V(hlocc_V a, hlocc_V b)
{
    hlocc_V r = {hlocc_xor_VH(a.lo, b.lo), hlocc_xor_VH(a.hi, b.hi)};
    return r;
}
HLOCC_INLINE hlocc_V hlocc_not_V(hlocc_V a)
{
    hlocc_V r = {hlocc_not_VH(a.lo), hlocc_not_VH(a.hi)};
    return r;
}
@else
HLOCC_INLINE hlocc_V hlocc_and_V(hlocc_V a, hlocc_V b) { return a & b; }
HLOCC_INLINE hlocc_V hlocc_or_V(hlocc_V a, hlocc_V b) { return a | b; }
HLOCC_INLINE hlocc_V hlocc_xor_V(hlocc_V a, hlocc_V b) { return a ^ b; }
HLOCC_INLINE hlocc_V hlocc_not_V(hlocc_V a) { return ~a; }
@end

/* piece: hlocc_shl_V | I | vector */
/* Amounts count as unsigned; from the width on, nothing is left. */
HLOCC_INLINE hlocc_V hlocc_shl_V(hlocc_V a, hlocc_V k)
{
@if wide
    hlocc_V r = {hlocc_shl_VH(a.lo, k.lo), hlocc_shl_VH(a.hi, k.hi)};
    return r;
@else
    return (hlocc_V)((hlocc_U)a << ((hlocc_U)k & (BITS - 1))) & (hlocc_V)((hlocc_U)k < BITS);
@end
}

/* piece: hlocc_shrl_V | I | vector */
/* Amounts count as unsigned; from the width on, nothing is left. */
HLOCC_INLINE hlocc_V hlocc_shrl_V(hlocc_V a, hlocc_V k)
{
@if wide
    hlocc_V r = {hlocc_shrl_VH(a.lo, k.lo), hlocc_shrl_VH(a.hi, k.hi)};
    return r;
@else
    return (hlocc_V)((hlocc_U)a >> ((hlocc_U)k & (BITS - 1))) & (hlocc_V)((hlocc_U)k < BITS);
@end
}

/* piece: hlocc_shra_V | I | vector */
/* Copies the sign, also of unsigned types; from the width on, only signs are left. */
HLOCC_INLINE hlocc_V hlocc_shra_V(hlocc_V a, hlocc_V k)
{
@if wide
    hlocc_V r = {hlocc_shra_VH(a.lo, k.lo), hlocc_shra_VH(a.hi, k.hi)};
    return r;
@else
    hlocc_I within = (hlocc_I)((hlocc_U)k < BITS);
    return (hlocc_V)((hlocc_I)a >> (((hlocc_I)k & within) | (~within & (BITS - 1))));
@end
}

/* piece: hlocc_eq_V hlocc_ne_V hlocc_lt_V hlocc_le_V hlocc_gt_V hlocc_ge_V | F I | vector */
@if wide
HLOCC_INLINE hlocc_M hlocc_eq_V(hlocc_V a, hlocc_V b)
{
    return hlocc_join_M(hlocc_eq_VH(a.lo, b.lo), hlocc_eq_VH(a.hi, b.hi));
}
HLOCC_INLINE hlocc_M hlocc_ne_V(hlocc_V a, hlocc_V b)
{
    return hlocc_join_M(hlocc_ne_VH(a.lo, b.lo), hlocc_ne_VH(a.hi, b.hi));
}
HLOCC_INLINE hlocc_M hlocc_lt_V(hlocc_V a, hlocc_V b)
{
    return hlocc_join_M(hlocc_lt_VH(a.lo, b.lo), hlocc_lt_VH(a.hi, b.hi));
}
HLOCC_INLINE hlocc_M hlocc_le_V(hlocc_V a, hlocc_V b)
{
    return hlocc_join_M(hlocc_le_VH(a.lo, b.lo), hlocc_le_VH(a.hi, b.hi));
}
HLOCC_INLINE hlocc_M hlocc_gt_V(hlocc_V a, hlocc_V b)
{
    return hlocc_join_M(hlocc_gt_VH(a.lo, b.lo), hlocc_gt_VH(a.hi, b.hi));
}
HLOCC_INLINE hlocc_M hlocc_ge_V(hlocc_V a, hlocc_V b)
{
    return hlocc_join_M(hlocc_ge_VH(a.lo, b.lo), hlocc_ge_VH(a.hi, b.hi));
}
@elif avx512 & float
HLOCC_INLINE hlocc_M hlocc_eq_V(hlocc_V a, hlocc_V b)
{
    return __builtin_ia32_cmp${t}${bits}_mask(a, b, 0, -1${round});
}
HLOCC_INLINE hlocc_M hlocc_ne_V(hlocc_V a, hlocc_V b)
{
    return __builtin_ia32_cmp${t}${bits}_mask(a, b, 4, -1${round});
}
HLOCC_INLINE hlocc_M hlocc_lt_V(hlocc_V a, hlocc_V b)
{
    return __builtin_ia32_cmp${t}${bits}_mask(a, b, 17, -1${round});
}
HLOCC_INLINE hlocc_M hlocc_le_V(hlocc_V a, hlocc_V b)
{
    return __builtin_ia32_cmp${t}${bits}_mask(a, b, 18, -1${round});
}
HLOCC_INLINE hlocc_M hlocc_gt_V(hlocc_V a, hlocc_V b)
{
    return __builtin_ia32_cmp${t}${bits}_mask(b, a, 17, -1${round});
}
HLOCC_INLINE hlocc_M hlocc_ge_V(hlocc_V a, hlocc_V b)
{
    return __builtin_ia32_cmp${t}${bits}_mask(b, a, 18, -1${round});
}
@elif avx512
HLOCC_INLINE hlocc_M hlocc_eq_V(hlocc_V a, hlocc_V b)
{
    return __builtin_ia32_${u}cmp${t}${bits}_mask((hlocc_x86_V)a, (hlocc_x86_V)b, 0, -1);
}
HLOCC_INLINE hlocc_M hlocc_ne_V(hlocc_V a, hlocc_V b)
{
    return __builtin_ia32_${u}cmp${t}${bits}_mask((hlocc_x86_V)a, (hlocc_x86_V)b, 4, -1);
}
HLOCC_INLINE hlocc_M hlocc_lt_V(hlocc_V a, hlocc_V b)
{
    return __builtin_ia32_${u}cmp${t}${bits}_mask((hlocc_x86_V)a, (hlocc_x86_V)b, 1, -1);
}
HLOCC_INLINE hlocc_M hlocc_le_V(hlocc_V a, hlocc_V b)
{
    return __builtin_ia32_${u}cmp${t}${bits}_mask((hlocc_x86_V)a, (hlocc_x86_V)b, 2, -1);
}
HLOCC_INLINE hlocc_M hlocc_gt_V(hlocc_V a, hlocc_V b)
{
    return __builtin_ia32_${u}cmp${t}${bits}_mask((hlocc_x86_V)b, (hlocc_x86_V)a, 1, -1);
}
HLOCC_INLINE hlocc_M hlocc_ge_V(hlocc_V a, hlocc_V b)
{
    return __builtin_ia32_${u}cmp${t}${bits}_mask((hlocc_x86_V)b, (hlocc_x86_V)a, 2, -1);
}
@else
HLOCC_INLINE hlocc_M hlocc_eq_V(hlocc_V a, hlocc_V b) { return hlocc_M_of_I((hlocc_I)(a == b)); }
HLOCC_INLINE hlocc_M hlocc_ne_V(hlocc_V a, hlocc_V b) { return hlocc_M_of_I((hlocc_I)(a != b)); }
HLOCC_INLINE hlocc_M hlocc_lt_V(hlocc_V a, hlocc_V b) { return hlocc_M_of_I((hlocc_I)(a < b)); }
HLOCC_INLINE hlocc_M hlocc_le_V(hlocc_V a, hlocc_V b) { return hlocc_M_of_I((hlocc_I)(a <= b)); }
HLOCC_INLINE hlocc_M hlocc_gt_V(hlocc_V a, hlocc_V b) { return hlocc_M_of_I((hlocc_I)(a > b)); }
HLOCC_INLINE hlocc_M hlocc_ge_V(hlocc_V a, hlocc_V b) { return hlocc_M_of_I((hlocc_I)(a >= b)); }
@end

/* piece: hlocc_select_V | F I | vector */
/* a where m holds, else b. */
HLOCC_INLINE hlocc_V hlocc_select_V(hlocc_M m, hlocc_V a, hlocc_V b)
{
@if wide
    hlocc_V r = {hlocc_select_VH(hlocc_lo_M(m), a.lo, b.lo), hlocc_select_VH(hlocc_hi_M(m), a.hi, b.hi)};
    return r;
@elif avx512
#if defined(__clang__)
    return (hlocc_V)__builtin_ia32_select${t}_${bits}(m, (hlocc_x86_V)a, (hlocc_x86_V)b);
#else
    return (hlocc_V)__builtin_ia32_blendm${t}_${bits}_mask((hlocc_x86_V)b, (hlocc_x86_V)a, m);
#endif
@elif p32
    typedef char bytes __attribute__((vector_size(32)));
    return (hlocc_V)__builtin_ia32_pblendvb256((bytes)b, (bytes)a, (bytes)hlocc_I_of_M(m));
@elif sse41
    typedef char bytes __attribute__((vector_size(16)));
    return (hlocc_V)__builtin_ia32_pblendvb128((bytes)b, (bytes)a, (bytes)hlocc_I_of_M(m));
@else
    hlocc_I lanes = hlocc_I_of_M(m);
    return (hlocc_V)(((hlocc_I)a & lanes) | ((hlocc_I)b & ~lanes));
@end
}

/* piece: hlocc_at_least_V | F | vector */
/* max with a bound that is neither NaN nor zero: one instruction, whose second operand wins where one is NaN. */
HLOCC_INLINE hlocc_V hlocc_at_least_V(hlocc_V x, hlocc_V bound)
{
@if wide
    hlocc_V r = {hlocc_at_least_VH(x.lo, bound.lo), hlocc_at_least_VH(x.hi, bound.hi)};
    return r;
@elif p64 & clang
    return __builtin_ia32_max${t}512(bound, x, 4);
@elif p64
    return __builtin_ia32_max${t}512_mask(bound, x, x, -1, 4);
@elif sse2
    return __builtin_ia32_max${t}${bits_not_128}(bound, x);
@else
    hlocc_I outside = (hlocc_I)(bound > x);
    return (hlocc_V)((outside & (hlocc_I)bound) | (~outside & (hlocc_I)x));
@end
}

/* piece: hlocc_at_most_V | F | vector */
/* The same for min. */
HLOCC_INLINE hlocc_V hlocc_at_most_V(hlocc_V x, hlocc_V bound)
{
@if wide
    hlocc_V r = {hlocc_at_most_VH(x.lo, bound.lo), hlocc_at_most_VH(x.hi, bound.hi)};
    return r;
@elif p64 & clang
    return __builtin_ia32_min${t}512(bound, x, 4);
@elif p64
    return __builtin_ia32_min${t}512_mask(bound, x, x, -1, 4);
@elif sse2
    return __builtin_ia32_min${t}${bits_not_128}(bound, x);
@else
    hlocc_I outside = (hlocc_I)(bound < x);
    return (hlocc_V)((outside & (hlocc_I)bound) | (~outside & (hlocc_I)x));
@end
}

/* piece: hlocc_positive_V | F | vector */
/* max with +0: NaN stays, -0 becomes +0. */
HLOCC_INLINE hlocc_V hlocc_positive_V(hlocc_V x)
{
@if wide
    hlocc_V r = {hlocc_positive_VH(x.lo), hlocc_positive_VH(x.hi)};
    return r;
@elif sse2
    return hlocc_at_least_V(x, (hlocc_V){0}) + (hlocc_V){0};
@else
    return (hlocc_V)((hlocc_I)x & ~(hlocc_I)(x <= 0));
@end
}

/* piece: hlocc_max_V | F | vector */
/* NaN if either is; -0 is less than +0. */
HLOCC_INLINE hlocc_V hlocc_max_V(hlocc_V a, hlocc_V b)
{
@if wide
    hlocc_V r = {hlocc_max_VH(a.lo, b.lo), hlocc_max_VH(a.hi, b.hi)};
    return r;
@elif avx512
    const hlocc_x86_I nan_to_nan = (hlocc_x86_I){0} + 0x11; /* table of vfixupimm: quiet NaN from the second operand */
    hlocc_V r = __builtin_ia32_range${t}${bits}_mask(a, b, 5, a, -1${round});
    r = __builtin_ia32_fixupimm${t}${bits}_mask(r, a, nan_to_nan, 0, -1${round});
    return __builtin_ia32_fixupimm${t}${bits}_mask(r, b, nan_to_nan, 0, -1${round});
@elif sse2
    hlocc_I both = (hlocc_I)__builtin_ia32_max${t}${bits_not_128}(a, b) &
        (hlocc_I)__builtin_ia32_max${t}${bits_not_128}(b, a);
    return (hlocc_V)(both | (hlocc_I)(a != a) | (hlocc_I)(b != b));
@else
    hlocc_I a_wins = (hlocc_I)(a > b) | (hlocc_I)(a != a), equal = (hlocc_I)(a == b);
    return (hlocc_V)((equal & (hlocc_I)a & (hlocc_I)b) | (a_wins & (hlocc_I)a) | (~(a_wins | equal) & (hlocc_I)b));
@end
}

/* piece: hlocc_min_V | F | vector */
/* NaN if either is; -0 is less than +0. */
HLOCC_INLINE hlocc_V hlocc_min_V(hlocc_V a, hlocc_V b)
{
@if wide
    hlocc_V r = {hlocc_min_VH(a.lo, b.lo), hlocc_min_VH(a.hi, b.hi)};
    return r;
@elif avx512
    const hlocc_x86_I nan_to_nan = (hlocc_x86_I){0} + 0x11; /* table of vfixupimm: quiet NaN from the second operand */
    hlocc_V r = __builtin_ia32_range${t}${bits}_mask(a, b, 4, a, -1${round});
    r = __builtin_ia32_fixupimm${t}${bits}_mask(r, a, nan_to_nan, 0, -1${round});
    return __builtin_ia32_fixupimm${t}${bits}_mask(r, b, nan_to_nan, 0, -1${round});
@elif sse2
    hlocc_I both = (hlocc_I)__builtin_ia32_min${t}${bits_not_128}(a, b) |
        (hlocc_I)__builtin_ia32_min${t}${bits_not_128}(b, a);
    return (hlocc_V)(both | (hlocc_I)(a != a) | (hlocc_I)(b != b));
@else
    hlocc_I a_wins = (hlocc_I)(a < b) | (hlocc_I)(a != a), equal = (hlocc_I)(a == b);
    return (hlocc_V)((equal & ((hlocc_I)a | (hlocc_I)b)) | (a_wins & (hlocc_I)a) | (~(a_wins | equal) & (hlocc_I)b));
@end
}

/* piece: hlocc_max_V hlocc_min_V | I | vector */
@if wide
HLOCC_INLINE hlocc_V hlocc_max_V(hlocc_V a, hlocc_V b)
{
    hlocc_V r = {hlocc_max_VH(a.lo, b.lo), hlocc_max_VH(a.hi, b.hi)};
    return r;
}
HLOCC_INLINE hlocc_V hlocc_min_V(hlocc_V a, hlocc_V b)
{
    hlocc_V r = {hlocc_min_VH(a.lo, b.lo), hlocc_min_VH(a.hi, b.hi)};
    return r;
}
@elif clang
HLOCC_INLINE hlocc_V hlocc_max_V(hlocc_V a, hlocc_V b) { return __builtin_elementwise_max(a, b); }
HLOCC_INLINE hlocc_V hlocc_min_V(hlocc_V a, hlocc_V b) { return __builtin_elementwise_min(a, b); }
@elif p64
HLOCC_INLINE hlocc_V hlocc_max_V(hlocc_V a, hlocc_V b)
{
    return (hlocc_V)__builtin_ia32_pmax${su}${t}512_mask((hlocc_x86_V)a, (hlocc_x86_V)b, (hlocc_x86_V)a, -1);
}
HLOCC_INLINE hlocc_V hlocc_min_V(hlocc_V a, hlocc_V b)
{
    return (hlocc_V)__builtin_ia32_pmin${su}${t}512_mask((hlocc_x86_V)a, (hlocc_x86_V)b, (hlocc_x86_V)a, -1);
}
@elif p32 & !b64
HLOCC_INLINE hlocc_V hlocc_max_V(hlocc_V a, hlocc_V b)
{
    return (hlocc_V)__builtin_ia32_pmax${su}${t}256((hlocc_x86_V)a, (hlocc_x86_V)b);
}
HLOCC_INLINE hlocc_V hlocc_min_V(hlocc_V a, hlocc_V b)
{
    return (hlocc_V)__builtin_ia32_pmin${su}${t}256((hlocc_x86_V)a, (hlocc_x86_V)b);
}
@elif sse41 & !b64
HLOCC_INLINE hlocc_V hlocc_max_V(hlocc_V a, hlocc_V b)
{
    return (hlocc_V)__builtin_ia32_pmax${su}${t}128((hlocc_x86_V)a, (hlocc_x86_V)b);
}
HLOCC_INLINE hlocc_V hlocc_min_V(hlocc_V a, hlocc_V b)
{
    return (hlocc_V)__builtin_ia32_pmin${su}${t}128((hlocc_x86_V)a, (hlocc_x86_V)b);
}
@else
HLOCC_INLINE hlocc_V hlocc_max_V(hlocc_V a, hlocc_V b)
{
    hlocc_V greater = (hlocc_V)(a > b);
    return (a & greater) | (b & ~greater);
}
HLOCC_INLINE hlocc_V hlocc_min_V(hlocc_V a, hlocc_V b)
{
    hlocc_V less = (hlocc_V)(a < b);
    return (a & less) | (b & ~less);
}
@end

/* piece: hlocc_fma_V | F | vector */
/* a * b + c, rounded once where the machine has an instruction for it. */
HLOCC_INLINE hlocc_V hlocc_fma_V(hlocc_V a, hlocc_V b, hlocc_V c)
{
@if wide
    hlocc_V r = {hlocc_fma_VH(a.lo, b.lo, c.lo), hlocc_fma_VH(a.hi, b.hi, c.hi)};
    return r;
@elif elementwise_fma & hwfma
    return __builtin_elementwise_fma(a, b, c);
@elif p64
    return __builtin_ia32_vfmadd${t}512_mask(a, b, c, -1, 4);
@elif hwfma & sse2
    return __builtin_ia32_vfmadd${t}${bits_not_128}(a, b, c);
@else
    return a * b + c;
@end
}

/* piece: hlocc_exact_V | F | vector */
/* x itself; but a product x is rounded before it is used, never contracted with an addition. */
HLOCC_INLINE hlocc_V hlocc_exact_V(hlocc_V x)
{
@if wide
    x.lo = hlocc_exact_VH(x.lo);
    x.hi = hlocc_exact_VH(x.hi);
@elif avx512
    __asm__("" : "+v"(x));
@elif hwfma & sse2
    __asm__("" : "+x"(x));
@elif hwfma
    __asm__("" : "+w"(x));
@end
    return x;
}

/* piece: hlocc_sqrt_V | F | vector */
HLOCC_INLINE hlocc_V hlocc_sqrt_V(hlocc_V x)
{
@if wide
    hlocc_V r = {hlocc_sqrt_VH(x.lo), hlocc_sqrt_VH(x.hi)};
    return r;
@elif elementwise_sqrt
    return __builtin_elementwise_sqrt(x);
@elif p64
#if defined(__clang__)
    return __builtin_ia32_sqrt${t}512(x, 4);
#else
    return __builtin_ia32_sqrt${t}512_mask(x, x, -1, 4);
#endif
@elif sse2
    return __builtin_ia32_sqrt${t}${bits_not_128}(x);
@else
    for (int i = 0; i < LANES; i++) x[i] = hlocc_sqrt_S(x[i]);
    return x;
@end
}

/* header: hlocc/by_lane_V.h */
/* Integer operators for which there are no vector instructions. */
/* piece: hlocc_div_V hlocc_rem_V | I | vector */
/* By zero: all bits set, and the dividend. The least integer by -1: itself, and 0. Quotients of 32 bits come from f64: a + 1/2
 * (away from zero) lies at least 1/2b from what would be another quotient, farther than the roundings of 1/b and of the
 * product reach; so the division is outside of loops where b is. */
HLOCC_INLINE hlocc_V hlocc_div_V(hlocc_V a, hlocc_V b)
{
@if b32
    hlocc_D x = hlocc_D_from_V(a), half = hlocc_splat_D(0.5);
@if signed
    half = hlocc_copysign_D(half, x);
@end
    hlocc_D inverse = hlocc_div_D(hlocc_splat_D(1.0), hlocc_D_from_V(b));
    hlocc_V q = hlocc_trunc_V_from_D(hlocc_mul_D(hlocc_add_D(x, half), inverse));
@if signed
    q = hlocc_select_V(hlocc_eq_V(b, K(-1)), hlocc_neg_V(a), q);
@end
    return hlocc_select_V(hlocc_eq_V(b, K(0)), hlocc_not_V(K(0)), q);
@else
    for (int i = 0; i < LANES; i++) a = hlocc_set_lane_V(a, i, hlocc_div_S(hlocc_lane_V(a, i), hlocc_lane_V(b, i)));
    return a;
@end
}
HLOCC_INLINE hlocc_V hlocc_rem_V(hlocc_V a, hlocc_V b)
{
@if b32
    return hlocc_sub_V(a, hlocc_mul_V(hlocc_div_V(a, b), b));
@else
    for (int i = 0; i < LANES; i++) a = hlocc_set_lane_V(a, i, hlocc_rem_S(hlocc_lane_V(a, i), hlocc_lane_V(b, i)));
    return a;
@end
}

/* piece: hlocc_pow_V | I | vector */
HLOCC_INLINE hlocc_V hlocc_pow_V(hlocc_V a, hlocc_V b)
{
    for (int i = 0; i < LANES; i++) a = hlocc_set_lane_V(a, i, hlocc_pow_S(hlocc_lane_V(a, i), hlocc_lane_V(b, i)));
    return a;
}
