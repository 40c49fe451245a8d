/* Matrices of any float or complex type, in double complex, for linear algebra. */
#ifndef IR_EVAL_WIDE_MATRIX_H
#define IR_EVAL_WIDE_MATRIX_H

#include "ir/attr.h"
#include "ir/eval/lanes.h"
#include "ir/eval/value.h"

static inline Complex c_sub(Complex x, Complex y) {
    return (Complex){x.re - y.re, x.im - y.im};
}
static inline Complex c_add(Complex x, Complex y) {
    return (Complex){x.re + y.re, x.im + y.im};
}
static inline Complex c_mul(Complex x, Complex y) {
    return (Complex){x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}
static inline Complex c_conj(Complex x) {
    return (Complex){x.re, -x.im};
}
static inline Complex c_scale(Complex x, double factor) {
    return (Complex){x.re * factor, x.im * factor};
}
static inline double c_abs2(Complex x) {
    return x.re * x.re + x.im * x.im;
}
Complex c_div(Complex x, Complex y);

/* The elements of an array, row-major. */
Complex *wide_matrix(Arena *arena, const Value *value);
/* An array of shape from them, each element rounded once; real types keep the real part. */
Value *narrow_matrix(const Shape *shape, const Complex *elements);

typedef struct {
    bool left_side, lower, unit_diagonal; /* lower: of a as it stands, before transposing */
    TransposeA transpose;
} TriangularForm;

/* Solves op(a) x = b, or x op(a) = b, in place of b, [rows][columns]; a is [n][n], row-major. */
void triangular_solve(const Complex *a, int64_t n, Complex *b, int64_t rows, int64_t columns, TriangularForm form);

#endif
