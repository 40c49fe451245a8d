#include "passes/lower/pull.h"

#include <string.h>

/* Element rules: one per word of the column `element` in ops.def. */

typedef struct Memo Memo;
struct Memo {
    const Instr *instr;
    int leaf, version, copy;
    const Index *const *index;
    Elem elem;
    Memo *next;
};

void pull_forget(Puller *p) {
    p->memo = (KeyTable){0};
}

/* --- guards and operands ------------------------------------------------------------------------------------------ */

typedef struct {
    const Access *access;
    const Index **dims, **syms;
} Binding;

/* The runtime variables of instr at this index become index variables of the function. */
static Binding bind(Puller *p, Instr *instr, const Index *const *index, const Index *const *ranges) {
    Binding b = {access_of(p->access, instr), NULL, NULL};
    if (!b.access) internal_error(instr->name, "'%s' has no access relation", op_name(instr->op));
    b.dims = NEW_ARRAY(p->low->arena, const Index *, b.access->n_dims + b.access->n_ranges + b.access->n_rts + 1);
    b.syms = b.dims + b.access->n_dims;
    for (int i = 0; i < b.access->n_dims; i++) b.dims[i] = index[i];
    for (int i = 0; i < b.access->n_ranges; i++) b.syms[i] = ranges ? ranges[i] : index_const(p->pool, 0);
    return b;
}

static const Index *composed(Puller *p, const Binding *b, const Index *e) {
    e = index_simplify(b->access->domain,
                       e); /* as the op knows it: its dims have smaller ranges than what they become */
    e = index_substitute(p->pool, e, b->access->n_dims, b->dims, b->access->n_ranges + b->access->n_rts, b->syms);
    return index_simplify(p->func->domain, e);
}

static void bind_runtime(Puller *p, Instr *instr, Binding *b) {
    for (int i = 0; i < b->access->n_rts; i++) {
        const RuntimeVar *rt = &b->access->rts[i];
        Instr *supplier = instr->operands[rt->operand];
        const Index **at = NEW_ARRAY(p->low->arena, const Index *, rt->n_index + 1);
        for (int k = 0; k < rt->n_index; k++) at[k] = composed(p, b, rt->index[k]);
        Elem value = pull(p, supplier, 0, at);
        b->syms[b->access->n_ranges + i] =
            emit_runtime_index(p->emitter, value.part[0], rt->range, rt->clamped, supplier->name);
    }
}

static int guards(Puller *p, const Binding *b, int k, KValue **condition) {
    const OperandAccess *operand = &b->access->operands[k];
    *condition = NULL;
    for (int i = 0; i < operand->n_guards; i++) {
        const Index *expr = pull_settle(p, composed(p, b, operand->guards[i].expr));
        Interval range = index_range(p->func->domain, expr), in = operand->guards[i].in;
        if (interval_includes(in, range)) continue;
        if (!interval_feasible(interval_intersect(in, range))) return 0;
        KValue *test = pull_inside(p, expr, in);
        *condition = *condition ? kvalue_scalar(p->func, SCALAR_AND, 2, (KValue *[]){*condition, test}, NULL) : test;
    }
    return *condition ? -1 : 1;
}

int pull_guards(Puller *p, Instr *instr, int k, const Index *const *index, const Index *const *ranges,
                KValue **condition) {
    Binding b = bind(p, instr, index, ranges);
    bind_runtime(p, instr, &b);
    return guards(p, &b, k, condition);
}

/* Where guards are undecided the element may be asked for outside of the operand: the nearest one inside is read. */
static const Index *clamped(Puller *p, const Index *e, int64_t size) {
    Interval range = index_range(p->func->domain, e);
    if (range.low >= 0 && range.high < size) return e;
    e = pull_settle(p, e);
    range = index_range(p->func->domain, e);
    if (range.low < 0) e = index_max(p->pool, e, index_const(p->pool, 0));
    if (range.high >= size) e = index_min(p->pool, e, index_const(p->pool, size - 1));
    return index_simplify(p->func->domain, e);
}

