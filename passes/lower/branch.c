#include "passes/lower/host.h"

/* conditional: C's if. One branch runs; small results are mutable scalars that each branch sets, arrays have one buffer
 * that each branch computes into. */

typedef struct {
    Frame *frame;
    Instr *conditional;
    int step, n, n_branches;
    Computation **branches;
    KVar ***vars;      /* per leaf: two parts per element; NULL: in memory */
    KBuffer **buffers; /* per leaf in memory */
} Branching;

static void find_branches(Branching *b) {
    Lowering *low = b->frame->low;
    const Attr *list = instr_attr(b->conditional, ATTR_BRANCH_COMPUTATIONS);
    b->n_branches = list ? list->n_computations : 2;
    b->branches = NEW_ARRAY(low->arena, Computation *, b->n_branches);
    for (int i = 0; list && i < list->n_computations; i++) b->branches[i] = list->computations[i];
    if (list) return;
    b->branches[0] = instr_computation(b->conditional, ATTR_TRUE_COMPUTATION);
    b->branches[1] = instr_computation(b->conditional, ATTR_FALSE_COMPUTATION);
}

static void make_results(Branching *b) {
    Lowering *low = b->frame->low;
    b->vars = NEW_ARRAY(low->arena, KVar **, b->n);
    b->buffers = NEW_ARRAY(low->arena, KBuffer *, b->n);
    for (int leaf = 0; leaf < b->n; leaf++) {
        const Shape *shape = shape_leaf(b->conditional->shape, leaf);
        int64_t n = shape_elements(shape);
        if (shape->dtype == DT_TOKEN) continue;
        if (n > TINY_STATE || n == 0) {
            b->buffers[leaf] = frame_buffer(b->frame, b->step, b->conditional, leaf);
            continue;
        }
        b->vars[leaf] = NEW_ARRAY(low->arena, KVar *, 2 * n);
        for (int64_t i = 0; i < n; i++) {
            Elem zero = elem_constant(b->frame->puller, shape->dtype, 0, 0);
            for (int part = 0; part < 2 && zero.part[part]; part++)
                b->vars[leaf][2 * i + part] = emit_var(b->frame->host->emitter, b->conditional->name, zero.part[part]);
        }
    }
}

static void set_scalars(Branching *b, Frame *branch, int leaf) {
    const Shape *shape = shape_leaf(b->conditional->shape, leaf);
    for (int64_t i = 0; i < shape_elements(shape); i++) {
        Elem elem = host_element(branch, branch->computation->root, leaf, i);
        for (int part = 0; part < 2 && elem.part[part]; part++)
            emit_sets(branch->host->emitter, 1, &b->vars[leaf][2 * i + part], &elem.part[part]);
    }
}

static void run_branch(Branching *b, int k) {
    Frame *frame = frame_new(b->frame->low, b->branches[k], b->frame->host, b->frame->puller);
    Instr *argument = b->conditional->operands[k + 1];
    for (int leaf = 0; leaf < shape_leaves(argument->shape); leaf++) {
        if (shape_leaf(argument->shape, leaf)->dtype == DT_TOKEN) continue;
        HostValue value = *host_value(b->frame, argument, leaf);
        value.shared = true;
        frame_set(frame, b->branches[k]->parameters[0], leaf, value);
    }
    for (int leaf = 0; leaf < b->n; leaf++) {
        LeafSource source = leaf_source(b->branches[k]->root, leaf);
        if (b->buffers[leaf]) frame_prefer(frame, source.instr, source.leaf, b->buffers[leaf], NULL, 0);
    }
    FrameSaved saved = frame_enter(frame);
    lower_steps(frame);
    for (int leaf = 0; leaf < b->n; leaf++) {
        if (b->buffers[leaf])
            store_result(frame, frame->computation->root, leaf, b->buffers[leaf], b->buffers[leaf]->shape);
        else if (b->vars[leaf]) set_scalars(b, frame, leaf);
    }
    frame_leave(frame, saved);
}

static KValue *is_branch(Branching *b, KValue *which, int k) {
    KFunc *f = b->frame->host->func;
    if (which->type.dtype == DT_PRED) return which;
    return kvalue_scalar(f, SCALAR_EQ, 2, (KValue *[]){which, kvalue_int(f, which->type.dtype, k)}, NULL);
}

static void run_from(Branching *b, KValue *which, int k) {
    if (k == b->n_branches - 1) {
        run_branch(b, k);
        return;
    }
    emit_if(b->frame->host->emitter, is_branch(b, which, k));
    run_branch(b, k);
    emit_else(b->frame->host->emitter);
    run_from(b, which, k + 1);
    emit_end(b->frame->host->emitter);
}

void lower_conditional(Frame *frame, int step, Instr *instr) {
    Branching b = {.frame = frame, .conditional = instr, .step = step, .n = shape_leaves(instr->shape)};
    find_branches(&b);
    for (int k = 1; k < instr->n_operands; k++) /* what is pulled is pulled before, for all branches */
        for (int leaf = 0; leaf < shape_leaves(instr->operands[k]->shape); leaf++)
            if (shape_leaf(instr->operands[k]->shape, leaf)->dtype != DT_TOKEN)
                host_value(frame, instr->operands[k], leaf);
    KValue *which = host_element(frame, instr->operands[0], 0, 0).part[0];
    make_results(&b);
    run_from(&b, which, 0);
    for (int leaf = 0; leaf < b.n; leaf++) {
        const Shape *shape = shape_leaf(instr->shape, leaf);
        HostValue value = {.shape = shape};
        if (b.buffers[leaf]) {
            value.place = place_written(frame, b.buffers[leaf], b.buffers[leaf]->shape);
        } else if (b.vars[leaf]) {
            value.n_scalars = shape_elements(shape);
            value.scalars = NEW_ARRAY(frame->low->arena, Elem, value.n_scalars);
            for (int64_t i = 0; i < value.n_scalars; i++)
                for (int part = 0; part < 2 && b.vars[leaf][2 * i + part]; part++)
                    value.scalars[i].part[part] = kvalue_var(frame->host->func, b.vars[leaf][2 * i + part]);
        } else {
            continue;
        }
        frame_set(frame, instr, leaf, value);
    }
}
