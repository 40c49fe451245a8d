#include "passes/lower/accumulate.h"

/* Accumulators: what they begin with, and one step of a reduction. */

Accumulators accumulators_new(NestBuild *b) {
    const TileUnit *unit = b->nest->unit;
    Arena *arena = b->build->low->arena;
    bool row = b->schedule.form == FORM_ROW;
    Accumulators a = {.n_copies = nest_output_copies(b), .n_reductions = unit->reductions.n,
                      .n_partials = row ? b->schedule.partials : 1};
    a.first_leaf = NEW_ARRAY(arena, int, a.n_reductions);
    for (int r = 0; r < a.n_reductions; r++) {
        a.first_leaf[r] = a.n_leaves;
        a.n_leaves += leaves_of(reduction_at(b, r));
    }
    a.at = NEW_ARRAY(arena, Accumulator, a.n_copies * a.n_leaves * a.n_partials);
    return a;
}

Accumulator *accumulator(const Accumulators *a, int copy, int reduction, int leaf, int partial) {
    return &a->at[((copy * a->n_leaves) + a->first_leaf[reduction] + leaf) * a->n_partials + partial];
}

Instr *reduction_at(const NestBuild *b, int r) {
    return reduction_of(b->nest->unit->reductions.at[r]->instr);
}

bool contracts(const Instr *reduction) {
    return op_element(reduction->op) == ELEMENT_contract;
}

int leaves_of(const Instr *reduction) {
    return contracts(reduction) ? 1 : reduction->n_operands / 2;
}

DType leaf_dtype(const Instr *reduction, int leaf) {
    return shape_leaf(reduction->shape, leaf)->dtype;
}

/* --- first values ------------------------------------------------------------------------------------------------- */

Begin begin_of(const NestBuild *b, const Instr *reduction) {
    if (b->schedule.form != FORM_ROW || contracts(reduction)) return BEGIN_INIT;
    return combiner_chooses(reduction) ? BEGIN_INIT : BEGIN_NEUTRAL;
}

Elem neutral_value(NestBuild *b, const Instr *reduction, int leaf) {
    DType dtype = leaf_dtype(reduction, leaf), type = register_type(dtype);
    Neutral neutral;
    if (!combiner_neutral(reduction, &neutral))
        internal_error(reduction->name, "a combiner without neutral element was split");
    if (dtype_is_complex(dtype)) return elem_constant(&b->puller, dtype, neutral.real, neutral.imag);
    return (Elem){{dtype_is_float(dtype) ? kvalue_float(b->scope->func, type, neutral.real)
                                         : kvalue_int(b->scope->func, type, neutral.integer), NULL}};
}

Elem first_value(NestBuild *b, int copy, int r, int leaf) {
    Instr *reduction = reduction_at(b, r);
    (void)copy;
    if (contracts(reduction)) return elem_constant(&b->puller, leaf_dtype(reduction, leaf), 0, 0);
    if (begin_of(b, reduction) == BEGIN_NEUTRAL) return neutral_value(b, reduction, leaf);
    return pull(&b->puller, reduction->operands[leaves_of(reduction) + leaf], 0, NULL);
}

/* --- variables ---------------------------------------------------------------------------------------------------- */

Elem read_accumulator(NestBuild *b, const Accumulator *acc) {
    Elem elem = {{NULL, NULL}};
    for (int i = 0; i < 2 && acc->vars[i]; i++) elem.part[i] = kvalue_var(b->scope->func, acc->vars[i]);
    return elem;
}

void declare_accumulators(NestBuild *b, Accumulators *a, FirstValue *first_of) {
    for (int c = 0; c < a->n_copies; c++) {
        nest_bind_outputs(b, c);
        for (int r = 0; r < a->n_reductions; r++)
            for (int leaf = 0; leaf < leaves_of(reduction_at(b, r)); leaf++)
                for (int p = 0; p < a->n_partials; p++) {
                    Elem first = first_of(b, c, r, leaf);
                    Accumulator *acc = accumulator(a, c, r, leaf, p);
                    for (int i = 0; i < 2 && first.part[i]; i++)
                        acc->vars[i] = emit_var(b->scope->emitter, "acc",
                                                kvalue_splat(b->scope->func, b->puller.lanes, first.part[i]));
                }
    }
}

/* --- one step ----------------------------------------------------------------------------------------------------- */

