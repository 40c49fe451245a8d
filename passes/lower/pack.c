#include "passes/lower/pack.h"

#include "passes/lower/nest_build.h"

enum { PANEL_BYTES = 128, FAR_ROWS = 2048, MANY_TILES = 4 };

/* --- what a copy holds -------------------------------------------------------------------------------------------- */

/* A dilated dim is read at a quotient, behind a guard that nothing remains: that remainder, or NULL. */
static const Index *remainder_of(const Access *access, const OperandAccess *operand, int i) {
    for (int g = 0; g < operand->n_guards; g++) {
        const Index *rest = operand->guards[g].expr;
        if (rest->kind != INDEX_MOD || rest->rhs->kind != INDEX_CONST) continue;
        for (int v = 0; v < access->domain->dims.n; v++) {
            const Index *var = index_dim(access->domain->pool, v);
            if (index_uses(rest, var) && index_uses(operand->index[i], var)) return rest;
        }
    }
    return NULL;
}

static void set_coordinates(GroupBuild *build, Pack *pack) {
    Arena *arena = build->low->arena;
    Instr *dot = reduction_of(pack->contraction->instr);
    const Access *access = access_of(build->low->access, dot);
    const OperandAccess *operand = &access->operands[pack->operand];
    OperandAccess dense = *operand;
    pack->n = operand->n_index;
    pack->dilation = NEW_ARRAY(arena, int64_t, 3 * pack->n + 3);
    pack->extent = pack->dilation + pack->n;
    pack->stride = pack->extent + pack->n;
    pack->origin = NEW_ARRAY(arena, const Index *, 3 * pack->n + 3);
    pack->axes = pack->origin + pack->n;
    pack->order = NEW_ARRAY(arena, int, pack->n + 1);
    const Index **coord = pack->axes + pack->n;
    for (int i = 0; i < pack->n; i++) {
        const Index *rest = remainder_of(access, operand, i);
        pack->dilation[i] = rest ? rest->rhs->value : 1;
        coord[i] = operand->index[i];
        if (rest)
            coord[i] = index_add(build->low->pool, index_times(build->low->pool, coord[i], rest->rhs->value), rest);
    }
    dense.index = coord;
    pack->guarded = operand->n_guards > 0;
    pack->coord = contraction_index(build, pack->nest, pack->contraction, &dense);
}

/* The part of dim i that a tile of the contraction touches. */
static void set_extent(GroupBuild *build, Pack *pack, int i) {
    IndexPool *pool = build->low->pool;
    const TileNest *nest = pack->nest;
    const Index *rest = pack->coord[i], *base = index_const(pool, 0), *without;
    int64_t low = 0, high = 0, factor;
    for (int v = 0; v < nest->n_vars; v++) {
        if (!index_uses(rest, nest->vars[v]) || !index_linear_in(pool, rest, nest->vars[v], &factor, &without))
            continue;
        rest = without;
        base = index_add(pool, base, index_times(pool, nest->origin[v], factor));
        if (factor > 0) high += factor * (nest->extent[v] - 1);
        else low += factor * (nest->extent[v] - 1);
    }
    Interval range = index_range(build->group->domain, index_simplify(build->group->domain, rest));
    pack->origin[i] = index_simplify(build->group->domain, index_plus(pool, base, range.low + low));
    pack->extent[i] = range.high + high - (range.low + low) + 1;
    for (int o = 0; o < build->group->outer.n; o++)
        if (index_uses(pack->origin[i], build->group->outer.at[o].origin) && o + 1 > pack->level) pack->level = o + 1;
}

/* --- its order ---------------------------------------------------------------------------------------------------- */

static bool uses_axis(const Index *e, const Axis *axis) {
    for (int i = 0; i < axis->n_parts; i++)
        if (index_uses(e, axis->parts[i])) return true;
    return false;
}

static bool uses_reduced(const Pack *pack, const Index *e) {
    for (int s = 0; s < pack->nest->unit->n_symbols; s++)
        if (index_uses(e, pack->nest->unit->symbols[s])) return true;
    return false;
}

/* Dims that are not reduced first, reduced ones behind them, the lanes last of all. */
static void set_order(Pack *pack) {
    int n = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < pack->n; i++)
            if (i != pack->lane_dim && uses_reduced(pack, pack->coord[i]) == (pass == 1)) pack->order[n++] = i;
    if (pack->lane_dim >= 0) pack->order[n++] = pack->lane_dim;
}

