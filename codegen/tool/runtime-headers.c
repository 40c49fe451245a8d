/* Writes the headers of the runtime, expanded from its templates: runtime-headers DIR. Run by the build.
 * A header whose text is unchanged is left alone. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/source.h"
#include "codegen/runtime.h"

typedef struct {
    const char *folder;
    int failures;
} Job;

static void write_header(void *context, const char *name, const char *text) {
    Job *job = context;
    Arena *arena = arena_new();
    const char *path = arena_printf(arena, "%s/%s", job->folder, name), *why;
    Source *old = source_from_file(arena, path, &why);
    FILE *file = old && strcmp(old->bytes, text) == 0 ? NULL : fopen(path, "w");
    bool unchanged = old && strcmp(old->bytes, text) == 0;
    if (!unchanged && (!file || fputs(text, file) < 0 || fclose(file) != 0)) {
        fprintf(stderr, "runtime-headers: cannot write '%s': %s\n", path, strerror(errno));
        job->failures++;
    }
    arena_free(arena);
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    Job job = {argv[1], 0};
    runtime_expand_headers(write_header, &job);
    return job.failures ? 1 : 0;
}
