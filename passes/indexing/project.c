#include "passes/indexing/maps.h"

/* Element of an output -> elements of an operand, for single instructions: projections of access relations. */

int maps_n_outputs(const Instr *instr) {
    return shape_is_tuple(instr->shape) ? instr->shape->n_elements : 1;
}

const Shape *maps_output(const Instr *instr, int output) {
    return shape_is_tuple(instr->shape) ? instr->shape->elements[output] : instr->shape;
}

/* A map over the elements of shape, with results yet to be filled in. */
static IndexMap *map_over(const Maps *maps, const Shape *shape, int n_results) {
    IndexMap *map = index_map_new(maps->pool, shape->rank, 0, 0, n_results);
    for (int i = 0; i < shape->rank; i++) map->vars[i].bounds = (Interval){0, shape->dims[i] - 1};
    return map;
}

/* (d0, d1) -> (d0, d1); to `()` where the operand is a scalar. Unknown where neither fits. */
static OperandMap identity(const Maps *maps, const Shape *from, const Shape *to) {
    if (to->rank && to->rank != from->rank) return (OperandMap){0};
    IndexMap *map = map_over(maps, from, to->rank);
    for (int i = 0; i < to->rank; i++) map->results[i] = index_dim(maps->pool, i);
    index_map_close(map);
    return (OperandMap){.map = map};
}

/* --- projection -------------------------------------------------------------------------------------------------- */

/* Bounds of all variables of a relation. */
static IndexMap *map_of_relation(const Maps *maps, const Access *access, int n_results) {
    IndexMap *map = index_map_new(maps->pool, access->n_dims, access->n_ranges, access->n_rts, n_results);
    for (int i = 0; i < access->n_dims; i++) map->vars[i].bounds = access->domain->dims.at[i];
    for (int i = 0; i < index_map_n_symbols(map); i++) map->vars[map->n_dims + i].bounds = access->domain->syms.at[i];
    return map;
}

/* Where the value of a runtime variable stands. */
static MapRuntime runtime_of(const Maps *maps, const Access *access, const Instr *instr, const RuntimeVar *rt) {
    IndexMap *map = index_map_new(maps->pool, access->n_dims, 0, 0, rt->n_index);
    for (int i = 0; i < access->n_dims; i++) map->vars[i].bounds = access->domain->dims.at[i];
    for (int i = 0; i < rt->n_index; i++) map->results[i] = rt->index[i];
    index_map_close(map);
    return (MapRuntime){instr->operands[rt->operand], map};
}

/* The value of a supplier as an expression in the dims of its map (2.20), or NULL: constants and iotas whose values
 * need no clamping to range. */
static const Index *known_value(const Maps *maps, const MapRuntime *runtime, Interval range) {
    const Instr *supplier = runtime->supplier;
    const Index *value = NULL;
    if (supplier->op == OP_IOTA) {
        value = runtime->map->results[instr_int(supplier, ATTR_IOTA_DIMENSION, 0)];
    } else if (supplier->op == OP_CONSTANT && !supplier->literal->elided) {
        int64_t at = 0;
        for (int i = 0; i < runtime->map->n_results; i++) {
            if (runtime->map->results[i]->kind != INDEX_CONST) return NULL;
            at = at * supplier->shape->dims[i] + runtime->map->results[i]->value;
        }
        value = index_const(maps->pool, literal_int(supplier->literal, at));
    }
    if (!value || runtime->map->empty) return NULL;
    return interval_includes(range, index_range(index_map_domain(runtime->map, false), value)) ? value : NULL;
}

/* Replaces runtime variables whose values are known. */
static void fold_runtimes(const Maps *maps, OperandMap *map) {
    IndexMap *m = map->map;
    const Index **symbols = NEW_ARRAY(maps->arena, const Index *, index_map_n_symbols(m));
    bool any = false;
    for (int i = 0; i < m->n_rts; i++) {
        const Index **symbol = &symbols[m->n_ranges + i];
        *symbol = known_value(maps, &map->runtimes[i], m->vars[m->n_dims + m->n_ranges + i].bounds);
        any |= *symbol != NULL;
    }
    for (int i = 0; any && i < m->n_results; i++)
        m->results[i] = index_substitute(maps->pool, m->results[i], 0, NULL, index_map_n_symbols(m), symbols);
}

