/* header: hlocc/fft_long_V.h */
/* Long Fourier transforms, one at a time, and those of real numbers of even length. */

/* piece: hlocc_fft_ramp_V | F | 2 4 8 16 */
/* ramp: root k * l of n = n1 * n2 for k below n1 and every lane l, in two planes. table: see hlocc_fft_long. */
HLOCC_NOINLINE void hlocc_fft_ramp_V(hlocc_S *ramp, const hlocc_S *table, ptrdiff_t n1, ptrdiff_t n2)
{
    const hlocc_S *fine = table + 2 * (n1 + n2);
    for (ptrdiff_t k = 0; k < n1; k++)
        for (ptrdiff_t l = 0; l < LANES; l++) {
            const hlocc_S *a = table + 2 * (k * l / n2), *b = fine + 2 * (k * l % n2);
            ramp[k * LANES + l] = a[0] * b[0] - a[1] * b[1];
            ramp[(n1 + k) * LANES + l] = a[0] * b[1] + a[1] * b[0];
        }
}

/* piece: hlocc_fft_long_V | F | 2 4 8 16 */
/* outer transforms of n = n1 * n2, both multiples of LANES: over columns of an [n1][n2] array, each number times its
 * root, over rows. table: roots of n1, roots of n2, and the first n2 roots of n. ramp: of hlocc_fft_ramp. work: 2 n, and
 * 4 * LANES times the larger of n1 and n2. Steps in complex numbers; results are multiplied by scale. */
HLOCC_NOINLINE void hlocc_fft_long_V(const hlocc_S *in, hlocc_S *out, hlocc_S *work, const hlocc_S *table,
                                     const hlocc_S *ramp, ptrdiff_t n1, ptrdiff_t n2, ptrdiff_t outer, ptrdiff_t in_step,
                                     ptrdiff_t out_step, int inverse, hlocc_S scale)
{
    const hlocc_S *root2 = table + 2 * n1, *fine = root2 + 2 * n2;
    const ptrdiff_t n = n1 * n2, p1 = n1 * LANES, p2 = n2 * LANES;
    hlocc_S *re = work, *im = work + n, *x = work + 2 * n, *y = x + 2 * LANES * (n1 > n2 ? n1 : n2);
    for (ptrdiff_t o = 0; o < outer; o++) {
        for (ptrdiff_t j = 0; j < n2; j += LANES) {
            const hlocc_S *from = in + 2 * (o * in_step + j);
            hlocc_S *first = inverse ? x + p1 : x, *second = inverse ? x : x + p1;
            for (ptrdiff_t k = 0; k < n1; k++) {
                hlocc_store_V(first + k * LANES, hlocc_load_even_V(from + 2 * k * n2));
                hlocc_store_V(second + k * LANES, hlocc_load_odd_V(from + 2 * k * n2));
            }
            const hlocc_S *result = hlocc_fft_block_V(x, y, n1, table);
            for (ptrdiff_t k = 0; k < n1; k++) {
                const hlocc_S *u = table + 2 * (k * j / n2), *v = fine + 2 * (k * j % n2);
                hlocc_V c = K(u[0] * v[0] - u[1] * v[1]), s = K(u[0] * v[1] + u[1] * v[0]);
                hlocc_V rc = hlocc_load_V(ramp + k * LANES), rs = hlocc_load_V(ramp + p1 + k * LANES);
                hlocc_V wr = SUB(MUL(c, rc), MUL(s, rs)), wi = FMA(c, rs, MUL(s, rc));
                hlocc_V a = hlocc_load_V(result + k * LANES), b = hlocc_load_V(result + p1 + k * LANES);
                hlocc_store_V(re + k * n2 + j, SUB(MUL(a, wr), MUL(b, wi)));
                hlocc_store_V(im + k * n2 + j, FMA(a, wi, MUL(b, wr)));
            }
        }
        for (ptrdiff_t k = 0; k < n1; k += LANES) {
            for (ptrdiff_t j = 0; j < n2; j += LANES)
                for (int part = 0; part < 2; part++) {
                    const hlocc_S *from = (part ? im : re) + k * n2 + j;
                    hlocc_V r[LANES];
                    for (int l = 0; l < LANES; l++) r[l] = hlocc_load_V(from + l * n2);
                    hlocc_turn_V(r);
                    for (int l = 0; l < LANES; l++) hlocc_store_V(x + part * p2 + (j + l) * LANES, r[l]);
                }
            const hlocc_S *result = hlocc_fft_block_V(x, y, n2, root2);
            const hlocc_S *first = inverse ? result + p2 : result, *second = inverse ? result : result + p2;
            for (ptrdiff_t j = 0; j < n2; j++)
                hlocc_store_pairs_V(out + 2 * (o * out_step + k + n1 * j), MUL(hlocc_load_V(first + j * LANES), K(scale)),
                                    MUL(hlocc_load_V(second + j * LANES), K(scale)));
        }
    }
}

