#include <string.h>

#include "codegen/runtime.h"
#include "codegen/writer.h"

/* The source file: its first lines, constants, kernels, the entry, the signature. */

enum { MOST_TYPED = 64, LARGE_CONSTANT = 8 };

static void write_banner(Writer *w, const KFunc *func) {
    Text text = {0};
    text_printf(&text, "%s", func->title ? func->title : "");
    for (int i = 0; i < func->banner.n; i++) {
        if (text.n) text_char(&text, '\n');
        hlo_print_instr(&text, func->banner.at[i], (HloPrintOptions){.elide_above = LARGE_CONSTANT});
    }
    if (text.n) write_comment(w, text_string(&text));
    text_free(&text);
}

static const char *parameter_text(Writer *w, const KParam *param) {
    if (param->kind == KPARAM_BUFFER) {
        const KBuffer *b = param->buffer;
        return arena_printf(w->arena, "%s%s *%s%s", b->written ? "" : "const ", storage_type(w, b->dtype),
                            b->shares ? "" : "restrict ", b->name);
    }
    if (param->kind == KPARAM_INDEX) return arena_printf(w->arena, "ptrdiff_t %s", param->var->name);
    return arena_printf(w->arena, "%s %s", value_type(w, param->var->type), param->var->name);
}

void write_kernel(Writer *w, const KFunc *func) {
    Text text = {0};
    w->func = func;
    write_banner(w, func);
    text_printf(&text, "%s void %s(", use_symbol(w, "HLOCC_NOINLINE"), func->name);
    for (int i = 0; i < func->params.n; i++)
        text_printf(&text, "%s%s", i ? ", " : "", parameter_text(w, &func->params.at[i]));
    text_put(&text, func->params.n ? ") {" : "void) {");
    write_line(w, "%s", text_string(&text));
    text_free(&text);
    w->indent++;
    write_block(w, func->body);
    w->indent--;
    write_line(w, "}\n");
}

/* --- the entry ---------------------------------------------------------------------------------------------------- */

static bool is_typed(const KProgram *program) {
    return program->inputs.n + program->outputs.n <= MOST_TYPED;
}

static const char *interface_type(Writer *w, const KInterface *i) {
    return storage_type(w, i->shape->dtype);
}

/* Complex arrays come as structs and are worked on as their components. */
static void write_parts(Writer *w, KInterface *i, const char *given, bool input) {
    if (!dtype_is_complex(i->shape->dtype)) return;
    const char *component = scalar_type(dtype_component(i->shape->dtype)), *constant = input ? "const " : "";
    write_line(w, "%s%s *const %s = (%s%s *)%s;", constant, component, i->buffer->name, constant, component, given);
}

/* The entry, or what it calls when it brings the workspace: "static int NAME_run(". */
static const char *run_name(Writer *w) {
    bool own = has_own_workspace(w->program, w->options);
    return own ? arena_printf(w->arena, "static int %s_run", w->options->name)
               : arena_printf(w->arena, "int %s", w->options->name);
}

static void write_entry_head(Writer *w, const KProgram *p, const char *name) {
    Text text = {0};
    text_printf(&text, "%s(", name);
    for (int i = 0; i < p->inputs.n; i++)
        text_printf(&text, "const %s *%s, ", interface_type(w, &p->inputs.at[i]), p->inputs.at[i].name);
    for (int i = 0; i < p->outputs.n; i++)
        text_printf(&text, "%s *%s, ", interface_type(w, &p->outputs.at[i]), p->outputs.at[i].name);
    text_printf(&text, "void *workspace, const %s *ctx) {", use_symbol(w, "hlocc_context"));
    write_line(w, "%s", text_string(&text));
    text_free(&text);
}

static void write_call_head(Writer *w, const char *name) {
    write_line(w, "%s(const void *const in[], void *const out[], void *workspace, const %s *ctx) {", name,
               use_symbol(w, "hlocc_context"));
}

typedef struct {
    const KBuffer *buffer;
    bool parallel; /* in parallel loops too */
} Use;

static bool uses_buffer_in(const KBlock *block, Use use);

static bool value_uses(const KValue *v, const KBuffer *buffer) {
    if (!v) return false;
    if (v->buffer == buffer) return true;
    for (int i = 0; i < v->n_args; i++)
        if (value_uses(v->args[i], buffer)) return true;
    return false;
}

static bool statement_uses(const KStmt *s, Use use) {
    const KBuffer *buffer = use.buffer;
    if (s->buffer == buffer || s->target == buffer || value_uses(s->value, buffer) || value_uses(s->where, buffer))
        return true;
    for (int i = 0; i < s->n_arguments; i++)
        if (s->arguments[i].buffer == buffer || value_uses(s->arguments[i].value, buffer)) return true;
    if (s->kind == KSTMT_FOR && s->for_kind == KFOR_PARALLEL && !use.parallel) return false;
    return (s->body && uses_buffer_in(s->body, use)) || (s->other && uses_buffer_in(s->other, use));
}

