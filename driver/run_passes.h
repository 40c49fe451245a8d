/* The passes over HLO IR (passes/passes.h), run as the options say. */
#ifndef DRIVER_RUN_PASSES_H
#define DRIVER_RUN_PASSES_H

#include "driver/compile_options.h"
#include "ir/hlo.h"

/* Runs the passes of the table, in its order:
 *   -O0                   those that lowering needs
 *   --passes=a,b          of the others only those named
 *   --opt-bisect-limit=N  of the others only the first N, each named on standard error
 *   --verify-each         hlo_check after each (hlocc-test does so always)
 *   --dump-after=a        the module after a, on standard error
 * False when one reported errors. */
bool run_passes(Module *module, const CompileOptions *options, Diags *diags);

/* Whether every pass that the options name exists; else error says so. */
bool check_pass_names(const CompileOptions *options, Text *error);

/* --list-passes: name and purpose, a line each; those that run at -O0 too are marked. */
void list_passes(Text *out);

/* --time: prints how long something took, on standard error, since the time that started says (of monotonic_seconds);
 * nothing unless the options ask for it. Returns the time now. */
double report_time(const CompileOptions *options, const char *what, double started);

#endif
