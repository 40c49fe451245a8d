/* header: hlocc/eigen_V.h */
/* Eigenvalues of Hermitian matrices: reduction to tridiagonal form, then QL steps with implicit shifts.
 * Golub, Van Loan, "Matrix Computations", 8.3; EISPACK, tql2. */

/* piece: hlocc_tridiagonal_factor_V | F | scalar 2 4 8 16 */
/* Q^H A Q = T for Hermitian A, whole in memory: diagonal d, below it e. The v of the reflectors that Q is made of come to
 * stand below e's place in a; tau: `parts` numbers each. work: four columns. */
HLOCC_NOINLINE void hlocc_tridiagonal_factor_V(hlocc_S *a, ptrdiff_t plane, ptrdiff_t width, ptrdiff_t n, hlocc_S *d,
                                               hlocc_S *e, hlocc_S *tau, hlocc_S *work)
{
    const ptrdiff_t parts = plane ? 2 : 1, v_plane = plane ? width : 0;
    hlocc_S *v = work, *p = work + parts * width;
    for (ptrdiff_t j = 0; j + 1 < n; j++) {
        const ptrdiff_t from = (j + 1) / LANES * LANES;
        hlocc_S t[2], sum[2];
        hlocc_reflector_V(a + j * width, plane, j + 1, n, width, v, t);
        for (ptrdiff_t i = 0; i < parts * width; i++) p[i] = 0;
        for (ptrdiff_t k = j + 1; k < n; k++) { /* p = tau A v; a row of A is a column's conjugate */
            hlocc_columns_dot_V(a + k * width, plane, v, v_plane, from, width, sum);
            p[k] = t[0] * sum[0] - t[1] * sum[1];
            if (plane) p[width + k] = t[0] * sum[1] + t[1] * sum[0];
        }
        hlocc_columns_dot_V(v, v_plane, p, v_plane, from, width, sum); /* conj(tau) v^H p is real */
        hlocc_columns_add_V(-(t[0] * sum[0] + t[1] * sum[1]) / 2, 0, v, v_plane, p, v_plane, from, width);
        for (ptrdiff_t k = j + 1; k < n; k++) { /* A -= v p^H + p v^H */
            hlocc_S *c = a + k * width;
            hlocc_columns_add_V(-p[k], plane ? p[width + k] : 0, v, v_plane, c, plane, from, width);
            hlocc_columns_add_V(-v[k], plane ? v[width + k] : 0, p, v_plane, c, plane, from, width);
        }
        for (ptrdiff_t part = 0; part < parts; part++) tau[parts * j + part] = t[part];
    }
    for (ptrdiff_t j = 0; j < n; j++) {
        d[j] = a[j * width + j];
        if (plane) a[plane + j * width + j] = 0;
        if (j + 1 < n) e[j] = a[j * width + j + 1];
    }
}

/* piece: hlocc_tridiagonal_load_V | F | scalar 2 4 8 16 */
/* A Hermitian matrix from its lower triangle. */
HLOCC_INLINE void hlocc_tridiagonal_load_V(hlocc_S *to, ptrdiff_t plane, ptrdiff_t width, const hlocc_S *from,
                                           ptrdiff_t row, ptrdiff_t column, ptrdiff_t n)
{
    hlocc_columns_load_V(to, plane, width, from, row, column, n, n);
    for (ptrdiff_t j = 0; j < n; j++) {
        if (plane) to[plane + j * width + j] = 0;
        for (ptrdiff_t i = 0; i < j; i++) {
            to[j * width + i] = to[i * width + j];
            if (plane) to[plane + j * width + i] = -to[plane + i * width + j];
        }
    }
}

/* piece: hlocc_tridiagonal_V | F | scalar 2 4 8 16 */
/* sytrd, hetrd of the lower triangle; backwards: of a matrix that is given from its last row and column to the first, as
 * the upper triangle is. work: n + 4 columns of each part. */
HLOCC_NOINLINE void hlocc_tridiagonal_V(const hlocc_S *a, ptrdiff_t a_batch, ptrdiff_t a_row, ptrdiff_t a_column,
                                        hlocc_S *out, ptrdiff_t o_batch, ptrdiff_t o_row, ptrdiff_t o_column, hlocc_S *d,
                                        hlocc_S *e, hlocc_S *tau, int32_t *info, hlocc_S *work, ptrdiff_t batches,
                                        ptrdiff_t n, int backwards, int parts)
{
    const ptrdiff_t width = hlocc_column_width_V(n), plane = parts > 1 ? n * width : 0;
    for (ptrdiff_t b = 0; b < batches; b++, a += parts * a_batch, out += parts * o_batch) {
        hlocc_tridiagonal_load_V(work, plane, width, a, a_row, a_column, n);
        hlocc_tridiagonal_factor_V(work, plane, width, n, d, e, tau, work + parts * n * width);
        for (ptrdiff_t j = 0; j < n; j++) /* the other triangle stays as it was given */
            for (ptrdiff_t i = 0; i < n; i++) {
                const hlocc_S *from = a + parts * (i * a_row + j * a_column);
                hlocc_S *to = out + parts * (i * o_row + j * o_column);
                for (ptrdiff_t part = 0; part < parts; part++)
                    to[part] = i < j ? from[part] : work[part * plane + j * width + i];
            }
        for (ptrdiff_t i = 0, k = n - 1; backwards && i < k; i++, k--) {
            const hlocc_S kept = d[i];
            d[i] = d[k];
            d[k] = kept;
        }
        for (ptrdiff_t i = 0, k = n - 2; backwards && i < k; i++, k--) {
            hlocc_S kept = e[i];
            e[i] = e[k];
            e[k] = kept;
            for (ptrdiff_t part = 0; part < parts; part++) {
                kept = tau[parts * i + part];
                tau[parts * i + part] = tau[parts * k + part];
                tau[parts * k + part] = kept;
            }
        }
        if (info) info[b] = 0;
        d += n, e += n - 1, tau += parts * (n - 1);
    }
}

