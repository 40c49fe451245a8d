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

/* Declares the slots of the workspace that block uses: outside of parallel loops; thread: those that each thread has, in the
 * body of one. Returns whether there are any. */
bool write_slots(Writer *w, const KBlock *block, const char *thread);
void write_block(Writer *w, const KBlock *block);
void write_kernel(Writer *w, const KFunc *func);
void write_entry(Writer *w, const KFunc *func);
void write_constants(Writer *w);
/* Between devices (collectives.c): data of the operations, the head of the entry, a statement. */
void write_collectives(Writer *w);
void write_devices(Writer *w);
void write_collective(Writer *w, const KStmt *stmt);
/* Declarations of the interface: in the header, or in a self-contained source. */
void write_interface(Text *out, const KProgram *program, const CodegenOptions *options);
void write_signature(Writer *w);

#endif
