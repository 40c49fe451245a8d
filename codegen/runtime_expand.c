#include "codegen/runtime_expand.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "codegen/runtime_words.h"

/* One open @if. Branches that are impossible for the types are left out; what only the C compiler knows becomes #if. */
typedef struct {
    bool parent_live, live, done; /* done: an earlier branch is certain to be taken */
    bool opened;                  /* #if was written */
    int below;                    /* of the current branch, see RtNeed */
    int parent_below;
    bool native;                  /* `wide` was asked before: the vector fits a register here */
} Block;

typedef struct {
    Arena *arena;
    const Instance *instance;
    Text out;
    Expansion *expansion;
    Block blocks[16];
    int depth;
    bool in_comment;  /* words there are no needs */
    const char *line; /* for messages */
} Expander;

static void bad(const Expander *e, const char *what) {
    internal_error("runtime templates", "%s in '%s': %s", what, e->instance->piece->names.at[0], e->line);
}

/* The value of "a & !b": 1 true, 0 false, -1 only cpp knows: *expression. below gets the bound of a `wide`. */
static int condition(Expander *e, const char *text, Text *expression, Block *block, int *below) {
    int value = 1;
    bool native = block->native;
    *below = RT_ALWAYS;
    for (const char *at = text; *at && *at != '\n';) {
        while (*at == ' ' || *at == '&') at++;
        bool negated = *at == '!';
        if (negated) at++;
        size_t n = strcspn(at, " &\n");
        if (!n) break;
        const char *cpp = NULL;
        int atom = word_condition(e->arena, e->instance, at, n, native, &cpp);
        if (n >= 4 && memcmp(at + n - 4, "wide", 4) == 0) {
            if (negated) native = true;
            else block->native = true;
        }
        if (atom == -2) bad(e, "unknown condition");
        if (negated && atom >= 0) atom = !atom;
        if (atom == 0) return 0;
        if (atom < 0) {
            value = -1;
            bool alone = !expression->n;
            if (!alone) text_put(expression, " && ");
            static const char wide[] = "HLOCC_VECTOR_BYTES < ";
            bool is_wide = strncmp(cpp, wide, sizeof wide - 1) == 0;
            if (negated && is_wide) text_printf(expression, "HLOCC_VECTOR_BYTES >= %s", cpp + sizeof wide - 1);
            else text_printf(expression, negated ? "!(%s)" : "%s", cpp);
            if (!negated && is_wide) *below = atoi(cpp + sizeof wide - 1);
        }
        at += n;
    }
    return value;
}

static void need(Expander *e, const char *symbol) {
    if (e->in_comment) return;
    if (strncmp(symbol, "hlocc_", 6) != 0 && strncmp(symbol, "HLOCC_", 6) != 0) return;
    int below = e->depth ? e->blocks[e->depth - 1].below : RT_ALWAYS;
    vec_push(e->arena, &e->expansion->needs, (RtNeed){symbol, below});
}

/* An #if names macros of the runtime: they are needed wherever the #if stands. */
static void need_macros(Expander *e, const char *expression) {
    for (const char *at = expression; (at = strstr(at, "HLOCC_"));) {
        size_t n = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
        vec_push(e->arena, &e->expansion->needs, (RtNeed){arena_string(e->arena, at, n), RT_ALWAYS});
        at += n;
    }
}

static void branch(Expander *e, const char *text, bool last) {
    Block *block = &e->blocks[e->depth - 1];
    Text expression = {0};
    int below = RT_ALWAYS;
    int value = block->done || !block->parent_live ? 0 : last ? 1 : condition(e, text, &expression, block, &below);
    block->live = value != 0;
    block->below = below < block->parent_below ? below : block->parent_below;
    if (value == 1) {
        if (block->opened) text_put(&e->out, "#else\n");
        block->done = true;
    } else if (value == -1) {
        text_printf(&e->out, "%s %s\n", block->opened ? "#elif" : "#if", text_string(&expression));
        need_macros(e, text_string(&expression));
        block->opened = true;
    }
    text_free(&expression);
}

