/* Shapes: an array (element type, dims, layout), a tuple of shapes, token[], opaque[], or a buffer b(array).
 * Shapes are immutable once built and may be shared; where one was written is kept by its user (Instr.shape_span). */
#ifndef IR_SHAPE_H
#define IR_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "ir/dtype.h"

/* A layout: which dim varies fastest in memory, and notes of other back ends that we keep but do not use.
 * minor_to_major[0] is the fastest dim. */
typedef struct {
    int n_minor_to_major;       /* the rank; 0 with auto_layout */
    const int64_t *minor_to_major;
    bool written;               /* stood in the text; otherwise it is the default, descending */
    bool auto_layout;           /* {:S(n)} on an array of rank above 0 */
    const char *items;          /* what stood behind ':', in canonical spelling ("T(8,128)(2,1)S(1)"), or NULL */
    int element_bits;           /* E(n), or 0 */
    int memory_space;           /* S(n), or 0 */
} Layout;

enum { DIM_STATIC = 0, DIM_BOUNDED = 1, DIM_UNBOUNDED = 2 };

typedef struct Shape Shape;
struct Shape {
    DType dtype; /* DT_TUPLE: elements below; DT_BUFFER: elements[0] is the array */
    int rank;
    const int64_t *dims;   /* sizes; of a bounded dim ("<=8") the bound; of an unbounded one ("?") -1 */
    const uint8_t *dynamic; /* DIM_... per dim; NULL: all static */
    const Layout *layout;  /* of arrays only, else NULL */
    int n_elements;
    const Shape *const *elements;
};

const Shape *shape_array(Arena *arena, DType dtype, int rank, const int64_t *dims); /* default layout; dims copied */
const Shape *shape_scalar(Arena *arena, DType dtype);
const Shape *shape_tuple(Arena *arena, int n, const Shape *const *elements);
const Shape *shape_token(Arena *arena);

const Shape *shape_opaque(Arena *arena);

/* The descending layout, not written in the text; shared, not allocated, up to rank 16. */
const Layout *layout_default(Arena *arena, int rank);

/* The same with another element type, layout kept. */
const Shape *shape_with_dtype(Arena *arena, const Shape *shape, DType dtype);
/* The same with the descending layout on every array. */
const Shape *shape_with_default_layout(Arena *arena, const Shape *shape);

static inline bool shape_is_array(const Shape *shape) {
    return dtype_is_array(shape->dtype);
}
static inline bool shape_is_tuple(const Shape *shape) {
    return shape->dtype == DT_TUPLE;
}

/* Elements of an array (1 for a scalar, bounds count as sizes); saturates at INT64_MAX. 0 for what has no elements. */
int64_t shape_elements(const Shape *shape);
int64_t shape_bytes(const Shape *shape); /* of an array; elements times bytes of one; saturates */

/* Arrays, tokens and opaques in depth-first order. */
int shape_leaves(const Shape *shape);
const Shape *shape_leaf(const Shape *shape, int k);

/* The part of a nested tuple that n indices lead to (0: the shape itself); NULL: there is none. */
const Shape *shape_part(const Shape *shape, int n, const int64_t *index);

/* True when the layout is {r-1, ..., 1, 0}: memory order is logical order. */
bool layout_is_default(const Shape *shape);

/* Equal in tree, element types and dims; layouts and dynamic flags do not count. */
bool shapes_compatible(const Shape *a, const Shape *b);
/* The same where dims of unknown size (-1) fit every other. */
static inline bool sizes_agree(int64_t a, int64_t b) {
    return a == b || a < 0 || b < 0;
}
bool dims_agree(const Shape *a, const Shape *b);
bool shapes_agree(const Shape *a, const Shape *b);
/* Compatible, and equal minor_to_major of every array. */
bool shapes_same_layout(const Shape *a, const Shape *b);
bool shapes_same_dims(const Shape *a, const Shape *b); /* arrays: rank and sizes */

typedef enum {
    SHAPE_NO_LAYOUT,      /* f32[2,3] */
    SHAPE_LAYOUT,         /* f32[2,3]{1,0} */
    SHAPE_WRITTEN_LAYOUT, /* the layout where it was written in the text */
} ShapeStyle;

/* HLO text, tuples with their index comments: (f32[2]{0}, (), token[]). */
void shape_print(Text *out, const Shape *shape, ShapeStyle style);
const char *shape_text(Arena *arena, const Shape *shape); /* SHAPE_NO_LAYOUT, for messages */

#endif
