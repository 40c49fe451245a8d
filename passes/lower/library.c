#include "passes/lower/library.h"

LibraryCall library_call(Frame *frame, const Instr *instr, const char *function, const char *type) {
    const char *name = arena_printf(frame->low->arena, "%s_%s", function, type);
    return (LibraryCall){.frame = frame, .instr = instr, .function = name};
}

static void add(LibraryCall *call, KArgument argument) {
    vec_push(call->frame->low->arena, &call->arguments, argument);
}

void library_buffer(LibraryCall *call, KBuffer *buffer) {
    library_part(call, buffer, 0);
}

void library_part(LibraryCall *call, KBuffer *buffer, int64_t at) {
    add(call, (KArgument){.buffer = buffer, .index = index_const(call->frame->low->pool, at)});
}

void library_number(LibraryCall *call, int64_t number) {
    add(call, (KArgument){.text = arena_printf(call->frame->low->arena, "%lld", (long long)number)});
}

void library_text(LibraryCall *call, const char *text) {
    add(call, (KArgument){.text = text});
}

static void emit_call(LibraryCall *call, bool may_fail) {
    KStmt statement = {.kind = KSTMT_RUNTIME, .text = call->function, .from = call->instr, .may_fail = may_fail};
    statement.n_arguments = call->arguments.n;
    statement.arguments = call->arguments.at;
    emit_statement(call->frame->host->emitter, statement);
}

void library_emit(LibraryCall *call) {
    emit_call(call, false);
}

void library_emit_checked(LibraryCall *call) {
    call->frame->low->program->may_fail = true;
    emit_call(call, true);
}

KBuffer *library_operand(Frame *frame, Instr *instr, int leaf) {
    HostValue *value = host_value(frame, instr, leaf);
    LeafSource source = leaf_source(instr, leaf);
    const Place *place = frame_place(frame, value, source.instr->name);
    if (layout_is_default(place->shape)) return place->buffer;
    const Shape *shape = shape_with_default_layout(frame->low->arena, place->shape);
    KBuffer *copy = new_slot(frame->low, identifier_of(frame->low->arena, source.instr->name, false), shape);
    place_written(frame, copy, shape);
    copy_value(frame, value, copy, shape, source.instr->name);
    return copy;
}

KBuffer *library_result(Frame *frame, int step, const Instr *instr, int leaf) {
    const Shape *shape = shape_with_default_layout(frame->low->arena, shape_leaf(instr->shape, leaf));
    KBuffer *buffer = frame_buffer(frame, step, instr, leaf);
    if (buffer->shape && !layout_is_default(buffer->shape))
        buffer = new_slot(frame->low, identifier_of(frame->low->arena, instr->name, false), shape);
    buffer->written = true;
    frame_set(frame, instr, leaf, (HostValue){.place = place_written(frame, buffer, shape), .shape = shape});
    return buffer;
}

void library_zeros(Frame *frame, const Instr *instr, KBuffer *buffer) {
    Lowering *low = frame->low;
    Elem zero = elem_constant(frame->puller, buffer->dtype, 0, 0);
    const Index *i = emit_for(frame->host->emitter, "i", index_const(low->pool, 0),
                              index_const(low->pool, buffer->elements),
                              1, KFOR_SERIAL);
    push_store(frame->puller, buffer, buffer->dtype, i, zero, instr);
    emit_end(frame->host->emitter);
}

KBuffer *library_scratch(Frame *frame, const char *name, DType dtype, int64_t elements) {
    KBuffer *slot = new_slot(frame->low, name, shape_array(frame->low->arena, dtype, 1, &elements));
    slot->written = true;
    place_written(frame, slot, slot->shape);
    return slot;
}

KBuffer *library_table(Frame *frame, const Instr *instr, const char *name, DType dtype, int64_t elements,
                       LibraryTable *fill, const int64_t *key, int n_key) {
    Lowering *low = frame->low;
    uint64_t hash = hash_mix((uint64_t)dtype + 1, (uint64_t)elements);
    for (int i = 0; i < n_key; i++) hash = hash_mix(hash, (uint64_t)key[i]);
    for (const char *at = name; *at; at++) hash = hash_mix(hash, (uint64_t)(unsigned char)*at);
    KBuffer *table = key_table_get(&low->tables, hash | 1);
    if (table) return table;
    const Shape *shape = shape_array(low->arena, dtype, 1, &elements);
    Literal *literal = literal_new(low->arena, shape);
    fill(literal, key);
    table = kbuffer_new(low->program, NULL, KBUFFER_CONSTANT, constant_name(low, name), dtype, elements);
    table->data = literal;
    table->shape = shape;
    table->from = instr;
    vec_push(low->arena, &low->program->constants, table);
    key_table_put(low->arena, &low->tables, hash | 1, table);
    return table;
}

