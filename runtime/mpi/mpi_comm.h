/* Collectives over MPI: a rank is a process (or a thread that MPI knows).
 *
 * The ranks of a group get a communicator of their own, made when they first meet (MPI_Comm_create_group: only they
 * take part) and kept. An operation begins with a meeting: a small non-blocking reduction that all ranks of the group
 * join. It compares what they are at (another program is an error, not a crash), and it is where one waits with a
 * time-out. Small arrays go by non-blocking calls, which are polled, too. In front of a blocking call ranks meet twice:
 * who comes so late that the others have given up passes the first meeting, for they had joined it, but not the second;
 * so blocking calls find all their partners. Pairs need no meeting: their messages are polled. */
#ifndef RUNTIME_MPI_MPI_COMM_H
#define RUNTIME_MPI_MPI_COMM_H

#include "hlocc/rt_mpi.h"
#include "runtime/comm/comm.h"

enum { GROUP_BUCKETS = 256, POLLED_BYTES = 1 << 16, MOST_BYTES = 0x7fffff00 }; /* of one MPI call: counts are ints */

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

/* An operation that was started. */
typedef struct Started {
    const hlocc_collective *op;
    uint64_t mine[2], greatest[2]; /* of the meeting */
    int n;
    MPI_Request *requests;
    char who[64];
    struct Started *next;
} Started;

typedef struct MpiComm {
    hlocc_comm base;
    MPI_Comm comm;
    int failed;        /* nothing works any more */
    MpiGroup *groups[GROUP_BUCKETS];
    MPI_Op combine;    /* user operation: calls the combiner that the element type carries */
    Sending *sendings;
    Started *started;
    void *scratch;     /* grows */
    size_t scratch_bytes;
} MpiComm;

/* The group's communicator. NULL: reported. */
MpiGroup *mpi_group(MpiComm *comm, const CommCall *call, const int *ranks, int n);

/* Reports an error of MPI (code MPI_SUCCESS: HLOCC_OK). */
int mpi_result(MpiComm *comm, const CommCall *call, int code);

/* Waits for requests, which become MPI_REQUEST_NULL; who: words for those that are missing. */
int mpi_await(MpiComm *comm, const CommCall *call, int n, MPI_Request *requests, const char *who);

/* All members of the group have come to this operation of this program: in two halves (lists of two words), or both. */
int mpi_meet_start(MpiComm *comm, const CommCall *call, MpiGroup *group, uint64_t *mine, uint64_t *greatest,
                   MPI_Request *request);
int mpi_meet_check(MpiComm *comm, const CommCall *call, const uint64_t *mine, const uint64_t *greatest);
int mpi_meet(MpiComm *comm, const CommCall *call, MpiGroup *group);

/* Memory until the next call of this; NULL: reported. */
void *mpi_scratch(MpiComm *comm, const CommCall *call, size_t bytes);

/* A committed type of so many bytes, also beyond an int; for pieces at a stride: outer of them, and as one element it
 * steps by a piece. To be freed. */
int mpi_bytes_type(size_t bytes, MPI_Datatype *type);
int mpi_pieces_type(size_t piece, size_t stride, ptrdiff_t outer, MPI_Datatype *type);

/* The operations: groups.c, reduce.c, pairs.c. With a request (not NULL) they are begun, and to be waited for. */
int mpi_all_gather(MpiComm *comm, const CommCall *call, MpiGroup *group, int k, MPI_Request *request);
int mpi_all_to_all(MpiComm *comm, const CommCall *call, MpiGroup *group, int k, MPI_Request *request);
int mpi_all_to_all_tuple(MpiComm *comm, const CommCall *call, MpiGroup *group, int me);
int mpi_ragged_all_to_all(MpiComm *comm, const CommCall *call, MpiGroup *group, int me);
int mpi_broadcast(MpiComm *comm, const CommCall *call, MpiGroup *group, int me, int k, MPI_Request *request);
int mpi_gathers_small(const CommCall *call); /* an all-reduce of arrays so small that all of them are gathered */
int mpi_all_reduce(MpiComm *comm, const CommCall *call, MpiGroup *group, int me, int k);
int mpi_reduce_scatter(MpiComm *comm, const CommCall *call, MpiGroup *group, int me, int k);
int mpi_reduce(MpiComm *comm, const CommCall *call, MpiGroup *group, int me, int k);
/* One that MPI_Iallreduce can do: by an operation and a type of MPI. */
int mpi_reduces_natively(const CommCall *call, int k);
int mpi_start_reduce(MpiComm *comm, const CommCall *call, MpiGroup *group, int k, MPI_Request *request);
/* Posts the messages of a permute: used counts the requests, room for 2 of each operand; who: for whom one waits. */
int mpi_post_permute(MpiComm *comm, const CommCall *call, MPI_Request *requests, int *used, char *who,
                     size_t who_bytes);
int mpi_permute(MpiComm *comm, const CommCall *call);
/* started.c */
int mpi_has_halves(const CommCall *call);
int mpi_start(MpiComm *comm, const CommCall *call);
int mpi_finish(MpiComm *comm, const CommCall *call);
int mpi_run(MpiComm *comm, const CommCall *call);
int mpi_send(MpiComm *comm, const CommCall *call);
int mpi_receive(MpiComm *comm, const CommCall *call);

/* Frees what MPI has taken away; all: waits for it. */
void mpi_reap(MpiComm *comm, int all);

/* Once before the first reduction: what MPI's user operations need. An MPI code. */
int mpi_prepare_types(void);

/* The signature of MPI's user operations. */
void mpi_combine(void *in, void *inout, int *n, MPI_Datatype *type);

#endif
