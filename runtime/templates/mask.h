/* header: hlocc/mask_LANES.h */
/* Predicates with lanes. With AVX-512 they are mask registers (bit k is lane k, bits above the lanes unspecified),
 * else vectors of integers, all bits of a lane or none. */

/* piece: hlocc_all_lanes_V | P | vector */
/* The bits of the lanes that exist (mask registers only). */
@if n64
HLOCC_INLINE unsigned long long hlocc_all_lanes_V(void) { return ~0ull; }
@elif n32
HLOCC_INLINE unsigned hlocc_all_lanes_V(void) { return ~0u; }
@elif n16
HLOCC_INLINE unsigned short hlocc_all_lanes_V(void) { return 0xFFFF; }
@elif n8
HLOCC_INLINE unsigned char hlocc_all_lanes_V(void) { return 0xFF; }
@elif n4
HLOCC_INLINE unsigned char hlocc_all_lanes_V(void) { return 0xF; }
@else
HLOCC_INLINE unsigned char hlocc_all_lanes_V(void) { return 0x3; }
@end

/* piece: hlocc_and_V hlocc_or_V hlocc_xor_V hlocc_not_V hlocc_andnot_V | P | vector */
/* andnot: not a, and b. */
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
HLOCC_INLINE hlocc_V hlocc_andnot_V(hlocc_V a, hlocc_V b)
{
    hlocc_V r = {hlocc_andnot_VH(a.lo, b.lo), hlocc_andnot_VH(a.hi, b.hi)};
    return r;
}
@else
HLOCC_INLINE hlocc_V hlocc_and_V(hlocc_V a, hlocc_V b) { return (hlocc_V)(a & b); }
HLOCC_INLINE hlocc_V hlocc_or_V(hlocc_V a, hlocc_V b) { return (hlocc_V)(a | b); }
HLOCC_INLINE hlocc_V hlocc_xor_V(hlocc_V a, hlocc_V b) { return (hlocc_V)(a ^ b); }
HLOCC_INLINE hlocc_V hlocc_not_V(hlocc_V a) { return (hlocc_V)~a; }
HLOCC_INLINE hlocc_V hlocc_andnot_V(hlocc_V a, hlocc_V b) { return (hlocc_V)(~a & b); }
@end

/* piece: hlocc_eq_V hlocc_ne_V hlocc_lt_V hlocc_le_V hlocc_gt_V hlocc_ge_V | P | vector */
/* False is less than true. */
HLOCC_INLINE hlocc_V hlocc_eq_V(hlocc_V a, hlocc_V b) { return hlocc_not_V(hlocc_xor_V(a, b)); }
HLOCC_INLINE hlocc_V hlocc_ne_V(hlocc_V a, hlocc_V b) { return hlocc_xor_V(a, b); }
HLOCC_INLINE hlocc_V hlocc_lt_V(hlocc_V a, hlocc_V b) { return hlocc_andnot_V(a, b); }
HLOCC_INLINE hlocc_V hlocc_le_V(hlocc_V a, hlocc_V b) { return hlocc_or_V(hlocc_not_V(a), b); }
HLOCC_INLINE hlocc_V hlocc_gt_V(hlocc_V a, hlocc_V b) { return hlocc_andnot_V(b, a); }
HLOCC_INLINE hlocc_V hlocc_ge_V(hlocc_V a, hlocc_V b) { return hlocc_or_V(hlocc_not_V(b), a); }

/* piece: hlocc_select_V | P | vector */
HLOCC_INLINE hlocc_V hlocc_select_V(hlocc_V m, hlocc_V a, hlocc_V b)
{
    return hlocc_or_V(hlocc_and_V(m, a), hlocc_andnot_V(m, b));
}

/* piece: hlocc_splat_V | P | vector */
HLOCC_INLINE hlocc_V hlocc_splat_V(int x)
{
@if wide
    hlocc_V m = {hlocc_splat_VH(x), hlocc_splat_VH(x)};
    return m;
@elif avx512
    return x ? hlocc_all_lanes_V() : 0;
@elif vb32
    return hlocc_splat_MB(x ? -1 : 0);
@else
    return hlocc_splat_MA(x ? -1 : 0);
@end
}

