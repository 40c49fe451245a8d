#include "passes/indexing/access.h"

/* Ops whose operand index depends on values: dynamic-slice, dynamic-update-slice, gather (indexing.md 2.17 to 2.19).
 * Their start indices are runtime variables, clamped so that the slice stays inside. */

/* Start of dim d: operand first + d, or element d of a vector operand (the old form). */
static const Index *start(AccessBuilder *b, int first, int d, int64_t limit) {
    bool vector = b->instr->n_operands == first + 1 && b->instr->operands[first]->shape->rank == 1;
    const Index *element = index_const(b->pool, d);
    return access_runtime(b, vector ? first : first + d, vector, &element, (Interval){0, limit});
}

bool access_dynamic_slice(AccessBuilder *b) {
    const Shape *from = b->instr->operands[0]->shape;
    const Index **index = NEW_ARRAY(b->pool->arena, const Index *, b->n_dims + 1);
    for (int i = 0; i < b->n_dims; i++) {
        int64_t room = from->dims[i] - b->instr->shape->dims[i];
        index[i] = index_add(b->pool, access_dim(b, i), start(b, 1, i, room));
    }
    access_reads(b, 0, index);
    return true;
}

bool access_dynamic_update_slice(AccessBuilder *b) {
    const Shape *to = b->instr->shape, *update = b->instr->operands[1]->shape;
    const Index **index = NEW_ARRAY(b->pool->arena, const Index *, b->n_dims + 1);
    for (int i = 0; i < b->n_dims; i++) index[i] = access_dim(b, i);
    access_reads(b, 0, index);
    for (int i = 0; i < b->n_dims; i++) {
        int64_t room = to->dims[i] - update->dims[i];
        index[i] = index_sub(b->pool, access_dim(b, i), start(b, 2, i, room));
    }
    access_reads(b, 1, index);
    for (int i = 0; i < b->n_dims; i++)
        if (to->dims[i] != update->dims[i]) access_guard(b, 1, index[i], 0, update->dims[i] - 1);
    return true;
}

bool access_gather(AccessBuilder *b) {
    const Instr *instr = b->instr;
    const Shape *operand = instr->operands[0]->shape, *indices = instr->operands[1]->shape;
    IntList offset_dims = instr_ints(instr, ATTR_OFFSET_DIMS), collapsed = instr_ints(instr, ATTR_COLLAPSED_SLICE_DIMS);
    IntList index_map = instr_ints(instr, ATTR_START_INDEX_MAP), sizes = instr_ints(instr, ATTR_SLICE_SIZES);
    IntList batching = instr_ints(instr, ATTR_OPERAND_BATCHING_DIMS);
    IntList indices_batching = instr_ints(instr, ATTR_START_INDICES_BATCHING_DIMS);
    int vector_dim = (int)instr_int(instr, ATTR_INDEX_VECTOR_DIM, 0), at;
    /* batch[i]: the output dim of dim i of the indices, vector_dim left out */
    const Index **batch = NEW_ARRAY(b->pool->arena, const Index *, indices->rank + b->n_dims + operand->rank + 2);
    const Index **index = batch + indices->rank + 1;
    int k = 0;
    for (int i = 0; i < b->n_dims; i++) {
        if (int_list_has(offset_dims, i)) continue;
        if (k == vector_dim) k++;
        batch[k++] = access_dim(b, i);
    }
    int offset = 0;
    for (int d = 0; d < operand->rank; d++) {
        bool window = !int_list_has(collapsed, d) && !int_list_has(batching, d);
        index[d] = window ? access_dim(b, (int)offset_dims.at[offset++]) : index_const(b->pool, 0);
        if (int_list_find(batching, d, &at)) index[d] = index_add(b->pool, index[d], batch[indices_batching.at[at]]);
        if (!int_list_find(index_map, d, &at)) continue;
        int64_t room = operand->dims[d] - sizes.at[d];
        if (vector_dim < indices->rank) batch[vector_dim] = index_const(b->pool, at);
        index[d] = index_add(b->pool, index[d], access_runtime(b, 1, indices->rank, batch, (Interval){0, room}));
    }
    access_reads(b, 0, index);
    return true;
}
