/* Writes the headers of the runtime, expanded from its templates: runtime-headers DIR. Run by the build.
 * runtime-headers --copy SYMBOL...: prints the pieces that define the symbols, as --self-contained copies them.
 * A header whose text is unchanged is left alone; headers in DIR/hlocc that are no longer made are removed.
 * rt_core.h is a plain header that takes part in the expansion: the build copies it. */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/source.h"
#include "base/table.h"
#include "base/text.h"
#include "codegen/runtime.h"

typedef struct {
    Arena *arena;
    const char *folder;
    StringTable written;
    int failures;
} Job;

static void write_header(void *context, const char *name, const char *text) {
    Job *job = context;
    const char *path = arena_printf(job->arena, "%s/%s", job->folder, name), *why;
    string_table_put(job->arena, &job->written, path, strlen(path), job);
    if (strcmp(name, "hlocc/rt_core.h") == 0) return;
    Source *old = source_from_file(job->arena, path, &why);
    if (old && strcmp(old->bytes, text) == 0) return;
    FILE *file = fopen(path, "w");
    if (file && fputs(text, file) >= 0 && fclose(file) == 0) return;
    fprintf(stderr, "runtime-headers: cannot write '%s': %s\n", path, strerror(errno));
    job->failures++;
}

static void remove_others(Job *job) {
    const char *folder = arena_printf(job->arena, "%s/hlocc", job->folder);
    DIR *dir = opendir(folder);
    if (!dir) return;
    for (struct dirent *entry; (entry = readdir(dir));) {
        const char *path = arena_printf(job->arena, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.' && !string_table_get(&job->written, path, strlen(path))) remove(path);
    }
    closedir(dir);
}

static int print_copy(const char *const *symbols, int n) {
    Text text = {0};
    runtime_copy_pieces(&text, symbols, n);
    fputs(text_string(&text), stdout);
    text_free(&text);
    return fflush(stdout) == 0 ? 0 : 1;
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "--copy") == 0) return print_copy((const char *const *)argv + 2, argc - 2);
    if (argc != 2) return 2;
    Job job = {.arena = arena_new(), .folder = argv[1]};
    runtime_expand_headers(write_header, &job);
    remove_others(&job);
    arena_free(job.arena);
    return job.failures ? 1 : 0;
}
