/* Schedules: how the loops of one nest run. Data, not code: nest.c generates any of them (tile-programs.md section 5).
 */
#ifndef PASSES_LOWER_SCHEDULE_H
#define PASSES_LOWER_SCHEDULE_H

#include "ir/tile.h"
#include "passes/lower/target.h"

/* One loop: a variable of the nest, or several that are one in memory. */
typedef struct {
    int n_parts;
    const Index *parts[8];   /* dims of the group's domain, slowest first */
    int64_t sizes[8];
    bool tiled;              /* its first part has a tile: the loop runs over that */
    bool clipped;            /* tiles reach beyond the array: the loop's bounds are computed */
    bool reduced;
    int64_t size;            /* of the whole axis (of a tile, if tiled) */
    int64_t unroll;          /* copies of the body, side by side */
    bool unrolled;           /* the whole axis is spelt out: no loop */
    int n_cuts;
    int64_t cuts[64];        /* bounds at which guards change: the loop is split there */
} Axis;

typedef enum {
    FORM_MAP,      /* no reduction; or a reduction in scalar code, or with lanes along an output */
    FORM_ROW,      /* lanes along a reduced axis: partial results in vectors, folded at the end */
    FORM_SCAN,     /* running results along the last output axis */
    FORM_STREAMED, /* lanes along an output, the reduced axis outside, accumulators in memory */
} NestForm;

typedef struct {
    NestForm form;
    int n_axes;
    Axis *axes;      /* outputs, outermost first, then reduced ones */
    int n_outputs;
    int lane;        /* the axis whose consecutive elements share a vector; -1: scalar code */
    int lanes;
    int rows;        /* the axis of register rows of a contraction; -1: none */
    int turn;        /* an output axis, unrolled by `lanes`: loads that are unit-stride along it are turned; -1: none */
    int64_t strip;   /* FORM_STREAMED: elements of the lane axis that have accumulators at a time */
    int partials;    /* FORM_ROW: vectors of partial results */
    int total;       /* partial results of a whole tree: 64, of eight bytes 32 */
    const char *name; /* for the banner: "map", "row reduction" ... */
} Schedule;

/* An access to memory by the nest, for the choice of lanes. */
typedef struct {
    const Index *subscript; /* in the group's domain */
    int bytes;              /* of an element */
    bool is_store;
    bool is_value;          /* the index itself is the value (iota): any linear one will do */
    bool under_unit;
    int operand;            /* of the contraction that it is, or -1 */
    bool computed;          /* no load: that operand is computed */
    bool packed;            /* it is read from its packed copy */
} NestAccess;

typedef struct {
    const Index *expr; /* in the group's domain */
    Interval in;
    bool of_operand; /* of the contraction's: where it fails there is no product */
} NestGuard;

/* What decides a schedule. */
typedef struct {
    TileNest *nest;
    TileMember *contraction; /* NULL: the unit is no contraction, or there is none */
    VEC(NestAccess) accesses;
    VEC(NestGuard) guards;
    double work;        /* operations per point */
    int widest;         /* bytes of the widest element that is computed with */
    bool updates_in_place;
    bool splits;        /* partial results of the reductions can be combined later (combiner_splits) */
    bool has_neutral;   /* and their combiners have neutral elements */
} NestFacts;

/* Elements by which an access moves when an axis takes one step; false when it is no linear function of it. */
bool access_stride(IndexPool *pool, const TileGroup *group, const Index *subscript, const Axis *axis, int64_t *stride);

Schedule schedule_nest(const Target *target, IndexPool *pool, const NestFacts *facts);

#endif
