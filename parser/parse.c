/* Entry points (parser/parser.h). */
#include "parser/parser.h"

#include <string.h>

#include "grammar.h"
#include "parser/actions.h"
#include "parser/foreign.h"

enum { LARGEST_TEXT = INT32_MAX - 16 }; /* flex counts in int */

/* A module begins anew behind a line that says so. */
static uint32_t piece_end(const Source *source, uint32_t begin) {
    static const char separator[] = "// -----";
    size_t n = sizeof separator - 1;
    const char *bytes = source->bytes, *end = bytes + source->size;
    for (const char *at = bytes + begin; at < end; at++) {
        bool here = (size_t)(end - at) >= n && memcmp(at, separator, n) == 0;
        const char *behind = at + n;
        while (here && (*behind == ' ' || *behind == '\t' || *behind == '\r')) behind++;
        if (here && (behind == end || *behind == '\n')) return (uint32_t)(at - bytes);
        at = memchr(at, '\n', (size_t)(end - at));
        if (!at) break;
    }
    return (uint32_t)source->size;
}

static void parse_piece(Parser *p, Span range) {
    p->lexer = lexer_new(p->scratch, p->diags, range);
    bool empty = lexer_peek(p->lexer, range.begin) == 0;
    bool whole = range.begin == 0 && range.end == p->source->size;
    if (!empty || whole) grammar_parse(p);
    while (p->levels.n) computation_cut(p); /* the text ended too early: report what is missing in it */
    if (p->module && p->module->computations.n) module_end(p);
    p->closed = NULL;
    lexer_free(p->lexer);
}

/* Of a piece nothing is left for the next one but its modules. */
static void reset(Parser *p) {
    p->module = NULL;
    p->single = p->recovering = p->recheck = p->has_saved = false;
    p->pending = p->cuts = p->nesting = 0;
    p->frames_open.n = p->namings.n = p->shardings.n = p->operands.n = p->operand_spans.n = 0;
    p->declared = NULL;
}

/* What is no text that the lexer could take. */
static bool report_unreadable(Source *source, Diags *diags) {
    if (source->size > LARGEST_TEXT) {
        diag_error(diags, (Span){0, 0}, E_TEXT_SIZE, "the text is larger than 2 GB");
        return true;
    }
    if (foreign_report(source, diags)) return true;
    const char *nul = memchr(source->bytes, 0, source->size);
    if (!nul) return false;
    uint32_t at = (uint32_t)(nul - source->bytes);
    diag_error(diags, (Span){at, at + 1}, E_BAD_BYTE, "a NUL byte is not allowed in HLO text");
    return true;
}

Module **parse_modules(Arena *arena, Diags *diags, ParseOptions options) {
    Source *source = diags->source;
    int errors_before = diags->n_errors;
    if (report_unreadable(source, diags)) return NULL;
    Parser *p = NEW(arena, Parser);
    p->arena = arena;
    p->scratch = arena_new();
    p->diags = diags;
    p->options = options;
    p->source = source;
    words_init(p);
    for (uint32_t begin = 0; begin < source->size || begin == 0;) {
        uint32_t end = piece_end(source, begin);
        parse_piece(p, (Span){begin, end});
        reset(p);
        if (end == source->size) break;
        const char *line = memchr(source->bytes + end, '\n', source->size - end);
        begin = line ? (uint32_t)(line - source->bytes) + 1 : (uint32_t)source->size;
    }
    text_free(&p->frames);
    text_free(&p->shape.items);
    arena_free(p->scratch);
    if (!p->modules.n && diags->n_errors == errors_before) {
        Span end = {(uint32_t)source->size, (uint32_t)source->size};
        diag_error(diags, end, E_NO_MODULE, "the text holds no HLO module"); /* only separators */
    }
    if (diags->n_errors > errors_before) return NULL;
    vec_push(arena, &p->modules, NULL);
    return p->modules.at;
}

Module *parse_module(Arena *arena, Diags *diags, ParseOptions options) {
    Module **modules = parse_modules(arena, diags, options);
    if (!modules) return NULL;
    if (modules[1]) {
        const Module *second = modules[1];
        Span span = second->has_header ? second->name_span : second->computations.at[0]->name_span;
        diag_warning(diags, span, W_MORE_MODULES, "only the first module of the text is used");
    }
    return modules[0];
}
