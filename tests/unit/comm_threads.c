/* Collectives among threads: results, repetition, faults. */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "hlocc/rt_comm.h"

enum { RANKS = 4, MOST = 70001 };

static void add_f32(void *sum, const void *next, ptrdiff_t n) {
    float *a = sum;
    const float *b = next;
    for (ptrdiff_t i = 0; i < n; i++) a[i] += b[i];
}

/* What a rank does in a test. */
typedef struct Rank Rank;
struct Rank {
    hlocc_context ctx;
    char message[256];
    int rank;
    int code; /* that it ended with */
    int (*body)(Rank *rank);
    float *in, *out;
};

static void *run_rank(void *context) {
    Rank *rank = context;
    rank->code = rank->body(rank);
    return NULL;
}

static void rest(double seconds) {
    struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&time, NULL);
}

/* Runs body on all ranks; waiting seconds: of the contexts. */
static void run_ranks(Rank *ranks, int n, double seconds, int (*body)(Rank *)) {
    hlocc_comm *comms[RANKS];
    pthread_t threads[RANKS];
    assert_int_equal(hlocc_comm_create_threads(n, comms), HLOCC_OK);
    for (int r = 0; r < n; r++) {
        ranks[r].ctx = (hlocc_context){.size = sizeof(hlocc_context), .comm = comms[r], .comm_seconds = seconds};
        ranks[r].ctx.message = ranks[r].message;
        ranks[r].ctx.message_bytes = sizeof ranks[r].message;
        ranks[r].rank = r;
        ranks[r].body = body;
        assert_int_equal(pthread_create(&threads[r], NULL, run_rank, &ranks[r]), 0);
    }
    for (int r = 0; r < n; r++) {
        pthread_join(threads[r], NULL);
        hlocc_comm_free(comms[r]);
    }
}

static const int everybody[] = {0, 1, 2, 3}, size_4[] = {4};

