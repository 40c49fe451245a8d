/* Communicators over MPI: creation, groups, meetings, errors. */
#define _POSIX_C_SOURCE 200809L
#include "runtime/mpi/mpi_comm.h"

#include <sched.h>
#include <stdlib.h>
#include <time.h>

/* ---- errors and waiting ------------------------------------------------------------------------------------------ */

int mpi_result(MpiComm *comm, const CommCall *call, int code) {
    char words[MPI_MAX_ERROR_STRING];
    int n = 0;
    if (code == MPI_SUCCESS) return HLOCC_OK;
    comm->failed = 1;
    if (MPI_Error_string(code, words, &n) != MPI_SUCCESS) n = 0;
    return comm_fail(call, HLOCC_ECOMM, "rank %d: MPI: %.*s", comm->base.rank, n, words);
}

int mpi_await(MpiComm *comm, const CommCall *call, int n, MPI_Request *requests, const char *who) {
    enum { PATIENCE = 20000, SPINS = 5000 };
    double deadline = comm_now() + call->seconds;
    struct timespec nap = {0, 100000};
    long i;
    for (i = 0;; i++) {
        int done = 0, code = MPI_Testall(n, requests, &done, MPI_STATUSES_IGNORE);
        if (code != MPI_SUCCESS) return mpi_result(comm, call, code);
        if (done) return HLOCC_OK;
        if (i < SPINS) continue;
        sched_yield();
        if (i % 64 == 0 && comm_now() >= deadline) break;
        if (i > PATIENCE) nanosleep(&nap, NULL);
    }
    /* what is under way stays so: the communicator is of no more use, and its requests are left to MPI */
    comm->failed = 1;
    return comm_fail(call, HLOCC_ETIMEOUT, "rank %d has waited %g s for %s", comm->base.rank, call->seconds, who);
}

/* The greatest id and the greatest complement of an id tell whether all ids are the same. */
int mpi_meet_start(MpiComm *comm, const CommCall *call, MpiGroup *group, uint64_t *mine, uint64_t *greatest,
                   MPI_Request *request) {
    mine[0] = call->op->id;
    mine[1] = ~call->op->id;
    return mpi_result(comm, call, MPI_Iallreduce(mine, greatest, 2, MPI_UINT64_T, MPI_MAX, group->comm, request));
}

int mpi_meet_check(MpiComm *comm, const CommCall *call, const uint64_t *mine, const uint64_t *greatest) {
    if (greatest[0] == mine[0] && greatest[1] == mine[1]) return HLOCC_OK;
    comm->failed = 1;
    return comm_fail(call, HLOCC_ECOMM, "rank %d: another rank is at another operation, or runs another program",
                     comm->base.rank);
}

int mpi_meet(MpiComm *comm, const CommCall *call, MpiGroup *group) {
    uint64_t mine[2], greatest[2];
    MPI_Request request;
    int code;
    if (group->n == 1) return HLOCC_OK;
    code = mpi_meet_start(comm, call, group, mine, greatest, &request);
    if (!code) code = mpi_await(comm, call, 1, &request, "other ranks of its group");
    return code ? code : mpi_meet_check(comm, call, mine, greatest);
}

void *mpi_scratch(MpiComm *comm, const CommCall *call, size_t bytes) {
    if (bytes > comm->scratch_bytes) {
        void *larger = malloc(bytes);
        if (!larger) {
            comm_fail(call, HLOCC_EMEMORY, "no memory for %zu bytes", bytes);
            return NULL;
        }
        free(comm->scratch);
        comm->scratch = larger;
        comm->scratch_bytes = bytes;
    }
    return comm->scratch ? comm->scratch : (void *)comm;
}

/* ---- groups ------------------------------------------------------------------------------------------------------ */

static MPI_Comm make_comm(MpiComm *comm, const int *ranks, int n, int *code) {
    enum { GROUP_TAG = 7 };
    MPI_Group all, some = MPI_GROUP_NULL;
    MPI_Comm made = MPI_COMM_NULL;
    *code = MPI_Comm_group(comm->comm, &all);
    if (*code != MPI_SUCCESS) return made;
    *code = MPI_Group_incl(all, n, ranks, &some);
    if (*code == MPI_SUCCESS) *code = MPI_Comm_create_group(comm->comm, some, GROUP_TAG, &made);
    if (*code == MPI_SUCCESS) *code = MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN);
    if (some != MPI_GROUP_NULL) MPI_Group_free(&some);
    MPI_Group_free(&all);
    return made;
}

