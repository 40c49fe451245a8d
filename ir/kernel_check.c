/* The invariants of ir/kernel.h, after lowering: what is wrong is ours. Walks what the code generator will print. */
#include <string.h>

#include "ir/kernel.h"

typedef struct {
    const KProgram *program;
    const char *pass;
    Arena *scratch;
    KeyTable done;    /* functions that stand before */
    const KFunc *func;
    KeyTable scopes;  /* variable or buffer -> Scope in which it is declared, while that is open */
    int n_whiles;     /* around the statement */
    bool guarded;     /* entered only under a condition: subscripts may be narrower than their ranges say */
} Check;

static _Noreturn void fail(const Check *check, const Instr *from, const char *what, const char *name) {
    internal_error(from ? from->name : check->func->name, "after pass '%s': %s%s%s%s (in kernel '%s')", check->pass,
                   what, name ? " '" : "", name ? name : "", name ? "'" : "", check->func->name);
}

static void declare(Check *check, const void *what) {
    key_table_put(check->scratch, &check->scopes, POINTER_KEY(what), check);
}

static bool is_declared(const Check *check, const void *what) {
    return key_table_get(&check->scopes, POINTER_KEY(what)) == check;
}

/* Tables forget nothing: what was declared in a block is put out of reach when the block ends. */
static void undeclare(Check *check, const void *what) {
    static char closed;
    key_table_put(check->scratch, &check->scopes, POINTER_KEY(what), &closed);
}

/* --- subscripts and buffers --------------------------------------------------------------------------------------- */

typedef struct {
    const Check *check;
    const Instr *from;
} IndexVisit;

static void visit_variable(const Index *variable, void *context) {
    const IndexVisit *visit = context;
    const KFunc *func = visit->check->func;
    int n = variable->kind == INDEX_DIM ? func->dims.n : func->syms.n;
    if (variable->value >= n) fail(visit->check, visit->from, "a subscript of an unknown variable", NULL);
    const KVar *var = variable->kind == INDEX_DIM ? func->dims.at[variable->value] : func->syms.at[variable->value];
    if (!is_declared(visit->check, var)) fail(visit->check, visit->from, "a subscript outside the scope of", var->name);
}

static void check_index(const Check *check, const Index *index, const Instr *from) {
    IndexVisit visit = {check, from};
    if (index) index_walk_variables(index, visit_variable, &visit);
}

static void check_buffer(const Check *check, const KBuffer *buffer, const Instr *from) {
    if (!buffer) fail(check, from, "an access without a buffer", NULL);
    bool of_program = buffer->kind == KBUFFER_CONSTANT || buffer->kind == KBUFFER_SLOT;
    if (!of_program && !is_declared(check, buffer)) fail(check, from, "an access outside the scope of", buffer->name);
    if (of_program && buffer->kind == KBUFFER_SLOT && !check->func->is_entry)
        fail(check, from, "a kernel that names the workspace itself:", buffer->name);
}

/* n elements from index on, `stride` apart, lie inside. */
static void check_inside(const Check *check, const KBuffer *buffer, const Index *index, int64_t n, int64_t stride,
                         const Instr *from) {
    if (check->guarded || !index || n <= 0) return;
    if (check->func->is_combiner) return; /* an argument says how long its arrays are */
    Interval range = index_range(check->func->domain, index);
    int64_t reach = (n - 1) * stride, low = reach < 0 ? reach : 0, high = reach > 0 ? reach : 0;
    if (range.low != INT64_MIN && range.low + low < 0)
        fail(check, from, "an access before the beginning of", buffer->name);
    if (range.high != INT64_MAX && range.high + high >= buffer->elements)
        fail(check, from, "an access behind the end of", buffer->name);
}

static void check_access(const Check *check, const KBuffer *buffer, const Index *index, KAccess access, int64_t stride,
                         int lanes, int count, const Instr *from) {
    check_buffer(check, buffer, from);
    if (!index) fail(check, from, "an access without a subscript to", buffer->name);
    check_index(check, index, from);
    if (count < 0 || count > lanes) fail(check, from, "more lanes than there are, in", buffer->name);
    int64_t n = count ? count : lanes;
    if (access == KACCESS_UNIT) check_inside(check, buffer, index, n, 1, from);
    if (access == KACCESS_STRIDED) check_inside(check, buffer, index, n, stride, from);
}

/* --- values ------------------------------------------------------------------------------------------------------- */

static bool is_register_type(DType dtype) {
    return dtype_class(dtype) != DTYPE_COMPLEX && dtype_class(dtype) != DTYPE_OTHER && register_type(dtype) == dtype;
}

