#include "passes/indexing/access.h"

/* Row-major order, and everything that keeps it: reshape, bitcast, bitcast-convert. */

static int64_t product(int n, const int64_t *sizes) {
    int64_t total = 1;
    for (int i = 0; i < n; i++) total *= sizes[i];
    return total;
}

const Index *index_linearise(IndexPool *pool, int n, const int64_t *sizes, const Index *const *index) {
    const Index *sum = index_const(pool, 0);
    for (int i = 0; i < n; i++)
        sum = index_add(pool, sum, index_times(pool, index[i], product(n - i - 1, sizes + i + 1)));
    return sum;
}

void index_delinearise(IndexPool *pool, const Index *linear, int n, const int64_t *sizes, const Index **out) {
    for (int i = 0; i < n; i++) {
        int64_t stride = product(n - i - 1, sizes + i + 1);
        out[i] = index_over(pool, linear, stride);
        linear = index_modulo(pool, linear, stride);
    }
}

void index_reshape(IndexPool *pool, int n_to, const int64_t *to, const Index *const *index, int n_from,
                   const int64_t *from, const Index **out) {
    if (product(n_from, from) == 0) {
        for (int i = 0; i < n_from; i++) out[i] = index_const(pool, 0);
        return;
    }
    int f0 = 0, f = 0, t0 = 0, t = 0;
    int64_t a = 1, b = 1; /* elements of the group so far: from side, to side */
    while (f < n_from || t < n_to || f > f0) {
        if (f < n_from && (f == f0 || a < b)) {
            a *= from[f++];
        } else if (t < n_to && (t == t0 || b < a)) {
            b *= to[t++];
        } else {
            if (f - f0 == 1 && t - t0 == 1) {
                out[f0] = index[t0];
            } else if (f > f0) {
                const Index *linear = index_linearise(pool, t - t0, to + t0, index + t0);
                index_delinearise(pool, linear, f - f0, from + f0, out + f0);
            }
            f0 = f;
            t0 = t;
            a = b = 1;
        }
    }
}

bool access_reshape(AccessBuilder *b) {
    const Shape *to = b->instr->shape, *from = b->instr->operands[0]->shape;
    const Index **index = NEW_ARRAY(b->pool->arena, const Index *, to->rank + from->rank + 1), **out = index + to->rank;
    for (int i = 0; i < to->rank; i++) index[i] = access_dim(b, i);
    index_reshape(b->pool, to->rank, to->dims, index, from->rank, from->dims, out);
    for (int i = 0; i < from->rank; i++) out[i] = index_simplify_keep_points(b->domain, out[i]);
    access_reads(b, 0, out);
    return true;
}

/* Dims of shape from the slowest to the fastest in memory, as positions of logical dims. */
static void major_to_minor(const Shape *shape, int *order) {
    for (int i = 0; i < shape->rank; i++)
        order[i] = shape->layout->n_minor_to_major ? (int)shape->layout->minor_to_major[shape->rank - 1 - i] : i;
}

/* Sizes (and the index, unless NULL) in memory order. */
static void to_memory_order(const Shape *shape, const Index *const *index, int64_t *sizes, const Index **out) {
    for (int i = 0; i < shape->rank; i++) {
        int dim = shape->layout->n_minor_to_major ? (int)shape->layout->minor_to_major[shape->rank - 1 - i] : i;
        sizes[i] = shape->dims[dim];
        if (index) out[i] = index[dim];
    }
}

/* Same physical order, other dims: permuting is enough when `to` is `from` with dims renamed in memory order. */
static bool is_relayout(const Shape *to, const Shape *from, const int64_t *to_sizes, const int64_t *from_sizes) {
    if (to->rank != from->rank) return false;
    for (int i = 0; i < to->rank; i++)
        if (to_sizes[i] != from_sizes[i]) return false;
    return true;
}

/* The dims of a side of a bitcast; parts above 1: elements are split into so many along a last dim. */
typedef struct {
    const Shape *shape;
    int64_t parts;
} BitcastSide;

/* Both sides to memory order, a reshape between. index: of `to` in logical order, with its part, if any, at the end;
 * out alike, without parts. */
