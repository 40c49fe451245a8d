#include "driver/elided.h"

#include <string.h>

#include "base/codes.h"

typedef struct {
    Module *module;
    Diags *diags;
    bool failed;
} Resolver;

/* A constant on its way up: the parameter that stands for it in each computation it has reached. */
typedef struct {
    Computation *computation;
    Instr *parameter;
} Station;

typedef struct {
    const Instr *constant;
    VEC(Station) stations;
} Journey;

static const char advice[] = "dump the module with its values: lowered.compiler_ir(\"hlo\").as_hlo_text("
                             "print_large_constants=True), or XLA_FLAGS=\"--xla_dump_to=DIR --xla_dump_hlo_as_text "
                             "--xla_dump_large_constants\"; or give --elided=zeros or --elided=param";

static bool literal_is_elided(const Literal *literal) {
    if (!literal) return false;
    if (literal->elided) return true;
    if (!shape_is_tuple(literal->shape)) return false;
    for (int i = 0; i < literal->shape->n_elements; i++)
        if (literal_is_elided(literal->elements[i])) return true;
    return false;
}

/* The {...} itself, where there is a text. */
static Span place_of(const Instr *constant) {
    const Source *source = constant->parent->module->source;
    if (!source || !constant->op_span.end) return constant->span;
    for (uint32_t at = constant->op_span.end; at + 5 <= constant->span.end; at++)
        if (memcmp(source->bytes + at, "{...}", 5) == 0) return (Span){at, at + 5};
    return constant->span;
}

static void report(Resolver *resolver, const Instr *constant, const char *why) {
    resolver->failed = true;
    diag_error(resolver->diags, place_of(constant), E_ELIDED, "the values of '%s' were left out ({...})%s",
               constant->name, why);
    diag_note(resolver->diags, (Span){0, 0}, "%s", advice);
}

static Instr *add_parameter(Computation *computation, const Instr *constant) {
    Arena *arena = computation->module->arena;
    Instr *parameter = instr_new(computation, OP_PARAMETER, constant->name, constant->shape, 0, NULL, constant->span);
    int n = computation->n_parameters;
    Instr **parameters = NEW_ARRAY(arena, Instr *, n + 1);
    if (n) memcpy(parameters, computation->parameters, sizeof *parameters * (size_t)n);
    parameters[n] = parameter;
    parameter->parameter_number = n;
    computation->parameters = parameters;
    computation->n_parameters = n + 1;
    return parameter;
}

/* The interface has the new parameter too, with the layout of the constant's shape. */
static void extend_interface(Module *module, const Shape *shape) {
    ModuleAttrs *attrs = &module->attrs;
    int n = attrs->n_entry_parameters;
    const Shape **shapes = NEW_ARRAY(module->arena, const Shape *, n + 1);
    if (n) memcpy(shapes, attrs->entry_parameters, sizeof *shapes * (size_t)n);
    shapes[n] = shape;
    attrs->entry_parameters = shapes;
    attrs->n_entry_parameters = n + 1;
}

static void add_operand(Instr *instr, Instr *value) {
    Arena *arena = instr->parent->module->arena;
    Instr **operands = NEW_ARRAY(arena, Instr *, instr->n_operands + 1);
    if (instr->n_operands) memcpy(operands, instr->operands, sizeof *operands * (size_t)instr->n_operands);
    operands[instr->n_operands++] = value;
    instr->operands = operands;
    instr->operand_spans = NULL;
    vec_push(arena, &value->users, instr);
}

static bool calls(const Instr *instr, const Computation *computation) {
    if (!(op_flags(instr->op) & OP_CALLS) && instr->op != OP_WHILE && instr->op != OP_CONDITIONAL &&
        instr->op != OP_CUSTOM_CALL)
        return false;
    int n = instr_called(instr, NULL, 0);
    Computation **called = NEW_ARRAY(instr->parent->module->arena, Computation *, n);
    instr_called(instr, called, n);
    for (int i = 0; i < n; i++)
        if (called[i] == computation) return true;
    return false;
}

/* The parameter that stands for the constant in computation, made with all that leads to it when it is the first
 * time. can_pass_parameters holds. */
static Instr *parameter_in(Resolver *resolver, Journey *journey, Computation *computation) {
    Module *module = resolver->module;
    for (int i = 0; i < journey->stations.n; i++)
        if (journey->stations.at[i].computation == computation) return journey->stations.at[i].parameter;
    Instr *parameter = add_parameter(computation, journey->constant);
    vec_push(module->arena, &journey->stations, (Station){computation, parameter});
    if (computation == module->entry) {
        extend_interface(module, parameter->shape);
        return parameter;
    }
    for (int c = 0; c < module->computations.n; c++) {
        Computation *caller = module->computations.at[c];
        for (int i = 0; i < caller->instrs.n; i++) {
            Instr *instr = caller->instrs.at[i];
            if (!calls(instr, computation)) continue;
            add_operand(instr, parameter_in(resolver, journey, caller));
        }
    }
    return parameter;
}

