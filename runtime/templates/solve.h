/* header: hlocc/solve_V.h */
/* Triangular systems and Cholesky factors of batches of matrices. Element (i, j) of matrix b of a batch is at
 * b * batch + i * row + j * column (complex numbers: twice that, real and imaginary part); steps may be negative.
 * References: Golub, Van Loan, "Matrix Computations", 3.1 and 4.2. */

/* piece: hlocc_solve_rows_V | F | scalar 2 4 8 16 */
/* Forward substitution for rows i .. i + 3 of the block x of n rows of 2 LANES numbers (two 0: only LANES of them count). */
HLOCC_INLINE void hlocc_solve_rows_V(const hlocc_S *a, ptrdiff_t row, ptrdiff_t column, hlocc_S *x, ptrdiff_t i, int two)
{
    const hlocc_S *a0 = a + i * row, *a1 = a0 + row, *a2 = a1 + row, *a3 = a2 + row;
    hlocc_S *to = x + 2 * i * LANES;
    hlocc_V p0 = hlocc_get_V(to), p1 = hlocc_get_V(to + 2 * LANES), p2 = hlocc_get_V(to + 4 * LANES);
    hlocc_V p3 = hlocc_get_V(to + 6 * LANES), q0 = K(0), q1 = K(0), q2 = K(0), q3 = K(0);
    if (two) {
        q0 = hlocc_get_V(to + LANES), q1 = hlocc_get_V(to + 3 * LANES);
        q2 = hlocc_get_V(to + 5 * LANES), q3 = hlocc_get_V(to + 7 * LANES);
    }
    for (ptrdiff_t j = 0; j < i; j++) {
        hlocc_V u = NEG(hlocc_get_V(x + 2 * j * LANES)), v = two ? NEG(hlocc_get_V(x + (2 * j + 1) * LANES)) : u;
        hlocc_V c0 = K(a0[j * column]), c1 = K(a1[j * column]), c2 = K(a2[j * column]), c3 = K(a3[j * column]);
        p0 = FMA(c0, u, p0), p1 = FMA(c1, u, p1), p2 = FMA(c2, u, p2), p3 = FMA(c3, u, p3);
        if (!two) continue;
        q0 = FMA(c0, v, q0), q1 = FMA(c1, v, q1), q2 = FMA(c2, v, q2), q3 = FMA(c3, v, q3);
    }
    hlocc_put_V(to, p0), hlocc_put_V(to + 2 * LANES, p1), hlocc_put_V(to + 4 * LANES, p2);
    hlocc_put_V(to + 6 * LANES, p3);
    if (!two) return;
    hlocc_put_V(to + LANES, q0), hlocc_put_V(to + 3 * LANES, q1), hlocc_put_V(to + 5 * LANES, q2);
    hlocc_put_V(to + 7 * LANES, q3);
}

/* piece: hlocc_solve_row_V | F | scalar 2 4 8 16 */
/* Row i of the block, rows before `from` being done with; then divided by the diagonal, unless that is 1. A diagonal of 0
 * leaves nothing to solve: NaN. */
HLOCC_INLINE void hlocc_solve_row_V(const hlocc_S *a, ptrdiff_t row, ptrdiff_t column, hlocc_S *x, ptrdiff_t from,
                                    ptrdiff_t i, int unit)
{
    const hlocc_S pivot = a[i * row + i * column], divisor = pivot == 0 ? hlocc_nan_S() : pivot;
    for (int part = 0; part < 2; part++) {
        hlocc_V sum = hlocc_get_V(x + (2 * i + part) * LANES);
        for (ptrdiff_t j = from; j < i; j++)
            sum = FMA(K(-a[i * row + j * column]), hlocc_get_V(x + (2 * j + part) * LANES), sum);
        hlocc_put_V(x + (2 * i + part) * LANES, unit ? sum : DIV(sum, K(divisor)));
    }
}

/* piece: hlocc_solve_block_V | F | scalar 2 4 8 16 */
/* L x = b for a block of up to 2 LANES right sides, x holding b before. */
HLOCC_NOINLINE void hlocc_solve_block_V(const hlocc_S *a, ptrdiff_t row, ptrdiff_t column, hlocc_S *x, ptrdiff_t n,
                                        int two, int unit)
{
    const ptrdiff_t whole = n / 4 * 4;
    for (ptrdiff_t i = 0; i < whole; i += 4) {
        if (two) hlocc_solve_rows_V(a, row, column, x, i, 1);
        else hlocc_solve_rows_V(a, row, column, x, i, 0);
        for (ptrdiff_t k = i; k < i + 4; k++) hlocc_solve_row_V(a, row, column, x, i, k, unit);
    }
    for (ptrdiff_t i = whole; i < n; i++) hlocc_solve_row_V(a, row, column, x, 0, i, unit);
}

