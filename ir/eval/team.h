/* Several devices that run one module: a thread for each, of which one runs at a time, until it must wait for others.
 * So nothing but the waiting is concurrent, and what happens depends on the module alone. */
#ifndef IR_EVAL_TEAM_H
#define IR_EVAL_TEAM_H

#include "ir/eval/rule.h"

typedef struct Team Team;

/* Devices that came together at an instruction; values[member][operand]. */
typedef struct Meeting {
    int n, n_operands;
    Value ***values;
    /* private */
    const Instr *instr;
    const int64_t *members;
    int arrived, left;
    struct Meeting *next;
} Meeting;

/* Runs body(eval, context) for devices 0 .. n - 1, each with an Eval of its own. True when all of them returned true.
 */
bool team_run(int n, Diags *diags, bool (*body)(Eval *eval, void *context), void *context);

/* Waits until all members (device numbers; this one is among them) have come to instr with their operands. NULL: they
 * never will, or another device failed. */
Meeting *team_meet(Eval *eval, const Instr *instr, int n, const int64_t *members, Value **operands);
void team_leave(Eval *eval, Meeting *meeting);

/* A message between devices, by channel: sending never waits. NULL: it never comes. */
void team_send(Eval *eval, int64_t to, int64_t channel, Value *value);
Value *team_receive(Eval *eval, const Instr *instr, int64_t from, int64_t channel);

#endif
