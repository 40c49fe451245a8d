/* Verification of modules that users wrote: instructions one by one, then what holds for the whole. */
#include "base/codes.h"
#include "ir/infer/infer.h"

/* ---- instructions ------------------------------------------------------------------------------------------------ */

static bool operands_are_known(const Instr *instr) {
    for (int k = 0; k < instr->n_operands; k++)
        if (!instr->operands[k]->shape) return false;
    return instr->shape != NULL;
}

static void compare_shapes(Infer *f, const Shape *inferred) {
    const Shape *declared = f->instr->shape;
    if (shapes_agree(declared, inferred)) return;
    refuse_shape(f, E_RESULT_SHAPE, "'%s' gives %s, but its shape is written as %s", opcode(f),
                 shape_words(f, inferred), shape_words(f, declared));
}

/* A shape that is wrong is not known: whoever uses it is not blamed for it. Nor is who calls a computation in whose
 * root something else is wrong, or promises its result. */
static void forget_shape(Instr *instr, const Diags *diags, int first) {
    if (first == diags->list.n) return;
    const char *code = diags->list.at[first].code;
    if (instr == instr->parent->root || code == E_RESULT_SHAPE || code == E_ASYNC_SHAPE) instr->shape = NULL;
}

/* What starts is ended once, and by nothing else. An asynchronous computation may go on through updates, and on its way
 * to them through tuples, loops and the like. */
static void check_start(Infer *f, Op done) {
    const Instr *instr = f->instr;
    bool is_root = instr->parent->root == instr, read_whole = instr->parent->root != NULL;
    if (!read_whole) return; /* its end may be what could not be read */
    bool ends = instr->users.n == 1 && (instr->users.at[0]->op == done || done == OP_ASYNC_DONE);
    if (!is_root && ends) return;
    refuse_op(f, E_ASYNC, "'%s' must be ended by one '%s', and %s", opcode(f), op_name(done),
              is_root               ? "cannot be the root"
              : instr->users.n == 0 ? "nothing uses it"
                                    : "nothing else may use it");
}

static void verify_instr(Infer *f) {
    int before = f->diags->n_errors;
    const Shape *inferred = hlo_infer(f->instr, f->diags);
    if (f->diags->n_errors != before) return;
    if (inferred) compare_shapes(f, inferred);
    Op op = f->instr->op;
    if (op == OP_ALL_REDUCE_START) check_start(f, OP_ALL_REDUCE_DONE);
    if (op == OP_ALL_GATHER_START) check_start(f, OP_ALL_GATHER_DONE);
    if (op == OP_COLLECTIVE_PERMUTE_START) check_start(f, OP_COLLECTIVE_PERMUTE_DONE);
    if (op == OP_COPY_START) check_start(f, OP_COPY_DONE);
    if (op == OP_ASYNC_START || op == OP_ASYNC_UPDATE) check_start(f, OP_ASYNC_DONE);
}

static void check_signature(const Module *module, const Computation *computation, Diags *diags) {
    const Instr *root = computation->root;
    if (!computation->promised || !root || !root->shape || shapes_compatible(computation->promised, root->shape))
        return;
    diag_error(diags, computation->promised_span, E_SIGNATURE, "'%s' promises %s, but its root is %s",
               computation->name, shape_text(module->arena, computation->promised),
               shape_text(module->arena, root->shape));
    diag_note(diags, root->span, "the root is here");
}

/* ---- computations that belong to who calls them ------------------------------------------------------------------ */

typedef struct {
    const Module *module;
    KeyTable started, fused; /* computations that some async-start or fusion calls: that instr, the first one */
    Diags *diags;
} Owners;

static void note_owner(Owners *owners, Instr *instr) {
    KeyTable *table = instr->op == OP_ASYNC_START ? &owners->started : instr->op == OP_FUSION ? &owners->fused : NULL;
    Computation *computation = table ? instr_computation(instr, ATTR_CALLS) : NULL;
    if (computation && !key_table_get(table, POINTER_KEY(computation)))
        key_table_put(owners->module->arena, table, POINTER_KEY(computation), instr);
}

static void check_callee(Owners *owners, const Instr *instr, const Attr *attr, const Computation *callee) {
    bool async = instr->op == OP_ASYNC_START || instr->op == OP_ASYNC_UPDATE || instr->op == OP_ASYNC_DONE;
    const Instr *fusion = key_table_get(&owners->fused, POINTER_KEY(callee));
    if (!async && key_table_get(&owners->started, POINTER_KEY(callee)))
        diag_error(owners->diags, attr->name, E_ASYNC, "'%s' is started asynchronously and cannot be called, too",
                   callee->name);
    if (!fusion || fusion == instr) return;
    diag_error(owners->diags, attr->name, E_CALLEE, "'%s' is the body of fusion '%s', and nothing else may call it",
               callee->name, fusion->name);
    diag_note(owners->diags, fusion->span, "the fusion is here");
}

