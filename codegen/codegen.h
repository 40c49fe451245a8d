/* Kernel IR to C: the source file and its header (abi.md). Strict C99 that a person would like to read. */
#ifndef CODEGEN_CODEGEN_H
#define CODEGEN_CODEGEN_H

#include "base/text.h"
#include "ir/kernel.h"

/* Where large constants go. */
typedef enum {
    WEIGHTS_INLINE,   /* into the source */
    WEIGHTS_SEPARATE, /* into a source of their own */
    WEIGHTS_EXTERN,   /* arrays that the user defines */
    WEIGHTS_FILE,     /* a file that the program loads */
    WEIGHTS_PARAM,    /* parameters: the module was changed so; what is left is inline */
} WeightsMode;

/* Where a call's workspace comes from. */
typedef enum { WORKSPACE_ARGUMENT, WORKSPACE_STATIC, WORKSPACE_MALLOC } WorkspaceMode;

typedef struct {
    const char *name;        /* NAME: of the functions */
    const char *upper_name;  /* of the macros */
    const char *header_name; /* that the source includes; NULL: one self-contained file */
    bool self_contained;     /* copy the pieces of the runtime that are in use */
    const char *module_name, *target, *compiler; /* for the first lines */
    const char *target_macro; /* that the C compiler must have defined, or NULL */
    const char *target_flags; /* that make it so */
    WeightsMode weights;
    WorkspaceMode workspace;
    bool freestanding;       /* for machines without an operating system */
    const char *source_hash; /* SHA-256 of the HLO text, for the manifest */
} CodegenOptions;

void codegen_source(Text *out, const KProgram *program, const CodegenOptions *options);
/* WEIGHTS_SEPARATE: the other source. WEIGHTS_FILE: the bytes of the file (weights.c). */
void codegen_weights(Text *out, const KProgram *program, const CodegenOptions *options);
/* What build systems want to know, as JSON: docs/manifest.schema.json. */
void codegen_manifest(Text *out, const KProgram *program, const CodegenOptions *options);
void codegen_header(Text *out, const KProgram *program, const CodegenOptions *options);

#endif
