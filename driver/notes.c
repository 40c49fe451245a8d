#include "driver/notes.h"

#include <stdlib.h>
#include <string.h>

static const char *skip_blanks(const char *c) {
    while (*c == ' ' || *c == '\t') c++;
    return c;
}

const char *comment_value(const char *line, const char *key) {
    line = skip_blanks(line);
    if (strncmp(line, "//", 2) != 0) return NULL;
    line = skip_blanks(line + 2);
    return strncmp(line, key, strlen(key)) == 0 ? line + strlen(key) : NULL;
}

static bool read_factor(const char *text, const char *name, double *factor) {
    const char *at = strstr(text, name);
    if (!at) return false;
    char *end;
    *factor = strtod(at + strlen(name), &end);
    return end > at + strlen(name) && *factor >= 0;
}

bool tolerance_read(const char *text, Tolerance *tolerance) {
    Text line = {0};
    text_bytes(&line, text, strcspn(text, "\r\n"));
    const char *words = skip_blanks(text_string(&line));
    Tolerance read = {0};
    bool exact = strncmp(words, "exact", 5) == 0;
    bool relative = !exact && read_factor(words, "rtol=", &read.rtol);
    bool absolute = !exact && read_factor(words, "atol=", &read.atol);
    text_free(&line);
    read.given = exact || relative || absolute;
    if (read.given) *tolerance = read;
    return read.given;
}

Notes notes_read(const char *module) {
    Notes notes = {0};
    while (*module) {
        const char *line = skip_blanks(module);
        size_t n = strcspn(line, "\n");
        if (strncmp(line, "//", 2) != 0 && *line != '\n' && *line != '\r') break;
        const char *value;
        if ((value = comment_value(line, "case:"))) {
            notes.about = skip_blanks(value);
            notes.about_length = (int)strcspn(notes.about, "\r\n");
        } else if ((value = comment_value(line, "tolerance:"))) {
            tolerance_read(value, &notes.tolerance);
        } else if (comment_value(line, "unpartitioned")) {
            notes.unpartitioned = true;
        }
        module = line + n + (line[n] == '\n');
    }
    return notes;
}
