/* Pieces of the HLO printer (ir/hlo.h has the whole). */
#ifndef IR_HLO_PRINT_H
#define IR_HLO_PRINT_H

#include "ir/hlo.h"

void print_name(Text *out, const char *name);                      /* with % if it is a reserved word */
void print_string(Text *out, const char *bytes, size_t n);         /* in quotes, escaped */
void print_ints(Text *out, IntList ints);                          /* {0,1} */
void print_alias(Text *out, const AliasEntry *alias);               /* {0}: (1, {2} : without the closing parenthesis */
void print_dictionary(Text *out, int n, const DictEntry *entries); /* {a="b",c={...}}, sorted by key */
void print_attr(Text *out, const Attr *attr);                      /* name=value */

/* ", name=value" for each attribute, in the order of the tables. */
void print_attrs(Text *out, const Instr *instr, const HloPrintOptions *options);

#endif
