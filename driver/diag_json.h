/* --diagnostics=json: an array with one object per error or warning, for editors and other tools.
 *
 *     {"level": "error", "code": "E0123", "file": "m.hlo", "line": 3, "column": 7, "endLine": 3, "endColumn": 10,
 *      "message": "unknown opcode 'ad'", "notes": [{"level": "note", ...}]}
 *
 * Members that are not known (code, a place) are absent. Lines and columns count from 1, columns in bytes; the end is
 * the first byte behind. */
#ifndef DRIVER_DIAG_JSON_H
#define DRIVER_DIAG_JSON_H

#include "base/diag.h"

void diags_print_json(const Diags *diags, Text *out);

/* A JSON string, with its quotes. */
void json_string(Text *out, const char *string);

#endif
