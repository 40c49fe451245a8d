/* hlocc: compiles HLO text to C. What is done to a module, and in what order: driver/pipeline.c. */
#include <stdio.h>
#include <string.h>

#include "codegen/codegen.h"
#include "driver/c_names.h"
#include "driver/compile_options.h"
#include "driver/crash.h"
#include "driver/depfile.h"
#include "driver/explain.h"
#include "driver/list_ops.h"
#include "driver/help_forms.h"
#include "driver/map_steps.h"
#include "driver/object.h"
#include "driver/output.h"
#include "driver/pipeline.h"
#include "driver/run_passes.h"
#include "driver/tool_paths.h"
#include "driver/version.h"
#include "driver/warnings.h"
#include "passes/lower/target.h"

enum { EXIT_INPUT = 1, EXIT_USAGE = 2 };

static const char help[] =
    "usage: hlocc [options] FILE.hlo\n"
    "\n"
    "Compiles XLA HLO text to C: FILE.c and FILE.h in the current folder.\n"
    "`-` reads standard input and writes self-contained C to standard output.\n"
    "\n"
    "  -o FILE            name of the .c file (the .h stands beside it); -: stdout\n"
    "  --emit=KIND,...    c (default), h, hlo, maps, fused, tiles, kernels;\n"
    "                     map, map-simplify, map-compose: the file is a map;\n"
    "                     manifest: names, shapes and sizes as JSON\n"
    "  -c, --shared       compile it too, with $CC: FILE.o; FILE.so\n"
    "  -O0, -O2           no optimisation; all (default)\n"
    "  --prefix=NAME      name of the generated function (default: the module's)\n"
    "  --target=NAME      avx512, avx2, x86-64, neon, generic; native (default):\n"
    "                     the machine that hlocc runs on\n"
    "  --self-contained   `cc FILE.c -lm` is all that is needed\n"
    "  --elided=HOW       constants printed as {...}: error (default), zeros, param\n"
    "  --cflags, --libs   what cc needs: cc FILE.c $(hlocc --cflags --libs)\n"
    "  --list-ops, --list-passes, --explain=CODE, --version\n";

static int usage_error(const char *what) {
    fprintf(stderr, "hlocc: %s\nhlocc: `hlocc --help` shows the options\n", what);
    return EXIT_USAGE;
}

static int print(Text *text) {
    fwrite(text_string(text), 1, text->n, stdout);
    text_free(text);
    return fflush(stdout) ? EXIT_INPUT : 0;
}

static const char *const exits[] = {"0",  "all went well",    "1", "the input is at fault", "2", "usage",
                                    "70", "a fault of hlocc", NULL};

static int print_help(const OptionTable *table, const char *topic) {
    Text text = {0};
    ToolHelp tool = {.name = "hlocc",
                     .title = "ahead-of-time compiler from XLA HLO text to C",
                     .synopsis = "[options] FILE.hlo",
                     .suffix = "hlo",
                     .text = help,
                     .tables = table,
                     .n_tables = 1,
                     .exits = exits};
    if (help_print_form(&text, topic, &tool)) return print(&text);
    if (strcmp(topic, "warnings") == 0) {
        warnings_print(&text);
        return print(&text);
    }
    if (*topic) {
        options_print(&text, table, 1, topic);
        if (text.n) return print(&text);
        fprintf(stderr, "hlocc: no help on '%s'\n", topic);
    }
    if (!*topic) text_put(&text, help);
    text_put(&text, "\nmore: --help=TOPIC, one of\n  ");
    options_print_topics(&text, table, 1);
    text_put(&text, ", warnings, all;\nman, bash, zsh, fish: a man page, completions\n");
    if (!*topic) text_put(&text, "exit: 0; 1 the input is at fault; 2 usage; 70 a fault of hlocc\n");
    if (!*topic) return print(&text);
    fputs(text_string(&text) + 1, stderr);
    text_free(&text);
    return EXIT_USAGE;
}

static int print_flags(Arena *arena, const CompileOptions *options, const char *argv0) {
    const char *tools = tool_folder(arena, argv0);
    const char *between = "";
    if (options->print_cflags) {
        const Target *target = options->target ? target_find(options->target) : NULL;
        if (options->target && !target)
            return usage_error(arena_printf(arena, "--target: unknown target '%s'", options->target));
        printf("-I%s", runtime_include_folder(arena, tools));
        if (target && *target->cc_flags) printf(" %s", target->cc_flags);
        between = " ";
    }
    if (options->print_libs) printf("%s-L%s -lhlocc-rt -pthread -lm", between, runtime_library_folder(arena, tools));
    putchar('\n');
    return 0;
}

