#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codegen/writer.h"

/* Values as C expressions, with no more parentheses than a reader needs. */

typedef enum { LEVEL_OR = 1, LEVEL_COMPARE, LEVEL_SUM, LEVEL_PRODUCT, LEVEL_UNARY, LEVEL_PRIMARY } Level;

typedef struct {
    const char *text;
    Level level;
} Expr;

static Expr primary(const char *text) {
    return (Expr){text, LEVEL_PRIMARY};
}

static const char *at_level(Writer *w, Expr e, Level least) {
    return e.level >= least ? e.text : arena_printf(w->arena, "(%s)", e.text);
}

/* --- numbers ------------------------------------------------------------------------------------------------------ */

static const char *float_text(Writer *w, DType dtype, uint64_t bits) {
    float single;
    double number;
    uint32_t low = (uint32_t)bits;
    memcpy(&single, &low, sizeof single);
    memcpy(&number, &bits, sizeof number);
    bool is_double = dtype == DT_F64;
    if (!is_double) number = (double)single;
    if (isnan(number)) {
        if (is_double)
            return arena_printf(w->arena, "%s(UINT64_C(0x%016llx))", use_symbol(w, "hlocc_bitcast_f64_u64"),
                                (unsigned long long)bits);
        return arena_printf(w->arena, "%s(0x%08xu)", use_symbol(w, "hlocc_bitcast_f32_u32"), low);
    }
    if (isinf(number))
        return arena_printf(w->arena, "%s%s()", number < 0 ? "-" : "",
                            use_symbol(w, "hlocc_inf_%s", dtype_name(dtype)));
    char text[64];
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, number);
        if (is_double ? strtod(text, NULL) == number : strtof(text, NULL) == single) break;
    }
    if (!strpbrk(text, ".e")) strcat(text, ".0");
    return arena_printf(w->arena, "%s%s", text, is_double ? "" : "f");
}

static const char *integer_text(Writer *w, DType dtype, uint64_t bits) {
    int width = dtype_bits(dtype);
    if (dtype_class(dtype) != DTYPE_SIGNED) {
        if (width == 64 && bits > INT64_MAX) return arena_printf(w->arena, "UINT64_C(%llu)", (unsigned long long)bits);
        return arena_printf(w->arena, width >= 32 ? "%lluu" : "%llu", (unsigned long long)bits);
    }
    int64_t value = (int64_t)(bits << (64 - width)) >> (64 - width);
    if (value == INT64_MIN) return "INT64_MIN";
    if (value == INT32_MIN && width == 32) return "INT32_MIN";
    return arena_printf(w->arena, value > INT32_MAX || value < INT32_MIN ? "INT64_C(%lld)" : "%lld", (long long)value);
}

const char *constant_text(Writer *w, DType dtype, uint64_t bits) {
    return dtype_is_float(dtype) ? float_text(w, dtype, bits) : integer_text(w, dtype, bits);
}

/* --- index expressions -------------------------------------------------------------------------------------------- */

static Expr index_expr(Writer *w, const Index *e);

static const KVar *variable(Writer *w, const Index *e) {
    return e->kind == INDEX_DIM ? w->func->dims.at[e->value] : w->func->syms.at[e->value];
}

/* factor * term as text, without sign; *constant takes what a loop's first value contributes. */
static const char *term_text(Writer *w, IndexTerm term, int64_t *constant) {
    int64_t factor = term.factor < 0 ? -term.factor : term.factor;
    const char *text;
    if (term.term->kind == INDEX_DIM || term.term->kind == INDEX_SYM) {
        const KVar *var = variable(w, term.term);
        text = var->name;
        if (var->step > 1 && factor % var->step == 0) {
            factor /= var->step;
            *constant -= term.factor / var->step * var->low;
        } else if (var->step > 1) {
            text = var->low ? arena_printf(w->arena, "((%s - %lld) / %lld)", var->name, (long long)var->low,
                                           (long long)var->step)
                            : arena_printf(w->arena, "(%s / %lld)", var->name, (long long)var->step);
        }
    } else {
        text = at_level(w, index_expr(w, term.term), LEVEL_PRODUCT);
    }
    return factor == 1 ? text : arena_printf(w->arena, "%s * %lld", text, (long long)factor);
}

