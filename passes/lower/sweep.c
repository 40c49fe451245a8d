#include "passes/lower/lower.h"

/* Takes away what nothing reads: values that a fold made useless, arrays that only a bound of zero iterations would
 * fill, arguments, constants. Each function is walked once, backwards, with the number of readers of every variable and
 * buffer: what goes takes its own readings along, so chains go in one walk. */

typedef struct {
    Arena *arena;
    KFunc *func;
    int change; /* +1 while counting, -1 when a statement goes */
} Sweep;

static void read_variable(const Index *variable, void *context) {
    Sweep *s = context;
    KVar *var = variable->kind == INDEX_DIM ? s->func->dims.at[variable->value] : s->func->syms.at[variable->value];
    var->reads += s->change;
}

static void read_index(Sweep *s, const Index *e) {
    if (e) index_walk_variables(e, read_variable, s);
}

static void read_buffer(Sweep *s, KBuffer *buffer) {
    if (buffer) buffer->reads += s->change;
}

/* own: the variable that the value is for; that it reads itself keeps nothing alive. */
static void read_value(Sweep *s, const KValue *value, const KVar *own) {
    if (!value) return;
    if (value->var && value->var != own) value->var->reads += s->change;
    read_index(s, value->index);
    read_buffer(s, value->buffer);
    for (int i = 0; i < value->n_args; i++) read_value(s, value->args[i], own);
}

static bool fills_local(const KStmt *stmt) {
    return (stmt->kind == KSTMT_STORE || stmt->kind == KSTMT_COPY) && stmt->buffer->kind == KBUFFER_LOCAL;
}

static void read_statement(Sweep *s, const KStmt *stmt) {
    bool declares = stmt->kind == KSTMT_LOCAL || stmt->kind == KSTMT_POINTER;
    if (!declares && !fills_local(stmt)) read_buffer(s, stmt->buffer);
    read_buffer(s, stmt->target);
    read_value(s, stmt->value, stmt->kind == KSTMT_SET ? stmt->var : NULL);
    read_value(s, stmt->where, NULL);
    read_index(s, stmt->index);
    read_index(s, stmt->index2);
    read_index(s, stmt->high);
    for (int i = 0; i < stmt->n_arguments; i++) {
        const KArgument *argument = &stmt->arguments[i];
        read_buffer(s, argument->buffer);
        read_index(s, argument->index);
        read_value(s, argument->value, NULL);
        if (argument->var) argument->var->reads += s->change;
    }
}

static bool is_unread(const KParam *param) {
    return (param->kind == KPARAM_BUFFER ? param->buffer->reads : param->var->reads) == 0;
}

/* The callee was swept before its callers. */
static void drop_arguments(KStmt *stmt) {
    int n = 0;
    if (stmt->kind != KSTMT_CALL || stmt->func->is_entry) return;
    for (int i = 0; i < stmt->n_arguments; i++)
        if (!is_unread(&stmt->func->params.at[i])) stmt->arguments[n++] = stmt->arguments[i];
    stmt->n_arguments = n;
}

static void count_block(Sweep *s, const KBlock *block) {
    for (int i = 0; i < block->stmts.n; i++) {
        KStmt *stmt = block->stmts.at[i];
        drop_arguments(stmt);
        read_statement(s, stmt);
        if (stmt->body) count_block(s, stmt->body);
        if (stmt->other) count_block(s, stmt->other);
    }
}

static bool is_empty(const KBlock *block) {
    for (int i = 0; block && i < block->stmts.n; i++)
        if (block->stmts.at[i]->kind != KSTMT_COMMENT) return false;
    return true;
}

static bool is_useless(const KStmt *stmt) {
    switch ((int)stmt->kind) {
        case KSTMT_LET:
        case KSTMT_VAR:
        case KSTMT_SET: return stmt->var->reads == 0;
        case KSTMT_LOCAL:
        case KSTMT_POINTER: return stmt->buffer->reads == 0;
        case KSTMT_STORE:
        case KSTMT_COPY: return fills_local(stmt) && stmt->buffer->reads == 0;
        case KSTMT_FOR: return is_empty(stmt->body);
        case KSTMT_IF: return is_empty(stmt->body) && is_empty(stmt->other);
        default: return false;
    }
}

static void sweep_block(Sweep *s, KBlock *block) {
    int kept = block->stmts.n;
    for (int i = block->stmts.n - 1; i >= 0; i--) {
        KStmt *stmt = block->stmts.at[i];
        if (stmt->other) sweep_block(s, stmt->other);
        if (stmt->body) sweep_block(s, stmt->body);
        if (is_useless(stmt)) read_statement(s, stmt);
        else block->stmts.at[--kept] = stmt;
    }
    int n = block->stmts.n - kept;
    for (int i = 0; kept && i < n; i++) block->stmts.at[i] = block->stmts.at[kept + i];
    block->stmts.n = n;
}

static void drop_params(KFunc *func) {
    int n = 0;
    for (int i = 0; i < func->params.n; i++)
        if (!is_unread(&func->params.at[i])) func->params.at[n++] = func->params.at[i];
    func->params.n = n;
}

void sweep_unread(KProgram *program) {
    for (int i = 0; i < program->funcs.n; i++) {
        Sweep s = {program->arena, program->funcs.at[i], 1};
        count_block(&s, s.func->body);
        s.change = -1;
        sweep_block(&s, s.func->body);
    }
    for (int i = 0; i < program->funcs.n; i++)
        if (!program->funcs.at[i]->is_entry && !program->funcs.at[i]->is_combiner) drop_params(program->funcs.at[i]);
    int n = 0;
    for (int i = 0; i < program->constants.n; i++)
        if (program->constants.at[i]->reads) program->constants.at[n++] = program->constants.at[i];
    program->constants.n = n;
}
