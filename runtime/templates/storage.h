/* header: hlocc/storage_V_W.h */
/* Floats of 16 bits and fewer (W). They are stored in uint16_t or uint8_t; the vectors of their bits are u16 and u8.
 * Narrowing rounds once, to nearest even (f8e8m0fnu: ties go up). */

/* piece: hlocc_V_from_W | f32 | scalar vector | storage T */
/* From bits. */
HLOCC_INLINE hlocc_V hlocc_V_from_W(hlocc_RAW x)
{
@if w.bf16
    return hlocc_bitcast_V_U(hlocc_shl_U(hlocc_U_from_RAW(x), KU(16)));
@elif w.f16 & vector & !wide & f16c & p64
    return __builtin_ia32_vcvtph2ps512_mask((hlocc_x86_RAW)x, (hlocc_V){0}, -1, 4);
@elif w.f16 & vector & !wide & f16c & p32
    return __builtin_ia32_vcvtph2ps256((hlocc_x86_RAW)x);
@elif w.f16 & vector & !wide & f16c
    return __builtin_ia32_vcvtph2ps((hlocc_x86_RAW)x);
@elif w.f8e8m0fnu
    hlocc_U u = hlocc_U_from_RAW(x), bits = hlocc_shl_U(u, KU(23));
    bits = hlocc_select_U(hlocc_eq_U(u, KU(0)), KU(0x00400000), bits); /* 2^-127 */
    return hlocc_bitcast_V_U(hlocc_select_U(hlocc_eq_U(u, KU(255)), KU(0x7FC00000), bits));
@else
    hlocc_U u = hlocc_U_from_RAW(x), magnitude = hlocc_and_U(u, KU(${wmask}));
    hlocc_U sign = hlocc_shl_U(hlocc_and_U(u, KU(${wsign})), KU(${wsign_shift}));
    hlocc_V y = MUL(hlocc_bitcast_V_U(hlocc_shl_U(magnitude, KU(${wshift}))), K(${wscale})); /* exact, also denormals */
@if w.ieee
    hlocc_U special = hlocc_select_U(hlocc_eq_U(magnitude, KU(${winf})), KU(0x7F800000), KU(0x7FC00000));
    y = hlocc_bitcast_V_U(hlocc_select_U(hlocc_gt_U(magnitude, KU(${wlargest})), special, hlocc_bitcast_U_V(y)));
@elif w.fn
    y = hlocc_select_V(hlocc_gt_U(magnitude, KU(${wlargest})), hlocc_nan_V(), y);
@end
    y = hlocc_bitcast_V_U(hlocc_or_U(hlocc_bitcast_U_V(y), sign));
@if w.fnuz
    y = hlocc_select_V(hlocc_eq_U(u, KU(${wsign})), hlocc_nan_V(), y); /* NaN has no sign */
@end
    return y;
@end
}

/* piece: hlocc_V_from_W | f64 | scalar vector | storage T */
/* From bits. */
HLOCC_INLINE hlocc_V hlocc_V_from_W(hlocc_RAW x) { return hlocc_V_from_F32(hlocc_F32_from_W(x)); }

