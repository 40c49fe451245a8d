/* The interface of a program: the arrays that go in and come out. Parameters and the result are flattened depth first;
 * tokens have no values and are left out; leaf k of what is left is in<k>.npy or out<k>.npy. */
#ifndef DRIVER_INTERFACE_H
#define DRIVER_INTERFACE_H

#include "driver/notes.h"
#include "ir/hlo.h"

typedef struct {
    const Module *module;
    int n_inputs, n_outputs;
    const Shape *const *inputs; /* with the layouts of the interface */
    const Shape *const *outputs;
    int64_t devices; /* that the program runs on (partitioned.h) */
} Interface;

Interface interface_of(Arena *arena, const Module *module);

/* The entry's arguments, one literal per parameter, of its inputs. */
const Literal *const *interface_arguments(Arena *arena, const Interface *interface, Literal *const *inputs);

/* The outputs in the value of the entry. */
Literal *const *interface_results(Arena *arena, const Interface *interface, Literal *value);

#endif
