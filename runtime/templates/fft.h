/* header: hlocc/fft_V.h */
/* Fourier transforms. LANES of them run side by side: element j of lane l of a block is plane[j * LANES + l], real parts
 * in the first plane, imaginary parts in the second, which begins where the first one ends. Passes are Stockham's: they
 * sort while they go, from one block to another and back. Roots of unity come in a table of pairs: root k of n is
 * e^(-2 pi i k / n). The inverse is the forward transform with real and imaginary parts exchanged. */

/* piece: hlocc_get_V | F | scalar 2 4 8 16 */
@if scalar
HLOCC_INLINE hlocc_V hlocc_get_V(const hlocc_S *p) { return *p; }
@else
HLOCC_INLINE hlocc_V hlocc_get_V(const hlocc_S *p) { return hlocc_load_V(p); }
@end

/* piece: hlocc_put_V | F | scalar 2 4 8 16 */
@if scalar
HLOCC_INLINE void hlocc_put_V(hlocc_S *p, hlocc_V v) { *p = v; }
@else
HLOCC_INLINE void hlocc_put_V(hlocc_S *p, hlocc_V v) { hlocc_store_V(p, v); }
@end

/* piece: hlocc_fft_root_V | F | scalar 2 4 8 16 */
/* (re, im) times root (wr, wi), stored at element `at` of a block. */
HLOCC_INLINE void hlocc_fft_root_V(hlocc_S *y, ptrdiff_t plane, ptrdiff_t at, hlocc_V re, hlocc_V im, hlocc_S wr, hlocc_S wi)
{
    hlocc_V r = K(wr), i = K(wi);
    hlocc_put_V(y + at * LANES, FMA(re, r, NEG(MUL(im, i))));
    hlocc_put_V(y + plane + at * LANES, FMA(re, i, MUL(im, r)));
}

/* piece: hlocc_fft_keep_V | F | scalar 2 4 8 16 */
HLOCC_INLINE void hlocc_fft_keep_V(hlocc_S *y, ptrdiff_t plane, ptrdiff_t at, hlocc_V re, hlocc_V im)
{
    hlocc_put_V(y + at * LANES, re);
    hlocc_put_V(y + plane + at * LANES, im);
}

/* piece: hlocc_fft_pass4_V | F | scalar 2 4 8 16 */
/* One pass of radix 4 over n elements: m butterflies of s neighbours. */
HLOCC_NOINLINE void hlocc_fft_pass4_V(const hlocc_S *HLOCC_RESTRICT x, hlocc_S *HLOCC_RESTRICT y, ptrdiff_t n,
                                      ptrdiff_t m, ptrdiff_t s, const hlocc_S *root)
{
    const ptrdiff_t plane = n * LANES, step = s * m * LANES;
    for (ptrdiff_t p = 0; p < m; p++) {
        const hlocc_S *w1 = root + 2 * p * s, *w2 = root + 4 * p * s, *w3 = root + 6 * p * s;
        for (ptrdiff_t q = 0; q < s; q++) {
            const hlocc_S *at = x + (q + s * p) * LANES;
            ptrdiff_t to = q + 4 * s * p;
            hlocc_V a = hlocc_get_V(at), b = hlocc_get_V(at + step), c = hlocc_get_V(at + 2 * step);
            hlocc_V d = hlocc_get_V(at + 3 * step), sum = ADD(a, c), difference = SUB(a, c);
            hlocc_V others = ADD(b, d), turned_i = SUB(d, b); /* -i (b - d): its imaginary part */
            at += plane;
            a = hlocc_get_V(at), b = hlocc_get_V(at + step), c = hlocc_get_V(at + 2 * step), d = hlocc_get_V(at + 3 * step);
            hlocc_V sum_i = ADD(a, c), difference_i = SUB(a, c), others_i = ADD(b, d), turned = SUB(b, d);
            hlocc_fft_keep_V(y, plane, to, ADD(sum, others), ADD(sum_i, others_i));
            hlocc_V r1 = ADD(difference, turned), i1 = ADD(difference_i, turned_i), r2 = SUB(sum, others);
            hlocc_V i2 = SUB(sum_i, others_i), r3 = SUB(difference, turned), i3 = SUB(difference_i, turned_i);
            if (p == 0) {
                hlocc_fft_keep_V(y, plane, to + s, r1, i1);
                hlocc_fft_keep_V(y, plane, to + 2 * s, r2, i2);
                hlocc_fft_keep_V(y, plane, to + 3 * s, r3, i3);
            } else {
                hlocc_fft_root_V(y, plane, to + s, r1, i1, w1[0], w1[1]);
                hlocc_fft_root_V(y, plane, to + 2 * s, r2, i2, w2[0], w2[1]);
                hlocc_fft_root_V(y, plane, to + 3 * s, r3, i3, w3[0], w3[1]);
            }
        }
    }
}

