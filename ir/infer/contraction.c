/* Shapes of dots and convolutions. */
#include "ir/infer/infer.h"

/* ---- dots -------------------------------------------------------------------------------------------------------- */

/* Dims of both sides that are paired: equally many, of equal sizes. */
static bool need_paired(Infer *f, const char *what, AttrId id, IntList left, IntList right) {
    const Shape *lhs = operand(f, 0), *rhs = operand(f, 1);
    if (left.n != right.n)
        return refuse_attr(f, id, E_DIMENSIONS, "'%s' has %d %s dimension%s on its left side and %d on its right",
                           opcode(f), left.n, what, left.n == 1 ? "" : "s", right.n);
    for (int i = 0; i < left.n; i++)
        if (!sizes_agree(lhs->dims[left.at[i]], rhs->dims[right.at[i]]))
            return refuse_operand(f, 1, E_OPERAND_SHAPE,
                                  "%s dimension %lld of %s has size %lld, but dimension %lld of %s has %lld", what,
                                  (long long)left.at[i], shape_words(f, lhs), (long long)lhs->dims[left.at[i]],
                                  (long long)right.at[i], shape_words(f, rhs), (long long)rhs->dims[right.at[i]]);
    return true;
}

typedef struct {
    IntList lhs_batch, lhs_contracting, rhs_batch, rhs_contracting;
} DotDims;

static bool need_dot_dims(Infer *f, DotDims *dims) {
    dims->lhs_batch = instr_ints(f->instr, ATTR_LHS_BATCH_DIMS);
    dims->lhs_contracting = instr_ints(f->instr, ATTR_LHS_CONTRACTING_DIMS);
    dims->rhs_batch = instr_ints(f->instr, ATTR_RHS_BATCH_DIMS);
    dims->rhs_contracting = instr_ints(f->instr, ATTR_RHS_CONTRACTING_DIMS);
    int left = operand(f, 0)->rank, right = operand(f, 1)->rank;
    return need_dims(f, ATTR_LHS_BATCH_DIMS, dims->lhs_batch, left, "the left operand") &&
           need_dims(f, ATTR_LHS_CONTRACTING_DIMS, dims->lhs_contracting, left, "the left operand") &&
           need_dims(f, ATTR_RHS_BATCH_DIMS, dims->rhs_batch, right, "the right operand") &&
           need_dims(f, ATTR_RHS_CONTRACTING_DIMS, dims->rhs_contracting, right, "the right operand") &&
           need_apart(f, ATTR_LHS_CONTRACTING_DIMS, dims->lhs_contracting, ATTR_LHS_BATCH_DIMS, dims->lhs_batch) &&
           need_apart(f, ATTR_RHS_CONTRACTING_DIMS, dims->rhs_contracting, ATTR_RHS_BATCH_DIMS, dims->rhs_batch);
}

/* The element type that the text asks for, else the wider one of the operands. */
static bool result_dtype(Infer *f, DType *dtype) {
    DType lhs = operand(f, 0)->dtype, rhs = operand(f, 1)->dtype;
    const Shape *declared = f->instr->shape;
    if (dtype_is_complex(lhs) != dtype_is_complex(rhs))
        return refuse_operand(f, 1, E_OPERAND_TYPE, "'%s' cannot multiply %s by %s", opcode(f), dtype_name(lhs),
                              dtype_name(rhs));
    *dtype = dtype_bits(rhs) > dtype_bits(lhs) ? rhs : lhs;
    if (!declared) return true;
    if (!shape_is_array(declared))
        return refuse_shape(f, E_RESULT_SHAPE, "'%s' gives an array, not %s", opcode(f), shape_words(f, declared));
    bool fractions = dtype_is_float(lhs) || dtype_is_float(rhs), whole = !dtype_is_float(declared->dtype);
    if (dtype_is_complex(lhs) != dtype_is_complex(declared->dtype) || (fractions && whole))
        return refuse_shape(f, E_RESULT_SHAPE, "'%s' of %s cannot give %s", opcode(f), dtype_name(lhs),
                            dtype_name(declared->dtype));
    *dtype = declared->dtype;
    return true;
}

static void push_free_dims(Infer *f, const Shape *shape, IntList batch, IntList contracting, Sizes *sizes) {
    for (int d = 0; d < shape->rank; d++)
        if (!int_list_has(batch, d) && !int_list_has(contracting, d)) vec_push(f->arena, sizes, shape->dims[d]);
}

