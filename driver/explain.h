/* --explain: more about a message than fits in one. */
#ifndef DRIVER_EXPLAIN_H
#define DRIVER_EXPLAIN_H

#include <stdbool.h>

#include "base/text.h"

/* The explanation of a code ("E0123"); "all": the list of codes with their titles. False: there is no such code. */
bool explain_print(Text *out, const char *code);

#endif
