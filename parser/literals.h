/* A literal being read. */
#ifndef PARSER_LITERALS_H
#define PARSER_LITERALS_H

#include "base/vec.h"
#include "ir/literal.h"

/* An open bracket: of a tuple, of the braces of a dim of an array, of a complex pair. */
typedef enum { IN_TUPLE, IN_DIM, IN_PAIR } PlaceKind;

typedef struct {
    PlaceKind kind;
    const Shape *shape;
    Literal *literal; /* that the bracket holds as a whole; NULL: a row, a pair */
    int dim;          /* IN_DIM */
    bool braced;      /* a tuple, but in braces: {...} */
    int64_t count;    /* children so far */
} LiteralPlace;

typedef struct {
    const Shape *shape; /* of the whole */
    Literal *whole;
    VEC(LiteralPlace) places;
    Literal *array;  /* the one being filled */
    int64_t n, room; /* its elements so far, and how many its data has room for */
    VEC(Literal *) typed; /* finished literals of typed tuples being read */
    VEC(int) typed_first; /* where in them each of these tuples begins */
} LiteralDraft;

#endif
