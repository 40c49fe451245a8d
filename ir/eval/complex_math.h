/* Arithmetic on Complex: componentwise and by the plain formulas, without C's recovery of infinities from NaNs. */
#ifndef IR_EVAL_COMPLEX_MATH_H
#define IR_EVAL_COMPLEX_MATH_H

#include "ir/eval/lanes.h"

static inline Complex c_sub(Complex x, Complex y) {
    return (Complex){x.re - y.re, x.im - y.im};
}
static inline Complex c_add(Complex x, Complex y) {
    return (Complex){x.re + y.re, x.im + y.im};
}
static inline Complex c_mul(Complex x, Complex y) {
    return (Complex){x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}
static inline Complex c_conj(Complex x) {
    return (Complex){x.re, -x.im};
}
static inline Complex c_scale(Complex x, double factor) {
    return (Complex){x.re * factor, x.im * factor};
}
static inline double c_abs2(Complex x) {
    return x.re * x.re + x.im * x.im;
}

#endif
