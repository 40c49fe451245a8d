#include <string.h>

#include "codegen/writer.h"

/* Statements. */

static void write_let(Writer *w, const KStmt *stmt) {
    const char *type = stmt->var->is_index && stmt->var->type.lanes == 1 ? "ptrdiff_t" : value_type(w, stmt->var->type);
    write_line(w, "%s%s %s = %s;", stmt->kind == KSTMT_LET ? "const " : "", type, stmt->var->name,
               expression(w, stmt->value));
}

/* Types whose elements are not what registers hold. */
static bool converts(DType storage) {
    return storage != DT_PRED && dtype_is_float(storage) && register_type(storage) != storage;
}

static void scalar_store(Writer *w, const KStmt *stmt) {
    DType storage = stmt->buffer->dtype;
    const char *value = expression(w, stmt->value), *from = dtype_name(stmt->value->type.dtype);
    if (converts(storage))
        value = arena_printf(w->arena, "%s(%s)", use_symbol(w, "hlocc_%s_from_%s", dtype_name(storage), from), value);
    write_line(w, "%s[%s] = %s;", stmt->buffer->name, index_text(w, stmt->index), value);
}

/* Lanes that do not lie next to each other. */
static void spread_store(Writer *w, const KStmt *stmt, const char *kind, const char *where, const char *value) {
    const char *mask =
        stmt->count
            ? arena_printf(w->arena, "%s(%d), ", use_symbol(w, "hlocc_first_m%d", stmt->value->type.lanes), stmt->count)
            : "";
    if (stmt->access == KACCESS_STRIDED && stmt->count)
        write_line(w, "%s(%s, %lld, %d, %s);", use_symbol(w, "hlocc_storesn_%s", kind), where, (long long)stmt->stride,
                   stmt->count, value);
    else if (stmt->access == KACCESS_STRIDED)
        write_line(w, "%s(%s, %lld, %s);", use_symbol(w, "hlocc_stores_%s", kind), where, (long long)stmt->stride,
                   value);
    else
        write_line(
            w, "%s(%s, %s, %s%s);",
            use_symbol(w, "hlocc_scatter%s_%s_%s", stmt->count ? "m" : "", kind, type_suffix(w, stmt->where->type)),
            where, expression(w, stmt->where), mask, value);
}

/* What masks and storage types cannot scatter is scattered as integers. */
static void odd_store(Writer *w, const KStmt *stmt, const char *where) {
    DType storage = stmt->buffer->dtype, bits = dtype_bytes(storage) == 2 ? DT_U16 : DT_U8;
    int lanes = stmt->value->type.lanes;
    const char *raw = type_suffix(w, (KType){bits, lanes});
    const char *to = storage == DT_PRED ? raw : dtype_name(storage);
    const char *value =
        arena_printf(w->arena, "%s(%s)", use_symbol(w, "hlocc_%s_from_%s", to, type_suffix(w, stmt->value->type)),
                     expression(w, stmt->value));
    spread_store(w, stmt, raw, where, value);
}

static void write_store(Writer *w, const KStmt *stmt) {
    if (stmt->value->type.lanes == 1) {
        scalar_store(w, stmt);
        return;
    }
    DType storage = stmt->buffer->dtype;
    const char *where = address_of(w, stmt->buffer, stmt->index), *value = expression(w, stmt->value);
    const char *suffix = type_suffix(w, stmt->value->type);
    const char *kind = converts(storage) ? arena_printf(w->arena, "%s_%s", suffix, dtype_name(storage)) : suffix;
    if (stmt->access == KACCESS_UNIT && stmt->count)
        write_line(w, "%s(%s, %d, %s);", use_symbol(w, "hlocc_storen_%s", kind), where, stmt->count, value);
    else if (stmt->access == KACCESS_UNIT)
        write_line(w, "%s(%s, %s);", use_symbol(w, "hlocc_store_%s", kind), where, value);
    else if (storage == DT_PRED || (converts(storage) && stmt->access == KACCESS_GATHER))
        odd_store(w, stmt, where);
    else
        spread_store(w, stmt, kind, where, value);
}

enum { UNROLLED = 4 }; /* passes of a loop that is KFOR_UNROLLED */

static void write_for(Writer *w, const KStmt *stmt) {
    const char *name = stmt->var->name, *step = stmt->step == 1
                                                    ? arena_printf(w->arena, "%s++", name)
                                                    : arena_printf(w->arena, "%s += %lld", name, (long long)stmt->step);
    bool parallel = stmt->for_kind == KFOR_PARALLEL;
    if (parallel) write_line(w, "%s(%s)", use_symbol(w, "HLOCC_PARALLEL_FOR"), index_text(w, stmt->high));
    if (stmt->for_kind == KFOR_UNROLLED) write_line(w, "%s(%d)", use_symbol(w, "HLOCC_UNROLL"), UNROLLED);
    write_line(w, "for (ptrdiff_t %s = %s; %s < %s; %s) {", name, index_text(w, stmt->index), name,
               index_text(w, stmt->high), step);
    w->indent++;
    if (parallel) write_slots(w, stmt->body, name);
    write_block(w, stmt->body);
    w->indent--;
    write_line(w, "}");
}

