/* header: hlocc/topk_V.h */
/* The first few of each row. Elements are compared by keys, integers of their size in whose order they are: floating
 * point numbers by their bits, those of negative ones reversed (the total order of IEEE 754). */

/* piece: hlocc_topk_key_V | I | scalar */
/* The key of an element; of a key, the element. */
HLOCC_INLINE hlocc_V hlocc_topk_key_V(hlocc_V bits, int is_float, int smallest)
{
@if signed
    const hlocc_V all = (hlocc_V)((hlocc_U)~(hlocc_U)0 >> 1);
    if (is_float && bits < 0) bits = (hlocc_V)(bits ^ all);
@end
    (void)is_float;
    return smallest ? (hlocc_V)~bits : bits;
}

/* piece: hlocc_topk_element_V | I | scalar */
HLOCC_INLINE hlocc_V hlocc_topk_element_V(hlocc_V key, int is_float, int smallest)
{
    return hlocc_topk_key_V(smallest ? (hlocc_V)~key : key, is_float, 0);
}

/* piece: hlocc_topk_sink_V | I | scalar */
/* Element 0 of the heap of n, whose worst element is on top, goes where it belongs: of equal keys the later is worse. */
HLOCC_INLINE void hlocc_topk_sink_V(hlocc_V *keys, int32_t *at, ptrdiff_t n, ptrdiff_t i)
{
    const hlocc_V key = keys[i];
    const int32_t place = at[i];
    for (ptrdiff_t child = 2 * i + 1; child < n; child = 2 * i + 1) {
        if (child + 1 < n && (keys[child + 1] < keys[child] || (keys[child + 1] == keys[child] && at[child + 1] > at[child])))
            child++;
        if (key < keys[child] || (key == keys[child] && place > at[child])) break;
        keys[i] = keys[child];
        at[i] = at[child];
        i = child;
    }
    keys[i] = key;
    at[i] = place;
}

/* piece: hlocc_topk_any_V | I | scalar */
/* Whether one of 64 elements has a key above limit. */
HLOCC_INLINE int hlocc_topk_any_V(const void *in, hlocc_V limit, int is_float, int smallest)
{
    hlocc_V bits[64];
    int above = 0;
    memcpy(bits, in, sizeof bits);
    for (int i = 0; i < 64; i++) above |= hlocc_topk_key_V(bits[i], is_float, smallest) > limit;
    return above;
}

/* piece: hlocc_topk_V | I | scalar */
/* values [rows][k] and their places in in [rows][n], best first; of equal elements the earlier is better. keys, at: k. */
HLOCC_NOINLINE void hlocc_topk_V(const void *in, void *values, int32_t *places, hlocc_V *keys, int32_t *at, ptrdiff_t rows,
                                 ptrdiff_t n, ptrdiff_t k, int is_float, int smallest)
{
    for (ptrdiff_t row = 0; row < rows; row++) {
        const char *from = (const char *)in + (size_t)(row * n) * sizeof(hlocc_V);
        hlocc_V bits;
        for (ptrdiff_t i = 0; i < k; i++) {
            memcpy(&bits, from + (size_t)i * sizeof bits, sizeof bits);
            keys[i] = hlocc_topk_key_V(bits, is_float, smallest);
            at[i] = (int32_t)i;
        }
        for (ptrdiff_t i = k / 2 - 1; i >= 0; i--) hlocc_topk_sink_V(keys, at, k, i);
        for (ptrdiff_t i = k; i < n && k; i++) {
            while (i + 64 <= n && !hlocc_topk_any_V(from + (size_t)i * sizeof bits, keys[0], is_float, smallest)) i += 64;
            for (ptrdiff_t end = i + 64 < n ? i + 64 : n; i < end; i++) {
                memcpy(&bits, from + (size_t)i * sizeof bits, sizeof bits);
                bits = hlocc_topk_key_V(bits, is_float, smallest);
                if (bits <= keys[0]) continue;
                keys[0] = bits;
                at[0] = (int32_t)i;
                hlocc_topk_sink_V(keys, at, k, 0);
            }
            i--;
        }
        for (ptrdiff_t i = k - 1; i >= 0; i--) { /* the worst of those that are left goes to the end */
            bits = hlocc_topk_element_V(keys[0], is_float, smallest);
            memcpy((char *)values + (size_t)(row * k + i) * sizeof bits, &bits, sizeof bits);
            places[row * k + i] = at[0];
            keys[0] = keys[i];
            at[0] = at[i];
            hlocc_topk_sink_V(keys, at, i, 0);
        }
    }
}
