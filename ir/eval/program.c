#include "ir/eval/program.h"

#include <string.h>

/* Beyond these, computations are called, not inlined: nesting can make text of n lines 2^n steps long. */
enum { DEEPEST_INLINING = 64, MOST_INLINED = 256 };

typedef struct {
    MapPlan plan;
    int in[3], out;
} Step;

struct Program {
    const Computation *computation;
    bool compiled; /* steps are the computation; otherwise it is called */
    int n_results;
    DType *result_dtypes;
    int *results; /* registers */
    VEC(Step) steps;
    VEC(void *) registers;    /* LANES elements each; of a parameter: set when it runs */
    VEC(DType) dtypes;        /* of registers */
    const void **current;     /* registers while it runs, parameters included */
};

/* What an instruction stands for while compiling: a register, or a tuple of slots. */
typedef struct Slot Slot;
struct Slot {
    int reg;
    int n_elements;
    Slot **elements;
};

typedef struct {
    Eval *eval;
    Program *program;
    int depth, n_inlined;
} Compiler;

static Slot *compile(Compiler *compiler, const Computation *computation, Slot *const *arguments);

static int register_new(Compiler *compiler, DType dtype) {
    Arena *arena = compiler->eval->arena;
    Program *program = compiler->program;
    vec_push(arena, &program->registers, arena_alloc(arena, (size_t)dtype_bytes(dtype) * LANES));
    vec_push(arena, &program->dtypes, dtype);
    return program->registers.n - 1;
}

static Slot *slot_new(Compiler *compiler, int reg) {
    Slot *slot = NEW(compiler->eval->arena, Slot);
    slot->reg = reg;
    return slot;
}

static bool is_scalar(const Shape *shape) {
    return shape_is_array(shape) && shape->rank == 0;
}

/* NULL when the literal is no scalar or tuple of scalars. */
static Slot *compile_literal(Compiler *compiler, const Literal *literal) {
    Slot *slot = slot_new(compiler, -1);
    if (shape_is_tuple(literal->shape)) {
        slot->n_elements = literal->shape->n_elements;
        slot->elements = NEW_ARRAY(compiler->eval->arena, Slot *, slot->n_elements);
        for (int k = 0; k < slot->n_elements; k++) {
            slot->elements[k] = compile_literal(compiler, literal->elements[k]);
            if (!slot->elements[k]) return NULL;
        }
        return slot;
    }
    if (!is_scalar(literal->shape) || literal->elided) return NULL;
    slot->reg = register_new(compiler, literal->shape->dtype);
    size_t bytes = (size_t)dtype_bytes(literal->shape->dtype);
    char *at = compiler->program->registers.at[slot->reg];
    for (size_t i = 0; i < LANES; i++) memcpy(at + i * bytes, literal->data, bytes);
    return slot;
}

static Slot *compile_step(Compiler *compiler, const Instr *instr, Slot *const *operands) {
    Step step = {.out = -1};
    if (!is_scalar(instr->shape) || !map_plan(&step.plan, instr)) return NULL;
    for (int k = 0; k < instr->n_operands; k++) {
        if (!is_scalar(instr->operands[k]->shape)) return NULL;
        step.in[k] = operands[k]->reg;
    }
    step.out = register_new(compiler, instr->shape->dtype);
    vec_push(compiler->eval->arena, &compiler->program->steps, step);
    return slot_new(compiler, step.out);
}

static Slot *compile_tuple(Compiler *compiler, const Instr *instr, Slot *const *operands) {
    Slot *slot = slot_new(compiler, -1);
    slot->n_elements = instr->n_operands;
    slot->elements = NEW_ARRAY(compiler->eval->arena, Slot *, slot->n_elements);
    for (int k = 0; k < slot->n_elements; k++) slot->elements[k] = operands[k];
    return slot;
}

