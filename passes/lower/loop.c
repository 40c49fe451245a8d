#include "passes/lower/host.h"

/* while: C's while, or a for loop where the number of iterations is known.
 *
 * The state is a tuple. A leaf that the body passes on unchanged is the initial value itself. A tiny one lives in
 * mutable scalars. An array has one buffer, overwritten when the body computes it without needing the old one any more
 * (updates of slices, elementwise steps); otherwise a second buffer takes the new value and the two change places. */

typedef enum { LEAF_TOKEN, LEAF_INVARIANT, LEAF_SCALARS, LEAF_COUNTER, LEAF_MEMORY } LeafKind;

typedef struct {
    LeafKind kind;
    const Shape *shape;
    HostValue *init;
    const char *name;
    KVar **vars;        /* scalars: two parts per element */
    KBuffer *now, *next; /* memory */
    LeafSource result;  /* in the body */
} StateLeaf;

typedef struct {
    Frame *frame, *body;
    Instr *loop;
    Computation *body_computation, *condition;
    int n;
    StateLeaf *leaves;
    /* A known number of iterations: leaf `counter` goes from first to last - 1 (or down) by step. */
    int counter;
    int64_t first, trips, step;
} Loop;

/* --- known trip counts -------------------------------------------------------------------------------------------- */

static bool scalar_constant(const Instr *instr, int64_t *value) {
    if (instr->op != OP_CONSTANT || instr->shape->rank != 0 || !dtype_is_integer(instr->shape->dtype)) return false;
    *value = literal_int(instr->literal, 0);
    return true;
}

/* Which leaf of its computation's parameter instr is, or -1. */
static int parameter_leaf(Instr *instr) {
    LeafSource source = leaf_source(instr, 0);
    return source.instr->op == OP_PARAMETER ? source.leaf : -1;
}

static bool count_up(Direction direction, int64_t first, int64_t limit, int64_t step, int64_t *trips) {
    if (direction == DIRECTION_LT && step > 0) *trips = first < limit ? ceil_div(limit - first, step) : 0;
    else if (direction == DIRECTION_LE && step > 0) *trips = first <= limit ? floor_div(limit - first, step) + 1 : 0;
    else if (direction == DIRECTION_GT && step < 0) *trips = first > limit ? ceil_div(first - limit, -step) : 0;
    else if (direction == DIRECTION_GE && step < 0) *trips = first >= limit ? floor_div(first - limit, -step) + 1 : 0;
    else if (direction == DIRECTION_NE && step != 0 && (limit - first) % step == 0 && (limit - first) / step >= 0)
        *trips = (limit - first) / step;
    else return false;
    return true;
}

static Direction mirrored(Direction d) {
    static const Direction other[] = {
        [DIRECTION_EQ] = DIRECTION_EQ, [DIRECTION_NE] = DIRECTION_NE, [DIRECTION_GE] = DIRECTION_LE,
        [DIRECTION_GT] = DIRECTION_LT, [DIRECTION_LE] = DIRECTION_GE, [DIRECTION_LT] = DIRECTION_GT};
    return other[d];
}

/* i = init; while (i < limit) { ...; i = i + step }, all three constant, and nothing else in the condition. */
static void find_trip_count(Loop *l) {
    const Instr *test = l->condition->root;
    int64_t limit, init;
    l->counter = -1;
    if (test->op != OP_COMPARE) return;
    int side = scalar_constant(test->operands[1], &limit) ? 0 : 1;
    if (!scalar_constant(test->operands[1 - side], &limit)) return;
    int leaf = parameter_leaf(test->operands[side]);
    Direction direction = (Direction)instr_int(test, ATTR_DIRECTION, DIRECTION_EQ);
    if (side == 1) direction = mirrored(direction);
    if (leaf < 0 || l->leaves[leaf].kind != LEAF_SCALARS || l->leaves[leaf].shape->rank != 0) return;
    const Instr *next = l->leaves[leaf].result.instr;
    if (next->op != OP_ADD && next->op != OP_SUBTRACT) return;
    int other = parameter_leaf(next->operands[0]) == leaf ? 1 : 0;
    if (parameter_leaf(next->operands[1 - other]) != leaf || (next->op == OP_SUBTRACT && other == 0)) return;
    if (!scalar_constant(next->operands[other], &l->step)) return;
    if (next->op == OP_SUBTRACT) l->step = -l->step;
    const HostValue *start = l->leaves[leaf].init;
    double number;
    if (!start->scalars || !kvalue_is_const(start->scalars[0].part[0], &number)) {
        LeafSource source = leaf_source(l->loop->operands[0], leaf);
        if (!scalar_constant(source.instr, &init)) return;
    } else {
        init = (int64_t)number;
    }
    if (!count_up(direction, init, limit, l->step, &l->trips)) return;
    int64_t end, last;
    if (multiply_overflows(l->trips, l->step, &end) || __builtin_add_overflow(init, end, &last)) return;
    if (dtype_bits(l->leaves[leaf].shape->dtype) < 64 && (last >= (int64_t)1 << 31 || last < -((int64_t)1 << 31)))
        return;
    l->counter = leaf;
    l->first = init;
    l->leaves[leaf].kind = LEAF_COUNTER;
}

