/* One loop nest: a function of its own that computes the targets of a TileNest. */
#ifndef PASSES_LOWER_NEST_H
#define PASSES_LOWER_NEST_H

#include "passes/lower/schedule.h"
#include "passes/lower/scope.h"

/* What the host function knows of a value: memory, or named scalars. */
typedef struct {
    Place place;       /* buffer NULL: not in memory */
    Elem *scalars;     /* one per element, row-major; NULL: none */
    int64_t n_scalars;
    const Shape *shape;
    bool shared;       /* another value lies in the same memory: it may not be overwritten when this one dies */
    const KBlock *spilled_in; /* scalars that were written to memory: where that array is in reach */
} HostValue;

struct Frame {
    Lowering *low;
    const Computation *computation;
    TilePlan *plan;
    KeyTable values; /* instr and leaf -> HostValue */
    Scope *host;     /* the scope of the host function */
    Puller *puller;  /* of the host function, set to this frame while its steps are lowered */
    KeyTable last_read;  /* source and leaf -> the last step that reads it, plus 1; INT32_MAX: it is a result */
    KeyTable first_read; /* source and leaf -> the first step that reads it, plus 1 */
    int *finish;         /* per step: a collective that is started there is finished before this step; 0: at once */
    VEC(KStmt) started;  /* collectives that are under way: the statements that finish them (elements: the step) */
    KeyTable preferred;  /* stored instr and leaf -> where it should be computed */
};

HostValue *frame_value(const Frame *frame, const Instr *instr, int leaf); /* NULL: not there (yet) */
HostValue *frame_set(Frame *frame, const Instr *instr, int leaf, HostValue value);
/* The value in memory; scalars are written into an array of the host function first. */
Place *frame_place(Frame *frame, HostValue *value, const char *name);

/* A group while it is lowered. */
typedef struct {
    Lowering *low;
    Frame *frame;
    TileGroup *group;
    Scope *scope;          /* the function that calls the nests: the group's own, or the host */
    const Index *first_tile, *last_tile; /* of the outermost loop over tiles, where threads share it; NULL: all */
    const Index **outer;   /* per outer variable: the first element of the tile, over scope's variables */
    KBuffer ***tiles;      /* per nest (by number) and leaf of its first target: the tile buffer, or NULL */
    Schedule *schedules;   /* per nest (by number) */
    VEC(struct Pack *) packs;
} GroupBuild;

/* Emits a function for nest, and its call into build->scope. */
void lower_nest(GroupBuild *build, TileNest *nest);
/* The buffer and subscript in which target (leaf) of nest is stored, for the element at index (function-level). */
typedef struct {
    KBuffer *buffer; /* of the scope that owns it */
    const Shape *shape; /* layout; NULL: a tile */
} TargetPlace;
TargetPlace target_place(GroupBuild *build, const TileNest *nest, const TileMember *target, int leaf);

/* Position of target's first leaf among the leaves of all targets of nest. */
int target_leaf(const TileNest *nest, const TileMember *target);

/* Row-major strides of a tile over the nest's variables; the last dim is padded to whole vectors. */
void tile_strides(const TileNest *nest, int64_t *strides, int64_t *elements);

/* Memory for the time of a call of owner's function: an array of that function, or, if large, part of the workspace. */
KBuffer *scratch_buffer(Lowering *low, Scope *owner, const char *name, DType dtype, int64_t elements);

void collect_facts(GroupBuild *build, TileNest *nest, NestFacts *facts);
/* Facts, packs and the schedule of a nest: before anything of the group is emitted. */
void plan_nest(GroupBuild *build, TileNest *nest);

/* The contraction of nest, or NULL. */
TileMember *contraction_of(const TileNest *nest);
/* Index of an operand's element at the nest's point, over the group's variables: one entry per dim of operand. */
const Index **contraction_index(GroupBuild *build, const TileNest *nest, const TileMember *contraction,
                                const OperandAccess *operand);
/* The subscript at which operand, read at index, lies in memory, through moves; NULL: it is computed. */
const Index *operand_subscript(GroupBuild *build, Instr *operand, const Index *const *index);

#endif
