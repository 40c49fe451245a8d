#include "passes/bounds/bounds.h"

/* Products: what is not there counts as zero, on both sides, so that it takes no NaN from the other one. */

static bool has(IntList list, int64_t value) {
    for (int k = 0; k < list.n; k++)
        if (list.at[k] == value) return true;
    return false;
}

/* Zeros behind size (NULL: none) of a dim of operand k. */
static void cut_operand(const Builder *b, Instr *instr, int k, int dim, Instr *size) {
    Instr *x = instr->operands[k];
    if (!size) return;
    Instr *zero = constant_scalar(b->computation, x->shape->dtype, 0, b->span);
    instr_set_operand(instr, k, fill_unless(b, index_below(b, x->shape, dim, size), x, zero));
}

Instr *bounds_dot(Bounds *bounds, Instr *instr, const Shape *declared) {
    (void)declared;
    Builder b = builder_for(instr);
    IntList batch[2] = {instr_ints(instr, ATTR_LHS_BATCH_DIMS), instr_ints(instr, ATTR_RHS_BATCH_DIMS)};
    IntList contracting[2] = {instr_ints(instr, ATTR_LHS_CONTRACTING_DIMS),
                              instr_ints(instr, ATTR_RHS_CONTRACTING_DIMS)};
    Instr *sides[2] = {instr->operands[0], instr->operands[1]};
    for (int k = 0; k < contracting[0].n; k++) {
        int at[2] = {(int)contracting[0].at[k], (int)contracting[1].at[k]};
        Instr *size = size_smaller(&b, size_known(bounds, sides[0], at[0]), size_known(bounds, sides[1], at[1]));
        for (int s = 0; s < 2; s++) cut_operand(&b, instr, s, at[s], size);
    }
    int to = 0;
    for (int k = 0; k < batch[0].n; k++) {
        Instr *size = size_known(bounds, sides[0], (int)batch[0].at[k]);
        size_note(bounds, instr, to++, size_smaller(&b, size, size_known(bounds, sides[1], (int)batch[1].at[k])));
    }
    for (int s = 0; s < 2; s++)
        for (int d = 0; d < sides[s]->shape->rank; d++)
            if (!has(contracting[s], d) && !has(batch[s], d))
                size_note(bounds, instr, to++, size_known(bounds, sides[s], d));
    return instr;
}

Instr *bounds_convolution(Bounds *bounds, Instr *instr, const Shape *declared) {
    (void)declared;
    Builder b = builder_for(instr);
    const DimLabels *labels = instr_attr(instr, ATTR_DIM_LABELS)->dim_labels;
    Instr *input = instr->operands[0], *kernel = instr->operands[1];
    bool groups = instr_int(instr, ATTR_FEATURE_GROUP_COUNT, 1) > 1 || instr_int(instr, ATTR_BATCH_GROUP_COUNT, 1) > 1;
    Window window = instr_window(instr, labels->n_spatial);
    if (groups || instr->n_operands > 2) return NULL;
    for (int i = 0; i < labels->n_spatial; i++) {
        Instr *size = size_known(bounds, input, labels->input_spatial[i]);
        if (size_known(bounds, kernel, labels->kernel_spatial[i])) return NULL;
        cut_operand(&b, instr, 0, labels->input_spatial[i], size);
        size_note(bounds, instr, labels->output_spatial[i], windows_in(&b, size, &window.dims[i]));
    }
    size_note(bounds, instr, labels->output_batch, size_known(bounds, input, labels->input_batch));
    size_note(bounds, instr, labels->output_feature, size_known(bounds, kernel, labels->kernel_output));
    Instr *features = size_smaller(&b, size_known(bounds, input, labels->input_feature),
                                   size_known(bounds, kernel, labels->kernel_input));
    cut_operand(&b, instr, 0, labels->input_feature, features);
    cut_operand(&b, instr, 1, labels->kernel_input, features);
    return instr;
}
