#include <string.h>

#include "passes/lower/devices.h"
#include "passes/lower/host.h"

/* Collectives: statements of the host function. The runtime sees dense row-major arrays; what cuts or joins an array
 * along a dim sees it as outer x members x piece elements. Combiners become C functions over arrays of elements. */

static const struct {
    Op op;
    const char *kind;
    bool cuts; /* operands are cut, or results joined, along `dimensions` */
} kinds[] = {
    {OP_ALL_REDUCE, "HLOCC_ALL_REDUCE", false},
    {OP_REDUCE_SCATTER, "HLOCC_REDUCE_SCATTER", true},
    {OP_ALL_GATHER, "HLOCC_ALL_GATHER", true},
    {OP_ALL_TO_ALL, "HLOCC_ALL_TO_ALL", true},
    {OP_RAGGED_ALL_TO_ALL, "HLOCC_RAGGED_ALL_TO_ALL", false},
    {OP_COLLECTIVE_PERMUTE, "HLOCC_COLLECTIVE_PERMUTE", false},
    {OP_COLLECTIVE_BROADCAST, "HLOCC_COLLECTIVE_BROADCAST", false},
    {OP_COLLECTIVE_REDUCE, "HLOCC_COLLECTIVE_REDUCE", false},
    {OP_SEND, "HLOCC_SEND", false},
    {OP_RECV_DONE, "HLOCC_RECV", false},
};

static int kind_of(const Instr *instr) {
    for (int i = 0; i < (int)(sizeof kinds / sizeof *kinds); i++)
        if (kinds[i].op == instr->op) return i;
    internal_error(instr->name, "'%s' is no collective that is lowered", op_name(instr->op));
}

/* --- combiners ---------------------------------------------------------------------------------------------------- */

static bool find_nothing(Puller *p, Instr *instr, int leaf, const Index *const *index, Elem *elem) {
    (void)p, (void)instr, (void)leaf, (void)index, (void)elem;
    return false;
}

/* An element as the combiner's parameter has it, and back. */
static Elem converted(Puller *p, Elem elem, DType from, DType to) {
    if (from == to) return elem;
    for (int part = 0; part < 2 && elem.part[part]; part++)
        elem.part[part] = kvalue_convert(p->func, register_type(to), elem.part[part], NULL);
    return apply_rounding(p, to, elem, NULL);
}

static KBuffer *array_argument(Scope *scope, const char *name, DType dtype, bool written) {
    KBuffer *buffer = kbuffer_new(scope->low->program, scope->func, KBUFFER_ARGUMENT,
                                  emit_name_for_good(scope->emitter, name), dtype, 1);
    buffer->written = written;
    vec_push(scope->low->arena, &scope->func->params, (KParam){KPARAM_BUFFER, buffer, NULL});
    return buffer;
}

/* void f(T *sum, const T *next, ptrdiff_t n), once for a computation and type. */
static KFunc *combiner_of(Frame *frame, const Computation *computation, DType dtype) {
    Lowering *low = frame->low;
    uint64_t key = hash_mix(POINTER_KEY(computation), (uint64_t)dtype + 1) | 1;
    KFunc *known = key_table_get(&low->combiners, key);
    if (known) return known;
    Scope *scope = scope_new(low, frame->host, arena_printf(low->arena, "%s_%s", low->options.prefix,
                                                            identifier_of(low->arena, computation->name, false)));
    KFunc *f = scope->func;
    f->is_combiner = true;
    f->title = arena_printf(low->arena, "%s of %s: sum[i] = %s(sum[i], next[i])", computation->name, dtype_name(dtype),
                            computation->name);
    KBuffer *sum = array_argument(scope, "sum", dtype, true), *next = array_argument(scope, "next", dtype, false);
    KVar *n = kvar_index(f, NULL, emit_name_for_good(scope->emitter, "n"), (Interval){0, INT32_MAX}, true);
    vec_push(low->arena, &f->params, (KParam){KPARAM_INDEX, NULL, n});
    Puller puller = {.low = low, .func = f, .emitter = scope->emitter, .pool = low->pool, .access = low->access,
                     .source = {find_nothing, NULL}, .lanes = 1};
    const Index *i = emit_for(scope->emitter, "i", index_const(low->pool, 0), n->index, 1, KFOR_SERIAL);
    Elem arguments[] = {pull_load_at(&puller, sum, dtype, i), pull_load_at(&puller, next, dtype, i)}, result;
    for (int k = 0; k < 2; k++)
        arguments[k] = converted(&puller, arguments[k], dtype, computation->parameters[k]->shape->dtype);
    pull_computation(&puller, computation, arguments, &result);
    result = converted(&puller, result, computation->root->shape->dtype, dtype);
    for (int part = 0; part < 2 && result.part[part]; part++)
        result.part[part] = emit_let(scope->emitter, result.part[part], NULL);
    push_store(&puller, sum, dtype, i, result, NULL);
    emit_end(scope->emitter);
    vec_push(low->arena, &low->program->funcs, f);
    key_table_put(low->arena, &low->combiners, key, f);
    return f;
}

