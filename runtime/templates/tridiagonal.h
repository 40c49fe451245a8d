/* header: hlocc/tridiagonal_V.h */
/* Tridiagonal systems. Golub, Van Loan, "Matrix Computations", 4.3; LAPACK, gtsv. */

/* piece: hlocc_gtsv_row_V | F | scalar */
/* row_i -= factor row_j, exchanged first if swapped, for k numbers of `parts` parts, `step` numbers apart. */
HLOCC_INLINE void hlocc_gtsv_row_V(hlocc_V *row, hlocc_V *next, ptrdiff_t step, ptrdiff_t k, const hlocc_V *factor,
                                   int swapped, ptrdiff_t parts)
{
    for (ptrdiff_t j = 0; j < k; j++, row += step, next += step) {
        for (ptrdiff_t part = 0; part < parts && swapped; part++) {
            const hlocc_V kept = row[part];
            row[part] = next[part];
            next[part] = kept;
        }
        next[0] -= factor[0] * row[0];
        if (parts == 1) continue;
        next[0] += factor[1] * row[1];
        next[1] -= factor[0] * row[1] + factor[1] * row[0];
    }
}

/* piece: hlocc_gtsv_quotient_V | F | scalar */
/* out = (x) / (y), which is not zero. */
HLOCC_INLINE void hlocc_gtsv_quotient_V(const hlocc_V *x, const hlocc_V *y, hlocc_V *out, ptrdiff_t parts)
{
    if (parts == 1) {
        out[0] = x[0] / y[0];
        return;
    }
    hlocc_V inverse[2];
    hlocc_reciprocal_parts_V(y[0], y[1], inverse);
    const hlocc_V re = x[0] * inverse[0] - x[1] * inverse[1];
    out[1] = x[0] * inverse[1] + x[1] * inverse[0];
    out[0] = re;
}

/* piece: hlocc_gtsv_V | F | scalar */
/* Gaussian elimination with exchanges of neighbouring rows for k right sides b [n], in place; l, d, u: the diagonals of n
 * numbers each (l[i] and u[i] beside d[i + 1] and d[i]), used up; afterwards l is the second one above. Numbers have `parts`
 * parts. Returns 0, or the number of a zero pivot from 1. */
HLOCC_NOINLINE ptrdiff_t hlocc_gtsv_V(hlocc_V *l, hlocc_V *d, hlocc_V *u, ptrdiff_t n, hlocc_V *b, ptrdiff_t b_row,
                                      ptrdiff_t b_column, ptrdiff_t k, ptrdiff_t parts)
{
    b_row *= parts, b_column *= parts;
    for (ptrdiff_t i = 0; i + 1 < n; i++) {
        hlocc_V *li = l + parts * i, *di = d + parts * i, *ui = u + parts * i, factor[2] = {0, 0};
        const hlocc_V below = hlocc_abs_V(li[0]) + (parts > 1 ? hlocc_abs_V(li[1]) : 0);
        const hlocc_V here = hlocc_abs_V(di[0]) + (parts > 1 ? hlocc_abs_V(di[1]) : 0);
        const int swapped = below > here;
        if (below == 0 && here == 0) return i + 1;
        hlocc_V second[2] = {0, 0};
        for (ptrdiff_t part = 0; part < parts && swapped; part++) {
            hlocc_V kept = di[part];
            di[part] = li[part];
            li[part] = kept;
            kept = ui[part];
            ui[part] = di[parts + part];
            di[parts + part] = kept;
            if (i + 2 < n) second[part] = ui[parts + part], ui[parts + part] = 0;
        }
        hlocc_gtsv_quotient_V(li, di, factor, parts);
        hlocc_gtsv_row_V(ui, di + parts, 0, 1, factor, 0, parts);
        if (i + 2 < n) hlocc_gtsv_row_V(second, ui + parts, 0, 1, factor, 0, parts);
        hlocc_gtsv_row_V(b + i * b_row, b + (i + 1) * b_row, b_column, k, factor, swapped, parts);
        for (ptrdiff_t part = 0; part < parts; part++) li[part] = second[part];
    }
    if (n && d[parts * (n - 1)] == 0 && (parts == 1 || d[parts * n - 1] == 0)) return n;
    for (ptrdiff_t i = n - 1; i >= 0; i--)
        for (ptrdiff_t j = 0; j < k; j++) {
            hlocc_V *x = b + i * b_row + j * b_column;
            if (i + 1 < n) hlocc_gtsv_row_V(x + b_row, x, 0, 1, u + parts * i, 0, parts);
            if (i + 2 < n) hlocc_gtsv_row_V(x + 2 * b_row, x, 0, 1, l + parts * i, 0, parts);
            hlocc_gtsv_quotient_V(x, d + parts * i, x, parts);
        }
    return 0;
}

/* piece: hlocc_tridiagonal_solve_V | F | scalar */
/* A batch of systems: d [b][n]; dl and du [b][beside], n - 1 numbers, or n of which the first of dl and the last of du are
 * of no matter; b [n][k]. work: 3 n numbers. */
HLOCC_NOINLINE void hlocc_tridiagonal_solve_V(const hlocc_V *dl, const hlocc_V *d, const hlocc_V *du, const hlocc_V *b,
                                              ptrdiff_t b_batch, ptrdiff_t b_row, ptrdiff_t b_column, hlocc_V *x,
                                              ptrdiff_t x_batch, ptrdiff_t x_row, ptrdiff_t x_column, int32_t *info,
                                              hlocc_V *work, ptrdiff_t batches, ptrdiff_t n, ptrdiff_t beside,
                                              ptrdiff_t k, int parts)
{
    const ptrdiff_t size = parts * n, step = parts * beside, first = beside == n ? parts : 0;
    for (ptrdiff_t batch = 0; batch < batches; batch++, dl += step, d += size, du += step) {
        for (ptrdiff_t i = 0; i < size; i++) {
            work[i] = i + parts < size ? dl[i + first] : 0;
            work[size + i] = d[i];
            work[2 * size + i] = i + parts < size ? du[i] : 0;
        }
        for (ptrdiff_t i = 0; i < n; i++)
            for (ptrdiff_t j = 0; j < k; j++)
                for (ptrdiff_t part = 0; part < parts; part++)
                    x[parts * (i * x_row + j * x_column) + part] = b[parts * (i * b_row + j * b_column) + part];
        info[batch] = (int32_t)hlocc_gtsv_V(work, work + size, work + 2 * size, n, x, x_row, x_column, k, parts);
        b += parts * b_batch, x += parts * x_batch;
    }
}
