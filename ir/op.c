#include "ir/op.h"

#include <string.h>

/* The last columns of a row are a list of attributes: each its id, plus ATTR_REQUIRED, ended by -1. */
#define REQ(id) (ATTR_##id | ATTR_REQUIRED)
#define OPT(id) ATTR_##id
#define END (-1)

#define OP(id, text, operands, shape, access, element, eval, scalar, flags, ...) \
    static const int attrs_##id[] = {__VA_ARGS__};
#include "ir/ops.def"
#undef OP

/* Operand counts and flags stand in the table without their prefixes. */
enum { ANY = OPERANDS_ANY, EVEN = OPERANDS_EVEN, ODD = OPERANDS_ODD, MIN1 = OPERANDS_MIN1, MIN2 = OPERANDS_MIN2 };
enum {
    NOFLAGS = OP_NOFLAGS,
    COMMUTES = OP_COMMUTES,
    VIEW = OP_VIEW,
    EFFECT = OP_EFFECT,
    COLLECTIVE = OP_COLLECTIVE,
    ACCURACY = OP_ACCURACY,
    SHAPE = OP_SHAPE,
    CALLS = OP_CALLS,
    PULLS = OP_PULLS,
};

static const struct {
    const char *name;
    int operands;
    unsigned flags;
    const int *attrs;
    const char *element, *eval; /* names of the rules */
} table[N_OPS] = {
#define OP(id, text, operands, shape, access, element, eval, scalar, flags, ...) \
    [OP_##id] = {text, operands, flags, attrs_##id, #element, #eval},
#include "ir/ops.def"
#undef OP
};

const char *op_name(Op op) {
    return table[op].name;
}

Op op_from_name(const char *text, size_t n) {
    for (int i = 0; i < N_OPS; i++)
        if (strlen(table[i].name) == n && memcmp(table[i].name, text, n) == 0) return (Op)i;
    return N_OPS;
}

int op_operands(Op op) {
    return table[op].operands;
}

unsigned op_flags(Op op) {
    return table[op].flags;
}

const int *op_attrs(Op op) {
    return table[op].attrs;
}

bool op_takes_attr(Op op, AttrId id) {
    if (attr_is_common(id)) return true;
    if (id == ATTR_RESULT_ACCURACY) return table[op].flags & OP_ACCURACY;
    for (const int *row = table[op].attrs; *row >= 0; row++)
        if ((*row & ~ATTR_REQUIRED) == (int)id) return true;
    return false;
}

bool op_is_compiled(Op op) {
    return strcmp(table[op].element, "later") != 0;
}

bool op_is_evaluated(Op op) {
    return strcmp(table[op].eval, "later") != 0;
}
