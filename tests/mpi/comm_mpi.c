/* comm_mpi WHAT: one test of collectives over MPI, on four ranks; the last word of its output is "good" (of rank 0). */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "hlocc/rt_mpi.h"
#include "runtime/mpi/mpi_comm.h"

static int rank;
static char message[256];
static hlocc_context ctx = {sizeof(hlocc_context)};
static const int everybody[] = {0, 1, 2, 3}, size_4[] = {4};

static void add_f32(void *sum, const void *next, ptrdiff_t n) {
    float *a = sum;
    const float *b = next;
    ptrdiff_t i;
    for (i = 0; i < n; i++) a[i] += b[i];
}

static void rest(double seconds) {
    struct timespec time = {0, 0};
    time.tv_sec = (time_t)seconds;
    time.tv_nsec = (long)((seconds - (double)time.tv_sec) * 1e9);
    nanosleep(&time, NULL);
}

static int all_reduce(const char *name, uint64_t id, const float *in, float *out, ptrdiff_t n) {
    hlocc_operand operand = {4, 1, 0, add_f32, HLOCC_ADD, 'f'};
    hlocc_collective op = {"", 0, HLOCC_ALL_REDUCE, 1, size_4, everybody, 1, NULL, 0, 0};
    const void *ins[1];
    void *outs[1];
    operand.piece = n;
    op.name = name;
    op.id = id;
    op.operand = &operand;
    ins[0] = in;
    outs[0] = out;
    return hlocc_comm_run(&ctx, &op, ins, outs);
}

static float value_of(int r, ptrdiff_t i) {
    return (float)((i * 7919 + r * 104729) % 1000) / 3.0f;
}

/* The same bits in every run: those of the ranks' order. */
static int repeat(void) {
    static const ptrdiff_t lengths[] = {1, 511, 1025, 20000, 3000001};
    enum { MOST = 3000001 };
    float *in = malloc(MOST * sizeof *in), *out = malloc(MOST * sizeof *out), expected;
    int round, r, code = 0;
    ptrdiff_t i;
    for (i = 0; i < MOST; i++) in[i] = value_of(rank, i);
    for (round = 0; round < 200 && !code; round++) {
        ptrdiff_t n = lengths[round % 40 == 39 ? 4 : round % 4];
        code = all_reduce("sum", 1, in, out, n);
        for (i = 0; i < n && !code; i += n > 30000 ? 977 : 1) {
            expected = value_of(0, i);
            for (r = 1; r < 4; r++) expected += value_of(r, i);
            if (memcmp(&expected, &out[i], sizeof expected)) code = -1;
        }
    }
    free(in);
    free(out);
    return code;
}

/* Small arrays and large ones: the others give up before rank 1 comes, and it must not wait for them for ever. */
static int late(ptrdiff_t n) {
    float *in = calloc((size_t)n, sizeof *in), *out = calloc((size_t)n, sizeof *out);
    int code;
    ctx.comm_seconds = 0.4;
    if (rank == 1) rest(1.2);
    code = all_reduce("sum.4", 1, in, out, n);
    if (rank != 1 && (code != HLOCC_ETIMEOUT || !strstr(message, "sum.4: rank "))) return -1;
    return code ? 0 : n > 1024 ? -2 : 0; /* of a small one the late rank may get the sum: they had all sent */
}

static int waited_for(void) {
    float in[3] = {1, 2, 3}, out[3];
    int code;
    if (rank == 1) rest(1);
    code = all_reduce("sum", 1, in, out, 3);
    return code ? code : out[2] != 12;
}

static int other_program(void) {
    float in[3] = {1, 2, 3}, out[3];
    return all_reduce("sum", rank == 2 ? 77 : 1, in, out, 3) == HLOCC_ECOMM && *message ? 0 : -1;
}

static int wrong_size(void) {
    return hlocc_comm_check(&ctx, 4, "f") == HLOCC_OK && hlocc_comm_check(&ctx, 3, "f") == HLOCC_ECOMM ? 0 : -1;
}

/* A permute whose source never comes. */
static int lonely(void) {
    static const int pairs[] = {0, 1};
    hlocc_operand operand = {4, 1, 3, NULL, HLOCC_OTHER, 'f'};
    hlocc_collective op = {"permute.2", 3, HLOCC_COLLECTIVE_PERMUTE, 1, NULL, pairs, 1, NULL, 0, 0};
    float in[3] = {1, 2, 3}, out[3];
    const void *ins[1];
    void *outs[1];
    op.operand = &operand;
    ins[0] = in;
    outs[0] = out;
    ctx.comm_seconds = 0.4;
    if (rank != 1) return 0;
    return hlocc_comm_run(&ctx, &op, ins, outs) == HLOCC_ETIMEOUT && strstr(message, "for rank 0") ? 0 : -1;
}

/* Counts beyond an int. */
static int types(void) {
    const size_t bytes = ((size_t)5 << 30) + 3;
    MPI_Datatype type;
    MPI_Count size, low, extent;
    if (mpi_bytes_type(bytes, &type) != MPI_SUCCESS) return -1;
    MPI_Type_size_x(type, &size);
    MPI_Type_free(&type);
    if ((size_t)size != bytes) return -2;
    if (mpi_pieces_type(bytes, 4 * bytes, 3, &type) != MPI_SUCCESS) return -3;
    MPI_Type_size_x(type, &size);
    MPI_Type_get_extent_x(type, &low, &extent);
    MPI_Type_free(&type);
    return (size_t)size == 3 * bytes && low == 0 && (size_t)extent == bytes ? 0 : -4;
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    int code = -100, worst, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (hlocc_comm_create_mpi(MPI_COMM_WORLD, &ctx.comm)) MPI_Abort(MPI_COMM_WORLD, 3);
    rank = hlocc_comm_rank(ctx.comm);
    ctx.message = message;
    ctx.message_bytes = sizeof message;
    if (!strcmp(what, "repeat")) code = repeat();
    if (!strcmp(what, "late")) code = late(3);
    if (!strcmp(what, "late_large")) code = late(100000);
    if (!strcmp(what, "waited_for")) code = waited_for();
    if (!strcmp(what, "other_program")) code = other_program();
    if (!strcmp(what, "wrong_size")) code = wrong_size();
    if (!strcmp(what, "lonely")) code = lonely();
    if (!strcmp(what, "types")) code = types();
    if (code) fprintf(stderr, "rank %d: %d (%s)\n", rank, code, message);
    code = code != 0;
    MPI_Allreduce(&code, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    hlocc_comm_free(ctx.comm);
    if (rank == 0) puts(worst ? "bad" : "good");
    MPI_Finalize();
    return worst;
}
