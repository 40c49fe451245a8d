/* Householder reflectors and what is made of them. */
#include <math.h>
#include <string.h>

#include "ir/eval/linalg.h"

/* larfg: the reflector that sends (alpha, x) to (beta, 0), beta real; x is every stride-th of n numbers and becomes v,
 * alpha becomes beta. Returns tau. */
static Complex reflector(Complex *alpha, Complex *x, int64_t n, int64_t stride) {
    double norm2 = 0;
    for (int64_t i = 0; i < n; i++) norm2 += c_abs2(x[i * stride]);
    if (norm2 == 0 && alpha->im == 0) return (Complex){0, 0};
    double beta = -copysign(sqrt(c_abs2(*alpha) + norm2), alpha->re);
    Complex tau = {(beta - alpha->re) / beta, -alpha->im / beta};
    Complex scale = c_div((Complex){1, 0}, (Complex){alpha->re - beta, alpha->im});
    for (int64_t i = 0; i < n; i++) x[i * stride] = c_mul(x[i * stride], scale);
    *alpha = (Complex){beta, 0};
    return tau;
}

/* A strided vector with a leading 1 in place of its first element: the v of a reflector. */
typedef struct {
    const Complex *at;
    int64_t n, stride;
} Vector;

static Complex v_at(const Vector *v, int64_t i) {
    return i ? v->at[i * v->stride] : (Complex){1, 0};
}

/* c = (I - tau v v^H) c, for the v->n rows of c from its first on, columns apart by step, rows by stride. */
static void reflect(const Vector *v, Complex tau, Complex *c, int64_t columns, int64_t stride, int64_t step) {
    for (int64_t j = 0; j < columns; j++) {
        Complex dot = {0, 0};
        for (int64_t i = 0; i < v->n; i++) dot = c_add(dot, c_mul(c_conj(v_at(v, i)), c[i * stride + j * step]));
        dot = c_mul(tau, dot);
        for (int64_t i = 0; i < v->n; i++)
            c[i * stride + j * step] = c_sub(c[i * stride + j * step], c_mul(v_at(v, i), dot));
    }
}

/* c = c (I - tau v v^H), for the v->n columns of c from its first on. */
static void reflect_right(const Vector *v, Complex tau, Complex *c, int64_t rows, int64_t width) {
    for (int64_t i = 0; i < rows; i++) {
        Complex dot = {0, 0};
        for (int64_t j = 0; j < v->n; j++) dot = c_add(dot, c_mul(c[i * width + j], v_at(v, j)));
        dot = c_mul(tau, dot);
        for (int64_t j = 0; j < v->n; j++)
            c[i * width + j] = c_sub(c[i * width + j], c_mul(dot, c_conj(v_at(v, j))));
    }
}

/* One step of QR: column j below the diagonal, then the columns behind it. */
static void qr_step(Complex *a, int64_t m, int64_t n, int64_t j, Complex *tau) {
    Complex *pivot = a + j * n + j;
    tau[j] = reflector(pivot, pivot + n, m - j - 1, n);
    Vector v = {pivot, m - j, n};
    reflect(&v, c_conj(tau[j]), pivot + 1, n - j - 1, n, 1);
}

void qr_factor(Complex *a, int64_t m, int64_t n, Complex *tau) {
    for (int64_t j = 0; j < m && j < n; j++) qr_step(a, m, n, j, tau);
}

static void swap_columns(Complex *a, int64_t m, int64_t n, int64_t i, int64_t j) {
    for (int64_t r = 0; r < m; r++) {
        Complex kept = a[r * n + i];
        a[r * n + i] = a[r * n + j];
        a[r * n + j] = kept;
    }
}

/* The column from j on that is longest below row j. */
static int64_t longest_column(const Complex *a, int64_t m, int64_t n, int64_t j) {
    int64_t longest = j;
    double largest = -1;
    for (int64_t k = j; k < n; k++) {
        double norm2 = 0;
        for (int64_t i = j; i < m; i++) norm2 += c_abs2(a[i * n + k]);
        if (norm2 > largest * (1 + 1e-12)) {
            largest = norm2;
            longest = k;
        }
    }
    return longest;
}

void qr_factor_pivoted(Complex *a, int64_t m, int64_t n, const bool *fixed, int64_t *columns, Complex *tau) {
    int64_t n_fixed = 0;
    for (int64_t j = 0; j < n; j++) columns[j] = j;
    for (int64_t j = 0; j < n; j++) {
        if (!fixed[j]) continue;
        swap_columns(a, m, n, j, n_fixed);
        columns[j] = columns[n_fixed];
        columns[n_fixed++] = j;
    }
    for (int64_t j = 0; j < m && j < n; j++) {
        int64_t k = j < n_fixed ? j : longest_column(a, m, n, j), kept = columns[j];
        swap_columns(a, m, n, j, k);
        columns[j] = columns[k];
        columns[k] = kept;
        qr_step(a, m, n, j, tau);
    }
}