static void through_memory(IndexPool *pool, BitcastSide to, const Index *const *index, BitcastSide from,
                           const Index **out) {
    int n_to = to.shape->rank, n_from = from.shape->rank;
    int64_t *sizes = NEW_ARRAY(pool->arena, int64_t, n_to + n_from + 2), *from_sizes = sizes + n_to + 1;
    const Index **memory = NEW_ARRAY(pool->arena, const Index *, n_to + n_from + 2), **found = memory + n_to + 1;
    int *order = NEW_ARRAY(pool->arena, int, n_from + 1);
    to_memory_order(to.shape, index, sizes, memory);
    to_memory_order(from.shape, NULL, from_sizes, NULL);
    if (is_relayout(to.shape, from.shape, sizes, from_sizes) && to.parts == from.parts) {
        for (int i = 0; i < n_from; i++) found[i] = memory[i];
    } else {
        if (to.parts > 1) {
            sizes[n_to] = to.parts;
            memory[n_to] = index[n_to];
        }
        if (from.parts > 1) from_sizes[n_from] = from.parts;
        index_reshape(pool, n_to + (to.parts > 1), sizes, memory, n_from + (from.parts > 1), from_sizes, found);
    }
    major_to_minor(from.shape, order);
    for (int i = 0; i < n_from; i++) out[order[i]] = found[i];
}

/* The dims of one side are those of the other with other names: in memory they stand in the same order. */
static bool are_permuted(IndexPool *pool, const Shape *to, const Shape *from) {
    int64_t *sizes = NEW_ARRAY(pool->arena, int64_t, to->rank + from->rank + 1), *from_sizes = sizes + to->rank;
    to_memory_order(to, NULL, sizes, NULL);
    to_memory_order(from, NULL, from_sizes, NULL);
    return is_relayout(to, from, sizes, from_sizes);
}

/* Where a plain reshape means the same it is the shorter way to say it. */
static bool prefer_reshape(IndexPool *pool, const Shape *to, const Index *const *index, const Shape *from,
                           const Index **out) {
    IndexDomain *domain = index_domain_new(pool);
    const Index **plain = NEW_ARRAY(pool->arena, const Index *, from->rank + 1);
    for (int i = 0; i < to->rank; i++) index_domain_dim(domain, (Interval){0, to->dims[i] - 1});
    index_reshape(pool, to->rank, to->dims, index, from->rank, from->dims, plain);
    for (int i = 0; i < from->rank; i++)
        if (index_simplify(domain, plain[i]) != index_simplify(domain, out[i])) return false;
    for (int i = 0; i < from->rank; i++) out[i] = plain[i];
    return true;
}

void index_bitcast(IndexPool *pool, const Shape *to, const Index *const *index, const Shape *from, const Index **out) {
    through_memory(pool, (BitcastSide){to, 1}, index, (BitcastSide){from, 1}, out);
    bool plain = layout_is_default(to) && layout_is_default(from);
    if (!plain && !are_permuted(pool, to, from)) prefer_reshape(pool, to, index, from, out);
}

/* Bitcast reinterprets the bytes in memory order (2.10). When the width of elements changes, bytes join or split along
 * the fastest dim. */
bool access_bitcast(AccessBuilder *b) {
    const Shape *to = b->instr->shape, *from = b->instr->operands[0]->shape;
    if (!shape_is_array(to) || !shape_is_array(from)) return false;
    IndexPool *pool = b->pool;
    const Index **index = NEW_ARRAY(pool->arena, const Index *, to->rank + from->rank + 1),
                **out = index + to->rank + 1;
    int64_t wide = dtype_bytes(to->dtype), narrow = dtype_bytes(from->dtype);
    for (int i = 0; i < to->rank; i++) index[i] = access_dim(b, i);
    if (wide > narrow) index[to->rank] = access_range(b, wide / narrow); /* made of wide / narrow neighbours */
    if (wide == narrow)
        index_bitcast(pool, to, index, from, out);
    else
        through_memory(pool, (BitcastSide){to, wide > narrow ? wide / narrow : 1}, index,
                       (BitcastSide){from, wide < narrow ? narrow / wide : 1}, out);
    for (int i = 0; i < from->rank; i++) out[i] = index_simplify_keep_points(b->domain, out[i]);
    access_reads(b, 0, out);
    return true;
}

/* The logical counterpart: parts are a last dim of their own. */
bool access_bitcast_convert(AccessBuilder *b) {
    const Shape *to = b->instr->shape, *from = b->instr->operands[0]->shape;
    const Index **index = NEW_ARRAY(b->pool->arena, const Index *, from->rank + 1);
    for (int i = 0; i < from->rank && i < to->rank; i++) index[i] = access_dim(b, i);
    if (from->rank > to->rank) index[to->rank] = access_range(b, from->dims[to->rank]);
    access_reads(b, 0, index);
    return true;
}
