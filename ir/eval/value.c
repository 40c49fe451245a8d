#include "ir/eval/value.h"

#include <string.h>

/* The elements of an array stand in the same block, so that a scalar costs one allocation. */
typedef struct {
    Value value;
    _Alignas(16) char data[];
} Block;

static Value *block_new(const Shape *shape, size_t bytes) {
    Block *block = base_malloc(sizeof(Block) + bytes);
    block->value = (Value){.shape = shape, .refs = 1};
    return &block->value;
}

Value *value_new(const Shape *shape) {
    if (shape_is_array(shape) || shape->dtype == DT_BUFFER) {
        const Shape *array = shape->dtype == DT_BUFFER ? shape->elements[0] : shape;
        Value *value = block_new(array, (size_t)shape_bytes(array));
        value->data = ((Block *)(void *)value)->data;
        value->owns_data = true;
        return value;
    }
    size_t n = shape_is_tuple(shape) ? (size_t)shape->n_elements : 0;
    Value *value = block_new(shape, n * sizeof(Value *));
    if (shape_is_tuple(shape)) {
        value->elements = (Value **)(void *)((Block *)(void *)value)->data;
        for (size_t i = 0; i < n; i++) value->elements[i] = NULL;
    }
    return value;
}

Value *value_zeros(const Shape *shape) {
    Value *value = value_new(shape);
    if (value->data) memset(value->data, 0, (size_t)shape_bytes(value->shape));
    if (value->elements)
        for (int i = 0; i < shape->n_elements; i++) value->elements[i] = value_zeros(shape->elements[i]);
    return value;
}

Value *value_view(const Shape *shape, Value *of) {
    Value *value = block_new(shape, 0);
    value->data = of->data;
    value->lender = value_retain(of->lender ? of->lender : of); /* no chains: releasing must not recurse */
    return value;
}

Value *value_of_literal(const Literal *literal) {
    if (shape_is_tuple(literal->shape)) {
        Value *tuple = value_new(literal->shape);
        for (int i = 0; i < literal->shape->n_elements; i++)
            tuple->elements[i] = value_of_literal(literal->elements[i]);
        return tuple;
    }
    Value *value = block_new(literal->shape, 0);
    value->data = literal->data;
    return value;
}

bool literal_lacks_values(const Literal *literal) {
    if (!shape_is_tuple(literal->shape)) return literal->elided;
    for (int k = 0; k < literal->shape->n_elements; k++)
        if (literal_lacks_values(literal->elements[k])) return true;
    return false;
}

Value *value_copy(const Shape *shape, const Value *of) {
    Value *value = value_new(shape);
    size_t bytes = (size_t)shape_bytes(of->shape);
    if (bytes) memcpy(value->data, of->data, bytes);
    return value;
}

Value *value_retain(Value *value) {
    value->refs++;
    return value;
}

void value_release(Value *value) {
    if (!value || --value->refs) return;
    if (value->elements)
        for (int i = 0; i < value->shape->n_elements; i++) value_release(value->elements[i]);
    value_release(value->lender);
    base_free(value->sizes);
    base_free(value);
}

Value *value_take(Value **slot) {
    Value *value = *slot;
    *slot = NULL;
    return value;
}

bool value_may_overwrite(const Value *value) {
    return value->refs == 1 && value->owns_data;
}

Literal *value_to_literal(Arena *arena, const Value *value, const Shape *shape) {
    Literal *literal = NEW(arena, Literal);
    literal->shape = shape;
    if (shape_is_tuple(shape)) {
        literal->elements = NEW_ARRAY(arena, Literal *, shape->n_elements);
        for (int i = 0; i < shape->n_elements; i++)
            literal->elements[i] = value_to_literal(arena, value->elements[i], shape->elements[i]);
    } else if (value->data) {
        size_t bytes = (size_t)shape_bytes(value->shape);
        literal->data = arena_alloc(arena, bytes);
        memcpy(literal->data, value->data, bytes);
    }
    return literal;
}

int64_t value_index(const Value *value, int64_t i) {
    switch (dtype_bytes(value->shape->dtype)) {
    case 1:
        return dtype_class(value->shape->dtype) == DTYPE_SIGNED ? ((int8_t *)value->data)[i]
                                                                : ((uint8_t *)value->data)[i];
    case 2:
        return value->shape->dtype == DT_S16 ? ((int16_t *)value->data)[i] : ((uint16_t *)value->data)[i];
    case 4:
        return value->shape->dtype == DT_S32 ? ((int32_t *)value->data)[i] : (int64_t)((uint32_t *)value->data)[i];
    default: {
        int64_t n = ((int64_t *)value->data)[i];
        return value->shape->dtype == DT_U64 && n < 0 ? INT64_MAX : n;
    }
    }
}
