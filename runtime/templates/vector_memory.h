/* header: hlocc/memory_V.h */
/* Loads and stores. Addresses need the alignment of an element only. */

/* piece: hlocc_load_V | F I | vector */
HLOCC_INLINE hlocc_V hlocc_load_V(const hlocc_S *p)
{
@if wide
    hlocc_V v = {hlocc_load_VH(p), hlocc_load_VH(p + HALF)};
    return v;
@elif short & float
    return (hlocc_V){p[0], p[1]};
@elif short
    hlocc_word_V word;
    memcpy(&word, p, sizeof word);
    return hlocc_from_word_V(word);
@else
    return *(const hlocc_unaligned_V *)p;
@end
}

/* piece: hlocc_from_word_V | I | 2 4 8 */
/* A short vector from the bits of all its lanes. */
@if short
HLOCC_INLINE hlocc_V hlocc_from_word_V(hlocc_word_V word)
{
@if b8 & n8
    typedef uint64_t words __attribute__((vector_size(16)));
@elif b16 & n4
    typedef uint64_t words __attribute__((vector_size(16)));
@elif b32
    typedef uint64_t words __attribute__((vector_size(16)));
@else
    typedef uint32_t words __attribute__((vector_size(16)));
@end
    return (hlocc_V)(words){word};
}
@end

/* piece: hlocc_store_V | F I | vector */
HLOCC_INLINE void hlocc_store_V(hlocc_S *p, hlocc_V v)
{
@if wide
    hlocc_store_VH(p, v.lo);
    hlocc_store_VH(p + HALF, v.hi);
@elif short & float
    p[0] = v[0];
    p[1] = v[1];
@elif short & b8 & n2
    typedef uint16_t words __attribute__((vector_size(16)));
    uint16_t word = ((words)v)[0];
    memcpy(p, &word, sizeof word);
@elif short & b8 & n4
    typedef uint32_t words __attribute__((vector_size(16)));
    uint32_t word = ((words)v)[0];
    memcpy(p, &word, sizeof word);
@elif short & b16 & n2
    typedef uint32_t words __attribute__((vector_size(16)));
    uint32_t word = ((words)v)[0];
    memcpy(p, &word, sizeof word);
@elif short
    typedef uint64_t words __attribute__((vector_size(16)));
    uint64_t word = ((words)v)[0];
    memcpy(p, &word, sizeof word);
@else
    *(hlocc_unaligned_V *)p = v;
@end
}

/* piece: hlocc_loadm_V | F I | vector */
/* The lanes where m holds; the others are 0, and their memory is not touched. */
HLOCC_INLINE hlocc_V hlocc_loadm_V(const hlocc_S *p, hlocc_M m)
{
@if wide
    hlocc_V v = {hlocc_loadm_VH(p, hlocc_lo_M(m)), hlocc_loadm_VH(p + HALF, hlocc_hi_M(m))};
    return v;
@elif avx512 & float
    return __builtin_ia32_loadu${t}${bits}_mask((const void *)p, (hlocc_V){0}, m & hlocc_all_lanes_M());
@elif avx512 & b8
    return (hlocc_V)__builtin_ia32_loaddquqi${bits}_mask(
        (const void *)p, (hlocc_x86_V){0}, m & hlocc_all_lanes_M());
@elif avx512 & b16
    return (hlocc_V)__builtin_ia32_loaddquhi${bits}_mask(
        (const void *)p, (hlocc_x86_V){0}, m & hlocc_all_lanes_M());
@elif avx512 & b32
    return (hlocc_V)__builtin_ia32_loaddqusi${bits}_mask(
        (const void *)p, (hlocc_x86_V){0}, m & hlocc_all_lanes_M());
@elif avx512
    return (hlocc_V)__builtin_ia32_loaddqudi${bits}_mask(
        (const void *)p, (hlocc_x86_V){0}, m & hlocc_all_lanes_M());
@else
    hlocc_V v = {0};
    for (int i = 0; i < LANES; i++)
        if (hlocc_lane_M(m, i)) v[i] = p[i];
    return v;
@end
}

