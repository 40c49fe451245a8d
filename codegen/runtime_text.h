/* The templates of the runtime as lines, embedded by the build (codegen/tool/embed-runtime). */
#ifndef CODEGEN_RUNTIME_TEXT_H
#define CODEGEN_RUNTIME_TEXT_H

/* One NULL-terminated array of lines (each with its line end) per template file; NULL ends the list. */
extern const char *const *const runtime_texts[];

#endif
