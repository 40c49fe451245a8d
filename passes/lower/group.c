#include "passes/lower/host.h"
#include "passes/lower/pack.h"

/* A group: buffers for its results and tiles, the loops over tiles, its nests. */

int target_leaf(const TileNest *nest, const TileMember *target) {
    int leaf = 0;
    for (int k = 0; k < nest->targets.n && nest->targets.at[k] != target; k++)
        leaf += shape_leaves(nest->targets.at[k]->instr->shape);
    return leaf;
}

void tile_strides(const TileNest *nest, int64_t *strides, int64_t *elements) {
    enum { VECTOR = 16 };
    int64_t stride = 1;
    for (int i = nest->n_vars - 1; i >= 0; i--) {
        strides[i] = stride;
        int64_t extent = nest->extent[i];
        bool rows = stride == 1 && extent > 1; /* rows start at whole vectors */
        stride *= rows && nest->n_vars > 1 ? (extent + VECTOR - 1) / VECTOR * VECTOR : extent;
    }
    *elements = stride;
}

TargetPlace target_place(GroupBuild *build, const TileNest *nest, const TileMember *target, int leaf) {
    KBuffer **tiles = build->tiles[nest->number];
    if (tiles) return (TargetPlace){tiles[target_leaf(nest, target) + leaf], NULL};
    const Place *place = &frame_value(build->frame, target->instr, leaf)->place;
    return (TargetPlace){place->buffer, place->shape};
}

/* --- results ------------------------------------------------------------------------------------------------------ */

static void allocate_result(Frame *frame, int step, Instr *instr, int leaf) {
    const Shape *shape = shape_leaf(instr->shape, leaf);
    KBuffer *buffer = frame_buffer(frame, step, instr, leaf);
    HostValue value = {.place = place_written(frame, buffer, buffer->shape ? buffer->shape : shape), .shape = shape};
    frame_set(frame, instr, leaf, value);
}

/* An update is written into the array that it updates, or into a copy of it. */
static void allocate_update(Frame *frame, int step, Instr *instr) {
    Instr *operand = instr->operands[0];
    LeafSource source = leaf_source(operand, 0);
    HostValue *old = frame_value(frame, source.instr, source.leaf);
    bool owned = old && !old->scalars && !old->shared && old->place.buffer &&
                 (frame->plan->storage[source.instr->position] == STORAGE_BUFFER || old->place.changes) &&
                 last_read_of(frame, source.instr, source.leaf) <= step;
    if (owned && old->place.buffer->kind != KBUFFER_CONSTANT &&
        (old->place.buffer->kind != KBUFFER_ARGUMENT || old->place.buffer->result)) {
        HostValue value = *old;
        value.shape = instr->shape;
        value.place = place_written(frame, old->place.buffer, old->place.shape);
        value.place.buffer->in_place++;
        frame_set(frame, instr, 0, value);
        return;
    }
    allocate_result(frame, step, instr, 0);
    HostValue *value = frame_value(frame, instr, 0);
    copy_value(frame, old, value->place.buffer, value->place.shape, instr->name);
}

static void allocate_results(Frame *frame, int step, TileGroup *group) {
    for (int n = 0; n < group->nests.n; n++)
        for (int k = 0; k < group->nests.at[n]->targets.n; k++) {
            const TileMember *target = group->nests.at[n]->targets.at[k];
            if (target->mode != TILE_ROOT) continue;
            if (group->nests.at[n]->updates) {
                allocate_update(frame, step, target->instr);
                continue;
            }
            for (int leaf = 0; leaf < shape_leaves(target->instr->shape); leaf++)
                allocate_result(frame, step, target->instr, leaf);
        }
}

/* --- tiles -------------------------------------------------------------------------------------------------------- */

KBuffer *scratch_buffer(Lowering *low, Scope *owner, const char *name, DType dtype, int64_t elements) {
    KBuffer *buffer;
    if (elements * dtype_bytes(dtype) <= low->options.stack_bytes) {
        buffer =
            kbuffer_new(low->program, owner->func, KBUFFER_LOCAL, emit_name(owner->emitter, name), dtype, elements);
        emit_local(owner->emitter, buffer);
    } else {
        buffer = new_slot(low, name, shape_array(low->arena, dtype, 1, &elements));
        buffer->shape = NULL;
        buffer->per_thread = true;
    }
    buffer->align = 64;
    return buffer;
}

static KBuffer *new_tile(GroupBuild *build, const TileNest *nest, const TileMember *target, int leaf) {
    Arena *arena = build->low->arena;
    int64_t *strides = NEW_ARRAY(arena, int64_t, nest->n_vars + 1), elements;
    tile_strides(nest, strides, &elements);
    DType dtype = shape_leaf(target->instr->shape, leaf)->dtype;
    KBuffer *tile =
        scratch_buffer(build->low, build->scope, identifier_of(arena, target->instr->name, false), dtype, elements);
    tile->from = target->instr;
    return tile;
}

