/* Which computations of a module the entry needs. Computations stand callees first, so one walk from the last to the
 * first finds them all, however deep they call each other. */
#ifndef PASSES_REACH_H
#define PASSES_REACH_H

#include "base/table.h"
#include "ir/hlo.h"

typedef struct {
    const Module *module;
    KeyTable by_computation;
    int *numbers; /* places in module->computations */
    bool *wanted; /* by number */
} Reach;

/* Nothing is wanted yet. */
Reach reach_new(Arena *arena, const Module *module);

/* The computation's place in module->computations. */
int reach_number(const Reach *reach, const Computation *computation);

/* Wants what instr calls. */
void reach_called(Arena *arena, Reach *reach, const Instr *instr);

/* Wants the entry, and what instrs of wanted computations call. */
void reach_all(Arena *arena, Reach *reach);

/* Takes what is not wanted off the module. True if there was any. */
bool reach_drop_others(Module *module, const Reach *reach);

#endif
