#include "driver/npy.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "driver/output.h"

enum { MAGIC_BYTES = 6, HEADER_ALIGNMENT = 64, MOST_DIMS = 1 << 16 };
static const char magic[] = "\x93NUMPY";

/* ---- the header: a Python dictionary literal --------------------------------------------------------------------- */

typedef struct {
    Arena *arena;
    const char *at, *end;
    Text *why;
} Cursor;

static bool complain(Text *why, const char *what) {
    text_put(why, what);
    return false;
}

static void skip_blanks(Cursor *cursor) {
    while (cursor->at < cursor->end && isspace((unsigned char)*cursor->at)) cursor->at++;
}

static bool take(Cursor *cursor, char c) {
    skip_blanks(cursor);
    if (cursor->at >= cursor->end || *cursor->at != c) return false;
    cursor->at++;
    return true;
}

static bool take_word(Cursor *cursor, const char *word) {
    skip_blanks(cursor);
    size_t n = strlen(word);
    if ((size_t)(cursor->end - cursor->at) < n || memcmp(cursor->at, word, n) != 0) return false;
    cursor->at += n;
    return true;
}

static const char *take_string(Cursor *cursor) {
    skip_blanks(cursor);
    if (cursor->at >= cursor->end || (*cursor->at != '\'' && *cursor->at != '"')) return NULL;
    char quote = *cursor->at++;
    const char *begin = cursor->at, *close = memchr(begin, quote, (size_t)(cursor->end - begin));
    if (!close) return NULL;
    cursor->at = close + 1;
    return arena_string(cursor->arena, begin, (size_t)(close - begin));
}

static bool take_shape(Cursor *cursor, Npy *out) {
    if (!take(cursor, '(')) return complain(cursor->why, "its shape is no tuple");
    VEC(int64_t) dims = {0};
    while (!take(cursor, ')')) {
        skip_blanks(cursor);
        if (cursor->at >= cursor->end || !isdigit((unsigned char)*cursor->at) || dims.n == MOST_DIMS)
            return complain(cursor->why, "its shape is no tuple of sizes");
        int64_t size = 0;
        for (; cursor->at < cursor->end && isdigit((unsigned char)*cursor->at); cursor->at++) {
            if (size > INT64_MAX / 16) return complain(cursor->why, "a size in its shape is too large");
            size = 10 * size + (*cursor->at - '0');
        }
        if (cursor->at < cursor->end && *cursor->at == 'L') cursor->at++; /* Python 2 */
        vec_push(cursor->arena, &dims, size);
        if (!take(cursor, ',') && (skip_blanks(cursor), cursor->at >= cursor->end || *cursor->at != ')'))
            return complain(cursor->why, "its shape is no tuple of sizes");
    }
    out->rank = dims.n;
    out->dims = dims.at;
    return true;
}

static bool read_type(const char *code, Npy *out, Text *why) {
    if (*code == '>' && strlen(code) > 1 && code[2] != '1') {
        text_printf(why, "its type '%s' is big-endian, which is not supported", code);
        return false;
    }
    const char *kind = strchr("<>|=", *code) ? code + 1 : code;
    char *end = NULL;
    long size = *kind && isdigit((unsigned char)kind[1]) ? strtol(kind + 1, &end, 10) : 0;
    if (!*code || !strchr("biufcV", *kind) || !end || *end || size < 1 || size > 16) {
        text_printf(why, "its type '%s' is not supported; booleans, integers, floats, complex numbers, bytes are",
                    code);
        return false;
    }
    out->kind = *kind;
    out->size = (int)size;
    return true;
}

static bool read_header(Cursor *cursor, Npy *out) {
    bool has_type = false, has_order = false, has_shape = false;
    if (!take(cursor, '{')) return complain(cursor->why, "its header is no dictionary");
    while (!take(cursor, '}')) {
        const char *key = take_string(cursor);
        if (!key || !take(cursor, ':')) return complain(cursor->why, "its header is no dictionary");
        if (strcmp(key, "descr") == 0) {
            const char *code = take_string(cursor);
            if (!code) return complain(cursor->why, "it holds records, which are not supported");
            if (!read_type(code, out, cursor->why)) return false;
            has_type = true;
        } else if (strcmp(key, "fortran_order") == 0) {
            out->fortran = take_word(cursor, "True");
            if (!out->fortran && !take_word(cursor, "False"))
                return complain(cursor->why, "its fortran_order is neither True nor False");
            has_order = true;
        } else if (strcmp(key, "shape") == 0) {
            if (!take_shape(cursor, out)) return false;
            has_shape = true;
        } else {
            text_printf(cursor->why, "its header has an unknown key '%s'", key);
            return false;
        }
        take(cursor, ',');
    }
    if (has_type && has_order && has_shape) return true;
    return complain(cursor->why, "its header lacks descr, fortran_order or shape");
}

