/* Schur forms and eigenvectors of matrices without symmetry, by the QR algorithm with single shifts. */
#include <math.h>
#include <string.h>

#include "ir/eval/linalg.h"

/* The eigenvalue of the 2 x 2 block that ends at `last` which is nearer to its last element (Wilkinson's shift). */
static Complex shift_for(const Complex *h, int64_t n, int64_t last) {
    Complex a = h[(last - 1) * n + last - 1], b = h[(last - 1) * n + last], c = h[last * n + last - 1],
            d = h[last * n + last];
    Complex half = c_scale(c_sub(a, d), 0.5), inner = c_add(c_mul(half, half), c_mul(b, c));
    double size = sqrt(sqrt(c_abs2(inner))), angle = atan2(inner.im, inner.re) / 2;
    Complex root = {size * cos(angle), size * sin(angle)};
    Complex plus = c_add(half, root), minus = c_sub(half, root);
    return c_add(d, c_abs2(plus) < c_abs2(minus) ? plus : minus);
}

/* The rotation G = [[c, conj(s)], [-s, c]]. */
typedef struct {
    double c;
    Complex s;
} Rotation;

/* The one that, applied to two rows from the left, makes y zero against x. */
static Rotation annihilate(Complex x, Complex y) {
    double length = sqrt(c_abs2(x) + c_abs2(y));
    double size = sqrt(c_abs2(x));
    if (length == 0) return (Rotation){1, {0, 0}};
    if (size == 0) return (Rotation){0, c_scale(y, 1 / length)};
    Complex phase = c_scale(x, 1 / size);
    return (Rotation){size / length, c_scale(c_mul(c_conj(phase), y), 1 / length)};
}

/* One QR step with a shift on rows and columns first .. last of h, z gathering the rotations. */
static void qr_sweep(Complex *h, int64_t n, int64_t first, int64_t last, Complex shift, Complex *z) {
    for (int64_t k = first; k < last; k++) {
        Complex x = k == first ? c_sub(h[k * n + k], shift) : h[k * n + k - 1];
        Complex y = k == first ? h[(k + 1) * n + k] : h[(k + 1) * n + k - 1];
        Rotation r = annihilate(x, y);
        for (int64_t j = 0; j < n; j++) {
            Complex p = h[k * n + j], q = h[(k + 1) * n + j];
            h[k * n + j] = c_add(c_scale(p, r.c), c_mul(c_conj(r.s), q));
            h[(k + 1) * n + j] = c_sub(c_scale(q, r.c), c_mul(r.s, p));
        }
        Complex *of[] = {h, z};
        for (int m = 0; m < 2; m++)
            for (int64_t i = 0; i < n; i++) {
                Complex p = of[m][i * n + k], q = of[m][i * n + k + 1];
                of[m][i * n + k] = c_add(c_scale(p, r.c), c_mul(r.s, q));
                of[m][i * n + k + 1] = c_sub(c_scale(q, r.c), c_mul(c_conj(r.s), p));
            }
        if (k > first) h[(k + 1) * n + k - 1] = (Complex){0, 0};
    }
}

/* a = z h z^H with h upper Hessenberg, in place of a. */
static void to_hessenberg(Arena *scratch, Complex *a, int64_t n, Complex *z) {
    Complex *tau = NEW_ARRAY(scratch, Complex, n + 1), *q = NEW_ARRAY(scratch, Complex, n * n);
    hessenberg_factor(a, n, 0, n, tau);
    int64_t m = n - 1; /* z is 1 and, below it, the product of the reflectors, which start one row down */
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < m; j++) q[i * m + j] = a[(i + 1) * n + j];
    if (m > 0) qr_form(q, m, m, m, tau);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            z[i * n + j] = i && j ? q[(i - 1) * m + j - 1] : (Complex){i == j, 0};
            if (j + 1 < i) a[i * n + j] = (Complex){0, 0};
        }
}

/* The first row of the block that ends at `last` and hangs together: the element below the diagonal in front of it
 * is nothing beside its neighbours. */
static int64_t block_start(Complex *h, int64_t n, int64_t last) {
    for (int64_t k = last; k > 0; k--) {
        double below = sqrt(c_abs2(h[k * n + k - 1]));
        double beside = sqrt(c_abs2(h[k * n + k])) + sqrt(c_abs2(h[(k - 1) * n + k - 1]));
        if (below > 1e-16 * beside) continue;
        h[k * n + k - 1] = (Complex){0, 0};
        return k;
    }
    return 0;
}

