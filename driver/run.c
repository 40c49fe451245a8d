#include "driver/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/output.h"
#include "driver/process.h"
#include "ir/eval/eval.h"

static int run_by_evaluator(const RunOptions *options, Compilation *compilation, const Interface *interface,
                            Literal *const *inputs, RunResult *result) {
    Arena *arena = compilation->arena;
    Diags *diags = compilation->diags;
    if (options->after_passes && !pipeline_optimise(compilation)) return RUN_BAD_INPUT;
    if (!eval_can(compilation->module, diags)) return RUN_BAD_INPUT;
    int devices = (int)interface->devices;
    const Literal *const **arguments = NEW_ARRAY(arena, const Literal *const *, devices);
    Literal **outputs = NEW_ARRAY(arena, Literal *, devices * interface->n_outputs);
    Literal **values = NEW_ARRAY(arena, Literal *, devices);
    for (int d = 0; d < devices; d++)
        arguments[d] = interface_arguments(arena, interface, inputs + d * interface->n_inputs);
    if (!eval_devices(arena, compilation->module, devices, arguments, values, diags)) return RUN_ERROR;
    for (int d = 0; d < devices; d++) {
        Literal *const *leaves = interface_results(arena, interface, values[d]);
        for (int k = 0; k < interface->n_outputs; k++) outputs[d * interface->n_outputs + k] = leaves[k];
    }
    result->outputs = outputs;
    return RUN_GOOD;
}

/* ---- as C: the program and the harness speak through two files (driver/harness/harness.c) ------------------------ */

static bool write_inputs(const char *path, const Interface *interface, Literal *const *inputs, Text *report) {
    Text bytes = {0};
    for (int64_t k = 0; k < interface->devices * interface->n_inputs; k++)
        text_bytes(&bytes, inputs[k]->data, (size_t)shape_bytes(inputs[k]->shape));
    bool good = output_write(path, text_string(&bytes), bytes.n, report);
    text_free(&bytes);
    return good;
}

static bool read_device_outputs(Arena *arena, const char *path, const Interface *interface, Literal **outputs,
                                Text *report) {
    Text bytes = {0};
    if (!input_read(path, &bytes, report)) return false;
    size_t at = 0, total = 0;
    for (int k = 0; k < interface->n_outputs; k++) total += (size_t)shape_bytes(interface->outputs[k]);
    for (int k = 0; k < interface->n_outputs && total == bytes.n; k++) {
        size_t n = (size_t)shape_bytes(interface->outputs[k]);
        outputs[k] = literal_new(arena, interface->outputs[k]);
        if (n) memcpy(outputs[k]->data, bytes.at + at, n);
        at += n;
    }
    if (total != bytes.n) text_printf(report, "the program wrote %zu bytes, expected %zu\n", bytes.n, total);
    text_free(&bytes);
    return at == total;
}

static bool read_outputs(Arena *arena, const char *path, const Interface *interface, RunResult *result, Text *report) {
    int64_t devices = interface->devices;
    Literal **outputs = NEW_ARRAY(arena, Literal *, devices * interface->n_outputs);
    result->outputs = outputs;
    for (int64_t d = 0; d < devices; d++) {
        const char *file = devices > 1 ? arena_printf(arena, "%s.%lld", path, (long long)d) : path;
        if (!read_device_outputs(arena, file, interface, outputs + d * interface->n_outputs, report)) return false;
    }
    return true;
}

/* mpirun as we need it: any user, more ranks than cores (Open MPI refuses both unless told; others do not mind). */
static const char *const mpi_variables[] = {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
                                            "OMPI_MCA_rmaps_base_oversubscribe=1",
                                                "PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe",
                                            NULL};

/* GNU's OpenMP lets a thread that waits spin for milliseconds, also where the one that it waits for needs that very
 * core: on a busy machine most of the time goes there. 30000 turns are some 50 us. */
static const char *const thread_variables[] = {"GOMP_SPINCOUNT=30000", NULL};

static const char *const *variables_for(bool mpi) {
    if (mpi) return mpi_variables;
    return getenv("GOMP_SPINCOUNT") || getenv("OMP_WAIT_POLICY") ? NULL : thread_variables;
}

static void add_launcher(Arena *arena, const RunOptions *options, const Interface *interface, Words *argv) {
    const Words *launcher = &options->toolchain->mpi_run;
    if (options->toolchain->ranks != RANKS_MPI) return;
    for (int i = 0; i < launcher->n; i++) words_add(arena, argv, launcher->at[i]);
    words_add(arena, argv, "-n");
    words_add(arena, argv, arena_printf(arena, "%lld", (long long)interface->devices));
}

