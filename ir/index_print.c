#include "ir/index.h"

/* Dialect A (indexing.md 5.2). Dialect C (5.3) differs in parentheses and in the spelling of floordiv. */

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

static void print(Text *out, const Index *e, const IndexNames *names, bool parentheses);

static void print_call(Text *out, const Index *e, const IndexNames *names) {
    text_put(out, e->kind == INDEX_MIN ? "min(" : "max(");
    print(out, e->lhs, names, false);
    text_put(out, ", ");
    print(out, e->rhs, names, false);
    text_char(out, ')');
}

static void print_sum(Text *out, const Index *e, const IndexNames *names) {
    int64_t factor;
    print(out, e->lhs, names, false);
    if (is_times(e->rhs, &factor) && factor == -1) {
        text_put(out, " - ");
        print(out, e->rhs->lhs, names, e->rhs->lhs->kind == INDEX_ADD);
    } else if (is_times(e->rhs, &factor) && factor < -1) {
        text_put(out, " - ");
        print(out, e->rhs->lhs, names, true);
        text_printf(out, " * %llu", 0ull - (unsigned long long)factor);
    } else if (e->rhs->kind == INDEX_CONST && e->rhs->value < 0) {
        text_printf(out, " - %llu", 0ull - (unsigned long long)e->rhs->value);
    } else {
        text_put(out, " + ");
        print(out, e->rhs, names, false);
    }
}

static void print(Text *out, const Index *e, const IndexNames *names, bool parentheses) {
    int64_t factor;
    if (index_is_leaf(e)) {
        leaf(out, e, names);
        return;
    }
    if (e->kind == INDEX_MIN || e->kind == INDEX_MAX) {
        print_call(out, e, names);
        return;
    }
    if (parentheses) text_char(out, '(');
    if (e->kind == INDEX_ADD) {
        print_sum(out, e, names);
    } else if (is_times(e, &factor) && factor == -1) {
        text_char(out, '-');
        print(out, e->lhs, names, true);
    } else {
        print(out, e->lhs, names, true);
        text_put(out, operator_text(e->kind, names && names->dialect_c));
        print(out, e->rhs, names, true);
    }
    if (parentheses) text_char(out, ')');
}

void index_print(Text *out, const Index *e, const IndexNames *names) {
    print(out, e, names, false);
}
