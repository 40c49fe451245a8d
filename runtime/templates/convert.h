/* header: hlocc/convert_LANES.h */
/* Conversions between register types, as HLO's convert: integers wrap; floats to integers truncate and saturate, NaN
 * gives 0; to a predicate: is it not 0. */

/* piece: hlocc_W_from_V | I | scalar | same-lanes F I */
HLOCC_INLINE hlocc_W hlocc_W_from_V(hlocc_V x) { return (hlocc_W)x; }

/* piece: hlocc_W_from_V | F | scalar | same-lanes F */
HLOCC_INLINE hlocc_W hlocc_W_from_V(hlocc_V x) { return (hlocc_W)x; }

/* piece: hlocc_W_from_V | F | scalar | same-lanes I */
HLOCC_INLINE hlocc_W hlocc_W_from_V(hlocc_V x)
{
    if (x >= ${wabove}) return ${wmax};
    return x > ${wbelow} ? (hlocc_W)x : x == x ? ${wmin} : 0;
}

/* piece: hlocc_W_from_V | F I P | scalar | same-lanes pred */
HLOCC_INLINE int hlocc_W_from_V(hlocc_V x) { return x != 0; }

/* piece: hlocc_W_from_V | P | scalar | same-lanes F I */
HLOCC_INLINE hlocc_W hlocc_W_from_V(int x) { return (hlocc_W)x; }

/* piece: hlocc_W_from_V | F I | vector | same-lanes pred */
HLOCC_INLINE hlocc_W hlocc_W_from_V(hlocc_V x) { return hlocc_ne_V(x, K(0)); }

/* piece: hlocc_V_from_W | F I | vector | same-lanes pred */
HLOCC_INLINE hlocc_V hlocc_V_from_W(hlocc_W m) { return hlocc_select_V(m, K(1), K(0)); }

/* piece: hlocc_W_from_V | P | vector | same-lanes pred */
HLOCC_INLINE hlocc_W hlocc_W_from_V(hlocc_W m) { return m; }

/* piece: hlocc_W_from_V | I | vector | same-lanes F */
HLOCC_INLINE hlocc_W hlocc_W_from_V(hlocc_V x)
{
@if anywide
    return hlocc_join_W(hlocc_WH_from_VH(hlocc_lo_V(x)), hlocc_WH_from_VH(hlocc_hi_V(x)));
@elif b8
    return hlocc_W_from_N32(hlocc_N32_from_V(x));
@elif b16
    return hlocc_W_from_N32(hlocc_N32_from_V(x));
@elif s32 & w.f64 & !clang & w.p64
    return __builtin_ia32_cvtdq2pd512_mask((hlocc_x86_V)x, (hlocc_W){0}, -1);
@elif s32 & w.f64 & !clang & w.p32
    return __builtin_ia32_cvtdq2pd256((hlocc_x86_V)x);
@elif !shufflevector
    hlocc_W r = hlocc_splat_W(0);
    for (int i = 0; i < LANES; i++) r[i] = hlocc_WS_from_S(x[i]);
    return r;
@elif short & w.short
    typedef hlocc_S from __attribute__((vector_size(BYTES)));
    typedef hlocc_WS to __attribute__((vector_size(WBYTES)));
    from lanes = __builtin_shufflevector(x, x, INDICES_first);
    to y = __builtin_convertvector(lanes, to);
    return __builtin_shufflevector(y, y, INDICES_pad);
@elif short
    typedef hlocc_S from __attribute__((vector_size(BYTES)));
    from lanes = __builtin_shufflevector(x, x, INDICES_first);
    return __builtin_convertvector(lanes, hlocc_W);
@elif w.short
    typedef hlocc_WS to __attribute__((vector_size(WBYTES)));
    to y = __builtin_convertvector(x, to);
    return __builtin_shufflevector(y, y, INDICES_pad);
@else
    return __builtin_convertvector(x, hlocc_W);
@end
}

/* piece: hlocc_W_from_V | F | vector | same-lanes F */
HLOCC_INLINE hlocc_W hlocc_W_from_V(hlocc_V x)
{
@if same
    return x;
@elif anywide
    return hlocc_join_W(hlocc_WH_from_VH(hlocc_lo_V(x)), hlocc_WH_from_VH(hlocc_hi_V(x)));
@elif f32 & !clang & w.p64
    return __builtin_ia32_cvtps2pd512_mask(x, (hlocc_W){0}, -1, 4);
@elif f32 & !clang & w.p32
    return __builtin_ia32_cvtps2pd256(x);
@elif f64 & !clang & sse2 & p16
    return __builtin_ia32_cvtpd2ps(x);
@elif !shufflevector
    hlocc_W r = hlocc_splat_W(0);
    for (int i = 0; i < LANES; i++) r[i] = hlocc_WS_from_S(x[i]);
    return r;
@elif short & w.short
    typedef hlocc_S from __attribute__((vector_size(BYTES)));
    typedef hlocc_WS to __attribute__((vector_size(WBYTES)));
    from lanes = __builtin_shufflevector(x, x, INDICES_first);
    to y = __builtin_convertvector(lanes, to);
    return __builtin_shufflevector(y, y, INDICES_pad);
@elif short
    typedef hlocc_S from __attribute__((vector_size(BYTES)));
    from lanes = __builtin_shufflevector(x, x, INDICES_first);
    return __builtin_convertvector(lanes, hlocc_W);
@elif w.short
    typedef hlocc_WS to __attribute__((vector_size(WBYTES)));
    to y = __builtin_convertvector(x, to);
    return __builtin_shufflevector(y, y, INDICES_pad);
@else
    return __builtin_convertvector(x, hlocc_W);
@end
}

