/* header: hlocc/columns_V.h */
/* What algorithms on small dense matrices are made of: operations on columns. A matrix of m rows lies in work space column
 * by column, each `width` numbers long, m rounded up to whole vectors, zeros behind the last row. The imaginary part of a
 * number, if there is one, stands `plane` numbers behind its real part (0: real numbers). Vectors that columns are
 * combined with are zero where they do not reach, so that whole vectors of LANES numbers do. */

/* piece: hlocc_column_width_V | F | scalar 2 4 8 16 */
HLOCC_INLINE ptrdiff_t hlocc_column_width_V(ptrdiff_t m) { return (m + LANES - 1) / LANES * LANES; }

/* piece: hlocc_columns_load_V | F | scalar 2 4 8 16 */
/* m by n elements, (i, j) at i * row + j * column; parts is 1 for real numbers, 2 for complex ones. */
HLOCC_INLINE void hlocc_columns_load_V(hlocc_S *to, ptrdiff_t plane, ptrdiff_t width, const hlocc_S *from, ptrdiff_t row,
                                       ptrdiff_t column, ptrdiff_t m, ptrdiff_t n)
{
    const ptrdiff_t parts = plane ? 2 : 1;
    for (ptrdiff_t part = 0; part < parts; part++)
        for (ptrdiff_t j = 0; j < n; j++) {
            hlocc_S *x = to + part * plane + j * width;
            for (ptrdiff_t i = 0; i < m; i++) x[i] = from[parts * (i * row + j * column) + part];
            for (ptrdiff_t i = m; i < width; i++) x[i] = 0;
        }
}

/* piece: hlocc_columns_store_V | F | scalar 2 4 8 16 */
HLOCC_INLINE void hlocc_columns_store_V(const hlocc_S *from, ptrdiff_t plane, ptrdiff_t width, hlocc_S *to, ptrdiff_t row,
                                        ptrdiff_t column, ptrdiff_t m, ptrdiff_t n)
{
    const ptrdiff_t parts = plane ? 2 : 1;
    for (ptrdiff_t part = 0; part < parts; part++)
        for (ptrdiff_t j = 0; j < n; j++)
            for (ptrdiff_t i = 0; i < m; i++)
                to[parts * (i * row + j * column) + part] = from[part * plane + j * width + i];
}

/* piece: hlocc_column_dot_V | F | scalar 2 4 8 16 */
HLOCC_INLINE hlocc_S hlocc_column_dot_V(const hlocc_S *x, const hlocc_S *y, ptrdiff_t from, ptrdiff_t to)
{
    hlocc_V s = K(0), t = K(0);
    ptrdiff_t i = from;
    for (; i + 2 * LANES <= to; i += 2 * LANES) {
        s = FMA(hlocc_get_V(x + i), hlocc_get_V(y + i), s);
        t = FMA(hlocc_get_V(x + i + LANES), hlocc_get_V(y + i + LANES), t);
    }
    if (i < to) s = FMA(hlocc_get_V(x + i), hlocc_get_V(y + i), s);
@if scalar
    return s + t;
@else
    return hlocc_fold_add_V(ADD(s, t));
@end
}

/* piece: hlocc_column_add_V | F | scalar 2 4 8 16 */
/* y += c x. */
HLOCC_INLINE void hlocc_column_add_V(hlocc_S c, const hlocc_S *x, hlocc_S *y, ptrdiff_t from, ptrdiff_t to)
{
    for (ptrdiff_t i = from; i < to; i += LANES)
        hlocc_put_V(y + i, FMA(K(c), hlocc_get_V(x + i), hlocc_get_V(y + i)));
}

/* piece: hlocc_columns_dot_V | F | scalar 2 4 8 16 */
/* d = x^H y. */
HLOCC_INLINE void hlocc_columns_dot_V(const hlocc_S *x, ptrdiff_t x_plane, const hlocc_S *y, ptrdiff_t y_plane,
                                      ptrdiff_t from, ptrdiff_t to, hlocc_S d[2])
{
    d[0] = hlocc_column_dot_V(x, y, from, to);
    d[1] = 0;
    if (!x_plane) return;
    d[0] += hlocc_column_dot_V(x + x_plane, y + y_plane, from, to);
    d[1] = hlocc_column_dot_V(x, y + y_plane, from, to) - hlocc_column_dot_V(x + x_plane, y, from, to);
}