static bool same_type(KType a, KType b) {
    return a.dtype == b.dtype && a.lanes == b.lanes;
}

/* Whether an operator works on values of a register type. */
static bool takes(ScalarOp op, DType dtype) {
    enum { F = 1, S = 2, U = 4, P = 8, I = S | U };
    static const int types[N_SCALARS] = {
#define SCALAR(id, name, operands, types, ...) [SCALAR_##id] = types,
#include "ir/scalars.def"
#undef SCALAR
    };
    switch (dtype_class(dtype)) {
    case DTYPE_PRED:
        return types[op] & P;
    case DTYPE_SIGNED:
        return types[op] & S;
    case DTYPE_UNSIGNED:
        return types[op] & U;
    case DTYPE_FLOAT:
        return types[op] & F;
    case DTYPE_COMPLEX:
    case DTYPE_OTHER:
        break;
    }
    return false;
}

static void check_scalar(const Check *check, const KValue *v) {
    if (v->n_args != scalar_operands(v->op)) fail(check, v->from, "the number of operands of", scalar_name(v->op));
    bool select = v->op == SCALAR_SELECT;
    DType dtype = v->args[v->n_args - 1]->type.dtype;
    for (int i = 0; i < v->n_args; i++) {
        DType wanted = select && i == 0 ? DT_PRED : dtype;
        if (v->args[i]->type.lanes != v->type.lanes)
            fail(check, v->from, "operands of unequal lanes of", scalar_name(v->op));
        if (v->args[i]->type.dtype != wanted) fail(check, v->from, "operands of unequal types of", scalar_name(v->op));
    }
    if (!takes(v->op, dtype)) fail(check, v->from, dtype_name(dtype), scalar_name(v->op));
    if (v->type.dtype != (scalar_gives_pred(v->op) ? DT_PRED : dtype))
        fail(check, v->from, "the type of", scalar_name(v->op));
}

static void check_load(const Check *check, const KValue *v) {
    check_access(check, v->buffer, v->index, v->access, v->stride, v->type.lanes, v->count, v->from);
    if (v->type.dtype != register_type(v->buffer->dtype))
        fail(check, v->from, "the type of a load from", v->buffer->name);
    if ((v->access == KACCESS_GATHER) != (v->n_args == 1))
        fail(check, v->from, "the places of a load from", v->buffer->name);
    if (v->n_args && v->args[0]->type.lanes != v->type.lanes)
        fail(check, v->from, "places of other lanes in a load from", v->buffer->name);
}

static const char *wrong_lanes(const KValue *v) {
    const KValue *a = v->n_args ? v->args[0] : NULL;
    int lanes = v->type.lanes;
    switch (v->kind) {
    case KVALUE_SPLAT:
        return a->type.lanes != 1 || a->type.dtype != v->type.dtype ? "a splat of something else" : NULL;
    case KVALUE_FIRST:
        return v->type.dtype != DT_PRED || v->number < 0 || v->number > lanes ? "a mask of more lanes than there are"
                                                                              : NULL;
    case KVALUE_LANE:
        return lanes != 1 || a->type.dtype != v->type.dtype || v->number < 0 || v->number >= a->type.lanes
                   ? "a lane that is not there" : NULL;
    case KVALUE_DOWN:
        return v->n_args != 1 || !same_type(a->type, v->type) || v->number < 1 || v->number >= lanes
                   ? "a shift downwards by a wrong distance, or with something to fill in" : NULL;
    case KVALUE_UP:
        return v->n_args != 2 || !same_type(a->type, v->type) || v->args[1]->type.lanes != 1 ||
                       v->args[1]->type.dtype != v->type.dtype || v->number < 1 || v->number >= lanes
                   ? "a shift upwards by a wrong distance, or without a scalar to fill in" : NULL;
    case KVALUE_ZIP_LO:
    case KVALUE_ZIP_HI:
        return v->n_args != 2 || lanes < 2 || !same_type(a->type, v->type) || !same_type(v->args[1]->type, v->type)
                   ? "vectors of unequal types are interleaved" : NULL;
    case KVALUE_CONVERT:
    case KVALUE_ENCODE:
    case KVALUE_DECODE:
        return a->type.lanes != lanes ? "a conversion to other lanes" : NULL;
    case KVALUE_BITCAST:
        return a->type.lanes != lanes || dtype_bits(a->type.dtype) != dtype_bits(v->type.dtype)
                   ? "bits of a value of another size" : NULL;
    case KVALUE_IOTA:
        return dtype_is_float(v->type.dtype) || v->type.dtype == DT_PRED ? "lane numbers that are no integers" : NULL;
    case KVALUE_INDEX:
        return lanes != 1 || !v->index || !dtype_is_integer(v->type.dtype) ? "an index value that is no integer" : NULL;
    case KVALUE_CONST:
        return lanes != 1 ? "a constant with lanes" : NULL;
    case KVALUE_VAR:
        return !same_type(v->type, v->var->type) ? "a variable of another type" : NULL;
    case KVALUE_CALL:
        for (int i = 0; i < v->n_args; i++) /* lanes may be folded to a scalar */
            if (v->args[i]->type.lanes != lanes && lanes > 1) return "an argument of other lanes";
        return !v->name ? "a call of nothing" : NULL;
    case KVALUE_LOAD:
    case KVALUE_SCALAR:
        break;
    }
    return NULL;
}

