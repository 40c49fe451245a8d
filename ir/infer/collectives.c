/* Shapes of collectives, and their groups (op-semantics section 2). */
#include "ir/infer/infer.h"

/* ---- groups ------------------------------------------------------------------------------------------------------ */

/* What the ids of groups count. */
typedef struct {
    const char *what;     /* "replicas", "partitions", "devices" */
    int64_t n;            /* how many there are; -1: the header does not say */
    int64_t ranks_per_id; /* participants for each id of a group */
    bool needs_groups;
} GroupMode;

/* A count of 1 may only mean that the header says nothing. */
static int64_t known_count(int64_t count) {
    return count == 1 ? -1 : count;
}

static GroupMode group_mode(Infer *f) {
    int64_t replicas = f->module->attrs.replica_count, partitions = f->module->attrs.num_partitions;
    bool channel = instr_attr(f->instr, ATTR_CHANNEL_ID) != NULL,
         global = instr_bool(f->instr, ATTR_USE_GLOBAL_DEVICE_IDS, false);
    bool knows_global = op_takes_attr(f->instr->op, ATTR_USE_GLOBAL_DEVICE_IDS);
    GroupMode mode = {"replicas", known_count(replicas), 1, false};
    if (channel && !knows_global) mode = (GroupMode){"partitions", known_count(partitions), 1, false};
    else if (channel && global) mode = (GroupMode){"devices", known_count(replicas * partitions), 1, true};
    else if (channel) mode.ranks_per_id = partitions;
    return mode;
}

static bool need_channel_for_global_ids(Infer *f) {
    if (!instr_bool(f->instr, ATTR_USE_GLOBAL_DEVICE_IDS, false) || instr_int(f->instr, ATTR_CHANNEL_ID, 0) > 0)
        return true;
    if (instr_attr(f->instr, ATTR_CHANNEL_ID))
        return refuse_attr(f, ATTR_CHANNEL_ID, E_GROUPS, "'use_global_device_ids' needs a channel_id of at least 1");
    return refuse_attr(f, ATTR_USE_GLOBAL_DEVICE_IDS, E_GROUPS, "'use_global_device_ids' needs a channel_id");
}

/* Every id stands once, and unless some may be missing all of them stand in some group. */
static bool need_each_id_once(Infer *f, const ReplicaGroups *groups, const GroupMode *mode, bool some_missing) {
    KeyTable seen = {0};
    int64_t n_ids = 0;
    for (int g = 0; g < groups->n; g++) n_ids += groups->groups[g].n;
    int64_t n = mode->n >= 0 ? mode->n : some_missing ? INT64_MAX : n_ids;
    for (int g = 0; g < groups->n; g++)
        for (int i = 0; i < groups->groups[g].n; i++) {
            int64_t id = groups->groups[g].at[i];
            if (id < 0 || id >= n)
                return refuse_attr(f, ATTR_REPLICA_GROUPS, E_GROUPS,
                                   "'replica_groups' names %lld, but there are %lld %s, numbered from 0", (long long)id,
                                   (long long)n, mode->what);
            if (key_table_get(&seen, (uint64_t)id))
                return refuse_attr(f, ATTR_REPLICA_GROUPS, E_GROUPS, "'replica_groups' names %lld twice",
                                   (long long)id);
            key_table_put(f->arena, &seen, (uint64_t)id, f);
        }
    if (some_missing || n_ids == n) return true;
    int64_t missing = 0;
    while (key_table_get(&seen, (uint64_t)missing)) missing++;
    return refuse_attr(f, ATTR_REPLICA_GROUPS, E_GROUPS, "'replica_groups' leaves out %lld of %lld %s",
                       (long long)missing, (long long)n, mode->what);
}

typedef enum { GROUPS_ANY = 0, GROUPS_EQUAL = 1, GROUPS_PARTIAL = 2 } GroupDemand;

