#include "ir/eval/dynamic.h"

#include <string.h>

#include "ir/eval/map.h"
#include "ir/eval/move.h"

/* How an operation deals with sizes. */
typedef enum {
    NOT_DONE, /* not on arrays of bounded size */
    PASSES,   /* moves whole values about; they bring their sizes along */
    OWN,      /* sets or asks for sizes itself */
    ROOM,     /* computes all of the room; sizes handed on */
    CUT,      /* sees its operands cut to their sizes */
} Handling;

static const uint8_t handling_of_op[N_OPS] = {
    [OP_PARAMETER] = PASSES, [OP_TUPLE] = PASSES, [OP_GET_TUPLE_ELEMENT] = PASSES, [OP_CALL] = PASSES,
    [OP_FUSION] = PASSES, [OP_WHILE] = PASSES, [OP_CONDITIONAL] = PASSES, [OP_OPT_BARRIER] = PASSES,
    [OP_AFTER_ALL] = PASSES, [OP_ADD_DEPENDENCY] = PASSES, [OP_DOMAIN] = PASSES, [OP_ASYNC_START] = PASSES,
    [OP_ASYNC_UPDATE] = PASSES, [OP_ASYNC_DONE] = PASSES, [OP_COPY_START] = PASSES, [OP_COPY_DONE] = PASSES,
    [OP_CUSTOM_CALL] = PASSES, [OP_CONSTANT] = PASSES,
    [OP_GET_DIMENSION_SIZE] = OWN, [OP_SET_DIMENSION_SIZE] = OWN, [OP_DYNAMIC_RESHAPE] = OWN,
    [OP_CONVERT] = ROOM, [OP_BITCAST_CONVERT] = ROOM, [OP_COMPARE] = ROOM, [OP_SELECT] = ROOM, [OP_CLAMP] = ROOM,
    [OP_MAP] = ROOM, [OP_REDUCE_PRECISION] = ROOM, [OP_STOCHASTIC_CONVERT] = ROOM, [OP_COPY] = ROOM,
    [OP_TRANSPOSE] = ROOM, [OP_BROADCAST] = ROOM, [OP_SLICE] = ROOM, [OP_DYNAMIC_SLICE] = ROOM,
    [OP_DYNAMIC_UPDATE_SLICE] = ROOM, [OP_GATHER] = ROOM, [OP_IOTA] = ROOM,
    [OP_REDUCE] = CUT, [OP_REDUCE_WINDOW] = CUT, [OP_DOT] = CUT, [OP_CONVOLUTION] = CUT,
    [OP_CONCATENATE] = CUT, [OP_PAD] = CUT,
    [OP_REVERSE] = CUT, [OP_SORT] = CUT, [OP_SCATTER] = CUT, [OP_RESHAPE] = CUT,
};

static Handling handling_of(const Instr *instr) {
    DType dtype = instr->n_operands ? instr->operands[0]->shape->dtype : DT_TOKEN;
    MapPlan plan;
    if (handling_of_op[instr->op] == NOT_DONE && dtype_is_array(dtype) && map_plan(&plan, instr)) return ROOM;
    return (Handling)handling_of_op[instr->op];
}

static bool has_bounds(const Shape *shape) {
    for (int k = 0; k < shape->n_elements; k++)
        if (has_bounds(shape->elements[k])) return true;
    for (int d = 0; shape->dynamic && d < shape->rank; d++)
        if (shape->dynamic[d] != DIM_STATIC) return true;
    return false;
}

bool dynamic_concerns(const Instr *instr, Value *const *operands) {
    for (int k = 0; k < instr->n_operands; k++)
        if (operands[k]->sizes) return true;
    return (instr->shape->dynamic || instr->shape->n_elements) && has_bounds(instr->shape);
}

static const int64_t *sizes_of(const Value *value) {
    return value->sizes ? value->sizes : value->shape->dims;
}

/* Notes sizes on a value that nobody else holds yet. */
static void set_sizes(Value *value, const int64_t *sizes) {
    size_t bytes = (size_t)value->shape->rank * sizeof *sizes;
    base_free(value->sizes);
    value->sizes = NULL;
    if (!bytes || memcmp(sizes, value->shape->dims, bytes) == 0) return;
    value->sizes = base_malloc(bytes);
    memcpy(value->sizes, sizes, bytes);
}

/* --- sizes of results --------------------------------------------------------------------------------------------- */

