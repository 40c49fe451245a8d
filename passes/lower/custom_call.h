/* Which custom calls are compiled. */
#ifndef PASSES_LOWER_CUSTOM_CALL_H
#define PASSES_LOWER_CUSTOM_CALL_H

#include "ir/hlo.h"

bool custom_call_is_compiled(const Instr *call);

#endif