static bool count_elements(const Npy *npy, size_t available, size_t *elements) {
    *elements = 1;
    for (int d = 0; d < npy->rank; d++)
        if (npy->dims[d] == 0) *elements = 0;
    for (int d = 0; d < npy->rank && *elements; d++) {
        if ((uint64_t)npy->dims[d] > available / *elements) return false; /* more elements than there are bytes */
        *elements *= (size_t)npy->dims[d];
    }
    return *elements <= available / (size_t)npy->size;
}

bool npy_parse(Arena *arena, const char *file, size_t size, Npy *out, Text *why) {
    *out = (Npy){0};
    const unsigned char *bytes = (const unsigned char *)file;
    if (size < MAGIC_BYTES + 4 || memcmp(file, magic, MAGIC_BYTES) != 0)
        return complain(why, "it is no .npy file (it does not begin with \\x93NUMPY)");
    int major = bytes[MAGIC_BYTES];
    if (major < 1 || major > 3) {
        text_printf(why, "its format version %d is unknown", major);
        return false;
    }
    size_t start = MAGIC_BYTES + (major == 1 ? 4 : 6), header = 0;
    if (size < start) return complain(why, "it ends within its header");
    for (size_t i = start; i-- > MAGIC_BYTES + 2;) header = header << 8 | bytes[i];
    if (size - start < header) return complain(why, "it ends within its header");
    Cursor cursor = {arena, file + start, file + start + header, why};
    if (!read_header(&cursor, out)) return false;
    size_t elements, available = size - start - header;
    bool enough = count_elements(out, available, &elements);
    if (!enough || elements * (size_t)out->size != available) {
        text_printf(why, "its %zu bytes of data are too %s for its shape", available, enough ? "many" : "few");
        return false;
    }
    out->data = file + start + header;
    out->bytes = available;
    return true;
}

/* ---- as literals ------------------------------------------------------------------------------------------------- */

/* NumPy's code of a type; those it lacks are raw bytes. */
static void type_code(DType dtype, char *kind, int *size) {
    *size = dtype_bytes(dtype);
    bool byte_sized = dtype_bits(dtype) >= 8;
    switch (dtype_class(dtype)) {
    case DTYPE_PRED: *kind = 'b'; return;
    case DTYPE_SIGNED: *kind = byte_sized ? 'i' : 'V'; return;
    case DTYPE_UNSIGNED: *kind = byte_sized ? 'u' : 'V'; return;
    case DTYPE_FLOAT: *kind = dtype == DT_F16 || dtype_bits(dtype) >= 32 ? 'f' : 'V'; return;
    case DTYPE_COMPLEX: *kind = 'c'; return;
    case DTYPE_OTHER: *kind = 'V'; return;
    }
}

static void print_dims(Text *out, int rank, const int64_t *dims) {
    text_char(out, '(');
    for (int d = 0; d < rank; d++) text_printf(out, d ? ", %lld" : "%lld", (long long)dims[d]);
    text_put(out, rank == 1 ? ",)" : ")");
}

static void print_type(Text *out, char kind, int size) {
    text_printf(out, "%c%c%d", size == 1 || kind == 'V' ? '|' : '<', kind, size);
}

/* The type of a file's elements; raw bytes and what is stored as its type alone count as the wanted type. */
static DType file_dtype(const Npy *npy, DType wanted) {
    char kind;
    int size;
    type_code(wanted, &kind, &size);
    if (npy->size == size && (npy->kind == kind || npy->kind == 'V' || (kind == 'V' && strchr("iu", npy->kind))))
        return wanted;
    for (int i = 0; i < N_DTYPES && npy->kind != 'V'; i++) {
        if (!dtype_is_array((DType)i)) continue;
        type_code((DType)i, &kind, &size);
        if (npy->kind == kind && npy->size == size) return (DType)i;
    }
    return N_DTYPES;
}

/* What may stand for what: tests are written by people, who write 1 for 1.0. Nothing is cut off unasked. */
static bool converts(DType from, DType to) {
    if (from == to) return true;
    bool whole = dtype_is_integer(from) || dtype_class(from) == DTYPE_PRED;
    if (dtype_is_complex(to)) return whole || dtype_is_float(from) || dtype_is_complex(from);
    if (dtype_is_float(to)) return whole || dtype_is_float(from);
    return whole && dtype_is_integer(to);
}

