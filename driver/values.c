#include "driver/values.h"

#include "driver/compare.h"
#include "driver/npy.h"
#include "driver/output.h"
#include "driver/random_inputs.h"
#include "driver/run.h"

Literal *const *values_read(Arena *arena, const Interface *interface, const Words *paths, Text *why) {
    if (paths->n != interface->n_inputs) {
        text_printf(why, "the program has %d input%s, but %d file%s given", interface->n_inputs,
                    interface->n_inputs == 1 ? "" : "s", paths->n, paths->n == 1 ? " was" : "s were");
        return NULL;
    }
    Literal **inputs = NEW_ARRAY(arena, Literal *, interface->n_inputs);
    for (int k = 0; k < interface->n_inputs; k++)
        if (!(inputs[k] = npy_read(arena, paths->at[k], interface->inputs[k], why))) return NULL;
    return inputs;
}

Literal *const *values_read_inputs(Arena *arena, const Interface *interface, const char *folder, Text *why) {
    Words paths = {0};
    for (int k = 0; k < interface->n_inputs; k++)
        words_add(arena, &paths, path_join(arena, folder, arena_printf(arena, "in%d.npy", k)));
    return values_read(arena, interface, &paths, why);
}

Literal *const *values_random(Arena *arena, const Interface *interface, int seed) {
    Random random = random_from_seed((uint64_t)seed);
    Literal **inputs = NEW_ARRAY(arena, Literal *, interface->n_inputs);
    for (int k = 0; k < interface->n_inputs; k++) inputs[k] = literal_random(arena, interface->inputs[k], &random);
    return inputs;
}

static const char *output_path(Arena *arena, const char *folder, int k) {
    return path_join(arena, folder, arena_printf(arena, "out%d.npy", k));
}

bool values_write_outputs(Arena *arena, const Interface *interface, Literal *const *outputs, const char *folder,
                          Text *why) {
    if (!folder_make(folder, why)) return false;
    for (int k = 0; k < interface->n_outputs; k++)
        if (!npy_write(output_path(arena, folder, k), outputs[k], why)) return false;
    return true;
}

int values_compare(Arena *arena, const Interface *interface, Literal *const *outputs, const char *folder,
                   Tolerance tolerance, Text *report) {
    int code = RUN_GOOD;
    for (int k = 0; k < interface->n_outputs; k++) {
        const Literal *expected = npy_read(arena, output_path(arena, folder, k), interface->outputs[k], report);
        if (!expected) {
            text_char(report, '\n');
            return RUN_BAD_INPUT;
        }
        if (!literal_compare(outputs[k], expected, tolerance, arena_printf(arena, "out%d", k), report))
            code = RUN_DIFFERENT;
    }
    return code;
}

void values_print(Text *out, const Interface *interface, Literal *const *outputs) {
    enum { MOST_ELEMENTS = 100 };
    for (int k = 0; k < interface->n_outputs; k++) {
        text_printf(out, "out%d: ", k);
        shape_print(out, interface->outputs[k], SHAPE_NO_LAYOUT);
        text_char(out, ' ');
        literal_print(out, outputs[k], MOST_ELEMENTS);
        text_char(out, '\n');
    }
}
