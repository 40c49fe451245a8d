#include "passes/lower/whole.h"

/* scatter: one update after the other, in row-major order of the indices, so that equal indices combine in a fixed
 * order. A window that would leave the operand is dropped whole. */

/* Where indices are sorted, equal ones follow each other: their element is kept in variables until another one is
 * meant, so that an update need not wait for the one before to arrive in memory. */
typedef struct {
    int n, n_parts;
    KVar **at;    /* start along the dims that are scattered; the first is below 0 as long as there is no element */
    KVar **parts; /* the element of each operand: two parts of a complex one */
    const int64_t *dims;
} Running;

typedef struct {
    Frame *frame;
    Instr *instr;
    int n;             /* operands */
    Kernel kernel;
    Place *results;
    const Index **update; /* index into the updates */
    const Index **target; /* index into the operands */
    bool scalars; /* an update is one element, wherever the indices say */
    int scatter_loops, window_loops;
    Running *running; /* NULL: elements are read and written for each update */
} Scatter;

/* Operand k's memory becomes the result's, if it dies here; else it is copied. */
static void allocate(Scatter *s, int step) {
    Frame *frame = s->frame;
    s->results = NEW_ARRAY(frame->low->arena, Place, s->n);
    for (int k = 0; k < s->n; k++) {
        LeafSource source = leaf_source(s->instr->operands[k], 0);
        HostValue *old = host_value(frame, s->instr->operands[k], 0);
        const Shape *shape = shape_leaf(s->instr->shape, k);
        bool owned = !old->scalars && !old->shared &&
                     (frame->plan->storage[source.instr->position] == STORAGE_BUFFER || old->place.changes) &&
                     last_read_of(frame, source.instr, source.leaf) <= step &&
                     old->place.buffer->kind != KBUFFER_CONSTANT;
        for (int j = 0; j < s->instr->n_operands; j++) /* the same array read as index or update must stay */
            owned &= j == k || leaf_source(s->instr->operands[j], 0).instr != source.instr;
        KBuffer *buffer = owned ? old->place.buffer : frame_buffer(frame, step, s->instr, k);
        const Shape *layout = owned ? old->place.shape : buffer->shape ? buffer->shape : shape;
        if (!owned) copy_value(frame, old, buffer, layout, s->instr->name);
        else buffer->in_place++;
        s->results[k] = place_written(frame, buffer, layout);
        frame_set(frame, s->instr, k, (HostValue){.place = s->results[k], .shape = shape});
    }
}

/* Loops over the scatter dims of the updates; their values also index the indices. */
static void open_scatter(Scatter *s, const Index **indices_at) {
    const Shape *updates = s->instr->operands[s->n + 1]->shape;
    IntList windows = instr_ints(s->instr, ATTR_UPDATE_WINDOW_DIMS);
    int vector_dim = (int)instr_int(s->instr, ATTR_INDEX_VECTOR_DIM, 0), at = 0;
    uint64_t without = 0;
    for (int i = 0; i < windows.n; i++) without |= (uint64_t)1 << windows.at[i];
    s->scatter_loops = kernel_loops(&s->kernel, updates, without, "i", s->update,
                                    s->scalars && !s->running ? KFOR_UNROLLED : KFOR_SERIAL);
    for (int i = 0; i < updates->rank; i++) {
        if (without >> i & 1) continue;
        if (at == vector_dim) at++;
        indices_at[at++] = s->update[i];
    }
}

static int64_t window_size(const Scatter *s, int dim, int *update_dim) {
    IntList windows = instr_ints(s->instr, ATTR_UPDATE_WINDOW_DIMS);
    const Shape *shape = s->instr->operands[0]->shape;
    int w = 0;
    for (int d = 0; d < shape->rank; d++) {
        bool inserted = int_list_has(instr_ints(s->instr, ATTR_INSERTED_WINDOW_DIMS), d) ||
                        int_list_has(instr_ints(s->instr, ATTR_INPUT_BATCHING_DIMS), d);
        if (d == dim) {
            *update_dim = inserted ? -1 : (int)windows.at[w];
            return inserted ? 1 : s->instr->operands[s->n + 1]->shape->dims[windows.at[w]];
        }
        w += !inserted;
    }
    return 1;
}

