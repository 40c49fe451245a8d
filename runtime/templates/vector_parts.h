/* header: hlocc/parts_V.h */
/* Taking vectors apart and putting them together. */

/* piece: hlocc_splat_V | F I | vector */
HLOCC_INLINE hlocc_V hlocc_splat_V(hlocc_S x)
{
@if wide
    hlocc_V v = {hlocc_splat_VH(x), hlocc_splat_VH(x)};
    return v;
@else
    return x - (hlocc_V){0}; /* exact also for -0 */
@end
}

/* piece: hlocc_lo_V hlocc_hi_V | F I | 4 8 16 32 64 */
/* The lower and the upper half. */
@if wide
HLOCC_INLINE hlocc_VH hlocc_lo_V(hlocc_V v) { return v.lo; }
HLOCC_INLINE hlocc_VH hlocc_hi_V(hlocc_V v) { return v.hi; }
@elif short
HLOCC_INLINE hlocc_VH hlocc_lo_V(hlocc_V v) { return v; }
HLOCC_INLINE hlocc_VH hlocc_hi_V(hlocc_V v) { return (hlocc_VH)((hlocc_u64x2)v >> HALFBITS); }
@elif p16
HLOCC_INLINE hlocc_VH hlocc_lo_V(hlocc_V v) { return v; }
HLOCC_INLINE hlocc_VH hlocc_hi_V(hlocc_V v)
{
    return (hlocc_VH)HLOCC_SHUFFLE(hlocc_u64x2, (hlocc_u64x2)v, (hlocc_u64x2)v, 1, 1);
}
@elif shufflevector
HLOCC_INLINE hlocc_VH hlocc_lo_V(hlocc_V v) { return __builtin_shufflevector(v, v, INDICES_lo); }
HLOCC_INLINE hlocc_VH hlocc_hi_V(hlocc_V v) { return __builtin_shufflevector(v, v, INDICES_hi); }
@else
HLOCC_INLINE hlocc_VH hlocc_lo_V(hlocc_V v)
{
    hlocc_VH h;
    memcpy(&h, &v, sizeof h);
    return h;
}
HLOCC_INLINE hlocc_VH hlocc_hi_V(hlocc_V v)
{
    hlocc_VH h;
    memcpy(&h, (const char *)&v + sizeof h, sizeof h);
    return h;
}
@end

/* piece: hlocc_join_V | F I | 4 8 16 32 64 */
/* One vector of two halves. */
HLOCC_INLINE hlocc_V hlocc_join_V(hlocc_VH lo, hlocc_VH hi)
{
@if wide
    hlocc_V v = {lo, hi};
    return v;
@elif short
    const hlocc_u64x2 low = {((uint64_t)1 << HALFBITS) - 1, 0};
    return (hlocc_V)(((hlocc_u64x2)lo & low) | ((hlocc_u64x2)hi << HALFBITS));
@elif p16
    return (hlocc_V)HLOCC_SHUFFLE(hlocc_u64x2, (hlocc_u64x2)lo, (hlocc_u64x2)hi, 0, 2);
@elif shufflevector
    return __builtin_shufflevector(lo, hi, INDICES_join);
@else
    hlocc_V v;
    memcpy(&v, &lo, sizeof lo);
    memcpy((char *)&v + sizeof lo, &hi, sizeof hi);
    return v;
@end
}

/* piece: HLOCC_SHUFFLE */
/* Lanes of two vectors of the same type by constant numbers; index_type: a vector of integers of that size. */
#if HLOCC_HAS_SHUFFLEVECTOR
#define HLOCC_SHUFFLE(index_type, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define HLOCC_SHUFFLE(index_type, a, b, ...) __builtin_shuffle(a, b, (index_type){__VA_ARGS__})
#endif

/* piece: hlocc_ramp_V | F I | vector */
/* first, first + 1, first + 2 ... */
HLOCC_INLINE hlocc_V hlocc_ramp_V(hlocc_S first)
{
@if wide
    hlocc_V v = {hlocc_ramp_VH(first), hlocc_ramp_VH((hlocc_S)(first + HALF))};
    return v;
@else
    return (hlocc_V){INDICES_iota} + first;
@end
}

/* piece: hlocc_iota_V | F I | vector */
/* 0, 1, 2 ... */
HLOCC_INLINE hlocc_V hlocc_iota_V(void) { return hlocc_ramp_V(0); }

