#include "codegen/runtime.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/table.h"
#include "codegen/runtime_expand.h"
#include "codegen/runtime_pieces.h"

/* One instance in use. */
typedef struct Node {
    Instance instance;
    Expansion *expansion;
    const char *header;
    VEC(struct Node *) needs; /* parallel to need_below */
    VEC(int) need_below;
    int below; /* see RtNeed: in use only there */
    bool visiting, placed;
} Node;

typedef struct {
    Arena *arena;
    const Pieces *pieces;
    StringTable nodes; /* symbol -> Node; also by "piece types" for pieces of several names */
    VEC(Node *) order; /* each after what it needs */
} Use;

static Use *use_new(Arena *arena) {
    Use *use = NEW(arena, Use);
    use->arena = arena;
    use->pieces = runtime_pieces(arena);
    return use;
}

/* Pieces of several names are one node. */
static const char *instance_key(Arena *arena, const Instance *instance) {
    const char *v = instance->v.dtype == N_DTYPES ? "" : rt_type_name(arena, instance->v);
    const char *w = instance->w.dtype == N_DTYPES ? "" : rt_type_name(arena, instance->w);
    return arena_printf(arena, "%p %s %s", (const void *)instance->piece, v, w);
}

static Node *node_of_instance(Use *use, const Instance *instance) {
    const char *key = instance_key(use->arena, instance);
    Node *node = string_table_get(&use->nodes, key, strlen(key));
    if (node) return node;
    node = NEW(use->arena, Node);
    node->instance = *instance;
    string_table_put(use->arena, &use->nodes, key, strlen(key), node);
    return node;
}

static Node *node_find(Use *use, const char *symbol) {
    Node *node = string_table_get(&use->nodes, symbol, strlen(symbol));
    if (node) return node;
    Instance instance;
    if (!piece_find(use->pieces, symbol, &instance)) return NULL;
    node = node_of_instance(use, &instance);
    string_table_put(use->arena, &use->nodes, symbol, strlen(symbol), node);
    return node;
}

/* Puts node behind all it needs. Depth is bounded by the nesting of the runtime's own functions. */
static void place(Use *use, Node *node, const char *symbol) {
    if (node->placed) return;
    if (node->visiting) internal_error("runtime templates", "'%s' needs itself", symbol);
    node->visiting = true;
    node->expansion = runtime_expand(use->arena, &node->instance);
    node->header = runtime_header_name(use->arena, &node->instance);
    for (int i = 0; i < node->expansion->needs.n; i++) {
        const RtNeed *need = &node->expansion->needs.at[i];
        Node *other = node_find(use, need->symbol);
        if (!other) internal_error("runtime templates", "'%s' needs the unknown symbol '%s'", symbol, need->symbol);
        if (other == node) continue;
        vec_push(use->arena, &node->needs, other);
        vec_push(use->arena, &node->need_below, need->below);
        place(use, other, need->symbol);
    }
    node->visiting = false;
    node->placed = true;
    vec_push(use->arena, &use->order, node);
}

