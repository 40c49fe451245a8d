/* Expansion: operations that other operations can say, each in the file of its family.
 *
 * A rule gets an instruction and returns what stands for it from now on (of the same shape, but for layouts and bounds
 * of dims), or NULL when the instruction has to stay as it is. What it builds goes to the end of the instruction's
 * computation; the pass sorts it into place. Called computations were expanded before. */
#ifndef PASSES_EXPAND_EXPAND_H
#define PASSES_EXPAND_EXPAND_H

#include "passes/passes.h"

typedef Instr *ExpandRule(Instr *instr, Diags *diags);

ExpandRule expand_async_start, expand_async_update, expand_second, expand_copy_start, expand_first, expand_forward;
ExpandRule expand_own_share, expand_collective_broadcast, expand_collective_permute, expand_all_gather_start;
ExpandRule expand_collective_permute_start, expand_device_number;
ExpandRule expand_batch_norm_training, expand_batch_norm_inference, expand_batch_norm_grad;
ExpandRule expand_rng, expand_rng_bit_generator;
ExpandRule expand_select_and_scatter, expand_scan;
ExpandRule expand_ragged_dot, expand_scaled_dot;
ExpandRule expand_in_f32; /* floats of 16 and fewer bits: the same in f32 */
ExpandRule expand_custom_call, expand_constant, expand_shuffle;

typedef struct Builder Builder;
/* Threefry-2x32 with 20 rounds on u32 arrays of one shape: x becomes the random bits (random.c). */
void build_threefry(const Builder *b, Instr *const keys[2], Instr *x[2]);

/* Takes instr, which has no users any more, from the users of its operands, and marks it for computation_renumber. */
void instr_drop(Instr *instr);

/* Arrays in place of buffers that hold them, b(f32[2]) (buffers.c). */
void unwrap_buffers(Module *module);

/* Puts computations behind those that they call: new ones stand at the end (expand.c). */
void sort_computations(Module *module);

/* --- building (builder.c) ----------------------------------------------------------------------------------------- */

/* Where new instructions go, and what they say they come from. */
struct Builder {
    Computation *computation;
    Arena *arena;
    Span span, op_span;
};

Builder builder_for(const Instr *instr);

Instr *build_op(const Builder *b, Op op, const Shape *shape, int n, Instr *const *operands);
Instr *build_unary(const Builder *b, Op op, Instr *x);           /* results have x's shape */
Instr *build_binary(const Builder *b, Op op, Instr *x, Instr *y);
Instr *build_compare(const Builder *b, Direction direction, Instr *x, Instr *y);
Instr *build_select(const Builder *b, Instr *predicate, Instr *yes, Instr *no);
Instr *build_convert(const Builder *b, Instr *x, DType dtype);   /* x itself if it has that type */
Instr *build_bits(const Builder *b, Instr *x, DType dtype);      /* bitcast-convert between types of one width */
Instr *build_integer(const Builder *b, DType dtype, uint64_t value); /* a scalar constant */
Instr *build_fill(const Builder *b, const Shape *shape, DType dtype, double value); /* constant array of shape's dims */
Instr *build_fill_integer(const Builder *b, const Shape *shape, DType dtype, uint64_t value);
Instr *build_spread(const Builder *b, Instr *x, const Shape *shape, int n, const int64_t *dims); /* broadcast */
Instr *build_slice(const Builder *b, Instr *x, int dim, int64_t start, int64_t limit);
Instr *build_concatenate(const Builder *b, int dim, int n, Instr *const *parts);
Instr *build_iota(const Builder *b, DType dtype, int rank, const int64_t *dims, int dim);
Instr *build_tuple(const Builder *b, int n, Instr *const *elements);
Instr *build_element(const Builder *b, Instr *tuple, int k); /* get-tuple-element; the operand of a tuple itself */
Instr *build_zeros(const Builder *b, const Shape *shape);    /* of any shape; tokens are new ones */
/* Element (start) of a vector, as a scalar. */
Instr *build_pick(const Builder *b, Instr *vector, int64_t at);

/* A computation with n parameters; its root is for the caller to set. */
Computation *build_computation(const Builder *b, const char *name, int n, const Shape *const *parameters);
/* The attribute that names a called computation. */
void build_call_attr(const Builder *b, Instr *instr, AttrId id, Computation *computation);
/* A scalar computation (x, y) -> op(x, y). */
Computation *build_combiner(const Builder *b, Op op, DType dtype);
Instr *build_reduce(const Builder *b, Op op, Instr *x, double initial, int n, const int64_t *dims);

/* A copy of called's instructions on these arguments. */
Instr *build_inlined(const Builder *b, const Computation *called, Instr *const *arguments);

#endif
