#include "passes/fuse/planner.h"

/* One instruction at a time, all of whose readers are decided: inline, hero, stage or store. */

static bool is_update(Planner *planner, const Instr *instr) {
    if (instr->op != OP_DYNAMIC_UPDATE_SLICE) return false;
    const Access *access = access_of(planner->context->access, instr);
    return access && access->n_rts > 0;
}

static void read_by(Planner *planner, Instr *instr, int reader) {
    Plan *plan = plan_of(planner, instr);
    for (int i = plan->readers.n - 1; i >= 0; i--)
        if (plan->readers.at[i] == reader) return;
    vec_push(planner->arena, &plan->readers, reader);
}

void need(Planner *planner, Instr *instr, int reader) {
    plan_of(planner, instr)->stored = true;
    if (reader >= 0) read_by(planner, instr, reader);
}

/* Scalar code of that step pulls elements of instr. */
static void read_by_host(Planner *planner, Instr *instr, int reader) {
    plan_of(planner, instr)->host = true;
    read_by(planner, instr, reader);
}

static bool is_used(const Plan *plan) {
    return plan->stored || plan->host || plan->memberships.n;
}

/* Everything that reads instr comes after node. */
static void before_readers(Planner *planner, Instr *instr, int node) {
    Plan *plan = plan_of(planner, instr);
    plan->node = node;
    for (int i = 0; i < plan->readers.n; i++) node_needs(planner, plan->readers.at[i], node);
    for (int i = 0; i < plan->memberships.n; i++) node_needs(planner, plan->memberships.at[i]->group->node, node);
}

/* --- what has a step of its own ----------------------------------------------------------------------------------- */

/* Whether scalar code may pull elements of instr as well as load them: it only says where they are. */
static bool only_moves(Planner *planner, Instr *instr, int *budget) {
    const Plan *plan = plan_of(planner, instr);
    if (plan->storage != STORAGE_NONE) return true;
    if (!plan->is_move || is_update(planner, instr) || --*budget < 0) return false;
    for (int k = 0; k < instr->n_operands; k++)
        if (!only_moves(planner, leaf_source(instr->operands[k], 0).instr, budget)) return false;
    return true;
}

static bool pulls(Planner *planner, const Instr *whole, int k) {
    enum { MOVES_IN_A_ROW = 8 };
    int budget = MOVES_IN_A_ROW;
    if (!planner->context->optimise || !(op_flags(whole->op) & OP_PULLS)) return false;
    if (whole->op == OP_SCATTER && k < (whole->n_operands - 1) / 2) return false; /* updated in place */
    Instr *operand = leaf_source(whole->operands[k], 0).instr;
    return plan_of(planner, operand)->storage == STORAGE_NONE && only_moves(planner, operand, &budget);
}

static void decide_whole(Planner *planner, Instr *instr) {
    if (!is_used(plan_of(planner, instr)) && !instr_has_effect(instr)) return;
    int node = node_new(planner, (TileStep){STEP_WHOLE, NULL, instr}, instr->position);
    before_readers(planner, instr, node);
    for (int k = 0; k < instr->n_operands; k++) {
        if (pulls(planner, instr, k)) read_by_host(planner, leaf_source(instr->operands[k], 0).instr, node);
        else
            for (int leaf = 0; leaf < shape_leaves(instr->operands[k]->shape); leaf++)
                need(planner, leaf_source(instr->operands[k], leaf).instr, node);
    }
}

static void decide_tiny(Planner *planner, Instr *instr) {
    if (!is_used(plan_of(planner, instr))) return;
    int node = node_new(planner, (TileStep){STEP_TINY, NULL, instr}, instr->position);
    before_readers(planner, instr, node);
    for (int k = 0; k < instr->n_operands; k++) read_by_host(planner, leaf_source(instr->operands[k], 0).instr, node);
}