/* A started computation wraps one instruction. */
static void check_started(Owners *owners, const Instr *start) {
    const Computation *body = instr_computation(start, ATTR_CALLS);
    for (int i = 0; body && body->root && i < body->instrs.n; i++) {
        const Instr *instr = body->instrs.at[i];
        if (instr->op == OP_PARAMETER || instr == body->root) continue;
        diag_error(owners->diags, instr_attr(start, ATTR_CALLS)->name, E_ASYNC,
                   "'%s' is started asynchronously: it has parameters and a root, but not '%s'", body->name,
                   instr->name);
        return;
    }
}

static void check_fused(Owners *owners, const Instr *fusion) {
    const Computation *body = instr_computation(fusion, ATTR_CALLS);
    for (int i = 0; body && body->root && i < body->instrs.n; i++) {
        const Instr *instr = body->instrs.at[i];
        if (instr == body->root || instr->users.n) continue;
        diag_error(owners->diags, instr->op_span, E_CALLEE, "nothing uses '%s' in '%s', the body of fusion '%s'",
                   instr->name, body->name, fusion->name);
    }
}

static void check_caller(Owners *owners, Instr *instr) {
    for (int i = 0; i < instr->attrs.n; i++) {
        const Attr *attr = &instr->attrs.at[i];
        bool calls = attr_kind(attr->id) == ATTR_KIND_COMPUTATION || attr_kind(attr->id) == ATTR_KIND_COMPUTATIONS;
        for (int k = 0; calls && k < attr->n_computations; k++)
            check_callee(owners, instr, attr, attr->computations[k]);
    }
    bool first = instr->op == OP_FUSION &&
                 key_table_get(&owners->fused, POINTER_KEY(instr_computation(instr, ATTR_CALLS))) == instr;
    if (first) check_fused(owners, instr);
    if (instr->op == OP_ASYNC_START) check_started(owners, instr);
}

static void each_instr(Owners *owners, void (*visit)(Owners *, Instr *)) {
    const Module *module = owners->module;
    for (int c = 0; c < module->computations.n; c++)
        for (int i = 0; i < module->computations.at[c]->instrs.n; i++)
            visit(owners, module->computations.at[c]->instrs.at[i]);
}

static void check_owners(const Module *module, Diags *diags) {
    Owners owners = {.module = module, .diags = diags};
    each_instr(&owners, note_owner);
    if (owners.started.n || owners.fused.n) each_instr(&owners, check_caller);
}

/* ---- the module -------------------------------------------------------------------------------------------------- */

static const Attr *written(const Module *module, AttrId id) {
    for (int i = 0; i < module->attrs.n_written; i++)
        if (module->attrs.written[i].id == id) return &module->attrs.written[i];
    return NULL;
}

enum { MOST_DEVICES = 1 << 20 };

static bool check_count(const Module *module, AttrId id, int64_t count, Diags *diags) {
    const Attr *attr = written(module, id);
    if (!attr || (count >= 1 && count <= MOST_DEVICES)) return true;
    diag_error(diags, attr->value, E_DEVICES, "'%s' is %lld: from 1 to %d", attr_name(id), (long long)count,
               MOST_DEVICES);
    return false;
}

/* False: what collectives need to know is not known. */
static bool check_devices(const Module *module, Diags *diags) {
    int64_t replicas = module->attrs.replica_count, partitions = module->attrs.num_partitions;
    bool fits = check_count(module, ATTR_REPLICA_COUNT, replicas, diags);
    fits = check_count(module, ATTR_NUM_PARTITIONS, partitions, diags) && fits;
    if (!fits || replicas * partitions <= MOST_DEVICES) return fits;
    diag_error(diags, written(module, ATTR_NUM_PARTITIONS)->value, E_DEVICES,
               "%lld replicas of %lld partitions are more than %d devices", (long long)replicas, (long long)partitions,
               MOST_DEVICES);
    return false;
}

