/* Custom calls that are functions of the user, and assertions on shapes. */
#ifndef PASSES_LOWER_USER_CALL_H
#define PASSES_LOWER_USER_CALL_H

#include "passes/lower/host.h"

/* The C function that --custom-call names for call's target; NULL: none. */
const char *user_function(const LowerOptions *options, const Instr *call);
void lower_user_call(Frame *frame, int step, Instr *call);

bool is_shape_assertion(const Instr *call);
void lower_shape_assertion(Frame *frame, Instr *call);

#endif
