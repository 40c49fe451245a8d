/* Test results as JUnit XML, which CI systems show. */
#ifndef DRIVER_JUNIT_H
#define DRIVER_JUNIT_H

#include <stdbool.h>

#include "base/text.h"

/* Begins a document; adds one test (report: what went wrong, or NULL when it passed); ends it, which fills in the
 * counts. */
typedef struct {
    Text cases;
    int n, n_failed;
    double seconds;
} Junit;

void junit_add(Junit *junit, const char *name, double seconds, const char *report);
void junit_print(const Junit *junit, Text *out);
void junit_free(Junit *junit);

#endif
