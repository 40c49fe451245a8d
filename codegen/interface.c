#include <string.h>

#include "codegen/runtime.h"
#include "codegen/writer.h"

/* The interface: what the header declares and explains, and the signature. */

enum { MOST_TYPED = 64 };

static void print_leaf(Text *out, const char *role, int number, const KInterface *i) {
    text_printf(out, " *   %s[%d] %s: ", role, number, i->name);
    shape_print(out, i->shape, SHAPE_LAYOUT);
    text_printf(out, ", %lld bytes", (long long)shape_bytes(i->shape));
    if (i->path && strcmp(i->path, i->name) != 0 && !strstr(i->path, "*/")) text_printf(out, ", %s", i->path);
    if (i->alias >= 0) text_printf(out, ", may be the memory of %s[%d]", role[0] == 'i' ? "out" : "in", i->alias);
    text_char(out, '\n');
}

const char *interface_word(DType dtype) {
    static const char *const names[] = {
        [DT_BF16] = "hlocc_bf16", [DT_F16] = "hlocc_f16", [DT_C64] = "hlocc_c64", [DT_C128] = "hlocc_c128"};
    if (dtype == DT_PRED || (dtype_is_float(dtype) && dtype_bits(dtype) <= 8)) return "uint8_t";
    if (dtype == DT_BF16 || dtype == DT_F16 || dtype_is_complex(dtype)) return names[dtype];
    return scalar_type(register_type(dtype));
}

static void print_typed(Text *out, const KProgram *p, const char *name) {
    size_t start = out->n;
    text_printf(out, "int %s(", name);
    for (int i = 0; i < p->inputs.n + p->outputs.n; i++) {
        bool input = i < p->inputs.n;
        const KInterface *leaf = input ? &p->inputs.at[i] : &p->outputs.at[i - p->inputs.n];
        if (out->n - start > 90) {
            text_put(out, "\n        ");
            start = out->n;
        }
        text_printf(out, "%s%s *%s, ", input ? "const " : "", interface_word(leaf->shape->dtype), leaf->name);
    }
    text_put(out, "void *workspace, const hlocc_context *ctx);\n");
}

/* Who calls the function, and what was made of num_partitions. */
static void print_devices(Text *out, const KProgram *p) {
    const ModuleAttrs *attrs = &p->module->attrs;
    if (attrs->advised_partitions)
        text_printf(
            out,
            " *   devices: %lld. num_partitions=%lld is advice, as the module was not partitioned: arrays are whole\n"
            " *     (--partitioned=yes makes it a program for %lld)\n",
            (long long)p->devices, (long long)attrs->advised_partitions,
            (long long)(attrs->advised_partitions * p->devices));
    if (p->devices < 2) return;
    text_printf(out,
                " *   devices: %lld (replica_count %lld x num_partitions %lld). Each is a rank that calls the function "
                "with arrays of its\n"
                " *     own, all of them at the same time: threads of a process (hlocc/rt_comm.h) or of an MPI job "
                "(hlocc/rt_mpi.h)\n",
                (long long)p->devices, (long long)attrs->replica_count, (long long)attrs->num_partitions);
}

static void print_workspace(Text *out, const KProgram *p, const CodegenOptions *o) {
    if (!has_own_workspace(p, o))
        text_printf(out, " *   workspace: %s_WORKSPACE_BYTES(threads) bytes, aligned to 64; NULL when that is 0\n",
                    o->upper_name);
    else if (o->workspace == WORKSPACE_STATIC)
        text_printf(out, " *   workspace: NULL; the function has %lld static bytes, and runs on one thread\n",
                    (long long)(p->workspace_bytes + p->thread_bytes));
    else text_put(out, " *   workspace: NULL; the function allocates what it needs, and frees it\n");
}

static const char *calls_at_once(const KProgram *p, const CodegenOptions *o) {
    if (!has_own_workspace(p, o)) return "Calls with different workspaces may run at once";
    return o->workspace == WORKSPACE_STATIC ? "One call at a time" : "Calls may run at once";
}

void write_interface(Text *out, const KProgram *p, const CodegenOptions *o) {
    text_put(
        out,
        "/* Parameters in order, tuples flattened; then results. Arrays are dense, in the layout shown ({1,0}: the "
        "last dim\n"
        " * is fastest); scalars are arrays of one element. Results may not overlap parameters unless it says so.\n");
    for (int i = 0; i < p->inputs.n; i++) print_leaf(out, "in", i, &p->inputs.at[i]);
    for (int i = 0; i < p->outputs.n; i++) print_leaf(out, "out", i, &p->outputs.at[i]);
    print_workspace(out, p, o);
    print_devices(out, p);
    text_put(
        out,
        p->devices > 1
            ? " *   ctx: with a communicator (comm) of so many ranks; comm_seconds is how long one waits for another\n"
            : " *   ctx: may be NULL: one thread\n");
    text_printf(out, " * Returns 0 (HLOCC_OK), or an error code for hlocc_strerror. %s. */\n", calls_at_once(p, o));
    if (p->inputs.n + p->outputs.n <= MOST_TYPED) print_typed(out, p, o->name);
    text_printf(out,
                "int %s_call(const void *const in[], void *const out[], void *workspace, const hlocc_context *ctx);\n",
                o->name);
    bool own = has_own_workspace(p, o); /* a constant where threads is one */
    text_printf(out, "#define %s_WORKSPACE_BYTES(threads) ((size_t)%lld + (size_t)(threads) * %lld)\n", o->upper_name,
                own ? 0 : (long long)p->workspace_bytes, own ? 0 : (long long)p->thread_bytes);
    text_printf(out, "size_t %s_workspace_bytes(int threads); /* 0: as many as OpenMP gives */\n", o->name);
    text_printf(out, "extern const hlocc_signature %s_signature;\n\n", o->name);
    write_user_prototypes(out, p);
    write_weights_interface(out, p, o);
}

