#define _POSIX_C_SOURCE 200809L
#include "driver/discover.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "driver/output.h"

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool search(Arena *arena, const char *path, bool files, Words *out, Text *why) {
    if (path_exists(path_join(arena, path, "module.hlo"))) {
        words_add(arena, out, path);
        return true;
    }
    DIR *folder = opendir(path);
    if (!folder) {
        text_printf(why, "cannot search '%s': %s", path, strerror(errno));
        return false;
    }
    Words names = {0};
    for (struct dirent *entry; (entry = readdir(folder));)
        if (entry->d_name[0] != '.' && strcmp(entry->d_name, "inputs") != 0)
            words_add(arena, &names, arena_string(arena, entry->d_name, strlen(entry->d_name)));
    closedir(folder);
    if (names.n) qsort(names.at, (size_t)names.n, sizeof *names.at, by_name);
    for (int i = 0; i < names.n; i++) {
        const char *inside = path_join(arena, path, names.at[i]);
        if (path_is_folder(inside)) {
            if (!search(arena, inside, files, out, why)) return false;
        } else if (files && path_ends(inside, ".hlo")) {
            words_add(arena, out, inside);
        }
    }
    return true;
}

static bool discover(Arena *arena, const char *path, bool files, const char *what, Words *out, Text *why) {
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/') n--;
    path = arena_string(arena, path, n);
    if (files && path_exists(path) && !path_is_folder(path)) {
        words_add(arena, out, path);
        return true;
    }
    int before = out->n;
    if (!search(arena, path, files, out, why)) return false;
    if (out->n > before) return true;
    text_printf(why, "no %s in '%s'", what, path);
    return false;
}

bool discover_cases(Arena *arena, const char *path, Words *out, Text *why) {
    return discover(arena, path, false, "case (a folder with a module.hlo)", out, why);
}

bool discover_tests(Arena *arena, const char *path, Words *out, Text *why) {
    return discover(arena, path, true, "test (an .hlo file, or a folder with a module.hlo)", out, why);
}