static void check_value(const Check *check, const KValue *v) {
    for (int i = 0; i < v->n_args; i++) check_value(check, v->args[i]);
    if (!is_register_type(v->type.dtype)) fail(check, v->from, "a value of a storage type:", dtype_name(v->type.dtype));
    if (v->kind == KVALUE_SCALAR) check_scalar(check, v);
    else if (v->kind == KVALUE_LOAD) check_load(check, v);
    else check_index(check, v->index, v->from);
    if (v->kind == KVALUE_VAR && !is_declared(check, v->var))
        fail(check, v->from, "a use outside the scope of", v->var->name);
    const char *wrong = wrong_lanes(v);
    if (wrong) fail(check, v->from, wrong, v->kind == KVALUE_VAR ? v->var->name : v->name);
}

/* --- statements --------------------------------------------------------------------------------------------------- */

static void check_block(Check *check, const KBlock *block);

static void check_store(const Check *check, const KStmt *s) {
    check_value(check, s->value);
    check_access(check, s->buffer, s->index, s->access, s->stride, s->value->type.lanes, s->count, s->from);
    if (s->value->type.dtype != register_type(s->buffer->dtype))
        fail(check, s->from, "the type of a store to", s->buffer->name);
    if ((s->access == KACCESS_GATHER) != (s->where != NULL))
        fail(check, s->from, "the places of a store to", s->buffer->name);
    if (s->where) check_value(check, s->where);
    bool constant = s->buffer->kind == KBUFFER_CONSTANT || (s->buffer->kind == KBUFFER_ARGUMENT && !s->buffer->written);
    if (constant) fail(check, s->from, "a store to what is only read:", s->buffer->name);
}

static void check_argument(const Check *check, const KStmt *s, const KArgument *a, const KParam *param) {
    if (a->value) check_value(check, a->value);
    if (a->var && !is_declared(check, a->var)) fail(check, s->from, "an argument outside the scope of", a->var->name);
    if (!a->buffer) {
        if (param && param->kind == KPARAM_BUFFER)
            fail(check, s->from, "an argument that is no buffer, of", s->func->name);
        return;
    }
    check_buffer(check, a->buffer, s->from);
    check_index(check, a->index, s->from);
    if (!param) return;
    if (param->kind != KPARAM_BUFFER) fail(check, s->from, "a buffer for an argument that is none, of", s->func->name);
    if (a->buffer->dtype != param->buffer->dtype) fail(check, s->from, "the type of the argument", a->buffer->name);
    const Index *first = a->index ? a->index : index_const(check->program->pool, 0);
    check_inside(check, a->buffer, first, param->buffer->elements, 1, s->from);
    if (param->buffer->written && a->buffer->kind == KBUFFER_ARGUMENT && !a->buffer->written)
        fail(check, s->from, "a call that writes what is only read:", a->buffer->name);
}

static void check_call(const Check *check, const KStmt *s) {
    bool known = s->kind == KSTMT_CALL;
    if (known && !key_table_get(&check->done, POINTER_KEY(s->func)))
        fail(check, s->from, "a call of what comes later", NULL);
    if (known && s->n_arguments != s->func->params.n) fail(check, s->from, "the number of arguments of", s->func->name);
    for (int i = 0; i < s->n_arguments; i++)
        check_argument(check, s, &s->arguments[i], known ? &s->func->params.at[i] : NULL);
}

static void check_for(Check *check, const KStmt *s) {
    if (!s->var->is_index || s->step < 1) fail(check, s->from, "a loop that does not count:", s->var->name);
    check_index(check, s->index, s->from);
    check_index(check, s->high, s->from);
    declare(check, s->var);
    check_block(check, s->body);
    undeclare(check, s->var);
}

