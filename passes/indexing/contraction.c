#include "passes/indexing/access.h"

/* Reductions and contractions: reduce, reduce-window, dot, scaled-dot, convolution (indexing.md 2.11 to 2.16). The
 * range symbols are the reduced dims. */

bool access_reduce(AccessBuilder *b) {
    const Instr *instr = b->instr;
    const Shape *from = instr->operands[0]->shape;
    IntList dims = instr_ints(instr, ATTR_DIMENSIONS);
    const Index **index = NEW_ARRAY(b->pool->arena, const Index *, from->rank + 1);
    int out = 0;
    for (int i = 0; i < from->rank; i++) {
        bool reduced = false;
        for (int k = 0; k < dims.n; k++) reduced |= dims.at[k] == i;
        index[i] = reduced ? access_range(b, from->dims[i]) : access_dim(b, out++);
    }
    for (int k = 0; k < instr->n_operands; k++) access_reads(b, k, index); /* inits are rank 0 */
    return true;
}

/* Index along one spatial dim of size n: position k of the window at output position o, or, behind guards, nothing. */
static const Index *window_index(AccessBuilder *b, int operand, const Index *o, const Index *k, const WindowDim *w,
                                 int64_t n) {
    const Index *position = index_add(b->pool, index_times(b->pool, k, w->window_dilation),
                                      index_times(b->pool, o, w->stride));
    const Index *shifted = index_plus(b->pool, position, -w->pad_low);
    int64_t last = n ? (n - 1) * w->base_dilation : -1; /* of the dilated array */
    int64_t low = w->pad_low > 0 ? w->pad_low : 0, high = w->pad_high < 0 ? last + w->pad_high : last;
    access_guard(b, operand, position, low, w->pad_low + high);
    if (w->base_dilation > 1) access_guard(b, operand, index_modulo(b->pool, shifted, w->base_dilation), 0, 0);
    return index_over(b->pool, shifted, w->base_dilation);
}

/* Guards that hold everywhere say nothing. */
static void drop_true_guards(AccessBuilder *b, int operand) {
    OperandAccess *access = &b->operands[operand];
    Guard *kept = NEW_ARRAY(b->pool->arena, Guard, access->n_guards);
    int n = 0;
    for (int i = 0; i < access->n_guards; i++)
        if (!interval_includes(access->guards[i].in, index_range(b->domain, access->guards[i].expr)))
            kept[n++] = access->guards[i];
    access->guards = kept;
    access->n_guards = n;
}

bool access_reduce_window(AccessBuilder *b) {
    const Instr *instr = b->instr;
    int n_inputs = instr->n_operands / 2;
    Window window = instr_window(instr, b->n_dims);
    const Index **index = NEW_ARRAY(b->pool->arena, const Index *, 2 * b->n_dims + 1), **symbols = index + b->n_dims;
    for (int i = 0; i < b->n_dims; i++) symbols[i] = access_range(b, window.dims[i].size);
    for (int k = 0; k < n_inputs; k++) {
        for (int i = 0; i < b->n_dims; i++)
            index[i] = window_index(b, k, access_dim(b, i), symbols[i], &window.dims[i],
                                    instr->operands[k]->shape->dims[i]);
        access_reads(b, k, index);
        drop_true_guards(b, k);
        access_reads(b, n_inputs + k, index);
    }
    return true;
}

/* Fills index with this side's element: batch dims, contracted dims, and free ones in order from output dim *free. */
static void dot_side(AccessBuilder *b, const Shape *side, IntList batch, IntList contracted,
                     const Index *const *symbols, int *free, const Index **index) {
    for (int i = 0; i < side->rank; i++) index[i] = NULL;
    for (int k = 0; k < batch.n; k++) index[batch.at[k]] = access_dim(b, k);
    for (int k = 0; k < contracted.n; k++) index[contracted.at[k]] = symbols[k];
    for (int i = 0; i < side->rank; i++)
        if (!index[i]) index[i] = access_dim(b, (*free)++);
}

