/* The host function: the steps of computations in order, values in scalars and buffers, control flow. */
#ifndef PASSES_LOWER_HOST_H
#define PASSES_LOWER_HOST_H

#include "passes/lower/nest.h"

enum { TINY_STATE = 64 }; /* loop state of so many elements may live in scalars */

/* A frame for computation inside of outer (NULL: the entry). */
Frame *frame_new(Lowering *low, const Computation *computation, Scope *host, Puller *puller);

/* Between the two, what the host function pulls is looked up in frame. */
typedef struct {
    PullSource source;
    KeyTable memo;
} FrameSaved;
FrameSaved frame_enter(Frame *frame);
void frame_leave(Frame *frame, FrameSaved saved);

/* Lowers all steps of the frame that was entered, in the current block of the host function. */
void lower_steps(Frame *frame);

/* Leaf of instr should be computed into buffer, unless the value held (NULL: none), which is in there, is needed then.
 */
void frame_prefer(Frame *frame, const Instr *instr, int leaf, KBuffer *buffer, const Instr *held, int held_leaf);

/* A buffer for leaf of instr, which step computes: the preferred one, one that dies here, or a new slot. */
KBuffer *frame_buffer(Frame *frame, int step, const Instr *instr, int leaf);

/* The place of a value that is about to be written into buffer: loads of it stay behind this point. */
Place place_written(Frame *frame, KBuffer *buffer, const Shape *shape);

/* A slot of the workspace. */
KBuffer *new_slot(Lowering *low, const char *name, const Shape *shape);

/* Whether step may write instr over the value held: nothing reads it later, and step itself only element by element. */
bool may_overwrite(const Frame *frame, int step, const Instr *instr, const Instr *held, int held_leaf);
int last_read_of(const Frame *frame, const Instr *instr, int leaf); /* -1: never; INT32_MAX - 1: it is a result */

/* Copies value into buffer (of the same shape, with shape's layout). */
void copy_value(Frame *frame, HostValue *value, KBuffer *buffer, const Shape *shape, const char *name);

/* The same between layouts, by a nest of its own. */
void lower_relayout(Frame *frame, HostValue *value, KBuffer *buffer, const Shape *shape, const char *name);

/* Leaf of root (a computation's result) into buffer, if it does not lie there already. */
void store_result(Frame *frame, Instr *root, int leaf, KBuffer *buffer, const Shape *shape);

/* The value of (instr, leaf): what the frame knows, else its scalars, pulled. */
HostValue *host_value(Frame *frame, Instr *instr, int leaf);

/* A name for a constant of the program. */
const char *constant_name(Lowering *low, const char *base);

/* Scalar k of a tiny value (from memory if need be). */
Elem host_element(Frame *frame, Instr *instr, int leaf, int64_t element);

/* Steps that are not groups: the files of their names. */
void lower_group(Frame *frame, int step, TileGroup *group);
void lower_while(Frame *frame, int step, Instr *instr);
void lower_conditional(Frame *frame, int step, Instr *instr);
void lower_sort(Frame *frame, int step, Instr *instr);
void lower_scatter(Frame *frame, int step, Instr *instr);
void lower_collective(Frame *frame, int step, Instr *instr);
/* Finishes the collectives that must have ended before a step. */
void finish_collectives(Frame *frame, int step);
void lower_transfer(Frame *frame, int step, Instr *instr);
void lower_host_transfer(Frame *frame, int step, Instr *instr);
void lower_infeed(Frame *frame, int step, Instr *instr);
void lower_outfeed(Frame *frame, int step, Instr *instr);
void lower_rng_state(Frame *frame, int step, Instr *instr);
/* Before the first step: what rng-get-and-update-state needs, if there is one. */
void lower_rng_begin(Frame *frame);
void lower_device_id(Frame *frame, Instr *instr);
void lower_fft(Frame *frame, int step, Instr *instr);
void lower_topk(Frame *frame, int step, Instr *instr);
void lower_cholesky(Frame *frame, int step, Instr *instr);
void lower_triangular_solve(Frame *frame, int step, Instr *instr);
void lower_custom_call(Frame *frame, int step, Instr *instr);

#endif
