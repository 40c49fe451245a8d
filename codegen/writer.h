/* Inside of codegen: the state of writing one file. */
#ifndef CODEGEN_WRITER_H
#define CODEGEN_WRITER_H

#include "codegen/codegen.h"

enum { LINE_WIDTH = 118 };

typedef struct {
    const KProgram *program;
    const CodegenOptions *options;
    const KFunc *func;  /* the one that is written */
    Arena *arena;
    Text body;          /* what was written so far, behind the includes */
    StringTable known;  /* symbols of the runtime in use */
    VEC(const char *) symbols;
    StringTable kernels; /* those that were written, by their text without names */
    int indent;
    int n_lists; /* of devices, written so far */
    bool has_long_strings; /* the compiler was told not to mind them */
} Writer;

/* A symbol of the runtime, noted as used: "hlocc_" and the rest. */
const char *use_symbol(Writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* C's words for types. */
const char *scalar_type(DType dtype);                /* of a register type */
const char *storage_type(Writer *w, DType dtype);    /* of an element in memory */
const char *value_type(Writer *w, KType type);
const char *type_suffix(Writer *w, KType type);      /* f32, f32x16, m16, pred */

/* Expressions. */
const char *expression(Writer *w, const KValue *value);
const char *index_text(Writer *w, const Index *index);
const char *address_of(Writer *w, const KBuffer *buffer, const Index *index);
const char *constant_text(Writer *w, DType dtype, uint64_t bits);

/* One statement, indented, broken where it is too long. */
void write_line(Writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A comment of several words or lines, broken likewise. */
void write_comment(Writer *w, const char *text);

/* Declares the slots of the workspace that block uses: outside of parallel loops; thread: those that each thread has,
 * in the body of one. Returns whether there are any. */
bool write_slots(Writer *w, const KBlock *block, const char *thread);
void write_block(Writer *w, const KBlock *block);
void write_kernel(Writer *w, const KFunc *func);
/* Unless an equal one was written: then func takes its name (equal_kernels.c). */
void write_kernel_once(Writer *w, KFunc *func);
void write_entry(Writer *w, const KFunc *func);
void write_constants(Writer *w);
bool constant_is_string(const KBuffer *buffer); /* too long, or with values that C has no words for */
void write_constant(Writer *w, const KBuffer *buffer, const char *linkage); /* linkage: "static ", or "" */
/* Constants that --weights keeps out of the source (weights.c). */
bool is_weight(const KBuffer *buffer, const CodegenOptions *options);
bool has_weights(const KProgram *program, const CodegenOptions *options);
void write_weight(Writer *w, KBuffer *buffer);      /* its declaration in the source; renames it */
void write_weights_loader(Writer *w);               /* WEIGHTS_FILE: what takes and loads the file */
void write_weights_interface(Text *out, const KProgram *program, const CodegenOptions *options);
const char *interface_word(DType dtype);            /* C's word for an element, in the interface */
/* The size of the workspace is the caller's business, not the program's. */
bool has_own_workspace(const KProgram *program, const CodegenOptions *options);
void write_own_workspace(Writer *w, const char *call); /* the body of the entry around a call of the real one */
/* Between devices (collectives.c): data of the operations, the head of the entry, a statement. */
void write_collectives(Writer *w);
void write_devices(Writer *w);
void write_collective(Writer *w, const KStmt *stmt);
const char *pointer_list(Writer *w, const KArgument *arguments, int n, bool results); /* an array of pointers */
/* Functions of the user (user_calls.c): data of the calls, a statement, prototypes. */
void write_user_calls(Writer *w);
void write_user_call(Writer *w, const KStmt *stmt);
void write_user_prototypes(Text *out, const KProgram *program);
/* Declarations of the interface: in the header, or in a self-contained source. */
void write_interface(Text *out, const KProgram *program, const CodegenOptions *options);
void write_signature(Writer *w);
void write_arrays(Writer *w, const char *role, int n, const KInterface *leaves); /* NAME_role[]: hlocc_array */
/* What the file needs of the runtime: its headers, or its text. */
void write_includes(Writer *w, Text *out);

#endif