static void gather_sizes(const Instr *instr, Value *const *operands, int64_t *sizes) {
    const Shape *operand = operands[0]->shape;
    IntList offset_dims = instr_ints(instr, ATTR_OFFSET_DIMS), collapsed = instr_ints(instr, ATTR_COLLAPSED_SLICE_DIMS);
    IntList batching = instr_ints(instr, ATTR_OPERAND_BATCHING_DIMS), slices = instr_ints(instr, ATTR_SLICE_SIZES);
    int64_t vector = instr_int(instr, ATTR_INDEX_VECTOR_DIM, 0);
    int from = 0, next_index = 0;
    for (int d = 0; d < instr->shape->rank; d++) {
        bool is_offset = false;
        for (int k = 0; k < offset_dims.n; k++) is_offset |= offset_dims.at[k] == d;
        if (!is_offset) {
            next_index += next_index == vector;
            sizes[d] = sizes_of(operands[1])[next_index++];
            continue;
        }
        for (bool skipped = true; skipped; from += skipped) {
            skipped = false;
            for (int k = 0; k < collapsed.n; k++) skipped |= collapsed.at[k] == from;
            for (int k = 0; k < batching.n; k++) skipped |= batching.at[k] == from;
        }
        sizes[d] = slices.at[from] == operand->dims[from] ? sizes_of(operands[0])[from] : slices.at[from];
        from++;
    }
}

static int64_t windows_in(int64_t size, const WindowDim *w) {
    int64_t base = w->pad_low + w->pad_high + (size ? (size - 1) * w->base_dilation + 1 : 0);
    int64_t extent = w->size ? (w->size - 1) * w->window_dilation + 1 : 0;
    return base < extent ? 0 : (base - extent) / w->stride + 1;
}

static void window_sizes(const Instr *instr, const int64_t *operand, int64_t *sizes) {
    Window window = instr_window(instr, instr->operands[0]->shape->rank);
    for (int d = 0; d < window.n; d++) sizes[d] = windows_in(operand[d], &window.dims[d]);
}

/* Kernels are as large as they are written, and there are no groups. */
static bool convolution_sizes(const Instr *instr, Value *const *operands, int64_t *sizes) {
    const DimLabels *labels = instr_attr(instr, ATTR_DIM_LABELS)->dim_labels;
    Window window = instr_window(instr, labels->n_spatial);
    const int64_t *input = sizes_of(operands[0]), *kernel = sizes_of(operands[1]);
    if (instr_int(instr, ATTR_FEATURE_GROUP_COUNT, 1) > 1 || instr_int(instr, ATTR_BATCH_GROUP_COUNT, 1) > 1)
        return false;
    sizes[labels->output_batch] = input[labels->input_batch];
    sizes[labels->output_feature] = kernel[labels->kernel_output];
    for (int i = 0; i < labels->n_spatial; i++) {
        if (kernel[labels->kernel_spatial[i]] != window.dims[i].size) return false;
        sizes[labels->output_spatial[i]] = windows_in(input[labels->input_spatial[i]], &window.dims[i]);
    }
    return true;
}

static void dot_sizes(const Instr *instr, Value *const *operands, int64_t *sizes) {
    IntList batch[2] = {instr_ints(instr, ATTR_LHS_BATCH_DIMS), instr_ints(instr, ATTR_RHS_BATCH_DIMS)};
    IntList contracting[2] = {instr_ints(instr, ATTR_LHS_CONTRACTING_DIMS),
                              instr_ints(instr, ATTR_RHS_CONTRACTING_DIMS)};
    int n = 0;
    for (int k = 0; k < batch[0].n; k++) sizes[n++] = sizes_of(operands[0])[batch[0].at[k]];
    for (int s = 0; s < 2; s++)
        for (int d = 0; d < operands[s]->shape->rank; d++)
            if (!int_list_has(batch[s], d) && !int_list_has(contracting[s], d)) sizes[n++] = sizes_of(operands[s])[d];
}

static void pad_sizes(const Instr *instr, const int64_t *operand, int64_t *sizes) {
    const PadDim *padding = instr_attr(instr, ATTR_PADDING)->padding;
    for (int d = 0; d < instr->shape->rank; d++) {
        int64_t inside = operand[d] ? (operand[d] - 1) * (padding[d].interior + 1) + 1 : 0;
        sizes[d] = inside + padding[d].low + padding[d].high;
        if (sizes[d] < 0) sizes[d] = 0;
    }
}