/* piece: hlocc_fft_pass2_V | F | scalar 2 4 8 16 */
HLOCC_NOINLINE void hlocc_fft_pass2_V(const hlocc_S *HLOCC_RESTRICT x, hlocc_S *HLOCC_RESTRICT y, ptrdiff_t n,
                                      ptrdiff_t m, ptrdiff_t s, const hlocc_S *root)
{
    const ptrdiff_t plane = n * LANES, step = s * m * LANES;
    for (ptrdiff_t p = 0; p < m; p++)
        for (ptrdiff_t q = 0; q < s; q++) {
            const hlocc_S *at = x + (q + s * p) * LANES, *w = root + 2 * p * s;
            hlocc_V a = hlocc_get_V(at), b = hlocc_get_V(at + step);
            hlocc_V a_i = hlocc_get_V(at + plane), b_i = hlocc_get_V(at + plane + step);
            hlocc_fft_keep_V(y, plane, q + 2 * s * p, ADD(a, b), ADD(a_i, b_i));
            hlocc_fft_root_V(y, plane, q + 2 * s * p + s, SUB(a, b), SUB(a_i, b_i), w[0], w[1]);
        }
}

/* piece: hlocc_fft_pass3_V | F | scalar 2 4 8 16 */
HLOCC_NOINLINE void hlocc_fft_pass3_V(const hlocc_S *HLOCC_RESTRICT x, hlocc_S *HLOCC_RESTRICT y, ptrdiff_t n,
                                      ptrdiff_t m, ptrdiff_t s, const hlocc_S *root)
{
    const ptrdiff_t plane = n * LANES, step = s * m * LANES;
    const hlocc_V half = K(0.5${f}), sine = K(0.86602540378443864676${f}); /* of 60 degrees */
    for (ptrdiff_t p = 0; p < m; p++)
        for (ptrdiff_t q = 0; q < s; q++) {
            const hlocc_S *at = x + (q + s * p) * LANES, *w1 = root + 2 * p * s, *w2 = root + 4 * p * s;
            ptrdiff_t to = q + 3 * s * p;
            hlocc_V a = hlocc_get_V(at), b = hlocc_get_V(at + step), c = hlocc_get_V(at + 2 * step);
            at += plane;
            hlocc_V a_i = hlocc_get_V(at), b_i = hlocc_get_V(at + step), c_i = hlocc_get_V(at + 2 * step);
            hlocc_V sum = ADD(b, c), sum_i = ADD(b_i, c_i);
            hlocc_V middle = SUB(a, MUL(half, sum)), middle_i = SUB(a_i, MUL(half, sum_i));
            hlocc_V turned = MUL(sine, SUB(b_i, c_i)), turned_i = MUL(sine, SUB(c, b));
            hlocc_fft_keep_V(y, plane, to, ADD(a, sum), ADD(a_i, sum_i));
            hlocc_fft_root_V(y, plane, to + s, ADD(middle, turned), ADD(middle_i, turned_i), w1[0], w1[1]);
            hlocc_fft_root_V(y, plane, to + 2 * s, SUB(middle, turned), SUB(middle_i, turned_i), w2[0], w2[1]);
        }
}

