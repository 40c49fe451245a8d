/* header: hlocc/vec_V.h */
/* More operators of several elements: rounding, counting bits. */

/* piece: hlocc_is_finite_V | F | vector */
HLOCC_INLINE hlocc_M hlocc_is_finite_V(hlocc_V a)
{
@if f32
    return hlocc_lt_V(hlocc_abs_V(a), K(__builtin_inff()));
@else
    return hlocc_lt_V(hlocc_abs_V(a), K(__builtin_inf()));
@end
}

/* piece: hlocc_round_even_V | F | vector */
HLOCC_INLINE hlocc_V hlocc_round_even_V(hlocc_V x)
{
@if wide
    hlocc_V r = {hlocc_round_even_VH(x.lo), hlocc_round_even_VH(x.hi)};
    return r;
@elif p64
    return __builtin_ia32_rndscale${t}_mask(x, 8, x, -1, 4);
@elif sse41
    return __builtin_ia32_round${t}${bits_not_128}(x, 8);
@else
@if f32
    const hlocc_V big = K(0x1p23f);
@else
    const hlocc_V big = K(0x1p52);
@end
    hlocc_V a = hlocc_abs_V(x);
    return hlocc_select_V(hlocc_lt_V(a, big), hlocc_copysign_V(hlocc_sub_V(hlocc_add_V(a, big), big), x), x);
@end
}

/* piece: hlocc_floor_V | F | vector */
HLOCC_INLINE hlocc_V hlocc_floor_V(hlocc_V x)
{
@if wide
    hlocc_V r = {hlocc_floor_VH(x.lo), hlocc_floor_VH(x.hi)};
    return r;
@elif p64
    return __builtin_ia32_rndscale${t}_mask(x, 9, x, -1, 4);
@elif sse41
    return __builtin_ia32_round${t}${bits_not_128}(x, 9);
@else
    hlocc_V r = hlocc_round_even_V(x);
    return hlocc_select_V(hlocc_gt_V(r, x), hlocc_sub_V(r, K(1)), r);
@end
}

/* piece: hlocc_ceil_V | F | vector */
HLOCC_INLINE hlocc_V hlocc_ceil_V(hlocc_V x)
{
@if wide
    hlocc_V r = {hlocc_ceil_VH(x.lo), hlocc_ceil_VH(x.hi)};
    return r;
@elif p64
    return __builtin_ia32_rndscale${t}_mask(x, 10, x, -1, 4);
@elif sse41
    return __builtin_ia32_round${t}${bits_not_128}(x, 10);
@else
    hlocc_V r = hlocc_round_even_V(x); /* -0.5 gives -0 */
    return hlocc_select_V(hlocc_lt_V(r, x), hlocc_copysign_V(hlocc_add_V(r, K(1)), x), r);
@end
}

/* piece: hlocc_trunc_V | F | vector */
HLOCC_INLINE hlocc_V hlocc_trunc_V(hlocc_V x)
{
@if wide
    hlocc_V r = {hlocc_trunc_VH(x.lo), hlocc_trunc_VH(x.hi)};
    return r;
@elif p64
    return __builtin_ia32_rndscale${t}_mask(x, 11, x, -1, 4);
@elif sse41
    return __builtin_ia32_round${t}${bits_not_128}(x, 11);
@else
    return hlocc_copysign_V(hlocc_floor_V(hlocc_abs_V(x)), x);
@end
}

/* piece: hlocc_popcnt_V | I | vector */
HLOCC_INLINE hlocc_V hlocc_popcnt_V(hlocc_V a)
{
@if wide
    hlocc_V r = {hlocc_popcnt_VH(a.lo), hlocc_popcnt_VH(a.hi)};
    return r;
@else
    hlocc_U x = (hlocc_U)a;
    x = x - ((x >> 1) & (hlocc_US)0x5555555555555555u);
    x = (x & (hlocc_US)0x3333333333333333u) + ((x >> 2) & (hlocc_US)0x3333333333333333u);
    x = (x + (x >> 4)) & (hlocc_US)0x0F0F0F0F0F0F0F0Fu;
@if b16
    x = (x + (x >> 8)) & 0xFF;
@elif b32
    x = (x * 0x01010101u) >> 24;
@elif b64
    x = (x * 0x0101010101010101u) >> 56;
@end
    return (hlocc_V)x;
@end
}

/* piece: hlocc_clz_V | I | vector */
HLOCC_INLINE hlocc_V hlocc_clz_V(hlocc_V a)
{
@if wide
    hlocc_V r = {hlocc_clz_VH(a.lo), hlocc_clz_VH(a.hi)};
    return r;
@else
    hlocc_U x = (hlocc_U)a; /* all bits below the highest one are set, then counted */
    x |= x >> 1;
    x |= x >> 2;
    x |= x >> 4;
@if !b8
    x |= x >> 8;
@end
@if b32
    x |= x >> 16;
@elif b64
    x |= x >> 16;
    x |= x >> 32;
@end
    return (hlocc_V)(BITS - hlocc_popcnt_U(x));
@end
}