enum { MOST_TRIES = 300, UNUSUAL_TRY = 11 };

bool schur_factor(Arena *scratch, Complex *a, int64_t n, Complex *z) {
    to_hessenberg(scratch, a, n, z);
    int64_t tries = 0;
    for (int64_t last = n - 1; last > 0;) {
        int64_t first = block_start(a, n, last);
        if (first == last) {
            last--;
            tries = 0;
            continue;
        }
        if (++tries > MOST_TRIES) return false;
        /* An unusual shift now and then gets it out of cycles. */
        double below = sqrt(c_abs2(a[last * n + last - 1]));
        Complex shift = tries % UNUSUAL_TRY ? shift_for(a, n, last) : c_add(a[last * n + last], (Complex){below, 0});
        qr_sweep(a, n, first, last, shift, z);
    }
    return true;
}

/* --- eigenvectors ------------------------------------------------------------------------------------------------- */

/* A column of unit length, turned so that its largest element is real. */
static void normalise_column(Complex *a, int64_t n, int64_t k) {
    double norm2 = 0;
    Complex largest = {0, 0};
    for (int64_t i = 0; i < n; i++) {
        norm2 += c_abs2(a[i * n + k]);
        if (c_abs2(a[i * n + k]) > c_abs2(largest)) largest = a[i * n + k];
    }
    Complex turn = c_scale(c_conj(largest), 1 / (sqrt(c_abs2(largest)) * sqrt(norm2)));
    for (int64_t i = 0; i < n; i++) a[i * n + k] = c_mul(a[i * n + k], turn);
}

void schur_vectors(Arena *scratch, const Complex *t, const Complex *z, int64_t n, Complex *vectors) {
    Complex *x = NEW_ARRAY(scratch, Complex, n);
    double scale = 0;
    for (int64_t i = 0; i < n * n; i++) scale = fmax(scale, sqrt(c_abs2(t[i])));
    for (int64_t k = 0; k < n; k++) {
        memset(x, 0, (size_t)n * sizeof *x);
        x[k].re = 1;
        for (int64_t i = k - 1; i >= 0; i--) { /* (t - w) x = 0, backwards */
            Complex sum = {0, 0};
            for (int64_t j = i + 1; j <= k; j++) sum = c_sub(sum, c_mul(t[i * n + j], x[j]));
            Complex pivot = c_sub(t[i * n + i], t[k * n + k]);
            if (c_abs2(pivot) < 1e-32 * scale * scale) pivot = (Complex){1e-16 * scale + 1e-300, 0};
            x[i] = c_div(sum, pivot);
        }
        for (int64_t i = 0; i < n; i++) {
            Complex sum = {0, 0};
            for (int64_t j = 0; j <= k; j++) sum = c_add(sum, c_mul(z[i * n + j], x[j]));
            vectors[i * n + k] = sum;
        }
        normalise_column(vectors, n, k);
    }
}

/* --- real matrices ------------------------------------------------------------------------------------------------ */

/* n numbers apart by stride, of which only the real parts count. */
static void keep_real(Complex *x, int64_t n) {
    for (int64_t i = 0; i < n; i++) x[i].im = 0;
}

/* An orthogonal matrix q [m][m] whose first one or two columns span the real and imaginary parts of v. */
static void real_basis(Arena *scratch, const Complex *v, int64_t stride, int64_t m, int64_t width, Complex *q) {
    Complex tau[2];
    Complex *parts = NEW_ARRAY(scratch, Complex, m * width);
    for (int64_t i = 0; i < m; i++) {
        parts[i * width].re = v[i * stride].re;
        if (width > 1) parts[i * width + 1].re = v[i * stride].im;
    }
    qr_factor(parts, m, width, tau);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < m; j++) q[i * m + j] = j < width ? parts[i * width + j] : (Complex){0, 0};
    qr_form(q, m, m, m < width ? m : width, tau);
}

/* a = a q, for columns from `at` on of n rows. */
static void multiply_right(Arena *scratch, Complex *a, int64_t n, int64_t at, const Complex *q) {
    int64_t m = n - at;
    Complex *row = NEW_ARRAY(scratch, Complex, m);
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < m; j++) {
            row[j] = (Complex){0, 0};
            for (int64_t k = 0; k < m; k++) row[j] = c_add(row[j], c_mul(a[i * n + at + k], q[k * m + j]));
        }
        memcpy(a + i * n + at, row, (size_t)m * sizeof *row);
    }
}

