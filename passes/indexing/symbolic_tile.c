#include "passes/indexing/symbolic_tile.h"

#include <stdlib.h>
#include <string.h>

/* One result, or a summand of it: size and stride along it. */
typedef struct {
    const Index *size, *stride;
    TileConstraints constraints;
} TileSpan;
typedef VEC(TileSpan) Spans;

typedef struct {
    IndexPool *pool;
    const IndexMap *map;
    const char *why; /* it fails */
} Extraction;

static bool fails(Extraction *x, const char *why) {
    if (!x->why) x->why = why;
    return false;
}

/* --- constraints ------------------------------------------------------------------------------------------------- */

enum { MOST_ALTERNATIVES = 256 };

TileConstraints tile_constraints_always(IndexPool *pool) {
    TileConstraints always = {0};
    vec_push(pool->arena, &always.any, ((TileConditions){0}));
    return always;
}

bool tile_constraints_hold_always(const TileConstraints *constraints) {
    for (int i = 0; i < constraints->any.n; i++)
        if (!constraints->any.at[i].all.n) return true;
    return false;
}

/* False: together they cannot hold. */
static bool conditions_add(IndexPool *pool, TileConditions *conditions, const Index *expr, Interval in) {
    if (expr->kind == INDEX_CONST) return interval_contains(in, expr->value);
    for (int i = 0; i < conditions->all.n; i++) {
        IndexConstraint *known = &conditions->all.at[i];
        if (known->expr != expr) continue;
        known->in = interval_intersect(known->in, in);
        return interval_feasible(known->in);
    }
    vec_push(pool->arena, &conditions->all, (IndexConstraint){expr, in});
    return true;
}

/* Where a holds, b holds. */
static bool implies(const TileConditions *a, const TileConditions *b) {
    for (int i = 0; i < b->all.n; i++) {
        bool found = false;
        for (int k = 0; k < a->all.n; k++)
            found |= a->all.at[k].expr == b->all.at[i].expr && interval_includes(b->all.at[i].in, a->all.at[k].in);
        if (!found) return false;
    }
    return true;
}

/* One more alternative; those that say no more than another go. */
static void constraints_add(IndexPool *pool, TileConstraints *constraints, TileConditions conditions) {
    int kept = 0;
    for (int i = 0; i < constraints->any.n; i++)
        if (implies(&conditions, &constraints->any.at[i])) return;
    for (int i = 0; i < constraints->any.n; i++)
        if (!implies(&constraints->any.at[i], &conditions)) constraints->any.at[kept++] = constraints->any.at[i];
    constraints->any.n = kept;
    vec_push(pool->arena, &constraints->any, conditions);
}

static TileConditions conditions_copy(IndexPool *pool, const TileConditions *conditions) {
    TileConditions copy = {0};
    for (int i = 0; i < conditions->all.n; i++) vec_push(pool->arena, &copy.all, conditions->all.at[i]);
    return copy;
}

bool tile_constraints_both(IndexPool *pool, TileConstraints *a, const TileConstraints *b) {
    TileConstraints both = {0};
    if (tile_constraints_hold_always(b)) return true;
    for (int i = 0; i < a->any.n; i++) {
        for (int k = 0; k < b->any.n; k++) {
            TileConditions conditions = conditions_copy(pool, &a->any.at[i]);
            bool possible = true;
            for (int j = 0; j < b->any.at[k].all.n; j++) {
                const IndexConstraint *one = &b->any.at[k].all.at[j];
                possible = possible && conditions_add(pool, &conditions, one->expr, one->in);
            }
            if (possible) constraints_add(pool, &both, conditions);
        }
        if (both.any.n > MOST_ALTERNATIVES) return false;
    }
    *a = both;
    return true;
}

bool tile_constraints_hold(const TileConstraints *constraints, const int64_t *sizes) {
    for (int i = 0; i < constraints->any.n; i++) {
        const TileConditions *conditions = &constraints->any.at[i];
        bool holds = true;
        for (int k = 0; k < conditions->all.n; k++)
            holds &=
                interval_contains(conditions->all.at[k].in, index_evaluate(conditions->all.at[k].expr, sizes, NULL));
        if (holds) return true;
    }
    return false;
}

/* --- sizes and strides ------------------------------------------------------------------------------------------- */

static bool extract(Extraction *x, const Index *e, TileSpan *span);

static TileSpan span_of(const Extraction *x, const Index *size, int64_t stride) {
    return (TileSpan){size, index_const(x->pool, stride), tile_constraints_always(x->pool)};
}

/* Values of `count mod c` for as many counts in a row: as many, until they repeat. That is a box if tiles divide c, or
 * are whole multiples of it. */