static void directive(Expander *e, const char *line) {
    bool live = e->depth ? e->blocks[e->depth - 1].live : true;
    int below = e->depth ? e->blocks[e->depth - 1].below : RT_ALWAYS;
    bool native = e->depth && e->blocks[e->depth - 1].native;
    if (strncmp(line, "@if ", 4) == 0) {
        if (e->depth == (int)(sizeof e->blocks / sizeof *e->blocks)) bad(e, "@if nested too deeply");
        e->blocks[e->depth++] = (Block){.parent_live = live, .parent_below = below, .native = native};
        branch(e, line + 4, false);
    } else if (strncmp(line, "@elif ", 6) == 0 && e->depth) {
        branch(e, line + 6, false);
    } else if (strncmp(line, "@else", 5) == 0 && e->depth) {
        branch(e, "", true);
    } else if (strncmp(line, "@end", 4) == 0 && e->depth) {
        if (e->blocks[--e->depth].opened) text_put(&e->out, "#endif\n");
    } else if (strncmp(line, "@include ", 9) == 0) {
        if (live) vec_push(e->arena, &e->expansion->std_includes,
            arena_string(e->arena, line + 9, strcspn(line + 9, "\n")));
    } else if (strncmp(line, "@needs ", 7) == 0) {
        if (live) need(e, arena_string(e->arena, line + 7, strcspn(line + 7, "\n")));
    } else {
        bad(e, "bad directive");
    }
}

/* An identifier of the template: type letters between underscores are replaced, then scalar types get their C name. */
static void identifier(Expander *e, const char *name, size_t n) {
    const char *word = word_replace(e->arena, e->instance, name, n);
    if (word) {
        text_put(&e->out, word);
        need(e, word);
        return;
    }
    if (strncmp(name, "hlocc_", 6) != 0 || !e->instance->piece->generic) {
        text_bytes(&e->out, name, n);
        need(e, arena_string(e->arena, name, n));
        return;
    }
    Text whole = {0};
    int parts = 0;
    for (size_t i = 0; i <= n; parts++) {
        size_t end = i;
        while (end < n && name[end] != '_') end++;
        RtType type;
        const char *special = i ? word_type(e->arena, e->instance, name + i, end - i, &type) : NULL;
        if (i) text_char(&whole, '_');
        if (special) text_put(&whole, special);
        else text_bytes(&whole, name + i, end - i);
        i = end + 1;
    }
    const char *c_type = parts == 2 ? word_c_type(text_string(&whole) + 6) : NULL;
    if (c_type) text_put(&e->out, c_type);
    else {
        text_put(&e->out, text_string(&whole));
        need(e, arena_string(e->arena, text_string(&whole), whole.n));
    }
    text_free(&whole);
}

/* ${ps}: text pasted without regard to word boundaries. */
static const char *paste(Expander *e, const char *at) {
    size_t n = strcspn(at + 2, "}\n");
    const char *text = word_paste(e->arena, e->instance, at + 2, n);
    if (!text) bad(e, "unknown ${}");
    text_put(&e->out, text);
    return at + 2 + n + 1;
}

/* Identifiers that contain ${} are put together first. */
static const char *word(Expander *e, const char *at) {
    Text whole = {0};
    while (isalnum((unsigned char)*at) || *at == '_' || (at[0] == '$' && at[1] == '{')) {
        if (*at == '$') {
            Text kept = e->out;
            e->out = whole;
            at = paste(e, at);
            whole = e->out;
            e->out = kept;
        } else text_char(&whole, *at++);
    }
    identifier(e, text_string(&whole), whole.n);
    text_free(&whole);
    return at;
}

static void wrap(Expander *e, size_t begin);

