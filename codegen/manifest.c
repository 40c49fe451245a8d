#include <string.h>

#include "codegen/writer.h"

/* The manifest: what build systems and bindings want to know of a module, as JSON (docs/manifest.schema.json). */

enum { MANIFEST_VERSION = 1 };

static void put_string(Text *out, const char *string) {
    text_char(out, '"');
    for (const char *c = string; *c; c++) {
        unsigned char byte = (unsigned char)*c;
        if (*c == '"' || *c == '\\') text_printf(out, "\\%c", *c);
        else if (byte < ' ') text_printf(out, "\\u%04x", byte);
        else text_char(out, *c);
    }
    text_char(out, '"');
}

static void put_dims(Text *out, const Shape *shape) {
    text_put(out, "\"dims\": [");
    for (int i = 0; i < shape->rank; i++) text_printf(out, "%s%lld", i ? ", " : "", (long long)shape->dims[i]);
    text_put(out, "], \"minor_to_major\": [");
    for (int i = 0; i < shape->rank; i++) {
        bool written = shape->layout && shape->layout->n_minor_to_major;
        text_printf(out, "%s%lld", i ? ", " : "",
                    written ? (long long)shape->layout->minor_to_major[i] : (long long)(shape->rank - 1 - i));
    }
    text_put(out, "]");
}

static void put_arrays(Text *out, const char *role, int n, const KInterface *leaves) {
    text_printf(out, "  \"%s\": [", role);
    for (int i = 0; i < n; i++) {
        const KInterface *leaf = &leaves[i];
        text_printf(out, "%s\n    {\"name\": \"%s\", ", i ? "," : "", leaf->name);
        if (leaf->path) {
            text_put(out, "\"path\": ");
            put_string(out, leaf->path);
            text_put(out, ", ");
        }
        text_printf(out, "\"dtype\": \"%s\", ", dtype_name(leaf->shape->dtype));
        put_dims(out, leaf->shape);
        text_printf(out, ", \"bytes\": %lld", (long long)shape_bytes(leaf->shape));
        if (leaf->alias >= 0) text_printf(out, ", \"alias\": %d", leaf->alias);
        text_char(out, '}');
    }
    text_put(out, n ? "\n  ],\n" : "],\n");
}

/* ---- the work of kernels ----------------------------------------------------------------------------------------- */

static double value_flops(const KValue *value) {
    if (!value) return 0;
    double flops = 0;
    bool is_float = value->type.dtype == DT_F32 || value->type.dtype == DT_F64;
    if (value->kind == KVALUE_SCALAR && is_float) flops = scalar_weight(value->op) * (double)value->type.lanes;
    if (value->kind == KVALUE_CALL) flops = value->type.lanes;
    for (int i = 0; i < value->n_args; i++) flops += value_flops(value->args[i]);
    return flops;
}

/* Times that a loop runs: exactly where its bounds are numbers, else at most. */
static double trip_count(const KFunc *func, const KStmt *stmt) {
    int64_t low = index_range(func->domain, stmt->index).low, high = index_range(func->domain, stmt->high).high;
    return high > low ? (double)((high - low + stmt->step - 1) / stmt->step) : 0;
}

static double block_flops(const KFunc *func, const KBlock *block);

static double statement_flops(const KFunc *func, const KStmt *stmt) {
    double flops = value_flops(stmt->value) + value_flops(stmt->where);
    double inside =
        (stmt->body ? block_flops(func, stmt->body) : 0) + (stmt->other ? block_flops(func, stmt->other) : 0);
    if (stmt->kind == KSTMT_CALL && stmt->func) inside += block_flops(stmt->func, stmt->func->body);
    return flops + (stmt->kind == KSTMT_FOR ? trip_count(func, stmt) : 1) * inside;
}

static double block_flops(const KFunc *func, const KBlock *block) {
    double flops = 0;
    for (int i = 0; i < block->stmts.n; i++) flops += statement_flops(func, block->stmts.at[i]);
    return flops;
}

