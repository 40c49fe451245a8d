#include <string.h>

#include "codegen/writer.h"

/* Constant arrays: numbers one reads while they are few, string literals (which compile ten times faster) when many. */

enum { READABLE = 1024 };

static void write_numbers(Writer *w, const KBuffer *buffer, const char *linkage) {
    const unsigned char *data = buffer->data->data;
    int bytes = dtype_bytes(buffer->dtype);
    Text text = {0};
    write_line(w, "%sconst %s %s[%lld] = {", linkage, storage_type(w, buffer->dtype), buffer->name,
               (long long)buffer->elements);
    w->indent++;
    for (int64_t i = 0; i < buffer->elements; i++) {
        uint64_t bits = 0;
        memcpy(&bits, data + i * bytes, (size_t)bytes);
        bool plain = dtype_is_float(buffer->dtype) && register_type(buffer->dtype) == buffer->dtype;
        DType as = plain || dtype_is_integer(buffer->dtype) ? register_type(buffer->dtype)
                   : bytes == 2                             ? DT_U16
                                                            : DT_U8;
        text_printf(&text, "%s%s", constant_text(w, as, bits), i + 1 < buffer->elements ? ", " : "");
        if (text.n > 90 || i + 1 == buffer->elements) {
            while (text.n && text.at[text.n - 1] == ' ') text.at[--text.n] = 0;
            write_line(w, "%s", text_string(&text));
            text_clear(&text);
        }
    }
    w->indent--;
    write_line(w, "};");
    text_free(&text);
}

/* A float that only a call could spell (infinities, NaN) is no constant expression for C. */
static bool is_plain(const KBuffer *buffer) {
    if (!dtype_is_float(buffer->dtype) || register_type(buffer->dtype) != buffer->dtype) return true;
    for (int64_t i = 0; i < buffer->elements; i++) {
        float single = ((const float *)buffer->data->data)[buffer->dtype == DT_F32 ? i : 0];
        double number = buffer->dtype == DT_F32 ? (double)single : ((const double *)buffer->data->data)[i];
        if (number != number || number - number != 0) return false;
    }
    return true;
}

static void write_string(Writer *w, const KBuffer *buffer, const char *linkage) {
    enum { ROW = 28 };
    const unsigned char *data = buffer->data->data;
    int64_t n = buffer->elements * dtype_bytes(buffer->dtype);
    if (!w->has_long_strings) { /* ISO C99 promises 4095 characters; all compilers at hand take any number */
        write_line(w, "#ifdef __GNUC__");
        write_line(w, "#pragma GCC diagnostic ignored \"-Woverlength-strings\"");
        write_line(w, "#endif");
        w->has_long_strings = true;
    }
    /* A union gives the bytes the type and alignment of the elements. */
    write_line(w, "%sconst union {", linkage);
    write_line(w, "    char bytes[%lld];", (long long)n + 1);
    write_line(w, "    %s elements[%lld];", storage_type(w, buffer->dtype), (long long)buffer->elements);
    write_line(w, "} %s_data = {", buffer->name);
    for (int64_t i = 0; i < n; i += ROW) {
        text_put(&w->body, "    \"");
        for (int64_t k = i; k < i + ROW && k < n; k++) text_printf(&w->body, "\\%03o", data[k]);
        text_put(&w->body, "\"\n");
    }
    write_line(w, "};");
    write_line(w, "#define %s (%s_data.elements)", buffer->name, buffer->name);
}

bool constant_is_string(const KBuffer *buffer) {
    return buffer->elements > READABLE || !is_plain(buffer);
}

void write_constant(Writer *w, const KBuffer *buffer, const char *linkage) {
    Text text = {0};
    text_printf(&text, "%s: ", buffer->from->name);
    shape_print(&text, buffer->from->shape, SHAPE_NO_LAYOUT);
    write_comment(w, text_string(&text));
    text_free(&text);
    if (constant_is_string(buffer)) write_string(w, buffer, linkage);
    else write_numbers(w, buffer, linkage);
    text_char(&w->body, '\n');
}

void write_constants(Writer *w) {
    for (int i = 0; i < w->program->constants.n; i++) {
        KBuffer *buffer = w->program->constants.at[i];
        if (is_weight(buffer, w->options)) write_weight(w, buffer);
        else write_constant(w, buffer, "static ");
    }
    write_weights_loader(w);
}
