/* Files that appear whole or not at all: written under a temporary name beside the target, then renamed; left alone
 * (with their time stamp) when they hold the same bytes already. */
#ifndef DRIVER_OUTPUT_H
#define DRIVER_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/text.h"

/* "-" is standard output, and so is whatever is no regular file (/dev/null, a pipe): written straight. False: why says
 * what is wrong ("cannot write 'x.c': ..."). */
bool output_write(const char *path, const char *bytes, size_t n, Text *why);

/* A whole file into bytes. False: why says what is wrong. */
bool input_read(const char *path, Text *bytes, Text *why);

/* Makes a folder and those above it. */
bool folder_make(const char *path, Text *why);

/* Makes a folder that did not exist; template ends in XXXXXX, which is replaced. */
bool folder_make_temporary(char *template);

/* Whether it belongs to us and nobody else may write to it. */
bool folder_is_private(const char *path);

/* Removes a folder of ours and all in it. */
void folder_remove(const char *path);

/* "DIR/NAME"; just NAME when DIR is "" or "." or NAME is absolute. In the arena. */
const char *path_join(Arena *arena, const char *folder, const char *name);
/* The folder of a path ("." when it has none), its last part, and that without its last suffix. */
const char *path_folder(Arena *arena, const char *path);
const char *path_base(const char *path);
const char *path_stem(Arena *arena, const char *path);
bool path_ends(const char *path, const char *suffix);
bool path_is_folder(const char *path);
/* Whether something is there that is neither file nor folder: /dev/null, a pipe. */
bool path_is_special(const char *path);
bool path_exists(const char *path);

#endif
