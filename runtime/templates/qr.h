/* header: hlocc/qr_V.h */
/* Householder reflectors H = I - tau v v^H, v_0 = 1, and orthogonal factors made of them, with LAPACK's conventions.
 * Golub, Van Loan, "Matrix Computations", 5.1 and 5.2. */

/* piece: hlocc_reflector_V | F | scalar 2 4 8 16 */
/* larfg: H^H sends rows `row` .. end - 1 of column x to (beta, 0 ...), beta real. x becomes beta and, below it, v; v, a column
 * of its own (`width` numbers, then the imaginary parts), is zero before `row`. tau: two numbers. */
HLOCC_INLINE void hlocc_reflector_V(hlocc_S *x, ptrdiff_t plane, ptrdiff_t row, ptrdiff_t end, ptrdiff_t width,
                                    hlocc_S *v, hlocc_S *tau)
{
    const ptrdiff_t v_plane = plane ? width : 0;
    for (ptrdiff_t part = 0; part <= (plane != 0); part++) {
        for (ptrdiff_t i = 0; i <= row; i++) v[part * v_plane + i] = 0;
        for (ptrdiff_t i = row + 1; i < end; i++) v[part * v_plane + i] = x[part * plane + i];
        for (ptrdiff_t i = end; i < width; i++) v[part * v_plane + i] = 0;
    }
    const hlocc_S length = hlocc_column_length_V(v, v_plane, width), re = x[row], im = plane ? x[plane + row] : 0;
    tau[0] = tau[1] = 0;
    v[row] = 1;
    if (length == 0 && im == 0) return;
    const hlocc_S beta = -hlocc_copysign_S(hlocc_hypot_S(hlocc_hypot_S(re, im), length), re);
    hlocc_S scale[2];
    tau[0] = (beta - re) / beta, tau[1] = -im / beta;
    hlocc_reciprocal_parts_S(re - beta, im, scale);
    v[row] = 0;
    hlocc_columns_scale_V(scale[0], scale[1], v, v_plane, width);
    v[row] = 1;
    for (ptrdiff_t part = 0; part <= (plane != 0); part++)
        for (ptrdiff_t i = row + 1; i < end; i++) x[part * plane + i] = v[part * v_plane + i];
    x[row] = beta;
    if (plane) x[plane + row] = 0;
}

/* piece: hlocc_reflector_get_V | F | scalar 2 4 8 16 */
/* v as it stands in column x below row `row`. */
HLOCC_INLINE void hlocc_reflector_get_V(const hlocc_S *x, ptrdiff_t plane, ptrdiff_t row, ptrdiff_t width, hlocc_S *v)
{
    const ptrdiff_t v_plane = plane ? width : 0;
    for (ptrdiff_t part = 0; part <= (plane != 0); part++) {
        for (ptrdiff_t i = 0; i <= row; i++) v[part * v_plane + i] = 0;
        for (ptrdiff_t i = row + 1; i < width; i++) v[part * v_plane + i] = x[part * plane + i];
    }
    v[row] = 1;
}

/* piece: hlocc_reflect_V | F | scalar 2 4 8 16 */
/* c = (I - tau v v^H) c for n columns. */
HLOCC_NOINLINE void hlocc_reflect_V(const hlocc_S *v, hlocc_S re, hlocc_S im, hlocc_S *c, ptrdiff_t plane, ptrdiff_t from,
                                    ptrdiff_t width, ptrdiff_t n)
{
    const ptrdiff_t v_plane = plane ? width : 0;
    from = from / LANES * LANES;
    for (ptrdiff_t j = 0; j < n; j++, c += width) {
        hlocc_S d[2];
        hlocc_columns_dot_V(v, v_plane, c, plane, from, width, d);
        hlocc_columns_add_V(im * d[1] - re * d[0], -re * d[1] - im * d[0], v, v_plane, c, plane, from, width);
    }
}

/* piece: hlocc_qr_longest_V | F | scalar 2 4 8 16 */
/* The column from j on that is longest below row j - 1; v: a column of work. */
HLOCC_INLINE ptrdiff_t hlocc_qr_longest_V(const hlocc_S *a, ptrdiff_t plane, ptrdiff_t width, ptrdiff_t n, ptrdiff_t j,
                                          hlocc_S *v)
{
    ptrdiff_t longest = j;
    hlocc_S largest = -1;
    for (ptrdiff_t k = j; k < n; k++) {
        hlocc_reflector_get_V(a + k * width, plane, j, width, v);
        v[j] = a[k * width + j];
        if (plane) v[width + j] = a[plane + k * width + j];
        const hlocc_S length = hlocc_column_length_V(v, plane ? width : 0, width);
        if (length > largest) largest = length, longest = k;
    }
    return longest;
}