static void set_strides(Pack *pack, int64_t panel) {
    enum { VECTOR = 16 };
    bool sliding = pack->lane_dim >= 0 && uses_reduced(pack, pack->coord[pack->lane_dim]);
    pack->panel = pack->lane_dim >= 0 && !sliding ? panel : 0;
    int64_t stride = 1;
    for (int k = pack->n - 1; k >= 0; k--) {
        int i = pack->order[k];
        if (pack->panel && i == pack->lane_dim) {
            pack->stride[i] = 1;
            stride = pack->panel;
            continue;
        }
        if (pack->panel && !uses_reduced(pack, pack->coord[i]) &&
            !pack->panel_stride) { /* panels lie outside of the reduced dims */
            pack->panel_stride = stride;
            stride *= ceil_div(pack->extent[pack->lane_dim], pack->panel);
        }
        pack->stride[i] = stride;
        stride *= i == pack->lane_dim ? ceil_div(pack->extent[i], VECTOR) * VECTOR : pack->extent[i];
    }
    if (pack->panel && !pack->panel_stride) {
        pack->panel_stride = stride;
        stride *= ceil_div(pack->extent[pack->lane_dim], pack->panel);
    }
    pack->elements = stride;
}

const Index *pack_subscript(const GroupBuild *build, const Pack *pack, IndexDomain *domain, const Index *const *at) {
    IndexPool *pool = build->low->pool;
    const Index *sum = index_const(pool, 0);
    for (int i = 0; i < pack->n; i++) {
        if (pack->panel && i == pack->lane_dim) {
            sum = index_add(pool, sum, index_times(pool, index_over(pool, at[i], pack->panel), pack->panel_stride));
            sum = index_add(pool, sum, index_modulo(pool, at[i], pack->panel));
        } else {
            sum = index_add(pool, sum, index_times(pool, at[i], pack->stride[i]));
        }
    }
    return index_simplify(domain, sum);
}

/* --- whether ------------------------------------------------------------------------------------------------------ */

static TileNest *computed_source(const GroupBuild *build, const TileMember *contraction, int k) {
    for (int n = 0; n < build->group->nests.n; n++) {
        TileNest *nest = build->group->nests.at[n];
        if (nest->kind == NEST_PACK && nest->packs_for == contraction && nest->packs_operand == k) return nest;
    }
    return NULL;
}

static const NestAccess *operand_access(const NestFacts *facts, int k) {
    for (int i = 0; i < facts->accesses.n; i++)
        if (facts->accesses.at[i].operand == k) return &facts->accesses.at[i];
    return NULL;
}

/* Register tiles that read the same vector of an operand. */
static double reuse(const Pack *pack, const Schedule *s) {
    double tiles = 1;
    for (int a = 0; a < s->n_outputs; a++) {
        bool moves = false;
        for (int i = 0; i < pack->n; i++) moves |= uses_axis(pack->coord[i], &s->axes[a]);
        if (!moves) tiles *= (double)ceil_div(s->axes[a].size, s->axes[a].unroll);
    }
    return tiles;
}

static bool rows_are_far(const GroupBuild *build, const NestAccess *access, const Schedule *s) {
    for (int a = s->n_outputs; a < s->n_axes; a++) {
        int64_t stride;
        if (!access_stride(build->low->pool, build->group, access->subscript, &s->axes[a], &stride)) return true;
        if (stride * access->bytes >= FAR_ROWS) return true;
    }
    return false;
}

static bool is_worth_it(const GroupBuild *build, const Pack *pack, const NestFacts *facts, const Schedule *s) {
    const NestAccess *access = operand_access(facts, pack->operand);
    int64_t stride;
    if (pack->guarded || pack->source) return true;
    if (access->computed) return reuse(pack, s) >= MANY_TILES;
    if (pack->lane_dim < 0) return false;
    if (!access_stride(build->low->pool, build->group, access->subscript, &s->axes[s->lane], &stride) || stride != 1)
        return true;
    return rows_are_far(build, access, s) && reuse(pack, s) >= MANY_TILES;
}

static Pack *plan_operand(GroupBuild *build, TileNest *nest, TileMember *contraction, int k, const NestFacts *facts,
                          const Schedule *s) {
    Pack *pack = NEW(build->low->arena, Pack);
    Instr *dot = reduction_of(contraction->instr);
    DType dtype = dot->shape->dtype;
    *pack = (Pack){.nest = nest, .contraction = contraction, .operand = k, .lane_dim = -1,
                   .dtype = dtype_is_complex(dtype) ? dtype : register_type(dtype)};
    set_coordinates(build, pack);
    for (int i = 0; i < pack->n; i++) set_extent(build, pack, i);
    for (int i = 0; i < pack->n; i++)
        if (uses_axis(pack->coord[i], &s->axes[s->lane])) {
            if (pack->lane_dim >= 0 || s->axes[s->lane].n_parts > 1)
                return NULL; /* lanes along several dims: no order serves them */
            pack->lane_dim = i;
        }
    pack->source = computed_source(build, contraction, k);
    if (!is_worth_it(build, pack, facts, s)) return NULL;
    set_order(pack);
    set_strides(pack, PANEL_BYTES / dtype_bytes(pack->dtype));
    return pack;
}

