/* Kernel IR to C: the source file and its header (abi.md). Strict C99 that a person would like to read. */
#ifndef CODEGEN_CODEGEN_H
#define CODEGEN_CODEGEN_H

#include "base/text.h"
#include "ir/kernel.h"

typedef struct {
    const char *name;        /* NAME: of the functions */
    const char *upper_name;  /* of the macros */
    const char *header_name; /* that the source includes; NULL: one self-contained file */
    bool self_contained;     /* copy the pieces of the runtime that are in use */
    const char *module_name, *target, *compiler; /* for the first lines */
    const char *target_macro; /* that the C compiler must have defined, or NULL */
    const char *target_flags; /* that make it so */
} CodegenOptions;

void codegen_source(Text *out, const KProgram *program, const CodegenOptions *options);
void codegen_header(Text *out, const KProgram *program, const CodegenOptions *options);

#endif