typedef struct {
    VEC(KVar *) vars;
    VEC(KValue *) values;
} Updates;

const Index **unit_ranges(NestBuild *b) {
    const TileUnit *unit = b->nest->unit;
    const Index **ranges = NEW_ARRAY(b->build->low->arena, const Index *, unit->n_ranges + 1);
    for (int i = 0; i < unit->n_ranges; i++) ranges[i] = nest_at_bound(b, unit->ranges[i]);
    return ranges;
}

/* The output index at which reduction r is taken: the target's, or where the hero is read. */
const Index **reduction_index(NestBuild *b, int r) {
    const TileMember *member = b->nest->unit->reductions.at[r];
    int rank = element_shape(member->instr)->rank;
    const Index **index = NEW_ARRAY(b->build->low->arena, const Index *, rank + 1);
    const Index *const *at = member->mode == TILE_HERO ? member->uses.at[0].index : b->nest->index;
    for (int i = 0; i < rank; i++) index[i] = nest_at_bound(b, at[i]);
    return index;
}

static Elem multiply_add(NestBuild *b, DType dtype, Elem acc, Elem x, Elem y, const Instr *from) {
    KFunc *f = b->scope->func;
    if (!dtype_is_float(register_type(dtype)))
        return apply_scalar(&b->puller, SCALAR_ADD, dtype, 2,
                            (Elem[]){acc, apply_scalar(&b->puller, SCALAR_MUL, dtype, 2, (Elem[]){x, y}, from)}, from);
    if (!acc.part[1])
        return (Elem){{kvalue_scalar(f, SCALAR_FMA, 3, (KValue *[]){x.part[0], y.part[0], acc.part[0]}, from), NULL}};
    KValue *minus = kvalue_scalar(f, SCALAR_NEG, 1, (KValue *[]){x.part[1]}, from);
    KValue *re = kvalue_scalar(f, SCALAR_FMA, 3, (KValue *[]){x.part[0], y.part[0], acc.part[0]}, from);
    KValue *im = kvalue_scalar(f, SCALAR_FMA, 3, (KValue *[]){x.part[0], y.part[1], acc.part[1]}, from);
    re = kvalue_scalar(f, SCALAR_FMA, 3, (KValue *[]){minus, y.part[1], re}, from);
    im = kvalue_scalar(f, SCALAR_FMA, 3, (KValue *[]){x.part[1], y.part[0], im}, from);
    return (Elem){{re, im}};
}

/* The element of a packed operand at the point that is bound. */
static Elem load_packed(NestBuild *b, const Pack *pack) {
    IndexPool *pool = b->build->low->pool;
    const Index **at = NEW_ARRAY(b->build->low->arena, const Index *, pack->n + 1);
    for (int i = 0; i < pack->n; i++)
        at[i] = index_simplify(b->scope->func->domain,
                               index_sub(pool, nest_at_bound(b, pack->coord[i]), nest_at_bound(b, pack->origin[i])));
    const Index *subscript = pack_subscript(b->build, pack, b->scope->func->domain, at);
    return pull_load_at(&b->puller, scope_buffer(b->scope, pack->buffer), pack->dtype, subscript);
}

static void contract_step(NestBuild *b, Instr *reduction, const Index *const *index, const Index *const *ranges,
                          Elem acc, Elem *out) {
    Elem factors[2];
    DType dtype = reduction->shape->dtype, type = register_type(dtype);
    for (int k = 0; k < 2; k++) {
        const Pack *pack = pack_of(b->build, b->nest, k);
        factors[k] = pack ? load_packed(b, pack) : pull_operand(&b->puller, reduction, k, index, ranges);
        for (int i = 0; i < 2 && factors[k].part[i]; i++)
            factors[k].part[i] = kvalue_convert(b->scope->func, type, factors[k].part[i], reduction);
        if (dtype_is_complex(dtype) && !factors[k].part[1]) factors[k].part[1] = kvalue_float(b->scope->func, type, 0);
    }
    *out = multiply_add(b, dtype, acc, factors[0], factors[1], reduction);
}

static void combine_step(NestBuild *b, Instr *reduction, const Index *const *index, const Index *const *ranges,
                         const Elem *acc, Elem *out) {
    int n = leaves_of(reduction);
    Elem *arguments = NEW_ARRAY(b->build->low->arena, Elem, 2 * n);
    for (int k = 0; k < n; k++) {
        arguments[k] = acc[k];
        arguments[n + k] = pull_operand(&b->puller, reduction, k, index, ranges);
    }
    pull_computation(&b->puller, instr_computation(reduction, ATTR_TO_APPLY), arguments, out);
}