/* What the combiner is, if it is one operator on its two parameters. */
static const char *reduction_word(const Computation *computation) {
    static const struct {
        Op op;
        const char *word;
    } words[] = {
        {OP_ADD, "HLOCC_ADD"}, {OP_MULTIPLY, "HLOCC_MULTIPLY"}, {OP_MINIMUM, "HLOCC_MINIMUM"},
            {OP_MAXIMUM, "HLOCC_MAXIMUM"},
        {OP_AND, "HLOCC_AND"}, {OP_OR, "HLOCC_OR"},             {OP_XOR, "HLOCC_XOR"},
    };
    const Instr *root = computation->root;
    bool plain = root->n_operands == 2 && root->operands[0]->op == OP_PARAMETER &&
        root->operands[1]->op == OP_PARAMETER &&
                 root->operands[0] != root->operands[1];
    for (size_t i = 0; plain && i < sizeof words / sizeof *words; i++)
        if (words[i].op == root->op) return words[i].word;
    return "HLOCC_OTHER";
}

/* --- the operation's data ----------------------------------------------------------------------------------------- */

static char type_letter(DType dtype) {
    if (dtype == DT_PRED) return 'p';
    if (dtype_is_complex(dtype)) return 'c';
    if (dtype == DT_F32 || dtype == DT_F64) return 'f';
    if (dtype_is_float(dtype) || dtype_bits(dtype) < 8) return 'b';
    return dtype_class(dtype) == DTYPE_SIGNED ? 's' : 'u';
}

static KCollectiveOperand operand_of(Frame *frame, const Instr *instr, int k, bool cuts) {
    const Shape *result = shape_leaf(instr->shape, k < shape_leaves(instr->shape) ? k : 0);
    const Shape *shape = instr->op == OP_RECV_DONE ? result : instr->operands[k]->shape;
    const Computation *combiner = instr_computation(instr, ATTR_TO_APPLY);
    KCollectiveOperand o = {.element = dtype_bytes(shape->dtype), .outer = 1, .piece = shape_elements(shape),
                            .reduction = "HLOCC_OTHER", .type = type_letter(shape->dtype)};
    if (combiner) {
        o.combine = combiner_of(frame, combiner, shape->dtype);
        o.reduction = reduction_word(combiner);
    }
    IntList dims = instr_ints(instr, ATTR_DIMENSIONS);
    if (cuts && dims.n) {
        bool joins = instr->op == OP_ALL_GATHER; /* then the operand is one part, else the result */
        const Shape *part = joins ? shape : result;
        o.piece = part->dims[dims.at[0]];
        for (int d = 0; d < part->rank; d++) {
            if (d < dims.at[0]) o.outer *= part->dims[d];
            if (d > dims.at[0]) o.piece *= part->dims[d];
        }
    }
    if (instr->op == OP_RAGGED_ALL_TO_ALL && k < 2) {
        o.outer = shape->rank ? shape->dims[0] : 1;
        o.piece = o.outer ? o.piece / o.outer : 0;
    }
    return o;
}