static void replace_by_parameter(Resolver *resolver, Instr *constant) {
    Journey journey = {.constant = constant};
    Instr *parameter = parameter_in(resolver, &journey, constant->parent);
    instr_replace_uses(constant, parameter);
    constant->mark = -1;
    for (int i = 0; i < journey.stations.n; i++) computation_renumber(journey.stations.at[i].computation);
}

/* Whether only calls lead from the entry to computation: what else leads there takes no further operand. */
static bool can_pass_parameters(const Module *module, const Computation *computation) {
    if (computation == module->entry) return true;
    for (int c = 0; c < module->computations.n; c++) {
        const Computation *caller = module->computations.at[c];
        for (int i = 0; i < caller->instrs.n; i++) {
            const Instr *instr = caller->instrs.at[i];
            if (!calls(instr, computation)) continue;
            if ((instr->op != OP_CALL && instr->op != OP_FUSION) || !can_pass_parameters(module, caller)) return false;
        }
    }
    return true;
}

static void resolve_as_parameter(Resolver *resolver, Instr *constant) {
    if (can_pass_parameters(resolver->module, constant->parent)) replace_by_parameter(resolver, constant);
    else report(resolver, constant, ", and a constant inside a loop, a branch or a reducer cannot become a parameter");
}

/* What the entry reaches. Computations stand callees first: callers are marked before what they call. */
static bool *find_reachable(const Module *module) {
    int n = module->computations.n;
    bool *reachable = NEW_ARRAY(module->arena, bool, n);
    KeyTable index = {0};
    for (int c = 0; c < n; c++)
        key_table_put(module->arena, &index, POINTER_KEY(module->computations.at[c]), &reachable[c]);
    for (int c = n - 1; c >= 0; c--) {
        Computation *computation = module->computations.at[c];
        if (computation == module->entry) reachable[c] = true;
        if (!reachable[c]) continue;
        for (int i = 0; i < computation->instrs.n; i++) {
            int n_called = instr_called(computation->instrs.at[i], NULL, 0);
            if (!n_called) continue;
            Computation **called = NEW_ARRAY(module->arena, Computation *, n_called);
            instr_called(computation->instrs.at[i], called, n_called);
            for (int k = 0; k < n_called; k++) *(bool *)key_table_get(&index, POINTER_KEY(called[k])) = true;
        }
    }
    return reachable;
}

static void resolve(Resolver *resolver, Instr *constant, ElidedMode mode) {
    switch (mode) {
    case ELIDED_ERROR:
        report(resolver, constant, "");
        return;
    case ELIDED_ZEROS:
        diag_warning(resolver->diags, place_of(constant), E_ELIDED, "the values of '%s' were left out ({...}): zeros",
                     constant->name);
        constant->literal = literal_new(resolver->module->arena, constant->shape);
        return;
    case ELIDED_PARAM:
        resolve_as_parameter(resolver, constant);
        return;
    }
}

bool module_resolve_elided(Module *module, ElidedMode mode, Diags *diags) {
    Resolver resolver = {module, diags, false};
    VEC(Instr *) constants = {0};
    const bool *reachable = NULL;
    for (int c = 0; c < module->computations.n; c++) {
        Computation *computation = module->computations.at[c];
        for (int i = 0; i < computation->instrs.n; i++) {
            Instr *instr = computation->instrs.at[i];
            if (instr->op != OP_CONSTANT || !literal_is_elided(instr->literal)) continue;
            if (!reachable) reachable = find_reachable(module);
            if (reachable[c]) vec_push(module->arena, &constants, instr);
        }
    }
    for (int i = 0; i < constants.n; i++) resolve(&resolver, constants.at[i], mode);
    return !resolver.failed;
}

void module_weights_to_parameters(Module *module, Diags *diags) {
    enum { MOST_INLINE = 64 };
    Resolver resolver = {module, diags, false};
    const bool *reachable = find_reachable(module);
    VEC(Instr *) constants = {0};
    for (int c = 0; c < module->computations.n; c++) {
        Computation *computation = module->computations.at[c];
        for (int i = 0; i < computation->instrs.n && reachable[c]; i++) {
            Instr *instr = computation->instrs.at[i];
            bool large =
                instr->op == OP_CONSTANT && !shape_is_tuple(instr->shape) && shape_elements(instr->shape) > MOST_INLINE;
            if (large && can_pass_parameters(module, computation)) vec_push(module->arena, &constants, instr);
        }
    }
    for (int i = 0; i < constants.n; i++) replace_by_parameter(&resolver, constants.at[i]);
}
