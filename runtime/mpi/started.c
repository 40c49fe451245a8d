/* Operations in two halves: non-blocking calls of MPI, where there are such; the meeting is under way with them, and
 * waited for when the operation is finished. What has no such call (sums in order, custom combiners, ragged and tuple
 * forms) is done whole when it is started. */
#include "runtime/mpi/mpi_comm.h"

#include <stdlib.h>

int mpi_has_halves(const CommCall *call) {
    int k;
    switch (call->op->kind) {
    case HLOCC_ALL_GATHER:
    case HLOCC_ALL_TO_ALL:
    case HLOCC_COLLECTIVE_BROADCAST:
    case HLOCC_COLLECTIVE_PERMUTE: return 1;
    case HLOCC_ALL_REDUCE:
        for (k = 0; k < call->op->operands; k++)
            if (!mpi_reduces_natively(call, k)) return 0;
        return 1;
    default: return 0;
    }
}

static int start_operand(MpiComm *comm, const CommCall *call, MpiGroup *group, int me, int k, MPI_Request *request) {
    switch (call->op->kind) {
    case HLOCC_ALL_GATHER: return mpi_all_gather(comm, call, group, k, request);
    case HLOCC_ALL_TO_ALL: return mpi_all_to_all(comm, call, group, k, request);
    case HLOCC_COLLECTIVE_BROADCAST: return mpi_broadcast(comm, call, group, me, k, request);
    default: return mpi_start_reduce(comm, call, group, k, request);
    }
}

static int start_group(MpiComm *comm, const CommCall *call, Started *started, MpiGroup *group, int me) {
    int k, code = mpi_meet_start(comm, call, group, started->mine, started->greatest, &started->requests[started->n++]);
    for (k = 0; k < call->op->operands && !code; k++) {
        started->requests[started->n] = MPI_REQUEST_NULL; /* stays so where there is nothing to move */
        code = start_operand(comm, call, group, me, k, &started->requests[started->n++]);
    }
    return code;
}

int mpi_start(MpiComm *comm, const CommCall *call) {
    int n, me, code;
    size_t room = 2 * (size_t)call->op->operands + 1;
    int permutes = call->op->kind == HLOCC_COLLECTIVE_PERMUTE;
    const int *ranks = permutes ? NULL : comm_group(call->op, comm->base.rank, &n, &me);
    MpiGroup *group = NULL;
    Started *started;
    if (comm->failed || !mpi_has_halves(call) || (!permutes && (!ranks || n == 1))) return mpi_run(comm, call);
    if (!permutes && !(group = mpi_group(comm, call, ranks, n))) return HLOCC_ECOMM;
    started = calloc(1, sizeof *started + room * sizeof(MPI_Request));
    if (!started) return comm_fail(call, HLOCC_EMEMORY, "no memory for %zu requests", room);
    started->op = call->op;
    started->requests = (MPI_Request *)(void *)(started + 1);
    memcpy(started->who, "other ranks of its group", sizeof "other ranks of its group");
    started->next = comm->started;
    comm->started = started;
    code = permutes ? mpi_post_permute(comm, call, started->requests, &started->n, started->who, sizeof started->who)
                    : start_group(comm, call, started, group, me);
    return code;
}

int mpi_finish(MpiComm *comm, const CommCall *call) {
    Started **at = &comm->started, *started;
    int code;
    while (*at && (*at)->op != call->op) at = &(*at)->next;
    if (!(started = *at)) return HLOCC_OK; /* it was done when it was started */
    code = mpi_await(comm, call, started->n, started->requests, started->who);
    if (!code && started->mine[1]) code = mpi_meet_check(comm, call, started->mine, started->greatest);
    if (code) return code; /* MPI may still write to it */
    *at = started->next;
    free(started);
    return HLOCC_OK;
}
