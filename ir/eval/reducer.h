/* Reducers: to_apply of reduce, reduce-window and their kin, applied to many accumulators at a time.
 *
 * Sums of floats are kept in double (of c64 in two) and rounded once at the end; everything else is the computation as
 * it stands, each step in the accumulator's type. */
#ifndef IR_EVAL_REDUCER_H
#define IR_EVAL_REDUCER_H

#include "ir/eval/program.h"

typedef struct {
    Program *program;
    int n; /* operands, initial values and results */
    bool element_first; /* f(element, accumulator): for going backwards; set by who steps */
    bool is_sum;
    MapPlan sum;
    DType *element_dtypes;     /* of what is put in: those of the operands */
    DType *accumulator_dtypes; /* of what is kept meanwhile */
    DType *result_dtypes;
    void **converted; /* LANES elements, where the computation's parameter has another type (mixed precision) */
    const void **arguments; /* room for those of one step */
} Reducer;

/* operands: n of them, of any shape. In the arena. */
Reducer *reducer_new(Eval *eval, Arena *arena, const Computation *computation, int n, Value *const *operands);

/* One buffer of count accumulators per operand, each set to the initial value. */
void **reducer_start(Arena *arena, const Reducer *reducer, Value *const *initial, int64_t count);

/* accumulators[k][i] = f(accumulators[k][i], elements[k][i]) for i < count <= LANES, or with arguments the other way
 * round if element_first. False on failure. */
bool reducer_step(Eval *eval, const Reducer *reducer, void *const *accumulators, const void *const *elements,
                  int count);

/* Rounds count accumulators of operand k to the result. */
void reducer_finish(const Reducer *reducer, int k, void *result, const void *accumulators, int64_t count);

/* Results of a variadic reduction in one value: an array for n = 1, else a tuple. results[k]: where they are stored. */
Value *reducer_results(Arena *arena, const Shape *shape, int n, void ***results);

#endif
