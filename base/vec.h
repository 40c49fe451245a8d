/* Growing arrays in an arena:
 *
 *     VEC(Instr *) users = {0};
 *     vec_push(arena, &users, instr);
 *     for (int i = 0; i < users.n; i++) use(users.at[i]);
 *
 * Growing copies to a block of twice the size; the old one stays in the arena, so pointers into it stay readable. */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include "base/arena.h"

#define VEC(T)      \
    struct {        \
        T *at;      \
        int n, cap; \
    }

#define vec_push(arena, v, ...)                                                                            \
    ((v)->at = (v)->n < (v)->cap ? (v)->at : vec_grow((arena), (v)->at, (v)->n, &(v)->cap, sizeof *(v)->at), \
     (v)->at[(v)->n++] = (__VA_ARGS__))

/* Room for one more element than n: a copy of the n elements, and *cap set anew. */
void *vec_grow(Arena *arena, const void *at, int n, int *cap, size_t element_bytes);

#endif
