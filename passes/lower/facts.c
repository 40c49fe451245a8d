#include "passes/lower/nest.h"

/* What decides the schedule of a nest: its accesses to memory, guards, and how much it computes. */

typedef struct {
    GroupBuild *build;
    TileNest *nest;
    NestFacts *facts;
} Collector;

static const Index *layout_subscript(Collector *c, const Shape *shape, const Index *const *index) {
    IndexPool *pool = c->build->low->pool;
    const Index *sum = index_const(pool, 0);
    int64_t stride = 1;
    for (int i = 0; i < shape->rank; i++) {
        bool written = shape->layout && shape->layout->n_minor_to_major;
        int d = written ? (int)shape->layout->minor_to_major[i] : shape->rank - 1 - i;
        sum = index_add(pool, sum, index_times(pool, index[d], stride));
        stride *= shape->dims[d];
    }
    return index_simplify(c->build->group->domain, sum);
}

/* Element of a tile of nest, in its variables (origins count as constants here). */
static const Index *tile_subscript(Collector *c, const TileNest *nest, const Index *const *index) {
    IndexPool *pool = c->build->low->pool;
    int64_t *strides = NEW_ARRAY(c->build->low->arena, int64_t, nest->n_vars + 1), elements;
    tile_strides(nest, strides, &elements);
    const Index *sum = index_const(pool, 0);
    for (int i = 0; i < nest->n_vars; i++) {
        const TileVariable *v = &c->build->group->variables.at[nest->vars[i]->value];
        const Index *e = index_over(pool, index[v->dim], v->stride);
        if (i > 0 && c->build->group->variables.at[nest->vars[i - 1]->value].dim == v->dim)
            e = index_modulo(pool, e, nest->sizes[i]);
        sum = index_add(pool, sum, index_times(pool, e, strides[i]));
    }
    return index_simplify(c->build->group->domain, sum);
}

static void add_access(Collector *c, const Index *subscript, DType dtype, bool is_store, bool under_unit) {
    NestAccess access = {subscript, dtype_bytes(dtype), is_store, false, under_unit};
    vec_push(c->build->low->arena, &c->facts->accesses, access);
    int bytes = dtype_bytes(register_type(dtype));
    if (bytes > c->facts->widest) c->facts->widest = bytes;
}

/* The subscript at which member is read at index, or NULL when it is not in memory. */
static const Index *member_subscript(Collector *c, TileMember *member, const Index *const *index) {
    Frame *frame = c->build->frame;
    if (member->mode != TILE_READ && member->nest && c->build->tiles[member->nest->number])
        return tile_subscript(c, member->nest, index);
    LeafSource source = leaf_source(member->instr, 0);
    HostValue *value = frame_value(frame, source.instr, source.leaf);
    if (!value || (value->scalars && !value->place.buffer)) return NULL;
    return layout_subscript(c, value->place.shape ? value->place.shape : value->shape, index);
}

/* An iota's value is an index. */
static void member_values(Collector *c, const TileMember *member) {
    for (int u = 0; u < member->uses.n; u++) {
        const TileUse *use = &member->uses.at[u];
        if (use->nest != c->nest) continue;
        NestAccess access = {use->index[instr_int(member->instr, ATTR_IOTA_DIMENSION, 0)], 0, false, true, use->unit != NULL};
        vec_push(c->build->low->arena, &c->facts->accesses, access);
    }
}

static void member_accesses(Collector *c, TileMember *member) {
    if (member->instr->op == OP_IOTA) member_values(c, member);
    bool computed = member->mode == TILE_INLINE || member->mode == TILE_HERO || member->nest == c->nest;
    if (computed && member->mode != TILE_READ) return;
    for (int u = 0; u < member->uses.n; u++) {
        const TileUse *use = &member->uses.at[u];
        if (use->nest != c->nest) continue;
        const Index *subscript = member_subscript(c, member, use->index);
        if (subscript) add_access(c, subscript, element_shape(member->instr)->dtype, false, use->unit != NULL);
    }
}

/* --- guards --------------------------------------------------------------------------------------------------------------- */

static void guards_at(Collector *c, Instr *instr, const Index *const *index, const Index *const *ranges) {
    Lowering *low = c->build->low;
    const Access *access = access_of(low->access, instr);
    if (!access || access->n_rts) return;
    const Index **dims = NEW_ARRAY(low->arena, const Index *, access->n_dims + access->n_ranges + 1);
    const Index **syms = dims + access->n_dims;
    for (int i = 0; i < access->n_dims; i++) dims[i] = index[i];
    for (int i = 0; i < access->n_ranges; i++) syms[i] = ranges ? ranges[i] : index_const(low->pool, 0);
    for (int k = 0; k < access->n_operands; k++)
        for (int g = 0; g < access->operands[k].n_guards; g++) {
            const Guard *guard = &access->operands[k].guards[g];
            const Index *expr = index_substitute(low->pool, guard->expr, access->n_dims, dims, access->n_ranges, syms);
            expr = index_simplify(c->build->group->domain, expr);
            if (!interval_includes(guard->in, index_range(c->build->group->domain, expr)))
                vec_push(low->arena, &c->facts->guards, (NestGuard){expr, guard->in});
        }
}

static void member_guards(Collector *c, TileMember *member) {
    bool target = member->nest == c->nest && member->mode != TILE_READ && member->mode != TILE_INLINE;
    const TileUnit *unit = target ? c->nest->unit : NULL;
    if (target && member->mode != TILE_HERO)
        guards_at(c, member->instr, c->nest->index, unit ? unit->ranges : NULL);
    for (int u = 0; u < member->uses.n; u++)
        if (member->uses.at[u].nest == c->nest && (member->mode == TILE_INLINE || member->mode == TILE_HERO))
            guards_at(c, member->instr, member->uses.at[u].index, unit ? unit->ranges : NULL);
}

static void member_work(Collector *c, const TileMember *member) {
    bool here = member->nest == c->nest && member->mode != TILE_READ;
    for (int u = 0; u < member->uses.n && member->mode == TILE_INLINE; u++) here |= member->uses.at[u].nest == c->nest;
    if (!here || member->instr->op == OP_GET_TUPLE_ELEMENT) return;
    ScalarOp op = op_scalar(member->instr->op);
    c->facts->work += op != SCALAR_NONE ? scalar_weight(op) : 1;
    int bytes = dtype_bytes(register_type(element_shape(member->instr)->dtype));
    if (bytes > c->facts->widest) c->facts->widest = bytes;
}

void collect_facts(GroupBuild *build, TileNest *nest, NestFacts *facts) {
    Collector c = {build, nest, facts};
    facts->lanes_possible = true;
    for (int m = 0; m < build->group->members.n; m++) {
        TileMember *member = build->group->members.at[m];
        member_accesses(&c, member);
        member_guards(&c, member);
        member_work(&c, member);
    }
    for (int k = 0; k < nest->targets.n; k++) {
        const TileMember *target = nest->targets.at[k];
        DType dtype = element_shape(target->instr)->dtype;
        const Index *subscript = build->tiles[nest->number]
                                     ? tile_subscript(&c, nest, nest->index)
                                     : layout_subscript(&c, target_place(build, nest, target, 0).shape, nest->index);
        add_access(&c, subscript, dtype, true, false);
    }
    if (!facts->widest) facts->widest = 1;
}
