/* Running a program on values: by the evaluator, or compiled and as a child process. */
#ifndef DRIVER_RUN_H
#define DRIVER_RUN_H

#include "driver/interface.h"
#include "driver/pipeline.h"
#include "driver/toolchain.h"

/* Exit codes of hlocc-run (spec command-line.md). */
enum {
    RUN_GOOD = 0,
    RUN_BAD_INPUT = 1,
    RUN_USAGE = 2,
    RUN_NOT_BUILT = 3,
    RUN_DIFFERENT = 4,
    RUN_ERROR = 5, /* at run time */
    RUN_INTERNAL = 70,
};

typedef struct {
    bool by_evaluator, after_passes; /* the evaluator instead of C; on what the passes made of the module */
    int threads;           /* of OpenMP; 0: as many as it gives */
    double seconds;        /* limit for the program; 0: none */
    double bench;          /* seconds to time calls for; 0: no timing */
    int devices;           /* ranks to run; 0: as many as the program is for */
    bool mpi;              /* ranks by $MPIRUN, not as threads */
    const Words *runner;   /* a command in front of the program; NULL: none */
    const Toolchain *toolchain;
} RunOptions;

typedef struct {
    Literal *const *outputs;      /* one per output of the interface, device after device */
    double min_seconds, median_seconds; /* of a call, when timed */
} RunResult;

/* Runs the module of a compilation, on interface->devices devices. inputs: device after device. One of the codes above;
 * then report says what went wrong, except for what stands in the compilation's diags. */
int run_module(const RunOptions *options, Compilation *compilation, const Interface *interface, Literal *const *inputs,
               RunResult *result, Text *report);

/* As hlocc-run --bench prints a time: four significant digits, no exponent, never 0. */
void time_print(Text *out, double seconds);

#endif
