/* Indexing maps of instructions: what `--emit=maps` prints (spec: indexing.md sections 2 and 3, maps-output.md).
 *
 * A map is the projection of an access relation (access.h) on one operand: variables that the operand does not use are
 * removed, guards become constraints. Where the specification says that a map is coarser than the relation (updates,
 * groups of a batch) or unknown (general gathers) it is so here; the relation stays exact. */
#ifndef PASSES_INDEXING_MAPS_H
#define PASSES_INDEXING_MAPS_H

#include "ir/index_map.h"
#include "passes/indexing/access.h"

typedef enum { MAPS_OUT_TO_IN, MAPS_IN_TO_OUT, MAPS_GROUPED, MAPS_EPILOGUE } MapsDirection;

/* Where a runtime variable's value comes from: the element of supplier at `map`, whose dims are those of the map with
 * the variable; clamped to the variable's bounds. */
typedef struct {
    const Instr *supplier;
    const IndexMap *map;
} MapRuntime;

/* One map to (or from) an operand. */
typedef struct {
    IndexMap *map; /* NULL: unknown */
    const MapRuntime *runtimes; /* map->n_rts of them, in their order */
    const IndexMap *replica; /* the replica on which the element lies, when that is not our own; else NULL */
} OperandMap;

/* The different maps of an operand, in the order in which they were found; none: nothing is read. An unknown one stands
 * alone. */
typedef struct {
    VEC(OperandMap) list;
    VEC(uint64_t) hashes;
    bool unknown;
} MapSet;

typedef struct {
    Arena *arena;
    IndexPool *pool;
    AccessTable *access;
    KeyTable fusions; /* of fusion and output: MapSet per operand */
    KeyTable constants;
} Maps;

/* dialect_c: maps are built and written in dialect C. */
Maps *maps_new(Arena *arena, bool dialect_c);

/* How many arrays an instruction gives, and their shapes: the elements of a tuple, or one. */
int maps_n_outputs(const Instr *instr);
const Shape *maps_output(const Instr *instr, int output);

/* Element of an output -> elements of an operand, and back. */
MapSet maps_out_to_in(Maps *maps, Instr *instr, int output, int operand);
MapSet maps_in_to_out(Maps *maps, Instr *instr, int operand, int output);

/* From one instruction to all that it needs (3.3): itself with the identity first, uses before definitions. */
typedef struct {
    Instr *instr;
    MapSet set;
} GroupedMaps;
typedef VEC(GroupedMaps) GroupedList;
/* start: element 0 of a tuple. A fusion is entered: the walk starts at its root and stays inside. */
GroupedList maps_grouped(Maps *maps, Instr *start);
/* The same for start itself, fusion or not; with those behind it that it does not read, whose sets are empty. */
GroupedList maps_grouped_inside(Maps *maps, Instr *start);

/* From instr forward to the root of its computation (3.4). */
MapSet maps_epilogue(Maps *maps, Instr *instr);

/* The same between indices in storage order (2.26); either shape may be a tuple's element. */
MapSet maps_physical(Maps *maps, const MapSet *set, const Shape *from, const Shape *to);

/* From logical index to storage order of shape, and back; unsimplified. */
IndexMap *maps_to_physical(Maps *maps, const Shape *shape);
IndexMap *maps_from_physical(Maps *maps, const Shape *shape);
/* From logical index to position in memory, in elements. */
IndexMap *maps_to_linear(Maps *maps, const Shape *shape);

/* --- for the files of this folder -------------------------------------------------------------------------------- */

/* Adds a map unless it is there; an unknown one replaces all. */
void map_set_add(Maps *maps, MapSet *set, OperandMap map);
MapSet map_set_of(Maps *maps, OperandMap map);
MapSet map_set_unknown(Maps *maps);

/* first, then second (3.2); unknown if one is. */
OperandMap operand_map_compose(Maps *maps, const OperandMap *first, const OperandMap *second);
/* Simplifies, and drops symbols that are not used. */
void operand_map_simplify(Maps *maps, OperandMap *map);
/* Drops symbols that are not used. */
void operand_map_remove_unused(Maps *maps, OperandMap *map);

/* --- text -------------------------------------------------------------------------------------------------------- */

typedef struct {
    MapsDirection direction;
    bool physical, dialect_c;
    const char *from; /* NAME or COMPUTATION/NAME; NULL: the root of the entry */
    bool tiles;       /* symbolic tiles in place of the maps (tile_listing.h) */
    int n_tile_sizes; /* and tiles of these sizes of a grouped listing's root; 0: not given */
    const int64_t *tile_sizes;
} MapsOptions;

/* The listing of a module. False: diags says that `from` names nothing, or that sizes do not fit. */
bool maps_print(Text *out, Arena *arena, const Module *module, MapsOptions options, Diags *diags);
/* The instruction that `from` names (NULL: the root of the entry), or NULL. */
Instr *maps_find(const Module *module, const char *from);

#endif
