#define _XOPEN_SOURCE 700
#include "driver/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool complain(Text *why, const char *what, const char *path) {
    text_printf(why, "cannot %s '%s': %s", what, path, strerror(errno));
    return false;
}

static bool write_all(int fd, const char *bytes, size_t n) {
    while (n) {
        ssize_t put = write(fd, bytes, n);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) return false;
        bytes += put;
        n -= (size_t)put;
    }
    return true;
}

static bool holds_already(const char *path, const char *bytes, size_t n) {
    struct stat status;
    if (stat(path, &status) || !S_ISREG(status.st_mode) || (size_t)status.st_size != n) return false;
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    char block[1 << 14];
    size_t at = 0, got;
    while ((got = fread(block, 1, sizeof block, file)) > 0) {
        if (at + got > n || memcmp(block, bytes + at, got) != 0) break;
        at += got;
    }
    fclose(file);
    return at == n;
}

static bool write_straight(const char *path, const char *bytes, size_t n, Text *why) {
    if (strcmp(path, "-") == 0) {
        fflush(stdout);
        return write_all(STDOUT_FILENO, bytes, n) || complain(why, "write to", "standard output");
    }
    int fd = open(path, O_WRONLY);
    if (fd < 0) return complain(why, "write", path);
    bool good = write_all(fd, bytes, n);
    if (close(fd) || !good) return complain(why, "write", path);
    return true;
}

/* New files get the permissions that open() would give them, not those of mkstemp. */
static mode_t permissions(const char *path) {
    struct stat status;
    if (stat(path, &status) == 0) return status.st_mode & 07777;
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

bool output_write(const char *path, const char *bytes, size_t n, Text *why) {
    if (strcmp(path, "-") == 0 || path_is_special(path)) return write_straight(path, bytes, n, why);
    if (path_is_folder(path)) {
        errno = EISDIR;
        return complain(why, "write", path);
    }
    if (holds_already(path, bytes, n)) return true;
    Arena *arena = arena_new();
    char *target = realpath(path, NULL); /* a link goes on pointing to what is written */
    if (target) path = arena_string(arena, target, strlen(target));
    free(target);
    char *temporary = arena_printf(arena, "%s.XXXXXX", path);
    int fd = mkstemp(temporary);
    bool good = fd >= 0 && write_all(fd, bytes, n) && fchmod(fd, permissions(path)) == 0;
    if (fd >= 0 && close(fd)) good = false;
    if (good) good = rename(temporary, path) == 0;
    if (!good) complain(why, "write", path);
    if (!good && fd >= 0) unlink(temporary);
    arena_free(arena);
    return good;
}

bool input_read(const char *path, Text *bytes, Text *why) {
    FILE *file = fopen(path, "rb");
    if (!file) return complain(why, "read", path);
    char block[1 << 16];
    size_t got;
    while ((got = fread(block, 1, sizeof block, file)) > 0) text_bytes(bytes, block, got);
    bool good = !ferror(file) || complain(why, "read", path);
    fclose(file);
    return good;
}

bool folder_make(const char *path, Text *why) {
    Arena *arena = arena_new();
    char *part = arena_string(arena, path, strlen(path));
    for (char *c = part + 1; *part && *c; c++) {
        if (*c != '/') continue;
        *c = 0;
        mkdir(part, 0755); /* if that fails, so will the last */
        *c = '/';
    }
    bool good = mkdir(part, 0755) == 0 || (errno == EEXIST && path_is_folder(path));
    if (!good) complain(why, "make the folder", path);
    arena_free(arena);
    return good;
}

bool folder_make_temporary(char *template) {
    return mkdtemp(template) != NULL;
}

bool folder_is_private(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && status.st_uid == geteuid() && !(status.st_mode & (S_IWGRP | S_IWOTH));
}

void folder_remove(const char *path) {
    DIR *folder = opendir(path);
    if (!folder) return;
    Arena *arena = arena_new();
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        const char *inside = path_join(arena, path, entry->d_name);
        if (unlink(inside) && path_is_folder(inside)) folder_remove(inside);
    }
    closedir(folder);
    rmdir(path);
    arena_free(arena);
}

const char *path_join(Arena *arena, const char *folder, const char *name) {
    if (!*folder || strcmp(folder, ".") == 0 || name[0] == '/') return name;
    return arena_printf(arena, "%s%s%s", folder, path_ends(folder, "/") ? "" : "/", name);
}

const char *path_folder(Arena *arena, const char *path) {
    const char *slash = strrchr(path, '/');
    if (!slash) return ".";
    return slash == path ? "/" : arena_string(arena, path, (size_t)(slash - path));
}

const char *path_base(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *path_stem(Arena *arena, const char *path) {
    const char *base = path_base(path), *dot = strrchr(base, '.');
    return arena_string(arena, base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
}

bool path_ends(const char *path, const char *suffix) {
    size_t n = strlen(path), m = strlen(suffix);
    return n >= m && strcmp(path + n - m, suffix) == 0;
}

bool path_is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool path_is_special(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && !S_ISDIR(status.st_mode) && !S_ISREG(status.st_mode);
}

bool path_exists(const char *path) {
    struct stat status;
    return stat(path, &status) == 0;
}
