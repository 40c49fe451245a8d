#include "codegen/runtime_words.h"

#include <math.h>
#include <string.h>

#include "base/diag.h"
#include "base/text.h"
#include "ir/literal.h"

static bool is(const char *word, size_t n, const char *name) {
    return strlen(name) == n && memcmp(word, name, n) == 0;
}

static int element_bytes(RtType type) {
    return type.dtype == N_DTYPES ? 0 : dtype_bytes(type.dtype);
}

static int type_bytes(RtType type) {
    return element_bytes(type) * (type.lanes ? type.lanes : 1);
}

/* Short vectors lie in 16 bytes; what is in the lanes that do not exist is nobody's business. */
static int padded_bytes(RtType type) {
    return type_bytes(type) < 16 && type.lanes ? 16 : type_bytes(type);
}

static int padded_lanes(RtType type) {
    return type.lanes ? padded_bytes(type) / element_bytes(type) : 1;
}

static RtType half(RtType type) {
    return (RtType){type.dtype, type.lanes / 2};
}

static RtType integer(RtType type, bool is_signed, int bits, int lanes) {
    static const DType table[2][4] = {{DT_U8, DT_U16, DT_U32, DT_U64}, {DT_S8, DT_S16, DT_S32, DT_S64}};
    (void)type;
    return (RtType){table[is_signed][bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : 3], lanes};
}

/* The integers that hold a mask where there are no mask registers, for vectors of vector_bytes. */
static RtType mask_integers(int lanes, int vector_bytes) {
    int bytes = vector_bytes / (lanes ? lanes : 1);
    if (bytes > 8) bytes = 8;
    if (bytes < 1) bytes = 1;
    return integer((RtType){DT_S8, 0}, true, bytes * 8, lanes);
}

const char *word_type(Arena *arena, const Instance *instance, const char *word, size_t n, RtType *type) {
    RtType v = instance->v, w = instance->w;
    int bits = v.dtype == N_DTYPES ? 0 : dtype_bytes(v.dtype) * 8;
    if (v.dtype == N_DTYPES || n > 6 || !n || word[0] < 'A' || word[0] > 'Z') return NULL;
    if (is(word, n, "V")) *type = v;
    else if (is(word, n, "VH")) *type = half(v);
    else if (is(word, n, "S")) *type = (RtType){v.dtype, 0};
    else if (is(word, n, "I")) *type = integer(v, true, bits, v.lanes);
    else if (is(word, n, "IH")) *type = integer(v, true, bits, v.lanes / 2);
    else if (is(word, n, "IS")) *type = integer(v, true, bits, 0);
    else if (is(word, n, "U")) *type = integer(v, false, bits, v.lanes);
    else if (is(word, n, "UH")) *type = integer(v, false, bits, v.lanes / 2);
    else if (is(word, n, "US")) *type = integer(v, false, bits, 0);
    else if (is(word, n, "F")) *type = (RtType){bits == 32 ? DT_F32 : DT_F64, v.lanes};
    else if (is(word, n, "F32")) *type = (RtType){DT_F32, v.lanes};
    else if (is(word, n, "D")) *type = (RtType){DT_F64, v.lanes};
    else if (is(word, n, "M")) *type = (RtType){DT_PRED, v.lanes};
    else if (is(word, n, "MH")) *type = (RtType){DT_PRED, v.lanes / 2};
    else if (is(word, n, "MA")) *type = mask_integers(v.lanes, 16);
    else if (is(word, n, "MB")) *type = mask_integers(v.lanes, 32);
    else if (is(word, n, "BY")) *type = (RtType){DT_U8, v.lanes};
    else if (is(word, n, "N16")) *type = integer(v, dtype_class(v.dtype) == DTYPE_SIGNED, 16, v.lanes);
    else if (is(word, n, "N32")) *type = (RtType){DT_S32, v.lanes};
    else if (is(word, n, "C")) {
        *type = v;
        return rt_type_name(arena, (RtType){v.dtype == DT_F64 ? DT_C128 : DT_C64, v.lanes});
    } else if (w.dtype == N_DTYPES) return NULL;
    else if (is(word, n, "W")) *type = w;
    else if (is(word, n, "RAW")) *type = integer(w, false, dtype_bytes(w.dtype) * 8, v.lanes);
    else if (is(word, n, "RS")) *type = integer(w, false, dtype_bytes(w.dtype) * 8, 0);
    else if (is(word, n, "WH")) *type = half(w);
    else if (is(word, n, "WS")) *type = (RtType){w.dtype, 0};
    else if (is(word, n, "WI")) *type = integer(w, true, dtype_bytes(w.dtype) * 8, w.lanes);
    else if (is(word, n, "WU")) *type = integer(w, false, dtype_bytes(w.dtype) * 8, w.lanes);
    else return NULL;
    return rt_type_name(arena, *type);
}

