/* Passes over HLO IR, and the list in which they run. Each makes the module mean the same with less. */
#ifndef PASSES_PASSES_H
#define PASSES_PASSES_H

#include "ir/hlo.h"

/* A pass: true when it changed something. What it cannot do it reports in diags. */
typedef struct {
    const char *name, *what;
    bool (*run)(Module *module, Diags *diags);
    bool always; /* lowering needs it: it runs at -O0 too */
} Pass;

/* The table, in the order of running; a pass may stand in it several times. */
const Pass *passes_table(int *n);

/* Single passes; their files have their names. */
bool pass_inline(Module *module, Diags *diags);   /* calls, fusions and maps become the instructions they call */
bool pass_bitcast(Module *module, Diags *diags);  /* bitcasts become what does not depend on layouts */
bool pass_expand(Module *module, Diags *diags);   /* operations that others can say; annotations vanish (expand/) */
bool pass_bounds(Module *module, Diags *diags);   /* bounded dims become static ones, with sizes beside (bounds/) */
bool pass_split(Module *module, Diags *diags);    /* concatenates of very many operands become trees */
bool pass_forward(Module *module, Diags *diags);  /* elements of tuples, barriers, copies and other identities */
bool pass_simplify(Module *module, Diags *diags); /* algebra that is exact, or that XLA does too */
bool pass_fold(Module *module, Diags *diags);     /* constants, by the evaluator */
bool pass_partial(Module *module, Diags *diags);  /* large reductions to a few elements go by partial results */
bool pass_cse(Module *module, Diags *diags);      /* equal instructions */
bool pass_dce(Module *module, Diags *diags);      /* unused instructions and computations */

/* --- for the passes: pieces of HLO (build.c) ---------------------------------------------------------------------- */

/* A scalar constant of dtype. */
Instr *constant_scalar(Computation *computation, DType dtype, double value, Span span);
/* A scalar broadcast to shape (or the scalar itself, if shape is one). */
Instr *broadcast_scalar(Instr *scalar, const Shape *shape, Span span);
Instr *build_reshape(Instr *operand, int rank, const int64_t *dims, Span span);
Instr *build_transpose(Instr *operand, const int64_t *permutation, Span span);
/* A copy of called's instructions on these arguments, at the end of into; returns its root (inline.c). */
Instr *inline_computation(Computation *into, const Computation *called, Instr *const *arguments, Span span);
/* The value of a constant whose elements are all the same, seen through broadcasts, reshapes and converts that change
 * nothing; false if instr is no such thing. */
bool is_splat_constant(const Instr *instr, double *value);

#endif
