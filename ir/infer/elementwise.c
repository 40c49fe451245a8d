/* Shapes of elementwise opcodes: element types and equal dims. */
#include "ir/infer/infer.h"

/* ---- one operand ------------------------------------------------------------------------------------------------- */

static const Shape *same_of_class(Infer *f, unsigned classes) {
    return need_class(f, 0, classes) ? operand(f, 0) : NULL;
}

INFER(same_float) {
    return same_of_class(f, CLASS_FLOAT | CLASS_COMPLEX);
}

INFER(same_real_float) {
    return same_of_class(f, CLASS_FLOAT);
}

INFER(same_integer) {
    return same_of_class(f, CLASS_INTEGER);
}

INFER(same_number) {
    return same_of_class(f, CLASS_NUMBER);
}

INFER(same_bits) {
    return same_of_class(f, CLASS_INTEGER | CLASS_PRED);
}

INFER(same_signed) {
    return same_of_class(f, CLASS_SIGNED | CLASS_FLOAT | CLASS_COMPLEX);
}

INFER(abs) {
    if (!need_class(f, 0, CLASS_SIGNED | CLASS_FLOAT | CLASS_COMPLEX)) return NULL;
    return same_dims_as(f, operand(f, 0), dtype_component(operand(f, 0)->dtype));
}

INFER(component) {
    if (!need_class(f, 0, CLASS_FLOAT | CLASS_COMPLEX)) return NULL;
    return same_dims_as(f, operand(f, 0), dtype_component(operand(f, 0)->dtype));
}

INFER(is_finite) {
    return need_class(f, 0, CLASS_FLOAT) ? same_dims_as(f, operand(f, 0), DT_PRED) : NULL;
}

INFER(same_any) {
    return operand(f, 0);
}

/* ---- conversions ------------------------------------------------------------------------------------------------- */

/* The element type that the text asks for. */
static bool need_array_result(Infer *f) {
    if (shape_is_array(f->instr->shape)) return true;
    return refuse_shape(f, E_RESULT_SHAPE, "'%s' gives an array, not %s", opcode(f), shape_words(f, f->instr->shape));
}

INFER(convert) {
    if (!need_array(f, 0) || !need_array_result(f)) return NULL;
    return same_dims_as(f, operand(f, 0), f->instr->shape->dtype);
}

INFER(bitcast_convert) {
    if (!need_array(f, 0) || !need_array_result(f)) return NULL;
    const Shape *from = operand(f, 0);
    DType to = f->instr->shape->dtype;
    if (dtype_is_complex(from->dtype) != dtype_is_complex(to))
        return refuse_operand(f, 0, E_OPERAND_TYPE,
                              "the bits of %s cannot be those of %s: both are complex or neither is",
                              shape_words(f, from), dtype_name(to));
    int bits = from->dtype == DT_PRED ? 8 : dtype_bits(from->dtype), to_bits = to == DT_PRED ? 8 : dtype_bits(to);
    if (bits == to_bits) return same_dims_as(f, from, to);
    Sizes sizes = {0};
    int kept = bits > to_bits ? from->rank : from->rank - 1;
    if (bits % to_bits && to_bits % bits)
        return refuse_operand(f, 0, E_OPERAND_TYPE, "elements of %d bits cannot become elements of %d", bits, to_bits);
    if (bits < to_bits && (from->rank == 0 || !sizes_agree(from->dims[kept], to_bits / bits)))
        return refuse_operand(f, 0, E_OPERAND_SHAPE, "%s to %s needs a last dimension of size %d", shape_words(f, from),
                              dtype_name(to), to_bits / bits);
    for (int d = 0; d < kept; d++) vec_push(f->arena, &sizes, from->dims[d]);
    if (bits > to_bits) vec_push(f->arena, &sizes, bits / to_bits);
    return array_of(f, to, &sizes);
}

INFER(reduce_precision) {
    if (!need_class(f, 0, CLASS_FLOAT)) return NULL;
    if (instr_int(f->instr, ATTR_EXPONENT_BITS, 1) < 1)
        return refuse_attr(f, ATTR_EXPONENT_BITS, E_VALUE, "'exponent_bits' is at least 1");
    if (instr_int(f->instr, ATTR_MANTISSA_BITS, 0) < 0)
        return refuse_attr(f, ATTR_MANTISSA_BITS, E_VALUE, "'mantissa_bits' is at least 0");
    return operand(f, 0);
}

INFER(stochastic_convert) {
    if (!need_class(f, 0, CLASS_FLOAT) || !need_class(f, 1, CLASS_UNSIGNED) || !need_same_dims(f, 1, 0)) return NULL;
    int bits = dtype_bits(operand(f, 0)->dtype);
    if (dtype_bits(operand(f, 1)->dtype) != bits)
        return refuse_operand(f, 1, E_OPERAND_TYPE, "the random bits for %s have %d bits each, not those of %s",
                              shape_words(f, operand(f, 0)), bits, shape_words(f, operand(f, 1)));
    return need_array_result(f) ? same_dims_as(f, operand(f, 0), f->instr->shape->dtype) : NULL;
}

/* ---- two operands ------------------------------------------------------------------------------------------------ */

static const Shape *binary_of_class(Infer *f, unsigned classes) {
    if (!need_class(f, 0, classes) || !need_same_dtype(f, 1, 0) || !need_same_dims(f, 1, 0)) return NULL;
    return operand(f, 0);
}

INFER(binary) {
    return binary_of_class(f, CLASS_ANY);
}