/* Lists of lane numbers for shuffles; the lanes of a second operand begin at the padded lanes of the first.
 * every_other: of two operands where the second begins with the last lane of the first. */
static int lane_index(const char *kind, size_t n, int i, int lanes, int padded) {
    int h = lanes / 2;
    if (is(kind, n, "iota")) return i;
    if (is(kind, n, "zip_lo")) return i / 2 + (i % 2 ? padded : 0);
    if (is(kind, n, "zip_hi")) return h + i / 2 + (i % 2 ? padded : 0);
    if (is(kind, n, "even")) return i < h ? 2 * i : i < lanes ? 2 * (i - h) + padded : 0;
    if (is(kind, n, "odd")) return i < h ? 2 * i + 1 : i < lanes ? 2 * (i - h) + 1 + padded : 0;
    if (is(kind, n, "every_other")) return i < h ? 2 * i : i < lanes ? 2 * i - (lanes - 1) + padded : 0;
    if (is(kind, n, "hi")) return h + i < padded ? h + i : 0;
    if (is(kind, n, "swap")) return i < h ? i + h : i < lanes ? i - h : i;
    return -1;
}

static const char *index_list(Arena *arena, RtType type, RtType w, const char *kind, size_t n) {
    Text list = {0};
    int padded = padded_lanes(type), half_padded = padded_lanes(half(type));
    bool by_halves = is(kind, n, "join"), lower = is(kind, n, "lo"), upper = is(kind, n, "hi");
    bool first = is(kind, n, "first"), pad = is(kind, n, "pad"), narrow = is(kind, n, "narrow");
    int count = lower || upper ? half_padded : first ? type.lanes : pad || narrow ? padded_lanes(w) : padded;
    int ratio = narrow ? element_bytes(type) / element_bytes(w) : 1;
    for (int i = 0; i < count; i++) {
        int h = type.lanes / 2;
        int index = by_halves ? (i < h ? i : i < type.lanes ? half_padded + i - h : 0)
                    : lower || first ? i
                    : pad || narrow  ? i % type.lanes * ratio
                              : lane_index(kind, n, i, type.lanes, padded);
        if (index < 0) internal_error("runtime templates", "unknown list INDICES_%.*s", (int)n, kind);
        text_printf(&list, i ? ", %d" : "%d", index);
    }
    const char *copy = arena_string(arena, text_string(&list), list.n);
    text_free(&list);
    return copy;
}