/* --- state -------------------------------------------------------------------------------------------------------- */

static LeafKind kind_of(const Loop *l, int leaf) {
    const StateLeaf *s = &l->leaves[leaf];
    if (s->shape->dtype == DT_TOKEN) return LEAF_TOKEN;
    if (s->result.instr->op == OP_PARAMETER && s->result.leaf == leaf) return LEAF_INVARIANT;
    TileStorage storage = l->body->plan->storage[s->result.instr->position];
    bool small = shape_elements(s->shape) > 0 && shape_elements(s->shape) <= TINY_STATE;
    bool scalars = storage == STORAGE_TINY || storage == STORAGE_NONE ||
                   (s->result.instr->op == OP_CONSTANT && s->shape->rank == 0) || s->result.instr->op == OP_PARAMETER;
    return small && (scalars || s->shape->rank == 0) ? LEAF_SCALARS : LEAF_MEMORY;
}

static const char *leaf_name(const Loop *l, int leaf) {
    LeafSource source = leaf_source(l->loop->operands[0], leaf);
    const char *name = source.instr->op == OP_CONSTANT || source.instr->op == OP_BROADCAST
                           ? l->leaves[leaf].result.instr->name
                           : source.instr->name;
    return identifier_of(l->frame->low->arena, name, true);
}

static void make_scalars(Loop *l, StateLeaf *s) {
    Lowering *low = l->frame->low;
    int64_t n = shape_elements(s->shape);
    s->vars = NEW_ARRAY(low->arena, KVar *, 2 * n);
    emit_batch(l->frame->host->emitter);
    for (int64_t i = 0; i < n; i++) {
        Elem elem = {{NULL, NULL}};
        if (s->init->scalars) {
            elem = s->init->scalars[i];
        } else {
            const Index **index = NEW_ARRAY(low->arena, const Index *, s->shape->rank + 1);
            int64_t rest = i;
            for (int d = s->shape->rank - 1; d >= 0; d--) {
                index[d] = index_const(low->pool, rest % s->shape->dims[d]);
                rest /= s->shape->dims[d];
            }
            Puller *p = l->frame->puller;
            int version = p->version;
            p->version = s->init->place.version;
            elem = pull_load(p, s->init->place.buffer, s->init->place.shape, index);
            p->version = version;
        }
        for (int part = 0; part < 2 && elem.part[part]; part++)
            s->vars[2 * i + part] = emit_var(
                l->frame->host->emitter,
                n > 1 || part ? arena_printf(low->arena, "%s_%d", s->name, (int)(2 * i + part) / (elem.part[1] ? 1 : 2))
                              : s->name,
                elem.part[part]);
    }
    emit_flush(l->frame->host->emitter);
}

static HostValue scalars_now(Loop *l, const StateLeaf *s) {
    int64_t n = shape_elements(s->shape);
    Elem *scalars = NEW_ARRAY(l->frame->low->arena, Elem, n);
    for (int64_t i = 0; i < n; i++)
        for (int part = 0; part < 2 && s->vars[2 * i + part]; part++)
            scalars[i].part[part] = kvalue_var(l->frame->host->func, s->vars[2 * i + part]);
    return (HostValue){.scalars = scalars, .n_scalars = n, .shape = s->shape};
}

/* Whether the initial value's memory may become the state's. */
static bool takes_over(const Loop *l, int step, int leaf) {
    const HostValue *init = l->leaves[leaf].init;
    LeafSource source = leaf_source(l->loop->operands[0], leaf);
    if (init->scalars || init->shared || init->place.buffer->kind != KBUFFER_SLOT) return false;
    if (l->frame->plan->storage[source.instr->position] != STORAGE_BUFFER) return false;
    if (last_read_of(l->frame, source.instr, source.leaf) > step) return false;
    for (int k = 0; k < leaf; k++)
        if (l->leaves[k].now == init->place.buffer) return false;
    return shapes_same_layout(init->place.shape, l->leaves[leaf].shape);
}

static void make_memory(Loop *l, int step, int leaf) {
    StateLeaf *s = &l->leaves[leaf];
    if (takes_over(l, step, leaf)) {
        s->now = s->init->place.buffer;
        s->now->in_place++;
    } else {
        s->now = frame_buffer(l->frame, step, l->loop, leaf);
        copy_value(l->frame, s->init, s->now, s->now->shape, s->name);
    }
    s->now->changes = true;
}

