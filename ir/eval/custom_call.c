#include "ir/eval/custom_call.h"

#include <stdlib.h>
#include <string.h>

#include "ir/eval/contract.h"
#include "ir/eval/dynamic.h"
#include "ir/eval/lapack.h"
#include "ir/eval/map.h"
#include "ir/eval/random.h"
#include "ir/eval/sort.h"

/* --- annotations -------------------------------------------------------------------------------------------------- */

static Value *identity(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)eval, (void)instr, (void)shape;
    return value_retain(operands[0]);
}

static Value *nothing(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)eval, (void)instr, (void)operands;
    return value_zeros(shape);
}

static Value *shape_assertion(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    if (!value_index(operands[0], 0)) {
        const char *message = instr_string(instr, ATTR_BACKEND_CONFIG);
        return eval_error(eval, instr, "shape assertion failed: %s", message ? message : "no message");
    }
    return value_zeros(shape);
}

static Value *slice_to_dynamic_call(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    if (instr->n_operands != 1 + shape->rank)
        return eval_error(eval, instr, "expected %d operands, found %d", 1 + shape->rank, instr->n_operands);
    return slice_to_dynamic(eval, shape, operands[0], operands + 1);
}

static Value *pad_to_static_call(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    if (!shape_is_tuple(shape) || shape->n_elements != 1 + operands[0]->shape->rank)
        return eval_error(eval, instr, "expected an array and its sizes as result");
    return pad_to_static(shape, operands[0]);
}

/* --- computations ------------------------------------------------------------------------------------------------- */

/* A comparator that says less-than asks for the smallest. */
static bool wants_smallest(const Instr *instr) {
    const Attr *called = instr_attr(instr, ATTR_CALLED_COMPUTATIONS);
    const char *config = instr_string(instr, ATTR_BACKEND_CONFIG);
    if (called && called->n_computations && called->computations[0]->root->op == OP_COMPARE) {
        Direction direction = (Direction)instr_int(called->computations[0]->root, ATTR_DIRECTION, DIRECTION_GT);
        return direction == DIRECTION_LT || direction == DIRECTION_LE;
    }
    return config && strstr(config, "largest = false");
}

static Value *topk_call(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)eval;
    const Shape *values = shape->elements[0];
    return topk(shape, operands[0], values->dims[values->rank - 1], !wants_smallest(instr));
}

/* (arrays, initial values) -> the first few of the arrays along one dim, as an exact sort gives them. */
static Value *approx_topk_call(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    const Attr *called = instr_attr(instr, ATTR_CALLED_COMPUTATIONS);
    const char *config = instr_string(instr, ATTR_BACKEND_CONFIG);
    const char *key = config ? strstr(config, "reduction_dim") : NULL;
    const Shape *result = shape_is_tuple(shape) ? shape->elements[0] : shape, *array = operands[0]->shape;
    int64_t n = instr->n_operands / 2, along = key ? strtoll(key + strcspn(key, "0123456789-"), NULL, 10) : -1;
    if (along < 0) along += array->rank;
    if (!called || called->n_computations != 1 || n < 1 || along < 0 || along >= array->rank ||
        result->rank != array->rank || result->dims[along] > array->dims[along])
        return eval_error(eval, instr, "cannot evaluate custom call '%s' with these operands and results",
                          instr_string(instr, ATTR_CUSTOM_CALL_TARGET));
    return sort_rows(eval, shape, (int)n, operands, called->computations[0], along, result->dims[along]);
}

/* The rows of a sparse matrix (its elements, where each row begins, their columns) times a dense one or a vector. */
static Value *csr_call(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    if (instr->n_operands != 4 || operands[3]->shape->rank < 1 || shape->rank != operands[3]->shape->rank)
        return eval_error(eval, instr, "expected 4 operands: elements, row starts, columns, a dense matrix or vector");
    Arena *scratch = arena_new();
    const int64_t order[2] = {0, 1};
    LaneClass class = lane_class(shape->dtype);
    Wide elements = wide_operand(scratch, class, operands[0], order);
    Wide dense = wide_operand(scratch, class, operands[3], order);
    int64_t rows = shape->dims[0], columns = shape->rank > 1 ? shape->dims[1] : 1;
    Wide sums = wide_zeros(scratch, class, rows * columns);
    bool inside = value_elements(operands[1]) == rows + 1 && value_elements(operands[2]) == elements.n;
    for (int64_t i = 0; inside && i < rows; i++) {
        int64_t begin = value_index(operands[1], i), end = value_index(operands[1], i + 1);
        inside = begin >= 0 && end <= elements.n;
        for (int64_t p = begin; inside && p < end; p++) {
            int64_t column = value_index(operands[2], p);
            inside = column >= 0 && column < operands[3]->shape->dims[0];
            for (int64_t j = 0; inside && j < columns; j++)
                wide_accumulate(&sums, i * columns + j, &elements, p, &dense, column * columns + j, 1);
        }
    }
    Value *result = inside ? wide_result(shape, &sums) : NULL;
    arena_free(scratch);
    return result ? result : eval_error(eval, instr, "an index of the sparse matrix lies outside its arrays");
}

/* (keys0, keys1, x0, x1) -> (y0, y1), or one array of keys and counters each. */
static Value *threefry_call(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    if (instr->n_operands != 4 || !shape_is_tuple(shape) || shape->n_elements != 2)
        return eval_error(eval, instr, "expected 4 operands and 2 results");
    Value *result = value_new(shape);
    for (int k = 0; k < 2; k++) result->elements[k] = value_new(shape->elements[k]);
    uint32_t *y0 = result->elements[0]->data, *y1 = result->elements[1]->data;
    const uint32_t *in[4];
    int64_t steps[4];
    for (int k = 0; k < 4; k++) {
        in[k] = operands[k]->data;
        steps[k] = operands[k]->shape->rank > 0;
    }
    for (int64_t i = 0; i < value_elements(result->elements[0]); i++) {
        uint32_t x[2] = {in[2][i * steps[2]], in[3][i * steps[3]]};
        threefry(in[0][i * steps[0]], in[1][i * steps[1]], x);
        y0[i] = x[0];
        y1[i] = x[1];
    }
    return result;
}

