/* What cannot be compiled, all of it, found before lowering begins. */
#include <string.h>

#include "base/codes.h"
#include "passes/lower/custom_call.h"
#include "passes/lower/lower.h"
#include "passes/lower/user_call.h"

/* XLA reads '?' too, and refuses it when it compiles. */
static bool has_unnamed_dims(const Instr *instr) {
    const Attr *labels = instr->op == OP_CONVOLUTION ? instr_attr(instr, ATTR_DIM_LABELS) : NULL;
    return labels && strchr(labels->dim_labels->text, '?');
}

static bool is_compiled(const Instr *instr, const LowerOptions *options) {
    ElementRule rule = op_element(instr->op);
    if (instr->op == OP_CUSTOM_CALL)
        return custom_call_is_compiled(instr) || is_shape_assertion(instr) || user_function(options, instr);
    if (has_unnamed_dims(instr)) return false;
    return rule != ELEMENT_later && rule != ELEMENT_custom_call && rule != ELEMENT_inlined;
}

/* ---- operations -------------------------------------------------------------------------------------------------- */

#define UNPARTITIONED \
    "the module is not partitioned yet: give the text after partitioning, jax.jit(f).lower(...).compile().as_text()"

static const struct {
    const char *target; /* or a part of it */
    const char *advice;
} target_advice[] = {
    {"python", "it calls back into Python, which a compiled program does not have: leave out jax.pure_callback, "
               "io_callback, jax.debug.print and the like"},
    {"xla.sdy.", UNPARTITIONED},
    {"SPMD", UNPARTITIONED},
};

static void report_target(const Instr *call, Diags *diags) {
    const char *target = instr_string(call, ATTR_CUSTOM_CALL_TARGET);
    diag_error(diags, call->op_span, E_NOT_COMPILED, "cannot compile 'custom-call' of target '%s' yet", target);
    for (size_t i = 0; i < sizeof target_advice / sizeof *target_advice; i++)
        if (strstr(target, target_advice[i].target)) {
            diag_note(diags, call->op_span, "%s", target_advice[i].advice);
            return;
        }
    diag_note(diags, call->op_span, "--custom-call=%s=FUNCTION makes it a call of a C function of yours", target);
}

static void report_op(const Instr *instr, Diags *diags) {
    if (instr->op == OP_CUSTOM_CALL) report_target(instr, diags);
    else if (has_unnamed_dims(instr))
        diag_error(diags, instr->op_span, E_NOT_COMPILED, "cannot compile a 'convolution' with '?' in its dim_labels");
    else diag_error(diags, instr->op_span, E_NOT_COMPILED, "cannot compile '%s' yet", op_name(instr->op));
}

/* ---- dims whose sizes only the run shows -------------------------------------------------------------------------*/

static bool has_dim(const Shape *shape, unsigned char kind) {
    for (int k = 0; k < shape->n_elements; k++)
        if (has_dim(shape->elements[k], kind)) return true;
    for (int d = 0; shape->dynamic && d < shape->rank; d++)
        if (shape->dynamic[d] == kind) return true;
    return false;
}

/* Where the mark of such a dim stands in the shape as it was written. */
static Span dim_span(const Diags *diags, const Instr *instr, const char *mark) {
    const char *text = diags->source->bytes;
    Span shape = instr->shape_span;
    for (uint32_t at = shape.begin; at + strlen(mark) <= shape.end; at++)
        if (memcmp(text + at, mark, strlen(mark)) == 0) return (Span){at, at + (uint32_t)strlen(mark)};
    return instr->op_span;
}

/* What follows from an operand is not said again. */
static bool check_dims(const Instr *instr, Diags *diags) {
    for (int k = 0; k < instr->n_operands; k++)
        if (has_dim(instr->operands[k]->shape, DIM_UNBOUNDED)) return false;
    if (has_dim(instr->shape, DIM_UNBOUNDED)) {
        diag_error(diags, dim_span(diags, instr, "?"), E_NOT_COMPILED,
                   "cannot compile a dimension of unknown size; give '%s' the size it has", instr->name);
        return false;
    }
    bool at_entry = instr->op == OP_PARAMETER && instr->parent == instr->parent->module->entry;
    if (!at_entry || !has_dim(instr->shape, DIM_BOUNDED)) return true;
    diag_error(diags, dim_span(diags, instr, "<="), E_NOT_COMPILED,
               "cannot compile a parameter whose size changes from call to call yet; give '%s' one size", instr->name);
    return false;
}

/* ---- between devices --------------------------------------------------------------------------------------------- */

static void check_devices(const Instr *instr, Diags *diags) {
    bool transfer = instr->op == OP_SEND || instr->op == OP_RECV;
    if (instr->op == OP_COLLECTIVE_PERMUTE && instr_attr(instr, ATTR_SLICE_SIZES))
        diag_error(diags, instr->op_span, E_NOT_COMPILED, "cannot compile a '%s' into a part of its operand",
                   op_name(instr->op));
    if (transfer && !instr_is_host_transfer(instr) && !instr_transfer_pairs(instr->parent->module->arena, instr).n)
        diag_error(diags, instr->op_span, E_NOT_COMPILED,
                   "cannot compile '%s' without frontend_attributes={_xla_send_recv_source_target_pairs={{...}}}",
                       op_name(instr->op));
}

bool lower_can(const Module *module, const LowerOptions *options, Diags *diags) {
    int before = diags->n_errors;
    for (int c = 0; c < module->computations.n; c++)
        for (int i = 0; i < module->computations.at[c]->instrs.n; i++) {
            const Instr *instr = module->computations.at[c]->instrs.at[i];
            if (check_dims(instr, diags) && !is_compiled(instr, options)) report_op(instr, diags);
            check_devices(instr, diags);
        }
    return diags->n_errors == before;
}
