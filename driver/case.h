/* Cases: folders with a module, its inputs and the outputs that are expected (README.md). */
#ifndef DRIVER_CASE_H
#define DRIVER_CASE_H

#include "driver/run.h"

/* Runs the case and compares; one of run.h's codes, and report says what is wrong. tolerance: instead of what the
 * module's comments say, when given. out: a folder to write the results to, or NULL. */
int case_run(const RunOptions *run, const CompileOptions *compile, const char *folder, Tolerance tolerance,
             const char *out, Text *report);

#endif
