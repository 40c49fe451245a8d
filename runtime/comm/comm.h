/* Inside of the runtime: what a back end of collectives is.
 *
 * The front (collective.c) finds the communicator of a call and hands the operation to its back end. A back end reports
 * errors with comm_fail, which writes "INSTRUCTION: text" into the caller's message, and returns the code. */
#ifndef RUNTIME_COMM_COMM_H
#define RUNTIME_COMM_COMM_H

#include "hlocc/rt_comm.h"

typedef struct CommCall {
    const hlocc_context *ctx;
    const hlocc_collective *op;
    const void *const *in;
    void *const *out;
    double seconds; /* a peer must come within */
    int any_order;  /* sums may be done in the transport's own order */
} CommCall;

typedef struct CommBackend {
    /* Before the first operation of a call: an error if one of an earlier call is still under way. */
    int (*begin)(hlocc_comm *comm, const hlocc_context *ctx, const char *program);
    int (*run)(hlocc_comm *comm, const CommCall *call);
    int (*start)(hlocc_comm *comm, const CommCall *call);
    int (*finish)(hlocc_comm *comm, const CommCall *call);
    void (*free)(hlocc_comm *comm);
} CommBackend;

struct hlocc_comm {
    const CommBackend *backend;
    int size, rank;
};

/* Writes "NAME: text" into the context's message. */
void comm_say(const hlocc_context *ctx, const char *name, const char *format, ...);

int comm_fail(const CommCall *call, int code, const char *format, ...);

/* The group of op that rank is in; its number of members and rank's place among them. NULL: in none. */
const int *comm_group(const hlocc_collective *op, int rank, int *n, int *index);

/* Permute, send, recv: the pair in which rank is the source (side 0) or the target (side 1): its two ranks, or NULL. */
const int *comm_pair(const hlocc_collective *op, int rank, int side);

/* Bytes of operand k on this side: of what a member puts in, and of what it gets. */
size_t comm_in_bytes(const hlocc_collective *op, int k, int members);
size_t comm_out_bytes(const hlocc_collective *op, int k, int members);

/* The root member for operand k of a broadcast or reduce among n members; -1: one is named that is not there. */
int comm_root(const CommCall *call, int k, int n);

/* Zeros in all results: of a rank that gets nothing. */
void comm_zero(const CommCall *call);

/* Entry j of an integer array of a ragged-all-to-all (operand k, whose elements are of 4 or 8 bytes and so on). */
int64_t comm_entry(const hlocc_operand *operand, const void *array, ptrdiff_t j);

/* Copies outer pieces of `bytes` each, from one stride to another. */
void comm_copy_pieces(void *to, size_t to_stride, const void *from, size_t from_stride, size_t bytes, ptrdiff_t outer);

double comm_now(void); /* seconds of a clock that never jumps */

#endif