static bool need_precisions(Infer *f) {
    const Attr *attr = instr_attr(f->instr, ATTR_OPERAND_PRECISION);
    if (!attr || attr->ints.n == 2 || attr->ints.n == 0 || attr->ints.n == f->instr->n_operands) return true;
    return refuse_attr(f, ATTR_OPERAND_PRECISION, E_VALUE, "'operand_precision' lists %d, but there are 2 operands",
                       attr->ints.n);
}

static bool need_dot_algorithm(Infer *f) {
    int64_t algorithm = instr_int(f->instr, ATTR_ALGORITHM, ALGORITHM_UNSET);
    if (algorithm < ALGORITHM_RNG_DEFAULT) return true;
    return refuse_attr(f, ATTR_ALGORITHM, E_VALUE, "'%s' is an algorithm of rng-bit-generator",
                       attr_word(ATTR_KIND_ALGORITHM, (int)algorithm));
}

static const Shape *dot_result(Infer *f, const DotDims *dims) {
    const Shape *lhs = operand(f, 0), *rhs = operand(f, 1);
    DType dtype;
    if (!result_dtype(f, &dtype)) return NULL;
    Sizes sizes = {0};
    for (int i = 0; i < dims->lhs_batch.n; i++) vec_push(f->arena, &sizes, lhs->dims[dims->lhs_batch.at[i]]);
    push_free_dims(f, lhs, dims->lhs_batch, dims->lhs_contracting, &sizes);
    push_free_dims(f, rhs, dims->rhs_batch, dims->rhs_contracting, &sizes);
    return array_of(f, dtype, &sizes);
}

INFER(dot) {
    DotDims dims;
    if (!need_array(f, 0) || !need_array(f, 1) || !need_dot_dims(f, &dims)) return NULL;
    if (!need_precisions(f) || !need_dot_algorithm(f)) return NULL;
    bool sparse = instr_attr(f->instr, ATTR_SPARSITY) != NULL;
    if (!sparse && f->instr->n_operands != 2)
        return refuse_op(f, E_OPERAND_COUNT, "'dot' takes 2 operands, not %d", f->instr->n_operands);
    if (sparse)
        return f->instr->shape ? f->instr->shape : dot_result(f, &dims); /* sizes are those of compressed data */
    if (!need_paired(f, "contracting", ATTR_LHS_CONTRACTING_DIMS, dims.lhs_contracting, dims.rhs_contracting))
        return NULL;
    if (!need_paired(f, "batch", ATTR_LHS_BATCH_DIMS, dims.lhs_batch, dims.rhs_batch)) return NULL;
    return dot_result(f, &dims);
}

INFER(scaled_dot) {
    DotDims dims;
    for (int k = 0; k < 4; k++)
        if (!need_array(f, k)) return NULL;
    if (!need_dot_dims(f, &dims) || !need_precisions(f) || !need_dot_algorithm(f)) return NULL;
    if (!need_paired(f, "contracting", ATTR_LHS_CONTRACTING_DIMS, dims.lhs_contracting, dims.rhs_contracting))
        return NULL;
    if (!need_paired(f, "batch", ATTR_LHS_BATCH_DIMS, dims.lhs_batch, dims.rhs_batch)) return NULL;
    for (int k = 2; k < 4; k++) {
        const Shape *scale = operand(f, k), *scaled = operand(f, k - 2);
        if (scale->rank == 0) continue;
        if (!need_rank(f, k, scaled->rank)) return NULL;
        for (int d = 0; d < scale->rank; d++)
            if (scale->dims[d] <= 0 || scaled->dims[d] % scale->dims[d])
                return refuse_operand(f, k, E_OPERAND_SHAPE, "the scale %s does not divide %s in dimension %d",
                                      shape_words(f, scale), shape_words(f, scaled), d);
    }
    return dot_result(f, &dims);
}

