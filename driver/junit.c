#include "driver/junit.h"

/* XML 1.0 allows few control characters, escaped or not. */
static void put_escaped(Text *out, const char *text) {
    for (const char *c = text; *c; c++) {
        unsigned char byte = (unsigned char)*c;
        if (*c == '<') text_put(out, "&lt;");
        else if (*c == '>') text_put(out, "&gt;");
        else if (*c == '&') text_put(out, "&amp;");
        else if (*c == '"') text_put(out, "&quot;");
        else if (byte < ' ' && *c != '\n' && *c != '\t') text_char(out, '?');
        else text_char(out, *c);
    }
}

void junit_add(Junit *junit, const char *name, double seconds, const char *report) {
    Text *out = &junit->cases;
    text_put(out, "  <testcase name=\"");
    put_escaped(out, name);
    text_printf(out, "\" time=\"%.3f\"", seconds);
    junit->n++;
    junit->seconds += seconds;
    if (!report) {
        text_put(out, "/>\n");
        return;
    }
    junit->n_failed++;
    text_put(out, ">\n    <failure>");
    put_escaped(out, report);
    text_put(out, "</failure>\n  </testcase>\n");
}

void junit_print(const Junit *junit, Text *out) {
    text_put(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    text_printf(out, "<testsuite name=\"hlocc-test\" tests=\"%d\" failures=\"%d\" time=\"%.3f\">\n", junit->n,
                junit->n_failed, junit->seconds);
    text_bytes(out, text_string(&junit->cases), junit->cases.n);
    text_put(out, "</testsuite>\n");
}

void junit_free(Junit *junit) {
    text_free(&junit->cases);
}
