/* Closed intervals of 64-bit integers. INT64_MIN and INT64_MAX stand for minus and plus infinity: arithmetic saturates
 * there instead of overflowing. An interval with low > high is infeasible (empty). */
#ifndef IR_INTERVAL_H
#define IR_INTERVAL_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int64_t low, high;
} Interval;

static inline bool interval_feasible(Interval i) {
    return i.low <= i.high;
}
static inline bool interval_is_point(Interval i) {
    return i.low == i.high;
}
static inline bool interval_contains(Interval i, int64_t v) {
    return i.low <= v && v <= i.high;
}
/* b lies in a. */
static inline bool interval_includes(Interval a, Interval b) {
    return a.low <= b.low && b.high <= a.high;
}
static inline bool interval_equal(Interval a, Interval b) {
    return a.low == b.low && a.high == b.high;
}

Interval interval_intersect(Interval a, Interval b);
Interval interval_union(Interval a, Interval b); /* the hull */
Interval interval_min(Interval a, Interval b);   /* of the minimum of one from each */
Interval interval_max(Interval a, Interval b);
Interval interval_add(Interval a, Interval b);
Interval interval_negate(Interval a);
Interval interval_subtract(Interval a, Interval b);
Interval interval_mul(Interval a, Interval b);
Interval interval_floordiv(Interval a, int64_t divisor); /* divisor not 0 */
Interval interval_ceildiv(Interval a, int64_t divisor);
Interval interval_mod(Interval a, int64_t modulus); /* modulus above 0 */

/* What is known of a comparison of any element of a with any of b; nothing when one of them is empty. */
typedef enum { KNOWN_FALSE, KNOWN_TRUE, NOT_KNOWN } Truth;
Truth interval_greater(Interval a, Interval b);
Truth interval_at_most(Interval a, Interval b);
Truth interval_same(Interval a, Interval b); /* false also where an empty one makes the intersection empty */

/* How many integers it holds; 0 when infeasible, INT64_MAX when unbounded. */
int64_t interval_count(Interval i);

int64_t floor_div(int64_t a, int64_t b); /* b not 0 */
int64_t ceil_div(int64_t a, int64_t b);
int64_t floor_mod(int64_t a, int64_t b); /* in [0, |b|-1] */
int64_t gcd_of(int64_t a, int64_t b);    /* not negative; gcd_of(0, 0) is 0 */
bool multiply_overflows(int64_t a, int64_t b, int64_t *product);

/* Arithmetic modulo 2^64, as generated code and index_evaluate have it: never undefined. */
static inline int64_t wrapping_add(int64_t a, int64_t b) {
    return (int64_t)((uint64_t)a + (uint64_t)b);
}
static inline int64_t wrapping_mul(int64_t a, int64_t b) {
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

#endif
