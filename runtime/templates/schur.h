/* header: hlocc/schur_V.h */
/* Matrices without symmetry: Hessenberg form, Schur form by QR steps, eigenvectors.
 * Golub, Van Loan, "Matrix Computations", 7.4 to 7.6; LAPACK, lahqr and lanv2. */

/* piece: hlocc_hessenberg_factor_V | F | scalar 2 4 8 16 */
/* gehrd: reflectors of columns low .. high - 2 (from 0); their v stand below the subdiagonal; tau: n - 1 numbers of `parts`
 * parts. work: four columns. */
HLOCC_NOINLINE void hlocc_hessenberg_factor_V(hlocc_S *a, ptrdiff_t plane, ptrdiff_t width, ptrdiff_t n, ptrdiff_t low,
                                              ptrdiff_t high, hlocc_S *tau, hlocc_S *work)
{
    const ptrdiff_t parts = plane ? 2 : 1, v_plane = plane ? width : 0;
    hlocc_S *v = work, *p = work + parts * width;
    for (ptrdiff_t j = 0; j < parts * (n - 1); j++) tau[j] = 0;
    for (ptrdiff_t j = low; j + 1 < high; j++) {
        hlocc_S t[2];
        hlocc_reflector_V(a + j * width, plane, j + 1, high, width, v, t);
        for (ptrdiff_t i = 0; i < parts * width; i++) p[i] = 0;
        for (ptrdiff_t k = j + 1; k < high; k++) /* p = A v */
            hlocc_columns_add_V(v[k], plane ? v[width + k] : 0, a + k * width, plane, p, v_plane, 0, width);
        for (ptrdiff_t part = 0; part < parts; part++)
            for (ptrdiff_t i = high; i < width; i++) p[part * v_plane + i] = 0;
        for (ptrdiff_t k = j + 1; k < high; k++) { /* A -= tau p v^H */
            const hlocc_S re = v[k], im = plane ? v[width + k] : 0;
            hlocc_columns_add_V(-t[0] * re - t[1] * im, t[0] * im - t[1] * re, p, v_plane, a + k * width, plane, 0, width);
        }
        hlocc_reflect_V(v, t[0], -t[1], a + (j + 1) * width, plane, j + 1, width, n - j - 1);
        for (ptrdiff_t part = 0; part < parts; part++) tau[parts * j + part] = t[part];
    }
}

/* piece: hlocc_hessenberg_V | F | scalar 2 4 8 16 */
/* work: n + 4 columns of each part. */
HLOCC_NOINLINE void hlocc_hessenberg_V(const hlocc_S *a, ptrdiff_t a_batch, ptrdiff_t a_row, ptrdiff_t a_column,
                                       hlocc_S *out, ptrdiff_t o_batch, ptrdiff_t o_row, ptrdiff_t o_column, hlocc_S *tau,
                                       int32_t *info, hlocc_S *work, ptrdiff_t batches, ptrdiff_t n, ptrdiff_t low,
                                       ptrdiff_t high, int parts)
{
    const ptrdiff_t width = hlocc_column_width_V(n), plane = parts > 1 ? n * width : 0;
    for (ptrdiff_t b = 0; b < batches; b++, a += parts * a_batch, out += parts * o_batch, tau += parts * (n - 1)) {
        hlocc_columns_load_V(work, plane, width, a, a_row, a_column, n, n);
        hlocc_hessenberg_factor_V(work, plane, width, n, low, high, tau, work + parts * n * width);
        hlocc_columns_store_V(work, plane, width, out, o_row, o_column, n, n);
        info[b] = 0;
    }
}

/* piece: hlocc_schur_start_V | F | scalar 2 4 8 16 */
/* The first row of the block that ends at `last` and hangs together; what is nothing beside its neighbours becomes 0. */
HLOCC_INLINE ptrdiff_t hlocc_schur_start_V(hlocc_S *h, ptrdiff_t plane, ptrdiff_t width, ptrdiff_t last)
{
@if f32
    const hlocc_S epsilon = 5.9604645e-8f, tiny = 1e-37f;
@else
    const hlocc_S epsilon = 1.1102230246251565e-16, tiny = 1e-300;
@end
    for (ptrdiff_t k = last; k > 0; k--) {
        hlocc_S *x = h + (k - 1) * width + k, *above = x - 1, *here = h + k * width + k;
        hlocc_S below = hlocc_abs_S(*x), beside = hlocc_abs_S(*above) + hlocc_abs_S(*here);
        if (plane) below += hlocc_abs_S(x[plane]), beside += hlocc_abs_S(above[plane]) + hlocc_abs_S(here[plane]);
        if (below > epsilon * beside && below > tiny) continue;
        *x = 0;
        if (plane) x[plane] = 0;
        return k;
    }
    return 0;
}

