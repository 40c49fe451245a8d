#include "parser/foreign.h"

#include <ctype.h>
#include <string.h>

#include "base/codes.h"

static const char advice[] = "HLO text is printed by jax.jit(f).lower(...).as_text(\"hlo\"), or written by XLA with "
                             "XLA_FLAGS=\"--xla_dump_to=DIR --xla_dump_hlo_as_text --xla_dump_large_constants\"";

typedef struct {
    const char *start, *what;
} Beginning;

/* How texts begin, blanks and // comments left out. */
static const Beginning texts[] = {
    {"module @", "MLIR text (StableHLO)"},
    {"module attributes", "MLIR text (StableHLO)"},
    {"module {", "MLIR text (StableHLO)"},
    {"builtin.module", "MLIR text (StableHLO)"},
    {"\"builtin.module\"", "MLIR text (StableHLO)"},
    {"func.func", "MLIR text (StableHLO)"},
    {"#loc", "MLIR text (StableHLO)"},
    {"#map", "MLIR text (StableHLO)"},
    {"!", "MLIR text (StableHLO)"},
    {"stablehlo.", "MLIR text (StableHLO)"},
    {"{ lambda", "a jaxpr"},
    {"{\"", "JSON"},
    {"{ \"", "JSON"},
    {"[", "JSON"},
    {"hlo_module {", "a proto in text form"},
    {"hlo {", "a proto in text form"},
    {"name: \"", "a proto in text form"},
    {"computations {", "a proto in text form"},
    {"entry_computation_name:", "a proto in text form"},
    {"import ", "a Python program"},
    {"from ", "a Python program"},
    {"#include", "a C program"},
    {"define ", "LLVM IR"},
    {"; ModuleID", "LLVM IR"},
    {"target datalayout", "LLVM IR"},
};

static const Beginning files[] = {
    {"ML\xefR", "MLIR bytecode (a portable StableHLO artifact)"},
    {"PK\x03\x04", "a zip file"},
    {"\x7f"
     "ELF",
     "an ELF file"},
    {"BC\xc0\xde", "LLVM bitcode"},
    {"\x93NUMPY", "a NumPy array"},
    {"\x28\xb5\x2f\xfd", "compressed with zstd; unpack it first"},
    {"BZh", "compressed with bzip2; unpack it first"},
    {"\xfd"
     "7zXZ",
     "compressed with xz; unpack it first"},
};

static bool begins_with(const Source *source, size_t at, const char *start) {
    size_t n = strlen(start);
    return source->size - at >= n && memcmp(source->bytes + at, start, n) == 0;
}

/* Behind blanks and // comments. */
static size_t first_word(const Source *source) {
    size_t at = 0;
    while (at < source->size) {
        if (isspace((unsigned char)source->bytes[at])) {
            at++;
        } else if (begins_with(source, at, "//")) {
            while (at < source->size && source->bytes[at] != '\n') at++;
        } else {
            break;
        }
    }
    return at;
}

/* Protos are full of control characters from their first bytes on. */
static bool looks_binary(const Source *source) {
    enum { PREFIX = 256 };
    size_t n = source->size < PREFIX ? source->size : PREFIX, strange = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)source->bytes[i];
        strange += c < ' ' && !isspace(c);
    }
    return strange > 2 && strange * 16 > n;
}

static bool report(Diags *diags, Span span, const char *what) {
    diag_error(diags, span, E_FOREIGN_TEXT, "this is no HLO text but %s", what);
    diag_note(diags, (Span){0, 0}, "%s", advice);
    return true;
}

bool foreign_report(Source *source, Diags *diags) {
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (begins_with(source, 0, files[i].start)) return report(diags, (Span){0, 1}, files[i].what);
    size_t at = first_word(source);
    Span span = {(uint32_t)at, (uint32_t)at + 1};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (begins_with(source, at, texts[i].start)) return report(diags, span, texts[i].what);
    if (looks_binary(source)) return report(diags, (Span){0, 1}, "binary, probably a serialized proto");
    return false;
}
