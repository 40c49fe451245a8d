/* Inside of passes/fuse: the state of the walk. */
#ifndef PASSES_FUSE_PLANNER_H
#define PASSES_FUSE_PLANNER_H

#include "ir/kernel.h"
#include "passes/fuse/fuse.h"

enum {
    TINY_ELEMENTS = 16,  /* an array of at most so many elements may live in named scalars */
    TINY_WORK = 512,     /* if no more scalar operations than that compute it */
    MOST_TINY_WORK = 20000, /* in one computation: past that only scalars are, or functions would grow without end */
    STAGE_COST = 6,      /* (evals - 1) * cost above which a member is staged */
    EXPENSIVE = 100,     /* cost above which a halo is not recomputed */
    PACK_REUSE = 4,      /* an operand of a contraction read so often per element is computed into a packed copy */
    MOST_USES = 16,      /* different indices at which a computed value is inlined */
    MOST_MOVES = 64,     /* the same for what only moves elements */
    MOST_MEMBERS = 400,  /* instructions of one group */
    MOST_OPERATORS = 250, /* of an index at which something is computed */
};

/* What is known of one instruction. */
typedef struct {
    TileStorage storage;
    bool stored;   /* must be in memory: a result, or read by something done whole */
    bool host;     /* pulled element by element by tiny values */
    bool heavy;    /* a reduction is below it, with nothing staged between */
    bool contracts; /* that reduction is a dot or a convolution */
    bool is_move;
    double cost;   /* operations per element, everything above inlined */
    VEC(TileMember *) memberships; /* in the groups that read it */
    VEC(int) readers; /* nodes that read it besides: tiny values, what is done whole, updates */
    int node;      /* of the order graph: its group, or itself; -1 */
    const char *why;
} Plan;

/* A step before steps are ordered, and what must come before it. */
typedef struct {
    TileStep step;
    VEC(int) needs;
    int last; /* position of the last instr in it: keeps the order of the text where it can */
    int stamp;
} Node;

/* Where a dim of a nest, or a symbol of a unit, is split: sizes of the inner parts (8, then 4: 32 inner elements). */
typedef struct {
    const Instr *instr;
    int dim;
    bool is_symbol;
    VEC(int64_t) inner; /* strides at which it is cut, ascending */
} SplitHint;
typedef VEC(SplitHint) SplitHints;

typedef struct {
    const FuseContext *context;
    Arena *arena;
    IndexPool *pool;
    const Computation *computation;
    Plan *plans; /* by position */
    VEC(TileGroup *) groups;
    VEC(Node) nodes;
    SplitHints *hints; /* survive from one walk to the next */
    bool new_hints;
    int stamp;
    double tiny_work; /* of the tiny values found by now */
    KeyTable runtime; /* of the group in work: key of a runtime variable -> its symbol */
} Planner;

/* classify.c */
void classify(Planner *planner);
static inline Plan *plan_of(const Planner *planner, const Instr *instr) {
    return &planner->plans[instr->position];
}

/* classify.c: what one element of instr costs, its operands at hand; of a reduction, all its terms. */
double instr_cost(const Instr *instr);

/* uses.c: tells the operands of member where they are read, now that it is computed where `use` says. */
void read_operands(Planner *planner, TileMember *member, const TileUse *use);
TileMember *group_member(Planner *planner, TileGroup *group, Instr *instr);
void add_use(Planner *planner, TileGroup *group, Instr *instr, TileUse use);
double use_points(const TileUse *use);

/* nests.c */
TileNest *nest_new(Planner *planner, TileGroup *group, TileNestKind kind, const Instr *shape_of);
/* The unit of nest, with a first reduction that is taken at index. */
TileUnit *unit_new(Planner *planner, TileNest *nest, TileMember *reduction, const Index *const *index);
void nest_add_target(Planner *planner, TileNest *nest, TileMember *member);
void nest_add_path(Planner *planner, TileNest *nest, const TileUse *use);
void split_hints_from(Planner *planner, TileGroup *group);

/* legal.c: whether nest, with all its paths known, may be staged in its group; narrows the group's outer variables when
 * it may. */
bool stage_is_legal(Planner *planner, TileNest *nest, const TileMember *member);
/* Variable var of nest runs through all of its values in one go: no outer variable may cut it. */
uint64_t root_vars_in(const TileNest *root, const Index *e); /* positions of the root variables in e, as bits */
void forbid_tiles(TileNest *nest, const Index *var);
/* Whether that leaves an outer variable, where something is staged. */
bool may_forbid_tiles(const TileNest *nest, const Index *var);
/* Whether nest covers each element of its targets once, as the tiles go by. */
bool covers_once(const TileNest *nest);

/* decide.c */
void decide(Planner *planner, Instr *instr);
void need(Planner *planner, Instr *instr, int reader); /* instr (a leaf source) must be in memory for node reader */

/* order.c */
int node_new(Planner *planner, TileStep step, int last);
void node_needs(Planner *planner, int node, int needed);
bool node_reaches(Planner *planner, int from, int to); /* from needs to, directly or not */
void order_steps(Planner *planner, TilePlan *plan);

#endif
