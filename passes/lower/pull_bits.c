#include "passes/lower/pull.h"

#include <math.h>

#include "ir/literal.h"

/* Element rules that look at bits: bitcast, bitcast-convert, mulhi, reduce-precision, stochastic-convert. */

static DType operand_dtype(const Instr *instr) {
    return element_shape(instr->operands[0])->dtype;
}

static KValue *binary(Puller *p, ScalarOp op, KValue *x, KValue *y, const Instr *from) {
    return kvalue_scalar(p->func, op, 2, (KValue *[]){x, y}, from);
}

static KValue *chosen(Puller *p, KValue *condition, KValue *yes, KValue *no, const Instr *from) {
    return kvalue_scalar(p->func, SCALAR_SELECT, 3, (KValue *[]){condition, yes, no}, from);
}

/* op of x and a number of x's integer type. */
static KValue *with_int(Puller *p, ScalarOp op, KValue *x, int64_t y, const Instr *from) {
    return binary(p, op, x, kvalue_int(p->func, x->type.dtype, y), from);
}

/* --- reinterpreted bits ------------------------------------------------------------------------------------------- */

static DType unsigned_of(int bytes) {
    return bytes == 1 ? DT_U8 : bytes == 2 ? DT_U16 : bytes == 4 ? DT_U32 : DT_U64;
}

/* The bits of a value of a storage type, as an unsigned integer of its size. */
static KValue *to_bits(Puller *p, DType storage, KValue *value, const Instr *instr) {
    DType bits = unsigned_of(dtype_bytes(storage));
    if (dtype_is_float(storage) && register_type(storage) != storage)
        return kvalue_encode(p->func, storage, value, instr);
    if (storage == DT_PRED) return kvalue_convert(p->func, bits, value, instr);
    return kvalue_bitcast(p->func, bits, value, instr);
}

static KValue *from_bits(Puller *p, DType storage, KValue *bits, const Instr *instr) {
    DType type = register_type(storage);
    if (dtype_is_float(storage) && type != storage) return kvalue_decode(p->func, storage, bits, instr);
    if (storage == DT_PRED) return kvalue_convert(p->func, DT_PRED, bits, instr);
    return kvalue_bitcast(p->func, type, bits, instr);
}

/* Bits of an element as bitcast-convert counts them; pred is a byte. */
static int width_of(DType dtype) {
    return dtype == DT_PRED ? 8 : dtype_bits(dtype);
}

/* Part `part` (from the low end) of a wider element. */
static Elem narrow_bits(Puller *p, Instr *instr, Elem from, const Index *part) {
    DType to = instr->shape->dtype, source = operand_dtype(instr);
    if (dtype_is_complex(source)) { /* a component */
        KValue *second = pull_inside(p, part, (Interval){1, 1});
        return elem_select(p, second, (Elem){{from.part[1], NULL}}, (Elem){{from.part[0], NULL}}, instr);
    }
    KValue *bits = to_bits(p, source, from.part[0], instr);
    KValue *by = pull_index(p, bits->type.dtype, index_times(p->pool, part, width_of(to)));
    KValue *low = kvalue_convert(p->func, unsigned_of(dtype_bytes(to)), binary(p, SCALAR_SHRL, bits, by, instr), instr);
    return apply_width(p, to, (Elem){{from_bits(p, to, low, instr), NULL}}, instr);
}

/* Without the sign that a byte adds to fewer bits. */
static KValue *own_width(Puller *p, DType storage, KValue *bits, const Instr *instr) {
    if (width_of(storage) >= 8) return bits;
    return with_int(p, SCALAR_AND, bits, (1 << width_of(storage)) - 1, instr);
}

static Elem widen_bits(Puller *p, Instr *instr, const Index *const *index) {
    DType to = instr->shape->dtype, source = operand_dtype(instr);
    int parts = width_of(to) / width_of(source);
    DType wide = unsigned_of(dtype_bytes(to));
    KValue *bits = NULL;
    Elem elem = {{NULL, NULL}};
    for (int i = 0; i < parts; i++) {
        const Index *range = index_const(p->pool, i);
        Elem part = pull_operand(p, instr, 0, index, &range);
        if (dtype_is_complex(to)) {
            elem.part[i] = part.part[0];
            continue;
        }
        KValue *piece =
            kvalue_convert(p->func, wide, own_width(p, source, to_bits(p, source, part.part[0], instr), instr), instr);
        if (i) piece = binary(p, SCALAR_SHL, piece, kvalue_int(p->func, wide, width_of(source) * i), instr);
        bits = bits ? kvalue_scalar(p->func, SCALAR_OR, 2, (KValue *[]){bits, piece}, instr) : piece;
    }
    if (!dtype_is_complex(to)) elem.part[0] = from_bits(p, to, bits, instr);
    return elem;
}

/* Which part of a wider operand element the result element is: its fastest dim, in memory for bitcast. */
static const Index *part_of(const Instr *instr, const Index *const *index) {
    const Shape *to = instr->shape;
    if (instr->op == OP_BITCAST && to->layout && to->layout->n_minor_to_major)
        return index[to->layout->minor_to_major[0]];
    return index[to->rank - 1];
}