void qr_form(Complex *a, int64_t m, int64_t n, int64_t k, const Complex *tau) {
    for (int64_t j = k; j < n; j++)
        for (int64_t i = 0; i < m; i++) a[i * n + j] = (Complex){i == j, 0};
    for (int64_t j = k - 1; j >= 0; j--) {
        Complex *pivot = a + j * n + j;
        Vector v = {pivot, m - j, n};
        reflect(&v, tau[j], pivot + 1, n - j - 1, n, 1);
        /* Its own column: H e_j = e_j - tau v. */
        for (int64_t i = 1; i < m - j; i++) pivot[i * n] = c_scale(c_mul(tau[j], pivot[i * n]), -1);
        *pivot = c_sub((Complex){1, 0}, tau[j]);
        for (int64_t i = 0; i < j; i++) a[i * n + j] = (Complex){0, 0};
    }
}

void qr_apply(const Complex *a, int64_t width, int64_t k, const Complex *tau, Complex *c, int64_t rows,
              int64_t columns, bool left, bool adjoint) {
    int64_t order = left ? rows : columns;
    for (int64_t step = 0; step < k; step++) {
        int64_t j = left == adjoint ? step : k - 1 - step;
        Vector v = {a + j * width + j, order - j, width};
        Complex t = adjoint ? c_conj(tau[j]) : tau[j];
        if (left) reflect(&v, t, c + j * columns, columns, columns, 1);
        else reflect_right(&v, t, c + j, rows, columns);
    }
}

void hessenberg_factor(Complex *a, int64_t n, int64_t low, int64_t high, Complex *tau) {
    for (int64_t j = 0; j + 1 < n; j++) tau[j] = (Complex){0, 0};
    for (int64_t j = low; j + 1 < high; j++) {
        Complex *pivot = a + (j + 1) * n + j;
        tau[j] = reflector(pivot, pivot + n, high - j - 2, n);
        Vector v = {pivot, high - j - 1, n};
        reflect_right(&v, tau[j], a + j + 1, high, n);
        reflect(&v, c_conj(tau[j]), pivot + 1, n - j - 1, n, 1);
    }
}

/* The lower triangle, column by column: hetd2. */
static void tridiagonal_lower(Complex *a, int64_t n, double *d, double *e, Complex *tau) {
    for (int64_t j = 0; j + 1 < n; j++) {
        Complex *pivot = a + (j + 1) * n + j;
        tau[j] = reflector(pivot, pivot + n, n - j - 2, n);
        Vector v = {pivot, n - j - 1, n};
        Complex *rest = a + (j + 1) * n + j + 1; /* square, whole: the upper triangle is kept up to date too */
        reflect_right(&v, tau[j], rest, n - j - 1, n);
        reflect(&v, c_conj(tau[j]), rest, n - j - 1, n, 1);
    }
    for (int64_t j = 0; j < n; j++) d[j] = a[j * n + j].re;
    for (int64_t j = 0; j + 1 < n; j++) e[j] = a[(j + 1) * n + j].re;
}

/* The upper triangle, from the last column backwards: the lower case with rows and columns counted from the end. */
static void turn_around(Complex *a, int64_t n) {
    for (int64_t i = 0, j = n * n - 1; i < j; i++, j--) {
        Complex kept = a[i];
        a[i] = a[j];
        a[j] = kept;
    }
}

static void reverse_doubles(double *x, int64_t n) {
    for (int64_t i = 0, j = n - 1; i < j; i++, j--) {
        double kept = x[i];
        x[i] = x[j];
        x[j] = kept;
    }
}

void tridiagonal_factor(Complex *a, int64_t n, bool lower, double *d, double *e, Complex *tau) {
    for (int64_t i = 0; i < n; i++) /* the triangle that is not given */
        for (int64_t j = 0; j < i; j++) {
            if (lower) a[j * n + i] = c_conj(a[i * n + j]);
            else a[i * n + j] = c_conj(a[j * n + i]);
        }
    for (int64_t i = 0; i < n; i++) a[i * n + i].im = 0;
    if (!lower) turn_around(a, n);
    tridiagonal_lower(a, n, d, e, tau);
    if (lower) return;
    turn_around(a, n);
    reverse_doubles(d, n);
    reverse_doubles(e, n - 1);
    for (int64_t i = 0, j = n - 2; i < j; i++, j--) {
        Complex kept = tau[i];
        tau[i] = tau[j];
        tau[j] = kept;
    }
}