/* A part of a bounded dim has all the elements it asks for, unless its shape says that it may not. */
static void slice_sizes(const Instr *instr, const int64_t *operand, int64_t *sizes) {
    const SliceDim *slices = instr_attr(instr, ATTR_SLICE)->slices;
    const Shape *from = instr->operands[0]->shape;
    for (int d = 0; d < instr->shape->rank; d++) {
        bool whole = slices[d].start == 0 && slices[d].limit == from->dims[d] && slices[d].stride == 1;
        bool bounded = instr->shape->dynamic && instr->shape->dynamic[d] != DIM_STATIC;
        if (!whole && !bounded) continue;
        int64_t limit = slices[d].limit < operand[d] ? slices[d].limit : operand[d];
        sizes[d] = limit > slices[d].start ? (limit - slices[d].start + slices[d].stride - 1) / slices[d].stride : 0;
    }
}

/* Of as many elements as the operand has now; at most one dim of the result may be bounded. */
static bool reshape_sizes(const Instr *instr, const Value *operand, int64_t *sizes) {
    int64_t n = 1, others = 1, bounded = -1;
    for (int d = 0; d < operand->shape->rank; d++) n *= sizes_of(operand)[d];
    for (int d = 0; d < instr->shape->rank; d++) {
        bool is_bounded = instr->shape->dynamic && instr->shape->dynamic[d] != DIM_STATIC;
        if (is_bounded && bounded >= 0) return false;
        if (is_bounded) bounded = d;
        else others *= instr->shape->dims[d];
    }
    if (bounded >= 0) sizes[bounded] = others ? n / others : 0;
    return bounded >= 0 ? sizes[bounded] * others == n : others == n;
}

/* Element by element: an operand of bounded size makes the result so. */
static void elementwise_sizes(const Instr *instr, const Shape *result, Value *const *operands, int64_t *sizes) {
    for (int k = 0; k < instr->n_operands; k++)
        for (int d = 0; d < result->rank && operands[k]->shape->rank == result->rank; d++)
            if (sizes_of(operands[k])[d] < sizes[d]) sizes[d] = sizes_of(operands[k])[d];
}

/* Sizes of the result, or of each element of a tuple; as the shape says where nothing changes them. */
static bool result_sizes(const Instr *instr, const Shape *result, Value *const *operands, int64_t *sizes) {
    for (int d = 0; d < result->rank; d++) sizes[d] = result->dims[d];
    const Value *operand = instr->n_operands ? operands[0] : NULL;
    IntList dims = instr_attr(instr, ATTR_DIMENSIONS) ? instr_ints(instr, ATTR_DIMENSIONS) : (IntList){0, NULL};
    int n = 0;
    switch ((int)instr->op) {
    case OP_IOTA: break;
    case OP_DYNAMIC_SLICE:
        for (int d = 0; d < result->rank; d++)
            if (result->dims[d] == operand->shape->dims[d]) sizes[d] = sizes_of(operand)[d];
        break;
    case OP_TRANSPOSE:
        for (int d = 0; d < result->rank; d++) sizes[d] = sizes_of(operand)[dims.at[d]];
        break;
    case OP_BROADCAST:
        for (int k = 0; k < dims.n; k++) sizes[dims.at[k]] = sizes_of(operand)[k];
        break;
    case OP_SLICE: slice_sizes(instr, sizes_of(operand), sizes); break;
    case OP_GATHER: gather_sizes(instr, operands, sizes); break;
    case OP_REDUCE:
        for (int d = 0; d < operand->shape->rank; d++)
            if (!int_list_has(dims, d)) sizes[n++] = sizes_of(operand)[d];
        break;
    case OP_REDUCE_WINDOW: window_sizes(instr, sizes_of(operand), sizes); break;
    case OP_CONVOLUTION: return convolution_sizes(instr, operands, sizes);
    case OP_DOT: dot_sizes(instr, operands, sizes); break;
    case OP_CONCATENATE:
        for (int d = 0; d < result->rank; d++) sizes[d] = d == dims.at[0] ? 0 : sizes_of(operand)[d];
        for (int k = 0; k < instr->n_operands; k++) sizes[dims.at[0]] += sizes_of(operands[k])[dims.at[0]];
        break;
    case OP_PAD: pad_sizes(instr, sizes_of(operand), sizes); break;
    case OP_RESHAPE: return reshape_sizes(instr, operand, sizes);
    case OP_DYNAMIC_UPDATE_SLICE: case OP_REVERSE: case OP_SORT: case OP_SCATTER:
        for (int d = 0; d < result->rank; d++) sizes[d] = sizes_of(operand)[d];
        break;
    default: elementwise_sizes(instr, result, operands, sizes);
    }
    return true;
}

