#include "passes/lower/combiner.h"
#include "passes/lower/nest.h"

/* What decides the schedule of a nest: its accesses to memory, guards, and how much it computes. */

typedef struct {
    GroupBuild *build;
    TileNest *nest;
    NestFacts *facts;
    TileMember *contraction; /* NULL: the nest has none */
} Collector;

static const Index *layout_subscript(GroupBuild *build, const Shape *shape, const Index *const *index) {
    IndexPool *pool = build->low->pool;
    const Index *sum = index_const(pool, 0);
    int64_t stride = 1;
    for (int i = 0; i < shape->rank; i++) {
        bool written = shape->layout && shape->layout->n_minor_to_major;
        int d = written ? (int)shape->layout->minor_to_major[i] : shape->rank - 1 - i;
        sum = index_add(pool, sum, index_times(pool, index[d], stride));
        stride *= shape->dims[d];
    }
    return index_simplify(build->group->domain, sum);
}

/* Element of a tile of nest, in its variables (origins count as constants here). */
static const Index *tile_subscript(GroupBuild *build, const TileNest *nest, const Index *const *index) {
    IndexPool *pool = build->low->pool;
    int64_t *strides = NEW_ARRAY(build->low->arena, int64_t, nest->n_vars + 1), elements;
    tile_strides(nest, strides, &elements);
    const Index *sum = index_const(pool, 0);
    for (int i = 0; i < nest->n_vars; i++) {
        const TileVariable *v = &build->group->variables.at[nest->vars[i]->value];
        const Index *e = index_over(pool, index[v->dim], v->stride);
        if (i > 0 && build->group->variables.at[nest->vars[i - 1]->value].dim == v->dim)
            e = index_modulo(pool, e, nest->sizes[i]);
        sum = index_add(pool, sum, index_times(pool, e, strides[i]));
    }
    return index_simplify(build->group->domain, sum);
}

static void widen(Collector *c, DType dtype) {
    int bytes = dtype_bytes(register_type(dtype));
    if (bytes > c->facts->widest) c->facts->widest = bytes;
}

static void add_access(Collector *c, NestAccess access, DType dtype) {
    access.bytes = dtype_bytes(dtype);
    vec_push(c->build->low->arena, &c->facts->accesses, access);
    widen(c, dtype);
}

/* The subscript at which member is read at index, or NULL when it is not in memory. */
static const Index *member_subscript(GroupBuild *build, TileMember *member, const Index *const *index) {
    if (member->mode != TILE_READ && member->nest && build->tiles[member->nest->number])
        return tile_subscript(build, member->nest, index);
    LeafSource source = leaf_source(member->instr, 0);
    HostValue *value = frame_value(build->frame, source.instr, source.leaf);
    if (!value || (value->scalars && !value->place.buffer)) return NULL;
    return layout_subscript(build, value->place.shape ? value->place.shape : value->shape, index);
}

/* Uses in this nest; those in a contraction's loops are accesses of its operands, see there. */
static bool counts(const Collector *c, const TileUse *use) {
    return use->nest == c->nest && !(use->unit && c->contraction);
}

/* An iota's value is an index. */
static void member_values(Collector *c, const TileMember *member) {
    for (int u = 0; u < member->uses.n; u++) {
        const TileUse *use = &member->uses.at[u];
        if (!counts(c, use)) continue;
        NestAccess access = {.subscript = use->index[instr_int(member->instr, ATTR_IOTA_DIMENSION, 0)],
                             .is_value = true, .under_unit = use->unit != NULL, .operand = -1};
        vec_push(c->build->low->arena, &c->facts->accesses, access);
    }
}

static void member_accesses(Collector *c, TileMember *member) {
    if (member->instr->op == OP_IOTA) member_values(c, member);
    bool computed = member->mode == TILE_INLINE || member->mode == TILE_HERO || member->nest == c->nest;
    if (computed && member->mode != TILE_READ) return;
    for (int u = 0; u < member->uses.n; u++) {
        const TileUse *use = &member->uses.at[u];
        if (!counts(c, use)) continue;
        const Index *subscript = member_subscript(c->build, member, use->index);
        NestAccess access = {.subscript = subscript, .under_unit = use->unit != NULL, .operand = -1};
        if (subscript) add_access(c, access, element_shape(member->instr)->dtype);
    }
}

/* --- operands of a contraction ------------------------------------------------------------------------------------ */

/* Index of an operand's element, in the group's variables. */
static const Index **compose(GroupBuild *build, const OperandAccess *operand, const Access *access,
                             const Index *const *dims, const Index *const *ranges) {
    const Index **index = NEW_ARRAY(build->low->arena, const Index *, operand->n_index + 1);
    for (int i = 0; i < operand->n_index; i++) {
        const Index *own = index_simplify(access->domain, operand->index[i]);
        const Index *e = index_substitute(build->low->pool, own, access->n_dims, dims, access->n_ranges, ranges);
        index[i] = index_simplify(build->group->domain, e);
    }
    return index;
}

