/* dot, scaled-dot and ragged-dot. */
#include "ir/eval/contract.h"
#include "ir/eval/move.h"
#include "ir/eval/rule.h"

/* One operand: its dims as the dot sees them. */
typedef struct {
    const Value *value;
    Dims batch, free, contracting;
    int64_t n_batch, n_free, n_contracting;
} Side;

static Dims dims_of_list(Arena *arena, IntList list) {
    Dims dims = dims_new(arena, list.n);
    for (int k = 0; k < list.n; k++) dims_add(&dims, list.at[k]);
    return dims;
}

/* groups: dims that are neither (of ragged-dot's rhs); may be empty. */
static Side side_new(Arena *arena, const Value *value, IntList batch, IntList contracting, IntList groups) {
    const Shape *shape = value->shape;
    Side side = {.value = value, .batch = dims_of_list(arena, batch), .free = dims_new(arena, shape->rank),
                 .contracting = dims_of_list(arena, contracting)};
    Dims others = dims_of_list(arena, groups);
    for (int d = 0; d < shape->rank; d++)
        if (!dims_has(side.batch, d) && !dims_has(side.contracting, d) && !dims_has(others, d)) dims_add(&side.free, d);
    side.n_batch = dims_product(shape, side.batch);
    side.n_free = dims_product(shape, side.free);
    side.n_contracting = dims_product(shape, side.contracting);
    return side;
}

/* [first][batch][free][contracting], first being other dims. */
static int64_t *side_order(Arena *arena, const Side *side, IntList first) {
    Dims order = dims_new(arena, side->value->shape->rank + 1);
    const Dims lists[] = {dims_of_list(arena, first), side->batch, side->free, side->contracting};
    for (int l = 0; l < 4; l++)
        for (int k = 0; k < lists[l].n; k++) dims_add(&order, lists[l].at[k]);
    return order.at;
}

static Wide plain_product(Arena *scratch, const Wide *a, const Wide *b, const Side *sides) {
    return wide_multiply(scratch, a, b, sides[0].n_batch, sides[0].n_free, sides[1].n_free, sides[0].n_contracting);
}

static const IntList none = {0, NULL};

Value *eval_dot(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    if (instr->n_operands != 2 || instr_attr(instr, ATTR_SPARSITY))
        return eval_error(eval, instr, "cannot evaluate a dot of sparse operands");
    Arena *scratch = arena_new();
    Side sides[2] = {side_new(scratch, operands[0], instr_ints(instr, ATTR_LHS_BATCH_DIMS),
                              instr_ints(instr, ATTR_LHS_CONTRACTING_DIMS), none),
                     side_new(scratch, operands[1], instr_ints(instr, ATTR_RHS_BATCH_DIMS),
                              instr_ints(instr, ATTR_RHS_CONTRACTING_DIMS), none)};
    Wide wide[2];
    for (int s = 0; s < 2; s++)
        wide[s] = wide_operand(scratch, lane_class(shape->dtype), operands[s], side_order(scratch, &sides[s], none));
    Wide sums = plain_product(scratch, &wide[0], &wide[1], sides);
    Value *result = wide_result(shape, &sums);
    arena_free(scratch);
    return result;
}

/* --- scaled-dot --------------------------------------------------------------------------------------------------- */

/* An f64 array of the operand's elements times those of the scale that stand for their blocks. A scalar scale is 1. */
static Value *scaled(Eval *eval, const Value *operand, const Value *scale) {
    const Shape *shape = operand->shape;
    Value *product = value_new(shape_with_dtype(eval->arena, shape, DT_F64));
    double *at = product->data;
    MapPlan plan;
    map_plan_convert(&plan, shape->dtype, DT_F64);
    map_run(&plan, at, (const void *const[]){operand->data}, value_elements(operand));
    if (!scale->shape->rank) return product;
    Arena *scratch = arena_new();
    int64_t n = value_elements(operand), *strides = strides_new(scratch, scale->shape);
    double *factors = NEW_ARRAY(scratch, double, value_elements(scale));
    map_plan_convert(&plan, scale->shape->dtype, DT_F64);
    map_run(&plan, factors, (const void *const[]){scale->data}, value_elements(scale));
    for (int64_t i = 0; i < n; i++) {
        int64_t block = 0, rest = i;
        for (int d = shape->rank - 1; d >= 0; d--) {
            block += rest % shape->dims[d] / (shape->dims[d] / scale->shape->dims[d]) * strides[d];
            rest /= shape->dims[d];
        }
        at[i] *= factors[block];
    }
    arena_free(scratch);
    return product;
}

Value *eval_scaled_dot(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    Value *products[2] = {scaled(eval, operands[0], operands[2]), scaled(eval, operands[1], operands[3])};
    Instr dot = *instr;
    dot.n_operands = 2;
    Value *result = eval_dot(eval, &dot, shape, products);
    for (int s = 0; s < 2; s++) value_release(products[s]);
    return result;
}

/* --- ragged-dot --------------------------------------------------------------------------------------------------- */

/* Groups of consecutive indices of one dim. */
typedef struct {
    const Value *sizes; /* [groups], or [batch...][groups] */
    int64_t n_groups;
    int64_t extent;     /* of the dim */
    int64_t inner;      /* how many indices of the flattened dims go into one of the dim */
} Groups;

