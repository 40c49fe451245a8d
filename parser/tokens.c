/* Between lexer and grammar: words that the tables know, tokens that actions put in, and the way back after errors. */
#include "parser/tokens.h"

#include <string.h>

#include "grammar.h"
#include "parser/actions.h"

/* The grammar's name for a token of the lexer; punctuation is its own. */
static int grammar_token(TokenKind kind) {
    static const int tokens[N_TOKEN_KINDS] = {
        [TOKEN_WORD] = T_WORD,
        [TOKEN_CALL] = T_CALL,
        [TOKEN_NAME] = T_NAME,
        [TOKEN_LABEL] = T_LABEL,
        [TOKEN_KEY] = T_KEY,
        [TOKEN_KEYWORD] = T_KEYWORD,
        [TOKEN_HLO_MODULE] = T_HLO_MODULE,
        [TOKEN_ENTRY] = T_ENTRY,
        [TOKEN_ROOT] = T_ROOT,
        [TOKEN_FILE_NAMES] = T_FILE_NAMES,
        [TOKEN_FUNCTION_NAMES] = T_FUNCTION_NAMES,
        [TOKEN_FILE_LOCATIONS] = T_FILE_LOCATIONS,
        [TOKEN_STACK_FRAMES] = T_STACK_FRAMES,
        [TOKEN_TRUE] = T_TRUE,
        [TOKEN_FALSE] = T_FALSE,
        [TOKEN_INF] = T_INF,
        [TOKEN_NEGATIVE_INF] = T_NEGATIVE_INF,
        [TOKEN_NAN] = T_NAN,
        [TOKEN_INT] = T_INT,
        [TOKEN_DECIMAL] = T_DECIMAL,
        [TOKEN_SIZES] = T_SIZES,
        [TOKEN_PADS] = T_PADS,
        [TOKEN_DIM_LABELS] = T_DIM_LABELS,
        [TOKEN_SPARSITY] = T_SPARSITY,
        [TOKEN_STRING] = T_STRING,
        [TOKEN_DICT] = T_DICT,
        [TOKEN_ARROW] = T_ARROW,
        [TOKEN_AT_MOST] = T_AT_MOST,
        [TOKEN_DOTS] = T_DOTS,
        [TOKEN_DIGIT_BRACE] = T_DIGIT_BRACE,
        [TOKEN_DEVICES_COMMA] = T_DEVICES_COMMA,
    };
    return kind < TOKEN_BAD ? (int)kind : tokens[kind];
}

/* b(f32[8]) is the shape of a buffer; b(x) an opcode that does not exist, or a computation called b. */
static bool is_buffer(Parser *p, const Token *token) {
    if (!text_is(token->text, "b")) return false;
    uint32_t paren = lexer_skip(p->lexer, token->span.end), at = lexer_skip(p->lexer, paren + 1), end = at;
    const char *bytes = p->source->bytes;
    while ((bytes[end] >= 'a' && bytes[end] <= 'z') || (bytes[end] >= '0' && bytes[end] <= '9')) end++;
    bool type = string_table_get(&p->types, bytes + at, end - at) != NULL;
    return bytes[at] == '(' || (type && lexer_peek(p->lexer, end) == '[');
}

static int classify(Parser *p, const Token *token) {
    bool is_word = token->kind == TOKEN_WORD || token->kind == TOKEN_CALL;
    if (is_word && string_table_get(&p->types, token->text.at, token->text.n)) return T_TYPE;
    if (token->kind == TOKEN_CALL && is_buffer(p, token)) return T_BUFFER;
    return grammar_token(token->kind);
}

static int give(const Token *token, int kind, GRAMMAR_STYPE *value, Span *span) {
    value->text = token->text;
    *span = token->span;
    return kind;
}

/* Tokens that do not stand in the text have no place in it. */
static int give_artificial(int kind, Span *span) {
    *span = (Span){0, 0};
    return kind;
}

int grammar_lex(GRAMMAR_STYPE *value, Span *span, Parser *p) {
    if (p->stopped) return give_artificial(0, span);
    if (p->recovering) {
        recover(p);
        return give_artificial(T_RESYNC, span);
    }
    if (p->cuts > 0) {
        p->cuts--;
        return give_artificial(T_CUT, span);
    }
    if (p->pending) {
        int kind = p->pending;
        p->pending = 0;
        return give_artificial(kind, span);
    }
    if (p->has_saved) p->has_saved = false;
    else lexer_next(p->lexer, &p->last);
    if (p->last.kind == TOKEN_BAD) {
        p->recovering = true;
        p->recheck = false;
        mark_broken(p);
        *span = p->last.span;
        return T_GRAMMAR_error;
    }
    return give(&p->last, classify(p, &p->last), value, span);
}

/* ---- what an action puts in -------------------------------------------------------------------------------------- */

void expect_literal(Parser *p) {
    p->pending = T_LITERAL;
}

void expect_parameter(Parser *p) {
    p->pending = T_PARAMETER;
}