/* piece: hlocc_ql_V | F | scalar 2 4 8 16 */
/* Eigenvalues of a tridiagonal matrix, in d; e (n numbers, the last one of no matter) is used up. The n columns of z are
 * turned along, unless z is NULL. Returns 0, or how many values did not converge. */
HLOCC_NOINLINE ptrdiff_t hlocc_ql_V(hlocc_S *d, hlocc_S *e, ptrdiff_t n, hlocc_S *z, ptrdiff_t plane, ptrdiff_t width)
{
@if f32
    const hlocc_S epsilon = 5.9604645e-8f;
@else
    const hlocc_S epsilon = 1.1102230246251565e-16;
@end
    for (ptrdiff_t l = 0; l < n; l++)
        for (int step = 0;; step++) {
            ptrdiff_t m = l;
            while (m + 1 < n && hlocc_abs_S(e[m]) > epsilon * (hlocc_abs_S(d[m]) + hlocc_abs_S(d[m + 1]))) m++;
            if (m == l) break;
            if (step == 60) return n - l;
            hlocc_S g = (d[l + 1] - d[l]) / (2 * e[l]), r = hlocc_hypot_S(g, 1), s = 1, c = 1, p = 0;
            g = d[m] - d[l] + e[l] / (g + hlocc_copysign_S(r, g));
            ptrdiff_t i = m - 1;
            for (; i >= l; i--) {
                const hlocc_S f = s * e[i], b = c * e[i];
                r = hlocc_hypot_S(f, g);
                e[i + 1] = r;
                if (r == 0) {
                    d[i + 1] -= p;
                    e[m] = 0;
                    break;
                }
                s = f / r;
                c = g / r;
                g = d[i + 1] - p;
                r = (d[i] - g) * s + 2 * c * b;
                p = s * r;
                d[i + 1] = g + p;
                g = c * r - b;
                if (z) hlocc_columns_turn_V(c, s, z + i * width, z + (i + 1) * width, plane, width);
            }
            if (i >= l) continue;
            d[l] -= p;
            e[l] = g;
            e[m] = 0;
        }
    return 0;
}

/* piece: hlocc_eigh_V | F | scalar 2 4 8 16 */
/* Eigenvalues w [b][n], ascending, and eigenvectors, in the columns of out, of Hermitian matrices given by their lower
 * triangles; without vectors out is of no use. info (or NULL): as LAPACK. work: 2 n + 8 columns of each part. */
HLOCC_NOINLINE void hlocc_eigh_V(const hlocc_S *a, ptrdiff_t a_batch, ptrdiff_t a_row, ptrdiff_t a_column, hlocc_S *out,
                                 ptrdiff_t o_batch, ptrdiff_t o_row, ptrdiff_t o_column, hlocc_S *w, int32_t *info,
                                 hlocc_S *work, ptrdiff_t batches, ptrdiff_t n, int vectors, int parts)
{
    const ptrdiff_t width = hlocc_column_width_V(n), plane = parts > 1 ? n * width : 0;
    hlocc_S *z = work + parts * n * width, *e = z + parts * n * width, *tau = e + width, *v = tau + parts * width;
    for (ptrdiff_t b = 0; b < batches; b++, a += parts * a_batch, out += parts * o_batch, w += n) {
        hlocc_tridiagonal_load_V(work, plane, width, a, a_row, a_column, n);
        hlocc_tridiagonal_factor_V(work, plane, width, n, w, e, tau, v);
        if (vectors) {
            hlocc_columns_identity_V(z, plane, width, n);
            hlocc_qr_product_V(work, plane, width, 1, n - 1, tau, z, plane, n, 0, 1, v);
        }
        const ptrdiff_t bad = hlocc_ql_V(w, e, n, vectors ? z : NULL, plane, width);
        for (ptrdiff_t i = 0; i < n; i++) {
            ptrdiff_t least = i;
            for (ptrdiff_t k = i + 1; k < n; k++)
                if (w[k] < w[least]) least = k;
            const hlocc_S kept = w[i];
            w[i] = w[least];
            w[least] = kept;
            if (vectors && least != i) hlocc_columns_swap_V(z + i * width, z + least * width, plane, width);
        }
        hlocc_columns_store_V(vectors ? z : work, plane, width, out, o_row, o_column, n, n);
        if (info) info[b] = (int32_t)bad;
    }
}
