/* How dialect C builds expressions (indexing.md 4.7, 4.8): inside of ir/index.c, which calls this for pools of that
 * dialect. */
#ifndef IR_INDEX_DIALECT_C_H
#define IR_INDEX_DIALECT_C_H

#include "ir/index.h"

/* kind of a and b, as the operators of dialect C fold it: like dialect_c_raw, and divisions by 1. */
const Index *dialect_c_binary(IndexPool *pool, IndexKind kind, const Index *a, const Index *b);

/* kind of a and b where it is read, or its parts are replaced: constants fold and go to the right, neutral elements go,
 * constant factors are multiplied. */
const Index *dialect_c_raw(IndexPool *pool, IndexKind kind, const Index *a, const Index *b);

/* Bottom up: sums flattened, equal terms gathered, ordered; products distributed over sums; divisions and remainders
 * reduced by common divisors. Memoised in the pool. */
const Index *dialect_c_canonical(IndexPool *pool, const Index *e);

/* The node itself (ir/index.c). */
const Index *index_raw(IndexPool *pool, IndexKind kind, const Index *a, const Index *b);

#endif
