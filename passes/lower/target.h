/* Targets: what the machine that runs the generated code has. One row each; every number that a schedule uses. */
#ifndef PASSES_LOWER_TARGET_H
#define PASSES_LOWER_TARGET_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    const char *name, *what;
    int vector_bytes;    /* 64, 32, 16; 0: no vectors */
    int registers;       /* vector registers */
    bool fma;
    int64_t l1_bytes, l2_bytes;
    /* Register tile of a contraction: rows x vectors of columns. */
    int tile_rows, tile_vectors;
    const char *cc_flags; /* what a C compiler must be told */
    const char *macro;    /* that it then defines; NULL: none is needed */
} Target;

const Target *target_find(const char *name); /* "native": this machine; NULL if there is none of that name */
const Target *target_table(int *n);

/* Lanes of a vector whose widest elements have so many bytes; 1 without vectors. */
static inline int target_lanes(const Target *target, int element_bytes) {
    int lanes = target->vector_bytes / element_bytes;
    return lanes > 1 ? lanes : 1;
}

#endif