/* piece: hlocc_storem_V | F I | vector */
/* Only the lanes where m holds are stored. */
HLOCC_INLINE void hlocc_storem_V(hlocc_S *p, hlocc_M m, hlocc_V v)
{
@if wide
    hlocc_storem_VH(p, hlocc_lo_M(m), v.lo);
    hlocc_storem_VH(p + HALF, hlocc_hi_M(m), v.hi);
@elif avx512 & float
    __builtin_ia32_storeu${t}${bits}_mask((void *)p, v, m & hlocc_all_lanes_M());
@elif avx512 & b8
    __builtin_ia32_storedquqi${bits}_mask((void *)p, (hlocc_x86_V)v, m & hlocc_all_lanes_M());
@elif avx512 & b16
    __builtin_ia32_storedquhi${bits}_mask((void *)p, (hlocc_x86_V)v, m & hlocc_all_lanes_M());
@elif avx512 & b32
    __builtin_ia32_storedqusi${bits}_mask((void *)p, (hlocc_x86_V)v, m & hlocc_all_lanes_M());
@elif avx512
    __builtin_ia32_storedqudi${bits}_mask((void *)p, (hlocc_x86_V)v, m & hlocc_all_lanes_M());
@else
    for (int i = 0; i < LANES; i++)
        if (hlocc_lane_M(m, i)) p[i] = v[i];
@end
}

/* piece: hlocc_loadn_V | F I | vector */
/* The first n lanes; the others are 0, and their memory is not touched. 0 <= n <= LANES. */
HLOCC_INLINE hlocc_V hlocc_loadn_V(const hlocc_S *p, int n)
{
@if wide
    hlocc_V v;
    v.lo = n >= HALF ? hlocc_load_VH(p) : hlocc_loadn_VH(p, n);
    v.hi = n > HALF ? hlocc_loadn_VH(p + HALF, n - HALF) : hlocc_splat_VH(0);
    return v;
@elif avx512
    return hlocc_loadm_V(p, hlocc_first_M(n));
@else
    hlocc_V v = {0};
    if (n == LANES) return hlocc_load_V(p);
    for (int i = 0; i < LANES - 1; i++)
        if (i < n) v[i] = p[i];
    return v;
@end
}

/* piece: hlocc_storen_V | F I | vector */
/* Stores the first n lanes. 0 <= n <= LANES. */
HLOCC_INLINE void hlocc_storen_V(hlocc_S *p, int n, hlocc_V v)
{
@if wide
    if (n >= HALF) hlocc_store_VH(p, v.lo);
    else hlocc_storen_VH(p, n, v.lo);
    if (n > HALF) hlocc_storen_VH(p + HALF, n - HALF, v.hi);
@elif avx512
    hlocc_storem_V(p, hlocc_first_M(n), v);
@else
    if (n == LANES) hlocc_store_V(p, v);
    else
        for (int i = 0; i < LANES - 1; i++)
            if (i < n) p[i] = v[i];
@end
}

/* piece: hlocc_loads_V | F I | vector */
/* Lane i is p[i * stride]. By twos: of two vectors that overlap in one element, so that nothing behind the last is read. */
HLOCC_INLINE hlocc_V hlocc_loads_V(const hlocc_S *p, ptrdiff_t stride)
{
@if !wide
    if (stride == 2) return HLOCC_SHUFFLE(hlocc_I, hlocc_load_V(p), hlocc_load_V(p + LANES - 1), INDICES_every_other);
@end
@if wide
    hlocc_V v = {hlocc_loads_VH(p, stride), hlocc_loads_VH(p + HALF * stride, stride)};
    return v;
@else
    return (hlocc_V){${strided}};
@end
}

/* piece: hlocc_stores_V | F I | vector */
/* p[i * stride] gets lane i. */
HLOCC_INLINE void hlocc_stores_V(hlocc_S *p, ptrdiff_t stride, hlocc_V v)
{
@if wide
    hlocc_stores_VH(p, stride, v.lo);
    hlocc_stores_VH(p + HALF * stride, stride, v.hi);
@else
    for (int i = 0; i < LANES; i++) p[i * stride] = v[i];
@end
}

/* piece: hlocc_loadsn_V | F I | vector */
/* The first n lanes of a strided load; the others are 0. */
HLOCC_INLINE hlocc_V hlocc_loadsn_V(const hlocc_S *p, ptrdiff_t stride, int n)
{
@if wide
    hlocc_V v;
    v.lo = n >= HALF ? hlocc_loads_VH(p, stride) : hlocc_loadsn_VH(p, stride, n);
    v.hi = n > HALF ? hlocc_loadsn_VH(p + HALF * stride, stride, n - HALF) : hlocc_splat_VH(0);
    return v;
@else
    hlocc_V v = {0};
    for (int i = 0; i < LANES; i++)
        if (i < n) v[i] = p[i * stride];
    return v;
@end
}

