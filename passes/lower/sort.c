#include "passes/lower/sort_key.h"

/* sort: the positions along the sorted dim are sorted, by keys where the comparator has any, else by a merge sort,
 * bottom up, with the comparator inlined; then every operand is gathered by the sorted positions. Always stable: legal
 * for sorts that need not be, and reproducible. */

typedef struct {
    Frame *frame;
    Instr *instr;
    int dim;
    int64_t n;
    Kernel kernel;
    const Index **index; /* of the row; index[dim] is set for each element */
    KBuffer *from, *to;  /* positions, before and after a pass */
    KBuffer *keys, *spare_keys;
} Sort;

static KValue *var_value(Sort *s, KVar *var) {
    return kvalue_var(s->kernel.scope->func, var);
}

static KValue *number(Sort *s, int64_t value) {
    return kvalue_int(s->kernel.scope->func, DT_S64, value);
}

static KValue *op2(Sort *s, ScalarOp op, KValue *a, KValue *b) {
    return kvalue_scalar(s->kernel.scope->func, op, 2, (KValue *[]){a, b}, NULL);
}

static void set(Sort *s, KVar *var, KValue *value) {
    emit_sets(s->kernel.scope->emitter, 1, &var, &value);
}

static const Index *as_index(Sort *s, KValue *value, const char *name) {
    return emit_runtime_index(s->kernel.scope->emitter, value, (Interval){0, s->n - 1}, false, name);
}

/* The position at place `at` of the array that is read; what runs past the end is brought back (it is not used). */
static KValue *position_at(Sort *s, KVar *at, const char *name) {
    KValue *inside = op2(s, SCALAR_MIN, var_value(s, at), number(s, s->n - 1));
    Elem loaded = pull_load_at(&s->kernel.puller, s->from, DT_S32, as_index(s, inside, name));
    return emit_let(s->kernel.scope->emitter, loaded.part[0], name);
}

static Elem element_at(Sort *s, int operand, const Index *position) {
    s->index[s->dim] = position;
    return kernel_load(&s->kernel, s->instr->operands[operand], 0, s->index);
}

/* Whether the element at position a goes before the one at position b. */
static KValue *goes_before(Sort *s, KValue *a, KValue *b) {
    Arena *arena = s->frame->low->arena;
    int n = s->instr->n_operands;
    Elem *arguments = NEW_ARRAY(arena, Elem, 2 * n), result;
    const Index *left = as_index(s, a, "x"), *right = as_index(s, b, "y");
    const Computation *comparator = instr_computation(s->instr, ATTR_TO_APPLY);
    for (int k = 0; k < n; k++) {
        bool used = comparator->parameters[2 * k]->users.n || comparator->parameters[2 * k + 1]->users.n;
        if (!used) continue;
        arguments[2 * k] = element_at(s, k, left);
        arguments[2 * k + 1] = element_at(s, k, right);
    }
    pull_computation(&s->kernel.puller, comparator, arguments, &result);
    return result.part[0];
}

/* One element more of the merge of [i, middle) and [j, high) into place k. */
static void merge_step(Sort *s, KVar *i, KVar *j, KVar *k, KValue *middle, KValue *high) {
    Emitter *e = s->kernel.scope->emitter;
    KFunc *f = s->kernel.scope->func;
    KValue *left = position_at(s, i, "left"), *right = position_at(s, j, "right");
    KValue *later = goes_before(s, right, left);
    KValue *not_later = kvalue_scalar(f, SCALAR_NOT, 1, &later, NULL);
    KValue *take = op2(s, SCALAR_AND, op2(s, SCALAR_LT, var_value(s, i), middle),
                       op2(s, SCALAR_OR, op2(s, SCALAR_GE, var_value(s, j), high), not_later));
    take = emit_let(e, take, "take_left");
    KValue *taken = kvalue_scalar(f, SCALAR_SELECT, 3, (KValue *[]){take, left, right}, NULL);
    push_store(&s->kernel.puller, s->to, DT_S32, as_index(s, var_value(s, k), "place"), (Elem){{taken, NULL}}, NULL);
    KValue *step = kvalue_convert(f, DT_S64, take, NULL);
    KVar *vars[] = {i, j, k};
    KValue *values[] = {op2(s, SCALAR_ADD, var_value(s, i), step),
                        op2(s, SCALAR_ADD, var_value(s, j), op2(s, SCALAR_SUB, number(s, 1), step)),
                        op2(s, SCALAR_ADD, var_value(s, k), number(s, 1))};
    emit_sets(e, 3, vars, values);
}