/* piece: hlocc_columns_swap_V | F | scalar 2 4 8 16 */
HLOCC_INLINE void hlocc_columns_swap_V(hlocc_S *x, hlocc_S *y, ptrdiff_t plane, ptrdiff_t width)
{
    for (ptrdiff_t part = 0; part <= (plane != 0); part++, x += plane, y += plane)
        for (ptrdiff_t i = 0; i < width; i += LANES) {
            hlocc_V kept = hlocc_get_V(x + i);
            hlocc_put_V(x + i, hlocc_get_V(y + i));
            hlocc_put_V(y + i, kept);
        }
}

/* piece: hlocc_qr_factor_V | F | scalar 2 4 8 16 */
/* R in the upper triangle of a, the v below it; tau: `parts` numbers each. With columns (or NULL), those from `fixed` on
 * are exchanged so that the longest comes first. v: two columns of work. */
HLOCC_NOINLINE void hlocc_qr_factor_V(hlocc_S *a, ptrdiff_t plane, ptrdiff_t width, ptrdiff_t m, ptrdiff_t n, hlocc_S *tau,
                                      int32_t *columns, ptrdiff_t fixed, hlocc_S *v)
{
    const ptrdiff_t parts = plane ? 2 : 1;
    for (ptrdiff_t j = 0; j < m && j < n; j++) {
        hlocc_S t[2];
        if (columns && j >= fixed) {
            const ptrdiff_t k = hlocc_qr_longest_V(a, plane, width, n, j, v);
            const int32_t kept = columns[j];
            hlocc_columns_swap_V(a + j * width, a + k * width, plane, width);
            columns[j] = columns[k];
            columns[k] = kept;
        }
        hlocc_reflector_V(a + j * width, plane, j, m, width, v, t);
        hlocc_reflect_V(v, t[0], -t[1], a + (j + 1) * width, plane, j, width, n - j - 1);
        for (ptrdiff_t part = 0; part < parts; part++) tau[parts * j + part] = t[part];
    }
}

/* piece: hlocc_qr_product_V | F | scalar 2 4 8 16 */
/* q = H_0 H_1 ... H_(k-1) q, or adjoint: H_(k-1)^H ... H_0^H q, for n columns; the v of H_j stands in column j of a, from
 * row j + offset on. unit: the first `unit` columns of q are those of the identity, which leaves out what stays zero. */
HLOCC_NOINLINE void hlocc_qr_product_V(const hlocc_S *a, ptrdiff_t a_plane, ptrdiff_t width, ptrdiff_t offset, ptrdiff_t k,
                                       const hlocc_S *tau, hlocc_S *q, ptrdiff_t plane, ptrdiff_t n, int adjoint, int unit,
                                       hlocc_S *v)
{
    const ptrdiff_t parts = plane ? 2 : 1;
    for (ptrdiff_t step = 0; step < k; step++) {
        const ptrdiff_t j = adjoint ? step : k - 1 - step, from = unit ? j + offset : 0;
        const hlocc_S *t = tau + parts * j, im = plane ? t[1] : 0;
        hlocc_reflector_get_V(a + j * width, a_plane, j + offset, width, v);
        hlocc_reflect_V(v, t[0], adjoint ? -im : im, q + from * width, plane, j + offset, width, n - from);
    }
}

/* piece: hlocc_columns_identity_V | F | scalar 2 4 8 16 */
HLOCC_INLINE void hlocc_columns_identity_V(hlocc_S *q, ptrdiff_t plane, ptrdiff_t width, ptrdiff_t n)
{
    for (ptrdiff_t part = 0; part <= (plane != 0); part++)
        for (ptrdiff_t i = 0; i < n * width; i++) q[part * plane + i] = 0;
    for (ptrdiff_t j = 0; j < n && j < width; j++) q[j * width + j] = 1;
}

/* piece: hlocc_qr_V | F | scalar 2 4 8 16 */
/* geqrf; with columns (or NULL), geqp3: columns[b][n] counts from 1, given: those that are not 0 stand in front. work:
 * n + 2 columns of each part. */
