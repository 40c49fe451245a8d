/* Operands: names to instrs (hlo-text-format 4.2). */
#include <string.h>

#include "parser/actions.h"

Instr *stand_in(Parser *p, const char *name, const Shape *shape, Span span) {
    Instr *instr = NEW(p->arena, Instr);
    instr->op = OP_PARAMETER;
    instr->name = name;
    instr->shape = shape;
    instr->span = instr->op_span = span;
    return instr;
}

void operand_add(Parser *p, Instr *instr, Span span) {
    vec_push(p->scratch, &p->operands, instr);
    vec_push(p->scratch, &p->operand_spans, span);
}

/* ---- names without definition ------------------------------------------------------------------------------------ */

static Instr *missing_name(Parser *p, TokenText name, Span span) {
    Level *level = top_level(p);
    for (int i = 0; i < level->missing.n; i++)
        if (text_is(name, level->missing.at[i].instr->name)) return level->missing.at[i].instr;
    MissingName missing = {.instr = stand_in(p, text_copy(p, name), NULL, span), .span = span};
    vec_push(p->scratch, &level->missing, missing);
    return missing.instr;
}

static Computation *computation_with(const Module *module, const char *name) {
    for (int i = 0; i < module->computations.n; i++)
        if (string_table_get(&module->computations.at[i]->names, name, strlen(name))) return module->computations.at[i];
    return NULL;
}

static const char *name_suggestion(Parser *p, const Computation *computation, TokenText name) {
    enum { MANY = 2000 };
    int n = computation->instrs.n < MANY ? computation->instrs.n : MANY;
    const char **names = NEW_ARRAY(p->scratch, const char *, n);
    for (int i = 0; i < n; i++) names[i] = computation->instrs.at[i]->name;
    return suggestion(p, name, names, n);
}

/* Only the end of the computation tells whether a name is defined too late or never. */
static void report_missing_name(Parser *p, const Level *level, const MissingName *missing) {
    const char *name = missing->instr->name;
    TokenText word = {name, strlen(name)};
    const char *quoted = text_quoted(p, word);
    const Instr *later = string_table_get(&level->computation->names, name, word.n);
    if (later) {
        diag_error(p->diags, missing->span, E_USED_BEFORE, "'%s' is used before it is defined", quoted);
        diag_note(p->diags, later->span, "it is defined here");
        return;
    }
    Computation *other = computation_with(p->module, name);
    const char *hint = other ? "" : name_suggestion(p, level->computation, word);
    diag_error(p->diags, missing->span, E_UNDEFINED_NAME, "'%s' is not defined in this computation%s", quoted, hint);
    if (!other) return;
    const Instr *elsewhere = string_table_get(&other->names, name, word.n);
    diag_note(p->diags, elsewhere->span, "this '%s' is of another computation, '%s'", quoted, other->name);
}

void report_missing_names(Parser *p, Level *level) {
    if (level->missing.n) level->broken = true;
    for (int i = 0; i < level->missing.n && !level->lost_names; i++)
        report_missing_name(p, level, &level->missing.at[i]);
}

/* ---- references -------------------------------------------------------------------------------------------------- */

/* In a text of one instruction, names that nobody defines are parameters. */
static Instr *new_parameter(Parser *p, const char *name, Span span) {
    Computation *computation = top_level(p)->computation;
    Instr *parameter = instr_new(computation, OP_PARAMETER, name, p->declared, 0, NULL, span);
    parameter->parameter_number = parameter->position;
    return parameter;
}

static Instr *find_operand(Parser *p, TokenText name, Span span) {
    Instr *instr = string_table_get(&top_level(p)->computation->names, name.at, name.n);
    if (instr) return instr;
    if (!p->single || p->levels.n > 1) return missing_name(p, name, span);
    if (p->declared) return new_parameter(p, text_copy(p, name), span);
    parse_error(p, span, E_UNDEFINED_NAME, "'%s' is not defined, and a parameter needs a shape in front of it",
                text_quoted(p, name));
    return stand_in(p, text_copy(p, name), NULL, span);
}

/* Element index of a tuple, as name#index says: one get-tuple-element for all that use it. */
static Instr *element_of(Parser *p, Instr *tuple, int64_t index, Span span) {
    Level *level = top_level(p);
    if (!tuple->shape) return stand_in(p, tuple->name, NULL, span);
    if (!shape_is_tuple(tuple->shape) || index < 0 || index >= tuple->shape->n_elements) {
        parse_error(p, span, E_TUPLE_INDEX, "'%s', %s, has no element %lld", tuple->name,
                    shape_text(p->scratch, tuple->shape), (long long)index);
        return stand_in(p, tuple->name, NULL, span);
    }
    uint64_t key = hash_mix(POINTER_KEY(tuple), (uint64_t)index);
    Instr *known = key_table_get(&level->elements, key);
    if (known && known->operands[0] == tuple && instr_int(known, ATTR_INDEX, -1) == index) return known;
    const char *name = arena_printf(p->arena, "%s_%lld", tuple->name, (long long)index);
    Instr *element =
        instr_new(level->computation, OP_GET_TUPLE_ELEMENT, name, tuple->shape->elements[index], 1, &tuple, span);
    instr_add_attr(element, (Attr){.id = ATTR_INDEX, .name = span, .value = span, .integer = index});
    key_table_put(p->scratch, &level->elements, key, element);
    return element;
}

/* The shape written in front of an operand. */
static void check_declared(Parser *p, const Instr *instr) {
    if (!p->declared || p->declared_broken || !instr->shape || shapes_compatible(p->declared, instr->shape)) return;
    parse_error(p, p->declared_span, E_OPERAND_SHAPE, "operand '%s' is written as %s, but it is %s", instr->name,
                shape_text(p->scratch, p->declared), shape_text(p->scratch, instr->shape));
    parse_note(p, instr->span, "it is defined here");
}

void operand_reference(Parser *p, TokenText name, Span span, Span whole) {
    Instr *instr = find_operand(p, name, span);
    for (int i = 0; i < p->path.n; i++) instr = element_of(p, instr, p->path.at[i], p->path_spans.at[i]);
    p->path.n = p->path_spans.n = 0;
    check_declared(p, instr);
    p->declared = NULL;
    operand_add(p, instr, whole);
}

void operand_index(Parser *p, int64_t index, Span span) {
    vec_push(p->scratch, &p->path, index);
    vec_push(p->scratch, &p->path_spans, span);
}

void operand_shape(Parser *p, Span span) {
    if (p->single && p->levels.n == 1) {
        operand_add(p, new_parameter(p, arena_printf(p->arena, "_%d", top_level(p)->computation->instrs.n), span),
                    span);
    } else {
        parse_error(p, span, E_SYNTAX, "expected the name of an operand behind its shape");
        operand_add(p, stand_in(p, "", p->declared, span), span);
    }
    p->declared = NULL;
}

void predecessor_add(Parser *p, TokenText name, Span span) {
    Instr *instr = string_table_get(&top_level(p)->computation->names, name.at, name.n);
    vec_push(p->scratch, &p->instrs, instr ? instr : missing_name(p, name, span));
}
