#include "ir/eval/map.h"

#include <string.h>

#include "ir/eval/move.h"
#include "ir/eval/rule.h"

static MapKernel *const *const kernels_by_class[] = {
    [DTYPE_PRED] = map_pred_kernels,   [DTYPE_SIGNED] = map_signed_kernels,   [DTYPE_UNSIGNED] = map_unsigned_kernels,
    [DTYPE_FLOAT] = map_float_kernels, [DTYPE_COMPLEX] = map_complex_kernels, [DTYPE_OTHER] = NULL,
};

bool map_plan_op(MapPlan *plan, Op op, int n_in, const DType *in, DType out) {
    *plan = (MapPlan){.n_in = n_in, .out = out, .from = in[0], .to = out};
    for (int k = 0; k < n_in; k++) plan->in[k] = in[k];
    MapKernel *const *kernels = kernels_by_class[dtype_class(in[0])];
    plan->kernel = kernels ? kernels[op] : NULL;
    return plan->kernel != NULL;
}

/* The type that loads and stores the bits of a type as they are. */
static DType bits_of(DType dtype) {
    switch (dtype_bits(dtype)) {
    case 1: return dtype == DT_PRED ? DT_U8 : DT_U1;
    case 2: return DT_U2;
    case 4: return DT_U4;
    case 16: return DT_U16;
    case 32: return DT_U32;
    case 64: return DT_U64;
    default: return DT_U8;
    }
}

static bool plan_bits(MapPlan *plan, MapKernel *kernel, DType from, DType to) {
    plan->kernel = kernel;
    plan->in[0] = bits_of(from);
    plan->out = to == DT_PRED || dtype_is_integer(to) ? to : bits_of(to);
    return true;
}

/* Whether the sign bit of the type's bits orders its values: not where 1000... is a NaN or there is no sign. */
static bool has_sign_magnitude_order(DType dtype) {
    return dtype != DT_F8E4M3FNUZ && dtype != DT_F8E5M2FNUZ && dtype != DT_F8E4M3B11FNUZ && dtype != DT_F8E8M0FNU;
}

static bool plan_compare(MapPlan *plan, const Instr *instr) {
    DType dtype = plan->from;
    plan->direction = (int)instr_int(instr, ATTR_DIRECTION, DIRECTION_EQ);
    if (dtype_is_float(dtype) && compare_type(instr) == COMPARE_TOTALORDER) {
        if (has_sign_magnitude_order(dtype)) {
            plan->kernel = map_total_order_bits;
            plan->in[0] = plan->in[1] = bits_of(dtype);
        } else {
            plan->kernel = map_total_order_values;
        }
        return true;
    }
    plan->kernel = map_compare_kernel(dtype_class(dtype));
    return plan->kernel != NULL;
}

static bool plan_reduce_precision(MapPlan *plan, const Instr *instr) {
    plan->exponent_bits = (int)instr_int(instr, ATTR_EXPONENT_BITS, 0);
    plan->mantissa_bits = (int)instr_int(instr, ATTR_MANTISSA_BITS, 0);
    return dtype_is_float(plan->from) && plan_bits(plan, map_reduce_precision, plan->from, plan->from);
}

static bool plan_bitcast_convert(MapPlan *plan) {
    if (dtype_is_complex(plan->from)) return false;
    return dtype_bytes(plan->from) == dtype_bytes(plan->to) && plan_bits(plan, map_copy_int, plan->from, plan->to);
}

bool map_plan(MapPlan *plan, const Instr *instr) {
    if (instr->n_operands < 1 || instr->n_operands > 3 || !shape_is_array(instr->shape)) return false;
    DType in[3];
    for (int k = 0; k < instr->n_operands; k++) {
        in[k] = instr->operands[k]->shape->dtype;
        if (!dtype_is_array(in[k])) return false;
    }
    if (map_plan_op(plan, instr->op, instr->n_operands, in, instr->shape->dtype)) return true;
    switch ((int)instr->op) {
    case OP_SELECT: return true;
    case OP_COMPARE: return plan_compare(plan, instr);
    case OP_CONVERT: return map_plan_convert(plan, plan->from, plan->to);
    case OP_REDUCE_PRECISION: return plan_reduce_precision(plan, instr);
    case OP_BITCAST_CONVERT: return plan_bitcast_convert(plan);
    case OP_STOCHASTIC_CONVERT:
        plan->kernel = dtype_class(plan->to) == DTYPE_SIGNED ? map_stochastic_convert : NULL;
        return plan->kernel != NULL;
    default: return false;
    }
}

static void select_bytes(size_t bytes, char *out, const void *const *in, int64_t n) {
    const uint8_t *choice = in[0];
    for (int64_t i = 0; i < n; i++) {
        const char *from = in[choice[i] ? 1 : 2];
        memcpy(out + (size_t)i * bytes, from + (size_t)i * bytes, bytes);
    }
}

void map_run(const MapPlan *plan, void *out, const void *const *in, int64_t n) {
    size_t out_bytes = (size_t)dtype_bytes(plan->out);
    if (!plan->kernel) {
        select_bytes(out_bytes, out, in, n);
        return;
    }
    Lanes lanes[3], result;
    for (int64_t start = 0; start < n; start += LANES) {
        int count = n - start < LANES ? (int)(n - start) : LANES;
        for (int k = 0; k < plan->n_in; k++)
            lanes_load(&lanes[k], plan->in[k],
                       (const char *)in[k] + (size_t)start * (size_t)dtype_bytes(plan->in[k]), count);
        plan->kernel(plan, &result, &lanes[0], &lanes[1], &lanes[2], count);
        lanes_store(plan->out, (char *)out + (size_t)start * out_bytes, &result, count);
    }
}

/* A scalar operand (of select and clamp) repeated n times, on the heap. */
static void *repeat(const Value *scalar, int64_t n) {
    size_t bytes = (size_t)dtype_bytes(scalar->shape->dtype);
    char *wide = base_malloc((size_t)n * bytes);
    fill_elements(bytes, wide, scalar->data, n);
    return wide;
}

/* Every elementwise opcode. */
Value *eval_map(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    MapPlan plan;
    if (!map_plan(&plan, instr))
        return eval_error(eval, instr, "cannot evaluate '%s' of %s", op_name(instr->op),
                          dtype_name(operands[0]->shape->dtype));
    Value *result = value_new(shape);
    int64_t n = value_elements(result);
    void *wide[3] = {NULL};
    const void *in[3];
    for (int k = 0; k < plan.n_in; k++) {
        if (operands[k]->shape->rank != shape->rank) wide[k] = repeat(operands[k], n);
        in[k] = wide[k] ? wide[k] : operands[k]->data;
    }
    map_run(&plan, result->data, in, n);
    for (int k = 0; k < plan.n_in; k++) base_free(wide[k]);
    return result;
}