static bool uses_buffer_in(const KBlock *block, Use use) {
    for (int i = 0; i < block->stmts.n; i++)
        if (statement_uses(block->stmts.at[i], use)) return true;
    return false;
}

static bool is_used(const Writer *w, const KBuffer *buffer) {
    return uses_buffer_in(w->func->body, (Use){buffer, true});
}

bool write_slots(Writer *w, const KBlock *block, const char *thread) {
    const KProgram *p = w->program;
    bool any = false;
    for (int i = 0; i < p->slots.n; i++) {
        const KBuffer *slot = p->slots.at[i];
        if ((thread && !slot->per_thread) || !uses_buffer_in(block, (Use){slot, thread || !slot->per_thread})) continue;
        if (!any && thread)
            write_line(w, "char *const own = (char *)workspace + %lld + %s * %lld;", (long long)p->workspace_bytes,
                       thread, (long long)p->thread_bytes);
        else if (!any) write_line(w, "char *const ws = workspace;");
        any = true;
        const char *type = storage_type(w, slot->dtype);
        int64_t offset = slot->offset + (slot->per_thread && !thread ? p->workspace_bytes : 0);
        write_line(w, "%s *const %s = (%s *)(%s + %lld);", type, slot->name, type, thread ? "own" : "ws",
                   (long long)offset);
    }
    return any;
}

static void write_state(Writer *w) {
    const KProgram *p = w->program;
    if (w->options->weights == WEIGHTS_FILE && has_weights(p, w->options))
        write_line(w, "if (!%s_weights) return %s;", w->options->name, use_symbol(w, "HLOCC_EARGUMENT"));
    write_devices(w);
    write_slots(w, w->func->body, NULL);
    if (!p->workspace_bytes && !p->thread_bytes) write_line(w, "(void)workspace;");
    bool one_thread = w->options->workspace == WORKSPACE_STATIC && has_own_workspace(p, w->options);
    if (p->threads && p->threads->reads && one_thread) {
        write_line(w, "const ptrdiff_t %s = 1;", p->threads->name);
        write_line(w, "(void)ctx;");
    } else if (p->threads && p->threads->reads)
        write_line(w, "const ptrdiff_t %s = %s(ctx);", p->threads->name, use_symbol(w, "hlocc_threads"));
    else write_line(w, "(void)ctx;");
}

static void write_typed_wrapper(Writer *w, const KProgram *p) {
    Text call = {0};
    text_printf(&call, "%s_run(", w->options->name);
    for (int i = 0; i < p->inputs.n; i++) text_printf(&call, "%s, ", p->inputs.at[i].name);
    for (int i = 0; i < p->outputs.n; i++) text_printf(&call, "%s, ", p->outputs.at[i].name);
    write_entry_head(w, p, arena_printf(w->arena, "int %s", w->options->name));
    write_own_workspace(w, text_string(&call));
    text_free(&call);
}

static void write_typed_entry(Writer *w, KProgram *p) {
    write_entry_head(w, p, run_name(w));
    w->indent++;
    for (int i = 0; i < p->inputs.n; i++) {
        if (!is_used(w, p->inputs.at[i].buffer)) write_line(w, "(void)%s;", p->inputs.at[i].name);
        else write_parts(w, &p->inputs.at[i], p->inputs.at[i].name, true);
    }
    for (int i = 0; i < p->outputs.n; i++) {
        if (!is_used(w, p->outputs.at[i].buffer)) write_line(w, "(void)%s;", p->outputs.at[i].name);
        else write_parts(w, &p->outputs.at[i], p->outputs.at[i].name, false);
    }
    write_state(w);
    write_block(w, w->func->body);
    write_line(w, "return %s;", use_symbol(w, "HLOCC_OK"));
    w->indent--;
    write_line(w, "}\n");
    if (has_own_workspace(p, w->options)) write_typed_wrapper(w, p);
    write_call_head(w, arena_printf(w->arena, "int %s_call", w->options->name));
    Text text = {0};
    w->indent++;
    if (!p->inputs.n) write_line(w, "(void)in;");
    if (!p->outputs.n) write_line(w, "(void)out;");
    text_printf(&text, "return %s(", w->options->name);
    for (int i = 0; i < p->inputs.n; i++) text_printf(&text, "in[%d], ", i);
    for (int i = 0; i < p->outputs.n; i++) text_printf(&text, "out[%d], ", i);
    text_put(&text, "workspace, ctx);");
    write_line(w, "%s", text_string(&text));
    text_free(&text);
    w->indent--;
    write_line(w, "}\n");
}

