/* Instructions: from opcode, operands and attributes to an instr (hlo-text-format section 4). */
#include <string.h>

#include "parser/actions.h"

Frame *top_frame(Parser *p) {
    return &p->frames_open.at[p->frames_open.n - 1];
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* XLA refuses names that it would change. With %, types can be written as names too. */
static void check_name(Parser *p, TokenText name, Span span) {
    bool reserved = name.n > 2 && memcmp(name.at, "__", 2) == 0 && !(name.n >= 6 && memcmp(name.at, "__xla_", 6) == 0);
    if (reserved)
        parse_error(p, span, E_ILLEGAL_NAME,
                    "'%s' is no name for an instruction: only XLA's own begin with '__'; rename it to 'a%s'",
                    text_quoted(p, name), text_quoted(p, (TokenText){name.at + 1, name.n - 1}));
    if (dtype_from_word(p, name) != N_DTYPES)
        parse_error(p, span, E_ILLEGAL_NAME, "'%s' is a type and no name for an instruction; rename it to '%s_'",
                    text_quoted(p, name), text_quoted(p, name));
}

void instruction_begin(Parser *p, TokenText name, Span span, Span root) {
    single_begin(p);
    Level *level = top_level(p);
    p->faulty = false;
    level->is_root = root.end != 0;
    if (level->is_root && level->root_span.end) {
        parse_error(p, root, E_TWO_ROOTS, "a computation has only one ROOT");
        parse_note(p, level->root_span, "the first is here");
        level->is_root = false;
    }
    if (level->is_root) level->root_span = root;
    level->name = text_copy(p, name);
    level->name_span = span;
    string_table_expect(&level->computation->names, name.at, name.n);
    check_name(p, name, span);
}

/* ---- opcodes ----------------------------------------------------------------------------------------------------- */

static bool report_unknown_opcode(Parser *p, TokenText word, Span span) {
    const char *name = text_quoted(p, word);
    if (lexer_peek(p->lexer, span.end) == '[')
        return parse_fail(p, span, E_UNKNOWN_TYPE, "unknown element type '%s'%s", name, dtype_suggestion(p, word));
    return parse_fail(p, span, E_UNKNOWN_OPCODE, "unknown opcode '%s'%s", name, opcode_suggestion(p, word));
}

bool call_begin(Parser *p, TokenText word, Span span) {
    single_begin(p);
    Frame frame = {.op = op_from_word(p, word),
                   .wrapped = N_OPS,
                   .op_span = span,
                   .declared = p->declared,
                   .declared_span = p->declared_span,
                   .first_operand = p->operands.n,
                   .broken = p->declared && p->declared_broken};
    p->declared = NULL;
    p->path.n = p->path_spans.n = 0;
    if (frame.op == N_OPS) frame.op = async_from_word(p, word, &frame.wrapped);
    if (frame.op == N_OPS) return report_unknown_opcode(p, word, span);
    vec_push(p->scratch, &p->frames_open, frame);
    if (!frame.declared && op_flags(frame.op) & OP_SHAPE && !(frame.op == OP_CONSTANT))
        parse_error(p, span, E_MISSING_SHAPE, "'%s' needs the shape of its result in front of it", op_name(frame.op));
    if (!frame.declared && frame.op == OP_CONSTANT)
        return parse_fail(p, span, E_MISSING_SHAPE, "'%s' needs a shape in front of it", op_name(frame.op));
    if (frame.op == OP_CONSTANT) expect_literal(p);
    if (frame.op == OP_PARAMETER) expect_parameter(p);
    return nest_enter(p, span);
}

void call_parameter(Parser *p, int64_t number, Span span) {
    top_frame(p)->parameter_number = number;
    top_frame(p)->parameter_span = span;
    if (number < 0)
        parse_error(p, span, E_PARAMETER, "%lld is no parameter number: they count from 0", (long long)number);
}

/* ---- checks ------------------------------------------------------------------------------------------------------ */

static const char *expected_operands(Parser *p, int expected) {
    switch (expected) {
    case OPERANDS_EVEN: return "an even number of operands, at least 2";
    case OPERANDS_ODD: return "an odd number of operands, at least 3";
    case OPERANDS_MIN1: return "at least 1 operand";
    case OPERANDS_MIN2: return "at least 2 operands";
    default: return arena_printf(p->scratch, "%d operand%s", expected, expected == 1 ? "" : "s");
    }
}

bool check_operand_count(Parser *p, Op op, int n, Span span) {
    int expected = op_operands(op);
    bool fits = expected == OPERANDS_ANY    ? true
                : expected == OPERANDS_EVEN ? n >= 2 && n % 2 == 0
                : expected == OPERANDS_ODD  ? n >= 3 && n % 2 == 1
                : expected == OPERANDS_MIN1 ? n >= 1
                : expected == OPERANDS_MIN2 ? n >= 2
                                            : n == expected;
    if (!fits)
        parse_error(p, span, E_OPERAND_COUNT, "'%s' takes %s, not %d", op_name(op), expected_operands(p, expected), n);
    return fits;
}

static bool has_attr(const Frame *frame, int id) {
    for (int i = 0; i < frame->attrs.n; i++)
        if ((int)frame->attrs.at[i].id == id) return true;
    return false;
}

static void check_required(Parser *p, const Frame *frame, Op op) {
    if (frame->broken) return; /* what is missing may have been misspelt */
    for (const int *row = op_attrs(op); *row >= 0; row++) {
        int id = *row & ~ATTR_REQUIRED;
        if (!(*row & ATTR_REQUIRED) || has_attr(frame, id)) continue;
        parse_error(p, frame->op_span, E_MISSING_ATTRIBUTE, "'%s' lacks its attribute '%s'", op_name(op),
                    attr_name((AttrId)id));
    }
}

/* ---- instrs ------------------------------------------------------------------------------------------------------ */

static bool shapes_are_known(const Instr *instr) {
    for (int k = 0; k < instr->n_operands; k++)
        if (!instr->operands[k]->shape) return false;
    return true;
}

static Instr *make_instr(Parser *p, Frame *frame, const char *name, Span span) {
    int n = p->operands.n - frame->first_operand;
    Instr *instr = instr_new_named(top_level(p)->computation, frame->op, name, frame->declared, n,
                                   n ? p->operands.at + frame->first_operand : NULL, span);
    instr->op_span = frame->op_span;
    instr->shape_span = frame->declared ? frame->declared_span : (Span){0, 0};
    instr->attrs.at = frame->attrs.at;
    instr->attrs.n = frame->attrs.n;
    instr->attrs.cap = frame->attrs.cap;
    instr->literal = frame->literal;
    instr->parameter_number = frame->parameter_number;
    bool is_parameter = frame->op == OP_PARAMETER;
    instr->operand_spans = NEW_ARRAY(p->arena, Span, is_parameter ? 1 : n);
    if (n) memcpy(instr->operand_spans, p->operand_spans.at + frame->first_operand, (size_t)n * sizeof(Span));
    if (is_parameter) instr->operand_spans[0] = frame->parameter_span;
    if (!frame->declared && shapes_are_known(instr)) instr->shape = hlo_infer(instr, p->diags);
    if (!instr->shape) top_level(p)->broken = true;
    return instr;
}

/* Takes the top frame with its operands. What was reported does not become an instr, only something with its name. */
static Instr *finish_frame(Parser *p, const char *name, Span span) {
    Frame *frame = top_frame(p);
    int n = p->operands.n - frame->first_operand;
    if (frame->wrapped == N_OPS) check_required(p, frame, frame->op);
    else if (frame->op == OP_ASYNC_START) check_required(p, frame, frame->wrapped);
    check_operand_count(p, frame->op, n, frame->op_span);
    if (!frame->broken && frame->wrapped != N_OPS) async_finish(p, frame);
    frame = top_frame(p);
    Instr *instr;
    if (frame->broken) {
        instr = stand_in(p, name, frame->declared, span);
        string_table_put(p->arena, &top_level(p)->computation->names, name, strlen(name), instr);
    } else {
        instr = make_instr(p, frame, name, span);
    }
    p->operands.n = p->operand_spans.n = frame->first_operand;
    p->frames_open.n--;
    return instr;
}

void nested_end(Parser *p, Span span) {
    Level *level = top_level(p);
    const char *base = arena_printf(p->arena, "%s.anon", op_name(top_frame(p)->op));
    const char *name = instr_fresh_name(level->computation, base);
    operand_add(p, finish_frame(p, name, span), span);
}

/* The name of the instruction being read, or a fresh one if that is taken. */
static const char *unique_name(Parser *p) {
    Level *level = top_level(p);
    if (!level->name) return "_"; /* the one of a text without names */
    TokenText name = {level->name, strlen(level->name)};
    const Instr *earlier = string_table_get(&level->computation->names, name.at, name.n);
    if (!earlier) return level->name;
    parse_error(p, level->name_span, E_DUPLICATE_NAME, "'%s' is defined twice in this computation",
                text_quoted(p, name));
    parse_note(p, earlier->span, "the first is here");
    return instr_fresh_name(level->computation, level->name);
}

void instruction_end(Parser *p, Span span) {
    Instr *instr = finish_frame(p, unique_name(p), span);
    Level *level = top_level(p);
    if (level->is_root || !level->root_span.end) level->computation->root = instr;
    level->name = NULL;
    p->declared = NULL;
}

/* Tokens were passed over: forgets what was read of the instruction, but keeps its name. */
void instruction_broken(Parser *p) {
    Level *level = top_level(p);
    level->broken = true;
    if (level->name && !string_table_get(&level->computation->names, level->name, strlen(level->name))) {
        const Shape *shape =
            p->frames_open.n > level->first_frame ? p->frames_open.at[level->first_frame].declared : p->declared;
        Instr *instr = stand_in(p, level->name, shape, level->name_span);
        string_table_put(p->arena, &level->computation->names, instr->name, strlen(instr->name), instr);
    } else if (!level->name) {
        level->lost_names = true;
    }
    if (p->frames_open.n > level->first_frame)
        p->operands.n = p->operand_spans.n = p->frames_open.at[level->first_frame].first_operand;
    p->frames_open.n = level->first_frame;
    while (p->namings.n > level->first_naming) naming_pop(p);
    p->nesting = level->nesting;
    p->shardings.n = 0;
    p->ints.n = 0;
    p->declared = NULL;
    level->name = NULL;
}
