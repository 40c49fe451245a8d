/* Bounded dims, f32[<=8], become static ones: an array has room for its bounds, and the sizes of this run are scalars
 * beside it.
 *
 * The pass walks a module from its entry and keeps a table of sizes: for an array an s32[] instr per dim (NULL: the dim
 * is as large as its bound), for a tuple those of its leaves one after the other. Elements behind a size are there, but
 * mean nothing, so an operation that would see them gets them masked, packed or sorted to the end. */
#ifndef PASSES_BOUNDS_BOUNDS_H
#define PASSES_BOUNDS_BOUNDS_H

#include "passes/expand/expand.h"

typedef struct {
    Diags *diags;
    Arena *arena;
    KeyTable sizes; /* Instr -> Instr **, see above; none: all static */
    KeyTable done;  /* computations */
} Bounds;

/* A rule gets an instr whose operands are static already and whose own shape was made so; declared is what it was. It
 * returns what stands for it from now on, with sizes noted, or NULL when it cannot. */
typedef Instr *BoundsRule(Bounds *bounds, Instr *instr, const Shape *declared);

bool shape_has_bounds(const Shape *shape);

/* --- the table (sizes.c) ------------------------------------------------------------------------------------------ */

int shape_n_sizes(const Shape *shape);              /* ranks of its leaves, summed */
bool has_sizes(const Bounds *bounds, const Instr *instr);
Instr *size_known(const Bounds *bounds, const Instr *instr, int at); /* NULL: as large as the bound */
Instr *size_of(const Bounds *bounds, const Builder *b, Instr *array, int dim); /* a constant, if need be */
void size_note(Bounds *bounds, Instr *instr, int at, Instr *size);
void sizes_copy(Bounds *bounds, Instr *instr, const Instr *source); /* of the same ranks */

Instr *size_number(const Builder *b, int64_t value);
Instr *size_plus(const Builder *b, Instr *size, int64_t value);
Instr *size_times(const Builder *b, Instr *size, int64_t value);
Instr *size_over(const Builder *b, Instr *size, int64_t value); /* rounded down; size is not negative */
Instr *size_at_least(const Builder *b, Instr *size, int64_t value);
Instr *size_smaller(const Builder *b, Instr *x, Instr *y); /* either may be NULL: the other */

/* How many windows fit along a dim of this size (NULL: NULL). */
Instr *windows_in(const Builder *b, Instr *size, const WindowDim *window);

/* --- masks (sizes.c) ---------------------------------------------------------------------------------------------- */

/* pred of shape's dims: where the index along dim is below size. */
Instr *index_below(const Builder *b, const Shape *shape, int dim, Instr *size);
/* The same for the sizes of those dims of an array whose bits are set; NULL: all elements are. */
Instr *elements_below(const Bounds *bounds, const Builder *b, Instr *array, uint64_t dims);
/* x where valid (NULL: everywhere), else the scalar fill. */
Instr *fill_unless(const Builder *b, Instr *valid, Instr *x, Instr *fill);

BoundsRule bounds_reduce, bounds_reduce_window, bounds_sort;      /* combine.c */
BoundsRule bounds_dot, bounds_convolution;                        /* contract.c */
BoundsRule bounds_reshape, bounds_dynamic_reshape;                /* reshape.c */
BoundsRule bounds_concatenate, bounds_pad, bounds_reverse, bounds_slice, bounds_dynamic_slice; /* move.c */
BoundsRule bounds_dynamic_update_slice, bounds_transpose, bounds_broadcast, bounds_gather, bounds_scatter;

#endif
