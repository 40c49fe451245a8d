#include "ir/kernel.h"

#include <math.h>
#include <string.h>

/* Arithmetic on constants, and with what changes nothing: exactly what the generated code would compute. */

static double number_of(const KValue *value) {
    double number = 0;
    kvalue_is_const(value, &number);
    return number;
}

/* The bits of an integer or pred constant, sign-extended where the type is signed. */
static int64_t integer_of(const KValue *value) {
    int unused = 64 - dtype_bits(value->type.dtype);
    if (dtype_class(value->type.dtype) != DTYPE_SIGNED || !unused) return (int64_t)value->bits;
    return (int64_t)(value->bits << unused) >> unused;
}

static bool compares(ScalarOp op, int order, bool *result) { /* order: -1, 0, 1; 2: one is NaN */
    *result = op == SCALAR_EQ   ? order == 0
              : op == SCALAR_NE ? order != 0
              : op == SCALAR_LT ? order == -1
              : op == SCALAR_LE ? order == -1 || order == 0
              : op == SCALAR_GT ? order == 1
                                : order == 1 || order == 0;
    return op == SCALAR_EQ || op == SCALAR_NE || op == SCALAR_LT || op == SCALAR_LE || op == SCALAR_GT ||
           op == SCALAR_GE;
}

static KValue *fold_integers(KFunc *f, ScalarOp op, int n, KValue *const *args) {
    DType dtype = args[0]->type.dtype;
    int64_t a = integer_of(args[0]), b = n > 1 ? integer_of(args[1]) : 0;
    bool is_signed = dtype_class(dtype) == DTYPE_SIGNED, holds;
    bool less = is_signed ? a < b : (uint64_t)a < (uint64_t)b;
    if (compares(op, a == b ? 0 : less ? -1 : 1, &holds)) return kvalue_int(f, DT_PRED, holds);
    if (op == SCALAR_AND) return kvalue_int(f, dtype, a & b);
    if (op == SCALAR_OR) return kvalue_int(f, dtype, a | b);
    if (op == SCALAR_XOR) return kvalue_int(f, dtype, a ^ b);
    if (op == SCALAR_NOT) return kvalue_int(f, dtype, dtype == DT_PRED ? !a : ~a);
    if (dtype == DT_PRED) return NULL;
    if (op == SCALAR_ADD) return kvalue_int(f, dtype, (int64_t)((uint64_t)a + (uint64_t)b));
    if (op == SCALAR_SUB) return kvalue_int(f, dtype, (int64_t)((uint64_t)a - (uint64_t)b));
    if (op == SCALAR_MUL) return kvalue_int(f, dtype, (int64_t)((uint64_t)a * (uint64_t)b));
    if (op == SCALAR_NEG) return kvalue_int(f, dtype, (int64_t)(0 - (uint64_t)a));
    if (op == SCALAR_MAX) return args[less ? 1 : 0];
    if (op == SCALAR_MIN) return args[less ? 0 : 1];
    return NULL;
}

/* One rounding, in the type itself. */
static bool arithmetic(ScalarOp op, DType dtype, double a, double b, double *result) {
    bool narrow = dtype == DT_F32;
    float x = (float)a, y = (float)b;
    if (op == SCALAR_ADD) *result = narrow ? (double)(x + y) : a + b;
    else if (op == SCALAR_SUB) *result = narrow ? (double)(x - y) : a - b;
    else if (op == SCALAR_MUL) *result = narrow ? (double)(x * y) : a * b;
    else if (op == SCALAR_DIV) *result = narrow ? (double)(x / y) : a / b;
    else if (op == SCALAR_NEG) *result = -a;
    else if (op == SCALAR_ABS) *result = fabs(a);
    else return false;
    return !isnan(*result);
}

static KValue *fold_floats(KFunc *f, ScalarOp op, int n, KValue *const *args) {
    DType dtype = args[0]->type.dtype;
    double a = number_of(args[0]), b = n > 1 ? number_of(args[1]) : 0, result;
    bool holds;
    if (compares(op, isnan(a) || isnan(b) ? 2 : a == b ? 0 : a < b ? -1 : 1, &holds))
        return kvalue_int(f, DT_PRED, holds);
    if (dtype != DT_F32 && dtype != DT_F64) return NULL;
    return arithmetic(op, dtype, a, b, &result) ? kvalue_float(f, dtype, result) : NULL;
}

/* Whether x op constant is x, for any x. right: the constant is the second operand. */
static bool changes_nothing(ScalarOp op, const KValue *constant, bool right) {
    DType dtype = constant->type.dtype;
    bool is_float = dtype_is_float(dtype), zero = number_of(constant) == 0,
         minus = is_float && signbit(number_of(constant));
    if (op == SCALAR_ADD) return zero && (!is_float || minus);
    if (op == SCALAR_SUB) return right && zero && !minus;
    if (op == SCALAR_MUL) return number_of(constant) == 1;
    if (op == SCALAR_DIV) return right && number_of(constant) == 1;
    if (op == SCALAR_OR || op == SCALAR_XOR) return zero;
    return op == SCALAR_AND && dtype == DT_PRED && !zero;
}

/* A value with itself. NaN is neither equal to itself nor anything else. */
static KValue *fold_equal(KFunc *f, ScalarOp op, KValue *x) {
    bool holds, is_float = dtype_is_float(x->type.dtype);
    if (op == SCALAR_AND || op == SCALAR_OR || op == SCALAR_MAX || op == SCALAR_MIN) return x;
    if (!compares(op, 0, &holds) || (is_float && op != SCALAR_LT && op != SCALAR_GT)) return NULL;
    return kvalue_int(f, DT_PRED, holds);
}

KValue *kvalue_fold(KFunc *f, ScalarOp op, int n, KValue *const *args) {
    if (n > 2) return NULL;
    if (n == 2 && args[0] == args[1]) {
        KValue *equal = fold_equal(f, op, args[0]);
        if (equal) return kvalue_splat(f, args[0]->type.lanes, equal);
    }
    bool all = true;
    for (int i = 0; i < n; i++) all &= args[i]->kind == KVALUE_CONST && args[i]->type.lanes == 1;
    if (all) return dtype_is_float(args[0]->type.dtype) ? fold_floats(f, op, n, args) : fold_integers(f, op, n, args);
    for (int i = 0; n == 2 && i < 2; i++) {
        double number;
        const KValue *x = args[1 - i];
        if (kvalue_is_const(args[i], &number) && args[i]->type.lanes <= x->type.lanes &&
            x->type.dtype == args[i]->type.dtype &&
            changes_nothing(op, args[i]->kind == KVALUE_SPLAT ? args[i]->args[0] : args[i], i == 1))
            return args[1 - i];
    }
    return NULL;
}
