/* Running computations: instructions in order, each value kept until its last use. */
#include <string.h>

#include "ir/eval/dynamic.h"
#include "ir/eval/rule.h"

/* One level of calls takes a few hundred bytes of C stack. */
enum { DEEPEST_CALLS = 2000 };

static EvalRule *const rules[N_OPS] = {
#define OP(id, text, operands, shape, access, element, eval, ...) [OP_##id] = eval_##eval,
#include "ir/ops.def"
#undef OP
};

Value *eval_error(Eval *eval, const Instr *instr, const char *format, ...) {
    if (!eval->diags) return NULL;
    va_list args;
    va_start(args, format);
    const char *message = arena_vprintf(eval->diags->arena, format, args);
    va_end(args);
    diag_error(eval->diags, instr->op_span, NULL, "%s", message);
    return NULL;
}

Value *eval_later(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)shape, (void)operands;
    return eval_error(eval, instr, "cannot evaluate '%s'", op_name(instr->op));
}

bool eval_is_map(Op op) {
    return rules[op] == eval_map;
}

Value *eval_one(Eval *eval, const Instr *instr, Value **operands) {
    if (dynamic_concerns(instr, operands)) return dynamic_eval(eval, instr, rules[instr->op], operands);
    return rules[instr->op](eval, instr, instr->shape, operands);
}

/* One run of a computation. */
typedef struct {
    Eval *eval;
    const Computation *computation;
    Value **values; /* by position of the instruction; NULL before and after its life */
    int *uses;      /* left, by position; the root's result counts as one */
    Value **operands; /* of the instruction at hand */
} Frame;

static void frame_init(Frame *frame, Eval *eval, const Computation *computation) {
    *frame = (Frame){.eval = eval, .computation = computation};
    size_t n = 0, most_operands = 1;
    for (int i = 0; i < computation->instrs.n; i++) {
        const Instr *instr = computation->instrs.at[i];
        if ((size_t)instr->position >= n) n = (size_t)instr->position + 1;
        if ((size_t)instr->n_operands > most_operands) most_operands = (size_t)instr->n_operands;
    }
    char *block = base_malloc(n * (sizeof(Value *) + sizeof(int)) + most_operands * sizeof(Value *));
    frame->values = (Value **)(void *)block;
    frame->operands = frame->values + n;
    frame->uses = (int *)(void *)(frame->operands + most_operands);
    memset(frame->values, 0, n * sizeof(Value *));
    for (int i = 0; i < computation->instrs.n; i++) {
        const Instr *instr = computation->instrs.at[i];
        frame->uses[instr->position] = instr->users.n + (instr == computation->root);
    }
}

static void frame_free(Frame *frame) {
    for (int i = 0; i < frame->computation->instrs.n; i++)
        value_release(frame->values[frame->computation->instrs.at[i]->position]);
    base_free(frame->values);
}

static void release_all(Value **values, int n) {
    for (int i = 0; i < n; i++) value_release(value_take(&values[i]));
}

/* Moves operands out of the frame at their last use, so that the rule alone holds what dies here. */
static void fetch_operands(Frame *frame, const Instr *instr) {
    for (int k = 0; k < instr->n_operands; k++) {
        int position = instr->operands[k]->position;
        bool dies = --frame->uses[position] == 0;
        frame->operands[k] = dies ? value_take(&frame->values[position]) : value_retain(frame->values[position]);
    }
}

/* Instructions that nobody uses are left out, unless they do something. */
static bool run_instrs(Frame *frame) {
    const Computation *computation = frame->computation;
    for (int i = 0; i < computation->instrs.n; i++) {
        const Instr *instr = computation->instrs.at[i];
        if (instr->op == OP_PARAMETER) continue;
        fetch_operands(frame, instr);
        bool used = frame->uses[instr->position] > 0, failed = false;
        if (used || op_flags(instr->op) & OP_EFFECT || instr->op == OP_CUSTOM_CALL) {
            Value *value = eval_one(frame->eval, instr, frame->operands);
            if (used) frame->values[instr->position] = value;
            else value_release(value);
            failed = !value;
        }
        release_all(frame->operands, instr->n_operands);
        if (failed) return false;
    }
    return true;
}

Value *computation_run(Eval *eval, const Computation *computation, Value **arguments) {
    if (eval->depth == DEEPEST_CALLS) {
        release_all(arguments, computation->n_parameters);
        return eval_error(eval, computation->root, "calls are nested more than %d deep here", DEEPEST_CALLS);
    }
    eval->depth++;
    Frame frame;
    frame_init(&frame, eval, computation);
    for (int k = 0; k < computation->n_parameters; k++) {
        const Instr *parameter = computation->parameters[k];
        Value *argument = value_take(&arguments[k]);
        if (frame.uses[parameter->position] > 0) frame.values[parameter->position] = argument;
        else value_release(argument);
    }
    Value *result = NULL;
    if (run_instrs(&frame)) {
        result = value_take(&frame.values[computation->root->position]);
    }
    frame_free(&frame);
    eval->depth--;
    return result;
}
