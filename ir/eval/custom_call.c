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
    (void)instr;
    return slice_to_dynamic(eval, shape, operands[0], operands + 1);
}

static Value *pad_to_static_call(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)eval, (void)instr;
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
    (void)eval, (void)instr;
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

/* Shapes that a rule is written for: it does not look again. */
typedef bool Fits(const Instr *instr);

static bool anything(const Instr *instr) {
    return instr->shape->dtype != DT_BUFFER;
}

static const Shape *array_operand(const Instr *instr, int k) {
    return k < instr->n_operands && shape_is_array(instr->operands[k]->shape) ? instr->operands[k]->shape : NULL;
}

/* An identity only where shapes agree. */
static bool same_shapes(const Instr *instr) {
    return instr->n_operands > 0 && shapes_compatible(instr->shape, instr->operands[0]->shape);
}

/* The array, perhaps in a buffer. */
static const Shape *held_array(const Shape *shape) {
    return shape->dtype == DT_BUFFER ? shape->elements[0] : shape;
}

static bool same_arrays(const Instr *instr) {
    return instr->n_operands > 0 &&
           shapes_compatible(held_array(instr->shape), held_array(instr->operands[0]->shape));
}

static bool assertion(const Instr *instr) {
    const Shape *holds = array_operand(instr, 0);
    return holds && holds->dtype == DT_PRED && holds->rank == 0;
}

static bool sizes_of_array(const Instr *instr, int first) {
    for (int k = first; k < instr->n_operands; k++)
        if (!array_operand(instr, k) || array_operand(instr, k)->dtype != DT_S32 || array_operand(instr, k)->rank != 0)
            return false;
    return true;
}

static bool static_to_dynamic(const Instr *instr) {
    const Shape *from = array_operand(instr, 0), *to = instr->shape;
    return from && shape_is_array(to) && from->dtype == to->dtype && shapes_same_dims(from, to) &&
           instr->n_operands == 1 + to->rank && sizes_of_array(instr, 1);
}

static bool dynamic_to_static(const Instr *instr) {
    const Shape *from = array_operand(instr, 0), *to = instr->shape;
    if (!from || !shape_is_tuple(to) || to->n_elements != 1 + from->rank) return false;
    for (int k = 1; k < to->n_elements; k++)
        if (!shape_is_array(to->elements[k]) || to->elements[k]->dtype != DT_S32 || to->elements[k]->rank) return false;
    const Shape *array = to->elements[0];
    return shape_is_array(array) && array->dtype == from->dtype && shapes_same_dims(array, from);
}

/* Array -> (the first of its rows' elements, where they were). */
static bool rows_to_first(const Instr *instr) {
    const Shape *from = array_operand(instr, 0), *to = instr->shape;
    if (!from || !from->rank || !shape_is_tuple(to) || to->n_elements != 2) return false;
    const Shape *values = to->elements[0], *indices = to->elements[1];
    if (!shape_is_array(values) || !shape_is_array(indices) || !shapes_same_dims(values, indices)) return false;
    if (values->dtype != from->dtype || indices->dtype != DT_S32 || values->rank != from->rank) return false;
    for (int d = 0; d < from->rank - 1; d++)
        if (values->dims[d] != from->dims[d]) return false;
    return values->dims[from->rank - 1] <= from->dims[from->rank - 1] && !dtype_is_complex(from->dtype);
}

static bool arrays(const Instr *instr) {
    for (int k = 0; k < instr->n_operands; k++)
        if (!array_operand(instr, k)) return false;
    return instr->n_operands > 0;
}

/* Elements, row starts, columns, and a dense matrix or vector of the type of the result. */
static bool sparse_times_dense(const Instr *instr) {
    if (instr->n_operands != 4 || !arrays(instr) || !shape_is_array(instr->shape)) return false;
    const Shape *dense = array_operand(instr, 3), *to = instr->shape;
    if (dense->rank < 1 || dense->rank > 2 || to->rank != dense->rank) return false;
    if (to->rank == 2 && to->dims[1] != dense->dims[1]) return false;
    return dtype_is_integer(array_operand(instr, 1)->dtype) && dtype_is_integer(array_operand(instr, 2)->dtype);
}

/* Two words of key and two of counters, scalars or as many as there are results -> two words. */
static bool threefry_words(const Instr *instr) {
    const Shape *to = instr->shape;
    if (instr->n_operands != 4 || !arrays(instr) || !shape_is_tuple(to) || to->n_elements != 2) return false;
    if (!shape_is_array(to->elements[0]) || !shapes_compatible(to->elements[0], to->elements[1])) return false;
    for (int k = 0; k < 4; k++) {
        const Shape *from = array_operand(instr, k);
        if (from->dtype != DT_U32 || (from->rank && !shapes_same_dims(from, to->elements[0]))) return false;
    }
    return to->elements[0]->dtype == DT_U32;
}