int library_lanes(const Frame *frame, DType dtype) {
    int lanes = frame->low->program->vector_bytes / dtype_bytes(dtype);
    return lanes > 1 ? lanes : 1;
}

const char *library_type(const Frame *frame, DType dtype) {
    int lanes = library_lanes(frame, dtype);
    return lanes > 1 ? arena_printf(frame->low->arena, "%sx%d", dtype_name(dtype), lanes) : dtype_name(dtype);
}

const char *library_c_string(Arena *arena, const char *text) {
    Text out = {0};
    text_char(&out, '"');
    for (; text && *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\' || c == '?') text_printf(&out, "\\%c", c);
        else if (c < ' ' || c > '~') text_printf(&out, "\\%03o", c);
        else text_char(&out, *text);
    }
    text_char(&out, '"');
    const char *string = arena_string(arena, text_string(&out), out.n);
    text_free(&out);
    return string;
}

/* --- matrices ----------------------------------------------------------------------------------------------------- */

/* Where the dims of an array with layout stand in memory: their steps. */
static int64_t step_of(const Shape *shape, int dim) {
    int64_t step = 1;
    for (int i = 0; i < shape->rank; i++) {
        int64_t fast = shape->layout ? shape->layout->minor_to_major[i] : shape->rank - 1 - i;
        if (fast == dim) return step;
        step *= shape->dims[fast];
    }
    return step;
}

/* Whether the dims before the last two lie in order, so that one step leads through all of them. */
static bool is_batch(const Shape *shape) {
    for (int i = shape->rank - 4; i >= 0; i--)
        if (step_of(shape, i) != step_of(shape, i + 1) * shape->dims[i + 1]) return false;
    return true;
}

static LibraryMatrix matrix_at(KBuffer *buffer, const Shape *shape) {
    int rank = shape->rank;
    LibraryMatrix m = {buffer, 1, shape->dims[rank - 2], shape->dims[rank - 1], 0, 0, 0, 0};
    for (int i = 0; i < rank - 2; i++) m.batches *= shape->dims[i];
    m.batch = rank > 2 ? step_of(shape, rank - 3) : 0;
    m.row = step_of(shape, rank - 2);
    m.column = step_of(shape, rank - 1);
    return m;
}

LibraryMatrix library_matrix(Frame *frame, Instr *instr, int leaf) {
    LeafSource source = leaf_source(instr, leaf);
    const Place *place = frame_place(frame, host_value(frame, instr, leaf), source.instr->name);
    if (place->shape && is_batch(place->shape)) return matrix_at(place->buffer, place->shape);
    const Shape *shape = shape_with_default_layout(frame->low->arena, shape_leaf(instr->shape, leaf));
    return matrix_at(library_operand(frame, instr, leaf), shape);
}

LibraryMatrix library_result_matrix(Frame *frame, int step, const Instr *instr, int leaf) {
    KBuffer *buffer = frame_buffer(frame, step, instr, leaf);
    const Shape *shape = buffer->shape ? buffer->shape : shape_leaf(instr->shape, leaf);
    if (!is_batch(shape)) {
        shape = shape_with_default_layout(frame->low->arena, shape);
        buffer = new_slot(frame->low, identifier_of(frame->low->arena, instr->name, false), shape);
    }
    buffer->written = true;
    frame_set(frame, instr, leaf, (HostValue){.place = place_written(frame, buffer, shape), .shape =
                                              shape_leaf(instr->shape, leaf)});
    return matrix_at(buffer, shape);
}

LibraryMatrix matrix_transposed(LibraryMatrix m) {
    return (LibraryMatrix){m.buffer, m.batches, m.columns, m.rows, m.at, m.batch, m.column, m.row};
}

LibraryMatrix matrix_reversed(LibraryMatrix m, bool rows, bool columns) {
    if (rows && m.rows) {
        m.at += (m.rows - 1) * m.row;
        m.row = -m.row;
    }
    if (columns && m.columns) {
        m.at += (m.columns - 1) * m.column;
        m.column = -m.column;
    }
    return m;
}

void library_add_matrix(LibraryCall *call, LibraryMatrix m) {
    library_part(call, m.buffer, dtype_is_complex(m.buffer->shape->dtype) ? 2 * m.at : m.at);
    library_number(call, m.batch);
    library_number(call, m.row);
    library_number(call, m.column);
}
