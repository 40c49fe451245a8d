#include "ir/dtype.h"

#include <string.h>

static const struct {
    const char *name;
    DTypeClass class;
    int bits, bytes;
} table[N_DTYPES] = {
#define DT(id, text, class, bits, bytes) [DT_##id] = {text, DTYPE_##class, bits, bytes},
#include "ir/dtypes.def"
#undef DT
};

const char *dtype_name(DType dtype) {
    return table[dtype].name;
}

DTypeClass dtype_class(DType dtype) {
    return table[dtype].class;
}

int dtype_bits(DType dtype) {
    return table[dtype].bits;
}

int dtype_bytes(DType dtype) {
    return table[dtype].bytes;
}

DType dtype_from_name(const char *text, size_t n) {
    enum { LONGEST = 13 };
    if (n < 2 || n > LONGEST) return N_DTYPES;
    for (int i = 0; i < N_DTYPES; i++) {
        const char *name = table[i].name;
        bool same = name[0] == text[0] && name[1] == text[1] && strncmp(name, text, n) == 0 && !name[n];
        if (same && i != DT_TUPLE && i != DT_BUFFER) return (DType)i;
    }
    return N_DTYPES;
}

bool dtype_is_integer(DType dtype) {
    return table[dtype].class == DTYPE_SIGNED || table[dtype].class == DTYPE_UNSIGNED;
}

bool dtype_is_float(DType dtype) {
    return table[dtype].class == DTYPE_FLOAT;
}

bool dtype_is_complex(DType dtype) {
    return table[dtype].class == DTYPE_COMPLEX;
}

bool dtype_is_array(DType dtype) {
    return table[dtype].class != DTYPE_OTHER;
}

int dtype_payload_bits(DType dtype) {
    static const struct {
        DType dtype;
        int bits;
    } payloads[] = {{DT_F64, 52},   {DT_F32, 23},   {DT_F16, 10},  {DT_BF16, 7},
                    {DT_F8E5M2, 2}, {DT_F8E4M3, 3}, {DT_F8E3M4, 4}};
    for (size_t i = 0; i < sizeof payloads / sizeof *payloads; i++)
        if (payloads[i].dtype == dtype) return payloads[i].bits;
    return 0;
}

static const struct {
    int exponent, mantissa;
} fields[N_DTYPES] = {
    [DT_F4E2M1FN] = {2, 1}, [DT_F6E2M3FN] = {2, 3},   [DT_F6E3M2FN] = {3, 2},   [DT_F8E3M4] = {3, 4},
    [DT_F8E4M3] = {4, 3},   [DT_F8E4M3FN] = {4, 3},   [DT_F8E4M3FNUZ] = {4, 3}, [DT_F8E4M3B11FNUZ] = {4, 3},
    [DT_F8E5M2] = {5, 2},   [DT_F8E5M2FNUZ] = {5, 2}, [DT_F8E8M0FNU] = {8, 0},  [DT_F16] = {5, 10},
    [DT_BF16] = {8, 7},     [DT_F32] = {8, 23},       [DT_F64] = {11, 52},
};

int dtype_exponent_bits(DType dtype) {
    return fields[dtype].exponent;
}

int dtype_mantissa_bits(DType dtype) {
    return fields[dtype].mantissa;
}

DType dtype_component(DType dtype) {
    return dtype == DT_C64 ? DT_F32 : dtype == DT_C128 ? DT_F64 : dtype;
}
