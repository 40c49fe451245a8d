#define _XOPEN_SOURCE 700
#include "driver/toolchain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver/cache.h"
#include "driver/output.h"
#include "driver/process.h"
#include "driver/tool_paths.h"

static const char default_flags[] = "-O3 -march=native -fopenmp";
extern const char *const embedded_harness[]; /* the lines of driver/harness/harness.c: made by the Makefile */

/* ---- the commands ------------------------------------------------------------------------------------------------ */

static const char *environment(const char *name, const char *otherwise) {
    const char *value = getenv(name);
    return value && *value ? value : otherwise;
}

static bool split(Arena *arena, Words *words, const char *name, const char *text, Text *why) {
    if (words_split(arena, words, text)) return true;
    text_printf(why, "%s: a quote is not closed", name);
    return false;
}

bool toolchain_from_environment(Arena *arena, const char *tools, const char *flags, Toolchain *out, Text *why) {
    *out = (Toolchain){.include = runtime_include_folder(arena, tools),
                       .library = runtime_library_folder(arena, tools)};
    const char *cache = getenv("XDG_CACHE_HOME");
    if (cache && *cache) out->cache = path_join(arena, cache, "hlocc");
    else out->cache = arena_printf(arena, "%s/hlocc-cache-%ld", environment("TMPDIR", "/tmp"), (long)getuid());
    if (!flags) flags = environment("CFLAGS", default_flags);
    return split(arena, &out->compile, "CC", environment("CC", "cc"), why) &&
           split(arena, &out->compile, "CFLAGS", flags, why) &&
           split(arena, &out->mpi_compile, "MPICC", environment("MPICC", "mpicc"), why) &&
           split(arena, &out->mpi_compile, "CFLAGS", flags, why) &&
           split(arena, &out->mpi_run, "MPIRUN", environment("MPIRUN", "mpirun"), why) &&
           split(arena, &out->link, "LDFLAGS", environment("LDFLAGS", ""), why);
}

static const Words *compiler(const Toolchain *toolchain) {
    return toolchain->ranks == RANKS_MPI ? &toolchain->mpi_compile : &toolchain->compile;
}

/* What the harness is told of devices, and what that needs. */
static void add_ranks(Arena *arena, const Toolchain *toolchain, Words *arguments) {
    if (toolchain->ranks == RANKS_MPI) words_add(arena, arguments, "-DHARNESS_MPI");
    if (toolchain->ranks == RANKS_THREADS) words_add(arena, arguments, "-DHARNESS_THREADS");
    if (toolchain->ranks != RANKS_NONE) words_add(arena, arguments, "-pthread");
}

/* What every object depends on: compiler, flags, machine, runtime. */
static CacheKey common_key(Arena *arena, const Toolchain *toolchain) {
    CacheKey key = {0};
    const Words *compile = compiler(toolchain);
    Words ranks = {0};
    key_add_processor(&key);
    key_add_file(&key, program_path(arena, compile->at[0]));
    for (int i = 0; i < compile->n; i++) key_add_string(&key, compile->at[i]);
    add_ranks(arena, toolchain, &ranks);
    for (int i = 0; i < ranks.n; i++) key_add_string(&key, ranks.at[i]);
    if (toolchain->ranks == RANKS_MPI) key_add_file(&key, path_join(arena, toolchain->library, "libhlocc-rt-mpi.a"));
    key_add_string(&key, "|");
    for (int i = 0; i < toolchain->link.n; i++) key_add_string(&key, toolchain->link.at[i]);
    key_add_file(&key, path_join(arena, toolchain->library, "libhlocc-rt.a"));
    for (int i = 0; embedded_harness[i]; i++) key_add_string(&key, embedded_harness[i]);
    return key;
}

bool toolchain_compile(Arena *arena, const Toolchain *toolchain, const Words *arguments, Text *report) {
    Words argv = {0};
    const Words *compile = compiler(toolchain);
    for (int i = 0; i < compile->n; i++) words_add(arena, &argv, compile->at[i]);
    for (int i = 0; i < arguments->n; i++) words_add(arena, &argv, arguments->at[i]);
    words_end(arena, &argv);
    Text line = {0};
    command_print(&line, argv.at);
    if (toolchain->verbose) fprintf(stderr, "+ %s\n", text_string(&line));
    Process process;
    bool good = process_run(&process, &(Command){.argv = argv.at, .seconds = toolchain->seconds, .merge = true});
    if (!good) {
        text_printf(report, "the C compiler failed (");
        process_describe(report, &process);
        text_printf(report, "): %s\n%s%s", text_string(&line), text_string(&process.err), text_string(&process.out));
    }
    text_free(&line);
    process_free(&process);
    return good;
}

/* ---- the files --------------------------------------------------------------------------------------------------- */

static const char harness_file[] = "harness.c", unit_file[] = "unit.c", source_file[] = "model.c";

static bool write_file(Arena *arena, const char *folder, const char *name, const char *bytes, size_t n, Text *report) {
    return output_write(path_join(arena, folder, name), bytes, n, report);
}

