#include "passes/lower/host.h"

/* Values of a computation while its steps are lowered: where they are, how long they are needed, where new ones go. */

static uint64_t leaf_key(const Instr *instr, int leaf) {
    return hash_mix(POINTER_KEY(instr), (uint64_t)leaf + 1) | 1;
}

HostValue *frame_value(const Frame *frame, const Instr *instr, int leaf) {
    return key_table_get(&frame->values, leaf_key(instr, leaf));
}

HostValue *frame_set(Frame *frame, const Instr *instr, int leaf, HostValue value) {
    HostValue *kept = NEW(frame->low->arena, HostValue);
    *kept = value;
    key_table_put(frame->low->arena, &frame->values, leaf_key(instr, leaf), kept);
    return kept;
}

KBuffer *new_slot(Lowering *low, const char *name, const Shape *shape) {
    int64_t elements = shape_elements(shape);
    KBuffer *slot = kbuffer_new(low->program, NULL, KBUFFER_SLOT, emit_name_for_good(low->host, name), shape->dtype,
                                elements ? elements : 1);
    slot->shape = shape;
    vec_push(low->arena, &low->program->slots, slot);
    return slot;
}

/* Named scalars as an array of the host function, written where it is asked for. */
static void spill(Frame *frame, HostValue *value, const char *name) {
    Lowering *low = frame->low;
    Emitter *e = frame->host->emitter;
    KBuffer *array = kbuffer_new(low->program, frame->host->func, KBUFFER_LOCAL, emit_name(e, name),
                                 value->shape->dtype, value->n_scalars);
    array->shape = value->shape;
    emit_local(e, array);
    emit_batch(e);
    for (int64_t i = 0; i < value->n_scalars; i++)
        push_store(frame->puller, array, value->shape->dtype, index_const(low->pool, i), value->scalars[i], NULL);
    emit_flush(e);
    value->place = (Place){array, shape_with_default_layout(low->arena, value->shape), 0, false};
    value->spilled_in = emitter_block(e);
}

/* An array that was filled in a block that is closed by now is out of reach. */
static bool is_open(const Emitter *e, const KBlock *block) {
    for (int i = 0; i < e->open.n; i++)
        if (e->open.at[i] == block) return true;
    return false;
}

Place *frame_place(Frame *frame, HostValue *value, const char *name) {
    bool lost = value->scalars && value->place.buffer && !is_open(frame->host->emitter, value->spilled_in);
    if (!value->place.buffer || lost) spill(frame, value, name);
    return &value->place;
}

int last_read_of(const Frame *frame, const Instr *instr, int leaf) {
    return (int)(intptr_t)key_table_get(&frame->last_read, leaf_key(instr, leaf)) - 1;
}

static int first_read_of(const Frame *frame, const Instr *instr, int leaf) {
    int first = (int)(intptr_t)key_table_get(&frame->first_read, leaf_key(instr, leaf)) - 1;
    return first < 0 ? INT32_MAX - 1 : first;
}

static void note_read(Frame *frame, const Instr *instr, int leaf, int step) {
    if (first_read_of(frame, instr, leaf) > step)
        key_table_put(frame->low->arena, &frame->first_read, leaf_key(instr, leaf), (void *)(intptr_t)(step + 1));
    if (last_read_of(frame, instr, leaf) >= step) return;
    key_table_put(frame->low->arena, &frame->last_read, leaf_key(instr, leaf), (void *)(intptr_t)(step + 1));
}

/* Everything in memory or scalars that instr depends on through what is inlined. */
static void note_sources(Frame *frame, Instr *instr, int leaf, int step, KeyTable *seen) {
    LeafSource source = leaf_source(instr, leaf);
    uint64_t key = leaf_key(source.instr, source.leaf);
    if (key_table_get(seen, key)) return;
    key_table_put(frame->low->arena, seen, key, frame);
    if (frame->plan->storage[source.instr->position] != STORAGE_NONE) {
        note_read(frame, source.instr, source.leaf, step);
        return;
    }
    for (int k = 0; k < source.instr->n_operands; k++) note_sources(frame, source.instr->operands[k], 0, step, seen);
}

static void note_operands(Frame *frame, Instr *instr, int step) {
    KeyTable seen = {0};
    for (int k = 0; k < instr->n_operands; k++)
        for (int leaf = 0; leaf < shape_leaves(instr->operands[k]->shape); leaf++)
            note_sources(frame, instr->operands[k], leaf, step, &seen);
}

static void note_group(Frame *frame, TileGroup *group, int step) {
    for (int m = 0; m < group->members.n; m++) {
        TileMember *member = group->members.at[m];
        LeafSource source = leaf_source(member->instr, 0);
        if (member->mode == TILE_READ) note_read(frame, source.instr, source.leaf, step);
        if (member->mode == TILE_ROOT && group->root->updates) note_operands(frame, member->instr, step);
    }
}

