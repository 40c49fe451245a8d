/* -c and --shared: the C compiler's work, done for the user. */
#ifndef DRIVER_OBJECT_H
#define DRIVER_OBJECT_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/text.h"

typedef struct {
    const char *tools;            /* folder of the running tool */
    const char *target;           /* of --target; NULL: the default */
    bool shared;                  /* a shared library, not an object */
    const Text *source, *header;
    const Text *weights;          /* another source, or NULL */
    const char *header_name;      /* as the source includes it */
    const char *output;
} ObjectPlan;

/* Compiles by $CC $CFLAGS, without CFLAGS by `cc -O3` and the flags of the target; a shared library is linked with
 * $LDFLAGS and what it needs of the runtime. False: why has the compiler's messages, and output is what it was. */
bool object_make(Arena *arena, const ObjectPlan *plan, Text *why);

#endif
