/* Computations on scalars (of reduce, sort, scatter, map ...), compiled to a list of elementwise steps over typed
 * registers of LANES elements, so that they cost a few ns per element and step, not an interpreter's round.
 * A computation that holds something else (a loop, an array) is called element by element instead; the answers are the
 * same. */
#ifndef IR_EVAL_PROGRAM_H
#define IR_EVAL_PROGRAM_H

#include "ir/eval/map.h"
#include "ir/eval/rule.h"

typedef struct Program Program;

/* The program of a computation whose parameters are scalars and whose root is a scalar or a tuple of scalars; made
 * once per evaluation. */
Program *program_of(Eval *eval, const Computation *computation);

/* Element types of its parameters and results. */
DType program_parameter_dtype(const Program *program, int k);
DType program_result_dtype(const Program *program, int k);

/* Applies it to n elements: arguments[k] and results[k] are arrays of n elements of the parameter's and the result's
 * type. A result may be stored over an argument. False on failure. */
bool program_run(Eval *eval, Program *program, const void *const *arguments, void *const *results, int64_t n);

/* The elementwise operation that the computation consists of: op of its two parameters, in any order or in theirs only.
 * N_OPS: it is something else. */
Op computation_single_op(const Computation *computation);

/* Whether the result is just parameter number k. */
bool computation_returns_parameter(const Computation *computation, int k);

#endif
