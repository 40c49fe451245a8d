/* The compiler from end to end: what hlocc does with a file, and hlocc-run in front of the C compiler. */
#ifndef DRIVER_PIPELINE_H
#define DRIVER_PIPELINE_H

#include "driver/compile_options.h"
#include "ir/hlo.h"

/* One module on its way. Everything in it lives in the arena; printed texts are the caller's to free. */
typedef struct {
    Arena *arena;
    const CompileOptions *options;
    Diags *diags;
    Module *module;   /* the one that is compiled */
    Module **modules; /* all of the text, NULL-terminated; only after pipeline_read_all */
} Compilation;

/* Each stage answers false when the input is at fault; diags then say why.
 *
 * pipeline_read: reads and verifies the module of a file ("-": standard input), and applies --entry.
 * pipeline_read_text: of size bytes (bytes[size] == 0) that stay where they are, name for messages. */
bool pipeline_read(Compilation *compilation, Arena *arena, const CompileOptions *options, const char *path);
/* Reads every module of a file that has several, without the warning that only the first is compiled. */
bool pipeline_read_all(Compilation *compilation, Arena *arena, const CompileOptions *options, const char *path);
bool pipeline_read_text(Compilation *compilation, Arena *arena, const CompileOptions *options, const char *name,
                        const char *bytes, size_t size);

/* Brings the module into the state in which values can be computed from it: elided constants resolved, which may add
 * parameters, and the number of devices settled (partitioned.h). The runners do it before they look at the interface;
 * pipeline_generate does it first thing. */
bool pipeline_complete(Compilation *compilation);

/* The passes over HLO (run_passes.h); the module then means the same with less. */
bool pipeline_optimise(Compilation *compilation);

/* The forms that can be asked for. A text that is NULL is not wanted. */
typedef struct {
    Text *fused, *kernels;    /* after the passes */
    Text *report;             /* decisions of fusion */
    Text *source, *header;    /* C */
    Text *manifest, *weights; /* JSON; what --weights=separate or file keeps out of the source */
    const char *header_name;  /* that the source is to include; NULL: self-contained, the source has all of it */
    const char *function;     /* set: NAME of the generated function (abi.md) */
} GeneratedCode;

/* Runs the passes, lowers, generates, and prints what is wanted. */
bool pipeline_generate(Compilation *compilation, GeneratedCode *out);

/* The module, or all that were read, as HLO text. */
void pipeline_print_hlo(const Compilation *compilation, Text *out);

/* --emit=maps: the indexing maps of the module as read; --emit=tiles: their symbolic tiles. */
bool pipeline_print_maps(const Compilation *compilation, bool tiles, Text *out);

/* --emit=map: the file holds indexing maps, no module; steps are done to them (map_steps.h). */
bool pipeline_map(Compilation *compilation, Arena *arena, const CompileOptions *options, const char *path,
                  const Words *steps, Text *out);

/* Writes diags to standard error, in the form and colour that the options ask for; then forgets them. The exit code
 * that they mean: 0 or 1. */
int pipeline_report(Compilation *compilation);

/* The same into a text, without colours. */
int pipeline_describe(Compilation *compilation, Text *out);

/* The name of the generated function: --prefix, else the module's name as a C identifier (hlo_NAME where C has it). */
const char *pipeline_function_name(const Compilation *compilation);

#endif