/* piece: hlocc_fft_pass_V | F | scalar 2 4 8 16 */
/* Radix r, any number: r^2 products. */
HLOCC_NOINLINE void hlocc_fft_pass_V(const hlocc_S *HLOCC_RESTRICT x, hlocc_S *HLOCC_RESTRICT y, ptrdiff_t n,
                                     ptrdiff_t r, ptrdiff_t m, ptrdiff_t s, const hlocc_S *root)
{
    const ptrdiff_t plane = n * LANES, step = s * m * LANES;
    for (ptrdiff_t p = 0; p < m; p++)
        for (ptrdiff_t q = 0; q < s; q++)
            for (ptrdiff_t k = 0; k < r; k++) {
                const hlocc_S *at = x + (q + s * p) * LANES;
                hlocc_V re = hlocc_get_V(at), im = hlocc_get_V(at + plane);
                for (ptrdiff_t j = 1; j < r; j++) {
                    const hlocc_S *w = root + 2 * (j * k % r * (n / r)), *from = at + j * step;
                    hlocc_V a = hlocc_get_V(from), b = hlocc_get_V(from + plane), wr = K(w[0]), wi = K(w[1]);
                    re = FMA(a, wr, FMA(NEG(b), wi, re));
                    im = FMA(a, wi, FMA(b, wr, im));
                }
                hlocc_fft_root_V(y, plane, q + s * (r * p + k), re, im, root[2 * p * k * s], root[2 * p * k * s + 1]);
            }
}

/* piece: hlocc_fft_block_V | F | scalar 2 4 8 16 */
/* The transforms of the block x of n elements; y: another block. Returns which of the two holds the results. */
HLOCC_NOINLINE hlocc_S *hlocc_fft_block_V(hlocc_S *x, hlocc_S *y, ptrdiff_t n, const hlocc_S *root)
{
    ptrdiff_t m = n, s = 1;
    while (m > 1) {
        ptrdiff_t r = m % 4 == 0 ? 4 : m % 2 == 0 ? 2 : 3;
        while (m % r) r += 2;
        m /= r;
        if (r == 4) hlocc_fft_pass4_V(x, y, n, m, s, root);
        else if (r == 2) hlocc_fft_pass2_V(x, y, n, m, s, root);
        else if (r == 3) hlocc_fft_pass3_V(x, y, n, m, s, root);
        else hlocc_fft_pass_V(x, y, n, r, m, s, root);
        hlocc_S *t = x;
        x = y;
        y = t;
        s *= r;
    }
    return x;
}

/* piece: hlocc_fft_chirp_V | F | scalar 2 4 8 16 */
/* n elements of x times those of the table w, to y; real and imaginary parts exchanged if swap says so. */
HLOCC_NOINLINE void hlocc_fft_chirp_V(const hlocc_S *x, ptrdiff_t x_plane, hlocc_S *y, ptrdiff_t y_plane, ptrdiff_t n,
                                      const hlocc_S *w, int swap)
{
    for (ptrdiff_t j = 0; j < n; j++) {
        hlocc_V re = hlocc_get_V(x + j * LANES), im = hlocc_get_V(x + x_plane + j * LANES);
        if (swap) hlocc_fft_root_V(y, y_plane, j, im, re, w[2 * j], w[2 * j + 1]);
        else hlocc_fft_root_V(y, y_plane, j, re, im, w[2 * j], w[2 * j + 1]);
    }
}

/* piece: hlocc_fft_any_V | F | scalar 2 4 8 16 */
/* The same as hlocc_fft_block for n with large prime factors, by Bluestein's algorithm: a convolution with a chirp, of
 * padded >= 2n - 1 elements. table: roots of padded, the chirp e^(-pi i k^2 / n), the transform of its conjugate
 * divided by padded. padded 0: as hlocc_fft_block. Blocks have room for padded elements. */
