/* Computations, named and inline, and references to them (hlo-text-format sections 3, 4.5). */
#include <string.h>

#include "parser/actions.h"

Level *top_level(Parser *p) {
    return &p->levels.at[p->levels.n - 1];
}

static void ensure_module(Parser *p) {
    if (!p->module) module_begin(p, (TokenText){"", 0}, (Span){0, 0});
}

static void push_level(Parser *p, const char *name, Span span) {
    Computation *computation = NEW(p->arena, Computation);
    computation->name = name;
    computation->name_span = computation->span = span;
    computation->module = p->module;
    Level level = {.computation = computation,
                   .first_frame = p->frames_open.n,
                   .first_naming = p->namings.n,
                   .nesting = p->nesting};
    vec_push(p->scratch, &p->levels, level);
}

void computation_begin(Parser *p, TokenText name, Span span, Span entry) {
    ensure_module(p);
    const Computation *earlier = string_table_get(&p->module->names, name.at, name.n);
    if (earlier) {
        parse_error(p, span, E_DUPLICATE_NAME, "there are two computations '%s'", text_quoted(p, name));
        parse_note(p, earlier->name_span, "the first is here");
    }
    if (entry.end && p->entry_span.end) {
        parse_error(p, entry, E_TWO_ENTRIES, "a module has only one ENTRY");
        parse_note(p, p->entry_span, "the first is here");
    }
    push_level(p, text_copy(p, name), span);
    Level *level = top_level(p);
    level->is_entry = entry.end != 0 && !p->entry_span.end;
    level->signature = p->signature;
    level->signature_span = p->signature_span;
    level->broken = earlier != NULL;
    if (entry.end) p->entry_span = entry;
}

void inline_begin(Parser *p, Span brace) {
    push_level(p, "_", brace); /* as XLA calls them */
    top_level(p)->computation->is_inline = true;
}

void single_begin(Parser *p) {
    if (p->levels.n) return;
    ensure_module(p);
    p->single = true;
    push_level(p, "_", (Span){0, 0});
    string_table_put(p->arena, &p->module->names, "_", 1, top_level(p)->computation);
}

/* ---- the end ----------------------------------------------------------------------------------------------------- */

static void collect_parameters(Parser *p, Level *level) {
    Computation *computation = level->computation;
    int n = 0;
    for (int i = 0; i < computation->instrs.n; i++) n += computation->instrs.at[i]->op == OP_PARAMETER;
    computation->n_parameters = n;
    computation->parameters = NEW_ARRAY(p->arena, Instr *, n);
    for (int i = 0; i < computation->instrs.n; i++) {
        Instr *instr = computation->instrs.at[i];
        if (instr->op != OP_PARAMETER) continue;
        Span span = instr->operand_spans ? instr->operand_spans[0] : instr->op_span;
        if (instr->parameter_number >= n) {
            parse_error(p, span, E_PARAMETER,
                        "parameter number %lld, but the computation has %d parameter%s, numbered from 0",
                        (long long)instr->parameter_number, n, n == 1 ? "" : "s");
            level->broken = true;
            continue;
        }
        Instr **slot = &computation->parameters[instr->parameter_number];
        if (*slot) {
            parse_error(p, span, E_PARAMETER, "there are two parameters of number %lld",
                        (long long)instr->parameter_number);
            parse_note(p, (*slot)->span, "the first is here");
            level->broken = true;
            return;
        }
        *slot = instr;
    }
}

/* What the signature promises is compared with the root when that is known to be right (ir/hlo_verify.c). */
static void keep_signature(const Level *level) {
    level->computation->promised = level->signature;
    level->computation->promised_span = level->signature_span;
}

