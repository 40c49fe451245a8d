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

/* Braces passed over. A computation in place of a value is passed over whole: its instructions are no way back. */
typedef struct {
    int depth;
    int body;    /* depth inside the computation; 0: in none */
    bool opened; /* the token before is a brace */
} Braces;

static bool begins_body(const Parser *p, const Token *token) {
    return token->kind == TOKEN_ROOT || (is_name(p, token) && lexer_peek(p->lexer, token->span.end) == '=');
}

/* False: the token belongs to a computation that is passed over. */
static bool pass_brace(Parser *p, Braces *braces) {
    const Token *token = &p->last;
    bool inside = braces->body > 0;
    if (!inside && braces->opened && begins_body(p, token)) braces->body = braces->depth;
    braces->opened = token->kind == (TokenKind)'{' || token->kind == TOKEN_DIGIT_BRACE;
    if (braces->opened) braces->depth++;
    if (token->kind == (TokenKind)'}' && braces->depth > 0 && braces->depth-- == braces->body) braces->body = 0;
    return !inside && !braces->body;
}

static Sync pass(Parser *p, Braces *braces) {
    bool outside = pass_brace(p, braces);
    Sync sync = judge(p, &p->last);
    return sync == SYNC_TOP || outside ? sync : SYNC_NOT;
}

void recover(Parser *p) {
    Braces braces = {0};
    p->pending = 0;
    Sync sync = p->recheck ? pass(p, &braces) : SYNC_NOT;
    lexer_quiet(p->lexer, true); /* what is wrong here may follow from what was reported */
    while (sync == SYNC_NOT) {
        if (p->has_saved) p->has_saved = false;
        else lexer_next(p->lexer, &p->last);
        sync = pass(p, &braces);
    }
    lexer_quiet(p->lexer, false);
    p->has_saved = true; /* last is given again */
    p->recovering = p->recheck = false;
    p->cuts = sync == SYNC_TOP && !p->single ? p->levels.n : 0;
}
