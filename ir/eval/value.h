/* Values of the evaluator: what an instruction gives while a computation runs.
 *
 * Invariants
 *   - immutable once a rule has returned them, and counted: value_retain and value_release, each maker and holder one.
 *     The only exception is one that value_may_overwrite allows: nobody else can see it
 *   - elements of arrays lie in logical row-major order, stored as ir/literal.h says
 *   - the memory is the heap's, not an arena's: in a loop, what died must be gone (see base/arena.h) */
#ifndef IR_EVAL_VALUE_H
#define IR_EVAL_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ir/literal.h"
#include "ir/shape.h"

typedef struct Value Value;
struct Value {
    const Shape *shape;
    void *data;      /* arrays: shape_bytes(shape) of them; else NULL */
    Value **elements; /* tuples: shape->n_elements of them, each held once; else NULL */
    int64_t *sizes;  /* arrays with bounded dims: run-time size of each dim; NULL: as in shape */
    Value *lender;   /* whose data this value shows, held; NULL: its own or a literal's */
    int refs;
    bool owns_data;
};

/* A value of shape with one holder. Elements of arrays are not set; tuples have their elements still NULL; tokens and
 * the like have nothing. */
Value *value_new(const Shape *shape);
Value *value_zeros(const Shape *shape); /* an array of zeros, or a tuple of such */

/* Another shape over the data of an array, which must have as many bytes. */
Value *value_view(const Shape *shape, Value *of);
/* A literal's elements in place; it must outlive the value, and have its values. */
Value *value_of_literal(const Literal *literal);
bool literal_lacks_values(const Literal *literal); /* {...}, here or in an element of a tuple */
/* An array of its own with the same elements. */
Value *value_copy(const Shape *shape, const Value *of);

Value *value_retain(Value *value);
void value_release(Value *value); /* NULL is fine */

/* The value in a slot and the hold on it; the slot becomes NULL. */
Value *value_take(Value **slot);

/* Nobody but the caller holds the array, and it owns its elements. */
bool value_may_overwrite(const Value *value);

/* A copy that lives in arena, of the shape as an instruction has it (with its layouts). */
Literal *value_to_literal(Arena *arena, const Value *value, const Shape *shape);

/* Element i of an integer or pred array; unsigned 64-bit ones beyond INT64_MAX give INT64_MAX. */
int64_t value_index(const Value *value, int64_t i);

static inline int64_t value_elements(const Value *value) {
    return shape_elements(value->shape);
}

#endif