static int compare_strings(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool is_one_line(const Node *node) {
    const char *end = strchr(node->expansion->text, '\n');
    return !end || !end[1];
}

/* All symbols placed, in an order that depends on the set alone; then how far each is needed. */
static void use_symbols(Use *use, const char *const *symbols, int n) {
    const char **sorted = NEW_ARRAY(use->arena, const char *, n);
    for (int i = 0; i < n; i++) sorted[i] = symbols[i];
    qsort(sorted, (size_t)n, sizeof *sorted, compare_strings);
    for (int i = 0; i < n; i++) {
        Node *node = node_find(use, sorted[i]);
        if (!node) internal_error("runtime", "no such symbol: '%s'", sorted[i]);
        place(use, node, sorted[i]);
        node->below = RT_ALWAYS;
    }
    for (int i = use->order.n - 1; i >= 0; i--) {
        const Node *node = use->order.at[i];
        for (int k = 0; k < node->needs.n; k++) {
            int below = node->need_below.at[k] < node->below ? node->need_below.at[k] : node->below;
            if (node->needs.at[k]->below < below) node->needs.at[k]->below = below;
        }
    }
}

bool runtime_has(const char *symbol) {
    Arena *arena = arena_new();
    Instance instance;
    bool has = piece_find(runtime_pieces(arena), symbol, &instance);
    arena_free(arena);
    return has;
}

void runtime_include_lines(Text *out, const char *const *symbols, int n) {
    Arena *arena = arena_new();
    Use *use = use_new(arena);
    VEC(const char *) headers = {0};
    for (int i = 0; i < n; i++) {
        Node *node = node_find(use, symbols[i]);
        if (!node) internal_error("runtime", "no such symbol: '%s'", symbols[i]);
        vec_push(arena, &headers, runtime_header_name(arena, &node->instance));
    }
    if (headers.n) qsort(headers.at, (size_t)headers.n, sizeof *headers.at, compare_strings);
    for (int i = 0; i < headers.n; i++)
        if (!i || strcmp(headers.at[i], headers.at[i - 1]) != 0) text_printf(out, "#include \"%s\"\n", headers.at[i]);
    arena_free(arena);
}

static bool put_once(Use *use, StringTable *seen, const char *name) {
    if (string_table_get(seen, name, strlen(name))) return false;
    string_table_put(use->arena, seen, name, strlen(name), use);
    return true;
}

static void put_std_includes(Text *out, Use *use) {
    StringTable seen = {0};
    for (int i = 0; i < use->order.n; i++) {
        const Expansion *expansion = use->order.at[i]->expansion;
        for (int k = 0; k < expansion->std_includes.n; k++)
            if (put_once(use, &seen, expansion->std_includes.at[k]))
                text_printf(out, "#include %s\n", expansion->std_includes.at[k]);
    }
}

void runtime_copy_pieces(Text *out, const char *const *symbols, int n) {
    Arena *arena = arena_new();
    Use *use = use_new(arena);
    use_symbols(use, symbols, n);
    put_std_includes(out, use);
    int below = RT_ALWAYS;
    bool after_line = false; /* one-line pieces follow each other without a blank line */
    for (int i = 0; i < use->order.n; i++) {
        const Node *node = use->order.at[i];
        bool line = is_one_line(node);
        if (node->below != below && below != RT_ALWAYS) text_put(out, "#endif\n");
        if (!(line && after_line && node->below == below)) text_char(out, '\n');
        if (node->below != below && node->below != RT_ALWAYS)
            text_printf(out, "#if HLOCC_VECTOR_BYTES < %d\n", node->below);
        below = node->below;
        text_put(out, node->expansion->text);
        after_line = line;
    }
    if (below != RT_ALWAYS) text_put(out, "#endif\n");
    arena_free(arena);
}

/* ---- headers ---------------------------------------------------------------------------------------------------- */

typedef struct Header {
    const char *name;
    VEC(const Node *) nodes; /* in order */
    bool visiting, checked;
} Header;

typedef struct {
    Use *use;
    StringTable by_name;
    VEC(Header *) list;
} Headers;

static void place_instance(Use *use, const Piece *piece, RtType v, RtType w) {
    if (!piece_admits(piece, v, w)) return;
    Instance instance = {piece, v, w};
    place(use, node_of_instance(use, &instance), piece->names.at[0]);
}

static void place_all_instances(Use *use, const Piece *piece) {
    RtType none = {N_DTYPES, 0};
    if (!piece->generic) {
        place_instance(use, piece, none, none);
        return;
    }
    for (int lanes = 1; lanes <= 64; lanes *= 2)
        for (int t = 0; t < N_DTYPES; t++) {
            RtType v = {(DType)t, lanes == 1 ? 0 : lanes};
            if (piece->w_lanes == W_NONE) {
                place_instance(use, piece, v, none);
                continue;
            }
            for (int w_lanes = 1; w_lanes <= 64; w_lanes *= 2)
                for (int u = 0; u < N_DTYPES; u++)
                    place_instance(use, piece, v, (RtType){(DType)u, w_lanes == 1 ? 0 : w_lanes});
        }
}

/* Headers that include each other would leave functions undeclared. */
static void check_cycles(Headers *headers, Header *header) {
    if (header->checked) return;
    header->visiting = true;
    for (int i = 0; i < header->nodes.n; i++) {
        const Node *node = header->nodes.at[i];
        for (int k = 0; k < node->needs.n; k++) {
            const Node *other = node->needs.at[k];
            Header *next = string_table_get(&headers->by_name, other->header, strlen(other->header));
            if (next == header) continue;
            if (next->visiting)
                internal_error("runtime templates", "%s and %s include each other: %s needs %s", header->name,
                    next->name,
                               node->instance.piece->names.at[0], other->instance.piece->names.at[0]);
            check_cycles(headers, next);
        }
    }
    header->visiting = false;
    header->checked = true;
}

static void put_includes(Text *out, Use *use, const Header *header) {
    StringTable bounds = {0}; /* header -> the bound under which it is needed */
    VEC(const char *) names = {0};
    VEC(int) below = {0};
    for (int i = 0; i < header->nodes.n; i++) {
        const Node *node = header->nodes.at[i];
        for (int k = 0; k < node->needs.n; k++) {
            const char *name = node->needs.at[k]->header;
            if (strcmp(name, header->name) == 0) continue;
            int *index = string_table_get(&bounds, name, strlen(name));
            if (!index) {
                index = NEW(use->arena, int);
                *index = names.n;
                string_table_put(use->arena, &bounds, name, strlen(name), index);
                vec_push(use->arena, &names, name);
                vec_push(use->arena, &below, 0);
            }
            if (below.at[*index] < node->need_below.at[k]) below.at[*index] = node->need_below.at[k];
        }
    }
    for (int pass = RT_ALWAYS; pass > 0; pass = pass == RT_ALWAYS ? 64 : pass / 2) {
        bool any = false;
        for (int i = 0; i < names.n; i++) {
            if (below.at[i] != pass) continue;
            if (!any && pass != RT_ALWAYS) text_printf(out, "#if HLOCC_VECTOR_BYTES < %d\n", pass);
            any = true;
            text_printf(out, "#include \"%s\"\n", names.at[i]);
        }
        if (any && pass != RT_ALWAYS) text_put(out, "#endif\n");
    }
}

static void put_header(Text *out, Headers *headers, const Header *header) {
    Text guard = {0};
    for (const char *at = header->name; *at; at++)
        text_char(&guard, (char)(*at == '/' || *at == '.' ? '_' : *at >= 'a' && *at <= 'z' ? *at - 32 : *at));
    text_printf(out, "/* Part of the runtime of hlocc, expanded from runtime/templates by the build. */\n");
    text_printf(out, "#ifndef %s\n#define %s\n\n", text_string(&guard), text_string(&guard));
    StringTable seen = {0};
    for (int i = 0; i < header->nodes.n; i++) {
        const Expansion *expansion = header->nodes.at[i]->expansion;
        for (int k = 0; k < expansion->std_includes.n; k++)
            if (put_once(headers->use, &seen, expansion->std_includes.at[k]))
                text_printf(out, "#include %s\n", expansion->std_includes.at[k]);
    }
    put_includes(out, headers->use, header);
    bool after_line = false;
    for (int i = 0; i < header->nodes.n; i++) {
        bool line = is_one_line(header->nodes.at[i]);
        if (!(line && after_line)) text_char(out, '\n');
        text_put(out, header->nodes.at[i]->expansion->text);
        after_line = line;
    }
    text_put(out, "\n#endif\n");
    text_free(&guard);
}

void runtime_expand_headers(RuntimeHeaderSink *sink, void *context) {
    Arena *arena = arena_new();
    Headers headers = {.use = use_new(arena)};
    for (int i = 0; i < headers.use->pieces->list.n; i++)
        place_all_instances(headers.use, headers.use->pieces->list.at[i]);
    for (int i = 0; i < headers.use->order.n; i++) {
        const Node *node = headers.use->order.at[i];
        Header *header = string_table_get(&headers.by_name, node->header, strlen(node->header));
        if (!header) {
            header = NEW(arena, Header);
            header->name = node->header;
            string_table_put(arena, &headers.by_name, header->name, strlen(header->name), header);
            vec_push(arena, &headers.list, header);
        }
        vec_push(arena, &header->nodes, node);
    }
    for (int i = 0; i < headers.list.n; i++) check_cycles(&headers, headers.list.at[i]);
    for (int i = 0; i < headers.list.n; i++) {
        Text text = {0};
        put_header(&text, &headers, headers.list.at[i]);
        sink(context, headers.list.at[i]->name, text_string(&text));
        text_free(&text);
    }
    arena_free(arena);
}
