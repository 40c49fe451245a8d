/* LAPACK's factorisations, as JAX calls them: functions of the runtime on matrices as they lie in memory. */
#ifndef PASSES_LOWER_FACTOR_H
#define PASSES_LOWER_FACTOR_H

#include "passes/lower/linalg.h"

typedef void FactorLowering(Frame *frame, int step, Instr *call);

/* a -> (lu, pivots from 1, info); a -> (lu, pivots from 0, permutation). */
FactorLowering lower_getrf, lower_lu_decomposition;
/* a -> (qr, tau); (a, columns) -> (qr, columns, tau); (a, tau) -> q; (a, tau, c) -> Q c and so on. */
FactorLowering lower_geqrf, lower_geqp3, lower_orgqr, lower_ormqr;


/* a -> (a', d, e, tau, info): tridiagonal; a -> (vectors, values, info); a -> (vectors, values). */
FactorLowering lower_sytrd, lower_syevd, lower_eigh;
/* a -> (a', tau, info); real a -> (t, vs, wr, wi, sdim, info), complex a -> (t, vs, w, sdim, info); real a -> (wr, wi,
 * vl, vr, info), complex a -> (w, vl, vr, info). */
FactorLowering lower_gehrd, lower_gees, lower_geev;
/* a -> (a', s, u, vt, info). */
FactorLowering lower_gesdd;
/* (dl, d, du, b) -> (dl, d, du, x, info). */
FactorLowering lower_gtsv;

/* A call of a function on columns in work space, of a's type. */
LibraryCall factor_call(Frame *frame, const Instr *instr, const char *function, LibraryMatrix a);
/* Work space of `columns` columns of m numbers, for each part of a number. */
KBuffer *factor_columns(Frame *frame, const char *name, LibraryMatrix a, int64_t m, int64_t columns);
void factor_optional(LibraryCall *call, KBuffer *buffer); /* or NULL */
/* Result `leaf` is as operand `leaf` was: LAPACK's left-overs are of no use. Copied only where somebody reads it. */
void factor_keep(Frame *frame, int step, Instr *instr, int leaf);

#endif
