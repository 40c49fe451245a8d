#include "passes/lower/lower.h"

#include <string.h>

#include "passes/lower/host.h"

/* The entry: its interface, its steps, its results. */

/* The layout at the interface: entry_computation_layout's, else the shape's own. */
static const Shape *interface_shape(const Shape *layout, const Shape *own, int leaf) {
    const Shape *shape = layout && shape_leaves(layout) > leaf ? shape_leaf(layout, leaf) : shape_leaf(own, leaf);
    return shape;
}

static const char *parameter_name(Lowering *low, Emitter *e, const Instr *parameter, int leaf) {
    const char *base = identifier_of(low->arena, parameter->name, true), *op_name_text = instr_op_name(parameter);
    bool says_nothing = strncmp(base, "Arg_", 4) == 0 || strncmp(base, "param", 5) == 0 || strncmp(base, "p_", 2) == 0;
    if (says_nothing && op_name_text && *op_name_text) base = identifier_of(low->arena, op_name_text, false);
    if (shape_is_tuple(parameter->shape)) base = arena_printf(low->arena, "%s_%d", base, leaf);
    return emit_name(e, base);
}

/* JAX writes the path of a parameter within its tree as op_name. */
static const char *parameter_path(Arena *arena, const Instr *parameter, int leaf) {
    const char *path = instr_op_name(parameter);
    if (!path || !*path) return NULL;
    return shape_is_tuple(parameter->shape) ? arena_printf(arena, "%s, leaf %d", path, leaf) : path;
}

static void add_input(Lowering *low, Frame *frame, Instr *parameter, int leaf) {
    const ModuleAttrs *attrs = &low->module->attrs;
    const Shape *layout = parameter->parameter_number < attrs->n_entry_parameters
                              ? attrs->entry_parameters[parameter->parameter_number] : NULL;
    const Shape *shape = interface_shape(layout, parameter->shape, leaf);
    if (shape->dtype == DT_TOKEN) return;
    KBuffer *buffer =
        kbuffer_new(low->program, frame->host->func, KBUFFER_ARGUMENT,
                    parameter_name(low, frame->host->emitter, parameter, leaf), shape->dtype, shape_elements(shape));
    buffer->shape = shape;
    buffer->from = parameter;
    vec_push(low->arena, &frame->host->func->params, (KParam){KPARAM_BUFFER, buffer, NULL});
    vec_push(low->arena, &low->program->inputs,
             (KInterface){buffer->name, parameter_path(low->arena, parameter, leaf), shape, buffer, -1});
    frame_set(frame, parameter, leaf, (HostValue){.place = {buffer, shape, 0, false}, .shape = shape, .shared = true});
}

static void add_outputs(Lowering *low, Frame *frame) {
    const Instr *root = frame->computation->root;
    for (int leaf = 0; leaf < shape_leaves(root->shape); leaf++) {
        const Shape *shape = interface_shape(low->module->attrs.entry_result, root->shape, leaf);
        if (shape->dtype == DT_TOKEN) continue;
        KBuffer *buffer =
            kbuffer_new(low->program, frame->host->func, KBUFFER_ARGUMENT,
                        emit_name(frame->host->emitter, arena_printf(low->arena, "out%d", low->program->outputs.n)),
                        shape->dtype, shape_elements(shape));
        buffer->shape = shape;
        buffer->written = buffer->result = true;
        vec_push(low->arena, &frame->host->func->params, (KParam){KPARAM_BUFFER, buffer, NULL});
        vec_push(low->arena, &low->program->outputs, (KInterface){buffer->name, NULL, shape, buffer, -1});
        LeafSource source = leaf_source((Instr *)root, leaf);
        frame_prefer(frame, source.instr, source.leaf, buffer, NULL, 0);
    }
}

