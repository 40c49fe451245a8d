/* hlocc-run: compiles HLO text, builds an executable, runs it on inputs; or has the evaluator do it. Cases:
 * driver/case.c; one program: driver/run.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codegen/codegen.h"
#include "driver/case.h"
#include "driver/compile_options.h"
#include "driver/crash.h"
#include "driver/discover.h"
#include "driver/help_forms.h"
#include "driver/jobs.h"
#include "driver/output.h"
#include "driver/run_passes.h"
#include "driver/tool_paths.h"
#include "driver/values.h"
#include "driver/version.h"
#include "driver/warnings.h"

enum { DEFAULT_SEED = 7, DEFAULT_SECONDS = 600, N_TABLES = 2 };

typedef struct {
    Words inputs, cases;
    int seed, jobs, threads, devices;
    const char *out, *expect, *keep, *runner;
    double rtol, atol, bench, seconds;
    int eval; /* EVAL_... */
    bool mpi, verbose;
} Options;

enum { EVAL_NOT, EVAL_AS_READ, EVAL_PASSES };
static const char *const eval_modes[] = {"no", "as-read", "passes", NULL};

#define TO(member) offsetof(Options, member)
static const OptionRow rows[] = {
    {"--in", NULL, TAKES_MANY, SETS_WORDS, TO(inputs), "FILE...", "run", "inputs, one .npy per parameter leaf", NULL,
     0},
    {"--seed", NULL, TAKES_VALUE, SETS_COUNT, TO(seed), "N", "run", "generate inputs (without --in; default 7)", NULL,
     0},
    {"--out", NULL, TAKES_VALUE, SETS_STRING, TO(out), "DIR", "run", "write results to DIR/out0.npy ...", NULL, 0},
    {"--expect", NULL, TAKES_VALUE, SETS_STRING, TO(expect), "DIR", "run", "compare results with DIR/out0.npy ...",
     NULL, 0},
    {"--rtol", NULL, TAKES_VALUE, SETS_NUMBER, TO(rtol), "X", "run",
     "|got - expected| <= atol + rtol * |expected|;", NULL, 0},
    {"--atol", NULL, TAKES_VALUE, SETS_NUMBER, TO(atol), "X", "run",
     "by default what the module says, else by type", NULL, 0},
    {"--case", NULL, TAKES_MANY, SETS_WORDS, TO(cases), "DIR...", "run",
     "run cases; folders are searched for them", NULL, 0},
    {"-j", "--jobs", TAKES_VALUE, SETS_COUNT, TO(jobs), "N", "run", "cases at a time (default 1; 0: all cores)", NULL,
     0},
    {"--eval", NULL, TAKES_OPTIONAL, SETS_WORD, TO(eval), "passes", "run",
     "the evaluator instead of C; passes: after hlocc's", eval_modes, EVAL_AS_READ},
    {"--bench", NULL, TAKES_OPTIONAL, SETS_NUMBER, TO(bench), "SECONDS", "run", "time calls (for 1 second)",
     NULL, 1},
    {"--threads", NULL, TAKES_VALUE, SETS_COUNT, TO(threads), "N", "run",
     "OpenMP threads (default 1; 0: OpenMP says)", NULL, 0},
    {"--runner", NULL, TAKES_VALUE, SETS_STRING, TO(runner), "COMMAND", "run",
     "run the program by this: \"qemu-arm -L ...\"", NULL, 0},
    {"--keep", NULL, TAKES_VALUE, SETS_STRING, TO(keep), "DIR", "run", "keep the generated files", NULL, 0},
    {"--timeout", NULL, TAKES_VALUE, SETS_NUMBER, TO(seconds), "SECONDS", "run",
     "limit for cc and the program (600)", NULL, 0},
    {"-v", "--verbose", TAKES_NOTHING, SETS_TRUE, TO(verbose), NULL, "run", "show commands; name cases that pass", NULL,
     0},
    {"--devices", NULL, TAKES_VALUE, SETS_COUNT, TO(devices), "N", "run",
     "ranks (default: as many as the program is for)", NULL, 0},
    {"--mpi", NULL, TAKES_NOTHING, SETS_TRUE, TO(mpi), NULL, "run", "ranks by $MPICC and $MPIRUN, not as threads", NULL,
     0},
    {0},
};

