/* Attributes: `name=value` behind an instruction (table: ir/attrs.def).
 *
 * An instruction keeps its attributes as a list of (id, value), in the order of the text. What only travels through
 * hlocc (shardings, metadata, origins, statistics ...) is kept as canonical text, checked when it was read; what the
 * compiler computes with is kept as data. */
#ifndef IR_ATTR_H
#define IR_ATTR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/source.h"
#include "ir/literal.h"
#include "ir/shape.h"

typedef enum {
#define ATTR(id, text, kind, place) ATTR_##id,
#include "ir/attrs.def"
#undef ATTR
    N_ATTRS
} AttrId;

typedef enum {
    ATTR_KIND_INT,          /* integer */
    ATTR_KIND_BOOL,         /* integer, 0 or 1 */
    ATTR_KIND_FLOAT,        /* number */
    ATTR_KIND_STRING,       /* text, length (unescaped) */
    ATTR_KIND_INTS,         /* ints */
    ATTR_KIND_BOOLS,        /* ints */
    ATTR_KIND_INT_LISTS,    /* int_lists */
    ATTR_KIND_INTS_OR_LISTS, /* integer 0: ints; 1: int_lists (slice_sizes of collective-permute) */
    ATTR_KIND_COMPUTATION,  /* computations, one */
    ATTR_KIND_COMPUTATIONS, /* computations */
    ATTR_KIND_NAMES,        /* instrs (control-predecessors) */
    ATTR_KIND_WINDOW,       /* window */
    ATTR_KIND_DIM_LABELS,   /* dim_labels */
    ATTR_KIND_PADDING,      /* padding */
    ATTR_KIND_SLICES,       /* slices */
    ATTR_KIND_PRECISIONS,   /* ints of PRECISION_... */
    ATTR_KIND_SHAPE,        /* shapes, one */
    ATTR_KIND_SHAPES,       /* shapes */
    ATTR_KIND_ALIASING,     /* aliasing */
    ATTR_KIND_GROUPS,       /* groups */
    ATTR_KIND_LITERAL,      /* literal */
    ATTR_KIND_DICTIONARY,   /* dictionary (frontend_attributes) */
    ATTR_KIND_SHARDING,     /* text: canonical HLO */
    ATTR_KIND_METADATA,     /* text: canonical HLO; dictionary: its string entries */
    ATTR_KIND_DOMAIN,       /* text */
    ATTR_KIND_CONFIG,       /* text, length: the raw JSON-like dict or the unescaped string; integer: 1 for a dict */
    ATTR_KIND_STATISTICS,   /* text, as all up to ORIGIN: canonical HLO, with braces */
    ATTR_KIND_ACCURACY,
    ATTR_KIND_SPARSITY_SIDES, /* {lhs={...} rhs={...}} of convolutions */
    ATTR_KIND_SCALING_SIDES,
    ATTR_KIND_SPARSITY,     /* L.1@2:4 of old dots */
    ATTR_KIND_ORIGIN,
    /* Of the header only. */
    ATTR_KIND_BOOL_OR_BOOLS, /* text */
    ATTR_KIND_DONORS,       /* aliasing, its operand and operand_index */
    ATTR_KIND_ENTRY_LAYOUT, /* shapes: the parameters, then the result */
    ATTR_KIND_RECOVERY_TABLE, /* text */
    ATTR_KIND_DEBUG,        /* text */
    /* Parts of the values above; no attribute has them. */
    ATTR_KIND_SIZES,        /* ints: 3x3 or 3 */
    ATTR_KIND_TOLERANCE,
    ATTR_KIND_SPARSITY_SIDE,
    ATTR_KIND_SCALING_SIDE,
    ATTR_KIND_KEYWORDS,
    ATTR_KIND_DEVICES,
    ATTR_KIND_METADATAS,
    ATTR_KIND_AXES,
    ATTR_KIND_UNREDUCED,
    ATTR_KIND_ANYTHING,
    ATTR_KIND_FILE_LOCATION,
    ATTR_KIND_STACK_FRAME,
    /* Words from a list; integer is the enum value. Table of spellings: attr.c. */
    ATTR_KIND_ACCURACY_MODE,
    ATTR_KIND_ALGORITHM,
    ATTR_KIND_API_VERSION,
    ATTR_KIND_COMPARISON_TYPE,
    ATTR_KIND_CONVOLUTION_KIND,
    ATTR_KIND_DIRECTION,
    ATTR_KIND_DISTRIBUTION,
    ATTR_KIND_FFT_TYPE,
    ATTR_KIND_FUSION_KIND,
    ATTR_KIND_LOG_MODE,
    ATTR_KIND_MODE,
    ATTR_KIND_ORDER,
    ATTR_KIND_PADDING_TYPE,
    ATTR_KIND_SCHEDULE,
    ATTR_KIND_TRANSPOSE,
} AttrKind;

