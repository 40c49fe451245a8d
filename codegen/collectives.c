#include <string.h>

#include "codegen/writer.h"

/* Operations between devices: their constant data, and the statements that run them. */

static void write_ints(Writer *w, const char *name, int n, const int *list) {
    Text text = {0};
    for (int i = 0; i < n; i++) text_printf(&text, "%s%d", i ? ", " : "", list[i]);
    write_line(w, "static const int %s[] = {%s};", name, text_string(&text));
    text_free(&text);
}

/* Equal lists are written once. */
static const char *ints_name(Writer *w, StringTable *known, const char *what, int n, const int *list) {
    if (!n) return "NULL";
    size_t size = (size_t)n * sizeof *list;
    const char *same = string_table_get(known, (const char *)list, size);
    if (same) return same;
    const char *name = arena_printf(w->arena, "%s_%s_%d", w->options->name, what, ++w->n_lists);
    write_ints(w, name, n, list);
    string_table_put(w->arena, known, (const char *)list, size, (void *)name);
    return name;
}

/* The runtime knows arrays as void pointers. */
static const char *combiner_name(Writer *w, StringTable *known, const KFunc *combine) {
    if (!combine) return "NULL";
    const char *name = arena_printf(w->arena, "%s_any", combine->name);
    if (string_table_get(known, name, strlen(name))) return name;
    string_table_put(w->arena, known, name, strlen(name), (void *)name);
    write_line(w, "static void %s(void *sum, const void *next, ptrdiff_t n) {", name);
    w->indent++;
    write_line(w, "%s(sum, next, n);", combine->name);
    w->indent--;
    write_line(w, "}\n");
    return name;
}

static void write_operands(Writer *w, StringTable *known, const KCollective *c) {
    const char **combiners = NEW_ARRAY(w->arena, const char *, c->n_operands);
    for (int k = 0; k < c->n_operands; k++) combiners[k] = combiner_name(w, known, c->operands[k].combine);
    write_line(w, "static const %s %s_operands[] = {", use_symbol(w, "hlocc_operand"), c->name);
    for (int k = 0; k < c->n_operands; k++) {
        const KCollectiveOperand *o = &c->operands[k];
        write_line(w, "    {%lld, %lld, %lld, %s, %s, '%c'},", (long long)o->element, (long long)o->outer,
                   (long long)o->piece,
                   combiners[k], use_symbol(w, "%s", o->reduction), o->type);
    }
    write_line(w, "};");
}

void write_collectives(Writer *w) {
    StringTable lists = {0}, combiners = {0};
    for (int i = 0; i < w->program->collectives.n; i++) {
        const KCollective *c = w->program->collectives.at[i];
        const char *sizes = ints_name(w, &lists, "groups", c->n_groups, c->sizes);
        const char *members = ints_name(w, &lists, "groups", c->n_members, c->members);
        Text text = {0};
        hlo_print_instr(&text, c->instr, (HloPrintOptions){.metadata = false});
        write_comment(w, text_string(&text));
        text_free(&text);
        write_operands(w, &combiners, c);
        write_line(w, "static const %s %s = {\"%s\", UINT64_C(0x%llx), %s, %d, %s, %s, %d, %s_operands, %d, %lld};\n",
                   use_symbol(w, "hlocc_collective"), c->name, c->instr->name, (unsigned long long)c->id,
                   use_symbol(w, "%s", c->kind), c->n_groups, sizes, members, c->n_operands, c->name, c->dynamic_root,
                   (long long)c->channel);
    }
}

const char *pointer_list(Writer *w, const KArgument *arguments, int n, bool results) {
    if (!n) return "NULL";
    Text text = {0};
    text_printf(&text, "(%svoid *const[]){", results ? "" : "const ");
    for (int i = 0; i < n; i++) text_printf(&text, "%s%s", i ? ", " : "",
                                            address_of(w, arguments[i].buffer, arguments[i].index));
    text_char(&text, '}');
    const char *list = arena_string(w->arena, text_string(&text), text.n);
    text_free(&text);
    return list;
}

void write_collective(Writer *w, const KStmt *stmt) {
    int n = stmt->n_arguments - stmt->n_results;
    const char *in = pointer_list(w, stmt->arguments, n, false);
    const char *out = pointer_list(w, stmt->arguments + n, stmt->n_results, true);
    static const char *const functions[] = {"hlocc_comm_run", "hlocc_comm_start", "hlocc_comm_finish"};
    write_line(w, "error = %s(ctx, &%s, %s, %s);", use_symbol(w, "%s", functions[stmt->phase]), stmt->collective->name,
               in, out);
    write_line(w, "if (error) return error;");
}

/* At the head of the entry: a communicator of the right size, and which device this is. */
void write_devices(Writer *w) {
    const KProgram *p = w->program;
    if (p->devices < 2) {
        if (p->may_fail) write_line(w, "int error = %s;", use_symbol(w, "HLOCC_OK"));
        return;
    }
    write_line(w, "%sint error = %s(ctx, %lld, \"%s\");", p->collectives.n || p->may_fail ? "" : "const ",
               use_symbol(w, "hlocc_comm_check"),
               (long long)p->devices, w->options->name);
    write_line(w, "if (error) return error;");
    if (p->device) write_line(w, "const uint32_t %s = (uint32_t)%s(ctx);", p->device->name,
                              use_symbol(w, "hlocc_comm_device"));
}