/* Whether the body can compute leaf straight into the memory of its old value. */
static bool computes_in_place(const Loop *l, int leaf) {
    const StateLeaf *s = &l->leaves[leaf];
    const Instr *result = s->result.instr, *parameter = l->body_computation->parameters[0];
    int at = -1;
    for (int i = 0; i < l->body->plan->steps.n; i++) {
        const TileStep *step = &l->body->plan->steps.at[i];
        if (step->kind == STEP_GROUP) {
            const TileMember *member = key_table_get(&step->group->by_instr, POINTER_KEY(result));
            if (member && member->mode == TILE_ROOT) at = i;
        } else if (step->instr == result) {
            at = i;
        }
    }
    if (at < 0) return false;
    if (result->op == OP_DYNAMIC_UPDATE_SLICE || result->op == OP_SCATTER) {
        LeafSource source = leaf_source(result->operands[result->op == OP_SCATTER ? s->result.leaf : 0], 0);
        bool own = source.instr == parameter && source.leaf == leaf;
        if (own) return last_read_of(l->body, parameter, leaf) <= at;
    }
    return may_overwrite(l->body, at, result, parameter, leaf);
}

/* --- one iteration ------------------------------------------------------------------------------------------------ */

static void set_parameter(Loop *l, Frame *frame, const Instr *parameter, const Index *counter) {
    for (int leaf = 0; leaf < l->n; leaf++) {
        StateLeaf *s = &l->leaves[leaf];
        HostValue value = {.shape = s->shape};
        switch (s->kind) {
        case LEAF_TOKEN:
            continue;
        case LEAF_INVARIANT:
            value = *s->init;
            value.shared = true;
            break;
        case LEAF_SCALARS:
            value = scalars_now(l, s);
            break;
        case LEAF_COUNTER:
            value.scalars = NEW(l->frame->low->arena, Elem);
            value.scalars[0].part[0] = kvalue_index(l->frame->host->func, register_type(s->shape->dtype), counter);
            value.n_scalars = 1;
            break;
        case LEAF_MEMORY:
            value.place = place_written(frame, s->now, s->now->shape);
            break;
        }
        frame_set(frame, parameter, leaf, value);
    }
}

/* New scalars: all are computed before any is set. */
static void set_scalars(Loop *l) {
    VEC(KVar *) vars = {0};
    VEC(KValue *) values = {0};
    Arena *arena = l->frame->low->arena;
    for (int leaf = 0; leaf < l->n; leaf++) {
        StateLeaf *s = &l->leaves[leaf];
        if (s->kind != LEAF_SCALARS) continue;
        for (int64_t i = 0; i < shape_elements(s->shape); i++) {
            Elem elem = host_element(l->body, s->result.instr, s->result.leaf, i);
            for (int part = 0; part < 2 && elem.part[part]; part++) {
                vec_push(arena, &vars, s->vars[2 * i + part]);
                vec_push(arena, &values, elem.part[part]);
            }
        }
    }
    if (vars.n) emit_sets(l->frame->host->emitter, vars.n, vars.at, values.at);
}

/* What the body did not compute in its place is copied there: another leaf, a constant. */
static void copy_memory(Loop *l) {
    for (int leaf = 0; leaf < l->n; leaf++) {
        StateLeaf *s = &l->leaves[leaf];
        if (s->kind == LEAF_MEMORY) store_result(l->body, l->body_computation->root, leaf, s->next, s->next->shape);
    }
}

static void swap_memory(Loop *l) {
    for (int leaf = 0; leaf < l->n; leaf++) {
        StateLeaf *s = &l->leaves[leaf];
        if (s->kind != LEAF_MEMORY || s->now == s->next) continue;
        emit_statement(l->frame->host->emitter, (KStmt){.kind = KSTMT_SWAP, .buffer = s->now, .target = s->next});
    }
}

/* A pointer variable of the host function that starts at a buffer. */
static KBuffer *pointer_to(Loop *l, KBuffer *buffer, const char *name) {
    Lowering *low = l->frame->low;
    KBuffer *pointer = kbuffer_new(low->program, l->frame->host->func, KBUFFER_POINTER,
                                   emit_name(l->frame->host->emitter, name), buffer->dtype, buffer->elements);
    pointer->shape = buffer->shape;
    pointer->changes = pointer->written = pointer->shares = true;
    buffer->written = true;
    emit_statement(l->frame->host->emitter, (KStmt){.kind = KSTMT_POINTER, .buffer = pointer, .target = buffer,
                                                    .index = index_const(low->pool, 0)});
    return pointer;
}

