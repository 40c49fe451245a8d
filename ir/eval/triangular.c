/* cholesky and triangular-solve, in double complex whatever the element type. */
#include <math.h>

#include "ir/eval/rule.h"
#include "ir/eval/linalg.h"

/* The other triangle of the result is zero; a matrix that is not positive definite gives NaN throughout. */
Value *eval_cholesky(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)eval;
    Arena *scratch = arena_new();
    bool lower = instr_bool(instr, ATTR_LOWER, false);
    int64_t n = shape->dims[shape->rank - 1], n_matrices = n ? value_elements(operands[0]) / (n * n) : 0;
    Complex *all = wide_matrix(scratch, operands[0]);
    for (int64_t m = 0; m < n_matrices; m++) {
        Complex *a = all + m * n * n;
        bool done = cholesky_factor(a, n, lower, true) == 0;
        for (int64_t i = 0; i < n * n; i++) {
            bool other_triangle = lower ? i / n < i % n : i / n > i % n;
            if (!done) a[i] = (Complex){NAN, 0};
            else if (other_triangle) a[i] = (Complex){0, 0};
        }
    }
    Value *result = narrow_matrix(shape, all);
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
