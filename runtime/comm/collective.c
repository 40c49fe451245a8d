/* The front of collectives: finds the communicator, hands over to its back end. */
#define _POSIX_C_SOURCE 200809L
#include "runtime/comm/comm.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

static const double default_seconds = 60;

/* Whether the context is as new as a member of it. */
#define HAS_MEMBER(ctx, member) ((ctx)->size >= offsetof(hlocc_context, member) + sizeof(ctx)->member)

static void write_message(const hlocc_context *ctx, const char *name, const char *format, va_list args) {
    int n;
    if (!ctx || !ctx->message || !ctx->message_bytes) return;
    n = snprintf(ctx->message, ctx->message_bytes, "%s: ", name);
    if (n < 0 || (size_t)n >= ctx->message_bytes) return;
    vsnprintf(ctx->message + n, ctx->message_bytes - (size_t)n, format, args);
}

int comm_fail(const CommCall *call, int code, const char *format, ...) {
    va_list args;
    va_start(args, format);
    write_message(call->ctx, call->op->name, format, args);
    va_end(args);
    return code;
}

void comm_say(const hlocc_context *ctx, const char *name, const char *format, ...) {
    va_list args;
    va_start(args, format);
    write_message(ctx, name, format, args);
    va_end(args);
}

int hlocc_comm_size(const hlocc_comm *comm) {
    return comm ? comm->size : 1;
}

int hlocc_comm_rank(const hlocc_comm *comm) {
    return comm ? comm->rank : 0;
}

void hlocc_comm_free(hlocc_comm *comm) {
    if (comm) comm->backend->free(comm);
}

int hlocc_comm_device(const hlocc_context *ctx) {
    return ctx ? hlocc_comm_rank(ctx->comm) : 0;
}

int hlocc_comm_check(const hlocc_context *ctx, int devices, const char *program) {
    int size = ctx ? hlocc_comm_size(ctx->comm) : 1;
    if (ctx && ctx->comm && size == devices) return ctx->comm->backend->begin(ctx->comm, ctx, program);
    if (!ctx || !ctx->comm)
        comm_say(ctx, program, "the program is for %d devices, but the context has no communicator", devices);
    else comm_say(ctx, program, "the program is for %d devices, but the communicator has %d", devices, size);
    return HLOCC_ECOMM;
}

static CommCall call_of(const hlocc_context *ctx, const hlocc_collective *op, const void *const in[],
                        void *const out[]) {
    CommCall call;
    call.ctx = ctx;
    call.op = op;
    call.in = in;
    call.out = out;
    call.seconds = HAS_MEMBER(ctx, comm_seconds) && ctx->comm_seconds > 0 ? ctx->comm_seconds : default_seconds;
    call.any_order = HAS_MEMBER(ctx, comm_any_order) && ctx->comm_any_order;
    return call;
}

int hlocc_comm_run(const hlocc_context *ctx, const hlocc_collective *op, const void *const in[], void *const out[]) {
    CommCall call;
    if (!ctx || !ctx->comm) return HLOCC_ECOMM;
    call = call_of(ctx, op, in, out);
    return ctx->comm->backend->run(ctx->comm, &call);
}

int hlocc_comm_start(const hlocc_context *ctx, const hlocc_collective *op, const void *const in[], void *const out[]) {
    CommCall call;
    if (!ctx || !ctx->comm) return HLOCC_ECOMM;
    call = call_of(ctx, op, in, out);
    return ctx->comm->backend->start(ctx->comm, &call);
}

int hlocc_comm_finish(const hlocc_context *ctx, const hlocc_collective *op, const void *const in[], void *const out[]) {
    CommCall call;
    if (!ctx || !ctx->comm) return HLOCC_ECOMM;
    call = call_of(ctx, op, in, out);
    return ctx->comm->backend->finish(ctx->comm, &call);
}

/* ---- what back ends share ---------------------------------------------------------------------------------------- */

double comm_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

const int *comm_group(const hlocc_collective *op, int rank, int *n, int *index) {
    const int *members = op->members;
    int g, i;
    for (g = 0; g < op->groups; members += op->sizes[g++])
        for (i = 0; i < op->sizes[g]; i++)
            if (members[i] == rank) {
                *n = op->sizes[g];
                *index = i;
                return members;
            }
    return NULL;
}

const int *comm_pair(const hlocc_collective *op, int rank, int side) {
    int g;
    for (g = 0; g < op->groups; g++)
        if (op->members[2 * g + side] == rank) return op->members + 2 * g;
    return NULL;
}

static size_t bytes_of(const hlocc_operand *operand, int members) {
    return operand->element * (size_t)operand->outer * (size_t)operand->piece * (size_t)members;
}

size_t comm_in_bytes(const hlocc_collective *op, int k, int members) {
    int whole = op->kind == HLOCC_REDUCE_SCATTER || op->kind == HLOCC_ALL_TO_ALL;
    return bytes_of(&op->operand[k], whole ? members : 1);
}

size_t comm_out_bytes(const hlocc_collective *op, int k, int members) {
    int whole = op->kind == HLOCC_ALL_GATHER || op->kind == HLOCC_ALL_TO_ALL;
    return bytes_of(&op->operand[k], whole ? members : 1);
}

int comm_root(const CommCall *call, int k, int n) {
    int32_t root;
    if (!call->op->dynamic_root) return 0;
    memcpy(&root, (const char *)call->in[call->op->operands] + 4 * (size_t)k, 4);
    return root >= 0 && root < n ? (int)root : -1;
}

void comm_zero(const CommCall *call) {
    int k;
    for (k = 0; k < call->op->operands; k++) {
        size_t bytes = comm_out_bytes(call->op, k, 1);
        if (bytes) memset(call->out[k], 0, bytes);
    }
}

int64_t comm_entry(const hlocc_operand *operand, const void *array, ptrdiff_t j) {
    const char *at = (const char *)array + (size_t)j * operand->element;
    int is_signed = operand->type == 's';
    if (operand->element == 8) {
        int64_t value;
        memcpy(&value, at, 8);
        return value;
    }
    if (operand->element == 4) {
        uint32_t value;
        memcpy(&value, at, 4);
        return is_signed ? (int64_t)(int32_t)value : (int64_t)value;
    }
    if (operand->element == 2) {
        uint16_t value;
        memcpy(&value, at, 2);
        return is_signed ? (int64_t)(int16_t)value : (int64_t)value;
    }
    return is_signed ? (int64_t)*(const int8_t *)at : (int64_t)*(const uint8_t *)at;
}

void comm_copy_pieces(void *to, size_t to_stride, const void *from, size_t from_stride, size_t bytes, ptrdiff_t outer) {
    ptrdiff_t o;
    if (!bytes) return;
    if (to_stride == bytes && from_stride == bytes) {
        memcpy(to, from, bytes * (size_t)outer);
        return;
    }
    for (o = 0; o < outer; o++)
        memcpy((char *)to + (size_t)o * to_stride, (const char *)from + (size_t)o * from_stride, bytes);
}