static Expr sum_expr(Writer *w, const Index *e) {
    IndexSum sum = index_sum(w->program->pool, w->arena, e);
    Text text = {0};
    int64_t constant = 0;
    int n = 0;
    bool product = false;
    for (int pass = 0; pass < 2; pass++) /* what is added first: the text should not begin with a minus */
        for (int i = 0; i < sum.terms.n; i++) {
            IndexTerm term = sum.terms.at[i];
            if ((term.factor < 0) != (pass == 1) || index_is_const(term.term, 1)) continue;
            const char *one = term_text(w, term, &constant);
            if (n++) text_put(&text, pass ? " - " : " + ");
            else if (pass) text_char(&text, '-');
            text_put(&text, one);
            product = strchr(one, '*') || strchr(one, '/') || strchr(one, '%');
        }
    for (int i = 0; i < sum.terms.n; i++)
        if (index_is_const(sum.terms.at[i].term, 1)) constant += sum.terms.at[i].factor;
    if (!n) text_printf(&text, "%lld", (long long)constant);
    else if (constant)
        text_printf(&text, " %c %llu", constant < 0 ? '-' : '+',
                    constant < 0 ? 0ull - (unsigned long long)constant : (unsigned long long)constant);
    Level level = n + (constant != 0 && n) > 1   ? LEVEL_SUM
                  : product                      ? LEVEL_PRODUCT
                  : text_string(&text)[0] == '-' ? LEVEL_UNARY
                                                 : LEVEL_PRIMARY;
    Expr result = {arena_string(w->arena, text_string(&text), text.n), level};
    text_free(&text);
    return result;
}

/* C rounds towards zero: what may be negative is moved up by a multiple of the divisor first. */
static Expr division_expr(Writer *w, const Index *e) {
    const KFunc *f = w->func;
    int64_t divisor = e->rhs->value;
    const Index *lhs = e->lhs;
    if (e->kind == INDEX_CEILDIV) lhs = index_plus(w->program->pool, lhs, divisor - 1);
    Interval range = index_range((IndexDomain *)f->domain, lhs);
    int64_t shift = range.low < 0 ? ceil_div(range.low == INT64_MIN ? INT64_MAX / 2 : -range.low, divisor) : 0;
    if (shift) lhs = index_plus(w->program->pool, lhs, shift * divisor);
    const char *text = arena_printf(w->arena, "%s %c %lld", at_level(w, index_expr(w, lhs), LEVEL_PRODUCT),
                                    e->kind == INDEX_MOD ? '%' : '/', (long long)divisor);
    if (!shift || e->kind == INDEX_MOD) return (Expr){text, LEVEL_PRODUCT};
    return (Expr){arena_printf(w->arena, "%s - %lld", text, (long long)shift), LEVEL_SUM};
}

static Expr index_expr(Writer *w, const Index *e) {
    switch (e->kind) {
    case INDEX_MOD:
    case INDEX_FLOORDIV:
    case INDEX_CEILDIV:
        return division_expr(w, e);
    case INDEX_MIN:
    case INDEX_MAX:
        return primary(arena_printf(w->arena, "%s(%s, %s)",
                                    use_symbol(w, "hlocc_%s_s64", e->kind == INDEX_MIN ? "min" : "max"),
                                    index_expr(w, e->lhs).text, index_expr(w, e->rhs).text));
    case INDEX_MUL:
        if (e->rhs->kind != INDEX_CONST)
            return (Expr){arena_printf(w->arena, "%s * %s", at_level(w, index_expr(w, e->lhs), LEVEL_PRODUCT),
                                       at_level(w, index_expr(w, e->rhs), LEVEL_UNARY)), LEVEL_PRODUCT};
        return sum_expr(w, e);
    case INDEX_ADD:
    case INDEX_DIM:
    case INDEX_SYM:
    case INDEX_CONST:
        break;
    }
    return sum_expr(w, e);
}

