/* What the files of kernels share: a kernel is an expression of x, y and z, one lane of each operand. IN and OUT are
 * members of Lanes, T is the type of x, y and z. */
#ifndef IR_EVAL_MAP_KERNEL_H
#define IR_EVAL_MAP_KERNEL_H

#include "ir/eval/map.h"

#define KERNEL_PARAMETERS \
    const MapPlan *plan, Lanes *out, const Lanes *a, const Lanes *b, const Lanes *c, int n

#define KERNEL1(name, OUT, T, IN, expression)          \
    static void name(KERNEL_PARAMETERS) {              \
        (void)plan, (void)b, (void)c;                  \
        for (int i = 0; i < n; i++) {                  \
            T x = a->IN[i];                         \
            out->OUT[i] = (expression);                \
        }                                              \
    }
#define KERNEL2(name, OUT, T, IN, expression)          \
    static void name(KERNEL_PARAMETERS) {              \
        (void)plan, (void)c;                           \
        for (int i = 0; i < n; i++) {                  \
            T x = a->IN[i], y = b->IN[i];        \
            out->OUT[i] = (expression);                \
        }                                              \
    }
#define KERNEL3(name, OUT, T, IN, expression)                            \
    static void name(KERNEL_PARAMETERS) {                                \
        (void)plan;                                                      \
        for (int i = 0; i < n; i++) {                                    \
            T x = a->IN[i], y = b->IN[i], z = c->IN[i];         \
            out->OUT[i] = (expression);                                  \
        }                                                                \
    }

#endif