/* A bitcast may split elements across dims of any size: the part is the position in memory modulo the ratio. */
static const Index *bitcast_part(Puller *p, const Instr *instr, const Index *const *index, int64_t ratio) {
    if (instr->op != OP_BITCAST) return part_of(instr, index);
    const Index *linear = subscript_of(p, instr->shape, index);
    return index_simplify(p->func->domain, index_modulo(p->pool, linear, ratio));
}

Elem elem_bitcast(Puller *p, Instr *instr, const Index *const *index) {
    DType to = instr->shape->dtype, source = operand_dtype(instr);
    int wide = width_of(to), narrow = width_of(source);
    if (wide > narrow) return widen_bits(p, instr, index);
    Elem from = pull_operand(p, instr, 0, index, NULL);
    if (wide < narrow) return narrow_bits(p, instr, from, bitcast_part(p, instr, index, narrow / wide));
    if (to == source || dtype_is_complex(to)) return from;
    return apply_width(p, to, (Elem){{from_bits(p, to, to_bits(p, source, from.part[0], instr), instr), NULL}}, instr);
}

/* --- mulhi -------------------------------------------------------------------------------------------------------- */

/* The upper 64 bits of a product of two u64, from products of halves (Hacker's Delight, 8-2). */
static KValue *mulhi_u64(Puller *p, KValue *x, KValue *y, const Instr *from) {
    const int64_t low = 0xFFFFFFFF;
    KValue *xl = with_int(p, SCALAR_AND, x, low, from), *xh = with_int(p, SCALAR_SHRL, x, 32, from);
    KValue *yl = with_int(p, SCALAR_AND, y, low, from), *yh = with_int(p, SCALAR_SHRL, y, 32, from);
    KValue *carry = with_int(p, SCALAR_SHRL, binary(p, SCALAR_MUL, xl, yl, from), 32, from);
    KValue *middle = binary(p, SCALAR_ADD, binary(p, SCALAR_MUL, xh, yl, from), carry, from);
    KValue *other = binary(p, SCALAR_ADD, binary(p, SCALAR_MUL, xl, yh, from),
                           with_int(p, SCALAR_AND, middle, low, from), from);
    KValue *high = binary(p, SCALAR_ADD, binary(p, SCALAR_MUL, xh, yh, from),
                          with_int(p, SCALAR_SHRL, middle, 32, from), from);
    return binary(p, SCALAR_ADD, high, with_int(p, SCALAR_SHRL, other, 32, from), from);
}

/* As unsigned numbers, a negative factor is 2^64 too large: that adds the other factor to the upper half. */
static KValue *mulhi_s64(Puller *p, KValue *x, KValue *y, const Instr *from) {
    KValue *high =
        mulhi_u64(p, kvalue_bitcast(p->func, DT_U64, x, from), kvalue_bitcast(p->func, DT_U64, y, from), from);
    high = kvalue_bitcast(p->func, DT_S64, high, from);
    high = binary(p, SCALAR_SUB, high, binary(p, SCALAR_AND, with_int(p, SCALAR_SHRA, x, 63, from), y, from), from);
    return binary(p, SCALAR_SUB, high, binary(p, SCALAR_AND, with_int(p, SCALAR_SHRA, y, 63, from), x, from), from);
}

Elem elem_mulhi(Puller *p, Instr *instr, const Index *const *index) {
    DType dtype = instr->shape->dtype;
    bool is_signed = dtype_class(dtype) == DTYPE_SIGNED;
    KValue *factors[2];
    for (int k = 0; k < 2; k++) factors[k] = pull_operand(p, instr, k, index, NULL).part[0];
    if (dtype == DT_U64) return (Elem){{mulhi_u64(p, factors[0], factors[1], instr), NULL}};
    if (dtype == DT_S64) return (Elem){{mulhi_s64(p, factors[0], factors[1], instr), NULL}};
    int bytes = dtype_bytes(dtype);
    DType wide = is_signed ? (bytes == 1 ? DT_S16 : bytes == 2 ? DT_S32 : DT_S64)
                           : (bytes == 1 ? DT_U16 : bytes == 2 ? DT_U32 : DT_U64);
    for (int k = 0; k < 2; k++) factors[k] = kvalue_convert(p->func, wide, factors[k], instr);
    KValue *product = binary(p, SCALAR_MUL, factors[0], factors[1], instr);
    KValue *high = with_int(p, is_signed ? SCALAR_SHRA : SCALAR_SHRL, product, dtype_bits(dtype), instr);
    return (Elem){{kvalue_convert(p->func, register_type(dtype), high, instr), NULL}};
}

/* --- reduce-precision --------------------------------------------------------------------------------------------- */

/* The bits of infinity; of a type without: of what stands for it. */
static uint64_t infinity_bits(DType dtype) {
    if (dtype == DT_F64) return (uint64_t)0x7FF << 52;
    return dtype == DT_F32 ? (uint64_t)0xFF << 23 : small_float_from_double(dtype, INFINITY);
}