/* Ranks in a group; -1: not known, as when the header tells no counts; 0: reported. */
static int64_t need_groups(Infer *f, GroupDemand demand) {
    const Attr *attr = instr_attr(f->instr, ATTR_REPLICA_GROUPS);
    const ReplicaGroups *groups = attr ? attr->groups : NULL;
    if (!need_channel_for_global_ids(f)) return 0;
    GroupMode mode = group_mode(f);
    bool empty = !groups || groups->n == 0 || (groups->n == 1 && groups->groups[0].n == 0);
    if (empty) {
        if (mode.needs_groups && groups) {
            refuse_attr(f, ATTR_REPLICA_GROUPS, E_GROUPS,
                        "'replica_groups' cannot be empty with use_global_device_ids");
            return 0;
        }
        return mode.n < 0 ? -1 : mode.n * mode.ranks_per_id;
    }
    for (int g = 0; g < groups->n; g++)
        if (groups->groups[g].n == 0) {
            refuse_attr(f, ATTR_REPLICA_GROUPS, E_GROUPS, "'replica_groups' has an empty group");
            return 0;
        }
    if (!need_each_id_once(f, groups, &mode, demand & GROUPS_PARTIAL)) return 0;
    for (int g = 1; g < groups->n && demand & GROUPS_EQUAL; g++)
        if (groups->groups[g].n != groups->groups[0].n) {
            refuse_attr(f, ATTR_REPLICA_GROUPS, E_GROUPS, "'replica_groups' of '%s' are of equal size, not %d and %d",
                        opcode(f), groups->groups[0].n, groups->groups[g].n);
            return 0;
        }
    return groups->groups[0].n * mode.ranks_per_id;
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

/* Operand shapes: one as itself, several as a tuple. */
static const Shape *operands_shape(Infer *f, int n) {
    const Shape **shapes = NEW_ARRAY(f->arena, const Shape *, n);
    for (int k = 0; k < n; k++) shapes[k] = operand(f, k);
    return n == 1 ? shapes[0] : shape_tuple(f->arena, n, shapes);
}

static bool need_arrays(Infer *f) {
    for (int k = 0; k < f->instr->n_operands; k++)
        if (!need_array(f, k)) return false;
    return true;
}

/* Element i of what is declared for the operands' results. */
static const Shape *declared_part(const Shape *declared, int i, int n) {
    if (!declared || n == 1) return declared;
    return shape_is_tuple(declared) && i < declared->n_elements ? declared->elements[i] : NULL;
}

static const Shape *with_size(Infer *f, const Shape *shape, int dim, int64_t size) {
    Sizes sizes = {0};
    for (int d = 0; d < shape->rank; d++) vec_push(f->arena, &sizes, d == dim ? size : shape->dims[d]);
    return array_of(f, shape->dtype, &sizes);
}

/* A reducer of two scalars, of the operands' type where they have one. */
static bool need_combiner(Infer *f) {
    const Computation *computation = callee(f, ATTR_TO_APPLY);
    if (!computation) return true;
    bool fits = computation->n_parameters == 2 && computation->root->shape->rank == 0 &&
                shape_is_array(computation->root->shape);
    for (int i = 0; fits && i < 2; i++)
        fits = !computation->parameters[i]->shape ||
               shapes_agree(computation->parameters[i]->shape, computation->root->shape);
    if (!fits)
        return refuse_attr(f, ATTR_TO_APPLY, E_CALLEE, "'%s' combines two scalars into one, which '%s' does not",
                           opcode(f), computation->name);
    for (int k = 0; k < f->instr->n_operands; k++)
        if (operand(f, k)->dtype != operand(f, 0)->dtype) return true;
    DType dtype = operand(f, 0)->dtype, combined = computation->root->shape->dtype;
    if (dtype == combined || (dtype_is_float(dtype) && dtype_is_float(combined))) return true;
    return refuse_attr(f, ATTR_TO_APPLY, E_CALLEE, "'%s' combines values of %s, but '%s' those of %s", opcode(f),
                       dtype_name(dtype), computation->name, dtype_name(combined));
}

/* ---- all-gather, all-reduce, reduce-scatter ---------------------------------------------------------------------- */

/* Results of a gather; declared: what the text says, for a group of unknown size. */
static const Shape *gathered(Infer *f, const Shape *declared) {
    int n = f->instr->n_operands;
    if (!need_arrays(f)) return NULL;
    int64_t ranks = need_groups(f, GROUPS_EQUAL);
    if (!ranks) return NULL;
    const Shape **results = NEW_ARRAY(f->arena, const Shape *, n);
    for (int k = 0; k < n; k++) {
        const Shape *part = operand(f, k), *said = declared_part(declared, k, n);
        int dim = the_dim(f, ATTR_DIMENSIONS, part->rank);
        if (dim < 0) return NULL;
        int64_t size = part->dims[dim];
        bool known = ranks > 0 && size >= 0 && size <= INT64_MAX / ranks;
        int64_t said_size = said && shape_is_array(said) && said->rank == part->rank ? said->dims[dim] : size;
        results[k] = with_size(f, part, dim, known ? size * ranks : said_size);
    }
    return n == 1 ? results[0] : shape_tuple(f->arena, n, results);
}

INFER(all_gather) {
    return gathered(f, f->instr->shape);
}

INFER(all_gather_start) {
    const Shape *shape = f->instr->shape;
    bool fits = shape_is_tuple(shape) && shape->n_elements >= 2;
    if (!fits)
        return refuse_shape(f, E_ASYNC_SHAPE, "'all-gather-start' gives (operands, results), not %s",
                            shape_words(f, shape));
    const Shape *parts[] = {operands_shape(f, f->instr->n_operands), gathered(f, shape->elements[1])};
    return parts[1] ? shape_tuple(f->arena, 2, parts) : NULL;
}

INFER(all_reduce) {
    return need_arrays(f) && need_groups(f, GROUPS_ANY) && need_combiner(f) ? operands_shape(f, f->instr->n_operands)
                                                                            : NULL;
}

INFER(reduce_scatter) {
    int n = f->instr->n_operands;
    if (!need_arrays(f)) return NULL;
    int64_t ranks = need_groups(f, GROUPS_EQUAL);
    if (!ranks || !need_combiner(f)) return NULL;
    const Shape **results = NEW_ARRAY(f->arena, const Shape *, n);
    for (int k = 0; k < n; k++) {
        const Shape *whole = operand(f, k), *said = declared_part(f->instr->shape, k, n);
        int dim = the_dim(f, ATTR_DIMENSIONS, whole->rank);
        if (dim < 0) return NULL;
        int64_t size = whole->dims[dim];
        if (ranks > 0 && size > 0 && size % ranks)
            return refuse_operand(f, k, E_OPERAND_SHAPE, "dimension %d of %s does not divide into %lld parts", dim,
                                  shape_words(f, whole), (long long)ranks);
        int64_t said_size = said && shape_is_array(said) && said->rank == whole->rank ? said->dims[dim] : size;
        results[k] = with_size(f, whole, dim, ranks > 0 && size >= 0 ? size / ranks : said_size);
    }
    return n == 1 ? results[0] : shape_tuple(f->arena, n, results);
}

/* ---- all-to-all -------------------------------------------------------------------------------------------------- */

INFER(all_to_all) {
    int n = f->instr->n_operands;
    const Attr *dims = instr_attr(f->instr, ATTR_DIMENSIONS);
    if (!need_arrays(f)) return NULL;
    int64_t ranks = need_groups(f, GROUPS_EQUAL);
    if (!ranks) return NULL;
    if (!dims) {
        for (int k = 1; k < n; k++)
            if (!need_same_shape(f, k, 0)) return NULL;
        if (ranks > 0 && ranks != n)
            return refuse_op(f, E_OPERAND_COUNT,
                             "'all-to-all' takes an operand for each of the %lld members of a group, not %d",
                             (long long)ranks, n);
        return operands_shape(f, n);
    }
    int dim = the_dim(f, ATTR_DIMENSIONS, operand(f, 0)->rank);
    if (dim < 0) return NULL;
    if (n != 1) return refuse_op(f, E_OPERAND_COUNT, "'all-to-all' along a dimension takes 1 operand, not %d", n);
    int64_t size = operand(f, 0)->dims[dim];
    if (ranks > 0 && size > 0 && size % ranks)
        return refuse_operand(f, 0, E_OPERAND_SHAPE,
                              "dimension %d of %s, of size %lld, does not divide into %lld parts", dim,
                              shape_words(f, operand(f, 0)), (long long)size, (long long)ranks);
    return operand(f, 0);
}

INFER(ragged_all_to_all) {
    if (f->instr->n_operands != 6)
        return refuse_op(f, E_OPERAND_COUNT, "'ragged-all-to-all' takes 6 operands, not %d", f->instr->n_operands);
    if (!need_arrays(f) || !need_same_dtype(f, 1, 0) || !need_groups(f, GROUPS_ANY)) return NULL;
    for (int k = 2; k < 6; k++)
        if (!need_class(f, k, CLASS_INTEGER) || !need_same_shape(f, k, 2)) return NULL;
    return operand(f, 1);
}

/* ---- one to one, one to all -------------------------------------------------------------------------------------- */

/* With has_dynamic_root the last operand says who sends. */
static const Shape *from_root(Infer *f) {
    int n = f->instr->n_operands;
    if (!need_arrays(f) || !need_groups(f, GROUPS_PARTIAL)) return NULL;
    if (!instr_bool(f->instr, ATTR_HAS_DYNAMIC_ROOT, false)) return operands_shape(f, n);
    if (n < 2)
        return refuse_op(f, E_OPERAND_COUNT, "'%s' with has_dynamic_root takes at least 2 operands, not %d", opcode(f),
                         n);
    if (!need_dtype(f, n - 1, DT_S32)) return NULL;
    return operands_shape(f, n - 1);
}

INFER(collective_broadcast) {
    return from_root(f);
}

INFER(collective_reduce) {
    return need_combiner(f) ? from_root(f) : NULL;
}

static bool need_pairs(Infer *f) {
    const Attr *attr = instr_attr(f->instr, ATTR_SOURCE_TARGET_PAIRS);
    bool channel = instr_attr(f->instr, ATTR_CHANNEL_ID) != NULL;
    int64_t n = known_count(channel ? f->module->attrs.num_partitions : f->module->attrs.replica_count);
    KeyTable seen[2] = {{0}, {0}};
    for (int i = 0; i < attr->n_lists; i++) {
        IntList pair = attr->lists[i];
        if (pair.n != 2)
            return refuse_attr(f, ATTR_SOURCE_TARGET_PAIRS, E_GROUPS,
                               "'source_target_pairs' lists pairs, not %d numbers", pair.n);
        for (int side = 0; side < 2; side++) {
            int64_t id = pair.at[side];
            if (id < 0 || (n >= 0 && id >= n))
                return refuse_attr(f, ATTR_SOURCE_TARGET_PAIRS, E_GROUPS,
                                   "'source_target_pairs' names %lld, but there are %lld %s", (long long)id,
                                   (long long)n, channel ? "partitions" : "replicas");
            if (key_table_get(&seen[side], (uint64_t)id))
                return refuse_attr(f, ATTR_SOURCE_TARGET_PAIRS, E_GROUPS,
                                   "'source_target_pairs' has %lld twice as a %s", (long long)id,
                                   side ? "target" : "source");
            key_table_put(f->arena, &seen[side], (uint64_t)id, f);
        }
    }
    return true;
}

/* In place: (in, out, in_offset, out_offset), slice_sizes. */
static bool need_permute_operands(Infer *f, bool *in_place) {
    const Attr *slices = instr_attr(f->instr, ATTR_SLICE_SIZES);
    *in_place = slices != NULL;
    if (slices && f->instr->n_operands != 4)
        return refuse_op(f, E_OPERAND_COUNT, "'%s' with slice_sizes takes 4 operands, not %d", opcode(f),
                         f->instr->n_operands);
    return need_pairs(f) && (slices || need_arrays(f));
}

INFER(collective_permute) {
    bool in_place;
    if (!need_permute_operands(f, &in_place)) return NULL;
    return in_place ? operand(f, 1) : operands_shape(f, f->instr->n_operands);
}

INFER(collective_permute_start) {
    const Shape *shape = f->instr->shape;
    bool in_place;
    if (!need_permute_operands(f, &in_place)) return NULL;
    bool fits = shape_is_tuple(shape) && shape->n_elements >= 2;
    if (!fits)
        return refuse_shape(f, E_ASYNC_SHAPE, "'%s' gives (operand, result, ...), not %s", opcode(f),
                            shape_words(f, shape));
    if (in_place) return shape;
    const Shape *moved = operands_shape(f, f->instr->n_operands);
    const Shape **parts = NEW_ARRAY(f->arena, const Shape *, shape->n_elements);
    parts[0] = parts[1] = moved;
    for (int i = 2; i < shape->n_elements; i++) parts[i] = shape_scalar(f->arena, DT_U32);
    return shape_tuple(f->arena, shape->n_elements, parts);
}

/* ---- ends -------------------------------------------------------------------------------------------------------- */

INFER(all_reduce_done) {
    const Instr *start = f->instr->operands[0];
    if (start->op == OP_ALL_REDUCE_START) return start->shape;
    return need_started(f, OP_ALL_REDUCE_START) ? start->shape : NULL;
}

INFER(all_gather_done) {
    return need_started(f, OP_ALL_GATHER_START) ? operand(f, 0)->elements[1] : NULL;
}

INFER(collective_permute_done) {
    return need_started(f, OP_COLLECTIVE_PERMUTE_START) ? operand(f, 0)->elements[1] : NULL;
}
