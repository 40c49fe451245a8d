#include "ir/attr.h"

#include <ctype.h>
#include <string.h>

typedef enum { OWN, COMMON, HEADER, COMPUTATION } Place;

static const struct {
    const char *name;
    AttrKind kind;
    Place place;
} table[N_ATTRS] = {
#define ATTR(id, text, kind, place) [ATTR_##id] = {text, ATTR_KIND_##kind, place},
#include "ir/attrs.def"
#undef ATTR
};

const char *attr_name(AttrId id) {
    return table[id].name;
}

AttrKind attr_kind(AttrId id) {
    return table[id].kind;
}

bool attr_is_common(AttrId id) {
    return table[id].place == COMMON;
}

bool attr_is_of_header(AttrId id) {
    return table[id].place == HEADER || id == ATTR_FRONTEND_ATTRIBUTES || id == ATTR_BACKEND_CONFIG;
}

bool attr_is_of_computation(AttrId id) {
    return table[id].place == COMPUTATION || id == ATTR_BACKEND_CONFIG;
}

AttrId attr_from_name(const char *text, size_t n) {
    for (int i = 0; i < N_ATTRS; i++)
        if (strlen(table[i].name) == n && memcmp(table[i].name, text, n) == 0) return (AttrId)i;
    return N_ATTRS;
}

/* Spellings in the order of the enums of attr.h. Some kinds were never case-sensitive in XLA's reader. */
static const char *const accuracy_modes[] = {"default", "highest"};
static const char *const algorithms[] = {
    "unset",
    "dot_any_f8_any_f8_f32",
    "dot_any_f8_any_f8_f32_fast_accum",
    "dot_f16_f16_f16",
    "dot_f16_f16_f32",
    "dot_bf16_bf16_bf16",
    "dot_bf16_bf16_f32",
    "dot_bf16_bf16_f32_x3",
    "dot_bf16_bf16_f32_x6",
    "dot_bf16_bf16_f32_x9",
    "dot_tf32_tf32_f32",
    "dot_tf32_tf32_f32_x3",
    "dot_f32_f32_f32",
    "dot_f64_f64_f64",
    "rng_default",
    "rng_three_fry",
    "rng_philox",
};
static const char *const api_versions[] = {"API_VERSION_ORIGINAL", "API_VERSION_STATUS_RETURNING",
                                           "API_VERSION_STATUS_RETURNING_UNIFIED", "API_VERSION_TYPED_FFI"};
static const char *const comparison_types[] = {"FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"};
static const char *const convolution_kinds[] = {"unset", "fprop", "wgrad", "dgrad"};
static const char *const directions[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
static const char *const distributions[] = {"rng_uniform", "rng_normal"};
static const char *const fft_types[] = {"FFT", "IFFT", "RFFT", "IRFFT"};
static const char *const fusion_kinds[] = {"kLoop", "kInput", "kOutput", "kCustom"};
static const char *const log_modes[] = {"default", "fusion_debugger"};
static const char *const modes[] = {"cross_replica", "cross_partition", "cross_replica_and_partition",
                                    "flattened_id",  "rotate",          "permute"};
static const char *const orders[] = {"TOTAL", "PARTIAL", "WEAK"};
static const char *const padding_types[] = {"PADDING_INVALID", "PADDING_VALID", "PADDING_SAME"};
static const char *const precisions[] = {"default", "high", "highest", "packed_nibble"};
static const char *const schedules[] = {"SCHEDULE_NONE", "SCHEDULE_LATEST", "SCHEDULE_EARLIEST"};
static const char *const transposes[] = {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT", "TRANSPOSE_INVALID"};

#define WORDS(list, any_case) {list, sizeof list / sizeof *list, any_case}
static const struct {
    const char *const *at;
    int n;
    bool any_case;
} word_lists[] = {
    [ATTR_KIND_ACCURACY_MODE] = WORDS(accuracy_modes, true),
    [ATTR_KIND_ALGORITHM] = WORDS(algorithms, true),
    [ATTR_KIND_API_VERSION] = WORDS(api_versions, true),
    [ATTR_KIND_COMPARISON_TYPE] = WORDS(comparison_types, false),
    [ATTR_KIND_CONVOLUTION_KIND] = WORDS(convolution_kinds, false),
    [ATTR_KIND_DIRECTION] = WORDS(directions, false),
    [ATTR_KIND_DISTRIBUTION] = WORDS(distributions, true),
    [ATTR_KIND_FFT_TYPE] = WORDS(fft_types, false),
    [ATTR_KIND_FUSION_KIND] = WORDS(fusion_kinds, false),
    [ATTR_KIND_LOG_MODE] = WORDS(log_modes, false),
    [ATTR_KIND_MODE] = WORDS(modes, false),
    [ATTR_KIND_ORDER] = WORDS(orders, false),
    [ATTR_KIND_PADDING_TYPE] = WORDS(padding_types, false),
    [ATTR_KIND_PRECISIONS] = WORDS(precisions, true),
    [ATTR_KIND_SCHEDULE] = WORDS(schedules, true),
    [ATTR_KIND_TRANSPOSE] = WORDS(transposes, false),
};
#undef WORDS

enum { N_WORD_LISTS = sizeof word_lists / sizeof *word_lists };

const char *attr_word(AttrKind kind, int value) {
    return word_lists[kind].at[value];
}

int attr_words(AttrKind kind, const char *const **words) {
    if ((size_t)kind >= N_WORD_LISTS) return 0;
    *words = word_lists[kind].at;
    return word_lists[kind].n;
}

static bool same_ignoring_case(const char *a, const char *b, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (tolower((unsigned char)a[i]) != tolower((unsigned char)b[i])) return false;
    return true;
}

int attr_word_value(AttrKind kind, const char *text, size_t n) {
    const char *const *words = NULL;
    int n_words = attr_words(kind, &words);
    for (int i = 0; i < n_words; i++) {
        if (strlen(words[i]) != n) continue;
        bool same = word_lists[kind].any_case ? same_ignoring_case(words[i], text, n) : memcmp(words[i], text, n) == 0;
        if (same) return i;
    }
    return -1;
}

bool int_list_find(IntList list, int64_t value, int *at) {
    for (int i = 0; i < list.n; i++) {
        if (list.at[i] != value) continue;
        *at = i;
        return true;
    }
    return false;
}

bool int_list_has(IntList list, int64_t value) {
    int at;
    return int_list_find(list, value, &at);
}

bool groups_leave_out(const Attr *attr, int64_t device) {
    bool listed = false;
    for (int g = 0; attr && g < attr->groups->n; g++) {
        if (int_list_has(attr->groups->groups[g], device)) return false;
        listed |= attr->groups->groups[g].n > 0;
    }
    return listed;
}