static bool runs_meanwhile(const Instr *instr) {
    return op_flags(instr->op) & OP_COLLECTIVE && instr->op != OP_PARTITION_ID && instr->op != OP_REPLICA_ID;
}

/* A collective is started where it stands and finished before the first step that reads a result of it: what lies
 * between is computed while others are waited for. Until then its operands must not be overwritten. */
static void plan_finishes(Frame *frame) {
    int n = frame->plan->steps.n;
    frame->finish = NEW_ARRAY(frame->low->arena, int, n + 1);
    for (int i = 0; i < n; i++) {
        const TileStep *step = &frame->plan->steps.at[i];
        if (step->kind != STEP_WHOLE || !runs_meanwhile(step->instr)) continue;
        int first = n;
        for (int leaf = 0; leaf < shape_leaves(step->instr->shape); leaf++) {
            int read = first_read_of(frame, step->instr, leaf);
            if (read < first) first = read;
        }
        if (first <= i + 1) continue;
        frame->finish[i] = first;
        note_operands(frame, step->instr, first);
    }
}

Frame *frame_new(Lowering *low, const Computation *computation, Scope *host, Puller *puller) {
    Frame *frame = NEW(low->arena, Frame);
    TilePlan *plan = key_table_get(&low->plans, POINTER_KEY(computation));
    if (!plan) {
        plan = fuse_computation(&low->fuse, computation);
        key_table_put(low->arena, &low->plans, POINTER_KEY(computation), plan);
    }
    *frame = (Frame){.low = low, .computation = computation, .plan = plan, .host = host, .puller = puller};
    for (int i = 0; i < plan->steps.n; i++) {
        if (plan->steps.at[i].kind == STEP_GROUP) note_group(frame, plan->steps.at[i].group, i);
        else note_operands(frame, plan->steps.at[i].instr, i);
    }
    for (int leaf = 0; leaf < shape_leaves(computation->root->shape); leaf++) {
        LeafSource source = leaf_source(computation->root, leaf);
        note_read(frame, source.instr, source.leaf, INT32_MAX - 1);
    }
    if (low->options.optimise) plan_finishes(frame);
    return frame;
}

/* --- where new values go ------------------------------------------------------------------------------------------ */

typedef struct {
    KBuffer *buffer;
    const Instr *held; /* the value that is in it until then; NULL: nothing */
    int held_leaf;
} Preference;

/* What an update works on, if that dies in it and is computed here: the update then happens where that lies. */
static const Instr *updated_operand(const Frame *frame, const Instr *instr, int leaf) {
    if (instr->op != OP_SCATTER && instr->op != OP_DYNAMIC_UPDATE_SLICE) return NULL;
    const Instr *operand = instr->operands[instr->op == OP_SCATTER ? leaf : 0];
    bool computed = frame->plan->storage[operand->position] == STORAGE_BUFFER && operand->users.n == 1;
    return computed && shape_is_array(operand->shape) ? operand : NULL;
}

void frame_prefer(Frame *frame, const Instr *instr, int leaf, KBuffer *buffer, const Instr *held, int held_leaf) {
    Preference *p = NEW(frame->low->arena, Preference);
    *p = (Preference){buffer, held, held_leaf};
    key_table_put(frame->low->arena, &frame->preferred, leaf_key(instr, leaf), p);
    const Instr *operand = updated_operand(frame, instr, leaf);
    if (operand) frame_prefer(frame, operand, 0, buffer, held, held_leaf);
}

static TileMember *member_of(const Frame *frame, int step, const Instr *instr) {
    const TileStep *s = &frame->plan->steps.at[step];
    return s->kind == STEP_GROUP ? key_table_get(&s->group->by_instr, POINTER_KEY(instr)) : NULL;
}

static bool same_layout_and_type(const Shape *a, const Shape *b) {
    return a->dtype == b->dtype && shapes_same_layout(a, b);
}

/* Whether group reads (held, leaf) only at the very element that it stores to instr: overwriting it is harmless. */
static bool reads_in_place(const Frame *frame, int step, const Instr *instr, const Instr *held, int held_leaf) {
    const TileStep *s = &frame->plan->steps.at[step];
    if (s->kind != STEP_GROUP || s->group->nests.n != 1) return false;
    for (int o = 0; o < s->group->outer.n; o++) /* what two tiles compute must not change between them */
        if (s->group->outer.at[o].size % s->group->outer.at[o].tile) return false;
    const TileNest *root = s->group->root;
    for (int m = 0; m < s->group->members.n; m++) {
        const TileMember *member = s->group->members.at[m];
        LeafSource source = leaf_source(member->instr, 0);
        if (member->mode != TILE_READ || source.instr != held || source.leaf != held_leaf) continue;
        for (int u = 0; u < member->uses.n; u++) {
            if (member->uses.at[u].unit || element_shape(member->instr)->rank != root->n_dims) return false;
            for (int i = 0; i < root->n_dims; i++)
                if (member->uses.at[u].index[i] != root->index[i]) return false;
        }
    }
    return root->targets.n == 1 && root->targets.at[0]->instr == instr;
}

