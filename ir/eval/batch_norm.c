/* batch-norm-training, -inference and -grad, in double, by their definitions. */
#include <math.h>

#include "ir/eval/map.h"
#include "ir/eval/rule.h"

/* The operand of a normalisation, seen as [outer][feature][inner]. */
typedef struct {
    int64_t n, features, inner, count; /* count: elements of one feature */
    double epsilon;
    Arena *scratch;
} Norm;

static Norm norm_new(const Instr *instr, const Shape *shape) {
    Norm norm = {.inner = 1, .scratch = arena_new()};
    int64_t feature = instr_int(instr, ATTR_FEATURE_INDEX, 0);
    norm.n = shape_elements(shape);
    norm.features = shape->dims[feature];
    for (int d = (int)feature + 1; d < shape->rank; d++) norm.inner *= shape->dims[d];
    norm.count = norm.features ? norm.n / norm.features : 0;
    norm.epsilon = (float)instr_attr(instr, ATTR_EPSILON)->number; /* the attribute is an f32 */
    return norm;
}

static int64_t feature_of(const Norm *norm, int64_t i) {
    return i / norm->inner % norm->features;
}

static double *doubles(const Norm *norm, const Value *value) {
    double *at = NEW_ARRAY(norm->scratch, double, value_elements(value));
    MapPlan plan;
    map_plan_convert(&plan, value->shape->dtype, DT_F64);
    map_run(&plan, at, (const void *const[]){value->data}, value_elements(value));
    return at;
}

static Value *rounded(const Shape *shape, const double *from) {
    Value *value = value_new(shape);
    MapPlan plan;
    map_plan_convert(&plan, DT_F64, shape->dtype);
    map_run(&plan, value->data, (const void *const[]){from}, value_elements(value));
    return value;
}

static double *zeros(const Norm *norm, int64_t n) {
    return NEW_ARRAY(norm->scratch, double, n);
}

/* y = (x - mean) / sqrt(variance + epsilon) * scale + offset, over x. */
static void normalise(const Norm *norm, double *x, const double *scale, const double *offset, const double *mean,
                      const double *variance) {
    for (int64_t i = 0; i < norm->n; i++) {
        int64_t f = feature_of(norm, i);
        x[i] = (x[i] - mean[f]) / sqrt(variance[f] + norm->epsilon) * scale[f] + offset[f];
    }
}

static Value *tuple_of(const Shape *shape, const double *a, const double *b, const double *c) {
    Value *tuple = value_new(shape);
    const double *const parts[] = {a, b, c};
    for (int k = 0; k < 3; k++) tuple->elements[k] = rounded(shape->elements[k], parts[k]);
    return tuple;
}

/* (x, scale, offset) -> (y, mean, variance): of the batch, divided by its count. */
Value *eval_batch_norm_training(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)eval;
    Norm norm = norm_new(instr, operands[0]->shape);
    double *x = doubles(&norm, operands[0]);
    double *mean = zeros(&norm, norm.features), *variance = zeros(&norm, norm.features);
    for (int64_t i = 0; i < norm.n; i++) mean[feature_of(&norm, i)] += x[i];
    for (int64_t f = 0; f < norm.features; f++) mean[f] /= (double)norm.count;
    for (int64_t i = 0; i < norm.n; i++) variance[feature_of(&norm, i)] += pow(x[i] - mean[feature_of(&norm, i)], 2);
    for (int64_t f = 0; f < norm.features; f++) variance[f] /= (double)norm.count;
    normalise(&norm, x, doubles(&norm, operands[1]), doubles(&norm, operands[2]), mean, variance);
    Value *result = tuple_of(shape, x, mean, variance);
    arena_free(norm.scratch);
    return result;
}

/* (x, scale, offset, mean, variance) -> y. */
Value *eval_batch_norm_inference(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)eval;
    Norm norm = norm_new(instr, operands[0]->shape);
    double *x = doubles(&norm, operands[0]);
    normalise(&norm, x, doubles(&norm, operands[1]), doubles(&norm, operands[2]), doubles(&norm, operands[3]),
              doubles(&norm, operands[4]));
    Value *result = rounded(shape, x);
    arena_free(norm.scratch);
    return result;
}

/* (x, scale, mean, variance, dy) -> (dx, dscale, doffset). */
Value *eval_batch_norm_grad(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)eval;
    Norm norm = norm_new(instr, operands[0]->shape);
    double *x = doubles(&norm, operands[0]), *scale = doubles(&norm, operands[1]), *mean = doubles(&norm, operands[2]);
    double *variance = doubles(&norm, operands[3]), *dy = doubles(&norm, operands[4]), n = (double)norm.count;
    double *d_offset = zeros(&norm, norm.features), *d_scale = zeros(&norm, norm.features);
    double *centred = zeros(&norm, norm.features); /* sum of dy (x - mean) */
    for (int64_t i = 0; i < norm.n; i++) {
        int64_t f = feature_of(&norm, i);
        d_offset[f] += dy[i];
        centred[f] += dy[i] * (x[i] - mean[f]);
    }
    for (int64_t f = 0; f < norm.features; f++) d_scale[f] = centred[f] / sqrt(variance[f] + norm.epsilon);
    for (int64_t i = 0; i < norm.n; i++) {
        int64_t f = feature_of(&norm, i);
        double spread = variance[f] + norm.epsilon;
        dy[i] = scale[f] / sqrt(spread) / n * (n * dy[i] - d_offset[f] - (x[i] - mean[f]) * centred[f] / spread);
    }
    Value *result = tuple_of(shape, dy, d_scale, d_offset);
    arena_free(norm.scratch);
    return result;
}
