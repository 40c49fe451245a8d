/* header: hlocc/lu_V.h */
/* Gaussian elimination. Golub, Van Loan, "Matrix Computations", 3.4. */

/* piece: hlocc_lu_pivot_V | F | scalar 2 4 8 16 */
/* The row from j on with the largest number, complex ones measured as LAPACK does: by the sum of their parts. */
HLOCC_INLINE ptrdiff_t hlocc_lu_pivot_V(const hlocc_S *x, ptrdiff_t plane, ptrdiff_t j, ptrdiff_t m)
{
    ptrdiff_t pivot = j;
    hlocc_S largest = -1;
    for (ptrdiff_t i = j; i < m; i++) {
        const hlocc_S size = hlocc_abs_S(x[i]) + (plane ? hlocc_abs_S(x[plane + i]) : 0);
        if (size > largest) largest = size, pivot = i;
    }
    return pivot;
}

/* piece: hlocc_lu_factor_V | F | scalar 2 4 8 16 */
/* P A = L U in place of A; pivots from 0; l: two columns of work. Returns 0, or the number of the first zero pivot from 1. */
HLOCC_NOINLINE ptrdiff_t hlocc_lu_factor_V(hlocc_S *a, ptrdiff_t plane, ptrdiff_t width, ptrdiff_t m, ptrdiff_t n,
                                           int32_t *pivots, hlocc_S *l)
{
    const ptrdiff_t l_plane = plane ? width : 0, parts = plane ? 2 : 1;
    ptrdiff_t bad = 0;
    for (ptrdiff_t j = 0; j < m && j < n; j++) {
        hlocc_S *x = a + j * width, inverse[2];
        const ptrdiff_t pivot = hlocc_lu_pivot_V(x, plane, j, m), from = j / LANES * LANES;
        pivots[j] = (int32_t)pivot;
        if (x[pivot] == 0 && (!plane || x[plane + pivot] == 0)) {
            if (!bad) bad = j + 1;
            continue;
        }
        for (ptrdiff_t part = 0; part < parts && pivot != j; part++)
            for (ptrdiff_t k = 0; k < n; k++) {
                hlocc_S *y = a + part * plane + k * width, kept = y[j];
                y[j] = y[pivot];
                y[pivot] = kept;
            }
        hlocc_reciprocal_parts_S(x[j], plane ? x[plane + j] : 0, inverse);
        for (ptrdiff_t i = from; i <= j; i++) l[i] = l[l_plane + i] = 0;
        for (ptrdiff_t i = j + 1; i < width; i++) {
            const hlocc_S re = x[i], im = plane ? x[plane + i] : 0;
            x[i] = l[i] = plane ? re * inverse[0] - im * inverse[1] : re / x[j];
            if (plane) x[plane + i] = l[l_plane + i] = re * inverse[1] + im * inverse[0];
        }
        for (ptrdiff_t k = j + 1; k < n; k++) {
            hlocc_S *y = a + k * width;
            hlocc_columns_add_V(-y[j], plane ? -y[plane + j] : 0, l, l_plane, y, plane, from, width);
        }
    }
    return bad;
}

/* piece: hlocc_lu_V | F | scalar 2 4 8 16 */
/* LU factors of a batch of m by n matrices. pivots[b][min(m, n)]: the row that row i was exchanged with, counted from
 * `first`; permutation (or NULL) [b][m]: where the rows of P A stood in A; info (or NULL): as LAPACK. work: n + 2 columns
 * of each part. */
HLOCC_NOINLINE void hlocc_lu_V(const hlocc_S *a, ptrdiff_t a_batch, ptrdiff_t a_row, ptrdiff_t a_column, hlocc_S *out,
                               ptrdiff_t o_batch, ptrdiff_t o_row, ptrdiff_t o_column, int32_t *pivots, int32_t *permutation,
                               int32_t *info, hlocc_S *work, ptrdiff_t batches, ptrdiff_t m, ptrdiff_t n, int first, int parts)
{
    const ptrdiff_t width = hlocc_column_width_V(m), plane = parts > 1 ? n * width : 0, k = m < n ? m : n;
    for (ptrdiff_t b = 0; b < batches; b++, a += parts * a_batch, out += parts * o_batch, pivots += k) {
        hlocc_columns_load_V(work, plane, width, a, a_row, a_column, m, n);
        const ptrdiff_t bad = hlocc_lu_factor_V(work, plane, width, m, n, pivots, work + parts * n * width);
        hlocc_columns_store_V(work, plane, width, out, o_row, o_column, m, n);
        if (info) info[b] = (int32_t)bad;
        for (ptrdiff_t i = 0; permutation && i < m; i++) permutation[b * m + i] = (int32_t)i;
        for (ptrdiff_t i = 0; i < k; i++) {
            if (permutation) {
                int32_t *row = permutation + b * m, kept = row[i];
                row[i] = row[pivots[i]];
                row[pivots[i]] = kept;
            }
            pivots[i] += first;
        }
    }
}
