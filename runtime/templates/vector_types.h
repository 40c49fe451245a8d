/* header: hlocc/vector_types.h */
/* piece: hlocc_V | F I | vector */
@include <stdint.h>
@if wide
typedef struct {
    hlocc_VH lo, hi;
} hlocc_V;
@else
typedef hlocc_S hlocc_V __attribute__((vector_size(PBYTES)));
@end

/* piece: hlocc_V | P | vector */
@include <stdint.h>
@if wide
typedef struct {
    hlocc_MH lo, hi;
} hlocc_V;
@elif avx512
@if n64
typedef unsigned long long hlocc_V; /* bit k: lane k; bits above the lanes are unspecified */
@elif n32
typedef unsigned hlocc_V; /* bit k: lane k; bits above the lanes are unspecified */
@elif n16
typedef unsigned short hlocc_V; /* bit k: lane k; bits above the lanes are unspecified */
@else
typedef unsigned char hlocc_V; /* bit k: lane k; bits above the lanes are unspecified */
@end
@elif vb32
typedef hlocc_MB hlocc_V; /* all bits of a lane, or none */
@else
typedef hlocc_MA hlocc_V; /* all bits of a lane, or none */
@end

/* piece: hlocc_unaligned_V | F I | vector */
@include <stdint.h>
@if !wide
typedef hlocc_S hlocc_unaligned_V __attribute__((vector_size(PBYTES), aligned(ELEMENT), may_alias));
@end

/* piece: hlocc_x86_V | F I | vector */
/* The type that the builtins of x86 compilers take. */
@if !wide
typedef ${c} hlocc_x86_V __attribute__((vector_size(PBYTES)));
@end

/* piece: hlocc_word_V | I | vector */
/* A scalar of that size, for loads and stores of short vectors. */
@if b8 & n2
typedef uint16_t __attribute__((may_alias)) hlocc_word_V;
@elif b8 & n4
typedef uint32_t __attribute__((may_alias)) hlocc_word_V;
@elif b16 & n2
typedef uint32_t __attribute__((may_alias)) hlocc_word_V;
@else
typedef uint64_t __attribute__((may_alias)) hlocc_word_V;
@end
