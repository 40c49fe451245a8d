#include "passes/lower/pull.h"

/* Index expressions as values, and loads and stores at them. */

const Index *pull_settle(Puller *p, const Index *e) {
    if (!p->turn || !index_uses(e, p->turn)) return e;
    return index_simplify(p->func->domain, index_replace(p->pool, e, p->turn, index_const(p->pool, p->copy)));
}

typedef struct {
    const Puller *puller;
    bool found;
} LaneSearch;

static void note_lanes(const Index *variable, void *context) {
    LaneSearch *s = context;
    s->found |= variable == s->puller->lane;
    if (variable->kind == INDEX_SYM) s->found |= s->puller->func->syms.at[variable->value]->type.lanes > 1;
}

/* Whether e differs from lane to lane: it holds the lane number, or a runtime variable that does. */
static bool has_lanes(const Puller *p, const Index *e) {
    LaneSearch s = {p, false};
    if (p->lane) index_walk_variables(e, note_lanes, &s);
    return s.found;
}

static KValue *binary_index(Puller *p, DType dtype, const Index *e) {
    static const ScalarOp ops[] = {[INDEX_ADD] = SCALAR_ADD, [INDEX_MUL] = SCALAR_MUL, [INDEX_MIN] = SCALAR_MIN,
                                   [INDEX_MAX] = SCALAR_MAX};
    KFunc *f = p->func;
    KValue *args[] = {pull_index(p, dtype, e->lhs), pull_index(p, dtype, e->rhs)};
    if (e->kind != INDEX_MOD && e->kind != INDEX_FLOORDIV && e->kind != INDEX_CEILDIV)
        return kvalue_scalar(f, ops[e->kind], 2, args, NULL);
    /* Rounding towards minus infinity: shift what may be negative up by a multiple of the divisor. */
    Interval range = index_range(f->domain, e->lhs);
    int64_t divisor = e->rhs->value, shift = range.low < 0 ? ceil_div(-range.low, divisor) : 0;
    if (e->kind == INDEX_CEILDIV)
        args[0] = kvalue_scalar(f, SCALAR_ADD, 2, (KValue *[]){args[0], kvalue_int(f, dtype, divisor - 1)}, NULL);
    if (shift)
        args[0] = kvalue_scalar(f, SCALAR_ADD, 2, (KValue *[]){args[0], kvalue_int(f, dtype, shift * divisor)}, NULL);
    KValue *result = kvalue_scalar(f, e->kind == INDEX_MOD ? SCALAR_REM : SCALAR_DIV, 2, args, NULL);
    if (shift && e->kind != INDEX_MOD)
        result = kvalue_scalar(f, SCALAR_SUB, 2, (KValue *[]){result, kvalue_int(f, dtype, shift)}, NULL);
    return result;
}

/* With lanes: in dtype's arithmetic, which must be wide enough for every value on the way. */
static KValue *lanes_index(Puller *p, DType dtype, const Index *e) {
    KFunc *f = p->func;
    int64_t factor;
    const Index *rest;
    if (e == p->lane) return kvalue_iota(f, (KType){dtype, p->lanes});
    if (e->kind == INDEX_SYM) return kvalue_convert(f, dtype, kvalue_var(f, f->syms.at[e->value]), NULL);
    if (index_linear_in(p->pool, e, p->lane, &factor, &rest) && !has_lanes(p, rest)) {
        KValue *steps = kvalue_iota(f, (KType){dtype, p->lanes});
        if (factor != 1)
            steps = kvalue_scalar(f, SCALAR_MUL, 2, (KValue *[]){steps, kvalue_int(f, dtype, factor)}, NULL);
        KValue *start = kvalue_index(f, dtype, index_simplify(f->domain, rest));
        double zero;
        if (kvalue_is_const(start, &zero) && zero == 0) return steps;
        return kvalue_scalar(f, SCALAR_ADD, 2, (KValue *[]){start, steps}, NULL);
    }
    return binary_index(p, dtype, e);
}

