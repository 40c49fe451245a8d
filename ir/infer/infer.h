/* Shape rules, one for each name in the shape column of ops.def: infer_##name.
 *
 * A rule checks operands and attributes of an instr and returns the shape of its result; for opcodes whose result says
 * more than operands and attributes do (flag SHAPE), it takes that part from the declared shape, instr->shape.
 * The first fault is reported, at the words it is about, and NULL returned: one message for one instr.
 *
 * Rules see only instrs whose operands have shapes; a computation that was not read whole has no root (hlo.h). */
#ifndef IR_INFER_INFER_H
#define IR_INFER_INFER_H

#include "base/codes.h"
#include "ir/hlo.h"

typedef struct {
    const Instr *instr;
    const Module *module;
    Arena *arena;
    Diags *diags;
} Infer;

#define INFER(name) const Shape *infer_##name(Infer *f)

/* ---- faults: all return NULL, which is also false ---------------------------------------------------------------- */

void *refuse(Infer *f, Span span, const char *code, const char *format, ...) __attribute__((format(printf, 4, 5)));
void *refuse_operand(Infer *f, int k, const char *code, const char *format, ...) __attribute__((format(printf, 4, 5)));
/* At the name of the attribute; at the opcode when it is not there. */
void *refuse_attr(Infer *f, AttrId id, const char *code, const char *format, ...) __attribute__((format(printf, 4, 5)));
void *refuse_op(Infer *f, const char *code, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* At the declared shape. */
void *refuse_shape(Infer *f, const char *code, const char *format, ...) __attribute__((format(printf, 3, 4)));

const char *shape_words(Infer *f, const Shape *shape); /* for messages */
const char *opcode(const Infer *f);

/* ---- operands ---------------------------------------------------------------------------------------------------- */

const Shape *operand(const Infer *f, int k);

enum {
    CLASS_PRED = 1 << DTYPE_PRED,
    CLASS_SIGNED = 1 << DTYPE_SIGNED,
    CLASS_UNSIGNED = 1 << DTYPE_UNSIGNED,
    CLASS_FLOAT = 1 << DTYPE_FLOAT,
    CLASS_COMPLEX = 1 << DTYPE_COMPLEX,
    CLASS_INTEGER = CLASS_SIGNED | CLASS_UNSIGNED,
    CLASS_NUMBER = CLASS_INTEGER | CLASS_FLOAT | CLASS_COMPLEX,
    CLASS_ANY = CLASS_NUMBER | CLASS_PRED,
};

/* Each says what is wrong, at the operand, if it is wrong. */
bool need_array(Infer *f, int k);
bool need_class(Infer *f, int k, unsigned classes); /* an array of these */
bool need_scalar(Infer *f, int k);
bool need_rank(Infer *f, int k, int rank);
bool need_dtype(Infer *f, int k, DType dtype);
bool need_same_dtype(Infer *f, int k, int as);      /* as operand `as` */
bool need_same_dims(Infer *f, int k, int as);
bool need_same_shape(Infer *f, int k, int as);      /* compatible */
bool need_shape(Infer *f, int k, const Shape *shape); /* compatible; shape is what the reader is told */

/* Operand 0 is what that opcode started, a tuple of two elements at least. */
bool need_started(Infer *f, Op start);

/* ---- dims -------------------------------------------------------------------------------------------------------- */

/* The attribute's numbers are dims of something of that rank, each at most once. what: "the operand". */
bool need_dims(Infer *f, AttrId id, IntList dims, int rank, const char *what);
/* No dim is in both attributes. */
bool need_apart(Infer *f, AttrId id, IntList dims, AttrId other_id, IntList other);

/* The one dim that the attribute names; -1: reported. */
int the_dim(Infer *f, AttrId id, int rank);

/* An array shape from dims that are being collected. */
typedef VEC(int64_t) Sizes;
const Shape *array_of(Infer *f, DType dtype, const Sizes *sizes);
/* The same dims, dtype; layout and dynamic dims are kept. */
const Shape *same_dims_as(Infer *f, const Shape *shape, DType dtype);

/* ---- windows ----------------------------------------------------------------------------------------------------- */

/* Of so many dims, with sensible numbers; false: reported, at the attribute. */
bool need_window(Infer *f, int n_dims, Window *window);
/* Positions of the window along a dim of that size; -1: unknown, or reported. */
int64_t windowed_size(Infer *f, const WindowDim *window, int64_t size);

/* ---- computations ------------------------------------------------------------------------------------------------ */

/* What the attribute calls; NULL when it was not read whole, or its result is wrong: then there is nothing to check. */
const Computation *callee(const Infer *f, AttrId id);
/* The n parameters have these shapes; reported at the attribute. */
bool need_parameters(Infer *f, AttrId id, const Computation *computation, int n, const Shape *const *shapes);
bool need_root(Infer *f, AttrId id, const Computation *computation, const Shape *shape);
/* A reducer of n values of these element types: (a, .., b, ..) -> (a, ..). */
bool need_reducer(Infer *f, AttrId id, int n, const DType *dtypes);

#define OP(id, text, operands, shape, ...) INFER(shape);
#include "ir/ops.def"
#undef OP

#endif