static void merge_pair(Sort *s, KVar *low, KVar *width) {
    Emitter *e = s->kernel.scope->emitter;
    KValue *middle = op2(s, SCALAR_MIN, op2(s, SCALAR_ADD, var_value(s, low), var_value(s, width)), number(s, s->n));
    middle = emit_let(e, middle, "middle");
    KValue *high =
        emit_let(e, op2(s, SCALAR_MIN, op2(s, SCALAR_ADD, middle, var_value(s, width)), number(s, s->n)), "high");
    KVar *i = emit_var(e, "i", var_value(s, low)), *j = emit_var(e, "j", middle),
         *k = emit_var(e, "k", var_value(s, low));
    emit_while(e);
    emit_break_unless(e, op2(s, SCALAR_LT, var_value(s, k), high));
    merge_step(s, i, j, k, middle, high);
    emit_end(e);
    set(s, low, high);
}

static void merge_sort(Sort *s) {
    Emitter *e = s->kernel.scope->emitter;
    IndexPool *pool = s->frame->low->pool;
    const Index *at = emit_for(e, "p", index_const(pool, 0), index_const(pool, s->n), 1, KFOR_SERIAL);
    push_store(&s->kernel.puller, s->from, DT_S32, at, (Elem){{kvalue_index(s->kernel.scope->func, DT_S32, at), NULL}},
               NULL);
    emit_end(e);
    KVar *width = emit_var(e, "width", number(s, 1));
    emit_while(e);
    emit_break_unless(e, op2(s, SCALAR_LT, var_value(s, width), number(s, s->n)));
    KVar *low = emit_var(e, "low", number(s, 0));
    emit_while(e);
    emit_break_unless(e, op2(s, SCALAR_LT, var_value(s, low), number(s, s->n)));
    merge_pair(s, low, width);
    emit_end(e);
    set(s, width, op2(s, SCALAR_ADD, var_value(s, width), var_value(s, width)));
    emit_statement(e, (KStmt){.kind = KSTMT_SWAP, .buffer = s->from, .target = s->to});
    emit_end(e);
}

/* Memory of the host function for one row. */
static KBuffer *row_of(Sort *s, const char *name, DType dtype) {
    KBuffer *slot = new_slot(s->frame->low, name, shape_array(s->frame->low->arena, dtype, 1, &s->n));
    KBuffer *argument = scope_buffer(s->kernel.scope, slot);
    argument->written = slot->written = true;
    return argument;
}

static void sort_by_key(Sort *s, const SortKey *key) {
    Emitter *e = s->kernel.scope->emitter;
    Arena *arena = s->frame->low->arena;
    IndexPool *pool = s->frame->low->pool;
    const Index *at = emit_for(e, "p", index_const(pool, 0), index_const(pool, s->n), 1, KFOR_SERIAL);
    push_store(&s->kernel.puller, s->keys, key->key, at, sort_key(&s->kernel, key, element_at(s, key->operand, at)),
               s->instr);
    emit_end(e);
    KBuffer *buffers[] = {s->keys, s->from, s->spare_keys, s->to};
    KArgument *arguments = NEW_ARRAY(arena, KArgument, 5);
    for (int i = 0; i < 4; i++) arguments[i] = (KArgument){.buffer = buffers[i], .index = index_const(pool, 0)};
    arguments[4].text = arena_printf(arena, "%lld", (long long)s->n);
    const char *name = arena_printf(arena, "hlocc_sort_%s", dtype_name(key->key));
    emit_statement(
        e, (KStmt){.kind = KSTMT_RUNTIME, .text = name, .n_arguments = 5, .arguments = arguments, .from = s->instr});
    s->from->ready = emitter_block(e);
    s->from->version++;
    pull_forget(&s->kernel.puller);
}

