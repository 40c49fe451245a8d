#include "passes/lower/emit.h"

#include <ctype.h>
#include <string.h>

enum { NAMED_SIZE = 4 }; /* an expression of so many operations gets a name of its own */

static const char *const reserved[] = {
    "auto",     "break",  "case",    "char",   "const",    "continue", "default",  "do",       "double",   "else",
    "enum",     "extern", "float",   "for",    "goto",     "if",       "inline",   "int",      "long",     "register",
    "restrict", "return", "short",   "signed", "sizeof",   "static",   "struct",   "switch",   "typedef",  "union",
    "unsigned", "void",   "volatile", "while", "workspace", "ws", "own",
    "ctx",     "main",     "asm",      "class",    "new",
    "delete",   "this",   "template", "namespace", "operator", "private", "public", "protected", "try",    "catch",
    "throw",    "using",  "virtual", "true",   "false",    "bool",     "and",      "or",       "not",      "xor",
    "typeof",   "friend", "export",  "mutable", "explicit", "typename", "wchar_t", "in",       "out",     "error",
};

Emitter *emitter_new(KFunc *func) {
    Emitter *e = NEW(func->program->arena, Emitter);
    e->func = func;
    e->arena = func->program->arena;
    vec_push(e->arena, &e->open, func->body);
    vec_push(e->arena, &e->openers, NULL);
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        string_table_put(e->arena, &e->names, reserved[i], strlen(reserved[i]), e);
    return e;
}

KBlock *emitter_block(const Emitter *e) {
    return e->open.at[e->open.n - 1];
}

const char *identifier_of(Arena *arena, const char *name, bool stripped) {
    size_t n = strlen(name);
    if (stripped) {
        size_t end = n;
        while (end > 1 && isdigit((unsigned char)name[end - 1])) end--;
        if (end > 1 && end < n && name[end - 1] == '.') n = end - 1;
    }
    char *id = arena_string(arena, name, n);
    for (size_t i = 0; i < n; i++)
        if (!isalnum((unsigned char)id[i])) id[i] = '_';
    if (strncmp(id, "hlocc", 5) == 0 || id[0] == '_' || isdigit((unsigned char)id[0]))
        return arena_printf(arena, "v_%s", id + (id[0] == '_'));
    return id;
}

/* A name for something declared in block; it is free again when the block is closed. */
static const char *name_in(Emitter *e, KBlock *block, const char *base) {
    const char *id = identifier_of(e->arena, base, false);
    for (int k = 2; string_table_get(&e->names, id, strlen(id)); k++)
        id = arena_printf(e->arena, "%s_%d", identifier_of(e->arena, base, false), k);
    string_table_put(e->arena, &e->names, id, strlen(id), e);
    vec_push(e->arena, &block->names, id);
    return id;
}

const char *emit_name(Emitter *e, const char *base) {
    return name_in(e, emitter_block(e), base);
}

const char *emit_name_for_good(Emitter *e, const char *base) {
    return name_in(e, e->func->body, base);
}

static void free_names(Emitter *e, const KBlock *block) {
    for (int i = 0; i < block->names.n; i++)
        string_table_put(e->arena, &e->names, block->names.at[i], strlen(block->names.at[i]), NULL);
}

/* --- blocks ------------------------------------------------------------------------------------------------------- */

static void append(Emitter *e, KBlock *block, KStmt *stmt) {
    e->func->n_statements++;
    vec_push(e->arena, &block->stmts, stmt);
}

static KStmt *new_statement(Emitter *e, KStmt statement) {
    KStmt *stmt = NEW(e->arena, KStmt);
    *stmt = statement;
    return stmt;
}

static KBlock *open_block(Emitter *e, KStmt *opener, bool guarded) {
    KBlock *block = NEW(e->arena, KBlock);
    block->parent = emitter_block(e);
    block->depth = e->open.n;
    block->guarded = guarded;
    vec_push(e->arena, &e->open, block);
    vec_push(e->arena, &e->openers, opener);
    return block;
}

/* An iteration may see other values of variables than the one before, or than what comes behind the loop: what reads
 * them is never the same value across a loop's borders, and stays in the block where it is read. */
static void renew_mutables(Emitter *e) {
    for (int i = 0; i < e->mutables.n; i++) e->mutables.at[i]->version++;
}