/* --- cutting and giving room -------------------------------------------------------------------------------------- */

/* The elements of `from` whose index is below dims, put into an array of shape `to`, which has at least that many. */
static void copy_corner(const Value *from, Value *to, const int64_t *dims) {
    Arena *scratch = arena_new();
    Move move = {from->shape->rank, dims, 0, 0, strides_new(scratch, to->shape), strides_new(scratch, from->shape)};
    move_box(&move, (size_t)dtype_bytes(from->shape->dtype), to->data, from->data);
    arena_free(scratch);
}

static Value *cut(Eval *eval, Value *value) {
    if (!value->sizes) return value_retain(value);
    Value *part = value_new(shape_array(eval->arena, value->shape->dtype, value->shape->rank, value->sizes));
    copy_corner(value, part, value->sizes);
    return part;
}

static Value *with_room(const Shape *shape, Value *value) {
    if (shape_is_tuple(shape)) {
        Value *tuple = value_new(shape);
        for (int k = 0; k < shape->n_elements; k++)
            tuple->elements[k] = with_room(shape->elements[k], value->elements[k]);
        return tuple;
    }
    Value *roomy = value_zeros(shape);
    copy_corner(value, roomy, value->shape->dims);
    set_sizes(roomy, value->shape->dims);
    return roomy;
}

/* The shape of a result cut to its sizes. */
static const Shape *cut_shape(Eval *eval, const Instr *instr, const Shape *shape, Value *const *operands) {
    if (shape_is_tuple(shape)) {
        const Shape **elements = NEW_ARRAY(eval->arena, const Shape *, shape->n_elements);
        for (int k = 0; k < shape->n_elements; k++) {
            elements[k] = cut_shape(eval, instr, shape->elements[k], operands);
            if (!elements[k]) return NULL;
        }
        return shape_tuple(eval->arena, shape->n_elements, elements);
    }
    int64_t *sizes = NEW_ARRAY(eval->arena, int64_t, shape->rank);
    if (!result_sizes(instr, shape, operands, sizes)) return NULL;
    return shape_array(eval->arena, shape->dtype, shape->rank, sizes);
}

static Value *eval_cut(Eval *eval, const Instr *instr, EvalRule *rule, Value **operands) {
    const Shape *shape = cut_shape(eval, instr, instr->shape, operands);
    if (!shape)
        return eval_error(eval, instr, "cannot evaluate '%s' to these bounded sizes", op_name(instr->op));
    Value **parts = base_malloc((size_t)(instr->n_operands + 1) * sizeof *parts);
    for (int k = 0; k < instr->n_operands; k++) parts[k] = cut(eval, operands[k]);
    Value *result = rule(eval, instr, shape, parts);
    for (int k = 0; k < instr->n_operands; k++) value_release(parts[k]);
    base_free(parts);
    Value *roomy = result ? with_room(instr->shape, result) : NULL;
    value_release(result);
    return roomy;
}

/* Only what is there of an update goes in, at the place that its room has. */
static Value *eval_update(Eval *eval, const Instr *instr, Value **operands) {
    const Value *update = operands[1];
    const Shape *shape = instr->shape;
    int64_t *start = NEW_ARRAY(eval->arena, int64_t, shape->rank), at = 0;
    for (int d = 0; d < shape->rank; d++) {
        bool vector = operands[2]->shape->rank == 1;
        int64_t last = shape->dims[d] - update->shape->dims[d];
        start[d] = vector ? value_index(operands[2], d) : value_index(operands[2 + d], 0);
        start[d] = start[d] < 0 ? 0 : start[d] > last ? last : start[d];
    }
    Value *result = value_copy(shape, operands[0]);
    set_sizes(result, sizes_of(operands[0]));
    int64_t *strides = strides_new(eval->arena, shape);
    for (int d = 0; d < shape->rank; d++) at += start[d] * strides[d];
    Move move = {shape->rank, sizes_of(update), at, 0, strides, strides_new(eval->arena, update->shape)};
    move_box(&move, (size_t)dtype_bytes(shape->dtype), result->data, update->data);
    return result;
}

