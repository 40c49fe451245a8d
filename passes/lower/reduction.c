#include "passes/lower/nest_build.h"

/* Reductions and contractions of a nest: accumulators, the loops over reduced axes, folding, the first values.
 *
 * Orders (abi.md): with lanes along an output each element is summed in the order of the reduced index. With lanes along
 * the reduced axis element j goes to partial result j mod 64 (32 of eight bytes), and partial results are combined in a
 * fixed tree: those 16 (8) apart, then 32 (16) apart, then 8, 4, 2, 1. */

/* One reduction at one copy of the outputs: an element per leaf, for each of the partial vectors. */
typedef struct {
    KVar *vars[2]; /* parts */
} Accumulator;

typedef struct Accumulators {
    int n_copies, n_reductions, n_partials;
    Accumulator *at; /* [copy][reduction][leaf][partial] */
    int *first_leaf; /* per reduction */
    int n_leaves;
    KBuffer **memory; /* FORM_STREAMED: [reduction][leaf], by copies of strips */
} Accumulators;

static Accumulator *accumulator(const Accumulators *a, int copy, int reduction, int leaf, int partial) {
    return &a->at[((copy * a->n_leaves) + a->first_leaf[reduction] + leaf) * a->n_partials + partial];
}

static Instr *reduction_at(const NestBuild *b, int r) {
    return reduction_of(b->nest->unit->reductions.at[r]->instr);
}

static bool contracts(const Instr *reduction) {
    return op_element(reduction->op) == ELEMENT_contract;
}

static int leaves_of(const Instr *reduction) {
    return contracts(reduction) ? 1 : reduction->n_operands / 2;
}

static DType leaf_dtype(const Instr *reduction, int leaf) {
    return shape_leaf(reduction->shape, leaf)->dtype;
}

/* --- first values ---------------------------------------------------------------------------------------------------------- */

/* The operator of a combiner that is one operator on its two parameters, or SCALAR_NONE. */
static ScalarOp plain_combiner(const Instr *reduction) {
    const Computation *computation = instr_computation(reduction, ATTR_TO_APPLY);
    const Instr *root = computation->root;
    if (computation->n_parameters != 2 || root->n_operands != 2) return SCALAR_NONE;
    if (root->operands[0]->op != OP_PARAMETER || root->operands[1]->op != OP_PARAMETER) return SCALAR_NONE;
    if (root->operands[0] == root->operands[1]) return SCALAR_NONE;
    return op_element(root->op) == ELEMENT_map ? op_scalar(root->op) : SCALAR_NONE;
}

/* Whether a combiner only ever chooses one of its arguments: then its first value may stand in every partial result. */
static bool chooses(const Instr *instr) {
    if (instr->op == OP_PARAMETER) return true;
    if (instr->op == OP_SELECT) return chooses(instr->operands[1]) && chooses(instr->operands[2]);
    bool extremum = instr->op == OP_MAXIMUM || instr->op == OP_MINIMUM;
    return extremum && chooses(instr->operands[0]) && chooses(instr->operands[1]);
}

static bool combiner_chooses(const Instr *reduction) {
    const Instr *root = instr_computation(reduction, ATTR_TO_APPLY)->root;
    if (root->op != OP_TUPLE) return chooses(root);
    for (int k = 0; k < root->n_operands; k++)
        if (!chooses(root->operands[k])) return false;
    return true;
}

