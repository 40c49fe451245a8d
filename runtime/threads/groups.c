/* Operations of a whole group: post, wait for all, take. */
#define _POSIX_C_SOURCE 200809L
#include "runtime/threads/world.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

static size_t contribution(const hlocc_collective *op, int members) {
    size_t bytes = 0;
    for (int k = 0; k < op->operands; k++) bytes += comm_in_bytes(op, k, members);
    return bytes;
}

int threads_is_small(const hlocc_collective *op, int members) {
    return op->kind != HLOCC_RAGGED_ALL_TO_ALL && contribution(op, members) <= SMALL_BYTES;
}

static void pack(Post *post, const CommCall *call, int members) {
    size_t at = 0;
    for (int k = 0; k < call->op->operands; k++) {
        size_t bytes = comm_in_bytes(call->op, k, members);
        if (bytes) memcpy(post->small + at, call->in[k], bytes);
        at += bytes;
    }
}

/* Where the lists of a started operation are kept. */
static int keep_lists(Post *post, const CommCall *call) {
    int n = call->op->operands + (call->op->dynamic_root != 0);
    if (post->room < n) {
        const void **in = malloc((size_t)n * sizeof *in);
        void **out = malloc((size_t)n * sizeof *out);
        if (!in || !out) {
            free(in);
            free(out);
            return HLOCC_EMEMORY;
        }
        free(post->in_list);
        free(post->out_list);
        post->in_list = in;
        post->out_list = out;
        post->room = n;
    }
    memcpy(post->in_list, call->in, (size_t)n * sizeof *call->in);
    memcpy(post->out_list, call->out, (size_t)call->op->operands * sizeof *call->out);
    post->in = post->in_list;
    post->out = post->out_list;
    return HLOCC_OK;
}

/* Another program or another place in it: what it posted is of no use. */
static int check_peers(ThreadComm *comm, const CommCall *call, const Group *group, uint64_t number) {
    for (int i = 0; i < group->n; i++) {
        const Post *theirs = &group->members[i].posts[number & 1];
        if (theirs->id == call->op->id) continue;
        char what[BREAK_BYTES];
        snprintf(what, sizeof what, "rank %d is at '%s' of another program or another iteration", group->ranks[i],
                 theirs->name);
        return world_break(comm->world, call, HLOCC_ECOMM, what);
    }
    return HLOCC_OK;
}

/* Nobody reads my arrays any more, here or in operations that were started: then an error may be returned, and the
 * arrays be freed. */
static void await_readers(ThreadComm *comm, const Group *group) {
    for (int g = -1; g < comm->n_started; g++) {
        const Group *one = g < 0 ? group : comm->started[g];
        for (int i = 0; i < one->n; i++)
            while (atomic_load(&one->members[i].busy)) sched_yield();
    }
    comm->n_started = 0;
}

/* Puts the member's arrays where the others find them. */
static int post(ThreadComm *comm, const CommCall *call, Group *group, Member *me, int lists) {
    int broken = world_is_broken(comm->world, call);
    if (broken) return broken;
    uint64_t number = atomic_load_explicit(&me->arrived, memory_order_relaxed) + 1;
    Post *p = &me->posts[number & 1];
    p->id = call->op->id;
    p->name = call->op->name;
    p->op = call->op;
    p->in = call->in;
    p->out = call->out;
    if (lists && keep_lists(p, call)) return comm_fail(call, HLOCC_EMEMORY, "no memory");
    if (threads_is_small(call->op, group->n)) pack(p, call, group->n);
    atomic_store_explicit(&me->arrived, number, memory_order_release);
    return HLOCC_OK;
}

/* Waits for all, takes what is mine, waits until nobody needs mine. */
static int complete(ThreadComm *comm, const CommCall *call, Group *group, int index, uint64_t number) {
    Member *me = &group->members[index];
    int small = threads_is_small(call->op, group->n), code = HLOCC_OK;
    for (int i = 1; i < group->n && !code; i++)
        code = member_await(comm, call, group, &group->members[(index + i) % group->n].arrived, number);
    if (!code) code = check_peers(comm, call, group, number);
    if (!code) {
        if (!small && !member_enter(comm->world, me)) code = world_is_broken(comm->world, call);
        else code = threads_take(call, group, index, number, small);
        member_leave(me);
    }
    atomic_store_explicit(&me->finished, number, memory_order_release);
    for (int i = 1; i < group->n && !code && !small; i++)
        code = member_await(comm, call, group, &group->members[(index + i) % group->n].finished, number);
    if (code && !atomic_load(&comm->world->broken)) world_break(comm->world, call, code, "a rank failed");
    if (code) await_readers(comm, group);
    return code;
}

/* An operation that was started must end before the group's next one begins. */
static int complete_started(ThreadComm *comm, const CommCall *call, Group *group, int index) {
    Member *me = &group->members[index];
    if (!me->started) return HLOCC_OK;
    const Post *p = &me->posts[me->started & 1];
    CommCall earlier = *call;
    earlier.op = p->op;
    earlier.in = p->in;
    earlier.out = p->out;
    uint64_t number = me->started;
    me->started = 0;
    for (int g = 0; g < comm->n_started; g++)
        if (comm->started[g] == group) comm->started[g] = comm->started[--comm->n_started];
    return complete(comm, &earlier, group, index, number);
}

/* The group of the call; NULL: this rank is in none (code 0), or there is no memory. */
static Group *find(ThreadComm *comm, const CommCall *call, int *index, int *code) {
    int n;
    const int *ranks = comm_group(call->op, comm->base.rank, &n, index);
    Group *group = ranks ? group_find(comm, ranks, n) : NULL;
    *code = ranks && !group ? comm_fail(call, HLOCC_EMEMORY, "no memory for a group of %d ranks", n) : HLOCC_OK;
    return group;
}

int threads_run_group(ThreadComm *comm, const CommCall *call) {
    int index, code;
    Group *group = find(comm, call, &index, &code);
    if (!group && !code) comm_zero(call);
    if (!group) return code;
    Member *me = &group->members[index];
    code = complete_started(comm, call, group, index);
    if (!code) code = post(comm, call, group, me, 0);
    if (code) return code;
    return complete(comm, call, group, index, atomic_load_explicit(&me->arrived, memory_order_relaxed));
}

int threads_start_group(ThreadComm *comm, const CommCall *call) {
    int index, code;
    Group *group = find(comm, call, &index, &code);
    if (!group && !code) comm_zero(call);
    if (!group) return code;
    Member *me = &group->members[index];
    if (comm->n_started == MOST_STARTED) return threads_run_group(comm, call);
    code = complete_started(comm, call, group, index);
    if (!code) code = post(comm, call, group, me, 1);
    if (!code) comm->started[comm->n_started++] = group;
    if (!code) me->started = atomic_load_explicit(&me->arrived, memory_order_relaxed);
    return code;
}

int threads_finish_group(ThreadComm *comm, const CommCall *call) {
    int index, code;
    Group *group = find(comm, call, &index, &code);
    if (!group) return code;
    Member *me = &group->members[index];
    if (!me->started || me->posts[me->started & 1].op != call->op) return HLOCC_OK; /* it ended before the next began */
    return complete_started(comm, call, group, index);
}
