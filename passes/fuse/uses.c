#include "passes/fuse/planner.h"

/* Where members are read: the access relations, composed from a nest downwards. */

double use_points(const TileUse *use) {
    return use->nest->points * (use->unit ? use->unit->points : 1) * (1 - use->missed);
}

TileMember *group_member(Planner *planner, TileGroup *group, Instr *instr) {
    TileMember *member = key_table_get(&group->by_instr, POINTER_KEY(instr));
    if (member) return member;
    member = NEW(planner->arena, TileMember);
    *member = (TileMember){.instr = instr, .group = group, .cost = plan_of(planner, instr)->cost};
    key_table_put(planner->arena, &group->by_instr, POINTER_KEY(instr), member);
    vec_push(planner->arena, &group->members, member);
    vec_push(planner->arena, &plan_of(planner, instr)->memberships, member);
    return member;
}

static bool same_index(int n, const Index *const *a, const Index *const *b) {
    for (int i = 0; i < n; i++)
        if (a[i] != b[i]) return false;
    return true;
}

void add_use(Planner *planner, TileGroup *group, Instr *instr, TileUse use) {
    TileMember *member = group_member(planner, group, instr);
    int rank = element_shape(instr)->rank;
    for (int i = 0; i < member->uses.n; i++) {
        TileUse *known = &member->uses.at[i];
        if (known->nest != use.nest || known->unit != use.unit || !same_index(rank, known->index, use.index)) continue;
        if (use.missed < known->missed) known->missed = use.missed;
        return;
    }
    vec_push(planner->arena, &member->uses, use);
}

typedef struct {
    Planner *planner;
    TileGroup *group;
    const Access *access;
    const Index **dims, **syms; /* what output dims and symbols are here */
} Composition;

static const Index **compose(const Composition *c, int n, const Index *const *index) {
    const Index **out = NEW_ARRAY(c->planner->arena, const Index *, n + 1);
    for (int i = 0; i < n; i++) {
        /* First as the op knows it: under a guard, dims have smaller ranges than what they are composed with. */
        const Index *own = index_simplify(c->access->domain, index[i]);
        const Index *e = index_substitute(c->planner->pool, own, c->access->n_dims, c->dims,
                                          c->access->n_ranges + c->access->n_rts, c->syms);
        out[i] = index_simplify(c->group->domain, e);
    }
    return out;
}

/* The symbol of the group's domain for a runtime variable: the same for the same element of the same supplier. */
static const Index *runtime_symbol(Composition *c, const Instr *supplier, const RuntimeVar *rt, const Index **index) {
    uint64_t key = hash_mix(POINTER_KEY(supplier), POINTER_KEY(c->group));
    key = hash_mix(key, (uint64_t)rt->range.high);
    for (int i = 0; i < rt->n_index; i++) key = hash_mix(key, index[i]->serial);
    const Index *known = key_table_get(&c->planner->runtime, key | 1);
    if (known) return known;
    const Index *symbol = index_domain_sym(c->group->domain, rt->range);
    vec_push(c->planner->arena, &c->group->runtimes, (TileRuntime){rt->n_index, index});
    key_table_put(c->planner->arena, &c->planner->runtime, key | 1, (void *)(uintptr_t)symbol);
    return symbol;
}

/* An operand of a contraction that is computed on the way and read often is computed once, into its packed copy. */
static TileNest *pack_nest(Planner *planner, TileMember *member, int k, const TileUse *use) {
    Instr *operand = member->instr->operands[k];
    if (op_element(member->instr->op) != ELEMENT_contract || plan_of(planner, operand)->storage != STORAGE_NONE)
        return NULL;
    if (use_points(use) < PACK_REUSE * (double)instr_elements(operand)) return NULL;
    TileNest *nest = nest_new(planner, member->group, NEST_PACK, operand);
    nest->packs_for = member;
    nest->packs_operand = k;
    nest_add_path(planner, nest, use);
    return nest;
}

static void read_operand(Planner *planner, TileMember *member, int k, TileUse use) {
    Instr *operand = member->instr->operands[k];
    TileNest *pack = pack_nest(planner, member, k, &use);
    if (pack) use = (TileUse){pack, NULL, pack->index, 0};
    add_use(planner, member->group, operand, use);
}

/* The share of points at which some guard fails, as if they failed independently of each other. */
static double share_missed(const Composition *c, const OperandAccess *operand) {
    double read = 1;
    for (int i = 0; i < operand->n_guards; i++) {
        const Guard *guard = &operand->guards[i];
        const Index *expr = *compose(c, 1, &guard->expr);
        Interval range = index_range(c->group->domain, expr), inside = interval_intersect(range, guard->in);
        if (!interval_equal(range, inside)) c->group->guarded_vars |= root_vars_in(c->group->root, expr);
        read *= (double)interval_count(inside) / (double)interval_count(range);
    }
    return 1 - read;
}

void read_operands(Planner *planner, TileMember *member, const TileUse *use) {
    Instr *instr = member->instr;
    const Index *const *index = use->index;
    if (instr->op == OP_GET_TUPLE_ELEMENT) { /* of a variadic reduce, read where its element is */
        add_use(planner, member->group, instr->operands[0], *use);
        return;
    }
    const Access *access = access_of(planner->context->access, instr);
    if (!access) return;
    Composition c = {.planner = planner, .group = member->group, .access = access};
    c.dims = NEW_ARRAY(planner->arena, const Index *, access->n_dims + access->n_ranges + access->n_rts + 1);
    c.syms = c.dims + access->n_dims;
    TileUnit *own = member->mode == TILE_INLINE ? NULL : member->unit;
    for (int i = 0; i < access->n_dims; i++) c.dims[i] = index[i];
    for (int i = 0; i < access->n_ranges; i++) c.syms[i] = own ? own->ranges[i] : index_const(planner->pool, 0);
    for (int i = 0; i < access->n_rts; i++) {
        const RuntimeVar *rt = &access->rts[i];
        const Index **at = compose(&c, rt->n_index, rt->index);
        add_use(planner, member->group, instr->operands[rt->operand], (TileUse){use->nest, use->unit, at, use->missed});
        c.syms[access->n_ranges + i] = runtime_symbol(&c, instr->operands[rt->operand], rt, at);
    }
    for (int k = 0; k < access->n_operands; k++) {
        const OperandAccess *operand = &access->operands[k];
        if (!operand->reads) continue;
        bool inside = own && operand->n_index > 0;
        double missed = 1 - (1 - use->missed) * (1 - share_missed(&c, operand));
        read_operand(
            planner, member, k,
            (TileUse){use->nest, inside ? own : use->unit, compose(&c, operand->n_index, operand->index), missed});
    }
}
