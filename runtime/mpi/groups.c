/* Operations of a group that only move bytes. */
#include "runtime/mpi/mpi_comm.h"

#include <stdlib.h>

static size_t piece_of(const CommCall *call, int k) {
    return call->op->operand[k].element * (size_t)call->op->operand[k].piece;
}

/* Each at once, or (with a request) to be waited for. */
static int all_gather(const void *in, int n_in, MPI_Datatype in_type, void *out, int n_out, MPI_Datatype out_type,
                      MPI_Comm comm, MPI_Request *request) {
    return request ? MPI_Iallgather(in, n_in, in_type, out, n_out, out_type, comm, request)
                   : MPI_Allgather(in, n_in, in_type, out, n_out, out_type, comm);
}

static int all_to_all(const void *in, int n_in, MPI_Datatype in_type, void *out, int n_out, MPI_Datatype out_type,
                      MPI_Comm comm, MPI_Request *request) {
    return request ? MPI_Ialltoall(in, n_in, in_type, out, n_out, out_type, comm, request)
                   : MPI_Alltoall(in, n_in, in_type, out, n_out, out_type, comm);
}

static int broadcast(void *data, int n, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request) {
    return request ? MPI_Ibcast(data, n, type, root, comm, request) : MPI_Bcast(data, n, type, root, comm);
}

int mpi_all_gather(MpiComm *comm, const CommCall *call, MpiGroup *group, int k, MPI_Request *request) {
    size_t piece = piece_of(call, k), bytes;
    ptrdiff_t outer = call->op->operand[k].outer;
    MPI_Datatype in, out;
    int code;
    bytes = piece * (size_t)outer;
    if (!bytes) return HLOCC_OK;
    if (outer == 1 && bytes <= MOST_BYTES)
        return mpi_result(comm, call, all_gather(call->in[k], (int)bytes, MPI_BYTE, call->out[k], (int)bytes, MPI_BYTE,
                                                 group->comm, request));
    code = mpi_bytes_type(bytes, &in);
    if (code != MPI_SUCCESS) return mpi_result(comm, call, code);
    code = mpi_pieces_type(piece, piece * (size_t)group->n, outer, &out);
    if (code == MPI_SUCCESS) {
        code = all_gather(call->in[k], 1, in, call->out[k], 1, out, group->comm, request);
        MPI_Type_free(&out);
    }
    MPI_Type_free(&in);
    return mpi_result(comm, call, code);
}

int mpi_all_to_all(MpiComm *comm, const CommCall *call, MpiGroup *group, int k, MPI_Request *request) {
    size_t piece = piece_of(call, k);
    ptrdiff_t outer = call->op->operand[k].outer;
    MPI_Datatype type;
    int code;
    if (!piece || !outer) return HLOCC_OK;
    if (outer == 1 && piece <= MOST_BYTES)
        return mpi_result(comm, call, all_to_all(call->in[k], (int)piece, MPI_BYTE, call->out[k], (int)piece, MPI_BYTE,
                                                 group->comm, request));
    code = mpi_pieces_type(piece, piece * (size_t)group->n, outer, &type);
    if (code != MPI_SUCCESS) return mpi_result(comm, call, code);
    code = all_to_all(call->in[k], 1, type, call->out[k], 1, type, group->comm, request);
    MPI_Type_free(&type);
    return mpi_result(comm, call, code);
}

/* A message to and from everyone. */
int mpi_all_to_all_tuple(MpiComm *comm, const CommCall *call, MpiGroup *group, int me) {
    enum { TUPLE_TAG = 8 };
    size_t bytes = piece_of(call, 0);
    MPI_Request *requests;
    MPI_Datatype type;
    int i, used = 0, code;
    if (!bytes) return HLOCC_OK;
    memcpy(call->out[me], call->in[me], bytes);
    requests = malloc(2 * (size_t)group->n * sizeof *requests);
    if (!requests) return comm_fail(call, HLOCC_EMEMORY, "no memory for %d messages", group->n);
    code = mpi_bytes_type(bytes, &type);
    for (i = 1; i < group->n && code == MPI_SUCCESS; i++) {
        int to = (me + i) % group->n, from = (me + group->n - i) % group->n;
        code = MPI_Irecv(call->out[from], 1, type, from, TUPLE_TAG, group->comm, &requests[used++]);
        if (code == MPI_SUCCESS) code = MPI_Isend(call->in[to], 1, type, to, TUPLE_TAG, group->comm, &requests[used++]);
    }
    if (code == MPI_SUCCESS) code = MPI_Waitall(used, requests, MPI_STATUSES_IGNORE);
    if (code == MPI_SUCCESS) code = MPI_Type_free(&type);
    free(requests);
    return mpi_result(comm, call, code);
}