/* The parameter and its part that an entry of input_output_alias or buffer_donor names; NULL: reported. */
static const Shape *aliased_parameter(const Module *module, const AliasEntry *alias, Diags *diags) {
    const Computation *entry = module->entry;
    if (alias->operand < 0 || alias->operand >= entry->n_parameters) {
        diag_error(diags, alias->operand_span, E_ALIAS, "there is no parameter %lld: '%s' has %d",
                   (long long)alias->operand, entry->name, entry->n_parameters);
        return NULL;
    }
    const Shape *parameter = entry->parameters[alias->operand]->shape,
                *part = shape_part(parameter, alias->operand_index.n, alias->operand_index.at);
    if (!part)
        diag_error(diags, alias->operand_span, E_ALIAS, "parameter %lld, %s, has no such part",
                   (long long)alias->operand, shape_text(module->arena, parameter));
    return part;
}

static bool same_index(IntList a, IntList b) {
    if (a.n != b.n) return false;
    for (int i = 0; i < a.n; i++)
        if (a.at[i] != b.at[i]) return false;
    return true;
}

/* Where they need not share memory they are at least of one size. */
static bool alias_fits(const AliasEntry *alias, const Shape *input, const Shape *output) {
    if (alias->kind == ALIAS_MUST) return shapes_agree(input, output);
    return !shape_is_array(input) || shape_bytes(input) == shape_bytes(output);
}

static void check_aliases(const Module *module, Diags *diags) {
    const ModuleAttrs *attrs = &module->attrs;
    for (int i = 0; i < attrs->n_aliases; i++) {
        const AliasEntry *alias = &attrs->input_output_alias[i];
        const Shape *result = module->entry->root->shape,
                    *output = shape_part(result, alias->output_index.n, alias->output_index.at);
        if (!output) {
            long long last = alias->output_index.n ? (long long)alias->output_index.at[alias->output_index.n - 1] : 0;
            diag_error(diags, alias->output_span, E_ALIAS, "the result %s has no part %lld to alias",
                       shape_text(module->arena, result), last);
            continue;
        }
        const Shape *input = aliased_parameter(module, alias, diags);
        if (input && !alias_fits(alias, input, output))
            diag_error(diags, alias->operand_span, E_ALIAS, "%s of the result cannot take the place of %s",
                       shape_text(module->arena, output), shape_text(module->arena, input));
        for (int k = 0; k < i; k++) {
            const AliasEntry *other = &attrs->input_output_alias[k];
            if (same_index(alias->output_index, other->output_index))
                diag_error(diags, alias->output_span, E_ALIAS, "this part of the result has an alias already");
            else if (alias->operand == other->operand && same_index(alias->operand_index, other->operand_index))
                diag_error(diags, alias->operand_span, E_ALIAS, "this part of the parameter is an alias already");
        }
    }
    for (int i = 0; i < attrs->n_donors; i++) aliased_parameter(module, &attrs->buffer_donor[i], diags);
}

static void check_entry_layout(const Module *module, Diags *diags) {
    const Attr *attr = written(module, ATTR_ENTRY_COMPUTATION_LAYOUT);
    const Computation *entry = module->entry;
    if (!attr) return;
    int n = attr->n_shapes - 1;
    if (n != entry->n_parameters) {
        diag_error(diags, attr->name, E_ENTRY_LAYOUT, "'entry_computation_layout' has %d parameter%s, but '%s' has %d",
                   n, n == 1 ? "" : "s", entry->name, entry->n_parameters);
        return;
    }
    for (int i = 0; i <= n; i++) {
        const Shape *shape = i < n ? entry->parameters[i]->shape : entry->root->shape;
        if (shapes_agree(attr->shapes[i], shape)) continue;
        const char *what = i < n ? arena_printf(module->arena, "parameter %d", i) : "the result";
        diag_error(diags, attr->shape_spans[i], E_ENTRY_LAYOUT, "'entry_computation_layout' has %s for %s, which is %s",
                   shape_text(module->arena, attr->shapes[i]), what, shape_text(module->arena, shape));
    }
}

void hlo_verify(const Module *module, Diags *diags) {
    if (!check_devices(module, diags)) return;
    for (int c = 0; c < module->computations.n; c++) {
        const Computation *computation = module->computations.at[c];
        for (int i = 0; i < computation->instrs.n && !diags_full(diags); i++) {
            Infer context = {computation->instrs.at[i], module, module->arena, diags};
            int before = diags->list.n;
            if (operands_are_known(context.instr)) verify_instr(&context);
            forget_shape(computation->instrs.at[i], diags, before);
        }
        check_signature(module, computation, diags);
    }
    check_owners(module, diags);
    if (!module->entry || !module->entry->root || !module->entry->root->shape) return;
    check_entry_layout(module, diags);
    check_aliases(module, diags);
}
