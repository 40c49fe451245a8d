/* Reductions. What MPI does exactly in any order (integers, and, or) goes by MPI_Allreduce. Float sums, extrema and
 * products, and combiners that MPI does not know, are done in the order of the ranks: every member gets everybody's
 * part of a share of the array, combines them in order, and the shares are gathered; so all ranks have the same bits in
 * every run. Small arrays are gathered whole. The context can ask for MPI's own order (comm_any_order). */
#define _POSIX_C_SOURCE 200809L
#include "runtime/mpi/mpi_comm.h"

#include <pthread.h>

#include <stdlib.h>

enum { SMALL_BYTES = 4096, CHUNK_BYTES = 4 << 20 };

/* ---- MPI's own operations ---------------------------------------------------------------------------------------- */

static MPI_Datatype native_type(const hlocc_operand *o) {
    switch (o->type) {
    case 's':
        return o->element == 1 ? MPI_INT8_T : o->element == 2 ? MPI_INT16_T : o->element == 4 ? MPI_INT32_T
            : MPI_INT64_T;
    case 'u':
        return o->element == 1 ? MPI_UINT8_T : o->element == 2 ? MPI_UINT16_T : o->element == 4 ? MPI_UINT32_T
            : MPI_UINT64_T;
    case 'f':
        return o->element == 4 ? MPI_FLOAT : MPI_DOUBLE;
    case 'c':
        return o->element == 8 ? MPI_C_FLOAT_COMPLEX : MPI_C_DOUBLE_COMPLEX;
    default:
        return MPI_DATATYPE_NULL;
    }
}

/* MPI's operation that does what the combiner does; minimum and maximum of floats do not: NaN must win. */
static MPI_Op native_op(const hlocc_operand *o) {
    static const int integer_only[] = {HLOCC_MINIMUM, HLOCC_MAXIMUM, HLOCC_AND, HLOCC_OR, HLOCC_XOR};
    int integer = o->type == 's' || o->type == 'u';
    size_t i;
    if (native_type(o) == MPI_DATATYPE_NULL) return MPI_OP_NULL;
    for (i = 0; i < sizeof integer_only / sizeof *integer_only; i++)
        if (o->reduction == integer_only[i] && !integer) return MPI_OP_NULL;
    switch (o->reduction) {
    case HLOCC_ADD: return MPI_SUM;
    case HLOCC_MULTIPLY: return MPI_PROD;
    case HLOCC_MINIMUM: return MPI_MIN;
    case HLOCC_MAXIMUM: return MPI_MAX;
    case HLOCC_AND: return MPI_BAND;
    case HLOCC_OR: return MPI_BOR;
    case HLOCC_XOR: return MPI_BXOR;
    default: return MPI_OP_NULL;
    }
}

/* The same bits in whatever order. */
static int is_exact(const hlocc_operand *o) {
    int integer = o->type == 's' || o->type == 'u' || o->type == 'p';
    if (o->reduction == HLOCC_OTHER) return 0;
    return integer || o->reduction == HLOCC_MINIMUM || o->reduction == HLOCC_MAXIMUM;
}

/* ---- user operations: the combiner travels with the type --------------------------------------------------------- */

typedef void Combine(void *sum, const void *next, ptrdiff_t n);

typedef struct {
    Combine *combine;
} Carried;

/* Made once, for all communicators: MPI calls mpi_combine with nothing of ours but the type. */
static int carried_key = MPI_KEYVAL_INVALID;

int mpi_prepare_types(void) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    int code = MPI_SUCCESS;
    pthread_mutex_lock(&lock);
    if (carried_key == MPI_KEYVAL_INVALID)
        code = MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &carried_key, NULL);
    pthread_mutex_unlock(&lock);
    return code;
}

void mpi_combine(void *in, void *inout, int *n, MPI_Datatype *type) {
    Carried *carried = NULL;
    int found = 0;
    MPI_Type_get_attr(*type, carried_key, &carried, &found);
    if (found) carried->combine(inout, in, *n);
}

/* A type of the operand's elements for MPI's user operation. */
static int carrying_type(const hlocc_operand *o, Carried *carried, MPI_Datatype *type) {
    int code = MPI_Type_contiguous((int)o->element, MPI_BYTE, type);
    if (code != MPI_SUCCESS) return code;
    carried->combine = o->combine;
    code = MPI_Type_set_attr(*type, carried_key, carried);
    return code == MPI_SUCCESS ? MPI_Type_commit(type) : code;
}