static const char help[] =
    "usage: hlocc-run [options] FILE.hlo\n"
    "       hlocc-run [options] --case DIR...\n"
    "\n"
    "Compiles HLO to C, builds it with $CC $CFLAGS (cc -O3 -march=native -fopenmp),\n"
    "runs it and prints, writes or compares the results. Takes hlocc's options too.\n\n";

/* Everything that main prepares. */
typedef struct {
    const Options *options;
    const CompileOptions *compile;
    RunOptions run;
    Toolchain toolchain;
    Words runner;
    Tolerance tolerance;
    Words cases;
    int n_failed, worst;
} Session;

static int usage_error(const char *what) {
    fprintf(stderr, "hlocc-run: %s\nhlocc-run: `hlocc-run --help` shows the options\n", what);
    return RUN_USAGE;
}

static const char *const exits[] = {"0", "all went well", "1", "the input is at fault", "2", "usage", "3",
                                    "the C compiler failed", "4", "results differ", "5", "an error at run time", "70",
                                    "a fault of hlocc", NULL};

static int print_help(const OptionTable *tables, const char *topic) {
    Text text = {0};
    ToolHelp tool = {.name = "hlocc-run", .title = "compiles HLO text, builds it and runs it", .suffix = "hlo",
                     .synopsis = "[options] FILE.hlo", .text = help, .tables = tables, .n_tables = N_TABLES,
                     .exits = exits};
    if (help_print_form(&text, topic, &tool)) {
        fputs(text_string(&text), stdout);
        text_free(&text);
        return 0;
    }
    if (!*topic) text_put(&text, help);
    options_print(&text, tables, N_TABLES, *topic ? topic : "run");
    if (*topic && !text.n) return usage_error(text_string(&text));
    if (!*topic)
        text_put(&text, "more: --help=TOPIC, as hlocc --help says\n"
                        "exit: 0; 1 bad input; 2 usage; 3 cc failed; 4 results differ; 5 run-time error\n");
    fputs(text_string(&text), stdout);
    text_free(&text);
    return 0;
}

/* ---- one program ------------------------------------------------------------------------------------------------- */

static int finish(const Session *session, Arena *arena, const Interface *interface, const RunResult *result,
                  const Notes *notes, Text *report) {
    const Options *options = session->options;
    Text text = {0};
    if (options->out && !values_write_outputs(arena, interface, result->outputs, options->out, report))
        return RUN_BAD_INPUT;
    if (options->bench > 0) {
        text_put(&text, "min ");
        time_print(&text, result->min_seconds);
        text_put(&text, " us  median ");
        time_print(&text, result->median_seconds);
        text_put(&text, " us\n");
    }
    int code = RUN_GOOD;
    if (options->expect) {
        Tolerance tolerance = session->tolerance.given ? session->tolerance : notes->tolerance;
        code = values_compare(arena, interface, result->outputs, options->expect, tolerance, report);
    } else if (!options->out && !text.n) {
        values_print(&text, interface, result->outputs);
    }
    fwrite(text_string(&text), 1, text.n, stdout);
    text_free(&text);
    return code;
}

static int run_compilation(const Session *session, Compilation *compilation, Text *report) {
    Arena *arena = compilation->arena;
    const Options *options = session->options;
    Notes notes = notes_read(compilation->diags->source->bytes);
    Interface interface = interface_of(arena, compilation->module);
    if (session->run.devices) interface.devices = session->run.devices;
    Literal *const *inputs = options->inputs.n ? values_read(arena, &interface, &options->inputs, report)
                                               : values_random(arena, &interface, options->seed);
    if (!inputs) return RUN_BAD_INPUT;
    RunResult result;
    int code = run_module(&session->run, compilation, &interface, inputs, &result, report);
    return code == RUN_GOOD ? finish(session, arena, &interface, &result, &notes, report) : code;
}

