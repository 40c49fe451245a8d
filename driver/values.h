/* Inputs and outputs of a program as .npy files. Of a program for several devices there is a list for each device, one
 * behind the other, and files are called in0.dev0.npy, out0.dev3.npy and so on. */
#ifndef DRIVER_VALUES_H
#define DRIVER_VALUES_H

#include "driver/interface.h"
#include "driver/words.h"

/* Inputs from files, one per input of the interface (then all devices get the same) and device. NULL: why. */
Literal *const *values_read(Arena *arena, const Interface *interface, const Words *paths, Text *why);

/* Inputs from FOLDER/in0.npy, in1.npy ... */
Literal *const *values_read_inputs(Arena *arena, const Interface *interface, const char *folder, Text *why);

/* Inputs made from a seed (random_inputs.h). */
Literal *const *values_random(Arena *arena, const Interface *interface, int seed);

/* Outputs to FOLDER/out0.npy, out1.npy ...; the folder is made. */
bool values_write_outputs(Arena *arena, const Interface *interface, Literal *const *outputs, const char *folder,
                          Text *why);

/* Outputs against FOLDER/out0.npy ...: RUN_GOOD, RUN_DIFFERENT, or RUN_BAD_INPUT when a file is missing or is of
 * another shape; report says what is wrong. */
int values_compare(Arena *arena, const Interface *interface, Literal *const *outputs, const char *folder,
                   Tolerance tolerance, Text *report);

/* For people: a line per output, long ones cut off. */
void values_print(Text *out, const Interface *interface, Literal *const *outputs);

#endif
