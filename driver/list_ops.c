#include "driver/list_ops.h"

#include "driver/diag_json.h"
#include "ir/op.h"

static const char *operands_text(int operands) {
    switch (operands) {
    case OPERANDS_ANY: return "any";
    case OPERANDS_EVEN: return "2, 4, ...";
    case OPERANDS_ODD: return "3, 5, ...";
    case OPERANDS_MIN1: return "1 or more";
    case OPERANDS_MIN2: return "2 or more";
    default: return NULL;
    }
}

static void list_row(Text *out, Op op) {
    size_t start = out->n;
    const char *several = operands_text(op_operands(op));
    text_printf(out, "%-28s %-4s %-4s ", op_name(op), op_is_compiled(op) ? "yes" : "-",
                op_is_evaluated(op) ? "yes" : "-");
    if (several) text_printf(out, "%-10s", several);
    else text_printf(out, "%-10d", op_operands(op));
    for (const int *attr = op_attrs(op); *attr >= 0; attr++) {
        bool required = *attr & ATTR_REQUIRED;
        text_printf(out, required ? " %s" : " [%s]", attr_name((AttrId)(*attr & ~ATTR_REQUIRED)));
    }
    while (out->n > start && out->at[out->n - 1] == ' ') out->n--;
    text_char(out, '\n');
}

static void list_row_json(Text *out, Op op) {
    int operands = op_operands(op);
    text_put(out, "{\"opcode\": ");
    json_string(out, op_name(op));
    text_printf(out, ", \"operands\": %d, \"compiled\": %s, \"evaluated\": %s, \"attributes\": [",
                operands < 0 ? -1 : operands, op_is_compiled(op) ? "true" : "false",
                op_is_evaluated(op) ? "true" : "false");
    for (const int *attr = op_attrs(op); *attr >= 0; attr++) {
        if (attr > op_attrs(op)) text_put(out, ", ");
        text_put(out, "{\"name\": ");
        json_string(out, attr_name((AttrId)(*attr & ~ATTR_REQUIRED)));
        text_printf(out, ", \"required\": %s}", *attr & ATTR_REQUIRED ? "true" : "false");
    }
    text_put(out, "]}");
}

void list_ops(Text *out, bool json) {
    if (!json) text_printf(out, "%-28s %-4s %-4s %-10s %s\n", "opcode", "C", "eval", "operands", "attributes");
    for (int i = 0; i < N_OPS; i++) {
        if (json) text_put(out, i ? ",\n " : "[");
        if (json) list_row_json(out, (Op)i);
        else list_row(out, (Op)i);
    }
    if (json) text_put(out, "]\n");
}
