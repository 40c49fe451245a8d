#include "ir/eval/move.h"

#include <string.h>

int64_t *strides_new(Arena *arena, const Shape *shape) {
    int64_t *strides = NEW_ARRAY(arena, int64_t, shape->rank);
    int64_t stride = 1;
    for (int d = shape->rank - 1; d >= 0; d--) {
        strides[d] = stride;
        stride *= shape->dims[d];
    }
    return strides;
}

typedef struct {
    uint64_t low, high;
} Bytes16;

#define MOVE_ROW(T)                                                               \
    do {                                                                          \
        T *y = (T *)to + at_to;                                                   \
        const T *x = (const T *)from + at_from;                                   \
        for (int64_t i = 0; i < n; i++) y[i * stride_to] = x[i * stride_from];    \
    } while (0)

static void move_row(size_t bytes, int64_t n, void *to, int64_t at_to, int64_t stride_to, const void *from,
                     int64_t at_from, int64_t stride_from) {
    switch (bytes) {
    case 1: MOVE_ROW(uint8_t); break;
    case 2: MOVE_ROW(uint16_t); break;
    case 4: MOVE_ROW(uint32_t); break;
    case 8: MOVE_ROW(uint64_t); break;
    default: MOVE_ROW(Bytes16); break;
    }
}

/* Recursion goes over dims of more than one element only: at most 62 of them. */
static void move_dims(const Move *move, int d, size_t bytes, void *to, int64_t at_to, const void *from,
                      int64_t at_from) {
    while (d < move->rank - 1 && move->dims[d] == 1) d++;
    if (d >= move->rank - 1) {
        bool scalar = d >= move->rank;
        move_row(bytes, scalar ? 1 : move->dims[d], to, at_to, scalar ? 0 : move->strides_to[d], from, at_from,
                 scalar ? 0 : move->strides_from[d]);
        return;
    }
    for (int64_t i = 0; i < move->dims[d]; i++)
        move_dims(move, d + 1, bytes, to, at_to + i * move->strides_to[d], from, at_from + i * move->strides_from[d]);
}

void move_box(const Move *move, size_t bytes, void *to, const void *from) {
    for (int d = 0; d < move->rank; d++)
        if (move->dims[d] <= 0) return;
    move_dims(move, 0, bytes, to, move->start_to, from, move->start_from);
}

void fill_elements(size_t bytes, void *to, const void *element, int64_t n) {
    for (int64_t i = 0; i < n; i++) memcpy((char *)to + (size_t)i * bytes, element, bytes);
}

int64_t *offsets_new(Arena *arena, int rank, const int64_t *dims, const int64_t *strides, int64_t *n) {
    int64_t count = 1;
    for (int d = 0; d < rank; d++) count *= dims[d];
    *n = count;
    int64_t *offsets = NEW_ARRAY(arena, int64_t, count);
    if (!count) return offsets;
    /* The offsets of the dims from d on, times those of the dims before: grown from the last dim outwards, in place. */
    int64_t done = 1;
    for (int d = rank - 1; d >= 0; d--) {
        for (int64_t i = 1; i < dims[d]; i++)
            for (int64_t j = 0; j < done; j++) offsets[i * done + j] = i * strides[d] + offsets[j];
        done *= dims[d];
    }
    return offsets;
}

#define EACH(T, destination, source)                                       \
    do {                                                                   \
        T *y = to;                                                         \
        const T *x = from;                                                 \
        for (int64_t i = 0; i < n; i++) y[destination] = x[source];        \
    } while (0)

void gather_elements(size_t bytes, void *to, const void *from, int64_t base, const int64_t *offsets, int64_t n) {
    switch (bytes) {
    case 1: EACH(uint8_t, i, base + offsets[i]); break;
    case 2: EACH(uint16_t, i, base + offsets[i]); break;
    case 4: EACH(uint32_t, i, base + offsets[i]); break;
    case 8: EACH(uint64_t, i, base + offsets[i]); break;
    default: EACH(Bytes16, i, base + offsets[i]); break;
    }
}

void scatter_elements(size_t bytes, void *to, const void *from, int64_t base, const int64_t *offsets, int64_t n) {
    switch (bytes) {
    case 1: EACH(uint8_t, base + offsets[i], i); break;
    case 2: EACH(uint16_t, base + offsets[i], i); break;
    case 4: EACH(uint32_t, base + offsets[i], i); break;
    case 8: EACH(uint64_t, base + offsets[i], i); break;
    default: EACH(Bytes16, base + offsets[i], i); break;
    }
}