const char *index_text(Writer *w, const Index *index) {
    return index_expr(w, index).text;
}

const char *address_of(Writer *w, const KBuffer *buffer, const Index *index) {
    if (!index || index_is_const(index, 0)) return buffer->name;
    return arena_printf(w->arena, "%s + %s", buffer->name, index_text(w, index));
}

/* --- values ------------------------------------------------------------------------------------------------------- */

static Expr value_expr(Writer *w, const KValue *v);

static const char *argument(Writer *w, const KValue *v) {
    return value_expr(w, v).text;
}

static Expr call(Writer *w, const char *symbol, const KValue *v) {
    Text text = {0};
    text_printf(&text, "%s(", symbol);
    for (int i = 0; i < v->n_args; i++) text_printf(&text, "%s%s", i ? ", " : "", argument(w, v->args[i]));
    text_char(&text, ')');
    Expr result = primary(arena_string(w->arena, text_string(&text), text.n));
    text_free(&text);
    return result;
}

/* Types whose elements are not what registers hold. */
static bool converts(DType storage) {
    return storage != DT_PRED && dtype_is_float(storage) && register_type(storage) != storage;
}

static Expr scalar_load(Writer *w, const KValue *v) {
    DType storage = v->buffer->dtype;
    const char *element = arena_printf(w->arena, "%s[%s]", v->buffer->name, index_text(w, v->index));
    if (converts(storage))
        return primary(arena_printf(w->arena, "%s(%s)",
                                    use_symbol(w, "hlocc_%s_from_%s", dtype_name(v->type.dtype), dtype_name(storage)),
                                    element));
    return primary(element);
}

/* Masks and storage types have no gathers and strided loads of their own: their integers do. */
static Expr odd_load(Writer *w, const KValue *v, const char *where) {
    DType storage = v->buffer->dtype, bits = dtype_bytes(storage) == 2 ? DT_U16 : DT_U8;
    const char *raw = type_suffix(w, (KType){bits, v->type.lanes}), *loaded;
    if (v->access == KACCESS_STRIDED && v->count)
        loaded = arena_printf(w->arena, "%s(%s, %lld, %d)", use_symbol(w, "hlocc_loadsn_%s", raw), where,
                              (long long)v->stride, v->count);
    else if (v->access == KACCESS_STRIDED)
        loaded =
            arena_printf(w->arena, "%s(%s, %lld)", use_symbol(w, "hlocc_loads_%s", raw), where, (long long)v->stride);
    else
        loaded = arena_printf(w->arena, "%s(%s, %s)",
                              use_symbol(w, "hlocc_gather_%s_%s", raw, type_suffix(w, v->args[0]->type)), where,
                              argument(w, v->args[0]));
    const char *from = storage == DT_PRED ? raw : dtype_name(storage);
    return primary(
        arena_printf(w->arena, "%s(%s)", use_symbol(w, "hlocc_%s_from_%s", type_suffix(w, v->type), from), loaded));
}

