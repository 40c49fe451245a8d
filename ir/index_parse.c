#include <ctype.h>
#include <string.h>

#include "base/codes.h"
#include "ir/index_map.h"

/* Reading maps (indexing.md 5.4): recursive descent, white space free, both spellings of division. The first fault ends
 * it. */

enum { MAX_OPERATORS = 2000 }; /* of one expression: what works on expressions is recursive */

typedef struct {
    const char *name; /* interned: as it stands in the text */
    size_t length;
} Name;
typedef VEC(Name) Names;

typedef struct {
    IndexPool *pool;
    Diags *diags;
    const char *bytes, *at, *end;
    bool failed;
    int operators;
    Names dims, ranges, rts;
} Reader;

static bool at_comment(const Reader *r) {
    return *r->at == '#' || (r->end - r->at > 1 && r->at[0] == '/' && r->at[1] == '/');
}

static void skip_space(Reader *r) {
    while (r->at < r->end && (isspace((unsigned char)*r->at) || at_comment(r))) {
        if (at_comment(r))
            while (r->at < r->end && *r->at != '\n') r->at++;
        else
            r->at++;
    }
}

static size_t word_length(const Reader *r) {
    const char *c = r->at;
    if (c < r->end && (isalpha((unsigned char)*c) || *c == '_'))
        while (c < r->end && (isalnum((unsigned char)*c) || *c == '_')) c++;
    return (size_t)(c - r->at);
}

static size_t token_length(const Reader *r) {
    size_t word = word_length(r), digits = 0;
    while (r->at + digits < r->end && isdigit((unsigned char)r->at[digits])) digits++;
    if (word || digits) return word ? word : digits;
    return r->at >= r->end ? 0 : r->end - r->at > 1 && strncmp(r->at, "->", 2) == 0 ? 2 : 1;
}

/* Only the first fault is told. */
static void fail(Reader *r, const char *expected) {
    skip_space(r);
    size_t length = token_length(r);
    uint32_t begin = (uint32_t)(r->at - r->bytes);
    if (!r->failed && length)
        diag_error(r->diags, (Span){begin, begin + (uint32_t)length}, E_MAP, "expected %s, found '%.*s'", expected,
                   (int)(length < 40 ? length : 40), r->at);
    else if (!r->failed)
        diag_error(r->diags, (Span){begin, begin + 1}, E_MAP, "expected %s, found the end", expected);
    r->failed = true;
}

static bool peek(Reader *r, const char *text) {
    skip_space(r);
    size_t n = strlen(text);
    return !r->failed && token_length(r) == n && memcmp(r->at, text, n) == 0;
}

static bool take(Reader *r, const char *text) {
    if (!peek(r, text)) return false;
    r->at += strlen(text);
    return true;
}

static void expect(Reader *r, const char *text, const char *described) {
    if (!take(r, text)) fail(r, described);
}

static bool same_name(Name a, Name b) {
    return a.length == b.length && memcmp(a.name, b.name, a.length) == 0;
}

static Name take_name(Reader *r, const char *expected) {
    skip_space(r);
    Name name = {r->at, word_length(r)};
    if (!name.length) fail(r, expected);
    r->at += name.length;
    return name;
}

static int find_name(const Names *names, Name name) {
    for (int i = 0; i < names->n; i++)
        if (same_name(names->at[i], name)) return i;
    return -1;
}

static bool is_declared(const Reader *r, Name name) {
    return find_name(&r->dims, name) >= 0 || find_name(&r->ranges, name) >= 0 || find_name(&r->rts, name) >= 0;
}

static void read_names(Reader *r, Names *names, const char *close) {
    if (take(r, close)) return;
    do {
        skip_space(r);
        const char *before = r->at;
        Name name = take_name(r, "the name of a variable");
        if (!r->failed && is_declared(r, name)) {
            r->at = before;
            fail(r, "a name that no other variable has");
        }
        vec_push(r->pool->arena, names, name);
    } while (!r->failed && take(r, ","));
    expect(r, close, close[0] == ')' ? "')' behind the dimensions"
                     : close[0] == ']' ? "']' behind the ranges" : "'}' behind the runtime variables");
}

/* Digits at r->at, negative as told: a sign in front of a literal belongs to it, so that the smallest number can be
 * read. */
