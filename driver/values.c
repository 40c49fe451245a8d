#include "driver/values.h"

#include "driver/compare.h"
#include "driver/npy.h"
#include "driver/output.h"
#include "driver/random_inputs.h"
#include "driver/run.h"

Literal *const *values_read(Arena *arena, const Interface *interface, const Words *paths, Text *why) {
    int n = interface->n_inputs, devices = (int)interface->devices;
    bool one_for_each = paths->n == n * devices;
    if (paths->n != n && !one_for_each) {
        text_printf(why, "the program has %d input%s, but %d file%s given", n, n == 1 ? "" : "s", paths->n,
                    paths->n == 1 ? " was" : "s were");
        if (devices > 1) text_printf(why, " (%d, or %d: those of device 0 first)", n, n * devices);
        return NULL;
    }
    Literal **inputs = NEW_ARRAY(arena, Literal *, n * devices);
    for (int k = 0; k < n * devices; k++) {
        inputs[k] = k >= n && !one_for_each ? inputs[k - n] : npy_read(arena, paths->at[k], interface->inputs[k % n],
                                                                       why);
        if (!inputs[k]) return NULL;
    }
    return inputs;
}

/* in3.npy, or in3.dev2.npy where there are several devices. */
static const char *file_path(Arena *arena, const Interface *interface, const char *folder, const char *role, int k,
                             int device) {
    const char *name = interface->devices > 1 ? arena_printf(arena, "%s%d.dev%d.npy", role, k, device)
                                              : arena_printf(arena, "%s%d.npy", role, k);
    return path_join(arena, folder, name);
}

Literal *const *values_read_inputs(Arena *arena, const Interface *interface, const char *folder, Text *why) {
    Words paths = {0};
    for (int d = 0; d < interface->devices; d++)
        for (int k = 0; k < interface->n_inputs; k++) words_add(arena, &paths,
                                                                file_path(arena, interface, folder, "in", k, d));
    return values_read(arena, interface, &paths, why);
}

Literal *const *values_random(Arena *arena, const Interface *interface, int seed) {
    Random random = random_from_seed((uint64_t)seed);
    int n = interface->n_inputs * (int)interface->devices;
    Literal **inputs = NEW_ARRAY(arena, Literal *, n);
    for (int k = 0; k < n; k++) inputs[k] = literal_random(arena, interface->inputs[k % interface->n_inputs], &random);
    return inputs;
}

bool values_write_outputs(Arena *arena, const Interface *interface, Literal *const *outputs, const char *folder,
                          Text *why) {
    if (!folder_make(folder, why)) return false;
    for (int d = 0; d < interface->devices; d++)
        for (int k = 0; k < interface->n_outputs; k++)
            if (!npy_write(file_path(arena, interface, folder, "out", k, d), *outputs++, why)) return false;
    return true;
}

static int compare_device(Arena *arena, const Interface *interface, Literal *const *outputs, const char *folder,
                          int device,
                          Tolerance tolerance, Text *report) {
    int code = RUN_GOOD;
    for (int k = 0; k < interface->n_outputs; k++) {
        const char *path = file_path(arena, interface, folder, "out", k, device);
        const Literal *expected = npy_read(arena, path, interface->outputs[k], report);
        if (!expected) {
            text_char(report, '\n');
            return RUN_BAD_INPUT;
        }
        const char *name = interface->devices > 1 ? arena_printf(arena, "device %d: out%d", device, k)
                                                  : arena_printf(arena, "out%d", k);
        if (!literal_compare(outputs[k], expected, tolerance, name, report)) code = RUN_DIFFERENT;
    }
    return code;
}

int values_compare(Arena *arena, const Interface *interface, Literal *const *outputs, const char *folder,
                   Tolerance tolerance, Text *report) {
    int code = RUN_GOOD;
    for (int d = 0; d < interface->devices; d++) {
        int one = compare_device(arena, interface, outputs + d * interface->n_outputs, folder, d, tolerance, report);
        if (one == RUN_BAD_INPUT) return one;
        if (one != RUN_GOOD) code = one;
    }
    return code;
}

void values_print(Text *out, const Interface *interface, Literal *const *outputs) {
    enum { MOST_ELEMENTS = 100 };
    for (int d = 0; d < interface->devices; d++)
        for (int k = 0; k < interface->n_outputs; k++) {
            if (interface->devices > 1) text_printf(out, "device %d: ", d);
            text_printf(out, "out%d: ", k);
            shape_print(out, interface->outputs[k], SHAPE_NO_LAYOUT);
            text_char(out, ' ');
            literal_print(out, *outputs++, MOST_ELEMENTS);
            text_char(out, '\n');
        }
}
