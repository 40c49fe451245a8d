#include "passes/expand/expand.h"

/* Values of type b(array), which Pin and CreateBuffer make, are their arrays: how often they are copied is ours to
 * plan. */

static bool holds_buffer(const Shape *shape) {
    if (shape->dtype == DT_BUFFER) return true;
    for (int k = 0; k < shape->n_elements; k++)
        if (holds_buffer(shape->elements[k])) return true;
    return false;
}

static const Shape *without_buffers(Arena *arena, const Shape *shape) {
    if (shape->dtype == DT_BUFFER) return shape->elements[0];
    if (!holds_buffer(shape)) return shape;
    const Shape **elements = NEW_ARRAY(arena, const Shape *, shape->n_elements);
    for (int k = 0; k < shape->n_elements; k++) elements[k] = without_buffers(arena, shape->elements[k]);
    return shape_tuple(arena, shape->n_elements, elements);
}

void unwrap_buffers(Module *module) {
    ModuleAttrs *attrs = &module->attrs;
    for (int c = 0; c < module->computations.n; c++)
        for (int i = 0; i < module->computations.at[c]->instrs.n; i++) {
            Instr *instr = module->computations.at[c]->instrs.at[i];
            instr->shape = without_buffers(module->arena, instr->shape);
        }
    if (attrs->entry_result) attrs->entry_result = without_buffers(module->arena, attrs->entry_result);
    const Shape **parameters = NEW_ARRAY(module->arena, const Shape *, attrs->n_entry_parameters);
    for (int k = 0; k < attrs->n_entry_parameters; k++)
        parameters[k] = without_buffers(module->arena, attrs->entry_parameters[k]);
    attrs->entry_parameters = parameters;
}