static OperandMap project(Maps *maps, const Instr *instr, const Access *access, int k, bool guarded) {
    const OperandAccess *operand = &access->operands[k];
    IndexMap *map = map_of_relation(maps, access, operand->n_index);
    for (int i = 0; i < operand->n_index; i++) map->results[i] = operand->index[i];
    MapRuntime *runtimes = NEW_ARRAY(maps->arena, MapRuntime, access->n_rts);
    for (int i = 0; i < access->n_rts; i++) runtimes[i] = runtime_of(maps, access, instr, &access->rts[i]);
    OperandMap whole = {.map = map, .runtimes = runtimes};
    fold_runtimes(maps, &whole);
    for (int i = 0; guarded && i < operand->n_guards; i++)
        index_map_constrain(map, operand->guards[i].expr, operand->guards[i].in);
    operand_map_remove_unused(maps, &whole);
    index_map_close(map); /* an init is read, even if the dims that are reduced are empty */
    return whole;
}

/* An operand that is read for the start of a slice: where the variable that it gives stands. */
static OperandMap project_start(const Maps *maps, const Instr *instr, const Access *access, int k) {
    for (int i = 0; i < access->n_rts; i++)
        if (access->rts[i].operand == k)
            return (OperandMap){.map = (IndexMap *)runtime_of(maps, access, instr, &access->rts[i]).map};
    return (OperandMap){0};
}

/* --- opcodes that are not simply projected ----------------------------------------------------------------------- */

/* Batch groups are coarsened (2.16): any of them may be read. */
static OperandMap project_convolution(Maps *maps, const Instr *instr, const Access *access, int k) {
    OperandMap whole = project(maps, instr, access, k, true);
    int64_t groups = instr_int(instr, ATTR_BATCH_GROUP_COUNT, 1);
    const DimLabels *labels = instr_attr(instr, ATTR_DIM_LABELS)->dim_labels;
    int64_t size = groups > 1 ? instr->shape->dims[labels->output_feature] / groups : 0;
    if (k == 0 && size > 0 && !whole.map->empty) {
        IndexMap *map = whole.map,
                 *wider = index_map_new(maps->pool, map->n_dims, map->n_ranges + 1, 0, map->n_results);
        for (int i = 0; i < index_map_n_vars(map); i++) wider->vars[i] = map->vars[i];
        wider->vars[index_map_n_vars(map)].bounds = (Interval){0, groups - 1};
        for (int i = 0; i < map->n_results; i++) wider->results[i] = map->results[i];
        const Index *group = index_over(maps->pool, index_dim(maps->pool, labels->output_feature), size);
        wider->results[labels->input_batch] = index_replace(maps->pool, map->results[labels->input_batch], group,
                                                            index_sym(maps->pool, map->n_ranges));
        wider->constraints = map->constraints;
        whole.map = wider;
    }
    operand_map_simplify(maps, &whole);
    return whole;
}

/* Only the form that XLA's simplifier of gathers makes (2.19). */
static bool is_simple_gather(const Instr *gather) {
    const Shape *indices = gather->operands[1]->shape;
    IntList offset_dims = instr_ints(gather, ATTR_OFFSET_DIMS);
    for (int i = 0; i < offset_dims.n; i++)
        if (offset_dims.at[i] != i + 1) return false;
    return indices->rank == 2 && instr_int(gather, ATTR_INDEX_VECTOR_DIM, 0) == 1 && gather->operands[0]->shape->rank &&
           !instr_ints(gather, ATTR_COLLAPSED_SLICE_DIMS).n && !instr_ints(gather, ATTR_OPERAND_BATCHING_DIMS).n &&
           offset_dims.n == gather->operands[0]->shape->rank;
}