bool may_overwrite(const Frame *frame, int step, const Instr *instr, const Instr *held, int held_leaf) {
    int last = last_read_of(frame, held, held_leaf);
    if (last < step) return true;
    return last == step && reads_in_place(frame, step, instr, held, held_leaf);
}

/* A value of the same shape that instr's group reads element by element for the last time. */
static KBuffer *dying_operand(Frame *frame, int step, const Instr *instr, int leaf) {
    const TileStep *s = &frame->plan->steps.at[step];
    const Shape *shape = shape_leaf(instr->shape, leaf);
    if (s->kind != STEP_GROUP || !member_of(frame, step, instr)) return NULL;
    for (int m = 0; m < s->group->members.n; m++) {
        const TileMember *member = s->group->members.at[m];
        LeafSource source = leaf_source(member->instr, 0);
        if (member->mode != TILE_READ || frame->plan->storage[source.instr->position] != STORAGE_BUFFER) continue;
        HostValue *value = frame_value(frame, source.instr, source.leaf);
        if (!value || value->scalars || value->shared || !value->place.buffer ||
            value->place.buffer->kind != KBUFFER_SLOT)
            continue;
        if (!value->place.shape || !same_layout_and_type(value->place.shape, shape)) continue;
        if (may_overwrite(frame, step, instr, source.instr, source.leaf)) return value->place.buffer;
    }
    return NULL;
}

KBuffer *frame_buffer(Frame *frame, int step, const Instr *instr, int leaf) {
    const Shape *shape = shape_leaf(instr->shape, leaf);
    const Preference *p = key_table_get(&frame->preferred, leaf_key(instr, leaf));
    if (p && (!p->held || may_overwrite(frame, step, instr, p->held, p->held_leaf))) return p->buffer;
    KBuffer *dying = dying_operand(frame, step, instr, leaf);
    if (dying) {
        dying->in_place++;
        return dying;
    }
    return new_slot(frame->low, identifier_of(frame->low->arena, instr->name, false), shape);
}

Place place_written(Frame *frame, KBuffer *buffer, const Shape *shape) {
    buffer->ready = emitter_block(frame->host->emitter);
    return (Place){buffer, shape, ++buffer->version, buffer->changes};
}

/* --- scalars and copies ------------------------------------------------------------------------------------------- */

Elem host_element(Frame *frame, Instr *instr, int leaf, int64_t element) {
    const Shape *shape = shape_leaf(instr->shape, leaf);
    const Index **index = NEW_ARRAY(frame->low->arena, const Index *, shape->rank + 1);
    for (int i = shape->rank - 1; i >= 0; i--) {
        index[i] = index_const(frame->low->pool, element % shape->dims[i]);
        element /= shape->dims[i];
    }
    return pull(frame->puller, instr, leaf, index);
}

static void copy_scalars(Frame *frame, const HostValue *value, KBuffer *buffer, const Shape *shape) {
    Lowering *low = frame->low;
    emit_batch(frame->host->emitter);
    for (int64_t i = 0; i < value->n_scalars; i++) {
        const Index **index = NEW_ARRAY(low->arena, const Index *, shape->rank + 1);
        int64_t rest = i;
        for (int d = shape->rank - 1; d >= 0; d--) {
            index[d] = index_const(low->pool, rest % shape->dims[d]);
            rest /= shape->dims[d];
        }
        push_store(frame->puller, buffer, shape->dtype, subscript_of(frame->puller, shape, index), value->scalars[i],
                   NULL);
    }
    emit_flush(frame->host->emitter);
}

void copy_value(Frame *frame, HostValue *value, KBuffer *buffer, const Shape *shape, const char *name) {
    if (!shape_elements(shape)) return;
    if (value->scalars) {
        copy_scalars(frame, value, buffer, shape);
        return;
    }
    if (value->place.buffer == buffer) return;
    if (same_layout_and_type(value->place.shape, shape)) {
        buffer->written = true;
        emit_statement(frame->host->emitter, (KStmt){.kind = KSTMT_COPY,
                                                     .buffer = buffer,
                                                     .target = value->place.buffer,
                                                     .index = index_const(frame->low->pool, 0),
                                                     .index2 = index_const(frame->low->pool, 0),
                                                     .elements = buffer->elements < value->place.buffer->elements
                                                                     ? buffer->elements
                                                                     : value->place.buffer->elements});
        return;
    }
    lower_relayout(frame, value, buffer, shape, name);
}
