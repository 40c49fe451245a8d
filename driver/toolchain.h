/* The user's C compiler, and a cache of what it made: $CC $CFLAGS $LDFLAGS, by default `cc -O3 -march=native
 * -fopenmp`. */
#ifndef DRIVER_TOOLCHAIN_H
#define DRIVER_TOOLCHAIN_H

#include "driver/pipeline.h"
#include "driver/words.h"

/* How the devices of a program run. */
typedef enum { RANKS_NONE, RANKS_THREADS, RANKS_MPI } Ranks;

typedef struct {
    Words compile;       /* the compiler and its flags, without files */
    Words link;          /* flags for linking */
    Words mpi_compile;   /* $MPICC and the flags */
    Words mpi_run;       /* $MPIRUN */
    Ranks ranks;
    const char *include; /* folder of the runtime's headers, and of its library */
    const char *library;
    const char *cache;   /* folder */
    const char *keep;    /* folder for the generated files, or NULL */
    bool verbose;        /* show commands on standard error */
    double seconds;      /* limit for the compiler */
} Toolchain;

/* From the environment. flags: instead of $CFLAGS and its default, or NULL. tools: the folder of the running tool.
 * False: why (a quote that is not closed in CC or CFLAGS). */
bool toolchain_from_environment(Arena *arena, const char *tools, const char *flags, Toolchain *out, Text *why);

/* Runs the compiler with its flags and then the arguments. False: report has its messages. */
bool toolchain_compile(Arena *arena, const Toolchain *toolchain, const Words *arguments, Text *report);

/* The path of an executable of generated code with the harness (driver/harness/harness.c) around it: built, or found in
 * the cache. NULL: report has the compiler's messages. code: self-contained or not, source and header set. */
const char *toolchain_build(Arena *arena, const Toolchain *toolchain, const GeneratedCode *code, Text *report);

#endif
