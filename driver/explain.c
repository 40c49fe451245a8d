#include "driver/explain.h"

#include <string.h>

#include "base/codes.h"

enum { COLUMNS = 100 };

/* Words of text in lines of so many columns. */
static void print_wrapped(Text *out, const char *text) {
    size_t column = 0;
    while (*text) {
        size_t n = strcspn(text, " ");
        if (column && column + 1 + n > COLUMNS) {
            text_char(out, '\n');
            column = 0;
        } else if (column) {
            text_char(out, ' ');
            column++;
        }
        text_bytes(out, text, n);
        column += n;
        text += n + (text[n] == ' ');
    }
    text_char(out, '\n');
}

bool explain_print(Text *out, const char *code) {
    if (strcmp(code, "all") == 0) {
        for (const CodeEntry *entry = code_list(); entry->code; entry++)
            text_printf(out, "%s  %s\n", entry->code, entry->title);
        return true;
    }
    const CodeEntry *entry = code_find(code);
    if (!entry) return false;
    text_printf(out, "%s: %s\n\n", entry->code, entry->title);
    print_wrapped(out, entry->explanation);
    return true;
}