/* piece: hlocc_schur_rows_V | F | scalar 2 4 8 16 */
/* Rows k and k + 1 of columns from .. n - 1: r = c r + conj(s) t, t = c t - s r. */
HLOCC_INLINE void hlocc_schur_rows_V(hlocc_S *h, ptrdiff_t plane, ptrdiff_t width, ptrdiff_t k, ptrdiff_t from,
                                     ptrdiff_t n, hlocc_S c, hlocc_S re, hlocc_S im)
{
    for (ptrdiff_t j = from; j < n; j++) {
        hlocc_S *p = h + j * width + k, x = p[0], y = p[1];
        if (!plane) {
            p[0] = c * x + re * y;
            p[1] = c * y - re * x;
            continue;
        }
        hlocc_S *q = p + plane, u = q[0], v = q[1];
        p[0] = c * x + re * y + im * v;
        q[0] = c * u + re * v - im * y;
        p[1] = c * y - re * x + im * u;
        q[1] = c * v - re * u - im * x;
    }
}

/* piece: hlocc_schur_columns_V | F | scalar 2 4 8 16 */
/* The adjoint from the right, on columns x and y: x = c x + s y, y = c y - conj(s) x. */
HLOCC_INLINE void hlocc_schur_columns_V(hlocc_S *x, hlocc_S *y, ptrdiff_t plane, ptrdiff_t width, hlocc_S c, hlocc_S re,
                                        hlocc_S im)
{
    for (ptrdiff_t i = 0; i < width; i += LANES) {
        hlocc_V a = hlocc_get_V(x + i), b = hlocc_get_V(y + i), r = MUL(K(re), b), s = MUL(K(-re), a);
        if (plane) {
            hlocc_V u = hlocc_get_V(x + plane + i), v = hlocc_get_V(y + plane + i);
            hlocc_put_V(x + plane + i, FMA(K(c), u, FMA(K(re), v, MUL(K(im), b))));
            hlocc_put_V(y + plane + i, FMA(K(c), v, FMA(K(-re), u, MUL(K(im), a))));
            r = FMA(K(-im), v, r);
            s = FMA(K(-im), u, s);
        }
        hlocc_put_V(x + i, FMA(K(c), a, r));
        hlocc_put_V(y + i, FMA(K(c), b, s));
    }
}

/* piece: hlocc_schur_turn_V | F | scalar 2 4 8 16 */
/* A similarity by the rotation of rows and columns k and k + 1. */
HLOCC_INLINE void hlocc_schur_turn_V(hlocc_S *h, hlocc_S *z, ptrdiff_t plane, ptrdiff_t width, ptrdiff_t n, ptrdiff_t k,
                                     ptrdiff_t from, hlocc_S c, hlocc_S re, hlocc_S im)
{
    hlocc_schur_rows_V(h, plane, width, k, from, n, c, re, im);
    hlocc_schur_columns_V(h + k * width, h + (k + 1) * width, plane, width, c, re, im);
    hlocc_schur_columns_V(z + k * width, z + (k + 1) * width, plane, width, c, re, im);
}

/* piece: hlocc_root_parts_V | F | scalar */
/* The square root of a complex number. */
HLOCC_INLINE void hlocc_root_parts_V(hlocc_V re, hlocc_V im, hlocc_V out[2])
{
    const hlocc_V size = hlocc_hypot_V(re, im), root = hlocc_sqrt_V((size + hlocc_abs_V(re)) / 2);
    const hlocc_V other = root == 0 ? 0 : hlocc_abs_V(im) / (2 * root);
    out[0] = re >= 0 ? root : other;
    out[1] = hlocc_copysign_V(re >= 0 ? other : root, im);
}

