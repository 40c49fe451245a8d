#include <ctype.h>
#include <string.h>

#include "codegen/writer.h"

/* Equal kernels are written once: a model of thirty equal layers has the code of one. Two kernels are equal when their
 * texts are, apart from comments, blanks, and the names that a kernel gives to its own arguments and variables. */

typedef struct {
    Writer *w;
    StringTable own; /* names of the kernel's own: int, numbered by first appearance */
    int n_seen;
} Renaming;

enum { NOT_SEEN = 1 << 30 };

static void own_name(Renaming *r, const char *name) {
    int *number = NEW(r->w->arena, int);
    *number = NOT_SEEN;
    if (name) string_table_put(r->w->arena, &r->own, name, strlen(name), number);
}

static void own_block(Renaming *r, const KBlock *block) {
    for (int i = 0; block && i < block->stmts.n; i++) {
        const KStmt *stmt = block->stmts.at[i];
        if (stmt->var) own_name(r, stmt->var->name);
        if (stmt->kind == KSTMT_LOCAL || stmt->kind == KSTMT_POINTER) own_name(r, stmt->buffer->name);
        own_block(r, stmt->body);
        own_block(r, stmt->other);
    }
}

static void own_names(Renaming *r, const KFunc *func) {
    for (int i = 0; i < func->params.n; i++) {
        const KParam *param = &func->params.at[i];
        own_name(r, param->kind == KPARAM_BUFFER ? param->buffer->name : param->var->name);
    }
    own_block(r, func->body);
}

/* The identifier as text has it, or the number of an own one. */
static void put_word(Renaming *r, Text *out, const char *word, size_t n) {
    int *number = string_table_get(&r->own, word, n);
    if (!number) {
        text_bytes(out, word, n);
        return;
    }
    if (*number == NOT_SEEN) *number = r->n_seen++;
    text_printf(out, "$%d", *number);
}

static const char *skip_comment(const char *at) {
    const char *end = strstr(at + 2, "*/");
    return end ? end + 2 : at + strlen(at);
}

/* A blank between words counts, others do not: lines are broken by the length of names. */
static const char *without_names(Renaming *r, const KFunc *func, const char *text) {
    Text out = {0};
    bool apart = false;
    for (const char *at = text; *at;) {
        bool word = isalnum((unsigned char)*at) || *at == '_';
        if (at[0] == '/' && at[1] == '*') {
            at = skip_comment(at);
        } else if (isspace((unsigned char)*at)) {
            apart = true;
            at++;
        } else if (word) {
            size_t n = 0;
            while (isalnum((unsigned char)at[n]) || at[n] == '_') n++;
            if (apart) text_char(&out, ' ');
            if (n != strlen(func->name) || memcmp(at, func->name, n) != 0) put_word(r, &out, at, n);
            at += n;
            apart = false;
        } else {
            text_char(&out, *at++);
            apart = false;
        }
    }
    const char *result = arena_string(r->w->arena, text_string(&out), out.n);
    text_free(&out);
    return result;
}

void write_kernel_once(Writer *w, KFunc *func) {
    Renaming renaming = {.w = w};
    size_t start = w->body.n;
    write_kernel(w, func);
    own_names(&renaming, func);
    const char *text = without_names(&renaming, func, text_string(&w->body) + start);
    const KFunc *same = string_table_get(&w->kernels, text, strlen(text));
    if (!same) {
        string_table_put(w->arena, &w->kernels, text, strlen(text), func);
        return;
    }
    text_cut(&w->body, start);
    func->name = same->name;
}
