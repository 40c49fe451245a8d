/* collective-permute, send and recv: one to one. */
#include "runtime/threads/world.h"

#include <stdio.h>
#include <stdlib.h>

/* The group of a pair, in which the source is member 0 and the target member 1. */
static int find(ThreadComm *comm, const CommCall *call, int side, Group **group) {
    const int *pair = comm_pair(call->op, comm->base.rank, side);
    *group = pair ? group_find(comm, pair, 2) : NULL;
    return pair && !*group ? comm_fail(call, HLOCC_EMEMORY, "no memory for a pair of ranks") : HLOCC_OK;
}

/* A target may be two operations behind: then its post is used again. */
static int post(ThreadComm *comm, const CommCall *call, Group *pair, int small, uint64_t *number) {
    Member *me = &pair->members[0];
    *number = atomic_load_explicit(&me->arrived, memory_order_relaxed) + 1;
    int code = *number > 2 ? member_await(comm, call, pair, &pair->members[1].finished, *number - 2) : HLOCC_OK;
    if (code) return code;
    Post *post = &me->posts[*number & 1];
    post->id = call->op->id;
    post->in = call->in;
    size_t at = 0;
    for (int k = 0; k < call->op->operands && small; k++) {
        size_t bytes = comm_in_bytes(call->op, k, 1);
        if (bytes) memcpy(post->small + at, call->in[k], bytes);
        at += bytes;
    }
    atomic_store_explicit(&me->arrived, *number, memory_order_release);
    return HLOCC_OK;
}

static int take(ThreadComm *comm, const CommCall *call, Group *pair, int small) {
    Member *me = &pair->members[1];
    uint64_t number = atomic_load_explicit(&me->finished, memory_order_relaxed) + 1;
    atomic_store_explicit(&me->arrived, number, memory_order_relaxed);
    int code = member_await(comm, call, pair, &pair->members[0].arrived, number);
    if (code) return code;
    const Post *post = &pair->members[0].posts[number & 1];
    if (!member_enter(comm->world, me)) return world_is_broken(comm->world, call);
    if (post->id != call->op->id)
        code = world_break(comm->world, call, HLOCC_ECOMM,
                           "the source is at another operation, or runs another program");
    size_t at = 0;
    for (int k = 0; k < call->op->operands && !code; k++) {
        size_t bytes = comm_in_bytes(call->op, k, 1);
        if (bytes) memcpy(call->out[k], small ? (const void *)(post->small + at) : post->in[k], bytes);
        at += bytes;
    }
    member_leave(me);
    atomic_store_explicit(&me->finished, number, memory_order_release);
    return code;
}

/* A rank that sends to itself needs nobody. */
static void copy(const CommCall *call) {
    for (int k = 0; k < call->op->operands; k++) {
        size_t bytes = comm_in_bytes(call->op, k, 1);
        if (bytes) memcpy(call->out[k], call->in[k], bytes);
    }
}

int threads_permute(ThreadComm *comm, const CommCall *call) {
    Group *to, *from;
    int small = threads_is_small(call->op, 1);
    uint64_t number = 0;
    int code = world_is_broken(comm->world, call);
    if (!code) code = find(comm, call, 0, &to);
    if (!code) code = find(comm, call, 1, &from);
    if (code) return code;
    if (to && to == from) {
        copy(call);
        return HLOCC_OK;
    }
    if (to) code = post(comm, call, to, small, &number);
    if (from && !code) code = take(comm, call, from, small);
    if (!from) comm_zero(call);
    if (to && !code && !small) code = member_await(comm, call, to, &to->members[1].finished, number);
    if (to && code) /* the target may be reading just now */
        while (atomic_load(&to->members[1].busy)) {}
    return code;
}

/* ---- send and recv: a send never waits --------------------------------------------------------------------------- */

int threads_send(ThreadComm *comm, const CommCall *call) {
    World *world = comm->world;
    const int *pair = comm_pair(call->op, comm->base.rank, 0);
    if (!pair) return HLOCC_OK;
    size_t bytes = comm_in_bytes(call->op, 0, 1);
    Message *message = malloc(sizeof *message + bytes);
    if (!message) return comm_fail(call, HLOCC_EMEMORY, "no memory for a message of %zu bytes", bytes);
    message->from = pair[0];
    message->to = pair[1];
    message->channel = call->op->channel;
    message->bytes = bytes;
    message->next = NULL;
    if (bytes) memcpy(message->data, call->in[0], bytes);
    pthread_mutex_lock(&world->lock);
    if (world->last_message) world->last_message->next = message;
    else world->first_message = message;
    world->last_message = message;
    pthread_mutex_unlock(&world->lock);
    atomic_fetch_add(&world->sent, 1);
    return HLOCC_OK;
}

static Message *take_message(World *world, int from, int to, int64_t channel) {
    Message *last = NULL, *message;
    pthread_mutex_lock(&world->lock);
    for (message = world->first_message; message; last = message, message = message->next)
        if (message->from == from && message->to == to && message->channel == channel) break;
    if (message) {
        if (last) last->next = message->next;
        else world->first_message = message->next;
        if (world->last_message == message) world->last_message = last;
    }
    pthread_mutex_unlock(&world->lock);
    return message;
}

int threads_receive(ThreadComm *comm, const CommCall *call) {
    World *world = comm->world;
    const int *pair = comm_pair(call->op, comm->base.rank, 1);
    size_t bytes = comm_in_bytes(call->op, 0, 1);
    int code = HLOCC_OK;
    if (!pair) comm_zero(call);
    while (pair && !code) {
        uint64_t seen = atomic_load(&world->sent);
        Message *message = take_message(world, pair[0], pair[1], call->op->channel);
        if (message) {
            if (message->bytes != bytes)
                code = comm_fail(call, HLOCC_ECOMM, "rank %d sent %zu bytes, not %zu", pair[0], message->bytes, bytes);
            else if (bytes) memcpy(call->out[0], message->data, bytes);
            free(message);
            return code;
        }
        code = counter_await(world, call->seconds, &world->sent, seen + 1);
    }
    if (code == HLOCC_ECOMM) return world_is_broken(world, call);
    if (!code) return code;
    char what[BREAK_BYTES];
    snprintf(what, sizeof what, "rank %d has waited %g s for rank %d", comm->base.rank, call->seconds, pair[0]);
    return world_break(world, call, code, what);
}
