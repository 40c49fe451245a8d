/* Literals as HLO text (ir/literal.h). */
#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "ir/literal.h"

enum { ROWS_ARE_NUMBERED = 4 }; /* from this rank on, rows carry their index as a comment */

static uint64_t float_bits(DType dtype, const void *element) {
    uint64_t bits = 0;
    uint8_t byte;
    uint16_t half;
    uint32_t word;
    switch (dtype_bytes(dtype)) {
    case 1: memcpy(&byte, element, 1); return byte;
    case 2: memcpy(&half, element, 2); return half;
    case 4: memcpy(&word, element, 4); return word;
    default: memcpy(&bits, element, 8); return bits;
    }
}

static void print_nan(Text *out, DType dtype, uint64_t bits, bool negative) {
    int n = dtype_payload_bits(dtype);
    text_put(out, negative ? "-nan" : "nan");
    if (!n) return;
    uint64_t payload = bits & ((UINT64_C(1) << n) - 1), quiet = UINT64_C(1) << (n - 1);
    if (payload != quiet) text_printf(out, "(0x%llx)", (unsigned long long)payload);
}

/* Integers as they are: 65504, though 65500 would do for f16. */
static Decimal shortest_small(DType dtype, double value, unsigned bits) {
    bool whole = value == trunc(value) && fabs(value) < 1e6;
    for (int precision = whole ? 6 : 1;; precision++) {
        Decimal decimal = decimal_round(value, precision);
        if (precision == 17 || small_float_from_double(dtype, decimal_value(&decimal)) == bits) return decimal;
    }
}

static void print_float(Text *out, DType dtype, const void *element) {
    uint64_t bits = float_bits(dtype, element);
    double wide = 0;
    float single = 0;
    if (dtype == DT_F64) memcpy(&wide, element, sizeof wide);
    else if (dtype == DT_F32) memcpy(&single, element, sizeof single), wide = (double)single;
    else wide = small_float_to_double(dtype, (unsigned)bits);
    if (isnan(wide)) {
        print_nan(out, dtype, bits, signbit(wide));
    } else if (isinf(wide)) {
        text_put(out, wide < 0 ? "-inf" : "inf");
    } else {
        Decimal decimal = dtype == DT_F64   ? decimal_from_double(wide)
                          : dtype == DT_F32 ? decimal_from_float(single)
                                            : shortest_small(dtype, wide, (unsigned)bits);
        decimal_print(out, &decimal);
    }
}

static void print_integer(Text *out, DType dtype, const void *element) {
    int shift = 64 - 8 * dtype_bytes(dtype);
    uint64_t bits = float_bits(dtype, element);
    if (dtype_class(dtype) == DTYPE_SIGNED) text_put_int(out, (int64_t)(bits << shift) >> shift);
    else text_put_uint(out, bits);
}

void literal_print_element(Text *out, DType dtype, const void *element) {
    if (dtype == DT_PRED) {
        text_put(out, *(const unsigned char *)element ? "true" : "false");
    } else if (dtype_is_complex(dtype)) {
        DType component = dtype_component(dtype);
        text_char(out, '(');
        print_float(out, component, element);
        text_put(out, ", ");
        print_float(out, component, (const char *)element + dtype_bytes(component));
        text_char(out, ')');
    } else if (dtype_is_float(dtype)) {
        print_float(out, dtype, element);
    } else {
        print_integer(out, dtype, element);
    }
}

/* The elements of an array from *element on, in the braces of dims d, d+1, ...; moves *element behind them. */
static void print_braces(Text *out, const Literal *literal, int d, const char **element) {
    const Shape *shape = literal->shape;
    DType dtype = shape->dtype;
    bool last = d == shape->rank - 1, one_row = shape->rank == 1;
    text_put(out, one_row ? "{" : "{ ");
    for (int64_t i = 0; i < shape->dims[d]; i++) {
        if (i) text_put(out, ", ");
        if (!last) {
            if (shape->rank >= ROWS_ARE_NUMBERED) text_printf(out, "/*i%d=%lld*/ ", d, (long long)i);
            print_braces(out, literal, d + 1, element);
            continue;
        }
        if (dtype == DT_PRED) text_char(out, **element ? '1' : '0');
        else literal_print_element(out, dtype, *element);
        *element += dtype_bytes(dtype);
    }
    text_put(out, one_row ? "}" : " }");
}

/* Below the first dim of size 0 there are no rows to write. */
static void print_empty(Text *out, const Shape *shape, int d) {
    text_char(out, '{');
    if (shape->dims[d] == 0 || d == shape->rank - 1) {
        text_char(out, '}');
        return;
    }
    for (int64_t i = 0; i < shape->dims[d]; i++) {
        text_put(out, i ? ", " : " ");
        print_empty(out, shape, d + 1);
    }
    text_put(out, " }");
}

void literal_print(Text *out, const Literal *literal, int64_t limit) {
    const Shape *shape = literal->shape;
    if (shape_is_tuple(shape) && !literal->elided) {
        text_put(out, shape->n_elements ? "( " : "(");
        for (int i = 0; i < shape->n_elements; i++) {
            if (i) text_put(out, ", ");
            if (i && i % 5 == 0) text_printf(out, "/*index=%d*/", i);
            literal_print(out, literal->elements[i], limit);
        }
        text_put(out, shape->n_elements ? " )" : ")");
        return;
    }
    int64_t n = shape_elements(shape);
    if (literal->elided || (limit && n > limit)) {
        text_put(out, "{...}");
    } else if (shape->rank == 0) {
        literal_print_element(out, shape->dtype, literal->data);
    } else if (n == 0) {
        print_empty(out, shape, 0);
    } else {
        const char *element = literal->data;
        print_braces(out, literal, 0, &element);
    }
}
