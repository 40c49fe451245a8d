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
    for (int i = 0; i < N_DTYPES; i++)
        if (i != DT_TUPLE && i != DT_BUFFER && strlen(table[i].name) == n && memcmp(table[i].name, text, n) == 0)
            return (DType)i;
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

DType dtype_component(DType dtype) {
    return dtype == DT_C64 ? DT_F32 : dtype == DT_C128 ? DT_F64 : dtype;
}
