/* Reporting errors while reading. */
#include <stdarg.h>
#include <string.h>

#include "parser/actions.h"

/* The instruction and the computation being read are not to be judged further: what is wrong with them was said. */
void mark_broken(Parser *p) {
    if (p->levels.n) p->levels.at[p->levels.n - 1].broken = true;
    int first = p->levels.n ? p->levels.at[p->levels.n - 1].first_frame : 0;
    if (p->frames_open.n > first) p->frames_open.at[p->frames_open.n - 1].broken = true;
}

static void report(Parser *p, Span span, const char *code, const char *format, va_list args) {
    p->silent = p->stopped;
    p->faulty = true;
    if (p->silent) return;
    diag_verror(p->diags, span, code, format, args);
    mark_broken(p);
    if (diags_full(p->diags)) p->stopped = true;
}

void parse_error(Parser *p, Span span, const char *code, const char *format, ...) {
    va_list args;
    va_start(args, format);
    report(p, span, code, format, args);
    va_end(args);
}

bool parse_fail(Parser *p, Span span, const char *code, const char *format, ...) {
    va_list args;
    va_start(args, format);
    report(p, span, code, format, args);
    va_end(args);
    p->recovering = true;
    p->recheck = false;
    return false;
}

void parse_note(Parser *p, Span span, const char *format, ...) {
    if (p->silent) return; /* so was the error */
    va_list args;
    va_start(args, format);
    diag_note(p->diags, span, "%s", arena_vprintf(p->scratch, format, args));
    va_end(args);
}

bool nest_enter(Parser *p, Span span) {
    if (++p->nesting <= DEEPEST_NESTING) return true;
    parse_error(p, span, E_NESTING, "nested more than %d deep", DEEPEST_NESTING);
    p->stopped = true; /* what follows would only be the way out */
    return parse_fail(p, span, E_NESTING, "%s", "");
}

void nest_leave(Parser *p) {
    p->nesting--;
}
