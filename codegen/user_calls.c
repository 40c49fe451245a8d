#include <string.h>

#include "codegen/writer.h"

/* Custom calls of the user's functions (--custom-call): what a call is, as data; prototypes; the statement. */

static void write_leaves(Writer *w, const KUserCall *call, const char *role, int first, int n) {
    KInterface *leaves = NEW_ARRAY(w->arena, KInterface, n);
    for (int i = 0; i < n; i++)
        leaves[i] = (KInterface){arena_printf(w->arena, "%s%d", role, i), NULL, call->shapes[first + i], NULL, -1};
    write_arrays(w, arena_printf(w->arena, "%s_%s", call->name, role), n, leaves);
}

static const char *leaves_name(Writer *w, const KUserCall *call, const char *role, int n) {
    return n ? arena_printf(w->arena, "%s_%s_%s", w->options->name, call->name, role) : "NULL";
}

/* Text as a string of C. */
static void put_string(Text *out, const char *text) {
    text_char(out, '"');
    for (; text && *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < ' ' || c > '~' || c == '?') text_printf(out, "\\%03o", c);
        else if (c == '"' || c == '\\') text_printf(out, "\\%c", c);
        else text_char(out, *text);
    }
    text_char(out, '"');
}

void write_user_calls(Writer *w) {
    for (int i = 0; i < w->program->user_calls.n; i++) {
        const KUserCall *call = w->program->user_calls.at[i];
        Text strings = {0};
        write_leaves(w, call, "in", 0, call->n_operands);
        write_leaves(w, call, "out", call->n_operands, call->n_results);
        put_string(&strings, instr_string(call->instr, ATTR_CUSTOM_CALL_TARGET));
        text_put(&strings, ", ");
        put_string(&strings, instr_string(call->instr, ATTR_BACKEND_CONFIG));
        write_line(w, "static const %s %s = {%s, %d, %d, %s, %s};\n", use_symbol(w, "hlocc_call"), call->name,
                   text_string(&strings), call->n_operands, call->n_results,
                   leaves_name(w, call, "in", call->n_operands), leaves_name(w, call, "out", call->n_results));
        text_free(&strings);
    }
}

void write_user_call(Writer *w, const KStmt *stmt) {
    int n = stmt->n_arguments - stmt->n_results;
    const char *in = pointer_list(w, stmt->arguments, n, false);
    const char *out = pointer_list(w, stmt->arguments + n, stmt->n_results, true);
    write_line(w, "if ((error = %s(&%s, %s, %s, ctx))) return error;", stmt->user_call->function, stmt->user_call->name,
               in, out);
}

/* A line for each call of the function. */
static void print_calls(Text *out, const KProgram *p, const char *function) {
    for (int i = 0; i < p->user_calls.n; i++) {
        const KUserCall *call = p->user_calls.at[i];
        if (strcmp(call->function, function) != 0) continue;
        text_printf(out, " *   %s: (", call->instr->name);
        for (int k = 0; k < call->n_operands + call->n_results; k++) {
            if (k) text_put(out, k == call->n_operands ? ") -> (" : ", ");
            else if (!call->n_operands) text_put(out, ") -> (");
            shape_print(out, call->shapes[k], SHAPE_LAYOUT);
        }
        text_put(out, ")\n");
    }
}

void write_user_prototypes(Text *out, const KProgram *p) {
    for (int i = 0; i < p->user_calls.n; i++) {
        const KUserCall *call = p->user_calls.at[i];
        bool again = false;
        for (int k = 0; k < i; k++) again |= strcmp(p->user_calls.at[k]->function, call->function) == 0;
        if (again) continue;
        text_put(out, "/* Yours to define: called for these custom calls, whose shapes and backend_config are in call. "
                      "Arrays are dense,\n"
                      " * in the layouts shown; in and out do not overlap. Returns 0, or an error code that ends the "
                      "program's call.\n");
        print_calls(out, p, call->function);
        text_printf(out,
                    " */\nint %s(const hlocc_call *call, const void *const in[], void *const out[], const "
                    "hlocc_context *ctx);\n\n",
                    call->function);
    }
}
