/* Inside of nest.c and reduction.c: a nest while it is generated. */
#ifndef PASSES_LOWER_NEST_BUILD_H
#define PASSES_LOWER_NEST_BUILD_H

#include "passes/lower/pack.h"

typedef struct {
    const Index *base; /* value of the axis at copy 0 (less the tile's origin) */
    int copies;        /* side by side */
    int last_count;    /* lanes of the last copy that mean something; 0: all */
    const Index *low, *high; /* set: the axis runs over this part of its tile only */
} AxisState;

typedef struct NestBuild NestBuild;
typedef void NestStep(NestBuild *b, int axis);
typedef void NestLeaf(NestBuild *b);

struct NestBuild {
    GroupBuild *build;
    TileNest *nest;
    TileGroup *group;
    Scope *scope;
    Puller puller;
    Schedule schedule;
    const Index **bound;  /* dims of the group's domain, in this function */
    const Index **origin; /* of tiled variables, by the same numbers; NULL: 0 */
    AxisState *axes; /* one per axis of the schedule */
    const Index *lane_variables[65]; /* by how many lanes mean something */
    const Index *turn;    /* the variable of schedule.turn, once it is needed */
    Elem **hero;          /* reduction, leaf: their values while a copy is finished; NULL: not at hand */
    Elem ***copy_heroes;  /* the same for every copy of the outputs */
    struct Accumulators *accumulators;
    int partial;          /* which vector of partial results the point that is bound goes to */
    const Index *strip_base; /* FORM_STREAMED: the part of the lane axis that has accumulators now */
    int64_t strip_size;
    const Index *strip_at;   /* where in it */
    NestLeaf *at_strip_point;
    NestLeaf *leaf;       /* set: what is done at the innermost point */
    Pack *pack;           /* set: this is no nest of the plan but the copy of an operand */
};

/* Generates axis a: `next` for each of its ranges, in loops where there are iterations. */
void nest_axis(NestBuild *b, int a, NestStep *next);

/* The reductions of the nest's unit at the current copies of the outputs, and what is stored of them. */
void lower_reduction(NestBuild *b);

/* Generates a copy: leaf at the points of schedule, which are no points of a nest of the plan. */
void nest_run_pack(Pack *pack, GroupBuild *build, Scope *scope, Schedule schedule, NestLeaf *at_point);

/* The same along the last output axis, which is scanned. */
void lower_scan(NestBuild *b);
/* A streamed reduction's body at each place of the lane axis in the strip. */
void nest_strip(NestBuild *b, NestLeaf *body);

/* For reduction.c and pack.c. */
void nest_each_copy(NestBuild *b, NestLeaf *at_copy);
void nest_bind_outputs(NestBuild *b, int copy);
void nest_bind_axis(NestBuild *b, int axis, int copy);
int nest_output_copies(const NestBuild *b);
const Index *nest_at_bound(NestBuild *b, const Index *e);
void nest_store_copies(NestBuild *b);

#endif
