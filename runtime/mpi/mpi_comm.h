/* Collectives over MPI: a rank is a process (or a thread that MPI knows).
 *
 * The ranks of a group get a communicator of their own, made when they first meet (MPI_Comm_create_group: only they take
 * part) and kept. An operation begins with a meeting: a small non-blocking reduction that all ranks of the group join.
 * It compares what they are at (another program is an error, not a crash), and it is where one waits with a time-out;
 * behind it, blocking calls of MPI find all their partners. Pairs need no meeting: their messages are polled. */
#ifndef RUNTIME_MPI_MPI_COMM_H
#define RUNTIME_MPI_MPI_COMM_H

#include "hlocc/rt_mpi.h"
#include "runtime/comm/comm.h"

enum { GROUP_BUCKETS = 256, MOST_BYTES = 0x7fffff00 }; /* of one MPI call: counts are ints */

typedef struct MpiGroup {
    int n;
    int *ranks;
    MPI_Comm comm; /* rank i is member i */
    struct MpiGroup *next;
} MpiGroup;

/* A sent array, until MPI has taken it away. */
typedef struct Sending {
    MPI_Request request;
    struct Sending *next;
    /* the bytes follow */
} Sending;

typedef struct MpiComm {
    hlocc_comm base;
    MPI_Comm comm;
    int failed;        /* nothing works any more */
    MpiGroup *groups[GROUP_BUCKETS];
    MPI_Op combine;    /* user operation: calls the combiner that the element type carries */
    Sending *sendings;
    void *scratch;     /* grows */
    size_t scratch_bytes;
} MpiComm;

/* The group's communicator. NULL: reported. */
MpiGroup *mpi_group(MpiComm *comm, const CommCall *call, const int *ranks, int n);

/* Reports an error of MPI (code MPI_SUCCESS: HLOCC_OK). */
int mpi_result(MpiComm *comm, const CommCall *call, int code);

/* Waits for requests, which become MPI_REQUEST_NULL; who: words for those that are missing. */
int mpi_await(MpiComm *comm, const CommCall *call, int n, MPI_Request *requests, const char *who);

/* All members of the group have come to this operation of this program. */
int mpi_meet(MpiComm *comm, const CommCall *call, MpiGroup *group);

/* Memory until the next call of this; NULL: reported. */
void *mpi_scratch(MpiComm *comm, const CommCall *call, size_t bytes);

/* A committed type of so many bytes, also beyond an int; for pieces at a stride: outer of them, and as one element it
 * steps by a piece. To be freed. */
int mpi_bytes_type(size_t bytes, MPI_Datatype *type);
int mpi_pieces_type(size_t piece, size_t stride, ptrdiff_t outer, MPI_Datatype *type);

/* The operations: groups.c, reduce.c, pairs.c. */
int mpi_all_gather(MpiComm *comm, const CommCall *call, MpiGroup *group, int me, int k);
int mpi_all_to_all(MpiComm *comm, const CommCall *call, MpiGroup *group, int me, int k);
int mpi_all_to_all_tuple(MpiComm *comm, const CommCall *call, MpiGroup *group, int me);
int mpi_ragged_all_to_all(MpiComm *comm, const CommCall *call, MpiGroup *group, int me);
int mpi_broadcast(MpiComm *comm, const CommCall *call, MpiGroup *group, int me, int k);
int mpi_all_reduce(MpiComm *comm, const CommCall *call, MpiGroup *group, int me, int k);
int mpi_reduce_scatter(MpiComm *comm, const CommCall *call, MpiGroup *group, int me, int k);
int mpi_reduce(MpiComm *comm, const CommCall *call, MpiGroup *group, int me, int k);
int mpi_permute(MpiComm *comm, const CommCall *call);
int mpi_send(MpiComm *comm, const CommCall *call);
int mpi_receive(MpiComm *comm, const CommCall *call);

/* Frees what MPI has taken away; all: waits for it. */
void mpi_reap(MpiComm *comm, int all);

/* Once before the first reduction: what MPI's user operations need. An MPI code. */
int mpi_prepare_types(void);

/* The signature of MPI's user operations. */
void mpi_combine(void *in, void *inout, int *n, MPI_Datatype *type);

#endif
