/* Single maps as a tool (spec: maps-output.md section 2): --emit=map reads maps, does steps, prints what becomes of
 * them. */
#ifndef DRIVER_MAP_STEPS_H
#define DRIVER_MAP_STEPS_H

#include "driver/words.h"
#include "ir/index_map.h"

/* The first of the steps that does not exist, or NULL. */
const char *map_steps_unknown(const Words *steps);

/* Reads the maps of diags->source (several are separated by lines `then`), does the steps in order and prints the maps
 * that are left, one a line. False: a text is no map, or a step does not fit it; diags says so. */
bool map_steps_run(IndexPool *pool, Diags *diags, const Words *steps, Text *out);

#endif