/* A tuple or an element of one: what stands behind it is read instead. */
static void decide_plumb(Planner *planner, Instr *instr) {
    Plan *plan = plan_of(planner, instr);
    for (int leaf = 0; is_used(plan) && leaf < shape_leaves(instr->shape); leaf++) {
        Instr *source = leaf_source(instr, leaf).instr;
        if (source == instr) continue;
        Plan *behind = plan_of(planner, source);
        behind->stored = true;
        for (int i = 0; i < plan->readers.n; i++) read_by(planner, source, plan->readers.at[i]);
        for (int i = 0; i < plan->memberships.n; i++)
            vec_push(planner->arena, &behind->memberships, plan->memberships.at[i]);
    }
}

/* --- storing ------------------------------------------------------------------------------------------------------ */

static TileGroup *new_group(Planner *planner, Instr *lead) {
    TileGroup *group = NEW(planner->arena, TileGroup);
    group->number = planner->groups.n;
    group->computation = planner->computation;
    group->domain = index_domain_new(planner->pool);
    group->outer_vars = ~(uint64_t)0;
    group->node = node_new(planner, (TileStep){STEP_GROUP, group, lead}, lead->position);
    vec_push(planner->arena, &planner->groups, group);
    bool update = is_update(planner, lead);
    group->root = nest_new(planner, group, NEST_ROOT, update ? lead->operands[1] : lead);
    group->root->updates = update;
    return group;
}

/* member is a target of nest from now on: its reduction, if it is one, runs there. */
static void compute_in(Planner *planner, TileMember *member, TileNest *nest) {
    nest_add_target(planner, nest, member);
    if (instr_is_reduction(member->instr) && member->instr->op != OP_GET_TUPLE_ELEMENT) {
        if (!nest->unit) nest->unit = unit_new(planner, nest, member, nest->index);
        else vec_push(planner->arena, &nest->unit->reductions, member);
        member->unit = nest->unit;
    }
    nest->group->has_contraction |= op_element(member->instr->op) == ELEMENT_contract;
    read_operands(planner, member, &(TileUse){nest, NULL, nest->index, 0});
}

/* The operand that is updated is memory, before and after. */
static void read_update(Planner *planner, TileMember *member, TileNest *nest) {
    Instr *instr = member->instr;
    TileGroup *group = nest->group;
    nest_add_target(planner, nest, member);
    need(planner, leaf_source(instr->operands[0], 0).instr, group->node);
    add_use(planner, group, instr->operands[1], (TileUse){nest, NULL, nest->index, 0});
    for (int k = 2; k < instr->n_operands; k++) {
        const Index **index = NEW_ARRAY(planner->arena, const Index *, 1);
        index[0] = index_const(planner->pool, 0);
        add_use(planner, group, instr->operands[k], (TileUse){nest, NULL, index, 0});
    }
}

static void store_alone(Planner *planner, Instr *instr, const char *why) {
    TileGroup *group = new_group(planner, instr);
    TileMember *member = group_member(planner, group, instr);
    plan_of(planner, instr)->memberships.n--; /* its own group does not read it */
    member->mode = TILE_ROOT;
    member->why = why;
    group->lead = member;
    before_readers(planner, instr, group->node);
    if (group->root->updates) read_update(planner, member, group->root);
    else compute_in(planner, member, group->root);
}

/* Whether group may compute instr for the others that read it too, without waiting for one of them. */
static bool can_come_first(Planner *planner, const TileGroup *group, const Plan *plan) {
    for (int i = 0; i < plan->readers.n; i++)
        if (node_reaches(planner, group->node, plan->readers.at[i])) return false;
    for (int i = 0; i < plan->memberships.n; i++) {
        int node = plan->memberships.at[i]->group->node;
        if (node != group->node && node_reaches(planner, group->node, node)) return false;
    }
    return true;
}

static bool same_dims(const Instr *a, const Instr *b) {
    return shapes_same_dims(element_shape(a), element_shape(b));
}

/* The one place where member is read, outside of reductions: nest and index; false if there are more. */
static bool single_place(const TileMember *member, TileUse *place) {
    for (int i = 0; i < member->uses.n; i++)
        if (member->uses.at[i].unit || i > 0) return false;
    if (!member->uses.n) return false;
    *place = member->uses.at[0];
    return true;
}

