#include "passes/lower/host.h"
#include "passes/lower/user_call.h"

/* The steps of a computation, in order. */

static bool find_in_host(Puller *p, Instr *instr, int leaf, const Index *const *index, Elem *elem) {
    Frame *frame = p->source.context;
    HostValue *value = frame_value(frame, instr, leaf);
    if (!value) return false;
    if (value->scalars) {
        int64_t at = 0;
        bool known = true;
        for (int i = 0; i < value->shape->rank; i++) {
            known &= index[i]->kind == INDEX_CONST;
            at = at * value->shape->dims[i] + (known ? index[i]->value : 0);
        }
        if (known) {
            *elem = value->scalars[at];
            return true;
        }
    }
    const Place *place = frame_place(frame, value, instr->name);
    int version = p->version;
    p->version = place->version;
    *elem = pull_load(p, place->buffer, place->shape, index);
    p->version = version;
    for (int i = 0; i < 2 && elem->part[i] && place->changes; i++)
        elem->part[i] = emit_let(p->emitter, elem->part[i], instr->name);
    return true;
}

static void lower_tiny(Frame *frame, Instr *instr) {
    int leaves = shape_leaves(instr->shape);
    for (int leaf = 0; leaf < leaves; leaf++) {
        const Shape *shape = shape_leaf(instr->shape, leaf);
        int64_t n = shape_elements(shape);
        Elem *scalars = NEW_ARRAY(frame->low->arena, Elem, n);
        for (int64_t i = 0; i < n; i++) {
            Elem elem = host_element(frame, instr, leaf, i);
            for (int part = 0; part < 2 && elem.part[part]; part++)
                scalars[i].part[part] = emit_let(frame->host->emitter, elem.part[part], NULL);
        }
        frame_set(frame, instr, leaf, (HostValue){.scalars = scalars, .n_scalars = n, .shape = shape});
    }
}

static void (*const whole[N_OPS])(Frame *frame, int step, Instr *instr) = {
    [OP_WHILE] = lower_while,
    [OP_CONDITIONAL] = lower_conditional,
    [OP_SORT] = lower_sort,
    [OP_SCATTER] = lower_scatter,
    [OP_SEND] = lower_transfer,
    [OP_SEND_DONE] = lower_transfer,
    [OP_RECV] = lower_transfer,
    [OP_RECV_DONE] = lower_transfer,
    [OP_INFEED] = lower_infeed,
    [OP_OUTFEED] = lower_outfeed,
    [OP_RNG_GET_AND_UPDATE_STATE] = lower_rng_state,
    [OP_FFT] = lower_fft,
    [OP_TOPK] = lower_topk,
    [OP_CHOLESKY] = lower_cholesky,
    [OP_TRIANGULAR_SOLVE] = lower_triangular_solve,
};

static void lower_call(Frame *frame, int step, Instr *call) {
    if (user_function(&frame->low->options, call)) lower_user_call(frame, step, call);
    else if (is_shape_assertion(call)) lower_shape_assertion(frame, call);
    else lower_custom_call(frame, step, call);
}

static void lower_whole(Frame *frame, int step, Instr *instr) {
    if (instr->op == OP_CUSTOM_CALL) lower_call(frame, step, instr);
    else if (whole[instr->op]) whole[instr->op](frame, step, instr);
    else if (instr->op == OP_PARTITION_ID || instr->op == OP_REPLICA_ID) lower_device_id(frame, instr);
    else if (op_flags(instr->op) & OP_COLLECTIVE) lower_collective(frame, step, instr);
    else internal_error(instr->name, "'%s' has no lowering", op_name(instr->op));
}

/* Constants that are arrays in memory. */
static void set_constants(Frame *frame) {
    Lowering *low = frame->low;
    for (int i = 0; i < frame->computation->instrs.n; i++) {
        const Instr *instr = frame->computation->instrs.at[i];
        if (instr->op != OP_CONSTANT || frame->plan->storage[i] != STORAGE_LEAF) continue;
        KBuffer *buffer = key_table_get(&low->constants, POINTER_KEY(instr));
        if (!buffer && instr->users.n + (frame->computation->root == instr)) {
            buffer = kbuffer_new(low->program, NULL, KBUFFER_CONSTANT, constant_name(low, instr->name),
                                 instr->shape->dtype, shape_elements(instr->shape));
            buffer->data = instr->literal;
            buffer->from = instr;
            buffer->shape = shape_with_default_layout(low->arena, instr->shape);
            vec_push(low->arena, &low->program->constants, buffer);
            key_table_put(low->arena, &low->constants, POINTER_KEY(instr), buffer);
        }
        if (buffer)
            frame_set(frame, instr, 0,
                      (HostValue){.place = {buffer, buffer->shape, 0, false}, .shape = instr->shape, .shared = true});
    }
}

FrameSaved frame_enter(Frame *frame) {
    FrameSaved saved = {frame->puller->source, frame->puller->memo};
    frame->puller->source = (PullSource){find_in_host, frame};
    frame->puller->memo = (KeyTable){0};
    return saved;
}

void frame_leave(Frame *frame, FrameSaved saved) {
    frame->puller->source = saved.source;
    frame->puller->memo = saved.memo;
}

void lower_steps(Frame *frame) {
    set_constants(frame);
    for (int i = 0; i < frame->plan->steps.n; i++) {
        const TileStep *step = &frame->plan->steps.at[i];
        finish_collectives(frame, i);
        if (step->kind == STEP_TINY) {
            lower_tiny(frame, step->instr);
            continue;
        }
        if (step->kind == STEP_GROUP) lower_group(frame, i, step->group);
        else lower_whole(frame, i, step->instr);
        pull_forget(frame->puller); /* memory has changed */
    }
    finish_collectives(frame, frame->plan->steps.n);
}

HostValue *host_value(Frame *frame, Instr *instr, int leaf) {
    LeafSource source = leaf_source(instr, leaf);
    HostValue *value = frame_value(frame, source.instr, source.leaf);
    if (value) return value;
    const Shape *shape = shape_leaf(source.instr->shape, source.leaf);
    int64_t n = shape_elements(shape);
    Elem *scalars = NEW_ARRAY(frame->low->arena, Elem, n);
    for (int64_t i = 0; i < n; i++) scalars[i] = host_element(frame, source.instr, source.leaf, i);
    return frame_set(frame, source.instr, source.leaf, (HostValue){.scalars = scalars, .n_scalars = n, .shape = shape});
}

void store_result(Frame *frame, Instr *root, int leaf, KBuffer *buffer, const Shape *shape) {
    if (!shape_elements(shape)) return;
    LeafSource source = leaf_source(root, leaf);
    copy_value(frame, host_value(frame, root, leaf), buffer, shape, source.instr->name);
}
