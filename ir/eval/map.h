/* Elementwise operations: a plan says how to compute one of them, on arrays of any length and, step by step, inside
 * compiled computations (program.h).
 *
 * Every operator is written once per class of element types (map_int.c, map_float.c, map_complex.c) and works on lanes:
 * load, compute in the widest type, round once, store. What must not touch the bits of its operands is raw. */
#ifndef IR_EVAL_MAP_H
#define IR_EVAL_MAP_H

#include "ir/eval/lanes.h"
#include "ir/hlo.h"

typedef struct MapPlan MapPlan;

typedef void MapKernel(const MapPlan *plan, Lanes *out, const Lanes *a, const Lanes *b, const Lanes *c, int n);

struct MapPlan {
    MapKernel *kernel; /* NULL: select, which only moves bytes */
    int n_in;
    DType in[3], out;  /* how operands are loaded and the result is stored; not always the instruction's types */
    DType from, to;    /* element types of operand 0 and of the result, as written */
    int direction;     /* compare: Direction */
    int exponent_bits, mantissa_bits; /* reduce-precision */
};

/* The plan of an elementwise instruction; false when it is none or has no meaning for its types. */
bool map_plan(MapPlan *plan, const Instr *instr);

/* The plan of an opcode with a kernel of its own (column `map`) for given types. */
bool map_plan_op(MapPlan *plan, Op op, int n_in, const DType *in, DType out);

/* The plan of convert. */
bool map_plan_convert(MapPlan *plan, DType from, DType to);

/* n elements; in: plan->n_in arrays of n elements. out may be one of them. */
void map_run(const MapPlan *plan, void *out, const void *const *in, int64_t n);

/* Kernels by opcode and class of operand 0; NULL: no meaning. */
extern MapKernel *const map_pred_kernels[N_OPS];
extern MapKernel *const map_signed_kernels[N_OPS];
extern MapKernel *const map_unsigned_kernels[N_OPS];
extern MapKernel *const map_float_kernels[N_OPS];
extern MapKernel *const map_complex_kernels[N_OPS];

/* The kernels of instructions whose attributes or types choose one (map_bits.c, map_convert.c). */
MapKernel *map_compare_kernel(DTypeClass class);
MapKernel map_total_order_bits, map_total_order_values, map_reduce_precision, map_stochastic_convert, map_copy_int;

#endif
