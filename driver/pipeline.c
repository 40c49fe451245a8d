#define _POSIX_C_SOURCE 200809L
#include "driver/pipeline.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/codes.h"
#include "driver/c_names.h"
#include "driver/diag_json.h"
#include "driver/elided.h"
#include "driver/entry.h"
#include "driver/map_steps.h"
#include "driver/partitioned.h"
#include "driver/process.h"
#include "codegen/codegen.h"
#include "driver/run_passes.h"
#include "driver/sha256.h"
#include "driver/version.h"
#include "driver/warnings.h"
#include "parser/parser.h"
#include "passes/indexing/maps.h"
#include "passes/lower/devices.h"
#include "passes/lower/lower.h"

static Diags *make_diags(Arena *arena, const CompileOptions *options, Source *source) {
    Diags *diags = diags_new(arena, source);
    diags->max_errors = options->max_errors;
    diags->warnings_are_errors = options->warnings_are_errors;
    diags->no_warnings = options->no_warnings;
    warnings_set(&options->warnings, diags);
    return diags;
}

static bool read_source(Compilation *compilation, bool all) {
    const CompileOptions *options = compilation->options;
    double started = monotonic_seconds();
    Diags *diags = compilation->diags;
    ParseOptions parse = {.allow_unknown = options->allow_unknown};
    if (all) compilation->modules = parse_modules(compilation->arena, diags, parse);
    compilation->module = !all ? parse_module(compilation->arena, diags, parse)
                          : compilation->modules ? compilation->modules[0]
                                                 : NULL;
    report_time(options, "read and verify", started);
    if (!compilation->module) return false;
    if (!diags->n_errors && options->entry) module_choose_entry(compilation->module, options->entry, diags);
    return !diags->n_errors;
}

static bool open_file(Compilation *compilation, Arena *arena, const CompileOptions *options, const char *path) {
    const char *why;
    Source *source = source_from_file(arena, path, &why);
    *compilation = (Compilation){arena, options, make_diags(arena, options, source), NULL, NULL};
    if (!source) diag_error(compilation->diags, (Span){0, 0}, NULL, "cannot read '%s': %s", path, why);
    return source;
}

static bool read_file(Compilation *compilation, Arena *arena, const CompileOptions *options, const char *path,
                      bool all) {
    return open_file(compilation, arena, options, path) && read_source(compilation, all);
}

bool pipeline_read(Compilation *compilation, Arena *arena, const CompileOptions *options, const char *path) {
    return read_file(compilation, arena, options, path, false);
}

bool pipeline_read_all(Compilation *compilation, Arena *arena, const CompileOptions *options, const char *path) {
    return read_file(compilation, arena, options, path, true);
}

bool pipeline_read_text(Compilation *compilation, Arena *arena, const CompileOptions *options, const char *name,
                        const char *bytes, size_t size) {
    Source *source = source_from_bytes(arena, name, bytes, size);
    *compilation = (Compilation){arena, options, make_diags(arena, options, source), NULL, NULL};
    return read_source(compilation, false);
}

bool pipeline_complete(Compilation *compilation) {
    ElidedMode mode = (ElidedMode)compilation->options->elided;
    if (!module_settle_partitions(compilation->module, (PartitionedMode)compilation->options->partitioned,
                                  compilation->diags))
        return false;
    if (!devices_are_there(compilation->module, compilation->diags)) return false;
    if (!module_resolve_elided(compilation->module, mode, compilation->diags) || compilation->diags->n_errors)
        return false;
    if (compilation->options->weights == WEIGHTS_PARAM)
        module_weights_to_parameters(compilation->module, compilation->diags);
    return true;
}

bool pipeline_optimise(Compilation *compilation) {
    return run_passes(compilation->module, compilation->options, compilation->diags);
}

static const Target *target_of(const CompileOptions *options) {
    return target_find(options->target ? options->target : "native");
}

static const char *upper_case(Arena *arena, const char *name) {
    char *upper = arena_string(arena, name, strlen(name));
    for (char *at = upper; *at; at++) *at = (char)toupper((unsigned char)*at);
    return upper;
}

static LowerOptions lower_options(const CompileOptions *options, const char *prefix) {
    return (LowerOptions){.target = target_of(options),
                          .optimise = options->level != LEVEL_0,
                          .stack_bytes = 4096,
                          .prefix = prefix,
                          .n_custom_calls = options->custom_calls.n,
                          .custom_calls = options->custom_calls.at};
}

static CodegenOptions codegen_options(const Compilation *compilation, const GeneratedCode *out) {
    const CompileOptions *given = compilation->options;
    const Target *target = target_of(given);
    CodegenOptions options = {.name = out->function,
                              .upper_name = upper_case(compilation->arena, out->function),
                              .header_name = out->header_name,
                              .self_contained = !out->header_name || given->self_contained || given->freestanding,
                              .weights = (WeightsMode)given->weights,
                              .workspace = (WorkspaceMode)given->workspace,
                              .freestanding = given->freestanding,
                              .module_name = compilation->module->name,
                              .target = target->name,
                              .compiler = "hlocc " HLOCC_VERSION,
                              .target_macro = target->macro,
                              .target_flags = target->cc_flags};
    return options;
}

