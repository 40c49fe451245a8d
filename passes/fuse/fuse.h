/* Fusion: what is computed together. From the composed access relations of a computation it decides for every
 * instruction whether it is inlined, kept in accumulators, staged in a tile, or stored (tile-programs.md sections 1 to
 * 4).
 *
 * One walk in reverse topological order: when an instruction is visited all its readers are decided, so all places
 * where it is read, and how often, are known. Composed indices that split a dim (reshapes) are collected, and the walk
 * is repeated with the refined variables until none is left. */
#ifndef PASSES_FUSE_FUSE_H
#define PASSES_FUSE_FUSE_H

#include "ir/tile.h"
#include "passes/indexing/access.h"

typedef struct {
    Arena *arena;
    IndexPool *pool;
    AccessTable *access;
    int64_t l1_bytes, l2_bytes;
    bool optimise; /* false (-O0): every instruction is a group of its own */
} FuseContext;

/* The plan of one computation. Its results (leaves of the root) are stored, and what is done whole reads its operands
 * from memory. Instructions must have been inlined and simplified before (no call, fusion or map is left). */
TilePlan *fuse_computation(const FuseContext *context, const Computation *computation);

/* --report: every edge from a producer to its reader, with what was decided and why, and every access to memory. */
void fuse_report(const TilePlan *plan, Text *out);

/* What leaf `leaf` of instr's shape stands for behind tuples and their elements: an instr that computes it (an array,
 * or the leaf of something that is done whole). */
typedef struct {
    Instr *instr;
    int leaf;
} LeafSource;
LeafSource leaf_source(Instr *instr, int leaf);

/* The shape of instr's elements: its own, or that of element 0 of a variadic reduce; and how many it has. */
const Shape *element_shape(const Instr *instr);
int64_t instr_elements(const Instr *instr);

/* Whether elements of instr can be computed one by one where they are read. */
bool instr_is_pullable(const Instr *instr);
/* reduce, reduce-window, dot, convolution, and elements of a variadic reduce. */
bool instr_is_reduction(const Instr *instr);
/* A reduce-window whose window only grows: every element of dim reads what its neighbour before it (behind it, if
 * reverse) read, and one element more, at this value of the dim's range symbol. A running sum is one. */
typedef struct {
    int dim;
    bool reverse;
    int64_t newest;
} WindowScan;
bool window_scan(const Instr *reduction, WindowScan *scan);

/* The reduction itself: instr, or the variadic reduce whose element it is. */
Instr *reduction_of(Instr *instr);

#endif