static Elem operand_at(Puller *p, Instr *instr, const Binding *b, int k) {
    const OperandAccess *operand = &b->access->operands[k];
    const Shape *shape = element_shape(instr->operands[k]);
    const Index **at = NEW_ARRAY(p->low->arena, const Index *, operand->n_index + 1);
    for (int i = 0; i < operand->n_index; i++) at[i] = clamped(p, composed(p, b, operand->index[i]), shape->dims[i]);
    return pull(p, instr->operands[k], 0, at);
}

Elem pull_operand(Puller *p, Instr *instr, int k, const Index *const *index, const Index *const *ranges) {
    Binding b = bind(p, instr, index, ranges);
    bind_runtime(p, instr, &b);
    return operand_at(p, instr, &b, k);
}

/* --- rules -------------------------------------------------------------------------------------------------------- */

static DType shape_dtype(const Instr *instr) {
    return element_shape(instr)->dtype;
}

static Elem elem_map(Puller *p, Instr *instr, const Index *const *index) {
    Elem args[4];
    for (int k = 0; k < instr->n_operands; k++) args[k] = pull_operand(p, instr, k, index, NULL);
    DType dtype = shape_dtype(instr);
    if (instr->n_operands && instr->op != OP_SELECT && instr->op != OP_COMPLEX) dtype = shape_dtype(instr->operands[0]);
    return apply_scalar(p, op_scalar(instr->op), dtype, instr->n_operands, args, instr);
}

static Elem elem_constant_rule(Puller *p, Instr *instr, const Index *const *index) {
    const Literal *literal = instr->literal;
    int64_t position = 0;
    for (int i = 0; i < instr->shape->rank; i++)
        position = position * instr->shape->dims[i] + (index[i]->kind == INDEX_CONST ? index[i]->value : 0);
    DType dtype = instr->shape->dtype;
    if (!dtype_is_float(dtype) && !dtype_is_complex(dtype))
        return (Elem){{kvalue_int(p->func, register_type(dtype), literal_int(literal, position)), NULL}};
    return elem_constant(p, dtype, literal_double(literal, position), literal_imag(literal, position));
}

static Elem elem_iota(Puller *p, Instr *instr, const Index *const *index) {
    DType dtype = instr->shape->dtype, component = register_type(dtype);
    KValue *value = pull_index(p, component, index[instr_int(instr, ATTR_IOTA_DIMENSION, 0)]);
    Elem elem = apply_width(p, dtype, (Elem){{value, NULL}}, instr);
    if (dtype_is_complex(dtype)) elem.part[1] = kvalue_float(p->func, component, 0);
    return elem;
}

/* The first operand whose guards hold; the last one where none does (the value of a pad, the array under an update). */
static Elem elem_choose(Puller *p, Instr *instr, const Index *const *index) {
    Binding b = bind(p, instr, index, NULL);
    bind_runtime(p, instr, &b);
    bool update = instr->op == OP_DYNAMIC_UPDATE_SLICE;
    int n = instr->op == OP_CONCATENATE ? instr->n_operands : 2;
    VEC(KValue *) conditions = {0};
    VEC(Elem) values = {0};
    for (int i = 0; i < n; i++) {
        int k = update ? 1 - i : i;
        KValue *condition = NULL;
        int holds = guards(p, &b, k, &condition);
        if (holds == 0) continue;
        vec_push(p->low->arena, &conditions, condition);
        vec_push(p->low->arena, &values, operand_at(p, instr, &b, k));
        if (holds == 1) break;
    }
    Elem elem = values.at[values.n - 1];
    for (int i = values.n - 2; i >= 0; i--) elem = elem_select(p, conditions.at[i], values.at[i], elem, instr);
    return elem;
}

/* Floats saturate at the bounds of the integer type they become, also where that has less than 8 bits. */
static Elem saturated(Puller *p, DType to, KValue *value, const Instr *from) {
    bool is_signed = dtype_class(to) == DTYPE_SIGNED;
    int64_t high = ((int64_t)1 << (dtype_bits(to) - is_signed)) - 1;
    DType type = value->type.dtype;
    KValue *args[] = {kvalue_int(p->func, type, is_signed ? -high - 1 : 0), value, kvalue_int(p->func, type, high)};
    return (Elem){{kvalue_scalar(p->func, SCALAR_CLAMP, 3, args, from), NULL}};
}

