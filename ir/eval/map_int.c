/* Integers and pred. Lanes hold values sign- or zero-extended to 64 bits; storing wraps to the type, so what only needs
 * the low bits computes in uint64_t. The type's width matters to shifts, counts and the high product. */
#include "ir/eval/map_kernel.h"

/* Of the two operands' type (their widths are equal). */
static int width(const MapPlan *plan) {
    return dtype_bits(plan->from);
}

static uint64_t low_bits(uint64_t value, int bits) {
    return value & UINT64_MAX >> (64 - bits);
}

static int64_t sign_extended(uint64_t value, int bits) {
    return (int64_t)(value << (64 - bits)) >> (64 - bits);
}

/* Amounts are unsigned numbers of the type's width: a negative one is too large. */
static uint64_t shift_left(uint64_t value, uint64_t amount, int bits) {
    amount = low_bits(amount, bits);
    return amount >= (uint64_t)bits ? 0 : value << amount;
}

static uint64_t shift_right_logical(uint64_t value, uint64_t amount, int bits) {
    amount = low_bits(amount, bits);
    return amount >= (uint64_t)bits ? 0 : low_bits(value, bits) >> amount;
}

static uint64_t shift_right_arithmetic(uint64_t value, uint64_t amount, int bits) {
    amount = low_bits(amount, bits);
    return (uint64_t)(sign_extended(value, bits) >> (amount >= (uint64_t)bits ? bits - 1 : (int)amount));
}

static uint64_t count_ones(uint64_t value, int bits) {
    uint64_t count = 0;
    for (value = low_bits(value, bits); value; value &= value - 1) count++;
    return count;
}

static uint64_t count_leading_zeros(uint64_t value, int bits) {
    uint64_t count = 0;
    for (int i = bits - 1; i >= 0 && !(value >> i & 1); i--) count++;
    return count;
}

/* x / 0 is all ones; INT_MIN / -1 is INT_MIN. */
static int64_t divide_signed(int64_t x, int64_t y) {
    if (y == 0) return -1;
    return y == -1 ? (int64_t)(0 - (uint64_t)x) : x / y;
}

static int64_t remainder_signed(int64_t x, int64_t y) {
    if (y == 0) return x;
    return y == -1 ? 0 : x % y;
}

static uint64_t power(uint64_t x, uint64_t exponent) {
    uint64_t product = 1;
    for (; exponent; exponent >>= 1, x *= x)
        if (exponent & 1) product *= x;
    return product;
}

/* A negative exponent means 1 / x^-y, which is an integer only for x = 1 and -1. */
static uint64_t power_signed(int64_t x, int64_t y) {
    if (y >= 0) return power((uint64_t)x, (uint64_t)y);
    if (x == 1) return 1;
    return x == -1 ? (y & 1 ? UINT64_MAX : 1) : 0;
}

/* High 64 bits of the 128-bit product, by 32-bit halves. */
static uint64_t high_product_64(uint64_t x, uint64_t y) {
    uint64_t x0 = x & UINT32_MAX, x1 = x >> 32, y0 = y & UINT32_MAX, y1 = y >> 32;
    uint64_t middle = x1 * y0 + (x0 * y0 >> 32);
    uint64_t middle2 = x0 * y1 + (middle & UINT32_MAX);
    return x1 * y1 + (middle >> 32) + (middle2 >> 32);
}

static uint64_t high_product_unsigned(uint64_t x, uint64_t y, int bits) {
    return bits == 64 ? high_product_64(x, y) : x * y >> bits;
}

static uint64_t high_product_signed(int64_t x, int64_t y, int bits) {
    if (bits < 64) return (uint64_t)(x * y >> bits);
    return high_product_64((uint64_t)x, (uint64_t)y) - (x < 0 ? (uint64_t)y : 0) - (y < 0 ? (uint64_t)x : 0);
}

#define BITS1(name, expression) KERNEL1(name, i, uint64_t, i, (int64_t)(expression))
#define BITS2(name, expression) KERNEL2(name, i, uint64_t, i, (int64_t)(expression))
#define SIGNED1(name, expression) KERNEL1(name, i, int64_t, i, (int64_t)(expression))
#define SIGNED2(name, expression) KERNEL2(name, i, int64_t, i, (int64_t)(expression))
#define UNSIGNED2(name, expression) KERNEL2(name, i, uint64_t, i, (int64_t)(expression))

