/* Warnings by name: -Wno-NAME turns one off, -Werror=NAME makes it an error, -WNAME and -Wno-error=NAME take that back.
 * Later options win. `hlocc --help=warnings` lists them. */
#ifndef DRIVER_WARNINGS_H
#define DRIVER_WARNINGS_H

#include "base/diag.h"
#include "driver/words.h"

/* The first of the words behind -W that means nothing, or NULL. */
const char *warnings_unknown(const Words *words);
/* The name nearest to it, or NULL. */
const char *warnings_nearest(Arena *arena, const char *word);

/* Tells diags what the words say. */
void warnings_set(const Words *words, Diags *diags);

/* Every name with what it is about. */
void warnings_print(Text *out);

#endif
