/* HLO IR: a Module of Computations of Instrs.
 *
 * Invariants (hlo_check verifies them after every pass in tests and debug builds)
 *   - operands and called computations are defined before their use: instrs of a computation stand in an order in which
 *     every operand comes first; computations of a module stand callees first
 *   - users of an instr: every instr of the same computation that has it as operand, one entry per operand slot
 *   - names are unique within a computation (instrs) and a module (computations); they are those of the text as long
 *     as the instr lives. Instrs made by passes get fresh names from instr_new
 *   - shapes agree with the opcode's rule (hlo_infer)
 *   - every instr keeps the span of the text it came from; made by a pass, the span of what it replaces
 *   - a computation has exactly one parameter instr per parameter number, 0 .. n_parameters-1
 *   - nothing is freed: everything lives in the module's arena */
#ifndef IR_HLO_H
#define IR_HLO_H

#include "base/diag.h"
#include "base/table.h"
#include "base/text.h"
#include "base/vec.h"
#include "ir/attr.h"
#include "ir/literal.h"
#include "ir/op.h"
#include "ir/shape.h"

typedef struct Module Module;

struct Instr {
    Op op;
    int n_operands;
    const char *name; /* without % */
    const Shape *shape;
    Instr **operands;
    VEC(Instr *) users;
    VEC(Attr) attrs;
    const Literal *literal;   /* constant */
    int64_t parameter_number; /* parameter */
    Computation *parent;
    Span span;        /* the whole instruction */
    Span op_span;     /* the opcode */
    Span shape_span;  /* the shape in front of it; {0, 0}: omitted, inferred */
    Span *operand_spans; /* n_operands of them, or NULL */
    int position;     /* in parent->instrs; renumbered by computation_renumber */
    int mark;         /* scratch for passes; no meaning between them */
};

struct Computation {
    const char *name;
    Module *module;
    VEC(Instr *) instrs;
    Instr *root;
    int n_parameters;
    Instr **parameters; /* by number */
    const char *execution_thread; /* NULL: main */
    const Attr *backend_config;   /* NULL: none */
    const Shape
        *promised; /* the result in its signature, (parameters) -> result; NULL: none, or it was not read whole */
    Span promised_span;
    bool is_inline;     /* written as an attribute's value, without a name of its own */
    StringTable names;  /* of instrs */
    StringTable last_numbers; /* of instr_fresh_name */
    Span span;
    Span name_span;
};

/* Attributes of the header. */
typedef struct {
    bool is_scheduled, alias_passthrough_params;
    bool has_entry_layout;           /* entry_computation_layout stood in the text */
    int n_entry_parameters;          /* of the layout */
    const Shape *const *entry_parameters; /* with the layouts of the interface; always set after reading */
    const Shape *entry_result;
    int n_aliases;
    const AliasEntry *input_output_alias; /* output index : (parameter, its index, kind) */
    bool has_aliases;
    int n_donors;
    const AliasEntry *buffer_donor; /* operand, operand_index */
    bool has_donors;
    int64_t replica_count, num_partitions;
    int64_t advised_partitions; /* num_partitions of the text, where the module was not partitioned; 0: it was */
    int n_written;
    const Attr *written; /* all of them as they stood in the text, for the places of messages */
    const char *spmd_parameters, *spmd_output; /* allow_spmd_sharding_propagation_to_...: canonical text, or NULL */
    int n_frontend_attributes;
    const DictEntry *frontend_attributes;
    bool has_frontend_attributes;
    const Attr *backend_config;
    const char *origin_recovery_table, *debug_attributes; /* canonical text, or NULL */
    const char *stack_frames; /* the four sections, canonical text, or NULL */
} ModuleAttrs;

struct Module {
    Arena *arena;
    Source *source; /* NULL for modules made in memory */
    const char *name;
    ModuleAttrs attrs;
    VEC(Computation *) computations; /* callees first */
    Computation *entry;
    StringTable names; /* of computations */
    StringTable last_numbers; /* of computation_new */
    Span name_span;
    bool has_header; /* HloModule stood in the text */
};

Module *module_new(Arena *arena, const char *name);

