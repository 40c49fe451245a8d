/* HLO IR as HLO text: modules, computations, instructions (ir/hlo.h). Attributes: hlo_print_attrs.c. */
#include "ir/hlo_print.h"

#include <string.h>

#include "base/decimal.h"

/* Words that the lexer reserves: as names they need their '%'. */
static bool is_reserved(const char *name) {
    static const char *const words[] = {"true",
                                        "false",
                                        "inf",
                                        "nan",
                                        "HloModule",
                                        "ENTRY",
                                        "ROOT",
                                        "FileNames",
                                        "FunctionNames",
                                        "FileLocations",
                                        "StackFrames",
                                        "maximal",
                                        "replicated",
                                        "manual",
                                        "unknown",
                                        "unreduced",
                                        "last_tile_dim_replicate",
                                        "shard_as",
                                        "shard_like"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i][0] == name[0] && strcmp(words[i], name) == 0) return true;
    return dtype_from_name(name, strlen(name)) != N_DTYPES;
}

void print_name(Text *out, const char *name) {
    if (is_reserved(name)) text_char(out, '%');
    text_put(out, name);
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

static void print_operands(Text *out, const Instr *instr, const HloPrintOptions *options) {
    if (instr->op == OP_PARAMETER) {
        text_put_int(out, instr->parameter_number);
    } else if (instr->op == OP_CONSTANT) {
        literal_print(out, instr->literal, options->elide_above);
    }
    for (int k = 0; k < instr->n_operands; k++) {
        if (k) text_put(out, ", ");
        print_name(out, instr->operands[k]->name);
    }
}

void hlo_print_instr(Text *out, const Instr *instr, HloPrintOptions options) {
    if (instr->parent->root == instr) text_put(out, "ROOT ");
    print_name(out, instr->name);
    text_put(out, " = ");
    shape_print(out, instr->shape, SHAPE_WRITTEN_LAYOUT);
    text_char(out, ' ');
    text_put(out, op_name(instr->op));
    text_char(out, '(');
    print_operands(out, instr, &options);
    text_char(out, ')');
    print_attrs(out, instr, &options);
}

/* ---- computations ------------------------------------------------------------------------------------------------ */

static void print_computation(Text *out, const Computation *computation, const HloPrintOptions *options) {
    if (computation->module->entry == computation) text_put(out, "ENTRY ");
    print_name(out, computation->name);
    text_put(out, " {\n");
    for (int i = 0; i < computation->instrs.n; i++) {
        text_put(out, "  ");
        hlo_print_instr(out, computation->instrs.at[i], *options);
        text_char(out, '\n');
    }
    text_char(out, '}');
    if (computation->execution_thread) {
        text_put(out, ", execution_thread=");
        print_string(out, computation->execution_thread, strlen(computation->execution_thread));
    }
    if (computation->backend_config) {
        text_put(out, ", ");
        print_attr(out, computation->backend_config);
    }
    text_char(out, '\n');
}

/* ---- modules ----------------------------------------------------------------------------------------------------- */

static void print_entry_layout(Text *out, const ModuleAttrs *attrs) {
    text_put(out, ", entry_computation_layout={(");
    for (int i = 0; i < attrs->n_entry_parameters; i++) {
        if (i) text_put(out, ", ");
        if (i && i % 5 == 0) text_printf(out, "/*index=%d*/", i);
        shape_print(out, attrs->entry_parameters[i], SHAPE_WRITTEN_LAYOUT);
    }
    text_put(out, ")->");
    shape_print(out, attrs->entry_result, SHAPE_WRITTEN_LAYOUT);
    text_char(out, '}');
}

static void print_donors(Text *out, const ModuleAttrs *attrs) {
    text_put(out, ", buffer_donor={ ");
    for (int i = 0; i < attrs->n_donors; i++) {
        text_printf(out, "%s(%lld, ", i ? ", " : "", (long long)attrs->buffer_donor[i].operand);
        print_ints(out, attrs->buffer_donor[i].operand_index);
        text_char(out, ')');
    }
    text_put(out, " }");
}

static void print_aliases(Text *out, const ModuleAttrs *attrs) {
    text_put(out, ", input_output_alias={ ");
    for (int i = 0; i < attrs->n_aliases; i++) {
        const AliasEntry *alias = &attrs->input_output_alias[i];
        if (i) text_put(out, ", ");
        print_alias(out, alias);
        text_printf(out, ", %s)", alias->kind == ALIAS_MUST ? "must-alias" : "may-alias");
    }
    text_put(out, " }");
}

static void print_text(Text *out, const char *name, const char *text) {
    if (text) text_printf(out, ", %s=%s", name, text);
}

static void print_header(Text *out, const Module *module, const HloPrintOptions *options) {
    const ModuleAttrs *attrs = &module->attrs;
    text_put(out, "HloModule ");
    print_name(out, module->name);
    if (attrs->is_scheduled) text_put(out, ", is_scheduled=true");
    if (attrs->has_aliases) print_aliases(out, attrs);
    if (attrs->has_donors) print_donors(out, attrs);
    if (attrs->alias_passthrough_params) text_put(out, ", alias_passthrough_params=true");
    if (attrs->has_entry_layout) print_entry_layout(out, attrs);
    print_text(out, attr_name(ATTR_SPMD_TO_PARAMETERS), attrs->spmd_parameters);
    print_text(out, attr_name(ATTR_SPMD_TO_OUTPUT), attrs->spmd_output);
    if (attrs->replica_count != 1) text_printf(out, ", replica_count=%lld", (long long)attrs->replica_count);
    if (attrs->num_partitions != 1) text_printf(out, ", num_partitions=%lld", (long long)attrs->num_partitions);
    if (attrs->has_frontend_attributes) {
        text_put(out, ", frontend_attributes=");
        print_dictionary(out, attrs->n_frontend_attributes, attrs->frontend_attributes);
    }
    print_text(out, attr_name(ATTR_ORIGIN_RECOVERY_TABLE), attrs->origin_recovery_table);
    print_text(out, attr_name(ATTR_DEBUG_ATTRIBUTES), attrs->debug_attributes);
    if (attrs->backend_config) {
        text_put(out, ", ");
        print_attr(out, attrs->backend_config);
    }
    text_char(out, '\n');
    if (options->metadata && attrs->stack_frames) text_printf(out, "\n%s", attrs->stack_frames);
}

void hlo_print(Text *out, const Module *module, HloPrintOptions options) {
    print_header(out, module, &options);
    for (int i = 0; i < module->computations.n; i++) {
        text_char(out, '\n');
        print_computation(out, module->computations.at[i], &options);
    }
}