static bool neutral_element(ScalarOp op, DType dtype, double *value) {
    bool is_float = dtype_is_float(dtype);
    int bits = dtype_bits(dtype);
    bool is_signed = dtype_class(dtype) == DTYPE_SIGNED;
    double highest = is_signed ? 0x1p62 * 2 : 0; /* of 64 bits: set below, exactly */
    if (bits < 64) highest = (double)(((uint64_t)1 << (bits - is_signed)) - 1);
    if (op == SCALAR_ADD || op == SCALAR_OR || op == SCALAR_XOR) *value = is_float && op == SCALAR_ADD ? -0.0 : 0;
    else if (op == SCALAR_MUL) *value = 1;
    else if (op == SCALAR_MAX && is_float) *value = -__builtin_inf();
    else if (op == SCALAR_MIN && is_float) *value = __builtin_inf();
    else if (dtype == DT_PRED && (op == SCALAR_AND || op == SCALAR_MIN)) *value = 1;
    else if (dtype == DT_PRED && op == SCALAR_MAX) *value = 0;
    else if (bits == 64 && (op == SCALAR_MAX || op == SCALAR_MIN || op == SCALAR_AND)) return false;
    else if (op == SCALAR_MAX) *value = is_signed ? -highest - 1 : 0;
    else if (op == SCALAR_MIN) *value = highest;
    else if (op == SCALAR_AND) *value = is_signed ? -1 : highest;
    else return false;
    return true;
}

/* How the accumulators of one reduction begin. */
typedef enum {
    BEGIN_INIT,    /* with the init value: it is combined once, or again and again without harm */
    BEGIN_NEUTRAL, /* with the neutral element; the init value is combined at the end */
} Begin;

static Begin begin_of(const NestBuild *b, const Instr *reduction) {
    if (b->schedule.form == FORM_MAP || contracts(reduction)) return BEGIN_INIT;
    return combiner_chooses(reduction) ? BEGIN_INIT : BEGIN_NEUTRAL;
}

static Elem first_value(NestBuild *b, const Instr *reduction, int leaf) {
    DType dtype = leaf_dtype(reduction, leaf);
    double value = 0;
    if (contracts(reduction)) return elem_constant(&b->puller, dtype, 0, 0);
    if (begin_of(b, reduction) == BEGIN_INIT)
        return pull(&b->puller, reduction->operands[leaves_of(reduction) + leaf], 0, NULL);
    ScalarOp op = plain_combiner(reduction);
    if (!neutral_element(op, dtype, &value)) internal_error(reduction->name, "a combiner without neutral element was split");
    Elem elem = elem_constant(&b->puller, dtype, value, op == SCALAR_MUL ? 0 : value);
    return elem;
}

static Elem read_accumulator(NestBuild *b, const Accumulator *acc) {
    Elem elem = {{NULL, NULL}};
    for (int i = 0; i < 2 && acc->vars[i]; i++) elem.part[i] = kvalue_var(b->scope->func, acc->vars[i]);
    return elem;
}

/* --- accumulators in memory ------------------------------------------------------------------------------------------------ */

static DType memory_dtype(DType dtype) {
    return dtype_is_complex(dtype) ? dtype : register_type(dtype);
}

static const Index *place_in_memory(NestBuild *b, int copy) {
    IndexPool *pool = b->build->low->pool;
    int within = copy % b->axes[b->schedule.lane].copies, row = copy / b->axes[b->schedule.lane].copies;
    const Index *at = index_plus(pool, b->strip_at, row * b->schedule.strip + (int64_t)within * b->schedule.lanes);
    return b->puller.lane ? index_add(pool, at, b->puller.lane) : at;
}

static Elem load_accumulator(NestBuild *b, const Accumulators *a, int copy, int r, int leaf) {
    KBuffer *buffer = scope_buffer(b->scope, a->memory[a->first_leaf[r] + leaf]);
    return pull_load_at(&b->puller, buffer, memory_dtype(leaf_dtype(reduction_at(b, r), leaf)), place_in_memory(b, copy));
}

static void store_accumulators(NestBuild *b, const Accumulators *a) {
    emit_batch(b->scope->emitter);
    for (int c = 0; c < a->n_copies; c++) {
        nest_bind_outputs(b, c);
        for (int r = 0; r < a->n_reductions; r++)
            for (int leaf = 0; leaf < leaves_of(reduction_at(b, r)); leaf++) {
                KBuffer *buffer = scope_buffer(b->scope, a->memory[a->first_leaf[r] + leaf]);
                push_store(&b->puller, buffer, memory_dtype(leaf_dtype(reduction_at(b, r), leaf)), place_in_memory(b, c),
                           read_accumulator(b, accumulator(a, c, r, leaf, 0)), reduction_at(b, r));
            }
    }
    emit_flush(b->scope->emitter);
}

