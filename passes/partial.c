#include "passes/passes.h"

#include "passes/lower/combiner.h"

/* A reduction of very many elements to a few becomes one to partial results, and one of those: so there are results for
 * threads to share, whatever their number, and to the same bits. The outermost reduced dim is cut. */

enum { MOST_RESULTS = 16, LEAST_ELEMENTS = 1 << 18, MOST_PARTS = 64, LEAST_PARTS = 8 };

typedef struct {
    Instr *whole;
    int n;       /* operands */
    int dim;     /* of the operands: the one that is cut */
    int64_t parts;
    IntList dims; /* all that are reduced */
} Cut;

/* Whether partial results may each begin with the init value: it changes nothing the second time. */
static bool is_idempotent(const Instr *whole) {
    ScalarOp op = plain_combiner(whole);
    return combiner_chooses(whole) || op == SCALAR_AND || op == SCALAR_OR;
}

static bool is_exact(DType dtype) {
    return register_type(dtype) == dtype || dtype_is_complex(dtype);
}

/* Where to cut, if at all. Partial results of small floats would be rounded on the way. */
static bool cut_of(Instr *whole, Cut *cut) {
    if (whole->op != OP_REDUCE || !whole->n_operands) return false;
    *cut = (Cut){.whole = whole, .n = whole->n_operands / 2, .dim = -1, .dims = instr_ints(whole, ATTR_DIMENSIONS)};
    const Shape *from = whole->operands[0]->shape, *to = shape_leaf(whole->shape, 0);
    if (shape_elements(to) > MOST_RESULTS || shape_elements(from) < LEAST_ELEMENTS) return false;
    ScalarOp op = plain_combiner(whole);
    if (op != SCALAR_ADD && op != SCALAR_MUL && !is_idempotent(whole)) return false;
    for (int k = 0; k < cut->n; k++)
        if (!is_exact(shape_leaf(whole->shape, k)->dtype)) return false;
    for (int d = 0; d < from->rank && cut->dim < 0; d++)
        if (from->dims[d] > 1 && int_list_has(cut->dims, d)) cut->dim = d;
    int64_t size = from->dims[cut->dim];
    for (cut->parts = MOST_PARTS; cut->parts >= LEAST_PARTS && size % cut->parts; cut->parts--) continue;
    return cut->parts >= LEAST_PARTS;
}

static Instr *cut_operand(const Cut *cut, int k) {
    Instr *operand = cut->whole->operands[k];
    int rank = operand->shape->rank;
    int64_t *dims = NEW_ARRAY(cut->whole->parent->module->arena, int64_t, rank + 1);
    for (int d = 0; d < rank; d++) dims[d < cut->dim ? d : d + 1] = operand->shape->dims[d];
    dims[cut->dim] = cut->parts;
    dims[cut->dim + 1] /= cut->parts;
    return build_reshape(operand, rank + 1, dims, cut->whole->span);
}

static const Shape *partial_shape(const Cut *cut, int k, int at) {
    Arena *arena = cut->whole->parent->module->arena;
    const Shape *to = shape_leaf(cut->whole->shape, k);
    int64_t *dims = NEW_ARRAY(arena, int64_t, to->rank + 1);
    for (int d = 0; d < to->rank; d++) dims[d < at ? d : d + 1] = to->dims[d];
    dims[at] = cut->parts;
    return shape_array(arena, to->dtype, to->rank + 1, dims);
}

/* A reduction like the whole one of operands and inits. */
static Instr *reduce_like(const Cut *cut, const Shape *shape, Instr *const *operands, IntList dims) {
    Instr *whole = cut->whole;
    Instr *reduce = instr_new(whole->parent, OP_REDUCE, whole->name, shape, whole->n_operands, operands, whole->span);
    reduce->op_span = whole->op_span;
    Attr along = *instr_attr(whole, ATTR_DIMENSIONS);
    along.ints = dims;
    instr_add_attr(reduce, along);
    instr_add_attr(reduce, *instr_attr(whole, ATTR_TO_APPLY));
    return reduce;
}

static void cut_reduction(const Cut *cut) {
    Instr *whole = cut->whole;
    Arena *arena = whole->parent->module->arena;
    Instr **operands = NEW_ARRAY(arena, Instr *, whole->n_operands);
    const Shape **shapes = NEW_ARRAY(arena, const Shape *, cut->n);
    int64_t *inner = NEW_ARRAY(arena, int64_t, cut->dims.n), *at = NEW_ARRAY(arena, int64_t, 1);
    for (int d = 0; d < cut->dim; d++) *at += !int_list_has(cut->dims, d);
    for (int i = 0; i < cut->dims.n; i++) inner[i] = cut->dims.at[i] + (cut->dims.at[i] >= cut->dim);
    for (int k = 0; k < cut->n; k++) {
        shapes[k] = partial_shape(cut, k, (int)*at);
        operands[k] = cut_operand(cut, k);
        operands[cut->n + k] = whole->operands[cut->n + k];
        if (is_idempotent(whole)) continue;
        bool adds = plain_combiner(whole) == SCALAR_ADD;
        operands[cut->n + k] = constant_scalar(whole->parent, shapes[k]->dtype, adds ? -0.0 : 1, whole->span);
    }
    bool tuple = shape_is_tuple(whole->shape);
    Instr *partial = reduce_like(cut, tuple ? shape_tuple(arena, cut->n, shapes) : shapes[0], operands,
                                 (IntList){cut->dims.n, inner});
    for (int k = 0; k < cut->n; k++) {
        operands[k] = partial;
        operands[cut->n + k] = whole->operands[cut->n + k];
        if (!tuple) continue;
        operands[k] = instr_new(whole->parent, OP_GET_TUPLE_ELEMENT, whole->name, shapes[k], 1, &partial, whole->span);
        instr_add_attr(operands[k], (Attr){.id = ATTR_INDEX, .integer = k});
    }
    instr_replace_uses(whole, reduce_like(cut, whole->shape, operands, (IntList){1, at}));
}

static bool cut_all(Computation *computation) {
    bool changed = false;
    int n = computation->instrs.n; /* what is new goes to the end */
    for (int i = 0; i < n; i++) {
        Cut cut;
        if (!cut_of(computation->instrs.at[i], &cut)) continue;
        cut_reduction(&cut);
        changed = true;
    }
    for (int i = 0; changed && i < computation->instrs.n; i++) computation->instrs.at[i]->mark = 0;
    if (changed) computation_renumber(computation);
    return changed;
}

bool pass_partial(Module *module, Diags *diags) {
    (void)diags;
    bool changed = false;
    for (int i = 0; i < module->computations.n; i++) changed |= cut_all(module->computations.at[i]);
    return changed;
}
