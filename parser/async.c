/* Async sugar: X-start, X-update and X-done, where these are no opcodes of their own (hlo-text-format 4.9). */
#include <string.h>

#include "parser/actions.h"

typedef struct {
    const char *suffix;
    Op op;
} Form;

static const Form forms[] = {{"-start", OP_ASYNC_START}, {"-update", OP_ASYNC_UPDATE}, {"-done", OP_ASYNC_DONE}};
enum { N_FORMS = sizeof forms / sizeof *forms };

/* These have async forms of their own, or none: parameters and constants are there from the beginning. */
static bool cannot_be_wrapped(Op op) {
    static const Op ops[] = {OP_ALL_GATHER, OP_ALL_REDUCE,   OP_COLLECTIVE_PERMUTE, OP_COPY,      OP_RECV,    OP_SEND,
                             OP_ASYNC_START, OP_ASYNC_UPDATE, OP_ASYNC_DONE,         OP_PARAMETER, OP_CONSTANT};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (ops[i] == op) return true;
    return false;
}

Op async_from_word(Parser *p, TokenText word, Op *wrapped) {
    for (int i = 0; i < N_FORMS; i++) {
        size_t n = strlen(forms[i].suffix);
        if (word.n <= n || memcmp(word.at + word.n - n, forms[i].suffix, n) != 0) continue;
        *wrapped = op_from_word(p, (TokenText){word.at, word.n - n});
        return *wrapped == N_OPS || cannot_be_wrapped(*wrapped) ? N_OPS : forms[i].op;
    }
    return N_OPS;
}

bool async_takes_attr(const Frame *frame, AttrId id) {
    return frame->wrapped != N_OPS && op_takes_attr(frame->wrapped, id);
}

static bool is_attr_of_start(AttrId id) {
    return id == ATTR_ASYNC_EXECUTION_THREAD || id == ATTR_OUTPUT_TO_OPERAND_ALIASING;
}

/* Common attributes belong to the start and to what it wraps. */
static bool is_attr_of_both(AttrId id) {
    return id == ATTR_METADATA || id == ATTR_ORIGIN || id == ATTR_BACKEND_CONFIG || id == ATTR_FRONTEND_ATTRIBUTES ||
           id == ATTR_STATISTICS;
}

/* The computation that the start runs: the wrapped op on its parameters. NULL: the declared shape does not tell. */
static Computation *wrap(Parser *p, const Frame *frame) {
    const Shape *shape = frame->declared;
    if (!shape || !shape_is_tuple(shape) || shape->n_elements < 2 || !shape_is_tuple(shape->elements[0])) {
        parse_error(p, frame->declared_span, E_ASYNC_SHAPE,
                    "the shape of '%s-start' is ((operands), result, ...), not %s", op_name(frame->wrapped),
                    shape ? shape_text(p->scratch, shape) : "omitted");
        return NULL;
    }
    const Shape *inputs = shape->elements[0];
    if (!check_operand_count(p, frame->wrapped, inputs->n_elements, frame->op_span)) return NULL;
    Computation *computation = computation_new(p->module, "async_wrapped");
    computation->span = computation->name_span = frame->op_span;
    Instr **parameters = NEW_ARRAY(p->arena, Instr *, inputs->n_elements);
    for (int i = 0; i < inputs->n_elements; i++) {
        const char *name = arena_printf(p->arena, "param_%d", i);
        parameters[i] = instr_new(computation, OP_PARAMETER, name, inputs->elements[i], 0, NULL, frame->op_span);
        parameters[i]->parameter_number = i;
    }
    computation->n_parameters = inputs->n_elements;
    computation->parameters = parameters;
    computation->root = instr_new(computation, frame->wrapped, op_name(frame->wrapped), shape->elements[1],
                                  inputs->n_elements, parameters, frame->op_span);
    for (int i = 0; i < frame->attrs.n; i++)
        if (!is_attr_of_start(frame->attrs.at[i].id)) instr_add_attr(computation->root, frame->attrs.at[i]);
    return computation;
}

static const Instr *start_of(const Instr *instr) {
    while (instr->op == OP_ASYNC_UPDATE && instr->n_operands) instr = instr->operands[0];
    return instr->op == OP_ASYNC_START && instr->parent ? instr : NULL;
}

/* Keeps what belongs to the async op itself, and adds the computation it runs. */
void async_finish(Parser *p, Frame *frame) {
    Computation *computation = NULL;
    if (frame->op == OP_ASYNC_START) {
        computation = wrap(p, frame);
        if (!computation) return;
    } else if (p->operands.n > frame->first_operand) {
        const Instr *start = start_of(p->operands.at[frame->first_operand]);
        computation = start ? instr_computation(start, ATTR_CALLS) : NULL;
        if (computation && computation->root && computation->root->op != frame->wrapped)
            parse_error(p, frame->op_span, E_ASYNC, "'%s' ends a start of '%s'", op_name(frame->wrapped),
                        op_name(computation->root->op));
    }
    VEC(Attr) kept = {0};
    for (int i = 0; i < frame->attrs.n; i++) {
        const Attr *attr = &frame->attrs.at[i];
        bool common = attr_is_common(attr->id) && !(attr->id == ATTR_SHARDING && frame->op == OP_ASYNC_START);
        if (is_attr_of_start(attr->id) || is_attr_of_both(attr->id) || common) vec_push(p->arena, &kept, *attr);
    }
    if (computation) {
        Computation **one = NEW_ARRAY(p->arena, Computation *, 1);
        *one = computation;
        Attr calls = {.id = ATTR_CALLS, .name = frame->op_span, .value = frame->op_span, .n_computations = 1};
        calls.computations = one;
        vec_push(p->arena, &kept, calls);
    }
    frame->attrs.at = kept.at;
    frame->attrs.n = kept.n;
    frame->attrs.cap = kept.cap;
}
