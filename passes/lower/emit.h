/* The emitter: puts values of the kernel IR into statements, each where it belongs.
 *
 * Lowering builds value trees without thinking of loops; when a tree is stored, the emitter places every value in the
 * outermost open block in which all variables and buffers it depends on are known, names it there when it is used more
 * than once or moved out of a loop, and leaves the rest as expressions. That does hoisting, common subexpressions and
 * scalar broadcasts with no further pass (tile-programs.md section 4).
 *
 * Limits on moving: nothing leaves a guarded block; a value that reads a mutable variable stays behind the SET it saw
 * (its version); a load stays in the block where its buffer was filled. */
#ifndef PASSES_LOWER_EMIT_H
#define PASSES_LOWER_EMIT_H

#include "ir/kernel.h"

typedef struct Emitter Emitter;
struct Emitter {
    KFunc *func;
    Arena *arena;
    VEC(KBlock *) open;    /* outermost first; the last is where statements go */
    VEC(KStmt *) pending;  /* statements of the batch */
    VEC(KStmt *) openers;  /* the statement that each open block belongs to; NULL for the function body */
    VEC(KVar *) mutables;  /* variables that may be SET */
    int batch;             /* how many emit_batch are open */
    uint32_t stamp;
    StringTable names;     /* C identifiers taken in this function */
};

Emitter *emitter_new(KFunc *func);
KBlock *emitter_block(const Emitter *e); /* the innermost open block */

/* A C identifier that is free in the function: base made legal, with a number if it must. */
const char *emit_name(Emitter *e, const char *base);
/* The same for what is declared at the head of the function. */
const char *emit_name_for_good(Emitter *e, const char *base);
/* The identifier that an instruction's name becomes ("sub.7": sub_7); stripped: without its number (sub). */
const char *identifier_of(Arena *arena, const char *name, bool stripped);

/* --- blocks: each is closed by emit_end --------------------------------------------------------------------------- */

/* for (i = low; i < high; i += step). Returns the value of i as an index expression: with a step, and a low that is
 * constant or a multiple of it, that is low (or 0) + step * t for a variable t, so that divisions by the step stay
 * exact. */
const Index *emit_for(Emitter *e, const char *name, const Index *low, const Index *high, int64_t step, KForKind kind);
void emit_while(Emitter *e);
void emit_break_unless(Emitter *e, KValue *condition);
void emit_if(Emitter *e, KValue *condition);
void emit_else(Emitter *e);
void emit_end(Emitter *e);

/* --- statements --------------------------------------------------------------------------------------------------- */

/* Statements between emit_batch and emit_flush are placed together: what several of them use is named once. */
void emit_batch(Emitter *e);
void emit_flush(Emitter *e);

/* Names value in the current block, now: for loads from memory that a later statement changes. Returns the variable's
 * value. Constants and variables come back as they are. */
KValue *emit_let(Emitter *e, KValue *value, const char *name);
KVar *emit_var(Emitter *e, const char *name, KValue *value); /* a mutable variable */
void emit_sets(Emitter *e, int n, KVar *const *vars, KValue *const *values); /* all at once */
/* An index variable with a runtime value, clamped to range unless range is everything. */
const Index *emit_runtime_index(Emitter *e, KValue *value, Interval range, bool clamp, const char *name);

typedef struct {
    KBuffer *buffer;
    const Index *index;
    KAccess access;
    int64_t stride;
    KValue *where;
    int count;
} StoreTo;
void emit_store(Emitter *e, StoreTo to, KValue *value, const Instr *from);

void emit_local(Emitter *e, KBuffer *buffer);
KStmt *emit_statement(Emitter *e, KStmt statement); /* any other, with its values placed */

#endif