static bool is_read(const Frame *frame, const Instr *instr, int leaf) {
    return last_read_of(frame, instr, leaf) >= 0;
}

/* Element `position` of every operand becomes element `at` of the results that are read. */
static void put_at(Sort *s, const Index *at, const Index *position) {
    for (int k = 0; k < s->instr->n_operands; k++) {
        if (!is_read(s->frame, s->instr, k)) continue;
        Elem elem = element_at(s, k, position);
        s->index[s->dim] = at;
        kernel_store(&s->kernel, &frame_value(s->frame, s->instr, k)->place, s->index, elem, s->instr);
    }
}

static void gather_sorted(Sort *s) {
    Emitter *e = s->kernel.scope->emitter;
    IndexPool *pool = s->frame->low->pool;
    const Index *at = emit_for(e, "p", index_const(pool, 0), index_const(pool, s->n), 1, KFOR_SERIAL);
    Elem position = pull_load_at(&s->kernel.puller, s->from, DT_S32, at);
    put_at(s, at, as_index(s, emit_let(e, position.part[0], "position"), "position"));
    emit_end(e);
}

/* The same through a pointer that may be swapped. */
static KBuffer *positions(Sort *s, const char *name) {
    Lowering *low = s->frame->low;
    KBuffer *argument = row_of(s, name, DT_S32);
    KBuffer *pointer = kbuffer_new(low->program, s->kernel.scope->func, KBUFFER_POINTER,
                                   emit_name(s->kernel.scope->emitter, name), DT_S32, s->n);
    pointer->written = pointer->shares = true;
    pointer->ready = emitter_block(s->kernel.scope->emitter);
    emit_statement(s->kernel.scope->emitter, (KStmt){.kind = KSTMT_POINTER, .buffer = pointer, .target = argument,
                                                     .index = index_const(low->pool, 0)});
    return pointer;
}

static void sort_rows(Sort *s) {
    SortKey key;
    bool keyed = sort_key_of(&s->kernel, s->instr, &key);
    const Shape *shape = s->instr->operands[0]->shape;
    s->from = keyed ? row_of(s, "order", DT_S32) : positions(s, "order");
    s->to = keyed ? row_of(s, "spare_order", DT_S32) : positions(s, "merged");
    if (keyed) {
        s->keys = row_of(s, "keys", key.key);
        s->spare_keys = row_of(s, "spare_keys", key.key);
    }
    int loops = kernel_loops(&s->kernel, shape, (uint64_t)1 << s->dim, "i", s->index, KFOR_SERIAL);
    if (keyed) sort_by_key(s, &key);
    else merge_sort(s);
    gather_sorted(s);
    kernel_close(&s->kernel, loops);
}

/* Rows of one element. */
static void copy_rows(Sort *s) {
    const Index *first = index_const(s->frame->low->pool, 0);
    int loops = kernel_loops(&s->kernel, s->instr->operands[0]->shape, 0, "i", s->index, KFOR_SERIAL);
    put_at(s, first, first);
    kernel_close(&s->kernel, loops);
}

void lower_sort(Frame *frame, int step, Instr *instr) {
    Sort s = {.frame = frame, .instr = instr, .dim = (int)instr_ints(instr, ATTR_DIMENSIONS).at[0]};
    const Shape *shape = instr->operands[0]->shape;
    s.n = shape->rank ? shape->dims[s.dim] : 1;
    for (int k = 0; k < instr->n_operands; k++) {
        if (!is_read(frame, instr, k)) continue;
        const Shape *result = shape_leaf(instr->shape, k);
        KBuffer *buffer = frame_buffer(frame, step, instr, k);
        frame_set(frame, instr, k, (HostValue){.place = place_written(frame, buffer, buffer->shape), .shape = result});
    }
    if (!shape_elements(shape)) return;
    kernel_begin(&s.kernel, frame, instr, "sort");
    s.index = NEW_ARRAY(frame->low->arena, const Index *, shape->rank + 1);
    if (s.n < 2) copy_rows(&s);
    else sort_rows(&s);
    kernel_end(&s.kernel, instr);
}
