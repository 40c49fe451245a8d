/* collective-permute, send and recv: messages between two ranks. */
#include "runtime/mpi/mpi_comm.h"

#include <stdio.h>
#include <stdlib.h>

/* Messages of another operation, or of another program, do not match: then one waits in vain, and is told so. MPI
 * grants tags up to 32767; the lowest ones are taken. */
static int tag_of(uint64_t id) {
    return 16 + (int)(id % 32000);
}

static int post(const CommCall *call, int k, int peer, MPI_Comm comm, int receives, MPI_Request *request) {
    size_t bytes = comm_in_bytes(call->op, k, 1);
    MPI_Datatype type = MPI_BYTE;
    int count = (int)bytes, code = MPI_SUCCESS, large = bytes > MOST_BYTES, tag = tag_of(call->op->id + (uint64_t)k);
    if (large) code = mpi_bytes_type(bytes, &type);
    if (code != MPI_SUCCESS) return code;
    if (large) count = 1;
    code = receives ? MPI_Irecv(call->out[k], count, type, peer, tag, comm, request)
                    : MPI_Isend(call->in[k], count, type, peer, tag, comm, request);
    if (large) MPI_Type_free(&type);
    return code;
}

int mpi_post_permute(MpiComm *comm, const CommCall *call, MPI_Request *requests, int *used, char *who,
                     size_t who_bytes) {
    const int *to = comm_pair(call->op, comm->base.rank, 0), *from = comm_pair(call->op, comm->base.rank, 1);
    int k, code = MPI_SUCCESS;
    if (!from) comm_zero(call);
    for (k = 0; k < call->op->operands && code == MPI_SUCCESS; k++) {
        size_t bytes = comm_in_bytes(call->op, k, 1);
        if (to && to == from) {
            if (bytes) memcpy(call->out[k], call->in[k], bytes);
            continue;
        }
        if (from) code = post(call, k, from[0], comm->comm, 1, &requests[(*used)++]);
        if (to && code == MPI_SUCCESS) code = post(call, k, to[1], comm->comm, 0, &requests[(*used)++]);
    }
    if (from && to && from[0] != to[1]) snprintf(who, who_bytes, "rank %d or %d", from[0], to[1]);
    else snprintf(who, who_bytes, "rank %d", from ? from[0] : to ? to[1] : comm->base.rank);
    return mpi_result(comm, call, code);
}

int mpi_permute(MpiComm *comm, const CommCall *call) {
    enum { FEW = 16 };
    MPI_Request some[2 * FEW], *requests = some;
    int n = call->op->operands, used = 0, code;
    char who[64];
    if (n > FEW) requests = malloc(2 * (size_t)n * sizeof *requests);
    if (!requests) return comm_fail(call, HLOCC_EMEMORY, "no memory for %d messages", n);
    code = mpi_post_permute(comm, call, requests, &used, who, sizeof who);
    if (!code) code = mpi_await(comm, call, used, requests, who);
    if (requests != some) free(requests);
    return code;
}

/* ---- send and recv: a send never waits --------------------------------------------------------------------------- */

static int channel_tag(const CommCall *call) {
    return tag_of((uint64_t)call->op->channel * 2654435761u + 16384);
}

void mpi_reap(MpiComm *comm, int all) {
    Sending **at = &comm->sendings;
    while (*at) {
        Sending *sending = *at;
        int done = 0;
        if (all) done = MPI_Wait(&sending->request, MPI_STATUS_IGNORE) == MPI_SUCCESS || 1;
        else MPI_Test(&sending->request, &done, MPI_STATUS_IGNORE);
        if (!done) {
            at = &sending->next;
            continue;
        }
        *at = sending->next;
        free(sending);
    }
}

int mpi_send(MpiComm *comm, const CommCall *call) {
    const int *pair = comm_pair(call->op, comm->base.rank, 0);
    size_t bytes = comm_in_bytes(call->op, 0, 1);
    Sending *sending;
    MPI_Datatype type;
    int code;
    if (!pair) return HLOCC_OK;
    sending = malloc(sizeof *sending + bytes);
    if (!sending) return comm_fail(call, HLOCC_EMEMORY, "no memory for a message of %zu bytes", bytes);
    if (bytes) memcpy(sending + 1, call->in[0], bytes);
    code = mpi_bytes_type(bytes, &type);
    if (code == MPI_SUCCESS) {
        code = MPI_Isend(sending + 1, 1, type, pair[1], channel_tag(call), comm->comm, &sending->request);
        MPI_Type_free(&type);
    }
    if (code != MPI_SUCCESS) {
        free(sending);
        return mpi_result(comm, call, code);
    }
    sending->next = comm->sendings;
    comm->sendings = sending;
    return HLOCC_OK;
}

int mpi_receive(MpiComm *comm, const CommCall *call) {
    const int *pair = comm_pair(call->op, comm->base.rank, 1);
    MPI_Datatype type;
    MPI_Request request;
    char who[32];
    int code;
    if (!pair) {
        comm_zero(call);
        return HLOCC_OK;
    }
    code = mpi_bytes_type(comm_in_bytes(call->op, 0, 1), &type);
    if (code == MPI_SUCCESS) {
        code = MPI_Irecv(call->out[0], 1, type, pair[0], channel_tag(call), comm->comm, &request);
        MPI_Type_free(&type);
    }
    if (code != MPI_SUCCESS) return mpi_result(comm, call, code);
    snprintf(who, sizeof who, "rank %d", pair[0]);
    return mpi_await(comm, call, 1, &request, who);
}