static int all_reduce(Rank *rank, const char *name, uint64_t id, const float *in, float *out, ptrdiff_t n) {
    hlocc_operand operand = {4, 1, n, add_f32, HLOCC_ADD, 'f'};
    hlocc_collective op = {name, id, HLOCC_ALL_REDUCE, 1, size_4, everybody, 1, &operand, 0, 0};
    return hlocc_comm_run(&rank->ctx, &op, (const void *const[]){in}, (void *const[]){out});
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

static const ptrdiff_t lengths[] = {1, 7, 511, 513, 5000, MOST};

static float value_of(int rank, ptrdiff_t i) {
    return (float)((i * 7919 + rank * 104729) % 1000) / 3.0f;
}

/* Many times, sizes mixed, so that each operation meets the rests of the one before. */
static int sum_again_and_again(Rank *rank) {
    float *in = malloc(MOST * sizeof *in), *out = malloc(MOST * sizeof *out);
    int code = HLOCC_OK;
    for (ptrdiff_t i = 0; i < MOST; i++) in[i] = value_of(rank->rank, i);
    for (int round = 0; round < 200 && !code; round++) {
        ptrdiff_t n = lengths[round % (int)(sizeof lengths / sizeof *lengths)];
        code = all_reduce(rank, "sum", 1, in, out, n);
        for (ptrdiff_t i = 0; i < n && !code; i++) {
            float expected = value_of(0, i);
            for (int r = 1; r < RANKS; r++) expected += value_of(r, i);
            if (memcmp(&expected, &out[i], sizeof expected)) code = -1;
        }
    }
    free(in);
    free(out);
    return code;
}

static void sums_have_the_bits_of_the_ranks_order_in_every_run(void **state) {
    (void)state;
    Rank ranks[RANKS] = {0};
    run_ranks(ranks, RANKS, 0, sum_again_and_again);
    for (int r = 0; r < RANKS; r++) assert_int_equal(ranks[r].code, HLOCC_OK);
}

/* Two groups of two, and a ring, without any common step between them. */
static int mix_groups(Rank *rank) {
    static const int twos[] = {2, 2}, members[] = {0, 3, 1, 2}, ring[] = {0, 1, 1, 2, 2, 3, 3, 0};
    float in[600], part[1200], moved[600];
    hlocc_operand gather = {4, 1, 600, NULL, HLOCC_OTHER, 'f'}, few = {4, 1, 3, NULL, HLOCC_OTHER, 'f'};
    hlocc_collective all_gather = {"gather", 1, HLOCC_ALL_GATHER, 2, twos, members, 1, &gather, 0, 0};
    hlocc_collective permute = {"permute", 2, HLOCC_COLLECTIVE_PERMUTE, 4, NULL, ring, 1, &gather, 0, 0};
    hlocc_collective small = {"small", 3, HLOCC_COLLECTIVE_PERMUTE, 4, NULL, ring, 1, &few, 0, 0};
    int other = 3 - rank->rank, first = rank->rank < other ? rank->rank : other, from = (rank->rank + 3) % 4;
    for (int round = 0; round < 200; round++) {
        for (int i = 0; i < 600; i++) in[i] = (float)(1000 * rank->rank + i + round);
        int code = hlocc_comm_run(&rank->ctx, &all_gather, (const void *const[]){in}, (void *const[]){part});
        if (!code) code = hlocc_comm_run(&rank->ctx, round % 3 ? &permute : &small, (const void *const[]){in},
                                         (void *const[]){moved});
        if (code) return code;
        if (part[5] != (float)(1000 * first + 5 + round) ||
            part[605] != (float)(1000 * (3 - first) + 5 + round)) return -1;
        if (moved[2] != (float)(1000 * from + 2 + round)) return -2;
    }
    return HLOCC_OK;
}

static void groups_and_pairs_go_their_own_ways(void **state) {
    (void)state;
    Rank ranks[RANKS] = {0};
    run_ranks(ranks, RANKS, 0, mix_groups);
    for (int r = 0; r < RANKS; r++) assert_int_equal(ranks[r].code, HLOCC_OK);
}

/* Started, another one run meanwhile, finished. */
static int start_and_finish(Rank *rank) {
    enum { N = 3000 };
    static float in[RANKS][N], out[RANKS][N], other[RANKS][N];
    hlocc_operand operand = {4, 1, N, add_f32, HLOCC_ADD, 'f'};
    hlocc_collective op = {"started", 1, HLOCC_ALL_REDUCE, 1, size_4, everybody, 1, &operand, 0, 0};
    const void *const ins[] = {in[rank->rank]};
    void *const outs[] = {out[rank->rank]};
    for (int round = 0; round < 50; round++) {
        for (int i = 0; i < N; i++) in[rank->rank][i] = (float)(rank->rank + i + round);
        int code = hlocc_comm_start(&rank->ctx, &op, ins, outs);
        if (!code && round % 2) code = all_reduce(rank, "between", 2, in[rank->rank], other[rank->rank], 5);
        if (!code) code = hlocc_comm_finish(&rank->ctx, &op, ins, outs);
        if (code) return code;
        if (out[rank->rank][17] != (float)(6 + 4 * (17 + round))) return -1;
        if (round % 2 && other[rank->rank][1] != (float)(6 + 4 * (1 + round))) return -2;
    }
    return HLOCC_OK;
}

static void what_was_started_is_finished(void **state) {
    (void)state;
    Rank ranks[RANKS] = {0};
    run_ranks(ranks, RANKS, 0, start_and_finish);
    for (int r = 0; r < RANKS; r++) assert_int_equal(ranks[r].code, HLOCC_OK);
}

/* Rank 0 sends, each adds 1 and sends on: nobody could wait for all. */
static int pass_on(Rank *rank) {
    static const int chain[] = {0, 1, 1, 2, 2, 3};
    hlocc_operand operand = {4, 1, 3, NULL, HLOCC_OTHER, 'f'};
    hlocc_collective send = {"send", 1, HLOCC_SEND, 3, NULL, chain, 1, &operand, 0, 5};
    hlocc_collective recv = {"recv", 2, HLOCC_RECV, 3, NULL, chain, 1, &operand, 0, 5};
    float values[3];
    int code = hlocc_comm_run(&rank->ctx, &recv, NULL, (void *const[]){values});
    if (!code && values[1] != (float)rank->rank) return -1;
    for (int i = 0; i < 3; i++) values[i]++;
    if (!code) code = hlocc_comm_run(&rank->ctx, &send, (const void *const[]){values}, NULL);
    return code;
}

static void messages_go_from_one_to_the_next(void **state) {
    (void)state;
    Rank ranks[RANKS] = {0};
    run_ranks(ranks, RANKS, 0, pass_on);
    for (int r = 0; r < RANKS; r++) assert_int_equal(ranks[r].code, HLOCC_OK);
}

/* ---- faults ------------------------------------------------------------------------------------------------------ */

static int rank_2_returns_early(Rank *rank) {
    float in[3] = {1, 2, 3}, out[3];
    return rank->rank == 2 ? HLOCC_OK : all_reduce(rank, "all-reduce.7", 1, in, out, 3);
}

static void who_does_not_come_is_named(void **state) {
    (void)state;
    Rank ranks[RANKS] = {0};
    int timed_out = 0;
    run_ranks(ranks, RANKS, 0.3, rank_2_returns_early);
    for (int r = 0; r < RANKS; r++) {
        if (r == 2) continue;
        assert_true(ranks[r].code == HLOCC_ETIMEOUT || ranks[r].code == HLOCC_ECOMM);
        timed_out += ranks[r].code == HLOCC_ETIMEOUT;
        assert_non_null(strstr(ranks[r].message, "all-reduce.7: "));
        assert_non_null(strstr(ranks[r].message, "for rank 2"));
    }
    assert_true(timed_out > 0);
}

static int rank_1_is_late(Rank *rank) {
    float *in = malloc(5000 * sizeof *in), *out = malloc(5000 * sizeof *out);
    for (int i = 0; i < 5000; i++) in[i] = 1;
    if (rank->rank == 1) rest(1);
    int code = all_reduce(rank, "sum", 1, in, out, 5000);
    if (!code && out[4999] != RANKS) code = -1;
    free(in); /* what others still read would be found by a sanitizer */
    free(out);
    return code;
}

static void a_late_rank_is_waited_for(void **state) {
    (void)state;
    Rank ranks[RANKS] = {0};
    run_ranks(ranks, RANKS, 0, rank_1_is_late);
    for (int r = 0; r < RANKS; r++) assert_int_equal(ranks[r].code, HLOCC_OK);
}

static void a_rank_that_is_too_late_gets_an_error_too(void **state) {
    (void)state;
    Rank ranks[RANKS] = {0};
    run_ranks(ranks, RANKS, 0.2, rank_1_is_late);
    for (int r = 0; r < RANKS; r++) assert_true(ranks[r].code == HLOCC_ETIMEOUT || ranks[r].code == HLOCC_ECOMM);
    assert_non_null(strstr(ranks[1].message, "failed"));
}

static int rank_3_runs_another_program(Rank *rank) {
    float in[3] = {1, 2, 3}, out[3];
    return all_reduce(rank, rank->rank == 3 ? "theirs" : "ours", rank->rank == 3 ? 99 : 1, in, out, 3);
}

static void another_program_is_an_error_on_all_ranks(void **state) {
    (void)state;
    Rank ranks[RANKS] = {0};
    run_ranks(ranks, RANKS, 5, rank_3_runs_another_program);
    for (int r = 0; r < RANKS; r++) {
        assert_int_equal(ranks[r].code, HLOCC_ECOMM);
        assert_true(*ranks[r].message != 0);
    }
}

static int waits_for_a_message(Rank *rank) {
    static const int pair[] = {0, 1};
    hlocc_operand operand = {4, 1, 1, NULL, HLOCC_OTHER, 'f'};
    hlocc_collective recv = {"recv.3", 2, HLOCC_RECV, 1, NULL, pair, 1, &operand, 0, 5};
    float value;
    return rank->rank == 1 ? hlocc_comm_run(&rank->ctx, &recv, NULL, (void *const[]){&value}) : HLOCC_OK;
}

static void a_message_that_never_comes_is_an_error(void **state) {
    (void)state;
    Rank ranks[RANKS] = {0};
    run_ranks(ranks, 2, 0.2, waits_for_a_message);
    assert_int_equal(ranks[1].code, HLOCC_ETIMEOUT);
    assert_non_null(strstr(ranks[1].message, "recv.3: rank 1 has waited 0.2 s for rank 0"));
}

static void a_communicator_of_another_size_is_an_error(void **state) {
    (void)state;
    hlocc_comm *comms[3];
    char message[128] = "";
    assert_int_equal(hlocc_comm_create_threads(3, comms), HLOCC_OK);
    hlocc_context ctx = {.size = sizeof ctx, .comm = comms[0], .message = message, .message_bytes = sizeof message};
    assert_int_equal(hlocc_comm_check(&ctx, 3, "f"), HLOCC_OK);
    assert_int_equal(hlocc_comm_check(&ctx, 4, "f"), HLOCC_ECOMM);
    assert_string_equal(message, "f: the program is for 4 devices, but the communicator has 3");
    assert_int_equal(hlocc_comm_check(NULL, 4, "f"), HLOCC_ECOMM);
    for (int r = 0; r < 3; r++) hlocc_comm_free(comms[r]);
    assert_int_equal(hlocc_comm_create_threads(0, comms), HLOCC_EARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_communicator_of_another_size_is_an_error),
        cmocka_unit_test(a_late_rank_is_waited_for),
        cmocka_unit_test(a_message_that_never_comes_is_an_error),
        cmocka_unit_test(a_rank_that_is_too_late_gets_an_error_too),
        cmocka_unit_test(another_program_is_an_error_on_all_ranks),
        cmocka_unit_test(groups_and_pairs_go_their_own_ways),
        cmocka_unit_test(messages_go_from_one_to_the_next),
        cmocka_unit_test(sums_have_the_bits_of_the_ranks_order_in_every_run),
        cmocka_unit_test(what_was_started_is_finished),
        cmocka_unit_test(who_does_not_come_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
