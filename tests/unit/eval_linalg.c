/* ir/eval/linalg.h: what the factors make must be the matrix again. */
#include <math.h>
#include <stdlib.h>

#include "ir/eval/linalg.h"
#include "tests/unit/eval_text.h"

/* Numbers in [-1, 1), always the same. */
static double next_number(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(int32_t)*seed * 0x1p-31;
}

static Complex *random_matrix(Arena *arena, int64_t m, int64_t n, bool complex, uint32_t seed) {
    Complex *a = NEW_ARRAY(arena, Complex, m * n);
    for (int64_t i = 0; i < m * n; i++) {
        a[i].re = next_number(&seed);
        if (complex) a[i].im = next_number(&seed);
    }
    return a;
}

static Complex *product(Arena *arena, const Complex *a, const Complex *b, int64_t m, int64_t k, int64_t n) {
    Complex *c = NEW_ARRAY(arena, Complex, m * n);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++)
            for (int64_t l = 0; l < k; l++) c[i * n + j] = c_add(c[i * n + j], c_mul(a[i * k + l], b[l * n + j]));
    return c;
}

static Complex *adjoint(Arena *arena, const Complex *a, int64_t m, int64_t n) {
    Complex *b = NEW_ARRAY(arena, Complex, m * n);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) b[j * m + i] = c_conj(a[i * n + j]);
    return b;
}

static Complex *copy_of(Arena *arena, const Complex *a, int64_t n) {
    Complex *b = NEW_ARRAY(arena, Complex, n);
    memcpy(b, a, (size_t)n * sizeof *b);
    return b;
}

static void assert_near(const Complex *a, const Complex *b, int64_t n) {
    for (int64_t i = 0; i < n; i++) assert_true(sqrt(c_abs2(c_sub(a[i], b[i]))) < 1e-12);
}

static void assert_orthogonal(Arena *arena, const Complex *q, int64_t m, int64_t n) {
    Complex *unit = NEW_ARRAY(arena, Complex, n * n);
    for (int64_t i = 0; i < n; i++) unit[i * n + i].re = 1;
    assert_near(product(arena, adjoint(arena, q, m, n), q, n, m, n), unit, n * n);
}

static void qr_gives_the_matrix_again(void **state) {
    (void)state;
    const int64_t sizes[][2] = {{1, 1}, {5, 5}, {7, 3}, {3, 6}};
    for (int t = 0; t < 8; t++) {
        Arena *arena = arena_new();
        int64_t m = sizes[t / 2][0], n = sizes[t / 2][1], k = m < n ? m : n;
        Complex *a = random_matrix(arena, m, n, t % 2, 7), *qr = copy_of(arena, a, m * n), tau[8];
        qr_factor(qr, m, n, tau);
        Complex *r = NEW_ARRAY(arena, Complex, k * n), *q = NEW_ARRAY(arena, Complex, m * k);
        for (int64_t i = 0; i < k; i++)
            for (int64_t j = i; j < n; j++) r[i * n + j] = qr[i * n + j];
        for (int64_t i = 0; i < m; i++)
            for (int64_t j = 0; j < k; j++) q[i * k + j] = qr[i * n + j];
        qr_form(q, m, k, k, tau);
        assert_orthogonal(arena, q, m, k);
        assert_near(product(arena, q, r, m, k, n), a, m * n);
        Complex *applied = copy_of(arena, a, m * n); /* Q^H a = R */
        qr_apply(qr, n, k, tau, applied, m, n, true, true);
        for (int64_t i = 0; i < k; i++) assert_near(applied + i * n, r + i * n, n);
        arena_free(arena);
    }
}

static void singular_values_give_the_matrix_again(void **state) {
    (void)state;
    const int64_t sizes[][2] = {{1, 1}, {6, 4}, {4, 6}, {5, 5}};
    for (int t = 0; t < 8; t++) {
        Arena *arena = arena_new();
        int64_t m = sizes[t / 2][0], n = sizes[t / 2][1], k = m < n ? m : n;
        Complex *a = random_matrix(arena, m, n, t % 2, 9), *u = NEW_ARRAY(arena, Complex, m * m);
        if (n > 2) /* of less than full rank: the last columns of u come from elsewhere */
            for (int64_t i = 0; i < m; i++) a[i * n + 1] = a[i * n];
        Complex *vt = NEW_ARRAY(arena, Complex, n * n), *scaled = NEW_ARRAY(arena, Complex, m * n);
        double s[8];
        singular_values(arena, a, m, n, s, u, vt);
        for (int64_t i = 0; i < m; i++)
            for (int64_t j = 0; j < k; j++) scaled[i * n + j] = c_scale(u[i * m + j], s[j]);
        for (int64_t j = 1; j < k; j++) assert_true(s[j] <= s[j - 1] && s[j] >= 0);
        assert_orthogonal(arena, u, m, m);
        assert_orthogonal(arena, vt, n, n);
        assert_near(product(arena, scaled, vt, m, n, n), a, m * n);
        arena_free(arena);
    }
}