static void allocate_tiles(GroupBuild *build) {
    for (int n = 0; n < build->group->nests.n; n++) {
        TileNest *nest = build->group->nests.at[n];
        if (nest->kind != NEST_STAGE || nest->targets.at[0]->mode == TILE_ROOT) continue;
        int leaves = 0;
        for (int k = 0; k < nest->targets.n; k++) leaves += shape_leaves(nest->targets.at[k]->instr->shape);
        KBuffer **tiles = NEW_ARRAY(build->low->arena, KBuffer *, leaves);
        for (int k = 0, at = 0; k < nest->targets.n; k++)
            for (int leaf = 0; leaf < shape_leaves(nest->targets.at[k]->instr->shape); leaf++)
                tiles[at++] = new_tile(build, nest, nest->targets.at[k], leaf);
        build->tiles[nest->number] = tiles;
    }
}

/* Schedules of all nests, and memory for what they pack. */
static void plan_nests(GroupBuild *build) {
    Lowering *low = build->low;
    for (int n = 0; n < build->group->nests.n; n++)
        if (build->group->nests.at[n]->kind != NEST_PACK) plan_nest(build, build->group->nests.at[n]);
    for (int i = 0; i < build->packs.n; i++) {
        Pack *pack = build->packs.at[i];
        const Instr *operand = reduction_of(pack->contraction->instr)->operands[pack->operand];
        const char *name = arena_printf(low->arena, "%s_packed", identifier_of(low->arena, operand->name, false));
        pack->buffer = new_slot(low, name, shape_array(low->arena, pack->dtype, 1, &pack->elements));
        pack->buffer->shape = NULL;
        pack->buffer->align = 64;
        pack->buffer->per_thread = pack->level > 0;
        if (pack->level > pack->nest->level)
            internal_error(operand->name, "a packed operand that changes inside of its nest");
    }
}

/* --- loops over tiles --------------------------------------------------------------------------------------------- */

static void lower_packs(GroupBuild *build, const TileNest *nest, int depth) {
    for (int i = 0; i < build->packs.n; i++)
        if (build->packs.at[i]->nest == nest && build->packs.at[i]->level == depth)
            lower_pack(build, build->packs.at[i]);
}

static void outer_packs(GroupBuild *build, int depth) {
    for (int n = 0; n < build->group->nests.n; n++)
        if (build->group->nests.at[n]->level > depth) lower_packs(build, build->group->nests.at[n], depth);
}

static void tile_loops(GroupBuild *build, int depth) {
    TileGroup *group = build->group;
    for (int n = 0; n < group->nests.n; n++) {
        if (group->nests.at[n]->level != depth || group->nests.at[n]->kind == NEST_PACK) continue;
        lower_packs(build, group->nests.at[n], depth);
        lower_nest(build, group->nests.at[n]);
    }
    if (depth == group->outer.n) return;
    if (depth || !build->first_tile) outer_packs(build, depth);
    const TileOuter *outer = &group->outer.at[depth];
    IndexPool *pool = build->low->pool;
    const Index *low = index_const(pool, 0), *high = index_const(pool, outer->size);
    if (!depth && build->first_tile) {
        low = index_times(pool, build->first_tile, outer->tile);
        high = index_times(pool, build->last_tile, outer->tile);
    }
    const Index *origin = emit_for(build->scope->emitter, arena_printf(build->low->arena, "tile%d", depth), low, high,
                                   outer->tile, KFOR_SERIAL);
    if (outer->size % outer->tile) origin = index_min(pool, origin, index_const(pool, outer->size - outer->tile));
    build->outer[depth] = origin;
    tile_loops(build, depth + 1);
    emit_end(build->scope->emitter);
}

/* The number of a tile, as a value of the host function: where the part of thread (of threads) begins. */
static const Index *share_of(Frame *frame, int64_t tiles, int64_t whole, const Index *thread, const char *name) {
    KFunc *f = frame->host->func;
    KValue *arguments[] = {kvalue_int(f, DT_S64, tiles), kvalue_int(f, DT_S64, whole), kvalue_index(f, DT_S64, thread),
                           kvalue_index(f, DT_S64, f->program->threads->index)};
    KValue *share = kvalue_call(f, "share", (KType){DT_S64, 1}, 4, arguments, NULL);
    return emit_runtime_index(frame->host->emitter, share, (Interval){0, tiles}, false, name);
}

/* Threads share the outermost loop over tiles: each runs the group's function for some of them. What is packed once for
 * all tiles is packed before. */
