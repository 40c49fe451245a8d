#include "passes/lower/nest_build.h"

/* Generating the loops of a nest as its schedule says. */

/* --- elements that need no computing here ------------------------------------------------------------------------- */

const Index *nest_at_bound(NestBuild *b, const Index *e) {
    const Index *index = index_substitute(b->build->low->pool, e, b->group->domain->dims.n, b->bound, 0, NULL);
    return index_simplify(b->scope->func->domain, index);
}

/* An element of a tile that reaches beyond its array, read where nothing is chosen from it: some element of the tile.
 */
static const Index *inside_tile(NestBuild *b, const Index *e, int64_t extent) {
    IndexPool *pool = b->build->low->pool;
    e = index_simplify(b->scope->func->domain, e);
    Interval range = index_range(b->scope->func->domain, e);
    if (range.high >= extent) e = index_min(pool, e, index_const(pool, extent - 1));
    return range.low < 0 ? index_max(pool, e, index_const(pool, 0)) : e;
}

/* The element of a tile: its variables follow from the index, less the tile's origin. */
static Elem load_tile(NestBuild *b, const TileNest *nest, KBuffer *tile, DType dtype, const Index *const *index) {
    IndexPool *pool = b->build->low->pool;
    int64_t *strides = NEW_ARRAY(b->build->low->arena, int64_t, nest->n_vars + 1), elements;
    tile_strides(nest, strides, &elements);
    const Index *sum = index_const(pool, 0);
    for (int i = 0; i < nest->n_vars; i++) {
        const TileVariable *v = &b->group->variables.at[nest->vars[i]->value];
        const Index *e = index_over(pool, index[v->dim], v->stride);
        if (i > 0 && b->group->variables.at[nest->vars[i - 1]->value].dim == v->dim)
            e = index_modulo(pool, e, nest->sizes[i]);
        e = inside_tile(b, index_sub(pool, e, nest_at_bound(b, nest->origin[i])), nest->extent[i]);
        sum = index_add(pool, sum, index_times(pool, e, strides[i]));
    }
    return pull_load_at(&b->puller, scope_buffer(b->scope, tile), dtype, index_simplify(b->scope->func->domain, sum));
}

static int reduction_number(const TileUnit *unit, const Instr *instr) {
    for (int r = 0; unit && r < unit->reductions.n; r++)
        if (reduction_of(unit->reductions.at[r]->instr) == instr) return r;
    return -1;
}

static bool is_constant_index(int rank, const Index *const *index) {
    for (int i = 0; i < rank; i++)
        if (index[i]->kind != INDEX_CONST) return false;
    return true;
}

static Elem load_host(NestBuild *b, HostValue *value, Instr *instr, const Index *const *index) {
    Elem elem = {{NULL, NULL}};
    int rank = value->shape->rank;
    if (value->scalars && is_constant_index(rank, index)) {
        int64_t at = 0;
        for (int i = 0; i < rank; i++) at = at * value->shape->dims[i] + index[i]->value;
        for (int i = 0; i < 2 && value->scalars[at].part[i]; i++)
            elem.part[i] = scope_scalar(b->scope, value->scalars[at].part[i]);
        return elem;
    }
    const Place *place = frame_place(b->build->frame, value, instr->name);
    return pull_load(&b->puller, scope_buffer(b->scope, place->buffer), place->shape, index);
}

static bool find_in_nest(Puller *p, Instr *instr, int leaf, const Index *const *index, Elem *elem) {
    NestBuild *b = p->source.context;
    TileMember *member = key_table_get(&b->group->by_instr, POINTER_KEY(instr));
    bool here = member && member->nest == b->nest && member->mode != TILE_READ;
    int r = reduction_number(b->nest->unit, instr);
    if (r >= 0 && b->hero) {
        *elem = b->hero[r][leaf];
        return true;
    }
    if (here && member->mode != TILE_INLINE) return false; /* a target */
    if (member && (member->mode == TILE_STAGE || member->mode == TILE_ROOT) && member->nest) {
        KBuffer **tiles = b->build->tiles[member->nest->number];
        if (tiles) {
            *elem = load_tile(b, member->nest, tiles[leaf + target_leaf(member->nest, member)],
                              element_shape(instr)->dtype, index);
            return true;
        }
    }
    HostValue *value = frame_value(b->build->frame, instr, leaf);
    if (!value) return false;
    *elem = load_host(b, value, instr, index);
    return true;
}

/* --- one point ---------------------------------------------------------------------------------------------------- */

