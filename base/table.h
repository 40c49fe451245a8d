/* Hash tables in an arena. StringTable: string -> pointer. KeyTable: 64-bit key -> pointer (a key may be a pointer).
 * Neither forgets: entries are added or replaced, never removed. A zeroed table is empty and valid.
 * Iteration order does not exist on purpose: output must not depend on hashes. Keep a VEC beside a table to iterate. */
#ifndef BASE_TABLE_H
#define BASE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

typedef struct {
    struct StringEntry *at;
    size_t n, capacity;
} StringTable;

/* The value of name (n bytes, need not end in NUL), or NULL. */
void *string_table_get(const StringTable *table, const char *name, size_t n);

/* Says that name will be looked up soon: large tables are out of the cache, and waiting for memory takes its time. */
void string_table_expect(const StringTable *table, const char *name, size_t n);

/* Adds or replaces. The bytes of name (fewer than 2^32) are not copied: they must live as long as the table. */
void string_table_put(Arena *arena, StringTable *table, const char *name, size_t n, void *value);

typedef struct {
    struct KeyEntry *at;
    size_t n, capacity;
} KeyTable;

void *key_table_get(const KeyTable *table, uint64_t key);
void key_table_put(Arena *arena, KeyTable *table, uint64_t key, void *value); /* value not NULL */

#define POINTER_KEY(p) ((uint64_t)(uintptr_t)(p))

/* Hashing for tables of one's own. */
uint64_t hash_bytes(const void *bytes, size_t n);
uint64_t hash_mix(uint64_t a, uint64_t b);

#endif