static int64_t take_digits(Reader *r, bool negative) {
    const char *start = r->at;
    int64_t value = 0;
    bool too_large = false;
    for (; r->at < r->end && isdigit((unsigned char)*r->at); r->at++) {
        int digit = *r->at - '0';
        too_large |= __builtin_mul_overflow(value, 10, &value) ||
                     __builtin_add_overflow(value, negative ? -digit : digit, &value);
    }
    if (too_large) {
        r->at = start;
        fail(r, "a number of at most 64 bits");
    }
    return value;
}

static bool at_digit(Reader *r) {
    skip_space(r);
    return r->at < r->end && isdigit((unsigned char)*r->at);
}

static int64_t read_int(Reader *r) {
    bool negative = take(r, "-");
    if (!at_digit(r)) {
        fail(r, "an integer");
        return 0;
    }
    return take_digits(r, negative);
}

static Interval read_interval(Reader *r) {
    Interval in = {0, 0};
    expect(r, "in", "'in'");
    expect(r, "[", "'[' and the bounds");
    if (!r->failed) in.low = read_int(r);
    expect(r, ",", "','");
    if (!r->failed) in.high = read_int(r);
    expect(r, "]", "']'");
    return in;
}

/* --- expressions ------------------------------------------------------------------------------------------------- */

static const Index *read_sum(Reader *r);

/* Counts an operator or a parenthesis; false, and a failure, when there are too many. */
static bool count_operator(Reader *r) {
    if (++r->operators > MAX_OPERATORS) fail(r, "an expression of at most 2000 operators");
    return !r->failed;
}

static const Index *build(Reader *r, IndexKind kind, const Index *a, const Index *b) {
    return r->failed ? a : index_rebuild(r->pool, kind, a, b);
}

static const Index *read_variable(Reader *r) {
    const char *before = r->at;
    Name name = take_name(r, "an expression");
    int dim = find_name(&r->dims, name), range = find_name(&r->ranges, name), rt = find_name(&r->rts, name);
    if (dim >= 0) return index_dim(r->pool, dim);
    if (range >= 0) return index_sym(r->pool, range);
    if (rt >= 0) return index_sym(r->pool, r->ranges.n + rt);
    r->at = before;
    fail(r, "a declared variable");
    return index_const(r->pool, 0);
}

static const Index *read_call(Reader *r, IndexKind kind) {
    expect(r, "(", "'('");
    const Index *a = count_operator(r) ? read_sum(r) : index_const(r->pool, 0);
    expect(r, ",", "',' and a second argument");
    const Index *b = r->failed ? a : read_sum(r);
    expect(r, ")", "')'");
    return build(r, kind, a, b);
}

static bool is_call(Reader *r, const char *name) {
    const char *before = r->at;
    bool call = take(r, name) && peek(r, "(");
    if (!call) r->at = before;
    return call;
}

static const Index *read_factor(Reader *r) {
    if (r->failed) return index_const(r->pool, 0);
    if (at_digit(r)) return index_const(r->pool, take_digits(r, false));
    if (take(r, "-")) {
        if (at_digit(r)) return index_const(r->pool, take_digits(r, true));
        if (!count_operator(r)) return index_const(r->pool, 0);
        const Index *negated = read_factor(r);
        return build(r, INDEX_MUL, negated, index_const(r->pool, -1));
    }
    if (take(r, "(")) {
        const Index *inner = count_operator(r) ? read_sum(r) : index_const(r->pool, 0);
        expect(r, ")", "')'");
        return inner;
    }
    if (is_call(r, "min")) return read_call(r, INDEX_MIN);
    if (is_call(r, "max")) return read_call(r, INDEX_MAX);
    return read_variable(r);
}

static bool take_product_operator(Reader *r, IndexKind *kind) {
    static const struct {
        const char *text;
        IndexKind kind;
    } operators[] = {{"*", INDEX_MUL},          {"mod", INDEX_MOD},           {"floordiv", INDEX_FLOORDIV},
                     {"/", INDEX_FLOORDIV},     {"floorDiv", INDEX_FLOORDIV}, {"ceildiv", INDEX_CEILDIV},
                     {"ceilDiv", INDEX_CEILDIV}};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        if (!take(r, operators[i].text)) continue;
        *kind = operators[i].kind;
        return true;
    }
    return false;
}

