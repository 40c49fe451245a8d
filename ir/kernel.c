#include "ir/kernel.h"

#include <math.h>
#include <string.h>

/* Tables of scalar operators, and construction of functions, buffers and values. */

enum { F = 1, S = 2, U = 4, P = 8, I = S | U, SAME = 0, PRED = 1 };

static const struct {
    const char *name;
    int operands, types, result;
    const char *infix;
    int infix_types, weight;
} table[N_SCALARS] = {
#define SCALAR(id, name, operands, types, result, infix, infix_types, weight) \
    [SCALAR_##id] = {name, operands, types, result, infix, infix_types, weight},
#include "ir/scalars.def"
#undef SCALAR
};

static const struct {
    ElementRule element;
    ScalarOp scalar;
} rules[N_OPS] = {
#define OP(id, text, operands, shape, access, element, eval, scalar, ...) \
    [OP_##id] = {ELEMENT_##element, SCALAR_##scalar},
#include "ir/ops.def"
#undef OP
};

ElementRule op_element(Op op) {
    return rules[op].element;
}

ScalarOp op_scalar(Op op) {
    return rules[op].scalar;
}

const char *scalar_name(ScalarOp op) {
    return table[op].name;
}

int scalar_operands(ScalarOp op) {
    return table[op].operands;
}

bool scalar_gives_pred(ScalarOp op) {
    return table[op].result == PRED;
}

int scalar_weight(ScalarOp op) {
    return table[op].weight;
}

static int type_bit(DType dtype) {
    switch (dtype_class(dtype)) {
    case DTYPE_PRED:
        return P;
    case DTYPE_SIGNED:
        return S;
    case DTYPE_UNSIGNED:
        return U;
    case DTYPE_FLOAT:
        return F;
    case DTYPE_COMPLEX:
    case DTYPE_OTHER:
        break;
    }
    return 0;
}

const char *scalar_infix(ScalarOp op, DType dtype) {
    return table[op].infix_types & type_bit(dtype) ? table[op].infix : NULL;
}

DType register_type(DType storage) {
    switch (dtype_class(storage)) {
    case DTYPE_COMPLEX:
        return dtype_component(storage);
    case DTYPE_FLOAT:
        return storage == DT_F64 ? DT_F64 : DT_F32;
    case DTYPE_SIGNED:
        return dtype_bits(storage) < 8 ? DT_S8 : storage;
    case DTYPE_UNSIGNED:
        return dtype_bits(storage) < 8 ? DT_U8 : storage;
    case DTYPE_PRED:
    case DTYPE_OTHER:
        break;
    }
    return storage;
}

KFunc *kfunc_new(KProgram *program, const char *name) {
    KFunc *f = NEW(program->arena, KFunc);
    f->program = program;
    f->name = name;
    f->domain = index_domain_new(program->pool);
    f->body = NEW(program->arena, KBlock);
    return f;
}

KBuffer *kbuffer_new(KProgram *program, KFunc *func, KBufferKind kind, const char *name, DType dtype,
                     int64_t elements) {
    KBuffer *buffer = NEW(program->arena, KBuffer);
    *buffer = (KBuffer){.kind = kind, .name = name, .dtype = dtype_component(dtype), .elements = elements};
    if (dtype_is_complex(dtype)) buffer->elements *= 2;
    if (func) {
        buffer->owner = func;
        buffer->number = func->buffers.n;
        vec_push(program->arena, &func->buffers, buffer);
    }
    return buffer;
}

KVar *kvar_new(KFunc *func, KBlock *block, const char *name, KType type, bool mutable_) {
    KVar *var = NEW(func->program->arena, KVar);
    *var = (KVar){.name = name, .type = type, .mutable_ = mutable_, .func = func, .block = block, .step = 1};
    return var;
}

KVar *kvar_index(KFunc *func, KBlock *block, const char *name, Interval range, bool runtime) {
    KVar *var = kvar_new(func, block, name, (KType){DT_S64, 1}, false);
    var->is_index = true;
    if (runtime) {
        var->index = index_domain_sym(func->domain, range);
        vec_push(func->program->arena, &func->syms, var);
    } else {
        var->index = index_domain_dim(func->domain, range);
        vec_push(func->program->arena, &func->dims, var);
    }
    return var;
}

/* --- values ------------------------------------------------------------------------------------------------------- */

static uint64_t hash_value(const KValue *v) {
    uint64_t h = hash_mix((uint64_t)v->kind << 16 | (uint64_t)v->type.dtype << 8 | (uint64_t)v->type.lanes, v->bits);
    h = hash_mix(h, (uint64_t)v->op << 32 ^ (uint64_t)v->number ^ (uint64_t)v->stride << 8 ^ (uint64_t)v->count << 48);
    h = hash_mix(h, POINTER_KEY(v->index) ^ hash_mix(POINTER_KEY(v->buffer), POINTER_KEY(v->var)));
    h = hash_mix(h, (uint64_t)v->access << 32 ^ (uint64_t)v->version);
    for (int i = 0; i < v->n_args; i++) h = hash_mix(h, v->args[i]->serial + 1u);
    return h;
}

static bool same_value(const KValue *a, const KValue *b) {
    if (a->kind != b->kind || a->type.dtype != b->type.dtype || a->type.lanes != b->type.lanes) return false;
    if (a->n_args != b->n_args || a->op != b->op || a->bits != b->bits || a->number != b->number) return false;
    if (a->index != b->index || a->buffer != b->buffer || a->access != b->access || a->stride != b->stride)
        return false;
    if (a->count != b->count || a->var != b->var || a->version != b->version) return false;
    if ((a->name != NULL) != (b->name != NULL) || (a->name && strcmp(a->name, b->name) != 0)) return false;
    for (int i = 0; i < a->n_args; i++)
        if (a->args[i] != b->args[i]) return false;
    return true;
}

typedef struct Chain Chain;
struct Chain {
    KValue *value;
    Chain *next;
};

static KValue *intern(KFunc *f, KValue v) {
    uint64_t hash = hash_value(&v) | 1;
    Chain *first = key_table_get(&f->values, hash);
    for (Chain *c = first; c; c = c->next)
        if (same_value(c->value, &v)) return c->value;
    KValue *value = NEW(f->program->arena, KValue);
    *value = v;
    value->serial = (uint32_t)f->values.n;
    Chain *chain = NEW(f->program->arena, Chain);
    *chain = (Chain){value, first};
    key_table_put(f->program->arena, &f->values, hash, chain);
    return value;
}

KValue *kvalue_const(KFunc *f, KType type, uint64_t bits) {
    KValue *scalar = intern(f, (KValue){.kind = KVALUE_CONST, .type = {type.dtype, 1}, .bits = bits});
    return kvalue_splat(f, type.lanes, scalar);
}

KValue *kvalue_int(KFunc *f, DType dtype, int64_t value) {
    if (dtype_is_float(dtype)) return kvalue_float(f, dtype, (double)value);
    int bits = dtype_bits(dtype);
    uint64_t mask = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
    return kvalue_const(f, (KType){dtype, 1}, (uint64_t)value & mask);
}

KValue *kvalue_float(KFunc *f, DType dtype, double value) {
    uint64_t bits = 0;
    float single = (float)value;
    if (dtype == DT_F32) memcpy(&bits, &single, sizeof single);
    else memcpy(&bits, &value, sizeof value);
    return kvalue_const(f, (KType){dtype, 1}, bits);
}

KValue *kvalue_var(KFunc *f, KVar *var) {
    return intern(f, (KValue){.kind = KVALUE_VAR, .type = var->type, .var = var, .version = var->version,
                              .from = var->from});
}

KValue *kvalue_index(KFunc *f, DType dtype, const Index *index) {
    if (index->kind == INDEX_CONST) return kvalue_int(f, dtype, index->value);
    if (dtype_is_float(dtype)) return kvalue_convert(f, dtype, kvalue_index(f, DT_S64, index), NULL);
    return intern(f, (KValue){.kind = KVALUE_INDEX, .type = {dtype, 1}, .index = index});
}

KValue *kvalue_load(KFunc *f, KValue load) {
    load.kind = KVALUE_LOAD;
    return intern(f, load);
}

bool kvalue_is_const(const KValue *value, double *number) {
    if (value->kind == KVALUE_SPLAT) value = value->args[0];
    if (value->kind != KVALUE_CONST) return false;
    float single;
    switch (dtype_class(value->type.dtype)) {
    case DTYPE_FLOAT:
        memcpy(&single, &value->bits, sizeof single);
        if (value->type.dtype == DT_F32) *number = (double)single;
        else memcpy(number, &value->bits, sizeof *number);
        break;
    case DTYPE_SIGNED: {
        int unused = 64 - dtype_bits(value->type.dtype);
        *number = (double)((int64_t)(value->bits << unused) >> unused);
        break;
    }
    case DTYPE_UNSIGNED:
    case DTYPE_PRED:
    case DTYPE_COMPLEX:
    case DTYPE_OTHER:
        *number = (double)value->bits;
    }
    return true;
}

KValue *kvalue_splat(KFunc *f, int lanes, KValue *value) {
    if (value->type.lanes == lanes) return value;
    KValue splat = {.kind = KVALUE_SPLAT, .type = {value->type.dtype, lanes}, .n_args = 1, .from = value->from};
    splat.args[0] = value;
    return intern(f, splat);
}

/* The index expression of a scalar integer that is one, or a constant; NULL otherwise. */
static const Index *index_of(KFunc *f, const KValue *v) {
    if (v->type.lanes > 1 || !dtype_is_integer(v->type.dtype)) return NULL;
    if (v->kind == KVALUE_INDEX) return v->index;
    if (v->kind != KVALUE_CONST || v->bits > INT64_MAX) return NULL;
    int unused = 64 - dtype_bits(v->type.dtype);
    bool is_signed = dtype_class(v->type.dtype) == DTYPE_SIGNED;
    return index_const(f->program->pool, is_signed ? (int64_t)(v->bits << unused) >> unused : (int64_t)v->bits);
}

/* Whether every value of e is one of dtype's: then arithmetic on it does not wrap. */
static bool fits(KFunc *f, DType dtype, const Index *e) {
    Interval range = index_range(f->domain, e);
    int bits = dtype_bits(dtype);
    bool is_signed = dtype_class(dtype) == DTYPE_SIGNED;
    if (range.low == INT64_MIN || range.high == INT64_MAX) return false;
    if (bits == 64) return is_signed || range.low >= 0;
    int64_t high = ((int64_t)1 << (bits - is_signed)) - 1;
    return range.low >= (is_signed ? -high - 1 : 0) && range.high <= high;
}

/* What op says of all values of an interval: 1 true, 0 false, -1 it depends. */
static int compare_ranges(ScalarOp op, Interval a, Interval b) {
    if (op == SCALAR_GT) return compare_ranges(SCALAR_LT, b, a);
    if (op == SCALAR_GE) return compare_ranges(SCALAR_LE, b, a);
    if (op == SCALAR_LT) return a.high < b.low ? 1 : a.low >= b.high ? 0 : -1;
    if (op == SCALAR_LE) return a.high <= b.low ? 1 : a.low > b.high ? 0 : -1;
    if (op == SCALAR_EQ || op == SCALAR_NE) {
        if (a.high < b.low || b.high < a.low) return op == SCALAR_NE;
        if (interval_is_point(a) && interval_equal(a, b)) return op == SCALAR_EQ;
    }
    return -1;
}

/* Integer arithmetic on loop counters stays an index expression, and comparisons that their ranges decide are
 * constants: so that what was counted once more by the program (i + 1, i < 0 ? i + n : i) leaves affine subscripts.
 * NULL: no. */
static KValue *index_scalar(KFunc *f, ScalarOp op, int n, KValue *const *args) {
    if (n != 2 || (args[0]->kind == KVALUE_CONST && args[1]->kind == KVALUE_CONST)) return NULL;
    const Index *a = index_of(f, args[0]), *b = index_of(f, args[1]), *e = NULL;
    IndexPool *pool = f->program->pool;
    if (!a || !b) return NULL;
    int known = compare_ranges(op, index_range(f->domain, a), index_range(f->domain, b));
    if (known >= 0) return kvalue_int(f, DT_PRED, known);
    if (op == SCALAR_ADD) e = index_add(pool, a, b);
    if (op == SCALAR_SUB) e = index_sub(pool, a, b);
    if (op == SCALAR_MUL && (a->kind == INDEX_CONST || b->kind == INDEX_CONST)) e = index_mul(pool, a, b);
    if (!e) return NULL;
    e = index_simplify(f->domain, e);
    return fits(f, args[0]->type.dtype, e) ? kvalue_index(f, args[0]->type.dtype, e) : NULL;
}

/* x < 0 and x >= 0 of what is never negative. */
static int compare_unsigned(ScalarOp op, int n, KValue *const *args) {
    double limit;
    if (n != 2 || dtype_is_float(args[0]->type.dtype) || dtype_class(args[0]->type.dtype) == DTYPE_SIGNED) return -1;
    if ((op == SCALAR_LT || op == SCALAR_GE) && kvalue_is_const(args[1], &limit) && limit == 0) return op == SCALAR_GE;
    if ((op == SCALAR_GT || op == SCALAR_LE) && kvalue_is_const(args[0], &limit) && limit == 0) return op == SCALAR_LE;
    return -1;
}

/* Extrema with constants know that these are no NaN, and cost less. NULL: no. */
static KValue *bounded(KFunc *f, ScalarOp op, KValue *const *args, const Instr *from) {
    double bound, high;
    if (op == SCALAR_CLAMP && kvalue_is_const(args[0], &bound) && kvalue_is_const(args[2], &high) && bound <= high &&
        high != 0) {
        KValue *above = kvalue_scalar(f, SCALAR_MAX, 2, (KValue *[]){args[1], args[0]}, from);
        return kvalue_scalar(f, SCALAR_MIN, 2, (KValue *[]){above, args[2]}, from);
    }
    if (op != SCALAR_MAX && op != SCALAR_MIN) return NULL;
    for (int i = 0; i < 2; i++) {
        KValue *x = args[1 - i];
        if (!kvalue_is_const(args[i], &bound) || isnan(bound) || args[i]->type.lanes > x->type.lanes) continue;
        if (isinf(bound) && (bound < 0) == (op == SCALAR_MAX)) return x;
        if (bound != 0)
            return kvalue_scalar(f, op == SCALAR_MAX ? SCALAR_AT_LEAST : SCALAR_AT_MOST, 2, (KValue *[]){x, args[i]},
                                 from);
        if (op == SCALAR_MAX && !signbit(bound)) return kvalue_scalar(f, SCALAR_POSITIVE, 1, &x, from);
    }
    return NULL;
}

KValue *kvalue_scalar(KFunc *f, ScalarOp op, int n, KValue *const *args, const Instr *from) {
    KValue *folded = kvalue_fold(f, op, n, args);
    KValue *index = folded ? folded : index_scalar(f, op, n, args);
    if (index) return index;
    KValue *within = dtype_is_float(args[0]->type.dtype) ? bounded(f, op, args, from) : NULL;
    if (within) return within;
    int known = compare_unsigned(op, n, args);
    if (known >= 0) return kvalue_int(f, DT_PRED, known);
    KValue v = {.kind = KVALUE_SCALAR, .op = op, .n_args = n, .from = from, .type = {args[n - 1]->type.dtype, 1}};
    for (int i = 0; i < n; i++)
        if (args[i]->type.lanes > v.type.lanes) v.type.lanes = args[i]->type.lanes;
    for (int i = 0; i < n; i++) v.args[i] = kvalue_splat(f, v.type.lanes, args[i]);
    if (scalar_gives_pred(op)) v.type.dtype = DT_PRED;
    if (op == SCALAR_SELECT) {
        double which;
        if (args[1] == args[2]) return v.args[1];
        if (kvalue_is_const(args[0], &which)) return v.args[which != 0 ? 1 : 2];
    }
    return intern(f, v);
}

/* Every value of the integer type `narrow` is one of `wide`. */
static bool holds(DType wide, DType narrow) {
    if (!dtype_is_integer(wide) || !dtype_is_integer(narrow) || dtype_bits(wide) < dtype_bits(narrow)) return false;
    return dtype_class(wide) == dtype_class(narrow) ||
           (dtype_class(wide) == DTYPE_SIGNED && dtype_bits(wide) > dtype_bits(narrow));
}

KValue *kvalue_convert(KFunc *f, DType to, KValue *value, const Instr *from) {
    double number;
    if (value->type.dtype == to) return value;
    if (value->kind == KVALUE_CONVERT && value->args[0]->type.dtype == to && holds(value->type.dtype, to))
        return value->args[0];
    if (value->type.lanes == 1 && kvalue_is_const(value, &number) && number >= -1e15 && number <= 1e15) {
        if (dtype_is_float(to)) return kvalue_float(f, to, number);
        if (to == DT_PRED) return kvalue_int(f, DT_PRED, number != 0);
        if (!dtype_is_float(value->type.dtype)) return kvalue_int(f, to, (int64_t)number);
    }
    const Index *index = value->kind == KVALUE_INDEX ? value->index : NULL;
    if (index && dtype_is_integer(to) && fits(f, to, index)) return kvalue_index(f, to, index);
    KValue v = {.kind = KVALUE_CONVERT, .type = {to, value->type.lanes}, .n_args = 1, .from = from};
    v.args[0] = value;
    return intern(f, v);
}

KValue *kvalue_bitcast(KFunc *f, DType to, KValue *value, const Instr *from) {
    if (value->type.dtype == to) return value;
    if (value->kind == KVALUE_CONST) return kvalue_const(f, (KType){to, 1}, value->bits);
    KValue v = {.kind = KVALUE_BITCAST, .type = {to, value->type.lanes}, .n_args = 1, .from = from};
    v.args[0] = value;
    return intern(f, v);
}

KValue *kvalue_first(KFunc *f, int lanes, int n) {
    return intern(f, (KValue){.kind = KVALUE_FIRST, .type = {DT_PRED, lanes}, .number = n});
}

KValue *kvalue_iota(KFunc *f, KType type) {
    return intern(f, (KValue){.kind = KVALUE_IOTA, .type = type});
}

KValue *kvalue_lane(KFunc *f, KValue *value, int64_t lane) {
    if (value->kind == KVALUE_SPLAT) return value->args[0];
    KValue v = {.kind = KVALUE_LANE, .type = {value->type.dtype, 1}, .number = lane, .n_args = 1, .from = value->from};
    v.args[0] = value;
    return intern(f, v);
}

KValue *kvalue_shift(KFunc *f, KValueKind kind, KValue *value, int64_t lanes, KValue *fill) {
    if (value->type.dtype == DT_PRED) { /* masks are shifted as integers */
        KValue *integers = kvalue_convert(f, DT_S32, value, value->from);
        KValue *shifted =
            kvalue_shift(f, kind, integers, lanes, fill ? kvalue_convert(f, DT_S32, fill, value->from) : NULL);
        return kvalue_convert(f, DT_PRED, shifted, value->from);
    }
    KValue v = {.kind = kind, .type = value->type, .number = lanes, .n_args = fill ? 2 : 1, .from = value->from};
    v.args[0] = value;
    v.args[1] = fill;
    return intern(f, v);
}

KValue *kvalue_zip(KFunc *f, KValueKind kind, KValue *a, KValue *b) {
    KValue v = {.kind = kind, .type = a->type, .n_args = 2, .from = a->from};
    v.args[0] = a;
    v.args[1] = b;
    return intern(f, v);
}

static KValue *storage_bits(KFunc *f, KValueKind kind, DType storage, DType to, KValue *value, const Instr *from) {
    KValue v = {.kind = kind, .type = {to, value->type.lanes}, .number = (int64_t)storage, .n_args = 1, .from = from};
    v.args[0] = value;
    return intern(f, v);
}

KValue *kvalue_encode(KFunc *f, DType storage, KValue *value, const Instr *from) {
    return storage_bits(f, KVALUE_ENCODE, storage, dtype_bytes(storage) == 2 ? DT_U16 : DT_U8, value, from);
}

KValue *kvalue_decode(KFunc *f, DType storage, KValue *bits, const Instr *from) {
    return storage_bits(f, KVALUE_DECODE, storage, register_type(storage), bits, from);
}

KValue *kvalue_call(KFunc *f, const char *name, KType type, int n, KValue *const *args, const Instr *from) {
    KValue v = {.kind = KVALUE_CALL, .type = type, .name = name, .n_args = n, .from = from};
    for (int i = 0; i < n; i++) v.args[i] = type.lanes > 1 ? kvalue_splat(f, type.lanes, args[i]) : args[i];
    return intern(f, v);
}
