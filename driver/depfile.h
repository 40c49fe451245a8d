/* -MD: a dependency file for make and ninja. */
#ifndef DRIVER_DEPFILE_H
#define DRIVER_DEPFILE_H

#include "base/text.h"

/* "TARGET TARGET: INPUT", names escaped as make wants them; targets NULL-terminated. */
void depfile_print(Text *out, const char *const *targets, const char *input);

#endif