static bool is_identity(const TileNest *nest, const TileUse *use, int rank) {
    if (rank != nest->n_dims) return false;
    for (int i = 0; i < rank; i++)
        if (use->index[i] != nest->index[i]) return false;
    return true;
}

/* Whether reduction can run along with unit: equal operand dims and reduced dims. */
static bool fits_unit(const TileUnit *unit, const Instr *reduction) {
    const Instr *other = reduction_of(unit->reductions.at[0]->instr);
    if (op_element(reduction->op) != ELEMENT_reduce || other->op != reduction->op) return false;
    if (!shapes_same_dims(other->operands[0]->shape, reduction->operands[0]->shape)) return false;
    if (reduction->op == OP_REDUCE) {
        IntList a = instr_ints(other, ATTR_DIMENSIONS), b = instr_ints(reduction, ATTR_DIMENSIONS);
        if (a.n != b.n) return false;
        for (int i = 0; i < a.n; i++)
            if (a.at[i] != b.at[i]) return false;
        return true;
    }
    int rank = other->operands[0]->shape->rank;
    Window a = instr_window(other, rank), b = instr_window(reduction, rank);
    for (int i = 0; i < rank; i++) {
        const WindowDim *x = &a.dims[i], *y = &b.dims[i];
        if (x->size != y->size || x->stride != y->stride || x->pad_low != y->pad_low || x->pad_high != y->pad_high ||
            x->base_dilation != y->base_dilation || x->window_dilation != y->window_dilation)
            return false;
    }
    return true;
}

/* A running reduction runs along one variable of its nest, all of it. */
static bool scan_fits(const TileNest *nest, const Index *const *index, const Instr *reduction) {
    WindowScan scan;
    if (!window_scan(reduction, &scan)) return true;
    const Index *along = index[scan.dim];
    for (int i = 0; i < element_shape(reduction)->rank; i++)
        if (i != scan.dim && index_uses(index[i], along)) return false;
    return along->kind == INDEX_DIM && may_forbid_tiles(nest, along);
}

static void note_symbol(const Index *variable, void *found) {
    if (variable->kind == INDEX_SYM) *(bool *)found = true;
}

/* Whether values that are only known while it runs say which element is read: no accumulator stands for that one. */
static bool read_where_told(const TileMember *member, const TileUse *place) {
    bool found = false;
    for (int i = 0; i < element_shape(member->instr)->rank; i++)
        index_walk_variables(place->index[i], note_symbol, &found);
    return found;
}

static bool can_be_hero(const TileMember *member, TileUse *place) {
    Instr *reduction = reduction_of(member->instr);
    if (!single_place(member, place) || read_where_told(member, place) || member->evals > 1 ||
        place->nest->kind == NEST_PACK)
        return false;
    if (!scan_fits(place->nest, place->index, reduction)) return false;
    if (!place->nest->unit) return true;
    const TileMember *first = place->nest->unit->reductions.at[0];
    if (!fits_unit(place->nest->unit, reduction)) return false;
    int rank = element_shape(member->instr)->rank; /* both at the same element */
    const Index *const *at = first->uses.n ? first->uses.at[0].index : place->nest->index;
    for (int i = 0; i < rank; i++)
        if (at[i] != place->index[i]) return false;
    return true;
}

static void make_hero(Planner *planner, TileMember *member, TileUse place) {
    TileNest *nest = place.nest;
    member->mode = TILE_HERO;
    member->why = "read once per point";
    member->nest = nest;
    if (!nest->unit) nest->unit = unit_new(planner, nest, member, place.index);
    else vec_push(planner->arena, &nest->unit->reductions, member);
    member->unit = nest->unit;
    nest->group->has_contraction |= op_element(member->instr->op) == ELEMENT_contract;
    read_operands(planner, member, &(TileUse){nest, NULL, place.index, place.missed});
}

static void inline_member(Planner *planner, TileMember *member, const char *why) {
    member->mode = TILE_INLINE;
    member->why = why;
    int n = member->uses.n;
    for (int i = 0; i < n; i++) {
        TileUse use = member->uses.at[i];
        read_operands(planner, member, &use);
    }
}

