/* Tiling of a whole expression (indexing.md 7.4): given the composed maps from a root to all that it needs
 * (maps_grouped), which sizes of tiles of the root give boxes everywhere, and where these boxes lie. */
#ifndef PASSES_INDEXING_TILE_ANALYSIS_H
#define PASSES_INDEXING_TILE_ANALYSIS_H

#include "passes/indexing/maps.h"
#include "passes/indexing/symbolic_tile.h"

typedef struct {
    const char *why; /* NULL: it can be tiled, where constraints (on sizes of the root's dims) hold */
    const Instr *where; /* the instruction whose tiles are no boxes */
    TileConstraints constraints;
} TileAnalysis;

/* list[0] is the root. */
TileAnalysis tile_analysis(Maps *maps, const GroupedList *list);

/* The tiles of a root of these sizes, one per dim: from the number of the tile (its only dim, "pid") to its first
 * element. */
IndexMap *tiles_of_root(Maps *maps, int rank, const int64_t *sizes, const int64_t *tile);
/* From the number of the root's tile to the first element of the tile that map (from the root) leads to. NULL: nothing
 * is read. */
IndexMap *tile_origins(Maps *maps, const IndexMap *tiles, const IndexMap *map);

#endif