/* To the nearest with `drop` bits less, ties to even; the carry may go into the exponent. */
static KValue *round_bits(Puller *p, KValue *bits, int drop, const Instr *from) {
    KValue *last = with_int(p, SCALAR_AND, with_int(p, SCALAR_SHRL, bits, drop, from), 1, from);
    int64_t half = ((int64_t)1 << (drop - 1)) - 1;
    bits = binary(p, SCALAR_ADD, bits, with_int(p, SCALAR_ADD, last, half, from), from);
    return with_int(p, SCALAR_AND, bits, -((int64_t)1 << drop), from);
}

/* On the bits, as op-semantics.md 1.9 has it: in the operand's own format, whose denormals are fixed-point numbers. */
Elem elem_reduce_precision(Puller *p, Instr *instr, const Index *const *index) {
    DType dtype = operand_dtype(instr);
    int to_exponent = (int)instr_int(instr, ATTR_EXPONENT_BITS, 0),
        to_mantissa = (int)instr_int(instr, ATTR_MANTISSA_BITS, 0);
    int mantissa = dtype_mantissa_bits(dtype), exponent = dtype_exponent_bits(dtype);
    int64_t sign_bit = exponent + mantissa < dtype_bits(dtype) ? (int64_t)((uint64_t)1 << (exponent + mantissa)) : 0;
    KValue *value = pull_operand(p, instr, 0, index, NULL).part[0];
    KValue *all = to_bits(p, dtype, value, instr), *sign = with_int(p, SCALAR_AND, all, sign_bit, instr);
    KValue *bits = with_int(p, SCALAR_AND, all, ~sign_bit, instr);
    KValue *infinity = kvalue_int(p->func, bits->type.dtype, (int64_t)infinity_bits(dtype));
    if (to_mantissa < mantissa) bits = round_bits(p, bits, mantissa - to_mantissa, instr);
    if (to_exponent < exponent) { /* what the narrow exponent cannot say: infinity, and no denormals */
        int64_t bias = ((int64_t)1 << (exponent - 1)) - 1, narrow = ((int64_t)1 << (to_exponent - 1)) - 1;
        KValue *field = with_int(p, SCALAR_SHRL, bits, mantissa, instr);
        bits = chosen(p, with_int(p, SCALAR_GT, field, bias + narrow, instr), infinity, bits, instr);
        KValue *tiny = with_int(p, SCALAR_LE, field, bias - narrow, instr);
        bits = chosen(p, tiny, kvalue_int(p->func, bits->type.dtype, 0), bits, instr);
    }
    bits = binary(p, SCALAR_OR, sign, bits, instr);
    KValue *nan = to_mantissa > 0 ? all : binary(p, SCALAR_OR, sign, infinity, instr);
    bits = chosen(p, binary(p, SCALAR_NE, value, value, instr), nan, bits, instr);
    return (Elem){{from_bits(p, dtype, bits, instr), NULL}};
}

/* --- stochastic-convert ------------------------------------------------------------------------------------------- */

/* Rounds up in magnitude when the random bits are below the fraction, both seen as numbers of as many bits. */
Elem elem_stochastic_convert(Puller *p, Instr *instr, const Index *const *index) {
    KFunc *f = p->func;
    DType to = instr->shape->dtype, type = register_type(to), random_type = element_shape(instr->operands[1])->dtype;
    KValue *x = pull_operand(p, instr, 0, index, NULL).part[0],
           *random = pull_operand(p, instr, 1, index, NULL).part[0];
    DType real = x->type.dtype;
    KValue *size = kvalue_scalar(f, SCALAR_ABS, 1, &x, instr), *whole = kvalue_scalar(f, SCALAR_FLOOR, 1, &size, instr);
    KValue *scale = kvalue_float(f, real, ldexp(1, dtype_bits(random_type)));
    KValue *fraction = binary(p, SCALAR_MUL, binary(p, SCALAR_SUB, size, whole, instr), scale, instr);
    fraction = kvalue_convert(f, register_type(random_type), fraction, instr);
    KValue *up = kvalue_convert(f, type, binary(p, SCALAR_LT, random, fraction, instr), instr);
    KValue *result = binary(p, SCALAR_ADD, kvalue_convert(f, type, whole, instr), up, instr);
    KValue *zero = kvalue_float(f, real, 0), *negative = kvalue_scalar(f, SCALAR_NEG, 1, &result, instr);
    result = chosen(p, binary(p, SCALAR_LT, x, zero, instr), negative, result, instr);
    double limit = ldexp(1, dtype_bits(to) - 1);
    int64_t last = (int64_t)(((uint64_t)1 << (dtype_bits(to) - 1)) - 1);
    KValue *above = binary(p, SCALAR_GE, x, kvalue_float(f, real, limit - 1), instr);
    KValue *below = binary(p, SCALAR_LE, x, kvalue_float(f, real, -limit), instr);
    result = chosen(p, above, kvalue_int(f, type, last), result, instr);
    result = chosen(p, below, kvalue_int(f, type, -last - 1), result, instr);
    result = chosen(p, binary(p, SCALAR_NE, x, x, instr), kvalue_int(f, type, 0), result, instr);
    return (Elem){{result, NULL}};
}
