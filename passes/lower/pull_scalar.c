#include "passes/lower/pull.h"

/* Scalar operators on elements: pred arithmetic is logic, small floats round, complex numbers are two reals. */

Elem elem_constant(Puller *p, DType dtype, double re, double im) {
    DType component = register_type(dtype);
    Elem elem = {{NULL, NULL}};
    if (!dtype_is_float(component)) {
        elem.part[0] = kvalue_int(p->func, component, (int64_t)re);
        return elem;
    }
    elem.part[0] = kvalue_float(p->func, component, re);
    if (dtype_is_complex(dtype)) elem.part[1] = kvalue_float(p->func, component, im);
    return elem;
}

Elem elem_select(Puller *p, KValue *condition, Elem yes, Elem no, const Instr *from) {
    Elem elem = {{NULL, NULL}};
    for (int i = 0; i < 2 && yes.part[i]; i++)
        elem.part[i] = kvalue_scalar(p->func, SCALAR_SELECT, 3, (KValue *[]){condition, yes.part[i], no.part[i]}, from);
    return elem;
}

static KValue *unary(Puller *p, ScalarOp op, KValue *x, const Instr *from) {
    return kvalue_scalar(p->func, op, 1, &x, from);
}

static KValue *binary(Puller *p, ScalarOp op, KValue *x, KValue *y, const Instr *from) {
    return kvalue_scalar(p->func, op, 2, (KValue *[]){x, y}, from);
}

/* --- complex ------------------------------------------------------------------------------------------------------ */

/* hlocc_NAME_re_c64(...) and hlocc_NAME_im_c64(...). */
static Elem complex_call(Puller *p, const char *name, DType dtype, int n, KValue *const *args, const Instr *from) {
    static const char *const parts[] = {"re", "im"};
    Elem elem = {{NULL, NULL}};
    int lanes = 1;
    for (int i = 0; i < n; i++)
        if (args[i]->type.lanes > lanes) lanes = args[i]->type.lanes;
    for (int i = 0; i < 2; i++)
        elem.part[i] = kvalue_call(p->func, arena_printf(p->low->arena, "%s_%s_%s", name, parts[i], dtype_name(dtype)),
                                   (KType){dtype_component(dtype), lanes}, n, args, from);
    return elem;
}

static Elem complex_multiply(Puller *p, Elem a, Elem b, const Instr *from) {
    KValue *re = binary(p, SCALAR_SUB, binary(p, SCALAR_MUL, a.part[0], b.part[0], from),
                        binary(p, SCALAR_MUL, a.part[1], b.part[1], from), from);
    KValue *im = binary(p, SCALAR_ADD, binary(p, SCALAR_MUL, a.part[0], b.part[1], from),
                        binary(p, SCALAR_MUL, a.part[1], b.part[0], from), from);
    return (Elem){{re, im}};
}

/* Compares real parts alone, and the first of equals wins: what XLA:CPU does (docs/differences.md). */
static Elem complex_extremum(Puller *p, ScalarOp op, Elem a, Elem b, const Instr *from) {
    KValue *first = binary(p, op == SCALAR_MAX ? SCALAR_GE : SCALAR_LE, a.part[0], b.part[0], from);
    return elem_select(p, first, a, b, from);
}

static Elem complex_scalar(Puller *p, ScalarOp op, DType dtype, int n, const Elem *args, const Instr *from) {
    KValue *parts[4];
    if (op == SCALAR_SELECT) return elem_select(p, args[0].part[0], args[1], args[2], from);
    if (op == SCALAR_ADD || op == SCALAR_SUB)
        return (Elem){{binary(p, op, args[0].part[0], args[1].part[0], from),
                       binary(p, op, args[0].part[1], args[1].part[1], from)}};
    if (op == SCALAR_NEG) return (Elem){{unary(p, op, args[0].part[0], from), unary(p, op, args[0].part[1], from)}};
    if (op == SCALAR_MUL) return complex_multiply(p, args[0], args[1], from);
    if (op == SCALAR_MAX || op == SCALAR_MIN) return complex_extremum(p, op, args[0], args[1], from);
    if (op == SCALAR_REAL) return (Elem){{args[0].part[0], NULL}};
    if (op == SCALAR_IMAG) return (Elem){{args[0].part[1], NULL}};
    for (int k = 0; k < n; k++)
        for (int i = 0; i < 2; i++) parts[2 * k + i] = args[k].part[i];
    if (op == SCALAR_ABS) {
        int lanes = parts[0]->type.lanes > parts[1]->type.lanes ? parts[0]->type.lanes : parts[1]->type.lanes;
        const char *name = arena_printf(p->low->arena, "abs_%s", dtype_name(dtype));
        return (Elem){{kvalue_call(p->func, name, (KType){dtype_component(dtype), lanes}, 2, parts, from), NULL}};
    }
    return complex_call(p, op == SCALAR_DIV ? "divide" : scalar_name(op), dtype, 2 * n, parts, from);
}