/* piece: hlocc_fft_real_root_C | F | scalar */
/* Root k of n: root k - k % 64 from the coarse table, times root k % 64 from the fine one, which has 64. */
HLOCC_INLINE hlocc_C hlocc_fft_real_root_C(const hlocc_V *table, ptrdiff_t k)
{
    const hlocc_V *fine = table + 2 * (k % 64), *coarse = table + 2 * (64 + k / 64);
    hlocc_C root = {coarse[0] * fine[0] - coarse[1] * fine[1], coarse[0] * fine[1] + coarse[1] * fine[0]};
    return root;
}

/* piece: hlocc_fft_unpack_C | F | scalar */
/* rows times, in place: from the transform z of n / 2 complex numbers that n real ones make in pairs, theirs:
 * n / 2 + 1 numbers, which is also how far the rows are apart. table: see hlocc_fft_real_root. */
HLOCC_NOINLINE void hlocc_fft_unpack_C(hlocc_V *z, ptrdiff_t rows, ptrdiff_t n, const hlocc_V *table)
{
    const ptrdiff_t half = n / 2;
    for (ptrdiff_t row = 0; row < rows; row++, z += 2 * (half + 1)) {
        hlocc_V re = z[0], im = z[1];
        z[0] = re + im;
        z[1] = 0;
        z[2 * half] = re - im;
        z[2 * half + 1] = 0;
        for (ptrdiff_t k = 1; 2 * k <= half; k++) {
            hlocc_V *a = z + 2 * k, *b = z + 2 * (half - k);
            hlocc_C w = hlocc_fft_real_root_C(table, k);
            hlocc_V half_re = 0.5${f} * (a[0] + b[0]), half_im = 0.5${f} * (a[1] - b[1]);
            hlocc_V odd_re = 0.5${f} * (a[1] + b[1]), odd_im = 0.5${f} * (b[0] - a[0]);
            hlocc_V t_re = odd_re * w.re - odd_im * w.im, t_im = odd_re * w.im + odd_im * w.re;
            a[0] = half_re + t_re;
            a[1] = half_im + t_im;
            b[0] = half_re - t_re;
            b[1] = t_im - half_im;
        }
    }
}

/* piece: hlocc_fft_pack_C | F | scalar */
/* The way back: from n / 2 + 1 numbers (of the first and the last the imaginary part does not count) to the n / 2
 * complex ones, whose inverse transform without its factor 1 / (n / 2), divided by n, is n real numbers. */
HLOCC_NOINLINE void hlocc_fft_pack_C(const hlocc_V *in, hlocc_V *z, ptrdiff_t rows, ptrdiff_t n, const hlocc_V *table)
{
    const ptrdiff_t half = n / 2;
    for (ptrdiff_t row = 0; row < rows; row++, in += 2 * (half + 1), z += 2 * half) {
        z[0] = in[0] + in[2 * half];
        z[1] = in[0] - in[2 * half];
        for (ptrdiff_t k = 1; 2 * k <= half; k++) {
            const hlocc_V *a = in + 2 * k, *b = in + 2 * (half - k);
            hlocc_C w = hlocc_fft_real_root_C(table, k);
            hlocc_V even_re = a[0] + b[0], even_im = a[1] - b[1], d_re = a[0] - b[0], d_im = a[1] + b[1];
            hlocc_V t_re = d_re * w.re + d_im * w.im, t_im = d_im * w.re - d_re * w.im;
            z[2 * k] = even_re - t_im;
            z[2 * k + 1] = even_im + t_re;
            z[2 * (half - k)] = even_re + t_im;
            z[2 * (half - k) + 1] = t_re - even_im;
        }
    }
}
