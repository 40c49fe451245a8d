#include "driver/case.h"

#include "driver/output.h"
#include "driver/values.h"

static int run_case(const RunOptions *run, Compilation *compilation, const char *folder, Tolerance tolerance,
                    const char *out, Text *report) {
    Arena *arena = compilation->arena;
    Notes notes = notes_read(compilation->diags->source->bytes);
    if (!tolerance.given) tolerance = notes.tolerance;
    Interface interface = interface_of(arena, compilation->module);
    if (run->devices) interface.devices = run->devices;
    Literal *const *inputs = values_read_inputs(arena, &interface, folder, report);
    if (!inputs) return RUN_BAD_INPUT;
    RunResult result;
    int code = run_module(run, compilation, &interface, inputs, &result, report);
    if (code != RUN_GOOD) return code;
    if (out && !values_write_outputs(arena, &interface, result.outputs, out, report)) return RUN_BAD_INPUT;
    return values_compare(arena, &interface, result.outputs, folder, tolerance, report);
}

int case_run(const RunOptions *run, const CompileOptions *compile, const char *folder, Tolerance tolerance,
             const char *out, Text *report) {
    Arena *arena = arena_new();
    Compilation compilation;
    int code = RUN_BAD_INPUT;
    const char *path = path_join(arena, folder, "module.hlo");
    if (pipeline_read(&compilation, arena, compile, path) && pipeline_complete(&compilation))
        code = run_case(run, &compilation, folder, tolerance, out, report);
    pipeline_describe(&compilation, report);
    arena_free(arena);
    return code;
}
