/* What a member does when all have arrived: each rule takes one operand's results from what the members posted. */
#include "runtime/threads/world.h"

enum { BLOCK_BYTES = 8192 };

typedef struct Take {
    const CommCall *call;
    const Group *group;
    int me, k;         /* member, operand */
    uint64_t number;
    int small;
    size_t small_at;   /* of the operand, in small posts */
    size_t piece;      /* bytes of a piece of the operand */
} Take;

static const unsigned char *posted(const Take *t, int member) {
    const Post *post = &t->group->members[member].posts[t->number & 1];
    return t->small ? post->small + t->small_at : post->in[t->k];
}

static const hlocc_operand *operand_of(const Take *t) {
    return &t->call->op->operand[t->k];
}

static void combine_block(const Take *t, unsigned char *sum, size_t at, size_t bytes) {
    const hlocc_operand *operand = operand_of(t);
    memcpy(sum, posted(t, 0) + at, bytes);
    for (int i = 1; i < t->group->n; i++) operand->combine(sum, posted(t, i) + at,
                                                           (ptrdiff_t)(bytes / operand->element));
}

/* Bytes [low, high) of the sum of all members' arrays, into one place or into all results. */
static void reduce_range(const Take *t, size_t low, size_t high, unsigned char *to, int everywhere) {
    _Alignas(CACHE_LINE) unsigned char block[BLOCK_BYTES];
    const size_t step = BLOCK_BYTES / operand_of(t)->element * operand_of(t)->element;
    for (size_t at = low; at < high; at += step) {
        size_t bytes = high - at < step ? high - at : step;
        combine_block(t, block, at, bytes);
        if (!everywhere) memcpy(to + (at - low), block, bytes);
        for (int i = 0; i < t->group->n && everywhere; i++)
            memcpy((unsigned char *)t->group->members[i].posts[t->number & 1].out[t->k] + at, block, bytes);
    }
}

static int all_reduce(const Take *t) {
    size_t bytes = comm_in_bytes(t->call->op, t->k, 1), n = (size_t)t->group->n;
    if (t->small) {
        reduce_range(t, 0, bytes, t->call->out[t->k], 0);
        return HLOCC_OK;
    }
    /* each member sums a share of whole cache lines, for all */
    size_t lines = (bytes + CACHE_LINE - 1) / CACHE_LINE, me = (size_t)t->me;
    size_t low = lines * me / n * CACHE_LINE, high = lines * (me + 1) / n * CACHE_LINE;
    reduce_range(t, low < bytes ? low : bytes, high < bytes ? high : bytes, NULL, 1);
    return HLOCC_OK;
}

static int reduce_scatter(const Take *t) {
    size_t whole = t->piece * (size_t)t->group->n;
    for (ptrdiff_t o = 0; o < operand_of(t)->outer; o++) {
        size_t low = (size_t)o * whole + t->piece * (size_t)t->me;
        reduce_range(t, low, low + t->piece, (unsigned char *)t->call->out[t->k] + (size_t)o * t->piece, 0);
    }
    return HLOCC_OK;
}

static int all_gather(const Take *t) {
    size_t whole = t->piece * (size_t)t->group->n;
    for (int step = 0; step < t->group->n; step++) {
        int i = (t->me + step) % t->group->n;
        comm_copy_pieces((char *)t->call->out[t->k] + t->piece * (size_t)i, whole, posted(t, i), t->piece, t->piece,
                         operand_of(t)->outer);
    }
    return HLOCC_OK;
}

static int all_to_all(const Take *t) {
    size_t whole = t->piece * (size_t)t->group->n;
    for (int step = 0; step < t->group->n; step++) {
        int i = (t->me + step) % t->group->n;
        comm_copy_pieces((char *)t->call->out[t->k] + t->piece * (size_t)i, whole,
                         posted(t, i) + t->piece * (size_t)t->me,
                         whole, t->piece, operand_of(t)->outer);
    }
    return HLOCC_OK;
}