typedef enum { DIRECTION_EQ, DIRECTION_NE, DIRECTION_GE, DIRECTION_GT, DIRECTION_LE, DIRECTION_LT } Direction;
typedef enum { COMPARE_FLOAT, COMPARE_TOTALORDER, COMPARE_SIGNED, COMPARE_UNSIGNED } ComparisonType;
typedef enum { ORDER_TOTAL, ORDER_PARTIAL, ORDER_WEAK } ComparisonOrder;
typedef enum { PRECISION_DEFAULT, PRECISION_HIGH, PRECISION_HIGHEST, PRECISION_PACKED_NIBBLE } Precision;
typedef enum { FFT_FFT, FFT_IFFT, FFT_RFFT, FFT_IRFFT } FftType;
typedef enum { FUSION_LOOP, FUSION_INPUT, FUSION_OUTPUT, FUSION_CUSTOM } FusionKind;
typedef enum { TRANSPOSE_NONE, TRANSPOSE_TRANSPOSE, TRANSPOSE_ADJOINT, TRANSPOSE_INVALID } TransposeA;
typedef enum { RNG_UNIFORM, RNG_NORMAL } Distribution;

/* `algorithm=` of dot and convolution, and of rng-bit-generator: two lists in one enum. */
typedef enum {
    ALGORITHM_UNSET,
    ALGORITHM_ANY_F8_ANY_F8_F32,
    ALGORITHM_ANY_F8_ANY_F8_F32_FAST_ACCUM,
    ALGORITHM_F16_F16_F16,
    ALGORITHM_F16_F16_F32,
    ALGORITHM_BF16_BF16_BF16,
    ALGORITHM_BF16_BF16_F32,
    ALGORITHM_BF16_BF16_F32_X3,
    ALGORITHM_BF16_BF16_F32_X6,
    ALGORITHM_BF16_BF16_F32_X9,
    ALGORITHM_TF32_TF32_F32,
    ALGORITHM_TF32_TF32_F32_X3,
    ALGORITHM_F32_F32_F32,
    ALGORITHM_F64_F64_F64,
    ALGORITHM_RNG_DEFAULT,
    ALGORITHM_RNG_THREE_FRY,
    ALGORITHM_RNG_PHILOX,
} Algorithm;

typedef struct {
    int n;
    const int64_t *at;
} IntList;

typedef struct {
    int64_t size, stride, pad_low, pad_high, base_dilation, window_dilation; /* lhs_dilate, rhs_dilate */
    bool reversal;
} WindowDim;

typedef struct {
    int n;
    const WindowDim *dims;
} Window;

/* Positions of dims: batch and feature of the input, in and out feature of the kernel, spatial dims in order. */
typedef struct {
    int n_spatial;
    int input_batch, input_feature, kernel_input, kernel_output, output_batch, output_feature;
    const int *input_spatial, *kernel_spatial, *output_spatial;
    const char *text; /* b01f_01io->b01f */
} DimLabels;

typedef struct {
    int64_t low, high, interior;
} PadDim;

typedef struct {
    int64_t start, limit, stride;
} SliceDim;

typedef enum { ALIAS_MAY, ALIAS_MUST } AliasKind;

typedef struct {
    IntList output_index;
    int64_t operand;
    IntList operand_index;
    AliasKind kind; /* of a module's input_output_alias */
    Span output_span, operand_span; /* the numbers of the index, and the operand's number */
} AliasEntry;

/* Groups of replica ids, all three spellings brought to lists; text keeps the spelling. */
typedef struct {
    int n;
    const IntList *groups;
    const char *text;
} ReplicaGroups;

typedef struct {
    const char *key, *value; /* value unescaped */
    size_t length;           /* of value, which may hold NULs */
    bool is_dict;            /* value was written bare, {...} */
} DictEntry;

typedef struct Computation Computation;
typedef struct Instr Instr;

/* One attribute of one instruction. Which members of the unions hold the value follows from attr_kind(id). */
typedef struct {
    AttrId id;
    Span name, value; /* places in the text */
    union {
        int64_t integer;
        double number;
    };
    const char *text; /* canonical HLO; of STRING and CONFIG the unescaped bytes, NUL-terminated */
    union {
        size_t length; /* of STRING and CONFIG: bytes of text (it may hold NULs) */
        IntList ints;
        struct {
            int n_lists;
            const IntList *lists;
        };
        struct {
            int n_computations;
            Computation *const *computations;
        };
        struct {
            int n_instrs;
            Instr *const *instrs;
        };
        Window window;
        const DimLabels *dim_labels;
        struct {
            int n_pads;
            const PadDim *padding;
        };
        struct {
            int n_slices;
            const SliceDim *slices;
        };
        struct {
            int n_shapes;
            const Shape *const *shapes;
            const Span *shape_spans;
        };
        struct {
            int n_aliases;
            const AliasEntry *aliasing;
        };
        const ReplicaGroups *groups;
        struct {
            int n_entries;
            const DictEntry *dictionary;
        };
        const Literal *literal;
    };
} Attr;

const char *attr_name(AttrId id);
AttrKind attr_kind(AttrId id);
bool attr_is_common(AttrId id);
bool attr_is_of_header(AttrId id);
bool attr_is_of_computation(AttrId id);
AttrId attr_from_name(const char *text, size_t n); /* N_ATTRS if there is none */

/* Words of the enum kinds: spelling of value, and value of a spelling (-1 if it is none). */
const char *attr_word(AttrKind kind, int value);
int attr_word_value(AttrKind kind, const char *text, size_t n);
/* All spellings of a kind, for messages. */
int attr_words(AttrKind kind, const char *const **words);

bool int_list_has(IntList list, int64_t value);
bool int_list_find(IntList list, int64_t value, int *at); /* at: where it stands first; untouched if it does not */
/* Groups are listed (attr is not NULL, and not all are empty), and device is in none: it receives nothing. */
bool groups_leave_out(const Attr *attr, int64_t device);

#endif