static const Index *read_product(Reader *r) {
    const Index *product = read_factor(r);
    for (IndexKind kind; !r->failed && take_product_operator(r, &kind) && count_operator(r);) {
        skip_space(r);
        const char *before = r->at;
        const Index *rhs = read_factor(r);
        if (!r->failed && kind != INDEX_MUL && index_is_const(rhs, 0)) {
            r->at = before;
            fail(r, "a divisor other than 0");
        }
        product = build(r, kind, product, rhs);
    }
    return product;
}

static const Index *read_sum(Reader *r) {
    const Index *sum = read_product(r);
    while (!r->failed) {
        bool plus = take(r, "+"), minus = !plus && take(r, "-");
        if ((!plus && !minus) || !count_operator(r)) break;
        const Index *rhs = read_product(r);
        if (minus) rhs = build(r, INDEX_MUL, rhs, index_const(r->pool, -1));
        sum = build(r, INDEX_ADD, sum, rhs);
    }
    return sum;
}

static const Index *read_expression(Reader *r) {
    r->operators = 0;
    return read_sum(r);
}

/* --- maps -------------------------------------------------------------------------------------------------------- */

/* The name to keep; a default one (letter and number) is none. */
static const char *kept_name(Reader *r, Name name, const char *letter, int number) {
    char expected[32];
    int length = 0;
    for (const char *c = letter; *c; c++) expected[length++] = *c;
    char digits[16];
    int n = 0;
    do digits[n++] = (char)('0' + number % 10);
    while (number /= 10);
    while (n) expected[length++] = digits[--n];
    return same_name(name, (Name){expected, (size_t)length}) ? NULL
                                                             : arena_string(r->pool->arena, name.name, name.length);
}

static bool expect_item(Reader *r, bool first) {
    if (first) return true;
    if (!take(r, ",")) return false;
    skip_space(r);
    return r->at < r->end;
}

static void read_bounds(Reader *r, IndexMap *map, const Names *names, int begin, const char *letter, bool *first) {
    for (int i = 0; i < names->n && !r->failed; i++) {
        if (!expect_item(r, *first)) fail(r, "',' and the bounds of the next variable");
        *first = false;
        skip_space(r);
        const char *before = r->at;
        Name name = take_name(r, "the bounds of the next variable");
        if (!r->failed && !same_name(name, names->at[i])) {
            r->at = before;
            fail(r, arena_printf(r->pool->arena, "the bounds of '%.*s'", (int)names->at[i].length, names->at[i].name));
        }
        map->vars[begin + i] = (IndexVar){read_interval(r), kept_name(r, name, letter, i)};
    }
}

static void read_domain(Reader *r, IndexMap *map) {
    bool first = true;
    expect(r, ",", "', domain:' and the bounds of the variables");
    expect(r, "domain", "'domain:'");
    expect(r, ":", "':'");
    read_bounds(r, map, &r->dims, 0, "d", &first);
    read_bounds(r, map, &r->ranges, map->n_dims, "s", &first);
    read_bounds(r, map, &r->rts, map->n_dims + map->n_ranges, "rt", &first);
    if (!r->failed) index_map_close(map);
    while (!r->failed && expect_item(r, false)) {
        const Index *expr = read_expression(r);
        Interval in = read_interval(r);
        if (!r->failed) index_map_constrain(map, expr, in);
    }
}

IndexMap *index_map_parse(IndexPool *pool, Diags *diags, Span span) {
    const char *bytes = diags->source->bytes;
    Reader r = {.pool = pool, .diags = diags, .bytes = bytes, .at = bytes + span.begin, .end = bytes + span.end};
    VEC(const Index *) results = {0};
    expect(&r, "(", "a map: '(' and the dimensions");
    if (!r.failed) read_names(&r, &r.dims, ")");
    if (take(&r, "[")) read_names(&r, &r.ranges, "]");
    if (take(&r, "{")) read_names(&r, &r.rts, "}");
    expect(&r, "->", "'->' and the results");
    expect(&r, "(", "'(' and the results");
    if (!r.failed && !take(&r, ")")) {
        do vec_push(pool->arena, &results, read_expression(&r));
        while (!r.failed && take(&r, ","));
        expect(&r, ")", "')' behind the results");
    }
    IndexMap *map = index_map_new(pool, r.dims.n, r.ranges.n, r.rts.n, results.n);
    for (int i = 0; i < results.n; i++) map->results[i] = results.at[i];
    if (!r.failed && index_map_n_vars(map)) read_domain(&r, map);
    skip_space(&r);
    if (!r.failed && r.at < r.end) fail(&r, "the end of the map");
    return r.failed ? NULL : map;
}
