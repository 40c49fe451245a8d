/* convert: one kernel per pair of classes. */
#include "ir/eval/map_kernel.h"

KERNEL1(int_to_int, i, int64_t, i, x)
KERNEL1(int_to_float, f, int64_t, i, double_from_int(x, plan->from == DT_U64, plan->to))
KERNEL1(int_to_complex, c, int64_t, i, ((Complex){double_from_int(x, plan->from == DT_U64, plan->to), 0}))
KERNEL1(float_to_int, i, double, f, int_from_double(x, plan->to))
KERNEL1(float_to_float, f, double, f, x)
KERNEL1(float_to_complex, c, double, f, ((Complex){x, 0}))
KERNEL1(complex_to_float, f, Complex, c, x.re)
KERNEL1(complex_to_complex, c, Complex, c, x)
KERNEL1(complex_to_int, i, Complex, c, plan->to == DT_PRED ? x.re != 0 || x.im != 0 : int_from_double(x.re, plan->to))

/* XLA rounds twice on these ways: through f32. */
KERNEL1(double_to_bf16, f, double, f, (float)x)
KERNEL1(complex_to_bf16, f, Complex, c, (float)x.re)
KERNEL1(int_to_small_range, f, int64_t, i, (float)double_from_int(x, plan->from == DT_U64, DT_F32))

static MapKernel *const kernels[3][3] = {
    [LANE_INT] = {[LANE_INT] = int_to_int, [LANE_FLOAT] = int_to_float, [LANE_COMPLEX] = int_to_complex},
    [LANE_FLOAT] = {[LANE_INT] = float_to_int, [LANE_FLOAT] = float_to_float, [LANE_COMPLEX] = float_to_complex},
    [LANE_COMPLEX] =
        {[LANE_INT] = complex_to_int, [LANE_FLOAT] = complex_to_float, [LANE_COMPLEX] = complex_to_complex},
};

bool map_plan_convert(MapPlan *plan, DType from, DType to) {
    *plan = (MapPlan){.n_in = 1, .in = {from}, .out = to, .from = from, .to = to};
    plan->kernel = kernels[lane_class(from)][lane_class(to)];
    if (from == DT_F64 && to == DT_BF16) plan->kernel = double_to_bf16;
    if (from == DT_C128 && to == DT_BF16) plan->kernel = complex_to_bf16;
    if (lane_class(from) == LANE_INT && (to == DT_BF16 || to == DT_F8E8M0FNU)) plan->kernel = int_to_small_range;
    return true;
}