/* The same on all devices that run the same program: of the module's text and the instruction's name. */
static uint64_t id_of(Lowering *low, const Instr *instr) {
    enum { LARGE_CONSTANT = 64 };
    Text text = {0};
    if (!low->module_hash) {
        hlo_print(&text, low->module, (HloPrintOptions){.elide_above = LARGE_CONSTANT});
        low->module_hash = hash_bytes(text_string(&text), text.n) | 1;
    }
    text_free(&text);
    return hash_mix(low->module_hash, hash_bytes(instr->name, strlen(instr->name)));
}

static KCollective *collective_new(Frame *frame, const Instr *instr, int n_operands) {
    Lowering *low = frame->low;
    int kind = kind_of(instr);
    KCollective *c = NEW(low->arena, KCollective);
    bool pairs = instr->op == OP_COLLECTIVE_PERMUTE || instr->op == OP_SEND || instr->op == OP_RECV_DONE;
    DeviceGroups groups = pairs ? device_pairs(low->arena, instr) : device_groups(low->arena, instr);
    *c = (KCollective){.name = constant_name(low, instr->name), .instr = instr, .kind = kinds[kind].kind,
                       .n_groups = groups.n_groups, .n_members = groups.n_members, .sizes = groups.sizes,
                       .members = groups.members, .n_operands = n_operands, .id = id_of(low, instr),
                       .dynamic_root = instr_bool(instr, ATTR_HAS_DYNAMIC_ROOT, false),
                       .channel = instr_int(instr, ATTR_CHANNEL_ID, 0)};
    c->operands = NEW_ARRAY(low->arena, KCollectiveOperand, n_operands);
    for (int k = 0; k < n_operands; k++) c->operands[k] = operand_of(frame, instr, k, kinds[kind].cuts);
    if (instr->op == OP_ALL_TO_ALL && !instr_ints(instr, ATTR_DIMENSIONS).n) c->kind = "HLOCC_ALL_TO_ALL_TUPLE";
    if (instr->op == OP_ALL_TO_ALL && instr_ints(instr, ATTR_DIMENSIONS).n) /* the result is as large as the operand */
        c->operands[0].piece /= c->sizes[0];
    vec_push(low->arena, &low->program->collectives, c);
    return c;
}

/* --- the statement ------------------------------------------------------------------------------------------------ */

static bool is_row_major(const Lowering *low, const Shape *shape) {
    return shapes_same_layout(shape, shape_with_default_layout(low->arena, shape));
}

/* The operand in memory, row-major. */
static KBuffer *operand_buffer(Frame *frame, Instr *operand) {
    HostValue *value = host_value(frame, operand, 0);
    const Place *place = frame_place(frame, value, operand->name);
    if (is_row_major(frame->low, place->shape)) return place->buffer;
    const Shape *shape = shape_with_default_layout(frame->low->arena, value->shape);
    KBuffer *copy = new_slot(frame->low, identifier_of(frame->low->arena, operand->name, false), shape);
    copy_value(frame, value, copy, shape, operand->name);
    return copy;
}

static KBuffer *result_buffer(Frame *frame, int step, Instr *instr, int leaf) {
    const Shape *shape = shape_with_default_layout(frame->low->arena, shape_leaf(instr->shape, leaf));
    KBuffer *buffer = frame_buffer(frame, step, instr, leaf);
    if (buffer->shape && !is_row_major(frame->low, buffer->shape))
        buffer = new_slot(frame->low, identifier_of(frame->low->arena, instr->name, false), shape);
    buffer->written = true;
    frame_set(frame, instr, leaf, (HostValue){.place = place_written(frame, buffer, shape),
                                              .shape = shape_leaf(instr->shape, leaf)});
    return buffer;
}

