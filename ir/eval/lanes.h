/* Lanes: up to LANES elements in the widest type of their class, so that an operator is written once per class:
 * integers and pred as int64_t (u64 as its bits), floats as double, complex numbers as two doubles.
 *
 * Computing in double and rounding once to the element type gives the correctly rounded f32, f16 ... of + - * / and
 * sqrt (double has more than twice their bits), and other functions to within an ulp's hair. */
#ifndef IR_EVAL_LANES_H
#define IR_EVAL_LANES_H

#include <stdint.h>

#include "ir/dtype.h"

enum { LANES = 256 };

typedef struct {
    double re, im;
} Complex;

typedef union {
    int64_t i[LANES];
    double f[LANES];
    Complex c[LANES];
} Lanes;

typedef enum { LANE_INT, LANE_FLOAT, LANE_COMPLEX } LaneClass;

LaneClass lane_class(DType dtype);

/* n (at most LANES) consecutive elements of any array type. */
void lanes_load(Lanes *lanes, DType dtype, const void *from, int n);
/* The same, rounded once to the type: floats to nearest even; integers wrap; pred is != 0. */
void lanes_store(DType dtype, void *to, const Lanes *lanes, int n);

/* Lanes of one class made lanes of another one: an integer becomes the double nearest to it, rounded to odd where it
 * has more than 53 bits (so that rounding once more, to a narrower type, is exact); unsigned says how to read 64 bits.
 * Floats become integers of the type `to` as convert does: NaN is 0, others truncate and saturate. */
double double_from_int(int64_t value, bool is_unsigned, DType to);
int64_t int_from_double(double value, DType to);

/* The value of an integer's low bits in the type: sign- or zero-extended. */
int64_t int_wrap(DType dtype, int64_t value);


#endif
