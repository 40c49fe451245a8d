/* Packing: an operand of a contraction copied into the order in which the contraction reads it, computing it on the way
 * (tile-programs.md section 6). Padding becomes zeros of the copy, so that no guard is left in the inner loops.
 *
 * A pack speaks of coordinates: one per dim of the operand, as functions of the contraction's variables and symbols.
 * They are the operand's index, except that padding lies outside of it and that a dilated operand has holes between its
 * elements. */
#ifndef PASSES_LOWER_PACK_H
#define PASSES_LOWER_PACK_H

#include "passes/lower/nest.h"

typedef struct Pack Pack;
struct Pack {
    TileNest *nest;     /* the contraction's */
    TileMember *contraction;
    int operand;
    TileNest *source;   /* its elements are pulled as in this nest */
    int n;              /* dims of the operand */
    const Index **coord;  /* over nest's variables and symbols */
    int64_t *dilation;
    const Index **origin; /* first coordinate of the copy, over the group's outer variables */
    int64_t *extent;
    bool guarded;         /* some coordinates are outside of the operand */
    int *order;           /* dims from the slowest to the fastest in the copy */
    int64_t *stride;
    int lane_dim;         /* the dim that the lanes of the contraction run along, or -1 */
    int64_t panel;        /* of so many elements of lane_dim; 0: natural order */
    int64_t panel_stride;
    DType dtype;
    int64_t elements;
    KBuffer *buffer;
    int level;            /* how many of the group's tile loops surround the copying */
    const Index **axes;   /* variables of the copy's loops, dims of the group's domain */
};

/* Decides which operands of nest's contraction are packed, given how it would be scheduled; fills build->packs and
 * marks facts. False: none. */
bool plan_packs(GroupBuild *build, TileNest *nest, NestFacts *facts, const Schedule *schedule);
/* The pack of an operand, or NULL. */
Pack *pack_of(const GroupBuild *build, const TileNest *nest, int operand);
/* Position in the copy of coordinates, less their origins. */
const Index *pack_subscript(const GroupBuild *build, const Pack *pack, IndexDomain *domain, const Index *const *at);
/* Emits the function that fills a pack's buffer, and its call. */
void lower_pack(GroupBuild *build, Pack *pack);

#endif
