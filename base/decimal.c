#include "base/decimal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

#include "base/arena.h"

/* Powers of ten that a double holds exactly: products and quotients of one of them and an integer below 2^53 are
 * rounded once, so they are right (W. D. Clinger, "How to Read Floating Point Numbers Accurately", 1990). */
static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
enum { LARGEST_POWER = 22, EXACT_DIGITS = 15, FLOAT_DIGITS = 6, DOUBLE_DIGITS = 15 };

/* mantissa * 10^exponent where that takes one rounding at most. */
static bool exact_value(uint64_t mantissa, int exponent, double *value) {
    if (mantissa > UINT64_C(1) << 53 || exponent < -LARGEST_POWER || exponent > LARGEST_POWER) return false;
    *value = exponent < 0 ? (double)mantissa / powers[-exponent] : (double)mantissa * powers[exponent];
    return true;
}

static void set_digits(Decimal *decimal, uint64_t digits, int exponent) {
    char reversed[20];
    int n = 0, first = 0;
    for (; digits; digits /= 10) reversed[n++] = (char)('0' + digits % 10);
    decimal->exponent = exponent + n;
    while (first < n && reversed[first] == '0') first++;
    decimal->n = n - first;
    for (int i = 0; i < decimal->n; i++) decimal->digits[i] = reversed[n - 1 - i];
}

/* A magnitude within the exact powers, scaled to an integer of so many digits. */
static bool round_quickly(double magnitude, int precision, Decimal *decimal) {
    if (precision > EXACT_DIGITS || magnitude < 1e-7 || magnitude >= 1e22) return false;
    int exponent = (int)floor(log10(magnitude)) + 1; /* magnitude < 10^exponent, or one off: harmless */
    int scale = precision - exponent;
    if (scale > LARGEST_POWER || scale < -LARGEST_POWER) return false;
    double scaled = nearbyint(scale < 0 ? magnitude / powers[-scale] : magnitude * powers[scale]);
    if (scaled >= powers[precision]) scale--, scaled = nearbyint(scaled / 10);
    set_digits(decimal, (uint64_t)scaled, -scale);
    return true;
}

Decimal decimal_round(double value, int precision) {
    Decimal decimal = {.digits = "0", .n = 1, .exponent = 1, .negative = signbit(value)};
    double magnitude = fabs(value);
    if (magnitude == 0 || round_quickly(magnitude, precision, &decimal)) return decimal;
    char text[40];
    snprintf(text, sizeof text, "%.*e", precision - 1, magnitude);
    int n = 0;
    const char *c = text;
    for (; *c && *c != 'e'; c++)
        if (*c >= '0' && *c <= '9') decimal.digits[n++] = *c;
    decimal.exponent = (int)strtol(c + 1, NULL, 10) + 1;
    while (n > 1 && decimal.digits[n - 1] == '0') n--;
    decimal.n = n;
    return decimal;
}

double decimal_value(const Decimal *decimal) {
    uint64_t mantissa = 0;
    for (int i = 0; i < decimal->n; i++) mantissa = 10 * mantissa + (uint64_t)(decimal->digits[i] - '0');
    double value;
    if (!exact_value(mantissa, decimal->exponent - decimal->n, &value)) {
        char text[48];
        snprintf(text, sizeof text, "%.*se%d", decimal->n, decimal->digits, decimal->exponent - decimal->n);
        value = strtod(text, NULL);
    }
    return decimal->negative ? -value : value;
}

void decimal_print(Text *out, const Decimal *decimal) {
    enum { FIXED_DIGITS = 6 };
    int n = decimal->n, point = decimal->exponent; /* digits before the point */
    if (decimal->negative) text_char(out, '-');
    if (point < -3 || point > (n > FIXED_DIGITS ? n : FIXED_DIGITS)) {
        text_char(out, decimal->digits[0]);
        if (n > 1) text_char(out, '.');
        text_bytes(out, decimal->digits + 1, (size_t)(n - 1));
        text_printf(out, "e%+03d", point - 1);
        return;
    }
    if (point <= 0) {
        text_put(out, "0.");
        text_repeat(out, '0', -point);
        text_bytes(out, decimal->digits, (size_t)n);
        return;
    }
    text_bytes(out, decimal->digits, (size_t)(n < point ? n : point));
    if (point > n) text_repeat(out, '0', point - n);
    if (n <= point) return;
    text_char(out, '.');
    text_bytes(out, decimal->digits + point, (size_t)(n - point));
}

/* Decimals of so few digits are all told apart by the type, so that fewer are never needed, except below the smallest
 * normal number. */
Decimal decimal_from_double(double value) {
    int precision = fabs(value) < 0x1p-1022 ? 1 : DOUBLE_DIGITS;
    for (;; precision++) {
        Decimal decimal = decimal_round(value, precision);
        if (precision == 17 || decimal_value(&decimal) == value) return decimal;
    }
}

Decimal decimal_from_float(float value) {
    int precision = fabsf(value) < 0x1p-126f ? 1 : FLOAT_DIGITS;
    for (;; precision++) {
        Decimal decimal = decimal_round(value, precision);
        if (precision == 17 || (float)decimal_value(&decimal) == value) return decimal;
    }
}

/* What the quick way cannot do exactly. strtod wants a NUL behind the number. */
static double read_slowly(const char *text, size_t n) {
    char buffer[128], *copy = n < sizeof buffer ? buffer : base_malloc(n + 1);
    memcpy(copy, text, n);
    copy[n] = 0;
    double value = strtod(copy, NULL);
    if (copy != buffer) base_free(copy);
    return value;
}

double decimal_read(const char *text, size_t n) {
    const char *c = text, *end = text + n;
    bool negative = c < end && *c == '-';
    c += negative;
    uint64_t mantissa = 0;
    int exponent = 0;
    const char *digits = c;
    for (; c < end && *c >= '0' && *c <= '9'; c++) mantissa = 10 * mantissa + (uint64_t)(*c - '0');
    ptrdiff_t n_digits = c - digits;
    if (c < end && *c == '.') {
        const char *point = ++c;
        for (; c < end && *c >= '0' && *c <= '9'; c++) mantissa = 10 * mantissa + (uint64_t)(*c - '0');
        exponent = -(int)(c - point);
        n_digits += c - point;
    }
    if (n_digits > 19) return read_slowly(text, n); /* the mantissa may have overflowed */
    if (c < end && (*c == 'e' || *c == 'E')) {
        bool below = ++c < end && *c == '-';
        c += c < end && (*c == '-' || *c == '+');
        int written = 0;
        for (; c < end && *c >= '0' && *c <= '9' && written < 100000; c++) written = 10 * written + (*c - '0');
        exponent += below ? -written : written;
    }
    double value;
    if (!exact_value(mantissa, exponent, &value)) return read_slowly(text, n);
    return negative ? -value : value;
}

void text_put_uint(Text *out, uint64_t value) {
    char digits[20];
    int n = sizeof digits;
    do digits[--n] = (char)('0' + value % 10);
    while (value /= 10);
    text_bytes(out, digits + n, sizeof digits - (size_t)n);
}

void text_put_int(Text *out, int64_t value) {
    if (value < 0) text_char(out, '-');
    text_put_uint(out, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}
