/* Moving elements: strided copies between arrays, whatever their element type. */
#ifndef IR_EVAL_MOVE_H
#define IR_EVAL_MOVE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "ir/shape.h"

/* Strides, in elements, of an array in row-major order. */
int64_t *strides_new(Arena *arena, const Shape *shape);

/* Copies a box of elements of `bytes` bytes each: element (i_0, i_1, ...) of the box, 0 <= i_d < dims[d], from
 * from[start_from + sum i_d strides_from[d]] to the like place. Strides may be zero or negative. */
typedef struct {
    int rank;
    const int64_t *dims;
    int64_t start_to, start_from;
    const int64_t *strides_to, *strides_from;
} Move;
void move_box(const Move *move, size_t bytes, void *to, const void *from);

/* n copies of one element. */
void fill_elements(size_t bytes, void *to, const void *element, int64_t n);

/* Where the elements of a box lie, in row-major order of the box: sum i_d strides[d], for `rank` dims. *n: how many. */
int64_t *offsets_new(Arena *arena, int rank, const int64_t *dims, const int64_t *strides, int64_t *n);

/* to[i] = from[base + offsets[i]]. */
void gather_elements(size_t bytes, void *to, const void *from, int64_t base, const int64_t *offsets, int64_t n);
/* to[base + offsets[i]] = from[i]. */
void scatter_elements(size_t bytes, void *to, const void *from, int64_t base, const int64_t *offsets, int64_t n);

#endif
