#include "passes/expand/expand.h"

/* ragged-dot and scaled-dot: plain dots of operands that were masked or scaled before. */

static Instr *build_dot(const Builder *b, const Shape *shape, Instr *lhs, Instr *rhs, const IntList dims[4]) {
    static const AttrId names[] = {ATTR_LHS_BATCH_DIMS, ATTR_LHS_CONTRACTING_DIMS, ATTR_RHS_BATCH_DIMS,
                                   ATTR_RHS_CONTRACTING_DIMS};
    Instr *dot = build_op(b, OP_DOT, shape, 2, (Instr *[]){lhs, rhs});
    for (int k = 0; k < 4; k++)
        if (dims[k].n) instr_add_attr(dot, (Attr){.id = names[k], .ints = dims[k]});
    return dot;
}

static void dot_dims(const Instr *instr, IntList dims[4]) {
    dims[0] = instr_ints(instr, ATTR_LHS_BATCH_DIMS);
    dims[1] = instr_ints(instr, ATTR_LHS_CONTRACTING_DIMS);
    dims[2] = instr_ints(instr, ATTR_RHS_BATCH_DIMS);
    dims[3] = instr_ints(instr, ATTR_RHS_CONTRACTING_DIMS);
}

/* Every element plus `by`, and one more behind them if extra is not negative. */
static IntList moved(const Builder *b, IntList list, int64_t by, int64_t extra) {
    int64_t *at = NEW_ARRAY(b->arena, int64_t, list.n + 1);
    for (int k = 0; k < list.n; k++) at[k] = list.at[k] + by;
    at[list.n] = extra;
    return (IntList){list.n + (extra >= 0), at};
}

/* --- ragged-dot --------------------------------------------------------------------------------------------------- */

typedef struct {
    Builder b;
    Instr *instr;
    IntList dims[4];
    int64_t ragged;
    const Shape *lhs; /* [groups][lhs dims] */
} Ragged;

/* Sums of the sizes of the groups up to each one: where it ends. */
static Instr *group_ends(const Builder *b, Instr *sizes) {
    int rank = sizes->shape->rank;
    int64_t *dims = NEW_ARRAY(b->arena, int64_t, rank + 1), *kept = NEW_ARRAY(b->arena, int64_t, rank);
    for (int i = 0; i < rank; i++) dims[i] = sizes->shape->dims[i];
    dims[rank] = dims[rank - 1];
    for (int i = 0; i < rank; i++) kept[i] = i < rank - 1 ? i : rank;
    Instr *all = build_spread(b, sizes, shape_array(b->arena, DT_S64, rank + 1, dims), rank, kept);
    Instr *earlier = build_compare(b, DIRECTION_LE, build_iota(b, DT_S64, rank + 1, dims, rank),
                                   build_iota(b, DT_S64, rank + 1, dims, rank - 1));
    int64_t last = rank;
    return build_reduce(b, OP_ADD, build_select(b, earlier, all, build_fill(b, all->shape, DT_S64, 0)), 0, 1, &last);
}

/* A number for each group ([batch ...][groups], or [groups]) for every element of [groups][lhs dims]. */
static Instr *for_elements(const Ragged *r, Instr *x) {
    int rank = x->shape->rank;
    int64_t *order = NEW_ARRAY(r->b.arena, int64_t, 2 * rank), *target = order + rank;
    order[0] = rank - 1; /* groups first, then the batch dims as the operand has them */
    target[0] = 0;
    for (int k = 1; k < rank; k++) {
        int at = k;
        int64_t dim = r->dims[0].at[k - 1] + 1;
        for (; at > 1 && target[at - 1] > dim; at--) {
            target[at] = target[at - 1];
            order[at] = order[at - 1];
        }
        target[at] = dim;
        order[at] = k - 1;
    }
    return build_spread(&r->b, build_transpose(x, order, r->b.span), r->lhs, rank, target);
}

/* [groups][lhs dims]: the left operand where its ragged dim lies in the group, else 0. */
static Instr *masked(const Ragged *r) {
    const Builder *b = &r->b;
    Instr *sizes = build_convert(b, r->instr->operands[2], DT_S64), *ends = group_ends(b, sizes);
    Instr *begins = build_binary(b, OP_SUBTRACT, ends, sizes);
    Instr *at = build_iota(b, DT_S64, r->lhs->rank, r->lhs->dims, (int)r->ragged + 1);
    Instr *inside = build_binary(b, OP_AND, build_compare(b, DIRECTION_GE, at, for_elements(r, begins)),
                                 build_compare(b, DIRECTION_LT, at, for_elements(r, ends)));
    int64_t *own = NEW_ARRAY(b->arena, int64_t, r->lhs->rank);
    for (int i = 0; i + 1 < r->lhs->rank; i++) own[i] = i + 1;
    Instr *lhs = build_spread(b, r->instr->operands[0], r->lhs, r->lhs->rank - 1, own);
    return build_select(b, inside, lhs, build_fill(b, r->lhs, r->lhs->dtype, 0));
}

