/* NumPy's .npy files, versions 1 to 3 (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html).
 *
 * Read and written are little-endian booleans, integers, floats and complex numbers, and raw bytes |V1, |V2, which
 * stand for types that NumPy lacks: bf16 is |V2; f8, f6, f4 and sub-byte integers are |V1, one element a byte. */
#ifndef DRIVER_NPY_H
#define DRIVER_NPY_H

#include "base/text.h"
#include "ir/literal.h"

typedef struct {
    char kind; /* b, i, u, f, c or V, as in NumPy's type codes */
    int size;  /* bytes of an element */
    bool fortran;
    int rank;
    const int64_t *dims;
    const char *data; /* in the order that fortran says */
    size_t bytes;
} Npy;

/* Takes a file of size bytes apart; data points into them. False: why says what is wrong with it. */
bool npy_parse(Arena *arena, const char *file, size_t size, Npy *out, Text *why);

/* A file's array as a literal of the given shape. Its sizes must be those of the shape; its type too, except that
 * numbers are converted where the kind is kept or widened (integer to float, float to complex, one size to another).
 * NULL: why, with the path. */
Literal *npy_read(Arena *arena, const char *path, const Shape *shape, Text *why);

/* The file of an array literal (version 1.0, C order). */
void npy_print(Text *out, const Literal *literal);
bool npy_write(const char *path, const Literal *literal, Text *why);

#endif
