#include "passes/tile/tile.h"

#include <stdlib.h>

/* Work for several threads: the outermost loop over tiles of a group is shared by them where the group computes enough. A
 * group that needs no tiles for the sake of its caches gets some for this. Tiles depend on shapes alone, never on the
 * number of threads: the bits of the result do not either. */

enum {
    WORTH = 1 << 20,  /* of cost: a parallel region costs some microseconds */
    MANY_TILES = 16,  /* a good number of tiles */
    FEW_TILES = 4,    /* fewer are not worth a loop */
    LEAST_RUN = 1024, /* elements in a row of a reduction that is cut along its fastest dim */
};

static double group_work(const TileGroup *group) {
    double work = group->root->points;
    for (int m = 0; m < group->members.n; m++) {
        const TileMember *member = group->members.at[m];
        if (member->mode == TILE_READ) continue;
        double points = 0;
        for (int u = 0; u < member->uses.n; u++)
            points += member->uses.at[u].nest->points * (member->uses.at[u].unit ? member->uses.at[u].unit->points : 1);
        if (member->nest && member->unit) points = member->nest->points * member->unit->points;
        else if (member->nest) points = member->nest->points;
        work += points * member->cost;
    }
    return work;
}

bool group_is_shared(const TileGroup *group) {
    return !group->root->updates && group_work(group) >= WORTH;
}

/* The multiple of `least` that gives about MANY_TILES tiles; one that divides the size, if there is. */
static int64_t shared_tile(int64_t size, int64_t least) {
    int64_t best = 0, ideal = ceil_div(ceil_div(size, MANY_TILES), least) * least;
    for (int64_t tile = least; tile <= size / FEW_TILES; tile += least)
        if (size % tile == 0 && tile <= 4 * ideal && 4 * tile >= ideal &&
            (!best || llabs(tile - ideal) < llabs(best - ideal)))
            best = tile;
    return best ? best : ideal;
}

static int64_t share_least(const TileGroup *group, bool unit_stride) {
    if (!unit_stride) return group->has_contraction ? 4 : 1;
    return group->root->unit && !group->has_contraction ? LEAST_RUN : 64;
}

int64_t share_tile(const TileGroup *group, int64_t size, bool unit_stride) {
    int64_t least = share_least(group, unit_stride);
    if (size < FEW_TILES * least) return 0;
    int64_t tile = shared_tile(size, least);
    return tile * (FEW_TILES - 1) < size ? tile : 0;
}