/* Updates of reduction r at the point that is bound. */
static void step(NestBuild *b, Accumulators *a, int copy, int r, int partial, KValue *only_if, Updates *updates) {
    Instr *reduction = reduction_at(b, r);
    Arena *arena = b->build->low->arena;
    int n = leaves_of(reduction);
    Elem *acc = NEW_ARRAY(arena, Elem, 2 * n), *next = acc + n;
    const Index **index = reduction_index(b, r), **ranges = unit_ranges(b);
    for (int leaf = 0; leaf < n; leaf++) acc[leaf] = read_accumulator(b, accumulator(a, copy, r, leaf, partial));
    b->puller.wide = true;
    if (contracts(reduction)) contract_step(b, reduction, index, ranges, acc[0], next);
    else combine_step(b, reduction, index, ranges, acc, next);
    b->puller.wide = false;
    for (int leaf = 0; leaf < n; leaf++)
        for (int i = 0; i < 2 && acc[leaf].part[i]; i++) {
            KValue *value = kvalue_splat(b->scope->func, acc[leaf].part[i]->type.lanes, next[leaf].part[i]);
            if (only_if)
                value = kvalue_scalar(b->scope->func, SCALAR_SELECT, 3, (KValue *[]){only_if, value, acc[leaf].part[i]},
                                      reduction);
            vec_push(arena, &updates->vars, accumulator(a, copy, r, leaf, partial)->vars[i]);
            vec_push(arena, &updates->values, value);
        }
}

static void apply(NestBuild *b, Updates *updates) {
    if (updates->vars.n) emit_sets(b->scope->emitter, updates->vars.n, updates->vars.at, updates->values.at);
    *updates = (Updates){{0}, {0}};
    pull_forget(&b->puller);
}

/* What guards say of the point that is bound: 0 it is no term; 1 it is; -1: if *condition. */
int point_guards(NestBuild *b, KValue **condition) {
    Instr *reduction = reduction_at(b, 0);
    *condition = NULL;
    if (pack_of(b->build, b->nest, 0)) return 1; /* what is guarded is zero in the copy */
    return pull_guards(&b->puller, reduction, 0, reduction_index(b, 0), unit_ranges(b), condition);
}

void step_copies(NestBuild *b, Accumulators *a, int partial) {
    Updates updates = {{0}, {0}};
    KValue *lanes_that_count = NULL;
    if (b->schedule.form == FORM_ROW && b->puller.count)
        lanes_that_count = kvalue_first(b->scope->func, b->puller.lanes, b->puller.count);
    for (int c = 0; c < a->n_copies; c++) {
        nest_bind_outputs(b, c);
        KValue *condition;
        int holds = point_guards(b, &condition);
        if (holds == 0) continue;
        bool scalar = holds < 0 && condition->type.lanes == 1;
        KValue *only_if = lanes_that_count;
        if (holds < 0 && !scalar) only_if = condition;
        if (scalar) {
            apply(b, &updates);
            emit_if(b->scope->emitter, condition);
        }
        for (int r = 0; r < a->n_reductions; r++) step(b, a, c, r, partial, only_if, &updates);
        if (!scalar) continue;
        apply(b, &updates);
        emit_end(b->scope->emitter);
    }
    apply(b, &updates);
}

/* a and b combined as the reduction combines. */
void combine_elems(NestBuild *b, const Instr *reduction, const Elem *x, const Elem *y, Elem *out) {
    int n = leaves_of(reduction);
    b->puller.wide = true;
    if (contracts(reduction)) {
        out[0] = apply_scalar(&b->puller, SCALAR_ADD, reduction->shape->dtype, 2, (Elem[]){x[0], y[0]}, reduction);
    } else {
        Elem *arguments = NEW_ARRAY(b->build->low->arena, Elem, 2 * n);
        for (int k = 0; k < n; k++) {
            arguments[k] = x[k];
            arguments[n + k] = y[k];
        }
        pull_computation(&b->puller, instr_computation(reduction, ATTR_TO_APPLY), arguments, out);
    }
    b->puller.wide = false;
}

