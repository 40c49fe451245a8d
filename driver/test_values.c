#include <stdlib.h>
#include <string.h>

#include "driver/case.h"
#include "driver/compare.h"
#include "driver/npy.h"
#include "driver/output.h"
#include "driver/test_run.h"
#include "driver/values.h"

/* The ways a program is run; all must agree. */
typedef struct {
    const char *name;
    bool by_evaluator;
    OptimisationLevel level;
    const char *cflags;
    int threads; /* that share parallel loops */
} Way;

#define STRICT " -std=c99 -march=native -Wall -Wextra -Wpedantic -Werror"
static const Way ways[] = {
    {"evaluator", true, LEVEL_2, "", 1},
    {"hlocc -O0, cc -O0", false, LEVEL_0, "-O0" STRICT, 1},
    {"hlocc -O2, cc -O2", false, LEVEL_2, "-O2 -fopenmp" STRICT, 3},
};
enum { N_WAYS = sizeof ways / sizeof *ways };

typedef struct {
    Arena *arena;
    const TestOptions *options;
    const TestFile *file;
    Literal *const *expected; /* one per output, or NULL: not known */
    Text *report;
} Tester;

static bool prepare(Arena *arena, const TestOptions *options, const Way *way, CompileOptions *compile,
                    Toolchain *toolchain, RunOptions *run, Text *report) {
    const char *more = getenv("CFLAGS"); /* sanitizers, say */
    const char *flags = arena_printf(arena, "%s %s", way->cflags, more ? more : "");
    *compile = compile_options_default();
    compile->level = (int)way->level;
    compile->verify_each = true;
    *run = (RunOptions){.by_evaluator = way->by_evaluator,
                        .threads = way->threads,
                        .seconds = options->seconds,
                        .toolchain = toolchain};
    if (!toolchain_from_environment(arena, options->tools, flags, toolchain, report)) return false;
    toolchain->seconds = options->seconds;
    return true;
}

/* The value of an INPUT or EXPECT line: a .npy file, or what constant(...) would hold. */
static Literal *read_value(Tester *tester, const TestValue *value, const Shape *shape) {
    Arena *arena = tester->arena;
    if (path_ends(value->text, ".npy"))
        return npy_read(arena, path_join(arena, path_folder(arena, tester->file->path), value->text), shape,
                        tester->report);
    Text text = {0};
    text_put(&text, "HloModule value\n\nENTRY main {\n  ROOT value = ");
    shape_print(&text, shape, SHAPE_NO_LAYOUT);
    text_printf(&text, " constant(%s)\n}\n", value->text);
    CompileOptions options = compile_options_default();
    Compilation compilation;
    const char *name = arena_printf(arena, "(line %d of %s)", value->line, tester->file->path);
    bool good = pipeline_read_text(&compilation, arena, &options, name, arena_string(arena, text.at, text.n), text.n);
    text_free(&text);
    pipeline_describe(&compilation, tester->report);
    if (!good) return NULL;
    const Literal *literal = compilation.module->entry->root->literal;
    Literal *copy = literal_new(arena, shape);
    if (shape_bytes(shape)) memcpy(copy->data, literal->data, (size_t)shape_bytes(shape));
    return copy;
}

static bool check_leaf(Tester *tester, const TestValue *value, const Interface *interface, const char *what, int n) {
    if (value->leaf < n && value->device < interface->devices) return true;
    text_printf(tester->report, "  %s:%d: there is no %s %d", tester->file->path, value->line, what, value->leaf);
    if (value->device >= 0) text_printf(tester->report, " of device %d", value->device);
    text_char(tester->report, '\n');
    return false;
}

/* Into the list of the device that the line names, or of all. */
static bool set_value(Tester *tester, const TestValue *value, Literal **list, int n, const Shape *shape,
                      const Interface *interface) {
    Literal *literal = read_value(tester, value, shape);
    for (int d = 0; d < interface->devices; d++)
        if (value->device < 0 || value->device == d) list[d * n + value->leaf] = literal;
    return literal != NULL;
}

