/* Golden texts: the output of the commands of a test file against its CHECK lines. */
#ifndef DRIVER_TEST_GOLDEN_H
#define DRIVER_TEST_GOLDEN_H

#include "driver/test_file.h"

/* True when the outputs (one per command, NULL-terminated) are, line by line, what the CHECK lines say; blanks at the
 * end of a line do not count. Otherwise the difference is written to report: - expected, + got. */
bool golden_compare(Arena *arena, const TestFile *file, const char *const *outputs, Text *report);

#endif