HLOCC_NOINLINE void hlocc_qr_V(const hlocc_S *a, ptrdiff_t a_batch, ptrdiff_t a_row, ptrdiff_t a_column, hlocc_S *out,
                               ptrdiff_t o_batch, ptrdiff_t o_row, ptrdiff_t o_column, hlocc_S *tau, const int32_t *given,
                               int32_t *columns, hlocc_S *work, ptrdiff_t batches, ptrdiff_t m, ptrdiff_t n, int parts)
{
    const ptrdiff_t width = hlocc_column_width_V(m), plane = parts > 1 ? n * width : 0, k = m < n ? m : n;
    for (ptrdiff_t b = 0; b < batches; b++, a += parts * a_batch, out += parts * o_batch, tau += parts * k) {
        ptrdiff_t fixed = 0;
        int32_t *order = columns ? columns + b * n : NULL;
        hlocc_columns_load_V(work, plane, width, a, a_row, a_column, m, n);
        for (ptrdiff_t j = 0; order && j < n; j++) {
            const int in_front = given[b * n + j] != 0;
            order[j] = (int32_t)(j + 1);
            if (!in_front) continue;
            hlocc_columns_swap_V(work + j * width, work + fixed * width, plane, width);
            order[j] = order[fixed];
            order[fixed++] = (int32_t)(j + 1);
        }
        hlocc_qr_factor_V(work, plane, width, m, n, tau, order, fixed, work + parts * n * width);
        hlocc_columns_store_V(work, plane, width, out, o_row, o_column, m, n);
    }
}

/* piece: hlocc_qr_form_V | F | scalar 2 4 8 16 */
/* orgqr: the first n columns of the product of k reflectors, which stand in a. work: 2 n + 2 columns of each part. */
HLOCC_NOINLINE void hlocc_qr_form_V(const hlocc_S *a, ptrdiff_t a_batch, ptrdiff_t a_row, ptrdiff_t a_column, hlocc_S *out,
                                    ptrdiff_t o_batch, ptrdiff_t o_row, ptrdiff_t o_column, const hlocc_S *tau,
                                    hlocc_S *work, ptrdiff_t batches, ptrdiff_t m, ptrdiff_t n, ptrdiff_t k, int parts)
{
    const ptrdiff_t width = hlocc_column_width_V(m), plane = parts > 1 ? n * width : 0;
    hlocc_S *q = work + parts * n * width, *v = q + parts * n * width;
    for (ptrdiff_t b = 0; b < batches; b++, a += parts * a_batch, out += parts * o_batch, tau += parts * k) {
        hlocc_columns_load_V(work, plane, width, a, a_row, a_column, m, n);
        hlocc_columns_identity_V(q, plane, width, n);
        hlocc_qr_product_V(work, plane, width, 0, k, tau, q, plane, n, 0, 1, v);
        hlocc_columns_store_V(q, plane, width, out, o_row, o_column, m, n);
    }
}

/* piece: hlocc_qr_apply_V | F | scalar 2 4 8 16 */
/* ormqr: Q c or Q^H c, c of m rows and n columns, for Q of k reflectors that stand in a. conjugate: c and the result are the
 * conjugates of what memory holds. work: k + n + 2 columns of each part. */
HLOCC_NOINLINE void hlocc_qr_apply_V(const hlocc_S *a, ptrdiff_t a_batch, ptrdiff_t a_row, ptrdiff_t a_column,
                                     const hlocc_S *c, ptrdiff_t c_batch, ptrdiff_t c_row, ptrdiff_t c_column, hlocc_S *out,
                                     ptrdiff_t o_batch, ptrdiff_t o_row, ptrdiff_t o_column, const hlocc_S *tau,
                                     hlocc_S *work, ptrdiff_t batches, ptrdiff_t m, ptrdiff_t n, ptrdiff_t k, int adjoint,
                                     int conjugate, int parts)
{
    const ptrdiff_t width = hlocc_column_width_V(m), a_plane = parts > 1 ? k * width : 0, plane = parts > 1 ? n * width : 0;
    hlocc_S *q = work + parts * k * width, *v = q + parts * n * width;
    for (ptrdiff_t b = 0; b < batches; b++, a += parts * a_batch, out += parts * o_batch, c += parts * c_batch, tau += parts * k) {
        hlocc_columns_load_V(work, a_plane, width, a, a_row, a_column, m, k);
        hlocc_columns_load_V(q, plane, width, c, c_row, c_column, m, n);
        for (ptrdiff_t i = 0; plane && conjugate && i < n * width; i++) q[plane + i] = -q[plane + i];
        hlocc_qr_product_V(work, a_plane, width, 0, k, tau, q, plane, n, adjoint, 0, v);
        for (ptrdiff_t i = 0; plane && conjugate && i < n * width; i++) q[plane + i] = -q[plane + i];
        hlocc_columns_store_V(q, plane, width, out, o_row, o_column, m, n);
    }
}
