#include "passes/tile/tile.h"

#include <stdlib.h>

#include "passes/fuse/planner.h"

/* Work for several threads: the outermost loop over tiles of a group is shared by them where the group computes enough.
 * A group that needs no tiles for the sake of its caches gets some for this. Tiles depend on shapes alone, never on the
 * number of threads: the bits of the result do not either. */

enum {
    WORTH = 1 << 20,    /* simple operations: a parallel region costs some microseconds */
    MULTIPLY_ADDS = 4,  /* of contractions are about as fast as one operation on memory */
    MANY_TILES = 16,    /* a good number of tiles */
    FEW_TILES = 4,      /* fewer are not worth a loop; contractions, which want large ones, have as many */
    LEAST_RUN = 1024,   /* elements in a row of a reduction that is cut along its fastest dim */
    LEAST_ROWS = 32,    /* rows, and columns, of a contraction's tile */
    LEAST_COLUMNS = 256,
};

static double group_work(const TileGroup *group) {
    double work = group->root->points;
    for (int m = 0; m < group->members.n; m++) {
        const TileMember *member = group->members.at[m];
        if (member->mode == TILE_READ) continue;
        double points = 0;
        for (int u = 0; u < member->uses.n; u++) points += use_points(&member->uses.at[u]);
        if (member->nest && member->unit)
            work += member->nest->points * member->unit->points / (group->has_contraction ? MULTIPLY_ADDS : 1);
        else
            work += (member->nest ? member->nest->points : points) * instr_cost(member->instr);
    }
    return work;
}

bool group_is_shared(const TileGroup *group) {
    return !group->root->updates && group_work(group) >= WORTH;
}

/* The multiple of `least` that gives about `many` tiles; one that divides the size, if there is. */
static int64_t divide(int64_t size, int64_t least, int64_t many) {
    int64_t best = 0, ideal = ceil_div(ceil_div(size, many), least) * least;
    for (int64_t tile = least; tile <= size / FEW_TILES; tile += least)
        if (size % tile == 0 && tile <= 4 * ideal && 4 * tile >= ideal &&
            (!best || llabs(tile - ideal) < llabs(best - ideal)))
            best = tile;
    return best ? best : ideal;
}

/* Whether the root's reduction reads its operand along the fastest dim of memory: its rows can be shared one by one. */
static bool reduces_rows(const TileGroup *group) {
    const TileUnit *unit = group->root->unit;
    const Instr *operand = reduction_of(unit->reductions.at[0]->instr)->operands[0];
    const Shape *shape = element_shape(operand);
    const TileMember *member = key_table_get(&group->by_instr, POINTER_KEY(operand));
    if (!member || !shape->rank) return false;
    int fastest = shape->layout->n_minor_to_major ? (int)shape->layout->minor_to_major[0] : shape->rank - 1;
    for (int u = 0; u < member->uses.n; u++)
        for (int i = 0; member->uses.at[u].unit == unit && i < unit->n_symbols; i++)
            if (index_uses(member->uses.at[u].index[fastest], unit->symbols[i])) return true;
    return false;
}

int64_t share_tile(const TileGroup *group, int64_t size, bool unit_stride) {
    int64_t many = MANY_TILES, shortest;
    bool rows = group->root->unit && !group->has_contraction && reduces_rows(group);
    int64_t least = unit_stride && !rows ? 64 : 1;
    if (group->has_contraction) {
        shortest = unit_stride ? LEAST_COLUMNS : LEAST_ROWS;
        least = unit_stride ? 64 : 8;
        many = FEW_TILES;
    } else {
        bool columns = unit_stride && group->root->unit && !rows;
        shortest = columns ? LEAST_RUN : least;
    }
    if (size < FEW_TILES * shortest) return 0;
    int64_t tile = divide(size, least, many);
    return tile < shortest ? shortest : tile;
}
