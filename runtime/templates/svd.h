/* header: hlocc/svd_V.h */
/* Singular values by Jacobi's method on columns: plane rotations make them orthogonal; then their lengths are the values.
 * Golub, Van Loan, "Matrix Computations", 8.6.3; Demmel, Veselic, "Jacobi's method is more accurate than QR", 1992. */

/* piece: hlocc_svd_pair_V | F | scalar 2 4 8 16 */
/* Makes columns x and y orthogonal; p and q (or NULL) are turned along. Returns whether they were not. */
HLOCC_INLINE int hlocc_svd_pair_V(hlocc_S *x, hlocc_S *y, ptrdiff_t plane, ptrdiff_t width, hlocc_S *p, hlocc_S *q,
                                  ptrdiff_t q_plane, ptrdiff_t q_width, hlocc_S tolerance)
{
    hlocc_S a[2], b[2], g[2];
    hlocc_columns_dot_V(x, plane, y, plane, 0, width, g);
    const hlocc_S size = plane ? hlocc_hypot_S(g[0], g[1]) : hlocc_abs_S(g[0]);
    if (!(size > 0)) return 0;
    hlocc_columns_dot_V(x, plane, x, plane, 0, width, a);
    hlocc_columns_dot_V(y, plane, y, plane, 0, width, b);
    if (!(size > tolerance * hlocc_sqrt_S(a[0]) * hlocc_sqrt_S(b[0]))) return 0;
    const hlocc_S zeta = (b[0] - a[0]) / (2 * size);
    const hlocc_S t = hlocc_copysign_S(1, zeta) / (hlocc_abs_S(zeta) + hlocc_hypot_S(1, zeta));
    const hlocc_S c = 1 / hlocc_sqrt_S(1 + t * t), s = c * t, re = g[0] / size, im = -g[1] / size;
    if (re != 1) hlocc_columns_scale_V(re, im, y, plane, width);
    hlocc_columns_turn_V(c, s, x, y, plane, width);
    if (!p) return 1;
    if (re != 1) hlocc_columns_scale_V(re, im, q, q_plane, q_width);
    hlocc_columns_turn_V(c, s, p, q, q_plane, q_width);
    return 1;
}

/* piece: hlocc_svd_complete_V | F | scalar 2 4 8 16 */
/* Column j of u: of length 1 and orthogonal to the j columns before it. The unit vector that has most to do with none of
 * those is taken, and what it has to do with them taken away, twice. */
HLOCC_NOINLINE void hlocc_svd_complete_V(hlocc_S *u, ptrdiff_t plane, ptrdiff_t width, ptrdiff_t m, ptrdiff_t j)
{
    hlocc_S *x = u + j * width, least = 2;
    ptrdiff_t best = 0;
    for (ptrdiff_t i = 0; i < m; i++) {
        hlocc_S sum = 0;
        for (ptrdiff_t k = 0; k < j; k++) {
            const hlocc_S re = u[k * width + i], im = plane ? u[plane + k * width + i] : 0;
            sum += re * re + im * im;
        }
        if (sum < least) least = sum, best = i;
    }
    for (ptrdiff_t part = 0; part <= (plane != 0); part++)
        for (ptrdiff_t i = 0; i < width; i++) x[part * plane + i] = 0;
    x[best] = 1;
    for (int round = 0; round < 2; round++) {
        for (ptrdiff_t k = 0; k < j; k++) {
            hlocc_S d[2];
            hlocc_columns_dot_V(u + k * width, plane, x, plane, 0, width, d);
            hlocc_columns_add_V(-d[0], -d[1], u + k * width, plane, x, plane, 0, width);
        }
        hlocc_columns_scale_V(1 / hlocc_column_length_V(x, plane, width), 0, x, plane, width);
    }
}

/* piece: hlocc_svd_sweeps_V | F | scalar 2 4 8 16 */
/* Turns the n columns of u, and of q (or NULL) along, until they are orthogonal. Returns whether that came to an end. */
HLOCC_NOINLINE int hlocc_svd_sweeps_V(hlocc_S *u, ptrdiff_t plane, ptrdiff_t width, hlocc_S *q, ptrdiff_t q_plane,
                                      ptrdiff_t q_width, ptrdiff_t m, ptrdiff_t n)
{
@if f32
    const hlocc_S tolerance = 1.1920929e-7f * hlocc_sqrt_S((hlocc_S)(m + 4));
@else
    const hlocc_S tolerance = 2.220446049250313e-16 * hlocc_sqrt_S((hlocc_S)(m + 4));
@end
    for (int sweep = 0; sweep < 60; sweep++) {
        int turned = 0;
        for (ptrdiff_t i = 0; i < n; i++)
            for (ptrdiff_t j = i + 1; j < n; j++)
                turned |= hlocc_svd_pair_V(u + i * width, u + j * width, plane, width, q ? q + i * q_width : NULL,
                                           q ? q + j * q_width : NULL, q_plane, q_width, tolerance);
        if (!turned) return 1;
    }
    return 0;
}