INFER(ragged_dot) {
    DotDims dims;
    if (!need_array(f, 0) || !need_array(f, 1) || !need_class(f, 2, CLASS_INTEGER) || !need_dot_dims(f, &dims))
        return NULL;
    const Shape *lhs = operand(f, 0), *rhs = operand(f, 1), *groups = operand(f, 2);
    IntList ragged = instr_ints(f->instr, ATTR_LHS_RAGGED_DIMS), group = instr_ints(f->instr, ATTR_RHS_GROUP_DIMS);
    if (ragged.n != 1)
        return refuse_attr(f, ATTR_LHS_RAGGED_DIMS, E_DIMENSIONS, "'lhs_ragged_dims' is one dimension, not %d",
                           ragged.n);
    if (!need_dims(f, ATTR_LHS_RAGGED_DIMS, ragged, lhs->rank, "the left operand")) return NULL;
    if (!need_dims(f, ATTR_RHS_GROUP_DIMS, group, rhs->rank, "the right operand")) return NULL;
    if (!need_precisions(f)) return NULL;
    if (!need_paired(f, "contracting", ATTR_LHS_CONTRACTING_DIMS, dims.lhs_contracting, dims.rhs_contracting))
        return NULL;
    if (!need_paired(f, "batch", ATTR_LHS_BATCH_DIMS, dims.lhs_batch, dims.rhs_batch)) return NULL;
    bool contracts = int_list_has(dims.lhs_contracting, ragged.at[0]),
         batched = int_list_has(dims.lhs_batch, ragged.at[0]);
    bool grouped = !contracts && !batched;
    if (group.n != grouped)
        return refuse_op(f, E_DIMENSIONS, "'ragged-dot' along this dimension has %s 'rhs_group_dims'",
                         grouped ? "one of" : "no");
    if (!need_apart(f, ATTR_RHS_GROUP_DIMS, group, ATTR_RHS_CONTRACTING_DIMS, dims.rhs_contracting) ||
        !need_apart(f, ATTR_RHS_GROUP_DIMS, group, ATTR_RHS_BATCH_DIMS, dims.rhs_batch))
        return NULL;
    if (groups->rank < 1)
        return refuse_operand(f, 2, E_OPERAND_SHAPE, "'ragged-dot' needs the sizes of its groups here, not %s",
                              shape_words(f, groups));
    int64_t n_groups = groups->dims[groups->rank - 1];
    if (grouped && !sizes_agree(rhs->dims[group.at[0]], n_groups))
        return refuse_operand(f, 2, E_OPERAND_SHAPE, "%s has %lld groups, but there are %lld sizes of groups in %s",
                              shape_words(f, rhs), (long long)rhs->dims[group.at[0]], (long long)n_groups,
                              shape_words(f, groups));
    DType dtype;
    if (!result_dtype(f, &dtype)) return NULL;
    Sizes sizes = {0};
    if (contracts) vec_push(f->arena, &sizes, n_groups);
    for (int i = 0; i < dims.lhs_batch.n; i++) vec_push(f->arena, &sizes, lhs->dims[dims.lhs_batch.at[i]]);
    push_free_dims(f, lhs, dims.lhs_batch, dims.lhs_contracting, &sizes);
    for (int d = 0; d < rhs->rank; d++)
        if (!int_list_has(dims.rhs_batch, d) && !int_list_has(dims.rhs_contracting, d) && !int_list_has(group, d))
            vec_push(f->arena, &sizes, rhs->dims[d]);
    return array_of(f, dtype, &sizes);
}

/* ---- convolutions ------------------------------------------------------------------------------------------------ */

static bool need_convolution_ranks(Infer *f, const DimLabels *labels) {
    const char *dash = labels->text;
    int input_rank = 0;
    while (dash[input_rank] != '_') input_rank++;
    if (operand(f, 0)->rank != input_rank)
        return refuse_attr(f, ATTR_DIM_LABELS, E_DIMENSIONS,
                           "'dim_labels' has %d dimensions for the input, but it is %s", input_rank,
                           shape_words(f, operand(f, 0)));
    int kernel_rank = 0;
    while (dash[input_rank + 1 + kernel_rank] != '-') kernel_rank++;
    if (operand(f, 1)->rank != kernel_rank)
        return refuse_attr(f, ATTR_DIM_LABELS, E_DIMENSIONS,
                           "'dim_labels' has %d dimensions for the kernel, but it is %s", kernel_rank,
                           shape_words(f, operand(f, 1)));
    const Attr *window = instr_attr(f->instr, ATTR_WINDOW);
    int n = window ? window->window.n : 0;
    if (n != labels->n_spatial)
        return refuse_attr(f, ATTR_DIM_LABELS, E_DIMENSIONS,
                           "'dim_labels' has %d spatial dimension%s, but 'window' has %d", labels->n_spatial,
                           labels->n_spatial == 1 ? "" : "s", n);
    return true;
}