/* A computation in which something was reported has no root: whoever calls it asks it nothing. */
static void close_level(Parser *p, Span end) {
    Level *level = top_level(p);
    Computation *computation = level->computation;
    report_missing_names(p, level);
    level = top_level(p);
    if (!level->broken) collect_parameters(p, level);
    if (!level->broken) keep_signature(level);
    computation->span = span_join(computation->span, end);
    bool is_entry = level->is_entry;
    if (level->broken) {
        computation->root = NULL;
        computation->n_parameters = 0;
    }
    p->nesting = level->nesting;
    p->levels.n--;
    if (computation->is_inline) computation->name = computation_fresh_name(p->module, computation->name);
    vec_push(p->arena, &p->module->computations, computation);
    if (!string_table_get(&p->module->names, computation->name, strlen(computation->name)))
        string_table_put(p->arena, &p->module->names, computation->name, strlen(computation->name), computation);
    if (is_entry) p->module->entry = computation;
    p->closed = computation;
}

void computation_close(Parser *p, Span brace) {
    close_level(p, brace);
}

void computation_cut(Parser *p) {
    top_level(p)->broken = true;
    close_level(p, (Span){0, 0});
}

/* Behind its trailing attributes. */
void computation_end(Parser *p) {
    for (int i = 0; i < p->trailer.n; i++) {
        const Attr *attr = &p->trailer.at[i];
        if (attr->id == ATTR_EXECUTION_THREAD) p->closed->execution_thread = attr->text;
        if (attr->id != ATTR_BACKEND_CONFIG) continue;
        Attr *config = NEW(p->arena, Attr);
        *config = *attr;
        p->closed->backend_config = config;
    }
    p->trailer.n = 0;
    p->closed = NULL;
}

/* ---- references -------------------------------------------------------------------------------------------------- */

static bool is_open(const Parser *p, TokenText name) {
    for (int i = 0; i < p->levels.n; i++)
        if (!p->levels.at[i].computation->is_inline && text_is(name, p->levels.at[i].computation->name)) return true;
    return false;
}

void callee_add(Parser *p, TokenText name, Span span) {
    Computation *computation = string_table_get(&p->module->names, name.at, name.n);
    if (!computation) {
        computation = NEW(p->arena, Computation);
        computation->name = text_copy(p, name);
        computation->module = p->module;
        if (is_open(p, name)) {
            parse_error(p, span, E_RECURSION, "'%s' cannot call itself: HLO has no recursion", text_quoted(p, name));
        } else if (!naming(p)->ignored) {
            MissingName missing = {.computation = computation, .span = span};
            vec_push(p->scratch, &p->missing_computations, missing);
            mark_broken(p);
        }
    }
    vec_push(p->scratch, &p->callees, computation);
}

void callee_add_inline(Parser *p) {
    vec_push(p->scratch, &p->callees, p->closed);
    p->closed = NULL;
    nest_leave(p);
}

void report_missing_computations(Parser *p) {
    const Module *module = p->module;
    int n = module->computations.n;
    const char **names = NEW_ARRAY(p->scratch, const char *, n);
    for (int i = 0; i < n; i++) names[i] = module->computations.at[i]->name;
    StringTable reported = {0};
    for (int i = 0; i < p->missing_computations.n; i++) {
        const MissingName *missing = &p->missing_computations.at[i];
        TokenText name = {missing->computation->name, strlen(missing->computation->name)};
        if (string_table_get(&reported, name.at, name.n)) continue;
        string_table_put(p->scratch, &reported, name.at, name.n, missing->computation);
        const Computation *later = string_table_get(&module->names, name.at, name.n);
        if (later) {
            diag_error(p->diags, missing->span, E_USED_BEFORE, "computation '%s' is called before it is defined",
                       text_quoted(p, name));
            diag_note(p->diags, later->name_span, "it is defined here");
        } else {
            diag_error(p->diags, missing->span, E_UNDEFINED_COMPUTATION, "computation '%s' is not defined%s",
                       text_quoted(p, name), suggestion(p, name, names, n < 2000 ? n : 2000));
        }
    }
    p->missing_computations.n = 0;
}