/* piece: hlocc_svd_V | F | scalar 2 4 8 16 */
/* A = U S V^H for a batch of matrices of m rows and n <= m columns: s [b][n], descending; the first `u_columns` columns of
 * U; V^H whole; no vectors where u is NULL. info: as LAPACK. work: u_columns (at least n) columns of m and n of n numbers,
 * each part. */
HLOCC_NOINLINE void hlocc_svd_V(const hlocc_S *a, ptrdiff_t a_batch, ptrdiff_t a_row, ptrdiff_t a_column, hlocc_S *s,
                                hlocc_S *u, ptrdiff_t u_batch, ptrdiff_t u_row, ptrdiff_t u_column, hlocc_S *vt,
                                ptrdiff_t v_batch, ptrdiff_t v_row, ptrdiff_t v_column, int32_t *info, hlocc_S *work,
                                ptrdiff_t batches, ptrdiff_t m, ptrdiff_t n, ptrdiff_t u_columns, int parts)
{
@if f32
    const hlocc_S tiny = 1e-37f;
@else
    const hlocc_S tiny = 1e-307;
@end
    const ptrdiff_t width = hlocc_column_width_V(m), q_width = hlocc_column_width_V(n);
    const ptrdiff_t all = u && u_columns > n ? u_columns : n, plane = parts > 1 ? all * width : 0;
    const ptrdiff_t q_plane = parts > 1 ? n * q_width : 0;
    hlocc_S *x = work, *q = u ? work + parts * all * width : NULL;
    for (ptrdiff_t b = 0; b < batches; b++, a += parts * a_batch, s += n) {
        hlocc_columns_load_V(x, plane, width, a, a_row, a_column, m, n);
        hlocc_S largest = 0;
        for (ptrdiff_t j = 0; j < n; j++) { /* of a size whose squares are numbers */
            const hlocc_S length = hlocc_column_length_V(x + j * width, plane, width);
            if (length > largest) largest = length;
        }
        if (largest - largest != 0) largest = 0;
        for (ptrdiff_t j = 0; largest > 0 && j < n; j++)
            for (ptrdiff_t part = 0; part < parts; part++)
                for (ptrdiff_t i = 0; i < width; i++) x[part * plane + j * width + i] /= largest;
        if (q) hlocc_columns_identity_V(q, q_plane, q_width, n);
        info[b] = !hlocc_svd_sweeps_V(x, plane, width, q, q_plane, q_width, m, n);
        for (ptrdiff_t j = 0; j < n; j++) s[j] = hlocc_column_length_V(x + j * width, plane, width);
        for (ptrdiff_t j = 0; j < n; j++) {
            ptrdiff_t longest = j;
            for (ptrdiff_t k = j + 1; k < n; k++)
                if (s[k] > s[longest]) longest = k;
            const hlocc_S kept = s[j];
            s[j] = s[longest];
            s[longest] = kept;
            if (longest == j) continue;
            hlocc_columns_swap_V(x + j * width, x + longest * width, plane, width);
            if (q) hlocc_columns_swap_V(q + j * q_width, q + longest * q_width, q_plane, q_width);
        }
        for (ptrdiff_t j = 0; q && j < all; j++) {
            if (j < n && !(s[j] <= tiny))
                for (ptrdiff_t part = 0; part < parts; part++)
                    for (ptrdiff_t i = 0; i < width; i++) x[part * plane + j * width + i] /= s[j];
            else hlocc_svd_complete_V(x, plane, width, m, j);
        }
        for (ptrdiff_t j = 0; largest > 0 && j < n; j++) s[j] *= largest;
        if (!q) continue;
        for (ptrdiff_t i = 0; q_plane && i < n * q_width; i++) q[q_plane + i] = -q[q_plane + i];
        hlocc_columns_store_V(x, plane, width, u, u_row, u_column, m, u_columns);
        hlocc_columns_store_V(q, q_plane, q_width, vt, v_column, v_row, n, n);
        u += parts * u_batch, vt += parts * v_batch;
    }
}