/* First element of the window along each operand dim; returns the test that the window lies inside (NULL: it must). */
static KValue *starts(Scatter *s, const Index **indices_at, KValue **values) {
    Instr *instr = s->instr;
    const Shape *shape = instr->operands[0]->shape, *indices = instr->operands[s->n]->shape;
    KFunc *f = s->kernel.scope->func;
    int vector_dim = (int)instr_int(instr, ATTR_INDEX_VECTOR_DIM, 0), at, update_dim;
    KValue *inside = NULL;
    for (int d = 0; d < shape->rank; d++) {
        if (!int_list_find(instr_ints(instr, ATTR_SCATTER_DIMS_TO_OPERAND_DIMS), d, &at)) continue;
        if (vector_dim < indices->rank) indices_at[vector_dim] = index_const(s->frame->low->pool, at);
        KValue *start = kernel_load(&s->kernel, instr->operands[s->n], 0, indices_at).part[0];
        bool huge = start->type.dtype == DT_U64;
        values[d] = emit_let(s->kernel.scope->emitter, kvalue_convert(f, DT_S64, start, start->from), NULL);
        KValue *low = kvalue_scalar(f, SCALAR_GE, 2, (KValue *[]){values[d], kvalue_int(f, DT_S64, 0)}, instr);
        KValue *last = huge ? kvalue_int(f, DT_U64, shape->dims[d] - window_size(s, d, &update_dim))
                            : kvalue_int(f, DT_S64, shape->dims[d] - window_size(s, d, &update_dim));
        KValue *high = kvalue_scalar(f, SCALAR_LE, 2, (KValue *[]){huge ? start : values[d], last}, instr);
        KValue *both = kvalue_scalar(f, SCALAR_AND, 2, (KValue *[]){low, high}, instr);
        inside = inside ? kvalue_scalar(f, SCALAR_AND, 2, (KValue *[]){inside, both}, instr) : both;
    }
    return inside;
}

static void open_window(Scatter *s, const Index **indices_at, KValue **values) {
    Instr *instr = s->instr;
    const Shape *shape = instr->operands[0]->shape, *updates = instr->operands[s->n + 1]->shape;
    IndexPool *pool = s->frame->low->pool;
    uint64_t without = 0;
    int at, update_dim;
    for (int i = 0; i < updates->rank; i++)
        if (!int_list_has(instr_ints(instr, ATTR_UPDATE_WINDOW_DIMS), i)) without |= (uint64_t)1 << i;
    for (int d = 0; d < shape->rank; d++) {
        int64_t room = shape->dims[d] - window_size(s, d, &update_dim);
        s->target[d] = index_const(pool, 0);
        if (values[d])
            s->target[d] = emit_runtime_index(s->kernel.scope->emitter, values[d], (Interval){0, room < 0 ? 0 : room},
                                              false, "start");
        if (int_list_find(instr_ints(instr, ATTR_INPUT_BATCHING_DIMS), d, &at))
            s->target[d] = indices_at[instr_ints(instr, ATTR_SCATTER_INDICES_BATCHING_DIMS).at[at]];
    }
    s->window_loops = kernel_loops(&s->kernel, updates, without, "j", s->update, KFOR_SERIAL);
    for (int d = 0; d < shape->rank; d++) {
        window_size(s, d, &update_dim);
        if (update_dim >= 0) s->target[d] = index_add(pool, s->target[d], s->update[update_dim]);
    }
}