bool access_dot(AccessBuilder *b) {
    const Instr *instr = b->instr;
    IntList lhs_batch = instr_ints(instr, ATTR_LHS_BATCH_DIMS), rhs_batch = instr_ints(instr, ATTR_RHS_BATCH_DIMS);
    IntList lhs = instr_ints(instr, ATTR_LHS_CONTRACTING_DIMS), rhs = instr_ints(instr, ATTR_RHS_CONTRACTING_DIMS);
    const Shape *a = instr->operands[0]->shape, *c = instr->operands[1]->shape;
    if (instr->n_operands != 2 && instr->op == OP_DOT) return false; /* sparse operands */
    const Index **symbols = NEW_ARRAY(b->pool->arena, const Index *, lhs.n + a->rank + c->rank + 1);
    const Index **index = symbols + lhs.n;
    for (int k = 0; k < lhs.n; k++) symbols[k] = access_range(b, a->dims[lhs.at[k]]);
    int free = lhs_batch.n;
    dot_side(b, a, lhs_batch, lhs, symbols, &free, index);
    access_reads(b, 0, index);
    dot_side(b, c, rhs_batch, rhs, symbols, &free, index + a->rank);
    access_reads(b, 1, index + a->rank);
    return true;
}

/* Scales stand for blocks of elements. */
bool access_scaled_dot(AccessBuilder *b) {
    if (!access_dot(b)) return false;
    for (int k = 0; k < 2; k++) {
        const Shape *side = b->instr->operands[k]->shape, *scale = b->instr->operands[2 + k]->shape;
        const Index **index = NEW_ARRAY(b->pool->arena, const Index *, side->rank + 1);
        for (int i = 0; i < scale->rank; i++)
            index[i] = index_over(b->pool, b->operands[k].index[i], side->dims[i] / scale->dims[i]);
        access_reads(b, 2 + k, index);
    }
    return true;
}

bool access_convolution(AccessBuilder *b) {
    const Instr *instr = b->instr;
    if (instr->n_operands != 2) return false;
    const DimLabels *labels = instr_attr(instr, ATTR_DIM_LABELS)->dim_labels;
    const Shape *input = instr->operands[0]->shape, *kernel = instr->operands[1]->shape, *output = instr->shape;
    Window window = instr_window(instr, labels->n_spatial);
    int64_t groups = instr_int(instr, ATTR_FEATURE_GROUP_COUNT, 1),
            batches = instr_int(instr, ATTR_BATCH_GROUP_COUNT, 1);
    IndexPool *pool = b->pool;
    const Index **in = NEW_ARRAY(pool->arena, const Index *, input->rank + kernel->rank + 1), **k = in + input->rank;
    const Index **symbols = NEW_ARRAY(pool->arena, const Index *, labels->n_spatial + 1);
    for (int i = 0; i < labels->n_spatial; i++) symbols[i] = access_range(b, window.dims[i].size);
    int64_t features = kernel->dims[labels->kernel_input], outputs = output->dims[labels->output_feature];
    const Index *feature = access_range(b, features), *of = access_dim(b, labels->output_feature);
    for (int i = 0; i < labels->n_spatial; i++) {
        in[labels->input_spatial[i]] =
            window_index(b, 0, access_dim(b, labels->output_spatial[i]), symbols[i], &window.dims[i],
                         input->dims[labels->input_spatial[i]]);
        const Index *position = symbols[i];
        if (window.dims[i].reversal)
            position = index_plus(pool, index_times(pool, position, -1), window.dims[i].size - 1);
        k[labels->kernel_spatial[i]] = position;
    }
    in[labels->input_feature] = feature;
    if (groups > 1 && outputs / groups > 0)
        in[labels->input_feature] = index_add(
            pool, index_times(pool, index_over(pool, of, outputs / groups), features), feature);
    in[labels->input_batch] = access_dim(b, labels->output_batch);
    if (batches > 1 && outputs / batches > 0)
        in[labels->input_batch] = index_add(
            pool, index_times(pool, index_over(pool, of, outputs / batches), output->dims[labels->output_batch]),
            in[labels->input_batch]);
    k[labels->kernel_input] = feature;
    k[labels->kernel_output] = of;
    access_reads(b, 0, in);
    drop_true_guards(b, 0);
    access_reads(b, 1, k);
    return true;
}
