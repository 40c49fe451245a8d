/* Literals: values of a shape. Elements lie in logical row-major order whatever the layout says, one element as the
 * machine stores its type: pred 0 or 1 in a byte; sub-byte integers sign- or zero-extended in a byte; f4, f6, f8 in the
 * low bits of a byte; f16 and bf16 as their 16 bits; complex as two components. */
#ifndef IR_LITERAL_H
#define IR_LITERAL_H

#include "ir/shape.h"

typedef struct Literal Literal;
struct Literal {
    const Shape *shape;
    void *data;        /* arrays: shape_bytes of them (NULL when elided) */
    Literal **elements; /* tuples: one per element of the shape */
    bool elided;       /* {...}: the printer left the values out */
};

Literal *literal_new(Arena *arena, const Shape *shape); /* zeros */

/* Element i (row-major) as a double, or its real part; any array type. Integers beyond 2^53 round. */
double literal_double(const Literal *literal, int64_t i);
double literal_imag(const Literal *literal, int64_t i);
/* Element i of an integer or pred type; unsigned ones as their bits. */
int64_t literal_int(const Literal *literal, int64_t i);

/* Rounds value (re + i im) to the type, once and to nearest even (integers: truncates bits), and stores it. */
void literal_set_double(Literal *literal, int64_t i, double re, double im);
void literal_set_int(Literal *literal, int64_t i, int64_t value);

bool literals_equal(const Literal *a, const Literal *b); /* shapes compatible, and the same bits */
bool literal_is_splat(const Literal *literal);            /* an array all of whose elements have the same bits */

/* As HLO writes the inside of constant(...): shortest decimal forms that read back to the same bits, elided ones as
 * {...}. limit: arrays of more elements are elided in the print (0: never). */
void literal_print(Text *out, const Literal *literal, int64_t limit);

/* One element as HLO text: 1.5, -inf, nan, true, (1, 2). */
void literal_print_element(Text *out, DType dtype, const void *element);

/* Conversions between small floats and double; bits in the low bits of the result. dtype: any float type up to 16
 * bits. Narrowing rounds once to nearest even, with the overflow and NaN rules of op-semantics.md section 0; in
 * f8e8m0fnu, which has no mantissa, ties go up. */
double small_float_to_double(DType dtype, unsigned bits);
unsigned small_float_from_double(DType dtype, double value);

#endif
