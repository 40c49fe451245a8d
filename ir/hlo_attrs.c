/* Getters of attributes (ir/hlo.h). */
#include <stdlib.h>
#include <string.h>

#include "ir/hlo.h"

const Attr *instr_attr(const Instr *instr, AttrId id) {
    for (int i = 0; i < instr->attrs.n; i++)
        if (instr->attrs.at[i].id == id) return &instr->attrs.at[i];
    return NULL;
}

int64_t instr_int(const Instr *instr, AttrId id, int64_t otherwise) {
    const Attr *attr = instr_attr(instr, id);
    return attr ? attr->integer : otherwise;
}

bool instr_bool(const Instr *instr, AttrId id, bool otherwise) {
    return instr_int(instr, id, otherwise) != 0;
}

const char *instr_string(const Instr *instr, AttrId id) {
    const Attr *attr = instr_attr(instr, id);
    return attr ? attr->text : NULL;
}

IntList instr_ints(const Instr *instr, AttrId id) {
    const Attr *attr = instr_attr(instr, id);
    return attr ? attr->ints : (IntList){0, NULL};
}

Computation *instr_computation(const Instr *instr, AttrId id) {
    const Attr *attr = instr_attr(instr, id);
    return attr && attr->n_computations ? attr->computations[0] : NULL;
}

Window instr_window(const Instr *instr, int n_dims) {
    const Attr *attr = instr_attr(instr, ATTR_WINDOW);
    if (attr && attr->window.n == n_dims) return attr->window;
    WindowDim *dims = NEW_ARRAY(instr->parent->module->arena, WindowDim, n_dims);
    for (int d = 0; d < n_dims; d++)
        dims[d] = (WindowDim){.size = 1, .stride = 1, .base_dilation = 1, .window_dilation = 1};
    return (Window){n_dims, dims};
}

static const char *dictionary_value(const Attr *attr, const char *key) {
    for (int i = 0; attr && i < attr->n_entries; i++)
        if (strcmp(attr->dictionary[i].key, key) == 0) return attr->dictionary[i].value;
    return NULL;
}

const char *instr_op_name(const Instr *instr) {
    return dictionary_value(instr_attr(instr, ATTR_METADATA), "op_name");
}

const char *instr_frontend(const Instr *instr, const char *key) {
    return dictionary_value(instr_attr(instr, ATTR_FRONTEND_ATTRIBUTES), key);
}

/* A done says what its start says. */
static const Instr *transfer_start(const Instr *transfer) {
    bool done = transfer->op == OP_SEND_DONE || transfer->op == OP_RECV_DONE;
    return done ? transfer->operands[0] : transfer;
}

IntList instr_transfer_pairs(Arena *arena, const Instr *transfer) {
    const char *text = instr_frontend(transfer_start(transfer), "_xla_send_recv_source_target_pairs");
    int n = 0, capacity = text ? (int)strlen(text) : 0;
    int64_t *list = NEW_ARRAY(arena, int64_t, capacity + 1);
    for (const char *at = text; at && *at;) {
        if (*at < '0' || *at > '9') {
            at++;
            continue;
        }
        char *end;
        list[n++] = strtoll(at, &end, 10);
        at = end;
    }
    return (IntList){n - n % 2, list};
}

bool instr_is_host_transfer(const Instr *transfer) {
    return instr_bool(transfer_start(transfer), ATTR_IS_HOST_TRANSFER, false);
}

bool instr_has_effect(const Instr *instr) {
    return (op_flags(instr->op) & OP_EFFECT) ||
           (instr->op == OP_CUSTOM_CALL && instr_bool(instr, ATTR_CUSTOM_CALL_HAS_SIDE_EFFECT, false));
}

int instr_called(const Instr *instr, Computation **out, int capacity) {
    int n = 0;
    for (int i = 0; i < instr->attrs.n; i++) {
        const Attr *attr = &instr->attrs.at[i];
        AttrKind kind = attr_kind(attr->id);
        if (kind != ATTR_KIND_COMPUTATION && kind != ATTR_KIND_COMPUTATIONS) continue;
        for (int k = 0; k < attr->n_computations; k++, n++)
            if (n < capacity) out[n] = attr->computations[k];
    }
    return n;
}

ComparisonType compare_type(const Instr *compare) {
    const Attr *type = instr_attr(compare, ATTR_TYPE), *order = instr_attr(compare, ATTR_ORDER);
    DType dtype = compare->operands[0]->shape->dtype;
    if (type) return (ComparisonType)type->integer;
    if (dtype_class(dtype) == DTYPE_SIGNED) return COMPARE_SIGNED;
    if (!dtype_is_float(dtype) && !dtype_is_complex(dtype)) return COMPARE_UNSIGNED;
    return order && order->integer == ORDER_TOTAL ? COMPARE_TOTALORDER : COMPARE_FLOAT;
}

int64_t instr_config_number(const Instr *instr, const char *key, int64_t otherwise) {
    const char *config = instr_string(instr, ATTR_BACKEND_CONFIG);
    size_t n = strlen(key);
    for (const char *at = config; at && (at = strstr(at, key)) != NULL; at += n) {
        bool whole = at == config || strchr("{ ,\"", at[-1]);
        const char *value = at + n + strspn(at + n, " ");
        if (!whole || *value != '=') continue;
        value += 1 + strspn(value + 1, " ");
        return strncmp(value, "true", 4) == 0 ? 1 : strncmp(value, "false", 5) == 0 ? 0 : strtoll(value, NULL, 10);
    }
    return otherwise;
}
