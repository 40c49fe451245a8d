/* Collectives among threads of one process: what the ranks share.
 *
 * An operation of a group has a number: how many the group has done before. Each member posts what it brings (pointers
 * to its arrays, or, when they are small, a copy) and then sets `arrived` to the number; the others wait for that, take
 * what is theirs straight from where it lies, and set `finished`. A post is used again two operations later, when all
 * members are certain to be done with it.
 *
 * Errors. Who waits too long, or finds another program on the other side, breaks the world: every rank that waits, or
 * comes later, gets an error. Before it returns, it waits for those that read its arrays just then (`busy`). */
#ifndef RUNTIME_THREADS_WORLD_H
#define RUNTIME_THREADS_WORLD_H

#include <pthread.h>
#include <stdatomic.h>

#include "runtime/comm/comm.h"

enum { CACHE_LINE = 64, SMALL_BYTES = 2048, GROUP_BUCKETS = 256, CACHED_GROUPS = 64, MOST_STARTED = 16,
      BREAK_BYTES = 200 };

typedef struct Post {
    uint64_t id;          /* of the operation */
    const char *name;
    const hlocc_collective *op; /* of the member itself: others may come when it is gone */
    const void *const *in;
    void *const *out;
    const void **in_list; /* a copy of the caller's list, where an operation is started and finished later */
    void **out_list;
    int room;             /* of the lists */
    _Alignas(CACHE_LINE) unsigned char small[SMALL_BYTES];
} Post;

typedef struct Member {
    _Alignas(CACHE_LINE) _Atomic uint64_t arrived; /* number of the operation that it came to last */
    _Atomic uint64_t finished;                     /* ... that it is done with */
    _Atomic int busy;                              /* it reads or writes what others posted */
    /* its own: number of an operation that was started, not finished; 0 */
    uint64_t started;
    Post posts[2];                                 /* of odd and even numbers */
} Member;

typedef struct Group {
    int n;
    const int *ranks;
    Member *members;
    struct Group *next;
} Group;

/* A sent array, until it is received. */
typedef struct Message {
    int from, to;
    int64_t channel;
    size_t bytes;
    struct Message *next;
    _Alignas(16) unsigned char data[];
} Message;

typedef struct World {
    int size;
    int spins; /* how often to look before giving way */
    _Atomic int references;
    _Atomic int broken;
    _Atomic uint64_t sent; /* messages, ever */
    pthread_mutex_t lock; /* of all that follows */
    Group *groups[GROUP_BUCKETS];
    Message *first_message, *last_message;
    char why[BREAK_BYTES]; /* it broke */
} World;

/* A rank. */
typedef struct ThreadComm {
    hlocc_comm base;
    World *world;
    Group *started[MOST_STARTED]; /* groups with an operation of ours under way */
    int n_started;
    struct {
        const int *ranks;
        Group *group;
    } cache[CACHED_GROUPS];
} ThreadComm;

/* The shared state of a group, made when its first member asks. NULL: no memory. */
Group *group_find(ThreadComm *comm, const int *ranks, int n);

/* Waits until the counter of a member has come to number: HLOCC_OK, or an error, reported with who is missing. */
int member_await(ThreadComm *comm, const CommCall *call, Group *group, _Atomic uint64_t *counter, uint64_t number);

/* Waits until a counter has come to number: HLOCC_OK, HLOCC_ETIMEOUT, or HLOCC_ECOMM when another rank broke the
 * world. */
int counter_await(World *world, double seconds, _Atomic uint64_t *counter, uint64_t number);

/* Breaks the world and reports an error. */
int world_break(World *world, const CommCall *call, int code, const char *what);
/* The error of a world that another rank broke. */
int world_is_broken(World *world, const CommCall *call);

/* Between them others' posts may be read: world_enter is false, and nothing may be read, when the world is broken. */
int member_enter(World *world, Member *me);
void member_leave(Member *me);

/* The operations: groups.c (all members of a group), pairs.c (one to one). */
int threads_run_group(ThreadComm *comm, const CommCall *call);
int threads_start_group(ThreadComm *comm, const CommCall *call);
int threads_finish_group(ThreadComm *comm, const CommCall *call);
int threads_permute(ThreadComm *comm, const CommCall *call);
int threads_send(ThreadComm *comm, const CommCall *call);
int threads_receive(ThreadComm *comm, const CommCall *call);

/* What a member does when all have arrived: takes its results (of the same number) from the posts. */
int threads_take(const CommCall *call, const Group *group, int me, uint64_t number, int small);

/* Whether the arrays of op are small enough to be copied into posts. */
int threads_is_small(const hlocc_collective *op, int members);

#endif
