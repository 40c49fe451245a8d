#include "passes/lower/user_call.h"

#include <string.h>

#include "passes/lower/library.h"

/* Custom calls of the user's own functions (--custom-call=TARGET=FUNCTION), and assertions on shapes. */

const char *user_function(const LowerOptions *options, const Instr *call) {
    const char *target = instr_string(call, ATTR_CUSTOM_CALL_TARGET);
    size_t n = target ? strlen(target) : 0;
    for (int i = 0; n && i < options->n_custom_calls; i++) {
        const char *given = options->custom_calls[i], *function = strrchr(given, '=');
        if (function && (size_t)(function - given) == n && memcmp(given, target, n) == 0) return function + 1;
    }
    return NULL;
}

/* --- arrays in the layouts that the call asks for, or row-major --------------------------------------------------- */

static const Shape *dense(Lowering *low, const Shape *shape) {
    return shape->layout && shape->layout->n_minor_to_major ? shape : shape_with_default_layout(low->arena, shape);
}

static const Shape *operand_shape(Lowering *low, const Instr *call, int k, int leaf) {
    const Attr *wanted = instr_attr(call, ATTR_OPERAND_LAYOUT_CONSTRAINTS);
    const Shape *shape = shape_leaf(call->operands[k]->shape, leaf);
    if (!wanted || k >= wanted->n_shapes) return shape_with_default_layout(low->arena, shape);
    return dense(low, shape_leaf(wanted->shapes[k], leaf));
}

static KBuffer *operand_in(Frame *frame, Instr *operand, int leaf, const Shape *shape) {
    HostValue *value = host_value(frame, operand, leaf);
    const char *name = leaf_source(operand, leaf).instr->name;
    const Place *place = frame_place(frame, value, name);
    if (place->shape && shapes_same_layout(place->shape, shape)) return place->buffer;
    KBuffer *copy = new_slot(frame->low, identifier_of(frame->low->arena, name, false), shape);
    place_written(frame, copy, shape);
    copy_value(frame, value, copy, shape, name);
    return copy;
}

/* Memory for a result; it holds the operand already where the call says that they are one array. */
static KBuffer *result_in(Frame *frame, int step, Instr *call, int leaf, const Shape *shape) {
    const Attr *aliasing = instr_attr(call, ATTR_OUTPUT_TO_OPERAND_ALIASING);
    KBuffer *buffer = frame_buffer(frame, step, call, leaf);
    if (buffer->shape && !shapes_same_layout(buffer->shape, shape))
        buffer = new_slot(frame->low, identifier_of(frame->low->arena, call->name, false), shape);
    buffer->written = true;
    for (int i = 0; aliasing && i < aliasing->n_aliases; i++) {
        const AliasEntry *entry = &aliasing->aliasing[i];
        bool this_one = entry->output_index.n ? entry->output_index.at[0] == leaf : leaf == 0;
        if (!this_one || entry->operand_index.n || entry->operand >= call->n_operands) continue;
        Instr *operand = call->operands[entry->operand];
        copy_value(frame, host_value(frame, operand, 0), buffer, shape, operand->name);
    }
    frame_set(frame, call, leaf, (HostValue){.place = place_written(frame, buffer, shape),
                                             .shape = shape_leaf(call->shape, leaf)});
    return buffer;
}

void lower_user_call(Frame *frame, int step, Instr *call) {
    Lowering *low = frame->low;
    int n = 0, most = shape_leaves(call->shape);
    for (int k = 0; k < call->n_operands; k++) most += shape_leaves(call->operands[k]->shape);
    KArgument *arguments = NEW_ARRAY(low->arena, KArgument, most);
    const Shape **shapes = NEW_ARRAY(low->arena, const Shape *, most);
    for (int k = 0; k < call->n_operands; k++)
        for (int leaf = 0; leaf < shape_leaves(call->operands[k]->shape); leaf++) {
            if (!shape_is_array(shape_leaf(call->operands[k]->shape, leaf))) continue;
            shapes[n] = operand_shape(low, call, k, leaf);
            arguments[n].buffer = operand_in(frame, call->operands[k], leaf, shapes[n]);
            n++;
        }
    KUserCall *user = NEW(low->arena, KUserCall);
    *user = (KUserCall){.name = constant_name(low, call->name), .function = user_function(&low->options, call),
                        .instr = call, .n_operands = n, .shapes = shapes};
    for (int leaf = 0; leaf < shape_leaves(call->shape); leaf++) {
        if (!shape_is_array(shape_leaf(call->shape, leaf))) continue;
        shapes[n] = dense(low, shape_leaf(call->shape, leaf));
        arguments[n].buffer = result_in(frame, step, call, leaf, shapes[n]);
        n++;
    }
    user->n_results = n - user->n_operands;
    low->program->may_fail = true;
    vec_push(low->arena, &low->program->user_calls, user);
    emit_statement(frame->host->emitter,
                   (KStmt){.kind = KSTMT_USER_CALL, .user_call = user, .n_arguments = n, .arguments = arguments,
                           .n_results = user->n_results, .from = call});
}

/* --- shape_assertion ---------------------------------------------------------------------------------------------- */

bool is_shape_assertion(const Instr *call) {
    const char *target = instr_string(call, ATTR_CUSTOM_CALL_TARGET);
    if (!target || strcmp(target, "shape_assertion") != 0 || call->n_operands < 1) return false;
    for (int k = 0; k < call->n_operands; k++) {
        const Shape *shape = call->operands[k]->shape;
        if (!shape_is_array(shape) || shape->rank) return false;
        if (k ? !dtype_is_integer(shape->dtype) : shape->dtype != DT_PRED) return false;
    }
    return shape_is_tuple(call->shape) && !call->shape->n_elements;
}

void lower_shape_assertion(Frame *frame, Instr *call) {
    Lowering *low = frame->low;
    const char *message = instr_string(call, ATTR_BACKEND_CONFIG), *named = instr_frontend(call, "error_message");
    int n = call->n_operands - 1;
    KBuffer *numbers = n ? library_scratch(frame, "numbers", DT_S64, n) : NULL;
    for (int k = 0; k < n; k++) {
        Elem number = host_element(frame, call->operands[1 + k], 0, 0);
        number.part[0] = kvalue_convert(frame->host->func, DT_S64, number.part[0], NULL);
        push_store(frame->puller, numbers, DT_S64, index_const(low->pool, k), number, call);
    }
    LibraryCall assertion = {.frame = frame, .instr = call, .function = "hlocc_assertion"};
    library_text(&assertion, "ctx");
    KArgument holds = {.value = host_element(frame, call->operands[0], 0, 0).part[0]};
    vec_push(low->arena, &assertion.arguments, holds);
    library_text(&assertion, library_c_string(low->arena, named ? named : message));
    if (numbers) library_buffer(&assertion, numbers);
    else library_text(&assertion, "NULL");
    library_number(&assertion, n);
    library_emit_checked(&assertion);
}
