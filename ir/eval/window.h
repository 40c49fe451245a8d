/* Windows over arrays: reduce-window, select-and-scatter and convolution place them alike. */
#ifndef IR_EVAL_WINDOW_H
#define IR_EVAL_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/attr.h"

/* Where position k of the window of output o reads along one dim of `size` elements; -1: padding or a hole. */
int64_t window_at(const WindowDim *window, int64_t size, int64_t o, int64_t k);

/* The same for all dims: the offset of the element, or -1. */
int64_t window_offset(int rank, const WindowDim *windows, const int64_t *sizes, const int64_t *strides,
                      const int64_t *output, const int64_t *position);

/* The next index of a box in row-major order; false after the last. */
bool index_next(int rank, const int64_t *dims, int64_t *index);

/* The index of element number n of a box, in row-major order. */
void index_from_number(int rank, const int64_t *dims, int64_t n, int64_t *index);

#endif
