/* A shape being read. */
#ifndef PARSER_SHAPES_H
#define PARSER_SHAPES_H

#include "base/text.h"
#include "base/vec.h"
#include "ir/shape.h"

typedef struct {
    DType dtype;
    VEC(int64_t) dims;
    VEC(uint8_t) kinds; /* DIM_... */
    bool dynamic, has_layout;
    VEC(int64_t) order; /* minor to major */
    Text items;         /* behind the colon, in canonical spelling */
    int last_item;      /* which stood last; -1: none yet */
    int n_groups, n_arguments, in_group; /* of the item; of its last parenthesis */
    int64_t last_number;
    int n_levels; /* of D(...); -1: no such item */
    int64_t element_bits, memory_space;
} ShapeDraft;

#endif