static Slot *compile_instr(Compiler *compiler, const Instr *instr, Slot *const *operands) {
    switch ((int)instr->op) {
    case OP_CONSTANT: return compile_literal(compiler, instr->literal);
    case OP_TUPLE: return compile_tuple(compiler, instr, operands);
    case OP_GET_TUPLE_ELEMENT: return operands[0]->elements[instr_int(instr, ATTR_INDEX, 0)];
    case OP_OPT_BARRIER: case OP_DOMAIN: return operands[0];
    case OP_COPY: case OP_RESHAPE: case OP_BROADCAST:
        return is_scalar(instr->shape) && is_scalar(instr->operands[0]->shape) ? operands[0] : NULL;
    case OP_CALL: return compile(compiler, instr_computation(instr, ATTR_TO_APPLY), operands);
    case OP_FUSION: return compile(compiler, instr_computation(instr, ATTR_CALLS), operands);
    case OP_MAP:
        return is_scalar(instr->shape) ? compile(compiler, instr_computation(instr, ATTR_TO_APPLY), operands) : NULL;
    default: return compile_step(compiler, instr, operands);
    }
}

/* NULL when the computation is more than elementwise operations on scalars. */
static Slot *compile(Compiler *compiler, const Computation *computation, Slot *const *arguments) {
    if (compiler->depth++ == DEEPEST_INLINING || compiler->n_inlined++ == MOST_INLINED) return NULL;
    Arena *arena = compiler->eval->arena;
    Slot **slots = NEW_ARRAY(arena, Slot *, computation->instrs.n);
    for (int i = 0; i < computation->instrs.n; i++) {
        const Instr *instr = computation->instrs.at[i];
        if (instr->op == OP_PARAMETER) {
            slots[instr->position] = arguments[instr->parameter_number];
            continue;
        }
        Slot **operands = NEW_ARRAY(arena, Slot *, instr->n_operands);
        for (int k = 0; k < instr->n_operands; k++) operands[k] = slots[instr->operands[k]->position];
        slots[instr->position] = compile_instr(compiler, instr, operands);
        if (!slots[instr->position]) return NULL;
    }
    compiler->depth--;
    return slots[computation->root->position];
}

static bool compile_program(Compiler *compiler, const Computation *computation) {
    Program *program = compiler->program;
    Slot **arguments = NEW_ARRAY(compiler->eval->arena, Slot *, computation->n_parameters);
    for (int k = 0; k < computation->n_parameters; k++) {
        const Shape *shape = computation->parameters[k]->shape;
        if (!is_scalar(shape)) return false;
        arguments[k] = slot_new(compiler, register_new(compiler, shape->dtype));
    }
    Slot *root = compile(compiler, computation, arguments);
    if (!root) return false;
    for (int k = 0; k < program->n_results; k++) {
        const Slot *slot = root->elements ? root->elements[k] : root;
        if (slot->elements) return false;
        program->results[k] = slot->reg;
    }
    return true;
}

static int root_leaves(const Shape *shape) {
    return shape_is_tuple(shape) ? shape->n_elements : 1;
}

Program *program_of(Eval *eval, const Computation *computation) {
    Program *program = key_table_get(&eval->programs, POINTER_KEY(computation));
    if (program) return program;
    program = NEW(eval->arena, Program);
    key_table_put(eval->arena, &eval->programs, POINTER_KEY(computation), program);
    const Shape *root = computation->root->shape;
    program->computation = computation;
    program->n_results = root_leaves(root);
    program->results = NEW_ARRAY(eval->arena, int, program->n_results);
    program->result_dtypes = NEW_ARRAY(eval->arena, DType, program->n_results);
    for (int k = 0; k < program->n_results; k++)
        program->result_dtypes[k] = shape_is_tuple(root) ? root->elements[k]->dtype : root->dtype;
    Compiler compiler = {eval, program, 0, 0};
    program->compiled = compile_program(&compiler, computation);
    program->current = NEW_ARRAY(eval->arena, const void *, program->registers.n);
    return program;
}

