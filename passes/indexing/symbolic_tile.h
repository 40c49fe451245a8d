/* Symbolic tiles (indexing.md 7.3): what a tile of one tensor reads of another, as expressions in the sizes of the
 * tile.
 *
 *     (d0, d1) -> (d0 * 2 + 40, d1)   gives   offsets (40, 0), sizes (d0, d1), strides (2, 1)
 *
 * A tile is a box of elements, strides apart. In the expressions of a tile, dim i is the size of the tile along dim i
 * of the map, 1 to its extent; symbols are the map's runtime variables. Offsets are those of the tile at the origin; a
 * tile elsewhere is found by composing with its origin (tile_analysis.h). */
#ifndef PASSES_INDEXING_SYMBOLIC_TILE_H
#define PASSES_INDEXING_SYMBOLIC_TILE_H

#include "ir/index_map.h"

/* Conditions on tile sizes, all of which hold. */
typedef struct {
    VEC(IndexConstraint) all;
} TileConditions;

/* At least one of them: none is never true, an empty one always. */
typedef struct {
    VEC(TileConditions) any;
} TileConstraints;

typedef struct {
    IndexMap *map; /* simplified, with points kept */
    const Index **offsets, **sizes, **strides; /* one per result of the map */
    TileConstraints constraints;
} SymbolicTile;

/* NULL, and the tile of map; or why there is none (static text). map must not be empty. */
const char *symbolic_tile_of(const IndexMap *map, SymbolicTile *tile);

TileConstraints tile_constraints_always(IndexPool *pool);
bool tile_constraints_hold_always(const TileConstraints *constraints);
/* Both hold. False: there would be too many alternatives. */
bool tile_constraints_both(IndexPool *pool, TileConstraints *a, const TileConstraints *b);
/* Whether they hold for these sizes. */
bool tile_constraints_hold(const TileConstraints *constraints, const int64_t *sizes);

/* "A && B || C", in alphabetical order. */
void tile_constraints_print(Text *out, const IndexMap *map, const TileConstraints *constraints);
/* Several lines, each behind `indent`. */
void symbolic_tile_print(Text *out, const char *indent, const SymbolicTile *tile);

#endif