static int run_program(Arena *arena, const RunOptions *options, const Interface *interface, const char *program,
                       const char *folder, RunResult *result, Text *report) {
    Words argv = {0};
    bool mpi = options->toolchain->ranks == RANKS_MPI;
    add_launcher(arena, options, interface, &argv);
    for (int i = 0; options->runner && i < options->runner->n; i++) words_add(arena, &argv, options->runner->at[i]);
    words_add(arena, &argv, program);
    words_add(arena, &argv, path_join(arena, folder, "in"));
    words_add(arena, &argv, path_join(arena, folder, "out"));
    words_add(arena, &argv, arena_printf(arena, "%d", options->threads));
    words_add(arena, &argv, arena_printf(arena, "%g", options->bench));
    if (interface->devices > 1) words_add(arena, &argv, arena_printf(arena, "%lld", (long long)interface->devices));
    words_end(arena, &argv);
    if (options->toolchain->verbose) {
        Text line = {0};
        command_print(&line, argv.at);
        fprintf(stderr, "+ %s\n", text_string(&line));
        text_free(&line);
    }
    Process process;
    bool good = process_run(&process, &(Command){.argv = argv.at, .seconds = options->seconds,
                                                 .variables = variables_for(mpi)});
    if (good && options->bench > 0)
        good = sscanf(text_string(&process.out), "%lf %lf", &result->min_seconds, &result->median_seconds) == 2;
    if (!good && process.code != RUN_ERROR) { /* with that the harness has said what is wrong */
        text_put(report, "the program ended with ");
        process_describe(report, &process);
        text_char(report, '\n');
    }
    if (!good) text_printf(report, "%s%s", text_string(&process.out), text_string(&process.err));
    int code = good ? RUN_GOOD : process.not_started ? RUN_NOT_BUILT : RUN_ERROR;
    process_free(&process);
    return code;
}

static int run_as_c(const RunOptions *options, Compilation *compilation, const Interface *interface,
                    Literal *const *inputs, RunResult *result, Text *report) {
    Arena *arena = compilation->arena;
    Text source = {0}, header = {0};
    bool apart = !compilation->options->self_contained;
    Toolchain toolchain = *options->toolchain;
    RunOptions with_ranks = *options;
    toolchain.ranks = options->mpi ? RANKS_MPI : interface->devices > 1 ? RANKS_THREADS : RANKS_NONE;
    with_ranks.toolchain = &toolchain;
    options = &with_ranks;
    GeneratedCode code = {.source = &source, .header = &header, .header_name = apart ? "model.h" : NULL};
    const char *program = NULL;
    int result_code = RUN_BAD_INPUT;
    if (pipeline_generate(compilation, &code)) {
        program = toolchain_build(arena, options->toolchain, &code, report);
        result_code = RUN_NOT_BUILT;
    }
    text_free(&source);
    text_free(&header);
    if (!program) return result_code;
    const char *parent = getenv("TMPDIR");
    char *folder = arena_printf(arena, "%s/hlocc-run.XXXXXX", parent && *parent ? parent : "/tmp");
    if (!folder_make_temporary(folder)) {
        text_printf(report, "cannot make a temporary folder '%s'\n", folder);
        return RUN_ERROR;
    }
    bool written = write_inputs(path_join(arena, folder, "in"), interface, inputs, report);
    result_code = written ? run_program(arena, options, interface, program, folder, result, report) : RUN_ERROR;
    if (result_code == RUN_GOOD && !read_outputs(arena, path_join(arena, folder, "out"), interface, result, report))
        result_code = RUN_ERROR;
    folder_remove(folder);
    return result_code;
}

int run_module(const RunOptions *options, Compilation *compilation, const Interface *interface, Literal *const *inputs,
               RunResult *result, Text *report) {
    *result = (RunResult){0};
    if (options->by_evaluator) return run_by_evaluator(options, compilation, interface, inputs, result);
    return run_as_c(options, compilation, interface, inputs, result, report);
}

void time_print(Text *out, double seconds) {
    const double least = 1e-6; /* us; a millionth of one is less than a clock tick of any machine */
    double us = seconds * 1e6;
    if (!(us > least)) us = least;
    int digits_before = (int)floor(log10(us)) + 1;
    double scale = pow(10, 4 - digits_before);
    double rounded = round(us * scale) / scale;
    text_printf(out, "%.*f", digits_before < 4 ? 4 - digits_before : 0, rounded);
}