static Expr load_expr(Writer *w, const KValue *v) {
    if (v->type.lanes == 1) return scalar_load(w, v);
    DType storage = v->buffer->dtype;
    const char *suffix = type_suffix(w, v->type), *where = address_of(w, v->buffer, v->index);
    const char *kind = converts(storage) ? arena_printf(w->arena, "%s_%s", suffix, dtype_name(storage)) : suffix;
    if (v->access == KACCESS_UNIT && v->count)
        return primary(arena_printf(w->arena, "%s(%s, %d)", use_symbol(w, "hlocc_loadn_%s", kind), where, v->count));
    if (v->access == KACCESS_UNIT)
        return primary(arena_printf(w->arena, "%s(%s)", use_symbol(w, "hlocc_load_%s", kind), where));
    if (storage == DT_PRED || (converts(storage) && v->access == KACCESS_GATHER)) return odd_load(w, v, where);
    if (v->access == KACCESS_STRIDED && v->count)
        return primary(arena_printf(w->arena, "%s(%s, %lld, %d)", use_symbol(w, "hlocc_loadsn_%s", kind), where,
                                    (long long)v->stride, v->count));
    if (v->access == KACCESS_STRIDED)
        return primary(
            arena_printf(w->arena, "%s(%s, %lld)", use_symbol(w, "hlocc_loads_%s", kind), where, (long long)v->stride));
    return primary(arena_printf(w->arena, "%s(%s, %s)",
                                use_symbol(w, "hlocc_gather_%s_%s", suffix, type_suffix(w, v->args[0]->type)), where,
                                argument(w, v->args[0])));
}

static Level infix_level(ScalarOp op) {
    if (op == SCALAR_ADD || op == SCALAR_SUB) return LEVEL_SUM;
    if (op == SCALAR_MUL || op == SCALAR_DIV) return LEVEL_PRODUCT;
    if (op == SCALAR_AND || op == SCALAR_OR || op == SCALAR_XOR) return LEVEL_OR;
    return LEVEL_COMPARE;
}

/* C's own operators on scalars, where they mean the same: small integers are promoted, so theirs are calls. */
static const char *infix_of(const KValue *v) {
    DType dtype = v->args[v->n_args - 1]->type.dtype;
    if (v->args[0]->type.lanes > 1) return NULL;
    bool small = dtype_is_integer(dtype) && dtype_bits(dtype) < 32;
    if (small && !scalar_gives_pred(v->op)) return NULL;
    return scalar_infix(v->op, dtype);
}

static Expr scalar_expr(Writer *w, const KValue *v) {
    const char *infix = infix_of(v);
    if (infix && v->n_args == 1)
        return (Expr){arena_printf(w->arena, "%s%s", infix, at_level(w, value_expr(w, v->args[0]), LEVEL_PRIMARY)),
                      LEVEL_UNARY};
    if (infix) {
        Level level = infix_level(v->op);
        Level left = level == LEVEL_OR || level == LEVEL_COMPARE ? LEVEL_SUM : level,
              right = level <= LEVEL_COMPARE ? LEVEL_SUM : (Level)(level + 1);
        const char *second = at_level(w, value_expr(w, v->args[1]), right);
        /* clang takes a | b for a slip when b is a comparison of what a call gives. */
        bool logical = v->type.dtype == DT_PRED && level == LEVEL_OR && v->op != SCALAR_XOR && strstr(second, "hlocc_");
        return (Expr){arena_printf(w->arena, "%s %s%s %s", at_level(w, value_expr(w, v->args[0]), left), infix,
                                   logical ? infix : "", second),
                      level};
    }
    if (v->op == SCALAR_NOT && v->type.dtype == DT_PRED && v->type.lanes == 1)
        return (Expr){arena_printf(w->arena, "!%s", at_level(w, value_expr(w, v->args[0]), LEVEL_PRIMARY)),
                      LEVEL_UNARY};
    if (v->op == SCALAR_SELECT && v->type.lanes == 1)
        return (Expr){arena_printf(w->arena, "%s ? %s : %s", at_level(w, value_expr(w, v->args[0]), LEVEL_COMPARE),
                                   at_level(w, value_expr(w, v->args[1]), LEVEL_COMPARE),
                                   at_level(w, value_expr(w, v->args[2]), LEVEL_COMPARE)),
                      0};
    const KValue *last = v->args[v->n_args - 1];
    return call(w, use_symbol(w, "hlocc_%s_%s", scalar_name(v->op), type_suffix(w, last->type)), v);
}