/* --- pred and small floats ---------------------------------------------------------------------------------------- */

static Elem pred_clamp(Puller *p, const Elem *args, const Instr *from) {
    KValue *raised = binary(p, SCALAR_OR, args[0].part[0], args[1].part[0], from);
    return (Elem){{binary(p, SCALAR_AND, raised, args[2].part[0], from), NULL}};
}

/* On pred, add and maximum are or, multiply and minimum are and. */
static ScalarOp pred_operator(ScalarOp op) {
    if (op == SCALAR_ADD || op == SCALAR_MAX) return SCALAR_OR;
    if (op == SCALAR_MUL || op == SCALAR_MIN) return SCALAR_AND;
    return op;
}

/* Results that are exact in the operands' own type need no rounding. */
static bool keeps_precision(ScalarOp op) {
    return op == SCALAR_NEG || op == SCALAR_ABS || op == SCALAR_MAX || op == SCALAR_MIN || op == SCALAR_CLAMP ||
           op == SCALAR_SELECT || op == SCALAR_SIGN || op == SCALAR_FLOOR || op == SCALAR_CEIL ||
           op == SCALAR_ROUND_AFZ || op == SCALAR_ROUND_EVEN;
}

/* f16 rounds after every operation, as the hardware does; bf16 keeps f32's precision until it is stored or converted
 * (XLA allows itself the same, and its range is that of f32). Other small floats take the way through their bits. */
static KValue *rounded(Puller *p, ScalarOp op, DType dtype, KValue *value, const Instr *from) {
    if (!dtype_is_float(dtype) || register_type(dtype) == dtype || dtype == DT_BF16 || keeps_precision(op))
        return value;
    if (value->type.dtype == DT_PRED || p->wide) return value;
    if (dtype == DT_F16) return unary(p, SCALAR_ROUND_F16, value, from);
    return kvalue_decode(p->func, dtype, kvalue_encode(p->func, dtype, value, from), from);
}

Elem apply_rounding(Puller *p, DType dtype, Elem elem, const Instr *from) {
    elem.part[0] = rounded(p, SCALAR_ADD, dtype, elem.part[0], from);
    return elem;
}

/* The bits of an integer of fewer than 8 bits, without the copies of its sign that a byte adds. */
static KValue *own_bits(Puller *p, DType dtype, KValue *value, const Instr *from) {
    return binary(p, SCALAR_AND, value, kvalue_int(p->func, value->type.dtype, (1 << dtype_bits(dtype)) - 1), from);
}

/* Integers of fewer than 8 bits wrap at their own width. */
static KValue *wrapped(Puller *p, DType dtype, KValue *value, const Instr *from) {
    if (!dtype_is_integer(dtype) || dtype_bits(dtype) >= 8 || value->type.dtype == DT_PRED) return value;
    KValue *by = kvalue_int(p->func, value->type.dtype, 8 - dtype_bits(dtype));
    ScalarOp back = dtype_class(dtype) == DTYPE_SIGNED ? SCALAR_SHRA : SCALAR_SHRL;
    return binary(p, back, binary(p, SCALAR_SHL, value, by, from), by, from);
}

Elem apply_width(Puller *p, DType dtype, Elem elem, const Instr *from) {
    elem.part[0] = wrapped(p, dtype, elem.part[0], from);
    return elem;
}

Elem apply_scalar(Puller *p, ScalarOp op, DType dtype, int n, const Elem *args, const Instr *from) {
    KValue *values[4];
    if (dtype_is_complex(dtype) && op != SCALAR_COMPLEX) return complex_scalar(p, op, dtype, n, args, from);
    if (op == SCALAR_COMPLEX) return (Elem){{args[0].part[0], args[1].part[0]}};
    if (op == SCALAR_REAL) return args[0];
    if (op == SCALAR_IMAG) return elem_constant(p, dtype, 0, 0);
    if (dtype == DT_PRED && op == SCALAR_CLAMP) return pred_clamp(p, args, from);
    if (dtype == DT_PRED) op = pred_operator(op);
    if (op == SCALAR_ABS && dtype_class(dtype) == DTYPE_UNSIGNED) return args[0];
    for (int i = 0; i < n; i++) values[i] = args[i].part[0];
    bool narrow = dtype_is_integer(dtype) && dtype_bits(dtype) < 8;
    if (narrow && (op == SCALAR_SHRL || op == SCALAR_CLZ)) values[0] = own_bits(p, dtype, values[0], from);
    KValue *value = kvalue_scalar(p->func, op, n, values, from);
    if (narrow && op == SCALAR_CLZ)
        value = binary(p, SCALAR_SUB, value, kvalue_int(p->func, value->type.dtype, 8 - dtype_bits(dtype)), from);
    return (Elem){{wrapped(p, dtype, rounded(p, op, dtype, value, from), from), NULL}};
}
