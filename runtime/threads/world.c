/* Ranks as threads of one process: creation, groups, waiting. */
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE
#include "runtime/threads/world.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* ---- the back end ------------------------------------------------------------------------------------------------ */

static int begin(hlocc_comm *base, const hlocc_context *ctx, const char *program) {
    ThreadComm *comm = (ThreadComm *)base;
    if (!comm->n_started) return HLOCC_OK;
    atomic_store(&comm->world->broken, 1);
    comm_say(ctx, program, "the call before this one ended in the middle of an operation");
    return HLOCC_ECOMM;
}

static int run(hlocc_comm *base, const CommCall *call) {
    ThreadComm *comm = (ThreadComm *)base;
    switch (call->op->kind) {
    case HLOCC_COLLECTIVE_PERMUTE:
        return threads_permute(comm, call);
    case HLOCC_SEND:
        return threads_send(comm, call);
    case HLOCC_RECV:
        return threads_receive(comm, call);
    default:
        return threads_run_group(comm, call);
    }
}

static int start(hlocc_comm *base, const CommCall *call) {
    if (call->op->kind == HLOCC_COLLECTIVE_PERMUTE) return run(base, call);
    return threads_start_group((ThreadComm *)base, call);
}

static int finish(hlocc_comm *base, const CommCall *call) {
    if (call->op->kind == HLOCC_COLLECTIVE_PERMUTE) return HLOCC_OK;
    return threads_finish_group((ThreadComm *)base, call);
}

static void group_free(Group *group) {
    for (int i = 0; i < group->n; i++)
        for (int k = 0; k < 2; k++) {
            free(group->members[i].posts[k].in_list);
            free(group->members[i].posts[k].out_list);
        }
    free(group->members);
    free((void *)group->ranks);
    free(group);
}

static void world_release(World *world) {
    if (atomic_fetch_sub(&world->references, 1) != 1) return;
    for (int b = 0; b < GROUP_BUCKETS; b++)
        for (Group *group = world->groups[b], *next; group; group = next) {
            next = group->next;
            group_free(group);
        }
    for (Message *message = world->first_message, *next; message; message = next) {
        next = message->next;
        free(message);
    }
    pthread_mutex_destroy(&world->lock);
    free(world);
}

static void comm_release(hlocc_comm *base) {
    world_release(((ThreadComm *)base)->world);
    free(base);
}

static const CommBackend backend = {begin, run, start, finish, comm_release};

int hlocc_comm_create_threads(int n, hlocc_comm *comms[]) {
    if (n < 1 || !comms) return HLOCC_EARGUMENT;
    World *world = calloc(1, sizeof *world);
    if (!world) return HLOCC_EMEMORY;
    if (pthread_mutex_init(&world->lock, NULL)) {
        free(world);
        return HLOCC_EMEMORY;
    }
    world->size = n;
    atomic_init(&world->references, 1);
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    world->spins = processors >= n ? 4000 : 20;
    for (int rank = 0; rank < n; rank++) {
        ThreadComm *comm = calloc(1, sizeof *comm);
        comms[rank] = (hlocc_comm *)comm;
        if (!comm) {
            while (rank > 0) comm_release(comms[--rank]);
            world_release(world);
            return HLOCC_EMEMORY;
        }
        comm->base = (hlocc_comm){&backend, n, rank};
        comm->world = world;
        atomic_fetch_add(&world->references, 1);
    }
    world_release(world);
    return HLOCC_OK;
}

/* ---- groups ------------------------------------------------------------------------------------------------------ */

static unsigned hash_ranks(const int *ranks, int n) {
    unsigned hash = 2166136261u;
    for (int i = 0; i < n; i++) hash = (hash ^ (unsigned)ranks[i]) * 16777619u;
    return hash ^ hash >> 15;
}

static int is_group(const Group *group, const int *ranks, int n) {
    return group->n == n && memcmp(group->ranks, ranks, (size_t)n * sizeof *ranks) == 0;
}

static Group *group_new(const int *ranks, int n) {
    Group *group = calloc(1, sizeof *group);
    int *copy = malloc((size_t)n * sizeof *copy);
    Member *members = aligned_alloc(CACHE_LINE, (size_t)n * sizeof *members);
    if (!group || !copy || !members) {
        free(group);
        free(copy);
        free(members);
        return NULL;
    }
    memset(members, 0, (size_t)n * sizeof *members);
    memcpy(copy, ranks, (size_t)n * sizeof *copy);
    *group = (Group){n, copy, members, NULL};
    return group;
}

