/* The compiler's own options (spec command-line.md): what hlocc takes, and hlocc-run passes on. */
#ifndef DRIVER_COMPILE_OPTIONS_H
#define DRIVER_COMPILE_OPTIONS_H

#include "driver/options.h"

typedef enum { LEVEL_0, LEVEL_2 } OptimisationLevel;
typedef enum { ELIDED_ERROR, ELIDED_ZEROS, ELIDED_PARAM } ElidedMode;
typedef enum { DIAGNOSTICS_TEXT, DIAGNOSTICS_JSON } DiagnosticsForm;
typedef enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } ColorMode;

/* What --emit can ask for. */
typedef enum {
    EMIT_C,
    EMIT_H,
    EMIT_HLO,
    EMIT_FUSED,
    EMIT_KERNELS,
    EMIT_MAPS,
    EMIT_MAP,
    EMIT_MAP_SIMPLIFY,
    EMIT_MAP_COMPOSE,
    EMIT_TILES,
    EMIT_MANIFEST,
    EMIT_WEIGHTS, /* what --weights=separate and --weights=file keep out of the source */
    N_EMITS
} EmitKind;
const char *emit_kind_name(EmitKind kind);
EmitKind emit_kind_from_name(const char *name); /* N_EMITS: none */

typedef struct {
    Words emit;         /* names of kinds; empty: c */
    const char *output; /* NULL: by the input's name */
    int level;          /* OptimisationLevel */
    const char *prefix, *entry, *target; /* NULL: default */
    Words passes, dump_after;
    bool verify_each, time, list_passes;
    int opt_bisect_limit; /* -1: none */
    int elided;           /* ElidedMode */
    int partitioned;      /* PartitionedMode */
    int weights;          /* WeightsMode (codegen/codegen.h) */
    int workspace;        /* WorkspaceMode */
    Words custom_calls;   /* TARGET=FUNCTION */
    bool self_contained, freestanding;
    bool object, shared;  /* -c, --shared: what $CC makes of the source */
    bool print_cflags, print_libs;
    bool dependencies;
    const char *dependency_file, *dependency_target;
    bool warnings_are_errors, no_warnings, allow_unknown;
    int max_errors; /* 0: 20 */
    int diagnostics; /* DiagnosticsForm */
    int color;       /* ColorMode */
    int direction;   /* MapsDirection (passes/indexing/maps.h) */
    int layout;      /* 1: physical */
    int dialect;     /* 1: C */
    const char *from; /* NULL: the root of the entry */
    Words steps;
    Words tile; /* sizes; empty: not given */
    bool report;
    const char *explain, *list_ops, *help; /* NULL: not asked for; "" without a value */
    bool version;
    Words warnings;
} CompileOptions;

extern const OptionRow compile_option_rows[];

CompileOptions compile_options_default(void);

#endif