/* An f64 to a small float: not through f32 (bf16 does go through it, as XLA's). */
static KValue *rounded_once(KFunc *f, DType to, KValue *value, const Instr *from) {
    if (to == DT_F16) return kvalue_scalar(f, SCALAR_ROUND_F16, 1, &value, from);
    return kvalue_decode(f, to, kvalue_encode(f, to, value, from), from);
}

static Elem elem_convert(Puller *p, Instr *instr, const Index *const *index) {
    Elem from = pull_operand(p, instr, 0, index, NULL);
    DType to = instr->shape->dtype, source = shape_dtype(instr->operands[0]), component = register_type(to);
    KFunc *f = p->func;
    Elem elem = {{NULL, NULL}};
    if (to == DT_PRED && dtype_is_complex(source)) {
        KValue *zero = kvalue_float(f, register_type(source), 0), *parts[2];
        for (int i = 0; i < 2; i++) parts[i] = kvalue_scalar(f, SCALAR_NE, 2, (KValue *[]){from.part[i], zero}, instr);
        elem.part[0] = kvalue_scalar(f, SCALAR_OR, 2, parts, instr);
        return elem;
    }
    KValue *value = from.part[0];
    source = dtype_component(source);
    if (source == DT_F64 && dtype_is_float(to) && component == DT_F32 && to != DT_F32 && to != DT_BF16)
        value = rounded_once(f, to, value, instr);
    elem.part[0] = kvalue_convert(f, component, value, instr);
    if (dtype_is_float(source) && dtype_is_integer(to) && dtype_bits(to) < 8)
        return saturated(p, to, elem.part[0], instr);
    if (to == DT_F16 || to == DT_BF16)
        elem.part[0] = kvalue_scalar(f, to == DT_F16 ? SCALAR_ROUND_F16 : SCALAR_ROUND_BF16, 1, elem.part, instr);
    if (!dtype_is_complex(to)) return apply_width(p, to, elem, instr);
    elem.part[1] = from.part[1] ? kvalue_convert(f, component, from.part[1], instr) : kvalue_float(f, component, 0);
    return elem;
}

/* An integer that orders as the total order of the float: negative ones with all other bits flipped. */
static KValue *total_order_key(Puller *p, KValue *value, const Instr *instr) {
    KFunc *f = p->func;
    DType integer = value->type.dtype == DT_F64 ? DT_S64 : DT_S32;
    KValue *bits = kvalue_bitcast(f, integer, value, instr);
    KValue *sign = kvalue_scalar(f, SCALAR_SHRA, 2,
                                 (KValue *[]){bits, kvalue_int(f, integer, integer == DT_S64 ? 63 : 31)}, instr);
    int64_t rest = integer == DT_S64 ? INT64_MAX : INT32_MAX;
    KValue *flip = kvalue_scalar(f, SCALAR_AND, 2, (KValue *[]){sign, kvalue_int(f, integer, rest)}, instr);
    return kvalue_scalar(f, SCALAR_XOR, 2, (KValue *[]){bits, flip}, instr);
}

static Elem elem_compare(Puller *p, Instr *instr, const Index *const *index) {
    static const ScalarOp ops[] = {[DIRECTION_EQ] = SCALAR_EQ, [DIRECTION_NE] = SCALAR_NE, [DIRECTION_GE] = SCALAR_GE,
                                   [DIRECTION_GT] = SCALAR_GT, [DIRECTION_LE] = SCALAR_LE, [DIRECTION_LT] = SCALAR_LT};
    ScalarOp op = ops[instr_int(instr, ATTR_DIRECTION, DIRECTION_EQ)];
    Elem a = pull_operand(p, instr, 0, index, NULL), b = pull_operand(p, instr, 1, index, NULL);
    bool total = compare_type(instr) == COMPARE_TOTALORDER && dtype_is_float(shape_dtype(instr->operands[0]));
    if (total) {
        a.part[0] = total_order_key(p, a.part[0], instr);
        b.part[0] = total_order_key(p, b.part[0], instr);
    }
    KValue *result = kvalue_scalar(p->func, op, 2, (KValue *[]){a.part[0], b.part[0]}, instr);
    if (a.part[1]) {
        KValue *imag = kvalue_scalar(p->func, op, 2, (KValue *[]){a.part[1], b.part[1]}, instr);
        result = kvalue_scalar(p->func, op == SCALAR_NE ? SCALAR_OR : SCALAR_AND, 2, (KValue *[]){result, imag}, instr);
    }
    return (Elem){{result, NULL}};
}