const Index *emit_for(Emitter *e, const char *name, const Index *low, const Index *high, int64_t step, KForKind kind) {
    IndexPool *pool = e->func->program->pool;
    KStmt *stmt = new_statement(e, (KStmt){.kind = KSTMT_FOR, .index = low, .high = high, .step = step,
                                           .for_kind = kind});
    Interval first = index_range(e->func->domain, low), last = index_range(e->func->domain, high);
    stmt->body = open_block(e, stmt, false);
    bool constant = low->kind == INDEX_CONST, multiple = !constant && index_is_const(index_modulo(pool, low, step), 0);
    bool counts = step > 1 && (constant || multiple);
    int64_t from = constant ? low->value : 0;
    Interval range = {first.low, last.high - 1};
    if (counts) range = (Interval){0, ceil_div(last.high - from, step) - 1};
    stmt->var = kvar_index(e->func, stmt->body, emit_name(e, name), range, false);
    renew_mutables(e);
    if (!counts) return stmt->var->index;
    stmt->var->low = from;
    stmt->var->step = step;
    return index_plus(pool, index_times(pool, stmt->var->index, step), from);
}

void emit_while(Emitter *e) {
    KStmt *stmt = new_statement(e, (KStmt){.kind = KSTMT_WHILE});
    stmt->body = open_block(e, stmt, false);
    renew_mutables(e);
}

void emit_if(Emitter *e, KValue *condition) {
    emit_batch(e);
    KStmt *stmt = emit_statement(e, (KStmt){.kind = KSTMT_IF, .value = condition});
    emit_flush(e);
    emitter_block(e)->stmts.n--; /* it comes back when the block is closed, behind what moves out of it */
    e->func->n_statements--;
    stmt->body = open_block(e, stmt, true);
}

void emit_else(Emitter *e) {
    free_names(e, emitter_block(e));
    KStmt *stmt = e->openers.at[e->openers.n - 1];
    e->open.n--;
    e->openers.n--;
    stmt->other = open_block(e, stmt, true);
}

void emit_end(Emitter *e) {
    free_names(e, emitter_block(e));
    KStmt *stmt = e->openers.at[e->openers.n - 1];
    e->open.n--;
    e->openers.n--;
    append(e, emitter_block(e), stmt);
    if (stmt->kind != KSTMT_IF) renew_mutables(e);
}

/* --- placement ---------------------------------------------------------------------------------------------------- */

typedef struct {
    const KFunc *func;
    int depth;
} Deepest;

static void deepest_variable(const Index *variable, void *context) {
    Deepest *d = context;
    const KVar *var = variable->kind == INDEX_DIM ? d->func->dims.at[variable->value]
                                                  : d->func->syms.at[variable->value];
    if (var->block && var->block->depth > d->depth) d->depth = var->block->depth;
}

/* Depth of the outermost block in which everything that v depends on is known; what is already named in an open block
 * needs no more than its name. */
static int place(Emitter *e, KValue *v) {
    if (v->depth && (!v->placed_at || v->placed_at == e->stamp)) return v->depth - 1;
    Deepest d = {e->func, 0};
    bool for_good = true;
    if (v->index) index_walk_variables(v->index, deepest_variable, &d);
    if (v->kind == KVALUE_VAR && v->var->mutable_) {
        d.depth = e->open.n - 1;
        for_good = false;
    } else if (v->kind == KVALUE_VAR && v->var->block) {
        d.depth = v->var->block->depth;
    }
    if (v->buffer && v->buffer->ready && v->buffer->ready->depth > d.depth) d.depth = v->buffer->ready->depth;
    for (int i = 0; i < v->n_args; i++) {
        int depth = place(e, v->args[i]);
        if (depth > d.depth) d.depth = depth;
        for_good &= !v->args[i]->placed_at;
    }
    v->depth = d.depth + 1;
    v->placed_at = for_good ? 0 : e->stamp;
    return d.depth;
}

static int placed(Emitter *e, KValue *v) {
    int depth = place(e, v);
    if (depth >= e->open.n) internal_error(v->from ? v->from->name : e->func->name, "a value outlives its block");
    for (int i = e->open.n - 1; i > depth; i--)
        if (e->open.at[i]->guarded) return i;
    return depth;
}

static KVar *named(const Emitter *e, const KValue *v) {
    for (int i = e->open.n - 1; i >= 0; i--) {
        KVar *var = key_table_get(&e->open.at[i]->lets, POINTER_KEY(v));
        if (var) return var;
    }
    return NULL;
}

/* No name pays for these: they are as short as one. */
static bool is_trivial(const KValue *v) {
    if (v->kind == KVALUE_SPLAT) return is_trivial(v->args[0]);
    return v->kind == KVALUE_CONST || v->kind == KVALUE_VAR || v->kind == KVALUE_IOTA || v->kind == KVALUE_INDEX;
}

static void count_uses(Emitter *e, KValue *v) {
    if (v->stamp != e->stamp) {
        v->stamp = e->stamp;
        v->uses = 0;
    }
    if ((v->uses++ && v->kind != KVALUE_SPLAT) || named(e, v)) return; /* a splat is spelt out at each use */
    for (int i = 0; i < v->n_args; i++) count_uses(e, v->args[i]);
}