static void choose_next(Loop *l) {
    for (int leaf = 0; leaf < l->n; leaf++) {
        StateLeaf *s = &l->leaves[leaf];
        if (s->kind != LEAF_MEMORY) continue;
        const Instr *parameter = l->body_computation->parameters[0];
        if (computes_in_place(l, leaf)) {
            s->next = s->now;
            frame_prefer(l->body, s->result.instr, s->result.leaf, s->now, parameter, leaf);
            continue;
        }
        KBuffer *other = new_slot(l->frame->low, s->name, s->now->shape);
        s->now = pointer_to(l, s->now, s->name);
        s->next = pointer_to(l, other, arena_printf(l->frame->low->arena, "%s_next", s->name));
        frame_prefer(l->body, s->result.instr, s->result.leaf, s->next, NULL, 0);
    }
}

static void iterate(Loop *l, const Index *counter) {
    set_parameter(l, l->body, l->body_computation->parameters[0], counter);
    FrameSaved saved = frame_enter(l->body);
    lower_steps(l->body);
    copy_memory(l);
    set_scalars(l);
    swap_memory(l);
    frame_leave(l->body, saved);
}

/* --- the loop ----------------------------------------------------------------------------------------------------- */

static void test(Loop *l) {
    Frame *frame = frame_new(l->frame->low, l->condition, l->frame->host, l->frame->puller);
    set_parameter(l, frame, l->condition->parameters[0], NULL);
    FrameSaved saved = frame_enter(frame);
    lower_steps(frame);
    emit_break_unless(l->frame->host->emitter, host_element(frame, l->condition->root, 0, 0).part[0]);
    frame_leave(frame, saved);
}

static void set_results(Loop *l) {
    for (int leaf = 0; leaf < l->n; leaf++) {
        StateLeaf *s = &l->leaves[leaf];
        HostValue value = {.shape = s->shape};
        if (s->kind == LEAF_TOKEN) continue;
        if (s->kind == LEAF_INVARIANT) {
            value = *s->init;
            value.shared = true;
        } else if (s->kind == LEAF_SCALARS) {
            value = scalars_now(l, s);
        } else if (s->kind == LEAF_COUNTER) {
            value.scalars = NEW(l->frame->low->arena, Elem);
            value.scalars[0].part[0] =
                kvalue_int(l->frame->host->func, register_type(s->shape->dtype), l->first + l->trips * l->step);
            value.n_scalars = 1;
        } else {
            value.place = place_written(l->frame, s->now, s->now->shape);
            value.shared = s->now->kind != KBUFFER_SLOT;
        }
        frame_set(l->frame, l->loop, leaf, value);
    }
}

static void run_counted(Loop *l) {
    IndexPool *pool = l->frame->low->pool;
    Emitter *e = l->frame->host->emitter;
    const Index *value;
    if (l->step > 0) {
        value = emit_for(e, l->leaves[l->counter].name, index_const(pool, l->first),
                         index_const(pool, l->first + l->trips * l->step), l->step, KFOR_SERIAL);
    } else {
        const Index *t = emit_for(e, "t", index_const(pool, 0), index_const(pool, l->trips), 1, KFOR_SERIAL);
        value = index_plus(pool, index_times(pool, t, l->step), l->first);
    }
    iterate(l, value);
    emit_end(e);
}

void lower_while(Frame *frame, int step, Instr *instr) {
    Loop l = {.frame = frame, .loop = instr, .n = shape_leaves(instr->shape)};
    l.body_computation = instr_computation(instr, ATTR_BODY);
    l.condition = instr_computation(instr, ATTR_CONDITION);
    l.leaves = NEW_ARRAY(frame->low->arena, StateLeaf, l.n);
    l.body = frame_new(frame->low, l.body_computation, frame->host, frame->puller);
    for (int leaf = 0; leaf < l.n; leaf++) {
        StateLeaf *s = &l.leaves[leaf];
        s->shape = shape_leaf(instr->shape, leaf);
        s->result = leaf_source(l.body_computation->root, leaf);
        s->kind = kind_of(&l, leaf);
        if (s->kind == LEAF_TOKEN) continue;
        s->init = host_value(frame, instr->operands[0], leaf);
        s->name = leaf_name(&l, leaf);
    }
    find_trip_count(&l);
    for (int leaf = 0; leaf < l.n; leaf++) {
        if (l.leaves[leaf].kind == LEAF_SCALARS) make_scalars(&l, &l.leaves[leaf]);
        if (l.leaves[leaf].kind == LEAF_MEMORY) make_memory(&l, step, leaf);
    }
    choose_next(&l);
    if (l.counter >= 0) {
        run_counted(&l);
    } else {
        emit_while(frame->host->emitter);
        test(&l);
        iterate(&l, NULL);
        emit_end(frame->host->emitter);
    }
    set_results(&l);
}