/* piece: hlocc_storesn_V | F I | vector */
/* The first n lanes of a strided store. */
HLOCC_INLINE void hlocc_storesn_V(hlocc_S *p, ptrdiff_t stride, int n, hlocc_V v)
{
@if wide
    hlocc_storesn_VH(p, stride, n < HALF ? n : HALF, v.lo);
    if (n > HALF) hlocc_storesn_VH(p + HALF * stride, stride, n - HALF, v.hi);
@else
    for (int i = 0; i < LANES; i++)
        if (i < n) p[i * stride] = v[i];
@end
}

/* piece: hlocc_load_even_V hlocc_load_odd_V | F I | vector */
/* The even (odd) ones of 2 LANES consecutive elements: the real (imaginary) parts of complex numbers. */
HLOCC_INLINE hlocc_V hlocc_load_even_V(const hlocc_S *p)
{
    return hlocc_even_V(hlocc_load_V(p), hlocc_load_V(p + LANES));
}
HLOCC_INLINE hlocc_V hlocc_load_odd_V(const hlocc_S *p)
{
    return hlocc_odd_V(hlocc_load_V(p), hlocc_load_V(p + LANES));
}

/* piece: hlocc_store_pairs_V | F I | vector */
/* 2 LANES elements: those of even and odd in turn. */
HLOCC_INLINE void hlocc_store_pairs_V(hlocc_S *p, hlocc_V even, hlocc_V odd)
{
    hlocc_store_V(p, hlocc_zip_lo_V(even, odd));
    hlocc_store_V(p + LANES, hlocc_zip_hi_V(even, odd));
}

/* header: hlocc/gather_LANES.h */
/* piece: hlocc_gather_V_W | F I | vector | same-lanes s32 s64 */
/* Lane i is p[index[i]]. */
HLOCC_INLINE hlocc_V hlocc_gather_V_W(const hlocc_S *p, hlocc_W index)
{
@if anywide
    return hlocc_join_V(hlocc_gather_VH_WH(p, hlocc_lo_W(index)), hlocc_gather_VH_WH(p, hlocc_hi_W(index)));
@elif p64 & f32 & w.s32 & !clang
    return (hlocc_V)__builtin_ia32_gathersiv16sf((hlocc_x86_V){0}, p, (hlocc_x86_W)index, -1, 4);
@elif p64 & b32 & integer & w.s32 & !clang
    return (hlocc_V)__builtin_ia32_gathersiv16si((hlocc_x86_V){0}, p, (hlocc_x86_W)index, -1, 4);
@else
    return (hlocc_V){${gathered}};
@end
}

/* piece: hlocc_scatter_V_W | F I | vector | same-lanes s32 s64 */
/* p[index[i]] gets lane i, the last of equal indices in the end. */
HLOCC_INLINE void hlocc_scatter_V_W(hlocc_S *p, hlocc_W index, hlocc_V v)
{
@if anywide
    hlocc_scatter_VH_WH(p, hlocc_lo_W(index), hlocc_lo_V(v));
    hlocc_scatter_VH_WH(p, hlocc_hi_W(index), hlocc_hi_V(v));
@else
    for (int i = 0; i < LANES; i++) p[index[i]] = v[i];
@end
}

/* piece: hlocc_gatherm_V_W | F I | vector | same-lanes s32 s64 */
/* Lane i is p[index[i]] where m holds; the others are 0, and their memory is not touched. */
HLOCC_INLINE hlocc_V hlocc_gatherm_V_W(const hlocc_S *p, hlocc_W index, hlocc_M m)
{
    hlocc_V v = hlocc_splat_V(0);
    for (int i = 0; i < LANES; i++)
        if (hlocc_lane_M(m, i)) v = hlocc_set_lane_V(v, i, p[hlocc_lane_W(index, i)]);
    return v;
}

/* piece: hlocc_scatterm_V_W | F I | vector | same-lanes s32 s64 */
/* p[index[i]] gets lane i where m holds, the last of equal indices in the end. */
HLOCC_INLINE void hlocc_scatterm_V_W(hlocc_S *p, hlocc_W index, hlocc_M m, hlocc_V v)
{
    for (int i = 0; i < LANES; i++)
        if (hlocc_lane_M(m, i)) p[hlocc_lane_W(index, i)] = hlocc_lane_V(v, i);
}
