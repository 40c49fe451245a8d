/* Operations that the host function hands to a function of the runtime, on whole arrays in row-major order. */
#ifndef PASSES_LOWER_LIBRARY_H
#define PASSES_LOWER_LIBRARY_H

#include "passes/lower/host.h"

/* A call that is put together argument by argument. */
typedef struct {
    Frame *frame;
    const Instr *instr;
    const char *function;
    VEC(KArgument) arguments;
} LibraryCall;

/* A call of function_type. */
LibraryCall library_call(Frame *frame, const Instr *instr, const char *function, const char *type);
void library_buffer(LibraryCall *call, KBuffer *buffer);
/* The part of buffer that begins at element `at`. */
void library_part(LibraryCall *call, KBuffer *buffer, int64_t at);
void library_number(LibraryCall *call, int64_t number);
void library_text(LibraryCall *call, const char *text); /* C, as it stands */
void library_emit(LibraryCall *call);
/* The same of a function that returns an error code, which ends the call of the program. */
void library_emit_checked(LibraryCall *call);

/* Text as a string of C. */
const char *library_c_string(Arena *arena, const char *text);

/* Matrices in memory as they lie there: element (i, j) of matrix b of a batch is b * batch + i * row + j * column
 * elements behind element `at` of the buffer. */
typedef struct {
    KBuffer *buffer;
    int64_t batches, rows, columns;
    int64_t at, batch, row, column;
} LibraryMatrix;
LibraryMatrix library_matrix(Frame *frame, Instr *instr, int leaf);
LibraryMatrix library_result_matrix(Frame *frame, int step, const Instr *instr, int leaf);
LibraryMatrix matrix_transposed(LibraryMatrix matrix);
LibraryMatrix matrix_reversed(LibraryMatrix matrix, bool rows, bool columns); /* from the last to the first */
/* Pointer, batch, row and column: four arguments. */
void library_add_matrix(LibraryCall *call, LibraryMatrix matrix);

/* An operand in memory, row-major; a copy where it lies otherwise. */
KBuffer *library_operand(Frame *frame, Instr *instr, int leaf);
/* Memory for a result, row-major; the frame knows it from now on. */
KBuffer *library_result(Frame *frame, int step, const Instr *instr, int leaf);
/* An array of numbers of 32 or more bits that is to hold zeros. */
void library_zeros(Frame *frame, const Instr *instr, KBuffer *buffer);
/* Memory for the time of the call. */
KBuffer *library_scratch(Frame *frame, const char *name, DType dtype, int64_t elements);
/* A table of numbers of dtype (f32 or f64); fill is asked once for each key of a program. */
typedef void LibraryTable(Literal *literal, const int64_t *key);
KBuffer *library_table(Frame *frame, const Instr *instr, const char *name, DType dtype, int64_t elements,
                       LibraryTable *fill, const int64_t *key, int n_key);

/* Lanes of vectors of dtype (1: none), and the name of such a type: f32x16. */
int library_lanes(const Frame *frame, DType dtype);
const char *library_type(const Frame *frame, DType dtype);

#endif