/* Reductions by MPI of so many elements, as many at a time as a count can say. */
static int reduce_by_mpi(MpiComm *comm, MpiGroup *group, const hlocc_operand *o, const char *in, char *out, size_t n,
                         int root) {
    MPI_Op op = native_op(o);
    MPI_Datatype type = native_type(o);
    Carried carried;
    int code = MPI_SUCCESS, own = op == MPI_OP_NULL;
    size_t most = MOST_BYTES / o->element;
    if (own) {
        op = comm->combine;
        code = carrying_type(o, &carried, &type);
    }
    while (n && code == MPI_SUCCESS) {
        int count = (int)(n < most ? n : most);
        code = root < 0 ? MPI_Allreduce(in, out, count, type, op, group->comm)
                        : MPI_Reduce(in, out, count, type, op, root, group->comm);
        in += (size_t)count * o->element;
        if (out) out += (size_t)count * o->element;
        n -= (size_t)count;
    }
    if (own && type != MPI_DATATYPE_NULL) MPI_Type_free(&type);
    return code;
}

/* ---- in the order of the ranks ----------------------------------------------------------------------------------- */

/* sum = parts[0] . parts[1] ...: n arrays, stride bytes apart, in blocks that stay in the cache. */
static void combine_parts(const hlocc_operand *o, char *sum, const char *parts, size_t stride, int n, size_t bytes) {
    const size_t step = 8192 / o->element * o->element;
    size_t at;
    int i;
    for (at = 0; at < bytes; at += step) {
        size_t here = bytes - at < step ? bytes - at : step;
        memcpy(sum + at, parts + at, here);
        for (i = 1; i < n; i++) o->combine(sum + at, parts + (size_t)i * stride + at, (ptrdiff_t)(here / o->element));
    }
}

static int gather_and_combine(MpiComm *comm, const CommCall *call, MpiGroup *group, int k, size_t bytes) {
    char *parts = mpi_scratch(comm, call, bytes * (size_t)group->n);
    MPI_Request request;
    int code;
    if (!parts) return HLOCC_EMEMORY;
    code = mpi_result(comm, call, MPI_Iallgather(call->in[k], (int)bytes, MPI_BYTE, parts, (int)bytes, MPI_BYTE,
                                                 group->comm,
                                                 &request));
    if (!code) code = mpi_await(comm, call, 1, &request, "other ranks of its group");
    if (!code) combine_parts(&call->op->operand[k], call->out[k], parts, bytes, group->n, bytes);
    return code;
}

/* Shares of a chunk: bytes of member i, and where they begin. */
static void cut(size_t elements, size_t element, int n, int *counts, int *starts) {
    int i;
    for (i = 0; i < n; i++) {
        size_t low = elements * (size_t)i / (size_t)n, high = elements * ((size_t)i + 1) / (size_t)n;
        counts[i] = (int)((high - low) * element);
        starts[i] = (int)(low * element);
    }
}

/* One chunk of an all-reduce: everybody's part of my share comes here, the combined shares go everywhere. lists: room
 * for 4 * n ints; parts: for n shares. */
static int all_reduce_chunk(MpiGroup *group, const hlocc_operand *o, int me, const char *in, char *out, size_t bytes,
                            int *lists, char *parts) {
    int n = group->n, *counts = lists, *starts = lists + n, *mine = lists + 2 * n, *places = lists + 3 * n, i, code;
    cut(bytes / o->element, o->element, n, counts, starts);
    for (i = 0; i < n; i++) {
        mine[i] = counts[me];
        places[i] = i * counts[me];
    }
    code = MPI_Alltoallv(in, counts, starts, MPI_BYTE, parts, mine, places, MPI_BYTE, group->comm);
    if (code != MPI_SUCCESS) return code;
    combine_parts(o, out + starts[me], parts, (size_t)counts[me], n, (size_t)counts[me]);
    return MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, counts, starts, MPI_BYTE, group->comm);
}

static int all_reduce_in_order(MpiComm *comm, const CommCall *call, MpiGroup *group, int me, int k, size_t bytes) {
    const hlocc_operand *o = &call->op->operand[k];
    size_t chunk = CHUNK_BYTES / o->element * o->element, at;
    size_t share = (chunk / o->element / (size_t)group->n + 1) * o->element;
    char *scratch = mpi_scratch(comm, call, 4 * (size_t)group->n * sizeof(int) + share * (size_t)group->n);
    int code = MPI_SUCCESS;
    if (!scratch) return HLOCC_EMEMORY;
    for (at = 0; at < bytes && code == MPI_SUCCESS; at += chunk)
        code = all_reduce_chunk(group, o, me, (const char *)call->in[k] + at, (char *)call->out[k] + at,
                                bytes - at < chunk ? bytes - at : chunk, (int *)(void *)scratch,
                                scratch + 4 * (size_t)group->n * sizeof(int));
    return mpi_result(comm, call, code);
}

/* An exact reduction that MPI has no operation for (minimum of floats) is faster in order than by one of ours. */
static int goes_by_mpi(const CommCall *call, const hlocc_operand *o) {
    return (is_exact(o) && native_op(o) != MPI_OP_NULL) || (call->any_order && o->reduction != HLOCC_OTHER);
}

