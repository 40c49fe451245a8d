/* The words of runtime templates and what they stand for in an instance. The list is in runtime/templates/README.md. */
#ifndef CODEGEN_RUNTIME_WORDS_H
#define CODEGEN_RUNTIME_WORDS_H

#include "codegen/runtime_pieces.h"

/* A letter that stands for a type, as a part of an identifier: "V" -> "f32x16". NULL: the word is no letter. */
const char *word_type(Arena *arena, const Instance *instance, const char *word, size_t n, RtType *type);

/* A whole word: LANES, BYTES, INDICES_zip_lo, K ...; NULL: not one of them. */
const char *word_replace(Arena *arena, const Instance *instance, const char *word, size_t n);

/* What stands for ${word}; NULL: unknown. */
const char *word_paste(Arena *arena, const Instance *instance, const char *word, size_t n);

/* A condition of @if: 1, 0, -1 with *cpp set (only the C compiler knows), -2 unknown word. native: the vector is known
 * to fit a register, so its size says something about the machine. */
int word_condition(Arena *arena, const Instance *instance, const char *word, size_t n, bool native, const char **cpp);

/* "f32" -> "float"; NULL for all but the scalar register types. */
const char *word_c_type(const char *name);

#endif