/* A function on one line becomes one of four lines. */
static bool break_function(Expander *e, size_t begin) {
    const char *line = arena_string(e->arena, e->out.at + begin, e->out.n - begin), *open = strstr(line, ") { ");
    size_t n = strlen(line);
    if (strncmp(line, "HLOCC_", 6) != 0 || !open || n < 3 || strcmp(line + n - 3, " }\n") != 0) return false;
    e->out.n = begin;
    text_bytes(&e->out, line, (size_t)(open + 1 - line));
    text_put(&e->out, "\n{\n");
    size_t body = e->out.n;
    text_put(&e->out, "    ");
    text_bytes(&e->out, open + 4, (size_t)(line + n - 3 - (open + 4)));
    text_char(&e->out, '\n');
    wrap(e, body);
    text_put(&e->out, "}\n");
    return true;
}

/* The last blank before width that stands in the fewest brackets; 0: none that leaves a fair part on the line. */
static size_t break_place(const char *line, size_t indent, size_t width) {
    size_t place = 0;
    int depth = 0, least = 0;
    for (size_t i = 0; i < width; i++) {
        if (strchr("([{", line[i])) depth++;
        if (strchr(")]}", line[i])) depth--;
        if (line[i] != ' ' || i < indent + 20 || (place && depth > least)) continue;
        place = i;
        least = depth;
    }
    return place;
}

/* Breaks the line that begins at byte begin of the output if it is longer than 120 columns; further lines are indented
 * by four more columns. */
static void wrap(Expander *e, size_t begin) {
    enum { WIDTH = 120 };
    size_t indent = strspn(e->out.at + begin, " ");
    if (e->out.n - begin <= WIDTH + 1 || e->out.at[begin] == '#' || break_function(e, begin)) return;
    size_t at = break_place(e->out.at + begin, indent, WIDTH + 1);
    if (!at) return;
    const char *rest = arena_string(e->arena, e->out.at + begin + at + 1, e->out.n - (begin + at + 1));
    e->out.n = begin + at;
    text_char(&e->out, '\n');
    begin = e->out.n;
    text_repeat(&e->out, ' ', (int)indent + 4);
    text_put(&e->out, rest);
    wrap(e, begin);
}

static void expand_line(Expander *e, const char *line) {
    size_t begin = e->out.n;
    for (const char *at = line; *at;) {
        if (!e->in_comment && at[0] == '/' && at[1] == '*') e->in_comment = true;
        if (e->in_comment && at > line && at[-1] == '*' && at[0] == '/') e->in_comment = false;
        if (isalpha((unsigned char)*at) || *at == '_') at = word(e, at);
        else if (at[0] == '$' && at[1] == '{') at = paste(e, at);
        else if (isdigit((unsigned char)*at)) /* a number with its suffix is no identifier */
            while (isalnum((unsigned char)*at) || *at == '.' || ((*at == '+' || *at == '-') && strchr("eEpP", at[-1])))
                text_char(&e->out, *at++);
        else text_char(&e->out, *at++);
    }
    wrap(e, begin);
}

Expansion *runtime_expand(Arena *arena, const Instance *instance) {
    Expansion *expansion = NEW(arena, Expansion);
    Expander e = {.arena = arena, .instance = instance, .expansion = expansion};
    const Piece *piece = instance->piece;
    for (int i = 0; i < piece->n_lines; i++) {
        e.line = piece->lines[i];
        if (*e.line == '@') directive(&e, e.line);
        else if (!e.depth || e.blocks[e.depth - 1].live) expand_line(&e, e.line);
    }
    if (e.depth) bad(&e, "@if without @end");
    expansion->text = arena_string(arena, text_string(&e.out), e.out.n);
    text_free(&e.out);
    return expansion;
}

const char *runtime_header_name(Arena *arena, const Instance *instance) {
    Text name = {0};
    /* vec_V.h, convert_LANES.h: parts between '_', '/' and '.' */
    for (const char *at = instance->piece->header; *at;) {
        size_t n = strcspn(at, "_/.");
        RtType type;
        const char *put = instance->piece->generic ? word_type(arena, instance, at, n, &type) : NULL;
        if (!put && instance->piece->generic) put = word_replace(arena, instance, at, n);
        if (put) text_put(&name, put);
        else text_bytes(&name, at, n);
        at += n;
        if (*at) text_char(&name, *at++);
    }
    const char *copy = arena_string(arena, text_string(&name), name.n);
    text_free(&name);
    return copy;
}