/* --- reductions in scalar code ------------------------------------------------------------------------------------ */

/* A reduction that is computed where it is read: unrolled over constants, in the order of the evaluator. Tiny values
 * only. */
typedef struct {
    Puller *p;
    Instr *instr;
    const Index *const *index;
    const Access *access;
    const Index **ranges;
    Elem *accumulators; /* one per input */
    int n;
} Unrolled;

static void combine_here(Unrolled *u) {
    Puller *p = u->p;
    Elem *arguments = NEW_ARRAY(p->low->arena, Elem, 2 * u->n);
    KValue *condition;
    for (int k = 0; k < u->n; k++) {
        if (pull_guards(p, u->instr, k, u->index, u->ranges, &condition) == 0) return;
        arguments[k] = u->accumulators[k];
        arguments[u->n + k] = pull_operand(p, u->instr, k, u->index, u->ranges);
    }
    Elem *results = NEW_ARRAY(p->low->arena, Elem, u->n);
    pull_computation(p, instr_computation(u->instr, ATTR_TO_APPLY), arguments, results);
    for (int k = 0; k < u->n; k++) u->accumulators[k] = results[k];
}

static void multiply_here(Unrolled *u) {
    Puller *p = u->p;
    KValue *condition;
    DType dtype = u->instr->shape->dtype;
    if (pull_guards(p, u->instr, 0, u->index, u->ranges, &condition) == 0) return;
    Elem factors[2], product;
    for (int k = 0; k < 2; k++) {
        factors[k] = pull_operand(p, u->instr, k, u->index, u->ranges);
        DType from = shape_dtype(u->instr->operands[k]);
        if (from != dtype)
            for (int i = 0; i < 2 && factors[k].part[i]; i++)
                factors[k].part[i] = kvalue_convert(p->func, register_type(dtype), factors[k].part[i], u->instr);
    }
    product = apply_scalar(p, SCALAR_MUL, dtype, 2, factors, u->instr);
    if (!u->accumulators[0].part[0]) u->accumulators[0] = product;
    else u->accumulators[0] = apply_scalar(p, SCALAR_ADD, dtype, 2, (Elem[]){u->accumulators[0], product}, u->instr);
}

static void unroll(Unrolled *u, int range) {
    if (range == u->access->n_ranges) {
        if (op_element(u->instr->op) == ELEMENT_contract) multiply_here(u);
        else combine_here(u);
        return;
    }
    int64_t n = interval_count(u->access->domain->syms.at[range]);
    for (int64_t i = 0; i < n; i++) {
        u->ranges[range] = index_const(u->p->pool, i);
        unroll(u, range + 1);
    }
}

static Elem elem_reduction(Puller *p, Instr *instr, int leaf, const Index *const *index) {
    Unrolled u = {p, instr, index, access_of(p->access, instr), NULL, NULL, 1};
    bool contract = op_element(instr->op) == ELEMENT_contract;
    if (!contract) u.n = instr->n_operands / 2;
    u.ranges = NEW_ARRAY(p->low->arena, const Index *, u.access->n_ranges + 1);
    u.accumulators = NEW_ARRAY(p->low->arena, Elem, u.n);
    for (int k = 0; k < u.n && !contract; k++) u.accumulators[k] = pull(p, instr->operands[u.n + k], 0, NULL);
    unroll(&u, 0);
    if (!u.accumulators[leaf].part[0]) return elem_constant(p, instr->shape->dtype, 0, 0);
    return u.accumulators[leaf];
}

/* --- dispatch ----------------------------------------------------------------------------------------------------- */

