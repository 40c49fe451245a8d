#include "ir/kernel.h"

#include <stdlib.h>
#include <string.h>

/* --emit=kernels: functions with their statements, close to C but with types, lanes and accesses spelt out. */

typedef struct {
    Text *out;
    const KFunc *func;
    int indent;
    IndexNames names;
} Printer;

static void index_out(Printer *p, const Index *index) {
    index_print(p->out, index, &p->names);
}

static void type_out(Printer *p, KType type) {
    text_put(p->out, dtype_name(type.dtype));
    if (type.lanes > 1) text_printf(p->out, "x%d", type.lanes);
}

static const char *const kind_words[] = {
    [KVALUE_CONST] = "const",   [KVALUE_VAR] = "var",         [KVALUE_INDEX] = "index",     [KVALUE_LOAD] = "load",
    [KVALUE_SCALAR] = "scalar", [KVALUE_CONVERT] = "convert", [KVALUE_BITCAST] = "bitcast", [KVALUE_SPLAT] = "splat",
    [KVALUE_IOTA] = "iota",     [KVALUE_FIRST] = "first",     [KVALUE_LANE] = "lane",       [KVALUE_DOWN] = "down",
    [KVALUE_UP] = "up",         [KVALUE_ZIP_LO] = "zip-lo",   [KVALUE_ZIP_HI] = "zip-hi",   [KVALUE_ENCODE] = "encode",
    [KVALUE_DECODE] = "decode", [KVALUE_CALL] = "call"};

static void access_out(Printer *p, KAccess access, int64_t stride, int count) {
    if (access == KACCESS_STRIDED) text_printf(p->out, " stride %lld", (long long)stride);
    if (access == KACCESS_GATHER) text_put(p->out, " gather");
    if (count) text_printf(p->out, " first %d", count);
}

static void value_out(Printer *p, const KValue *v) {
    double number;
    if (v->kind == KVALUE_VAR) {
        text_put(p->out, v->var->name);
        return;
    }
    if (v->kind == KVALUE_CONST && kvalue_is_const(v, &number)) {
        text_printf(p->out, "%.9g:", number);
        type_out(p, v->type);
        return;
    }
    text_put(p->out, v->kind == KVALUE_SCALAR ? scalar_name(v->op)
                     : v->kind == KVALUE_CALL ? v->name
                                              : kind_words[v->kind]);
    text_char(p->out, ':');
    type_out(p, v->type);
    text_char(p->out, '(');
    if (v->kind == KVALUE_LOAD) text_printf(p->out, "%s[", v->buffer->name);
    if (v->index) index_out(p, v->index);
    if (v->kind == KVALUE_LOAD) {
        text_char(p->out, ']');
        access_out(p, v->access, v->stride, v->count);
    }
    for (int i = 0; i < v->n_args; i++) {
        if (i || v->index) text_put(p->out, ", ");
        value_out(p, v->args[i]);
    }
    if (v->number) text_printf(p->out, ", %lld", (long long)v->number);
    text_char(p->out, ')');
}

static void line(Printer *p) {
    text_repeat(p->out, ' ', 2 * p->indent);
}

static void block_out(Printer *p, const KBlock *block);

static void nested(Printer *p, const KBlock *block) {
    p->indent++;
    block_out(p, block);
    p->indent--;
}

static void call_out(Printer *p, const KStmt *s) {
    text_printf(p->out, "call %s(", s->func ? s->func->name : s->text);
    for (int i = 0; i < s->n_arguments; i++) {
        const KArgument *a = &s->arguments[i];
        if (i) text_put(p->out, ", ");
        if (a->buffer) text_put(p->out, a->buffer->name);
        else if (a->var) text_put(p->out, a->var->name);
        else if (a->value) value_out(p, a->value);
        else text_put(p->out, a->text);
    }
    text_put(p->out, ")\n");
}

static void collective_out(Printer *p, const KStmt *s) {
    static const char *const phases[] = {"", "start ", "finish "};
    text_printf(p->out, "%s%s(", phases[s->phase], op_name(s->collective->instr->op));
    for (int i = 0; i < s->n_arguments; i++) {
        bool first_result = i == s->n_arguments - s->n_results;
        if (i) text_put(p->out, first_result ? " -> " : ", ");
        text_put(p->out, s->arguments[i].buffer->name);
    }
    text_put(p->out, ")\n");
}

static void assignment_out(Printer *p, const char *word, const KStmt *s) {
    text_printf(p->out, "%s %s = ", word, s->var->name);
    value_out(p, s->value);
    text_char(p->out, '\n');
}

static void store_out(Printer *p, const KStmt *s) {
    text_printf(p->out, "store %s[", s->buffer->name);
    index_out(p, s->index);
    text_char(p->out, ']');
    access_out(p, s->access, s->stride, s->count);
    text_put(p->out, " = ");
    value_out(p, s->value);
    text_char(p->out, '\n');
}

