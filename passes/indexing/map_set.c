#include "passes/indexing/maps.h"

/* Maps of one operand together with where their runtime variables come from, and sets of them. */

Maps *maps_new(Arena *arena, bool dialect_c) {
    Maps *maps = NEW(arena, Maps);
    maps->arena = arena;
    maps->pool = index_pool_new(arena);
    maps->pool->dialect_c = dialect_c;
    maps->access = access_table_new(maps->pool);
    maps->access->keeps_points = true;
    return maps;
}

static bool same_runtimes(const OperandMap *a, const OperandMap *b) {
    for (int i = 0; i < a->map->n_rts; i++)
        if (a->runtimes[i].supplier != b->runtimes[i].supplier ||
            !index_map_equal(a->runtimes[i].map, b->runtimes[i].map))
            return false;
    return true;
}

static bool same(const OperandMap *a, const OperandMap *b) {
    return index_map_equal(a->map, b->map) && index_map_equal(a->replica, b->replica) && same_runtimes(a, b);
}

void map_set_add(Maps *maps, MapSet *set, OperandMap map) {
    if (set->unknown) return;
    if (!map.map) {
        *set = map_set_unknown(maps);
        return;
    }
    uint64_t hash = index_map_hash(map.map);
    for (int i = 0; i < set->list.n; i++)
        if (set->hashes.at[i] == hash && same(&set->list.at[i], &map)) return;
    vec_push(maps->arena, &set->list, map);
    vec_push(maps->arena, &set->hashes, hash);
}

MapSet map_set_of(Maps *maps, OperandMap map) {
    MapSet set = {0};
    map_set_add(maps, &set, map);
    return set;
}

MapSet map_set_unknown(Maps *maps) {
    MapSet set = {.unknown = true};
    vec_push(maps->arena, &set.list, (OperandMap){0});
    vec_push(maps->arena, &set.hashes, 0);
    return set;
}

/* Runtime variables of the composite are the second map's, then the first's, and so are their suppliers. */
OperandMap operand_map_compose(Maps *maps, const OperandMap *first, const OperandMap *second) {
    OperandMap whole = {.map = index_map_compose(first->map, second->map)};
    if (!whole.map || (first->replica && second->replica)) return (OperandMap){0};
    MapRuntime *runtimes = NEW_ARRAY(maps->arena, MapRuntime, whole.map->n_rts);
    int n = second->map->n_rts;
    for (int i = 0; i < n; i++)
        runtimes[i] =
            (MapRuntime){second->runtimes[i].supplier, index_map_compose(first->map, second->runtimes[i].map)};
    for (int i = 0; i < first->map->n_rts; i++) runtimes[n + i] = first->runtimes[i];
    whole.runtimes = runtimes;
    whole.replica = first->replica ? first->replica : index_map_compose(first->map, second->replica);
    return whole;
}

void operand_map_remove_unused(Maps *maps, OperandMap *map) {
    if (!map->map) return;
    int n_ranges = map->map->n_ranges, n_rts = map->map->n_rts, n = 0;
    const bool *removed = index_map_remove_unused(map->map, false);
    if (!removed) return;
    MapRuntime *kept = NEW_ARRAY(maps->arena, MapRuntime, n_rts);
    for (int i = 0; i < n_rts; i++)
        if (!removed[n_ranges + i]) kept[n++] = map->runtimes[i];
    map->runtimes = kept;
}

void operand_map_simplify(Maps *maps, OperandMap *map) {
    if (!map->map) return;
    index_map_simplify(map->map, false);
    operand_map_remove_unused(maps, map);
}