/* piece: hlocc_columns_add_V | F | scalar 2 4 8 16 */
/* y += (re, im) x. */
HLOCC_INLINE void hlocc_columns_add_V(hlocc_S re, hlocc_S im, const hlocc_S *x, ptrdiff_t x_plane, hlocc_S *y,
                                      ptrdiff_t y_plane, ptrdiff_t from, ptrdiff_t to)
{
    hlocc_column_add_V(re, x, y, from, to);
    if (!x_plane) return;
    hlocc_column_add_V(-im, x + x_plane, y, from, to);
    hlocc_column_add_V(re, x + x_plane, y + y_plane, from, to);
    hlocc_column_add_V(im, x, y + y_plane, from, to);
}

/* piece: hlocc_columns_scale_V | F | scalar 2 4 8 16 */
/* x *= (re, im). */
HLOCC_INLINE void hlocc_columns_scale_V(hlocc_S re, hlocc_S im, hlocc_S *x, ptrdiff_t plane, ptrdiff_t width)
{
    for (ptrdiff_t i = 0; i < width; i += LANES) {
        hlocc_V u = hlocc_get_V(x + i);
        if (!plane) {
            hlocc_put_V(x + i, MUL(K(re), u));
            continue;
        }
        hlocc_V v = hlocc_get_V(x + plane + i);
        hlocc_put_V(x + i, FMA(K(re), u, MUL(K(-im), v)));
        hlocc_put_V(x + plane + i, FMA(K(re), v, MUL(K(im), u)));
    }
}

/* piece: hlocc_columns_turn_V | F | scalar 2 4 8 16 */
/* A plane rotation: x = c x - s y, y = s x + c y. */
HLOCC_INLINE void hlocc_columns_turn_V(hlocc_S c, hlocc_S s, hlocc_S *x, hlocc_S *y, ptrdiff_t plane, ptrdiff_t width)
{
    for (ptrdiff_t part = 0; part <= (plane != 0); part++, x += plane, y += plane)
        for (ptrdiff_t i = 0; i < width; i += LANES) {
            hlocc_V u = hlocc_get_V(x + i), v = hlocc_get_V(y + i);
            hlocc_put_V(x + i, FMA(K(c), u, MUL(K(-s), v)));
            hlocc_put_V(y + i, FMA(K(s), u, MUL(K(c), v)));
        }
}

/* piece: hlocc_hypot_V | F | scalar */
/* Without overflow. */
HLOCC_INLINE hlocc_V hlocc_hypot_V(hlocc_V x, hlocc_V y)
{
    const hlocc_V a = hlocc_abs_V(x), b = hlocc_abs_V(y), large = a > b ? a : b, small = a > b ? b : a;
    if (large == 0) return large;
    const hlocc_V ratio = small / large;
    return large * hlocc_sqrt_V(1 + ratio * ratio);
}

/* piece: hlocc_column_length_V | F | scalar 2 4 8 16 */
/* The Euclidean norm; the square is computed again, scaled, where it leaves the range of the type. */
HLOCC_INLINE hlocc_S hlocc_column_length_V(const hlocc_S *x, ptrdiff_t plane, ptrdiff_t width)
{
@if f32
    const hlocc_S low = 1e-30f, high = 1e30f;
@else
    const hlocc_S low = 1e-280, high = 1e280;
@end
    hlocc_S square[2], largest = 0, sum = 0;
    hlocc_columns_dot_V(x, plane, x, plane, 0, width, square);
    if (square[0] > low && square[0] < high) return hlocc_sqrt_S(square[0]);
    for (ptrdiff_t part = 0; part <= (plane != 0); part++)
        for (ptrdiff_t i = 0; i < width; i++) {
            const hlocc_S size = hlocc_abs_S(x[part * plane + i]);
            if (!(size <= largest)) largest = size;
        }
    if (!(largest > 0) || largest - largest != 0) return largest;
    for (ptrdiff_t part = 0; part <= (plane != 0); part++)
        for (ptrdiff_t i = 0; i < width; i++) {
            const hlocc_S size = x[part * plane + i] / largest;
            sum += size * size;
        }
    return largest * hlocc_sqrt_S(sum);
}

/* piece: hlocc_reciprocal_parts_V | F | scalar */
/* 1 / (re + i im), by Smith's method. */
HLOCC_INLINE void hlocc_reciprocal_parts_V(hlocc_V re, hlocc_V im, hlocc_V out[2])
{
    if (hlocc_abs_V(re) >= hlocc_abs_V(im)) {
        const hlocc_V ratio = im / re, divisor = re + ratio * im;
        out[0] = 1 / divisor, out[1] = -ratio / divisor;
    } else {
        const hlocc_V ratio = re / im, divisor = im + ratio * re;
        out[0] = ratio / divisor, out[1] = -1 / divisor;
    }
}