static bool fits(const Npy *npy, const Shape *shape, Text *why) {
    DType dtype = file_dtype(npy, shape->dtype);
    bool good = dtype != N_DTYPES && converts(dtype, shape->dtype) && npy->rank == shape->rank;
    for (int d = 0; good && d < npy->rank; d++) good = npy->dims[d] == shape->dims[d];
    if (good) return true;
    char kind;
    int size;
    type_code(shape->dtype, &kind, &size);
    text_put(why, "it holds ");
    print_type(why, npy->kind, npy->size);
    text_char(why, ' ');
    print_dims(why, npy->rank, npy->dims);
    text_put(why, ", expected ");
    shape_print(why, shape, SHAPE_NO_LAYOUT);
    text_put(why, ": ");
    print_type(why, kind, size);
    text_char(why, ' ');
    print_dims(why, shape->rank, shape->dims);
    return false;
}

/* Elements in the order of the file, first dim fastest, put in row-major order. */
static void copy_fortran(Arena *arena, const Npy *npy, char *data) {
    size_t size = (size_t)npy->size;
    int64_t *index = NEW_ARRAY(arena, int64_t, npy->rank + 1);
    for (size_t from = 0; from < npy->bytes; from += size) {
        size_t to = 0;
        for (int d = 0; d < npy->rank; d++) to = to * (size_t)npy->dims[d] + (size_t)index[d];
        memcpy(data + to * size, npy->data + from, size);
        for (int d = 0; d < npy->rank && ++index[d] == npy->dims[d]; d++) index[d] = 0;
    }
}

/* A byte per element leaves bits that a literal must have as ir/literal.h says. */
static void normalize(Literal *literal) {
    const Shape *shape = literal->shape;
    int bits = dtype_bits(shape->dtype);
    if (bits >= 8) return;
    unsigned char *data = literal->data;
    bool is_pred = dtype_class(shape->dtype) == DTYPE_PRED, is_signed = dtype_class(shape->dtype) == DTYPE_SIGNED;
    unsigned mask = (1u << bits) - 1, sign = 1u << (bits - 1);
    for (int64_t i = 0, n = shape_elements(shape); i < n; i++) {
        unsigned low = data[i] & mask;
        data[i] = (unsigned char)(is_pred ? data[i] != 0 : is_signed && (low & sign) ? low | ~mask : low);
    }
}

static Literal *convert(Arena *arena, const Literal *from, const Shape *shape) {
    Literal *to = literal_new(arena, shape);
    bool whole = !dtype_is_float(shape->dtype) && !dtype_is_complex(shape->dtype);
    for (int64_t i = 0, n = shape_elements(shape); i < n; i++) {
        if (whole) literal_set_int(to, i, literal_int(from, i));
        else literal_set_double(to, i, literal_double(from, i), literal_imag(from, i));
    }
    return to;
}

Literal *npy_read(Arena *arena, const char *path, const Shape *shape, Text *why) {
    Text bytes = {0}, what = {0};
    Npy npy;
    Literal *literal = NULL;
    if (!input_read(path, &bytes, why)) return NULL;
    if (npy_parse(arena, text_string(&bytes), bytes.n, &npy, &what) && fits(&npy, shape, &what)) {
        DType dtype = file_dtype(&npy, shape->dtype);
        literal = literal_new(arena, shape_with_dtype(arena, shape, dtype));
        if (npy.fortran && npy.rank > 1) copy_fortran(arena, &npy, literal->data);
        else if (npy.bytes) memcpy(literal->data, npy.data, npy.bytes);
        normalize(literal);
        if (dtype != shape->dtype) literal = convert(arena, literal, shape);
    } else {
        text_printf(why, "cannot use '%s': %s", path, text_string(&what));
    }
    text_free(&bytes);
    text_free(&what);
    return literal;
}

void npy_print(Text *out, const Literal *literal) {
    const Shape *shape = literal->shape;
    char kind;
    int size;
    type_code(shape->dtype, &kind, &size);
    Text header = {0};
    text_put(&header, "{'descr': '");
    print_type(&header, kind, size);
    text_put(&header, "', 'fortran_order': False, 'shape': ");
    print_dims(&header, shape->rank, shape->dims);
    text_put(&header, ", }");
    size_t prefix = MAGIC_BYTES + 4;
    size_t padding = HEADER_ALIGNMENT - (prefix + header.n + 1) % HEADER_ALIGNMENT;
    text_repeat(&header, ' ', (int)(padding % HEADER_ALIGNMENT));
    text_char(&header, '\n');
    text_bytes(out, magic, MAGIC_BYTES);
    text_char(out, 1);
    text_char(out, 0);
    text_char(out, (char)(header.n & 0xFF));
    text_char(out, (char)(header.n >> 8));
    text_bytes(out, header.at, header.n);
    text_free(&header);
    text_bytes(out, literal->data, (size_t)shape_bytes(shape));
}

bool npy_write(const char *path, const Literal *literal, Text *why) {
    Text bytes = {0};
    npy_print(&bytes, literal);
    bool good = output_write(path, bytes.at, bytes.n, why);
    text_free(&bytes);
    return good;
}
