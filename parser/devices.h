/* Devices being read: iota lists, meshes, shardings. */
#ifndef PARSER_DEVICES_H
#define PARSER_DEVICES_H

#include "base/vec.h"
#include "ir/attr.h"
#include "lexer/token.h"

enum { MOST_DEVICES = 1 << 20 };

/* [4,2]T(1,0): 0, 1, 2, ... as an array of these dims, transposed. */
typedef struct {
    IntList dims, order;
    Span span;
    int64_t n; /* product of dims; 0 when something was wrong */
} Iota;

typedef struct {
    TokenText name;
    int64_t size;
} MeshAxis;

/* An axis, or of an axis of size N the middle one of the axes [pre, size, N / (pre * size)] that it is split into. */
typedef struct {
    int axis;
    int64_t pre, size;
} AxisPart;

typedef struct {
    bool maximal;  /* maximal_mesh[device_id=...] */
    VEC(MeshAxis) axes;
    int64_t n;     /* devices */
    IntList ids;   /* n of them; at NULL: 0, 1, 2, ... */
    VEC(AxisPart) parts; /* of the lists of axes read since the mesh began */
} Mesh;

typedef struct {
    const char *word; /* of replicated, maximal, manual, unknown, unreduced; or NULL */
    bool replicates_last, has_tiles, has_last_dims;
    bool is_list; /* devices=[2]0,1, not an iota */
    IntList tiles;
    int64_t n_devices;
    Span devices_span;
} ShardingDraft;

#endif