/* piece: hlocc_schur_complex_V | F | scalar 2 4 8 16 */
/* Upper Hessenberg h to upper triangular, z along, by QR steps with Wilkinson's shift. Returns whether it converged. */
HLOCC_NOINLINE int hlocc_schur_complex_V(hlocc_S *h, hlocc_S *z, ptrdiff_t plane, ptrdiff_t width, ptrdiff_t n)
{
    int tries = 0;
    for (ptrdiff_t last = n - 1; last > 0;) {
        const ptrdiff_t first = hlocc_schur_start_V(h, plane, width, last);
        if (first == last) {
            last--;
            tries = 0;
            continue;
        }
        if (++tries > 300) return 0;
        const hlocc_S *left = h + (last - 1) * width + last - 1, *right = h + last * width + last - 1;
        hlocc_S shift[2] = {right[1], right[plane + 1]};
        if (tries % 11 == 0) { /* out of a cycle */
            shift[0] += hlocc_abs_S(left[1]) + hlocc_abs_S(left[plane + 1]);
        } else {
            const hlocc_S re = (left[0] - right[1]) / 2, im = (left[plane] - right[plane + 1]) / 2;
            hlocc_S root[2];
            hlocc_root_parts_S(re * re - im * im + right[0] * left[1] - right[plane] * left[plane + 1],
                               2 * re * im + right[0] * left[plane + 1] + right[plane] * left[1], root);
            const hlocc_S sign = re * root[0] + im * root[1] < 0 ? 1 : -1; /* the nearer one of two */
            shift[0] += re + sign * root[0], shift[1] += im + sign * root[1];
        }
        for (ptrdiff_t k = first; k < last; k++) {
            const hlocc_S *at = k == first ? h + k * width + k : h + (k - 1) * width + k;
            hlocc_S x = at[0], xi = at[plane], y = at[1], yi = at[plane + 1];
            if (k == first) x -= shift[0], xi -= shift[1];
            const hlocc_S size = hlocc_hypot_S(x, xi), length = hlocc_hypot_S(size, hlocc_hypot_S(y, yi));
            hlocc_S c = 1, re = 0, im = 0;
            if (length != 0 && size == 0) c = 0, re = y / length, im = yi / length;
            if (length != 0 && size != 0) {
                c = size / length;
                x /= size, xi /= size;
                re = (x * y + xi * yi) / length, im = (x * yi - xi * y) / length;
            }
            hlocc_schur_turn_V(h, z, plane, width, n, k, k > first ? k - 1 : k, c, re, im);
            if (k > first) h[(k - 1) * width + k + 1] = h[plane + (k - 1) * width + k + 1] = 0;
        }
    }
    return 1;
}

/* piece: hlocc_schur_standard_V | F | scalar */
/* lanv2: the rotation (c, s) after which a real block {a, b, c, d} has equal diagonal elements and others of opposite
 * sign, or is upper triangular; the block becomes that. */
HLOCC_NOINLINE void hlocc_schur_standard_V(hlocc_V m[4], hlocc_V turn[2])
{
@if f32
    const hlocc_V epsilon = 1.1920929e-7f;
@else
    const hlocc_V epsilon = 2.220446049250313e-16;
@end
    const hlocc_V a = m[0], b = m[1], c = m[2], d = m[3], difference = a - d, p = difference / 2;
    turn[0] = 1, turn[1] = 0;
    if (c == 0 || (difference == 0 && (b < 0) != (c < 0) && b != 0)) return;
    if (b == 0) {
        turn[0] = 0, turn[1] = 1;
        m[0] = d, m[1] = -c, m[2] = 0, m[3] = a;
        return;
    }
    const hlocc_V ab = hlocc_abs_V(b), ac = hlocc_abs_V(c), large = ab > ac ? ab : ac;
    const hlocc_V small = (ab > ac ? ac : ab) * hlocc_copysign_V(1, b) * hlocc_copysign_V(1, c);
    const hlocc_V scale = hlocc_abs_V(p) > large ? hlocc_abs_V(p) : large;
    const hlocc_V inner = p / scale * p + large / scale * small;
    if (inner >= 4 * epsilon * scale) { /* two real eigenvalues */
        const hlocc_V z = p + hlocc_copysign_V(hlocc_sqrt_V(scale) * hlocc_sqrt_V(inner), p), t = hlocc_hypot_V(c, z);
        turn[0] = z / t, turn[1] = c / t;
        m[0] = d + z, m[1] = b - c, m[2] = 0, m[3] = d - large / z * small;
        return;
    }
    const hlocc_V sigma = b + c, t = hlocc_hypot_V(sigma, difference);
    const hlocc_V cs = hlocc_sqrt_V((1 + hlocc_abs_V(sigma) / t) / 2), sn = -(p / (t * cs)) * hlocc_copysign_V(1, sigma);
    const hlocc_V aa = a * cs + b * sn, bb = b * cs - a * sn, cc = c * cs + d * sn, dd = d * cs - c * sn;
    const hlocc_V above = bb * cs + dd * sn, below = cc * cs - aa * sn, mean = (aa * cs + cc * sn + dd * cs - bb * sn) / 2;
    turn[0] = cs, turn[1] = sn;
    m[0] = m[3] = mean, m[1] = above, m[2] = below;
    if (below == 0) return;
    if (above == 0) {
        m[1] = -below, m[2] = 0;
        turn[0] = -sn, turn[1] = cs;
        return;
    }
    if ((above < 0) != (below < 0)) return;
    const hlocc_V ra = hlocc_sqrt_V(hlocc_abs_V(above)), rb = hlocc_sqrt_V(hlocc_abs_V(below));
    const hlocc_V root = hlocc_copysign_V(ra * rb, below), size = hlocc_sqrt_V(hlocc_abs_V(above + below));
    m[0] = mean + root, m[3] = mean - root, m[1] = above - below, m[2] = 0;
    turn[0] = (cs * ra - sn * rb) / size, turn[1] = (cs * rb + sn * ra) / size;
}