/* Result k is operand `me` of member k; all operands are of one size. */
static int all_to_all_tuple(const Take *t) {
    Take from = *t;
    from.small_at = t->piece * (size_t)t->me;
    from.k = t->me;
    if (t->piece) memcpy(t->call->out[t->k], posted(&from, t->k), t->piece);
    return HLOCC_OK;
}

static int broadcast(const Take *t) {
    int root = comm_root(t->call, t->k, t->group->n);
    size_t bytes = comm_in_bytes(t->call->op, t->k, 1);
    if (root < 0) return comm_fail(t->call, HLOCC_ECOMM, "the root is not one of the %d members", t->group->n);
    if (bytes) memcpy(t->call->out[t->k], posted(t, root), bytes);
    return HLOCC_OK;
}

static int reduce(const Take *t) {
    int root = comm_root(t->call, t->k, t->group->n);
    size_t bytes = comm_in_bytes(t->call->op, t->k, 1);
    if (root < 0) return comm_fail(t->call, HLOCC_ECOMM, "the root is not one of the %d members", t->group->n);
    if (root == t->me) reduce_range(t, 0, bytes, t->call->out[t->k], 0);
    else if (bytes) memset(t->call->out[t->k], 0, bytes);
    return HLOCC_OK;
}

/* Rows of every member that are meant for me. */
static int ragged_all_to_all(const Take *t) {
    const hlocc_operand *operand = t->call->op->operand;
    size_t row = operand[0].element * (size_t)operand[0].piece;
    ptrdiff_t rows = operand[0].outer, room = operand[1].outer, updates = operand[2].piece / t->group->n;
    if (row && room) memcpy(t->call->out[0], t->call->in[1], row * (size_t)room);
    for (int i = 0; i < t->group->n; i++) {
        const Post *post = &t->group->members[i].posts[t->number & 1];
        for (ptrdiff_t j = t->me * updates; j < (t->me + 1) * updates; j++) {
            int64_t from = comm_entry(&operand[2], post->in[2], j), n = comm_entry(&operand[3], post->in[3], j),
                    to = comm_entry(&operand[4], post->in[4], j);
            if (n <= 0) continue;
            if (from < 0 || to < 0 || from > rows - n || to > room - n)
                return comm_fail(t->call, HLOCC_ECOMM,
                                 "%lld rows from %lld of member %d to %lld lie outside of the arrays",
                                 (long long)n, (long long)from, i, (long long)to);
            if (row)
                memcpy((char *)t->call->out[0] + row * (size_t)to, (const char *)post->in[0] + row * (size_t)from,
                       row * (size_t)n);
        }
    }
    return HLOCC_OK;
}

int threads_take(const CommCall *call, const Group *group, int me, uint64_t number, int small) {
    static int (*const rules[])(const Take *) = {
        [HLOCC_ALL_REDUCE] = all_reduce,
        [HLOCC_REDUCE_SCATTER] = reduce_scatter,
        [HLOCC_ALL_GATHER] = all_gather,
        [HLOCC_ALL_TO_ALL] = all_to_all,
        [HLOCC_ALL_TO_ALL_TUPLE] = all_to_all_tuple,
        [HLOCC_RAGGED_ALL_TO_ALL] = ragged_all_to_all,
        [HLOCC_COLLECTIVE_BROADCAST] = broadcast,
        [HLOCC_COLLECTIVE_REDUCE] = reduce,
    };
    const hlocc_collective *op = call->op;
    Take take = {call, group, me, 0, number, small, 0, 0};
    if (op->kind == HLOCC_RAGGED_ALL_TO_ALL) return ragged_all_to_all(&take);
    for (; take.k < op->operands; take.k++) {
        const hlocc_operand *operand = &op->operand[take.k];
        take.piece = operand->element * (size_t)operand->piece;
        int code = rules[op->kind](&take);
        if (code) return code;
        take.small_at += comm_in_bytes(op, take.k, group->n);
    }
    return HLOCC_OK;
}