/* The interval of one group for a batch index, within the dim. */
static void group_interval(const Groups *groups, int64_t batch, int64_t group, int64_t *begin, int64_t *end) {
    int64_t row = value_elements(groups->sizes) > groups->n_groups ? batch * groups->n_groups : 0;
    *begin = 0;
    for (int64_t g = 0; g < group; g++) *begin += value_index(groups->sizes, row + g);
    *end = *begin + value_index(groups->sizes, row + group);
    if (*begin > groups->extent) *begin = groups->extent;
    if (*end > groups->extent) *end = groups->extent;
}

/* The group of a flattened index, or -1 behind the last. */
static int64_t group_of(const Groups *groups, int64_t batch, int64_t index) {
    int64_t at = index / groups->inner % groups->extent;
    for (int64_t g = 0; g < groups->n_groups; g++) {
        int64_t begin, end;
        group_interval(groups, batch, g, &begin, &end);
        if (at >= begin && at < end) return g;
    }
    return -1;
}

static int64_t inner_of(const Shape *shape, Dims dims, int64_t d) {
    int64_t inner = 1;
    for (int k = dims.n - 1; k >= 0 && dims.at[k] != d; k--) inner *= shape->dims[dims.at[k]];
    return inner;
}

/* Rows in groups: each meets the matrix of its group, [group][batch][columns][k]; rows behind all groups are zero. */
static Wide ragged_rows(Arena *scratch, const Groups *groups, const Wide *a, const Wide *b, const Side *sides) {
    int64_t rows = sides[0].n_free, columns = sides[1].n_free, k = sides[0].n_contracting, batches = sides[0].n_batch;
    Wide sums = wide_zeros(scratch, a->class, batches * rows * columns);
    for (int64_t i = 0; i < batches * rows; i++) {
        int64_t batch = i / rows, group = group_of(groups, batch, i % rows);
        for (int64_t j = 0; group >= 0 && j < columns; j++)
            wide_accumulate(&sums, i * columns + j, a, i * k, b, ((group * batches + batch) * columns + j) * k, k);
    }
    return sums;
}

/* The sum itself in groups: one result per group, [group][batch][rows][columns]. The ragged dim is the slowest of the
 * contracting ones, so a group is a run of k. */
static Wide ragged_sums(Arena *scratch, const Groups *groups, const Wide *a, const Wide *b, const Side *sides) {
    int64_t rows = sides[0].n_free, columns = sides[1].n_free, k = sides[0].n_contracting, batches = sides[0].n_batch;
    Wide sums = wide_zeros(scratch, a->class, groups->n_groups * batches * rows * columns);
    for (int64_t g = 0; g < groups->n_groups; g++)
        for (int64_t i = 0; i < batches * rows; i++) {
            int64_t begin, end, batch = i / rows;
            group_interval(groups, batch, g, &begin, &end);
            begin *= groups->inner;
            end *= groups->inner;
            for (int64_t j = 0; j < columns; j++)
                wide_accumulate(&sums, (g * batches * rows + i) * columns + j, a, i * k + begin, b,
                                (batch * columns + j) * k + begin, end - begin);
        }
    return sums;
}

/* Moves dim d of both contracting lists to the front, in step. */
static void contracting_first(Side *sides, int64_t d) {
    for (int k = 0; k < sides[0].contracting.n; k++)
        if (sides[0].contracting.at[k] == d)
            for (int s = 0; s < 2; s++) {
                int64_t first = sides[s].contracting.at[0];
                sides[s].contracting.at[0] = sides[s].contracting.at[k];
                sides[s].contracting.at[k] = first;
            }
}

Value *eval_ragged_dot(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)eval;
    Arena *scratch = arena_new();
    IntList group_dims = instr_ints(instr, ATTR_RHS_GROUP_DIMS);
    int64_t ragged = instr_ints(instr, ATTR_LHS_RAGGED_DIMS).at[0];
    Side sides[2] = {side_new(scratch, operands[0], instr_ints(instr, ATTR_LHS_BATCH_DIMS),
                              instr_ints(instr, ATTR_LHS_CONTRACTING_DIMS), none),
                     side_new(scratch, operands[1], instr_ints(instr, ATTR_RHS_BATCH_DIMS),
                              instr_ints(instr, ATTR_RHS_CONTRACTING_DIMS), group_dims)};
    const Shape *lhs = operands[0]->shape, *sizes = operands[2]->shape;
    contracting_first(sides, ragged);
    bool sums_ragged = dims_has(sides[0].contracting, ragged);
    Groups groups = {operands[2], sizes->dims[sizes->rank - 1], lhs->dims[ragged],
                     inner_of(lhs, sums_ragged ? sides[0].contracting : sides[0].free, ragged)};
    Wide a = wide_operand(scratch, lane_class(shape->dtype), operands[0], side_order(scratch, &sides[0], none));
    Wide b = wide_operand(scratch, lane_class(shape->dtype), operands[1], side_order(scratch, &sides[1], group_dims));
    Wide sums = sums_ragged                        ? ragged_sums(scratch, &groups, &a, &b, sides)
                : dims_has(sides[0].batch, ragged) ? plain_product(scratch, &a, &b, sides)
                                                   : ragged_rows(scratch, &groups, &a, &b, sides);
    Value *result = wide_result(shape, &sums);
    arena_free(scratch);
    return result;
}
