#include <ctype.h>
#include <string.h>

#include "codegen/writer.h"

/* Lines, symbols and words. */

const char *use_symbol(Writer *w, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *symbol = arena_vprintf(w->arena, format, args);
    va_end(args);
    if (!string_table_get(&w->known, symbol, strlen(symbol))) {
        string_table_put(w->arena, &w->known, symbol, strlen(symbol), w);
        vec_push(w->arena, &w->symbols, symbol);
    }
    return symbol;
}

/* Where a long line may be broken: behind a comma if one is far enough, else at a space, not inside a string. */
static size_t break_at(const char *line, size_t room) {
    size_t comma = 0, space = 0;
    bool quoted = false;
    for (size_t i = 0; line[i] && i <= room; i++) {
        if (line[i] == '"' && (!i || line[i - 1] != '\\')) quoted = !quoted;
        if (line[i] != ' ' || quoted || !i) continue;
        space = i;
        if (line[i - 1] == ',') comma = i;
    }
    return comma > room / 2 ? comma : space;
}

void write_line(Writer *w, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *line = arena_vprintf(w->arena, format, args);
    va_end(args);
    int indent = 4 * w->indent;
    while (indent + (int)strlen(line) > LINE_WIDTH) {
        size_t at = break_at(line, (size_t)(LINE_WIDTH - indent));
        if (!at) break;
        text_repeat(&w->body, ' ', indent);
        text_bytes(&w->body, line, at);
        text_char(&w->body, '\n');
        line += at + 1;
        indent = 4 * w->indent + 8;
    }
    if (*line) text_repeat(&w->body, ' ', indent);
    text_put(&w->body, line);
    text_char(&w->body, '\n');
}

/* Comments end at the first star and slash: HLO's own are spelt apart. */
static char *harmless(Writer *w, const char *text) {
    char *copy = arena_string(w->arena, text, strlen(text));
    for (char *at = copy; *at; at++) {
        if (at[0] == '*' && at[1] == '/') at[0] = ' ';
        if (at[0] == '/' && at[1] == '*') at[1] = ' ';
        if (at[0] == '?' && at[1] == '?') at[1] = ' ';
    }
    return copy;
}

void write_comment(Writer *w, const char *text) {
    const char *line = harmless(w, text);
    int width = LINE_WIDTH - 4 * w->indent - 6;
    bool first = true;
    while (*line) {
        size_t n = strcspn(line, "\n"), take = n;
        if ((int)n > width) {
            take = break_at(line, (size_t)width);
            if (!take || take > n) take = n < (size_t)width ? n : (size_t)width;
        }
        text_repeat(&w->body, ' ', 4 * w->indent);
        text_put(&w->body, first ? "/* " : " * ");
        text_bytes(&w->body, line, take);
        line += take + (line[take] == ' ' || line[take] == '\n');
        text_put(&w->body, *line ? "\n" : " */\n");
        first = false;
    }
}

const char *scalar_type(DType dtype) {
    switch (dtype_class(dtype)) {
    case DTYPE_PRED:
        return "int";
    case DTYPE_FLOAT:
        return dtype == DT_F64 ? "double" : "float";
    case DTYPE_SIGNED:
        return dtype_bits(dtype) == 64   ? "int64_t"
               : dtype_bits(dtype) == 32 ? "int32_t"
               : dtype_bits(dtype) == 16 ? "int16_t"
                                         : "int8_t";
    case DTYPE_UNSIGNED:
        return dtype_bits(dtype) == 64   ? "uint64_t"
               : dtype_bits(dtype) == 32 ? "uint32_t"
               : dtype_bits(dtype) == 16 ? "uint16_t"
                                         : "uint8_t";
    case DTYPE_COMPLEX:
        return dtype == DT_C64 ? "hlocc_c64" : "hlocc_c128";
    case DTYPE_OTHER:
        break;
    }
    return "void";
}

const char *storage_type(Writer *w, DType dtype) {
    if (dtype == DT_PRED) return "uint8_t";
    if (dtype == DT_BF16 || dtype == DT_F16) return use_symbol(w, "hlocc_%s", dtype_name(dtype));
    if (dtype_is_float(dtype) && dtype_bits(dtype) <= 8) return "uint8_t";
    if (dtype_is_complex(dtype)) return use_symbol(w, "hlocc_%s", dtype_name(dtype));
    return scalar_type(dtype);
}

const char *type_suffix(Writer *w, KType type) {
    if (type.lanes == 1) return dtype_name(type.dtype);
    if (type.dtype == DT_PRED) return arena_printf(w->arena, "m%d", type.lanes);
    return arena_printf(w->arena, "%sx%d", dtype_name(type.dtype), type.lanes);
}

const char *value_type(Writer *w, KType type) {
    return type.lanes == 1 ? scalar_type(type.dtype) : use_symbol(w, "hlocc_%s", type_suffix(w, type));
}