static void shared_tile_loops(GroupBuild *build) {
    enum { MOST_THREADS = 4096 };
    Scope *tiles = build->scope, *host = build->frame->host;
    KProgram *program = build->low->program;
    const TileOuter *outer = &build->group->outer.at[0];
    int64_t n = ceil_div(outer->size, outer->tile), whole = outer->size / outer->tile;
    build->scope = host;
    outer_packs(build, 0);
    build->scope = tiles;
    if (!program->threads)
        program->threads = kvar_index(host->func, NULL, emit_name_for_good(host->emitter, "threads"),
                                      (Interval){1, MOST_THREADS}, true);
    const Index *thread =
        emit_for(host->emitter, "thread", index_const(build->low->pool, 0), program->threads->index, 1, KFOR_PARALLEL);
    const Index *first = share_of(build->frame, n, whole, thread, "first_tile");
    const Index *last = share_of(build->frame, n, whole, index_plus(build->low->pool, thread, 1), "last_tile");
    build->first_tile = scope_index(tiles, first);
    build->last_tile = scope_index(tiles, last);
    tile_loops(build, 0);
    scope_call(tiles, build->group->lead->instr);
    emit_end(host->emitter);
}

static int most_nests(const TileGroup *group) {
    int most = 0;
    for (int n = 0; n < group->nests.n; n++)
        if (group->nests.at[n]->number >= most) most = group->nests.at[n]->number + 1;
    return most;
}

/* An update of a few elements is written by the host function itself. */
static bool is_small_update(const TileGroup *group) {
    enum { FEW = 16 };
    return group->root->updates && group->root->points <= FEW && group->nests.n == 1;
}

static void lower_small_update(Frame *frame, Instr *instr) {
    Lowering *low = frame->low;
    const Access *access = access_of(low->access, instr);
    const Shape *part = instr->operands[1]->shape;
    const Place *place = &frame_value(frame, instr, 0)->place;
    int64_t n = shape_elements(part);
    const Index **start = NEW_ARRAY(low->arena, const Index *, 2 * part->rank + 1), **index = start + part->rank;
    for (int d = 0, rt = 0; d < part->rank; d++) {
        start[d] = index_const(low->pool, 0);
        if (part->dims[d] == instr->shape->dims[d]) continue;
        const RuntimeVar *var = &access->rts[rt++];
        Elem value = pull(frame->puller, instr->operands[var->operand], 0, var->index);
        start[d] = emit_runtime_index(frame->host->emitter, value.part[0], var->range, true,
                                      instr->operands[var->operand]->name);
    }
    Elem *values = NEW_ARRAY(low->arena, Elem, n);
    for (int64_t i = 0; i < n; i++) values[i] = host_element(frame, instr->operands[1], 0, i);
    emit_batch(frame->host->emitter);
    for (int64_t i = 0, rest; i < n; i++) {
        rest = i;
        for (int d = part->rank - 1; d >= 0; rest /= part->dims[d], d--)
            index[d] = index_plus(low->pool, start[d], rest % part->dims[d]);
        push_store(frame->puller, place->buffer, place->shape->dtype, subscript_of(frame->puller, place->shape, index),
                   values[i], instr);
    }
    emit_flush(frame->host->emitter);
}

static const char *tiles_title(Arena *arena, const TileGroup *group) {
    const char *title = group->outer.n ? "tiles" : "nests of one group";
    for (int o = 0; o < group->outer.n; o++)
        title = arena_printf(arena, "%s%s %lld by %lld", title, o ? "," : ":", (long long)group->outer.at[o].size,
                             (long long)group->outer.at[o].tile);
    return title;
}

void lower_group(Frame *frame, int step, TileGroup *group) {
    Lowering *low = frame->low;
    allocate_results(frame, step, group);
    if (is_small_update(group)) {
        lower_small_update(frame, group->lead->instr);
        return;
    }
    GroupBuild build = {.low = low, .frame = frame, .group = group, .scope = frame->host};
    build.outer = NEW_ARRAY(low->arena, const Index *, group->outer.n + 1);
    build.tiles = NEW_ARRAY(low->arena, KBuffer **, most_nests(group));
    build.schedules = NEW_ARRAY(low->arena, Schedule, most_nests(group));
    int loops = 0;
    for (int n = 0; n < group->nests.n; n++) loops += group->nests.at[n]->kind != NEST_PACK;
    if (loops == 1 && !group->outer.n) {
        plan_nests(&build);
        lower_packs(&build, group->root, 0);
        lower_nest(&build, group->root);
        return;
    }
    const Instr *lead = group->lead->instr;
    build.scope = scope_new(low, frame->host, arena_printf(low->arena, "%s_%s_tiles", low->options.prefix,
                                                            identifier_of(low->arena, lead->name, false)));
    build.scope->func->title = tiles_title(low->arena, group);
    vec_push(low->arena, &build.scope->func->banner, lead);
    allocate_tiles(&build);
    plan_nests(&build);
    if (group->shared) {
        shared_tile_loops(&build);
        return;
    }
    tile_loops(&build, 0);
    scope_call(build.scope, lead);
}