/* Of the arrays that a kernel is given. */
static double kernel_bytes(const KFunc *func) {
    double bytes = 0;
    for (int i = 0; i < func->params.n; i++)
        if (func->params.at[i].kind == KPARAM_BUFFER && func->params.at[i].buffer->shape)
            bytes += (double)shape_bytes(func->params.at[i].buffer->shape);
    return bytes;
}

/* What the entry is given: parameters and results. */
static double interface_bytes(const KProgram *program) {
    double bytes = 0;
    for (int i = 0; i < program->inputs.n; i++) bytes += (double)shape_bytes(program->inputs.at[i].shape);
    for (int i = 0; i < program->outputs.n; i++) bytes += (double)shape_bytes(program->outputs.at[i].shape);
    return bytes;
}

static void put_kernel(Text *out, const KFunc *func, const char *name, double bytes) {
    text_printf(out, "    {\"name\": \"%s\", \"flops\": %.0f, \"bytes\": %.0f, \"instructions\": [", name,
                block_flops(func, func->body), bytes);
    for (int k = 0; k < func->banner.n; k++) {
        if (k) text_put(out, ", ");
        put_string(out, func->banner.at[k]->name);
    }
    text_put(out, "]}");
}

/* The entry last: what is small is computed in it. */
static void put_kernels(Text *out, const KProgram *program, const char *name) {
    text_put(out, "  \"kernels\": [\n");
    for (int i = 0; i < program->funcs.n; i++) {
        const KFunc *func = program->funcs.at[i];
        if (func == program->entry || func->is_combiner) continue;
        put_kernel(out, func, func->name, kernel_bytes(func));
        text_put(out, ",\n");
    }
    put_kernel(out, program->entry, name, interface_bytes(program));
    text_put(out, "\n  ]\n");
}

void codegen_manifest(Text *out, const KProgram *p, const CodegenOptions *o) {
    static const char *const workspaces[] = {"arg", "static", "malloc"};
    static const char *const weights[] = {"inline", "separate", "extern", "file", "param"};
    bool own = has_own_workspace(p, o);
    text_printf(out, "{\n  \"manifest_version\": %d,\n  \"generator\": \"%s\",\n  \"name\": \"%s\",\n  \"module\": ",
                MANIFEST_VERSION, o->compiler, o->name);
    put_string(out, o->module_name);
    text_printf(out, ",\n  \"source_sha256\": \"%s\",\n  \"target\": \"%s\",\n", o->source_hash, o->target);
    if (o->target_flags && *o->target_flags) text_printf(out, "  \"cflags\": \"%s\",\n", o->target_flags);
    text_printf(out,
                "  \"entry\": {\"typed\": %s, \"call\": \"%s_call\", \"workspace_bytes\": \"%s_workspace_bytes\", "
                "\"signature\": \"%s_signature\"},\n",
                p->inputs.n + p->outputs.n <= 64 ? "true" : "false", o->name, o->name, o->name);
    put_arrays(out, "inputs", p->inputs.n, p->inputs.at);
    put_arrays(out, "outputs", p->outputs.n, p->outputs.at);
    text_printf(
        out, "  \"workspace\": {\"from\": \"%s\", \"bytes\": %lld, \"bytes_per_thread\": %lld, \"alignment\": 64},\n",
        workspaces[own ? o->workspace : WORKSPACE_ARGUMENT], (long long)p->workspace_bytes, (long long)p->thread_bytes);
    text_printf(out, "  \"weights\": \"%s\",\n  \"devices\": %lld,\n", weights[o->weights], (long long)p->devices);
    text_printf(out, "  \"libraries\": [%s\"m\"],\n",
                p->devices > 1 ? "\"hlocc-rt\", \"pthread\", " : o->self_contained ? "" : "\"hlocc-rt\", ");
    put_kernels(out, p, o->name);
    text_put(out, "}\n");
}