void codegen_header(Text *out, const KProgram *p, const CodegenOptions *o) {
    text_printf(out, "/* %s, from HLO module %s.\n * Generated by %s: do not edit. */\n", o->name, o->module_name,
                o->compiler);
    text_printf(out, "#ifndef %s_H\n#define %s_H\n\n", o->upper_name, o->upper_name);
    if (o->self_contained) {
        const char *const symbols[] = {"hlocc_context", "hlocc_signature", "HLOCC_OK",   "hlocc_bf16",
                                       "hlocc_f16",     "hlocc_c64",       "hlocc_c128", "hlocc_call"};
        text_put(out,
                 "#include <stddef.h>\n#include <stdint.h>\n\n#ifndef HLOCC_RT_CORE_H\n#define HLOCC_RT_CORE_H\n\n");
        int n = (int)(sizeof symbols / sizeof *symbols) - !p->user_calls.n;
        runtime_copy_pieces(out, symbols, n);
        text_put(out, "\n#ifdef __cplusplus\nextern \"C\"\n#endif\n"
                      "const char *hlocc_strerror(int error); /* libhlocc-rt.a has it */\n");
        text_put(out, "\n#endif\n\n");
    } else {
        text_put(out, "#include \"hlocc/rt_core.h\"\n\n");
    }
    text_put(out, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
    write_interface(out, p, o);
    text_put(out, "#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
}

/* --- the signature ------------------------------------------------------------------------------------------------ */

static void write_dims(Writer *w, const char *role, int number, const Shape *shape) {
    if (!shape->rank) return;
    Text dims = {0}, order = {0};
    for (int i = 0; i < shape->rank; i++) {
        bool written = shape->layout && shape->layout->n_minor_to_major;
        text_printf(&dims, "%s%lld", i ? ", " : "", (long long)shape->dims[i]);
        text_printf(&order, "%s%lld", i ? ", " : "",
                    written ? (long long)shape->layout->minor_to_major[i] : (long long)(shape->rank - 1 - i));
    }
    write_line(w, "static const int64_t %s_%s%d_dims[] = {%s};", w->options->name, role, number, text_string(&dims));
    write_line(w, "static const int %s_%s%d_order[] = {%s};", w->options->name, role, number, text_string(&order));
    text_free(&dims);
    text_free(&order);
}

void write_arrays(Writer *w, const char *role, int n, const KInterface *leaves) {
    const char *name = w->options->name;
    for (int i = 0; i < n; i++) write_dims(w, role, i, leaves[i].shape);
    if (!n) return;
    write_line(w, "static const %s %s_%s[] = {", use_symbol(w, "hlocc_array"), name, role);
    for (int i = 0; i < n; i++) {
        const Shape *s = leaves[i].shape;
        const char *dims = s->rank ? arena_printf(w->arena, "%s_%s%d_dims", name, role, i) : "NULL";
        const char *order = s->rank ? arena_printf(w->arena, "%s_%s%d_order", name, role, i) : "NULL";
        write_line(w, "    {\"%s\", \"%s\", %d, %s, %s, %lld, %d},", leaves[i].name, dtype_name(s->dtype), s->rank,
                   dims, order, (long long)shape_bytes(s), leaves[i].alias);
    }
    write_line(w, "};");
}

void write_signature(Writer *w) {
    const KProgram *p = w->program;
    const char *name = w->options->name;
    const ModuleAttrs *attrs = &p->module->attrs;
    write_arrays(w, "inputs", p->inputs.n, p->inputs.at);
    write_arrays(w, "results", p->outputs.n, p->outputs.at);
    write_line(w,
               "const %s %s_signature = {\"%s\", %d, %d, %s, %s, %lld, %lld, %s_call, %s_workspace_bytes, \"%s-lm\"};",
               use_symbol(w, "hlocc_signature"), name, name, p->inputs.n, p->outputs.n,
               p->inputs.n ? arena_printf(w->arena, "%s_inputs", name) : "NULL",
               p->outputs.n ? arena_printf(w->arena, "%s_results", name) : "NULL", (long long)attrs->replica_count,
               (long long)attrs->num_partitions, name, name,
               p->devices > 1               ? "-lhlocc-rt -pthread "
               : w->options->self_contained ? ""
                                            : "-lhlocc-rt ");
}
