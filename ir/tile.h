/* Tile programs: what fusion hands to lowering (tile-programs.md).
 *
 * A plan orders the work of one computation in steps. A step is a group of instructions computed by one loop program,
 * an operation that is done whole (sort, scatter, while, ...), or tiny values computed as named scalars in the host
 * function.
 *
 * Invariants (tile_check)
 *   - every instruction whose elements are needed in memory is the result of exactly one step, and steps that read it
 *     come later
 *   - the nests of a group stand in an order in which a staged tile is computed before it is read
 *   - an outer variable occurs in the tile of every nest inside the loops: no tile is computed twice
 *   - a hero is read at one index per point of its nest; a nest has at most one unit */
#ifndef IR_TILE_H
#define IR_TILE_H

#include "ir/hlo.h"
#include "ir/index.h"

typedef enum {
    TILE_READ,   /* stored by another step (or a parameter, a constant, a tiny value): loaded here */
    TILE_INLINE, /* computed again at every use */
    TILE_HERO,   /* a reduction kept in accumulators of the nest that reads it */
    TILE_STAGE,  /* a tile of it is computed into a buffer inside the tile loop */
    TILE_ROOT,   /* stored by this group */
} TileMode;

typedef struct TileGroup TileGroup;
typedef struct TileMember TileMember;
typedef struct TileNest TileNest;
typedef struct TileUnit TileUnit;

typedef enum {
    NEST_ROOT,  /* computes the lead and what is stored with it */
    NEST_STAGE, /* computes tiles of staged members */
    NEST_PACK,  /* copies an operand of a contraction, computing it on the way, into the order the contraction wants */
} TileNestKind;

/* Reductions that run in one loop nest over the same symbols. */
struct TileUnit {
    VEC(TileMember *) reductions;
    int n_symbols;             /* loop variables of the reduced dims, splits counted one by one */
    const Index *const *symbols; /* dims of the group's domain */
    const int64_t *sizes;
    int n_ranges;
    const Index *const *ranges; /* one per range symbol of the access relation, in `symbols` */
    double points;             /* product of sizes */
    const Index *scan;         /* the variable along which it is a running reduction (window_scan); NULL: it is none */
    bool reverse;              /* from its last value to its first */
};

/* One place where a member is read: in a nest (outside or inside its unit's loops) at an index. */
typedef struct {
    TileNest *nest;
    TileUnit *unit; /* NULL: not under the reduction */
    const Index *const *index;
    double missed;  /* the share of points at which guards keep it from being read */
} TileUse;

struct TileMember {
    Instr *instr;
    TileGroup *group;
    TileMode mode;
    TileNest *nest; /* that computes it: of roots, staged members and heroes */
    TileUnit *unit; /* heroes */
    VEC(TileUse) uses;
    double evals, cost;
    const char *why; /* a word for reports */
};

/* The different values that a variable of a nest takes where the nest is read, in terms of the root nest's variables
 * (and of symbols). */
typedef struct {
    VEC(const Index *) at;
    bool any; /* too many to list: anything */
} TilePaths;

/* One loop nest: computes its targets for the points of its variables. */
struct TileNest {
    int number;
    TileGroup *group;
    VEC(TileMember *) targets; /* all of one shape */
    TileNestKind kind;
    TileMember *packs_for;     /* pack nests: the contraction, and which operand of it */
    int packs_operand;
    int n_dims;
    const Index *const *index; /* element index of the targets, per dim, in vars */
    int n_vars;
    const Index *const *vars;  /* dims of the group's domain; a dim that was split has several */
    const int64_t *sizes;
    TileUnit *unit;
    double points;
    TilePaths *paths; /* per variable */
    /* The tile, per variable: first element in the group's outer variables, and how many. */
    const Index **origin;
    int64_t *extent;
    int level;      /* how many of the outer loops surround it */
    bool has_halo;  /* neighbouring tiles overlap */
    bool updates;   /* the target is a dynamic-update-slice: the points are those of the update */
};

/* A variable of the root space that is tiled: loops over tiles surround the nests. */
typedef struct {
    int var;            /* position in the root nest's vars */
    const Index *origin; /* dim of the group's domain: first element of the tile */
    int64_t size, tile;
} TileOuter;

/* What a dim of a group's domain is: a piece of a dim of a nest's targets, or of a reduced dim. */
typedef struct {
    const Instr *instr;
    int dim;        /* of the element shape; number of the range symbol */
    bool is_symbol;
    int64_t stride; /* how many elements of the dim one step of the variable is */
} TileVariable;

/* A runtime variable (a sym of a group's domain): which element of its supplier it is. */
typedef struct {
    int n;
    const Index *const *index;
} TileRuntime;

struct TileGroup {
    int number;
    const Computation *computation;
    TileMember *lead;
    VEC(TileMember *) members; /* in reverse topological order, roughly: the lead first */
    KeyTable by_instr;         /* instr -> TileMember */
    VEC(TileNest *) nests;     /* the root nest first while planning; in execution order afterwards */
    TileNest *root;
    IndexDomain *domain;
    VEC(TileVariable) variables; /* by number of the dim in domain */
    VEC(TileRuntime) runtimes;   /* by number of the sym */
    VEC(TileOuter) outer;      /* outermost first */
    uint64_t outer_vars;       /* root variables that may be tiled, by position (the first 64) */
    uint64_t
        guarded_vars; /* root variables on which guards depend: pads, pieces of a concatenate, borders of windows */
    bool shared;               /* the outermost loop over tiles is for several threads */
    int node;                  /* while planning: its step */
    int64_t footprint;         /* bytes of staged tiles */
    bool has_contraction;
};

typedef enum {
    STEP_GROUP,
    STEP_WHOLE, /* instr: sort, scatter, while, conditional, custom-call, ... */
    STEP_TINY,  /* instr: its elements are named scalars of the host function */
} TileStepKind;

typedef struct {
    TileStepKind kind;
    TileGroup *group;
    Instr *instr;
} TileStep;

typedef enum {
    STORAGE_NONE,   /* dead, inlined, staged: no place of its own */
    STORAGE_LEAF,   /* parameters, constants: in memory already */
    STORAGE_BUFFER, /* stored by a step */
    STORAGE_TINY,   /* named scalars */
    STORAGE_PLUMB,  /* tuples and their elements, tokens: stands for other instructions */
} TileStorage;

typedef struct {
    const Computation *computation;
    VEC(TileStep) steps;
    TileStorage *storage; /* by position of the instr */
    VEC(TileGroup *) groups;
} TilePlan;

/* Number of elements of a tiled value that a nest computes for one tile. */
int64_t tile_elements(const TileNest *nest);

void tile_print(Text *out, const TilePlan *plan); /* --emit=fused */
void tile_check(const TilePlan *plan);

#endif
