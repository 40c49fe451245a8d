#include "passes/indexing/access.h"

/* Ops that move elements by an affine map, and the elementwise ones (indexing.md 2.1 to 2.7, 2.14). */

static const Index **new_index(const AccessBuilder *b, int rank) {
    return NEW_ARRAY(b->pool->arena, const Index *, rank + 1);
}

bool access_elementwise(AccessBuilder *b) {
    const Index **index = new_index(b, b->n_dims);
    for (int i = 0; i < b->n_dims; i++) index[i] = access_dim(b, i);
    for (int k = 0; k < b->instr->n_operands; k++) access_reads(b, k, index); /* a rank-0 operand takes none of it */
    return true;
}

bool access_get_tuple_element(AccessBuilder *b) {
    (void)b;
    return false; /* of a tuple: plumbing, not elements */
}

bool access_broadcast(AccessBuilder *b) {
    int rank = b->instr->operands[0]->shape->rank;
    IntList dims = instr_ints(b->instr, ATTR_DIMENSIONS);
    const Index **index = new_index(b, rank);
    for (int i = 0; i < rank; i++) index[i] = access_dim(b, (int)dims.at[i]);
    access_reads(b, 0, index);
    return true;
}

bool access_transpose(AccessBuilder *b) {
    IntList permutation = instr_ints(b->instr, ATTR_DIMENSIONS);
    const Index **index = new_index(b, b->n_dims);
    for (int i = 0; i < b->n_dims; i++) index[permutation.at[i]] = access_dim(b, i);
    access_reads(b, 0, index);
    return true;
}

bool access_reverse(AccessBuilder *b) {
    IntList dims = instr_ints(b->instr, ATTR_DIMENSIONS);
    const Index **index = new_index(b, b->n_dims);
    for (int i = 0; i < b->n_dims; i++) index[i] = access_dim(b, i);
    for (int k = 0; k < dims.n; k++) {
        int d = (int)dims.at[k];
        index[d] = index_plus(b->pool, index_times(b->pool, access_dim(b, d), -1), b->instr->shape->dims[d] - 1);
    }
    access_reads(b, 0, index);
    return true;
}

bool access_slice(AccessBuilder *b) {
    const Attr *slice = instr_attr(b->instr, ATTR_SLICE);
    const Index **index = new_index(b, b->n_dims);
    for (int i = 0; i < b->n_dims; i++)
        index[i] = index_plus(b->pool, index_times(b->pool, access_dim(b, i), slice->slices[i].stride),
                              slice->slices[i].start);
    access_reads(b, 0, index);
    return true;
}

bool access_concatenate(AccessBuilder *b) {
    int d = (int)instr_ints(b->instr, ATTR_DIMENSIONS).at[0];
    const Index **index = new_index(b, b->n_dims);
    for (int i = 0; i < b->n_dims; i++) index[i] = access_dim(b, i);
    int64_t offset = 0;
    for (int k = 0; k < b->instr->n_operands; k++) {
        int64_t size = b->instr->operands[k]->shape->dims[d];
        index[d] = index_plus(b->pool, access_dim(b, d), -offset);
        access_reads(b, k, index);
        access_guard(b, k, access_dim(b, d), offset, offset + size - 1);
        offset += size;
    }
    return true;
}

bool access_pad(AccessBuilder *b) {
    const Attr *padding = instr_attr(b->instr, ATTR_PADDING);
    const Shape *from = b->instr->operands[0]->shape;
    const Index **index = new_index(b, b->n_dims);
    for (int i = 0; i < b->n_dims; i++) {
        const PadDim *pad = &padding->padding[i];
        int64_t step = pad->interior + 1;
        const Index *shifted = index_plus(b->pool, access_dim(b, i), -pad->low);
        index[i] = index_over(b->pool, shifted, step);
        int64_t last = from->dims[i] ? (from->dims[i] - 1) * step : -1;
        if (pad->low || pad->low + last + 1 != b->instr->shape->dims[i] || !from->dims[i])
            access_guard(b, 0, access_dim(b, i), pad->low, pad->low + last);
        if (step > 1) access_guard(b, 0, index_modulo(b->pool, shifted, step), 0, 0);
    }
    access_reads(b, 0, index);
    access_reads(b, 1, index);
    return true;
}
