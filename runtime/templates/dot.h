/* header: hlocc/dot_V.h */
/* Sums of products of narrow elements: lane i of the result is lane i of acc plus the products of the 2 or 4
 * elements of a
 * and b that stand in its place. Integers wrap; bf16 products are exact in f32, their sum rounds as the machine
 * likes. */

/* piece: hlocc_dot2_V | s32 | 2 4 8 16 32 */
HLOCC_INLINE hlocc_V hlocc_dot2_V(hlocc_V acc, hlocc_PAIRS a, hlocc_PAIRS b)
{
@if wide
    hlocc_V r = {hlocc_dot2_VH(acc.lo, hlocc_lo_PAIRS(a), hlocc_lo_PAIRS(b)),
                 hlocc_dot2_VH(acc.hi, hlocc_hi_PAIRS(a), hlocc_hi_PAIRS(b))};
    return r;
@elif vnni
    __asm__("vpdpwssd %2, %1, %0" : "+v"(acc) : "v"(a), "v"(b));
    return acc;
@elif p64 & clang
    return acc + (hlocc_V)__builtin_ia32_pmaddwd512((hlocc_x86_PAIRS)a, (hlocc_x86_PAIRS)b);
@elif p64
    return acc + (hlocc_V)__builtin_ia32_pmaddwd512_mask((hlocc_x86_PAIRS)a, (hlocc_x86_PAIRS)b, (hlocc_x86_V)acc, -1);
@elif sse2
    return (hlocc_V)((hlocc_U)acc + (hlocc_U)__builtin_ia32_pmaddwd${bits}((hlocc_x86_PAIRS)a, (hlocc_x86_PAIRS)b));
@else
    hlocc_V x = (hlocc_V)a, y = (hlocc_V)b;
    hlocc_V x0 = (hlocc_V)((hlocc_U)x << 16) >> 16, y0 = (hlocc_V)((hlocc_U)y << 16) >> 16;
    hlocc_U even = (hlocc_U)(x0 * y0), odd = (hlocc_U)((x >> 16) * (y >> 16));
    return (hlocc_V)((hlocc_U)acc + even + odd);
@end
}

/* piece: hlocc_dot4_V | s32 | 2 4 8 16 */
/* s8 times s8. */
HLOCC_INLINE hlocc_V hlocc_dot4_V(hlocc_V acc, hlocc_QUADS a, hlocc_QUADS b)
{
@if wide
    hlocc_V r = {hlocc_dot4_VH(acc.lo, hlocc_lo_QUADS(a), hlocc_lo_QUADS(b)),
                 hlocc_dot4_VH(acc.hi, hlocc_hi_QUADS(a), hlocc_hi_QUADS(b))};
    return r;
@elif vnni
    /* the instruction takes u8 times s8: (a + 128) b - 128 b */
    hlocc_QUADS sign = hlocc_splat_QUADS(-128);
    hlocc_V excess = hlocc_splat_V(0);
    hlocc_QUADS offset = a ^ sign;
    __asm__("vpdpbusd %2, %1, %0" : "+v"(excess) : "v"(sign), "v"(b));
    __asm__("vpdpbusd %2, %1, %0" : "+v"(acc) : "v"(offset), "v"(b));
    return hlocc_sub_V(acc, excess);
@else
    hlocc_PAIRS x = (hlocc_PAIRS)a, y = (hlocc_PAIRS)b;
    hlocc_PAIRS x0 = (hlocc_PAIRS)((hlocc_PAIRU)x << 8) >> 8, y0 = (hlocc_PAIRS)((hlocc_PAIRU)y << 8) >> 8;
    return hlocc_dot2_V(hlocc_dot2_V(acc, x0, y0), x >> 8, y >> 8);
@end
}

/* piece: hlocc_dot4_us_V | s32 | 2 4 8 16 */
/* u8 times s8. */
HLOCC_INLINE hlocc_V hlocc_dot4_us_V(hlocc_V acc, hlocc_QUADU a, hlocc_QUADS b)
{
@if wide
    hlocc_V r = {hlocc_dot4_us_VH(acc.lo, hlocc_lo_QUADU(a), hlocc_lo_QUADS(b)),
                 hlocc_dot4_us_VH(acc.hi, hlocc_hi_QUADU(a), hlocc_hi_QUADS(b))};
    return r;
@elif vnni
    __asm__("vpdpbusd %2, %1, %0" : "+v"(acc) : "v"(a), "v"(b));
    return acc;
@else
    hlocc_PAIRU x = (hlocc_PAIRU)a;
    hlocc_PAIRS y = (hlocc_PAIRS)b, y0 = (hlocc_PAIRS)((hlocc_PAIRU)y << 8) >> 8;
    return hlocc_dot2_V(hlocc_dot2_V(acc, (hlocc_PAIRS)(x & 255), y0), (hlocc_PAIRS)(x >> 8), y >> 8);
@end
}

/* piece: hlocc_dot2_V | f32 | 2 4 8 16 32 */
/* bf16 times bf16, given by their bits. */
HLOCC_INLINE hlocc_V hlocc_dot2_V(hlocc_V acc, hlocc_PAIRU a, hlocc_PAIRU b)
{
@if wide
    hlocc_V r = {hlocc_dot2_VH(acc.lo, hlocc_lo_PAIRU(a), hlocc_lo_PAIRU(b)),
                 hlocc_dot2_VH(acc.hi, hlocc_hi_PAIRU(a), hlocc_hi_PAIRU(b))};
    return r;
@elif bf16dot
    __asm__("vdpbf16ps %2, %1, %0" : "+v"(acc) : "v"(a), "v"(b));
    return acc;
@else
    hlocc_U x = (hlocc_U)a, y = (hlocc_U)b;
    acc = FMA((hlocc_V)(x & 0xFFFF0000), (hlocc_V)(y & 0xFFFF0000), acc);
    return FMA((hlocc_V)(x << 16), (hlocc_V)(y << 16), acc);
@end
}
