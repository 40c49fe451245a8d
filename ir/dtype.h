/* Element types (table: ir/dtypes.def). Names are HLO's. */
#ifndef IR_DTYPE_H
#define IR_DTYPE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum {
#define DT(id, text, class, bits, bytes) DT_##id,
#include "ir/dtypes.def"
#undef DT
    N_DTYPES
} DType;

typedef enum { DTYPE_PRED, DTYPE_SIGNED, DTYPE_UNSIGNED, DTYPE_FLOAT, DTYPE_COMPLEX, DTYPE_OTHER } DTypeClass;

const char *dtype_name(DType dtype); /* as in HLO text */
DTypeClass dtype_class(DType dtype);
int dtype_bits(DType dtype);
int dtype_bytes(DType dtype); /* of one element in memory */

/* The type that text (n bytes) names, or N_DTYPES. "tuple" and "buffer" are not reserved words and are not found. */
DType dtype_from_name(const char *text, size_t n);

bool dtype_is_integer(DType dtype); /* signed or unsigned; not pred */
bool dtype_is_float(DType dtype);
bool dtype_is_complex(DType dtype);
bool dtype_is_array(DType dtype); /* has elements: not token, opaque, tuple, buffer */

/* Bits behind the point of float types whose NaNs can carry a payload; 0 for all others. */
int dtype_payload_bits(DType dtype);

/* Fields of the float formats; 0 for all other types. */
int dtype_exponent_bits(DType dtype);
int dtype_mantissa_bits(DType dtype);

/* f32 of c64, f64 of c128; any other type is its own. */
DType dtype_component(DType dtype);

#endif