static void declare(NestBuild *b, Accumulators *a, bool from_memory) {
    bool row = b->schedule.form == FORM_ROW;
    for (int c = 0; c < a->n_copies; c++) {
        nest_bind_outputs(b, c);
        for (int r = 0; r < a->n_reductions; r++)
            for (int leaf = 0; leaf < leaves_of(reduction_at(b, r)); leaf++)
                for (int p = 0; p < a->n_partials; p++) {
                    Elem first = from_memory ? load_accumulator(b, a, c, r, leaf) : first_value(b, reduction_at(b, r), leaf);
                    Accumulator *acc = accumulator(a, c, r, leaf, p);
                    bool lanes = b->puller.lanes > 1 && (row || b->schedule.lane >= 0);
                    for (int i = 0; i < 2 && first.part[i]; i++)
                        acc->vars[i] = emit_var(b->scope->emitter, "acc",
                                                lanes ? kvalue_splat(b->scope->func, b->puller.lanes, first.part[i]) : first.part[i]);
                }
    }
}

/* --- one step ----------------------------------------------------------------------------------------------------------------- */

typedef struct {
    VEC(KVar *) vars;
    VEC(KValue *) values;
} Updates;

static const Index **unit_ranges(NestBuild *b) {
    const TileUnit *unit = b->nest->unit;
    const Index **ranges = NEW_ARRAY(b->build->low->arena, const Index *, unit->n_ranges + 1);
    for (int i = 0; i < unit->n_ranges; i++) ranges[i] = nest_at_bound(b, unit->ranges[i]);
    return ranges;
}

