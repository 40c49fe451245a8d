#include "ir/eval/contract.h"

#include <string.h>

#include "ir/eval/complex_math.h"
#include "ir/eval/move.h"

Dims dims_new(Arena *arena, int capacity) {
    return (Dims){0, NEW_ARRAY(arena, int64_t, capacity)};
}

void dims_add(Dims *dims, int64_t d) {
    dims->at[dims->n++] = d;
}

bool dims_has(Dims dims, int64_t d) {
    for (int k = 0; k < dims.n; k++)
        if (dims.at[k] == d) return true;
    return false;
}

int64_t dims_product(const Shape *shape, Dims dims) {
    int64_t product = 1;
    for (int k = 0; k < dims.n; k++) product *= shape->dims[dims.at[k]];
    return product;
}

static DType wide_dtype(LaneClass class) {
    return class == LANE_INT ? DT_S64 : class == LANE_FLOAT ? DT_F64 : DT_C128;
}

size_t wide_bytes(LaneClass class) {
    return (size_t)dtype_bytes(wide_dtype(class));
}

Wide wide_zeros(Arena *arena, LaneClass class, int64_t n) {
    return (Wide){class, arena_alloc(arena, (size_t)n * wide_bytes(class)), n};
}

Wide wide_operand(Arena *arena, LaneClass class, const Value *operand, const int64_t *order) {
    Wide wide = wide_zeros(arena, class, value_elements(operand));
    Arena *scratch = arena_new();
    const Shape *shape = operand->shape;
    size_t bytes = (size_t)dtype_bytes(shape->dtype);
    int64_t *own = strides_new(scratch, shape), stride = 1;
    int64_t *dims = NEW_ARRAY(scratch, int64_t, shape->rank);
    int64_t *from = NEW_ARRAY(scratch, int64_t, shape->rank), *to = NEW_ARRAY(scratch, int64_t, shape->rank);
    for (int k = shape->rank - 1; k >= 0; k--) {
        dims[k] = shape->dims[order[k]];
        from[k] = own[order[k]];
        to[k] = stride;
        stride *= dims[k];
    }
    void *ordered = arena_alloc(scratch, (size_t)wide.n * bytes);
    move_box(&(Move){shape->rank, dims, 0, 0, to, from}, bytes, ordered, operand->data);
    MapPlan plan;
    map_plan_convert(&plan, shape->dtype, wide_dtype(class));
    map_run(&plan, wide.at, (const void *const[]){ordered}, wide.n);
    arena_free(scratch);
    return wide;
}

/* Four partial sums, so that one addition need not wait for the other. */
static double sum_floats(const double *a, const double *b, int64_t n) {
    double sums[4] = {0};
    int64_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; k++) sums[k] += a[i + k] * b[i + k];
    for (; i < n; i++) sums[0] += a[i] * b[i];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

static uint64_t sum_integers(const uint64_t *a, const uint64_t *b, int64_t n) {
    uint64_t sum = 0;
    for (int64_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static Complex sum_complex(const Complex *a, const Complex *b, int64_t n) {
    Complex sum = {0, 0};
    for (int64_t i = 0; i < n; i++) sum = c_add(sum, c_mul(a[i], b[i]));
    return sum;
}

void wide_accumulate(Wide *sum, int64_t at_sum, const Wide *a, int64_t at_a, const Wide *b, int64_t at_b, int64_t n) {
    const void *x = a->at + (size_t)at_a * wide_bytes(a->class), *y = b->at + (size_t)at_b * wide_bytes(b->class);
    void *to = sum->at + (size_t)at_sum * wide_bytes(sum->class);
    if (sum->class == LANE_FLOAT) {
        *(double *)to += sum_floats(x, y, n);
    } else if (sum->class == LANE_INT) {
        *(uint64_t *)to += sum_integers(x, y, n);
    } else {
        Complex products = sum_complex(x, y, n), *total = to;
        total->re += products.re;
        total->im += products.im;
    }
}

Value *wide_result(const Shape *shape, const Wide *sums) {
    Value *result = value_new(shape);
    MapPlan plan;
    map_plan_convert(&plan, wide_dtype(sums->class), shape->dtype);
    map_run(&plan, result->data, (const void *const[]){sums->at}, sums->n);
    return result;
}

Wide wide_multiply(Arena *arena, const Wide *a, const Wide *b, int64_t batch, int64_t rows, int64_t columns,
                   int64_t k) {
    Wide sums = wide_zeros(arena, a->class, batch * rows * columns);
    for (int64_t i = 0; i < batch * rows; i++)
        for (int64_t j = 0; j < columns; j++)
            wide_accumulate(&sums, i * columns + j, a, i * k, b, (i / rows * columns + j) * k, k);
    return sums;
}