static bool extract_mod(Extraction *x, const Index *e, TileSpan *span) {
    const Index *lhs = e->lhs, *count = lhs;
    if (e->rhs->kind != INDEX_CONST) return fails(x, "a divisor is no constant");
    int64_t c = e->rhs->value;
    if (lhs->kind == INDEX_FLOORDIV && lhs->lhs->kind == INDEX_DIM && lhs->rhs->kind == INDEX_CONST)
        count = index_over(x->pool, index_plus(x->pool, lhs->lhs, lhs->rhs->value - 1), lhs->rhs->value);
    else if (lhs->kind != INDEX_DIM)
        return fails(x, "the remainder of something that goes in other steps than 1");
    const Index *repeats = index_over(x->pool, index_plus(x->pool, count, -1), c);
    *span = span_of(x, index_sub(x->pool, count, index_times(x->pool, repeats, c)), 1);
    span->constraints.any.n = 0;
    const Index *alternatives[2] = {index_mod(x->pool, e->rhs, count), index_modulo(x->pool, count, c)};
    for (int i = 0; i < 2; i++) {
        TileConditions divides = {0};
        if (conditions_add(x->pool, &divides, alternatives[i], (Interval){0, 0}))
            constraints_add(x->pool, &span->constraints, divides);
    }
    return true;
}

static bool extract_floordiv(Extraction *x, const Index *e, TileSpan *span) {
    if (e->rhs->kind != INDEX_CONST) return fails(x, "a divisor is no constant");
    if (e->lhs->kind != INDEX_DIM) return fails(x, "the quotient of something that goes in other steps than 1");
    int64_t c = e->rhs->value;
    *span = span_of(x, index_over(x->pool, index_plus(x->pool, e->lhs, c - 1), c), 1);
    return true;
}

static void add_summands(Extraction *x, const Index *e, Spans *spans) {
    TileSpan one;
    if (e->kind == INDEX_ADD) {
        add_summands(x, e->lhs, spans);
        add_summands(x, e->rhs, spans);
    } else if (extract(x, e, &one)) {
        vec_push(x->pool->arena, spans, one);
    }
}

static int64_t magnitude(const TileSpan *span) {
    return span->stride->value < 0 ? -span->stride->value : span->stride->value;
}

/* How many values a size can have at most: its own, or the extent of the dim that it is. */
static int64_t most_of(const Extraction *x, const Index *size) {
    if (size->kind == INDEX_CONST) return size->value;
    Interval bounds = x->map->vars[size->value].bounds;
    return bounds.low == 0 ? bounds.high + 1 : -1;
}

/* `size != 1 ? stride : otherwise`, for size in [1, most]. */
static const Index *if_not_one(IndexPool *pool, const Index *size, const Index *stride, const Index *otherwise,
                               int64_t most) {
    const Index *room = index_sub(pool, index_const(pool, most + 1), size);
    const Index *is_one = index_over(pool, room, most);
    const Index *is_not = index_plus(pool, index_times(pool, is_one, -1), 1);
    return index_add(pool, index_mul(pool, is_one, otherwise), index_mul(pool, is_not, stride));
}

/* Spans first to last go the same way. */
static bool go_one_way(const Spans *spans, int first, int last) {
    for (int i = first + 1; i <= last; i++)
        if ((spans->at[i].stride->value < 0) != (spans->at[first].stride->value < 0)) return false;
    return true;
}

/* Single elements, then any number, then whole spans, then single elements again: the patterns of sizes whose values
 * lie in equal steps. Spans stand in the order of their strides, the largest first. (XLA does not look which way they
 * go, and so takes d0 * 24 - d1 for a run of negative steps.) */
static TileConstraints pattern_constraints(const Extraction *x, const Spans *spans) {
    TileConstraints patterns = {0};
    for (int part = 0; part < spans->n; part++) {
        for (int whole = 0; whole < spans->n - part; whole++) {
            TileConditions pattern = {0};
            bool possible = go_one_way(spans, part, part + whole);
            for (int i = 0; i < spans->n; i++) {
                bool is_whole = i > part && i <= part + whole;
                int64_t size = is_whole ? most_of(x, spans->at[i].size) : 1;
                if (i == part) continue;
                possible = possible && size > 0 &&
                           conditions_add(x->pool, &pattern, spans->at[i].size, (Interval){size, size});
            }
            if (possible) constraints_add(x->pool, &patterns, pattern);
        }
    }
    return patterns;
}