static int is_everyone(const MpiComm *comm, const int *ranks, int n) {
    int i;
    if (n != comm->base.size) return 0;
    for (i = 0; i < n; i++)
        if (ranks[i] != i) return 0;
    return 1;
}

/* MPI_Comm_create_group has no time-out: who is to take part is asked for by messages first. */
static int call_together(MpiComm *comm, const CommCall *call, const int *ranks, int n) {
    enum { CALL_TAG = 6 };
    MPI_Request *requests = malloc(2 * (size_t)n * sizeof *requests);
    int i, used = 0, code = MPI_SUCCESS;
    if (!requests) return comm_fail(call, HLOCC_EMEMORY, "no memory for a group of %d ranks", n);
    for (i = 0; i < n && code == MPI_SUCCESS; i++) {
        if (ranks[i] == comm->base.rank) continue;
        code = MPI_Irecv(NULL, 0, MPI_BYTE, ranks[i], CALL_TAG, comm->comm, &requests[used++]);
        if (code == MPI_SUCCESS) code = MPI_Isend(NULL, 0, MPI_BYTE, ranks[i], CALL_TAG, comm->comm, &requests[used++]);
    }
    code = code == MPI_SUCCESS ? mpi_await(comm, call, used, requests, "other ranks of its group")
                               : mpi_result(comm, call, code);
    free(requests);
    return code;
}

MpiGroup *mpi_group(MpiComm *comm, const CommCall *call, const int *ranks, int n) {
    unsigned hash = 2166136261u;
    MpiGroup **bucket, *group;
    int i, code;
    for (i = 0; i < n; i++) hash = (hash ^ (unsigned)ranks[i]) * 16777619u;
    bucket = &comm->groups[(hash ^ hash >> 15) % GROUP_BUCKETS];
    for (group = *bucket; group; group = group->next)
        if (group->n == n && memcmp(group->ranks, ranks, (size_t)n * sizeof *ranks) == 0) return group;
    group = calloc(1, sizeof *group);
    if (group) group->ranks = malloc((size_t)n * sizeof *ranks);
    if (!group || !group->ranks) {
        free(group);
        comm_fail(call, HLOCC_EMEMORY, "no memory for a group of %d ranks", n);
        return NULL;
    }
    group->n = n;
    memcpy(group->ranks, ranks, (size_t)n * sizeof *ranks);
    code = HLOCC_OK;
    group->comm = comm->comm;
    if (!is_everyone(comm, ranks, n)) {
        code = call_together(comm, call, ranks, n);
        if (!code) {
            group->comm = make_comm(comm, ranks, n, &code);
            code = mpi_result(comm, call, code);
        }
    }
    if (code) {
        free(group->ranks);
        free(group);
        return NULL;
    }
    group->next = *bucket;
    *bucket = group;
    return group;
}

/* ---- the back end ------------------------------------------------------------------------------------------------ */

static int run_operand(MpiComm *comm, const CommCall *call, MpiGroup *group, int me, int k) {
    switch (call->op->kind) {
    case HLOCC_ALL_REDUCE: return mpi_all_reduce(comm, call, group, me, k);
    case HLOCC_REDUCE_SCATTER: return mpi_reduce_scatter(comm, call, group, me, k);
    case HLOCC_ALL_GATHER: return mpi_all_gather(comm, call, group, k, NULL);
    case HLOCC_ALL_TO_ALL: return mpi_all_to_all(comm, call, group, k, NULL);
    case HLOCC_COLLECTIVE_BROADCAST: return mpi_broadcast(comm, call, group, me, k, NULL);
    case HLOCC_COLLECTIVE_REDUCE: return mpi_reduce(comm, call, group, me, k);
    default: return comm_fail(call, HLOCC_EUNSUPPORTED, "operation %d is not known here", call->op->kind);
    }
}

static int is_small(const CommCall *call, int members) {
    size_t bytes = 0;
    int k;
    for (k = 0; k < call->op->operands; k++) bytes += comm_in_bytes(call->op, k, members);
    return bytes <= POLLED_BYTES;
}

