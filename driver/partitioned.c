#include "driver/partitioned.h"

#include <string.h>

#include "base/codes.h"
#include "driver/notes.h"

static const char *target_of(const Instr *instr) {
    const char *target = instr->op == OP_CUSTOM_CALL ? instr_string(instr, ATTR_CUSTOM_CALL_TARGET) : NULL;
    return target ? target : "";
}

static bool goes_to_shards(const char *target) {
    static const char *const targets[] = {"SPMDFullToShardShape", "SPMDShardToFullShape", "xla.sdy.GlobalToLocalShape",
                                          "xla.sdy.LocalToGlobalShape"};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        if (strcmp(target, targets[i]) == 0) return true;
    return false;
}

static bool is_sharding(const char *target) {
    return strcmp(target, "Sharding") == 0 || strncmp(target, "xla.sdy.", 8) == 0 || goes_to_shards(target);
}

static bool has_meshes(const Module *module) {
    for (int i = 0; i < module->attrs.n_frontend_attributes; i++)
        if (strcmp(module->attrs.frontend_attributes[i].key, "xla.sdy.meshes") == 0) return true;
    return false;
}

static bool has_sharding_call(const Module *module) {
    for (int c = 0; c < module->computations.n; c++)
        for (int i = 0; i < module->computations.at[c]->instrs.n; i++)
            if (is_sharding(target_of(module->computations.at[c]->instrs.at[i]))) return true;
    return false;
}

static bool was_partitioned(const Module *module, PartitionedMode mode) {
    if (mode != PARTITIONED_AUTO) return mode == PARTITIONED_YES;
    if (module->source && notes_read(module->source->bytes).unpartitioned) return false;
    return !has_meshes(module) && !has_sharding_call(module);
}

/* Between whole arrays and shards lies the partitioner's work. */
static void refuse_shard_shapes(const Module *module, Diags *diags) {
    for (int c = 0; c < module->computations.n; c++)
        for (int i = 0; i < module->computations.at[c]->instrs.n; i++) {
            const Instr *instr = module->computations.at[c]->instrs.at[i];
            if (!goes_to_shards(target_of(instr)) || instr->n_operands != 1) continue;
            const Shape *from = instr->operands[0]->shape, *to = instr->shape;
            if (shapes_compatible(from, to)) continue;
            diag_error(diags, instr->op_span, E_NOT_COMPILED,
                       "'%s' makes %s of %s: the module was not partitioned; dump it after XLA's SPMD partitioner",
                           target_of(instr),
                       shape_text(module->arena, to), shape_text(module->arena, from));
        }
}

bool module_settle_partitions(Module *module, PartitionedMode mode, Diags *diags) {
    ModuleAttrs *attrs = &module->attrs;
    int before = diags->n_errors;
    refuse_shard_shapes(module, diags);
    if (attrs->num_partitions > 1 && !was_partitioned(module, mode)) {
        attrs->advised_partitions = attrs->num_partitions;
        attrs->num_partitions = 1;
    }
    return diags->n_errors == before;
}