/* A nest of its own for member's tile; NULL when that is not legal (then nothing has changed). */
static TileNest *try_stage(Planner *planner, TileMember *member) {
    TileGroup *group = member->group;
    int n_dims = group->domain->dims.n, n_variables = group->variables.n;
    TileNest *nest = nest_new(planner, group, NEST_STAGE, member->instr);
    for (int i = 0; i < member->uses.n; i++) nest_add_path(planner, nest, &member->uses.at[i]);
    if (stage_is_legal(planner, nest, member)) return nest;
    group->nests.n--;
    group->domain->dims.n = n_dims;
    group->variables.n = n_variables;
    index_domain_changed(group->domain);
    return NULL;
}

/* Cheap things are rather computed again than made a reason to tile less. */
static bool not_worth(Planner *planner, const TileMember *member, uint64_t outer_before) {
    enum { CHEAP = 4 * STAGE_COST };
    const Plan *plan = plan_of(planner, member->instr);
    return member->group->outer_vars != outer_before && !plan->heavy && member->cost <= CHEAP &&
           member->uses.n <= MOST_USES;
}

static bool stage(Planner *planner, TileMember *member, const char *why) {
    uint64_t outer_before = member->group->outer_vars;
    TileNest *nest = try_stage(planner, member);
    if (nest && outer_before != ~(uint64_t)0 && not_worth(planner, member, outer_before)) {
        member->group->nests.n--;
        member->group->outer_vars = outer_before;
        inline_member(planner, member, "cheap, and a tile of it would serve fewer loops");
        return true;
    }
    if (!nest) return false;
    member->mode = TILE_STAGE;
    member->why = why;
    compute_in(planner, member, nest);
    return true;
}

/* --- a stored instruction may be computed in a group that reads it ------------------------------------------------ */

/* Whether the root nest of group may compute instr too; uses: where the group reads it. */
static bool root_nest_takes(const TileGroup *group, Instr *instr, const TileMember *member) {
    TileUse place;
    if (!same_dims(instr, group->lead->instr) || group->root->updates) return false;
    if (member && !(single_place(member, &place) && place.nest == group->root &&
                    is_identity(group->root, &place, element_shape(instr)->rank)))
        return false;
    const TileUnit *unit = group->root->unit;
    if (!instr_is_reduction(instr)) return true;
    if (!scan_fits(group->root, group->root->index, reduction_of(instr))) return false;
    if (!unit) return true;
    return group->lead->unit == unit && fits_unit(unit, reduction_of(instr));
}

static bool join_reader(Planner *planner, Instr *instr) {
    Plan *plan = plan_of(planner, instr);
    for (int i = 0; i < plan->memberships.n; i++) {
        TileMember *member = plan->memberships.at[i];
        TileGroup *group = member->group;
        if (member->instr != instr || group->root->updates || group->members.n > MOST_MEMBERS) continue;
        if (!can_come_first(planner, group, plan)) continue;
        uint64_t outer_vars = group->outer_vars;
        TileNest *nest = root_nest_takes(group, instr, member) ? group->root : try_stage(planner, member);
        if (nest && nest != group->root && !covers_once(nest)) {
            group->nests.n--;
            group->outer_vars = outer_vars;
            nest = NULL;
        }
        if (!nest) continue;
        member->mode = TILE_ROOT;
        compute_in(planner, member, nest);
        member->why = "stored on the way";
        for (int k = i; k + 1 < plan->memberships.n; k++) plan->memberships.at[k] = plan->memberships.at[k + 1];
        plan->memberships.n--;
        before_readers(planner, instr, group->node);
        return true;
    }
    return false;
}

/* Whether something that instr reads (through what would be inlined) is a member of group already. */
static bool shares_reads(Planner *planner, const TileGroup *group, Instr *instr, int *budget) {
    for (int k = 0; k < instr->n_operands && *budget > 0; k++) {
        Instr *operand = instr->operands[k];
        --*budget;
        if (instr_elements(operand) <= TINY_ELEMENTS) continue;
        if (key_table_get(&group->by_instr, POINTER_KEY(operand))) return true;
        if (plan_of(planner, operand)->storage == STORAGE_NONE && shares_reads(planner, group, operand, budget))
            return true;
    }
    return false;
}

