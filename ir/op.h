/* Opcodes (table: ir/ops.def). */
#ifndef IR_OP_H
#define IR_OP_H

#include <stdbool.h>
#include <stddef.h>

#include "ir/attr.h"

typedef enum {
#define OP(id, ...) OP_##id,
#include "ir/ops.def"
#undef OP
    N_OPS
} Op;

enum {
    OP_NOFLAGS = 0,
    OP_COMMUTES = 1,
    OP_VIEW = 2,
    OP_EFFECT = 4,
    OP_COLLECTIVE = 8,
    OP_ACCURACY = 16,
    OP_SHAPE = 32,
    OP_CALLS = 64,
    OP_PULLS = 128,
};

/* Operand counts: a number, or one of these. */
enum { OPERANDS_ANY = -1, OPERANDS_EVEN = -2, OPERANDS_ODD = -3, OPERANDS_MIN1 = -4, OPERANDS_MIN2 = -5 };

const char *op_name(Op op);
Op op_from_name(const char *text, size_t n); /* N_OPS if there is none */
int op_operands(Op op);
unsigned op_flags(Op op);

/* The attribute rows of op, ended by -1: AttrId, plus ATTR_REQUIRED when it must be there. */
enum { ATTR_REQUIRED = 1 << 12 };
const int *op_attrs(Op op);
bool op_takes_attr(Op op, AttrId id); /* own, common, or result_accuracy where op has it */

/* Whether the element (or evaluator) rule of op is more than `later`. */
bool op_is_compiled(Op op);
bool op_is_evaluated(Op op);

#endif
