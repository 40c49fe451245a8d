#include "ir/literal.h"

#include <math.h>
#include <string.h>

Literal *literal_new(Arena *arena, const Shape *shape) {
    Literal *literal = NEW(arena, Literal);
    literal->shape = shape;
    if (shape_is_array(shape)) {
        literal->data = arena_alloc(arena, (size_t)shape_bytes(shape));
    } else {
        literal->elements = NEW_ARRAY(arena, Literal *, shape->n_elements);
        for (int i = 0; i < shape->n_elements; i++) literal->elements[i] = literal_new(arena, shape->elements[i]);
    }
    return literal;
}

static uint64_t load_bits(const void *at, int bytes) {
    switch (bytes) {
    case 1: return *(const uint8_t *)at;
    case 2: return *(const uint16_t *)at;
    case 4: return *(const uint32_t *)at;
    default: return *(const uint64_t *)at;
    }
}

static void store_bits(void *at, int bytes, uint64_t bits) {
    switch (bytes) {
    case 1: *(uint8_t *)at = (uint8_t)bits; return;
    case 2: *(uint16_t *)at = (uint16_t)bits; return;
    case 4: *(uint32_t *)at = (uint32_t)bits; return;
    default: *(uint64_t *)at = bits;
    }
}

static double load_float(DType dtype, const void *at) {
    if (dtype == DT_F64) return *(const double *)at;
    if (dtype == DT_F32) return *(const float *)at;
    return small_float_to_double(dtype, (unsigned)load_bits(at, dtype_bytes(dtype)));
}

static void store_float(DType dtype, void *at, double value) {
    if (dtype == DT_F64) *(double *)at = value;
    else if (dtype == DT_F32) *(float *)at = (float)value;
    else store_bits(at, dtype_bytes(dtype), small_float_from_double(dtype, value));
}

static int64_t load_int(DType dtype, const void *at) {
    int bytes = dtype_bytes(dtype), shift = 64 - 8 * bytes;
    uint64_t bits = load_bits(at, bytes);
    return dtype_class(dtype) == DTYPE_SIGNED ? (int64_t)(bits << shift) >> shift : (int64_t)bits;
}

/* Keeps as many bits as the type has, and extends them to the bytes that hold an element. */
static void store_int(DType dtype, void *at, int64_t value) {
    int shift = 64 - dtype_bits(dtype);
    uint64_t bits = (uint64_t)value << shift;
    bits = dtype_class(dtype) == DTYPE_SIGNED ? (uint64_t)((int64_t)bits >> shift) : bits >> shift;
    store_bits(at, dtype_bytes(dtype), bits);
}

static void *element_at(const Literal *literal, int64_t i) {
    return (char *)literal->data + i * dtype_bytes(literal->shape->dtype);
}

double literal_double(const Literal *literal, int64_t i) {
    DType dtype = literal->shape->dtype;
    const void *at = element_at(literal, i);
    if (dtype_is_float(dtype) || dtype_is_complex(dtype)) return load_float(dtype_component(dtype), at);
    int64_t value = load_int(dtype, at);
    return dtype_class(dtype) == DTYPE_UNSIGNED ? (double)(uint64_t)value : (double)value;
}

double literal_imag(const Literal *literal, int64_t i) {
    DType dtype = literal->shape->dtype, component = dtype_component(dtype);
    if (!dtype_is_complex(dtype)) return 0;
    return load_float(component, (const char *)element_at(literal, i) + dtype_bytes(component));
}

int64_t literal_int(const Literal *literal, int64_t i) {
    return load_int(literal->shape->dtype, element_at(literal, i));
}

/* Truncates toward zero and wraps, where C's conversion would be undefined. */
static int64_t wrap_to_int(double value) {
    if (!isfinite(value)) return 0;
    double whole = trunc(value);
    if (whole >= -0x1p63 && whole < 0x1p63) return (int64_t)whole;
    double rest = fmod(whole, 0x1p64);
    return (int64_t)(rest < 0 ? 0 - (uint64_t)-rest : (uint64_t)rest);
}

void literal_set_double(Literal *literal, int64_t i, double re, double im) {
    DType dtype = literal->shape->dtype, component = dtype_component(dtype);
    char *at = element_at(literal, i);
    if (dtype_is_complex(dtype)) {
        store_float(component, at, re);
        store_float(component, at + dtype_bytes(component), im);
    } else if (dtype_is_float(dtype)) {
        store_float(dtype, at, re);
    } else if (dtype == DT_PRED) {
        *at = re != 0;
    } else {
        store_int(dtype, at, wrap_to_int(re));
    }
}

void literal_set_int(Literal *literal, int64_t i, int64_t value) {
    DType dtype = literal->shape->dtype;
    if (dtype == DT_PRED) *(char *)element_at(literal, i) = value != 0;
    else if (dtype_is_integer(dtype)) store_int(dtype, element_at(literal, i), value);
    else literal_set_double(literal, i, (double)value, 0);
}

bool literals_equal(const Literal *a, const Literal *b) {
    if (a->elided || b->elided || !shapes_compatible(a->shape, b->shape)) return false;
    if (shape_is_array(a->shape)) return memcmp(a->data, b->data, (size_t)shape_bytes(a->shape)) == 0;
    for (int i = 0; i < a->shape->n_elements; i++)
        if (!literals_equal(a->elements[i], b->elements[i])) return false;
    return true;
}

bool literal_is_splat(const Literal *literal) {
    if (literal->elided || !shape_is_array(literal->shape)) return false;
    size_t bytes = (size_t)shape_bytes(literal->shape), one = (size_t)dtype_bytes(literal->shape->dtype);
    return bytes > 0 && memcmp(literal->data, (const char *)literal->data + one, bytes - one) == 0;
}
