#include "passes/indexing/tile_listing.h"

#include "base/codes.h"
#include "passes/indexing/tile_analysis.h"

/* Values of expressions in tile sizes, which are clamped to the dims' extents. */
static void print_values(Text *out, const SymbolicTile *tile, const Index *const *results, const TileSizes *sizes) {
    text_char(out, '(');
    for (int i = 0; i < tile->map->n_results; i++)
        text_printf(out, "%s%lld", i ? ", " : "", (long long)index_evaluate(results[i], sizes->sizes, NULL));
    text_char(out, ')');
}

void tile_print_place(Maps *maps, Text *out, const IndexMap *map, const IndexMap *tiles, const TileSizes *sizes) {
    SymbolicTile tile;
    const char *why = map && !map->empty ? symbolic_tile_of(map, &tile) : NULL;
    if (!map || map->empty) {
        text_put(out, "    ");
        index_map_print(out, map);
        text_char(out, '\n');
        return;
    }
    if (why) {
        text_printf(out, "    no tile: %s\n", why);
        return;
    }
    symbolic_tile_print(out, "    ", &tile);
    if (!tiles || !tile_constraints_hold(&tile.constraints, sizes->sizes)) return;
    IndexMap *origins = tile_origins(maps, tiles, map);
    if (!origins) return;
    text_put(out, "      here: sizes ");
    print_values(out, &tile, tile.sizes, sizes);
    text_put(out, ", strides ");
    print_values(out, &tile, tile.strides, sizes);
    text_put(out, ", offsets ");
    index_map_print(out, origins);
    text_char(out, '\n');
}

bool tile_sizes_check(const TileSizes *sizes, const Shape *shape, Diags *diags) {
    if (!sizes->n_sizes) return true;
    if (!shape_is_array(shape) || sizes->n_sizes != shape->rank) {
        diag_error(diags, (Span){0, 0}, E_TILE_SIZES, "--tile: expected %d sizes, one per dim, found %d",
                   shape_is_array(shape) ? shape->rank : 0, sizes->n_sizes);
        return false;
    }
    for (int i = 0; i < shape->rank; i++) {
        if (sizes->sizes[i] >= 1 && sizes->sizes[i] <= shape->dims[i]) continue;
        diag_error(diags, (Span){0, 0}, E_TILE_SIZES, "--tile: expected a size from 1 to %lld for dim %d, found %lld",
                   (long long)shape->dims[i], i, (long long)sizes->sizes[i]);
        return false;
    }
    return true;
}

void tile_analysis_print(Maps *maps, Text *out, const GroupedList *list, const TileSizes *sizes) {
    TileAnalysis analysis = tile_analysis(maps, list);
    if (analysis.why) {
        text_printf(out, "  no tiling: %s in %s: %s\n", analysis.where->name, analysis.where->parent->name,
                    analysis.why);
        return;
    }
    text_put(out, "  tiling: ");
    if (tile_constraints_hold_always(&analysis.constraints)) text_put(out, "any sizes");
    else tile_constraints_print(out, list->at[0].set.list.at[0].map, &analysis.constraints);
    text_char(out, '\n');
    if (!sizes->n_sizes) return;
    bool holds = tile_constraints_hold(&analysis.constraints, sizes->sizes);
    text_put(out, "  sizes ");
    for (int i = 0; i < sizes->n_sizes; i++) text_printf(out, "%s%lld", i ? " x " : "", (long long)sizes->sizes[i]);
    text_put(out, holds ? ": fit\n" : ": do not fit\n");
}
