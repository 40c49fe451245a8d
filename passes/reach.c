#include "passes/reach.h"

Reach reach_new(Arena *arena, const Module *module) {
    int n = module->computations.n;
    Reach reach = {module, {0}, NEW_ARRAY(arena, int, n), NEW_ARRAY(arena, bool, n)};
    for (int i = 0; i < n; i++) {
        reach.numbers[i] = i;
        key_table_put(arena, &reach.by_computation, POINTER_KEY(module->computations.at[i]), &reach.numbers[i]);
    }
    return reach;
}

int reach_number(const Reach *reach, const Computation *computation) {
    return *(int *)key_table_get(&reach->by_computation, POINTER_KEY(computation));
}

void reach_called(Arena *arena, Reach *reach, const Instr *instr) {
    int n = instr_called(instr, NULL, 0);
    Computation **called = n ? NEW_ARRAY(arena, Computation *, n) : NULL;
    instr_called(instr, called, n);
    for (int k = 0; k < n; k++) reach->wanted[reach_number(reach, called[k])] = true;
}

void reach_all(Arena *arena, Reach *reach) {
    reach->wanted[reach_number(reach, reach->module->entry)] = true;
    for (int i = reach->module->computations.n - 1; i >= 0; i--) {
        const Computation *computation = reach->module->computations.at[i];
        for (int k = 0; reach->wanted[i] && k < computation->instrs.n; k++)
            reach_called(arena, reach, computation->instrs.at[k]);
    }
}

bool reach_drop_others(Module *module, const Reach *reach) {
    int n = 0;
    for (int i = 0; i < module->computations.n; i++)
        if (reach->wanted[i]) module->computations.at[n++] = module->computations.at[i];
    bool dropped = n != module->computations.n;
    module->computations.n = n;
    return dropped;
}
