/* Attributes: whose they are, and whether it may have them. Their values: values.c. */
#include "parser/actions.h"

/* The list that attributes go to: of an open instruction, of a computation behind its brace, or of the header. */
typedef enum { OF_HEADER, OF_COMPUTATION, OF_INSTRUCTION } Owner;

static Owner owner(const Parser *p) {
    if (p->closed) return OF_COMPUTATION;
    return p->frames_open.n ? OF_INSTRUCTION : OF_HEADER;
}

bool attribute_is_expected(const Parser *p, AttrId id) {
    if (owner(p) == OF_HEADER) return attr_is_of_header(id);
    if (owner(p) == OF_COMPUTATION) return attr_is_of_computation(id);
    const Frame *frame = &p->frames_open.at[p->frames_open.n - 1];
    return op_takes_attr(frame->op, id) || async_takes_attr(frame, id);
}

static const char *owner_text(Parser *p) {
    if (owner(p) == OF_HEADER) return "the module";
    if (owner(p) == OF_COMPUTATION) return "a computation";
    return arena_printf(p->scratch, "'%s'", op_name(top_frame(p)->op));
}

static const Attr *find_attr(const Attr *attrs, int n, AttrId id) {
    for (int i = 0; i < n; i++)
        if (attrs[i].id == id) return &attrs[i];
    return NULL;
}

static const Attr *find_earlier(Parser *p, AttrId id) {
    if (owner(p) == OF_HEADER) return find_attr(p->header.at, p->header.n, id);
    if (owner(p) == OF_COMPUTATION) return find_attr(p->trailer.at, p->trailer.n, id);
    return find_attr(top_frame(p)->attrs.at, top_frame(p)->attrs.n, id);
}

/* A word that is no attribute, or none of this owner. */
static void report_unknown(Parser *p, TokenText key, Span span, bool known) {
    const char *name = text_quoted(p, key), *hint = attr_suggestion(p, key);
    if (p->options.allow_unknown) {
        diag_warning(p->diags, span, W_UNKNOWN_ATTRIBUTE, "attribute '%s' of %s is unknown and left out", name,
                     owner_text(p));
        return;
    }
    if (known) parse_error(p, span, E_UNEXPECTED_ATTRIBUTE, "%s has no attribute '%s'%s", owner_text(p), name, hint);
    else parse_error(p, span, E_UNKNOWN_ATTRIBUTE, "unknown attribute '%s'%s", name, hint);
}

bool attribute_begin(Parser *p, TokenText key, Span span) {
    AttrId id = attr_from_word(p, key);
    bool known = id != N_ATTRS, expected = known && attribute_is_expected(p, id);
    const Attr *earlier = expected ? find_earlier(p, id) : NULL;
    if (!expected) report_unknown(p, key, span, known);
    if (earlier) {
        parse_error(p, span, E_DUPLICATE, "attribute '%s' stands here twice", attr_name(id));
        parse_note(p, earlier->name, "the first is here");
    }
    AttrKind kind = known ? attr_kind(id) : ATTR_KIND_ANYTHING;
    Naming *top = naming_push(p, known ? attr_name(id) : text_copy(p, key), span, kind);
    top->ignored = !expected || earlier;
    top->value.id = id;
    expect_value(p, kind);
    return true;
}

void attribute_end(Parser *p, Span span) {
    Attr attr = naming(p)->value;
    bool ignored = naming(p)->ignored;
    attr.value = span;
    naming_pop(p);
    if (ignored) return;
    if (owner(p) == OF_HEADER) vec_push(p->scratch, &p->header, attr);
    else if (owner(p) == OF_COMPUTATION) vec_push(p->scratch, &p->trailer, attr);
    else vec_push(p->arena, &top_frame(p)->attrs, attr);
}
