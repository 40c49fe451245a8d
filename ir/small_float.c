/* Floats of 16 bits and fewer (ir/literal.h): op-semantics.md section 0. */
#include <math.h>

#include "ir/literal.h"

typedef enum {
    IEEE,   /* the highest exponent is for infinity and NaN */
    FN,     /* no infinity; all ones is NaN */
    FNUZ,   /* no infinity, no -0; its bits are NaN */
    FNU,    /* no sign, no zero, no infinity; all ones is NaN */
    FINITE, /* no infinity, no NaN */
} Style;

typedef struct {
    int exponent_bits, mantissa_bits, bias;
    Style style;
} Format;

static const Format formats[N_DTYPES] = {
    [DT_F4E2M1FN] = {2, 1, 1, FINITE},  [DT_F6E2M3FN] = {2, 3, 1, FINITE},     [DT_F6E3M2FN] = {3, 2, 3, FINITE},
    [DT_F8E3M4] = {3, 4, 3, IEEE},      [DT_F8E4M3] = {4, 3, 7, IEEE},         [DT_F8E4M3FN] = {4, 3, 7, FN},
    [DT_F8E4M3FNUZ] = {4, 3, 8, FNUZ},  [DT_F8E4M3B11FNUZ] = {4, 3, 11, FNUZ}, [DT_F8E5M2] = {5, 2, 15, IEEE},
    [DT_F8E5M2FNUZ] = {5, 2, 16, FNUZ}, [DT_F8E8M0FNU] = {8, 0, 127, FNU},     [DT_F16] = {5, 10, 15, IEEE},
    [DT_BF16] = {8, 7, 127, IEEE},
};

static unsigned sign_bit(const Format *f) {
    return f->style == FNU ? 0 : 1u << (f->exponent_bits + f->mantissa_bits);
}

/* Bits of the largest finite magnitude. */
static unsigned largest(const Format *f) {
    unsigned ones = (1u << (f->exponent_bits + f->mantissa_bits)) - 1;
    switch (f->style) {
    case IEEE: return ones - (1u << f->mantissa_bits);
    case FN:
    case FNU: return ones - 1;
    case FNUZ:
    case FINITE: break;
    }
    return ones;
}

static unsigned nan_bits(const Format *f, bool negative) {
    unsigned sign = negative ? sign_bit(f) : 0;
    switch (f->style) {
    case IEEE: return sign | (largest(f) + 1) | 1u << (f->mantissa_bits - 1);
    case FN: return sign | (largest(f) + 1);
    case FNU: return largest(f) + 1;
    case FNUZ: return sign_bit(f);
    case FINITE: break;
    }
    return negative ? 0 : sign_bit(f); /* as ml_dtypes: it has to be something */
}

static unsigned overflow_bits(const Format *f, bool negative) {
    unsigned sign = negative ? sign_bit(f) : 0;
    if (f->style == IEEE) return sign | (largest(f) + 1);
    if (f->style == FINITE) return sign | largest(f);
    return nan_bits(f, negative);
}

double small_float_to_double(DType dtype, unsigned bits) {
    const Format *f = &formats[dtype];
    unsigned sign = sign_bit(f);
    bool negative = bits & sign;
    if (f->style == FNUZ && bits == sign) return NAN;
    unsigned magnitude = sign ? bits & (sign - 1) : bits;
    if (magnitude > largest(f)) {
        bool infinite = f->style == IEEE && magnitude == largest(f) + 1;
        return infinite ? (negative ? -INFINITY : INFINITY) : (negative ? -NAN : NAN);
    }
    int exponent = (int)(magnitude >> f->mantissa_bits);
    int mantissa = (int)(magnitude & ((1u << f->mantissa_bits) - 1));
    bool normal = exponent > 0 || f->style == FNU;
    if (normal) mantissa += 1 << f->mantissa_bits;
    double value = ldexp(mantissa, (normal ? exponent : 1) - f->bias - f->mantissa_bits);
    return negative ? -value : value;
}

unsigned small_float_from_double(DType dtype, double value) {
    const Format *f = &formats[dtype];
    bool negative = signbit(value);
    if (isnan(value) || (f->style == FNU && value <= 0)) return nan_bits(f, negative);
    if (isinf(value)) return overflow_bits(f, negative);
    double x = fabs(value);
    int smallest = f->style == FNU ? -f->bias : 1 - f->bias, exponent = smallest;
    if (x > 0) {
        frexp(x, &exponent);
        exponent = exponent - 1 < smallest ? smallest : exponent - 1;
    }
    double scaled = ldexp(x, f->mantissa_bits - exponent), rounded = nearbyint(scaled);
    if (f->mantissa_bits == 0) { /* no mantissa: 2^n, and a tie goes up, as in XLA */
        unsigned up = (unsigned)(exponent + f->bias) + (scaled >= 1.5);
        return up > largest(f) ? nan_bits(f, false) : up;
    }
    unsigned hidden = 1u << f->mantissa_bits;
    unsigned bits = (unsigned)rounded;
    if (bits >= hidden) bits += (unsigned)(exponent + f->bias - 1) << f->mantissa_bits;
    if (bits > largest(f)) return overflow_bits(f, negative);
    if (f->style == FNUZ && bits == 0) return 0;
    return bits | (negative ? sign_bit(f) : 0);
}