Pack *pack_of(const GroupBuild *build, const TileNest *nest, int operand) {
    for (int i = 0; i < build->packs.n; i++)
        if (build->packs.at[i]->nest == nest && build->packs.at[i]->operand == operand) return build->packs.at[i];
    return NULL;
}

static void drop_guards(NestFacts *facts) {
    int n = 0;
    for (int i = 0; i < facts->guards.n; i++)
        if (!facts->guards.at[i].of_operand) facts->guards.at[n++] = facts->guards.at[i];
    facts->guards.n = n;
}

/* From now on the access is one to the copy. */
static void read_copy(const GroupBuild *build, const Pack *pack, NestAccess *access) {
    const Index **at = NEW_ARRAY(build->low->arena, const Index *, pack->n + 1);
    for (int i = 0; i < pack->n; i++) at[i] = index_sub(build->low->pool, pack->coord[i], pack->origin[i]);
    access->subscript = pack_subscript(build, pack, build->group->domain, at);
    access->bytes = dtype_bytes(pack->dtype);
    access->packed = true;
}

bool plan_packs(GroupBuild *build, TileNest *nest, NestFacts *facts, const Schedule *schedule) {
    bool any = false;
    for (int k = 0; k < 2 && facts->contraction && schedule->rows >= 0; k++) {
        Pack *pack = plan_operand(build, nest, facts->contraction, k, facts, schedule);
        if (!pack) continue;
        vec_push(build->low->arena, &build->packs, pack);
        for (int i = 0; i < facts->accesses.n; i++)
            if (facts->accesses.at[i].operand == k) read_copy(build, pack, &facts->accesses.at[i]);
        if (k == 0) drop_guards(facts); /* padding is in the copy */
        any = true;
    }
    return any;
}

/* --- the copy ----------------------------------------------------------------------------------------------------- */

/* One element of the copy at the point that is bound. */
static void store_packed(NestBuild *b) {
    Pack *pack = b->pack;
    Lowering *low = b->build->low;
    KFunc *f = b->scope->func;
    Instr *operand = reduction_of(pack->contraction->instr)->operands[pack->operand];
    const Shape *shape = element_shape(operand);
    const Index **at = NEW_ARRAY(low->arena, const Index *, 2 * pack->n + 2), **index = at + pack->n + 1;
    KValue *inside = NULL;
    bool never = false;
    for (int i = 0; i < pack->n; i++) {
        const Index *relative = b->bound[pack->axes[i]->value], *origin = nest_at_bound(b, pack->origin[i]);
        const Index *coord = index_simplify(f->domain, index_add(low->pool, origin, relative));
        Interval in = {0, (shape->dims[i] - 1) * pack->dilation[i]}, range = index_range(f->domain, coord);
        at[i] = relative;
        never |= !interval_feasible(interval_intersect(in, range));
        KValue *test = interval_includes(in, range) || never ? NULL : pull_inside(&b->puller, coord, in);
        if (test) inside = inside ? kvalue_scalar(f, SCALAR_AND, 2, (KValue *[]){inside, test}, NULL) : test;
        if (pack->dilation[i] > 1 && !never) {
            test = pull_inside(&b->puller, index_simplify(f->domain, index_modulo(low->pool, coord, pack->dilation[i])),
                               (Interval){0, 0});
            inside = inside ? kvalue_scalar(f, SCALAR_AND, 2, (KValue *[]){inside, test}, NULL) : test;
        }
        index[i] = index_over(low->pool, coord, pack->dilation[i]);
        if (range.low < 0) index[i] = index_max(low->pool, index[i], index_const(low->pool, 0));
        if (range.high > in.high) index[i] = index_min(low->pool, index[i], index_const(low->pool, shape->dims[i] - 1));
        index[i] = index_simplify(f->domain, index[i]);
    }
    Elem zero = elem_constant(&b->puller, pack->dtype, 0, 0), elem = zero;
    if (!never) {
        elem = pull(&b->puller, operand, 0, index);
        for (int part = 0; part < 2 && elem.part[part]; part++)
            elem.part[part] = kvalue_convert(f, register_type(pack->dtype), elem.part[part], operand);
        if (inside) elem = elem_select(&b->puller, inside, elem, zero, operand);
    }
    push_store(&b->puller, scope_buffer(b->scope, pack->buffer), pack->dtype,
               pack_subscript(b->build, pack, f->domain, at), elem, operand);
}