int mpi_reduces_natively(const CommCall *call, int k) {
    const hlocc_operand *o = &call->op->operand[k];
    return goes_by_mpi(call, o) && native_op(o) != MPI_OP_NULL && comm_in_bytes(call->op, k, 1) <= MOST_BYTES;
}

int mpi_start_reduce(MpiComm *comm, const CommCall *call, MpiGroup *group, int k, MPI_Request *request) {
    const hlocc_operand *o = &call->op->operand[k];
    return mpi_result(comm, call, MPI_Iallreduce(call->in[k], call->out[k],
                                                 (int)(comm_in_bytes(call->op, k, 1) / o->element),
                                                 native_type(o), native_op(o), group->comm, request));
}

int mpi_gathers_small(const CommCall *call) {
    int k;
    for (k = 0; k < call->op->operands; k++)
        if (goes_by_mpi(call, &call->op->operand[k]) || comm_in_bytes(call->op, k, 1) > SMALL_BYTES) return 0;
    return call->op->kind == HLOCC_ALL_REDUCE;
}

int mpi_all_reduce(MpiComm *comm, const CommCall *call, MpiGroup *group, int me, int k) {
    const hlocc_operand *o = &call->op->operand[k];
    size_t bytes = comm_in_bytes(call->op, k, 1);
    if (!bytes) return HLOCC_OK;
    if (goes_by_mpi(call, o))
        return mpi_result(comm, call, reduce_by_mpi(comm, group, o, call->in[k], call->out[k], bytes / o->element, -1));
    if (bytes <= SMALL_BYTES) return gather_and_combine(comm, call, group, k, bytes);
    return all_reduce_in_order(comm, call, group, me, k, bytes);
}

/* ---- reduce-scatter, collective-reduce --------------------------------------------------------------------------- */

int mpi_reduce_scatter(MpiComm *comm, const CommCall *call, MpiGroup *group, int me, int k) {
    const hlocc_operand *o = &call->op->operand[k];
    size_t piece = o->element * (size_t)o->piece, part = piece * (size_t)o->outer;
    MPI_Datatype pieces, whole;
    char *parts;
    int code;
    (void)me;
    if (!part) return HLOCC_OK;
    parts = mpi_scratch(comm, call, part * (size_t)group->n);
    if (!parts) return HLOCC_EMEMORY;
    if (o->outer == 1 && piece <= MOST_BYTES) {
        code = MPI_Alltoall(call->in[k], (int)piece, MPI_BYTE, parts, (int)piece, MPI_BYTE, group->comm);
    } else {
        code = mpi_pieces_type(piece, piece * (size_t)group->n, o->outer, &pieces);
        if (code != MPI_SUCCESS) return mpi_result(comm, call, code);
        code = mpi_bytes_type(part, &whole);
        if (code == MPI_SUCCESS) {
            code = MPI_Alltoall(call->in[k], 1, pieces, parts, 1, whole, group->comm);
            MPI_Type_free(&whole);
        }
        MPI_Type_free(&pieces);
    }
    if (code == MPI_SUCCESS) combine_parts(o, call->out[k], parts, part, group->n, part);
    return mpi_result(comm, call, code);
}

/* In the order of the ranks, at the root; whole arrays, as this is rare. */
int mpi_reduce(MpiComm *comm, const CommCall *call, MpiGroup *group, int me, int k) {
    const hlocc_operand *o = &call->op->operand[k];
    size_t bytes = comm_in_bytes(call->op, k, 1), at;
    int root = comm_root(call, k, group->n), code = MPI_SUCCESS;
    char *parts;
    if (root < 0) return comm_fail(call, HLOCC_ECOMM, "the root is not one of the %d members", group->n);
    if (me != root && bytes) memset(call->out[k], 0, bytes);
    if (goes_by_mpi(call, o))
        return mpi_result(comm, call, reduce_by_mpi(comm, group, o, call->in[k], me == root ? call->out[k] : NULL,
                                                    bytes / o->element, root));
    parts = mpi_scratch(comm, call, me == root ? (size_t)CHUNK_BYTES * (size_t)group->n : 1);
    if (!parts) return HLOCC_EMEMORY;
    for (at = 0; at < bytes && code == MPI_SUCCESS; at += CHUNK_BYTES) {
        size_t here = bytes - at < CHUNK_BYTES ? bytes - at : CHUNK_BYTES;
        code = MPI_Gather((const char *)call->in[k] + at, (int)here, MPI_BYTE, parts, (int)here, MPI_BYTE, root,
                          group->comm);
        if (code == MPI_SUCCESS && me == root) combine_parts(o, (char *)call->out[k] + at, parts, here, group->n, here);
    }
    return mpi_result(comm, call, code);
}
