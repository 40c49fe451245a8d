/* The invariants of ir/tile.h, after planning: what is wrong is ours. */
#include "ir/tile.h"

typedef struct {
    const TilePlan *plan;
    Arena *scratch;
    int *made_by; /* by position of the instr: number of the step that computes it, + 1 */
} Check;

static _Noreturn void fail(const Instr *instr, const char *what) {
    internal_error(instr->name, "fusion: %s (in computation '%s')", what, instr->parent->name);
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

static void makes(const Check *check, const Instr *instr, int step) {
    int *made_by = &check->made_by[instr->position];
    if (*made_by) fail(instr, "two steps compute it");
    *made_by = step + 1;
}

/* What lies in memory, or in scalars of the host function, is there before it is read. */
static void reads(const Check *check, const Instr *instr, const Instr *reader, int step) {
    TileStorage storage = check->plan->storage[instr->position];
    if (storage == STORAGE_LEAF || storage == STORAGE_PLUMB) return;
    if (instr->op == OP_CONSTANT || !shape_elements(shape_leaf(instr->shape, 0))) return;
    if (storage == STORAGE_NONE) fail(reader, "it reads what has no place");
    int made_by = check->made_by[instr->position];
    if (!made_by || made_by > step) fail(reader, "it reads what is not computed before");
}

/* An operand that stands for others (a tuple, an element of one) reads them all. */
static void reads_behind(const Check *check, const Instr *operand, const Instr *reader, int step) {
    const Instr *whole = operand;
    while (whole->op == OP_GET_TUPLE_ELEMENT && whole->operands[0]->op != OP_TUPLE) whole = whole->operands[0];
    if (whole->op == OP_GET_TUPLE_ELEMENT) {
        reads_behind(check, whole->operands[0]->operands[instr_int(whole, ATTR_INDEX, 0)], reader, step);
    } else if (whole->op == OP_OPT_BARRIER || whole->op == OP_ADD_DEPENDENCY) {
        reads_behind(check, whole->operands[0], reader, step);
    } else if (whole->op == OP_TUPLE) {
        for (int k = 0; k < whole->n_operands; k++) reads_behind(check, whole->operands[k], reader, step);
    } else if (check->made_by[whole->position] || check->plan->storage[whole->position] != STORAGE_NONE) {
        reads(check, whole, reader, step);
    }
}

static void check_makers(const Check *check) {
    for (int s = 0; s < check->plan->steps.n; s++) {
        const TileStep *step = &check->plan->steps.at[s];
        if (step->kind != STEP_GROUP) {
            makes(check, step->instr, s);
            continue;
        }
        for (int m = 0; m < step->group->members.n; m++)
            if (step->group->members.at[m]->mode == TILE_ROOT) makes(check, step->group->members.at[m]->instr, s);
    }
    const Computation *computation = check->plan->computation;
    for (int i = 0; i < computation->instrs.n; i++) {
        const Instr *instr = computation->instrs.at[i];
        bool stored = check->plan->storage[i] == STORAGE_BUFFER && !shape_is_tuple(instr->shape);
        if (stored && shape_elements(instr->shape) && !check->made_by[i]) fail(instr, "no step computes it");
    }
}

static void check_readers(const Check *check) {
    for (int s = 0; s < check->plan->steps.n; s++) {
        const TileStep *step = &check->plan->steps.at[s];
        for (int k = 0; step->kind != STEP_GROUP && k < step->instr->n_operands; k++)
            reads_behind(check, step->instr->operands[k], step->instr, s);
        for (int m = 0; step->kind == STEP_GROUP && m < step->group->members.n; m++) {
            const TileMember *member = step->group->members.at[m];
            if (member->mode == TILE_READ) reads(check, member->instr, step->group->lead->instr, s);
        }
    }
}

/* --- nests of a group --------------------------------------------------------------------------------------------- */

static int place_of(const TileGroup *group, const TileNest *nest) {
    for (int n = 0; n < group->nests.n; n++)
        if (group->nests.at[n] == nest) return n;
    return -1;
}

static void check_staged(const TileGroup *group, const TileMember *member) {
    if (!member->nest) fail(member->instr, "no nest computes it");
    int made = place_of(group, member->nest);
    if (made < 0) fail(member->instr, "a nest that does not run computes it");
    for (int u = 0; u < member->uses.n; u++) {
        const TileNest *reader = member->uses.at[u].nest;
        if (reader == member->nest) continue; /* stored on the way of the reduction that reads it */
        if (place_of(group, reader) < made) fail(member->instr, "its tile is read before it is computed");
        if (reader->level < member->nest->level)
            fail(member->instr, "its tile is read outside the loops that compute it");
    }
}

/* In accumulators of the nest that reads it, at one index per point. */
static void check_hero(const TileMember *member) {
    if (!member->unit || !member->nest || member->nest->unit != member->unit)
        fail(member->instr, "a reduction without its nest");
    for (int u = 0; u < member->uses.n; u++) {
        if (member->uses.at[u].nest != member->nest) fail(member->instr, "accumulators that another nest reads");
        for (int i = 0; u > 0 && i < member->instr->shape->rank; i++)
            if (member->uses.at[u].index[i] != member->uses.at[0].index[i])
                fail(member->instr, "accumulators read at two indices");
    }
}

static void check_tile(const TileGroup *group, const TileNest *nest) {
    const Instr *instr = nest->targets.n ? nest->targets.at[0]->instr : nest->packs_for->instr;
    for (int i = 0; i < nest->n_vars; i++)
        if (!nest->origin[i] || nest->extent[i] < 0 || nest->extent[i] > nest->sizes[i])
            fail(instr, "a tile that is no part of it");
    if (nest->level > group->outer.n) fail(instr, "a nest inside loops that are not there");
    for (int o = 0; o < nest->level; o++) {
        bool used = false;
        for (int i = 0; i < nest->n_vars; i++) used |= index_uses(nest->origin[i], group->outer.at[o].origin);
        if (!used) fail(instr, "every tile of an outer loop computes it again");
    }
}

static void check_group(const TileGroup *group) {
    if (!group->lead || group->lead->mode != TILE_ROOT) fail(group->members.at[0]->instr, "a group without a result");
    for (int n = 0; n < group->nests.n; n++) check_tile(group, group->nests.at[n]);
    for (int m = 0; m < group->members.n; m++) {
        const TileMember *member = group->members.at[m];
        if (member->mode == TILE_STAGE || member->mode == TILE_ROOT) check_staged(group, member);
        if (member->mode == TILE_HERO) check_hero(member);
    }
}

void tile_check(const TilePlan *plan) {
    Check check = {.plan = plan, .scratch = arena_new()};
    check.made_by = NEW_ARRAY(check.scratch, int, plan->computation->instrs.n + 1);
    check_makers(&check);
    check_readers(&check);
    for (int g = 0; g < plan->groups.n; g++) check_group(plan->groups.at[g]);
    arena_free(check.scratch);
}
