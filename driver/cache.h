/* A folder of files that can be made again, each named by a key of what it was made from. Entries that nobody used
 * for a week are removed now and then. */
#ifndef DRIVER_CACHE_H
#define DRIVER_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"

/* 128 bits, made by adding everything that matters, in order. */
typedef struct {
    uint64_t a, b;
} CacheKey;

void key_add(CacheKey *key, const void *bytes, size_t n);
void key_add_string(CacheKey *key, const char *string);
/* A file by its place, size and time of change; one that is not there counts as such. */
void key_add_file(CacheKey *key, const char *path);
/* Every file of a folder. */
void key_add_folder(CacheKey *key, const char *path);
/* The kind of processor that we run on: code for -march=native runs on no other. */
void key_add_processor(CacheKey *key);

/* The path of an entry, in the arena. */
const char *cache_path(Arena *arena, const char *folder, CacheKey key, const char *suffix);

/* Whether the entry is there; it then counts as used. */
bool cache_has(const char *path);

/* Moves a file to its place as entry, at once and whole. False: why. */
bool cache_put(const char *folder, const char *made, const char *path, Text *why);

#endif