/* The value of an axis at one of its copies. */
static const Index *axis_value(NestBuild *b, int a, int copy) {
    const AxisState *state = &b->axes[a];
    IndexPool *pool = b->build->low->pool;
    bool lane = a == b->schedule.lane;
    if (a == b->schedule.turn && b->puller.turn) {
        b->puller.copy = copy;
        return index_add(pool, state->base, b->puller.turn);
    }
    if (b->schedule.form == FORM_SCAN && a == b->schedule.n_outputs - 1 && !lane && b->nest->unit->reverse)
        return index_plus(pool, index_times(pool, state->base, -1), b->schedule.axes[a].size - 1);
    const Index *value = index_plus(pool, state->base, (int64_t)copy * (lane ? b->schedule.lanes : 1));
    return lane && b->puller.lane ? index_add(pool, value, b->puller.lane) : value;
}

/* The lane number of vectors of which `count` lanes mean something (0: all): a variable of its own, so that ranges stay
 * exact. */
static const Index *lane_variable(NestBuild *b, int count) {
    const Index **lane = &b->lane_variables[count];
    if (!*lane)
        *lane = kvar_index(b->scope->func, NULL, "lane", (Interval){0, (count ? count : b->schedule.lanes) - 1}, false)
                    ->index;
    return *lane;
}

/* Binds the variables of axis a at a copy. */
void nest_bind_axis(NestBuild *b, int a, int copy) {
    const Axis *axis = &b->schedule.axes[a];
    IndexPool *pool = b->build->low->pool;
    if (a == b->schedule.lane && b->puller.lane) {
        b->puller.count = copy == b->axes[a].copies - 1 ? b->axes[a].last_count : 0;
        b->puller.lane = lane_variable(b, b->puller.count);
    }
    const Index *value = axis_value(b, a, copy);
    int64_t stride = 1;
    for (int i = axis->n_parts - 1; i >= 0; i--) {
        const Index *part = stride > 1 ? index_over(pool, value, stride) : value;
        if (i > 0) part = index_modulo(pool, part, axis->sizes[i]);
        if (axis->tiled && !i) part = index_add(pool, b->origin[axis->parts[i]->value], part);
        b->bound[axis->parts[i]->value] = index_simplify(b->scope->func->domain, part);
        stride *= axis->sizes[i];
    }
}

/* Binds the output axes at copy number c of their product. */
void nest_bind_outputs(NestBuild *b, int c) {
    for (int a = b->schedule.n_outputs - 1; a >= 0; a--) {
        nest_bind_axis(b, a, c % b->axes[a].copies);
        c /= b->axes[a].copies;
    }
}

int nest_output_copies(const NestBuild *b) {
    int n = 1;
    for (int a = 0; a < b->schedule.n_outputs; a++) n *= b->axes[a].copies;
    return n;
}

static const Index **target_index(NestBuild *b) {
    const Index **index = NEW_ARRAY(b->build->low->arena, const Index *, b->nest->n_dims + 1);
    for (int i = 0; i < b->nest->n_dims; i++) index[i] = nest_at_bound(b, b->nest->index[i]);
    return index;
}

static const Index *tile_subscript(NestBuild *b) {
    IndexPool *pool = b->build->low->pool;
    int64_t *strides = NEW_ARRAY(b->build->low->arena, int64_t, b->nest->n_vars + 1), elements;
    tile_strides(b->nest, strides, &elements);
    const Index *sum = index_const(pool, 0);
    for (int i = 0; i < b->nest->n_vars; i++) {
        int64_t var = b->nest->vars[i]->value;
        const Index *e = b->origin[var] ? index_sub(pool, b->bound[var], b->origin[var]) : b->bound[var];
        sum = index_add(pool, sum, index_times(pool, e, strides[i]));
    }
    return index_simplify(b->scope->func->domain, sum);
}

/* Where an update's element goes: the start of the slice, clamped as the access relation says, plus its index. */
static void move_to_update(NestBuild *b, Instr *update, const Index **index) {
    const Access *access = access_of(b->build->low->access, update);
    const Shape *shape = update->shape, *part = update->operands[1]->shape;
    int rt = 0;
    for (int i = 0; i < shape->rank; i++) {
        if (shape->dims[i] == part->dims[i]) continue;
        const RuntimeVar *start = &access->rts[rt++];
        Elem value = pull(&b->puller, update->operands[start->operand], 0, start->index);
        const Index *first = emit_runtime_index(b->scope->emitter, value.part[0], start->range, true,
                                                update->operands[start->operand]->name);
        index[i] = index_simplify(b->scope->func->domain, index_add(b->build->low->pool, index[i], first));
    }
}