static void schur_forms_give_the_matrix_again(void **state) {
    (void)state;
    for (int64_t n = 1; n <= 12; n++)
        for (int kind = 0; kind < 3; kind++) { /* complex; real in complex form; real */
            Arena *arena = arena_new();
            Complex *a = random_matrix(arena, n, n, kind == 0, (uint32_t)n), *t = copy_of(arena, a, n * n);
            Complex *z = NEW_ARRAY(arena, Complex, n * n);
            assert_true(kind == 2 ? schur_factor_real(arena, t, n, z) : schur_factor(arena, t, n, z));
            for (int64_t i = 0; i < n; i++)
                for (int64_t j = 0; j + (kind == 2) < i; j++) assert_true(c_abs2(t[i * n + j]) == 0);
            assert_orthogonal(arena, z, n, n);
            assert_near(product(arena, product(arena, z, t, n, n, n), adjoint(arena, z, n, n), n, n, n), a, n * n);
            arena_free(arena);
        }
}

static void eigenvectors_belong_to_their_values(void **state) {
    (void)state;
    Arena *arena = arena_new();
    enum { N = 7 };
    Complex *a = random_matrix(arena, N, N, true, 3), *ah = adjoint(arena, a, N, N);
    Complex *h = NEW_ARRAY(arena, Complex, N * N), *v = NEW_ARRAY(arena, Complex, N * N);
    for (int64_t i = 0; i < N * N; i++) h[i] = c_add(a[i], ah[i]);
    double values[N];
    hermitian_eigen(arena, copy_of(arena, h, N * N), N, values, v);
    Complex *left = product(arena, h, v, N, N, N), *right = copy_of(arena, v, N * N);
    for (int64_t i = 0; i < N * N; i++) right[i] = c_scale(v[i], values[i % N]);
    assert_near(left, right, N * N);
    assert_orthogonal(arena, v, N, N);
    Complex *t = copy_of(arena, a, N * N), *z = NEW_ARRAY(arena, Complex, N * N);
    assert_true(schur_factor(arena, t, N, z));
    schur_vectors(arena, t, z, N, v);
    left = product(arena, a, v, N, N, N);
    for (int64_t i = 0; i < N * N; i++) right[i] = c_mul(v[i], t[i % N * N + i % N]);
    assert_near(left, right, N * N);
    arena_free(arena);
}

static void elimination_swaps_rows(void **state) {
    (void)state;
    Complex a[] = {{1, 0}, {2, 0}, {4, 0}, {6, 0}};
    int64_t pivots[2];
    assert_int_equal(lu_factor(a, 2, 2, pivots), 0);
    assert_int_equal(pivots[0], 1);
    assert_true(a[0].re == 4 && a[2].re == 0.25 && a[3].re == 0.5);
    Complex singular[] = {{0, 0}, {1, 0}, {0, 0}, {2, 0}};
    assert_int_equal(lu_factor(singular, 2, 2, pivots), 1);
    Complex indefinite[] = {{1, 0}, {2, 0}, {2, 0}, {1, 0}};
    assert_int_equal(cholesky_factor(indefinite, 2, true, false), 2);
}

static void tridiagonal_systems_are_solved_with_pivoting(void **state) {
    (void)state;
    Complex lower[] = {{3, 0}, {1, 0}, {0, 0}}, diagonal[] = {{0, 0}, {1, 0}, {2, 0}};
    Complex upper[] = {{2, 0}, {1, 0}, {0, 0}};
    Complex b[] = {{4, 0}, {8, 0}, {8, 0}}; /* of the solution 1, 2, 3 */
    assert_int_equal(tridiagonal_solve(lower, diagonal, upper, 3, b, 1), 0);
    for (int i = 0; i < 3; i++) assert_true(fabs(b[i].re - (i + 1)) < 1e-14);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(qr_gives_the_matrix_again),
        cmocka_unit_test(singular_values_give_the_matrix_again),
        cmocka_unit_test(schur_forms_give_the_matrix_again),
        cmocka_unit_test(eigenvectors_belong_to_their_values),
        cmocka_unit_test(elimination_swaps_rows),
        cmocka_unit_test(tridiagonal_systems_are_solved_with_pivoting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
