/* Codes of diagnostics (table: base/codes.def): a short name for each kind of fault, E_UNKNOWN_OPCODE, whose value is
 * the code that is printed, "E0202". */
#ifndef BASE_CODES_H
#define BASE_CODES_H

#define CODE(id, text, title, explanation) extern const char id[];
#include "base/codes.def"
#undef CODE

typedef struct {
    const char *code, *title, *explanation;
} CodeEntry;

/* The entry of a code ("E0201", case does not matter), or NULL. */
const CodeEntry *code_find(const char *code);

/* All of them, by code: a NULL code ends the list. */
const CodeEntry *code_list(void);

#endif
