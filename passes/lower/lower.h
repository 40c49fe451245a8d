/* Lowering: from tile programs to the kernel IR.
 *
 * The host function is the entry of the program: it runs the steps of the entry computation in order, holds tiny values
 * in named scalars, contains `while` and `conditional` as C has them, and calls kernels. A kernel is one loop nest (or
 * the body of a group's tile loop). Elements are pulled: see pull.h. */
#ifndef PASSES_LOWER_LOWER_H
#define PASSES_LOWER_LOWER_H

#include "ir/kernel.h"
#include "ir/tile.h"
#include "passes/lower/target.h"

typedef struct {
    const Target *target;
    bool optimise;
    int64_t stack_bytes; /* tile buffers up to so many bytes are arrays of the function */
    const char *prefix;  /* name of the generated function */
    int n_custom_calls;
    const char *const *custom_calls; /* "TARGET=FUNCTION": functions of the user */
} LowerOptions;

/* The program of a module that went through the passes. NULL when something cannot be compiled: then diags name every
 * such instruction. */
KProgram *lower_module(Arena *arena, const Module *module, LowerOptions options, Diags *diags);

/* Takes away what nothing reads: values, arrays, arguments, constants. */
void sweep_unread(KProgram *program);

/* Offsets of the slots in the workspace, by the times at which they are in use (passes/buffers). */
void assign_workspace(KProgram *program);

/* The tile programs of all computations that the entry reaches, as text (--emit=fused). */
void lower_print_fused(Arena *arena, const Module *module, LowerOptions options, Text *out);
/* What fusion decided for every edge, and why (--report). */
void lower_print_report(Arena *arena, const Module *module, LowerOptions options, Text *out);

/* Reports every instruction that cannot be compiled, at its opcode. True when there is none. */
bool lower_can(const Module *module, const LowerOptions *options, Diags *diags);

#endif
