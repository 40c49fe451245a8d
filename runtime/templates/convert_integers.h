/* header: hlocc/integers_LANES.h */
/* Integers to integers: they wrap. */

/* piece: hlocc_W_from_V | I | vector | same-lanes I */
HLOCC_INLINE hlocc_W hlocc_W_from_V(hlocc_V x)
{
@if same
    return x;
@elif anywide
    return hlocc_join_W(hlocc_WH_from_VH(hlocc_lo_V(x)), hlocc_WH_from_VH(hlocc_hi_V(x)));
@elif samesize
    return (hlocc_W)x;
@elif widens & !clang & w.p64
    return (hlocc_W)__builtin_ia32_pmov${sz}x${t}${wt}512_mask((hlocc_x86_V)x, (hlocc_x86_W){0}, -1);
@elif widens & !clang & sse41
    return (hlocc_W)__builtin_ia32_pmov${sz}x${t}${wt}${wbits}((hlocc_x86_V)x);
@elif widens & !clang & w.b16 & w.p16
@if signed
    return (hlocc_W)((hlocc_WI)hlocc_zip_lo_V(x, x) >> 8);
@else
    return (hlocc_W)hlocc_zip_lo_V(x, K(0));
@end
@elif widens & !clang & b16 & w.b32 & w.p16
@if signed
    return (hlocc_W)((hlocc_WI)hlocc_zip_lo_V(x, x) >> 16);
@else
    return (hlocc_W)hlocc_zip_lo_V(x, K(0));
@end
@elif widens & !clang & b8 & w.p16
    return hlocc_W_from_N16(hlocc_N16_from_V(x));
@elif narrows & !clang & avx512
    return (hlocc_W)__builtin_ia32_pmov${t}${wt}${bits}_mask((hlocc_x86_V)x, (hlocc_x86_W){0}, -1);
@elif narrows & !clang & p32
    return hlocc_join_W(hlocc_WH_from_VH(hlocc_lo_V(x)), hlocc_WH_from_VH(hlocc_hi_V(x)));
@elif narrows & !clang & p16 & sse2 & !ssse3 & b32 & w.b16
    hlocc_x86_V low = (hlocc_x86_V)((hlocc_I)((hlocc_U)x << 16) >> 16);
    return (hlocc_W)__builtin_ia32_packssdw128(low, low);
@elif narrows & !clang & p16 & sse2 & !ssse3 & b16
    hlocc_x86_V low = (hlocc_x86_V)(x & 255);
    return (hlocc_W)__builtin_ia32_packuswb128(low, low);
@elif narrows & !clang & p16 & sse2 & !ssse3 & b32
    return hlocc_W_from_N16(hlocc_N16_from_V(x));
@elif narrows & !clang & p16 & sse2 & !ssse3 & b64 & !w.b32
    return hlocc_W_from_N32(hlocc_N32_from_V(x));
@elif narrows & p16
    return HLOCC_SHUFFLE(hlocc_WI, (hlocc_W)x, (hlocc_W)x, INDICES_narrow);
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


