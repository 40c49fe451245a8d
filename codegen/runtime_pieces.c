#include "codegen/runtime_pieces.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/table.h"
#include "codegen/runtime_text.h"

typedef struct {
    VEC(Piece *) list;
} PieceList;

struct StringTableOfPieces {
    StringTable table; /* pattern -> PieceList */
};

#define TYPE_BIT(dtype) (1ull << (dtype))

static unsigned lanes_bit(int lanes) {
    unsigned bit = 1;
    for (; lanes > 1; lanes /= 2) bit <<= 1;
    return bit;
}

static unsigned long long class_types(char class_letter) {
    unsigned long long types = 0;
    for (int t = 0; t < N_DTYPES; t++) {
        DType dtype = (DType)t;
        int bits = dtype_bits(dtype);
        bool integer = dtype_is_integer(dtype) && bits >= 8;
        bool is_signed = dtype_class(dtype) == DTYPE_SIGNED;
        bool wide_float = dtype == DT_F32 || dtype == DT_F64;
        bool admits = class_letter == 'F'   ? wide_float
                      : class_letter == 'I' ? integer
                      : class_letter == 'S' ? integer && is_signed
                      : class_letter == 'U' ? integer && !is_signed
                      : class_letter == 'P' ? dtype == DT_PRED
                      : class_letter == 'T' ? dtype_is_float(dtype) && !wide_float /* storage types */
                                            : false;
        if (admits) types |= TYPE_BIT(dtype);
    }
    return types;
}

/* "F I pred": class letters and type names. */
static unsigned long long types_parse(const char *text, size_t n) {
    unsigned long long types = 0;
    for (size_t i = 0; i < n;) {
        if (text[i] == ' ') {
            i++;
            continue;
        }
        size_t end = i;
        while (end < n && text[end] != ' ') end++;
        RtType type;
        if (end - i == 1) types |= class_types(text[i]);
        else if (rt_type_parse(text + i, end - i, &type)) types |= TYPE_BIT(type.dtype);
        else internal_error("runtime templates", "unknown type '%.*s'", (int)(end - i), text + i);
        i = end;
    }
    return types;
}

static unsigned lanes_parse(const char *text, size_t n) {
    unsigned lanes = 0;
    for (size_t i = 0; i < n;) {
        size_t end = i;
        while (end < n && text[end] != ' ') end++;
        if (end - i == 6 && memcmp(text + i, "scalar", 6) == 0) lanes |= 1;
        else if (end - i == 6 && memcmp(text + i, "vector", 6) == 0) lanes |= 0x7E;
        else if (end > i) lanes |= lanes_bit(atoi(text + i));
        i = end + 1;
    }
    return lanes;
}

bool rt_type_parse(const char *text, size_t n, RtType *type) {
    *type = (RtType){N_DTYPES, 0};
    if (n > 1 && text[0] == 'm' && text[1] >= '1' && text[1] <= '9') {
        char *end;
        long lanes = strtol(text + 1, &end, 10);
        if (end != text + n || lanes < 2 || lanes > 64 || (lanes & (lanes - 1))) return false;
        *type = (RtType){DT_PRED, (int)lanes};
        return true;
    }
    const char *x = memchr(text, 'x', n);
    size_t name = x ? (size_t)(x - text) : n;
    type->dtype = dtype_from_name(text, name);
    if (type->dtype == N_DTYPES || !dtype_is_array(type->dtype)) return false;
    if (!x) return true;
    char *end;
    long lanes = strtol(x + 1, &end, 10);
    if (end != text + n || x[1] == '0' || lanes < 2 || lanes > 64 || (lanes & (lanes - 1))) return false;
    type->lanes = (int)lanes;
    return type->dtype != DT_PRED;
}

const char *rt_type_name(Arena *arena, RtType type) {
    if (!type.lanes) return dtype_name(type.dtype);
    if (type.dtype == DT_PRED) return arena_printf(arena, "m%d", type.lanes);
    return arena_printf(arena, "%sx%d", dtype_name(type.dtype), type.lanes);
}

static size_t field(const char **at) { /* the text up to '|' or the end of the comment, trimmed */
    const char *begin = *at;
    while (*begin == ' ') begin++;
    const char *end = begin + strcspn(begin, "|*\n");
    *at = *end == '|' ? end + 1 : end;
    while (end > begin && end[-1] == ' ') end--;
    return (size_t)(end - begin);
}

static const char *skip_blanks(const char *at) {
    while (*at == ' ') at++;
    return at;
}

static void w_parse(Piece *piece, const char *text, size_t n) {
    static const struct {
        const char *word;
        WLanes lanes;
    } words[] = {{"same-lanes", W_SAME_LANES}, {"storage", W_SCALAR}, {"same-bytes", W_SAME_BYTES}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i].word);
        if (n <= length || memcmp(text, words[i].word, length) != 0) continue;
        piece->w_lanes = words[i].lanes;
        piece->w_types = types_parse(text + length, n - length);
        return;
    }
    internal_error("runtime templates", "bad second type '%.*s'", (int)n, text);
}

