/* Communicators, and the collective operations that generated code asks of them (libhlocc-rt).
 *
 * A program for N devices is one C function that N ranks call, each with its own arrays, workspace and context;
 * context->comm is the rank's communicator. Rank r is device r: replica r / num_partitions, partition r %
 * num_partitions. Ranks are threads of one process (hlocc_comm_create_threads) or processes of an MPI job
 * (hlocc/rt_mpi.h). How to start them: docs/collectives.md. */
#ifndef HLOCC_RT_COMM_H
#define HLOCC_RT_COMM_H

#include "hlocc/rt_core.h"

/* header: hlocc/rt_comm.h */
#ifdef __cplusplus
extern "C" {
#endif

/* piece: hlocc_comm_create_threads hlocc_comm_free hlocc_comm_size hlocc_comm_rank */
/* Communicators for n threads of this process, comms[0] .. comms[n - 1]: one for each, who alone may use it (one call
 * at a time). Returns HLOCC_OK, HLOCC_EARGUMENT or HLOCC_EMEMORY. Each is to be freed, by any thread, when its rank
 * will call no more; the others may still be at work. A communicator that failed with an error stays failed on all
 * ranks. */
int hlocc_comm_create_threads(int n, hlocc_comm *comms[]);
void hlocc_comm_free(hlocc_comm *comm); /* NULL is fine */
int hlocc_comm_size(const hlocc_comm *comm);
int hlocc_comm_rank(const hlocc_comm *comm);

/* piece: hlocc_operand HLOCC_OTHER HLOCC_ADD HLOCC_MULTIPLY HLOCC_MINIMUM HLOCC_MAXIMUM HLOCC_AND HLOCC_OR HLOCC_XOR */
/* What a reduction does, where it is one of these. */
enum { HLOCC_OTHER, HLOCC_ADD, HLOCC_MULTIPLY, HLOCC_MINIMUM, HLOCC_MAXIMUM, HLOCC_AND, HLOCC_OR, HLOCC_XOR };

/* One array of an operation. What cuts an array into a piece for each member of a group, or joins such pieces, sees it
 * as outer x members x piece elements (row-major); the part of one member is outer x piece. Elsewhere outer is 1. */
typedef struct hlocc_operand {
    size_t element; /* bytes of an element */
    ptrdiff_t outer, piece;
    void (*combine)(void *sum, const void *next, ptrdiff_t n); /* reductions: sum[i] = f(sum[i], next[i]); else NULL */
    int reduction;    /* what combine is: HLOCC_ADD ... */
    char type;        /* of elements: s, u integers, p predicate, f f32 or f64, c complex of them, b other floats */
} hlocc_operand;

/* piece: hlocc_collective HLOCC_ALL_REDUCE HLOCC_REDUCE_SCATTER HLOCC_ALL_GATHER HLOCC_ALL_TO_ALL HLOCC_ALL_TO_ALL_TUPLE HLOCC_RAGGED_ALL_TO_ALL HLOCC_COLLECTIVE_PERMUTE HLOCC_COLLECTIVE_BROADCAST HLOCC_COLLECTIVE_REDUCE HLOCC_SEND HLOCC_RECV */
enum {
    HLOCC_ALL_REDUCE,
    HLOCC_REDUCE_SCATTER,      /* in: outer x members x piece, out: outer x piece */
    HLOCC_ALL_GATHER,          /* in: outer x piece, out: outer x members x piece */
    HLOCC_ALL_TO_ALL,          /* both outer x members x piece */
    HLOCC_ALL_TO_ALL_TUPLE,    /* operand i goes to member i, result i is from member i */
    HLOCC_RAGGED_ALL_TO_ALL,   /* in: rows, rows of the result to begin with, input offsets, sizes, output offsets */
    HLOCC_COLLECTIVE_PERMUTE,  /* groups are pairs (source, target); who is no target gets zeros */
    HLOCC_COLLECTIVE_BROADCAST, /* from the first member; who is in no group gets zeros */
    HLOCC_COLLECTIVE_REDUCE,   /* to the first member; the others get zeros */
    HLOCC_SEND,                /* groups are pairs (source, target) */
    HLOCC_RECV                 /* of what a send of the same channel sent; who is no target gets zeros */
};

/* An operation of the program: constant data, the same on all ranks. */
typedef struct hlocc_collective {
    const char *name; /* of the instruction */
    uint64_t id;      /* of the instruction and its program: the same where ranks run the same code */
    int kind;         /* HLOCC_ALL_REDUCE ... */
    int groups;
    const int *sizes;   /* members of each group */
    const int *members; /* ranks, group after group, in the order that gives members their numbers */
    int operands;
    const hlocc_operand *operand;
    /* broadcast, reduce: behind the operands stands one of s32, the number of the root member for each */
    int dynamic_root;
    int64_t channel;  /* send, recv */
} hlocc_collective;

/* piece: hlocc_comm_check */
/* HLOCC_OK if the context has a communicator of so many ranks; else HLOCC_ECOMM, and a message. */
int hlocc_comm_check(const hlocc_context *ctx, int devices, const char *program);

/* piece: hlocc_comm_device */
/* The rank's device number, 0 without a communicator. */
int hlocc_comm_device(const hlocc_context *ctx);

/* piece: hlocc_comm_run */
/* Runs an operation: in and out have one array for each operand, dense; they do not overlap. Returns an error code, and
 * leaves a message in the context. */
int hlocc_comm_run(const hlocc_context *ctx, const hlocc_collective *op, const void *const in[], void *const out[]);

/* piece: hlocc_comm_start hlocc_comm_finish */
/* The same in two halves. Between them in must not change and out not be touched; the same op may not be started twice.
 * Every rank of a group starts and runs operations in the same order. */
int hlocc_comm_start(const hlocc_context *ctx, const hlocc_collective *op, const void *const in[], void *const out[]);
int hlocc_comm_finish(const hlocc_context *ctx, const hlocc_collective *op, const void *const in[], void *const out[]);

/* end */
#ifdef __cplusplus
}
#endif

#endif
