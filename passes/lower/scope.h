/* Scopes: how a function of the program reaches what belongs to its caller.
 *
 * The host function owns parameters, results, the workspace and scalars; a group's function owns its tile buffers; a
 * nest is called by one of them. A buffer or scalar that a function needs and does not own becomes an argument, through
 * as many callers as it takes. */
#ifndef PASSES_LOWER_SCOPE_H
#define PASSES_LOWER_SCOPE_H

#include "passes/lower/pull.h"

typedef struct Scope Scope;

typedef struct {
    KBuffer *outer, *inner; /* buffers */
    KVar *outer_var, *inner_var; /* scalars and index values */
} Bound;

struct Scope {
    Lowering *low;
    Scope *caller; /* NULL: the host function */
    KFunc *func;
    Emitter *emitter;
    VEC(Bound) bound; /* one per parameter of func, in order */
};

/* A function that will be called from caller. */
Scope *scope_new(Lowering *low, Scope *caller, const char *name);

/* What buffer (of this function or of one of its callers, or a constant) is called in this function. */
KBuffer *scope_buffer(Scope *scope, KBuffer *buffer);
/* The same for a variable of a caller that holds a scalar or an index. */
KVar *scope_var(Scope *scope, KVar *var);
/* A scalar value of the host function: a constant, an index, or (named there first, if it has no name) an argument. */
KValue *scope_scalar(Scope *scope, KValue *value);
/* An index expression over the caller's variables, over those of this function. */
const Index *scope_index(Scope *scope, const Index *index);

/* Emits the call of scope's function into its caller. */
void scope_call(Scope *scope, const Instr *from);

#endif
