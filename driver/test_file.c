#include "driver/test_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "driver/check_script.h"
#include "driver/output.h"

typedef struct {
    Arena *arena;
    TestFile *file;
    int line;
    bool in_program; /* past the first line that is neither comment nor empty */
    Text *why;
    Text run; /* a command that goes on in the next RUN line */
} Reader;

static bool complain(Reader *reader, const char *what, const char *line, size_t n) {
    enum { MOST_SHOWN = 100 };
    text_printf(reader->why, "  %s:%d: %s: %.*s\n", reader->file->path, reader->line, what,
                n < MOST_SHOWN ? (int)n : MOST_SHOWN, line);
    return false;
}

static bool add_run(Reader *reader, const char *value, const char *end) {
    while (value < end && isspace((unsigned char)*value)) value++;
    while (end > value && isspace((unsigned char)end[-1])) end--;
    bool goes_on = end > value && end[-1] == '\\';
    text_bytes(&reader->run, value, (size_t)(end - value) - goes_on);
    if (goes_on) return true;
    vec_push(reader->arena, &reader->file->runs,
             arena_string(reader->arena, text_string(&reader->run), reader->run.n));
    text_clear(&reader->run);
    return true;
}

/* "CHECK: text", "CHECK-NEXT: text": one blank behind the colon belongs to the form. Prose may begin with the word
 * CHECK; with CHECK-DAG: and its like the file is one for check_script.h, with CHECK-ANYTHING: it is at fault. */
static bool add_check(Reader *reader, const char *line, const char *value, const char *end) {
    bool next = strncmp(value, "-NEXT:", 6) == 0;
    if (next) value += 5;
    if (*value == '-') {
        const char *kind = value;
        while (*value == '-' || isupper((unsigned char)*value)) value++;
        return *value != ':' || check_kind_is_known(kind) ||
               complain(reader, "there is no such kind of CHECK", line, (size_t)(end - line));
    }
    if (*value != ':') return true;
    value++;
    if (value < end && *value == ' ') value++;
    CheckLine check = {reader->line, !next, arena_string(reader->arena, value, (size_t)(end - value))};
    if (!reader->file->checks.n) reader->file->checks_stand_first = !reader->in_program;
    vec_push(reader->arena, &reader->file->checks, check);
    return true;
}

static bool read_value(Reader *reader, const char *value, const char *end, TestValue *out) {
    char *after;
    long leaf = strtol(value, &after, 10), device = -1;
    if (after > value && strncmp(after, ".dev", 4) == 0) device = strtol(after + 4, &after, 10);
    while (after < end && isspace((unsigned char)*after)) after++;
    if (after == value || after >= end || *after != ':' || leaf < 0 || leaf > 1000000 || device < -1 ||
        device > 1000000)
        return false;
    after++;
    while (after < end && isspace((unsigned char)*after)) after++;
    while (end > after && isspace((unsigned char)end[-1])) end--;
    *out = (TestValue){reader->line, (int)leaf, (int)device, arena_string(reader->arena, after, (size_t)(end - after))};
    return true;
}

static bool read_comment(Reader *reader, const char *line, const char *end) {
    const char *value;
    TestFile *file = reader->file;
    TestValue one;
    size_t n = (size_t)(end - line);
    if ((value = comment_value(line, "RUN:"))) return add_run(reader, value, end);
    if ((value = comment_value(line, "CHECK"))) return add_check(reader, line, value, end);
    if ((value = comment_value(line, "EXIT:"))) {
        file->exit_code = atoi(value);
        return true;
    }
    if ((value = comment_value(line, "INPUT "))) {
        if (!read_value(reader, value, end, &one)) return complain(reader, "expected 'INPUT k: value'", line, n);
        vec_push(reader->arena, &file->inputs, one);
        return true;
    }
    if ((value = comment_value(line, "EXPECT "))) {
        if (!read_value(reader, value, end, &one)) return complain(reader, "expected 'EXPECT k: value'", line, n);
        vec_push(reader->arena, &file->expects, one);
        return true;
    }
    if ((value = comment_value(line, "tolerance:")) && !tolerance_read(value, &file->tolerance))
        return complain(reader, "expected 'tolerance: rtol=X atol=Y' or 'exact'", line, n);
    return true;
}

static bool is_comment(const char *line) {
    return comment_value(line, "") != NULL;
}

static const char *line_end(const char *line, const char *end) {
    const char *found = memchr(line, '\n', (size_t)(end - line));
    return found ? found : end;
}

static bool is_blank(const char *line, const char *end) {
    while (line < end && isspace((unsigned char)*line)) line++;
    return line == end;
}

TestFile *test_file_read(Arena *arena, const char *path, Text *why) {
    Text bytes = {0};
    bool good = input_read(path, &bytes, why);
    TestFile *file = NEW(arena, TestFile);
    file->path = path;
    file->bytes = arena_string(arena, text_string(&bytes), bytes.n);
    file->size = bytes.n;
    text_free(&bytes);
    file->is_script = check_script_is_needed(file->bytes);
    Reader reader = {.arena = arena, .file = file, .why = why};
    const char *end = file->bytes + file->size;
    for (const char *line = file->bytes, *next; good && line < end; line = next + 1) {
        reader.line++;
        next = line_end(line, end);
        const char *stop = next > line && next[-1] == '\r' ? next - 1 : next;
        if (is_comment(line)) good = read_comment(&reader, line, stop);
        else if (!is_blank(line, stop)) reader.in_program = true;
    }
    text_free(&reader.run);
    return good ? file : NULL;
}

static void write_checks(const char *const *outputs, Text *out) {
    for (int k = 0; outputs[k]; k++) {
        const char *output = outputs[k];
        for (bool first = true; *output; first = false) {
            size_t n = strcspn(output, "\n");
            text_put(out, first ? "// CHECK:" : "// CHECK-NEXT:");
            if (n) text_char(out, ' ');
            text_bytes(out, output, n);
            text_char(out, '\n');
            output += n + (output[n] == '\n');
        }
    }
}

void test_file_rewrite(const TestFile *file, const char *const *outputs, Text *out) {
    const char *end = file->bytes + file->size;
    bool written = false;
    for (const char *line = file->bytes, *next; line < end; line = next + 1) {
        next = line_end(line, end);
        if (!comment_value(line, "CHECK:") && !comment_value(line, "CHECK-NEXT:")) {
            text_bytes(out, line, (size_t)(next - line));
            text_char(out, '\n');
        } else if (file->checks_stand_first && !written) {
            write_checks(outputs, out);
            written = true;
        }
    }
    bool any = false;
    for (int k = 0; outputs[k]; k++) any |= *outputs[k] != 0;
    if (written || !any) return;
    if (!file->checks.n) text_char(out, '\n');
    write_checks(outputs, out);
}