/* piece: hlocc_W_from_V | f32 | scalar vector | storage T */
/* To bits. */
HLOCC_INLINE hlocc_RAW hlocc_W_from_V(hlocc_V x)
{
    hlocc_U b = hlocc_bitcast_U_V(x);
@if w.bf16
    hlocc_U last = hlocc_and_U(hlocc_shrl_U(b, KU(16)), KU(1));
    hlocc_U r = hlocc_add_U(b, hlocc_add_U(last, KU(0x7FFF)));
    hlocc_U nan = hlocc_or_U(b, KU(0x00400000));
    return hlocc_RAW_from_U(hlocc_shrl_U(hlocc_select_U(EQ(x, x), r, nan), KU(16)));
@elif w.f16 & vector & !wide & f16c & p64
    (void)b;
    return (hlocc_RAW)__builtin_ia32_vcvtps2ph512_mask(x, 0, (hlocc_x86_RAW){0}, -1);
@elif w.f16 & vector & !wide & f16c & p32
    (void)b;
    return (hlocc_RAW)__builtin_ia32_vcvtps2ph256(x, 0);
@elif w.f16 & vector & !wide & f16c
    (void)b;
    return (hlocc_RAW)__builtin_ia32_vcvtps2ph(x, 0);
@elif w.f8e8m0fnu
    hlocc_U r = hlocc_shrl_U(hlocc_add_U(b, KU(0x00400000)), KU(23));
    r = hlocc_select_U(hlocc_lt_U(b, KU(0x00600000)), KU(0), r); /* less than 1.5 * 2^-127 */
    return hlocc_RAW_from_U(hlocc_select_U(GT(x, K(0)), r, KU(255)));
@else
    hlocc_U a = hlocc_and_U(b, KU(0x7FFFFFFF)), last = hlocc_and_U(hlocc_shrl_U(a, KU(${wshift})), KU(1));
    hlocc_U normal = hlocc_shrl_U(hlocc_add_U(a, hlocc_add_U(last, KU(${whalf}))), KU(${wshift}));
    const hlocc_V magic = K(${wmagic}); /* its last place is the smallest number of the format */
    hlocc_U tiny = hlocc_sub_U(hlocc_bitcast_U_V(ADD(ABS(x), magic)), hlocc_bitcast_U_V(magic));
    hlocc_U r = hlocc_select_U(LT(ABS(x), K(${wmin_normal})), tiny, hlocc_sub_U(normal, KU(${wrebias})));
    hlocc_M above = hlocc_gt_U(r, KU(${wlargest}));
    hlocc_U sign = hlocc_shrl_U(hlocc_and_U(b, KU(0x80000000)), KU(${wsign_shift}));
@if w.fnuz
    sign = hlocc_select_U(hlocc_eq_U(r, KU(0)), KU(0), sign); /* there is no -0 */
    r = hlocc_select_U(hlocc_or_M(above, NE(x, x)), KU(${wsign}), hlocc_or_U(r, sign));
@elif w.finite
    r = hlocc_or_U(hlocc_select_U(above, KU(${wlargest}), r), sign);
    r = hlocc_select_U(NE(x, x), hlocc_xor_U(sign, KU(${wsign})), r); /* NaN has to be something: -0, or +0 for -NaN */
@else
    r = hlocc_select_U(above, KU(${winf}), r);
    r = hlocc_or_U(hlocc_select_U(NE(x, x), KU(${wnan}), r), sign);
@end
    return hlocc_RAW_from_U(r);
@end
}

/* piece: hlocc_W_from_V | f64 | scalar vector | storage T */
/* To bits. */
HLOCC_INLINE hlocc_RAW hlocc_W_from_V(hlocc_V x) { return hlocc_W_from_F32(hlocc_round_odd_V(x)); }

/* piece: hlocc_load_V_W | F | vector | storage T */
HLOCC_INLINE hlocc_V hlocc_load_V_W(const hlocc_RS *p) { return hlocc_V_from_W(hlocc_load_RAW(p)); }

/* piece: hlocc_store_V_W | F | vector | storage T */
HLOCC_INLINE void hlocc_store_V_W(hlocc_RS *p, hlocc_V v) { hlocc_store_RAW(p, hlocc_W_from_V(v)); }

/* piece: hlocc_loadn_V_W | F | vector | storage T */
HLOCC_INLINE hlocc_V hlocc_loadn_V_W(const hlocc_RS *p, int n) { return hlocc_V_from_W(hlocc_loadn_RAW(p, n)); }

/* piece: hlocc_storen_V_W | F | vector | storage T */
HLOCC_INLINE void hlocc_storen_V_W(hlocc_RS *p, int n, hlocc_V v) { hlocc_storen_RAW(p, n, hlocc_W_from_V(v)); }

