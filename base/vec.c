#include "base/vec.h"

#include <string.h>

void *vec_grow(Arena *arena, const void *at, int n, int *cap, size_t element_bytes) {
    *cap = *cap ? 2 * *cap : 4;
    void *grown = arena_alloc(arena, (size_t)*cap * element_bytes);
    if (n) memcpy(grown, at, (size_t)n * element_bytes);
    return grown;
}