static void write_untyped_entry(Writer *w, KProgram *p) {
    const char *name = arena_printf(w->arena, "int %s_call", w->options->name);
    bool own = has_own_workspace(p, w->options);
    write_call_head(w, own ? run_name(w) : name);
    w->indent++;
    bool in = false, out = false;
    for (int i = 0; i < p->inputs.n; i++) {
        KInterface *input = &p->inputs.at[i];
        if (!is_used(w, input->buffer)) continue;
        in = true;
        write_line(w, "const %s *const %s = in[%d];", storage_type(w, input->buffer->dtype), input->buffer->name, i);
    }
    for (int i = 0; i < p->outputs.n; i++) {
        KInterface *output = &p->outputs.at[i];
        if (!is_used(w, output->buffer)) continue;
        out = true;
        write_line(w, "%s *const %s = out[%d];", storage_type(w, output->buffer->dtype), output->buffer->name, i);
    }
    if (!in) write_line(w, "(void)in;");
    if (!out) write_line(w, "(void)out;");
    write_state(w);
    write_block(w, w->func->body);
    write_line(w, "return %s;", use_symbol(w, "HLOCC_OK"));
    w->indent--;
    write_line(w, "}\n");
    if (!own) return;
    write_call_head(w, name);
    write_own_workspace(w, arena_printf(w->arena, "%s_run(in, out, ", w->options->name));
}

void write_entry(Writer *w, const KFunc *func) {
    KProgram *p = func->program;
    w->func = func;
    for (int i = 0; i < p->inputs.n; i++)
        if (dtype_is_complex(p->inputs.at[i].shape->dtype))
            p->inputs.at[i].buffer->name = arena_printf(w->arena, "%s_parts", p->inputs.at[i].name);
    for (int i = 0; i < p->outputs.n; i++)
        if (dtype_is_complex(p->outputs.at[i].shape->dtype))
            p->outputs.at[i].buffer->name = arena_printf(w->arena, "%s_parts", p->outputs.at[i].name);
    if (is_typed(p)) write_typed_entry(w, p);
    else write_untyped_entry(w, p);
    write_line(w, "size_t %s_workspace_bytes(int threads) {", w->options->name);
    w->indent++;
    if (p->thread_bytes && !has_own_workspace(p, w->options))
        write_line(w, "return %s_WORKSPACE_BYTES(%s(threads));", w->options->upper_name,
                   use_symbol(w, "hlocc_thread_count"));
    else write_line(w, "return %s_WORKSPACE_BYTES(threads);", w->options->upper_name);
    w->indent--;
    write_line(w, "}\n");
}

/* --- the file ----------------------------------------------------------------------------------------------------- */

static void write_head(Writer *w, Text *out) {
    const CodegenOptions *o = w->options;
    text_printf(out, "/* %s, from HLO module %s.\n * Generated by %s for target %s: do not edit. */\n", o->name,
                o->module_name, o->compiler, o->target);
    if (o->target_macro)
        text_printf(out,
                    "#if defined(__GNUC__) && !defined(%s)\n#error \"this file is for target %s: compile with %s, or "
                    "generate for another target\"\n#endif\n",
                    o->target_macro, o->target, o->target_flags);
}

/* What --weights=file and --workspace=malloc need of C. */
static void write_system_includes(const Writer *w, Text *out) {
    const CodegenOptions *o = w->options;
    bool loads = o->weights == WEIGHTS_FILE && has_weights(w->program, o) && !o->freestanding;
    bool allocates = o->workspace == WORKSPACE_MALLOC && has_own_workspace(w->program, o);
    if (loads) text_put(out, "#include <stdio.h>\n");
    if (loads || allocates) text_put(out, "#include <stdlib.h>\n");
}

/* Without an operating system there may be no <math.h>: the functions that pieces of the runtime call are declared. */
static void copy_freestanding(Text *out, const Writer *w) {
    static const char include[] = "#include <math.h>\n";
    Text pieces = {0};
    runtime_copy_pieces(&pieces, w->symbols.at, w->symbols.n);
    const char *at = text_string(&pieces), *found;
    if (strstr(at, include))
        text_put(out, "double sqrt(double), fmod(double, double);\nfloat sqrtf(float), fmodf(float, float);\n\n");
    for (; (found = strstr(at, include)); at = found + sizeof include - 1) text_bytes(out, at, (size_t)(found - at));
    text_put(out, at);
    text_free(&pieces);
}

void write_includes(Writer *w, Text *out) {
    if (w->options->self_contained) {
        text_put(out, "#include <stddef.h>\n#include <stdint.h>\n#include <string.h>\n\n");
        if (w->options->freestanding) copy_freestanding(out, w);
        else runtime_copy_pieces(out, w->symbols.at, w->symbols.n);
    } else {
        runtime_include_lines(out, w->symbols.at, w->symbols.n);
    }
    text_char(out, '\n');
}

void codegen_source(Text *out, const KProgram *program, const CodegenOptions *options) {
    Writer w = {.program = program, .options = options, .arena = program->arena};
    use_symbol(&w, "hlocc_signature");
    write_constants(&w);
    for (int i = 0; i < program->funcs.n; i++)
        if (program->funcs.at[i] != program->entry) write_kernel_once(&w, program->funcs.at[i]);
    write_collectives(&w);
    write_user_calls(&w);
    write_entry(&w, program->entry);
    write_signature(&w);
    write_head(&w, out);
    write_system_includes(&w, out);
    write_includes(&w, out);
    if (options->header_name) text_printf(out, "#include \"%s\"\n\n", options->header_name);
    else write_interface(out, program, options);
    text_put(out, text_string(&w.body));
    text_free(&w.body);
}
