/* Kernel IR: what code generation prints as C. A program of functions over flat buffers; no tensors, no shapes.
 *
 * Statements have effects, values have none. Values are typed (element type, lanes) and hash-consed within a function:
 * equal values are the same pointer. Lanes above 1 are short vectors, so a register-tiled micro-kernel is ordinary
 * kernel IR. pred with lanes is a mask type of its own.
 *
 * Invariants (kernel_check)
 *   - register types only: pred, s8 .. u64, f32, f64. Storage types (bf16, f16, f8 ...) occur in buffers; loads and
 * stores convert
 *   - operands of an operator have equal lanes and the operator's types; a scalar is made lanes by SPLAT
 *   - every variable is declared (by LET, VAR, FOR or as an argument) in a block around its use
 *   - subscripts count elements of the buffer's type; loads and stores lie inside the buffer
 *   - integers wrap, floats are IEEE; only what passes build as reductions and contractions was reassociated */
#ifndef IR_KERNEL_H
#define IR_KERNEL_H

#include "ir/hlo.h"
#include "ir/index.h"

typedef enum {
#define SCALAR(id, ...) SCALAR_##id,
#include "ir/scalars.def"
#undef SCALAR
    N_SCALARS,
    SCALAR_NONE = N_SCALARS
} ScalarOp;

/* The columns `element` and `scalar` of ops.def. */
typedef enum {
    ELEMENT_later,
    ELEMENT_parameter,
    ELEMENT_constant,
    ELEMENT_iota,
    ELEMENT_map,
    ELEMENT_convert,
    ELEMENT_bitcast,
    ELEMENT_bitcast_convert,
    ELEMENT_mulhi,
    ELEMENT_reduce_precision,
    ELEMENT_stochastic_convert,
    ELEMENT_compare,
    ELEMENT_move,
    ELEMENT_choose,
    ELEMENT_reduce,
    ELEMENT_contract,
    ELEMENT_whole,
    ELEMENT_plumb,
    ELEMENT_inlined,
    ELEMENT_custom_call,
} ElementRule;
ElementRule op_element(Op op);
ScalarOp op_scalar(Op op); /* SCALAR_NONE: its element rule is not `map` */

const char *scalar_name(ScalarOp op);
int scalar_operands(ScalarOp op);
bool scalar_gives_pred(ScalarOp op);
int scalar_weight(ScalarOp op);
/* C's operator when it means the same on dtype (lanes: vectors have their own rules for pred), or NULL. */
const char *scalar_infix(ScalarOp op, DType dtype);

typedef struct {
    DType dtype;
    int lanes;
} KType;

/* The register type that holds elements of a storage type: f32 for bf16, f16, f8 ...; s8 for s4; the component of a
 * complex type. */
DType register_type(DType storage);

typedef struct KProgram KProgram;
typedef struct KBlock KBlock;
typedef struct KBuffer KBuffer;
typedef struct KFunc KFunc;
typedef struct KStmt KStmt;
typedef struct KValue KValue;
typedef struct KVar KVar;
typedef struct KCollective KCollective;
typedef struct KUserCall KUserCall;

/* --- buffers ------------------------------------------------------------------------------------------------------ */

typedef enum {
    KBUFFER_ARGUMENT, /* a pointer argument of the function */
    KBUFFER_LOCAL,    /* an array in the function */
    KBUFFER_CONSTANT, /* data of the program */
    KBUFFER_SLOT,     /* a piece of the workspace: offset bytes from its start */
    KBUFFER_POINTER,  /* a pointer variable of the function (loop state that is swapped) */
} KBufferKind;

struct KBuffer {
    KBufferKind kind;
    const char *name;
    DType dtype;      /* storage type; complex arrays are buffers of components, twice as many */
    int64_t elements; /* how many it holds at least */
    bool written;     /* by this function */
    int version;      /* how often its contents became another value, while lowering */
    bool result;      /* a result of the entry: may be written again and again */
    bool changes;     /* loop state: its contents differ from one iteration to the next */
    bool shares;      /* may be the same memory as another argument: no restrict */
    int64_t offset;   /* slots: bytes; multiple of 64 */
    bool per_thread;  /* slots: one for every thread */
    const Literal *data;  /* constants: the literal, in memory order of the shape below */
    const Shape *shape;   /* of the array it holds, for comments; may be NULL */
    const Instr *from;
    int in_place;     /* slots: how many values follow one another in it */
    KFunc *owner;     /* whose argument or array it is; NULL: the program's */
    int number;       /* within its function or program */
    int64_t align;    /* local arrays: 64 when vectors are stored there */
    KBlock *ready;    /* loads may not move out of this block, where it is filled; NULL: before everything */
    int reads;        /* scratch of sweep_unread */
};

