#include "passes/fuse/planner.h"

#include "passes/tile/tile.h"

/* The walk. */

enum { MOST_WALKS = 8 };

static void walk(Planner *planner) {
    const Computation *computation = planner->computation;
    planner->plans = NEW_ARRAY(planner->arena, Plan, computation->instrs.n);
    planner->groups.n = planner->nodes.n = 0;
    planner->runtime = (KeyTable){0};
    classify(planner);
    for (int leaf = 0; leaf < shape_leaves(computation->root->shape); leaf++)
        need(planner, leaf_source(computation->root, leaf).instr, -1);
    for (int i = computation->instrs.n - 1; i >= 0; i--) decide(planner, computation->instrs.at[i]);
}

TilePlan *fuse_computation(const FuseContext *context, const Computation *computation) {
    SplitHints hints = {0};
    Planner planner = {.context = context, .arena = context->arena, .pool = context->pool, .computation = computation};
    planner.hints = &hints;
    for (int i = 0; i < MOST_WALKS; i++) {
        planner.new_hints = false;
        walk(&planner);
        for (int g = 0; g < planner.groups.n; g++) split_hints_from(&planner, planner.groups.at[g]);
        if (!planner.new_hints) break;
    }
    TilePlan *plan = NEW(context->arena, TilePlan);
    plan->computation = computation;
    plan->storage = NEW_ARRAY(context->arena, TileStorage, computation->instrs.n);
    for (int i = 0; i < computation->instrs.n; i++) plan->storage[i] = planner.plans[i].storage;
    for (int g = 0; g < planner.groups.n; g++) vec_push(context->arena, &plan->groups, planner.groups.at[g]);
    order_steps(&planner, plan);
    for (int g = 0; g < plan->groups.n; g++) tile_group(context, plan->groups.at[g]);
    tile_check(plan);
    return plan;
}
