/* fft: transforms of any length over the last one to three dims, in double. */
#include <math.h>
#include <string.h>

#include "ir/eval/complex_math.h"
#include "ir/eval/map.h"
#include "ir/eval/move.h"
#include "ir/eval/rule.h"

/* One transform of length n: mixed radix by the prime factors of n (Cooley and Tukey), a prime factor by the sum that
 * defines the transform. */
typedef struct {
    int64_t n;
    Complex *roots; /* e^(-2 pi i k / n), or conjugate for the inverse */
    Complex *spare; /* n */
} Transform;

static Transform transform_new(Arena *arena, int64_t n, bool inverse) {
    Transform transform = {n, NEW_ARRAY(arena, Complex, n), NEW_ARRAY(arena, Complex, n)};
    for (int64_t k = 0; k < n; k++) {
        /* The angle within the first quarter, so that symmetric roots come out symmetric. */
        double turn = 8.0 * (double)k / (double)n;
        double angle = 6.283185307179586476925 * (double)k / (double)n;
        transform.roots[k] = (Complex){cos(angle), inverse ? sin(angle) : -sin(angle)};
        if (turn == 2 || turn == 6) transform.roots[k].re = 0;
        if (turn == 4) transform.roots[k].im = 0;
    }
    return transform;
}

static int64_t smallest_factor(int64_t n) {
    for (int64_t p = 2; p * p <= n; p++)
        if (n % p == 0) return p;
    return n;
}

/* out[0 .. n-1] = the transform of x[0], x[stride] ...; step: roots of order n are every step-th of the table's. */
static void transform_run(const Transform *transform, int64_t n, const Complex *x, int64_t stride, Complex *out,
                          int64_t step) {
    if (n == 1) {
        out[0] = x[0];
        return;
    }
    int64_t p = smallest_factor(n), m = n / p;
    for (int64_t r = 0; r < p; r++) transform_run(transform, m, x + r * stride, stride * p, out + r * m, step * p);
    Complex *sums = transform->spare;
    for (int64_t k = 0; k < m; k++) {
        for (int64_t q = 0; q < p; q++) {
            Complex sum = {0, 0};
            for (int64_t r = 0, turn = 0; r < p; r++) {
                sum = c_add(sum, c_mul(transform->roots[turn * step], out[r * m + k]));
                turn = (turn + k + q * m) % n;
            }
            sums[q] = sum;
        }
        for (int64_t q = 0; q < p; q++) out[q * m + k] = sums[q];
    }
}

/* A box of complex numbers: batch dims flattened, then the dims of the transform. */
typedef struct {
    int rank;
    int64_t batch;
    int64_t dims[3];
    Complex *at;
} Box;

static int64_t box_size(const Box *box) {
    int64_t n = box->batch;
    for (int d = 0; d < box->rank; d++) n *= box->dims[d];
    return n;
}

/* Transforms all lines along one dim. */
static void transform_dim(Arena *scratch, Box *box, int dim, bool inverse) {
    int64_t n = box->dims[dim], inner = 1;
    for (int d = dim + 1; d < box->rank; d++) inner *= box->dims[d];
    Transform transform = transform_new(scratch, n, inverse);
    Complex *line = NEW_ARRAY(scratch, Complex, n);
    double scale = inverse ? 1 / (double)n : 1;
    for (int64_t i = 0; i < box_size(box) / n; i++) {
        Complex *from = box->at + i / inner * inner * n + i % inner;
        transform_run(&transform, n, from, inner, line, 1);
        for (int64_t k = 0; k < n; k++) from[k * inner] = c_scale(line[k], scale);
    }
}

/* Another last dim: cut, or filled up with zeros. */
static Box resized(Arena *scratch, const Box *box, int64_t last) {
    Box other = *box;
    other.dims[box->rank - 1] = last;
    other.at = NEW_ARRAY(scratch, Complex, box_size(&other));
    int64_t old = box->dims[box->rank - 1], common = old < last ? old : last;
    for (int64_t i = 0; last && i < box_size(&other) / last; i++)
        for (int64_t k = 0; k < common; k++) other.at[i * last + k] = box->at[i * old + k];
    return other;
}

/* The second half of each last line from the first: X[n-k] is the conjugate of X[k]. What must be real is made so. */
static void complete_hermitian(Box *box) {
    int64_t n = box->dims[box->rank - 1];
    for (int64_t i = 0; i < box_size(box) / n; i++) {
        Complex *line = box->at + i * n;
        line[0].im = 0;
        if (n % 2 == 0) line[n / 2].im = 0;
        for (int64_t k = n / 2 + 1; k < n; k++) line[k] = c_conj(line[n - k]);
    }
}

static Box load(Arena *scratch, const Value *operand, int rank) {
    const Shape *shape = operand->shape;
    Box box = {rank, 1, {0}, NEW_ARRAY(scratch, Complex, value_elements(operand))};
    for (int d = 0; d < shape->rank - rank; d++) box.batch *= shape->dims[d];
    for (int d = 0; d < rank; d++) box.dims[d] = shape->dims[shape->rank - rank + d];
    MapPlan plan;
    map_plan_convert(&plan, shape->dtype, DT_C128);
    map_run(&plan, box.at, (const void *const[]){operand->data}, value_elements(operand));
    return box;
}

Value *eval_fft(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    FftType type = (FftType)instr_int(instr, ATTR_FFT_TYPE, FFT_FFT);
    IntList lengths = instr_ints(instr, ATTR_FFT_LENGTH);
    int rank = lengths.n, last = rank - 1;
    if (rank < 1 || rank > 3) return eval_error(eval, instr, "cannot evaluate an fft of %d dims", rank);
    Arena *scratch = arena_new();
    Value *result = value_zeros(shape);
    Box box = load(scratch, operands[0], rank);
    bool inverse = type == FFT_IFFT || type == FFT_IRFFT;
    if (value_elements(result) && box_size(&box)) {
        if (type == FFT_IRFFT) {
            for (int d = 0; d < last; d++) transform_dim(scratch, &box, d, inverse);
            box = resized(scratch, &box, lengths.at[last]);
            complete_hermitian(&box);
            transform_dim(scratch, &box, last, inverse);
        } else {
            for (int d = last; d >= 0; d--) {
                transform_dim(scratch, &box, d, inverse);
                if (type == FFT_RFFT && d == last) box = resized(scratch, &box, lengths.at[last] / 2 + 1);
            }
        }
        MapPlan plan;
        map_plan_convert(&plan, DT_C128, shape->dtype);
        map_run(&plan, result->data, (const void *const[]){box.at}, value_elements(result));
    }
    arena_free(scratch);
    return result;
}
