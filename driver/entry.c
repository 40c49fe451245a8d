#include "driver/entry.h"

#include <string.h>

static void report_unknown(const Module *module, const char *name, Diags *diags) {
    const char **names = NEW_ARRAY(module->arena, const char *, module->computations.n);
    for (int i = 0; i < module->computations.n; i++) names[i] = module->computations.at[i]->name;
    const char *nearest = nearest_word(name, names, module->computations.n);
    Span nowhere = {0, 0};
    if (nearest)
        diag_error(diags, nowhere, NULL, "--entry: no computation '%s'; did you mean '%s'?", name, nearest);
    else diag_error(diags, nowhere, NULL, "--entry: no computation '%s'", name);
}

bool module_choose_entry(Module *module, const char *name, Diags *diags) {
    if (*name == '%') name++;
    Computation *entry = NULL;
    for (int i = 0; i < module->computations.n && !entry; i++)
        if (strcmp(module->computations.at[i]->name, name) == 0) entry = module->computations.at[i];
    if (!entry) {
        report_unknown(module, name, diags);
        return false;
    }
    if (entry == module->entry) return true;
    module->entry = entry;
    ModuleAttrs *attrs = &module->attrs;
    const Shape **parameters = NEW_ARRAY(module->arena, const Shape *, entry->n_parameters);
    for (int k = 0; k < entry->n_parameters; k++) parameters[k] = entry->parameters[k]->shape;
    attrs->n_entry_parameters = entry->n_parameters;
    attrs->entry_parameters = parameters;
    attrs->entry_result = entry->root->shape;
    attrs->has_entry_layout = attrs->has_aliases = attrs->has_donors = false;
    attrs->n_aliases = attrs->n_donors = 0;
    attrs->spmd_parameters = attrs->spmd_output = NULL;
    return true;
}
