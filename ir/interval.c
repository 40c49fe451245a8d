#include "ir/interval.h"

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

bool multiply_overflows(int64_t a, int64_t b, int64_t *product) {
    return __builtin_mul_overflow(a, b, product);
}

int64_t floor_div(int64_t a, int64_t b) {
    if (a == INT64_MIN && b == -1) return INT64_MAX;
    int64_t q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

int64_t ceil_div(int64_t a, int64_t b) {
    if (a == INT64_MIN && b == -1) return INT64_MAX;
    int64_t q = a / b;
    return a % b != 0 && (a < 0) == (b < 0) ? q + 1 : q;
}

int64_t floor_mod(int64_t a, int64_t b) {
    if (b == -1) return 0;
    int64_t r = a % b;
    return r >= 0 ? r : b < 0 ? r - b : r + b;
}

int64_t gcd_of(int64_t a, int64_t b) {
    uint64_t x = a < 0 ? 0 - (uint64_t)a : (uint64_t)a, y = b < 0 ? 0 - (uint64_t)b : (uint64_t)b;
    while (y) {
        uint64_t r = x % y;
        x = y;
        y = r;
    }
    return x > INT64_MAX ? 1 : (int64_t)x; /* 2^63 is no int64_t; 1 divides it too */
}

Interval interval_intersect(Interval a, Interval b) {
    return (Interval){larger(a.low, b.low), smaller(a.high, b.high)};
}

Interval interval_union(Interval a, Interval b) {
    return (Interval){smaller(a.low, b.low), larger(a.high, b.high)};
}

Interval interval_min(Interval a, Interval b) {
    return (Interval){smaller(a.low, b.low), smaller(a.high, b.high)};
}

Interval interval_max(Interval a, Interval b) {
    return (Interval){larger(a.low, b.low), larger(a.high, b.high)};
}

/* A sum of ends; an infinite or overflowing one saturates in the direction of its sign. */
static int64_t add_low(int64_t a, int64_t b) {
    int64_t sum;
    if (a == INT64_MIN || b == INT64_MIN || __builtin_add_overflow(a, b, &sum)) {
        return a < 0 || b < 0 ? INT64_MIN : INT64_MAX;
    }
    return sum;
}

static int64_t add_high(int64_t a, int64_t b) {
    int64_t sum;
    if (a == INT64_MAX || b == INT64_MAX || __builtin_add_overflow(a, b, &sum)) {
        return a > 0 || b > 0 ? INT64_MAX : INT64_MIN;
    }
    return sum;
}

Interval interval_add(Interval a, Interval b) {
    return (Interval){add_low(a.low, b.low), add_high(a.high, b.high)};
}

static int64_t negated(int64_t v) {
    return v == INT64_MIN ? INT64_MAX : v == INT64_MAX ? INT64_MIN : -v;
}

Interval interval_negate(Interval a) {
    return (Interval){negated(a.high), negated(a.low)};
}

Interval interval_subtract(Interval a, Interval b) {
    return interval_add(a, interval_negate(b));
}

Truth interval_greater(Interval a, Interval b) {
    if (!interval_feasible(a) || !interval_feasible(b)) return NOT_KNOWN;
    return a.low > b.high ? KNOWN_TRUE : a.high <= b.low ? KNOWN_FALSE : NOT_KNOWN;
}

Truth interval_at_most(Interval a, Interval b) {
    Truth greater = interval_greater(a, b);
    return greater == NOT_KNOWN ? NOT_KNOWN : greater == KNOWN_TRUE ? KNOWN_FALSE : KNOWN_TRUE;
}

Truth interval_same(Interval a, Interval b) {
    if (!interval_feasible(interval_intersect(a, b))) return KNOWN_FALSE;
    return interval_is_point(a) && interval_equal(a, b) ? KNOWN_TRUE : NOT_KNOWN;
}

/* a * point, saturating by the sign of the true product. */
static int64_t scaled(int64_t a, int64_t point) {
    int64_t product;
    if (point == -1) return negated(a);
    if (!multiply_overflows(a, point, &product)) return product;
    return (a < 0) == (point < 0) ? INT64_MAX : INT64_MIN;
}

static Interval times(Interval a, int64_t point) {
    int64_t x = scaled(a.low, point), y = scaled(a.high, point);
    return point < 0 ? (Interval){y, x} : (Interval){x, y};
}

Interval interval_mul(Interval a, Interval b) {
    return interval_union(times(a, b.low), times(a, b.high));
}

static int64_t divided(int64_t v, int64_t divisor, bool up) {
    if (v == INT64_MIN || v == INT64_MAX) return divisor < 0 ? negated(v) : v;
    return up ? ceil_div(v, divisor) : floor_div(v, divisor);
}

Interval interval_floordiv(Interval a, int64_t divisor) {
    int64_t x = divided(a.low, divisor, false), y = divided(a.high, divisor, false);
    return (Interval){smaller(x, y), larger(x, y)};
}

Interval interval_ceildiv(Interval a, int64_t divisor) {
    int64_t x = divided(a.low, divisor, true), y = divided(a.high, divisor, true);
    return (Interval){smaller(x, y), larger(x, y)};
}

Interval interval_mod(Interval a, int64_t modulus) {
    return a.low >= 0 && a.high < modulus ? a : (Interval){0, modulus - 1};
}

int64_t interval_count(Interval i) {
    int64_t n;
    if (!interval_feasible(i)) return 0;
    if (__builtin_sub_overflow(i.high, i.low, &n) || n == INT64_MAX) return INT64_MAX;
    return n + 1;
}
