/* The runtime's text as the compiler sees it: which header declares a symbol, and the text of the pieces in use.
 *
 * The runtime (runtime/templates, runtime/hlocc) is written once for all types and lanes. This room expands it: into
 * the headers that are installed, and into the pieces that --self-contained copies. A symbol is any name that begins
 * with hlocc_ or HLOCC_ (types, functions, macros): "hlocc_max_f32x16", "hlocc_f32x16", "HLOCC_PARALLEL_FOR".
 * Asking for a symbol that the runtime does not have is an internal error that names it. */
#ifndef CODEGEN_RUNTIME_H
#define CODEGEN_RUNTIME_H

#include <stdbool.h>

#include "base/text.h"

/* True if the runtime has this symbol. */
bool runtime_has(const char *symbol);

/* The #include lines of the headers that declare the symbols, each once, in an order that depends on the set alone. */
void runtime_include_lines(Text *out, const char *const *symbols, int n);

/* The text of the symbols with everything they need, each piece before its use. What only compilers for narrower
 * vectors need stands under #if. */
void runtime_copy_pieces(Text *out, const char *const *symbols, int n);

/* Every header of the runtime, expanded, with its name ("hlocc/vec_f32x16.h"); for the build. */
typedef void RuntimeHeaderSink(void *context, const char *name, const char *text);
void runtime_expand_headers(RuntimeHeaderSink *sink, void *context);

#endif