static Value *unary_call(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    MapPlan plan;
    if (!map_plan_op(&plan, custom_call_op(instr), 1, &operands[0]->shape->dtype, shape->dtype))
        return eval_error(eval, instr, "cannot evaluate custom call '%s' of %s",
                          instr_string(instr, ATTR_CUSTOM_CALL_TARGET), dtype_name(shape->dtype));
    Value *result = value_new(shape);
    map_run(&plan, result->data, (const void *const[]){operands[0]->data}, value_elements(result));
    return result;
}

/* --- by name ------------------------------------------------------------------------------------------------------ */

typedef enum { ANY_SHAPES, SAME_SHAPES } Agreement; /* SAME_SHAPES: an identity only where shapes agree */

static const struct {
    const char *target;
    EvalRule *rule;
    Agreement agreement;
} targets[] = {
    {"Sharding", identity, SAME_SHAPES},
    {"SPMDFullToShardShape", identity, SAME_SHAPES},
    {"SPMDShardToFullShape", identity, SAME_SHAPES},
    {"LayoutConstraint", identity, SAME_SHAPES},
    {"annotate_device_placement", identity, SAME_SHAPES},
    {"AnnotateDevicePlacement", identity, SAME_SHAPES},
    {"MoveToHost", identity, SAME_SHAPES},
    {"MoveToDevice", identity, SAME_SHAPES},
    {"Pin", identity, ANY_SHAPES},
    {"Unpin", identity, ANY_SHAPES},
    {"xla.sdy.FuncResultSharding", identity, SAME_SHAPES},
    {"xla.sdy.PropagationBarrier", identity, SAME_SHAPES},
    {"xla.sdy.GlobalToLocalShape", identity, SAME_SHAPES},
    {"xla.sdy.LocalToGlobalShape", identity, SAME_SHAPES},
    {"stablehlo.shape_refinement_operand_wrapper", identity, SAME_SHAPES},
    {"xla.sdy.ShardingGroup", nothing, ANY_SHAPES},
    {"dce_sink", nothing, ANY_SHAPES},
    {"AllocateBuffer", nothing, ANY_SHAPES},
    {"CreateBuffer", nothing, ANY_SHAPES},
    {"GetRngSeed", nothing, ANY_SHAPES},
    {"shape_assertion", shape_assertion, ANY_SHAPES},
    {"SliceToDynamic", slice_to_dynamic_call, ANY_SHAPES},
    {"PadToStatic", pad_to_static_call, ANY_SHAPES},
    {"TopK", topk_call, ANY_SHAPES},
    {"mhlo.topk", topk_call, ANY_SHAPES},
    {"chlo.top_k", topk_call, ANY_SHAPES},
    {"stablehlo.topk", topk_call, ANY_SHAPES},
    {"ApproxTopK", approx_topk_call, ANY_SHAPES},
    {"cpu_csr_sparse_dense_ffi", csr_call, ANY_SHAPES},
    {"threefry2x32", threefry_call, ANY_SHAPES},
    {"threefry2x32_ffi", threefry_call, ANY_SHAPES},
    {"cpu_threefry2x32", threefry_call, ANY_SHAPES},
    {"cu_threefry2x32", threefry_call, ANY_SHAPES},
    {"cu_threefry2x32_ffi", threefry_call, ANY_SHAPES},
    {"cuda_threefry2x32", threefry_call, ANY_SHAPES},
    {"hip_threefry2x32", threefry_call, ANY_SHAPES},
    {"hip_threefry2x32_ffi", threefry_call, ANY_SHAPES},
};

Op custom_call_op(const Instr *instr) {
    const char *target = instr_string(instr, ATTR_CUSTOM_CALL_TARGET);
    if (!target || (strncmp(target, "mhlo.", 5) != 0 && strncmp(target, "chlo.", 5) != 0)) return N_OPS;
    Op op = op_from_name(target + 5, strlen(target + 5));
    return op != N_OPS && op_operands(op) == 1 && instr->n_operands == 1 ? op : N_OPS;
}

EvalRule *custom_call_rule(const Instr *instr) {
    const char *target = instr_string(instr, ATTR_CUSTOM_CALL_TARGET);
    if (!target) return NULL;
    for (size_t k = 0; k < sizeof targets / sizeof *targets; k++) {
        if (strcmp(targets[k].target, target) != 0) continue;
        bool agrees = instr->n_operands && shapes_compatible(instr->shape, instr->operands[0]->shape);
        return targets[k].agreement == ANY_SHAPES || agrees ? targets[k].rule : NULL;
    }
    if (lapack_rule(target)) return lapack_rule(target);
    MapPlan plan;
    Op op = custom_call_op(instr);
    if (op == N_OPS || !shape_is_array(instr->shape)) return NULL;
    return map_plan_op(&plan, op, 1, &instr->operands[0]->shape->dtype, instr->shape->dtype) ? unary_call : NULL;
}

Value *eval_custom_call(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    EvalRule *rule = custom_call_rule(instr);
    if (rule) return rule(eval, instr, shape, operands);
    return eval_error(eval, instr, "cannot evaluate custom call '%s'", instr_string(instr, ATTR_CUSTOM_CALL_TARGET));
}