/* Results of equal dims that read the same things are computed in one nest. */
static bool join_sibling(Planner *planner, Instr *instr) {
    enum { LOOK_BACK = 8, LOOK_AT = 200 };
    Plan *plan = plan_of(planner, instr);
    for (int g = planner->groups.n - 1; g >= 0 && g >= planner->groups.n - LOOK_BACK; g--) {
        TileGroup *group = planner->groups.at[g];
        int budget = LOOK_AT;
        if (!same_dims(instr, group->lead->instr) || group->members.n > MOST_MEMBERS / 2) continue;
        if (key_table_get(&group->by_instr, POINTER_KEY(instr))) continue;
        if (instr_is_reduction(instr) != instr_is_reduction(group->lead->instr)) continue;
        if (!root_nest_takes(group, instr, NULL) || !can_come_first(planner, group, plan)) continue;
        if (!shares_reads(planner, group, instr, &budget)) continue;
        TileMember *member = group_member(planner, group, instr);
        plan->memberships.n--;
        member->mode = TILE_ROOT;
        compute_in(planner, member, group->root);
        member->why = "the same shape and sources";
        before_readers(planner, instr, group->node);
        return true;
    }
    return false;
}

static void store(Planner *planner, Instr *instr, const char *why) {
    Plan *plan = plan_of(planner, instr);
    plan->why = why;
    for (int i = 0; i < plan->memberships.n; i++) plan->memberships.at[i]->mode = TILE_READ;
    bool joined = planner->context->optimise && !is_update(planner, instr) &&
                  (join_reader(planner, instr) || join_sibling(planner, instr));
    for (int i = 0; i < plan->memberships.n; i++) {
        plan->memberships.at[i]->mode = TILE_READ;
        plan->memberships.at[i]->why = why;
    }
    if (!joined) store_alone(planner, instr, why);
    plan->storage = STORAGE_BUFFER;
}

/* --- what is only read by groups ---------------------------------------------------------------------------------- */

static bool any_under_unit(const TileMember *member) {
    for (int i = 0; i < member->uses.n; i++)
        if (member->uses.at[i].unit || member->uses.at[i].nest->kind == NEST_PACK) return true;
    return false;
}

/* false: it must be stored; *why says why. */
static bool decide_in_group(Planner *planner, TileMember *member, const char **why) {
    const Plan *plan = plan_of(planner, member->instr);
    bool crowded = member->uses.n > (plan->is_move ? MOST_MOVES : MOST_USES);
    TileUse place;
    *why = "a tile would be computed again and again";
    if (instr_is_reduction(member->instr) && member->instr->op != OP_GET_TUPLE_ELEMENT) {
        if (can_be_hero(member, &place)) make_hero(planner, member, place);
        else return stage(planner, member, "a reduction read more than once");
        return true;
    }
    if (member->instr->op == OP_GET_TUPLE_ELEMENT || (plan->is_move && !crowded)) {
        inline_member(planner, member, "moves elements");
        return true;
    }
    if (plan->heavy && any_under_unit(member)) return stage(planner, member, "holds a reduction, read under another");
    if ((member->evals - 1) * member->cost > STAGE_COST)
        return stage(planner, member, "read again, and costs more than it saves");
    if (crowded) return stage(planner, member, "read at many places");
    inline_member(planner, member, member->evals > 1 ? "cheap" : "read once");
    return true;
}

static double total_evals(const Plan *plan, const Instr *instr) {
    double points = 0;
    for (int i = 0; i < plan->memberships.n; i++) {
        TileMember *member = plan->memberships.at[i];
        double here = 0;
        for (int u = 0; u < member->uses.n; u++) here += use_points(&member->uses.at[u]);
        member->evals = here / (double)instr_elements(instr);
        points += member->evals;
    }
    return points;
}

/* Large arrays in memory that one element of instr depends on, through what would be inlined; stops counting at 3. */
static int count_sources(Planner *planner, Instr *instr, int *budget) {
    int n = 0;
    for (int k = 0; k < instr->n_operands && n < 3 && --*budget > 0; k++) {
        const Plan *plan = plan_of(planner, instr->operands[k]);
        if (instr_elements(instr->operands[k]) <= TINY_ELEMENTS || plan->storage == STORAGE_TINY) continue;
        n += plan->storage == STORAGE_NONE ? count_sources(planner, instr->operands[k], budget) : 1;
    }
    return n;
}

