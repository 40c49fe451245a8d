/* header: hlocc/cholesky_V.h */
/* Cholesky factors. Inside, the factor is upper triangular, row-major: A = U^H U, rows padded to whole vectors. */

/* piece: hlocc_cholesky_panel_V | F | scalar 2 4 8 16 */
/* Rows k .. k + 3 of u, as far as rows before k concern them. */
HLOCC_INLINE void hlocc_cholesky_panel_V(hlocc_S *u, ptrdiff_t width, ptrdiff_t k)
{
    hlocc_S *to = u + k * width;
    for (ptrdiff_t j = k / LANES * LANES; j < width; j += LANES) {
        hlocc_V p0 = hlocc_get_V(to + j), p1 = hlocc_get_V(to + width + j), p2 = hlocc_get_V(to + 2 * width + j);
        hlocc_V p3 = hlocc_get_V(to + 3 * width + j);
        for (ptrdiff_t i = 0; i < k; i++) {
            const hlocc_S *from = u + i * width;
            hlocc_V v = NEG(hlocc_get_V(from + j));
            p0 = FMA(K(from[k]), v, p0), p1 = FMA(K(from[k + 1]), v, p1);
            p2 = FMA(K(from[k + 2]), v, p2), p3 = FMA(K(from[k + 3]), v, p3);
        }
        hlocc_put_V(to + j, p0), hlocc_put_V(to + width + j, p1), hlocc_put_V(to + 2 * width + j, p2);
        hlocc_put_V(to + 3 * width + j, p3);
    }
}

/* piece: hlocc_cholesky_row_V | F | scalar 2 4 8 16 */
/* Row k, rows before `from` being done with: the square root of its first number, the others divided by that. Returns
 * the number under the root. */
HLOCC_INLINE hlocc_S hlocc_cholesky_row_V(hlocc_S *u, ptrdiff_t width, ptrdiff_t from, ptrdiff_t k)
{
    hlocc_S *to = u + k * width;
    for (ptrdiff_t i = from; i < k; i++) {
        hlocc_V c = K(-u[i * width + k]);
        for (ptrdiff_t j = k / LANES * LANES; j < width; j += LANES)
            hlocc_put_V(to + j, FMA(c, hlocc_get_V(u + i * width + j), hlocc_get_V(to + j)));
    }
    hlocc_S pivot = to[k], root = hlocc_sqrt_S(pivot);
    for (ptrdiff_t j = k / LANES * LANES; j < width; j += LANES)
        hlocc_put_V(to + j, DIV(hlocc_get_V(to + j), K(root)));
    to[k] = root;
    return pivot;
}

/* piece: hlocc_cholesky_V | F | scalar 2 4 8 16 */
/* Lower factors of a batch of matrices of which the lower triangles count: out. With info, as LAPACK: info[b] is the
 * number, from 1, of the first pivot that is not positive, or 0, and the upper triangle is that of a. Without (NULL): the
 * upper triangle is 0, and a negative pivot makes the whole matrix NaN. work: n rows of n rounded up to LANES. */
HLOCC_NOINLINE void hlocc_cholesky_V(const hlocc_S *a, ptrdiff_t a_batch, ptrdiff_t a_row, ptrdiff_t a_column, hlocc_S *out,
                                     ptrdiff_t o_batch, ptrdiff_t o_row, ptrdiff_t o_column, int32_t *info, hlocc_S *work,
                                     ptrdiff_t batches, ptrdiff_t n)
{
    const ptrdiff_t width = (n + LANES - 1) / LANES * LANES;
    for (ptrdiff_t b = 0; b < batches; b++, a += a_batch, out += o_batch) {
        ptrdiff_t bad = 0, k = 0;
        for (ptrdiff_t j = 0; j < n; j++) {
            for (ptrdiff_t i = 0; i < j; i++) work[j * width + i] = 0;
            for (ptrdiff_t i = j; i < n; i++) work[j * width + i] = a[i * a_row + j * a_column];
            for (ptrdiff_t i = n; i < width; i++) work[j * width + i] = 0;
        }
        for (; k < n && !(info && bad); k += 4) {
            const ptrdiff_t end = k + 4 <= n ? k + 4 : n;
            if (k + 4 <= n) hlocc_cholesky_panel_V(work, width, k);
            for (ptrdiff_t i = k; i < end && !(info && bad); i++) {
                hlocc_S pivot = hlocc_cholesky_row_V(work, width, end == k + 4 ? k : 0, i);
                if (!(info ? pivot > 0 : pivot >= 0) && !bad) bad = i + 1;
            }
        }
        if (info) info[b] = (int32_t)bad;
        for (ptrdiff_t j = 0; j < n; j++) {
            for (ptrdiff_t i = j; i < n; i++) out[i * o_row + j * o_column] = work[j * width + i];
            for (ptrdiff_t i = 0; i < j; i++) out[i * o_row + j * o_column] = info ? a[i * a_row + j * a_column] : 0;
        }
        for (ptrdiff_t i = 0; !info && bad && i < n; i++)
            for (ptrdiff_t j = 0; j < n; j++) out[i * o_row + j * o_column] = hlocc_nan_S();
    }
}