BITS1(bits_negate, 0 - x)
BITS1(bits_not, ~x)
BITS1(bits_popcnt, count_ones(x, width(plan)))
BITS1(bits_clz, count_leading_zeros(x, width(plan)))
BITS1(bits_identity, x)
BITS1(bits_is_not_zero, x != 0)
BITS2(bits_add, x + y)
BITS2(bits_subtract, x - y)
BITS2(bits_multiply, x * y)
BITS2(bits_and, x & y)
BITS2(bits_or, x | y)
BITS2(bits_xor, x ^ y)
BITS2(bits_shift_left, shift_left(x, y, width(plan)))
BITS2(bits_shift_right_logical, shift_right_logical(x, y, width(plan)))
BITS2(bits_shift_right_arithmetic, shift_right_arithmetic(x, y, width(plan)))

SIGNED1(signed_abs, x < 0 ? 0 - (uint64_t)x : (uint64_t)x)
SIGNED1(signed_sign, (x > 0) - (x < 0))
SIGNED2(signed_divide, divide_signed(x, y))
SIGNED2(signed_remainder, remainder_signed(x, y))
SIGNED2(signed_power, power_signed(x, y))
SIGNED2(signed_maximum, x > y ? x : y)
SIGNED2(signed_minimum, x < y ? x : y)
SIGNED2(signed_mulhi, high_product_signed(x, y, width(plan)))
KERNEL3(signed_clamp, i, int64_t, i, (y > x ? y : x) < z ? (y > x ? y : x) : z)

UNSIGNED2(unsigned_divide, y ? x / y : UINT64_MAX)
UNSIGNED2(unsigned_remainder, y ? x % y : x)
UNSIGNED2(unsigned_power, power(x, y))
UNSIGNED2(unsigned_maximum, x > y ? x : y)
UNSIGNED2(unsigned_minimum, x < y ? x : y)
UNSIGNED2(unsigned_mulhi, high_product_unsigned(x, y, width(plan)))
KERNEL3(unsigned_clamp, i, uint64_t, i, (int64_t)((y > x ? y : x) < z ? (y > x ? y : x) : z))

KERNEL1(pred_not, i, int64_t, i, !x)
KERNEL2(pred_power, i, int64_t, i, x | !y)

#define OF_BITS                                                                                                  \
    [OP_ADD] = bits_add, [OP_SUBTRACT] = bits_subtract, [OP_MULTIPLY] = bits_multiply, [OP_NEGATE] = bits_negate, \
    [OP_AND] = bits_and, [OP_OR] = bits_or, [OP_XOR] = bits_xor, [OP_NOT] = bits_not, [OP_POPCNT] = bits_popcnt,  \
    [OP_COUNT_LEADING_ZEROS] = bits_clz, [OP_SHIFT_LEFT] = bits_shift_left,                                      \
    [OP_SHIFT_RIGHT_LOGICAL] = bits_shift_right_logical, [OP_SHIFT_RIGHT_ARITHMETIC] = bits_shift_right_arithmetic

MapKernel *const map_signed_kernels[N_OPS] = {
    OF_BITS,
    [OP_ABS] = signed_abs,
    [OP_SIGN] = signed_sign,
    [OP_DIVIDE] = signed_divide,
    [OP_REMAINDER] = signed_remainder,
    [OP_POWER] = signed_power,
    [OP_MAXIMUM] = signed_maximum,
    [OP_MINIMUM] = signed_minimum,
    [OP_MULHI] = signed_mulhi,
    [OP_CLAMP] = signed_clamp,
};

MapKernel *const map_unsigned_kernels[N_OPS] = {
    OF_BITS,
    [OP_ABS] = bits_identity,
    [OP_SIGN] = bits_is_not_zero,
    [OP_DIVIDE] = unsigned_divide,
    [OP_REMAINDER] = unsigned_remainder,
    [OP_POWER] = unsigned_power,
    [OP_MAXIMUM] = unsigned_maximum,
    [OP_MINIMUM] = unsigned_minimum,
    [OP_MULHI] = unsigned_mulhi,
    [OP_CLAMP] = unsigned_clamp,
};

/* Logical: add is or, multiply is and; false is below true. */
MapKernel *const map_pred_kernels[N_OPS] = {
    [OP_ADD] = bits_or,
    [OP_MULTIPLY] = bits_and,
    [OP_AND] = bits_and,
    [OP_OR] = bits_or,
    [OP_XOR] = bits_xor,
    [OP_NOT] = pred_not,
    [OP_MAXIMUM] = bits_or,
    [OP_MINIMUM] = bits_and,
    [OP_POWER] = pred_power,
    [OP_CLAMP] = unsigned_clamp,
};