static void store_target(NestBuild *b, TileMember *target, int leaf) {
    TargetPlace place = target_place(b->build, b->nest, target, leaf);
    const Index **index = target_index(b);
    Instr *source = b->nest->updates ? target->instr->operands[1] : target->instr;
    Elem elem = pull(&b->puller, source, b->nest->updates ? 0 : leaf, index);
    if (b->nest->updates) move_to_update(b, target->instr, index);
    const Index *subscript = place.shape ? subscript_of(&b->puller, place.shape, index) : tile_subscript(b);
    DType dtype = shape_leaf(target->instr->shape, leaf)->dtype;
    push_store(&b->puller, scope_buffer(b->scope, place.buffer), dtype, subscript, elem, target->instr);
}

/* A leaf of a variadic reduce that nobody asks for is not stored. */
static bool is_wanted(const TileMember *target, int leaf) {
    if (!shape_is_tuple(target->instr->shape)) return true;
    for (int u = 0; u < target->instr->users.n; u++) {
        const Instr *user = target->instr->users.at[u];
        if (user->op != OP_GET_TUPLE_ELEMENT || instr_int(user, ATTR_INDEX, 0) == leaf) return true;
    }
    return target->instr == target->instr->parent->root;
}

static void store_targets(NestBuild *b) {
    for (int k = 0; k < b->nest->targets.n; k++) {
        TileMember *target = b->nest->targets.at[k];
        for (int leaf = 0; leaf < shape_leaves(target->instr->shape); leaf++)
            if (is_wanted(target, leaf)) store_target(b, target, leaf);
    }
}

/* Whole blocks of lanes x lanes elements are turned. */
static void start_turn(NestBuild *b) {
    const Schedule *s = &b->schedule;
    if (s->turn < 0 || b->axes[s->turn].copies != s->lanes || b->axes[s->lane].last_count) return;
    if (!b->turn) b->turn = kvar_index(b->scope->func, NULL, "turn", (Interval){0, s->lanes - 1}, false)->index;
    b->puller.turn = b->turn;
}

void nest_each_copy(NestBuild *b, NestLeaf *at_copy) {
    int n = nest_output_copies(b);
    emit_batch(b->scope->emitter);
    start_turn(b);
    for (int c = 0; c < n; c++) {
        nest_bind_outputs(b, c);
        if (b->copy_heroes) b->hero = b->copy_heroes[c];
        at_copy(b);
    }
    b->hero = NULL;
    b->puller.turn = NULL;
    b->puller.copy = 0;
    emit_flush(b->scope->emitter);
}

void nest_store_copies(NestBuild *b) {
    nest_each_copy(b, store_targets);
}

static void leaf(NestBuild *b) {
    if (b->leaf) b->leaf(b);
    else if (b->nest->unit) lower_reduction(b);
    else nest_store_copies(b);
}

/* --- loops -------------------------------------------------------------------------------------------------------- */

static const char *loop_name(const NestBuild *b, int a) {
    bool reduced = a >= b->schedule.n_outputs;
    return arena_printf(b->build->low->arena, "%c%d", reduced ? 'k' : 'i', reduced ? a - b->schedule.n_outputs : a);
}

static void with_copies(NestBuild *b, int a, const Index *base, int copies, int last_count, NestStep *next) {
    b->axes[a] = (AxisState){base, copies, last_count, b->axes[a].low, b->axes[a].high};
    next(b, a + 1);
}

/* Iterations low .. high-1 of an axis, both constant. */
static void axis_range(NestBuild *b, int a, int64_t low, int64_t high, NestStep *next) {
    const Axis *axis = &b->schedule.axes[a];
    IndexPool *pool = b->build->low->pool;
    int64_t lanes = a == b->schedule.lane ? b->schedule.lanes : 1, step = lanes * axis->unroll;
    if (axis->unrolled) step = high - low;
    int64_t whole = step ? (high - low) / step : 0, rest = high - low - whole * step;
    if (whole > 1) {
        const Index *value = emit_for(b->scope->emitter, loop_name(b, a), index_const(pool, low),
                                      index_const(pool, low + whole * step), step, KFOR_SERIAL);
        with_copies(b, a, value, (int)(step / lanes), 0, next);
        emit_end(b->scope->emitter);
    } else if (whole == 1) {
        with_copies(b, a, index_const(pool, low), (int)(step / lanes), 0, next);
    }
    if (rest)
        with_copies(b, a, index_const(pool, low + whole * step), (int)ceil_div(rest, lanes), (int)(rest % lanes), next);
}

