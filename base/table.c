#include "base/table.h"

#include <string.h>

struct StringEntry {
    const char *name; /* NULL: free */
    void *value;
    uint32_t n, hash; /* of the hash its low half */
};

struct KeyEntry {
    uint64_t key;
    void *value; /* NULL: free */
};

uint64_t hash_mix(uint64_t a, uint64_t b) {
    uint64_t h = (a ^ (b + 0x9E3779B97F4A7C15u + (a << 6) + (a >> 2))) * 0xBF58476D1CE4E5B9u;
    return h ^ (h >> 29);
}

uint64_t hash_bytes(const void *bytes, size_t n) { /* FNV-1a, then mixed: names are short */
    const unsigned char *at = bytes;
    uint64_t h = 0xCBF29CE484222325u;
    for (size_t i = 0; i < n; i++) h = (h ^ at[i]) * 0x100000001B3u;
    return h ^ (h >> 32);
}

static uint32_t hash_name(const char *name, size_t n) {
    return (uint32_t)hash_bytes(name, n);
}

static struct StringEntry *string_slot(const StringTable *table, const char *name, size_t n, uint32_t hash) {
    for (size_t i = hash & (table->capacity - 1);; i = (i + 1) & (table->capacity - 1)) {
        struct StringEntry *entry = &table->at[i];
        if (!entry->name || (entry->hash == hash && entry->n == n && memcmp(entry->name, name, n) == 0)) return entry;
    }
}

void *string_table_get(const StringTable *table, const char *name, size_t n) {
    return table->capacity ? string_slot(table, name, n, hash_name(name, n))->value : NULL;
}

void string_table_expect(const StringTable *table, const char *name, size_t n) {
    if (table->capacity) __builtin_prefetch(&table->at[hash_name(name, n) & (table->capacity - 1)], 1);
}

void string_table_put(Arena *arena, StringTable *table, const char *name, size_t n, void *value) {
    if (4 * (table->n + 1) > 3 * table->capacity) {
        StringTable grown = {.n = table->n, .capacity = table->capacity ? 2 * table->capacity : 16};
        grown.at = NEW_ARRAY(arena, struct StringEntry, grown.capacity);
        for (size_t i = 0; i < table->capacity; i++) {
            const struct StringEntry *old = &table->at[i];
            if (old->name) *string_slot(&grown, old->name, old->n, old->hash) = *old;
        }
        *table = grown;
    }
    uint32_t hash = hash_name(name, n);
    struct StringEntry *entry = string_slot(table, name, n, hash);
    table->n += !entry->name;
    *entry = (struct StringEntry){name, value, (uint32_t)n, hash};
}

static struct KeyEntry *key_slot(const KeyTable *table, uint64_t key) {
    for (size_t i = hash_mix(key, 1) & (table->capacity - 1);; i = (i + 1) & (table->capacity - 1)) {
        struct KeyEntry *entry = &table->at[i];
        if (!entry->value || entry->key == key) return entry;
    }
}

void *key_table_get(const KeyTable *table, uint64_t key) {
    return table->capacity ? key_slot(table, key)->value : NULL;
}

void key_table_put(Arena *arena, KeyTable *table, uint64_t key, void *value) {
    if (2 * (table->n + 1) > table->capacity) {
        KeyTable grown = {.n = table->n, .capacity = table->capacity ? 2 * table->capacity : 16};
        grown.at = NEW_ARRAY(arena, struct KeyEntry, grown.capacity);
        for (size_t i = 0; i < table->capacity; i++)
            if (table->at[i].value) *key_slot(&grown, table->at[i].key) = table->at[i];
        *table = grown;
    }
    struct KeyEntry *entry = key_slot(table, key);
    table->n += !entry->value;
    *entry = (struct KeyEntry){key, value};
}