/* --- variables and values ----------------------------------------------------------------------------------------- */

struct KVar {
    const char *name;
    KType type;        /* index variables: s64, one lane */
    bool mutable_;     /* accumulators, loop state */
    bool is_index;     /* ptrdiff_t; stands in index expressions as variable `index` */
    const Index *index;
    int64_t low, step; /* loop counters: the C variable is low + step * index (0, 1: index itself) */
    const Instr *from;
    KFunc *func;
    KBlock *block;     /* where it is declared; NULL: an argument, or nowhere (the lane number) */
    int version;       /* counts SETs: a value that reads it is never the same across one */
    int reads;         /* scratch of sweep_unread */
};

typedef enum {
    KVALUE_CONST,   /* bits */
    KVALUE_VAR,     /* var */
    KVALUE_INDEX,   /* index, converted to type (an integer type; wraps) */
    KVALUE_LOAD,    /* buffer[index], lanes by access */
    KVALUE_SCALAR,  /* op of args */
    KVALUE_CONVERT, /* args[0] to type, as HLO converts */
    KVALUE_BITCAST, /* the same bits as another type of the same width */
    KVALUE_SPLAT,   /* args[0] in every lane */
    KVALUE_IOTA,    /* 0, 1, 2, ... */
    KVALUE_FIRST,   /* pred: true in the first `number` lanes */
    KVALUE_LANE,    /* lane `number` of args[0] */
    KVALUE_DOWN,    /* lane i is lane i + number of args[0] (the last ones: anything) */
    KVALUE_UP,      /* lane i is lane i - number of args[0]; the first `number` lanes are args[1], a scalar */
    KVALUE_ZIP_LO,  /* interleaved lower halves of args[0] and args[1] */
    KVALUE_ZIP_HI,  /* upper halves */
    KVALUE_ENCODE,  /* args[0] rounded to the storage type `number`, as its bits (an unsigned integer) */
    KVALUE_DECODE,  /* the value of such bits */
    KVALUE_CALL,    /* a pure function of the runtime: name(args), with xN behind it for N lanes: complex functions */
} KValueKind;

/* How the lanes of a load or store lie in memory. */
typedef enum {
    KACCESS_UNIT,    /* next to each other; a scalar is one element */
    KACCESS_STRIDED, /* stride elements apart */
    KACCESS_GATHER,  /* at index + lanes of args[0] (a vector of s64 or s32) */
} KAccess;

struct KValue {
    KValueKind kind;
    KType type;
    int n_args;
    KValue *args[4];
    ScalarOp op;
    uint64_t bits;      /* of a constant, as its register type stores it */
    int64_t number;
    const Index *index; /* subscript, or the value of INDEX */
    KBuffer *buffer;
    KAccess access;
    int64_t stride;
    int count;          /* loads: the first so many lanes, the others are 0; 0: all */
    KVar *var;
    int version;        /* of var, or of the memory a load reads */
    const char *name;   /* of a call */
    const Instr *from;  /* the instruction that it computes, for names; the first one wins */
    uint32_t serial;
    /* scratch of the emitter */
    int uses, depth;
    uint32_t stamp, placed_at; /* placed_at: 0 when depth holds for good */
};

/* --- statements --------------------------------------------------------------------------------------------------- */

