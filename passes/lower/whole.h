/* Kernels of operations that are done whole (sort, scatter, relayouts): a function that reads arrays of the host
 * function element by element. */
#ifndef PASSES_LOWER_WHOLE_H
#define PASSES_LOWER_WHOLE_H

#include "passes/lower/host.h"

typedef struct {
    Frame *frame;
    Scope *scope;
    Puller puller; /* scalar code of the kernel */
} Kernel;

/* A kernel for instr, named after it; title for its banner. */
void kernel_begin(Kernel *kernel, Frame *frame, const Instr *instr, const char *title);
void kernel_end(Kernel *kernel, const Instr *instr);

/* Loops over the dims of shape that are not in `without` (a mask), outermost first, their values in index, the
 * innermost of a kind of its own; returns how many were opened. */
int kernel_loops(Kernel *kernel, const Shape *shape, uint64_t without, const char *letter, const Index **index,
                 KForKind innermost);
void kernel_close(Kernel *kernel, int loops);

/* An element of a value of the host function, loaded where the kernel stands now. */
Elem kernel_load(Kernel *kernel, Instr *instr, int leaf, const Index *const *index);
Elem kernel_load_place(Kernel *kernel, const Place *place, const Index *const *index);
void kernel_store(Kernel *kernel, const Place *place, const Index *const *index, Elem elem, const Instr *from);

#endif
