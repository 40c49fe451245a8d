/* One test: a file with RUN lines, or with INPUT and EXPECT values, or both; or a case folder. */
#ifndef DRIVER_TEST_RUN_H
#define DRIVER_TEST_RUN_H

#include "driver/test_file.h"

typedef struct {
    const char *tools; /* folder of hlocc, hlocc-run, hlocc-test */
    bool update;       /* rewrite goldens instead of comparing */
    bool verbose;      /* show the commands */
    double seconds;    /* limit for each command */
} TestOptions;

/* Runs the test at path (a file, or a case folder). True when it passed; report says what went wrong otherwise, or
 * which goldens were rewritten. */
bool test_run(const TestOptions *options, const char *path, Text *report);

/* The INPUT and EXPECT values of a test, or a case, by the evaluator, at -O0 and at -O2 (test_values.c). */
bool test_values(Arena *arena, const TestOptions *options, const TestFile *file, Text *report);
bool test_case(Arena *arena, const TestOptions *options, const char *folder, Text *report);

#endif
