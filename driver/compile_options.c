#include "driver/compile_options.h"

#include <string.h>

static const char *const emit_names[N_EMITS + 1] = {
    "c",           "h",     "hlo",      "fused",   "kernels", "maps", "map", "map-simplify",
    "map-compose", "tiles", "manifest", "weights", NULL};
static const char *const levels[] = {"0", "2", NULL};
static const char *const elided_modes[] = {"error", "zeros", "param", NULL};
static const char *const partitioned_modes[] = {"auto", "yes", "no", NULL};
static const char *const weights_modes[] = {"inline", "separate", "extern", "file", "param", NULL};
static const char *const workspace_modes[] = {"arg", "static", "malloc", NULL};
static const char *const diagnostics_forms[] = {"text", "json", NULL};
static const char *const color_modes[] = {"auto", "always", "never", NULL};
static const char *const directions[] = {"out-to-in", "in-to-out", "grouped", "epilogue", NULL};
static const char *const layouts[] = {"logical", "physical", NULL};
static const char *const dialects[] = {"a", "c", NULL};
static const char *const list_forms[] = {"json", NULL};

const char *emit_kind_name(EmitKind kind) {
    return emit_names[kind];
}

EmitKind emit_kind_from_name(const char *name) {
    for (int i = 0; i < N_EMITS; i++)
        if (strcmp(name, emit_names[i]) == 0) return (EmitKind)i;
    return N_EMITS;
}

#define TO(member) offsetof(CompileOptions, member)
#define LATER(name, takes) {name, NULL, takes, SETS_LATER, 0, NULL, NULL, NULL, NULL, 0}