static Value *eval_room(Eval *eval, const Instr *instr, EvalRule *rule, Value **operands) {
    if (instr->op == OP_DYNAMIC_UPDATE_SLICE && operands[1]->sizes) return eval_update(eval, instr, operands);
    int64_t *sizes = NEW_ARRAY(eval->arena, int64_t, instr->shape->rank);
    result_sizes(instr, instr->shape, operands, sizes);
    Value *result = rule(eval, instr, instr->shape, operands);
    if (result && result->refs == 1) set_sizes(result, sizes);
    return result;
}

Value *dynamic_eval(Eval *eval, const Instr *instr, EvalRule *rule, Value **operands) {
    switch (handling_of(instr)) {
    case PASSES: case OWN: return rule(eval, instr, instr->shape, operands);
    case ROOM: return eval_room(eval, instr, rule, operands);
    case CUT: return eval_cut(eval, instr, rule, operands);
    case NOT_DONE: break;
    }
    return eval_error(eval, instr, "cannot evaluate '%s' on an array of bounded size", op_name(instr->op));
}

/* --- the operations on sizes -------------------------------------------------------------------------------------- */

Value *eval_get_dimension_size(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)eval;
    Value *result = value_new(shape);
    *(int32_t *)result->data = (int32_t)sizes_of(operands[0])[instr_ints(instr, ATTR_DIMENSIONS).at[0]];
    return result;
}

/* The same elements; those behind the new size keep their place, should the size grow again. */
Value *eval_set_dimension_size(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    int64_t d = instr_ints(instr, ATTR_DIMENSIONS).at[0], size = value_index(operands[1], 0);
    if (size < 0 || size > shape->dims[d])
        return eval_error(eval, instr, "size %lld does not lie between 0 and the bound %lld", (long long)size,
                          (long long)shape->dims[d]);
    Value *result = value_copy(shape, operands[0]);
    int64_t *sizes = NEW_ARRAY(eval->arena, int64_t, shape->rank);
    memcpy(sizes, sizes_of(operands[0]), (size_t)shape->rank * sizeof *sizes);
    sizes[d] = size;
    set_sizes(result, sizes);
    return result;
}

Value *slice_to_dynamic(Eval *eval, const Shape *shape, const Value *operand, Value *const *size_operands) {
    Value *result = value_copy(shape, operand);
    int64_t *sizes = NEW_ARRAY(eval->arena, int64_t, shape->rank);
    for (int d = 0; d < shape->rank; d++) {
        int64_t size = value_index(size_operands[d], 0);
        sizes[d] = size < 0 ? 0 : size > shape->dims[d] ? shape->dims[d] : size;
    }
    set_sizes(result, sizes);
    return result;
}

Value *pad_to_static(const Shape *shape, const Value *operand) {
    Value *result = value_new(shape);
    result->elements[0] = value_copy(shape->elements[0], operand);
    for (int d = 0; d < operand->shape->rank; d++) {
        result->elements[1 + d] = value_new(shape->elements[1 + d]);
        *(int32_t *)result->elements[1 + d]->data = (int32_t)sizes_of(operand)[d];
    }
    return result;
}

/* Sizes are operands; the elements go into the corner that they span. */
Value *eval_dynamic_reshape(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    int64_t *sizes = NEW_ARRAY(eval->arena, int64_t, shape->rank), n = 1;
    for (int d = 0; d < shape->rank; d++) {
        sizes[d] = value_index(operands[1 + d], 0);
        if (sizes[d] < 0 || sizes[d] > shape->dims[d])
            return eval_error(eval, instr, "size %lld does not lie between 0 and the bound %lld", (long long)sizes[d],
                              (long long)shape->dims[d]);
        n *= sizes[d];
    }
    Value *elements = cut(eval, operands[0]), *result = NULL;
    if (n == value_elements(elements)) {
        Value *view = value_view(shape_array(eval->arena, shape->dtype, shape->rank, sizes), elements);
        result = with_room(shape, view);
        value_release(view);
    } else {
        eval_error(eval, instr, "sizes for %lld elements, but the operand has %lld", (long long)n,
                   (long long)value_elements(elements));
    }
    value_release(elements);
    return result;
}
