/* Linear algebra by functions of the runtime: operations of HLO, and the custom calls that JAX makes of LAPACK. */
#ifndef PASSES_LOWER_LINALG_H
#define PASSES_LOWER_LINALG_H

#include "passes/lower/library.h"

typedef struct {
    bool left, lower, unit;
    TransposeA transpose;
} SolveForm;

/* (a, b) -> x with op(a) x = b or x op(a) = b. */
void lower_solve_as(Frame *frame, int step, Instr *instr, SolveForm form);
/* a -> its factor; with_info: (factor, info), as LAPACK. */
void lower_cholesky_as(Frame *frame, int step, Instr *instr, bool lower, bool with_info);

/* f32 or f64: that of shape's components. */
DType real_type(const Shape *shape);
bool is_complex(LibraryMatrix matrix);

#endif