static bool write_harness(Arena *arena, const char *folder, Text *report) {
    Text text = {0};
    for (int i = 0; embedded_harness[i]; i++) text_put(&text, embedded_harness[i]);
    bool good = write_file(arena, folder, harness_file, text.at, text.n, report);
    text_free(&text);
    return good;
}

/* The generated files as hlocc writes them, and the unit that is compiled: the generated one plus a name for its
 * signature that the harness knows. */
static bool write_sources(Arena *arena, const char *folder, const GeneratedCode *code, Text *report) {
    Text unit = {0};
    text_printf(&unit,
                "#include \"%s\"\n\n"
                "extern const hlocc_signature *const harness_signature;\n"
                "const hlocc_signature *const harness_signature = &%s_signature;\n",
                source_file, code->function);
    bool good = write_file(arena, folder, source_file, code->source->at, code->source->n, report) &&
                (!code->header_name ||
                 write_file(arena, folder, code->header_name, code->header->at, code->header->n, report)) &&
                write_file(arena, folder, unit_file, unit.at, unit.n, report);
    text_free(&unit);
    return good;
}

/* The object of the harness, which is the same for all programs. */
static const char *build_harness(Arena *arena, const Toolchain *toolchain, const char *folder, Text *report) {
    CacheKey key = common_key(arena, toolchain);
    key_add_file(&key, path_join(arena, toolchain->include, "hlocc/rt_core.h"));
    key_add_file(&key, path_join(arena, toolchain->include, "hlocc/rt_comm.h"));
    const char *path = cache_path(arena, toolchain->cache, key, ".o");
    if (cache_has(path)) return path;
    if (!write_harness(arena, folder, report)) return NULL;
    const char *object = path_join(arena, folder, "harness.o");
    Words arguments = {0};
    words_add(arena, &arguments, arena_printf(arena, "-I%s", toolchain->include));
    add_ranks(arena, toolchain, &arguments);
    words_add(arena, &arguments, "-c");
    words_add(arena, &arguments, path_join(arena, folder, harness_file));
    words_add(arena, &arguments, "-o");
    words_add(arena, &arguments, object);
    if (!toolchain_compile(arena, toolchain, &arguments, report)) return NULL;
    return cache_put(toolchain->cache, object, path, report) ? path : NULL;
}

static bool build_program(Arena *arena, const Toolchain *toolchain, const GeneratedCode *code, const char *folder,
                          const char *path, Text *report) {
    const char *harness = build_harness(arena, toolchain, folder, report);
    if (!harness || !write_sources(arena, folder, code, report)) return false;
    const char *program = path_join(arena, folder, "program");
    Words arguments = {0};
    words_add(arena, &arguments, arena_printf(arena, "-I%s", toolchain->include));
    words_add(arena, &arguments, path_join(arena, folder, unit_file));
    words_add(arena, &arguments, harness);
    words_add(arena, &arguments, "-o");
    words_add(arena, &arguments, program);
    for (int i = 0; i < toolchain->link.n; i++) words_add(arena, &arguments, toolchain->link.at[i]);
    words_add(arena, &arguments, arena_printf(arena, "-L%s", toolchain->library));
    if (toolchain->ranks == RANKS_MPI) words_add(arena, &arguments, "-lhlocc-rt-mpi");
    words_add(arena, &arguments, "-lhlocc-rt");
    if (toolchain->ranks != RANKS_NONE) words_add(arena, &arguments, "-pthread");
    words_add(arena, &arguments, "-lm");
    return toolchain_compile(arena, toolchain, &arguments, report) &&
           cache_put(toolchain->cache, program, path, report);
}

/* The cache is ours alone: what lies in it is run. */
static bool check_cache(const Toolchain *toolchain, Text *report) {
    if (!folder_make(toolchain->cache, report)) return false;
    if (folder_is_private(toolchain->cache)) return true;
    text_printf(report, "'%s' belongs to another user, or others may write to it; set XDG_CACHE_HOME",
                toolchain->cache);
    return false;
}

const char *toolchain_build(Arena *arena, const Toolchain *toolchain, const GeneratedCode *code, Text *report) {
    if (toolchain->keep && !(folder_make(toolchain->keep, report) &&
                             write_sources(arena, toolchain->keep, code, report) &&
                             write_harness(arena, toolchain->keep, report)))
        return NULL;
    if (!check_cache(toolchain, report)) return NULL;
    CacheKey key = common_key(arena, toolchain);
    key_add(&key, code->source->at, code->source->n);
    if (code->header_name) key_add(&key, text_string(code->header), code->header->n);
    key_add_folder(&key, path_join(arena, toolchain->include, "hlocc"));
    const char *path = cache_path(arena, toolchain->cache, key, "");
    if (cache_has(path)) return path;
    char *folder = arena_printf(arena, "%s/build.XXXXXX", toolchain->cache);
    if (!folder_make_temporary(folder)) {
        text_printf(report, "cannot make a folder in '%s'", toolchain->cache);
        return NULL;
    }
    bool good = build_program(arena, toolchain, code, folder, path, report);
    folder_remove(folder);
    return good ? path : NULL;
}