static bool is_scalars(const Scatter *s) {
    int update_dim;
    for (int d = 0; d < s->instr->operands[0]->shape->rank; d++) {
        window_size(s, d, &update_dim);
        if (update_dim >= 0 && s->instr->operands[s->n + 1]->shape->dims[update_dim] != 1) return false;
    }
    return true;
}

/* Variables for what is running, before the loops; NULL where elements had better go through memory. */
static Running *running_new(Scatter *s) {
    Instr *instr = s->instr;
    Emitter *e = s->kernel.scope->emitter;
    IntList dims = instr_ints(instr, ATTR_SCATTER_DIMS_TO_OPERAND_DIMS);
    if (!s->scalars || !instr_bool(instr, ATTR_INDICES_ARE_SORTED, false) || !dims.n) return NULL;
    if (instr_ints(instr, ATTR_INPUT_BATCHING_DIMS).n) return NULL;
    Running *r = NEW(s->frame->low->arena, Running);
    *r = (Running){.at = NEW_ARRAY(s->frame->low->arena, KVar *, dims.n), .n = dims.n, .dims = dims.at,
                   .parts = NEW_ARRAY(s->frame->low->arena, KVar *, 2 * s->n)};
    for (int k = 0; k < s->n; k++) {
        DType dtype = s->results[k].shape->dtype, part = register_type(dtype);
        if (part != dtype && !dtype_is_complex(dtype)) return NULL;
        KValue *zero = kvalue_const(s->kernel.scope->func, (KType){part, 1}, 0);
        for (int i = 0; i < (dtype_is_complex(dtype) ? 2 : 1); i++)
            r->parts[r->n_parts++] = emit_var(e, "running", zero);
    }
    for (int i = 0; i < dims.n; i++) r->at[i] = emit_var(e, "at", kvalue_int(s->kernel.scope->func, DT_S64, -1));
    return r;
}

/* The running elements, as the combination's arguments are. */
static void running_elements(Scatter *s, Elem *elements) {
    int part = 0;
    for (int k = 0; k < s->n; k++)
        for (int i = 0; i < (dtype_is_complex(s->results[k].shape->dtype) ? 2 : 1); i++)
            elements[k].part[i] = kvalue_var(s->kernel.scope->func, s->running->parts[part++]);
}

static void set_running(Scatter *s, const Elem *elements) {
    KValue **values = NEW_ARRAY(s->frame->low->arena, KValue *, 2 * s->n);
    int n = 0;
    for (int k = 0; k < s->n; k++)
        for (int i = 0; i < 2 && elements[k].part[i]; i++) values[n++] = elements[k].part[i];
    emit_sets(s->kernel.scope->emitter, n, s->running->parts, values);
}

/* Back to memory, if there is an element. */
static void store_running(Scatter *s) {
    KFunc *f = s->kernel.scope->func;
    Emitter *e = s->kernel.scope->emitter;
    Running *r = s->running;
    emit_if(e,
            kvalue_scalar(f, SCALAR_GE, 2, (KValue *[]){kvalue_var(f, r->at[0]), kvalue_int(f, DT_S64, 0)}, s->instr));
    const Shape *shape = s->instr->operands[0]->shape;
    const Index **index = NEW_ARRAY(s->frame->low->arena, const Index *, shape->rank + 1);
    for (int d = 0; d < shape->rank; d++) index[d] = index_const(s->frame->low->pool, 0);
    for (int i = 0; i < r->n; i++)
        index[r->dims[i]] =
            emit_runtime_index(e, kvalue_var(f, r->at[i]), (Interval){0, shape->dims[r->dims[i]] - 1}, false, "last");
    Elem *elements = NEW_ARRAY(s->frame->low->arena, Elem, s->n);
    running_elements(s, elements);
    for (int k = 0; k < s->n; k++) kernel_store(&s->kernel, &s->results[k], index, elements[k], s->instr);
    emit_end(e);
}

