/* Finding cases and tests: folders are searched, in the order of names. A folder with a module.hlo is a case and not
 * searched further; folders called `inputs` hold what tests use and are passed over. */
#ifndef DRIVER_DISCOVER_H
#define DRIVER_DISCOVER_H

#include "base/text.h"
#include "driver/words.h"

/* The case folders at and below path. False: why says what is wrong (no such folder, no case in it). */
bool discover_cases(Arena *arena, const char *path, Words *out, Text *why);

/* The case folders and .hlo files at and below path. */
bool discover_tests(Arena *arena, const char *path, Words *out, Text *why);

#endif