static KValue *rebuild(Emitter *e, const KValue *v, KValue *const *args) {
    bool same = true;
    for (int i = 0; i < v->n_args; i++) same &= args[i] == v->args[i];
    if (same) return (KValue *)v;
    KValue *copy = NEW(e->arena, KValue); /* an expression over names: nobody looks it up again */
    *copy = *v;
    for (int i = 0; i < v->n_args; i++) copy->args[i] = args[i];
    return copy;
}

static const char *value_name(const KValue *v) {
    if (v->from) return v->from->name;
    if (v->kind == KVALUE_LOAD && v->buffer->from) return v->buffer->from->name;
    if (v->kind == KVALUE_LOAD) return v->buffer->name;
    for (int i = 0; i < v->n_args; i++) {
        const char *name = value_name(v->args[i]);
        if (name) return name;
    }
    return NULL;
}

static KVar *name_value(Emitter *e, KBlock *block, KValue *original, KValue *expression, const char *name) {
    const char *base = name ? name : value_name(original);
    KVar *var = kvar_new(e->func, block, name_in(e, block, base ? base : "value"), original->type, false);
    var->from = original->from;
    append(e, block, new_statement(e, (KStmt){.kind = KSTMT_LET, .var = var, .value = expression}));
    key_table_put(e->arena, &block->lets, POINTER_KEY(original), var);
    return var;
}

/* v as an expression in the open block number home, after naming what must be named. *size: operations in it. */
static KValue *settle(Emitter *e, KValue *v, int home, int *size) {
    *size = 0;
    KVar *var = named(e, v);
    if (var) return kvalue_var(e->func, var);
    KValue *args[4];
    *size = 1;
    for (int i = 0; i < v->n_args; i++) {
        int inner;
        args[i] = settle(e, v->args[i], home, &inner);
        *size += inner;
    }
    if (is_trivial(v)) {
        *size = 0;
        return rebuild(e, v, args);
    }
    int depth = placed(e, v);
    bool moved = depth < home && v->kind != KVALUE_SPLAT;
    bool shared = v->uses > 1 && v->kind != KVALUE_SPLAT;
    if (!moved && !shared && *size < NAMED_SIZE) return rebuild(e, v, args);
    *size = 0;
    return kvalue_var(e->func, name_value(e, e->open.at[depth], v, rebuild(e, v, args), NULL));
}

static void count_statement(Emitter *e, const KStmt *stmt) {
    if (stmt->value) count_uses(e, stmt->value);
    if (stmt->where) count_uses(e, stmt->where);
    for (int k = 0; k < stmt->n_arguments; k++)
        if (stmt->arguments[k].value) count_uses(e, stmt->arguments[k].value);
}

static void settle_statement(Emitter *e, KStmt *stmt) {
    int size, home = e->open.n - 1;
    if (stmt->value) stmt->value = settle(e, stmt->value, home, &size);
    if (stmt->where) stmt->where = settle(e, stmt->where, home, &size);
    for (int k = 0; k < stmt->n_arguments; k++)
        if (stmt->arguments[k].value) stmt->arguments[k].value = settle(e, stmt->arguments[k].value, home, &size);
}

void emit_batch(Emitter *e) {
    e->batch++;
}

void emit_flush(Emitter *e) {
    if (--e->batch) return;
    e->stamp++;
    for (int i = 0; i < e->pending.n; i++) count_statement(e, e->pending.at[i]);
    for (int i = 0; i < e->pending.n; i++) {
        settle_statement(e, e->pending.at[i]);
        append(e, emitter_block(e), e->pending.at[i]);
    }
    e->pending.n = 0;
}

KStmt *emit_statement(Emitter *e, KStmt statement) {
    KStmt *stmt = new_statement(e, statement);
    emit_batch(e);
    vec_push(e->arena, &e->pending, stmt);
    emit_flush(e);
    return stmt;
}

void emit_break_unless(Emitter *e, KValue *condition) {
    emit_statement(e, (KStmt){.kind = KSTMT_BREAK_UNLESS, .value = condition});
}

KValue *emit_let(Emitter *e, KValue *value, const char *name) {
    if (is_trivial(value)) return value;
    KVar *known = named(e, value);
    if (known) return kvalue_var(e->func, known);
    int size;
    e->stamp++;
    count_uses(e, value);
    KValue *args[4];
    int home = value->kind == KVALUE_LOAD ? e->open.n - 1 : placed(e, value);
    for (int i = 0; i < value->n_args; i++) args[i] = settle(e, value->args[i], home, &size);
    return kvalue_var(e->func, name_value(e, e->open.at[home], value, rebuild(e, value, args), name));
}

KVar *emit_var(Emitter *e, const char *name, KValue *value) {
    KVar *var = kvar_new(e->func, emitter_block(e), emit_name(e, name), value->type, true);
    emit_statement(e, (KStmt){.kind = KSTMT_VAR, .var = var, .value = value});
    vec_push(e->arena, &e->mutables, var);
    return var;
}

