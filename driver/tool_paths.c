#define _XOPEN_SOURCE 700
#include "driver/tool_paths.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver/output.h"

const char *program_path(Arena *arena, const char *program) {
    const char *path = getenv("PATH");
    if (strchr(program, '/') || !path) return program;
    while (*path) {
        size_t n = strcspn(path, ":");
        const char *candidate = path_join(arena, arena_string(arena, path, n), program);
        if (access(candidate, X_OK) == 0) return candidate;
        path += n + (path[n] == ':');
    }
    return program;
}

const char *tool_folder(Arena *arena, const char *argv0) {
    char *real = realpath("/proc/self/exe", NULL);
    if (!real) real = realpath(program_path(arena, argv0), NULL);
    const char *folder = path_folder(arena, real ? real : argv0);
    free(real);
    return folder;
}

static const char *choose(Arena *arena, const char *tools, const char *built, const char *marker,
                          const char *installed) {
    if (path_exists(path_join(arena, tools, marker))) return *built ? path_join(arena, tools, built) : tools;
    return path_join(arena, path_folder(arena, tools), installed);
}

const char *runtime_include_folder(Arena *arena, const char *tools) {
    return choose(arena, tools, "include", "include/hlocc", "include");
}

const char *runtime_library_folder(Arena *arena, const char *tools) {
    return choose(arena, tools, "", "libhlocc-rt.a", "lib");
}
