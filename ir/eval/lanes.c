#include "ir/eval/lanes.h"

#include <math.h>

#include "ir/literal.h"

LaneClass lane_class(DType dtype) {
    return dtype_is_complex(dtype) ? LANE_COMPLEX : dtype_is_float(dtype) ? LANE_FLOAT : LANE_INT;
}

#define LOAD(T, member, expression)                                  \
    do {                                                             \
        const T *x = from;                                           \
        for (int i = 0; i < n; i++) lanes->member[i] = (expression); \
    } while (0)

void lanes_load(Lanes *lanes, DType dtype, const void *from, int n) {
    switch ((int)dtype) {
    case DT_PRED: LOAD(uint8_t, i, x[i] != 0); break;
    case DT_S1: case DT_S2: case DT_S4: case DT_S8: LOAD(int8_t, i, x[i]); break;
    case DT_U1: case DT_U2: case DT_U4: case DT_U8: LOAD(uint8_t, i, x[i]); break;
    case DT_S16: LOAD(int16_t, i, x[i]); break;
    case DT_U16: LOAD(uint16_t, i, x[i]); break;
    case DT_S32: LOAD(int32_t, i, x[i]); break;
    case DT_U32: LOAD(uint32_t, i, x[i]); break;
    case DT_S64: case DT_U64: LOAD(int64_t, i, x[i]); break;
    case DT_F16: case DT_BF16: LOAD(uint16_t, f, small_float_to_double(dtype, x[i])); break;
    case DT_F32: LOAD(float, f, x[i]); break;
    case DT_F64: LOAD(double, f, x[i]); break;
    case DT_C64: LOAD(float, c, ((Complex){x[2 * i], x[2 * i + 1]})); break;
    case DT_C128: LOAD(double, c, ((Complex){x[2 * i], x[2 * i + 1]})); break;
    default: LOAD(uint8_t, f, small_float_to_double(dtype, x[i])); break;
    }
}

int64_t int_wrap(DType dtype, int64_t value) {
    int drop = 64 - dtype_bits(dtype);
    if (dtype == DT_PRED) return value != 0;
    if (dtype_class(dtype) == DTYPE_UNSIGNED) return (int64_t)((uint64_t)value << drop >> drop);
    return (int64_t)((uint64_t)value << drop) >> drop;
}

#define STORE(T, expression)                                \
    do {                                                    \
        T *y = to;                                          \
        for (int i = 0; i < n; i++) y[i] = (T)(expression); \
    } while (0)
#define STORE_COMPLEX(T)                      \
    do {                                      \
        T *y = to;                            \
        for (int i = 0; i < n; i++) {         \
            y[2 * i] = (T)lanes->c[i].re;     \
            y[2 * i + 1] = (T)lanes->c[i].im; \
        }                                     \
    } while (0)

void lanes_store(DType dtype, void *to, const Lanes *lanes, int n) {
    switch ((int)dtype) {
    case DT_PRED: STORE(uint8_t, lanes->i[i] != 0); break;
    case DT_S1: case DT_S2: case DT_S4: case DT_U1: case DT_U2: case DT_U4:
        STORE(int8_t, int_wrap(dtype, lanes->i[i]));
        break;
    case DT_S8: case DT_U8: STORE(uint8_t, lanes->i[i]); break;
    case DT_S16: case DT_U16: STORE(uint16_t, lanes->i[i]); break;
    case DT_S32: case DT_U32: STORE(uint32_t, lanes->i[i]); break;
    case DT_S64: case DT_U64: STORE(int64_t, lanes->i[i]); break;
    case DT_F16: case DT_BF16: STORE(uint16_t, small_float_from_double(dtype, lanes->f[i])); break;
    case DT_F32: STORE(float, lanes->f[i]); break;
    case DT_F64: STORE(double, lanes->f[i]); break;
    case DT_C64: STORE_COMPLEX(float); break;
    case DT_C128: STORE_COMPLEX(double); break;
    default: STORE(uint8_t, small_float_from_double(dtype, lanes->f[i])); break;
    }
}

double double_from_int(int64_t value, bool is_unsigned, DType to) {
    bool negative = !is_unsigned && value < 0;
    uint64_t magnitude = negative ? 0 - (uint64_t)value : (uint64_t)value;
    if (to != DT_F64 && to != DT_C128) {
        int shift = 0;
        while (magnitude >> shift >> 53) shift++;
        uint64_t dropped = magnitude & ((UINT64_C(1) << shift) - 1);
        magnitude = (magnitude >> shift | (dropped != 0)) << shift;
    }
    return negative ? -(double)magnitude : (double)magnitude;
}

int64_t int_from_double(double value, DType to) {
    int bits = dtype_bits(to);
    if (to == DT_PRED) return value != 0;
    if (isnan(value)) return 0;
    if (dtype_class(to) == DTYPE_UNSIGNED) {
        if (value <= 0) return 0;
        if (value >= ldexp(1, bits)) return (int64_t)(UINT64_MAX >> (64 - bits));
        return (int64_t)(uint64_t)value;
    }
    double limit = ldexp(1, bits - 1);
    if (value >= limit) return INT64_MAX >> (64 - bits);
    if (value <= -limit) return INT64_MIN >> (64 - bits);
    return (int64_t)value;
}