static bool reads(const KValue *v, const KVar *var) {
    if (v->kind == KVALUE_VAR) return v->var == var;
    for (int i = 0; i < v->n_args; i++)
        if (reads(v->args[i], var)) return true;
    return false;
}

void emit_sets(Emitter *e, int n, KVar *const *vars, KValue *const *values) {
    KStmt **stmts = NEW_ARRAY(e->arena, KStmt *, n);
    int size;
    e->stamp++;
    for (int i = 0; i < n; i++) count_uses(e, values[i]);
    for (int i = 0; i < n; i++) {
        KValue *value = settle(e, values[i], e->open.n - 1, &size);
        for (int k = 0; k < i; k++) /* an earlier SET would change what it reads */
            if (value->kind != KVALUE_CONST && reads(value, vars[k])) {
                value = kvalue_var(e->func, name_value(e, emitter_block(e), values[i], value, NULL));
                break;
            }
        stmts[i] = new_statement(e, (KStmt){.kind = KSTMT_SET, .var = vars[i], .value = value});
    }
    for (int i = 0; i < n; i++) {
        vars[i]->version++;
        if (stmts[i]->value->kind == KVALUE_VAR && stmts[i]->value->var == vars[i]) continue; /* unchanged */
        append(e, emitter_block(e), stmts[i]);
    }
}

/* Clamped in a type of 32 bits where that holds it: twice the lanes in a vector. A huge unsigned start is a huge start,
 * not a negative one. */
static KValue *clamped(KFunc *f, KValue *value, Interval range) {
    bool small = range.low >= 0 && range.high <= INT32_MAX && dtype_bits(value->type.dtype) <= 32;
    DType dtype = small ? value->type.dtype == DT_U32 ? DT_U32 : DT_S32 : DT_S64;
    if (!small && dtype_class(value->type.dtype) == DTYPE_UNSIGNED) {
        KValue *limits[] = {kvalue_convert(f, DT_U64, value, value->from), kvalue_int(f, DT_U64, range.high)};
        value = kvalue_scalar(f, SCALAR_MIN, 2, limits, value->from);
    }
    KValue *args[] = {kvalue_int(f, dtype, range.low), kvalue_convert(f, dtype, value, value->from),
                      kvalue_int(f, dtype, range.high)};
    value = kvalue_scalar(f, SCALAR_CLAMP, 3, args, value->from);
    return dtype == DT_S32 && value->type.lanes > 1 ? value : kvalue_convert(f, DT_S64, value, value->from);
}

const Index *emit_runtime_index(Emitter *e, KValue *value, Interval range, bool clamp, const char *name) {
    KFunc *f = e->func;
    KValue *wide = kvalue_convert(f, DT_S64, value, value->from);
    if (wide->kind == KVALUE_INDEX) {
        IndexPool *pool = f->program->pool;
        const Index *index = wide->index;
        if (clamp)
            index =
                index_max(pool, index_min(pool, index, index_const(pool, range.high)), index_const(pool, range.low));
        return index_simplify(f->domain, index);
    }
    if (clamp) wide = clamped(f, value, range);
    double number;
    if (kvalue_is_const(wide, &number)) return index_const(f->program->pool, (int64_t)number);
    for (int i = e->open.n - 1; i >= 0; i--) {
        KVar *known = key_table_get(&e->open.at[i]->lets, POINTER_KEY(wide) ^ 1);
        if (known) return known->index;
    }
    int size;
    e->stamp++;
    count_uses(e, wide);
    int home = placed(e, wide);
    KValue *settled = settle(e, wide, home, &size);
    KBlock *block = e->open.at[home];
    KVar *var = kvar_index(f, block, name_in(e, block, name), range, true);
    var->type.lanes = wide->type.lanes;
    var->type.dtype = wide->type.dtype;
    append(e, block, new_statement(e, (KStmt){.kind = KSTMT_LET, .var = var, .value = settled}));
    key_table_put(e->arena, &block->lets, POINTER_KEY(wide) ^ 1, var);
    return var->index;
}

void emit_store(Emitter *e, StoreTo to, KValue *value, const Instr *from) {
    to.buffer->written = true;
    emit_statement(e, (KStmt){.kind = KSTMT_STORE, .buffer = to.buffer, .index = to.index, .access = to.access,
                              .stride = to.stride, .where = to.where, .count = to.count, .value = value,
                              .from = from});
}

void emit_local(Emitter *e, KBuffer *buffer) {
    buffer->ready = emitter_block(e);
    append(e, emitter_block(e), new_statement(e, (KStmt){.kind = KSTMT_LOCAL, .buffer = buffer}));
}