static int run_file(Arena *arena, const Session *session, const char *path) {
    Compilation compilation;
    Text report = {0};
    int code = RUN_BAD_INPUT;
    if (pipeline_read(&compilation, arena, session->compile, path) && pipeline_complete(&compilation))
        code = run_compilation(session, &compilation, &report);
    pipeline_report(&compilation);
    if (report.n && report.at[report.n - 1] != '\n') text_char(&report, '\n');
    if (report.n) fprintf(stderr, "%s%s", code == RUN_DIFFERENT ? "" : "hlocc-run: ", text_string(&report));
    text_free(&report);
    return code;
}

/* ---- cases ------------------------------------------------------------------------------------------------------- */

static const char *below(Arena *arena, const char *folder, const char *path) {
    while (strncmp(path, "../", 3) == 0) path += 3;
    while (*path == '/') path++;
    return folder ? path_join(arena, folder, path) : NULL;
}

/* In a child process; what is printed is the report. */
static int case_work(void *context, int job) {
    Session *session = context;
    Arena *arena = arena_new();
    Text report = {0};
    const char *folder = session->cases.at[job];
    bool several = session->cases.n > 1;
    const Options *options = session->options;
    session->toolchain.keep = several ? below(arena, options->keep, folder) : options->keep;
    const char *out = several ? below(arena, options->out, folder) : options->out;
    int code = case_run(&session->run, session->compile, folder, session->tolerance, out, &report);
    fwrite(text_string(&report), 1, report.n, stdout);
    text_free(&report);
    arena_free(arena);
    return code;
}

/* Of several failures the gravest gives the exit code. */
static int gravity(int code) {
    static const int order[] = {RUN_GOOD, RUN_BAD_INPUT, RUN_DIFFERENT, RUN_ERROR, RUN_NOT_BUILT, RUN_INTERNAL};
    for (int i = 0; i < (int)(sizeof order / sizeof *order); i++)
        if (order[i] == code) return i;
    return 0;
}

static void case_done(void *context, int job, const Process *process) {
    static const char *const words[] = {
        [RUN_BAD_INPUT] = "not compiled", [RUN_USAGE] = "usage",     [RUN_NOT_BUILT] = "not built",
        [RUN_DIFFERENT] = "differs",      [RUN_ERROR] = "run error",
    };
    Session *session = context;
    int code = process->code;
    bool known = code >= RUN_BAD_INPUT && code <= RUN_ERROR;
    if (code != RUN_GOOD && !known) code = process->timed_out ? RUN_ERROR : RUN_INTERNAL;
    session->n_failed += code != RUN_GOOD;
    if (gravity(code) > gravity(session->worst)) session->worst = code;
    if (code == RUN_GOOD && session->options->verbose) printf("PASS %s\n", session->cases.at[job]);
    if (code != RUN_GOOD) {
        Text how = {0};
        if (!known) process_describe(&how, process);
        printf("FAIL %s: %s\n", session->cases.at[job], known ? words[code] : text_string(&how));
        text_free(&how);
    }
    if (code != RUN_GOOD || session->options->verbose)
        printf("%s%s", text_string(&process->out), text_string(&process->err));
    fflush(stdout);
}

