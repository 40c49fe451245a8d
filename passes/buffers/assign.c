#include "passes/lower/lower.h"

/* The workspace: every slot gets an offset, and slots that are never in use at the same time share memory.
 *
 * Statements of the host function are numbered in order. A slot is in use from the first to the last statement that
 * names it; when it is named inside a loop but declared (first named) before it, until the end of that loop: the next
 * iteration reads what this one left. */

enum { ALIGNMENT = 64 };

typedef struct {
    KBuffer *buffer;
    int first, last;
    int64_t bytes;
} Life;

typedef struct {
    KProgram *program;
    KeyTable lives; /* buffer -> Life */
    VEC(Life *) all;
    int now;
} Liveness;

static Life *life_of(Liveness *l, KBuffer *buffer) {
    Life *life = key_table_get(&l->lives, POINTER_KEY(buffer));
    if (life) return life;
    life = NEW(l->program->arena, Life);
    *life = (Life){buffer, l->now, l->now, buffer->elements * dtype_bytes(buffer->dtype)};
    key_table_put(l->program->arena, &l->lives, POINTER_KEY(buffer), life);
    vec_push(l->program->arena, &l->all, life);
    return life;
}

static void name_buffer(Liveness *l, KBuffer *buffer) {
    if (buffer && buffer->kind == KBUFFER_SLOT) life_of(l, buffer)->last = l->now;
}

static void name_values(Liveness *l, const KValue *value) {
    if (!value) return;
    name_buffer(l, value->buffer);
    for (int i = 0; i < value->n_args; i++) name_values(l, value->args[i]);
}

static void walk(Liveness *l, const KBlock *block);

/* Pointer variables keep what they were made from alive for as long as they may be used: the block they stand in. */
static void walk_statement(Liveness *l, const KStmt *stmt) {
    l->now++;
    name_buffer(l, stmt->buffer);
    name_buffer(l, stmt->target);
    name_values(l, stmt->value);
    name_values(l, stmt->where);
    for (int i = 0; i < stmt->n_arguments; i++) {
        name_buffer(l, stmt->arguments[i].buffer);
        name_values(l, stmt->arguments[i].value);
    }
    bool loop = stmt->kind == KSTMT_FOR || stmt->kind == KSTMT_WHILE;
    int start = l->now, known = l->all.n;
    if (stmt->body) walk(l, stmt->body);
    if (stmt->other) walk(l, stmt->other);
    l->now++;
    for (int i = 0; loop && i < known; i++)
        if (l->all.at[i]->last > start) l->all.at[i]->last = l->now;
}

static void walk(Liveness *l, const KBlock *block) {
    int first = l->all.n;
    VEC(KBuffer *) pointed = {0};
    for (int i = 0; i < block->stmts.n; i++) {
        const KStmt *stmt = block->stmts.at[i];
        walk_statement(l, stmt);
        if (stmt->kind == KSTMT_POINTER) vec_push(l->program->arena, &pointed, stmt->target);
    }
    (void)first;
    for (int i = 0; i < pointed.n; i++) name_buffer(l, pointed.at[i]);
}

static int by_size(const Life *a, const Life *b) {
    if (a->bytes != b->bytes) return a->bytes > b->bytes ? -1 : 1;
    return a->first - b->first;
}

static bool overlap(const Life *a, const Life *b) {
    return a->first <= b->last && b->first <= a->last;
}

/* Largest first, each at the lowest offset that is free while it lives. */
static int64_t place_all(Liveness *l, bool per_thread) {
    VEC(Life *) sorted = {0}, placed = {0};
    Arena *arena = l->program->arena;
    int64_t total = 0;
    for (int i = 0; i < l->all.n; i++) {
        if (l->all.at[i]->buffer->per_thread != per_thread) continue;
        vec_push(arena, &sorted, l->all.at[i]);
        for (int k = sorted.n - 1; k > 0 && by_size(sorted.at[k], sorted.at[k - 1]) < 0; k--) {
            Life *t = sorted.at[k];
            sorted.at[k] = sorted.at[k - 1];
            sorted.at[k - 1] = t;
        }
    }
    for (int i = 0; i < sorted.n; i++) {
        Life *life = sorted.at[i];
        int64_t size = (life->bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT, offset = 0;
        for (bool moved = true; moved;) {
            moved = false;
            for (int k = 0; k < placed.n; k++) {
                const Life *other = placed.at[k];
                int64_t end = other->buffer->offset + (other->bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
                if (!overlap(life, other) || offset >= end || offset + size <= other->buffer->offset) continue;
                offset = end;
                moved = true;
            }
        }
        life->buffer->offset = offset;
        vec_push(arena, &placed, life);
        if (offset + size > total) total = offset + size;
    }
    return total;
}

void assign_workspace(KProgram *program) {
    Liveness l = {.program = program};
    walk(&l, program->entry->body);
    program->workspace_bytes = place_all(&l, false);
    program->thread_bytes = place_all(&l, true);
}