/* Largest strides first. False: the values of the sum do not lie in equal steps whatever the sizes. */
static bool sort_spans(Extraction *x, Spans *spans) {
    for (int i = 0; i < spans->n; i++) {
        const TileSpan one = spans->at[i];
        if (one.stride->kind != INDEX_CONST) return fails(x, "a sum of strides that depend on sizes");
        if (one.size->kind != INDEX_CONST && one.size->kind != INDEX_DIM)
            return fails(x, "a sum of quotients or remainders");
        int k = i;
        for (; k > 0 && magnitude(&spans->at[k - 1]) < magnitude(&one); k--) spans->at[k] = spans->at[k - 1];
        spans->at[k] = one;
    }
    for (int i = 1; i < spans->n; i++) {
        int64_t most = most_of(x, spans->at[i].size), reach;
        if (most < 0) return fails(x, "a sum over a part of a dim that does not begin at 0");
        if (multiply_overflows(most, magnitude(&spans->at[i]), &reach) || reach != magnitude(&spans->at[i - 1]))
            return fails(x, "a sum whose parts do not follow each other without gaps");
    }
    return true;
}

static bool extract_sum(Extraction *x, const Index *e, TileSpan *span) {
    Spans spans = {0};
    add_summands(x, e, &spans);
    if (x->why) return false;
    *span = span_of(x, index_const(x->pool, 1), 0);
    for (int i = 0; i < spans.n; i++) {
        span->size = index_mul(x->pool, span->size, spans.at[i].size);
        if (!tile_constraints_both(x->pool, &span->constraints, &spans.at[i].constraints))
            return fails(x, "too many constraints");
    }
    if (!sort_spans(x, &spans)) return false;
    for (int i = 0; i < spans.n; i++) {
        int64_t most = most_of(x, spans.at[i].size);
        if (most < 1) return fails(x, "a sum over a part of a dim that does not begin at 0");
        span->stride = if_not_one(x->pool, spans.at[i].size, spans.at[i].stride, span->stride, most);
    }
    TileConstraints patterns = pattern_constraints(x, &spans);
    return tile_constraints_both(x->pool, &span->constraints, &patterns) || fails(x, "too many constraints");
}

static bool extract(Extraction *x, const Index *e, TileSpan *span) {
    switch (e->kind) {
    case INDEX_DIM:
        *span = span_of(x, e, 1);
        return true;
    case INDEX_SYM: {
        Interval bounds = x->map->vars[x->map->n_dims + e->value].bounds;
        if (e->value >= x->map->n_ranges) return fails(x, "a runtime variable within a quotient or a product");
        if (bounds.low != 0) return fails(x, "a range that does not begin at 0");
        *span = span_of(x, index_const(x->pool, bounds.high + 1), 1);
        return true;
    }
    case INDEX_CONST:
        *span = span_of(x, index_const(x->pool, 1), 0);
        return true;
    case INDEX_MUL:
        if (e->rhs->kind != INDEX_CONST) return fails(x, "a product of variables");
        if (!extract(x, e->lhs, span)) return false;
        span->stride = index_mul(x->pool, span->stride, e->rhs);
        return true;
    case INDEX_ADD:
        return extract_sum(x, e, span);
    case INDEX_MOD:
        return extract_mod(x, e, span);
    case INDEX_FLOORDIV:
        return extract_floordiv(x, e, span);
    case INDEX_CEILDIV:
    case INDEX_MAX:
    case INDEX_MIN:
        break;
    }
    return fails(x, "a minimum, a maximum or a quotient rounded up");
}

/* What constraints may say: that a result does not go beyond the end. The tile then is partly padding. */
static bool only_pads_at_the_end(const IndexMap *map) {
    for (int i = 0; i < map->constraints.n; i++) {
        const IndexConstraint *one = &map->constraints.at[i];
        bool of_result = false;
        for (int k = 0; k < map->n_results; k++) of_result |= map->results[k] == one->expr;
        if (!of_result || one->in.low != 0) return false;
    }
    return true;
}

const char *symbolic_tile_of(const IndexMap *original, SymbolicTile *tile) {
    IndexMap *map = index_map_copy(original);
    index_map_simplify(map, true);
    IndexPool *pool = map->pool;
    Extraction x = {pool, map, NULL};
    if (map->empty) return "nothing is read";
    if (!only_pads_at_the_end(map)) return "a constraint is more than padding at the end";
    for (int i = 0; i < map->n_ranges; i++)
        if (map->vars[map->n_dims + i].bounds.low != 0) return "a range does not begin at 0";
    const Index **zeros = NEW_ARRAY(pool->arena, const Index *, map->n_dims + map->n_ranges + 1);
    for (int i = 0; i < map->n_dims + map->n_ranges; i++) zeros[i] = index_const(pool, 0);
    const Index **all = NEW_ARRAY(pool->arena, const Index *, 3 * map->n_results + 1);
    *tile = (SymbolicTile){map, all, all + map->n_results, all + 2 * map->n_results, tile_constraints_always(pool)};
    IndexDomain *domain = index_map_domain(map, false);
    for (int i = 0; i < map->n_results; i++) {
        TileSpan span;
        tile->offsets[i] =
            index_substitute(pool, map->results[i], map->n_dims, zeros, map->n_ranges, zeros + map->n_dims);
        const Index *rest = index_simplify_keep_points(domain, index_sub(pool, map->results[i], tile->offsets[i]));
        if (!extract(&x, rest, &span)) return x.why;
        tile->sizes[i] = span.size;
        tile->strides[i] = span.stride;
        if (!tile_constraints_both(pool, &tile->constraints, &span.constraints)) return "too many constraints";
    }
    return tile->constraints.any.n ? NULL : "no sizes of tiles meet all constraints";
}