/* What asks for information only. -1: nothing did. */
static int print_information(Arena *arena, const CompileOptions *options, const OptionTable *table, const char *argv0) {
    Text text = {0};
    if (options->help) return print_help(table, options->help);
    if (options->version) {
        text_printf(&text, "hlocc %s\n", HLOCC_VERSION);
        return print(&text);
    }
    if (options->list_ops) {
        list_ops(&text, *options->list_ops);
        return print(&text);
    }
    if (options->list_passes) {
        list_passes(&text);
        return print(&text);
    }
    if (options->explain) {
        if (explain_print(&text, options->explain)) return print(&text);
        text_free(&text);
        fprintf(stderr, "hlocc: no message has the code '%s'\n", options->explain);
        return EXIT_USAGE;
    }
    if (options->print_cflags || options->print_libs) return print_flags(arena, options, argv0);
    return -1;
}

/* Where each kind goes: C to the file that -o names or a name made from the input's, the rest to standard output, or
 * beside the C. */
typedef struct {
    const CompileOptions *options;
    const char *tools; /* folder of this program */
    const char *input, *source_path;
    const char *header_path; /* beside the .c; NULL: there is no such place */
    const char *header_name; /* as the .c includes it */
    bool wants[N_EMITS];
    int n_kinds;
    EmitKind first;
} Plan;

static const char *replace_end(Arena *arena, const char *path, const char *end) {
    return path_join(arena, path_folder(arena, path), arena_printf(arena, "%s%s", path_stem(arena, path), end));
}

static const char *replace_suffix(Arena *arena, const char *path, const char *suffix) {
    return replace_end(arena, path, arena_printf(arena, ".%s", suffix));
}

static bool is_binary(const CompileOptions *options) {
    return options->object || options->shared;
}

/* Of the main output. */
static const char *main_suffix(const CompileOptions *options) {
    return options->shared ? "so" : options->object ? "o" : "c";
}

static bool weights_stand_apart(const CompileOptions *options) {
    return options->weights == WEIGHTS_SEPARATE || options->weights == WEIGHTS_FILE;
}

static Plan make_plan(Arena *arena, const CompileOptions *options, const char *input) {
    Plan plan = {.options = options, .input = input, .first = EMIT_C};
    for (int i = 0; i < options->emit.n; i++) {
        EmitKind kind = emit_kind_from_name(options->emit.at[i]);
        if (!plan.n_kinds) plan.first = kind;
        plan.n_kinds += !plan.wants[kind];
        plan.wants[kind] = true;
    }
    if (!plan.n_kinds) plan.n_kinds = plan.wants[EMIT_C] = true;
    bool from_input = strcmp(input, "-") == 0;
    const char *by_input =
        from_input ? "-" : arena_printf(arena, "%s.%s", path_stem(arena, input), main_suffix(options));
    bool named = options->output && (plan.first == EMIT_C || plan.n_kinds > 1);
    plan.source_path = named ? options->output : by_input;
    bool beside = strcmp(plan.source_path, "-") != 0 && !path_is_special(plan.source_path);
    if (beside) plan.header_path = replace_suffix(arena, plan.source_path, "h");
    if (plan.wants[EMIT_C] && weights_stand_apart(options)) {
        plan.n_kinds += !plan.wants[EMIT_WEIGHTS];
        plan.wants[EMIT_WEIGHTS] = true;
    }
    plan.header_name = path_base(beside ? plan.header_path : replace_suffix(arena, input, "h"));
    return plan;
}

static const char *path_of(Arena *arena, const Plan *plan, EmitKind kind) {
    const char *output = plan->options->output;
    if (kind == EMIT_C) return plan->source_path;
    if (kind == EMIT_WEIGHTS && plan->wants[EMIT_C])
        return replace_end(arena, plan->source_path,
                           plan->options->weights == WEIGHTS_FILE ? ".weights" : "_weights.c");
    if (kind == EMIT_H && plan->wants[EMIT_C] && plan->header_path) return plan->header_path;
    if (!output) return "-";
    if (plan->n_kinds == 1 || strcmp(output, "-") == 0) return output;
    return replace_suffix(arena, output, kind == EMIT_MANIFEST ? "json" : emit_kind_name(kind));
}

