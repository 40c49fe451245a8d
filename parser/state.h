/* What the parser keeps between its actions. */
#ifndef PARSER_STATE_H
#define PARSER_STATE_H

#include "base/table.h"
#include "base/vec.h"
#include "ir/hlo.h"
#include "lexer/lexer.h"
#include "parser/devices.h"
#include "parser/literals.h"
#include "parser/parser.h"
#include "parser/parts.h"
#include "parser/shapes.h"

/* Brackets within brackets: of shapes, literals, operands, computations and the rest together. */
enum { DEEPEST_NESTING = 500 };

/* A value being read: of an attribute, or of a part of one. */
typedef struct {
    const char *name;
    Span span;     /* of the name */
    AttrKind kind;
    bool ignored;  /* reported, or unknown and allowed: read, but not kept */
    const PartRow *row; /* of a part, else NULL */
    Attr value;
    int first_part, first_shape, first_callee; /* what of Parser.parts, .shapes and .callees belongs to it */
} Naming;

/* A part that was read: size=3x3. */
typedef struct {
    const PartRow *row;
    Span name;
    Attr value;
} Part;

/* An opcode whose operands or attributes are being read. Frames of nested operands stand above their user's. */
typedef struct {
    Op op;
    Op wrapped;    /* X of X-start, X-update, X-done where these are no opcodes of their own; else N_OPS */
    Span op_span;
    const Shape *declared; /* NULL: omitted */
    Span declared_span;
    int first_operand;     /* in Parser.operands */
    VEC(Attr) attrs;
    bool broken;           /* something was reported: it does not become an instr */
    Literal *literal;
    int64_t parameter_number;
    Span parameter_span;
} Frame;

/* A name that was used without a definition so far: what stands in for it. */
typedef struct {
    Instr *instr;
    Computation *computation; /* one of the two */
    Span span;                /* of the first use */
} MissingName;

/* A computation whose instructions are being read. Inline ones stand above the one they belong to. */
typedef struct {
    Computation *computation;
    bool is_entry;
    bool broken;          /* something in it was reported */
    bool lost_names;      /* an instruction was passed over whose name is not known */
    const Shape *signature; /* the result that the signature promises, or NULL */
    Span signature_span;
    const char *name;     /* of the instruction being read; NULL between two */
    Span name_span;
    bool is_root;
    Span root_span;       /* the word ROOT; {0, 0}: not seen */
    VEC(MissingName) missing;
    KeyTable elements;    /* of name#index */
    int first_frame, first_naming, nesting; /* what was there before */
} Level;

typedef struct {
    Arena *arena, *scratch; /* scratch: gone when the text is read */
    Diags *diags;
    ParseOptions options;
    Source *source;
    Lexer *lexer;
    StringTable opcodes, attributes, types; /* word -> enum value + 1 */

    /* Tokens. */
    Token last;      /* the last one of the text */
    bool has_saved;  /* it is to be given again */
    int pending;     /* put in before the next one of the text; 0: none */
    int cuts;        /* computations to close */
    Span suspect_dict; /* a dict over several lines that may have swallowed the brace of its computation */
    bool recovering; /* tokens are passed over up to where the next instruction or computation begins ... */
    bool recheck;    /* ... which may be `last` */
    uint32_t last_fault; /* where the last syntax error was */
    bool stopped;    /* enough errors */
    bool faulty;     /* something was reported since the instruction, or the last declared shape */
    bool silent;     /* the last error was one too many and not reported */

    /* Modules. */
    VEC(Module *) modules;
    Module *module;       /* being read; NULL: none yet */
    VEC(Attr) header;     /* its attributes */
    bool single;          /* the text is one instruction */
    Computation *closed;  /* attributes are this computation's; NULL: a header's or an instruction's */
    VEC(Attr) trailer;    /* of closed */
    const Shape *signature; /* of the computation whose head is being read */
    Span signature_span, entry_span;
    VEC(MissingName) missing_computations;
    Text frames;          /* stack frames, in canonical spelling */

    /* Stacks. */
    VEC(Level) levels;
    VEC(Frame) frames_open;
    VEC(Naming) namings;
    VEC(ShardingDraft) shardings;
    int nesting;

    /* Lists being read. */
    VEC(Instr *) operands;
    VEC(Span) operand_spans;
    VEC(int64_t) path;
    VEC(Span) path_spans;
    VEC(int64_t) ints;
    VEC(IntList) int_lists;
    VEC(const Shape *) shapes;
    VEC(Span) shape_spans;
    VEC(Computation *) callees;
    VEC(Instr *) instrs;
    VEC(SliceDim) slices;
    VEC(AliasEntry) aliases;
    VEC(DictEntry) entries;
    VEC(Part) parts;
    const char *entry_key;

    /* Things being read. */
    const Shape *declared; /* a shape in front of an opcode or operand, until that takes it */
    Span declared_span;
    bool declared_broken;  /* something was reported about it */
    ShapeDraft shape;
    KeyTable known_shapes; /* hash -> Shape */
    LiteralDraft literal;
    Iota iota;
    Mesh mesh;
} Parser;


#endif