typedef enum {
    KSTMT_LET,          /* var = value, never changed */
    KSTMT_VAR,          /* var = value, may be SET */
    KSTMT_SET,          /* var = value */
    KSTMT_STORE,        /* buffer[index] = value */
    KSTMT_LOCAL,        /* declares buffer */
    KSTMT_POINTER,      /* declares pointer buffer = target + index */
    KSTMT_FOR,          /* for (var = low; var < high; var += step) body */
    KSTMT_WHILE,        /* for (;;) { body }, left by BREAK_UNLESS */
    KSTMT_BREAK_UNLESS, /* leaves the innermost WHILE if value is false */
    KSTMT_IF,           /* value: body, else other */
    KSTMT_CALL,         /* func(arguments) */
    KSTMT_COPY,         /* elements from target (at index2) to buffer (at index) */
    KSTMT_SWAP,         /* exchanges the pointers buffer and target */
    KSTMT_RETURN_ERROR, /* return a code of hlocc_context */
    KSTMT_COMMENT,      /* text */
    KSTMT_RUNTIME,      /* a call of a runtime function with effects: name(arguments) */
    KSTMT_USER_CALL, /* user_call on arguments: pointers that it reads, then n_results that it writes; an error ends the
                        call */
    KSTMT_COLLECTIVE, /* collective on arguments: pointers that it reads, then n_results that it writes; an error ends
                         the call */
} KStmtKind;

/* Unrolled: short passes of scalar code, several of which the C compiler should put behind one test. */
typedef enum { KFOR_SERIAL, KFOR_UNROLLED, KFOR_PARALLEL } KForKind;

/* One array of a collective (hlocc_operand in hlocc/rt_comm.h). */
typedef struct {
    int64_t element, outer, piece;
    KFunc *combine;        /* sum[i] = f(sum[i], next[i]) for n elements, or NULL */
    const char *reduction; /* HLOCC_ADD ... */
    char type;
} KCollectiveOperand;

/* An operation between devices (hlocc_collective). */
struct KCollective {
    const char *name; /* of its data in C */
    const Instr *instr;
    const char *kind; /* HLOCC_ALL_REDUCE ... */
    int n_groups, n_members;
    const int *sizes, *members; /* devices, group after group; pairs: no sizes */
    int n_operands;
    KCollectiveOperand *operands;
    bool dynamic_root;
    int64_t channel;
    uint64_t id;
};

/* A call of a function of the user's (hlocc_call in hlocc/rt_core.h). */
struct KUserCall {
    const char *name;     /* of its data in C */
    const char *function; /* C's name */
    const Instr *instr;
    int n_operands, n_results;
    const Shape *const *shapes; /* of the arrays, operands first, with their layouts */
};

typedef enum { KPHASE_WHOLE, KPHASE_START, KPHASE_FINISH } KPhase;

/* An argument of a call. */
typedef struct {
    KBuffer *buffer;    /* pointer: buffer + index */
    const Index *index;
    KVar *var;          /* an index variable, as C has it */
    KValue *value;      /* a scalar */
    const char *text;   /* C text as it stands */
} KArgument;

struct KStmt {
    KStmtKind kind;
    KVar *var;
    KValue *value;
    KBuffer *buffer, *target;
    const Index *index, *index2, *high;
    int64_t step, elements;
    KAccess access;
    int64_t stride;
    KValue *where;  /* stores: index vector of a scatter */
    int count;      /* stores: the first so many lanes; 0: all */
    KForKind for_kind;
    KBlock *body, *other;
    KFunc *func;
    int n_arguments;
    KArgument *arguments;
    const char *text;
    bool may_fail; /* RUNTIME: the function returns an error code; one that is not 0 ends the call */
    const Instr *from;
    const KCollective *collective;
    const KUserCall *user_call;
    int n_results; /* of a collective or user call: its last arguments */
    KPhase phase;
};

struct KBlock {
    VEC(KStmt *) stmts;
    KBlock *parent;
    int depth;
    bool guarded;  /* entered only under a condition: nothing moves out of it */
    KeyTable lets; /* value -> KVar, while the block is open */
    VEC(const char *) names; /* declared in it */
};

/* --- functions and programs --------------------------------------------------------------------------------------- */

typedef enum {
    KPARAM_BUFFER,
    KPARAM_INDEX,
    KPARAM_SCALAR,
} KParamKind;

typedef struct {
    KParamKind kind;
    KBuffer *buffer;
    KVar *var;
} KParam;

struct KFunc {
    KProgram *program;
    const char *name;
    VEC(KParam) params;
    VEC(KBuffer *) buffers; /* all it names, arguments too */
    KBlock *body;
    IndexDomain *domain;    /* ranges of its index variables */
    VEC(KVar *) dims, syms; /* index variables, by number in domain: loop counters, and runtime values */
    VEC(const Instr *) banner; /* the instructions that it computes */
    const char *title;      /* what kind of nest it is, for the banner */
    bool is_entry;
    bool is_combiner;       /* called by the runtime, through a pointer: its arguments are fixed */
    int lanes;              /* the widest vectors in it, bytes; for target attributes */
    KeyTable values;        /* hash -> chain of values */
    int n_statements;
    double flops, bytes;
};

