#include "base/source.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/gzip.h"

Source *source_from_bytes(Arena *arena, const char *name, const char *bytes, size_t size) {
    Source *source = NEW(arena, Source);
    source->name = name;
    source->bytes = bytes;
    source->size = size;
    return source;
}

/* All bytes of a file and a NUL behind them, in memory of base_malloc; NULL: *why says what went wrong. */
static char *read_all(FILE *file, size_t *size, const char **why) {
    size_t capacity = 1 << 16, got;
    char *bytes = base_malloc(capacity);
    *size = 0;
    while ((got = fread(bytes + *size, 1, capacity - *size - 1, file)) > 0) {
        *size += got;
        if (*size + 1 == capacity) bytes = base_realloc(bytes, capacity *= 2);
    }
    int failed = ferror(file) ? errno : *size >= UINT32_MAX ? EFBIG : 0;
    bytes[*size] = 0;
    if (!failed) return bytes;
    *why = strerror(failed);
    base_free(bytes);
    return NULL;
}

/* Unpacks the bytes of a gzip file in place of them. */
static char *unpack(char *packed, size_t *size, const char **why) {
    Text text = {0};
    const char *wrong = gzip_unpack(&text, packed, *size, UINT32_MAX - 1);
    base_free(packed);
    if (wrong) {
        *why = wrong;
        text_free(&text);
        return NULL;
    }
    text_bytes(&text, "", 0); /* an empty text has its NUL, too */
    *size = text.n;
    return text.at;
}

Source *source_from_file(Arena *arena, const char *path, const char **why) {
    bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "rb");
    if (!file) {
        *why = strerror(errno);
        return NULL;
    }
    size_t size;
    char *bytes = read_all(file, &size, why);
    if (!standard) fclose(file);
    if (bytes && gzip_is(bytes, size)) bytes = unpack(bytes, &size, why);
    if (!bytes) return NULL;
    arena_adopt(arena, bytes);
    const char *name = standard ? "<stdin>" : arena_string(arena, path, strlen(path));
    return source_from_bytes(arena, name, bytes, size);
}

/* A line ends at LF, CR LF or a lone CR, as old editors wrote it. */
static void find_lines(Arena *arena, Source *source) {
    int n = 1;
    for (int pass = 0; pass < 2; pass++) {
        uint32_t *starts = pass ? NEW_ARRAY(arena, uint32_t, n) : NULL;
        n = 1;
        for (size_t i = 0; i < source->size; i++) {
            char c = source->bytes[i];
            if (c != '\n' && !(c == '\r' && source->bytes[i + 1] != '\n')) continue;
            if (starts) starts[n] = (uint32_t)i + 1;
            n++;
        }
        source->line_starts = starts;
    }
    source->n_lines = n;
}

void source_position(Arena *arena, Source *source, uint32_t offset, int *line, int *column) {
    if (!source->line_starts) find_lines(arena, source);
    int low = 0, high = source->n_lines - 1; /* the last line that starts at or before offset */
    while (low < high) {
        int middle = low + (high - low + 1) / 2;
        if (source->line_starts[middle] <= offset) low = middle;
        else high = middle - 1;
    }
    *line = low + 1;
    *column = (int)(offset - source->line_starts[low]) + 1;
}

Span source_line(Arena *arena, Source *source, int line) {
    if (!source->line_starts) find_lines(arena, source);
    uint32_t begin = source->line_starts[line - 1], end = begin;
    while (end < source->size && source->bytes[end] != '\n' && source->bytes[end] != '\r') end++;
    return (Span){begin, end};
}
