/* Eigenvalues of Hermitian matrices, and singular values, by Jacobi's rotations. */
#include <math.h>
#include <string.h>

#include "ir/eval/linalg.h"

enum { MOST_SWEEPS = 60 };

/* A rotation of two columns (or rows) p and q: p' = c p - conj(s) q, q' = s p + c q. */
typedef struct {
    double c;
    Complex s;
} Rotation;

/* The rotation that makes the columns' product gamma = p^H q zero, alpha and beta being their squared lengths. */
static Rotation rotation_for(double alpha, double beta, Complex gamma) {
    double size = sqrt(c_abs2(gamma));
    double zeta = (beta - alpha) / (2 * size);
    double t = copysign(1, zeta) / (fabs(zeta) + sqrt(1 + zeta * zeta));
    double c = 1 / sqrt(1 + t * t);
    return (Rotation){c, c_scale(gamma, c * t / size)};
}

static void rotate(Complex *p, Complex *q, int64_t n, int64_t stride, Rotation r) {
    for (int64_t i = 0; i < n; i++) {
        Complex x = p[i * stride], y = q[i * stride];
        p[i * stride] = c_sub(c_scale(x, r.c), c_mul(c_conj(r.s), y));
        q[i * stride] = c_add(c_mul(r.s, x), c_scale(y, r.c));
    }
}

/* order: numbers 0 .. n-1 so that values[order[i]] ascend. */
static void sort_order(const double *values, int64_t n, int64_t *order) {
    for (int64_t i = 0; i < n; i++) {
        int64_t k = i;
        for (; k > 0 && values[order[k - 1]] > values[i]; k--) order[k] = order[k - 1];
        order[k] = i;
    }
}

void hermitian_eigen(Arena *scratch, Complex *a, int64_t n, double *values, Complex *vectors) {
    Complex *v = NEW_ARRAY(scratch, Complex, n * n);
    for (int64_t i = 0; i < n; i++) v[i * n + i].re = 1;
    bool rotated = true;
    for (int sweep = 0; rotated && sweep < MOST_SWEEPS; sweep++) {
        rotated = false;
        for (int64_t p = 0; p < n; p++)
            for (int64_t q = p + 1; q < n; q++) {
                Complex gamma = a[p * n + q];
                double alpha = a[p * n + p].re, beta = a[q * n + q].re;
                if (!(sqrt(c_abs2(gamma)) > 1e-17 * (fabs(alpha) + fabs(beta)))) continue;
                rotated = true;
                Rotation r = rotation_for(alpha, beta, gamma), conjugate = {r.c, c_conj(r.s)};
                rotate(a + p, a + q, n, n, r);
                rotate(a + p * n, a + q * n, n, 1, conjugate);
                rotate(v + p, v + q, n, n, r);
            }
    }
    double *unsorted = NEW_ARRAY(scratch, double, n);
    int64_t *order = NEW_ARRAY(scratch, int64_t, n);
    for (int64_t i = 0; i < n; i++) unsorted[i] = a[i * n + i].re;
    sort_order(unsorted, n, order);
    for (int64_t j = 0; j < n; j++) {
        values[j] = unsorted[order[j]];
        for (int64_t i = 0; i < n; i++) vectors[i * n + j] = v[i * n + order[j]];
    }
}

/* --- singular values ---------------------------------------------------------------------------------------------- */

static Complex column_product(const Complex *a, int64_t m, int64_t n, int64_t p, int64_t q) {
    Complex sum = {0, 0};
    for (int64_t i = 0; i < m; i++) sum = c_add(sum, c_mul(c_conj(a[i * n + p]), a[i * n + q]));
    return sum;
}

/* Makes the columns of a [m][n] orthogonal, by rotations gathered in v [n][n]. */
static void orthogonalise(Complex *a, int64_t m, int64_t n, Complex *v) {
    bool rotated = true;
    for (int sweep = 0; rotated && sweep < MOST_SWEEPS; sweep++) {
        rotated = false;
        for (int64_t p = 0; p < n; p++)
            for (int64_t q = p + 1; q < n; q++) {
                double alpha = column_product(a, m, n, p, p).re, beta = column_product(a, m, n, q, q).re;
                Complex gamma = column_product(a, m, n, p, q);
                if (!(sqrt(c_abs2(gamma)) > 1e-15 * sqrt(alpha * beta))) continue;
                rotated = true;
                Rotation r = rotation_for(alpha, beta, gamma);
                rotate(a + p, a + q, m, n, r);
                rotate(v + p, v + q, n, n, r);
            }
    }
}

/* Column j of u [m][m] orthogonal to those before it: a unit vector less its projections. */
static void complete_column(Complex *u, int64_t m, int64_t j) {
    for (int64_t axis = 0; axis < m; axis++) {
        for (int64_t i = 0; i < m; i++) u[i * m + j] = (Complex){i == axis, 0};
        for (int pass = 0; pass < 2; pass++)
            for (int64_t k = 0; k < j; k++) {
                Complex product = column_product(u, m, m, k, j);
                for (int64_t i = 0; i < m; i++) u[i * m + j] = c_sub(u[i * m + j], c_mul(u[i * m + k], product));
            }
        double length = sqrt(column_product(u, m, m, j, j).re);
        if (length < 0.5 / sqrt((double)m)) continue;
        for (int64_t i = 0; i < m; i++) u[i * m + j] = c_scale(u[i * m + j], 1 / length);
        return;
    }
}

/* m >= n: a = u diag(s) v^H. */
static void tall_singular_values(Arena *scratch, const Complex *a, int64_t m, int64_t n, double *s, Complex *u,
                                 Complex *v) {
    Complex *b = NEW_ARRAY(scratch, Complex, m * n), *rotations = NEW_ARRAY(scratch, Complex, n * n);
    double *lengths = NEW_ARRAY(scratch, double, n);
    int64_t *order = NEW_ARRAY(scratch, int64_t, n);
    if (m && n) memcpy(b, a, (size_t)(m * n) * sizeof *b);
    for (int64_t i = 0; i < n; i++) rotations[i * n + i].re = 1;
    orthogonalise(b, m, n, rotations);
    for (int64_t j = 0; j < n; j++) lengths[j] = -sqrt(column_product(b, m, n, j, j).re);
    sort_order(lengths, n, order);
    double largest = n ? -lengths[order[0]] : 0;
    for (int64_t j = 0; j < n; j++) {
        s[j] = -lengths[order[j]];
        for (int64_t i = 0; i < n; i++) v[i * n + j] = rotations[i * n + order[j]];
        for (int64_t i = 0; i < m; i++) u[i * m + j] = c_scale(b[i * n + order[j]], 1 / s[j]);
        if (!(s[j] > 1e-15 * largest)) complete_column(u, m, j);
    }
    for (int64_t j = n; j < m; j++) complete_column(u, m, j);
}

static void adjoint(const Complex *a, int64_t m, int64_t n, Complex *to) {
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) to[j * m + i] = c_conj(a[i * n + j]);
}

void singular_values(Arena *scratch, const Complex *a, int64_t m, int64_t n, double *s, Complex *u, Complex *vt) {
    Complex *v = NEW_ARRAY(scratch, Complex, n * n);
    if (m >= n) {
        tall_singular_values(scratch, a, m, n, s, u, v);
    } else {
        Complex *wide = NEW_ARRAY(scratch, Complex, m * n);
        adjoint(a, m, n, wide);
        tall_singular_values(scratch, wide, n, m, s, v, u);
    }
    adjoint(v, n, n, vt);
}
