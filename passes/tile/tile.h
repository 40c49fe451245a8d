/* Tiling: which variables of a group's root space get loops over tiles, how large a tile is, and which part of every
 * staged member one tile needs (tile-programs.md sections 2 and 3). */
#ifndef PASSES_TILE_TILE_H
#define PASSES_TILE_TILE_H

#include "passes/fuse/fuse.h"

/* Fills in group->outer, and origin, extent and level of its nests; puts the nests in the order of execution. */
void tile_group(const FuseContext *context, TileGroup *group);

/* share.c: whether the group computes enough for several threads. */
bool group_is_shared(const TileGroup *group);
/* The tile of a root variable of this size by which they share it; 0: it is too small. */
int64_t share_tile(const TileGroup *group, int64_t size, bool unit_stride);

#endif