static Literal **make_inputs(Tester *tester, const Interface *interface) {
    const int default_seed = 7;
    Literal *const *random = values_random(tester->arena, interface, default_seed);
    int n = interface->n_inputs, n_all = n * (int)interface->devices;
    Literal **inputs = NEW_ARRAY(tester->arena, Literal *, n_all);
    for (int k = 0; k < n_all; k++) inputs[k] = random[k];
    for (int i = 0; i < tester->file->inputs.n; i++) {
        const TestValue *value = &tester->file->inputs.at[i];
        if (!check_leaf(tester, value, interface, "input", n) ||
            !set_value(tester, value, inputs, n, interface->inputs[value->leaf], interface))
            return NULL;
    }
    return inputs;
}

static Literal **read_expected(Tester *tester, const Interface *interface) {
    int n = interface->n_outputs;
    Literal **expected = NEW_ARRAY(tester->arena, Literal *, n * (int)interface->devices);
    for (int i = 0; i < tester->file->expects.n; i++) {
        const TestValue *value = &tester->file->expects.at[i];
        if (!check_leaf(tester, value, interface, "output", n) ||
            !set_value(tester, value, expected, n, interface->outputs[value->leaf], interface))
            return NULL;
    }
    return expected;
}

static bool compare(Tester *tester, const Interface *interface, Literal *const *outputs) {
    bool good = true;
    for (int k = 0; k < interface->n_outputs * (int)interface->devices; k++) {
        if (!tester->expected[k]) continue;
        int leaf = k % interface->n_outputs, device = k / interface->n_outputs;
        const char *name = interface->devices > 1 ? arena_printf(tester->arena, "  device %d: out%d", device, leaf)
                                                  : arena_printf(tester->arena, "  out%d", leaf);
        if (!literal_compare(outputs[k], tester->expected[k], tester->file->tolerance, name, tester->report))
            good = false;
    }
    return good;
}

static bool run_way(Tester *tester, const Way *way) {
    Arena *arena = tester->arena;
    CompileOptions compile;
    Toolchain toolchain;
    RunOptions run;
    Compilation compilation;
    if (!prepare(arena, tester->options, way, &compile, &toolchain, &run, tester->report)) return false;
    bool good = pipeline_read_text(&compilation, arena, &compile, path_base(tester->file->path), tester->file->bytes,
                                   tester->file->size) &&
                pipeline_complete(&compilation);
    if (good) {
        Interface interface = interface_of(arena, compilation.module);
        Literal **inputs = make_inputs(tester, &interface);
        if (inputs && !tester->expected) tester->expected = read_expected(tester, &interface);
        RunResult result;
        good = inputs && tester->expected &&
               run_module(&run, &compilation, &interface, inputs, &result, tester->report) == RUN_GOOD &&
               compare(tester, &interface, result.outputs);
        /* Without EXPECT lines the first way, the evaluator, says what the others must give. */
        if (good && !tester->file->expects.n) tester->expected = result.outputs;
    }
    pipeline_describe(&compilation, tester->report);
    return good;
}

bool test_values(Arena *arena, const TestOptions *options, const TestFile *file, Text *report) {
    Tester tester = {arena, options, file, NULL, report};
    bool good = true;
    for (int w = 0; w < N_WAYS; w++) {
        if (run_way(&tester, &ways[w])) continue;
        text_printf(report, "  by: %s\n", ways[w].name);
        good = false;
        if (!tester.expected) break; /* the test itself is at fault */
    }
    return good;
}

bool test_case(Arena *arena, const TestOptions *options, const char *folder, Text *report) {
    bool good = true;
    for (int w = 0; w < N_WAYS; w++) {
        CompileOptions compile;
        Toolchain toolchain;
        RunOptions run;
        if (!prepare(arena, options, &ways[w], &compile, &toolchain, &run, report)) return false;
        if (case_run(&run, &compile, folder, (Tolerance){0}, NULL, report) == RUN_GOOD) continue;
        text_printf(report, "  by: %s\n", ways[w].name);
        good = false;
    }
    return good;
}
