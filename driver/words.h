/* Text split into words as a shell would: blanks separate, '...' and "..." and \ keep together. No variables, no
 * patterns. */
#ifndef DRIVER_WORDS_H
#define DRIVER_WORDS_H

#include <stdbool.h>

#include "base/vec.h"

typedef VEC(const char *) Words;

/* Appends the words of text. False: a quote was not closed (what was read so far is kept). */
bool words_split(Arena *arena, Words *words, const char *text);

/* Appends one word (NULL to end an argv: it is not counted in n). */
void words_add(Arena *arena, Words *words, const char *word);
void words_end(Arena *arena, Words *words);

#endif