HLOCC_NOINLINE hlocc_S *hlocc_fft_any_V(hlocc_S *x, hlocc_S *y, ptrdiff_t n, ptrdiff_t padded, const hlocc_S *table)
{
    const hlocc_S *chirp = table + 2 * padded, *filter = chirp + 2 * n;
    const ptrdiff_t plane = padded * LANES;
    if (!padded) return hlocc_fft_block_V(x, y, n, table);
    hlocc_fft_chirp_V(x, n * LANES, y, plane, n, chirp, 0);
    for (ptrdiff_t j = n; j < padded; j++) hlocc_fft_keep_V(y, plane, j, K(0), K(0));
    hlocc_S *result = hlocc_fft_block_V(y, x, padded, table), *other = result == x ? y : x;
    hlocc_fft_chirp_V(result, plane, other, plane, padded, filter, 0);
    for (ptrdiff_t j = 0; j < padded; j++) { /* the inverse transform: parts exchanged before and after */
        hlocc_V re = hlocc_get_V(other + j * LANES), im = hlocc_get_V(other + plane + j * LANES);
        hlocc_fft_keep_V(other, plane, j, im, re);
    }
    hlocc_S *convolved = hlocc_fft_block_V(other, result, padded, table), *to = convolved == x ? y : x;
    hlocc_fft_chirp_V(convolved, plane, to, n * LANES, n, chirp, 1);
    return to;
}

/* piece: hlocc_turn_V | F | scalar 2 4 8 16 */
/* Transposes LANES vectors in place. */
HLOCC_INLINE void hlocc_turn_V(hlocc_V *r)
{
@if scalar
    (void)r;
@else
    for (int size = 1; size < LANES; size *= 2) {
        hlocc_V t[LANES];
        for (int i = 0; i < LANES / 2; i++) {
            t[2 * i] = hlocc_zip_lo_V(r[i], r[i + LANES / 2]);
            t[2 * i + 1] = hlocc_zip_hi_V(r[i], r[i + LANES / 2]);
        }
        for (int i = 0; i < LANES; i++) r[i] = t[i];
    }
@end
}

/* piece: hlocc_fft_turn_in_V | F | scalar 2 4 8 16 */
/* LANES complex numbers of each of LANES rows, the rows step numbers apart, to LANES elements of the lanes: re, im. */
HLOCC_NOINLINE void hlocc_fft_turn_in_V(const hlocc_S *in, ptrdiff_t step, hlocc_S *re, hlocc_S *im)
{
    hlocc_V a[LANES], b[LANES];
    for (int l = 0; l < LANES; l++) {
@if scalar
        a[l] = in[2 * l * step];
        b[l] = in[2 * l * step + 1];
@else
        a[l] = hlocc_load_even_V(in + 2 * l * step);
        b[l] = hlocc_load_odd_V(in + 2 * l * step);
@end
    }
    hlocc_turn_V(a);
    hlocc_turn_V(b);
    for (int l = 0; l < LANES; l++) {
        hlocc_put_V(re + l * LANES, a[l]);
        hlocc_put_V(im + l * LANES, b[l]);
    }
}

/* piece: hlocc_fft_turn_out_V | F | scalar 2 4 8 16 */
/* The reverse, each number times scale. */
HLOCC_NOINLINE void hlocc_fft_turn_out_V(const hlocc_S *re, const hlocc_S *im, hlocc_S *out, ptrdiff_t step, hlocc_S scale)
{
    hlocc_V a[LANES], b[LANES];
    for (int l = 0; l < LANES; l++) {
        a[l] = MUL(hlocc_get_V(re + l * LANES), K(scale));
        b[l] = MUL(hlocc_get_V(im + l * LANES), K(scale));
    }
    hlocc_turn_V(a);
    hlocc_turn_V(b);
    for (int l = 0; l < LANES; l++) {
@if scalar
        out[2 * l * step] = a[l];
        out[2 * l * step + 1] = b[l];
@else
        hlocc_store_pairs_V(out + 2 * l * step, a[l], b[l]);
@end
    }
}

/* piece: HLOCC_FFT_INVERSE HLOCC_FFT_REAL_IN HLOCC_FFT_REAL_OUT */
/* How a transform goes. REAL_IN: of real numbers, n / 2 + 1 results; REAL_OUT: the inverse of that. */
enum { HLOCC_FFT_INVERSE = 1, HLOCC_FFT_REAL_IN = 2, HLOCC_FFT_REAL_OUT = 4 };