/* piece: hlocc_loads_V_W | F | vector | storage T */
HLOCC_INLINE hlocc_V hlocc_loads_V_W(const hlocc_RS *p, ptrdiff_t stride)
{
    return hlocc_V_from_W(hlocc_loads_RAW(p, stride));
}

/* piece: hlocc_stores_V_W | F | vector | storage T */
HLOCC_INLINE void hlocc_stores_V_W(hlocc_RS *p, ptrdiff_t stride, hlocc_V v)
{
    hlocc_stores_RAW(p, stride, hlocc_W_from_V(v));
}

/* piece: hlocc_loadsn_V_W | F | vector | storage T */
HLOCC_INLINE hlocc_V hlocc_loadsn_V_W(const hlocc_RS *p, ptrdiff_t stride, int n)
{
    return hlocc_V_from_W(hlocc_loadsn_RAW(p, stride, n));
}

/* piece: hlocc_storesn_V_W | F | vector | storage T */
HLOCC_INLINE void hlocc_storesn_V_W(hlocc_RS *p, ptrdiff_t stride, int n, hlocc_V v)
{
    hlocc_storesn_RAW(p, stride, n, hlocc_W_from_V(v));
}

/* piece: hlocc_loadm_V_W | F | vector | storage T */
HLOCC_INLINE hlocc_V hlocc_loadm_V_W(const hlocc_RS *p, hlocc_M m) { return hlocc_V_from_W(hlocc_loadm_RAW(p, m)); }

/* piece: hlocc_storem_V_W | F | vector | storage T */
HLOCC_INLINE void hlocc_storem_V_W(hlocc_RS *p, hlocc_M m, hlocc_V v) { hlocc_storem_RAW(p, m, hlocc_W_from_V(v)); }

/* piece: hlocc_round_W_V | f32 | scalar vector | storage bf16 */
/* To the precision and range of W, in V. */
HLOCC_INLINE hlocc_V hlocc_round_W_V(hlocc_V x)
{
    hlocc_U b = hlocc_bitcast_U_V(x), last = hlocc_and_U(hlocc_shrl_U(b, KU(16)), KU(1));
    hlocc_U r = hlocc_and_U(hlocc_add_U(b, hlocc_add_U(last, KU(0x7FFF))), KU(0xFFFF0000));
    return hlocc_select_V(EQ(x, x), hlocc_bitcast_V_U(r), x);
}

/* piece: hlocc_round_W_V | f32 | scalar vector | storage f16 */
/* To the precision and range of W, in V. */
HLOCC_INLINE hlocc_V hlocc_round_W_V(hlocc_V x) { return hlocc_V_from_W(hlocc_W_from_V(x)); }

/* piece: hlocc_round_W_V | f64 | scalar vector | storage bf16 f16 */
/* To the precision and range of W, in V; rounded once. */
HLOCC_INLINE hlocc_V hlocc_round_W_V(hlocc_V x) { return hlocc_V_from_F32(hlocc_round_W_F32(hlocc_round_odd_V(x))); }

/* header: hlocc/round_odd_V.h */
/* piece: hlocc_round_odd_V | f64 | scalar vector */
/* To f32, away from what f32 can hold: an inexact result has its last bit set. Rounding it again to fewer bits gives
 * what
 * one rounding would have given. */
HLOCC_INLINE hlocc_F32 hlocc_round_odd_V(hlocc_V x)
{
    hlocc_F32 near = hlocc_F32_from_V(x);
    hlocc_V back = hlocc_V_from_F32(near);
    hlocc_N32 bits = hlocc_bitcast_N32_F32(near);
    bits = hlocc_select_N32(GT(ABS(back), ABS(x)), hlocc_sub_N32(bits, KN32(1)), bits); /* towards 0 */
    hlocc_N32 odd = hlocc_or_N32(bits, KN32(1));
    return hlocc_bitcast_F32_N32(hlocc_select_N32(hlocc_or_M(EQ(back, x), NE(x, x)), bits, odd));
}
