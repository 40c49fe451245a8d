#include "passes/indexing/maps.h"

/* Logical indices and storage order (indexing.md 2.26). */

/* Logical dims from the slowest to the fastest. */
static int *storage_order(const Maps *maps, const Shape *shape) {
    int *order = NEW_ARRAY(maps->arena, int, shape->rank);
    for (int i = 0; i < shape->rank; i++)
        order[i] = shape->layout && shape->layout->n_minor_to_major == shape->rank
                       ? (int)shape->layout->minor_to_major[shape->rank - 1 - i] : i;
    return order;
}

IndexMap *maps_to_physical(Maps *maps, const Shape *shape) {
    const int *order = storage_order(maps, shape);
    IndexMap *map = index_map_identity(maps->pool, shape->rank, shape->dims);
    for (int i = 0; i < shape->rank && !map->empty; i++) map->results[i] = index_dim(maps->pool, order[i]);
    return map;
}

IndexMap *maps_from_physical(Maps *maps, const Shape *shape) {
    const int *order = storage_order(maps, shape);
    IndexMap *map = index_map_identity(maps->pool, shape->rank, shape->dims);
    for (int i = 0; i < shape->rank && !map->empty; i++) {
        map->vars[i].bounds = (Interval){0, shape->dims[order[i]] - 1};
        map->results[order[i]] = index_dim(maps->pool, i);
    }
    return map;
}

IndexMap *maps_to_linear(Maps *maps, const Shape *shape) {
    const int *order = storage_order(maps, shape);
    IndexMap *map = index_map_identity(maps->pool, shape->rank, shape->dims);
    int64_t *sizes = NEW_ARRAY(maps->arena, int64_t, shape->rank);
    const Index **index = NEW_ARRAY(maps->arena, const Index *, shape->rank);
    for (int i = 0; i < shape->rank; i++) {
        sizes[i] = shape->dims[order[i]];
        index[i] = index_dim(maps->pool, order[i]);
    }
    map->results = NEW_ARRAY(maps->arena, const Index *, 1);
    map->n_results = 1;
    map->results[0] = map->empty ? index_const(maps->pool, 0) : index_linearise(maps->pool, shape->rank, sizes, index);
    return map;
}

MapSet maps_physical(Maps *maps, const MapSet *set, const Shape *from, const Shape *to) {
    MapSet physical = {.list = {0}};
    if (set->unknown) return *set;
    OperandMap before = {.map = maps_from_physical(maps, from)}, after = {.map = maps_to_physical(maps, to)};
    for (int i = 0; i < set->list.n; i++) {
        const OperandMap *logical = &set->list.at[i];
        bool whole_index = logical->map->n_results == to->rank; /* a scan's carries have none */
        OperandMap half = whole_index ? operand_map_compose(maps, logical, &after) : *logical;
        OperandMap whole = operand_map_compose(maps, &before, &half);
        index_map_simplify(whole.map, false);
        map_set_add(maps, &physical, whole);
    }
    return physical;
}
