/* convolution, as it is defined: a sum over window positions and input features for every output. */
#include <string.h>

#include "ir/eval/contract.h"
#include "ir/eval/move.h"
#include "ir/eval/rule.h"
#include "ir/eval/window.h"

typedef struct {
    int n_spatial;
    const DimLabels *labels;
    const WindowDim *windows;
    int64_t batch, features; /* of the output */
    int64_t feature_groups, batch_groups, group_inputs; /* kernel inputs: features that one output feature sees */
    int64_t input_features, input_batch;
    int64_t *input_dims, *kernel_dims, *output_dims; /* spatial */
    int64_t *input_strides, *kernel_strides;         /* spatial, within one image and one kernel */
} Convolution;

static int64_t *spatial(Arena *arena, const Shape *shape, int n, const int *dims) {
    int64_t *sizes = NEW_ARRAY(arena, int64_t, n + 1);
    for (int d = 0; d < n; d++) sizes[d] = shape->dims[dims[d]];
    return sizes;
}

static int64_t *row_major(Arena *arena, int n, const int64_t *dims) {
    int64_t *strides = NEW_ARRAY(arena, int64_t, n + 1), stride = 1;
    for (int d = n - 1; d >= 0; d--) {
        strides[d] = stride;
        stride *= dims[d];
    }
    return strides;
}

static Convolution convolution_new(Arena *arena, const Instr *instr, const Shape *shape, Value *const *operands) {
    const DimLabels *labels = instr_attr(instr, ATTR_DIM_LABELS)->dim_labels;
    const Shape *input = operands[0]->shape, *kernel = operands[1]->shape;
    int n = labels->n_spatial;
    Convolution c = {.n_spatial = n, .labels = labels, .windows = instr_window(instr, n).dims};
    c.batch = shape->dims[labels->output_batch];
    c.features = shape->dims[labels->output_feature];
    c.feature_groups = instr_int(instr, ATTR_FEATURE_GROUP_COUNT, 1);
    c.batch_groups = instr_int(instr, ATTR_BATCH_GROUP_COUNT, 1);
    c.group_inputs = kernel->dims[labels->kernel_input];
    c.input_features = input->dims[labels->input_feature];
    c.input_batch = input->dims[labels->input_batch];
    c.input_dims = spatial(arena, input, n, labels->input_spatial);
    c.kernel_dims = spatial(arena, kernel, n, labels->kernel_spatial);
    c.output_dims = spatial(arena, shape, n, labels->output_spatial);
    c.input_strides = row_major(arena, n, c.input_dims);
    c.kernel_strides = row_major(arena, n, c.kernel_dims);
    return c;
}

static int64_t product(int n, const int64_t *dims) {
    int64_t all = 1;
    for (int d = 0; d < n; d++) all *= dims[d];
    return all;
}

/* The window positions of one output point that hit the input: where, and with which tap. Returns how many. */
static int64_t find_taps(const Convolution *c, const int64_t *point, int64_t *position, int64_t *inputs,
                         int64_t *taps) {
    int64_t n = 0;
    if (!product(c->n_spatial, c->kernel_dims)) return 0;
    memset(position, 0, (size_t)c->n_spatial * sizeof *position);
    do {
        int64_t at = window_offset(c->n_spatial, c->windows, c->input_dims, c->input_strides, point, position);
        if (at < 0) continue;
        inputs[n] = at;
        taps[n] = 0;
        for (int d = 0; d < c->n_spatial; d++) taps[n] += position[d] * c->kernel_strides[d];
        n++;
    } while (index_next(c->n_spatial, c->kernel_dims, position));
    return n;
}

/* input: [batch][spatial][feature]; kernel: [output feature][spatial][input feature]. Sums in the order
 * [batch][spatial][feature]. */
static Wide convolve(Arena *scratch, const Convolution *c, const Wide *input, const Wide *kernel) {
    int n = c->n_spatial;
    int64_t points = product(n, c->output_dims), pixels = product(n, c->input_dims);
    int64_t n_taps = product(n, c->kernel_dims);
    int64_t *point = NEW_ARRAY(scratch, int64_t, n), *position = NEW_ARRAY(scratch, int64_t, n);
    int64_t *inputs = NEW_ARRAY(scratch, int64_t, n_taps), *taps = NEW_ARRAY(scratch, int64_t, n_taps);
    int64_t per_feature_group = c->features / c->feature_groups, per_batch_group = c->features / c->batch_groups;
    Wide sums = wide_zeros(scratch, input->class, c->batch * points * c->features);
    if (!sums.n) return sums;
    for (int64_t p = 0; p < points; p++, index_next(n, c->output_dims, point)) {
        int64_t hits = find_taps(c, point, position, inputs, taps);
        for (int64_t i = 0; i < c->batch * c->features; i++) {
            int64_t b = i / c->features, o = i % c->features;
            int64_t image = b + o / per_batch_group * (c->input_batch / c->batch_groups);
            int64_t first_input = o / per_feature_group * c->group_inputs;
            for (int64_t t = 0; t < hits; t++)
                wide_accumulate(&sums, (b * points + p) * c->features + o, input,
                                (image * pixels + inputs[t]) * c->input_features + first_input, kernel,
                                (o * n_taps + taps[t]) * c->group_inputs, c->group_inputs);
        }
    }
    return sums;
}

/* Dims in the order: one, the spatial ones, another one. */
static int64_t *order_new(Arena *arena, int first, int n_spatial, const int *spatial_dims, int last) {
    Dims order = dims_new(arena, n_spatial + 2);
    dims_add(&order, first);
    for (int d = 0; d < n_spatial; d++) dims_add(&order, spatial_dims[d]);
    dims_add(&order, last);
    return order.at;
}

Value *eval_convolution(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    if (instr->n_operands != 2) return eval_error(eval, instr, "cannot evaluate a convolution of sparse operands");
    if (operands[0]->shape->rank != instr_attr(instr, ATTR_DIM_LABELS)->dim_labels->n_spatial + 2)
        return eval_error(eval, instr, "cannot evaluate a convolution with unused dims ('?')");
    Arena *scratch = arena_new();
    Convolution c = convolution_new(scratch, instr, shape, operands);
    const DimLabels *labels = c.labels;
    int n = c.n_spatial;
    LaneClass class = lane_class(shape->dtype);
    int64_t *input_order = order_new(scratch, labels->input_batch, n, labels->input_spatial, labels->input_feature);
    int64_t *kernel_order = order_new(scratch, labels->kernel_output, n, labels->kernel_spatial, labels->kernel_input);
    Wide input = wide_operand(scratch, class, operands[0], input_order);
    Wide kernel = wide_operand(scratch, class, operands[1], kernel_order);
    Wide sums = convolve(scratch, &c, &input, &kernel);
    /* The sums as an array whose dims are the output's in the order batch, spatial, feature; then put in theirs. */
    int64_t *order = order_new(scratch, labels->output_batch, n, labels->output_spatial, labels->output_feature);
    int64_t *dims = NEW_ARRAY(scratch, int64_t, n + 2), *to = NEW_ARRAY(scratch, int64_t, n + 2);
    int64_t *strides = strides_new(scratch, shape);
    for (int k = 0; k < n + 2; k++) {
        dims[k] = shape->dims[order[k]];
        to[k] = strides[order[k]];
    }
    Value *ordered = wide_result(shape, &sums), *result = value_new(shape);
    move_box(&(Move){n + 2, dims, 0, 0, to, row_major(scratch, n + 2, dims)}, (size_t)dtype_bytes(shape->dtype),
             result->data, ordered->data);
    value_release(ordered);
    arena_free(scratch);
    return result;
}
