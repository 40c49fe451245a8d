/* Running reductions: a reduce-window whose window of output o holds elements 0 .. o of one dim, or o .. n-1. One step
 * for each element is enough then, where windows by themselves would take n / 2. */
#ifndef IR_EVAL_RUNNING_H
#define IR_EVAL_RUNNING_H

#include "ir/eval/rule.h"

typedef struct {
    int dim;
    bool backwards; /* from element n-1 down to o; relies on the combiner being associative, as HLO says it is */
} Running;

bool running_find(Running *running, Window window, const Shape *operand);

Value *running_reduce(Eval *eval, const Instr *instr, const Running *running, const Shape *shape, Value **operands);

#endif
