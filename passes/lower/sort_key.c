#include "passes/lower/sort_key.h"

/* --- the comparator ----------------------------------------------------------------------------------------------- */

typedef struct {
    int first;   /* number of the parameter that is read; -1: none */
    bool several;
    int budget;
} Reads;

static void find_reads(Reads *r, const Instr *instr) {
    if (--r->budget < 0) r->several = true;
    if (r->several) return;
    if (instr->op == OP_PARAMETER) {
        r->several = r->first >= 0 && r->first != instr->parameter_number;
        r->first = instr->parameter_number;
    }
    for (int k = 0; k < instr->n_operands; k++) find_reads(r, instr->operands[k]);
}

/* The only parameter on which instr depends; -1: none, or several. */
static int only_parameter(const Instr *instr) {
    enum { MOST_STEPS = 256 };
    Reads reads = {-1, false, MOST_STEPS};
    find_reads(&reads, instr);
    return reads.several ? -1 : reads.first;
}

static DType key_type(DType compared) {
    switch (dtype_bits(register_type(compared))) {
    case 64: return DT_U64;
    case 32: return DT_U32;
    case 16: return DT_U16;
    default: return DT_U8;
    }
}

/* Side k of the comparison for an element that stands for both of what is compared. */
static Elem side_of(Kernel *kernel, const SortKey *key, int side, Elem element) {
    Elem *arguments = NEW_ARRAY(kernel->frame->low->arena, Elem, key->comparator->n_parameters);
    arguments[2 * key->operand] = arguments[2 * key->operand + 1] = element;
    return pull_within(&kernel->puller, key->comparator, arguments, key->compare->operands[side]);
}

bool sort_key_of(Kernel *kernel, const Instr *sort, SortKey *found) {
    const Computation *comparator = instr_computation(sort, ATTR_TO_APPLY);
    Instr *root = comparator->root;
    if (root->op != OP_COMPARE) return false;
    Direction direction = (Direction)instr_int(root, ATTR_DIRECTION, DIRECTION_EQ);
    bool less = direction == DIRECTION_LT, greater = direction == DIRECTION_GT;
    int left = only_parameter(root->operands[0]), right = only_parameter(root->operands[1]);
    DType compared = root->operands[0]->shape->dtype;
    if (!(less || greater) || left < 0 || right < 0 || left / 2 != right / 2 || left == right) return false;
    if (dtype_is_complex(compared)) return false;
    *found = (SortKey){left / 2, greater != (left % 2 == 1), comparator, root, 0, key_type(compared)};
    DType dtype = sort->operands[found->operand]->shape->dtype;
    if (dtype_is_complex(dtype)) return false;
    KVar *any = kvar_new(kernel->scope->func, NULL, "any", (KType){register_type(dtype), 1}, false);
    Elem element = {{kvalue_var(kernel->scope->func, any), NULL}};
    pull_forget(&kernel->puller);
    return side_of(kernel, found, 0, element).part[0] == side_of(kernel, found, 1, element).part[0];
}

/* --- keys --------------------------------------------------------------------------------------------------------- */

static KValue *op2(KFunc *f, ScalarOp op, KValue *a, KValue *b) {
    return kvalue_scalar(f, op, 2, (KValue *[]){a, b}, NULL);
}

/* Floats as integers in the same order. Unless the order is total, zeros are equal, and NaNs come last. */
static KValue *ordered_bits(KFunc *f, KValue *value, bool total) {
    DType dtype = value->type.dtype, integer = dtype == DT_F64 ? DT_S64 : DT_S32;
    int bits = dtype_bits(dtype);
    if (!total) {
        KValue *zero = kvalue_float(f, dtype, 0),
               *nan =
                   kvalue_bitcast(f, dtype, kvalue_int(f, integer, bits == 64 ? 0x7ff8000000000000 : 0x7fc00000), NULL);
        value = kvalue_scalar(f, SCALAR_SELECT, 3, (KValue *[]){op2(f, SCALAR_EQ, value, zero), zero, value}, NULL);
        value = kvalue_scalar(f, SCALAR_SELECT, 3, (KValue *[]){op2(f, SCALAR_NE, value, value), nan, value}, NULL);
    }
    KValue *raw = kvalue_bitcast(f, integer, value, NULL);
    KValue *sign = op2(f, SCALAR_SHRA, raw, kvalue_int(f, integer, bits - 1));
    KValue *magnitude = kvalue_int(f, integer, bits == 64 ? INT64_MAX : INT32_MAX);
    return op2(f, SCALAR_XOR, raw, op2(f, SCALAR_AND, sign, magnitude));
}

Elem sort_key(Kernel *kernel, const SortKey *key, Elem element) {
    KFunc *f = kernel->scope->func;
    KValue *value = side_of(kernel, key, 0, element).part[0];
    if (dtype_is_float(value->type.dtype))
        value = ordered_bits(f, value, compare_type(key->compare) == COMPARE_TOTALORDER);
    if (value->type.dtype == DT_PRED) value = kvalue_convert(f, DT_U8, value, NULL);
    if (dtype_class(value->type.dtype) == DTYPE_SIGNED) {
        value = kvalue_bitcast(f, key->key, value, NULL);
        uint64_t top = (uint64_t)1 << (dtype_bits(key->key) - 1);
        value = op2(f, SCALAR_XOR, value, kvalue_const(f, value->type, top));
    }
    if (key->descending) value = kvalue_scalar(f, SCALAR_NOT, 1, &value, NULL);
    return (Elem){{value, NULL}};
}