static Expr index_value(Writer *w, const KValue *v) {
    Expr e = index_expr(w, v->index);
    if (v->type.dtype == DT_S64) return e;
    return (Expr){arena_printf(w->arena, "(%s)%s", scalar_type(v->type.dtype), at_level(w, e, LEVEL_PRIMARY)),
                  LEVEL_UNARY};
}

static Expr splat_expr(Writer *w, const KValue *v) {
    return call(w, use_symbol(w, "hlocc_splat_%s", type_suffix(w, v->type)), v);
}

static Expr shift_expr(Writer *w, const KValue *v, const char *name) {
    const char *symbol = use_symbol(w, "hlocc_%s_%s", name, type_suffix(w, v->type));
    if (v->n_args == 2)
        return primary(arena_printf(w->arena, "%s(%s, %lld, %s)", symbol, argument(w, v->args[0]), (long long)v->number,
                                    argument(w, v->args[1])));
    return primary(arena_printf(w->arena, "%s(%s, %lld)", symbol, argument(w, v->args[0]), (long long)v->number));
}

static Expr value_expr(Writer *w, const KValue *v) {
    const char *suffix = type_suffix(w, v->type);
    switch (v->kind) {
    case KVALUE_CONST: {
        const char *text = constant_text(w, v->type.dtype, v->bits);
        return (Expr){text, text[0] == '-' ? LEVEL_UNARY : LEVEL_PRIMARY};
    }
    case KVALUE_VAR:
        return primary(v->var->name);
    case KVALUE_INDEX:
        return index_value(w, v);
    case KVALUE_LOAD:
        return load_expr(w, v);
    case KVALUE_SCALAR:
        return scalar_expr(w, v);
    case KVALUE_CONVERT:
        return call(w, use_symbol(w, "hlocc_%s_from_%s", suffix, type_suffix(w, v->args[0]->type)), v);
    case KVALUE_BITCAST:
        return call(w, use_symbol(w, "hlocc_bitcast_%s_%s", suffix, type_suffix(w, v->args[0]->type)), v);
    case KVALUE_SPLAT:
        return splat_expr(w, v);
    case KVALUE_IOTA:
        return primary(arena_printf(w->arena, "%s()", use_symbol(w, "hlocc_iota_%s", suffix)));
    case KVALUE_FIRST:
        return primary(
            arena_printf(w->arena, "%s(%lld)", use_symbol(w, "hlocc_first_%s", suffix), (long long)v->number));
    case KVALUE_LANE:
        return primary(arena_printf(w->arena, "%s(%s, %lld)",
                                    use_symbol(w, "hlocc_lane_%s", type_suffix(w, v->args[0]->type)),
                                    argument(w, v->args[0]), (long long)v->number));
    case KVALUE_DOWN:
        return shift_expr(w, v, "down");
    case KVALUE_UP:
        return shift_expr(w, v, "up");
    case KVALUE_ZIP_LO:
        return call(w, use_symbol(w, "hlocc_zip_lo_%s", suffix), v);
    case KVALUE_ZIP_HI:
        return call(w, use_symbol(w, "hlocc_zip_hi_%s", suffix), v);
    case KVALUE_ENCODE:
        return call(
            w, use_symbol(w, "hlocc_%s_from_%s", dtype_name((DType)v->number), type_suffix(w, v->args[0]->type)), v);
    case KVALUE_DECODE:
        return call(w, use_symbol(w, "hlocc_%s_from_%s", suffix, dtype_name((DType)v->number)), v);
    case KVALUE_CALL:
        return call(w,
                    v->type.lanes == 1 ? use_symbol(w, "hlocc_%s", v->name)
                                       : use_symbol(w, "hlocc_%sx%d", v->name, v->type.lanes),
                    v);
    }
    return primary("0");
}

const char *expression(Writer *w, const KValue *value) {
    return value_expr(w, value).text;
}