const Index **contraction_index(GroupBuild *build, const TileNest *nest, const TileMember *contraction,
                                const OperandAccess *operand) {
    const Access *access = access_of(build->low->access, reduction_of(contraction->instr));
    const Index *const *at = contraction->mode == TILE_HERO ? contraction->uses.at[0].index : nest->index;
    return compose(build, operand, access, at, nest->unit->ranges);
}

static bool only_moves(const Access *access, const Instr *instr) {
    return access && op_element(instr->op) == ELEMENT_move && access->n_operands == 1 && !access->n_rts &&
           !access->n_ranges && !access->operands[0].n_guards;
}

const Index *operand_subscript(GroupBuild *build, Instr *operand, const Index *const *index) {
    for (;;) {
        TileMember *member = key_table_get(&build->group->by_instr, POINTER_KEY(operand));
        if (!member) return NULL;
        const Index *subscript = member_subscript(build, member, index);
        if (subscript) return subscript;
        const Access *access = access_of(build->low->access, operand);
        if (member->mode != TILE_INLINE || !only_moves(access, operand)) return NULL;
        index = compose(build, &access->operands[0], access, index, NULL);
        operand = operand->operands[0];
    }
}

static void operand_access(Collector *c, int k) {
    Instr *dot = reduction_of(c->contraction->instr), *operand = dot->operands[k];
    const Access *access_of_dot = access_of(c->build->low->access, dot);
    const Index **index = contraction_index(c->build, c->nest, c->contraction, &access_of_dot->operands[k]);
    NestAccess access = {.subscript = operand_subscript(c->build, operand, index), .under_unit = true, .operand = k};
    access.computed = !access.subscript;
    Shape plain = *element_shape(operand);
    plain.layout = NULL;
    if (access.computed) access.subscript = layout_subscript(c->build, &plain, index);
    add_access(c, access, element_shape(operand)->dtype);
}

/* --- guards ------------------------------------------------------------------------------------------------------- */

static void guards_at(Collector *c, Instr *instr, const Index *const *index, const Index *const *ranges) {
    Lowering *low = c->build->low;
    const Access *access = access_of(low->access, instr);
    if (!access || access->n_rts) return;
    bool of_operand = c->contraction && instr == reduction_of(c->contraction->instr);
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
                vec_push(low->arena, &c->facts->guards, (NestGuard){expr, guard->in, of_operand});
        }
}

static void member_guards(Collector *c, TileMember *member) {
    bool target = member->nest == c->nest && member->mode != TILE_READ && member->mode != TILE_INLINE;
    const TileUnit *unit = target ? c->nest->unit : NULL;
    if (target && member->mode != TILE_HERO)
        guards_at(c, member->instr, c->nest->index, unit ? unit->ranges : NULL);
    for (int u = 0; u < member->uses.n; u++)
        if (counts(c, &member->uses.at[u]) && (member->mode == TILE_INLINE || member->mode == TILE_HERO))
            guards_at(c, member->instr, member->uses.at[u].index, unit ? unit->ranges : NULL);
}

static void member_work(Collector *c, const TileMember *member) {
    bool here = member->nest == c->nest && member->mode != TILE_READ;
    for (int u = 0; u < member->uses.n && member->mode == TILE_INLINE; u++) here |= member->uses.at[u].nest == c->nest;
    if (!here || member->instr->op == OP_GET_TUPLE_ELEMENT) return;
    ScalarOp op = op_scalar(member->instr->op);
    c->facts->work += op != SCALAR_NONE ? scalar_weight(op) : 1;
    widen(c, element_shape(member->instr)->dtype);
}

/* The contraction of nest, if its unit is one. */
TileMember *contraction_of(const TileNest *nest) {
    if (!nest->unit || nest->unit->reductions.n > 1) return NULL;
    TileMember *member = nest->unit->reductions.at[0];
    return op_element(reduction_of(member->instr)->op) == ELEMENT_contract ? member : NULL;
}

void collect_facts(GroupBuild *build, TileNest *nest, NestFacts *facts) {
    Collector c = {build, nest, facts, contraction_of(nest)};
    facts->contraction = c.contraction;
    facts->splits = facts->has_neutral = true;
    for (int r = 0; nest->unit && r < nest->unit->reductions.n; r++) {
        const Instr *reduction = reduction_of(nest->unit->reductions.at[r]->instr);
        Neutral neutral;
        facts->splits &= combiner_splits(reduction);
        facts->has_neutral &= !c.contraction && combiner_neutral(reduction, &neutral);
    }
    for (int k = 0; k < 2 && c.contraction; k++) operand_access(&c, k);
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
                                     ? tile_subscript(build, nest, nest->index)
                                     : layout_subscript(build, target_place(build, nest, target, 0).shape, nest->index);
        add_access(&c, (NestAccess){.subscript = subscript, .is_store = true, .operand = -1}, dtype);
    }
    if (!facts->widest) facts->widest = 1;
}
