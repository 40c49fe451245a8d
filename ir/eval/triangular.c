/* cholesky and triangular-solve, in double complex whatever the element type. */
#include <math.h>
#include <string.h>

#include "ir/eval/map.h"
#include "ir/eval/rule.h"
#include "ir/eval/wide_matrix.h"

/* Lower triangle of a, [n][n], to l with l l^H = a; false when a is not positive (semi)definite. */
static bool factor(const Complex *a, Complex *l, int64_t n) {
    for (int64_t j = 0; j < n; j++) {
        double pivot = a[j * n + j].re;
        for (int64_t k = 0; k < j; k++) pivot -= l[j * n + k].re * l[j * n + k].re + l[j * n + k].im * l[j * n + k].im;
        if (!(pivot >= 0)) return false;
        l[j * n + j] = (Complex){sqrt(pivot), 0};
        for (int64_t i = j + 1; i < n; i++) {
            Complex sum = a[i * n + j];
            for (int64_t k = 0; k < j; k++) sum = c_sub(sum, c_mul(l[i * n + k], c_conj(l[j * n + k])));
            l[i * n + j] = (Complex){sum.re / l[j * n + j].re, sum.im / l[j * n + j].re};
        }
    }
    return true;
}

static void adjoint_in_place(Complex *a, int64_t n) {
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            Complex low = a[i * n + j];
            a[i * n + j] = c_conj(a[j * n + i]);
            a[j * n + i] = c_conj(low);
        }
}

/* The other triangle of the result is zero; a matrix that is not positive definite gives NaN throughout. */
Value *eval_cholesky(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)eval;
    Arena *scratch = arena_new();
    bool lower = instr_bool(instr, ATTR_LOWER, false);
    int64_t n = shape->dims[shape->rank - 1], n_matrices = n ? value_elements(operands[0]) / (n * n) : 0;
    Complex *a = wide_matrix(scratch, operands[0]), *l = NEW_ARRAY(scratch, Complex, n_matrices * n * n);
    for (int64_t m = 0; m < n_matrices; m++) {
        Complex *from = a + m * n * n, *to = l + m * n * n;
        if (!lower) adjoint_in_place(from, n);
        bool done = factor(from, to, n);
        for (int64_t i = 0; !done && i < n * n; i++) to[i] = (Complex){NAN, 0};
        if (done && !lower) adjoint_in_place(to, n);
    }
    Value *result = narrow_matrix(shape, l);
    arena_free(scratch);
    return result;
}

typedef struct {
    const Complex *a;
    int64_t n;
    bool transposed, conjugate, unit_diagonal;
} Triangle;

/* Element (i, j) of the matrix that is solved with. */
static Complex triangle_at(const Triangle *t, int64_t i, int64_t j) {
    if (i == j && t->unit_diagonal) return (Complex){1, 0};
    Complex element = t->transposed ? t->a[j * t->n + i] : t->a[i * t->n + j];
    return t->conjugate ? c_conj(element) : element;
}

/* Solves T x = b in place, x being every stride-th number. */
static void substitute(const Triangle *t, bool lower, Complex *x, int64_t stride) {
    for (int64_t step = 0; step < t->n; step++) {
        int64_t i = lower ? step : t->n - 1 - step;
        Complex sum = x[i * stride];
        for (int64_t k = 0; k < step; k++) {
            int64_t j = lower ? k : t->n - 1 - k;
            sum = c_sub(sum, c_mul(triangle_at(t, i, j), x[j * stride]));
        }
        x[i * stride] = c_div(sum, triangle_at(t, i, i));
    }
}

/* op(a) x = b, or x op(a) = b, which is op(a)^T x^T = b^T. */
void triangular_solve(const Complex *a, int64_t n, Complex *b, int64_t rows, int64_t columns, TriangularForm form) {
    Triangle t = {a, n, form.transpose != TRANSPOSE_NONE, form.transpose == TRANSPOSE_ADJOINT, form.unit_diagonal};
    if (!form.left_side) t.transposed = !t.transposed;
    bool lower = form.lower != t.transposed;
    int64_t n_systems = form.left_side ? columns : rows;
    for (int64_t s = 0; s < n_systems; s++)
        substitute(&t, lower, b + (form.left_side ? s : s * columns), form.left_side ? columns : 1);
}

Value *eval_triangular_solve(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)eval;
    Arena *scratch = arena_new();
    TriangularForm form = {instr_bool(instr, ATTR_LEFT_SIDE, false), instr_bool(instr, ATTR_LOWER, false),
                           instr_bool(instr, ATTR_UNIT_DIAGONAL, false),
                           (TransposeA)instr_int(instr, ATTR_TRANSPOSE_A, TRANSPOSE_NONE)};
    int64_t rows = shape->dims[shape->rank - 2], columns = shape->dims[shape->rank - 1];
    int64_t n = form.left_side ? rows : columns;
    int64_t n_systems = rows && columns ? shape_elements(shape) / (rows * columns) : 0;
    Complex *a = wide_matrix(scratch, operands[0]), *b = wide_matrix(scratch, operands[1]);
    /* XLA multiplies by inverses of diagonal blocks, where a zero on the diagonal becomes NaN, not infinity. */
    for (int64_t i = 0; i < n_systems * n; i++)
        if (a[i * n + i % n].re == 0 && a[i * n + i % n].im == 0) a[i * n + i % n].re = NAN;
    for (int64_t s = 0; s < n_systems; s++)
        triangular_solve(a + s * n * n, n, b + s * rows * columns, rows, columns, form);
    Value *result = narrow_matrix(shape, b);
    arena_free(scratch);
    return result;
}
