#include "passes/passes.h"

#include <math.h>

/* Algebra: rewrites that keep every value (x * 1, x - 0 ...), and the few on powers and quotients that XLA makes too.
 */

typedef Instr *Rule(Instr *instr); /* what to put in its place, or NULL */

static Instr *operation(Instr *like, Op op, int n, Instr *const *operands) {
    return instr_new(like->parent, op, op_name(op), like->shape, n, operands, like->span);
}

static Instr *constant_like(Instr *instr, double value) {
    return broadcast_scalar(constant_scalar(instr->parent, instr->shape->dtype, value, instr->span), instr->shape,
                            instr->span);
}

static bool operand_is(const Instr *instr, int k, double value) {
    double found;
    return is_splat_constant(instr->operands[k], &found) && found == value && signbit(found) == signbit(value);
}

static bool is_integer(const Instr *instr) {
    return dtype_is_integer(instr->shape->dtype);
}

static Instr *simplify_add(Instr *instr) {
    /* x + -0 is x for every float; x + 0 turns -0 into 0 */
    double zero = is_integer(instr) ? 0.0 : -0.0;
    if (dtype_is_complex(instr->shape->dtype) || instr->shape->dtype == DT_PRED) return NULL;
    if (operand_is(instr, 1, zero)) return instr->operands[0];
    return operand_is(instr, 0, zero) ? instr->operands[1] : NULL;
}

static Instr *simplify_subtract(Instr *instr) {
    if (dtype_is_complex(instr->shape->dtype)) return NULL;
    return operand_is(instr, 1, 0) ? instr->operands[0] : NULL;
}

static Instr *simplify_multiply(Instr *instr) {
    if (dtype_is_complex(instr->shape->dtype)) return NULL;
    if (operand_is(instr, 1, 1)) return instr->operands[0];
    if (operand_is(instr, 0, 1)) return instr->operands[1];
    if (!is_integer(instr)) return NULL;
    for (int k = 0; k < 2; k++)
        if (operand_is(instr, k, 0)) return instr->operands[k];
    return NULL;
}

/* x / c is x * (1 / c) to the bit when c is a power of two. */
static Instr *simplify_divide(Instr *instr) {
    double value;
    int exponent;
    if (dtype_is_complex(instr->shape->dtype)) return NULL;
    if (operand_is(instr, 1, 1)) return instr->operands[0];
    if (is_integer(instr) || !is_splat_constant(instr->operands[1], &value)) return NULL;
    if (fabs(frexp(value, &exponent)) != 0.5 || exponent > 100 || exponent < -100) return NULL;
    if (instr->shape->dtype != DT_F32 && instr->shape->dtype != DT_F64) return NULL;
    return operation(instr, OP_MULTIPLY, 2, (Instr *[]){instr->operands[0], constant_like(instr, 1 / value)});
}

/* As XLA: small powers are products, halves are roots. */
static Instr *simplify_power(Instr *instr) {
    double exponent;
    Instr *x = instr->operands[0];
    if (!is_splat_constant(instr->operands[1], &exponent) || dtype_is_complex(instr->shape->dtype)) return NULL;
    if (exponent == 0) return constant_like(instr, 1);
    if (exponent == 1) return x;
    if (exponent == 2) return operation(instr, OP_MULTIPLY, 2, (Instr *[]){x, x});
    if (exponent == 3) {
        Instr *square = operation(instr, OP_MULTIPLY, 2, (Instr *[]){x, x});
        return operation(instr, OP_MULTIPLY, 2, (Instr *[]){square, x});
    }
    if (is_integer(instr)) return NULL;
    if (exponent == -1) return operation(instr, OP_DIVIDE, 2, (Instr *[]){constant_like(instr, 1), x});
    if (exponent == 0.5) return operation(instr, OP_SQRT, 1, (Instr *[]){x});
    if (exponent == -0.5) return operation(instr, OP_RSQRT, 1, (Instr *[]){x});
    return NULL;
}

static Instr *simplify_select(Instr *instr) {
    double which;
    if (instr->operands[1] == instr->operands[2]) return instr->operands[1];
    if (!is_splat_constant(instr->operands[0], &which)) return NULL;
    return instr->operands[which != 0 ? 1 : 2];
}

static Instr *simplify_logic(Instr *instr) {
    bool or = instr->op == OP_OR;
    if (instr->operands[0] == instr->operands[1]) return instr->operands[0];
    if (instr->shape->dtype != DT_PRED) return NULL;
    for (int k = 0; k < 2; k++) {
        if (operand_is(instr, k, or ? 0 : 1)) return instr->operands[1 - k];
        if (operand_is(instr, k, or ? 1 : 0)) return instr->operands[k];
    }
    return NULL;
}

/* not(not(x)) and negate(negate(x)) are x, bit for bit. */
static Instr *simplify_twice(Instr *instr) {
    return instr->operands[0]->op == instr->op ? instr->operands[0]->operands[0] : NULL;
}

/* A window of one element in every dim, moved by nothing, is a reduction over nothing: left alone. max(x, x) is x. */
static Instr *simplify_extremum(Instr *instr) {
    if (instr->operands[0] == instr->operands[1]) return instr->operands[0];
    double value;
    bool max = instr->op == OP_MAXIMUM;
    for (int k = 0; k < 2; k++) /* the neutral element, as jnp.max puts in front of a reduce */
        if (dtype_is_float(instr->shape->dtype) && is_splat_constant(instr->operands[k], &value) &&
            value == (max ? -INFINITY : INFINITY))
            return instr->operands[1 - k];
    return NULL;
}

static Rule *rule_of(Op op) {
    static const struct {
        Op op;
        Rule *rule;
    } rules[] = {
        {OP_ADD, simplify_add},         {OP_SUBTRACT, simplify_subtract}, {OP_MULTIPLY, simplify_multiply},
        {OP_DIVIDE, simplify_divide},   {OP_POWER, simplify_power},       {OP_SELECT, simplify_select},
        {OP_AND, simplify_logic},       {OP_OR, simplify_logic},          {OP_NOT, simplify_twice},
        {OP_MAXIMUM, simplify_extremum}, {OP_MINIMUM, simplify_extremum}, {OP_NEGATE, simplify_twice},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i].op == op) return rules[i].rule;
    return NULL;
}

static bool simplify(Computation *computation) {
    bool changed = false;
    int n = computation->instrs.n; /* what rules add goes to the end */
    for (int i = 0; i < n; i++) {
        Instr *instr = computation->instrs.at[i];
        Rule *rule = rule_of(instr->op);
        Instr *simple = rule ? rule(instr) : NULL;
        if (!simple) continue;
        instr_replace_uses(instr, simple);
        changed = true;
    }
    for (int i = 0; i < computation->instrs.n; i++) computation->instrs.at[i]->mark = 0;
    if (changed) computation_renumber(computation);
    return changed;
}

bool pass_simplify(Module *module, Diags *diags) {
    (void)diags;
    bool changed = false;
    for (int i = 0; i < module->computations.n; i++) changed |= simplify(module->computations.at[i]);
    return changed;
}
