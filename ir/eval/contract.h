/* What dot, convolution and their kin share: operands as wide arrays (double, 64-bit integers, pairs of doubles) with
 * their dims in a given order, and sums of products over them, kept wide and rounded once. */
#ifndef IR_EVAL_CONTRACT_H
#define IR_EVAL_CONTRACT_H

#include "ir/eval/map.h"
#include "ir/eval/value.h"

typedef struct {
    LaneClass class; /* of the result: operands are converted to it */
    char *at;
    int64_t n;
} Wide;

/* Lists of dims under construction. */
typedef struct {
    int n;
    int64_t *at;
} Dims;
Dims dims_new(Arena *arena, int capacity);
void dims_add(Dims *dims, int64_t d);
bool dims_has(Dims dims, int64_t d);
int64_t dims_product(const Shape *shape, Dims dims); /* of their sizes */

size_t wide_bytes(LaneClass class);

/* The elements of an operand with dim order[0] slowest ... order[rank-1] fastest. */
Wide wide_operand(Arena *arena, LaneClass class, const Value *operand, const int64_t *order);
Wide wide_zeros(Arena *arena, LaneClass class, int64_t n);

/* sum += sum over i < n of a[at_a + i] * b[at_b + i], for element number at_sum of sum. */
void wide_accumulate(Wide *sum, int64_t at_sum, const Wide *a, int64_t at_a, const Wide *b, int64_t at_b, int64_t n);

/* An array of shape, in row-major order, each element rounded once. */
Value *wide_result(const Shape *shape, const Wide *sums);

/* [batch][rows][k] times [batch][columns][k]: sums [batch][rows][columns]. */
Wide wide_multiply(Arena *arena, const Wide *a, const Wide *b, int64_t batch, int64_t rows, int64_t columns, int64_t k);

#endif
