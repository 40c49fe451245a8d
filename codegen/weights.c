#include <string.h>

#include "base/table.h"
#include "codegen/writer.h"

/* Constants that stand outside of the source (--weights), and workspaces that the program itself brings (--workspace).
 *
 * The file of --weights=file: 16 bytes "hlocc weights 1\n", its size and a hash of the data as 16 hexadecimal digits
 * each, zeros up to 64; then the arrays, each at a multiple of 64, as they lie in memory. */

enum { MOST_INLINE = 64, ALIGN = 64, HEAD = 64 };

bool is_weight(const KBuffer *buffer, const CodegenOptions *options) {
    bool outside =
        options->weights == WEIGHTS_SEPARATE || options->weights == WEIGHTS_EXTERN || options->weights == WEIGHTS_FILE;
    return outside && buffer->elements > MOST_INLINE;
}

bool has_weights(const KProgram *program, const CodegenOptions *options) {
    for (int i = 0; i < program->constants.n; i++)
        if (is_weight(program->constants.at[i], options)) return true;
    return false;
}

static int64_t weight_bytes(const KBuffer *buffer) {
    return buffer->elements * dtype_bytes(buffer->dtype);
}

/* NAME_weight_constant: set once, whichever text is written first. */
static const char *weight_name(const KProgram *program, KBuffer *buffer, const CodegenOptions *options) {
    const char *start = arena_printf(program->arena, "%s_weight_", options->name);
    size_t own = strlen(options->name) + 1; /* names of constants begin with it */
    if (strncmp(buffer->name, start, strlen(start)) == 0) return buffer->name;
    bool begins = strncmp(buffer->name, start, own) == 0;
    return buffer->name = arena_printf(program->arena, "%s%s", start, buffer->name + (begins ? own : 0));
}

/* Where the array lies in the file; NULL: how large the file is. */
static int64_t weight_offset(const KProgram *program, const KBuffer *buffer, const CodegenOptions *options) {
    int64_t at = HEAD;
    for (int i = 0; i < program->constants.n; i++) {
        const KBuffer *one = program->constants.at[i];
        if (one == buffer) return at;
        if (is_weight(one, options)) at += (weight_bytes(one) + ALIGN - 1) / ALIGN * ALIGN;
    }
    return at;
}

static uint64_t weights_hash(const KProgram *program, const CodegenOptions *options) {
    uint64_t hash = 1;
    for (int i = 0; i < program->constants.n; i++) {
        const KBuffer *one = program->constants.at[i];
        if (is_weight(one, options)) hash = hash_mix(hash, hash_bytes(one->data->data, (size_t)weight_bytes(one)));
    }
    return hash;
}

/* "0000000000001080" and the hash: how the file is known to be the right one. */
static const char *weights_key(const KProgram *program, const CodegenOptions *options) {
    return arena_printf(program->arena, "%016llx%016llx", (unsigned long long)weight_offset(program, NULL, options),
                        (unsigned long long)weights_hash(program, options));
}

/* ---- in the source ----------------------------------------------------------------------------------------------- */

static void write_hidden(Writer *w) {
    write_line(w, "#ifdef __GNUC__");
    write_line(w, "__attribute__((visibility(\"hidden\")))");
    write_line(w, "#endif");
}

void write_weight(Writer *w, KBuffer *buffer) {
    const CodegenOptions *o = w->options;
    const char *name = weight_name(w->program, buffer, o), *type = storage_type(w, buffer->dtype);
    if (o->weights == WEIGHTS_EXTERN) return; /* the header declares it */
    if (o->weights == WEIGHTS_FILE) {
        write_line(w, "#define %s ((const %s *)(const void *)(%s_weights + %lld))", name, type, o->name,
                   (long long)weight_offset(w->program, buffer, o));
        return;
    }
    write_hidden(w);
    if (!constant_is_string(buffer)) {
        write_line(w, "extern const %s %s[%lld];\n", type, name, (long long)buffer->elements);
        return;
    }
    write_line(w, "extern const union {");
    write_line(w, "    char bytes[%lld];", (long long)weight_bytes(buffer) + 1);
    write_line(w, "    %s elements[%lld];", type, (long long)buffer->elements);
    write_line(w, "} %s_data;", name);
    write_line(w, "#define %s (%s_data.elements)\n", name, name);
}

static void write_load(Writer *w) {
    const char *name = w->options->name, *wrong = use_symbol(w, "HLOCC_EARGUMENT"),
               *memory = use_symbol(w, "HLOCC_EMEMORY");
    write_line(w, "int %s_load_weights(const char *path) {", name);
    w->indent++;
    write_line(w, "FILE *file = fopen(path, \"rb\");");
    write_line(w, "if (!file) return %s;", wrong);
    write_line(w, "char *given = malloc(%s_WEIGHTS_BYTES + 64);", w->options->upper_name);
    write_line(w, "if (!given) {");
    write_line(w, "    fclose(file);");
    write_line(w, "    return %s;", memory);
    write_line(w, "}");
    write_line(w, "char *bytes = given + (64 - (uintptr_t)given %% 64);");
    write_line(w, "const size_t n = fread(bytes, 1, %s_WEIGHTS_BYTES, file);", w->options->upper_name);
    write_line(w, "fclose(file);");
    write_line(w, "const int error = %s_use_weights(bytes, n);", name);
    write_line(w, "if (error) free(given);");
    write_line(w, "return error;");
    w->indent--;
    write_line(w, "}\n");
}

