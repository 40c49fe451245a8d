/* bench KIND: all-reduce and all-gather of 8 bytes to 64 MB on N ranks, in microseconds (the best median of a few
 * rounds).
 *
 *   bench threads N     ranks are threads of this process
 *   mpirun -n N bench   compiled with -DWITH_MPI: through hlocc, and the direct call of MPI beside it
 *
 * A time is that of one operation on rank 0, operations one after the other without a barrier between them. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef WITH_MPI
#include "hlocc/rt_mpi.h"
#else
#include <pthread.h>

#include "hlocc/rt_comm.h"
#endif

enum { MOST_BYTES = 64 << 20, MOST_RANKS = 64, ROUNDS = 7 };
static int n_ranks, groups[MOST_RANKS];

static void add_f32(void *sum, const void *next, ptrdiff_t n) {
    float *restrict a = sum;
    const float *restrict b = next;
    for (ptrdiff_t i = 0; i < n; i++) a[i] += b[i];
}

static void add_s32(void *sum, const void *next, ptrdiff_t n) {
    uint32_t *restrict a = sum;
    const uint32_t *restrict b = next;
    for (ptrdiff_t i = 0; i < n; i++) a[i] += b[i];
}

static void max_f32(void *sum, const void *next, ptrdiff_t n) {
    float *restrict a = sum;
    const float *restrict b = next;
    for (ptrdiff_t i = 0; i < n; i++) a[i] = a[i] != a[i] || a[i] >= b[i] ? a[i] : b[i];
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

typedef struct {
    const char *name;
    hlocc_operand operand;
    int kind, any_order;
} Row;

static const Row rows[] = {
    {"all-reduce f32 +", {4, 1, 0, add_f32, HLOCC_ADD, 'f'}, HLOCC_ALL_REDUCE, 0},
#ifdef WITH_MPI
    {"all-reduce f32 + any order", {4, 1, 0, add_f32, HLOCC_ADD, 'f'}, HLOCC_ALL_REDUCE, 1},
#endif
    {"all-reduce s32 +", {4, 1, 0, add_s32, HLOCC_ADD, 's'}, HLOCC_ALL_REDUCE, 0},
    {"all-reduce f32 max", {4, 1, 0, max_f32, HLOCC_MAXIMUM, 'f'}, HLOCC_ALL_REDUCE, 0},
    {"all-gather", {4, 1, 0, NULL, HLOCC_OTHER, 'f'}, HLOCC_ALL_GATHER, 0},
    {"collective-permute", {4, 1, 0, NULL, HLOCC_OTHER, 'f'}, HLOCC_COLLECTIVE_PERMUTE, 0},
};
static const size_t sizes[] = {8, 64, 512, 4096, 1 << 15, 1 << 18, 1 << 20, 1 << 22, 1 << 24, MOST_BYTES};
enum { N_SIZES = sizeof sizes / sizeof *sizes };
enum { N_ROWS = sizeof rows / sizeof *rows };

/* Bytes: of the array that is reduced, of the gathered result, of what one sends. */
static hlocc_collective operation(const Row *row, hlocc_operand *operand, size_t bytes, int *pairs) {
    *operand = row->operand;
    operand->piece = (ptrdiff_t)(bytes / 4 / (row->kind == HLOCC_ALL_GATHER ? (size_t)n_ranks : 1));
    if (!operand->piece) operand->piece = 1;
    hlocc_collective op = {row->name, (uint64_t)(row - rows) + 1, row->kind, 1, &n_ranks, groups, 1, operand, 0, 0};
    if (row->kind == HLOCC_COLLECTIVE_PERMUTE) {
        for (int r = 0; r < n_ranks; r++) {
            pairs[2 * r] = r;
            pairs[2 * r + 1] = (r + 1) % n_ranks;
        }
        op.groups = n_ranks;
        op.sizes = NULL;
        op.members = pairs;
    }
    return op;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int calls_for(size_t bytes) {
    return bytes < 1 << 12 ? 1000 : bytes < 1 << 18 ? 200 : bytes < 1 << 23 ? 20 : 4;
}

/* Seconds of a call; every rank makes as many calls. */
static double time_calls(void (*call)(void *), void *context, size_t bytes) {
    double times[ROUNDS];
    int n = calls_for(bytes);
    call(context);
    for (int round = 0; round < ROUNDS; round++) {
        double start = now();
        for (int i = 0; i < n; i++) call(context);
        times[round] = (now() - start) / n;
    }
    qsort(times, ROUNDS, sizeof *times, by_size);
    return times[ROUNDS / 2];
}

typedef struct {
    hlocc_context *ctx;
    const hlocc_collective *op;
    void *in, *out;
    size_t bytes; /* of in */
    int rank;
} Call;

static void by_hlocc(void *context) {
    const Call *call = context;
    const void *in[1] = {call->in};
    void *out[1] = {call->out};
    if (!hlocc_comm_run(call->ctx, call->op, in, out)) return;
    fprintf(stderr, "%s\n", call->ctx->message);
    exit(1);
}

#ifdef WITH_MPI
static MPI_Comm direct;

static void by_mpi(void *context) {
    const Call *call = context;
    int n = (int)(call->bytes / 4), next = (call->rank + 1) % n_ranks, before = (call->rank + n_ranks - 1) % n_ranks;
    switch (call->op->kind) {
    case HLOCC_ALL_REDUCE:
        MPI_Allreduce(call->in, call->out, n, call->op->operand->type == 's' ? MPI_INT32_T : MPI_FLOAT,
                      call->op->operand->reduction == HLOCC_ADD ? MPI_SUM : MPI_MAX, direct);
        return;
    case HLOCC_ALL_GATHER:
        MPI_Allgather(call->in, n, MPI_FLOAT, call->out, n, MPI_FLOAT, direct);
        return;
    default:
        MPI_Sendrecv(call->in, n, MPI_FLOAT, next, 0, call->out, n, MPI_FLOAT, before, 0, direct, MPI_STATUS_IGNORE);
    }
}
#endif

static void run_rank(int rank, hlocc_comm *comm) {
    char message[256] = "";
    hlocc_context ctx = {.size = sizeof ctx, .comm = comm, .message = message, .message_bytes = sizeof message};
    float *in = malloc(MOST_BYTES), *out = malloc(MOST_BYTES);
    int pairs[2 * MOST_RANKS];
    for (size_t i = 0; i < MOST_BYTES / 4; i++) {
        in[i] = 1;
        out[i] = 0;
    }
    for (int r = 0; r < N_ROWS; r++)
        for (int s = 0; s < N_SIZES; s++) {
            const size_t bytes = sizes[s];
            hlocc_operand operand;
            hlocc_collective op = operation(&rows[r], &operand, bytes, pairs);
            Call call = {&ctx, &op, in, out, 4 * (size_t)operand.piece, rank};
            ctx.comm_any_order = rows[r].any_order;
            double seconds = time_calls(by_hlocc, &call, bytes);
#ifdef WITH_MPI
            double others = time_calls(by_mpi, &call, bytes);
            if (rank == 0) printf("%-28s %9zu  %12.2f  %12.2f  %5.2f\n", rows[r].name, bytes, seconds * 1e6,
                                  others * 1e6, seconds / others);
#else
            if (rank == 0) printf("%-28s %9zu  %12.2f\n", rows[r].name, bytes, seconds * 1e6);
#endif
            if (rank == 0) fflush(stdout);
        }
    free(in);
    free(out);
}

#ifdef WITH_MPI
int main(int argc, char **argv) {
    hlocc_comm *comm;
    MPI_Init(&argc, &argv);
    if (hlocc_comm_create_mpi(MPI_COMM_WORLD, &comm)) MPI_Abort(MPI_COMM_WORLD, 1);
    direct = MPI_COMM_WORLD;
    n_ranks = hlocc_comm_size(comm);
    for (int r = 0; r < n_ranks; r++) groups[r] = r;
    if (hlocc_comm_rank(comm) == 0) printf("%-28s %9s  %12s  %12s  ratio\n", "operation", "bytes", "hlocc us",
                                           "MPI us");
    run_rank(hlocc_comm_rank(comm), comm);
    hlocc_comm_free(comm);
    MPI_Finalize();
    return 0;
}
#else
static hlocc_comm *comms[MOST_RANKS];

static void *run_thread(void *rank) {
    run_rank((int)(intptr_t)rank, comms[(intptr_t)rank]);
    return NULL;
}

int main(int argc, char **argv) {
    pthread_t threads[MOST_RANKS];
    n_ranks = argc > 2 ? atoi(argv[2]) : 4;
    if (n_ranks < 1 || n_ranks > MOST_RANKS || hlocc_comm_create_threads(n_ranks, comms)) return 1;
    for (int r = 0; r < n_ranks; r++) groups[r] = r;
    printf("%-28s %9s  %12s\n", "operation", "bytes", "threads us");
    for (int r = 0; r < n_ranks; r++) pthread_create(&threads[r], NULL, run_thread, (void *)(intptr_t)r);
    for (int r = 0; r < n_ranks; r++) {
        pthread_join(threads[r], NULL);
        hlocc_comm_free(comms[r]);
    }
    return 0;
}
#endif