/* --- text -------------------------------------------------------------------------------------------------------- */

static int compare_texts(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sorts and joins them. */
static const char *joined(Arena *arena, const char **texts, int n, const char *between) {
    Text text = {0};
    qsort(texts, (size_t)n, sizeof *texts, compare_texts);
    for (int i = 0; i < n; i++) text_printf(&text, "%s%s", i ? between : "", texts[i]);
    const char *copy = arena_string(arena, text_string(&text), text.n);
    text_free(&text);
    return copy;
}

static const char *condition_text(Arena *arena, const IndexMap *map, const IndexConstraint *one) {
    Text text = {0};
    IndexNames names = index_map_names(map);
    index_print(&text, one->expr, &names);
    text_printf(&text, " in [%lld, %lld]", (long long)one->in.low, (long long)one->in.high);
    const char *copy = arena_string(arena, text_string(&text), text.n);
    text_free(&text);
    return copy;
}

void tile_constraints_print(Text *out, const IndexMap *map, const TileConstraints *constraints) {
    Arena *arena = map->pool->arena;
    const char **alternatives = NEW_ARRAY(arena, const char *, constraints->any.n + 1);
    for (int i = 0; i < constraints->any.n; i++) {
        const TileConditions *conditions = &constraints->any.at[i];
        const char **texts = NEW_ARRAY(arena, const char *, conditions->all.n + 1);
        for (int k = 0; k < conditions->all.n; k++) texts[k] = condition_text(arena, map, &conditions->all.at[k]);
        alternatives[i] = joined(arena, texts, conditions->all.n, " && ");
    }
    text_put(out, constraints->any.n ? joined(arena, alternatives, constraints->any.n, " || ") : "never");
}

/* Runtime variables are the symbols here, from s0. */
static void print_tile_map(Text *out, const SymbolicTile *tile, const Index *const *results, bool with_symbols) {
    const IndexMap *map = tile->map;
    IndexNames names = {.dialect_c = map->pool->dialect_c};
    const Index **symbols = NEW_ARRAY(map->pool->arena, const Index *, index_map_n_symbols(map) + 1);
    for (int i = 0; i < map->n_rts; i++) symbols[map->n_ranges + i] = index_sym(map->pool, i);
    text_char(out, '(');
    for (int i = 0; i < map->n_dims; i++) text_printf(out, "%sd%d", i ? ", " : "", i);
    text_char(out, ')');
    for (int i = 0; with_symbols && i < map->n_rts; i++) text_printf(out, "%ss%d", i ? ", " : "[", i);
    text_put(out, with_symbols && map->n_rts ? "] -> (" : " -> (");
    for (int i = 0; i < map->n_results; i++) {
        text_put(out, i ? ", " : "");
        index_print(out, index_substitute(map->pool, results[i], 0, NULL, index_map_n_symbols(map), symbols), &names);
    }
    text_put(out, ")\n");
}

void symbolic_tile_print(Text *out, const char *indent, const SymbolicTile *tile) {
    const IndexMap *map = tile->map;
    text_printf(out, "%sSymbolic tile with\n%s  offset_map: ", indent, indent);
    print_tile_map(out, tile, tile->offsets, true);
    text_printf(out, "%s  size_map: ", indent);
    print_tile_map(out, tile, tile->sizes, false);
    text_printf(out, "%s  stride_map: ", indent);
    print_tile_map(out, tile, tile->strides, false);
    if (map->n_rts) text_printf(out, "%s  rt_vars:\n", indent);
    for (int i = 0; i < map->n_rts; i++) {
        Interval bounds = map->vars[map->n_dims + map->n_ranges + i].bounds;
        text_printf(out, "%s    s%d in [%lld, %lld],\n", indent, i, (long long)bounds.low, (long long)bounds.high);
    }
    if (tile_constraints_hold_always(&tile->constraints)) return;
    text_printf(out, "%s  constraints: ", indent);
    tile_constraints_print(out, map, &tile->constraints);
    text_char(out, '\n');
}
