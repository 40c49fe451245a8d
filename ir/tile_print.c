#include "ir/tile.h"

/* --emit=fused: the steps of a plan, with what every member of a group is and why. */

static const char *mode_word(TileMode mode) {
    switch (mode) {
    case TILE_INLINE:
        return "inline";
    case TILE_HERO:
        return "hero";
    case TILE_STAGE:
        return "stage";
    case TILE_ROOT:
        return "root";
    case TILE_READ:
        return "read";
    }
    return "?";
}

static void print_tile(Text *out, const TileGroup *group, const TileNest *nest) {
    text_char(out, '[');
    for (int i = 0; i < nest->n_vars; i++) {
        const TileVariable *v = &group->variables.at[nest->vars[i]->value];
        bool inner = i > 0 && group->variables.at[nest->vars[i - 1]->value].dim == v->dim;
        if (i) text_put(out, inner ? "*" : ", ");
        text_printf(out, "%lld", (long long)nest->extent[i]);
    }
    text_char(out, ']');
}

static void print_nest(Text *out, const TileGroup *group, const TileNest *nest) {
    static const char *const kinds[] = {[NEST_ROOT] = "root", [NEST_STAGE] = "stage", [NEST_PACK] = "pack"};
    text_repeat(out, ' ', 4 + 2 * nest->level);
    text_printf(out, "%s ", kinds[nest->kind]);
    for (int k = 0; k < nest->targets.n; k++)
        text_printf(out, "%s%s", k ? ", " : "", nest->targets.at[k]->instr->name);
    if (nest->kind == NEST_PACK)
        text_printf(out, "operand %d of %s", nest->packs_operand, nest->packs_for->instr->name);
    text_char(out, ' ');
    print_tile(out, group, nest);
    if (nest->unit) {
        text_put(out, " over [");
        for (int i = 0; i < nest->unit->n_symbols; i++)
            text_printf(out, "%s%lld", i ? ", " : "", (long long)nest->unit->sizes[i]);
        text_put(out, "]: ");
        for (int k = 0; k < nest->unit->reductions.n; k++)
            text_printf(out, "%s%s", k ? ", " : "", nest->unit->reductions.at[k]->instr->name);
    }
    text_char(out, '\n');
}

static void print_group(Text *out, const TileGroup *group) {
    text_printf(out, "  group %s %s", group->lead->instr->name, op_name(group->lead->instr->op));
    for (int o = 0; o < group->outer.n; o++) {
        const TileOuter *outer = &group->outer.at[o];
        text_printf(out, "%s%lld by %lld", o ? ", " : ": tiles of ", (long long)outer->size, (long long)outer->tile);
    }
    text_char(out, '\n');
    for (int n = 0; n < group->nests.n; n++) print_nest(out, group, group->nests.at[n]);
    for (int m = 0; m < group->members.n; m++) {
        const TileMember *member = group->members.at[m];
        if (!member->why) continue;
        text_printf(out, "    %-6s %s %s: %s\n", mode_word(member->mode), member->instr->name,
                    op_name(member->instr->op), member->why);
    }
}

void tile_print(Text *out, const TilePlan *plan) {
    text_printf(out, "computation %s\n", plan->computation->name);
    for (int i = 0; i < plan->steps.n; i++) {
        const TileStep *step = &plan->steps.at[i];
        if (step->kind == STEP_GROUP) print_group(out, step->group);
        else
            text_printf(out, "  %s %s %s\n", step->kind == STEP_TINY ? "tiny" : "whole", step->instr->name,
                        op_name(step->instr->op));
    }
}
