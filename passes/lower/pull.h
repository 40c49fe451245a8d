/* Pulling: the value of one element of an instruction, at an index, as a value of the kernel IR.
 *
 * Elementwise ops apply a scalar operator to their operands' elements; movement only changes the index; what is stored
 * or staged is a load. So fusion needs no second emitter. Values are memoised by (instr, leaf, index). With lanes, one
 * of the index variables is the lane number: elements at consecutive values of it are computed together. */
#ifndef PASSES_LOWER_PULL_H
#define PASSES_LOWER_PULL_H

#include "passes/fuse/fuse.h"
#include "passes/lower/emit.h"
#include "passes/lower/lower.h"

/* One element; complex numbers are two real values. */
typedef struct {
    KValue *part[2]; /* part[1]: imaginary, or NULL */
} Elem;

/* Where an array lies: a buffer of the host function and the layout in it. */
typedef struct {
    KBuffer *buffer;
    const Shape *shape; /* dims, element type, layout; NULL: see tile */
    int version;        /* counts changes of its contents */
    bool changes;       /* it is written while the host function still reads it: loads are named at once */
} Place;

typedef struct Frame Frame;
typedef struct Lowering Lowering;
typedef struct Puller Puller;

/* What a Puller asks of its surroundings (the host function, or a kernel). */
typedef struct {
    /* Fills *elem when (instr, leaf) at index is at hand without computing it: a named scalar, an accumulator, a load
     * of what is stored or staged. False: compute it by its rule. */
    bool (*find)(Puller *p, Instr *instr, int leaf, const Index *const *index, Elem *elem);
    void *context;
} PullSource;

struct Puller {
    Lowering *low;
    KFunc *func;
    Emitter *emitter;
    IndexPool *pool;
    AccessTable *access;
    PullSource source;
    const Index *lane; /* the lane number, a dim of func->domain; NULL: scalar code */
    int lanes;
    const Index *
        turn; /* another variable of as many values as there are lanes, whose copies are computed one by one; or NULL */
    int copy;          /* its value now */
    bool wide;         /* inside a reduction: small floats keep f32's precision until its end */
    int count;         /* of the lanes, so many mean something; 0: all */
    KeyTable memo;
    int version;       /* of memory; part of what is memoised */
};

struct Lowering {
    Arena *arena;
    const Module *module;
    Diags *diags;
    LowerOptions options;
    KProgram *program;
    IndexPool *pool;
    AccessTable *access;
    FuseContext fuse;
    KeyTable plans;     /* computation -> TilePlan */
    KeyTable combiners; /* computation and element type -> KFunc, of collectives */
    uint64_t module_hash; /* of the module's text; 0: not computed yet */
    KeyTable constants; /* constant instr -> KBuffer */
    KeyTable tables;    /* of library.c -> KBuffer */
    KBuffer
        *rng_state; /* u64[2] of the workspace: the counter of rng-get-and-update-state; NULL: nothing asks for it */
    StringTable names;  /* of functions and constants */
    Emitter *host;      /* of the host function */
};

Elem pull(Puller *p, Instr *instr, int leaf, const Index *const *index);

/* Forgets memoised values: after an accumulator or memory changed, or with other lanes. */
void pull_forget(Puller *p);

/* The element at index of an array in memory. buffer: of the function that p emits into. */
Elem pull_load(Puller *p, KBuffer *buffer, const Shape *shape, const Index *const *index);
/* The same with a subscript that is known. */
Elem pull_load_at(Puller *p, KBuffer *buffer, DType storage, const Index *subscript);

/* Stores elem at a subscript of buffer (storage type: dtype). */
void push_store(Puller *p, KBuffer *buffer, DType dtype, const Index *subscript, Elem elem, const Instr *from);

/* Subscript of index in an array of shape's layout, simplified. */
const Index *subscript_of(Puller *p, const Shape *shape, const Index *const *index);

/* The expression without p->turn: its value now stands for it. */
const Index *pull_settle(Puller *p, const Index *e);

/* An index expression as a value of an integer or float type, with lanes where it holds the lane number. */
KValue *pull_index(Puller *p, DType dtype, const Index *index);
/* low <= expr <= high. */
KValue *pull_inside(Puller *p, const Index *expr, Interval in);

/* The body of a scalar computation (a combiner, a comparator) for given parameters, into out: one Elem per leaf of its
 * root. */
void pull_computation(Puller *p, const Computation *computation, const Elem *arguments, Elem *out);

/* The same for an array instruction of it, where the computation's arrays have no dims. */
Elem pull_within(Puller *p, const Computation *computation, const Elem *arguments, Instr *instr);

/* The operand elements of instr at an output index with given symbols: NULL part where a guard says that it is not read
 * (then *skipped is true). syms: the access relation's range symbols. */
Elem pull_operand(Puller *p, Instr *instr, int k, const Index *const *index, const Index *const *ranges);

/* What a guard says at this index: 1 always, 0 never, -1 it depends; *condition then is the test (conjunction). */
int pull_guards(Puller *p, Instr *instr, int k, const Index *const *index, const Index *const *ranges,
                KValue **condition);

/* op applied to elements of dtype, with complex numbers, pred arithmetic and rounding of small floats. */
Elem apply_scalar(Puller *p, ScalarOp op, DType dtype, int n, const Elem *args, const Instr *from);
Elem apply_width(Puller *p, DType dtype, Elem elem,
                 const Instr *from); /* wrapped to dtype, if it has less than 8 bits */
Elem apply_rounding(Puller *p, DType dtype, Elem elem, const Instr *from); /* to dtype, if it is a small float */

/* Rules that look at bits (pull_bits.c). */
Elem elem_bitcast(Puller *p, Instr *instr, const Index *const *index);
Elem elem_mulhi(Puller *p, Instr *instr, const Index *const *index);
Elem elem_reduce_precision(Puller *p, Instr *instr, const Index *const *index);
Elem elem_stochastic_convert(Puller *p, Instr *instr, const Index *const *index);

Elem elem_constant(Puller *p, DType dtype, double re, double im);
Elem elem_select(Puller *p, KValue *condition, Elem yes, Elem no, const Instr *from);

#endif
