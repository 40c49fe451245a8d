#include "driver/diag_json.h"

void json_string(Text *out, const char *string) {
    text_char(out, '"');
    for (const char *c = string; *c; c++) {
        unsigned char byte = (unsigned char)*c;
        if (*c == '"' || *c == '\\') text_printf(out, "\\%c", *c);
        else if (*c == '\n') text_put(out, "\\n");
        else if (byte < ' ') text_printf(out, "\\u%04x", byte);
        else text_char(out, *c);
    }
    text_char(out, '"');
}

static void print_place(const Diags *diags, const Diag *diag, Text *out) {
    const Source *named = diag->source ? diag->source : diags->source;
    if (named) {
        text_put(out, ", \"file\": ");
        json_string(out, named->name);
    }
    if (!diag->source) return;
    int line, column;
    source_position(diags->arena, diag->source, diag->span.begin, &line, &column);
    text_printf(out, ", \"line\": %d, \"column\": %d", line, column);
    source_position(diags->arena, diag->source, diag->span.end, &line, &column);
    text_printf(out, ", \"endLine\": %d, \"endColumn\": %d", line, column);
}

static void print_open(const Diags *diags, const Diag *diag, Text *out) {
    static const char *const words[] = {"error", "warning", "note"};
    text_printf(out, "{\"level\": \"%s\"", words[diag->level]);
    if (diag->code) text_printf(out, ", \"code\": \"%s\"", diag->code);
    print_place(diags, diag, out);
    text_put(out, ", \"message\": ");
    json_string(out, diag->message);
}

void diags_print_json(const Diags *diags, Text *out) {
    int n;
    const int *order = diags_in_order(diags, &n);
    text_char(out, '[');
    for (int i = 0; i < n; i++) {
        text_put(out, i ? ",\n " : "\n ");
        print_open(diags, &diags->list.at[order[i]], out);
        text_put(out, ", \"notes\": [");
        for (int k = order[i] + 1; k < diags->list.n && diags->list.at[k].level == DIAG_NOTE; k++) {
            if (k > order[i] + 1) text_put(out, ", ");
            print_open(diags, &diags->list.at[k], out);
            text_char(out, '}');
        }
        text_put(out, "]}");
    }
    text_put(out, n ? "\n]\n" : "]\n");
}