/* piece: hlocc_lane_V | F I | vector */
/* Lane k. */
HLOCC_INLINE hlocc_S hlocc_lane_V(hlocc_V v, int k)
{
@if wide
    return k < HALF ? hlocc_lane_VH(v.lo, k) : hlocc_lane_VH(v.hi, k - HALF);
@else
    return v[k];
@end
}

/* piece: hlocc_set_lane_V | F I | vector */
/* v with x in lane k. */
HLOCC_INLINE hlocc_V hlocc_set_lane_V(hlocc_V v, int k, hlocc_S x)
{
@if wide
    if (k < HALF) v.lo = hlocc_set_lane_VH(v.lo, k, x);
    else v.hi = hlocc_set_lane_VH(v.hi, k - HALF, x);
@else
    v[k] = x;
@end
    return v;
}

/* piece: hlocc_down_V | F I | vector */
/* Lane i gets lane i + k; the last k lanes are unspecified. 0 <= k < LANES. */
HLOCC_INLINE hlocc_V hlocc_down_V(hlocc_V v, int k)
{
@if wide
    hlocc_V r;
    if (k >= HALF) {
        r.lo = hlocc_down_VH(v.hi, k - HALF);
        r.hi = v.hi;
    } else {
        r.lo = hlocc_funnel_VH(v.lo, v.hi, k);
        r.hi = hlocc_down_VH(v.hi, k);
    }
    return r;
@else
    return hlocc_funnel_V(v, v, k);
@end
}

/* piece: hlocc_funnel_V | F I | vector */
/* Lane i gets lane i + k of a followed by b. 0 <= k < LANES. */
HLOCC_INLINE hlocc_V hlocc_funnel_V(hlocc_V a, hlocc_V b, int k)
{
@if wide
    hlocc_V r;
    if (k >= HALF) {
        r.lo = hlocc_funnel_VH(a.hi, b.lo, k - HALF);
        r.hi = hlocc_funnel_VH(b.lo, b.hi, k - HALF);
    } else {
        r.lo = hlocc_funnel_VH(a.lo, a.hi, k);
        r.hi = hlocc_funnel_VH(a.hi, b.lo, k);
    }
    return r;
@elif clang
    hlocc_V r = a;
    for (int i = 0; i < LANES; i++) r[i] = i + k < LANES ? a[(i + k) % LANES] : b[(i + k) % LANES];
    return r;
@elif short
    hlocc_I index = hlocc_iota_I() + (hlocc_IS)k;
    return __builtin_shuffle(a, b, index + ((hlocc_I)(index >= LANES) & (PHYS - LANES)));
@else
    return __builtin_shuffle(a, b, hlocc_iota_I() + (hlocc_IS)k);
@end
}

/* piece: hlocc_up_V | F I | vector */
/* Lane i gets lane i - k; the first k lanes get fill. 0 <= k < LANES. */
HLOCC_INLINE hlocc_V hlocc_up_V(hlocc_V v, int k, hlocc_S fill)
{
    return k ? hlocc_funnel_V(hlocc_splat_V(fill), v, LANES - k) : v;
}

/* piece: hlocc_zip_lo_V hlocc_zip_hi_V | F I | vector */
/* The lower (upper) halves of a and b, their lanes taken in turn: a0 b0 a1 b1 ... */
@if wide & !n2
HLOCC_INLINE hlocc_V hlocc_zip_lo_V(hlocc_V a, hlocc_V b)
{
    hlocc_V r = {hlocc_zip_lo_VH(a.lo, b.lo), hlocc_zip_hi_VH(a.lo, b.lo)};
    return r;
}
HLOCC_INLINE hlocc_V hlocc_zip_hi_V(hlocc_V a, hlocc_V b)
{
    hlocc_V r = {hlocc_zip_lo_VH(a.hi, b.hi), hlocc_zip_hi_VH(a.hi, b.hi)};
    return r;
}
@else
HLOCC_INLINE hlocc_V hlocc_zip_lo_V(hlocc_V a, hlocc_V b)
{
    return HLOCC_SHUFFLE(hlocc_I, a, b, INDICES_zip_lo);
}
HLOCC_INLINE hlocc_V hlocc_zip_hi_V(hlocc_V a, hlocc_V b)
{
    return HLOCC_SHUFFLE(hlocc_I, a, b, INDICES_zip_hi);
}
@end