/* piece: hlocc_schur_francis_V | F | scalar 2 4 8 16 */
/* One step with two shifts, their sum and product given, on rows first .. last; v: a column of work. */
HLOCC_INLINE void hlocc_schur_francis_V(hlocc_S *h, hlocc_S *z, ptrdiff_t width, ptrdiff_t n, ptrdiff_t first,
                                        ptrdiff_t last, hlocc_S sum, hlocc_S product, hlocc_S *v)
{
    const hlocc_S *p = h + first * width + first, *q = p + width;
    hlocc_S x[3] = {p[0] * (p[0] - sum) + q[0] * p[1] + product, p[1] * (p[0] + q[1] - sum), p[1] * q[2]};
    for (ptrdiff_t k = first; k < last; k++) {
        const ptrdiff_t rows = k + 2 <= last ? 3 : 2, from = k > first ? k - 1 : k;
        if (rows == 2) x[2] = 0;
        const hlocc_S length = hlocc_hypot_S(hlocc_hypot_S(x[0], x[1]), x[2]);
        if (length != 0) {
            const hlocc_S beta = -hlocc_copysign_S(length, x[0]), scale = 1 / (x[0] - beta);
            const hlocc_S tau = (beta - x[0]) / beta, u[3] = {1, x[1] * scale, x[2] * scale};
            for (ptrdiff_t j = from; j < n; j++) {
                hlocc_S *c = h + j * width + k, dot = 0;
                for (ptrdiff_t i = 0; i < rows; i++) dot += u[i] * c[i];
                for (ptrdiff_t i = 0; i < rows; i++) c[i] -= tau * dot * u[i];
            }
            for (int of = 0; of < 2; of++) {
                hlocc_S *c = (of ? z : h) + k * width;
                for (ptrdiff_t i = 0; i < width; i++) v[i] = 0;
                for (ptrdiff_t i = 0; i < rows; i++) hlocc_column_add_V(u[i], c + i * width, v, 0, width);
                for (ptrdiff_t i = 0; i < rows; i++) hlocc_column_add_V(-tau * u[i], v, c + i * width, 0, width);
            }
        }
        for (ptrdiff_t i = 1; k > first && i < rows; i++) h[(k - 1) * width + k + i] = 0;
        for (ptrdiff_t i = 0; i < 3; i++) x[i] = k + 1 + i <= last ? h[k * width + k + 1 + i] : 0;
    }
}

