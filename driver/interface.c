#include "driver/interface.h"

typedef VEC(const Shape *) Shapes;

static void add_leaves(Arena *arena, const Shape *shape, Shapes *out) {
    for (int k = 0, n = shape_leaves(shape); k < n; k++)
        if (shape_is_array(shape_leaf(shape, k))) vec_push(arena, out, shape_leaf(shape, k));
}

Interface interface_of(Arena *arena, const Module *module) {
    const ModuleAttrs *attrs = &module->attrs;
    Shapes inputs = {0}, outputs = {0};
    for (int k = 0; k < attrs->n_entry_parameters; k++) add_leaves(arena, attrs->entry_parameters[k], &inputs);
    add_leaves(arena, attrs->entry_result, &outputs);
    int64_t replicas = attrs->replica_count > 0 ? attrs->replica_count : 1;
    int64_t partitions = attrs->num_partitions > 0 ? attrs->num_partitions : 1;
    return (Interface){
        .module = module,
        .n_inputs = inputs.n,
        .n_outputs = outputs.n,
        .inputs = inputs.at,
        .outputs = outputs.at,
        .devices = replicas * partitions,
    };
}

/* Takes literals from the front of *leaves. */
static Literal *gather_leaves(Arena *arena, const Shape *shape, Literal *const **leaves) {
    if (shape_is_array(shape)) return *(*leaves)++;
    Literal *literal = literal_new(arena, shape);
    for (int i = 0; shape_is_tuple(shape) && i < shape->n_elements; i++)
        literal->elements[i] = gather_leaves(arena, shape->elements[i], leaves);
    return literal;
}

const Literal *const *interface_arguments(Arena *arena, const Interface *interface, Literal *const *inputs) {
    const Computation *entry = interface->module->entry;
    const Literal **arguments = NEW_ARRAY(arena, const Literal *, entry->n_parameters);
    for (int k = 0; k < entry->n_parameters; k++)
        arguments[k] = gather_leaves(arena, entry->parameters[k]->shape, &inputs);
    return arguments;
}

static void scatter_leaves(Literal *value, Literal ***out) {
    if (shape_is_array(value->shape)) *(*out)++ = value;
    for (int i = 0; shape_is_tuple(value->shape) && i < value->shape->n_elements; i++)
        scatter_leaves(value->elements[i], out);
}

Literal *const *interface_results(Arena *arena, const Interface *interface, Literal *value) {
    Literal **outputs = NEW_ARRAY(arena, Literal *, interface->n_outputs), **end = outputs;
    scatter_leaves(value, &end);
    return outputs;
}