/* piece: hlocc_even_V hlocc_odd_V | F I | vector */
/* The even (odd) lanes of a, then those of b. */
@if wide & !n2
HLOCC_INLINE hlocc_V hlocc_even_V(hlocc_V a, hlocc_V b)
{
    hlocc_V r = {hlocc_even_VH(a.lo, a.hi), hlocc_even_VH(b.lo, b.hi)};
    return r;
}
HLOCC_INLINE hlocc_V hlocc_odd_V(hlocc_V a, hlocc_V b)
{
    hlocc_V r = {hlocc_odd_VH(a.lo, a.hi), hlocc_odd_VH(b.lo, b.hi)};
    return r;
}
@else
HLOCC_INLINE hlocc_V hlocc_even_V(hlocc_V a, hlocc_V b)
{
    return HLOCC_SHUFFLE(hlocc_I, a, b, INDICES_even);
}
HLOCC_INLINE hlocc_V hlocc_odd_V(hlocc_V a, hlocc_V b)
{
    return HLOCC_SHUFFLE(hlocc_I, a, b, INDICES_odd);
}
@end

/* header: hlocc/bitcast_BYTES.h */
/* piece: hlocc_bitcast_V_W | F I | vector | same-bytes F I */
HLOCC_INLINE hlocc_V hlocc_bitcast_V_W(hlocc_W x)
{
@if wide
    hlocc_V v = {hlocc_bitcast_VH_WH(x.lo), hlocc_bitcast_VH_WH(x.hi)};
    return v;
@else
    return (hlocc_V)x;
@end
}

/* header: hlocc/fold_V.h */
/* piece: hlocc_fold_add_V | F I | vector */
/* All lanes as one: the upper half onto the lower, again and again. */
HLOCC_INLINE hlocc_S hlocc_fold_add_V(hlocc_V v)
{
@if n2
    return hlocc_add_S(hlocc_lane_V(v, 0), hlocc_lane_V(v, 1));
@else
    return hlocc_fold_add_VH(hlocc_add_VH(hlocc_lo_V(v), hlocc_hi_V(v)));
@end
}

/* piece: hlocc_fold_mul_V | F I | vector */
HLOCC_INLINE hlocc_S hlocc_fold_mul_V(hlocc_V v)
{
@if n2
    return hlocc_mul_S(hlocc_lane_V(v, 0), hlocc_lane_V(v, 1));
@else
    return hlocc_fold_mul_VH(hlocc_mul_VH(hlocc_lo_V(v), hlocc_hi_V(v)));
@end
}

/* piece: hlocc_fold_max_V | F I | vector */
HLOCC_INLINE hlocc_S hlocc_fold_max_V(hlocc_V v)
{
@if n2 & float
    return hlocc_lane_V(hlocc_max_V(v, hlocc_splat_V(hlocc_lane_V(v, 1))), 0); /* without branches */
@elif n2
    return hlocc_max_S(hlocc_lane_V(v, 0), hlocc_lane_V(v, 1));
@else
    return hlocc_fold_max_VH(hlocc_max_VH(hlocc_lo_V(v), hlocc_hi_V(v)));
@end
}

/* piece: hlocc_fold_min_V | F I | vector */
HLOCC_INLINE hlocc_S hlocc_fold_min_V(hlocc_V v)
{
@if n2 & float
    return hlocc_lane_V(hlocc_min_V(v, hlocc_splat_V(hlocc_lane_V(v, 1))), 0); /* without branches */
@elif n2
    return hlocc_min_S(hlocc_lane_V(v, 0), hlocc_lane_V(v, 1));
@else
    return hlocc_fold_min_VH(hlocc_min_VH(hlocc_lo_V(v), hlocc_hi_V(v)));
@end
}

/* piece: hlocc_fold_and_V | I | vector */
HLOCC_INLINE hlocc_S hlocc_fold_and_V(hlocc_V v)
{
@if n2
    return hlocc_and_S(hlocc_lane_V(v, 0), hlocc_lane_V(v, 1));
@else
    return hlocc_fold_and_VH(hlocc_and_VH(hlocc_lo_V(v), hlocc_hi_V(v)));
@end
}

/* piece: hlocc_fold_or_V | I | vector */
HLOCC_INLINE hlocc_S hlocc_fold_or_V(hlocc_V v)
{
@if n2
    return hlocc_or_S(hlocc_lane_V(v, 0), hlocc_lane_V(v, 1));
@else
    return hlocc_fold_or_VH(hlocc_or_VH(hlocc_lo_V(v), hlocc_hi_V(v)));
@end
}
