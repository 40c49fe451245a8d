#include "passes/indexing/tile_analysis.h"

/* The maps of one instruction are of tiles; false: why and where say what is not. */
static bool add_instr(Maps *maps, TileAnalysis *analysis, const GroupedMaps *group) {
    analysis->where = group->instr;
    if (group->set.unknown) {
        analysis->why = "it is not known what is read of it";
        return false;
    }
    for (int i = 0; i < group->set.list.n; i++) {
        SymbolicTile tile;
        if (group->set.list.at[i].map->empty) continue;
        analysis->why = symbolic_tile_of(group->set.list.at[i].map, &tile);
        if (!analysis->why && !tile_constraints_both(maps->pool, &analysis->constraints, &tile.constraints))
            analysis->why = "too many constraints";
        if (!analysis->why && !analysis->constraints.any.n) analysis->why = "no sizes of tiles meet all constraints";
        if (analysis->why) return false;
    }
    return true;
}

/* A tile of these may lie in several operands, or partly on the padding: its values are no box of one of them. */
static const char *why_not_alone(Maps *maps, Instr *instr) {
    if (instr->op == OP_CONCATENATE) return "a tile of a concatenate may lie in several operands";
    if (instr->op == OP_PAD) return "a tile of a pad may lie on the padding";
    if (instr->op != OP_RESHAPE && instr->op != OP_BITCAST) return NULL;
    MapSet set = maps_out_to_in(maps, instr, 0, 0); /* they may cancel others, but are tiled one by one */
    SymbolicTile tile;
    if (set.unknown) return "it is not known what is read of it";
    return set.list.at[0].map->empty ? NULL : symbolic_tile_of(set.list.at[0].map, &tile);
}

TileAnalysis tile_analysis(Maps *maps, const GroupedList *list) {
    TileAnalysis analysis = {.constraints = tile_constraints_always(maps->pool)};
    for (int i = 0; i < list->n; i++) {
        if (!add_instr(maps, &analysis, &list->at[i])) return analysis;
        analysis.why = why_not_alone(maps, list->at[i].instr);
        if (analysis.why) return analysis;
    }
    analysis.where = NULL;
    return analysis;
}

IndexMap *tiles_of_root(Maps *maps, int rank, const int64_t *sizes, const int64_t *tile) {
    IndexMap *map = index_map_new(maps->pool, 1, 0, 0, rank);
    int64_t *counts = NEW_ARRAY(maps->arena, int64_t, rank + 1), n = 1;
    for (int i = 0; i < rank; i++) {
        counts[i] = ceil_div(sizes[i], tile[i]);
        if (multiply_overflows(n, counts[i], &n)) n = INT64_MAX;
    }
    map->vars[0] = (IndexVar){{0, n - 1}, "pid"};
    index_delinearise(maps->pool, index_dim(maps->pool, 0), rank, counts, map->results);
    for (int i = 0; i < rank; i++) map->results[i] = index_times(maps->pool, map->results[i], tile[i]);
    index_map_close(map);
    return map;
}

/* map with its ranges at their beginnings, 0. */
static IndexMap *at_first(Maps *maps, const IndexMap *map) {
    const Index **symbols = NEW_ARRAY(maps->arena, const Index *, index_map_n_symbols(map) + 1);
    for (int i = 0; i < map->n_ranges; i++) symbols[i] = index_const(maps->pool, 0);
    for (int i = 0; i < map->n_rts; i++) symbols[map->n_ranges + i] = index_sym(maps->pool, i);
    IndexMap *first = index_map_new(maps->pool, map->n_dims, 0, map->n_rts, map->n_results);
    for (int i = 0; i < map->n_dims; i++) first->vars[i] = map->vars[i];
    for (int i = 0; i < map->n_rts; i++) first->vars[map->n_dims + i] = map->vars[map->n_dims + map->n_ranges + i];
    for (int i = 0; i < map->n_results; i++)
        first->results[i] = index_substitute(maps->pool, map->results[i], 0, NULL, index_map_n_symbols(map), symbols);
    index_map_close(first);
    for (int i = 0; i < map->constraints.n; i++) {
        const IndexConstraint *one = &map->constraints.at[i];
        index_map_constrain(first, index_substitute(maps->pool, one->expr, 0, NULL, index_map_n_symbols(map), symbols),
                            one->in);
    }
    return first;
}

IndexMap *tile_origins(Maps *maps, const IndexMap *tiles, const IndexMap *map) {
    if (map->empty) return NULL;
    IndexMap *origins = index_map_compose(tiles, at_first(maps, map));
    index_map_simplify(origins, false);
    index_map_rescale(origins);
    return origins->empty ? NULL : origins;
}
