#include "passes/lower/library.h"

/* What the program asks of its caller: infeed, outfeed, send and recv with the host, the state of random numbers.
 * Arrays go one by one, dense and row-major. */

static void transfer(Frame *frame, const Instr *instr, const char *function, KBuffer *buffer, const Shape *shape,
                     const char *last) {
    LibraryCall call = {.frame = frame, .instr = instr, .function = function};
    library_text(&call, "ctx");
    library_buffer(&call, buffer);
    library_number(&call, shape_bytes(shape));
    library_text(&call, last);
    library_emit_checked(&call);
}

static void receive(Frame *frame, int step, Instr *instr, const char *function, const char *last) {
    for (int leaf = 0; leaf < shape_leaves(instr->shape); leaf++) {
        const Shape *shape = shape_leaf(instr->shape, leaf);
        if (shape_is_array(shape))
            transfer(frame, instr, function, library_result(frame, step, instr, leaf), shape, last);
    }
}

static void give(Frame *frame, Instr *instr, const char *function, const char *last) {
    Instr *data = instr->operands[0];
    for (int leaf = 0; leaf < shape_leaves(data->shape); leaf++) {
        const Shape *shape = shape_leaf(data->shape, leaf);
        if (shape_is_array(shape)) transfer(frame, instr, function, library_operand(frame, data, leaf), shape, last);
    }
}

void lower_infeed(Frame *frame, int step, Instr *instr) {
    receive(frame, step, instr, "hlocc_infeed",
            library_c_string(frame->low->arena, instr_string(instr, ATTR_INFEED_CONFIG)));
}

void lower_outfeed(Frame *frame, int step, Instr *instr) {
    (void)step;
    give(frame, instr, "hlocc_outfeed", library_c_string(frame->low->arena, instr_string(instr, ATTR_OUTFEED_CONFIG)));
}

/* A send is done at once; a recv when its data is asked for. */
void lower_host_transfer(Frame *frame, int step, Instr *instr) {
    const char *channel = arena_printf(frame->low->arena, "%lld", (long long)instr_int(instr, ATTR_CHANNEL_ID, 0));
    if (instr->op == OP_SEND) {
        HostValue data = *host_value(frame, instr->operands[0], 0);
        give(frame, instr, "hlocc_host_send", channel);
        data.shared = true;
        frame_set(frame, instr, 0, data);
    }
    if (instr->op == OP_RECV_DONE) receive(frame, step, instr, "hlocc_host_recv", channel);
}

/* --- the state of random numbers ---------------------------------------------------------------------------------- */

static const Instr *find_rng_state(const Module *module) {
    for (int c = 0; c < module->computations.n; c++)
        for (int i = 0; i < module->computations.at[c]->instrs.n; i++)
            if (module->computations.at[c]->instrs.at[i]->op == OP_RNG_GET_AND_UPDATE_STATE)
                return module->computations.at[c]->instrs.at[i];
    return NULL;
}

void lower_rng_begin(Frame *frame) {
    const Instr *instr = find_rng_state(frame->low->module);
    if (!instr) return;
    frame->low->rng_state = library_scratch(frame, "rng_state", DT_U64, 2);
    LibraryCall call = {.frame = frame, .instr = instr, .function = "hlocc_rng_begin"};
    library_text(&call, "ctx");
    library_buffer(&call, frame->low->rng_state);
    library_emit(&call);
}

void lower_rng_state(Frame *frame, int step, Instr *instr) {
    LibraryCall call = {.frame = frame, .instr = instr, .function = "hlocc_rng_step"};
    library_text(&call, "ctx");
    library_buffer(&call, frame->low->rng_state);
    library_buffer(&call, library_result(frame, step, instr, 0));
    library_text(&call, arena_printf(frame->low->arena, "%lluu", (unsigned long long)instr_int(instr, ATTR_DELTA, 0)));
    library_emit(&call);
}