static void check_if(Check *check, const KStmt *s) {
    bool guarded = check->guarded;
    check->guarded = true;
    check_block(check, s->body);
    if (s->other) check_block(check, s->other);
    check->guarded = guarded;
}

static void check_assignment(Check *check, const KStmt *s) {
    check_value(check, s->value);
    if (!same_type(s->value->type, s->var->type)) fail(check, s->from, "a value of another type for", s->var->name);
    if ((s->kind != KSTMT_LET) != s->var->mutable_)
        fail(check, s->from, "a variable that may change or not:", s->var->name);
    if (s->kind == KSTMT_SET && !is_declared(check, s->var))
        fail(check, s->from, "an assignment outside the scope of", s->var->name);
    if (s->kind != KSTMT_SET) declare(check, s->var);
}

static void check_memory(Check *check, const KStmt *s) {
    check_buffer(check, s->target, s->from);
    if (s->kind == KSTMT_POINTER) declare(check, s->buffer);
    else check_buffer(check, s->buffer, s->from);
    check_index(check, s->index, s->from);
    check_index(check, s->index2, s->from);
    if (s->buffer->dtype != s->target->dtype) fail(check, s->from, "memory of another type than", s->buffer->name);
    if (s->kind != KSTMT_COPY) return;
    check_inside(check, s->buffer, s->index, s->elements, 1, s->from);
    check_inside(check, s->target, s->index2, s->elements, 1, s->from);
}

static void check_condition(const Check *check, const KStmt *s) {
    check_value(check, s->value);
    if (!same_type(s->value->type, (KType){DT_PRED, 1})) fail(check, s->from, "a condition that is no predicate", NULL);
}

static void check_statement(Check *check, const KStmt *s) {
    switch (s->kind) {
    case KSTMT_LET:
    case KSTMT_VAR:
    case KSTMT_SET:
        check_assignment(check, s);
        return;
    case KSTMT_STORE:
        check_store(check, s);
        return;
    case KSTMT_LOCAL:
        declare(check, s->buffer);
        return;
    case KSTMT_POINTER:
    case KSTMT_COPY:
    case KSTMT_SWAP:
        check_memory(check, s);
        return;
    case KSTMT_FOR:
        check_for(check, s);
        return;
    case KSTMT_WHILE:
        check->n_whiles++;
        check_block(check, s->body);
        check->n_whiles--;
        return;
    case KSTMT_BREAK_UNLESS:
        if (!check->n_whiles) fail(check, s->from, "an end of a loop outside of any", NULL);
        check_condition(check, s);
        return;
    case KSTMT_IF:
        check_condition(check, s);
        check_if(check, s);
        return;
    case KSTMT_CALL:
    case KSTMT_RUNTIME:
    case KSTMT_COLLECTIVE:
    case KSTMT_USER_CALL:
        check_call(check, s);
        return;
    case KSTMT_RETURN_ERROR:
    case KSTMT_COMMENT:
        return;
    }
}

static const void *declared_by(const KStmt *s) {
    if (s->kind == KSTMT_LET || s->kind == KSTMT_VAR) return s->var;
    return s->kind == KSTMT_LOCAL || s->kind == KSTMT_POINTER ? s->buffer : NULL;
}

static void check_block(Check *check, const KBlock *block) {
    for (int i = 0; i < block->stmts.n; i++) check_statement(check, block->stmts.at[i]);
    for (int i = 0; i < block->stmts.n; i++) {
        const void *declared = declared_by(block->stmts.at[i]);
        if (declared) undeclare(check, declared);
    }
}

void kernel_check(const KProgram *program, const char *pass) {
    Check check = {.program = program, .pass = pass, .scratch = arena_new()};
    for (int f = 0; f < program->funcs.n; f++) {
        const KFunc *func = check.func = program->funcs.at[f];
        for (int i = 0; i < func->params.n; i++) {
            const KParam *param = &func->params.at[i];
            declare(&check, param->kind == KPARAM_BUFFER ? (const void *)param->buffer : param->var);
        }
        if (func->is_entry && program->threads) declare(&check, program->threads);
        if (func->is_entry && program->device) declare(&check, program->device);
        check_block(&check, func->body);
        key_table_put(check.scratch, &check.done, POINTER_KEY(func), &check);
    }
    check.func = program->entry;
    if (!program->funcs.n || program->funcs.at[program->funcs.n - 1] != program->entry)
        fail(&check, NULL, "the entry is not the last function", NULL);
    arena_free(check.scratch);
}