/* finish: the step before which it must have ended; 0: here. */
static void emit_collective(Frame *frame, int finish, const Instr *instr, int n_operands, int n_arguments,
                            KArgument *arguments,
                            int n_results) {
    KStmt statement = {.kind = KSTMT_COLLECTIVE, .collective = collective_new(frame, instr, n_operands),
                       .n_arguments = n_arguments, .arguments = arguments, .n_results = n_results, .from = instr};
    statement.phase = finish ? KPHASE_START : KPHASE_WHOLE;
    emit_statement(frame->host->emitter, statement);
    if (!finish) return;
    statement.phase = KPHASE_FINISH;
    statement.elements = finish;
    vec_push(frame->low->arena, &frame->started, statement);
}

void finish_collectives(Frame *frame, int step) {
    int kept = 0;
    for (int i = 0; i < frame->started.n; i++) {
        KStmt statement = frame->started.at[i];
        if (statement.elements > step) frame->started.at[kept++] = statement;
        else emit_statement(frame->host->emitter, statement);
    }
    frame->started.n = kept;
}

/* send: the data of its tuple is the operand still; a message is under way when it is done. The runtime keeps it until
 * the recv of that channel is done. */
void lower_transfer(Frame *frame, int step, Instr *instr) {
    if (instr_is_host_transfer(instr)) {
        lower_host_transfer(frame, step, instr);
        return;
    }
    KArgument *argument = NEW(frame->low->arena, KArgument);
    if (instr->op == OP_SEND) {
        HostValue data = *host_value(frame, instr->operands[0], 0);
        data.shared = true;
        argument->buffer = operand_buffer(frame, instr->operands[0]);
        emit_collective(frame, 0, instr, 1, 1, argument, 0);
        frame_set(frame, instr, 0, data);
    }
    if (instr->op == OP_RECV_DONE) {
        argument->buffer = result_buffer(frame, step, instr, 0);
        emit_collective(frame, 0, instr, 1, 1, argument, 1);
    }
}

void lower_collective(Frame *frame, int step, Instr *instr) {
    Lowering *low = frame->low;
    int n_results = shape_leaves(instr->shape), n = instr->n_operands;
    int n_operands = n - instr_bool(instr, ATTR_HAS_DYNAMIC_ROOT, false);
    KArgument *arguments = NEW_ARRAY(low->arena, KArgument, n + n_results);
    int64_t elements = 0;
    for (int k = 0; k < n; k++) {
        arguments[k].buffer = operand_buffer(frame, instr->operands[k]);
        elements += shape_elements(instr->operands[k]->shape);
    }
    for (int leaf = 0; leaf < n_results; leaf++) arguments[n + leaf].buffer = result_buffer(frame, step, instr, leaf);
    if (!elements) return;
    emit_collective(frame, frame->finish ? frame->finish[step] : 0, instr, n_operands, n + n_results, arguments,
                    n_results);
}

/* partition-id, replica-id: from the number of the device. */
void lower_device_id(Frame *frame, Instr *instr) {
    Lowering *low = frame->low;
    KFunc *f = frame->host->func;
    const ModuleAttrs *attrs = &low->module->attrs;
    bool partition = instr->op == OP_PARTITION_ID;
    int64_t n = partition ? attrs->num_partitions : attrs->replica_count, partitions = attrs->num_partitions;
    KValue *id = kvalue_int(f, DT_U32, 0);
    if (n > 1) {
        if (!low->program->device)
            low->program->device = kvar_new(f, NULL, emit_name_for_good(frame->host->emitter, "device"),
                                            (KType){DT_U32, 1}, false);
        id = kvalue_var(f, low->program->device);
        KValue *arguments[] = {id, kvalue_int(f, DT_U32, partitions)};
        if (partition && attrs->replica_count > 1) id = kvalue_scalar(f, SCALAR_REM, 2, arguments, instr);
        if (!partition && partitions > 1) id = kvalue_scalar(f, SCALAR_DIV, 2, arguments, instr);
    }
    Elem *scalar = NEW(low->arena, Elem);
    scalar->part[0] = emit_let(frame->host->emitter, id, NULL);
    frame_set(frame, instr, 0, (HostValue){.scalars = scalar, .n_scalars = 1, .shape = instr->shape});
}