/* piece: hlocc_solve_V | F | scalar 2 4 8 16 */
/* x = L^-1 b for lower triangular L [n][n] and m right sides. work: 2 n LANES. x may be b. */
HLOCC_NOINLINE void hlocc_solve_V(const hlocc_S *a, ptrdiff_t a_batch, ptrdiff_t a_row, ptrdiff_t a_column,
                                  const hlocc_S *b, ptrdiff_t b_batch, ptrdiff_t b_row, ptrdiff_t b_column, hlocc_S *x,
                                  ptrdiff_t x_batch, ptrdiff_t x_row, ptrdiff_t x_column, hlocc_S *work,
                                  ptrdiff_t batches, ptrdiff_t n, ptrdiff_t m, int unit)
{
    for (ptrdiff_t batch = 0; batch < batches; batch++, a += a_batch, b += b_batch, x += x_batch)
        for (ptrdiff_t first = 0; first < m; first += 2 * LANES) {
            const ptrdiff_t count = m - first < 2 * LANES ? m - first : 2 * LANES;
            const hlocc_S *from = b + first * b_column;
            hlocc_S *to = x + first * x_column;
            for (ptrdiff_t i = 0; i < n; i++) {
                for (ptrdiff_t l = 0; l < count; l++) work[2 * i * LANES + l] = from[i * b_row + l * b_column];
                for (ptrdiff_t l = count; l < 2 * LANES; l++) work[2 * i * LANES + l] = 0;
            }
            hlocc_solve_block_V(a, a_row, a_column, work, n, count > LANES, unit);
            for (ptrdiff_t i = 0; i < n; i++)
                for (ptrdiff_t l = 0; l < count; l++) to[i * x_row + l * x_column] = work[2 * i * LANES + l];
        }
}

/* piece: hlocc_solve_C | F | scalar 2 4 8 16 */
/* The same of complex numbers; conjugate: of L's conjugate. */
HLOCC_NOINLINE void hlocc_solve_C(const hlocc_S *a, ptrdiff_t a_batch, ptrdiff_t a_row, ptrdiff_t a_column,
                                  const hlocc_S *b, ptrdiff_t b_batch, ptrdiff_t b_row, ptrdiff_t b_column, hlocc_S *x,
                                  ptrdiff_t x_batch, ptrdiff_t x_row, ptrdiff_t x_column, hlocc_S *work,
                                  ptrdiff_t batches, ptrdiff_t n, ptrdiff_t m, int unit, int conjugate)
{
    const hlocc_S sign = conjugate ? -1 : 1;
    for (ptrdiff_t batch = 0; batch < batches; batch++, a += 2 * a_batch, b += 2 * b_batch, x += 2 * x_batch)
        for (ptrdiff_t first = 0; first < m; first += LANES) {
            const ptrdiff_t count = m - first < LANES ? m - first : LANES;
            for (ptrdiff_t i = 0; i < n; i++) {
                hlocc_S *re = work + 2 * i * LANES, *im = re + LANES;
                for (ptrdiff_t l = 0; l < LANES; l++) {
                    const hlocc_S *p = b + 2 * (i * b_row + (first + (l < count ? l : 0)) * b_column);
                    re[l] = p[0];
                    im[l] = p[1];
                }
                hlocc_V r = hlocc_get_V(re), s = hlocc_get_V(im);
                for (ptrdiff_t j = 0; j < i; j++) {
                    const hlocc_S *p = a + 2 * (i * a_row + j * a_column);
                    hlocc_V c = K(-p[0]), d = K(-sign * p[1]);
                    hlocc_V u = hlocc_get_V(work + 2 * j * LANES), v = hlocc_get_V(work + (2 * j + 1) * LANES);
                    r = FMA(c, u, FMA(NEG(d), v, r));
                    s = FMA(c, v, FMA(d, u, s));
                }
                if (!unit) {
                    const hlocc_S *p = a + 2 * (i * a_row + i * a_column);
                    const hlocc_S pivot = p[0] == 0 && p[1] == 0 ? hlocc_nan_S() : p[0];
                    hlocc_V c = K(pivot), d = K(sign * p[1]), quotient = hlocc_divide_re_C(r, s, c, d);
                    s = hlocc_divide_im_C(r, s, c, d);
                    r = quotient;
                }
                hlocc_put_V(re, r);
                hlocc_put_V(im, s);
            }
            for (ptrdiff_t i = 0; i < n; i++)
                for (ptrdiff_t l = 0; l < count; l++) {
                    hlocc_S *p = x + 2 * (i * x_row + (first + l) * x_column);
                    p[0] = work[2 * i * LANES + l];
                    p[1] = work[(2 * i + 1) * LANES + l];
                }
        }
}
