#include "passes/lower/devices.h"

#include "base/codes.h"

/* op-semantics.md section 2.1: what the ids of groups count depends on channel_id and use_global_device_ids. */
typedef enum { IDS_REPLICAS, IDS_PARTITIONS, IDS_REPLICAS_ALL_PARTITIONS, IDS_DEVICES } Ids;

typedef struct {
    Arena *arena;
    int64_t replicas, partitions;
    VEC(int) sizes, members;
    int size; /* of the group being made */
} Builder;

static Ids ids_of(const Instr *instr) {
    if (!instr_attr(instr, ATTR_CHANNEL_ID)) return IDS_REPLICAS;
    if (!op_takes_attr(instr->op, ATTR_USE_GLOBAL_DEVICE_IDS)) return IDS_PARTITIONS;
    return instr_bool(instr, ATTR_USE_GLOBAL_DEVICE_IDS, false) ? IDS_DEVICES : IDS_REPLICAS_ALL_PARTITIONS;
}

static void add_device(Builder *b, int64_t replica, int64_t partition) {
    vec_push(b->arena, &b->members, (int)(replica * b->partitions + partition));
    b->size++;
}

static void end_group(Builder *b) {
    if (b->size) vec_push(b->arena, &b->sizes, b->size);
    b->size = 0;
}

static void add_group(Builder *b, Ids ids, IntList group) {
    int64_t copies = ids == IDS_REPLICAS ? b->partitions : ids == IDS_PARTITIONS ? b->replicas : 1;
    for (int64_t copy = 0; copy < copies; copy++) {
        for (int i = 0; i < group.n; i++) {
            int64_t id = group.at[i];
            if (ids == IDS_REPLICAS) add_device(b, id, copy);
            else if (ids == IDS_PARTITIONS) add_device(b, copy, id);
            else if (ids == IDS_DEVICES) add_device(b, id / b->partitions, id % b->partitions);
            for (int64_t p = 0; p < b->partitions && ids == IDS_REPLICAS_ALL_PARTITIONS; p++) add_device(b, id, p);
        }
        end_group(b);
    }
}

/* No groups: all ids are one. */
static IntList all_ids(const Builder *b, Ids ids) {
    int64_t n = ids == IDS_PARTITIONS ? b->partitions : ids == IDS_DEVICES ? b->replicas * b->partitions : b->replicas;
    int64_t *list = NEW_ARRAY(b->arena, int64_t, n);
    for (int64_t i = 0; i < n; i++) list[i] = i;
    return (IntList){(int)n, list};
}

static Builder builder_of(Arena *arena, const Instr *instr) {
    const ModuleAttrs *attrs = &instr->parent->module->attrs;
    return (Builder){.arena = arena, .replicas = attrs->replica_count, .partitions = attrs->num_partitions};
}

static DeviceGroups built(const Builder *b) {
    return (DeviceGroups){b->sizes.n, b->members.n, b->sizes.at, b->members.at};
}

DeviceGroups device_groups(Arena *arena, const Instr *collective) {
    Builder b = builder_of(arena, collective);
    Ids ids = ids_of(collective);
    const Attr *attr = instr_attr(collective, ATTR_REPLICA_GROUPS);
    for (int g = 0; attr && g < attr->groups->n; g++) add_group(&b, ids, attr->groups->groups[g]);
    if (!b.sizes.n) add_group(&b, ids, all_ids(&b, ids));
    return built(&b);
}

DeviceGroups device_pairs(Arena *arena, const Instr *collective) {
    Builder b = builder_of(arena, collective);
    if (collective->op != OP_COLLECTIVE_PERMUTE) {
        Ids both = b.partitions > 1 ? IDS_PARTITIONS : IDS_REPLICAS;
        IntList list = instr_transfer_pairs(arena, collective);
        for (int i = 0; i < list.n; i += 2) add_group(&b, both, (IntList){2, list.at + i});
        return built(&b);
    }
    const Attr *pairs = instr_attr(collective, ATTR_SOURCE_TARGET_PAIRS);
    Ids ids = instr_attr(collective, ATTR_CHANNEL_ID) ? IDS_PARTITIONS : IDS_REPLICAS;
    for (int i = 0; pairs && i < pairs->n_lists; i++) add_group(&b, ids, pairs->lists[i]);
    return built(&b);
}

/* An id in its groups or pairs for which the module has no device; -1: none. */
static int64_t missing_device(const Instr *collective) {
    Builder b = builder_of(NULL, collective);
    const Attr *groups = instr_attr(collective, ATTR_REPLICA_GROUPS),
               *pairs = instr_attr(collective, ATTR_SOURCE_TARGET_PAIRS);
    const IntList *lists = groups ? groups->groups->groups : pairs ? pairs->lists : NULL;
    int n_lists = groups ? groups->groups->n : pairs ? pairs->n_lists : 0;
    Ids ids = ids_of(collective);
    int64_t n = ids == IDS_PARTITIONS ? b.partitions : ids == IDS_DEVICES ? b.replicas * b.partitions : b.replicas;
    for (int g = 0; g < n_lists; g++)
        for (int i = 0; i < lists[g].n; i++)
            if (lists[g].at[i] >= n) return lists[g].at[i];
    return -1;
}

bool devices_are_there(const Module *module, Diags *diags) {
    int before = diags->n_errors;
    for (int c = 0; c < module->computations.n; c++)
        for (int i = 0; i < module->computations.at[c]->instrs.n; i++) {
            const Instr *instr = module->computations.at[c]->instrs.at[i];
            AttrId id = instr_attr(instr, ATTR_SOURCE_TARGET_PAIRS) ? ATTR_SOURCE_TARGET_PAIRS : ATTR_REPLICA_GROUPS;
            int64_t missing = missing_device(instr);
            if (missing < 0) continue;
            diag_error(diags, instr_attr(instr, id)->name, E_GROUPS,
                       "'%s' names %lld, which the module has no device for: its header needs replica_count or "
                       "num_partitions", attr_name(id), (long long)missing);
        }
    return diags->n_errors == before;
}