/* A computation at the end of the module. name is made unique. */
Computation *computation_new(Module *module, const char *name);

/* A name that no computation of the module has yet. */
const char *computation_fresh_name(Module *module, const char *base);

/* A new instr at the end of its computation, named base (made unique: base, base.1, ...). Operands' users are kept up
 * to date. parameter_number and literal are for the caller to set. */
Instr *instr_new(Computation *computation, Op op, const char *base, const Shape *shape, int n_operands,
                 Instr *const *operands, Span span);

/* The same with exactly that name, which no instr of the computation has yet. */
Instr *instr_new_named(Computation *computation, Op op, const char *name, const Shape *shape, int n_operands,
                       Instr *const *operands, Span span);

/* A name that no instr of the computation has yet. */
const char *instr_fresh_name(Computation *computation, const char *base);

void instr_add_attr(Instr *instr, Attr attr);
void instr_set_operand(Instr *instr, int k, Instr *value); /* keeps both users lists */
void instr_replace_uses(Instr *old, Instr *new_one);        /* all users of old, and parent->root */

/* Gives instrs their positions again, sorted so that operands come first (stable: the order of the list otherwise),
 * and drops those with mark < 0. */
void computation_renumber(Computation *computation);

/* Attributes. Getters give the default when the attribute is absent. */
const Attr *instr_attr(const Instr *instr, AttrId id); /* NULL: absent */
int64_t instr_int(const Instr *instr, AttrId id, int64_t otherwise);
bool instr_bool(const Instr *instr, AttrId id, bool otherwise);
const char *instr_string(const Instr *instr, AttrId id); /* NULL: absent */
IntList instr_ints(const Instr *instr, AttrId id);       /* empty: absent */
Computation *instr_computation(const Instr *instr, AttrId id);
/* The window, with one entry per dim of the op's window space (a default one of size 1 if the attribute is absent). */
Window instr_window(const Instr *instr, int n_dims);
/* The number behind "key = " in a backend_config that is a dictionary, like {uplo = 76 : ui8, left = true}. */
int64_t instr_config_number(const Instr *instr, const char *key, int64_t otherwise);
const char *instr_op_name(const Instr *instr);    /* metadata op_name, or NULL */
const char *instr_frontend(const Instr *instr, const char *key); /* value of a frontend attribute, or NULL */

/* send, recv and their dones: who sends to whom (source, target, source, target ...: partitions, or replicas where
 * there is one partition), as _xla_send_recv_source_target_pairs of the send or recv says. Empty: it does not say. */
IntList instr_transfer_pairs(Arena *arena, const Instr *transfer);
/* Whether it is with the host, not with another device. */
bool instr_is_host_transfer(const Instr *transfer);

/* Whether it does something besides giving its result: it may not be left out, nor done once for two. */
bool instr_has_effect(const Instr *instr);

/* Computations that instr calls, in the order of its attributes: how many there are, and the first capacity of them. */
int instr_called(const Instr *instr, Computation **out, int capacity);

/* How a compare compares: what `type=` or `order=` say, or the operand type's own way. */
ComparisonType compare_type(const Instr *compare);

/* HLO text. parse of the print is the same module; print of that is the same text. */
typedef struct {
    bool metadata;       /* metadata, origin, stack frames, statistics */
    int64_t elide_above; /* arrays of more elements print as {...}; 0: never */
} HloPrintOptions;
void hlo_print(Text *out, const Module *module, HloPrintOptions options);
void hlo_print_instr(Text *out, const Instr *instr, HloPrintOptions options);

/* The shape that instr's opcode, operands and attributes give (declared shapes of opcodes flagged SHAPE are checked
 * instead). NULL when they make no sense: then errors were reported. instr->shape may be NULL on entry. */
const Shape *hlo_infer(const Instr *instr, Diags *diags);

/* Verifies a module: the user's faults (shapes, attributes, operand types) go to diags with their places. */
void hlo_verify(const Module *module, Diags *diags);

/* Checks the invariants above, after a pass. A violation is ours: internal_error names the pass and the instr. */
void hlo_check(const Module *module, const char *pass);

#endif
