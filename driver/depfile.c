#include "driver/depfile.h"

#include <string.h>

static void put_name(Text *out, const char *name) {
    for (const char *c = name; *c; c++) {
        if (*c == '$') text_char(out, '$');
        else if (strchr(" \t#:\\", *c)) text_char(out, '\\');
        text_char(out, *c);
    }
}

void depfile_print(Text *out, const char *const *targets, const char *input) {
    for (int i = 0; targets[i]; i++) {
        if (i) text_char(out, ' ');
        put_name(out, targets[i]);
    }
    text_put(out, ": ");
    put_name(out, input);
    text_char(out, '\n');
}