/* piece: hlocc_trunc_W_from_V | F | vector | same-lanes s32 s64 u32 u64 */
/* Truncated; what the result cannot hold gives an unspecified value. */
HLOCC_INLINE hlocc_W hlocc_trunc_W_from_V(hlocc_V x)
{
@if anywide
    return hlocc_join_W(hlocc_trunc_WH_from_VH(hlocc_lo_V(x)), hlocc_trunc_WH_from_VH(hlocc_hi_V(x)));
@elif f32 & w.s32 & !clang & p64
    return (hlocc_W)__builtin_ia32_cvttps2dq512_mask(x, (hlocc_x86_W){0}, -1, 4);
@elif f32 & w.s32 & !clang & sse2
    return (hlocc_W)__builtin_ia32_cvttps2dq${bits_not_128}(x);
@elif f64 & w.s32 & !clang & sse2 & p16
    return (hlocc_W)__builtin_ia32_cvttpd2dq(x);
@elif f32 & w.s64 & !clang & w.p64
    return (hlocc_W)__builtin_ia32_cvttps2qq512_mask(x, (hlocc_x86_W){0}, -1, 4);
@elif f32 & w.u64 & !clang & w.p64
    return (hlocc_W)__builtin_ia32_cvttps2uqq512_mask(x, (hlocc_x86_W){0}, -1, 4);
@elif !shufflevector
    hlocc_W r = hlocc_splat_W(0);
    for (int i = 0; i < LANES; i++) r[i] = hlocc_WS_from_S(x[i]);
    return r;
@elif short & w.short
    typedef hlocc_S from __attribute__((vector_size(BYTES)));
    typedef hlocc_WS to __attribute__((vector_size(WBYTES)));
    from lanes = __builtin_shufflevector(x, x, INDICES_first);
    to y = __builtin_convertvector(lanes, to);
    return __builtin_shufflevector(y, y, INDICES_pad);
@elif short
    typedef hlocc_S from __attribute__((vector_size(BYTES)));
    from lanes = __builtin_shufflevector(x, x, INDICES_first);
    return __builtin_convertvector(lanes, hlocc_W);
@elif w.short
    typedef hlocc_WS to __attribute__((vector_size(WBYTES)));
    to y = __builtin_convertvector(x, to);
    return __builtin_shufflevector(y, y, INDICES_pad);
@else
    return __builtin_convertvector(x, hlocc_W);
@end
}

/* piece: hlocc_W_from_V | F | vector | same-lanes s32 s64 u32 u64 */
HLOCC_INLINE hlocc_W hlocc_W_from_V(hlocc_V x)
{
@if anywide
    return hlocc_join_W(hlocc_WH_from_VH(hlocc_lo_V(x)), hlocc_WH_from_VH(hlocc_hi_V(x)));
@else
    hlocc_M above = hlocc_ge_V(x, K(${wabove})), within = hlocc_gt_V(x, K(${wbelow}));
    hlocc_V safe = hlocc_select_V(hlocc_andnot_M(above, within), x, K(0));
    hlocc_W r = hlocc_trunc_W_from_V(safe);
@if w.signed
    r = hlocc_select_W(hlocc_le_V(x, K(${wbelow})), hlocc_splat_W(${wmin}), r);
@end
    return hlocc_select_W(above, hlocc_splat_W(${wmax}), r);
@end
}

/* piece: hlocc_W_from_V | F | vector | same-lanes s8 s16 u8 u16 */
HLOCC_INLINE hlocc_W hlocc_W_from_V(hlocc_V x)
{
@if anywide
    return hlocc_join_W(hlocc_WH_from_VH(hlocc_lo_V(x)), hlocc_WH_from_VH(hlocc_hi_V(x)));
@else
    hlocc_V low = K(${wlow}), high = K(${whigh});
    hlocc_V safe = hlocc_select_V(hlocc_gt_V(x, high), high, x);
    safe = hlocc_select_V(hlocc_ge_V(safe, low), safe, hlocc_select_V(hlocc_lt_V(safe, low), low, K(0)));
    return hlocc_W_from_N32(hlocc_trunc_N32_from_V(safe));
@end
}