static void pack_leaf(NestBuild *b) {
    nest_each_copy(b, store_packed);
}

/* An axis along which the operand's elements are neighbours while they are not along the lanes: it is turned. */
static int pack_turn(GroupBuild *build, const Pack *pack, const Schedule *s) {
    Instr *operand = reduction_of(pack->contraction->instr)->operands[pack->operand];
    const Index *at = operand_subscript(build, operand, pack->axes);
    int64_t stride;
    if (!at || pack->guarded || s->lane < 0 || s->axes[s->lane].size < s->lanes || s->lanes > 16) return -1;
    if (!index_linear_in(build->low->pool, at, s->axes[s->lane].parts[0], &stride, NULL) || stride == 0 || stride == 1)
        return -1;
    for (int a = 0; a < s->n_axes; a++)
        if (a != s->lane && s->axes[a].size >= s->lanes &&
            index_linear_in(build->low->pool, at, s->axes[a].parts[0], &stride, NULL) && stride == 1)
            return a;
    return -1;
}

static void turn_pack(GroupBuild *build, const Pack *pack, Schedule *s) {
    s->turn = pack_turn(build, pack, s);
    if (s->turn < 0) return;
    s->axes[s->turn].unroll = s->lanes;
    s->name = "pack, turned";
}

/* Loops in the order of the copy: panels around the reduced dims. */
static Schedule pack_schedule(GroupBuild *build, Pack *pack) {
    const Target *target = build->low->options.target;
    Schedule s = {.form = FORM_MAP, .lane = -1, .lanes = 1, .turn = -1, .rows = -1, .name = "pack"};
    s.axes = NEW_ARRAY(build->low->arena, Axis, pack->n + 1);
    int lanes = target_lanes(target, dtype_bytes(register_type(pack->dtype)));
    int fast = pack->order[pack->n - 1];
    for (int k = 0; k < pack->n; k++) {
        int i = pack->order[k];
        Axis *axis = &s.axes[s.n_axes++];
        *axis = (Axis){.n_parts = 1, .size = pack->extent[i], .unroll = 1};
        axis->parts[0] = pack->axes[i];
        axis->sizes[0] = pack->extent[i];
        Interval origin = index_range(build->group->domain, pack->origin[i]);
        const Shape *shape = element_shape(reduction_of(pack->contraction->instr)->operands[pack->operand]);
        if (interval_is_point(origin)) {
            int64_t cuts[] = {-origin.low, (shape->dims[i] - 1) * pack->dilation[i] + 1 - origin.low};
            for (int c = 0; c < 2; c++)
                if (cuts[c] > 0 && cuts[c] < axis->size) axis->cuts[axis->n_cuts++] = cuts[c];
        }
        if (i == fast && lanes > 1 && pack->extent[i] > 1) {
            s.lane = s.n_axes - 1;
            s.lanes = lanes;
        }
    }
    s.n_outputs = s.n_axes;
    if (s.lane < 0 || !pack->panel) {
        turn_pack(build, pack, &s);
        return s;
    }
    s.axes[s.lane].unroll = pack->panel / lanes;
    Axis panel = s.axes[s.lane]; /* the loop over panels goes around the reduced dims */
    int to = s.lane;
    while (to > 0 && uses_reduced(pack, pack->coord[pack->order[to - 1]])) {
        s.axes[to] = s.axes[to - 1];
        to--;
    }
    s.axes[to] = panel;
    s.lane = to;
    turn_pack(build, pack, &s);
    return s;
}

void lower_pack(GroupBuild *build, Pack *pack) {
    Lowering *low = build->low;
    const Instr *operand = reduction_of(pack->contraction->instr)->operands[pack->operand];
    for (int i = 0; i < pack->n; i++) {
        pack->axes[i] = index_domain_dim(build->group->domain, (Interval){0, pack->extent[i] - 1});
        vec_push(low->arena, &build->group->variables, (TileVariable){NULL, i, false, 1});
    }
    Scope *scope = scope_new(low, build->scope, arena_printf(low->arena, "%s_pack_%s", low->options.prefix,
                                                              identifier_of(low->arena, operand->name, false)));
    nest_run_pack(pack, build, scope, pack_schedule(build, pack), pack_leaf);
    scope->func->title = arena_printf(low->arena, "%s: operand %d of %s", scope->func->title, pack->operand,
                                      pack->contraction->instr->name);
    if (!scope->func->banner.n) vec_push(low->arena, &scope->func->banner, operand);
    scope_call(scope, operand);
}
