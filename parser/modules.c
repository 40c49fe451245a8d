/* Modules: the header, its tables, and the whole at its end (hlo-text-format section 2). */
#include <string.h>

#include "parser/actions.h"

void module_begin(Parser *p, TokenText name, Span span) {
    p->module = module_new(p->arena, text_copy(p, name));
    p->module->source = p->source;
    p->module->name_span = span;
    p->module->has_header = span.end != 0;
    p->header.n = 0;
    p->entry_span = (Span){0, 0};
    p->signature = NULL;
    text_clear(&p->frames);
}

/* Tokens were passed over outside of computations: forgets the value being read. */
void forget_value(Parser *p) {
    p->namings.n = p->shardings.n = p->ints.n = 0;
    p->nesting = 0;
}

/* ---- attributes of the header ------------------------------------------------------------------------------------ */

static void set_aliases(ModuleAttrs *attrs, const Attr *attr) {
    attrs->has_aliases = true;
    attrs->n_aliases = attr->n_aliases;
    attrs->input_output_alias = attr->aliasing;
}

static void set_donors(ModuleAttrs *attrs, const Attr *attr) {
    attrs->has_donors = true;
    attrs->n_donors = attr->n_aliases;
    attrs->buffer_donor = attr->aliasing;
}

static void set_entry_layout(ModuleAttrs *attrs, const Attr *attr) {
    attrs->has_entry_layout = true;
    attrs->n_entry_parameters = attr->n_shapes - 1;
    attrs->entry_parameters = attr->shapes;
    attrs->entry_result = attr->shapes[attr->n_shapes - 1];
}

static void set_frontend_attributes(ModuleAttrs *attrs, const Attr *attr) {
    attrs->has_frontend_attributes = true;
    attrs->n_frontend_attributes = attr->n_entries;
    attrs->frontend_attributes = attr->dictionary;
}

static void set_attribute(ModuleAttrs *attrs, const Attr *attr) {
    if (attr->id == ATTR_IS_SCHEDULED) attrs->is_scheduled = attr->integer;
    else if (attr->id == ATTR_INPUT_OUTPUT_ALIAS) set_aliases(attrs, attr);
    else if (attr->id == ATTR_BUFFER_DONOR) set_donors(attrs, attr);
    else if (attr->id == ATTR_ALIAS_PASSTHROUGH_PARAMS) attrs->alias_passthrough_params = attr->integer;
    else if (attr->id == ATTR_ENTRY_COMPUTATION_LAYOUT) set_entry_layout(attrs, attr);
    else if (attr->id == ATTR_SPMD_TO_PARAMETERS) attrs->spmd_parameters = attr->text;
    else if (attr->id == ATTR_SPMD_TO_OUTPUT) attrs->spmd_output = attr->text;
    else if (attr->id == ATTR_REPLICA_COUNT) attrs->replica_count = attr->integer;
    else if (attr->id == ATTR_NUM_PARTITIONS) attrs->num_partitions = attr->integer;
    else if (attr->id == ATTR_FRONTEND_ATTRIBUTES) set_frontend_attributes(attrs, attr);
    else if (attr->id == ATTR_BACKEND_CONFIG) attrs->backend_config = attr;
    else if (attr->id == ATTR_ORIGIN_RECOVERY_TABLE) attrs->origin_recovery_table = attr->text;
    else if (attr->id == ATTR_DEBUG_ATTRIBUTES) attrs->debug_attributes = attr->text;
}

/* Without entry_computation_layout the entry's own shapes are its interface. */
static void derive_entry_layout(Module *module) {
    const Computation *entry = module->entry;
    ModuleAttrs *attrs = &module->attrs;
    if (attrs->has_entry_layout || !entry || !entry->root) return;
    const Shape **shapes = NEW_ARRAY(module->arena, const Shape *, entry->n_parameters);
    for (int i = 0; i < entry->n_parameters; i++) shapes[i] = entry->parameters[i]->shape;
    attrs->n_entry_parameters = entry->n_parameters;
    attrs->entry_parameters = shapes;
    attrs->entry_result = entry->root->shape;
}

static void finish_header(Parser *p) {
    ModuleAttrs *attrs = &p->module->attrs;
    Attr *written = NEW_ARRAY(p->arena, Attr, p->header.n);
    if (p->header.n) memcpy(written, p->header.at, (size_t)p->header.n * sizeof *written);
    attrs->n_written = p->header.n;
    attrs->written = written;
    for (int i = 0; i < p->header.n; i++) set_attribute(attrs, &written[i]);
    if (p->frames.n) attrs->stack_frames = arena_string(p->arena, p->frames.at, p->frames.n);
}

void module_end(Parser *p) {
    Module *module = p->module;
    finish_header(p);
    report_missing_computations(p);
    if (!module->entry && module->computations.n) module->entry = module->computations.at[module->computations.n - 1];
    if (!module->has_header && module->entry)
        module->name = p->single ? "_" : arena_printf(p->arena, "module_%s", module->entry->name);
    derive_entry_layout(module);
    hlo_verify(module, p->diags);
    vec_push(p->arena, &p->modules, module);
    p->module = NULL;
}

void single_end(Parser *p) {
    computation_close(p, (Span){0, 0});
    computation_end(p);
    module_end(p);
}

/* ---- tables of the header ---------------------------------------------------------------------------------------- */

void frames_section(Parser *p, const char *name, AttrKind kind) {
    if (p->frames.n) {
        naming_pop(p);
        text_put(&p->frames, "\n");
    }
    naming_push(p, name, (Span){0, 0}, kind);
    text_printf(&p->frames, "%s\n", name);
}

void frames_entry(Parser *p, Span number, Span value) {
    text_printf(&p->frames, "%s\n", source_text(p, span_join(number, value)));
}

void frames_end(Parser *p) {
    naming_pop(p);
}

/* A string that holds a module of its own, which must be one. */
void recovery_module(Parser *p, TokenText text, Span span) {
    TokenText bytes = string_bytes(p, text, span);
    Diags *diags = diags_new(p->scratch, source_from_bytes(p->scratch, "recovery module", bytes.at, bytes.n));
    if (p->options.in_recovery_module || parse_modules(p->scratch, diags, (ParseOptions){.in_recovery_module = true}))
        return;
    parse_error(p, span, E_RECOVERY_MODULE, "the recovery module cannot be read");
    for (int i = 0; i < diags->list.n && i < 1; i++) parse_note(p, span, "%s", diags->list.at[i].message);
}