/* The line that begins a piece: "piece: NAMES | V types | lanes | W lanes and types" inside a comment. */
static Piece *piece_begin(Arena *arena, const char *header, const char *line) {
    Piece *piece = NEW(arena, Piece);
    piece->header = header;
    const char *at = strchr(line, ':') + 1, *begin = skip_blanks(at);
    size_t n = field(&at);
    for (size_t i = 0; i < n;) {
        size_t end = i;
        while (end < n && begin[end] != ' ') end++;
        if (end > i) vec_push(arena, &piece->names, arena_string(arena, begin + i, end - i));
        i = end + 1;
    }
    begin = skip_blanks(at);
    if ((n = field(&at)) == 0) return piece;
    piece->generic = true;
    piece->v_types = types_parse(begin, n);
    begin = skip_blanks(at);
    n = field(&at);
    piece->v_lanes = lanes_parse(begin, n);
    begin = skip_blanks(at);
    if ((n = field(&at)) > 0) w_parse(piece, begin, n);
    return piece;
}

static void piece_end(Piece *piece, const char *const *lines, int begin, int end) {
    while (begin < end && lines[begin][0] == '\n') begin++;
    while (end > begin && lines[end - 1][0] == '\n') end--;
    piece->lines = lines + begin;
    piece->n_lines = end - begin;
}

static void template_parse(Arena *arena, Pieces *pieces, const char *const *lines) {
    const char *header = NULL;
    Piece *open = NULL;
    int begin = 0, i = 0;
    for (; lines[i]; i++) {
        bool is_header = strncmp(lines[i], "/* header:", 10) == 0, is_piece = strncmp(lines[i], "/* piece:", 9) == 0;
        bool ends = strncmp(lines[i], "/* end */", 9) == 0;
        if (!is_header && !is_piece && !ends) continue;
        if (open) piece_end(open, lines, begin, i);
        open = NULL;
        if (is_header) {
            const char *at = strchr(lines[i], ':') + 1, *name = skip_blanks(at);
            size_t n = field(&at);
            header = arena_string(arena, name, n);
        } else if (is_piece) {
            open = piece_begin(arena, header, lines[i]);
            begin = i + 1;
            vec_push(arena, &pieces->list, open);
        }
    }
    if (open) piece_end(open, lines, begin, i);
}

Pieces *runtime_pieces(Arena *arena) {
    Pieces *pieces = NEW(arena, Pieces);
    for (const char *const *const *text = runtime_texts; *text; text++) template_parse(arena, pieces, *text);
    pieces->by_name = NEW(arena, struct StringTableOfPieces);
    for (int i = 0; i < pieces->list.n; i++) {
        Piece *piece = pieces->list.at[i];
        for (int k = 0; k < piece->names.n; k++) {
            const char *name = piece->names.at[k];
            PieceList *same = string_table_get(&pieces->by_name->table, name, strlen(name));
            if (!same) {
                same = NEW(arena, PieceList);
                string_table_put(arena, &pieces->by_name->table, name, strlen(name), same);
            }
            vec_push(arena, &same->list, piece);
        }
    }
    return pieces;
}

static int type_bytes(RtType type) {
    return dtype_bytes(type.dtype) * (type.lanes ? type.lanes : 1);
}

bool piece_admits(const Piece *piece, RtType v, RtType w) {
    if (!piece->generic) return v.dtype == N_DTYPES && w.dtype == N_DTYPES;
    if (v.dtype == N_DTYPES || !(piece->v_types & TYPE_BIT(v.dtype)) || !(piece->v_lanes & lanes_bit(v.lanes)))
        return false;
    if (piece->w_lanes == W_NONE) return w.dtype == N_DTYPES;
    if (w.dtype == N_DTYPES || !(piece->w_types & TYPE_BIT(w.dtype))) return false;
    if (piece->w_lanes == W_SCALAR) return w.lanes == 0;
    if (piece->w_lanes == W_SAME_BYTES) return !v.lanes == !w.lanes && type_bytes(v) == type_bytes(w);
    return w.lanes == v.lanes;
}

/* Looks a name up whose type parts are replaced by letters: order 0: first V then W; 1: first W then V. */
static bool find_in_order(const Pieces *pieces, const char *symbol, int order, Instance *found) {
    static const char *const letters[2][2] = {{"V", "W"}, {"W", "V"}};
    char pattern[128];
    size_t n = 0;
    int types = 0;
    RtType v = {N_DTYPES, 0}, w = v;
    for (const char *at = symbol; *at;) {
        size_t length = strcspn(at, "_");
        RtType type;
        const char *put = at;
        size_t put_length = length;
        if (at != symbol && rt_type_parse(at, length, &type)) {
            if (types == 2) return false;
            put = letters[order][types];
            put_length = 1;
            if (*put == 'V') v = type;
            else w = type;
            types++;
            if (dtype_is_complex(type.dtype)) {
                v = (RtType){dtype_component(type.dtype), type.lanes};
                put = "C";
            }
        }
        if (n + put_length + 2 > sizeof pattern) return false;
        memcpy(pattern + n, put, put_length);
        n += put_length;
        at += length;
        if (*at == '_') pattern[n++] = *at++;
    }
    if (order == 1 && types < 2) return false;
    const PieceList *same = string_table_get(&pieces->by_name->table, pattern, n);
    for (int i = 0; same && i < same->list.n; i++) {
        if (!piece_admits(same->list.at[i], v, w)) continue;
        *found = (Instance){same->list.at[i], v, w};
        return true;
    }
    return false;
}

bool piece_find(const Pieces *pieces, const char *symbol, Instance *found) {
    const PieceList *exact = string_table_get(&pieces->by_name->table, symbol, strlen(symbol));
    if (exact && !exact->list.at[0]->generic) {
        *found = (Instance){exact->list.at[0], {N_DTYPES, 0}, {N_DTYPES, 0}};
        return true;
    }
    return find_in_order(pieces, symbol, 0, found) || find_in_order(pieces, symbol, 1, found);
}
