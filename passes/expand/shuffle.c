#include "passes/expand/expand.h"

/* shuffle: a rotation is two slices joined again; a permutation is a gather with constant indices. */

static Instr *rotated(const Builder *b, Instr *x, int dim, int64_t shift) {
    int64_t size = x->shape->dims[dim];
    if (size == 0) return x;
    shift = (shift % size + size) % size;
    if (shift == 0) return x;
    Instr *parts[] = {build_slice(b, x, dim, shift, size), build_slice(b, x, dim, 0, shift)};
    return build_concatenate(b, dim, 2, parts);
}

/* The coordinates in one shuffled dim, of shape [dims of the operand ...][1]. The literal has size 1 in the dims that
 * do not matter, and the coordinates of several shuffled dims in a last dim of their own. */
static Instr *coordinate(const Builder *b, const Literal *literal, int k, int rank, const int64_t *dims) {
    const Shape *from = literal->shape;
    int n_coordinates = from->rank > rank ? (int)from->dims[rank] : 1, kept = 0;
    int64_t *sizes = NEW_ARRAY(b->arena, int64_t, rank + 1), *where = NEW_ARRAY(b->arena, int64_t, rank + 1);
    for (int d = 0; d < rank; d++) {
        if (from->dims[d] == 1) continue;
        sizes[kept] = from->dims[d];
        where[kept++] = d;
    }
    const Shape *shape = shape_array(b->arena, DT_S64, kept, sizes);
    Instr *constant = build_op(b, OP_CONSTANT, shape, 0, NULL);
    Literal *chosen = literal_new(b->arena, shape);
    for (int64_t i = 0; i < shape_elements(shape); i++)
        literal_set_int(chosen, i, literal_int(literal, i * n_coordinates + k));
    constant->literal = chosen;
    return build_spread(b, constant, shape_array(b->arena, DT_S64, rank + 1, dims), kept, where);
}

static Instr *permuted(const Builder *b, const Instr *instr, const Literal *literal) {
    Instr *x = instr->operands[0];
    IntList shuffled = instr_ints(instr, ATTR_DIMENSIONS);
    int rank = x->shape->rank;
    int64_t *dims = NEW_ARRAY(b->arena, int64_t, rank + 1), *all = NEW_ARRAY(b->arena, int64_t, rank + 1);
    int64_t *ones = NEW_ARRAY(b->arena, int64_t, rank + 1);
    Instr **coordinates = NEW_ARRAY(b->arena, Instr *, rank + 1);
    for (int d = 0; d < rank; d++) {
        dims[d] = x->shape->dims[d];
        all[d] = d;
        ones[d] = 1;
    }
    dims[rank] = 1;
    for (int d = 0; d < rank; d++) coordinates[d] = build_iota(b, DT_S64, rank + 1, dims, d);
    for (int k = 0; k < shuffled.n; k++)
        coordinates[shuffled.at[k]] = coordinate(b, literal, k, rank, dims);
    Instr *starts = build_concatenate(b, rank, rank, coordinates);
    Instr *gather = build_op(b, OP_GATHER, instr->shape, 2, (Instr *[]){x, starts});
    IntList none = {0, NULL}, every = {rank, all}, sizes = {rank, ones};
    instr_add_attr(gather, (Attr){.id = ATTR_OFFSET_DIMS, .ints = none});
    instr_add_attr(gather, (Attr){.id = ATTR_COLLAPSED_SLICE_DIMS, .ints = every});
    instr_add_attr(gather, (Attr){.id = ATTR_START_INDEX_MAP, .ints = every});
    instr_add_attr(gather, (Attr){.id = ATTR_INDEX_VECTOR_DIM, .integer = rank});
    instr_add_attr(gather, (Attr){.id = ATTR_SLICE_SIZES, .ints = sizes});
    return gather;
}

Instr *expand_shuffle(Instr *instr, Diags *diags) {
    (void)diags;
    Builder b = builder_for(instr);
    const Attr *permutation = instr_attr(instr, ATTR_INDICES);
    IntList dims = instr_ints(instr, ATTR_DIMENSIONS), shifts = instr_ints(instr, ATTR_SHIFTS);
    if (dims.n == 0) return expand_forward(instr, diags);
    if (permutation) return permuted(&b, instr, permutation->literal);
    Instr *x = instr->operands[0];
    for (int k = 0; k < dims.n; k++) x = rotated(&b, x, (int)dims.at[k], shifts.at[k]);
    return x;
}
