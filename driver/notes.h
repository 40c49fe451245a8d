/* What the comment lines at the head of a module say to the runners (README.md: cases). */
#ifndef DRIVER_NOTES_H
#define DRIVER_NOTES_H

#include <stdbool.h>

#include "base/text.h"

/* How near floating-point results must be: |got - expected| <= atol + rtol * |expected|; both zero: equal bits apart
 * from NaN and the sign of zero. */
typedef struct {
    bool given; /* else the comparison takes its default by element type */
    double rtol, atol;
} Tolerance;

typedef struct {
    const char *about; /* `// case: ...`, not NUL-terminated: about_length bytes; NULL when absent */
    int about_length;
    Tolerance tolerance; /* `// tolerance: rtol=1e-5 atol=1e-6` or `// tolerance: exact` */
    bool unpartitioned;  /* `// unpartitioned`: shardings are advice, one device */
} Notes;

/* Reads "exact" or "rtol=X atol=Y" (either may be absent: 0). False: neither. */
bool tolerance_read(const char *text, Tolerance *tolerance);

/* The notes in the comment lines before the first other line. */
Notes notes_read(const char *module);

/* If line (up to its end) is `// KEY` with KEY as given, where its value begins; else NULL. */
const char *comment_value(const char *line, const char *key);

#endif