static void for_out(Printer *p, const KStmt *s) {
    static const char *const words[] = {
        [KFOR_SERIAL] = "for", [KFOR_UNROLLED] = "unrolled", [KFOR_PARALLEL] = "parallel"};
    text_printf(p->out, "%s %s = ", words[s->for_kind], s->var->name);
    index_out(p, s->index);
    text_put(p->out, " to ");
    index_out(p, s->high);
    if (s->step != 1) text_printf(p->out, " by %lld", (long long)s->step);
    text_char(p->out, '\n');
    nested(p, s->body);
}

static void statement_out(Printer *p, const KStmt *s) {
    line(p);
    switch (s->kind) {
    case KSTMT_LET:
        assignment_out(p, "let", s);
        return;
    case KSTMT_VAR:
        assignment_out(p, "var", s);
        return;
    case KSTMT_SET:
        assignment_out(p, "set", s);
        return;
    case KSTMT_STORE:
        store_out(p, s);
        return;
    case KSTMT_FOR:
        for_out(p, s);
        return;
    case KSTMT_CALL:
    case KSTMT_RUNTIME:
        call_out(p, s);
        return;
    case KSTMT_USER_CALL:
        text_printf(p->out, "call of the user's %s: %d arrays, %d results\n", s->user_call->function, s->n_arguments,
                    s->n_results);
        return;
    case KSTMT_COLLECTIVE:
        collective_out(p, s);
        return;
    case KSTMT_LOCAL:
        text_printf(p->out, "local %s: %s[%lld]\n", s->buffer->name, dtype_name(s->buffer->dtype),
                    (long long)s->buffer->elements);
        return;
    case KSTMT_POINTER:
        text_printf(p->out, "pointer %s = %s\n", s->buffer->name, s->target->name);
        return;
    case KSTMT_SWAP:
        text_printf(p->out, "swap %s, %s\n", s->buffer->name, s->target->name);
        return;
    case KSTMT_COPY:
        text_printf(p->out, "copy %s = %s, %lld\n", s->buffer->name, s->target->name, (long long)s->elements);
        return;
    case KSTMT_WHILE:
        text_put(p->out, "while\n");
        nested(p, s->body);
        return;
    case KSTMT_BREAK_UNLESS:
    case KSTMT_IF:
        text_put(p->out, s->kind == KSTMT_IF ? "if " : "break unless ");
        value_out(p, s->value);
        text_char(p->out, '\n');
        if (s->body) nested(p, s->body);
        if (!s->other) return;
        line(p);
        text_put(p->out, "else\n");
        nested(p, s->other);
        return;
    case KSTMT_RETURN_ERROR:
    case KSTMT_COMMENT:
        text_printf(p->out, "%s %s\n", s->kind == KSTMT_COMMENT ? "#" : "return", s->text);
        return;
    }
}

static void block_out(Printer *p, const KBlock *block) {
    for (int i = 0; i < block->stmts.n; i++) statement_out(p, block->stmts.at[i]);
}

/* Loop variables with a step count iterations: the text shows C's variable where that is the same. */
static const char **variable_names(Arena *arena, int n, KVar *const *vars) {
    const char **names = NEW_ARRAY(arena, const char *, n + 1);
    for (int i = 0; i < n; i++)
        names[i] = vars[i]->step == 1 ? vars[i]->name
                                      : arena_printf(arena, "(%s/%lld)", vars[i]->name, (long long)vars[i]->step);
    return names;
}

static void func_out(Text *out, const KFunc *func) {
    Arena *arena = func->program->arena;
    Printer p = {out, func, 1, {.n_dims = func->dims.n, .n_syms = func->syms.n}};
    p.names.dims = variable_names(arena, func->dims.n, func->dims.at);
    p.names.syms = variable_names(arena, func->syms.n, func->syms.at);
    text_printf(out, "%s %s(", func->is_entry ? "entry" : "kernel", func->name);
    for (int i = 0; i < func->params.n; i++) {
        const KParam *param = &func->params.at[i];
        if (i) text_put(out, ", ");
        if (param->kind == KPARAM_BUFFER)
            text_printf(out, "%s%s: %s[%lld]", param->buffer->written ? "out " : "", param->buffer->name,
                        dtype_name(param->buffer->dtype), (long long)param->buffer->elements);
        else {
            text_printf(out, "%s: ", param->var->name);
            type_out(&p, param->var->type);
        }
    }
    text_printf(out, ")%s%s\n", func->title ? " # " : "", func->title ? func->title : "");
    block_out(&p, func->body);
}

static void slot_out(Text *out, const KBuffer *slot) {
    text_printf(out, "  slot %s: %s[%lld] at %lld%s\n", slot->name, dtype_name(slot->dtype), (long long)slot->elements,
                (long long)slot->offset, slot->per_thread ? " per thread" : "");
}

void kernel_print(Text *out, const KProgram *program) {
    text_printf(out, "workspace %lld + %lld per thread\n", (long long)program->workspace_bytes,
                (long long)program->thread_bytes);
    for (int i = 0; i < program->slots.n; i++) slot_out(out, program->slots.at[i]);
    for (int i = 0; i < program->constants.n; i++)
        text_printf(out, "constant %s: %s[%lld]\n", program->constants.at[i]->name,
                    dtype_name(program->constants.at[i]->dtype), (long long)program->constants.at[i]->elements);
    for (int i = 0; i < program->funcs.n; i++) func_out(out, program->funcs.at[i]);
}