/* piece: hlocc_schur_real_V | F | scalar 2 4 8 16 */
/* Upper Hessenberg h to blocks of one and two, these with equal diagonal elements, z along. v: a column of work. */
HLOCC_NOINLINE int hlocc_schur_real_V(hlocc_S *h, hlocc_S *z, ptrdiff_t width, ptrdiff_t n, hlocc_S *v)
{
    int tries = 0;
    for (ptrdiff_t last = n - 1; last > 0;) {
        const ptrdiff_t first = hlocc_schur_start_V(h, 0, width, last);
        if (first == last) {
            last--;
            tries = 0;
            continue;
        }
        hlocc_S *left = h + (last - 1) * width + last - 1, *right = h + last * width + last - 1;
        if (first == last - 1) {
            hlocc_S block[4] = {left[0], right[0], left[1], right[1]}, turn[2];
            hlocc_schur_standard_S(block, turn);
            hlocc_schur_turn_V(h, z, 0, width, n, first, first, turn[0], turn[1], 0);
            left[0] = block[0], right[0] = block[1], left[1] = block[2], right[1] = block[3];
            last -= 2;
            tries = 0;
            continue;
        }
        if (++tries > 300) return 0;
        hlocc_S sum = left[0] + right[1], product = left[0] * right[1] - right[0] * left[1];
        if (tries % 11 == 0) { /* out of a cycle */
            const hlocc_S size = hlocc_abs_S(left[1]) + hlocc_abs_S(h[(last - 2) * width + last - 1]);
            sum = size * 3 / 2, product = size * size;
        }
        hlocc_schur_francis_V(h, z, width, n, first, last, sum, product, v);
    }
    return 1;
}

/* piece: hlocc_schur_factor_V | F | scalar 2 4 8 16 */
/* A = Z T Z^H, T in place of a. tau: a column; work: four columns, each of all parts. Returns whether it converged. */
HLOCC_NOINLINE int hlocc_schur_factor_V(hlocc_S *a, hlocc_S *z, ptrdiff_t plane, ptrdiff_t width, ptrdiff_t n,
                                        hlocc_S *tau, hlocc_S *work)
{
    hlocc_hessenberg_factor_V(a, plane, width, n, 0, n, tau, work);
    hlocc_columns_identity_V(z, plane, width, n);
    hlocc_qr_product_V(a, plane, width, 1, n - 1, tau, z, plane, n, 0, 1, work);
    for (ptrdiff_t part = 0; part <= (plane != 0); part++)
        for (ptrdiff_t j = 0; j < n; j++)
            for (ptrdiff_t i = j + 2; i < n; i++) a[part * plane + j * width + i] = 0;
    return plane ? hlocc_schur_complex_V(a, z, plane, width, n) : hlocc_schur_real_V(a, z, width, n, work);
}

/* piece: hlocc_schur_values_V | F | scalar 2 4 8 16 */
/* Real matrices: the eigenvalues of T's blocks. */
HLOCC_INLINE void hlocc_schur_values_V(const hlocc_S *t, ptrdiff_t width, ptrdiff_t n, hlocc_S *re, hlocc_S *im)
{
    for (ptrdiff_t i = 0; i < n; i++) re[i] = t[i * width + i], im[i] = 0;
    for (ptrdiff_t i = 0; i + 1 < n; i++) {
        const hlocc_S below = t[i * width + i + 1], above = t[(i + 1) * width + i];
        if (below == 0) continue;
        im[i] = hlocc_sqrt_S(hlocc_abs_S(below)) * hlocc_sqrt_S(hlocc_abs_S(above));
        im[i + 1] = -im[i];
    }
}

/* piece: hlocc_schur_V | F | scalar 2 4 8 16 */
/* gees without ordering: T, Z in vs (or NULL), eigenvalues: real and imaginary parts, or numbers in w_re (w_im NULL). work:
 * 2 n + 5 columns of each part. */
HLOCC_NOINLINE void hlocc_schur_V(const hlocc_S *a, ptrdiff_t a_batch, ptrdiff_t a_row, ptrdiff_t a_column, hlocc_S *out,
                                  ptrdiff_t o_batch, ptrdiff_t o_row, ptrdiff_t o_column, hlocc_S *vs, ptrdiff_t v_batch,
                                  ptrdiff_t v_row, ptrdiff_t v_column, hlocc_S *w_re, hlocc_S *w_im, int32_t *sorted,
                                  int32_t *info, hlocc_S *work, ptrdiff_t batches, ptrdiff_t n, int parts)
{
    const ptrdiff_t width = hlocc_column_width_V(n), plane = parts > 1 ? n * width : 0;
    hlocc_S *z = work + parts * n * width, *tau = z + parts * n * width, *v = tau + parts * width;
    for (ptrdiff_t b = 0; b < batches; b++, a += parts * a_batch, out += parts * o_batch, vs += parts * v_batch) {
        hlocc_columns_load_V(work, plane, width, a, a_row, a_column, n, n);
        info[b] = !hlocc_schur_factor_V(work, z, plane, width, n, tau, v);
        sorted[b] = 0;
        for (ptrdiff_t i = 0; plane && i < n; i++) {
            w_re[2 * (b * n + i)] = work[i * width + i];
            w_re[2 * (b * n + i) + 1] = work[plane + i * width + i];
        }
        if (!plane) hlocc_schur_values_V(work, width, n, w_re + b * n, w_im + b * n);
        hlocc_columns_store_V(work, plane, width, out, o_row, o_column, n, n);
        hlocc_columns_store_V(z, plane, width, vs, v_row, v_column, n, n);
    }
}

