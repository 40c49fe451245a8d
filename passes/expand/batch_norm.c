#include "passes/expand/expand.h"

/* batch-norm-training, -inference and -grad by their definitions, in f32 at least. */

typedef struct {
    Builder b;
    const Shape *shape; /* of the operand, in the type that is computed with */
    DType dtype;        /* that type */
    int64_t feature, count; /* elements of one feature */
    int64_t *others;    /* the dims but the feature's */
} Norm;

static Norm norm_new(const Instr *instr) {
    const Shape *x = instr->operands[0]->shape;
    Norm norm = {.b = builder_for(instr), .feature = instr_int(instr, ATTR_FEATURE_INDEX, 0), .count = 1};
    norm.dtype = x->dtype == DT_F64 ? DT_F64 : DT_F32;
    norm.shape = shape_array(norm.b.arena, norm.dtype, x->rank, x->dims);
    norm.others = NEW_ARRAY(norm.b.arena, int64_t, x->rank);
    int n = 0;
    for (int i = 0; i < x->rank; i++) {
        if (i == norm.feature) continue;
        norm.others[n++] = i;
        norm.count *= x->dims[i];
    }
    return norm;
}

static Instr *operand(const Norm *norm, const Instr *instr, int k) {
    return build_convert(&norm->b, instr->operands[k], norm->dtype);
}

/* A value of each feature, for each element. */
static Instr *spread(const Norm *norm, Instr *x) {
    return build_spread(&norm->b, x, norm->shape, 1, &norm->feature);
}

static Instr *sum(const Norm *norm, Instr *x) {
    return build_reduce(&norm->b, OP_ADD, x, 0, norm->shape->rank - 1, norm->others);
}

static Instr *mean(const Norm *norm, Instr *x) {
    Instr *total = sum(norm, x);
    return build_binary(&norm->b, OP_DIVIDE, total, build_fill(&norm->b, total->shape, norm->dtype,
                                                               (double)norm->count));
}

/* variance + epsilon, which is an f32 attribute. */
static Instr *guarded(const Norm *norm, const Instr *instr, Instr *variance) {
    double epsilon = (float)instr_attr(instr, ATTR_EPSILON)->number;
    return build_binary(&norm->b, OP_ADD, variance, build_fill(&norm->b, variance->shape, norm->dtype, epsilon));
}

static Instr *centred(const Norm *norm, Instr *x, Instr *average) {
    return build_binary(&norm->b, OP_SUBTRACT, x, spread(norm, average));
}

/* (x - mean) * (scale / sqrt(variance + epsilon)) + offset. */
static Instr *normalised(const Norm *norm, const Instr *instr, Instr *centred_x, Instr *variance) {
    const Builder *b = &norm->b;
    Instr *factor = build_binary(b, OP_MULTIPLY, operand(norm, instr, 1),
                                 build_unary(b, OP_RSQRT, guarded(norm, instr, variance)));
    Instr *scaled = build_binary(b, OP_MULTIPLY, centred_x, spread(norm, factor));
    return build_binary(b, OP_ADD, scaled, spread(norm, operand(norm, instr, 2)));
}

static Instr *results(const Norm *norm, const Instr *instr, Instr *x, Instr *y, Instr *z) {
    Instr *parts[] = {x, y, z};
    for (int k = 0; k < 3; k++) parts[k] = build_convert(&norm->b, parts[k], instr->shape->elements[k]->dtype);
    return build_tuple(&norm->b, 3, parts);
}

/* (x, scale, offset) -> (y, mean, variance): of the batch, divided by its count. */
Instr *expand_batch_norm_training(Instr *instr, Diags *diags) {
    (void)diags;
    Norm norm = norm_new(instr);
    Instr *x = operand(&norm, instr, 0), *average = mean(&norm, x), *c = centred(&norm, x, average);
    Instr *variance = mean(&norm, build_binary(&norm.b, OP_MULTIPLY, c, c));
    return results(&norm, instr, normalised(&norm, instr, c, variance), average, variance);
}

/* (x, scale, offset, mean, variance) -> y. */
Instr *expand_batch_norm_inference(Instr *instr, Diags *diags) {
    (void)diags;
    Norm norm = norm_new(instr);
    Instr *c = centred(&norm, operand(&norm, instr, 0), operand(&norm, instr, 3));
    return build_convert(&norm.b, normalised(&norm, instr, c, operand(&norm, instr, 4)), instr->shape->dtype);
}

/* (x, scale, mean, variance, dy) -> (dx, dscale, doffset):
 * dx = scale * rstd * (dy - mean(dy) - (x - mean) * rstd^2 * mean(dy (x - mean))). */
Instr *expand_batch_norm_grad(Instr *instr, Diags *diags) {
    (void)diags;
    Norm norm = norm_new(instr);
    const Builder *b = &norm.b;
    Instr *scale = operand(&norm, instr, 1), *dy = operand(&norm, instr, 4);
    Instr *c = centred(&norm, operand(&norm, instr, 0), operand(&norm, instr, 2));
    Instr *rstd = build_unary(b, OP_RSQRT, guarded(&norm, instr, operand(&norm, instr, 3)));
    Instr *d_offset = sum(&norm, dy), *along = sum(&norm, build_binary(b, OP_MULTIPLY, dy, c));
    Instr *d_scale = build_binary(b, OP_MULTIPLY, along, rstd);
    Instr *count = build_fill(b, d_offset->shape, norm.dtype, (double)norm.count);
    Instr *slope = build_binary(b, OP_DIVIDE, build_binary(b, OP_MULTIPLY, d_scale, rstd), count);
    Instr *rest = build_binary(b, OP_SUBTRACT, dy, spread(&norm, build_binary(b, OP_DIVIDE, d_offset, count)));
    rest = build_binary(b, OP_SUBTRACT, rest, build_binary(b, OP_MULTIPLY, c, spread(&norm, slope)));
    Instr *dx = build_binary(b, OP_MULTIPLY, rest, spread(&norm, build_binary(b, OP_MULTIPLY, scale, rstd)));
    return results(&norm, instr, dx, d_scale, d_offset);
}
