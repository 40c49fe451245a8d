#define _XOPEN_SOURCE 700
#include "driver/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/table.h"
#include "driver/output.h"

enum { SECONDS_OF_A_WEEK = 7 * 24 * 3600 };

void key_add(CacheKey *key, const void *bytes, size_t n) {
    uint64_t hash = hash_bytes(bytes, n);
    /* The second half is a hash of its own: by words of the bytes, in another order of mixing. */
    uint64_t other = n ^ 0x9E3779B97F4A7C15u;
    const unsigned char *at = bytes;
    for (size_t i = n; i-- > 0;) other = (other ^ at[i]) * 0x100000001B3u;
    key->a = hash_mix(key->a, hash ^ n);
    key->b = hash_mix(other, key->b);
}

void key_add_string(CacheKey *key, const char *string) {
    key_add(key, string, strlen(string) + 1);
}

void key_add_file(CacheKey *key, const char *path) {
    struct stat status;
    int64_t facts[3] = {-1, -1, -1};
    if (stat(path, &status) == 0) {
        facts[0] = (int64_t)status.st_size;
        facts[1] = (int64_t)status.st_mtim.tv_sec;
        facts[2] = (int64_t)status.st_mtim.tv_nsec;
    }
    key_add_string(key, path);
    key_add(key, facts, sizeof facts);
}

/* The order of entries is the file system's and does not matter: their keys are added up. */
void key_add_folder(CacheKey *key, const char *path) {
    DIR *entries = opendir(path);
    if (!entries) return;
    Arena *arena = arena_new();
    CacheKey sum = {0};
    for (struct dirent *entry; (entry = readdir(entries));) {
        if (entry->d_name[0] == '.') continue;
        CacheKey one = {0};
        key_add_file(&one, path_join(arena, path, entry->d_name));
        sum.a += one.a;
        sum.b += one.b;
    }
    closedir(entries);
    arena_free(arena);
    key_add(key, &sum, sizeof sum);
}

void key_add_processor(CacheKey *key) {
    static const char *const words[] = {"model name", "flags", "Features"};
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (!file) return;
    char line[1 << 13];
    for (int found = 0; found < 2 && fgets(line, sizeof line, file);)
        for (int i = 0; i < 3; i++)
            if (strncmp(line, words[i], strlen(words[i])) == 0) {
                key_add_string(key, line);
                found++;
            }
    fclose(file);
}

const char *cache_path(Arena *arena, const char *folder, CacheKey key, const char *suffix) {
    return arena_printf(arena, "%s/%016llx%016llx%s", folder, (unsigned long long)key.a, (unsigned long long)key.b,
                        suffix);
}

bool cache_has(const char *path) {
    return utimensat(AT_FDCWD, path, NULL, 0) == 0;
}

static void remove_old(const char *folder) {
    DIR *entries = opendir(folder);
    if (!entries) return;
    Arena *arena = arena_new();
    time_t now = time(NULL);
    for (struct dirent *entry; (entry = readdir(entries));) {
        const char *path = path_join(arena, folder, entry->d_name);
        struct stat status;
        if (entry->d_name[0] == '.' || stat(path, &status) || now - status.st_mtime < SECONDS_OF_A_WEEK) continue;
        if (S_ISREG(status.st_mode)) unlink(path);
        else folder_remove(path); /* left by a build that was interrupted */
    }
    closedir(entries);
    arena_free(arena);
}

bool cache_put(const char *folder, const char *made, const char *path, Text *why) {
    enum { ONE_IN = 64 };
    if (rename(made, path)) {
        text_printf(why, "cannot write '%s': %s", path, strerror(errno));
        return false;
    }
    if (time(NULL) % ONE_IN == 0) remove_old(folder);
    return true;
}