static OperandMap project_gather(Maps *maps, const Instr *instr, const Access *access, int k) {
    if (!is_simple_gather(instr)) return (OperandMap){0};
    if (k == 0) return project(maps, instr, access, 0, true);
    IndexMap *map = index_map_new(maps->pool, access->n_dims, 1, 0, 2);
    for (int i = 0; i < access->n_dims; i++) map->vars[i].bounds = access->domain->dims.at[i];
    map->vars[access->n_dims].bounds = (Interval){0, instr->operands[1]->shape->dims[1] - 1};
    map->results[0] = index_dim(maps->pool, 0);
    map->results[1] = index_sym(maps->pool, 0);
    index_map_close(map);
    return (OperandMap){.map = map};
}

/* Elements that join or split have no map (2.10). */
static OperandMap project_bitcast(Maps *maps, const Instr *instr, const Access *access, int k) {
    if (shape_elements(instr->shape) != shape_elements(instr->operands[0]->shape)) return (OperandMap){0};
    return project(maps, instr, access, k, true);
}

static OperandMap project_window(Maps *maps, const Instr *instr, const Access *access, int k) {
    OperandMap whole = project(maps, instr, access, k, true);
    operand_map_simplify(maps, &whole);
    return whole;
}

/* The old form, all starts in one vector, has no maps (2.17). */
static bool has_start_vector(const Instr *instr) {
    return instr->operands[instr->n_operands - 1]->shape->rank > 0;
}

static OperandMap project_slice(Maps *maps, const Instr *instr, const Access *access, int k) {
    if (instr->n_operands > 1 && has_start_vector(instr)) return (OperandMap){0};
    return access->operands[k].reads ? project(maps, instr, access, k, true) : project_start(maps, instr, access, k);
}

/* That the index hits the update is not said (2.18). */
static OperandMap project_update(Maps *maps, const Instr *instr, const Access *access, int k) {
    if (instr->n_operands > 2 && has_start_vector(instr)) return (OperandMap){0};
    return access->operands[k].reads ? project(maps, instr, access, k, k != 1) : project_start(maps, instr, access, k);
}

/* Elements that join or split (another rank) have no map. */
static OperandMap project_bitcast_convert(Maps *maps, const Instr *instr, const Access *access, int k) {
    if (instr->shape->rank != instr->operands[0]->shape->rank) return (OperandMap){0};
    return project(maps, instr, access, k, true);
}

static OperandMap project_plain(Maps *maps, const Instr *instr, const Access *access, int k) {
    return project(maps, instr, access, k, true);
}

typedef OperandMap Projection(Maps *maps, const Instr *instr, const Access *access, int k);
static Projection *const projections[N_OPS] = {
    [OP_BITCAST] = project_bitcast,       [OP_CONVOLUTION] = project_convolution,
    [OP_GATHER] = project_gather,         [OP_REDUCE_WINDOW] = project_window,
    [OP_DYNAMIC_SLICE] = project_slice,   [OP_DYNAMIC_UPDATE_SLICE] = project_update,
    [OP_BITCAST_CONVERT] = project_bitcast_convert,
};

/* --- opcodes without a relation, which are never pulled ---------------------------------------------------------- */

static OperandMap tuple_element_map(Maps *maps, const Instr *instr, const Shape *from, int k) {
    (void)k;
    return identity(maps, from, instr->shape);
}

/* Elements before it in the order of the scan are read too; maps do not say so (2.22). */
static OperandMap scan_map(Maps *maps, const Instr *instr, const Shape *from, int k) {
    const Shape *to = instr->operands[k]->shape;
    if (!from->rank) return (OperandMap){.map = map_over(maps, from, 0)};
    return identity(maps, from, to);
}