static const struct {
    const char *target;
    EvalRule *rule;
    Fits *fits;
} targets[] = {
    {"Sharding", identity, same_shapes},
    {"SPMDFullToShardShape", identity, same_shapes},
    {"SPMDShardToFullShape", identity, same_shapes},
    {"LayoutConstraint", identity, same_shapes},
    {"annotate_device_placement", identity, same_shapes},
    {"AnnotateDevicePlacement", identity, same_shapes},
    {"MoveToHost", identity, same_shapes},
    {"MoveToDevice", identity, same_shapes},
    {"Pin", identity, same_arrays},
    {"Unpin", identity, same_arrays},
    {"xla.sdy.FuncResultSharding", identity, same_shapes},
    {"xla.sdy.PropagationBarrier", identity, same_shapes},
    {"xla.sdy.GlobalToLocalShape", identity, same_shapes},
    {"xla.sdy.LocalToGlobalShape", identity, same_shapes},
    {"stablehlo.shape_refinement_operand_wrapper", identity, same_shapes},
    {"xla.sdy.ShardingGroup", nothing, anything},
    {"dce_sink", nothing, anything},
    {"AllocateBuffer", nothing, anything},
    {"CreateBuffer", nothing, anything},
    {"GetRngSeed", nothing, anything},
    {"shape_assertion", shape_assertion, assertion},
    {"SliceToDynamic", slice_to_dynamic_call, static_to_dynamic},
    {"PadToStatic", pad_to_static_call, dynamic_to_static},
    {"TopK", topk_call, rows_to_first},
    {"mhlo.topk", topk_call, rows_to_first},
    {"chlo.top_k", topk_call, rows_to_first},
    {"stablehlo.topk", topk_call, rows_to_first},
    {"ApproxTopK", approx_topk_call, arrays},
    {"PartialReduce", approx_topk_call, arrays},
    {"cpu_csr_sparse_dense_ffi", csr_call, sparse_times_dense},
    {"threefry2x32", threefry_call, threefry_words},
    {"threefry2x32_ffi", threefry_call, threefry_words},
    {"cpu_threefry2x32", threefry_call, threefry_words},
    {"cu_threefry2x32", threefry_call, threefry_words},
    {"cu_threefry2x32_ffi", threefry_call, threefry_words},
    {"cuda_threefry2x32", threefry_call, threefry_words},
    {"hip_threefry2x32", threefry_call, threefry_words},
    {"hip_threefry2x32_ffi", threefry_call, threefry_words},
};

Op custom_call_op(const Instr *instr) {
    const char *target = instr_string(instr, ATTR_CUSTOM_CALL_TARGET);
    if (!target || (strncmp(target, "mhlo.", 5) != 0 && strncmp(target, "chlo.", 5) != 0)) return N_OPS;
    Op op = op_from_name(target + 5, strlen(target + 5));
    return op != N_OPS && op_operands(op) == 1 && instr->n_operands == 1 ? op : N_OPS;
}

bool custom_call_is_known(const Instr *instr) {
    const char *target = instr_string(instr, ATTR_CUSTOM_CALL_TARGET);
    for (size_t k = 0; target && k < sizeof targets / sizeof *targets; k++)
        if (strcmp(targets[k].target, target) == 0) return true;
    return custom_call_op(instr) != N_OPS;
}

EvalRule *custom_call_rule(const Instr *instr) {
    const char *target = instr_string(instr, ATTR_CUSTOM_CALL_TARGET);
    if (!target) return NULL;
    for (size_t k = 0; k < sizeof targets / sizeof *targets; k++) {
        if (strcmp(targets[k].target, target) != 0) continue;
        return targets[k].fits(instr) ? targets[k].rule : NULL;
    }
    if (lapack_rule(target)) return lapack_rule(target);
    MapPlan plan;
    Op op = custom_call_op(instr);
    if (op == N_OPS || !shape_is_array(instr->shape) || !same_shapes(instr)) return NULL;
    return map_plan_op(&plan, op, 1, &instr->operands[0]->shape->dtype, instr->shape->dtype) ? unary_call : NULL;
}

Value *eval_custom_call(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    EvalRule *rule = custom_call_rule(instr);
    if (rule) return rule(eval, instr, shape, operands);
    return eval_error(eval, instr, "cannot evaluate custom call '%s'", instr_string(instr, ATTR_CUSTOM_CALL_TARGET));
}