/* Reshapes whose dims do not divide each other make indices of divisions within divisions, without end. */
static bool is_index_large(const Plan *plan, const Instr *instr) {
    int rank = element_shape(instr)->rank;
    for (int i = 0; i < plan->memberships.n; i++) {
        const TileMember *member = plan->memberships.at[i];
        for (int u = 0; u < member->uses.n; u++) {
            int64_t operators = 0;
            for (int d = 0; d < rank; d++) operators += member->uses.at[u].index[d]->size;
            if (operators > MOST_OPERATORS) return true;
        }
    }
    return false;
}

static bool must_store(Planner *planner, Instr *instr, const char **why) {
    enum { LOOK_AT = 100 };
    Plan *plan = plan_of(planner, instr);
    int budget = LOOK_AT;
    double evals = total_evals(plan, instr);
    if (instr->op == OP_GET_TUPLE_ELEMENT) return false; /* the variadic reduce decides */
    *why = "a result";
    if (plan->stored) return true;
    *why = "updated in place";
    if (is_update(planner, instr)) return true;
    *why = "not optimised";
    if (!planner->context->optimise && instr->op != OP_CONSTANT) return true;
    *why = "read by scalar code";
    if (plan->host && (plan->heavy || plan->memberships.n)) return plan->heavy || plan->cost > STAGE_COST;
    *why = "the group is large enough";
    for (int i = 0; i < plan->memberships.n; i++)
        if (plan->memberships.at[i]->group->members.n > MOST_MEMBERS && !plan->is_move) return true;
    *why = "its index would be large";
    if (is_index_large(plan, instr)) return true;
    if (plan->memberships.n <= 1 || (plan->is_move && !plan->heavy)) return false;
    *why = "read by several groups";
    return plan->heavy || (evals - 1) * plan->cost > STAGE_COST || count_sources(planner, instr, &budget) > 2;
}

static void decide_pullable(Planner *planner, Instr *instr) {
    Plan *plan = plan_of(planner, instr);
    const char *why;
    if (!is_used(plan) || (instr->op == OP_CONSTANT && instr->shape->rank == 0))
        return; /* a scalar constant stands where it is used */
    if (must_store(planner, instr, &why)) {
        store(planner, instr, why);
        return;
    }
    for (int i = 0; i < plan->memberships.n; i++) {
        if (decide_in_group(planner, plan->memberships.at[i], &why)) continue;
        /* Groups that inlined it already keep doing so; the others read what is stored. */
        plan->memberships.n -= i;
        for (int k = 0; k < plan->memberships.n; k++) plan->memberships.at[k] = plan->memberships.at[k + i];
        store(planner, instr, why);
        return;
    }
    if (plan->host)
        for (int k = 0; k < instr->n_operands; k++) { /* pulled by scalar code: so are its operands */
            Instr *operand = leaf_source(instr->operands[k], 0).instr;
            plan_of(planner, operand)->host = true;
            for (int r = 0; r < plan->readers.n; r++) read_by(planner, operand, plan->readers.at[r]);
        }
}

void decide(Planner *planner, Instr *instr) {
    Plan *plan = plan_of(planner, instr);
    bool computed = plan->storage == STORAGE_NONE || plan->storage == STORAGE_TINY;
    if (computed && instr_elements(instr) == 0) { /* nothing to compute, nothing to read */
        plan->storage = STORAGE_BUFFER;
        return;
    }
    switch (plan->storage) {
    case STORAGE_LEAF:
        return;
    case STORAGE_PLUMB:
        decide_plumb(planner, instr);
        return;
    case STORAGE_BUFFER:
        decide_whole(planner, instr);
        return;
    case STORAGE_TINY:
        decide_tiny(planner, instr);
        return;
    case STORAGE_NONE:
        decide_pullable(planner, instr);
        return;
    }
}
