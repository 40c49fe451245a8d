#include "base/codes.h"

#include <ctype.h>
#include <stddef.h>

#define CODE(id, text, title, explanation) const char id[] = text;
#include "base/codes.def"
#undef CODE

static const CodeEntry entries[] = {
#define CODE(id, text, title, explanation) {id, title, explanation},
#include "base/codes.def"
#undef CODE
    {NULL, NULL, NULL},
};

static int same_code(const char *a, const char *b) {
    for (; *a && *b; a++, b++)
        if (toupper((unsigned char)*a) != toupper((unsigned char)*b)) return 0;
    return *a == *b;
}

const CodeEntry *code_find(const char *code) {
    for (const CodeEntry *entry = entries; entry->code; entry++)
        if (same_code(entry->code, code)) return entry;
    return NULL;
}

const CodeEntry *code_list(void) {
    return entries;
}