/* An axis over a tile whose last one is shorter, or that is cut at the border of the array. */
static void clipped_range(NestBuild *b, int a, NestStep *next) {
    const Index *low = b->axes[a].low, *high = b->axes[a].high;
    const Index *value = emit_for(b->scope->emitter, loop_name(b, a), low, high, 1, KFOR_SERIAL);
    with_copies(b, a, value, 1, 0, next);
    emit_end(b->scope->emitter);
}

void nest_axis(NestBuild *b, int a, NestStep *next) {
    const Axis *axis = &b->schedule.axes[a];
    if (b->axes[a].low) {
        clipped_range(b, a, next);
        return;
    }
    int64_t low = 0;
    for (int i = 0; i <= axis->n_cuts; i++) {
        int64_t high = i < axis->n_cuts ? axis->cuts[i] : axis->size;
        if (high > low) axis_range(b, a, low, high, next);
        low = high;
    }
}

static void at_strip_point(NestBuild *b, int a) {
    b->strip_at = b->axes[a - 1].base;
    b->axes[a - 1].base = index_add(b->build->low->pool, b->strip_base, b->strip_at);
    b->at_strip_point(b);
}

void nest_strip(NestBuild *b, NestLeaf *body) {
    b->at_strip_point = body;
    axis_range(b, b->schedule.lane, 0, b->strip_size, at_strip_point);
}

/* Strips of equal size, and a shorter last one. */
static void strips(NestBuild *b, int a) {
    int64_t size = b->schedule.axes[a].size, strip = b->schedule.strip, whole = size / strip * strip;
    IndexPool *pool = b->build->low->pool;
    b->strip_base = index_const(pool, 0);
    b->strip_size = strip;
    if (whole > strip)
        b->strip_base =
            emit_for(b->scope->emitter, "strip", b->strip_base, index_const(pool, whole), strip, KFOR_SERIAL);
    if (whole) leaf(b);
    if (whole > strip) emit_end(b->scope->emitter);
    b->strip_base = index_const(pool, whole);
    b->strip_size = size - whole;
    if (size > whole) leaf(b);
}

static void outputs(NestBuild *b, int a) {
    if (a == b->schedule.n_outputs) leaf(b);
    else if (b->schedule.form == FORM_SCAN && a == b->schedule.n_outputs - 1) lower_scan(b);
    else if (a == b->schedule.lane && b->schedule.form == FORM_STREAMED) strips(b, a);
    else nest_axis(b, a, outputs);
}

/* --- tiles -------------------------------------------------------------------------------------------------------- */

/* Origins of the nest's variables in this function, and bounds of the axes that run over a tile. */
static void set_tile(NestBuild *b) {
    Lowering *low = b->build->low;
    const Index **outer = NEW_ARRAY(low->arena, const Index *, b->group->domain->dims.n + 1);
    for (int o = 0; o < b->group->outer.n; o++) {
        const Index *origin = b->build->outer[o];
        if (b->scope != b->build->scope && origin) origin = scope_index(b->scope, origin);
        outer[b->group->outer.at[o].origin->value] = origin;
        b->bound[b->group->outer.at[o].origin->value] = origin;
    }
    for (int i = 0; i < b->nest->n_vars; i++) {
        if (b->nest->extent[i] == b->nest->sizes[i] && index_is_const(b->nest->origin[i], 0)) continue;
        const Index *e = index_substitute(low->pool, b->nest->origin[i], b->group->domain->dims.n, outer, 0, NULL);
        b->origin[b->nest->vars[i]->value] = index_simplify(b->scope->func->domain, e);
    }
}

static void clip_axes(NestBuild *b) {
    IndexPool *pool = b->build->low->pool;
    for (int a = 0; a < b->schedule.n_outputs; a++) {
        const Axis *axis = &b->schedule.axes[a];
        if (!axis->tiled || axis->n_parts > 1) continue;
        const Index *origin = b->origin[axis->parts[0]->value];
        int64_t size = 0, extent = axis->size;
        for (int i = 0; i < b->nest->n_vars; i++)
            if (b->nest->vars[i] == axis->parts[0]) size = b->nest->sizes[i];
        Interval range = index_range(b->scope->func->domain, origin);
        if (range.low >= 0 && range.high + extent <= size) continue;
        const Index *low = index_max(pool, index_const(pool, 0), index_times(pool, origin, -1));
        const Index *high =
            index_min(pool, index_plus(pool, index_times(pool, origin, -1), size), index_const(pool, extent));
        b->axes[a].low = index_simplify(b->scope->func->domain, low);
        b->axes[a].high = index_simplify(b->scope->func->domain, high);
    }
}