/* One result per group: the groups are a free dim of the left operand, and come first in the result. */
static Instr *sums_of_groups(const Ragged *r, Instr *lhs) {
    const Shape *shape = r->instr->shape;
    int n_batch = r->dims[0].n;
    int64_t *dims = NEW_ARRAY(r->b.arena, int64_t, 2 * shape->rank), *order = dims + shape->rank;
    for (int i = 0; i < shape->rank; i++) {
        int from = i < n_batch ? i + 1 : i == n_batch ? 0 : i;
        dims[i] = shape->dims[from];
        order[i] = i == 0 ? n_batch : i <= n_batch ? i - 1 : i;
    }
    IntList lists[4] = {moved(&r->b, r->dims[0], 1, -1), moved(&r->b, r->dims[1], 1, -1), r->dims[2], r->dims[3]};
    Instr *dot = build_dot(&r->b, shape_array(r->b.arena, shape->dtype, shape->rank, dims), lhs, r->instr->operands[1],
                           lists);
    return build_transpose(dot, order, r->b.span);
}

Instr *expand_ragged_dot(Instr *instr, Diags *diags) {
    (void)diags;
    Ragged r = {.b = builder_for(instr), .instr = instr, .ragged = instr_ints(instr, ATTR_LHS_RAGGED_DIMS).at[0]};
    dot_dims(instr, r.dims);
    if (int_list_has(r.dims[0], r.ragged))
        return build_dot(&r.b, instr->shape, instr->operands[0], instr->operands[1], r.dims);
    const Shape *lhs = instr->operands[0]->shape, *sizes = instr->operands[2]->shape;
    if (sizes->rank != 1 && sizes->rank != 1 + r.dims[0].n) return NULL;
    int64_t *dims = NEW_ARRAY(r.b.arena, int64_t, lhs->rank + 1);
    dims[0] = sizes->dims[sizes->rank - 1];
    for (int i = 0; i < lhs->rank; i++) dims[i + 1] = lhs->dims[i];
    r.lhs = shape_array(r.b.arena, lhs->dtype, lhs->rank + 1, dims);
    Instr *left = masked(&r);
    if (int_list_has(r.dims[1], r.ragged)) return sums_of_groups(&r, left);
    int64_t group = instr_ints(instr, ATTR_RHS_GROUP_DIMS).at[0];
    IntList lists[4] = {moved(&r.b, r.dims[0], 1, -1), moved(&r.b, r.dims[1], 1, 0), r.dims[2],
                        moved(&r.b, r.dims[3], 0, group)};
    return build_dot(&r.b, instr->shape, left, instr->operands[1], lists);
}

/* --- scaled-dot --------------------------------------------------------------------------------------------------- */

/* x times the scale of the block that each element lies in. A scalar scale means 1. */
static Instr *scaled(const Builder *b, Instr *x, Instr *scale, DType dtype) {
    x = build_convert(b, x, dtype);
    int rank = x->shape->rank;
    if (!scale->shape->rank) return x;
    int64_t *dims = NEW_ARRAY(b->arena, int64_t, 3 * rank), *outer = dims + 2 * rank;
    for (int i = 0; i < rank; i++) {
        dims[2 * i] = scale->shape->dims[i];
        dims[2 * i + 1] = x->shape->dims[i] / scale->shape->dims[i];
        outer[i] = 2 * i;
    }
    Instr *blocks = build_spread(b, build_convert(b, scale, dtype), shape_array(b->arena, dtype, 2 * rank, dims), rank,
                                 outer);
    return build_binary(b, OP_MULTIPLY, x, build_reshape(blocks, rank, x->shape->dims, b->span));
}

Instr *expand_scaled_dot(Instr *instr, Diags *diags) {
    (void)diags;
    Builder b = builder_for(instr);
    DType dtype = instr->shape->dtype == DT_F64 || dtype_is_complex(instr->shape->dtype) ? instr->shape->dtype : DT_F32;
    Instr *lhs = scaled(&b, instr->operands[0], instr->operands[2], dtype);
    Instr *rhs = scaled(&b, instr->operands[1], instr->operands[3], dtype);
    IntList dims[4];
    dot_dims(instr, dims);
    const Shape *shape = shape_array(b.arena, dtype, instr->shape->rank, instr->shape->dims);
    return build_convert(&b, build_dot(&b, shape, lhs, rhs, dims), instr->shape->dtype);
}