/* piece: hlocc_fft_axis_V | F | scalar 2 4 8 16 */
/* Transforms along the middle dim of an array [outer][n][inner]; one of the outer parts begins in_step (out_step)
 * elements behind the other. work: 4 * LANES times the larger of n and padded. Results are multiplied by scale. */
HLOCC_NOINLINE void hlocc_fft_axis_V(const hlocc_S *in, hlocc_S *out, hlocc_S *work, const hlocc_S *table, ptrdiff_t n,
                                     ptrdiff_t padded, ptrdiff_t outer, ptrdiff_t inner, ptrdiff_t in_step,
                                     ptrdiff_t out_step, int kind, hlocc_S scale)
{
    const ptrdiff_t all = outer * inner, plane = n * LANES, half = n / 2 + 1;
    const ptrdiff_t inputs = kind & HLOCC_FFT_REAL_OUT ? half : n, outputs = kind & HLOCC_FFT_REAL_IN ? half : n;
    const int in_parts = kind & HLOCC_FFT_REAL_IN ? 1 : 2, out_parts = kind & HLOCC_FFT_REAL_OUT ? 1 : 2;
    hlocc_S *x = work, *y = work + 2 * LANES * (padded > n ? padded : n);
    hlocc_S *re = kind & HLOCC_FFT_INVERSE ? x + plane : x, *im = kind & HLOCC_FFT_INVERSE ? x : x + plane;
    for (ptrdiff_t t = 0; t < all; t += LANES) {
        const int count = all - t < LANES ? (int)(all - t) : LANES;
        const ptrdiff_t o = t / inner, i = t % inner;
        const int rows = inner == 1 && count == LANES && in_parts + out_parts == 4;
@if vector
        const int columns = i + LANES <= inner && in_parts + out_parts == 4;
@end
        const hlocc_S *from = in + in_parts * (o * in_step + i);
        hlocc_S *to = out + out_parts * (o * out_step + i);
        ptrdiff_t j = 0;
@if vector
        for (; columns && j < n; j++) {
            hlocc_store_V(re + j * LANES, hlocc_load_even_V(from + 2 * j * inner));
            hlocc_store_V(im + j * LANES, hlocc_load_odd_V(from + 2 * j * inner));
        }
@end
        for (; rows && j + LANES <= n; j += LANES) hlocc_fft_turn_in_V(from + 2 * j, in_step, re + j * LANES, im + j * LANES);
        for (; j < inputs; j++)
            for (int l = 0; l < LANES; l++) {
                ptrdiff_t u = t + (l < count ? l : count - 1);
                const hlocc_S *p = in + in_parts * (u / inner * in_step + u % inner + j * inner);
                re[j * LANES + l] = p[0];
                im[j * LANES + l] = in_parts == 1 || (inputs < n && j == 0) ? 0 : p[1];
                if (inputs == n || j == 0) continue;
                if (2 * j == n) im[j * LANES + l] = 0;
                re[(n - j) * LANES + l] = p[0];
                im[(n - j) * LANES + l] = 2 * j == n ? 0 : -p[1];
            }
        const hlocc_S *result = hlocc_fft_any_V(x, y, n, padded, table);
        const hlocc_S *r = kind & HLOCC_FFT_INVERSE ? result + plane : result;
        const hlocc_S *c = kind & HLOCC_FFT_INVERSE ? result : result + plane;
        j = 0;
@if vector
        for (; columns && j < n; j++)
            hlocc_store_pairs_V(to + 2 * j * inner, MUL(hlocc_load_V(r + j * LANES), K(scale)),
                                MUL(hlocc_load_V(c + j * LANES), K(scale)));
@end
        for (; rows && j + LANES <= n; j += LANES)
            hlocc_fft_turn_out_V(r + j * LANES, c + j * LANES, to + 2 * j, out_step, scale);
        for (; j < outputs; j++)
            for (int l = 0; l < count; l++) {
                hlocc_S *p = out + out_parts * ((t + l) / inner * out_step + (t + l) % inner + j * inner);
                p[0] = r[j * LANES + l] * scale;
                if (out_parts == 2) p[1] = c[j * LANES + l] * scale;
            }
    }
}
