/* Templates of the runtime, taken apart into pieces. See runtime/templates/README.md for the notation.
 *
 * A piece is one function, type, macro or table (or a few that belong together) for a set of types and lanes. An
 * instance is a piece with its types chosen. */
#ifndef CODEGEN_RUNTIME_PIECES_H
#define CODEGEN_RUNTIME_PIECES_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/vec.h"
#include "ir/dtype.h"

/* A type of the runtime: hlocc_f32x16, float (lanes 0), hlocc_m16 (DT_PRED with lanes), a storage type (lanes 0). */
typedef struct {
    DType dtype; /* N_DTYPES: none */
    int lanes;   /* 0: scalar */
} RtType;

typedef enum { W_NONE, W_SAME_LANES, W_SCALAR, W_SAME_BYTES } WLanes;

typedef struct {
    const char *header;          /* "hlocc/vec_V.h" */
    VEC(const char *) names;     /* "hlocc_max_V" */
    bool generic;                /* has type letters; else one text */
    unsigned long long v_types;  /* bit DType */
    unsigned v_lanes;            /* bit log2(lanes), bit 0: scalar */
    unsigned long long w_types;
    WLanes w_lanes;
    const char *const *lines; /* n_lines, each with its line end */
    int n_lines;
} Piece;

typedef struct {
    VEC(Piece *) list;
    struct StringTableOfPieces *by_name;
} Pieces;

typedef struct {
    const Piece *piece;
    RtType v, w;
} Instance;

/* All pieces, from the text that the build embeds. Wrong notation is an internal error. */
Pieces *runtime_pieces(Arena *arena);

/* The instance that a symbol names; false if there is none. */
bool piece_find(const Pieces *pieces, const char *symbol, Instance *found);

/* "f32x16", "m16", "pred", "bf16" -> a type. */
bool rt_type_parse(const char *text, size_t n, RtType *type);

/* The reverse; into arena. */
const char *rt_type_name(Arena *arena, RtType type);

/* True if the piece admits these types (w.dtype N_DTYPES where it has none). */
bool piece_admits(const Piece *piece, RtType v, RtType w);

#endif
