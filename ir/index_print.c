#include "ir/index.h"

#include <string.h>

#include "ir/index_map.h"

/* Expressions and maps as text: dialect A (indexing.md 5.2) and dialect C (5.3). */

static void leaf(Text *out, const Index *e, const IndexNames *names) {
    bool dim = e->kind == INDEX_DIM;
    if (e->kind == INDEX_CONST) {
        text_printf(out, "%lld", (long long)e->value);
        return;
    }
    int n = !names ? 0 : dim ? names->n_dims : names->n_syms;
    const char *const *list = !names ? NULL : dim ? names->dims : names->syms;
    const char *name = e->value < n ? list[e->value] : NULL;
    if (name) text_put(out, name);
    else text_printf(out, "%c%lld", dim ? 'd' : 's', (long long)e->value);
}

static bool is_times(const Index *e, int64_t *factor) {
    if (e->kind != INDEX_MUL || e->rhs->kind != INDEX_CONST) return false;
    *factor = e->rhs->value;
    return true;
}

static const char *operator_text(IndexKind kind, bool dialect_c) {
    switch (kind) {
    case INDEX_MUL:
        return " * ";
    case INDEX_MOD:
        return " mod ";
    case INDEX_FLOORDIV:
        return dialect_c ? " / " : " floordiv ";
    case INDEX_CEILDIV:
        return " ceildiv ";
    case INDEX_ADD:
    case INDEX_MIN:
    case INDEX_MAX:
    case INDEX_DIM:
    case INDEX_SYM:
    case INDEX_CONST:
        break;
    }
    return " + ";
}

/* Where an expression stands decides whether it needs parentheses. */
typedef enum {
    PLACE_FREE,   /* the whole, an argument, a summand */
    PLACE_LEFT,   /* left operand of a product, division or remainder */
    PLACE_RIGHT,
    PLACE_NEGATED /* behind a minus */
} Place;

/* In dialect A every operand of a product is put in parentheses, in C only where reading needs them. */
static bool needs_parentheses(const Index *e, Place place, IndexKind parent, bool dialect_c) {
    int64_t factor;
    if (index_is_leaf(e) || e->kind == INDEX_MIN || e->kind == INDEX_MAX || place == PLACE_FREE) return false;
    if (place == PLACE_NEGATED && e->kind == INDEX_ADD) return true;
    if (!dialect_c) return true;
    if (is_times(e, &factor) && factor == -1 && place == PLACE_LEFT) return false; /* a minus binds tightest */
    return e->kind != parent || (place == PLACE_RIGHT && e->kind != INDEX_MUL);
}

static void print(Text *out, const Index *e, const IndexNames *names, Place place, IndexKind parent);

static void print_call(Text *out, const Index *e, const IndexNames *names) {
    text_put(out, e->kind == INDEX_MIN ? "min(" : "max(");
    print(out, e->lhs, names, PLACE_FREE, e->kind);
    text_put(out, ", ");
    print(out, e->rhs, names, PLACE_FREE, e->kind);
    text_char(out, ')');
}

static void print_sum(Text *out, const Index *e, const IndexNames *names) {
    int64_t factor;
    print(out, e->lhs, names, PLACE_FREE, INDEX_ADD);
    if (is_times(e->rhs, &factor) && factor == -1) {
        const Index *negated = e->rhs->lhs;
        text_put(out, " - ");
        print(out, negated, names, negated->kind == INDEX_ADD ? PLACE_NEGATED : PLACE_FREE, INDEX_ADD);
    } else if (is_times(e->rhs, &factor) && factor < -1) {
        text_put(out, " - ");
        print(out, e->rhs->lhs, names, PLACE_LEFT, INDEX_MUL);
        text_printf(out, " * %llu", 0ull - (unsigned long long)factor);
    } else if (e->rhs->kind == INDEX_CONST && e->rhs->value < 0) {
        text_printf(out, " - %llu", 0ull - (unsigned long long)e->rhs->value);
    } else {
        text_put(out, " + ");
        print(out, e->rhs, names, PLACE_FREE, INDEX_ADD);
    }
}

