#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Block Block;
struct Block {
    Block *next;
    size_t size; /* keeps the payload behind it aligned to 16 bytes */
};

typedef struct Adopted Adopted;
struct Adopted {
    Adopted *next;
    void *memory;
};

struct Arena {
    Block *blocks;
    Adopted *adopted; /* in the blocks */
    char *at, *end; /* free part of the newest block */
    size_t bytes;
    size_t grow; /* size of the next block: doubles, so that few are needed */
};

enum { ALIGN = 16, FIRST_BLOCK = 1 << 14, LARGEST_BLOCK = 1 << 22 };

static void *checked(void *memory) {
    if (!memory) {
        fputs("hlocc: fatal error: out of memory\n", stderr);
        exit(70);
    }
    return memory;
}

void *base_malloc(size_t bytes) {
    return checked(malloc(bytes ? bytes : 1));
}

void *base_realloc(void *old, size_t bytes) {
    return checked(realloc(old, bytes ? bytes : 1));
}

void base_free(void *old) {
    free(old);
}

Arena *arena_new(void) {
    Arena *arena = checked(calloc(1, sizeof *arena));
    arena->grow = FIRST_BLOCK;
    return arena;
}

void arena_free(Arena *arena) {
    if (!arena) return;
    for (Adopted *a = arena->adopted; a; a = a->next) free(a->memory);
    for (Block *b = arena->blocks, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    free(arena);
}

void *arena_alloc(Arena *arena, size_t bytes) {
    if (bytes > SIZE_MAX / 2) checked(NULL);
    size_t size = (bytes + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    if (size > (size_t)(arena->end - arena->at)) {
        /* A large piece gets a block of its own and leaves the current one in use. */
        size_t payload = size > arena->grow / 4 ? size : arena->grow;
        Block *block = checked(calloc(1, sizeof *block + payload));
        block->next = arena->blocks;
        block->size = payload;
        arena->blocks = block;
        char *memory = (char *)(block + 1);
        arena->bytes += size;
        if (payload == size) return memory;
        arena->at = memory + size;
        arena->end = memory + payload;
        if (arena->grow < LARGEST_BLOCK) arena->grow *= 2;
        return memory;
    }
    void *memory = arena->at;
    arena->at += size;
    arena->bytes += size;
    return memory;
}

void arena_adopt(Arena *arena, void *memory) {
    Adopted *adopted = NEW(arena, Adopted);
    *adopted = (Adopted){arena->adopted, memory};
    arena->adopted = adopted;
}

char *arena_string(Arena *arena, const char *bytes, size_t n) {
    char *copy = arena_alloc(arena, n + 1);
    if (n) memcpy(copy, bytes, n);
    return copy;
}

char *arena_vprintf(Arena *arena, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = arena_alloc(arena, (size_t)n + 1);
    vsnprintf(text, (size_t)n + 1, format, args);
    return text;
}

char *arena_printf(Arena *arena, const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *text = arena_vprintf(arena, format, args);
    va_end(args);
    return text;
}

size_t arena_bytes(const Arena *arena) {
    return arena->bytes;
}