/* Passes over a value of whatever form: a token or a balanced group, and what may follow at once ([2,4]<=[8]T(1,0)). */
static void pass_over_value(Parser *p) {
    int depth = 0;
    for (bool first = true;; first = false) {
        Token token;
        lexer_next(p->lexer, &token);
        bool opens =
            token.kind == TOKEN_DIGIT_BRACE || (token.kind < 256 && token.kind && strchr("{[(", (int)token.kind));
        bool closes = token.kind && token.kind < 256 && strchr("}])", (int)token.kind);
        bool goes_on = first || depth > 0 || opens || token.kind == TOKEN_AT_MOST ||
                       (token.kind == TOKEN_CALL && text_is(token.text, "T"));
        if (token.kind == TOKEN_END || token.kind == TOKEN_BAD || !goes_on || (closes && depth == 0)) {
            p->last = token;
            p->has_saved = true;
            p->pending = T_SKIPPED;
            return;
        }
        depth += opens - closes;
    }
}

void expect_value(Parser *p, AttrKind kind) {
    static const int tokens[] = {
        [ATTR_KIND_INT] = T_K_INT,
        [ATTR_KIND_BOOL] = T_K_BOOL,
        [ATTR_KIND_FLOAT] = T_K_FLOAT,
        [ATTR_KIND_STRING] = T_K_STRING,
        [ATTR_KIND_INTS] = T_K_INTS,
        [ATTR_KIND_BOOLS] = T_K_BOOLS,
        [ATTR_KIND_INT_LISTS] = T_K_INT_LISTS,
        [ATTR_KIND_INTS_OR_LISTS] = T_K_INTS_OR_LISTS,
        [ATTR_KIND_COMPUTATION] = T_K_COMPUTATION,
        [ATTR_KIND_COMPUTATIONS] = T_K_COMPUTATIONS,
        [ATTR_KIND_NAMES] = T_K_NAMES,
        [ATTR_KIND_WINDOW] = T_K_SPACED,
        [ATTR_KIND_DIM_LABELS] = T_K_DIM_LABELS,
        [ATTR_KIND_PADDING] = T_K_PADDING,
        [ATTR_KIND_SLICES] = T_K_SLICES,
        [ATTR_KIND_PRECISIONS] = T_K_WORDS,
        [ATTR_KIND_SHAPE] = T_K_SHAPE,
        [ATTR_KIND_SHAPES] = T_K_SHAPES,
        [ATTR_KIND_ALIASING] = T_K_ALIASING,
        [ATTR_KIND_GROUPS] = T_K_GROUPS,
        [ATTR_KIND_LITERAL] = T_K_LITERAL,
        [ATTR_KIND_DICTIONARY] = T_K_DICTIONARY,
        [ATTR_KIND_SHARDING] = T_K_SHARDING,
        [ATTR_KIND_METADATA] = T_K_LOOSE,
        [ATTR_KIND_DOMAIN] = T_K_LOOSE,
        [ATTR_KIND_CONFIG] = T_K_CONFIG,
        [ATTR_KIND_STATISTICS] = T_K_STATISTICS,
        [ATTR_KIND_ACCURACY] = T_K_LISTED,
        [ATTR_KIND_SPARSITY_SIDES] = T_K_SPACED,
        [ATTR_KIND_SCALING_SIDES] = T_K_SPACED,
        [ATTR_KIND_SPARSITY] = T_K_SPARSITY,
        [ATTR_KIND_ORIGIN] = T_K_ORIGIN,
        [ATTR_KIND_BOOL_OR_BOOLS] = T_K_BOOL_OR_BOOLS,
        [ATTR_KIND_DONORS] = T_K_DONORS,
        [ATTR_KIND_ENTRY_LAYOUT] = T_K_ENTRY_LAYOUT,
        [ATTR_KIND_RECOVERY_TABLE] = T_K_RECOVERY_TABLE,
        [ATTR_KIND_DEBUG] = T_K_DEBUG,
        [ATTR_KIND_SIZES] = T_K_SIZES,
        [ATTR_KIND_TOLERANCE] = T_K_LISTED,
        [ATTR_KIND_SPARSITY_SIDE] = T_K_SPACED,
        [ATTR_KIND_SCALING_SIDE] = T_K_SPACED,
        [ATTR_KIND_KEYWORDS] = T_K_KEYWORDS,
        [ATTR_KIND_DEVICES] = T_K_DEVICES,
        [ATTR_KIND_METADATAS] = T_K_METADATAS,
        [ATTR_KIND_AXES] = T_K_AXES,
        [ATTR_KIND_UNREDUCED] = T_K_UNREDUCED,
    };
    const char *const *words;
    bool listed = (size_t)kind < sizeof tokens / sizeof *tokens && tokens[kind];
    p->pending = listed ? tokens[kind] : attr_words(kind, &words) ? T_K_WORD : 0;
    if (kind == ATTR_KIND_CONFIG) lexer_expect_dict(p->lexer);
    if (kind == ATTR_KIND_ANYTHING) pass_over_value(p);
}