Group *group_find(ThreadComm *comm, const int *ranks, int n) {
    unsigned hash = hash_ranks(ranks, n);
    Group **cached = &comm->cache[hash % CACHED_GROUPS].group;
    if (*cached && is_group(*cached, ranks, n)) return *cached;
    pthread_mutex_lock(&comm->world->lock);
    Group **bucket = &comm->world->groups[hash % GROUP_BUCKETS], *group = *bucket;
    while (group && !is_group(group, ranks, n)) group = group->next;
    if (!group && (group = group_new(ranks, n))) {
        group->next = *bucket;
        *bucket = group;
    }
    pthread_mutex_unlock(&comm->world->lock);
    return *cached = group;
}

/* ---- waiting ----------------------------------------------------------------------------------------------------- */

static void relax(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

int world_is_broken(World *world, const CommCall *call) {
    char why[BREAK_BYTES];
    if (!atomic_load(&world->broken)) return HLOCC_OK;
    pthread_mutex_lock(&world->lock);
    memcpy(why, world->why, sizeof why);
    pthread_mutex_unlock(&world->lock);
    return comm_fail(call, HLOCC_ECOMM, "the communicator has failed: %s", why);
}

int world_break(World *world, const CommCall *call, int code, const char *what) {
    pthread_mutex_lock(&world->lock);
    if (!atomic_load(&world->broken)) snprintf(world->why, sizeof world->why, "%s: %s", call->op->name, what);
    atomic_store(&world->broken, 1);
    pthread_mutex_unlock(&world->lock);
    return comm_fail(call, code, "%s", what);
}

/* Names the members that have not arrived; late: that have, but are not done. */
static int time_out(ThreadComm *comm, const CommCall *call, Group *group, uint64_t number) {
    char what[BREAK_BYTES];
    int late = 1;
    for (int i = 0; i < group->n; i++) late &= atomic_load(&group->members[i].arrived) >= number;
    int used = snprintf(what, sizeof what, "rank %d has waited %g s for rank", comm->base.rank, call->seconds);
    const char *separator = " ";
    for (int i = 0; i < group->n && used < (int)sizeof what - 16; i++) {
        Member *member = &group->members[i];
        if (atomic_load(&member->arrived) >= number && (!late || atomic_load(&member->finished) >= number)) continue;
        if (group->ranks[i] == comm->base.rank) continue;
        used += snprintf(what + used, sizeof what - (size_t)used, "%s%d", separator, group->ranks[i]);
        separator = ", ";
    }
    return world_break(comm->world, call, HLOCC_ETIMEOUT, what);
}

int counter_await(World *world, double seconds, _Atomic uint64_t *counter, uint64_t number) {
    enum { YIELDS = 4000, SHORTEST_NAP = 20000, LONGEST_NAP = 1000000 };
    for (int i = 0; i < world->spins; i++) {
        if (atomic_load_explicit(counter, memory_order_acquire) >= number) return HLOCC_OK;
        relax();
    }
    double deadline = comm_now() + seconds;
    struct timespec nap = {0, SHORTEST_NAP};
    for (long i = 0;; i++) {
        if (atomic_load_explicit(counter, memory_order_acquire) >= number) return HLOCC_OK;
        if (atomic_load_explicit(&world->broken, memory_order_relaxed)) return HLOCC_ECOMM;
        if (i < YIELDS) {
            sched_yield();
            continue;
        }
        if (comm_now() >= deadline) return HLOCC_ETIMEOUT;
        nanosleep(&nap, NULL);
        if (nap.tv_nsec < LONGEST_NAP) nap.tv_nsec += nap.tv_nsec / 4;
    }
}

int member_await(ThreadComm *comm, const CommCall *call, Group *group, _Atomic uint64_t *counter, uint64_t number) {
    if (atomic_load_explicit(counter, memory_order_acquire) >= number) return HLOCC_OK;
    int code = counter_await(comm->world, call->seconds, counter, number);
    if (code == HLOCC_ECOMM) return world_is_broken(comm->world, call);
    return code ? time_out(comm, call, group, number) : HLOCC_OK;
}

int member_enter(World *world, Member *me) {
    atomic_store(&me->busy, 1);
    if (!atomic_load(&world->broken)) return 1;
    atomic_store(&me->busy, 0);
    return 0;
}

void member_leave(Member *me) {
    atomic_store_explicit(&me->busy, 0, memory_order_release);
}
