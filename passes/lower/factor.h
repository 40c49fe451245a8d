/* LAPACK's factorisations, as JAX calls them: functions of the runtime on matrices as they lie in memory. */
#ifndef PASSES_LOWER_FACTOR_H
#define PASSES_LOWER_FACTOR_H

#include "passes/lower/linalg.h"

typedef void FactorLowering(Frame *frame, int step, Instr *call);

/* a -> (lu, pivots from 1, info); a -> (lu, pivots from 0, permutation). */
FactorLowering lower_getrf, lower_lu_decomposition;
/* a -> (qr, tau); (a, columns) -> (qr, columns, tau); (a, tau) -> q; (a, tau, c) -> Q c and so on. */
FactorLowering lower_geqrf, lower_geqp3, lower_orgqr, lower_ormqr;

#endif