/* The element that this update means becomes the running one. */
static void turn_to(Scatter *s, KValue *const *starts) {
    KFunc *f = s->kernel.scope->func;
    Emitter *e = s->kernel.scope->emitter;
    Running *r = s->running;
    KValue *other = NULL, **at = NEW_ARRAY(s->frame->low->arena, KValue *, r->n);
    for (int i = 0; i < r->n; i++) {
        at[i] = starts[r->dims[i]];
        KValue *differs = kvalue_scalar(f, SCALAR_NE, 2, (KValue *[]){at[i], kvalue_var(f, r->at[i])}, s->instr);
        other = other ? kvalue_scalar(f, SCALAR_OR, 2, (KValue *[]){other, differs}, s->instr) : differs;
    }
    emit_if(e, other);
    store_running(s);
    Elem *elements = NEW_ARRAY(s->frame->low->arena, Elem, s->n);
    for (int k = 0; k < s->n; k++) {
        elements[k] = kernel_load_place(&s->kernel, &s->results[k], s->target);
        for (int i = 0; i < 2 && elements[k].part[i]; i++) elements[k].part[i] = emit_let(e, elements[k].part[i], NULL);
    }
    emit_sets(e, r->n, r->at, at);
    set_running(s, elements);
    emit_end(e);
}

static void combine(Scatter *s) {
    Lowering *low = s->frame->low;
    Elem *arguments = NEW_ARRAY(low->arena, Elem, 3 * s->n), *results = arguments + 2 * s->n;
    Emitter *e = s->kernel.scope->emitter;
    if (s->running) running_elements(s, arguments);
    for (int k = 0; k < s->n; k++) {
        if (!s->running) arguments[k] = kernel_load_place(&s->kernel, &s->results[k], s->target);
        for (int i = 0; i < 2 && arguments[k].part[i]; i++)
            arguments[k].part[i] = emit_let(e, arguments[k].part[i], NULL);
        arguments[s->n + k] = kernel_load(&s->kernel, s->instr->operands[s->n + 1 + k], 0, s->update);
    }
    pull_computation(&s->kernel.puller, instr_computation(s->instr, ATTR_TO_APPLY), arguments, results);
    if (s->running) {
        set_running(s, results);
        return;
    }
    for (int k = 0; k < s->n; k++)
        for (int i = 0; i < 2 && results[k].part[i]; i++) results[k].part[i] = emit_let(e, results[k].part[i], NULL);
    for (int k = 0; k < s->n; k++) kernel_store(&s->kernel, &s->results[k], s->target, results[k], s->instr);
}

void lower_scatter(Frame *frame, int step, Instr *instr) {
    Scatter s = {.frame = frame, .instr = instr, .n = (instr->n_operands - 1) / 2};
    const Shape *shape = instr->operands[0]->shape, *updates = instr->operands[s.n + 1]->shape;
    Arena *arena = frame->low->arena;
    allocate(&s, step);
    if (!shape_elements(shape) || !shape_elements(updates)) return;
    kernel_begin(&s.kernel, frame, instr, "scatter");
    s.scalars = is_scalars(&s);
    s.running = running_new(&s);
    const Index **indices_at = NEW_ARRAY(arena, const Index *, instr->operands[s.n]->shape->rank + updates->rank + 1);
    KValue **values = NEW_ARRAY(arena, KValue *, shape->rank + 1);
    s.update = NEW_ARRAY(arena, const Index *, updates->rank + 1);
    s.target = NEW_ARRAY(arena, const Index *, shape->rank + 1);
    open_scatter(&s, indices_at);
    KValue *inside = starts(&s, indices_at, values);
    if (inside) emit_if(s.kernel.scope->emitter, inside);
    open_window(&s, indices_at, values);
    if (s.running) turn_to(&s, values);
    combine(&s);
    kernel_close(&s.kernel, s.window_loops);
    if (inside) emit_end(s.kernel.scope->emitter);
    kernel_close(&s.kernel, s.scatter_loops);
    if (s.running) store_running(&s);
    kernel_end(&s.kernel, instr);
}