KValue *pull_index(Puller *p, DType dtype, const Index *index) {
    index = pull_settle(p, index);
    if (!has_lanes(p, index)) return kvalue_index(p->func, dtype, index);
    Interval range = index_range(p->func->domain, index);
    bool narrow = range.low > INT32_MIN / 4 && range.high < INT32_MAX / 4;
    DType arithmetic = narrow ? DT_S32 : DT_S64;
    return kvalue_convert(p->func, dtype, lanes_index(p, arithmetic, index), NULL);
}

static KValue *compare_index(Puller *p, ScalarOp op, const Index *expr, int64_t bound) {
    Interval range = index_range(p->func->domain, expr);
    bool narrow = range.low > INT32_MIN / 4 && range.high < INT32_MAX / 4;
    DType dtype = has_lanes(p, expr) && narrow ? DT_S32 : DT_S64;
    return kvalue_scalar(p->func, op, 2, (KValue *[]){pull_index(p, dtype, expr), kvalue_int(p->func, dtype, bound)},
                         NULL);
}

KValue *pull_inside(Puller *p, const Index *expr, Interval in) {
    expr = pull_settle(p, expr);
    Interval range = index_range(p->func->domain, expr);
    if (in.low == in.high) return compare_index(p, SCALAR_EQ, expr, in.low);
    KValue *above = range.low >= in.low ? NULL : compare_index(p, SCALAR_GE, expr, in.low);
    KValue *below = range.high <= in.high ? NULL : compare_index(p, SCALAR_LE, expr, in.high);
    if (!above && !below) return kvalue_int(p->func, DT_PRED, 1);
    if (!above || !below) return above ? above : below;
    return kvalue_scalar(p->func, SCALAR_AND, 2, (KValue *[]){above, below}, NULL);
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

const Index *subscript_of(Puller *p, const Shape *shape, const Index *const *index) {
    const Index *sum = index_const(p->pool, 0);
    int64_t stride = 1;
    for (int i = 0; i < shape->rank; i++) {
        bool written = shape->layout && shape->layout->n_minor_to_major;
        int d = written ? (int)shape->layout->minor_to_major[i] : shape->rank - 1 - i;
        sum = index_add(p->pool, sum, index_times(p->pool, index[d], stride));
        stride *= shape->dims[d];
    }
    return index_simplify(p->func->domain, sum);
}

typedef struct {
    KAccess access;
    const Index *index;
    int64_t stride;
    KValue *where;
    int lanes, count;
} Reach;

/* How the lanes of one access lie. */
static Reach reach_of(Puller *p, const Index *subscript) {
    Reach r = {KACCESS_UNIT, subscript, 0, NULL, 1, 0};
    if (!has_lanes(p, subscript)) return r;
    r.lanes = p->lanes;
    const Index *rest;
    if (index_linear_in(p->pool, subscript, p->lane, &r.stride, &rest) && !has_lanes(p, rest)) {
        r.index = index_simplify(p->func->domain, rest);
        r.count = p->count;
        r.access = r.stride == 1 ? KACCESS_UNIT : KACCESS_STRIDED;
        return r;
    }
    r.access = KACCESS_GATHER;
    r.where = pull_index(p, DT_S32, subscript);
    Interval range = index_range(p->func->domain, subscript);
    if (range.high > INT32_MAX / 4) r.where = pull_index(p, DT_S64, subscript);
    r.index = index_const(p->pool, 0);
    r.count = p->count;
    if (p->count) { /* lanes that mean nothing may point anywhere: bring them inside */
        KValue *limits[] = {kvalue_int(p->func, r.where->type.dtype, 0), r.where,
                            kvalue_int(p->func, r.where->type.dtype, range.high)};
        r.where = kvalue_scalar(p->func, SCALAR_CLAMP, 3, limits, NULL);
    }
    return r;
}

/* --- turning ------------------------------------------------------------------------------------------------------ */

/* Whether vectors along p->turn are loads of unit stride, those along the lanes are not, and all of them mean
 * something. */
static bool may_turn(Puller *p, DType component, const Index *subscript) {
    int64_t along_turn, along_lanes;
    const Index *rest;
    if (!p->turn || p->count || component == DT_PRED || !index_uses(subscript, p->turn)) return false;
    if (!index_linear_in(p->pool, subscript, p->turn, &along_turn, &rest) || along_turn != 1) return false;
    return index_linear_in(p->pool, rest, p->lane, &along_lanes, &rest) && along_lanes != 0 && !has_lanes(p, rest);
}

static KValue *load_component(Puller *p, KBuffer *buffer, DType component, const Index *subscript);

/* Vectors along p->turn, one for each lane, become vectors along the lanes, one for each value of p->turn: perfect
 * shuffles. */
static KValue *load_turned(Puller *p, KBuffer *buffer, DType component, const Index *subscript) {
    int n = p->lanes;
    KValue **rows = NEW_ARRAY(p->low->arena, KValue *, 2 * n), **next = rows + n;
    const Index *turn = p->turn;
    p->turn = NULL;
    for (int i = 0; i < n; i++) {
        const Index *at = index_replace(p->pool, subscript, p->lane, index_const(p->pool, i));
        rows[i] = load_component(p, buffer, component,
                                 index_simplify(p->func->domain, index_replace(p->pool, at, turn, p->lane)));
    }
    p->turn = turn;
    for (int round = 1; round < n; round *= 2) {
        for (int i = 0; i < n / 2; i++) {
            next[2 * i] = kvalue_zip(p->func, KVALUE_ZIP_LO, rows[i], rows[i + n / 2]);
            next[2 * i + 1] = kvalue_zip(p->func, KVALUE_ZIP_HI, rows[i], rows[i + n / 2]);
        }
        KValue **t = rows;
        rows = next;
        next = t;
    }
    return rows[p->copy];
}

static KValue *load_component(Puller *p, KBuffer *buffer, DType component, const Index *subscript) {
    if (may_turn(p, component, subscript)) return load_turned(p, buffer, component, subscript);
    subscript = pull_settle(p, subscript);
    Reach r = reach_of(p, subscript);
    KValue load = {.type = {register_type(component), r.lanes}, .buffer = buffer, .index = r.index, .access = r.access,
                   .stride = r.access == KACCESS_STRIDED ? r.stride : 0,
                   .count = r.access == KACCESS_GATHER ? 0 : r.count, .version = p->version};
    if (r.where) {
        load.n_args = 1;
        load.args[0] = r.where;
    }
    return kvalue_load(p->func, load);
}

Elem pull_load_at(Puller *p, KBuffer *buffer, DType storage, const Index *subscript) {
    if (!dtype_is_complex(storage)) return (Elem){{load_component(p, buffer, storage, subscript), NULL}};
    const Index *re = index_simplify(p->func->domain, index_times(p->pool, subscript, 2));
    DType component = dtype_component(storage);
    return (Elem){{load_component(p, buffer, component, re),
                   load_component(p, buffer, component, index_plus(p->pool, re, 1))}};
}

Elem pull_load(Puller *p, KBuffer *buffer, const Shape *shape, const Index *const *index) {
    return pull_load_at(p, buffer, shape->dtype, subscript_of(p, shape, index));
}

static void store_component(Puller *p, KBuffer *buffer, const Index *subscript, KValue *value, const Instr *from) {
    Reach r = reach_of(p, pull_settle(p, subscript));
    if (r.lanes == 1 && value->type.lanes > 1) value = kvalue_lane(p->func, value, 0);
    value = kvalue_splat(p->func, r.lanes, value);
    StoreTo to = {buffer, r.index, r.access, r.access == KACCESS_STRIDED ? r.stride : 0, r.where,
                  r.lanes > 1 ? r.count : 0};
    emit_store(p->emitter, to, value, from);
}

void push_store(Puller *p, KBuffer *buffer, DType dtype, const Index *subscript, Elem elem, const Instr *from) {
    if (!dtype_is_complex(dtype)) {
        store_component(p, buffer, subscript, elem.part[0], from);
        return;
    }
    const Index *re = index_simplify(p->func->domain, index_times(p->pool, subscript, 2));
    store_component(p, buffer, re, elem.part[0], from);
    store_component(p, buffer, index_plus(p->pool, re, 1), elem.part[1], from);
}
