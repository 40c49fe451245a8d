#include "passes/lower/scope.h"

#include <string.h>

#include "passes/lower/host.h"

/* A name for a function or constant of the program. */
static const char *program_name(Lowering *low, const char *base) {
    const char *id = identifier_of(low->arena, base, false);
    const char *name = id;
    for (int k = 2; string_table_get(&low->names, name, strlen(name)); k++)
        name = arena_printf(low->arena, "%s_%d", id, k);
    string_table_put(low->arena, &low->names, name, strlen(name), low);
    return name;
}

const char *constant_name(Lowering *low, const char *base) {
    return program_name(low,
                        arena_printf(low->arena, "%s_%s", low->options.prefix, identifier_of(low->arena, base, false)));
}

Scope *scope_new(Lowering *low, Scope *caller, const char *name) {
    Scope *scope = NEW(low->arena, Scope);
    scope->low = low;
    scope->caller = caller;
    scope->func = kfunc_new(low->program, program_name(low, name));
    scope->emitter = emitter_new(scope->func);
    return scope;
}

static bool owns_buffer(const Scope *scope, const KBuffer *buffer) {
    return !scope->caller || buffer->owner == scope->func || buffer->kind == KBUFFER_CONSTANT;
}

KBuffer *scope_buffer(Scope *scope, KBuffer *buffer) {
    if (owns_buffer(scope, buffer)) return buffer;
    KBuffer *outer = scope_buffer(scope->caller, buffer);
    if (outer->kind == KBUFFER_CONSTANT) return outer;
    for (int i = 0; i < scope->bound.n; i++)
        if (scope->bound.at[i].outer == outer) return scope->bound.at[i].inner;
    KBuffer *inner = kbuffer_new(scope->low->program, scope->func, KBUFFER_ARGUMENT,
                                 emit_name_for_good(scope->emitter, outer->name), outer->dtype, outer->elements);
    inner->shape = outer->shape;
    inner->from = outer->from;
    vec_push(scope->low->arena, &scope->bound, (Bound){outer, inner, NULL, NULL});
    vec_push(scope->low->arena, &scope->func->params, (KParam){KPARAM_BUFFER, inner, NULL});
    return inner;
}

static bool owns_var(const Scope *scope, const KVar *var) {
    return !scope->caller || var->func == scope->func;
}

KVar *scope_var(Scope *scope, KVar *var) {
    if (owns_var(scope, var)) return var;
    KVar *outer = scope_var(scope->caller, var);
    for (int i = 0; i < scope->bound.n; i++)
        if (scope->bound.at[i].outer_var == outer) return scope->bound.at[i].inner_var;
    const char *name = emit_name_for_good(scope->emitter, outer->name);
    KVar *inner;
    if (outer->is_index) {
        Interval range = index_range(scope->caller->func->domain, outer->index);
        inner = kvar_index(scope->func, NULL, name, range, outer->index->kind == INDEX_SYM);
        inner->low = outer->low;
        inner->step = outer->step;
    } else {
        inner = kvar_new(scope->func, NULL, name, outer->type, false);
    }
    inner->from = outer->from;
    vec_push(scope->low->arena, &scope->bound, (Bound){NULL, NULL, outer, inner});
    vec_push(scope->low->arena, &scope->func->params,
             (KParam){outer->is_index ? KPARAM_INDEX : KPARAM_SCALAR, NULL, inner});
    return inner;
}

typedef struct {
    Scope *scope;
    const Index **dims, **syms;
} Renaming;

static void rename_variable(const Index *variable, void *context) {
    Renaming *r = context;
    KFunc *outer = r->scope->caller->func;
    bool dim = variable->kind == INDEX_DIM;
    KVar *var = dim ? outer->dims.at[variable->value] : outer->syms.at[variable->value];
    (dim ? r->dims : r->syms)[variable->value] = scope_var(r->scope, var)->index;
}

const Index *scope_index(Scope *scope, const Index *index) {
    KFunc *outer = scope->caller->func;
    Renaming r = {scope, NEW_ARRAY(scope->low->arena, const Index *, outer->dims.n + 1),
                  NEW_ARRAY(scope->low->arena, const Index *, outer->syms.n + 1)};
    index_walk_variables(index, rename_variable, &r);
    return index_substitute(scope->low->pool, index, outer->dims.n, r.dims, outer->syms.n, r.syms);
}

KValue *scope_scalar(Scope *scope, KValue *value) {
    KFunc *f = scope->func;
    if (!scope->caller) return value;
    if (value->kind == KVALUE_CONST) return kvalue_const(f, value->type, value->bits);
    if (scope->caller->caller) value = scope_scalar(scope->caller, value);
    if (value->kind == KVALUE_INDEX) return kvalue_index(f, value->type.dtype, scope_index(scope, value->index));
    value = emit_let(scope->caller->emitter, value, NULL);
    return kvalue_var(f, scope_var(scope, value->var));
}

void scope_call(Scope *scope, const Instr *from) {
    Lowering *low = scope->low;
    KArgument *arguments = NEW_ARRAY(low->arena, KArgument, scope->bound.n);
    for (int i = 0; i < scope->bound.n; i++) {
        const Bound *b = &scope->bound.at[i];
        if (b->outer) {
            arguments[i].buffer = b->outer;
            b->outer->written |= b->inner->written;
        } else if (b->outer_var->is_index) {
            arguments[i].var = b->outer_var;
        } else {
            arguments[i].value = kvalue_var(scope->caller->func, b->outer_var);
        }
    }
    vec_push(low->arena, &low->program->funcs, scope->func);
    emit_statement(scope->caller->emitter, (KStmt){.kind = KSTMT_CALL,
                                                   .func = scope->func,
                                                   .n_arguments = scope->bound.n,
                                                   .arguments = arguments,
                                                   .from = from});
}