static Elem by_rule(Puller *p, Instr *instr, int leaf, const Index *const *index) {
    switch (op_element(instr->op)) {
    case ELEMENT_map:
        return elem_map(p, instr, index);
    case ELEMENT_constant:
        return elem_constant_rule(p, instr, index);
    case ELEMENT_iota:
        return elem_iota(p, instr, index);
    case ELEMENT_convert:
        return elem_convert(p, instr, index);
    case ELEMENT_compare:
        return elem_compare(p, instr, index);
    case ELEMENT_move:
        return pull_operand(p, instr, 0, index, NULL);
    case ELEMENT_choose:
        return elem_choose(p, instr, index);
    case ELEMENT_bitcast:
    case ELEMENT_bitcast_convert:
        return elem_bitcast(p, instr, index);
    case ELEMENT_mulhi:
        return elem_mulhi(p, instr, index);
    case ELEMENT_reduce_precision:
        return elem_reduce_precision(p, instr, index);
    case ELEMENT_stochastic_convert:
        return elem_stochastic_convert(p, instr, index);
    case ELEMENT_reduce:
    case ELEMENT_contract:
        return elem_reduction(p, instr, leaf, index);
    case ELEMENT_later:
    case ELEMENT_parameter:
    case ELEMENT_whole:
    case ELEMENT_plumb:
    case ELEMENT_inlined:
    case ELEMENT_custom_call:
        break;
    }
    internal_error(instr->name, "an element of '%s' was asked for", op_name(instr->op));
}

static int rank_of(const Instr *instr) {
    return element_shape(instr)->rank;
}

Elem pull(Puller *p, Instr *instr, int leaf, const Index *const *index) {
    Elem elem;
    LeafSource source = leaf_source(instr, leaf);
    instr = source.instr;
    leaf = source.leaf;
    if (p->source.find(p, instr, leaf, index, &elem)) return elem;
    uint64_t key = hash_mix(POINTER_KEY(instr), (uint64_t)leaf);
    int rank = rank_of(instr);
    for (int i = 0; i < rank; i++) key = hash_mix(key, index[i]->serial + 1u);
    Memo *first = key_table_get(&p->memo, key);
    for (const Memo *m = first; m; m = m->next)
        if (m->instr == instr && m->leaf == leaf && m->version == p->version && m->copy == p->copy &&
            (!rank || memcmp(m->index, index, (size_t)rank * sizeof *index) == 0))
            return m->elem;
    Memo *memo = NEW(p->low->arena, Memo);
    const Index **copy = NEW_ARRAY(p->low->arena, const Index *, rank + 1);
    for (int i = 0; i < rank; i++) copy[i] = index[i];
    *memo = (Memo){instr, leaf, p->version, p->copy, copy, by_rule(p, instr, leaf, index), first};
    memo->next = key_table_get(&p->memo, key);
    key_table_put(p->low->arena, &p->memo, key, memo);
    return memo->elem;
}

/* --- scalar computations ------------------------------------------------------------------------------------------ */

typedef struct {
    const Computation *computation;
    const Elem *arguments;
    PullSource outer;
} Arguments;

static bool find_argument(Puller *p, Instr *instr, int leaf, const Index *const *index, Elem *elem) {
    (void)index;
    (void)leaf;
    const Arguments *a = p->source.context;
    if (instr->op != OP_PARAMETER) return false;
    *elem = a->arguments[instr->parameter_number];
    return true;
}

Elem pull_within(Puller *p, const Computation *computation, const Elem *arguments, Instr *instr) {
    Arguments a = {computation, arguments, p->source};
    KeyTable memo = p->memo;
    p->memo = (KeyTable){0};
    p->source = (PullSource){find_argument, &a};
    Elem result = pull(p, instr, 0, NULL);
    p->source = a.outer;
    p->memo = memo;
    return result;
}

void pull_computation(Puller *p, const Computation *computation, const Elem *arguments, Elem *out) {
    Arguments a = {computation, arguments, p->source};
    KeyTable memo = p->memo;
    p->memo = (KeyTable){0};
    p->source = (PullSource){find_argument, &a};
    for (int leaf = 0; leaf < shape_leaves(computation->root->shape); leaf++)
        out[leaf] = pull(p, computation->root, leaf, NULL);
    p->source = a.outer;
    p->memo = memo;
}
