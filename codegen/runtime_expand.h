/* Expansion of one instance of a runtime template: letters and words replaced, @if resolved or turned into #if. */
#ifndef CODEGEN_RUNTIME_EXPAND_H
#define CODEGEN_RUNTIME_EXPAND_H

#include "base/text.h"
#include "base/vec.h"
#include "codegen/runtime_pieces.h"

/* A symbol of the runtime that the text of an instance mentions. below: the mention stands under
 * #if HLOCC_VECTOR_BYTES < below; RT_ALWAYS where it is unconditional. */
typedef struct {
    const char *symbol;
    int below;
} RtNeed;

#define RT_ALWAYS 1024

typedef struct {
    const char *text;
    VEC(RtNeed) needs;              /* in the order of the text, with repetitions */
    VEC(const char *) std_includes; /* "<math.h>" */
} Expansion;

Expansion *runtime_expand(Arena *arena, const Instance *instance);

/* The header's name for the instance: "hlocc/vec_V.h" -> "hlocc/vec_f32x16.h". */
const char *runtime_header_name(Arena *arena, const Instance *instance);

#endif