INFER(binary_bits) {
    return binary_of_class(f, CLASS_INTEGER | CLASS_PRED);
}

INFER(binary_float) {
    return binary_of_class(f, CLASS_FLOAT | CLASS_COMPLEX);
}

INFER(binary_number) {
    return binary_of_class(f, CLASS_NUMBER);
}

INFER(binary_real) {
    return binary_of_class(f, CLASS_INTEGER | CLASS_FLOAT);
}

INFER(binary_integer) {
    return binary_of_class(f, CLASS_INTEGER);
}

static ComparisonType own_comparison(DType dtype) {
    if (dtype_is_float(dtype) || dtype_is_complex(dtype)) return COMPARE_FLOAT;
    return dtype_class(dtype) == DTYPE_SIGNED ? COMPARE_SIGNED : COMPARE_UNSIGNED;
}

INFER(compare) {
    if (!need_array(f, 0) || !need_same_dtype(f, 1, 0) || !need_same_dims(f, 1, 0)) return NULL;
    DType dtype = operand(f, 0)->dtype;
    const Attr *type = instr_attr(f->instr, ATTR_TYPE), *order = instr_attr(f->instr, ATTR_ORDER);
    int64_t direction = instr_int(f->instr, ATTR_DIRECTION, DIRECTION_EQ);
    if (type && order) return refuse_attr(f, ATTR_ORDER, E_VALUE, "'type' and 'order' exclude each other");
    bool total_floats = type && type->integer == COMPARE_TOTALORDER && dtype_is_float(dtype);
    if (type && !total_floats && (ComparisonType)type->integer != own_comparison(dtype))
        return refuse_attr(f, ATTR_TYPE, E_VALUE, "%s cannot be compared as %s", shape_words(f, operand(f, 0)),
                           attr_word(ATTR_KIND_COMPARISON_TYPE, (int)type->integer));
    if (order && order->integer != ORDER_TOTAL && own_comparison(dtype) != COMPARE_FLOAT)
        return refuse_attr(f, ATTR_ORDER, E_VALUE, "the order of %s is total", shape_words(f, operand(f, 0)));
    if (dtype_is_complex(dtype) && direction != DIRECTION_EQ && direction != DIRECTION_NE)
        return refuse_attr(f, ATTR_DIRECTION, E_VALUE, "complex numbers have no order: only EQ and NE compare %s",
                           shape_words(f, operand(f, 0)));
    return same_dims_as(f, operand(f, 0), DT_PRED);
}

INFER(complex) {
    if (!need_class(f, 0, CLASS_FLOAT)) return NULL;
    DType dtype = operand(f, 0)->dtype;
    if (dtype != DT_F32 && dtype != DT_F64)
        return refuse_operand(f, 0, E_OPERAND_TYPE, "the parts of complex numbers are f32 or f64, not %s",
                              dtype_name(dtype));
    if (!need_same_dtype(f, 1, 0) || !need_same_dims(f, 1, 0)) return NULL;
    return same_dims_as(f, operand(f, 0), dtype == DT_F32 ? DT_C64 : DT_C128);
}

/* ---- three operands ---------------------------------------------------------------------------------------------- */

INFER(clamp) {
    if (!need_array(f, 1)) return NULL;
    for (int k = 0; k <= 2; k += 2) {
        if (!need_same_dtype(f, k, 1)) return NULL;
        if (operand(f, k)->rank != 0 && !need_same_dims(f, k, 1)) return NULL;
    }
    return operand(f, 1);
}

INFER(select) {
    if (!need_class(f, 0, CLASS_PRED) || !need_array(f, 1) || !need_same_dtype(f, 2, 1) || !need_same_dims(f, 2, 1))
        return NULL;
    if (operand(f, 0)->rank != 0 && !need_same_dims(f, 0, 1)) return NULL;
    return operand(f, 1);
}

/* ---- map --------------------------------------------------------------------------------------------------------- */

INFER(map) {
    const Instr *instr = f->instr;
    if (!instr->n_operands) return refuse_op(f, E_OPERAND_COUNT, "'map' takes at least 1 operand, not 0");
    const Shape **scalars = NEW_ARRAY(f->arena, const Shape *, instr->n_operands);
    for (int k = 0; k < instr->n_operands; k++) {
        if (!need_array(f, k) || (k && !need_same_dims(f, k, 0))) return NULL;
        scalars[k] = shape_scalar(f->arena, operand(f, k)->dtype);
    }
    IntList dims = instr_ints(instr, ATTR_DIMENSIONS);
    bool all = dims.n == operand(f, 0)->rank || !dims.n; /* XLA takes {} for all of them */
    for (int i = 0; i < dims.n; i++) all = all && dims.at[i] == i;
    if (!all && instr_attr(instr, ATTR_DIMENSIONS))
        return refuse_attr(f, ATTR_DIMENSIONS, E_DIMENSIONS, "'dimensions' of 'map' are all of %s in order",
                           shape_words(f, operand(f, 0)));
    const Computation *computation = callee(f, ATTR_TO_APPLY);
    if (!computation) return instr->shape ? instr->shape : operand(f, 0);
    if (!need_parameters(f, ATTR_TO_APPLY, computation, instr->n_operands, scalars)) return NULL;
    const Shape *root = computation->root->shape;
    if (!shape_is_array(root) || root->rank != 0)
        return refuse_attr(f, ATTR_TO_APPLY, E_CALLEE,
                           "'map' needs a computation that returns a scalar, but '%s' returns %s", computation->name,
                           shape_words(f, root));
    return same_dims_as(f, operand(f, 0), root->dtype);
}
