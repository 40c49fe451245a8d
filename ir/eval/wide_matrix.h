/* Matrices of any float or complex type, in double complex, for linear algebra. */
#ifndef IR_EVAL_WIDE_MATRIX_H
#define IR_EVAL_WIDE_MATRIX_H

#include "ir/attr.h"
#include "ir/eval/complex_math.h"
#include "ir/eval/value.h"

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