const char *word_replace(Arena *arena, const Instance *instance, const char *word, size_t n) {
    RtType v = instance->v, w = instance->w;
    if (v.dtype == N_DTYPES || word[0] < 'A' || word[0] > 'Z') return NULL;
    if (is(word, n, "K")) /* K(0.5f): a constant in all lanes */
        return v.lanes ? arena_printf(arena, "hlocc_splat_%s", rt_type_name(arena, v)) : "";
    if (is(word, n, "KI") || is(word, n, "KU")) {
        RtType type = integer(v, word[1] == 'I', element_bytes(v) * 8, v.lanes);
        return v.lanes ? arena_printf(arena, "hlocc_splat_%s", rt_type_name(arena, type)) : "";
    }
    if (is(word, n, "KN32")) return v.lanes ? arena_printf(arena, "hlocc_splat_s32x%d", v.lanes) : "";
    if (is(word, n, "KD")) return v.lanes ?
        arena_printf(arena, "hlocc_splat_%s", rt_type_name(arena, (RtType){DT_F64, v.lanes})) : "";
    static const char *const operators[][2] = {
        {"ADD", "add"}, {"SUB", "sub"}, {"MUL", "mul"}, {"DIV", "div"}, {"FMA", "fma"}, {"ABS", "abs"}, {"NEG", "neg"},
        {"LT", "lt"},   {"LE", "le"},   {"GT", "gt"},   {"GE", "ge"},   {"EQ", "eq"},   {"NE", "ne"},
    };
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (is(word, n, operators[i][0]))
            return arena_printf(arena, "hlocc_%s_%s", operators[i][1], rt_type_name(arena, v));
    if (n > 8 && memcmp(word, "INDICES_", 8) == 0) return index_list(arena, v, w, word + 8, n - 8);
    if (is(word, n, "OPS")) return v.lanes ? "vec" : "scalar"; /* of header names */
    const struct {
        const char *name;
        int value;
    } numbers[] = {
        {"LANES", v.lanes ? v.lanes : 1},
        {"HALF", v.lanes / 2},
        {"PHYS", padded_lanes(v)},
        {"BYTES", type_bytes(v)},
        {"PBYTES", padded_bytes(v)},
        {"HALFBITS", type_bytes(v) * 4},
        {"BITS", element_bytes(v) * 8},
        {"ELEMENT", element_bytes(v)},
        {"WELEMENT", element_bytes(w)},
        {"WBYTES", type_bytes(w)},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (is(word, n, numbers[i].name)) return arena_printf(arena, "%d", numbers[i].value);
    return NULL;
}

/* "p[0 * stride], p[1 * stride]" */
static const char *element_list(Arena *arena, const char *format, int lanes) {
    Text list = {0};
    for (int i = 0; i < lanes; i++) {
        if (i) text_put(&list, i % 8 ? ", " : ",\n                     ");
        for (const char *at = format; *at; at++) {
            if (*at == '%') text_printf(&list, "%d", i);
            else text_char(&list, *at);
        }
    }
    const char *copy = arena_string(arena, text_string(&list), list.n);
    text_free(&list);
    return copy;
}

static const char *element_code(RtType type) { /* as in the names of x86 instructions */
    if (type.dtype == DT_F32) return "ps";
    if (type.dtype == DT_F64) return "pd";
    int bytes = element_bytes(type);
    return bytes == 1 ? "b" : bytes == 2 ? "w" : bytes == 4 ? "d" : "q";
}

/* The ends of integer type w, as constants of that type or of the float type v:
 * min, max of w; above: the least float too large; below: the greatest float too small; low, high: as floats (8, 16
 * bits). */
static const char *integer_bound(Arena *arena, RtType v, RtType w, const char *word, size_t n) {
    int bits = element_bytes(w) * 8;
    bool is_signed = dtype_class(w.dtype) == DTYPE_SIGNED;
    int digits = is_signed ? bits - 1 : bits; /* w holds -2^digits (or 0) to 2^digits - 1 */
    const char *f = v.dtype == DT_F32 ? "f" : "";
    if (is(word, n, "max")) return arena_printf(arena, "%sINT%d_MAX", is_signed ? "" : "U", bits);
    if (is(word, n, "min")) return is_signed ? arena_printf(arena, "INT%d_MIN", bits) : "0";
    if (is(word, n, "above")) return arena_printf(arena, "0x1p%d%s", digits, f);
    if (is(word, n, "high")) return arena_printf(arena, "%d%s", (1 << digits) - 1, v.dtype == DT_F32 ? ".0f" : ".0");
    if (is(word, n, "low")) return is_signed ? arena_printf(arena, "-0x1p%d%s", digits, f) :
        arena_printf(arena, "0.0%s", f);
    if (!is(word, n, "below")) return NULL;
    if (!is_signed) return arena_printf(arena, "-1.0%s", f);
    /* -2^digits - 1, or where that is no float -2^digits, which is then MIN too */
    int precision = v.dtype == DT_F32 ? 24 : 53;
    if (digits < precision) return arena_printf(arena, "(-0x1p%d%s - 1)", digits, f);
    return arena_printf(arena, "-0x1p%d%s", digits, f);
}

/* Numbers of the storage format w for conversions from and to f32 (storage.h). */
static const char *format_number(Arena *arena, RtType w, const char *word, size_t n) {
    if (!dtype_is_float(w.dtype) || dtype_bytes(w.dtype) > 2 || w.dtype == DT_F8E8M0FNU) return NULL;
    unsigned one = small_float_from_double(w.dtype, 1), sign = small_float_from_double(w.dtype, -1) ^ one;
    int mantissa_bits = -ilogb(small_float_to_double(w.dtype, one + 1) - 1), bias = (int)(one >> mantissa_bits);
    unsigned largest = sign - 1;
    while (!isfinite(small_float_to_double(w.dtype, largest))) largest--;
    int shift = 23 - mantissa_bits, sign_shift = 31 - ilogb(sign);
    if (is(word, n, "mask")) return arena_printf(arena, "0x%X", sign - 1);
    if (is(word, n, "sign")) return arena_printf(arena, "0x%X", sign);
    if (is(word, n, "sign_shift")) return arena_printf(arena, "%d", sign_shift);
    if (is(word, n, "shift")) return arena_printf(arena, "%d", shift);
    if (is(word, n, "scale")) return arena_printf(arena, "0x1p%df", 127 - bias);
    if (is(word, n, "largest")) return arena_printf(arena, "0x%X", largest);
    if (is(word, n, "inf")) return arena_printf(arena, "0x%X", small_float_from_double(w.dtype, INFINITY));
    if (is(word, n, "nan")) return arena_printf(arena, "0x%X", small_float_from_double(w.dtype, NAN) & (sign - 1));
    if (is(word, n, "half")) return arena_printf(arena, "0x%X", (1u << (shift - 1)) - 1);
    if (is(word, n, "magic")) return arena_printf(arena, "0x1p%df", 1 - bias + shift);
    if (is(word, n, "min_normal")) return arena_printf(arena, "0x1p%df", 1 - bias);
    if (is(word, n, "rebias")) return arena_printf(arena, "0x%X", (unsigned)(127 - bias) << mantissa_bits);
    return NULL;
}

const char *word_paste(Arena *arena, const Instance *instance, const char *word, size_t n) {
    RtType v = instance->v, w = instance->w;
    int bits = padded_bytes(v) * 8;
    int w_bits = w.dtype == N_DTYPES ? 0 : padded_bytes(w) * 8;
    if (is(word, n, "t")) return element_code(v);
    if (is(word, n, "d")) return element_code(integer(v, true, element_bytes(v) * 8, v.lanes));
    if (is(word, n, "wt")) return element_code(w);
    if (is(word, n, "u")) return dtype_class(v.dtype) == DTYPE_UNSIGNED ? "u" : "";
    if (is(word, n, "su")) return dtype_class(v.dtype) == DTYPE_UNSIGNED ? "u" : "s";
    if (is(word, n, "sz")) return dtype_class(v.dtype) == DTYPE_UNSIGNED ? "z" : "s";
    if (is(word, n, "bits")) return arena_printf(arena, "%d", bits);
    if (is(word, n, "bits_not_128")) return bits == 128 ? "" : arena_printf(arena, "%d", bits);
    if (is(word, n, "wbits")) return arena_printf(arena, "%d", w_bits);
    if (is(word, n, "maxbits")) return arena_printf(arena, "%d", bits > w_bits ? bits : w_bits);
    if (is(word, n, "bits_not_512")) return bits == 512 ? "" : arena_printf(arena, "_%d", bits);
    if (is(word, n, "round")) return bits == 512 ? ", 4" : "";
    if (is(word, n, "wround")) return w_bits == 512 || bits == 512 ? ", 4" : "";
    if (is(word, n, "f")) return v.dtype == DT_F32 ? "f" : "";
    if (is(word, n, "strided")) return element_list(arena, "p[% * stride]", v.lanes);
    if (is(word, n, "gathered")) return element_list(arena, "p[index[%]]", v.lanes);
    if (is(word, n, "exp_limit")) return v.dtype == DT_F32 ? "88.0f" : "709.0"; /* above it e^x may overflow */
    if (is(word, n, "tanh_limit")) return v.dtype == DT_F32 ? "10.0f" : "20.0"; /* above it tanh is 1 */
    if (is(word, n, "name")) return dtype_name(v.dtype);
    if (is(word, n, "wname")) return dtype_name(w.dtype);
    if (w.dtype != N_DTYPES && n > 1 && word[0] == 'w') {
        const char *bound = dtype_is_integer(w.dtype) ? integer_bound(arena, v, w, word + 1, n - 1)
                                                      : format_number(arena, w, word + 1, n - 1);
        if (bound) return bound;
    }
    if (is(word, n, "c")) { /* the C type that x86 builtins take */
        static const char *const names[] = {"char", "short", "int", "long long"};
        int bytes = element_bytes(v);
        if (v.dtype == DT_F32 || v.dtype == DT_F64) return v.dtype == DT_F32 ? "float" : "double";
        return names[bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3];
    }
    return NULL;
}

const char *word_c_type(const char *name) {
    static const char *const table[][2] = {
        {"f32", "float"},    {"f64", "double"},  {"s8", "int8_t"},    {"s16", "int16_t"},  {"s32", "int32_t"},
        {"s64", "int64_t"},  {"u8", "uint8_t"},  {"u16", "uint16_t"}, {"u32", "uint32_t"}, {"u64", "uint64_t"},
        {"pred", "int"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(name, table[i][0]) == 0) return table[i][1];
    return NULL;
}

/* True, false or a question of the size of vector registers: is a vector of these bytes made of two halves? */
static int wide(Arena *arena, int bytes, const char **cpp) {
    if (bytes <= 16) return 0;
    if (bytes > 64) return 1;
    *cpp = arena_printf(arena, "HLOCC_VECTOR_BYTES < %d", bytes);
    return -1;
}

static int type_condition(RtType type, const char *word, size_t n) {
    DTypeClass class = dtype_class(type.dtype);
    int bytes = element_bytes(type);
    if (is(word, n, "scalar")) return !type.lanes;
    if (is(word, n, "vector")) return type.lanes != 0;
    if (is(word, n, "float")) return class == DTYPE_FLOAT;
    if (is(word, n, "integer")) return class == DTYPE_SIGNED || class == DTYPE_UNSIGNED;
    if (is(word, n, "signed")) return class == DTYPE_SIGNED;
    if (is(word, n, "unsigned")) return class == DTYPE_UNSIGNED;
    if (is(word, n, "mask")) return class == DTYPE_PRED;
    if (is(word, n, "b8")) return bytes == 1;
    if (is(word, n, "b16")) return bytes == 2;
    if (is(word, n, "b32")) return bytes == 4;
    if (is(word, n, "b64")) return bytes == 8;
    if (is(word, n, "p16")) return padded_bytes(type) == 16;
    if (is(word, n, "p32")) return padded_bytes(type) == 32;
    if (is(word, n, "p64")) return padded_bytes(type) == 64;
    if (is(word, n, "short")) return type_bytes(type) < 16;
    if (n > 1 && word[0] == 'n') {
        int lanes = 0;
        for (size_t i = 1; i < n && word[i] >= '0' && word[i] <= '9'; i++) lanes = lanes * 10 + (word[i] - '0');
        if (lanes) return type.lanes == lanes;
    }
    bool small = class == DTYPE_FLOAT && bytes <= 2;
    bool has_inf = small && isinf(small_float_to_double(type.dtype, small_float_from_double(type.dtype, INFINITY)));
    bool no_nan = small && !isnan(small_float_to_double(type.dtype, small_float_from_double(type.dtype, NAN)));
    bool no_negative_zero = small && small_float_from_double(type.dtype, -0.0) == 0;
    if (is(word, n, "ieee")) return has_inf; /* infinities and NaN as IEEE has them */
    if (is(word, n, "fn")) return small && !has_inf && !no_nan && !no_negative_zero;
    if (is(word, n, "fnuz")) return small && no_negative_zero;
    if (is(word, n, "finite")) return no_nan;
    RtType named;
    return rt_type_parse(word, n, &named) && !named.lanes ? named.dtype == type.dtype : -2;
}

int word_condition(Arena *arena, const Instance *instance, const char *word, size_t n, bool native, const char **cpp) {
    RtType v = instance->v, w = instance->w;
    static const struct {
        const char *name, *cpp;
        int certain_from_bytes; /* vectors of that many bytes exist only where it is true; 0: never certain */
    } machine[] = {
        {"avx512", "HLOCC_VECTOR_BYTES == 64", 64},
        {"avx2", "HLOCC_VECTOR_BYTES >= 32", 32},
        {"vb32", "HLOCC_VECTOR_BYTES == 32", 0},
        {"sse41", "defined(__SSE4_1__)", 32},
        {"ssse3", "defined(__SSSE3__)", 32},
        {"sse2", "defined(__SSE2__)", 32},
        {"hwfma", "HLOCC_FMA", 64},
        {"f16c", "defined(__F16C__)", 64},
        {"clang", "defined(__clang__)", 0},
        {"gnu", "HLOCC_GNU_VECTORS", 0},
        {"elementwise_fma", "HLOCC_HAS_ELEMENTWISE_FMA", 0},
        {"elementwise_sqrt", "HLOCC_HAS_ELEMENTWISE_SQRT", 0},
        {"shufflevector", "HLOCC_HAS_SHUFFLEVECTOR", 0},
    };
    int bytes = v.dtype == N_DTYPES ? 0 : padded_bytes(v);
    if (w.dtype != N_DTYPES && w.lanes && padded_bytes(w) > bytes) bytes = padded_bytes(w);
    for (size_t i = 0; i < sizeof machine / sizeof *machine; i++) {
        if (!is(word, n, machine[i].name)) continue;
        int certain = machine[i].certain_from_bytes;
        if (native && certain && bytes >= certain && bytes <= 64 && v.lanes) return 1;
        if (native && is(word, n, "vb32") && bytes == 64) return 0;
        *cpp = machine[i].cpp;
        return -1;
    }
    if (is(word, n, "same")) return v.dtype == w.dtype;
    if (is(word, n, "samesize")) return element_bytes(v) == element_bytes(w);
    if (is(word, n, "widens")) return element_bytes(v) < element_bytes(w);
    if (is(word, n, "narrows")) return element_bytes(v) > element_bytes(w);
    if (is(word, n, "wide")) return wide(arena, type_bytes(v), cpp);
    if (is(word, n, "anywide")) return wide(arena, bytes, cpp);
    if (v.dtype == N_DTYPES) return -2;
    if (n > 2 && word[0] == 'w' && word[1] == '.')
        return w.dtype == N_DTYPES ? -2 : type_condition(w, word + 2, n - 2);
    return type_condition(v, word, n);
}
