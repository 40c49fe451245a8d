/* Gaussian elimination and its kin. */
#include <math.h>

#include "ir/eval/linalg.h"

static void swap(Complex *x, Complex *y) {
    Complex kept = *x;
    *x = *y;
    *y = kept;
}

int64_t lu_factor(Complex *a, int64_t m, int64_t n, int64_t *pivots) {
    int64_t info = 0;
    for (int64_t j = 0; j < m && j < n; j++) {
        int64_t pivot = j;
        /* As LAPACK compares complex numbers: by the sum of the parts' magnitudes. */
        for (int64_t i = j + 1; i < m; i++)
            if (fabs(a[i * n + j].re) + fabs(a[i * n + j].im) > fabs(a[pivot * n + j].re) + fabs(a[pivot * n + j].im))
                pivot = i;
        pivots[j] = pivot;
        if (a[pivot * n + j].re == 0 && a[pivot * n + j].im == 0) {
            if (!info) info = j + 1;
            continue;
        }
        for (int64_t k = 0; pivot != j && k < n; k++) swap(&a[j * n + k], &a[pivot * n + k]);
        for (int64_t i = j + 1; i < m; i++) {
            Complex factor = a[i * n + j] = c_div(a[i * n + j], a[j * n + j]);
            for (int64_t k = j + 1; k < n; k++) a[i * n + k] = c_sub(a[i * n + k], c_mul(factor, a[j * n + k]));
        }
    }
    return info;
}

/* Element (i, j), i >= j, of the lower factor, wherever it is kept. */
static Complex lower_at(const Complex *a, int64_t n, bool lower, int64_t i, int64_t j) {
    return lower ? a[i * n + j] : c_conj(a[j * n + i]);
}

int64_t cholesky_factor(Complex *a, int64_t n, bool lower, bool allow_zero) {
    for (int64_t j = 0; j < n; j++) {
        double pivot = a[j * n + j].re;
        for (int64_t k = 0; k < j; k++) pivot -= c_abs2(lower_at(a, n, lower, j, k));
        if (!(pivot > 0) && !(allow_zero && pivot == 0)) {
            a[j * n + j] = (Complex){pivot, 0};
            return j + 1;
        }
        a[j * n + j] = (Complex){sqrt(pivot), 0};
        for (int64_t i = j + 1; i < n; i++) {
            Complex sum = lower_at(a, n, lower, i, j);
            for (int64_t k = 0; k < j; k++)
                sum = c_sub(sum, c_mul(lower_at(a, n, lower, i, k), c_conj(lower_at(a, n, lower, j, k))));
            sum = c_div(sum, a[j * n + j]);
            if (lower) a[i * n + j] = sum;
            else a[j * n + i] = c_conj(sum);
        }
    }
    return 0;
}

/* With partial pivoting: a swap of neighbouring rows puts a second diagonal above, kept where `lower` was. */
int64_t tridiagonal_solve(Complex *lower, Complex *diagonal, Complex *upper, int64_t n, Complex *b, int64_t columns) {
    for (int64_t i = 0; i + 1 < n; i++) {
        Complex *row = b + i * columns, *next = row + columns, second = {0, 0};
        bool swapped = c_abs2(lower[i]) > c_abs2(diagonal[i]);
        if (swapped) {
            swap(&diagonal[i], &lower[i]);
            swap(&upper[i], &diagonal[i + 1]);
            if (i + 2 < n) {
                second = upper[i + 1];
                upper[i + 1] = (Complex){0, 0};
            }
            for (int64_t k = 0; k < columns; k++) swap(&row[k], &next[k]);
        }
        if (diagonal[i].re == 0 && diagonal[i].im == 0) return i + 1;
        Complex factor = c_div(lower[i], diagonal[i]);
        diagonal[i + 1] = c_sub(diagonal[i + 1], c_mul(factor, upper[i]));
        if (i + 2 < n) upper[i + 1] = c_sub(upper[i + 1], c_mul(factor, second));
        for (int64_t k = 0; k < columns; k++) next[k] = c_sub(next[k], c_mul(factor, row[k]));
        lower[i] = second;
    }
    if (n && diagonal[n - 1].re == 0 && diagonal[n - 1].im == 0) return n;
    for (int64_t i = n - 1; i >= 0; i--)
        for (int64_t k = 0; k < columns; k++) {
            Complex sum = b[i * columns + k];
            if (i + 1 < n) sum = c_sub(sum, c_mul(upper[i], b[(i + 1) * columns + k]));
            if (i + 2 < n) sum = c_sub(sum, c_mul(lower[i], b[(i + 2) * columns + k]));
            b[i * columns + k] = c_div(sum, diagonal[i]);
        }
    return 0;
}