DType program_parameter_dtype(const Program *program, int k) {
    return program->computation->parameters[k]->shape->dtype;
}

DType program_result_dtype(const Program *program, int k) {
    return program->result_dtypes[k];
}

static size_t parameter_bytes(const Program *program, int k) {
    return (size_t)dtype_bytes(program_parameter_dtype(program, k));
}

/* At most LANES elements. */
static void run_steps(Program *program, const void *const *arguments, void *const *results, int64_t start, int n) {
    int n_parameters = program->computation->n_parameters;
    for (int k = 0; k < n_parameters; k++)
        program->current[k] = (const char *)arguments[k] + (size_t)start * parameter_bytes(program, k);
    for (int r = n_parameters; r < program->registers.n; r++) program->current[r] = program->registers.at[r];
    for (int s = 0; s < program->steps.n; s++) {
        Step *step = &program->steps.at[s];
        const void *in[3];
        for (int k = 0; k < step->plan.n_in; k++) in[k] = program->current[step->in[k]];
        map_run(&step->plan, program->registers.at[step->out], in, n);
    }
    /* An argument that is also a result must survive the storing of the results before it: its register is free. */
    for (int k = 0; k < program->n_results; k++) {
        int r = program->results[k];
        if (r >= n_parameters || program->n_results == 1) continue;
        memcpy(program->registers.at[r], program->current[r], (size_t)n * parameter_bytes(program, r));
        program->current[r] = program->registers.at[r];
    }
    for (int k = 0; k < program->n_results; k++) {
        size_t bytes = (size_t)dtype_bytes(program->result_dtypes[k]);
        memmove((char *)results[k] + (size_t)start * bytes, program->current[program->results[k]], (size_t)n * bytes);
    }
}

static bool call_element(Eval *eval, Program *program, const void *const *arguments, void *const *results, int64_t i) {
    const Computation *computation = program->computation;
    Value **values = base_malloc((size_t)computation->n_parameters * sizeof *values);
    for (int k = 0; k < computation->n_parameters; k++) {
        size_t bytes = parameter_bytes(program, k);
        values[k] = value_new(computation->parameters[k]->shape);
        memcpy(values[k]->data, (const char *)arguments[k] + (size_t)i * bytes, bytes);
    }
    Value *result = computation_run(eval, computation, values);
    base_free(values);
    if (!result) return false;
    for (int k = 0; k < program->n_results; k++) {
        size_t bytes = (size_t)dtype_bytes(program->result_dtypes[k]);
        const Value *leaf = result->elements ? result->elements[k] : result;
        memcpy((char *)results[k] + (size_t)i * bytes, leaf->data, bytes);
    }
    value_release(result);
    return true;
}

bool program_run(Eval *eval, Program *program, const void *const *arguments, void *const *results, int64_t n) {
    if (!program->compiled) {
        for (int64_t i = 0; i < n; i++)
            if (!call_element(eval, program, arguments, results, i)) return false;
        return true;
    }
    for (int64_t start = 0; start < n; start += LANES)
        run_steps(program, arguments, results, start, n - start < LANES ? (int)(n - start) : LANES);
    return true;
}

Op computation_single_op(const Computation *computation) {
    const Instr *root = computation->root;
    if (computation->n_parameters != 2 || root->n_operands != 2) return N_OPS;
    const Instr *x = root->operands[0], *y = root->operands[1];
    if (x->op != OP_PARAMETER || y->op != OP_PARAMETER || x == y) return N_OPS;
    bool in_order = x->parameter_number < y->parameter_number;
    return in_order || op_flags(root->op) & OP_COMMUTES ? root->op : N_OPS;
}

bool computation_returns_parameter(const Computation *computation, int k) {
    return computation->root->op == OP_PARAMETER && computation->root->parameter_number == k;
}
