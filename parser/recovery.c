/* The way back after an error: tokens are passed over up to one that surely begins something, first on its line. */
#include "parser/tokens.h"

#include "parser/actions.h"

typedef enum {
    SYNC_NOT,
    SYNC_INSTRUCTION, /* an instruction begins, or the computation ends */
    SYNC_TOP,         /* a computation, a module, or the end of the text */
} Sync;

/* Reserved words, too: somebody may have taken one for a name. They are reported, but only once. */
static bool is_name(const Parser *p, const Token *token) {
    switch ((int)token->kind) {
    case TOKEN_NAME: return true;
    case TOKEN_WORD:
    case TOKEN_LABEL:
    case TOKEN_CALL:
    case TOKEN_KEYWORD:
    case TOKEN_TRUE:
    case TOKEN_FALSE:
    case TOKEN_INF:
    case TOKEN_NAN: return token->span.begin != p->last_fault;
    default: return false;
    }
}

static Sync judge(const Parser *p, const Token *token) {
    bool inside = p->levels.n > 0 && !p->single;
    if (token->kind == TOKEN_END) return SYNC_TOP;
    if (!lexer_begins_line(p->lexer, token->span.begin)) return SYNC_NOT;
    if (token->kind == TOKEN_ENTRY || token->kind == TOKEN_HLO_MODULE) return SYNC_TOP;
    char next = lexer_peek(p->lexer, token->span.end);
    bool in_first_column = token->span.begin == 0 || p->source->bytes[token->span.begin - 1] == '\n';
    if (is_name(p, token) && in_first_column && (next == '{' || next == '(')) return SYNC_TOP;
    if (!inside) return SYNC_NOT;
    if (token->kind == TOKEN_ROOT || token->kind == (TokenKind)'}') return SYNC_INSTRUCTION;
    return is_name(p, token) && next == '=' ? SYNC_INSTRUCTION : SYNC_NOT;
}

void recover(Parser *p) {
    p->pending = 0;
    Sync sync = p->recheck ? judge(p, &p->last) : SYNC_NOT;
    lexer_quiet(p->lexer, true); /* what is wrong here may follow from what was reported */
    while (sync == SYNC_NOT) {
        if (p->has_saved) p->has_saved = false;
        else lexer_next(p->lexer, &p->last);
        sync = judge(p, &p->last);
    }
    lexer_quiet(p->lexer, false);
    p->has_saved = true; /* last is given again */
    p->recovering = p->recheck = false;
    p->cuts = sync == SYNC_TOP && !p->single ? p->levels.n : 0;
}