/* --- the function ------------------------------------------------------------------------------------------------- */

static int by_position(const Instr *a, const Instr *b) {
    return a->position - b->position;
}

static void add_banner(KFunc *func, Arena *arena, const Instr *instr) {
    vec_push(arena, &func->banner, instr);
    for (int i = func->banner.n - 1; i > 0 && by_position(func->banner.at[i - 1], func->banner.at[i]) > 0; i--) {
        const Instr *t = func->banner.at[i];
        func->banner.at[i] = func->banner.at[i - 1];
        func->banner.at[i - 1] = t;
    }
}

static void fill_banner(NestBuild *b) {
    for (int m = 0; m < b->group->members.n; m++) {
        const TileMember *member = b->group->members.at[m];
        bool here = member->nest == b->nest && (member->mode != TILE_READ);
        for (int u = 0; u < member->uses.n && member->mode == TILE_INLINE; u++)
            here |= member->uses.at[u].nest == b->nest;
        if (here) add_banner(b->scope->func, b->build->low->arena, member->instr);
    }
}

void plan_nest(GroupBuild *build, TileNest *nest) {
    Lowering *low = build->low;
    NestFacts facts = {.nest = nest};
    collect_facts(build, nest, &facts);
    Schedule *schedule = &build->schedules[nest->number];
    *schedule = schedule_nest(low->options.target, low->pool, &facts);
    if (plan_packs(build, nest, &facts, schedule)) *schedule = schedule_nest(low->options.target, low->pool, &facts);
}

static NestBuild begin(GroupBuild *build, TileNest *nest, Scope *scope, Schedule schedule) {
    Lowering *low = build->low;
    NestBuild b = {.build = build, .nest = nest, .group = build->group, .scope = scope, .schedule = schedule};
    int n_dims = b.group->domain->dims.n;
    b.axes = NEW_ARRAY(low->arena, AxisState, schedule.n_axes + 1);
    b.bound = NEW_ARRAY(low->arena, const Index *, n_dims + 1);
    b.origin = NEW_ARRAY(low->arena, const Index *, n_dims + 1);
    b.puller = (Puller){.low = low,
                        .func = scope->func,
                        .emitter = scope->emitter,
                        .pool = low->pool,
                        .access = low->access,
                        .lanes = 1};
    const Index *zero = index_const(low->pool, 0); /* dims of one element have no loop */
    for (int i = 0; i < nest->n_vars; i++) b.bound[nest->vars[i]->value] = zero;
    for (int i = 0; nest->unit && i < nest->unit->n_symbols; i++) b.bound[nest->unit->symbols[i]->value] = zero;
    scope->func->title = schedule.name;
    return b;
}

static void run(NestBuild *b) {
    b->puller.source = (PullSource){find_in_nest, b};
    if (b->schedule.lanes > 1) {
        b->puller.lanes = b->schedule.lanes;
        b->puller.lane = lane_variable(b, 0);
    }
    if (b->scope != b->build->scope) fill_banner(b);
    outputs(b, 0);
}

void lower_nest(GroupBuild *build, TileNest *nest) {
    const Instr *target = nest->targets.at[0]->instr;
    Scope *scope = scope_new(build->low, build->scope,
                             arena_printf(build->low->arena, "%s_%s", build->low->options.prefix,
                                          identifier_of(build->low->arena, target->name, false)));
    NestBuild b = begin(build, nest, scope, build->schedules[nest->number]);
    set_tile(&b);
    clip_axes(&b);
    run(&b);
    scope_call(scope, target);
}

void nest_run_pack(Pack *pack, GroupBuild *build, Scope *scope, Schedule schedule, NestLeaf *at_point) {
    NestBuild b = begin(build, pack->source ? pack->source : pack->nest, scope, schedule);
    b.pack = pack;
    b.leaf = at_point;
    for (int i = 0; i < pack->n; i++) b.bound[pack->axes[i]->value] = index_const(build->low->pool, 0);
    set_tile(&b);
    run(&b);
}
