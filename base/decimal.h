/* Decimal numbers: reading them exactly, and printing floating-point values in few digits. */
#ifndef BASE_DECIMAL_H
#define BASE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* 0.DIGITS * 10^exponent, times -1 if negative; n digits, the first and last of them not '0' (zero: n = 1, "0"). */
typedef struct {
    char digits[20];
    int n, exponent;
    bool negative;
} Decimal;

/* value, finite, rounded to at most precision (1 .. 17) significant digits; to nearest, but for numbers that are no
 * double in so many digits one unit in the last place may be missing: who needs certainty reads it back. */
Decimal decimal_round(double value, int precision);

/* The double nearest to it. */
double decimal_value(const Decimal *decimal);

/* As C's %g writes it: 0.001, 42, 1e+10, 3.4028235e+38. Values below 1e-4 and from 10^max(n, 6) on have exponents. */
void decimal_print(Text *out, const Decimal *decimal);

/* The shortest decimals that read back to the same value. */
Decimal decimal_from_double(double value);
Decimal decimal_from_float(float value);

/* The double nearest to n characters of the form -?[0-9]*(.[0-9]*)?([eE][+-]?[0-9]+)?; infinite if too large. */
double decimal_read(const char *text, size_t n);

void text_put_int(Text *out, int64_t value);
void text_put_uint(Text *out, uint64_t value);

#endif