/* a = q^T a, for rows from `at` on. */
static void multiply_left(Arena *scratch, Complex *a, int64_t n, int64_t at, const Complex *q) {
    int64_t m = n - at;
    Complex *column = NEW_ARRAY(scratch, Complex, m);
    for (int64_t j = 0; j < n; j++) {
        for (int64_t i = 0; i < m; i++) {
            column[i] = (Complex){0, 0};
            for (int64_t k = 0; k < m; k++) column[i] = c_add(column[i], c_mul(q[k * m + i], a[(at + k) * n + j]));
        }
        for (int64_t i = 0; i < m; i++) a[(at + i) * n + j] = column[i];
    }
}

/* Turns the first two columns of q so that the block of a that they make has equal diagonal elements. */
static void standardise(Complex *q, int64_t m, const Complex *block, int64_t stride) {
    double angle = atan2(block[stride + 1].re - block[0].re, block[1].re + block[stride].re) / 2;
    for (int64_t i = 0; i < m; i++) {
        double x = q[i * m].re, y = q[i * m + 1].re;
        q[i * m].re = cos(angle) * x + sin(angle) * y;
        q[i * m + 1].re = cos(angle) * y - sin(angle) * x;
    }
}

/* An eigenvalue at a time, of what is left: the space of its vector is split off by an orthogonal matrix. */
bool schur_factor_real(Arena *scratch, Complex *a, int64_t n, Complex *z) {
    for (int64_t i = 0; i < n * n; i++) z[i] = (Complex){i % (n + 1) == 0, 0};
    for (int64_t at = 0, width; at < n; at += width) {
        int64_t m = n - at;
        Complex *rest = NEW_ARRAY(scratch, Complex, m * m), *vectors = NEW_ARRAY(scratch, Complex, m * m);
        Complex *q = NEW_ARRAY(scratch, Complex, m * m), *turn = NEW_ARRAY(scratch, Complex, m * m);
        for (int64_t i = 0; i < m; i++) memcpy(rest + i * m, a + (at + i) * n + at, (size_t)m * sizeof *rest);
        if (!schur_factor(scratch, rest, m, vectors)) return false;
        normalise_column(vectors, m, 0);
        double size = sqrt(c_abs2(rest[0]));
        width = fabs(rest[0].im) > 1e-13 * size && m > 1 ? 2 : 1;
        real_basis(scratch, vectors, m, m, width, q);
        multiply_right(scratch, a, n, at, q);
        multiply_left(scratch, a, n, at, q);
        multiply_right(scratch, z, n, at, q);
        if (width == 2) {
            for (int64_t i = 0; i < m * m; i++) turn[i] = (Complex){i % (m + 1) == 0, 0};
            standardise(turn, m, a + at * n + at, n);
            multiply_right(scratch, a, n, at, turn);
            multiply_left(scratch, a, n, at, turn);
            multiply_right(scratch, z, n, at, turn);
        }
        for (int64_t i = at + width; i < n; i++)
            for (int64_t j = at; j < at + width; j++) a[i * n + j] = (Complex){0, 0};
    }
    keep_real(a, n * n);
    keep_real(z, n * n);
    return true;
}

bool pair_conjugates(const Complex *values, int64_t n, int64_t *order) {
    int64_t placed = 0;
    double scale = 0;
    for (int64_t i = 0; i < n; i++) {
        scale = fmax(scale, sqrt(c_abs2(values[i])));
        order[i] = -1;
    }
    for (int64_t i = 0; i < n; i++) {
        bool taken = false;
        for (int64_t k = 0; k < placed; k++) taken |= order[k] == i;
        if (taken) continue;
        order[placed++] = i;
        if (fabs(values[i].im) <= 1e-13 * scale) continue;
        int64_t partner = -1;
        for (int64_t j = i + 1; j < n; j++) {
            bool free = true;
            for (int64_t k = 0; k < placed; k++) free &= order[k] != j;
            double distance = c_abs2(c_sub(values[j], c_conj(values[i])));
            if (free && (partner < 0 || distance < c_abs2(c_sub(values[partner], c_conj(values[i]))))) partner = j;
        }
        if (partner < 0) return false;
        order[placed++] = partner;
        if (values[i].im > 0) continue;
        order[placed - 2] = partner;
        order[placed - 1] = i;
    }
    return true;
}