static int run_group(MpiComm *comm, const CommCall *call) {
    int n, me, k, code;
    MpiGroup *group;
    const int *ranks = comm_group(call->op, comm->base.rank, &n, &me);
    if (!ranks) {
        comm_zero(call);
        return HLOCC_OK;
    }
    if (n > 1 && mpi_has_halves(call) && is_small(call, n)) {
        code = mpi_start(comm, call);
        return code ? code : mpi_finish(comm, call);
    }
    group = mpi_group(comm, call, ranks, n);
    if (!group) return HLOCC_ECOMM;
    code = mpi_meet(comm, call, group);
    if (!code && !mpi_gathers_small(call)) code = mpi_meet(comm, call, group);
    if (!code && call->op->kind == HLOCC_ALL_TO_ALL_TUPLE) return mpi_all_to_all_tuple(comm, call, group, me);
    if (!code && call->op->kind == HLOCC_RAGGED_ALL_TO_ALL) return mpi_ragged_all_to_all(comm, call, group, me);
    for (k = 0; k < call->op->operands && !code; k++) code = run_operand(comm, call, group, me, k);
    return code;
}

int mpi_run(MpiComm *comm, const CommCall *call) {
    if (comm->failed) return comm_fail(call, HLOCC_ECOMM, "the communicator has failed before");
    if (comm->sendings) mpi_reap(comm, 0);
    switch (call->op->kind) {
    case HLOCC_COLLECTIVE_PERMUTE: return mpi_permute(comm, call);
    case HLOCC_SEND: return mpi_send(comm, call);
    case HLOCC_RECV: return mpi_receive(comm, call);
    default: return run_group(comm, call);
    }
}

static int begin(hlocc_comm *base, const hlocc_context *ctx, const char *program) {
    MpiComm *comm = (MpiComm *)base;
    if (!comm->started) return HLOCC_OK;
    comm->failed = 1;
    comm_say(ctx, program, "the call before this one ended in the middle of an operation");
    return HLOCC_ECOMM;
}

static int run(hlocc_comm *base, const CommCall *call) {
    return mpi_run((MpiComm *)base, call);
}

static int start(hlocc_comm *base, const CommCall *call) {
    return mpi_start((MpiComm *)base, call);
}

static int finish(hlocc_comm *base, const CommCall *call) {
    return mpi_finish((MpiComm *)base, call);
}

static void comm_release(hlocc_comm *base) {
    MpiComm *comm = (MpiComm *)base;
    int b, finalized = 0;
    MPI_Finalized(&finalized);
    if (!finalized) mpi_reap(comm, !comm->failed);
    for (b = 0; b < GROUP_BUCKETS; b++) {
        MpiGroup *group, *next;
        for (group = comm->groups[b]; group; group = next) {
            next = group->next;
            if (group->comm != comm->comm && !finalized && !comm->failed) MPI_Comm_free(&group->comm);
            free(group->ranks);
            free(group);
        }
    }
    if (!finalized && !comm->failed) {
        MPI_Op_free(&comm->combine);
        MPI_Comm_free(&comm->comm);
    }
    while (comm->started) {
        Started *started = comm->started;
        comm->started = started->next;
        free(started);
    }
    free(comm->scratch);
    free(comm);
}

static const CommBackend backend = {begin, run, start, finish, comm_release};

int hlocc_comm_create_mpi(MPI_Comm given, hlocc_comm **out) {
    int initialized = 0, between = 0;
    MpiComm *comm;
    if (!out) return HLOCC_EARGUMENT;
    *out = NULL;
    MPI_Initialized(&initialized);
    if (!initialized || given == MPI_COMM_NULL) return HLOCC_EARGUMENT;
    if (MPI_Comm_test_inter(given, &between) != MPI_SUCCESS || between) return HLOCC_EARGUMENT;
    comm = calloc(1, sizeof *comm);
    if (!comm) return HLOCC_EMEMORY;
    comm->base.backend = &backend;
    if (MPI_Comm_dup(given, &comm->comm) != MPI_SUCCESS) {
        free(comm);
        return HLOCC_ECOMM;
    }
    MPI_Comm_set_errhandler(comm->comm, MPI_ERRORS_RETURN);
    MPI_Comm_size(comm->comm, &comm->base.size);
    MPI_Comm_rank(comm->comm, &comm->base.rank);
    if (mpi_prepare_types() != MPI_SUCCESS || MPI_Op_create(mpi_combine, 0, &comm->combine) != MPI_SUCCESS) {
        MPI_Comm_free(&comm->comm);
        free(comm);
        return HLOCC_ECOMM;
    }
    *out = &comm->base;
    return HLOCC_OK;
}