static int write_dependencies(Arena *arena, const Plan *plan, Text *why) {
    const CompileOptions *options = plan->options;
    const char *main_path = path_of(arena, plan, plan->first);
    const char *path = options->dependency_file ? options->dependency_file : replace_suffix(arena, main_path, "d");
    const char *targets[] = {options->dependency_target ? options->dependency_target : main_path,
                             options->dependency_target || plan->first != EMIT_C ? NULL : plan->header_path, NULL};
    Text text = {0};
    depfile_print(&text, targets, plan->input);
    bool good = output_write(path, text.at, text.n, why);
    text_free(&text);
    return good;
}

/* What only the C compiler gets to see. */
static bool is_compiled(const Plan *plan, EmitKind kind) {
    bool other_source = kind == EMIT_WEIGHTS && plan->options->weights == WEIGHTS_SEPARATE;
    return is_binary(plan->options) && (kind == EMIT_C || other_source);
}

static bool compile_object(Arena *arena, const Plan *plan, const Text *texts, Text *why) {
    const Text *weights = plan->options->weights == WEIGHTS_SEPARATE ? &texts[EMIT_WEIGHTS] : NULL;
    ObjectPlan object = {.tools = plan->tools, .target = plan->options->target, .shared = plan->options->shared,
                         .source = &texts[EMIT_C], .header = &texts[EMIT_H], .weights = weights,
                         .header_name = plan->header_name, .output = plan->source_path};
    return object_make(arena, &object, why);
}

static bool write_outputs(Arena *arena, const Plan *plan, Text *texts) {
    Text why = {0};
    bool good = true;
    for (int kind = 0; kind < N_EMITS && good; kind++)
        if (plan->wants[kind] && !is_compiled(plan, (EmitKind)kind))
            good = output_write(path_of(arena, plan, (EmitKind)kind), text_string(&texts[kind]), texts[kind].n, &why);
    /* The .c is of no use without its header. */
    if (good && plan->wants[EMIT_C] && !plan->wants[EMIT_H] && plan->header_path)
        good = output_write(plan->header_path, text_string(&texts[EMIT_H]), texts[EMIT_H].n, &why);
    if (good && is_binary(plan->options)) good = compile_object(arena, plan, texts, &why);
    bool dependencies = plan->options->dependencies || plan->options->dependency_file;
    if (good && dependencies) good = write_dependencies(arena, plan, &why);
    if (!good) fprintf(stderr, "hlocc: error: %s\n", text_string(&why));
    text_free(&why);
    return good;
}

