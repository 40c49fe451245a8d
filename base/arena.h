/* Arenas: memory by lifetime. Whatever is allocated from an arena lives as long as the arena and is freed with it;
 * nothing is freed alone. Only base/ calls malloc.
 *
 * Invariants
 *   - memory is zero-filled and aligned to 16 bytes, and never NULL: when the machine has none left the process
 *     says so and exits with 70 (out of memory has no other answer in a compiler). */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

typedef struct Arena Arena;

Arena *arena_new(void);
void arena_free(Arena *arena); /* NULL is fine */

/* bytes of zeroed memory; 0 bytes give a valid pointer too. */
void *arena_alloc(Arena *arena, size_t bytes);

/* A copy of n bytes with a NUL behind them. */
char *arena_string(Arena *arena, const char *bytes, size_t n);

/* Memory of base_malloc that is freed with the arena from now on. */
void arena_adopt(Arena *arena, void *memory);

/* printf into the arena. */
char *arena_printf(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(Arena *arena, const char *format, va_list args);

/* Bytes handed out so far, for statistics. */
size_t arena_bytes(const Arena *arena);

#define NEW(arena, T) ((T *)arena_alloc((arena), sizeof(T)))
#define NEW_ARRAY(arena, T, n) ((T *)arena_alloc((arena), sizeof(T) * (size_t)(n)))

/* What malloc, realloc and strdup are, but never NULL; for the few things that outgrow arenas (Text). */
void *base_malloc(size_t bytes);
void *base_realloc(void *old, size_t bytes);
void base_free(void *old);

#endif