/* name, second name, takes, sets, member, value, topic, help, words, otherwise */
const OptionRow compile_option_rows[] = {
    {"-o", "--output", TAKES_VALUE, SETS_STRING, TO(output), "FILE", "output",
     "main output (default BASENAME.c with its .h); -: stdout", NULL, 0},
    {"--emit", NULL, TAKES_VALUE, SETS_WORDS, TO(emit), "KIND,...", "output",
     "c (default), h, hlo and maps (of the module as read), fused, kernels, tiles; map, map-simplify, map-compose; "
     "manifest: a "
     "description as JSON; weights: what --weights= keeps out of the .c",
     emit_names, 0},
    {"--prefix", NULL, TAKES_VALUE, SETS_STRING, TO(prefix), "NAME", "output", "name of the generated function", NULL,
     0},
    {"--entry", NULL, TAKES_VALUE, SETS_STRING, TO(entry), "COMPUTATION", "output",
     "compile this computation instead of ENTRY", NULL, 0},
    {"--self-contained", NULL, TAKES_NOTHING, SETS_TRUE, TO(self_contained), NULL, "output",
     "copy the runtime pieces in use into the .c", NULL, 0},
    {"--elided", NULL, TAKES_VALUE, SETS_WORD, TO(elided), "HOW", "output",
     "what {...} constants are: error (default), zeros, param", elided_modes, 0},
    {"--partitioned", NULL, TAKES_VALUE, SETS_WORD, TO(partitioned), "HOW", "output",
     "is num_partitions=N advice? auto (default), yes: N devices, no: one", partitioned_modes, 0},
    {"--weights", NULL, TAKES_VALUE, SETS_WORD, TO(weights), "HOW", "output",
     "where constants of more than 64 elements go: inline (default); separate: FILE_weights.c; extern: arrays of "
     "yours; "
     "file: FILE.weights, loaded by NAME_load_weights; param: parameters behind the others",
     weights_modes, 0},
    {"--workspace", NULL, TAKES_VALUE, SETS_WORD, TO(workspace), "HOW", "output",
     "where a call's workspace comes from: arg (default), static (one call at a time), malloc", workspace_modes, 0},
    {"--freestanding", NULL, TAKES_NOTHING, SETS_TRUE, TO(freestanding), NULL, "output",
     "self-contained, and only memcpy, memmove, memset, sqrt, fma, fmod and their float forms are called", NULL, 0},
    {"-c", NULL, TAKES_NOTHING, SETS_TRUE, TO(object), NULL, "output",
     "compile with $CC $CFLAGS (cc -O3): FILE.o and FILE.h", NULL, 0},
    {"--shared", NULL, TAKES_NOTHING, SETS_TRUE, TO(shared), NULL, "output",
     "compile and link with $CC $CFLAGS $LDFLAGS: FILE.so and FILE.h", NULL, 0},
    {"-MD", NULL, TAKES_NOTHING, SETS_TRUE, TO(dependencies), NULL, "output", "write a dependency file for make", NULL,
     0},
    {"-MF", NULL, TAKES_VALUE, SETS_STRING, TO(dependency_file), "FILE", "output",
     "its name (default: the output's, with .d)", NULL, 0},
    {"-MT", NULL, TAKES_VALUE, SETS_STRING, TO(dependency_target), "NAME", "output",
     "the target in it (default: the outputs)", NULL, 0},

    {"--custom-call", NULL, TAKES_VALUE, SETS_WORDS, TO(custom_calls), "TARGET=FUNCTION", "output",
     "custom calls of TARGET call your C function; the header has its prototype", NULL, 0},

    {"--direction", NULL, TAKES_VALUE, SETS_WORD, TO(direction), "WAY", "maps",
     "--emit=maps, --emit=tiles: out-to-in (default), in-to-out, grouped, epilogue", directions, 0},
    {"--layout", NULL, TAKES_VALUE, SETS_WORD, TO(layout), "LAYOUT", "maps",
     "indices are logical (default) or physical: in storage order", layouts, 0},
    {"--from", NULL, TAKES_VALUE, SETS_STRING, TO(from), "NAME", "maps",
     "where grouped and epilogue start: NAME or COMPUTATION/NAME", NULL, 0},
    {"--dialect", NULL, TAKES_VALUE, SETS_WORD, TO(dialect), "a|c", "maps", "how maps are written", dialects, 0},
    {"--tile", NULL, TAKES_VALUE, SETS_WORDS, TO(tile), "N,N,...", "maps",
     "--emit=tiles --direction=grouped: where tiles of these sizes lie", NULL, 0},
    {"--do", NULL, TAKES_VALUE, SETS_WORDS, TO(steps), "STEP,...", "maps",
     "--emit=map: compose, simplify, simplify-keep-points, remove-unused-symbols, remove-unused-vars, rescale, "
     "symbols-to-dims, ranges-to-dims:N:N",
     NULL, 0},

    {"-O", NULL, TAKES_JOINED, SETS_WORD, TO(level), "LEVEL", "optimisation", "-O0: none; -O2: all (default)", levels,
     0},
    {"--target", NULL, TAKES_VALUE, SETS_STRING, TO(target), "NAME", "optimisation",
     "avx512, avx2, x86-64, neon, generic, native (default)", NULL, 0},

    {"--report", NULL, TAKES_NOTHING, SETS_TRUE, TO(report), NULL, "optimisation",
     "what is computed where, and why; accesses to memory (to stdout)", NULL, 0},

    {"--list-passes", NULL, TAKES_NOTHING, SETS_TRUE, TO(list_passes), NULL, "passes",
     "name all passes, in their order", NULL, 0},
    {"--passes", NULL, TAKES_VALUE, SETS_WORDS, TO(passes), "A,B,...", "passes", "run these passes only", NULL, 0},
    {"--dump-after", NULL, TAKES_VALUE, SETS_WORDS, TO(dump_after), "A,B,...", "passes",
     "print the program after these passes, to stderr", NULL, 0},
    {"--verify-each", NULL, TAKES_NOTHING, SETS_TRUE, TO(verify_each), NULL, "passes",
     "check the program after every pass", NULL, 0},
    {"--time", NULL, TAKES_NOTHING, SETS_TRUE, TO(time), NULL, "passes", "time of every pass, to stderr", NULL, 0},
    {"--opt-bisect-limit", NULL, TAKES_VALUE, SETS_COUNT, TO(opt_bisect_limit), "N", "passes",
     "only the first N changes that passes make", NULL, 0},

    {"-Werror", NULL, TAKES_NOTHING, SETS_TRUE, TO(warnings_are_errors), NULL, "diagnostics", "warnings are errors",
     NULL, 0},
    {"-w", NULL, TAKES_NOTHING, SETS_TRUE, TO(no_warnings), NULL, "diagnostics", "no warnings", NULL, 0},
    {"-W", NULL, TAKES_JOINED, SETS_WORDS, TO(warnings), "NAME", "diagnostics",
     "-Wno-NAME, -Werror=NAME: names are listed by --help=warnings; all: all (the default)", NULL, 0},
    {"--max-errors", NULL, TAKES_VALUE, SETS_COUNT, TO(max_errors), "N", "diagnostics", "show at most N (default 20)",
     NULL, 0},
    {"--diagnostics", NULL, TAKES_VALUE, SETS_WORD, TO(diagnostics), "FORM", "diagnostics", "text (default) or json",
     diagnostics_forms, 0},
    {"--color", NULL, TAKES_OPTIONAL, SETS_WORD, TO(color), "WHEN", "diagnostics",
     "auto (on a terminal without NO_COLOR), always, never", color_modes, COLOR_ALWAYS},
    {"--allow-unknown", NULL, TAKES_NOTHING, SETS_TRUE, TO(allow_unknown), NULL, "diagnostics",
     "unknown attributes are a warning, not an error", NULL, 0},
    {"--explain", NULL, TAKES_VALUE, SETS_STRING, TO(explain), "CODE", "diagnostics", "more about a message: E0123",
     NULL, 0},

    {"--cflags", NULL, TAKES_NOTHING, SETS_TRUE, TO(print_cflags), NULL, "information",
     "what cc needs to compile generated code; with --target=NAME also for that", NULL, 0},
    {"--libs", NULL, TAKES_NOTHING, SETS_TRUE, TO(print_libs), NULL, "information", "what cc needs to link it", NULL,
     0},
    {"--list-ops", NULL, TAKES_OPTIONAL, SETS_STRING, TO(list_ops), "json", "information",
     "every opcode, and whether it can be compiled", list_forms, 0},
    {"--help", "-h", TAKES_OPTIONAL, SETS_STRING, TO(help), "TOPIC", "information",
     "this help, or that of a topic; all: everything", NULL, 0},
    {"--version", NULL, TAKES_NOTHING, SETS_TRUE, TO(version), NULL, "information", "the version", NULL, 0},

    LATER("--stack", TAKES_OPTIONAL),
    LATER("--split", TAKES_OPTIONAL),
    LATER("--lapack", TAKES_OPTIONAL),
    LATER("-g", TAKES_NOTHING),
    LATER("--instrument", TAKES_OPTIONAL),
    LATER("--dump-values", TAKES_OPTIONAL),
    LATER("--extract", TAKES_OPTIONAL),
    {0},
};

CompileOptions compile_options_default(void) {
    return (CompileOptions){.level = LEVEL_2, .opt_bisect_limit = -1};
}