/* The output index at which reduction r is taken: the target's, or where the hero is read. */
static const Index **reduction_index(NestBuild *b, int r) {
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
    if (!acc.part[1]) return (Elem){{kvalue_scalar(f, SCALAR_FMA, 3, (KValue *[]){x.part[0], y.part[0], acc.part[0]}, from), NULL}};
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
        at[i] = index_simplify(b->scope->func->domain, index_sub(pool, nest_at_bound(b, pack->coord[i]), nest_at_bound(b, pack->origin[i])));
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
            if (only_if) value = kvalue_scalar(b->scope->func, SCALAR_SELECT, 3, (KValue *[]){only_if, value, acc[leaf].part[i]}, reduction);
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
static int point_guards(NestBuild *b, KValue **condition) {
    Instr *reduction = reduction_at(b, 0);
    *condition = NULL;
    if (pack_of(b->build, b->nest, 0)) return 1; /* what is guarded is zero in the copy */
    return pull_guards(&b->puller, reduction, 0, reduction_index(b, 0), unit_ranges(b), condition);
}

static void step_copies(NestBuild *b, Accumulators *a, int partial) {
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

/* --- loops over the reduced axes ------------------------------------------------------------------------------------------------- */

static void reduced_copies(NestBuild *b, int a) {
    const Schedule *s = &b->schedule;
    if (a == s->n_axes) {
        step_copies(b, b->accumulators, b->partial);
        return;
    }
    for (int copy = 0; copy < b->axes[a].copies; copy++) {
        nest_bind_axis(b, a, copy);
        if (a == s->lane) b->partial = copy;
        reduced_copies(b, a + 1);
    }
}

static void reduced_axes(NestBuild *b, int a) {
    if (a == b->schedule.n_axes) reduced_copies(b, b->schedule.n_outputs);
    else nest_axis(b, a, reduced_axes);
}

/* --- the end ------------------------------------------------------------------------------------------------------------------------ */

/* a and b combined as the reduction combines. */
static void combine_elems(NestBuild *b, const Instr *reduction, const Elem *x, const Elem *y, Elem *out) {
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

static void name_elems(NestBuild *b, int n, Elem *elems) {
    for (int k = 0; k < n; k++)
        for (int i = 0; i < 2 && elems[k].part[i]; i++)
            elems[k].part[i] = emit_let(b->scope->emitter, elems[k].part[i], NULL);
}

/* Partial vectors `distance` elements apart become one: vector q takes in vector q + step. */
static void fold_vectors(NestBuild *b, const Instr *reduction, Elem **partials, int n_partials, int step, bool *gone) {
    for (int q = 0; q + step < n_partials; q++) {
        if (gone[q] || gone[q + step]) continue;
        combine_elems(b, reduction, partials[q], partials[q + step], partials[q]);
        name_elems(b, leaves_of(reduction), partials[q]);
        gone[q + step] = true;
    }
}

static void fold_lanes(NestBuild *b, const Instr *reduction, Elem *elems, int distance) {
    int n = leaves_of(reduction);
    Elem *shifted = NEW_ARRAY(b->build->low->arena, Elem, n);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < 2 && elems[k].part[i]; i++)
            shifted[k].part[i] = kvalue_shift(b->scope->func, KVALUE_DOWN, elems[k].part[i], distance, NULL);
    combine_elems(b, reduction, elems, shifted, elems);
    name_elems(b, n, elems);
}

/* The partial results of one reduction at one copy, as one scalar per leaf. */
static void fold(NestBuild *b, const Accumulators *a, int copy, int r, Elem *out) {
    const Instr *reduction = reduction_at(b, r);
    int n = leaves_of(reduction), lanes = b->puller.lanes;
    Arena *arena = b->build->low->arena;
    Elem **partials = NEW_ARRAY(arena, Elem *, a->n_partials);
    bool *gone = NEW_ARRAY(arena, bool, a->n_partials);
    for (int q = 0; q < a->n_partials; q++) {
        partials[q] = NEW_ARRAY(arena, Elem, n);
        for (int leaf = 0; leaf < n; leaf++) partials[q][leaf] = read_accumulator(b, accumulator(a, copy, r, leaf, q));
    }
    int total = b->schedule.total;
    const int distances[] = {total / 4, total / 2, total / 8, total / 16, total / 32, total / 64};
    for (size_t d = 0; d < sizeof distances / sizeof *distances; d++) {
        if (distances[d] < 1 || distances[d] >= lanes * a->n_partials) continue;
        if (distances[d] >= lanes) fold_vectors(b, reduction, partials, a->n_partials, distances[d] / lanes, gone);
        else fold_lanes(b, reduction, partials[0], distances[d]);
    }
    for (int leaf = 0; leaf < n; leaf++)
        for (int i = 0; i < 2 && partials[0][leaf].part[i]; i++)
            out[leaf].part[i] = lanes > 1 ? kvalue_lane(b->scope->func, partials[0][leaf].part[i], 0) : partials[0][leaf].part[i];
}

static void combine_init(NestBuild *b, const Instr *reduction, Elem *elems) {
    int n = leaves_of(reduction);
    Elem *init = NEW_ARRAY(b->build->low->arena, Elem, n);
    for (int leaf = 0; leaf < n; leaf++) init[leaf] = pull(&b->puller, reduction->operands[n + leaf], 0, NULL);
    combine_elems(b, reduction, init, elems, elems);
}

/* f16 results round once, at the end. */
static void round_results(NestBuild *b, const Instr *reduction, Elem *elems) {
    for (int leaf = 0; leaf < leaves_of(reduction); leaf++)
        elems[leaf] = apply_rounding(&b->puller, leaf_dtype(reduction, leaf), elems[leaf], reduction);
}

static void finish(NestBuild *b, const Accumulators *a) {
    Arena *arena = b->build->low->arena;
    bool row = b->schedule.form == FORM_ROW;
    b->copy_heroes = NEW_ARRAY(arena, Elem **, a->n_copies);
    for (int c = 0; c < a->n_copies; c++) {
        nest_bind_outputs(b, c);
        b->copy_heroes[c] = NEW_ARRAY(arena, Elem *, a->n_reductions);
        for (int r = 0; r < a->n_reductions; r++) {
            const Instr *reduction = reduction_at(b, r);
            Elem *elems = NEW_ARRAY(arena, Elem, leaves_of(reduction));
            b->copy_heroes[c][r] = elems;
            if (row) fold(b, a, c, r, elems);
            else
                for (int leaf = 0; leaf < leaves_of(reduction); leaf++) elems[leaf] = read_accumulator(b, accumulator(a, c, r, leaf, 0));
            if (begin_of(b, reduction) == BEGIN_NEUTRAL) combine_init(b, reduction, elems);
            round_results(b, reduction, elems);
        }
    }
}

static Accumulators accumulators_new(NestBuild *b) {
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

/* --- streamed: accumulators of a strip in memory, for each few steps of the reduced axes one pass over them ------------------------- */

static void at_strip(NestBuild *b, bool from_memory, NestLeaf *body) {
    Accumulators a = accumulators_new(b);
    a.memory = b->accumulators->memory;
    Accumulators *outside = b->accumulators;
    b->accumulators = &a;
    declare(b, &a, from_memory);
    body(b);
    b->accumulators = outside;
    pull_forget(&b->puller);
}

static void keep(NestBuild *b) {
    store_accumulators(b, b->accumulators);
}

static void step_and_keep(NestBuild *b) {
    reduced_copies(b, b->schedule.n_outputs);
    keep(b);
}

static void finish_and_store(NestBuild *b) {
    finish(b, b->accumulators);
    pull_forget(&b->puller);
    nest_store_copies(b);
    b->copy_heroes = NULL;
}

static void first_at_strip(NestBuild *b) {
    at_strip(b, false, keep);
}

static void steps_at_strip(NestBuild *b) {
    at_strip(b, true, step_and_keep);
}

static void finish_at_strip(NestBuild *b) {
    at_strip(b, true, finish_and_store);
}

static void streamed_axes(NestBuild *b, int a) {
    if (a == b->schedule.n_axes) nest_strip(b, steps_at_strip);
    else nest_axis(b, a, streamed_axes);
}

static void allocate_memory(NestBuild *b, Accumulators *a) {
    Lowering *low = b->build->low;
    int64_t rows = 1;
    for (int k = 0; k < b->schedule.n_outputs; k++)
        if (k != b->schedule.lane) rows *= b->axes[k].copies;
    a->memory = NEW_ARRAY(low->arena, KBuffer *, a->n_leaves);
    for (int r = 0; r < a->n_reductions; r++)
        for (int leaf = 0; leaf < leaves_of(reduction_at(b, r)); leaf++)
            a->memory[a->first_leaf[r] + leaf] = scratch_buffer(low, b->scope, "acc", memory_dtype(leaf_dtype(reduction_at(b, r), leaf)),
                                                                rows * b->schedule.strip);
}

static void lower_streamed(NestBuild *b) {
    Accumulators a = accumulators_new(b);
    allocate_memory(b, &a);
    b->accumulators = &a;
    nest_strip(b, first_at_strip);
    streamed_axes(b, b->schedule.n_outputs);
    nest_strip(b, finish_at_strip);
}

/* --- all of it ----------------------------------------------------------------------------------------------------------------------- */

void lower_reduction(NestBuild *b) {
    if (b->schedule.form == FORM_STREAMED) {
        lower_streamed(b);
        return;
    }
    bool row = b->schedule.form == FORM_ROW;
    Accumulators a = accumulators_new(b);
    b->accumulators = &a;
    declare(b, &a, false);
    reduced_axes(b, b->schedule.n_outputs);
    const Index *lane = b->puller.lane;
    int lanes = b->puller.lanes;
    b->puller.count = 0;
    finish(b, &a);
    if (row) { /* what is left is scalar */
        b->puller.lane = NULL;
        b->puller.lanes = 1;
    }
    pull_forget(&b->puller);
    nest_store_copies(b);
    b->copy_heroes = NULL;
    b->puller.lane = lane;
    b->puller.lanes = lanes;
}