/* piece: hlocc_schur_split_V | F | scalar 2 4 8 16 */
/* Blocks of two of a real T, in complex numbers from now on, become triangular by unitary rotations. */
HLOCC_INLINE void hlocc_schur_split_V(hlocc_S *t, hlocc_S *z, ptrdiff_t plane, ptrdiff_t width, ptrdiff_t n)
{
    for (ptrdiff_t k = 0; k + 1 < n; k++) {
        const hlocc_S below = t[k * width + k + 1], above = t[(k + 1) * width + k], mean = t[k * width + k];
        if (below == 0) continue;
        /* The vector of mean + i im: (i im, below), which the rotation turns to the first axis. */
        const hlocc_S im = hlocc_sqrt_S(hlocc_abs_S(below)) * hlocc_sqrt_S(hlocc_abs_S(above));
        const hlocc_S length = hlocc_hypot_S(im, below);
        hlocc_schur_turn_V(t, z, plane, width, n, k, k, im / length, 0, -below / length);
        t[k * width + k] = t[(k + 1) * width + k + 1] = mean;
        t[plane + k * width + k] = im, t[plane + (k + 1) * width + k + 1] = -im;
        t[k * width + k + 1] = t[plane + k * width + k + 1] = 0;
    }
}

/* piece: hlocc_schur_vector_V | F | scalar 2 4 8 16 */
/* Eigenvector k of complex upper triangular t, or of its adjoint (left), in x; `least` stands for differences of equal
 * eigenvalues. */
HLOCC_INLINE void hlocc_schur_vector_V(const hlocc_S *t, ptrdiff_t plane, ptrdiff_t width, ptrdiff_t n, ptrdiff_t k,
                                       int left, hlocc_S least, hlocc_S *x)
{
    const hlocc_S *own = t + k * width + k;
    for (ptrdiff_t i = 0; i < 2 * width; i++) x[i] = 0;
    x[k] = 1;
    for (ptrdiff_t step = 1; left ? k + step < n : step <= k; step++) {
        const ptrdiff_t i = left ? k + step : k - step;
        hlocc_S re = 0, im = 0, inverse[2];
        for (ptrdiff_t j = left ? k : i + 1; j < (left ? i : k + 1); j++) {
            const hlocc_S *c = left ? t + i * width + j : t + j * width + i, ci = left ? -c[plane] : c[plane];
            re -= c[0] * x[j] - ci * x[width + j];
            im -= c[0] * x[width + j] + ci * x[j];
        }
        const hlocc_S *here = t + i * width + i, gap = here[0] - own[0];
        const hlocc_S turned = here[plane] - own[plane], gap_im = left ? -turned : turned;
        const int equal = hlocc_abs_S(gap) + hlocc_abs_S(gap_im) < least;
        hlocc_reciprocal_parts_S(equal ? least : gap, equal ? 0 : gap_im, inverse);
        x[i] = re * inverse[0] - im * inverse[1];
        x[width + i] = re * inverse[1] + im * inverse[0];
    }
}

/* piece: hlocc_schur_vectors_V | F | scalar 2 4 8 16 */
/* Eigenvectors of Z T Z^H (left: of its adjoint) in the columns of out: of unit length, the largest element real; with
 * `pairs`, the second of a pair is the first one's conjugate, and vectors of real eigenvalues are real. x: four columns. */
