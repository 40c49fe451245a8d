#include "ir/eval/wide_matrix.h"

#include <math.h>

#include "ir/eval/map.h"

/* Real divisors divide each part, so that real systems meet zero as real arithmetic does. */
Complex c_div(Complex x, Complex y) {
    if (y.im == 0) return (Complex){x.re / y.re, x.im == 0 ? 0 : x.im / y.re};
    double scale = 1 / c_abs2(y);
    return c_scale(c_mul(x, c_conj(y)), scale);
}

Complex *wide_matrix(Arena *arena, const Value *value) {
    int64_t n = value_elements(value);
    Complex *elements = NEW_ARRAY(arena, Complex, n);
    MapPlan plan;
    map_plan_convert(&plan, value->shape->dtype, DT_C128);
    map_run(&plan, elements, (const void *const[]){value->data}, n);
    return elements;
}

Value *narrow_matrix(const Shape *shape, const Complex *elements) {
    Value *value = value_new(shape);
    MapPlan plan;
    map_plan_convert(&plan, DT_C128, shape->dtype);
    map_run(&plan, value->data, (const void *const[]){elements}, value_elements(value));
    return value;
}
