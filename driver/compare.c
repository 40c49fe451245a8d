#include "driver/compare.h"

#include <math.h>

Tolerance tolerance_default(DType dtype) {
    if (!dtype_is_float(dtype) && !dtype_is_complex(dtype)) return (Tolerance){true, 0, 0};
    int bits = dtype_bits(dtype_component(dtype));
    if (bits <= 16) return (Tolerance){true, 1e-2, 1e-2};
    if (bits == 32) return (Tolerance){true, 1e-5, 1e-6};
    return (Tolerance){true, 1e-12, 1e-13};
}

/* How far got is from expected, and how far it may be. */
typedef struct {
    double error, allowed;
} Distance;

static double beyond(Distance distance) {
    if (distance.error <= distance.allowed) return 0;
    return distance.allowed > 0 ? distance.error / distance.allowed : distance.error;
}

static Distance measure(double got, double expected, Tolerance tolerance) {
    if (got == expected || (isnan(got) && isnan(expected))) return (Distance){0, 0};
    /* One is finite, or they are infinities of two signs: no tolerance hides that. */
    if (!isfinite(got) || !isfinite(expected)) return (Distance){INFINITY, 0};
    return (Distance){fabs(got - expected), tolerance.atol + tolerance.rtol * fabs(expected)};
}

static Distance measure_complex(const Literal *got, const Literal *expected, int64_t i, Tolerance tolerance) {
    double g[2] = {literal_double(got, i), literal_imag(got, i)};
    double e[2] = {literal_double(expected, i), literal_imag(expected, i)};
    if (isfinite(g[0]) && isfinite(g[1]) && isfinite(e[0]) && isfinite(e[1])) {
        double allowed = tolerance.atol + tolerance.rtol * hypot(e[0], e[1]);
        return (Distance){hypot(g[0] - e[0], g[1] - e[1]), allowed};
    }
    Distance re = measure(g[0], e[0], tolerance), im = measure(g[1], e[1], tolerance);
    return beyond(re) >= beyond(im) ? re : im;
}

static Distance measure_element(const Literal *got, const Literal *expected, int64_t i, Tolerance tolerance) {
    DType dtype = got->shape->dtype;
    if (dtype_is_complex(dtype)) return measure_complex(got, expected, i, tolerance);
    if (dtype_is_float(dtype)) return measure(literal_double(got, i), literal_double(expected, i), tolerance);
    int64_t a = literal_int(got, i), b = literal_int(expected, i);
    if (a == b) return (Distance){0, 0};
    /* The difference in double may vanish; that of the bits does not. */
    double error = fabs((double)a - (double)b);
    return (Distance){error > 0 ? error : 1, 0};
}

static void print_index(Text *out, const Shape *shape, int64_t i) {
    int64_t rest = i, stride = shape_elements(shape);
    text_char(out, '[');
    for (int d = 0; d < shape->rank; d++) {
        stride /= shape->dims[d];
        text_printf(out, d ? ",%lld" : "%lld", (long long)(rest / stride));
        rest %= stride;
    }
    text_char(out, ']');
}

static void print_element(Text *out, const Literal *literal, int64_t i) {
    const char *data = literal->data;
    DType dtype = literal->shape->dtype;
    literal_print_element(out, dtype, data + (size_t)i * (size_t)dtype_bytes(dtype));
}

bool literal_compare(const Literal *got, const Literal *expected, Tolerance tolerance, const char *name, Text *report) {
    const Shape *shape = got->shape;
    if (!tolerance.given) tolerance = tolerance_default(shape->dtype);
    int64_t n = shape_elements(shape), n_different = 0, worst = -1;
    Distance worst_distance = {0, 0};
    for (int64_t i = 0; i < n; i++) {
        Distance distance = measure_element(got, expected, i, tolerance);
        if (distance.error <= distance.allowed) continue;
        n_different++;
        if (worst >= 0 && beyond(distance) <= beyond(worst_distance)) continue;
        worst = i;
        worst_distance = distance;
    }
    if (!n_different) return true;
    text_printf(report, "%s: %lld of %lld elements differ; the worst at ", name, (long long)n_different, (long long)n);
    print_index(report, shape, worst);
    text_put(report, ": got ");
    print_element(report, got, worst);
    text_put(report, ", expected ");
    print_element(report, expected, worst);
    if (isfinite(worst_distance.error))
        text_printf(report, " (off by %.3g, allowed %.3g)", worst_distance.error, worst_distance.allowed);
    text_char(report, '\n');
    return false;
}