static void write_if(Writer *w, const KStmt *stmt) {
    write_line(w, "if (%s) {", expression(w, stmt->value));
    w->indent++;
    write_block(w, stmt->body);
    w->indent--;
    if (stmt->other && stmt->other->stmts.n) {
        write_line(w, "} else {");
        w->indent++;
        write_block(w, stmt->other);
        w->indent--;
    }
    write_line(w, "}");
}

/* while (condition) when the test comes first, else a loop that is left in the middle. */
static void write_while(Writer *w, const KStmt *stmt) {
    const KStmt *first = stmt->body->stmts.n ? stmt->body->stmts.at[0] : NULL;
    if (first && first->kind == KSTMT_BREAK_UNLESS) write_line(w, "while (%s) {", expression(w, first->value));
    else write_line(w, "for (;;) {");
    w->indent++;
    KBlock rest = *stmt->body;
    if (first && first->kind == KSTMT_BREAK_UNLESS) {
        rest.stmts.at++;
        rest.stmts.n--;
    }
    write_block(w, &rest);
    w->indent--;
    write_line(w, "}");
}

static void write_call(Writer *w, const KStmt *stmt) {
    Text text = {0};
    if (stmt->may_fail) text_put(&text, "if ((error = ");
    text_printf(&text, "%s(", stmt->func ? stmt->func->name : use_symbol(w, "%s", stmt->text));
    for (int i = 0; i < stmt->n_arguments; i++) {
        const KArgument *a = &stmt->arguments[i];
        if (i) text_put(&text, ", ");
        if (a->buffer) text_put(&text, address_of(w, a->buffer, a->index));
        else if (a->var) text_put(&text, a->var->name);
        else if (a->value) text_put(&text, expression(w, a->value));
        else text_put(&text, a->text);
    }
    text_put(&text, stmt->may_fail ? "))) return error;" : ");");
    write_line(w, "%s", text_string(&text));
    text_free(&text);
}

static void write_swap(Writer *w, const KStmt *stmt) {
    const char *a = stmt->buffer->name, *b = stmt->target->name;
    write_line(w, "{ %s *const t = %s; %s = %s; %s = t; }", storage_type(w, stmt->buffer->dtype), a, a, b, b);
}

static void write_statement(Writer *w, const KStmt *stmt) {
    switch (stmt->kind) {
    case KSTMT_LET:
    case KSTMT_VAR:
        write_let(w, stmt);
        return;
    case KSTMT_SET:
        write_line(w, "%s = %s;", stmt->var->name, expression(w, stmt->value));
        return;
    case KSTMT_STORE:
        write_store(w, stmt);
        return;
    case KSTMT_LOCAL:
        write_line(w, "%s%s %s[%lld];",
                   stmt->buffer->align > 16 ? arena_printf(w->arena, "%s(%lld) ", use_symbol(w, "HLOCC_ALIGNED"),
                                                           (long long)stmt->buffer->align)
                                            : "",
                   storage_type(w, stmt->buffer->dtype), stmt->buffer->name, (long long)stmt->buffer->elements);
        return;
    case KSTMT_POINTER:
        write_line(w, "%s *%s = %s;", storage_type(w, stmt->buffer->dtype), stmt->buffer->name,
                   address_of(w, stmt->target, stmt->index));
        return;
    case KSTMT_FOR:
        write_for(w, stmt);
        return;
    case KSTMT_WHILE:
        write_while(w, stmt);
        return;
    case KSTMT_BREAK_UNLESS:
        write_line(w, "if (!(%s)) break;", expression(w, stmt->value));
        return;
    case KSTMT_IF:
        write_if(w, stmt);
        return;
    case KSTMT_CALL:
    case KSTMT_RUNTIME:
        write_call(w, stmt);
        return;
    case KSTMT_USER_CALL:
        write_user_call(w, stmt);
        return;
    case KSTMT_COLLECTIVE:
        write_collective(w, stmt);
        return;
    case KSTMT_COPY:
        write_line(w, "memcpy(%s, %s, %lld * sizeof(%s));", address_of(w, stmt->buffer, stmt->index),
                   address_of(w, stmt->target, stmt->index2), (long long)stmt->elements,
                   storage_type(w, stmt->buffer->dtype));
        return;
    case KSTMT_SWAP:
        write_swap(w, stmt);
        return;
    case KSTMT_RETURN_ERROR:
        write_line(w, "return %s;", stmt->text);
        return;
    case KSTMT_COMMENT:
        write_comment(w, stmt->text);
        return;
    }
}

void write_block(Writer *w, const KBlock *block) {
    for (int i = 0; i < block->stmts.n; i++) write_statement(w, block->stmts.at[i]);
}
