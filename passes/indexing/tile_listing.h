/* The listing of symbolic tiles, `--emit=tiles`: that of maps (listing.c), with the tile of each map in its place, and
 * what the analysis of a whole says where one is listed (--direction=grouped). */
#ifndef PASSES_INDEXING_TILE_LISTING_H
#define PASSES_INDEXING_TILE_LISTING_H

#include "passes/indexing/maps.h"

/* n_sizes: 0, or the sizes of the root's tiles. */
typedef struct {
    int n_sizes;
    const int64_t *sizes;
} TileSizes;

/* In place of a map. tiles: NULL, or the root's (tiles_of_root) of these sizes. */
void tile_print_place(Maps *maps, Text *out, const IndexMap *map, const IndexMap *tiles, const TileSizes *sizes);

/* Whether sizes fit the instruction's shape; diags says what does not. */
bool tile_sizes_check(const TileSizes *sizes, const Shape *shape, Diags *diags);

/* Whether the whole can be tiled, and by tiles of these sizes. */
void tile_analysis_print(Maps *maps, Text *out, const GroupedList *list, const TileSizes *sizes);

#endif