static bool need_groups(Infer *f, int64_t input, int64_t kernel_in, int64_t kernel_out, int64_t batch) {
    int64_t features = instr_int(f->instr, ATTR_FEATURE_GROUP_COUNT, 1),
            batches = instr_int(f->instr, ATTR_BATCH_GROUP_COUNT, 1);
    if (features < 1) return refuse_attr(f, ATTR_FEATURE_GROUP_COUNT, E_VALUE, "'feature_group_count' is at least 1");
    if (batches < 1) return refuse_attr(f, ATTR_BATCH_GROUP_COUNT, E_VALUE, "'batch_group_count' is at least 1");
    if (features > 1 && batches > 1)
        return refuse_attr(f, ATTR_BATCH_GROUP_COUNT, E_VALUE,
                           "'feature_group_count' and 'batch_group_count' exclude each other");
    if (input < 0 || kernel_in < 0 || kernel_out < 0 || batch < 0) return true;
    if (input % features || input / features != kernel_in)
        return refuse_operand(f, 1, E_OPERAND_SHAPE,
                              "the kernel takes %lld input features, but the input has %lld in %lld group%s",
                              (long long)kernel_in, (long long)input, (long long)features, features == 1 ? "" : "s");
    if (kernel_out % features || kernel_out % batches)
        return refuse_operand(f, 1, E_OPERAND_SHAPE, "the kernel's %lld output features do not divide into %lld groups",
                              (long long)kernel_out, (long long)(features > 1 ? features : batches));
    if (batch % batches)
        return refuse_operand(f, 0, E_OPERAND_SHAPE, "a batch of %lld does not divide into %lld groups",
                              (long long)batch, (long long)batches);
    return true;
}

static int output_rank(const DimLabels *labels) {
    const char *arrow = labels->text;
    while (*arrow != '>') arrow++;
    int rank = 0;
    while (arrow[1 + rank]) rank++;
    return rank;
}

INFER(convolution) {
    if (!need_array(f, 0) || !need_array(f, 1)) return NULL;
    const DimLabels *labels = instr_attr(f->instr, ATTR_DIM_LABELS)->dim_labels;
    const Shape *input = operand(f, 0), *kernel = operand(f, 1), *declared = f->instr->shape;
    bool special = instr_attr(f->instr, ATTR_SPARSITY_CONFIG) || instr_attr(f->instr, ATTR_BLOCK_SCALING_CONFIG);
    if (f->instr->n_operands != 2 && !special)
        return refuse_op(f, E_OPERAND_COUNT, "'convolution' takes 2 operands, not %d", f->instr->n_operands);
    if (!need_precisions(f) || !need_dot_algorithm(f) || !need_convolution_ranks(f, labels)) return NULL;
    Window window;
    if (!need_window(f, labels->n_spatial, &window)) return NULL;
    for (int i = 0; i < labels->n_spatial && !special; i++) {
        int64_t size = kernel->dims[labels->kernel_spatial[i]];
        if (!sizes_agree(size, window.dims[i].size))
            return refuse_attr(f, ATTR_WINDOW, E_WINDOW,
                               "the window has size %lld in dimension %d, but the kernel %s has %lld",
                               (long long)window.dims[i].size, i, shape_words(f, kernel), (long long)size);
    }
    int64_t batch = input->dims[labels->input_batch], features = kernel->dims[labels->kernel_output];
    if (!special &&
        !need_groups(f, input->dims[labels->input_feature], kernel->dims[labels->kernel_input], features, batch))
        return NULL;
    DType dtype;
    if (!result_dtype(f, &dtype)) return NULL;
    if (special && !declared)
        return refuse_op(f, E_MISSING_SHAPE, "'convolution' with a configuration needs its shape in front of it");
    if (special) return declared;
    int rank = output_rank(labels);
    int64_t *dims = NEW_ARRAY(f->arena, int64_t, rank);
    for (int d = 0; d < rank; d++) dims[d] = 1; /* of '?' */
    dims[labels->output_batch] = batch < 0 ? -1 : batch / instr_int(f->instr, ATTR_BATCH_GROUP_COUNT, 1);
    dims[labels->output_feature] = features;
    for (int i = 0; i < labels->n_spatial; i++)
        dims[labels->output_spatial[i]] = windowed_size(f, &window.dims[i], input->dims[labels->input_spatial[i]]);
    return shape_array(f->arena, dtype, rank, dims);
}