/* -1: none of the kinds is about maps alone. */
static int compile_map(Arena *arena, const Plan *plan) {
    static const struct {
        EmitKind kind;
        const char *step;
    } kinds[] = {{EMIT_MAP, NULL}, {EMIT_MAP_SIMPLIFY, "simplify"}, {EMIT_MAP_COMPOSE, "compose"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        Compilation compilation;
        Text texts[N_EMITS] = {0};
        Words steps = {0};
        if (!plan->wants[kinds[i].kind]) continue;
        if (plan->n_kinds > 1) return usage_error("--emit: map, map-simplify and map-compose stand alone");
        if (kinds[i].step) words_add(arena, &steps, kinds[i].step);
        for (int k = 0; k < plan->options->steps.n; k++) words_add(arena, &steps, plan->options->steps.at[k]);
        bool good = pipeline_map(&compilation, arena, plan->options, plan->input, &steps, &texts[kinds[i].kind]);
        int code = pipeline_report(&compilation);
        if (good && !code && !write_outputs(arena, plan, texts)) code = EXIT_INPUT;
        text_free(&texts[kinds[i].kind]);
        return code;
    }
    return -1;
}

static int compile(Arena *arena, const Plan *plan) {
    Compilation compilation;
    int map = compile_map(arena, plan);
    if (map >= 0) return map;
    Text texts[N_EMITS] = {0};
    bool only_hlo = plan->wants[EMIT_HLO] && plan->n_kinds == 1;
    bool good = only_hlo ? pipeline_read_all(&compilation, arena, plan->options, plan->input)
                         : pipeline_read(&compilation, arena, plan->options, plan->input);
    if (good && plan->wants[EMIT_HLO]) pipeline_print_hlo(&compilation, &texts[EMIT_HLO]);
    if (good && plan->wants[EMIT_MAPS]) good = pipeline_print_maps(&compilation, false, &texts[EMIT_MAPS]);
    if (good && plan->wants[EMIT_TILES]) good = pipeline_print_maps(&compilation, true, &texts[EMIT_TILES]);
    bool wants_c = plan->wants[EMIT_C] || plan->wants[EMIT_H];
    bool beside = plan->wants[EMIT_MANIFEST] || plan->wants[EMIT_WEIGHTS];
    Text report = {0};
    bool before_c = plan->options->report || plan->wants[EMIT_FUSED] || plan->wants[EMIT_KERNELS];
    if (good && (wants_c || beside || before_c)) {
        bool apart = (plan->header_path || plan->wants[EMIT_H]) && !plan->options->self_contained &&
                     !plan->options->freestanding;
        GeneratedCode code = {.fused = plan->wants[EMIT_FUSED] ? &texts[EMIT_FUSED] : NULL,
                              .kernels = plan->wants[EMIT_KERNELS] ? &texts[EMIT_KERNELS] : NULL,
                              .report = plan->options->report ? &report : NULL,
                              .source = wants_c ? &texts[EMIT_C] : NULL,
                              .header = wants_c ? &texts[EMIT_H] : NULL,
                              .manifest = plan->wants[EMIT_MANIFEST] ? &texts[EMIT_MANIFEST] : NULL,
                              .weights = plan->wants[EMIT_WEIGHTS] ? &texts[EMIT_WEIGHTS] : NULL,
                              .header_name = apart ? plan->header_name : NULL};
        good = pipeline_generate(&compilation, &code);
    }
    int code = pipeline_report(&compilation);
    if (good && !code && !write_outputs(arena, plan, texts)) code = EXIT_INPUT;
    if (good && !code) fwrite(text_string(&report), 1, report.n, stdout);
    text_free(&report);
    for (int kind = 0; kind < N_EMITS; kind++) text_free(&texts[kind]);
    return code;
}

/* Options that do not go together, and words that mean nothing. NULL: there are none. */
static const char *find_conflict(Arena *arena, const CompileOptions *options) {
    const char *unknown = warnings_unknown(&options->warnings);
    bool apart = weights_stand_apart(options), to_stdout = options->output && strcmp(options->output, "-") == 0;
    if (unknown) {
        const char *nearest = warnings_nearest(arena, unknown);
        return nearest ? arena_printf(arena, "unknown warning '-W%s'; did you mean '-W%s'?", unknown, nearest)
                       : arena_printf(arena, "unknown warning '-W%s'; `hlocc --help=warnings` lists them", unknown);
    }
    if (apart && to_stdout) return "--weights=separate and --weights=file write two files; give -o FILE";
    if (options->freestanding && options->workspace == WORKSPACE_MALLOC) return "--freestanding: there is no malloc";
    if (options->object && options->shared) return "either -c or --shared";
    if (is_binary(options) && options->emit.n && emit_kind_from_name(options->emit.at[0]) != EMIT_C)
        return "-c and --shared compile C: --emit=c comes first";
    if (is_binary(options) && to_stdout) return "-c and --shared write a file; give -o FILE";
    if (options->object && options->weights == WEIGHTS_SEPARATE)
        return "-c makes one object; --weights=separate needs two";
    return NULL;
}

static int run(Arena *arena, int argc, char **argv, Text *error) {
    CompileOptions options = compile_options_default();
    OptionTable table = {compile_option_rows, &options};
    Words files = {0};
    if (!options_read(arena, &table, 1, "HLOCC_FLAGS", argc, argv, &files, error))
        return usage_error(text_string(error));
    const char *step = map_steps_unknown(&options.steps);
    if (step) return usage_error(arena_printf(arena, "--do: no step is called '%s'", step));
    if (!check_pass_names(&options, error)) return usage_error(text_string(error));
    int code = print_information(arena, &options, &table, argv[0]);
    if (code >= 0) return code;
    if (files.n != 1) return usage_error(files.n ? "more than one input file" : "no input file");
    if (options.prefix && !is_c_identifier(options.prefix)) return usage_error("--prefix: not a C identifier");
    for (int i = 0; i < options.custom_calls.n; i++) {
        const char *function = strrchr(options.custom_calls.at[i], '=');
        if (!function || !is_c_identifier(function + 1) || is_taken_by_c(function + 1))
            return usage_error("--custom-call: TARGET=FUNCTION, where FUNCTION is a name in C");
    }
    if (options.prefix && is_taken_by_c(options.prefix)) return usage_error("--prefix: a name that C has already");
    const char *conflict = find_conflict(arena, &options);
    if (conflict) return usage_error(conflict);
    Plan plan = make_plan(arena, &options, files.at[0]);
    plan.tools = tool_folder(arena, argv[0]);
    return compile(arena, &plan);
}

int main(int argc, char **argv) {
    crash_report_install();
    Arena *arena = arena_new();
    Text error = {0};
    int code = run(arena, argc, argv, &error);
    text_free(&error);
    arena_free(arena);
    return code;
}
