/* --list-ops: every opcode of HLO, and what hlocc does with it. */
#ifndef DRIVER_LIST_OPS_H
#define DRIVER_LIST_OPS_H

#include <stdbool.h>

#include "base/text.h"

/* A table for people, or JSON: [{"opcode": "add", "operands": 2, "compiled": true, "evaluated": true, "attributes":
 * [{"name": "dimensions", "required": true}]}, ...]. operands is -1 where any number, or one of several, is taken. */
void list_ops(Text *out, bool json);

#endif
