/* send and recv between devices: a message by channel. The recv's data comes when it is done. */
#include "ir/eval/collective.h"

static bool need_devices(Eval *eval, const Instr *instr) {
    if (eval->team && !instr_is_host_transfer(instr)) return true;
    eval_error(eval, instr, "cannot evaluate '%s' %s", op_name(instr->op),
               instr_is_host_transfer(instr) ? "with the host" : "on one device");
    return false;
}

/* The device on the other side, where this one is on the given side of a pair. */
static bool find_other(const Eval *eval, const Instr *instr, int side, int64_t *other) {
    Arena *scratch = arena_new();
    int64_t partitions = instr->parent->module->attrs.num_partitions;
    int64_t replica = eval->device / partitions, partition = eval->device % partitions;
    IntList pairs = instr_transfer_pairs(scratch, instr);
    bool found = false;
    for (int i = 0; i < pairs.n && !found; i += 2) {
        found = pairs.at[i + side] == (partitions > 1 ? partition : replica);
        *other = partitions > 1 ? replica * partitions + pairs.at[i + !side] : pairs.at[i + !side];
    }
    arena_free(scratch);
    return found;
}

/* (data, 0, token) */
Value *eval_send(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    int64_t to;
    if (!need_devices(eval, instr)) return NULL;
    if (find_other(eval, instr, 0, &to)) team_send(eval, to, instr_int(instr, ATTR_CHANNEL_ID, 0), operands[0]);
    Value *started = value_zeros(shape);
    value_release(started->elements[0]);
    started->elements[0] = value_retain(operands[0]);
    return started;
}

Value *eval_send_done(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)eval, (void)instr, (void)operands;
    return value_new(shape);
}

Value *eval_recv(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)operands;
    return need_devices(eval, instr) ? value_zeros(shape) : NULL;
}

/* (data, token); who is no target gets zeros. */
Value *eval_recv_done(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    int64_t from;
    (void)operands;
    Value *done = value_zeros(shape);
    if (!find_other(eval, instr, 1, &from)) return done;
    Value *data = team_receive(eval, instr, from, instr_int(instr, ATTR_CHANNEL_ID, 0));
    if (!data) {
        value_release(done);
        return NULL;
    }
    value_release(done->elements[0]);
    done->elements[0] = data;
    return done;
}