HLOCC_NOINLINE void hlocc_schur_vectors_V(const hlocc_S *t, const hlocc_S *z, ptrdiff_t plane, ptrdiff_t width, ptrdiff_t n,
                                          int left, int pairs, hlocc_S *out, ptrdiff_t row, ptrdiff_t column, hlocc_S *x)
{
@if f32
    const hlocc_S epsilon = 1.1920929e-7f, tiny = 1e-37f;
@else
    const hlocc_S epsilon = 2.220446049250313e-16, tiny = 1e-300;
@end
    hlocc_S *v = x + 2 * width, size = 0;
    for (ptrdiff_t j = 0; j < n; j++) {
        const hlocc_S length = hlocc_column_length_V(t + j * width, plane, width);
        if (length > size) size = length;
    }
    const hlocc_S least = size * epsilon > tiny ? size * epsilon : tiny;
    for (ptrdiff_t k = 0; k < n; k++) {
        const hlocc_S im = t[plane + k * width + k];
        if (!pairs || !(im < 0)) {
            hlocc_schur_vector_V(t, plane, width, n, k, left, least, x);
            for (ptrdiff_t i = 0; i < 2 * width; i++) v[i] = 0;
            for (ptrdiff_t j = 0; j < n; j++)
                hlocc_columns_add_V(x[j], x[width + j], z + j * width, plane, v, width, 0, width);
            const hlocc_S length = 1 / hlocc_column_length_V(v, width, width);
            hlocc_columns_scale_V(length, 0, v, width, width);
            ptrdiff_t largest = 0;
            hlocc_S most = -1;
            for (ptrdiff_t i = 0; i < n; i++) {
                const hlocc_S square = v[i] * v[i] + v[width + i] * v[width + i];
                if (square > most) most = square, largest = i;
            }
            const hlocc_S turn = hlocc_hypot_S(v[largest], v[width + largest]);
            if (v[width + largest] != 0 && turn > 0)
                hlocc_columns_scale_V(v[largest] / turn, -v[width + largest] / turn, v, width, width);
            v[width + largest] = 0;
        } else { /* conjugate of the one before */
            for (ptrdiff_t i = 0; i < width; i++) v[width + i] = -v[width + i];
        }
        hlocc_columns_store_V(v, width, width, out + 2 * k * column, row, column, n, 1);
    }
}

/* piece: hlocc_eigen_V | F | scalar 2 4 8 16 */
/* geev: eigenvalues as hlocc_schur; left and right eigenvectors, complex, where not NULL. work: 4 n + 10 columns. */
HLOCC_NOINLINE void hlocc_eigen_V(const hlocc_S *a, ptrdiff_t a_batch, ptrdiff_t a_row, ptrdiff_t a_column, hlocc_S *w_re,
                                  hlocc_S *w_im, hlocc_S *vl, ptrdiff_t l_batch, ptrdiff_t l_row, ptrdiff_t l_column,
                                  hlocc_S *vr, ptrdiff_t r_batch, ptrdiff_t r_row, ptrdiff_t r_column, int32_t *info,
                                  hlocc_S *work, ptrdiff_t batches, ptrdiff_t n, int parts)
{
    const ptrdiff_t width = hlocc_column_width_V(n), plane = n * width;
    hlocc_S *z = work + 2 * plane, *tau = z + 2 * plane, *v = tau + 2 * width;
    for (ptrdiff_t b = 0; b < batches; b++, a += parts * a_batch) {
        hlocc_columns_load_V(work, parts > 1 ? plane : 0, width, a, a_row, a_column, n, n);
        info[b] = !hlocc_schur_factor_V(work, z, parts > 1 ? plane : 0, width, n, tau, v);
        for (ptrdiff_t i = 0; parts > 1 && i < n; i++) {
            w_re[2 * (b * n + i)] = work[i * width + i];
            w_re[2 * (b * n + i) + 1] = work[plane + i * width + i];
        }
        if (parts == 1) {
            hlocc_schur_values_V(work, width, n, w_re + b * n, w_im + b * n);
            for (ptrdiff_t i = 0; i < plane; i++) work[plane + i] = z[plane + i] = 0;
            hlocc_schur_split_V(work, z, plane, width, n);
        }
        if (vl) hlocc_schur_vectors_V(work, z, plane, width, n, 1, parts == 1, vl + 2 * b * l_batch, l_row, l_column, v);
        if (vr) hlocc_schur_vectors_V(work, z, plane, width, n, 0, parts == 1, vr + 2 * b * r_batch, r_row, r_column, v);
    }
}