static int run_cases(Arena *arena, Session *session) {
    Text why = {0};
    for (int i = 0; i < session->options->cases.n; i++)
        if (!discover_cases(arena, session->options->cases.at[i], &session->cases, &why)) {
            fprintf(stderr, "hlocc-run: %s\n", text_string(&why));
            text_free(&why);
            return RUN_BAD_INPUT;
        }
    int parallel = session->options->jobs ? session->options->jobs : processor_count();
    double limit = session->options->seconds > 0 ? 3 * session->options->seconds : 0;
    jobs_run(&(Jobs){session->cases.n, parallel, limit, session, case_work, case_done});
    printf("%d passed, %d failed\n", session->cases.n - session->n_failed, session->n_failed);
    return session->worst;
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

static bool prepare(Arena *arena, Session *session, const char *argv0, Text *error) {
    const Options *options = session->options;
    const char *tools = tool_folder(arena, argv0);
    if (!toolchain_from_environment(arena, tools, NULL, &session->toolchain, error)) return false;
    session->toolchain.keep = options->keep;
    session->toolchain.verbose = options->verbose;
    session->toolchain.seconds = options->seconds;
    if (options->runner && !words_split(arena, &session->runner, options->runner)) {
        text_put(error, "--runner: a quote is not closed");
        return false;
    }
    session->tolerance = (Tolerance){options->rtol >= 0 || options->atol >= 0, options->rtol > 0 ? options->rtol : 0,
                                     options->atol > 0 ? options->atol : 0};
    session->run = (RunOptions){.by_evaluator = options->eval != EVAL_NOT,
                                .after_passes = options->eval == EVAL_PASSES,
                                .threads = options->threads,
                                .seconds = options->seconds > 0 ? options->seconds + options->bench : 0,
                                .bench = options->bench,
                                .devices = options->devices,
                                .mpi = options->mpi,
                                .runner = &session->runner,
                                .toolchain = &session->toolchain};
    return true;
}

static const char *find_conflict(const Options *options, const CompileOptions *compile, int n_files) {
    if (options->cases.n && n_files) return "either a file or --case, not both";
    if (!options->cases.n && n_files != 1) return n_files ? "more than one file" : "no file given";
    if (options->cases.n && (options->inputs.n || options->expect)) return "--case has inputs and results of its own";
    if (options->eval && options->mpi) return "--mpi runs C, not the evaluator";
    if (options->eval && options->bench > 0) return "--bench times C, not the evaluator";
    if (options->cases.n && options->bench > 0) return "--bench times one file, not cases";
    if (compile->emit.n || compile->output || compile->dependencies || compile->object || compile->shared)
        return "--emit, -o, -c, --shared and -MD are options of hlocc";
    if (compile->weights != WEIGHTS_INLINE && compile->weights != WEIGHTS_PARAM)
        return "--weights=separate, extern and file are options of hlocc";
    if (compile->freestanding && compile->workspace == WORKSPACE_MALLOC) return "--freestanding: there is no malloc";
    if (warnings_unknown(&compile->warnings)) return "unknown warning behind -W; `hlocc --help=warnings` lists them";
    return NULL;
}

/* `--in a.npy b.npy module.hlo`: what is no .npy file at the end of the list is the program. */
static void take_file_from_inputs(Arena *arena, Options *options, Words *files) {
    Words *inputs = &options->inputs;
    if (files->n || options->cases.n || !inputs->n || path_ends(inputs->at[inputs->n - 1], ".npy")) return;
    words_add(arena, files, inputs->at[--inputs->n]);
}

static int run(Arena *arena, const Options *options, const CompileOptions *compile, const Words *files,
               const char *argv0) {
    Session session = {.options = options, .compile = compile};
    Text error = {0};
    const char *conflict = find_conflict(options, compile, files->n);
    if (conflict) return usage_error(conflict);
    if (!check_pass_names(compile, &error) || !prepare(arena, &session, argv0, &error)) {
        usage_error(text_string(&error));
        text_free(&error);
        return RUN_USAGE;
    }
    return options->cases.n ? run_cases(arena, &session) : run_file(arena, &session, files->at[0]);
}

int main(int argc, char **argv) {
    crash_report_install();
    Arena *arena = arena_new();
    Options options = {
        .seed = DEFAULT_SEED, .threads = 1, .jobs = 1, .rtol = -1, .atol = -1, .seconds = DEFAULT_SECONDS};
    CompileOptions compile = compile_options_default();
    OptionTable tables[N_TABLES] = {{rows, &options}, {compile_option_rows, &compile}};
    Words files = {0};
    Text error = {0};
    int code;
    bool good = options_read(arena, tables, N_TABLES, "HLOCC_FLAGS", argc, argv, &files, &error);
    if (good) take_file_from_inputs(arena, &options, &files);
    if (!good) code = usage_error(text_string(&error));
    else if (compile.help) code = print_help(tables, compile.help);
    else if (compile.version) code = printf("hlocc-run %s\n", HLOCC_VERSION) < 0;
    else code = run(arena, &options, &compile, &files, argv[0]);
    text_free(&error);
    arena_free(arena);
    return code;
}