typedef struct {
    const char *name;
    const char *path;   /* parameters: where it stands in the tree of the caller's, "params['w']"; NULL: unknown */
    const Shape *shape; /* layout of the interface */
    KBuffer *buffer;
    int alias;          /* results: number of the parameter leaf whose memory they may share, or -1 */
} KInterface;

struct KProgram {
    Arena *arena;
    const Module *module;
    IndexPool *pool;
    VEC(KFunc *) funcs;      /* callees first; the entry is the last */
    VEC(KBuffer *) constants;
    VEC(KBuffer *) slots;    /* pieces of the workspace */
    VEC(KInterface) inputs, outputs;
    KFunc *entry;
    VEC(KCollective *) collectives;
    VEC(KUserCall *) user_calls;
    bool may_fail;           /* the entry calls functions that return error codes */
    int64_t devices;         /* that run it together; 1: no communicator is needed */
    KVar *device;            /* a u32 of the entry: the number of this one; NULL: nothing asks for it */
    KVar *threads; /* an index variable of the entry: how many threads share parallel loops; NULL: there are none */
    int64_t workspace_bytes, thread_bytes; /* base, and per thread */
    int vector_bytes; /* of the target */
};

/* --- building ----------------------------------------------------------------------------------------------------- */

KFunc *kfunc_new(KProgram *program, const char *name);
KBuffer *kbuffer_new(KProgram *program, KFunc *func, KBufferKind kind, const char *name, DType dtype, int64_t elements);
/* An index variable with a range; block: where it is declared. */
KVar *kvar_index(KFunc *func, KBlock *block, const char *name, Interval range, bool runtime);
KVar *kvar_new(KFunc *func, KBlock *block, const char *name, KType type, bool mutable_);

/* Constructors of values: hash-consed; constants fold, what needs no operation is left out. `from` may be NULL. */
KValue *kvalue_const(KFunc *f, KType type, uint64_t bits);
KValue *kvalue_int(KFunc *f, DType dtype, int64_t value);
KValue *kvalue_float(KFunc *f, DType dtype, double value);
KValue *kvalue_var(KFunc *f, KVar *var);
KValue *kvalue_index(KFunc *f, DType dtype, const Index *index);
KValue *kvalue_load(KFunc *f, KValue load);
/* What op gives when it is known now: of constants, or with one that changes nothing (kernel_fold.c); NULL: it is not.
 */
KValue *kvalue_fold(KFunc *f, ScalarOp op, int n, KValue *const *args);
KValue *kvalue_scalar(KFunc *f, ScalarOp op, int n, KValue *const *args, const Instr *from);
KValue *kvalue_convert(KFunc *f, DType to, KValue *value, const Instr *from);
KValue *kvalue_bitcast(KFunc *f, DType to, KValue *value, const Instr *from);
KValue *kvalue_splat(KFunc *f, int lanes, KValue *value);
KValue *kvalue_first(KFunc *f, int lanes, int n);
KValue *kvalue_iota(KFunc *f, KType type);
KValue *kvalue_lane(KFunc *f, KValue *value, int64_t lane);
KValue *kvalue_shift(KFunc *f, KValueKind kind, KValue *value, int64_t lanes, KValue *fill);
KValue *kvalue_zip(KFunc *f, KValueKind kind, KValue *a, KValue *b);
KValue *kvalue_encode(KFunc *f, DType storage, KValue *value, const Instr *from);
KValue *kvalue_decode(KFunc *f, DType storage, KValue *bits, const Instr *from);
KValue *kvalue_call(KFunc *f, const char *name, KType type, int n, KValue *const *args, const Instr *from);

bool kvalue_is_const(const KValue *value, double *number); /* a constant (or a splat of one) and its value */

/* --- text --------------------------------------------------------------------------------------------------------- */

/* `--emit=kernels`. */
void kernel_print(Text *out, const KProgram *program);
/* Verifies the invariants; a violation is an internal error that names pass and function. */
void kernel_check(const KProgram *program, const char *pass);

#endif