static OperandMap all_gather_map(Maps *maps, const Instr *instr, const Shape *from, int k) {
    const Shape *to = instr->operands[k]->shape;
    OperandMap whole = identity(maps, from, to);
    int64_t dim = instr_ints(instr, ATTR_DIMENSIONS).at[0];
    if (!whole.map || !to->rank || to->dims[dim] <= 0 || whole.map->empty) return whole;
    const Index *d = index_dim(maps->pool, dim);
    whole.map->results[dim] = index_modulo(maps->pool, d, to->dims[dim]);
    IndexMap *replica = map_over(maps, from, 1);
    replica->results[0] = index_over(maps->pool, d, to->dims[dim]);
    whole.replica = replica;
    return whole;
}

typedef OperandMap Special(Maps *maps, const Instr *instr, const Shape *from, int k);
static Special *const specials[N_OPS] = {
    [OP_GET_TUPLE_ELEMENT] = tuple_element_map,
    [OP_SCAN] = scan_map,
    [OP_ALL_GATHER] = all_gather_map,
    [OP_ALL_GATHER_START] = all_gather_map,
};

static OperandMap out_to_in(Maps *maps, Instr *instr, int output, int k) {
    /* what all-gather-start has at 1 is the result of the whole */
    const Shape *from = maps_output(instr, instr->op == OP_ALL_GATHER_START && maps_n_outputs(instr) == 2 ? 1 : output);
    const Shape *to = instr->operands[k]->shape;
    if (!shape_is_array(from) || (!shape_is_array(to) && instr->op != OP_GET_TUPLE_ELEMENT)) return (OperandMap){0};
    if (specials[instr->op]) return specials[instr->op](maps, instr, from, k);
    const Access *access = access_of(maps->access, instr);
    if (!access) return (OperandMap){0};
    if (access->n_dims != from->rank) return (OperandMap){0};
    return projections[instr->op] ? projections[instr->op](maps, instr, access, k)
                                  : project_plain(maps, instr, access, k);
}

/* Outputs of one elementwise instruction may differ in size: each reads at its own index. */
static OperandMap elementwise_tuple(Maps *maps, Instr *instr, int output, int k) {
    const Shape *from = maps_output(instr, output), *to = instr->operands[k]->shape;
    return shape_is_array(from) && shape_is_array(to) ? identity(maps, from, to) : (OperandMap){0};
}

static MapSet fusion_maps(Maps *maps, Instr *fusion, int output, int operand);

MapSet maps_out_to_in(Maps *maps, Instr *instr, int output, int operand) {
    if (instr->op == OP_FUSION) return fusion_maps(maps, instr, output, operand);
    bool tuple = instr->op == OP_ALL_REDUCE_START && shape_is_tuple(instr->shape);
    return map_set_of(maps, tuple ? elementwise_tuple(maps, instr, output, operand)
                                  : out_to_in(maps, instr, output, operand));
}

/* --- fusions (2.24) ---------------------------------------------------------------------------------------------- */

/* The maps of all operands for one output, kept: a fusion of many operands is walked once. */
static MapSet *fusion_sets(Maps *maps, Instr *fusion, int output) {
    uint64_t key = hash_mix(POINTER_KEY(fusion), (uint64_t)output) | 1;
    MapSet *sets = key_table_get(&maps->fusions, key);
    if (sets) return sets;
    Computation *inside = instr_computation(fusion, ATTR_CALLS);
    Instr *root = inside->root;
    if (shape_is_tuple(root->shape) && root->op == OP_TUPLE) root = root->operands[output];
    sets = NEW_ARRAY(maps->arena, MapSet, fusion->n_operands);
    GroupedList list = maps_grouped_inside(maps, root);
    for (int i = 0; i < list.n; i++) {
        const Instr *instr = list.at[i].instr;
        if (instr->op != OP_PARAMETER || instr->parameter_number >= fusion->n_operands) continue;
        sets[instr->parameter_number] = list.at[i].set;
    }
    key_table_put(maps->arena, &maps->fusions, key, sets);
    return sets;
}

static MapSet fusion_maps(Maps *maps, Instr *fusion, int output, int operand) {
    if (!shape_is_array(maps_output(fusion, output)) || !shape_is_array(fusion->operands[operand]->shape))
        return map_set_unknown(maps);
    return fusion_sets(maps, fusion, output)[operand];
}
