/* Custom calls by target (calls.c): what stands for the call, or NULL when it is another target or its shapes do not
 * fit. */
#ifndef PASSES_EXPAND_CALLS_H
#define PASSES_EXPAND_CALLS_H

#include "passes/expand/expand.h"

Instr *expand_nothing(Instr *call, const char *target);     /* AllocateBuffer, dce_sink ...: zeros */
Instr *expand_approx_topk(Instr *call, const char *target); /* a sort, exact */
Instr *expand_csr(Instr *call, const char *target);         /* cpu_csr_sparse_dense_ffi */

#endif
