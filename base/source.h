/* Source texts and places in them.
 *
 * A Source is one text as the user gave it; a Span is a range of its bytes. Everything that was read from a text keeps
 * its Span, so that a message found much later still points at the words it is about. */
#ifndef BASE_SOURCE_H
#define BASE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

typedef struct {
    uint32_t begin, end; /* byte offsets, end exclusive; both 0: no place known */
} Span;

typedef struct {
    const char *name;  /* as shown in messages */
    const char *bytes; /* size bytes, then a NUL that does not count */
    size_t size;       /* below 4 GB */
    const uint32_t *line_starts; /* made when first asked for */
    int n_lines;
} Source;

/* A source over bytes that the caller keeps alive (bytes[size] must be readable and 0). */
Source *source_from_bytes(Arena *arena, const char *name, const char *bytes, size_t size);

/* The whole of a file ("-": standard input), unpacked if it is a gzip file. NULL when it cannot be read, and *why. */
Source *source_from_file(Arena *arena, const char *path, const char **why);

/* Line and column of a byte offset, both from 1; columns count bytes. */
void source_position(Arena *arena, Source *source, uint32_t offset, int *line, int *column);

/* The text of line (from 1) without its line end, as a range of source->bytes. */
Span source_line(Arena *arena, Source *source, int line);

static inline Span span_join(Span a, Span b) {
    if (!a.end) return b;
    if (!b.end) return a;
    return (Span){a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}

#endif