static void print(Text *out, const Index *e, const IndexNames *names, Place place, IndexKind parent) {
    int64_t factor;
    bool dialect_c = names && names->dialect_c;
    if (index_is_leaf(e)) {
        leaf(out, e, names);
        return;
    }
    if (e->kind == INDEX_MIN || e->kind == INDEX_MAX) {
        print_call(out, e, names);
        return;
    }
    bool parentheses = needs_parentheses(e, place, parent, dialect_c);
    if (parentheses) text_char(out, '(');
    if (e->kind == INDEX_ADD) {
        print_sum(out, e, names);
    } else if (is_times(e, &factor) && factor == -1) {
        text_char(out, '-');
        print(out, e->lhs, names, PLACE_NEGATED, INDEX_MUL);
    } else {
        print(out, e->lhs, names, PLACE_LEFT, e->kind);
        text_put(out, operator_text(e->kind, dialect_c));
        print(out, e->rhs, names, PLACE_RIGHT, e->kind);
    }
    if (parentheses) text_char(out, ')');
}

void index_print(Text *out, const Index *e, const IndexNames *names) {
    print(out, e, names, PLACE_FREE, INDEX_ADD);
}

/* --- maps -------------------------------------------------------------------------------------------------------- */

IndexNames index_map_names(const IndexMap *map) {
    Arena *arena = map->pool->arena;
    int n_symbols = index_map_n_symbols(map), n = map->n_dims + n_symbols;
    const char **names = NEW_ARRAY(arena, const char *, n);
    for (int i = 0; i < n; i++) {
        int symbol = i - map->n_dims, rt = symbol - map->n_ranges;
        names[i] = map->vars[i].name ? map->vars[i].name
                   : symbol < 0      ? arena_printf(arena, "d%d", i)
                   : rt < 0          ? arena_printf(arena, "s%d", symbol)
                                     : arena_printf(arena, "rt%d", rt);
    }
    return (IndexNames){names, names + map->n_dims, map->n_dims, n_symbols, map->pool->dialect_c};
}

static void print_names(Text *out, const char *brackets, const char *const *names, int n) {
    text_char(out, brackets[0]);
    for (int i = 0; i < n; i++) {
        text_put(out, i ? ", " : "");
        text_put(out, names[i]);
    }
    text_char(out, brackets[1]);
}

static void print_in(Text *out, Interval in) {
    text_printf(out, " in [%lld, %lld]", (long long)in.low, (long long)in.high);
}

/* Constraints as texts, in the order of their bytes. */
static void print_constraints(Text *out, const IndexMap *map, const IndexNames *names) {
    VEC(const char *) texts = {0};
    Text one = {0};
    for (int i = 0; i < map->constraints.n; i++) {
        text_clear(&one);
        index_print(&one, map->constraints.at[i].expr, names);
        print_in(&one, map->constraints.at[i].in);
        const char *text = arena_string(map->pool->arena, one.at, one.n);
        int at = texts.n;
        vec_push(map->pool->arena, &texts, text);
        for (; at > 0 && strcmp(text, texts.at[at - 1]) < 0; at--) texts.at[at] = texts.at[at - 1];
        texts.at[at] = text;
    }
    text_free(&one);
    for (int i = 0; i < texts.n; i++) {
        text_put(out, ", ");
        text_put(out, texts.at[i]);
    }
}

void index_map_print(Text *out, const IndexMap *map) {
    if (!map || map->empty) {
        text_put(out, map ? "KNOWN EMPTY" : "unknown");
        return;
    }
    IndexNames names = index_map_names(map);
    int n = map->n_dims + index_map_n_symbols(map);
    print_names(out, "()", names.dims, map->n_dims);
    if (map->n_ranges) print_names(out, "[]", names.syms, map->n_ranges);
    if (map->n_rts) print_names(out, "{}", names.syms + map->n_ranges, map->n_rts);
    text_put(out, " -> (");
    for (int i = 0; i < map->n_results; i++) {
        text_put(out, i ? ", " : "");
        index_print(out, map->results[i], &names);
    }
    text_char(out, ')');
    for (int i = 0; i < n; i++) {
        text_put(out, i ? ", " : ", domain: ");
        text_put(out, i < map->n_dims ? names.dims[i] : names.syms[i - map->n_dims]);
        print_in(out, map->vars[i].bounds);
    }
    print_constraints(out, map, &names);
}
