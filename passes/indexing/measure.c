#include "passes/indexing/measure.h"

#include "passes/indexing/access.h"

typedef VEC(const Index *) Variables;

typedef struct {
    Arena *arena;
    Variables found;
} Collection;

static void collect(const Index *variable, void *context) {
    Collection *c = context;
    for (int i = 0; i < c->found.n; i++)
        if (c->found.at[i] == variable) return;
    vec_push(c->arena, &c->found, variable);
}

static Variables variables_of(Arena *arena, int n, const Index *const *index) {
    Collection c = {arena, {0}};
    for (int i = 0; i < n; i++) index_walk_variables(index[i], collect, &c);
    return c.found;
}

/* --- how many ---------------------------------------------------------------------------------------------------- */

/* A variable's part in a linear expression: steps of `factor`, n values. */
typedef struct {
    int64_t factor, n;
} Part;

/* Different values of a sum of parts: exact where each step continues the run of smaller ones or leaps over all. */
static Touched count_linear(Part *parts, int n) {
    int64_t span = 0, all = 1; /* largest value so far; values so far */
    bool dense = true;         /* they are the multiples of the smallest step up to span */
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0 && parts[k].factor < parts[k - 1].factor; k--) {
            Part other = parts[k];
            parts[k] = parts[k - 1];
            parts[k - 1] = other;
        }
    for (int i = 0; i < n; i++) {
        int64_t step = parts[0].factor, reach;
        if (multiply_overflows(parts[i].factor, parts[i].n - 1, &reach)) return (Touched){(double)INT64_MAX, false};
        if (i == 0 || parts[i].factor > span) {
            dense &= i == 0 || (parts[i].factor == span + step && dense);
            if (multiply_overflows(all, parts[i].n, &all)) return (Touched){(double)INT64_MAX, false};
        } else if (dense && parts[i].factor % step == 0) {
            all += reach / step;
        } else {
            return (Touched){(double)(span + reach) / (double)step + 1, false};
        }
        span += reach;
    }
    return (Touched){(double)all, true};
}

/* Values of one expression, by the rule for linear ones. */
static Touched count_values(IndexDomain *domain, Arena *arena, const Index *e) {
    Variables variables = variables_of(arena, 1, &e);
    Part *parts = NEW_ARRAY(arena, Part, variables.n + 1);
    const Index *rest = e;
    Interval range = index_range(domain, e);
    int n = 0;
    for (int i = 0; i < variables.n; i++) {
        int64_t factor;
        if (!index_linear_in(domain->pool, rest, variables.at[i], &factor, &rest))
            return (Touched){(double)interval_count(range), interval_count(range) == 1};
        int64_t values = interval_count(index_range(domain, variables.at[i]));
        if (values > 1 && factor) parts[n++] = (Part){factor < 0 ? -factor : factor, values};
    }
    Touched touched = count_linear(parts, n);
    double values = (double)interval_count(range);
    if (!touched.exact && values < touched.elements) touched.elements = values;
    return touched;
}

static bool next_point(IndexDomain *domain, const Variables *variables, int64_t *dims, int64_t *syms) {
    for (int i = 0; i < variables->n; i++) {
        const Index *v = variables->at[i];
        int64_t *value = v->kind == INDEX_DIM ? &dims[v->value] : &syms[v->value];
        Interval range = index_range(domain, v);
        if (++*value <= range.high) return true;
        *value = range.low;
    }
    return false;
}

/* Counts by trying every point, which must be few. */
static double enumerate(IndexDomain *domain, Arena *arena, const Variables *variables, int n,
                        const Index *const *index) {
    int64_t *dims = NEW_ARRAY(arena, int64_t, domain->dims.n + domain->syms.n + 1), *syms = dims + domain->dims.n;
    int64_t *strides = NEW_ARRAY(arena, int64_t, n + 1), total = 1;
    for (int i = n - 1; i >= 0; i--) {
        strides[i] = total;
        if (multiply_overflows(total, interval_count(index_range(domain, index[i])), &total)) return -1;
    }
    enum { MOST_CELLS = 1 << 22 };
    if (total > MOST_CELLS) return -1;
    bool *seen = NEW_ARRAY(arena, bool, total);
    for (int i = 0; i < variables->n; i++) {
        const Index *v = variables->at[i];
        *(v->kind == INDEX_DIM ? &dims[v->value] : &syms[v->value]) = index_range(domain, v).low;
    }
    double count = 0;
    do {
        int64_t cell = 0;
        for (int i = 0; i < n; i++)
            cell += (index_evaluate(index[i], dims, syms) - index_range(domain, index[i]).low) * strides[i];
        count += !seen[cell];
        seen[cell] = true;
    } while (next_point(domain, variables, dims, syms));
    return count;
}

static bool are_separable(Arena *arena, int n, const Index *const *index) {
    int total = 0;
    for (int i = 0; i < n; i++) total += variables_of(arena, 1, &index[i]).n;
    return total == variables_of(arena, n, index).n;
}

Touched index_touched(IndexDomain *domain, int n, const Index *const *index) {
    enum { FEW = 1 << 16 };
    Arena *arena = domain->pool->arena;
    Variables variables = variables_of(arena, n, index);
    Touched all = {1, are_separable(arena, n, index)};
    double points = 1;
    for (int i = 0; i < variables.n; i++) points *= (double)interval_count(index_range(domain, variables.at[i]));
    for (int i = 0; i < n; i++) {
        Touched one = count_values(domain, arena, index[i]);
        all.elements *= one.elements;
        all.exact &= one.exact;
    }
    if (all.elements > points) all.elements = points;
    if (all.exact || points > FEW || points < 1) return all;
    double count = enumerate(domain, arena, &variables, n, index);
    return count < 0 ? all : (Touched){count, true};
}

/* --- side by side ------------------------------------------------------------------------------------------------ */

Contiguity index_contiguity(IndexDomain *domain, const Shape *shape, const Index *const *index) {
    Arena *arena = domain->pool->arena;
    int rank = shape->rank;
    const Index **memory = NEW_ARRAY(arena, const Index *, rank + 1);
    int64_t *sizes = NEW_ARRAY(arena, int64_t, rank + 1);
    for (int i = 0; i < rank; i++) {
        int d = shape->layout && shape->layout->n_minor_to_major ? (int)shape->layout->minor_to_major[rank - 1 - i] : i;
        memory[i] = index[d];
        sizes[i] = shape->dims[d];
    }
    const Index *linear = index_simplify(domain, index_linearise(domain->pool, rank, sizes, memory));
    Variables variables = variables_of(arena, 1, &linear);
    Contiguity found = {NULL, 1};
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < variables.n; i++) {
            int64_t factor, n = interval_count(index_range(domain, variables.at[i]));
            if (!index_linear_in(domain->pool, linear, variables.at[i], &factor, NULL) || n <= 1) continue;
            if (factor != found.run && factor != -found.run) continue;
            if (!found.unit_stride) found.unit_stride = variables.at[i];
            more = !multiply_overflows(found.run, n, &found.run);
            break;
        }
    }
    return found;
}