void write_weights_loader(Writer *w) {
    const CodegenOptions *o = w->options;
    if (o->weights != WEIGHTS_FILE || !has_weights(w->program, o)) return;
    Text uses = {0};
    text_bytes(&uses, text_string(&w->body), w->body.n);
    text_clear(&w->body);
    write_line(w, "static const char *%s_weights;", o->name);
    text_bytes(&w->body, text_string(&uses), uses.n);
    text_free(&uses);
    text_char(&w->body, '\n');
    write_line(w, "int %s_use_weights(const void *bytes, size_t n) {", o->name);
    w->indent++;
    write_line(w, "static const char head[] = \"hlocc weights 1\\n%s\";", weights_key(w->program, o));
    write_line(w,
               "if (n < %s_WEIGHTS_BYTES || (uintptr_t)bytes %% 64 || memcmp(bytes, head, sizeof head - 1)) return %s;",
               o->upper_name, use_symbol(w, "HLOCC_EARGUMENT"));
    write_line(w, "%s_weights = bytes;", o->name);
    write_line(w, "return %s;", use_symbol(w, "HLOCC_OK"));
    w->indent--;
    write_line(w, "}\n");
    if (!o->freestanding) write_load(w);
}

/* ---- in the header ----------------------------------------------------------------------------------------------- */

static void declare_extern(Text *out, const KProgram *program, const CodegenOptions *options) {
    text_put(out, "/* Constants, to be defined by the program that links this module. */\n");
    for (int i = 0; i < program->constants.n; i++) {
        KBuffer *buffer = program->constants.at[i];
        if (!is_weight(buffer, options)) continue;
        text_printf(out, "extern const %s %s[%lld]; /* ", interface_word(buffer->dtype),
                    weight_name(program, buffer, options), (long long)buffer->elements);
        shape_print(out, buffer->from->shape, SHAPE_NO_LAYOUT);
        text_put(out, " */\n");
    }
    text_char(out, '\n');
}

void write_weights_interface(Text *out, const KProgram *program, const CodegenOptions *options) {
    if (!has_weights(program, options)) return;
    if (options->weights == WEIGHTS_EXTERN) declare_extern(out, program, options);
    if (options->weights != WEIGHTS_FILE) return;
    text_printf(out,
                "/* The constants of this module are in a file of their own. Before the first call give its bytes "
                "(they stay where they\n"
                " * are, at a multiple of 64)%s HLOCC_EARGUMENT: they are not those that\n"
                " * belong to this source. Without them calls return HLOCC_EARGUMENT. */\n",
                options->freestanding ? "." : ", or its path.");
    text_printf(out, "#define %s_WEIGHTS_BYTES ((size_t)%lld)\n", options->upper_name,
                (long long)weight_offset(program, NULL, options));
    text_printf(out, "int %s_use_weights(const void *bytes, size_t n);\n", options->name);
    if (!options->freestanding) text_printf(out, "int %s_load_weights(const char *path);\n", options->name);
    text_char(out, '\n');
}

/* ---- beside the source ------------------------------------------------------------------------------------------- */

static void write_file(Text *out, const KProgram *program, const CodegenOptions *options) {
    text_printf(out, "hlocc weights 1\n%s", weights_key(program, options));
    for (int i = 0; i < program->constants.n; i++) {
        const KBuffer *buffer = program->constants.at[i];
        if (!is_weight(buffer, options)) continue;
        while (out->n < (size_t)weight_offset(program, buffer, options)) text_char(out, 0);
        text_bytes(out, buffer->data->data, (size_t)weight_bytes(buffer));
    }
    while (out->n < (size_t)weight_offset(program, NULL, options)) text_char(out, 0);
}

void codegen_weights(Text *out, const KProgram *program, const CodegenOptions *options) {
    if (options->weights == WEIGHTS_FILE) {
        write_file(out, program, options);
        return;
    }
    Writer w = {.program = program, .options = options, .arena = program->arena};
    use_symbol(&w, "hlocc_signature"); /* and with it the headers of C that every file needs */
    for (int i = 0; i < program->constants.n; i++) {
        KBuffer *buffer = program->constants.at[i];
        if (!is_weight(buffer, options)) continue;
        weight_name(program, buffer, options);
        write_weight(&w, buffer); /* a definition that a declaration goes before, as -Wmissing-declarations wants it */
        write_constant(&w, buffer, "");
    }
    text_printf(out, "/* Constants of %s, from HLO module %s.\n * Generated by %s: do not edit. */\n", options->name,
                options->module_name, options->compiler);
    write_includes(&w, out);
    text_put(out, text_string(&w.body));
    text_free(&w.body);
}

/* ---- workspace --------------------------------------------------------------------------------------------------- */

bool has_own_workspace(const KProgram *program, const CodegenOptions *options) {
    return options->workspace != WORKSPACE_ARGUMENT && (program->workspace_bytes || program->thread_bytes);
}

void write_own_workspace(Writer *w, const char *call) {
    const KProgram *p = w->program;
    w->indent++;
    write_line(w, "(void)workspace;");
    if (w->options->workspace == WORKSPACE_STATIC) {
        write_line(w, "static char memory[%lld];", (long long)(p->workspace_bytes + p->thread_bytes) + ALIGN);
        write_line(w, "return %smemory + (64 - (uintptr_t)memory %% 64), ctx);", call);
    } else {
        const char *threads = arena_printf(w->arena, "(size_t)%s(ctx)", use_symbol(w, "hlocc_threads"));
        write_line(w, "char *const memory = malloc(%lld + %s * %lld);", (long long)p->workspace_bytes + ALIGN,
                   p->thread_bytes ? threads : "0", (long long)p->thread_bytes);
        write_line(w, "if (!memory) return %s;", use_symbol(w, "HLOCC_EMEMORY"));
        write_line(w, "const int error = %smemory + (64 - (uintptr_t)memory %% 64), ctx);", call);
        write_line(w, "free(memory);");
        write_line(w, "return error;");
    }
    w->indent--;
    write_line(w, "}\n");
}
