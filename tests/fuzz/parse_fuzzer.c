/* libFuzzer target: whatever the bytes are, the parser answers with a module or with errors; a module's print is read
 * again, and printed to the same text. See tests/fuzz/README.md. */
#include <stdlib.h>
#include <string.h>

#include "parser/parser.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static Module *parse(Arena *arena, const char *bytes, size_t size) {
    Diags *diags = diags_new(arena, source_from_bytes(arena, "fuzz.hlo", arena_string(arena, bytes, size), size));
    Module *module = parse_module(arena, diags, (ParseOptions){.allow_unknown = size % 2});
    Text text = {0};
    diags_print(diags, &text, false);
    text_free(&text);
    if (!module && !diags->n_errors) abort(); /* refused without a word */
    return module;
}

static void print(Text *text, const Module *module) {
    hlo_print(text, module, (HloPrintOptions){.metadata = true});
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
    Arena *arena = arena_new();
    Module *module = parse(arena, (const char *)data, size);
    if (module) {
        Text once = {0}, twice = {0};
        hlo_check(module, "parse");
        print(&once, module);
        Module *again = parse(arena, once.at, once.n);
        if (!again) abort();
        print(&twice, again);
        if (once.n != twice.n || memcmp(once.at, twice.at, once.n) != 0) abort();
        text_free(&once);
        text_free(&twice);
    }
    arena_free(arena);
    return 0;
}