/* piece: hlocc_lane_V | P | vector */
HLOCC_INLINE int hlocc_lane_V(hlocc_V m, int k)
{
@if wide
    return k < HALF ? hlocc_lane_VH(m.lo, k) : hlocc_lane_VH(m.hi, k - HALF);
@elif avx512
    return (int)(m >> k & 1);
@else
    return m[k] != 0;
@end
}

/* piece: hlocc_first_V | P | vector */
/* True in the first n lanes. 0 <= n <= LANES. */
HLOCC_INLINE hlocc_V hlocc_first_V(int n)
{
@if wide
    hlocc_V m = {hlocc_first_VH(n < HALF ? n : HALF), hlocc_first_VH(n > HALF ? n - HALF : 0)};
    return m;
@elif avx512 & n64
    return n < 64 ? (1ull << n) - 1 : ~0ull;
@elif avx512 & n32
    return (hlocc_V)((1ull << n) - 1);
@elif avx512
    return (hlocc_V)((1u << n) - 1);
@elif vb32
    return hlocc_iota_MB() < hlocc_splat_MB(n);
@else
    return hlocc_iota_MA() < hlocc_splat_MA(n);
@end
}

/* piece: hlocc_any_V hlocc_all_V | P | vector */
@if wide
HLOCC_INLINE int hlocc_any_V(hlocc_V m) { return hlocc_any_VH(hlocc_or_VH(m.lo, m.hi)); }
HLOCC_INLINE int hlocc_all_V(hlocc_V m) { return hlocc_all_VH(hlocc_and_VH(m.lo, m.hi)); }
@elif avx512
HLOCC_INLINE int hlocc_any_V(hlocc_V m) { return (m & hlocc_all_lanes_V()) != 0; }
HLOCC_INLINE int hlocc_all_V(hlocc_V m) { return (m & hlocc_all_lanes_V()) == hlocc_all_lanes_V(); }
@elif vb32 & !n2
HLOCC_INLINE int hlocc_any_V(hlocc_V m)
{
    typedef char bytes __attribute__((vector_size(32)));
    return __builtin_ia32_pmovmskb256((bytes)m) != 0;
}
HLOCC_INLINE int hlocc_all_V(hlocc_V m)
{
    typedef char bytes __attribute__((vector_size(32)));
    return __builtin_ia32_pmovmskb256((bytes)m) == -1;
}
@elif sse2
HLOCC_INLINE int hlocc_any_V(hlocc_V m)
{
    typedef char bytes __attribute__((vector_size(16)));
    return __builtin_ia32_pmovmskb128((bytes)m) != 0;
}
HLOCC_INLINE int hlocc_all_V(hlocc_V m)
{
    typedef char bytes __attribute__((vector_size(16)));
    return __builtin_ia32_pmovmskb128((bytes)m) == 0xFFFF;
}
@else
HLOCC_INLINE int hlocc_any_V(hlocc_V m)
{
    typedef uint64_t words __attribute__((vector_size(16)));
    words w = (words)m;
    return (w[0] | w[1]) != 0;
}
HLOCC_INLINE int hlocc_all_V(hlocc_V m)
{
    typedef uint64_t words __attribute__((vector_size(16)));
    words w = (words)m;
    return (w[0] & w[1]) == ~(uint64_t)0;
}
@end

