/* Values that are lists of key=value (table: parser/parts.def). */
#ifndef PARSER_PARTS_H
#define PARSER_PARTS_H

#include "ir/attr.h"

enum { PART_REQUIRED = 1, PART_INT32 = 2, PART_OLD = 4 };

typedef struct {
    AttrKind of; /* kind of the value that it is a part of */
    const char *key;
    AttrKind kind;
    unsigned flags;
} PartRow;

#endif
