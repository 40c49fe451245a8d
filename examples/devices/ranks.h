/* Runs a function on four ranks: threads of this process, or, compiled with -DWITH_MPI, the processes of an MPI job. */
#ifndef EXAMPLES_DEVICES_RANKS_H
#define EXAMPLES_DEVICES_RANKS_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef WITH_MPI
#include "hlocc/rt_mpi.h"
#else
#include <pthread.h>

#include "hlocc/rt_comm.h"
#endif

enum { RANKS = 4 };

/* Numbers that look random, the same everywhere: between -scale and scale. */
static inline void fill(float *array, size_t n, unsigned seed, float scale) {
    for (size_t i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        array[i] = scale * ((float)(seed >> 8) / 8388608.0f - 1.0f);
    }
}

static inline double seconds_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Memory for a workspace: aligned to 64 bytes. */
static inline void *workspace_new(size_t bytes) {
    return aligned_alloc(64, (bytes + 63) / 64 * 64 + 64);
}

/* Ends the program with a message where a call failed. */
static inline void check(int error, const hlocc_context *ctx) {
    if (!error) return;
    fprintf(stderr, "error %d: %s: %s\n", error, hlocc_strerror(error), ctx->message);
    exit(1);
}

typedef void RankFunction(int rank, hlocc_context *ctx);

static inline void run_with(RankFunction *function, hlocc_comm *comm) {
    char message[256] = "";
    hlocc_context ctx = {.size = sizeof ctx, .threads = 1, .comm = comm, .message = message,
                         .message_bytes = sizeof message};
    function(hlocc_comm_rank(comm), &ctx);
}

#ifdef WITH_MPI

static inline int run_ranks(RankFunction *function) {
    hlocc_comm *comm;
    MPI_Init(NULL, NULL);
    if (hlocc_comm_create_mpi(MPI_COMM_WORLD, &comm)) MPI_Abort(MPI_COMM_WORLD, 1);
    run_with(function, comm);
    hlocc_comm_free(comm);
    return MPI_Finalize();
}

#else

typedef struct {
    RankFunction *function;
    hlocc_comm *comm;
} Start;

static void *run_thread(void *start) {
    run_with(((Start *)start)->function, ((Start *)start)->comm);
    return NULL;
}

static inline int run_ranks(RankFunction *function) {
    hlocc_comm *comms[RANKS];
    pthread_t threads[RANKS];
    Start starts[RANKS];
    if (hlocc_comm_create_threads(RANKS, comms)) return 1;
    for (int r = 0; r < RANKS; r++) {
        starts[r] = (Start){function, comms[r]};
        if (pthread_create(&threads[r], NULL, run_thread, &starts[r])) return 1;
    }
    for (int r = 0; r < RANKS; r++) {
        pthread_join(threads[r], NULL);
        hlocc_comm_free(comms[r]);
    }
    return 0;
}

#endif

#endif