/* piece: hlocc_cholesky_C | F | scalar 2 4 8 16 */
/* The same of complex numbers; lower: what a and out hold are the conjugates of U's elements. work: two of them. */
HLOCC_NOINLINE void hlocc_cholesky_C(const hlocc_S *a, ptrdiff_t a_batch, ptrdiff_t a_row, ptrdiff_t a_column, hlocc_S *out,
                                     ptrdiff_t o_batch, ptrdiff_t o_row, ptrdiff_t o_column, int32_t *info, hlocc_S *work,
                                     ptrdiff_t batches, ptrdiff_t n, int lower)
{
    const ptrdiff_t width = (n + LANES - 1) / LANES * LANES;
    hlocc_S *re = work, *im = work + n * width;
    const hlocc_S sign = lower ? -1 : 1;
    for (ptrdiff_t b = 0; b < batches; b++, a += 2 * a_batch, out += 2 * o_batch) {
        ptrdiff_t bad = 0;
        for (ptrdiff_t j = 0; j < n; j++)
            for (ptrdiff_t i = 0; i < width; i++) {
                const hlocc_S *p = a + 2 * (i * a_row + j * a_column);
                re[j * width + i] = i >= j && i < n ? p[0] : 0;
                im[j * width + i] = i > j && i < n ? sign * p[1] : 0;
            }
        for (ptrdiff_t k = 0; k < n && !(info && bad); k++) {
            hlocc_S *x = re + k * width, *y = im + k * width;
            for (ptrdiff_t i = 0; i < k; i++) {
                hlocc_V c = K(-re[i * width + k]), d = K(im[i * width + k]);
                for (ptrdiff_t j = k / LANES * LANES; j < width; j += LANES) {
                    hlocc_V u = hlocc_get_V(re + i * width + j), v = hlocc_get_V(im + i * width + j);
                    hlocc_put_V(x + j, FMA(c, u, FMA(NEG(d), v, hlocc_get_V(x + j))));
                    hlocc_put_V(y + j, FMA(c, v, FMA(d, u, hlocc_get_V(y + j))));
                }
            }
            hlocc_S pivot = x[k], root = hlocc_sqrt_S(pivot);
            if (!(info ? pivot > 0 : pivot >= 0) && !bad) bad = k + 1;
            for (ptrdiff_t j = k / LANES * LANES; j < width; j += LANES) {
                hlocc_put_V(x + j, DIV(hlocc_get_V(x + j), K(root)));
                hlocc_put_V(y + j, DIV(hlocc_get_V(y + j), K(root)));
            }
            x[k] = root;
            y[k] = 0;
        }
        if (info) info[b] = (int32_t)bad;
        for (ptrdiff_t j = 0; j < n; j++)
            for (ptrdiff_t i = 0; i < n; i++) {
                const hlocc_S *p = a + 2 * (i * a_row + j * a_column);
                hlocc_S *q = out + 2 * (i * o_row + j * o_column);
                int stays = i < j && info, failed = !info && bad;
                q[0] = failed ? hlocc_nan_S() : stays ? p[0] : i < j ? 0 : re[j * width + i];
                q[1] = stays ? p[1] : i < j || failed ? 0 : sign * im[j * width + i];
            }
    }
}
