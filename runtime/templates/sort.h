/* header: hlocc/sort_V.h */
/* Sorting by keys. */

/* piece: hlocc_sort_V | U | scalar */
/* order becomes the positions 0 ... n-1 in ascending order of their keys, equal keys in the order of their positions; the
 * keys themselves are lost. By insertion where there are few; else by digits of 8 bits, the lowest first, where a digit
 * that is the same in all keys costs nothing. */
@include <string.h>
HLOCC_NOINLINE void hlocc_sort_V(hlocc_V *restrict keys, int32_t *restrict order, hlocc_V *restrict spare_keys,
    int32_t *restrict spare_order, ptrdiff_t n)
{
    enum { FEW = 48, DIGITS = BITS / 8 };
    for (ptrdiff_t i = 0; i < n; i++) order[i] = (int32_t)i;
    if (n <= FEW) {
        for (ptrdiff_t i = 1; i < n; i++) {
            const hlocc_V key = keys[i];
            ptrdiff_t k = i;
            for (; k > 0 && keys[k - 1] > key; k--) {
                keys[k] = keys[k - 1];
                order[k] = order[k - 1];
            }
            keys[k] = key;
            order[k] = (int32_t)i;
        }
        return;
    }
    int32_t start[DIGITS][256];
    memset(start, 0, sizeof start);
    for (ptrdiff_t i = 0; i < n; i++)
        for (int d = 0; d < DIGITS; d++) start[d][keys[i] >> (8 * d) & 255]++;
    hlocc_V *from = keys, *to = spare_keys;
    int32_t *from_order = order, *to_order = spare_order;
    for (int d = 0; d < DIGITS; d++) {
        if (start[d][from[0] >> (8 * d) & 255] == n) continue;
        int32_t sum = 0;
        for (int b = 0; b < 256; b++) {
            const int32_t count = start[d][b];
            start[d][b] = sum;
            sum += count;
        }
        for (ptrdiff_t i = 0; i < n; i++) {
            const int32_t place = start[d][from[i] >> (8 * d) & 255]++;
            to[place] = from[i];
            to_order[place] = from_order[i];
        }
        hlocc_V *const keys_before = from;
        int32_t *const order_before = from_order;
        from = to;
        from_order = to_order;
        to = keys_before;
        to_order = order_before;
    }
    if (from_order != order) memcpy(order, from_order, (size_t)n * sizeof *order);
}
