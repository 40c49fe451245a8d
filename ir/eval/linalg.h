/* Linear algebra for the custom calls that JAX makes: textbook algorithms on small dense matrices, in double complex
 * (wide_matrix.h), row-major, with LAPACK's conventions where results depend on them. */
#ifndef IR_EVAL_LINALG_H
#define IR_EVAL_LINALG_H

#include "ir/eval/wide_matrix.h"

/* --- reflectors: H = I - tau v v^H, v_0 = 1 ----------------------------------------------------------------------- */

/* geqrf: a [m][n] = Q R by k = min(m, n) reflectors; R in the upper triangle, the v below it, tau[k]. */
void qr_factor(Complex *a, int64_t m, int64_t n, Complex *tau);

/* geqp3: the same after swapping columns so that |R_ii| decreases: column j of the result was columns[j] (from 0).
 * fixed[j]: the column is to stand in front and keep its place among those. */
void qr_factor_pivoted(Complex *a, int64_t m, int64_t n, const bool *fixed, int64_t *columns, Complex *tau);

/* orgqr: the first n columns of Q = H_0 H_1 ... H_(k-1), in place of the v in a [m][n]. */
void qr_form(Complex *a, int64_t m, int64_t n, int64_t k, const Complex *tau);

/* ormqr: Q c, c Q, or with Q^H; c is [rows][columns]; the v stand in a, of `width` columns. */
void qr_apply(const Complex *a, int64_t width, int64_t k, const Complex *tau, Complex *c, int64_t rows,
              int64_t columns, bool left, bool adjoint);

/* gehrd: a [n][n] to upper Hessenberg form by reflectors of columns low .. high - 2 (from 0, high behind the last). */
void hessenberg_factor(Complex *a, int64_t n, int64_t low, int64_t high, Complex *tau);

/* sytrd, hetrd: a Hermitian matrix, given in one triangle, to tridiagonal form: diagonal d[n], beside it e[n-1]. */
void tridiagonal_factor(Complex *a, int64_t n, bool lower, double *d, double *e, Complex *tau);

/* --- elimination -------------------------------------------------------------------------------------------------- */

/* getrf: rows swapped so that a = P L U; row i was swapped with pivots[i] (from 0). Returns 0, or 1 + the first i of a
 * zero pivot. */
int64_t lu_factor(Complex *a, int64_t m, int64_t n, int64_t *pivots);

/* potrf: one triangle of a = L L^H or U^H U, in place; the other one is not touched. Returns 0, or 1 + the index of the
 * first pivot that is not positive; allow_zero: that is negative or NaN. */
int64_t cholesky_factor(Complex *a, int64_t n, bool lower, bool allow_zero);

/* gtsv: a tridiagonal system, b [n][columns] in place; the diagonals are used up. Returns 0, or 1 + a zero pivot. */
int64_t tridiagonal_solve(Complex *lower, Complex *diagonal, Complex *upper, int64_t n, Complex *b, int64_t columns);

/* --- eigenvalues -------------------------------------------------------------------------------------------------- */

/* syevd, heevd: eigenvalues in ascending order and eigenvectors in the columns of vectors [n][n]; a is used up. */
void hermitian_eigen(Arena *scratch, Complex *a, int64_t n, double *values, Complex *vectors);

/* gesdd: a [m][n] = u diag(s) vt, s descending, u [m][m], vt [n][n]. */
void singular_values(Arena *scratch, const Complex *a, int64_t m, int64_t n, double *s, Complex *u, Complex *vt);

/* gees: a [n][n] = z t z^H with t upper triangular, in place of a. False if it did not converge. */
bool schur_factor(Arena *scratch, Complex *a, int64_t n, Complex *z);

/* The same of a real matrix, both results real: t has blocks of two with equal diagonal elements for complex pairs. */
bool schur_factor_real(Arena *scratch, Complex *a, int64_t n, Complex *z);

/* geev: right eigenvectors (a v = v w) of unit length in the columns of vectors, largest element real, from
 * a = z t z^H. */
void schur_vectors(Arena *scratch, const Complex *t, const Complex *z, int64_t n, Complex *vectors);

/* Eigenvalues of a real matrix in an order in which complex pairs stand together, the one with the positive imaginary
 * part first. False if they do not pair up. */
bool pair_conjugates(const Complex *values, int64_t n, int64_t *order);

#endif