/* A result that did not come to lie in its place is copied there: a parameter, a constant, one that stands twice. */
static void copy_results(Lowering *low, Frame *frame) {
    int output = 0;
    for (int leaf = 0; leaf < shape_leaves(frame->computation->root->shape); leaf++) {
        if (shape_leaf(frame->computation->root->shape, leaf)->dtype == DT_TOKEN) continue;
        KBuffer *buffer = low->program->outputs.at[output++].buffer;
        store_result(frame, frame->computation->root, leaf, buffer, buffer->shape);
    }
}

static Lowering *lowering_new(Arena *arena, const Module *module, LowerOptions options, Diags *diags) {
    Lowering *low = NEW(arena, Lowering);
    low->arena = arena;
    low->module = module;
    low->diags = diags;
    low->options = options;
    low->pool = index_pool_new(arena);
    low->access = access_table_new(low->pool);
    low->fuse = (FuseContext){
        arena, low->pool, low->access, options.target->l1_bytes, options.target->l2_bytes, options.optimise};
    low->program = NEW(arena, KProgram);
    low->program->arena = arena;
    low->program->module = module;
    low->program->pool = low->pool;
    low->program->devices = module->attrs.replica_count * module->attrs.num_partitions;
    low->program->vector_bytes = options.target->vector_bytes;
    return low;
}

KProgram *lower_module(Arena *arena, const Module *module, LowerOptions options, Diags *diags) {
    if (!lower_can(module, &options, diags)) return NULL;
    Lowering *low = lowering_new(arena, module, options, diags);
    Scope *host = scope_new(low, NULL, options.prefix);
    host->func->is_entry = true;
    low->host = host->emitter;
    Puller puller = {
        .low = low, .func = host->func, .emitter = host->emitter, .pool = low->pool, .access = low->access, .lanes = 1};
    Frame *frame = frame_new(low, module->entry, host, &puller);
    for (int i = 0; i < module->entry->n_parameters; i++)
        for (int leaf = 0; leaf < shape_leaves(module->entry->parameters[i]->shape); leaf++)
            add_input(low, frame, module->entry->parameters[i], leaf);
    add_outputs(low, frame);
    FrameSaved saved = frame_enter(frame);
    lower_rng_begin(frame);
    lower_steps(frame);
    copy_results(low, frame);
    frame_leave(frame, saved);
    low->program->entry = host->func;
    vec_push(arena, &low->program->funcs, host->func);
    sweep_unread(low->program);
    assign_workspace(low->program);
    kernel_check(low->program, "lower");
    return low->program;
}

/* --- --emit=fused ------------------------------------------------------------------------------------------------- */

static bool runs_in_host(const Module *module, const Computation *computation) {
    if (computation == module->entry) return true;
    for (int c = 0; c < module->computations.n; c++)
        for (int i = 0; i < module->computations.at[c]->instrs.n; i++) {
            const Instr *instr = module->computations.at[c]->instrs.at[i];
            if (instr->op != OP_WHILE && instr->op != OP_CONDITIONAL) continue;
            for (int a = 0; a < instr->attrs.n; a++) {
                AttrKind kind = attr_kind(instr->attrs.at[a].id);
                if (kind != ATTR_KIND_COMPUTATION && kind != ATTR_KIND_COMPUTATIONS) continue;
                for (int k = 0; k < instr->attrs.at[a].n_computations; k++)
                    if (instr->attrs.at[a].computations[k] == computation) return true;
            }
        }
    return false;
}

void lower_print_report(Arena *arena, const Module *module, LowerOptions options, Text *out) {
    Lowering *low = lowering_new(arena, module, options, NULL);
    for (int c = 0; c < module->computations.n; c++)
        if (runs_in_host(module, module->computations.at[c]))
            fuse_report(fuse_computation(&low->fuse, module->computations.at[c]), out);
}

void lower_print_fused(Arena *arena, const Module *module, LowerOptions options, Text *out) {
    Lowering *low = lowering_new(arena, module, options, NULL);
    for (int c = 0; c < module->computations.n; c++)
        if (runs_in_host(module, module->computations.at[c]))
            tile_print(out, fuse_computation(&low->fuse, module->computations.at[c]));
}