/* piece: hlocc_lo_V hlocc_hi_V | P | 4 8 16 32 64 */
/* The lower and the upper half. */
@if wide
HLOCC_INLINE hlocc_VH hlocc_lo_V(hlocc_V m) { return m.lo; }
HLOCC_INLINE hlocc_VH hlocc_hi_V(hlocc_V m) { return m.hi; }
@elif avx512
HLOCC_INLINE hlocc_VH hlocc_lo_V(hlocc_V m) { return (hlocc_VH)m; }
HLOCC_INLINE hlocc_VH hlocc_hi_V(hlocc_V m) { return (hlocc_VH)(m >> HALF); }
@elif vb32 & n4
HLOCC_INLINE hlocc_VH hlocc_lo_V(hlocc_V m) { return hlocc_lo_MB(m); }
HLOCC_INLINE hlocc_VH hlocc_hi_V(hlocc_V m) { return hlocc_hi_MB(m); }
@elif vb32
HLOCC_INLINE hlocc_VH hlocc_lo_V(hlocc_V m) { return (hlocc_VH)hlocc_zip_lo_MB(m, m); }
HLOCC_INLINE hlocc_VH hlocc_hi_V(hlocc_V m) { return (hlocc_VH)hlocc_zip_hi_MB(m, m); }
@else
HLOCC_INLINE hlocc_VH hlocc_lo_V(hlocc_V m) { return (hlocc_VH)hlocc_zip_lo_MA(m, m); }
HLOCC_INLINE hlocc_VH hlocc_hi_V(hlocc_V m) { return (hlocc_VH)hlocc_zip_hi_MA(m, m); }
@end

/* piece: hlocc_join_V | P | 4 8 16 32 64 */
/* One mask of two halves. */
HLOCC_INLINE hlocc_V hlocc_join_V(hlocc_VH lo, hlocc_VH hi)
{
@if wide
    hlocc_V m = {lo, hi};
    return m;
@elif avx512 & n4
    return (hlocc_V)((lo & 3) | hi << HALF);
@elif avx512 & n8
    return (hlocc_V)((lo & 15) | hi << HALF);
@elif avx512 & n64
    return lo | (unsigned long long)hi << HALF;
@elif avx512
    return (hlocc_V)(lo | (unsigned)hi << HALF);
@elif vb32 & n4
    return hlocc_join_MB(lo, hi);
@elif vb32
    return hlocc_even_MB((hlocc_MB)lo, (hlocc_MB)hi);
@else
    return hlocc_even_MA((hlocc_MA)lo, (hlocc_MA)hi);
@end
}

/* header: hlocc/mask_lanes_LANES.h */
/* piece: hlocc_W_of_V | S | vector | same-lanes pred */
/* A mask from lanes of which all bits are set, or none. */
HLOCC_INLINE hlocc_W hlocc_W_of_V(hlocc_V v)
{
@if wide
    return hlocc_join_W(hlocc_WH_of_VH(v.lo), hlocc_WH_of_VH(v.hi));
@elif avx512
    return __builtin_ia32_cvt${t}2mask${bits}((hlocc_x86_V)v);
@elif vb32
    return hlocc_MB_from_V(v);
@else
    return hlocc_MA_from_V(v);
@end
}

/* piece: hlocc_V_of_W | S | vector | same-lanes pred */
/* Lanes of which all bits are set where the mask holds, else none. */
HLOCC_INLINE hlocc_V hlocc_V_of_W(hlocc_W m)
{
@if wide
    hlocc_V r = {hlocc_VH_of_WH(hlocc_lo_W(m)), hlocc_VH_of_WH(hlocc_hi_W(m))};
    return r;
@elif avx512
    return (hlocc_V)__builtin_ia32_cvtmask2${t}${bits}(m);
@elif vb32
    return hlocc_V_from_MB(m);
@else
    return hlocc_V_from_MA(m);
@end
}

/* header: hlocc/mask_memory_LANES.h */
/* Predicates in memory: one byte each, 0 or 1 (on loading: or anything but 0). */
/* piece: hlocc_load_V | P | vector */
HLOCC_INLINE hlocc_V hlocc_load_V(const uint8_t *p) { return hlocc_V_from_BY(hlocc_load_BY(p)); }

/* piece: hlocc_loadn_V | P | vector */
/* The first n lanes; the others are false. */
HLOCC_INLINE hlocc_V hlocc_loadn_V(const uint8_t *p, int n) { return hlocc_V_from_BY(hlocc_loadn_BY(p, n)); }

/* piece: hlocc_store_V | P | vector */
HLOCC_INLINE void hlocc_store_V(uint8_t *p, hlocc_V m) { hlocc_store_BY(p, hlocc_BY_from_V(m)); }

/* piece: hlocc_storen_V | P | vector */
HLOCC_INLINE void hlocc_storen_V(uint8_t *p, int n, hlocc_V m) { hlocc_storen_BY(p, n, hlocc_BY_from_V(m)); }
