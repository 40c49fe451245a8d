/* The custom calls for linear algebra that JAX makes: lapack_*_ffi, and Qr, Eigh and the like of other back ends. */
#ifndef IR_EVAL_LAPACK_H
#define IR_EVAL_LAPACK_H

#include "ir/eval/rule.h"

/* The rule of such a target, or NULL. */
EvalRule *lapack_rule(const char *target);

#endif