int mpi_broadcast(MpiComm *comm, const CommCall *call, MpiGroup *group, int me, int k, MPI_Request *request) {
    int root = comm_root(call, k, group->n), code;
    size_t bytes = comm_in_bytes(call->op, k, 1);
    MPI_Datatype type;
    if (root < 0) return comm_fail(call, HLOCC_ECOMM, "the root is not one of the %d members", group->n);
    if (!bytes) return HLOCC_OK;
    if (me == root) memcpy(call->out[k], call->in[k], bytes);
    if (bytes <= MOST_BYTES)
        return mpi_result(comm, call, broadcast(call->out[k], (int)bytes, MPI_BYTE, root, group->comm, request));
    code = mpi_bytes_type(bytes, &type);
    if (code != MPI_SUCCESS) return mpi_result(comm, call, code);
    code = broadcast(call->out[k], 1, type, root, group->comm, request);
    MPI_Type_free(&type);
    return mpi_result(comm, call, code);
}

/* ---- ragged-all-to-all ------------------------------------------------------------------------------------------- */

/* What member i is told of an update: how many rows, and where they go. */
typedef struct {
    int64_t rows, to;
} Update;

static int check_update(const CommCall *call, int64_t from, int64_t rows, int64_t to, int64_t n_from, int64_t n_to) {
    if (rows <= 0 || (from >= 0 && to >= 0 && from <= n_from - rows && to <= n_to - rows)) return HLOCC_OK;
    return comm_fail(call, HLOCC_ECOMM, "%lld rows from %lld to %lld lie outside of the arrays", (long long)rows,
                     (long long)from, (long long)to);
}

/* A message for each update that has rows; the types are freed when it is under way. */
static int post_rows(char *at, size_t bytes, int peer, MPI_Comm comm, int receives, MPI_Request *request) {
    enum { ROWS_TAG = 9 };
    MPI_Datatype type;
    int code = mpi_bytes_type(bytes, &type);
    if (code != MPI_SUCCESS) return code;
    code = receives ? MPI_Irecv(at, 1, type, peer, ROWS_TAG, comm, request)
                    : MPI_Isend(at, 1, type, peer, ROWS_TAG, comm, request);
    MPI_Type_free(&type);
    return code;
}

static int exchange_rows(MpiComm *comm, const CommCall *call, MpiGroup *group, const Update *mine, const Update *others,
                         MPI_Request *requests) {
    const hlocc_operand *operand = call->op->operand;
    size_t row = operand[0].element * (size_t)operand[0].piece;
    int64_t updates = operand[2].piece / group->n, j;
    int used = 0, code = MPI_SUCCESS;
    for (j = 0; j < updates * group->n && code == MPI_SUCCESS && row; j++) {
        if (others[j].rows > 0)
            code = post_rows((char *)call->out[0] + row * (size_t)others[j].to, row * (size_t)others[j].rows,
                             (int)(j / updates), group->comm, 1, &requests[used++]);
    }
    for (j = 0; j < updates * group->n && code == MPI_SUCCESS && row; j++) {
        int64_t from = comm_entry(&operand[2], call->in[2], j);
        if (mine[j].rows > 0)
            code = post_rows((char *)call->in[0] + row * (size_t)from, row * (size_t)mine[j].rows, (int)(j / updates),
                             group->comm, 0, &requests[used++]);
    }
    if (code == MPI_SUCCESS) code = MPI_Waitall(used, requests, MPI_STATUSES_IGNORE);
    return mpi_result(comm, call, code);
}

int mpi_ragged_all_to_all(MpiComm *comm, const CommCall *call, MpiGroup *group, int me) {
    const hlocc_operand *operand = call->op->operand;
    size_t row = operand[0].element * (size_t)operand[0].piece, entries = (size_t)operand[2].piece;
    Update *mine = malloc(2 * (entries + 1) * sizeof *mine), *others = mine + entries;
    MPI_Request *requests = malloc((2 * entries + 1) * sizeof *requests);
    int per_member = (int)(entries / (size_t)group->n * sizeof *mine), code = HLOCC_OK;
    size_t j;
    (void)me;
    if (!mine || !requests) code = comm_fail(call, HLOCC_EMEMORY, "no memory for %zu updates", entries);
    if (!code && row && operand[1].outer) memcpy(call->out[0], call->in[1], row * (size_t)operand[1].outer);
    for (j = 0; j < entries && !code; j++) {
        mine[j].rows = comm_entry(&operand[3], call->in[3], (ptrdiff_t)j);
        mine[j].to = comm_entry(&operand[4], call->in[4], (ptrdiff_t)j);
        code = check_update(call, comm_entry(&operand[2], call->in[2], (ptrdiff_t)j), mine[j].rows, mine[j].to,
                            operand[0].outer, operand[1].outer);
    }
    if (!code && per_member)
        code = mpi_result(comm, call, MPI_Alltoall(mine, per_member, MPI_BYTE, others, per_member, MPI_BYTE,
                                                   group->comm));
    for (j = 0; j < entries && !code; j++)
        code = check_update(call, 0, others[j].rows, others[j].to, operand[0].outer, operand[1].outer);
    if (!code) code = exchange_rows(comm, call, group, mine, others, requests);
    free(mine);
    free(requests);
    return code;
}
