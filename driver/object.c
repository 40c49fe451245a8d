#define _XOPEN_SOURCE 700
#include "driver/object.h"

#include <stdlib.h>

#include "driver/output.h"
#include "driver/toolchain.h"
#include "passes/lower/target.h"

static const char *default_flags(Arena *arena, const char *target) {
    const Target *found = target_find(target ? target : "native");
    return found && found->cc_flags ? arena_printf(arena, "-O3 %s", found->cc_flags) : "-O3";
}

static bool write_text(Arena *arena, const char *folder, const char *name, const Text *text, Text *why) {
    return output_write(path_join(arena, folder, name), text_string(text), text->n, why);
}

static bool compile_in(Arena *arena, const ObjectPlan *plan, const Toolchain *toolchain, const char *folder,
                       Text *why) {
    Words arguments = {0};
    Text bytes = {0};
    const char *made = path_join(arena, folder, "made");
    words_add(arena, &arguments, arena_printf(arena, "-I%s", toolchain->include));
    words_add(arena, &arguments, plan->shared ? "-shared" : "-c");
    words_add(arena, &arguments, "-fPIC");
    words_add(arena, &arguments, path_join(arena, folder, "model.c"));
    if (plan->weights) words_add(arena, &arguments, path_join(arena, folder, "weights.c"));
    words_add(arena, &arguments, "-o");
    words_add(arena, &arguments, made);
    if (plan->shared) {
        for (int i = 0; i < toolchain->link.n; i++) words_add(arena, &arguments, toolchain->link.at[i]);
        words_add(arena, &arguments, path_join(arena, toolchain->library, "libhlocc-rt.a"));
        words_add(arena, &arguments, "-pthread");
        words_add(arena, &arguments, "-lm");
    }
    bool good = write_text(arena, folder, "model.c", plan->source, why) &&
                write_text(arena, folder, plan->header_name, plan->header, why) &&
                (!plan->weights || write_text(arena, folder, "weights.c", plan->weights, why)) &&
                toolchain_compile(arena, toolchain, &arguments, why) && input_read(made, &bytes, why) &&
                output_write(plan->output, bytes.at, bytes.n, why);
    text_free(&bytes);
    return good;
}

bool object_make(Arena *arena, const ObjectPlan *plan, Text *why) {
    Toolchain toolchain;
    const char *flags = getenv("CFLAGS") ? NULL : default_flags(arena, plan->target), *parent = getenv("TMPDIR");
    if (!toolchain_from_environment(arena, plan->tools, flags, &toolchain, why)) return false;
    char *folder = arena_printf(arena, "%s/hlocc.XXXXXX", parent && *parent ? parent : "/tmp");
    if (!folder_make_temporary(folder)) {
        text_printf(why, "cannot make a temporary folder '%s'", folder);
        return false;
    }
    bool good = compile_in(arena, plan, &toolchain, folder, why);
    folder_remove(folder);
    return good;
}