static bool check_freestanding(const Compilation *compilation, const KProgram *program) {
    if (!compilation->options->freestanding || program->devices < 2) return true;
    diag_error(compilation->diags, (Span){0, 0}, E_NOT_COMPILED,
               "--freestanding: a program for %lld devices needs threads or MPI", (long long)program->devices);
    return false;
}

bool pipeline_generate(Compilation *compilation, GeneratedCode *out) {
    out->function = pipeline_function_name(compilation);
    if (!pipeline_complete(compilation) || !pipeline_optimise(compilation)) return false;
    LowerOptions lowering = lower_options(compilation->options, out->function);
    if (out->fused) lower_print_fused(compilation->arena, compilation->module, lowering, out->fused);
    if (out->report) lower_print_report(compilation->arena, compilation->module, lowering, out->report);
    if (!out->kernels && !out->source && !out->header && !out->manifest && !out->weights) return true;
    KProgram *program = lower_module(compilation->arena, compilation->module, lowering, compilation->diags);
    if (!program) return false;
    CodegenOptions options = codegen_options(compilation, out);
    char hash[SHA256_DIGITS + 1];
    const Source *text = compilation->module->source;
    if (!check_freestanding(compilation, program)) return false;
    if (out->kernels) kernel_print(out->kernels, program);
    if (out->source) codegen_source(out->source, program, &options);
    if (out->header) codegen_header(out->header, program, &options);
    if (out->weights) codegen_weights(out->weights, program, &options);
    if (out->manifest) {
        sha256(text ? text->bytes : "", text ? text->size : 0, hash);
        options.source_hash = hash;
        codegen_manifest(out->manifest, program, &options);
    }
    return true;
}

void pipeline_print_hlo(const Compilation *compilation, Text *out) {
    HloPrintOptions options = {.metadata = true};
    Module *const one[] = {compilation->module, NULL}, *const *modules = compilation->modules;
    for (modules = modules ? modules : one; *modules; modules++) {
        hlo_print(out, *modules, options);
        if (modules[1]) text_put(out, "\n// -----\n\n");
    }
}

bool pipeline_print_maps(const Compilation *compilation, bool tiles, Text *out) {
    const CompileOptions *options = compilation->options;
    MapsOptions maps = {.direction = (MapsDirection)options->direction, .physical = options->layout,
                        .dialect_c = options->dialect, .from = options->from, .tiles = tiles,
                        .n_tile_sizes = options->tile.n};
    int64_t *sizes = NEW_ARRAY(compilation->arena, int64_t, options->tile.n + 1);
    for (int i = 0; i < options->tile.n; i++) sizes[i] = strtoll(options->tile.at[i], NULL, 10);
    maps.tile_sizes = sizes;
    return maps_print(out, compilation->arena, compilation->module, maps, compilation->diags);
}

bool pipeline_map(Compilation *compilation, Arena *arena, const CompileOptions *options, const char *path,
                  const Words *steps, Text *out) {
    if (!open_file(compilation, arena, options, path)) return false;
    IndexPool *pool = index_pool_new(arena);
    pool->dialect_c = options->dialect;
    return map_steps_run(pool, compilation->diags, steps, out);
}

static bool use_color(const CompileOptions *options) {
    if (options->color != COLOR_AUTO) return options->color == COLOR_ALWAYS;
    const char *none = getenv("NO_COLOR");
    return isatty(STDERR_FILENO) && !(none && *none);
}

static int describe(Compilation *compilation, Text *out, bool color) {
    Diags *diags = compilation->diags;
    if (compilation->options->diagnostics == DIAGNOSTICS_JSON) diags_print_json(diags, out);
    else diags_print(diags, out, color);
    int code = diags->n_errors ? 1 : 0;
    diags->list.n = diags->n_errors = diags->n_warnings = 0;
    return code;
}

int pipeline_describe(Compilation *compilation, Text *out) {
    return describe(compilation, out, false);
}

int pipeline_report(Compilation *compilation) {
    Text text = {0};
    int code = describe(compilation, &text, use_color(compilation->options));
    fwrite(text_string(&text), 1, text.n, stderr);
    text_free(&text);
    return code;
}

const char *pipeline_function_name(const Compilation *compilation) {
    if (compilation->options->prefix) return compilation->options->prefix;
    const char *name = compilation->module->name;
    Text out = {0};
    if (is_taken_by_c(name)) text_put(&out, "hlo_");
    else if (isdigit((unsigned char)*name)) text_char(&out, '_');
    for (const char *c = name; *c; c++) text_char(&out, isalnum((unsigned char)*c) || *c == '_' ? *c : '_');
    const char *legal = arena_string(compilation->arena, text_string(&out), out.n);
    text_free(&out);
    return *legal ? legal : "module";
}
