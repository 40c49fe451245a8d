/* The grammar of HLO text (hlo-text-format).
 *
 * It knows forms, not words: which opcodes, attributes and element types there are is looked up in the actions. A name
 * found by `attribute_name`, `part_name` or `opcode` decides what must follow; the action then puts a token before the
 * next one of the text (T_K_INTS, T_K_SHARDING ..., T_LITERAL) that selects the rule for it. This works because these actions
 * run before bison asks for a token: their states have no other choice. The same holds for lexer_expect_dict.
 *
 * After an error the tokens up to the next beginning of an instruction or computation are passed over
 * (parser/recovery.c): T_RESYNC stands for them, T_CUT for a brace that should have closed a computation. */
%code requires {
#include "parser/state.h"
}

%code {
#include "parser/actions.h"
#include "parser/tokens.h"

static void grammar_error(const Span *span, Parser *p, const char *message);
}

%define api.pure full
%define api.prefix {grammar_}
%define api.token.prefix {T_}
%define api.location.type {Span}
%define parse.error custom
%define parse.lac full
%locations
%param {Parser *p}
%expect 0

%code requires {
/* A location is the range of bytes from the first symbol of a rule to its last; one that the parser put in has none. An
 * empty rule stands behind what is in front of it. */
#define YYLLOC_DEFAULT(current, rhs, n)                                    \
    ((current) = !(n) ? (Span){YYRHSLOC(rhs, 0).end, YYRHSLOC(rhs, 0).end} \
                      : span_join(YYRHSLOC(rhs, (n) > 1 && !YYRHSLOC(rhs, 1).end ? 2 : 1), YYRHSLOC(rhs, n)))
}

%union {
    TokenText text;
    int64_t number;
    IntList ints;
    const Shape *shape;
    Computation *computation;
}

/* Tokens of the lexer. */
%token END 0 "end of text"
%token <text> WORD "word" CALL "word(" NAME "%name" LABEL "name:" KEY "name=" KEYWORD "keyword" TYPE "type" BUFFER "b("
%token <text> TRUE "true" FALSE "false" INF "inf" NEGATIVE_INF "-inf" NAN "nan" INT "integer" DECIMAL "decimal number"
%token <text> SIZES "3x3" PADS "low_high" DIM_LABELS "b01f_01io->b01f" SPARSITY "L.1@2:4" STRING "string" DICT "{...}"
%token HLO_MODULE "HloModule" ENTRY "ENTRY" ROOT "ROOT" FILE_NAMES "FileNames" FUNCTION_NAMES "FunctionNames"
%token FILE_LOCATIONS "FileLocations" STACK_FRAMES "StackFrames"
%token ARROW "->" AT_MOST "<=" DOTS "..." DIGIT_BRACE "{0" DEVICES_COMMA ", device_ids="

/* Tokens that the parser puts in. */
%token RESYNC CUT SKIPPED
%token LITERAL PARAMETER
%token K_INT K_BOOL K_FLOAT K_STRING K_WORD K_INTS K_BOOLS K_BOOL_OR_BOOLS K_INT_LISTS K_INTS_OR_LISTS K_COMPUTATION
%token K_COMPUTATIONS K_NAMES K_SPACED K_LOOSE K_LISTED K_DIM_LABELS K_PADDING K_SIZES K_SLICES K_WORDS K_KEYWORDS
%token K_SHAPE K_SHAPES K_ALIASING K_GROUPS
%token K_LITERAL K_DICTIONARY K_SHARDING K_CONFIG K_STATISTICS K_SPARSITY K_ORIGIN K_DONORS K_ENTRY_LAYOUT
%token K_RECOVERY_TABLE K_DEBUG K_DEVICES K_METADATAS K_AXES K_UNREDUCED

%type <text> name computation_name opcode nested_opcode number bool level_flags
%type <number> int tuple_open
%type <ints> ints int_set shape_index
%type <shape> shape array_shape
%type <computation> callee

/* A brace behind a shape that could begin its layout does; a comma behind a device is followed by another;
 * T( behind the sizes of iota groups is their order. */
%precedence ENOUGH
%precedence DIGIT_BRACE ',' CALL

%%

text
    : modules
    | computations                          { module_end(p); }
    | instruction                           { single_end(p); }
    | typed call attributes                 { instruction_end(p, @$); single_end(p); }
    ;

modules
    : module
    | modules module
    ;

module
    : header computations                   { module_end(p); }
    ;

header
    : header_name header_attributes stack_frames
    | header_name header_attributes error RESYNC    { forget_value(p); yyerrok; }
    | HLO_MODULE error RESYNC               { module_begin(p, (TokenText){"", 0}, @1); yyerrok; }
    ;

header_name
    : HLO_MODULE name                       { module_begin(p, $2, @2); }
    ;

header_attributes
    : %empty
    | header_attributes ',' attribute
    ;

/* ---- computations ------------------------------------------------------------------------------------------------ */

computations
    : computation
    | computations computation
    ;

computation
    : computation_head instructions computation_close computation_attributes    { computation_end(p); }
    | computation_head instructions computation_close computation_attributes error RESYNC
                                            { forget_value(p); computation_end(p); yyerrok; }
    ;

computation_head
    : computation_name signature lbrace     { computation_begin(p, $1, @1, (Span){0, 0}); }
    | ENTRY computation_name signature lbrace   { computation_begin(p, $2, @2, @1); }
    ;

computation_name
    : name
    | CALL
    ;

computation_close
    : '}'                                   { computation_close(p, @1); }
    | CUT                                   { computation_cut(p); }
    ;

computation_attributes
    : %empty
    | computation_attributes ',' attribute
    ;

signature
    : %empty                                { p->signature = NULL; }
    | '(' signature_parameters ')' ARROW shape { p->signature = $5; p->signature_span = @5; }
    ;

signature_parameters
    : %empty
    | signature_parameter_list
    ;

signature_parameter_list
    : signature_parameter
    | signature_parameter_list ',' signature_parameter
    ;

signature_parameter
    : name shape
    | CALL shape
    ;

name
    : WORD
    | NAME
    | LABEL
    ;

/* ---- instructions ------------------------------------------------------------------------------------------------ */

instructions
    : instruction
    | instructions instruction
    | instructions error RESYNC             { instruction_broken(p); yyerrok; }
    | error RESYNC                          { instruction_broken(p); yyerrok; }
    ;

instruction
    : instruction_head typed call attributes    { instruction_end(p, @$); }
    | instruction_head call attributes      { instruction_end(p, @$); }
    ;

instruction_head
    : name '='                              { instruction_begin(p, $1, @1, (Span){0, 0}); }
    | ROOT name '='                         { instruction_begin(p, $2, @2, @1); }
    ;

typed
    : shape                                 { shape_declare(p, $1, @1); }
    ;

call
    : opcode call_rest
    ;

nested_call
    : nested_opcode call_rest               { nested_end(p, @$); }
    ;

opcode
    : CALL                                  { if (!call_begin(p, $1, @1)) YYERROR; }
    | WORD                                  { if (!call_begin(p, $1, @1)) YYERROR; }
    ;

nested_opcode
    : CALL                                  { if (!call_begin(p, $1, @1)) YYERROR; }
    ;

call_rest
    : '(' operands ')'                      { nest_leave(p); }
    | LITERAL '(' literal_begin literal ')' { nest_leave(p); literal_end(p); }
    | PARAMETER '(' int ')'                 { nest_leave(p); call_parameter(p, $3, @3); }
    ;

literal_begin
    : %empty                                { literal_begin_constant(p); }
    ;

operands
    : %empty
    | operand_list
    ;

operand_list
    : operand
    | operand_list ',' operand
    ;

operand
    : name path                             { operand_reference(p, $1, @1, @$); }
    | typed name path                       { operand_reference(p, $2, @2, @$); }
    | nested_call
    | typed nested_call
    | typed                                 { operand_shape(p, @1); }
    ;

path
    : %empty
    | path '#' int                          { operand_index(p, $3, @3); }
    ;

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

shape
    : array_shape
    | tuple_open shape_list ')'             { nest_leave(p); $$ = shape_take_tuple(p, (int)$1); }
    | tuple_open ')'                        { nest_leave(p); $$ = shape_take_tuple(p, (int)$1); }
    | BUFFER '(' shape ')'                  { $$ = shape_buffer(p, $3, @3); }
    ;

tuple_open
    : '('                                   { if (!nest_enter(p, @1)) YYERROR; $$ = p->shapes.n; }
    ;

shape_list
    : shape                                 { shape_add(p, $1, @1); }
    | shape_list ',' shape                  { shape_add(p, $3, @3); }
    ;

array_shape
    : bare_array %prec ENOUGH               { $$ = shape_array_end(p, @$, (Span){0, 0}); }
    | bare_array layout                     { $$ = shape_array_end(p, @$, @2); }
    ;

bare_array
    : shape_type '[' dims ']'
    ;

shape_type
    : TYPE                                  { shape_begin(p, $1); }
    ;

dims
    : %empty
    | dim_list
    ;

dim_list
    : dim
    | dim_list ',' dim
    ;

dim
    : int                                   { shape_dim(p, $1, DIM_STATIC, @1); }
    | AT_MOST int                           { shape_dim(p, $2, DIM_BOUNDED, @2); }
    | '?'                                   { shape_dim(p, -1, DIM_UNBOUNDED, @1); }
    ;

layout
    : DIGIT_BRACE layout_order '}'
    | DIGIT_BRACE layout_order ':' layout_items '}'
    ;

layout_order
    : ints                                  { layout_begin(p, $1); }
    ;

layout_items
    : %empty
    | layout_items layout_item
    ;

layout_item
    : layout_letter layout_groups           { if (!layout_item_end(p, @$)) YYERROR; }
    | '#' '(' TYPE ')'                      { if (!layout_item_type(p, "#", $3, @3)) YYERROR; }
    | '*' '(' TYPE ')'                      { if (!layout_item_type(p, "*", $3, @3)) YYERROR; }
    ;

layout_letter
    : CALL                                  { if (!layout_item_begin(p, $1, @1)) YYERROR; }
    ;

layout_groups
    : layout_group
    | layout_groups layout_group
    ;

layout_group
    : layout_open ')'                       { layout_group_end(p); }
    | layout_open layout_arguments ')'      { layout_group_end(p); }
    ;

layout_open
    : '('                                   { layout_group_begin(p); }
    ;

layout_arguments
    : layout_argument
    | layout_arguments ',' layout_argument
    ;

layout_argument
    : int                                   { if (!layout_number(p, $1, @1)) YYERROR; }
    | int ':' int                           { if (!layout_split(p, $1, $3, @$)) YYERROR; }
    | '*'                                   { if (!layout_star(p, @1)) YYERROR; }
    | WORD level_flags                      { if (!layout_level(p, $1, $2, @1)) YYERROR; }
    ;

level_flags
    : %empty                                { $$ = (TokenText){"", 0}; }
    | '+'                                   { $$ = (TokenText){"+", 1}; }
    | '~'                                   { $$ = (TokenText){"~", 1}; }
    | '+' '~'                               { $$ = (TokenText){"+~", 2}; }
    ;

/* ---- literals ---------------------------------------------------------------------------------------------------- */

literal
    : INT                                   { if (!literal_number(p, $1, @1)) YYERROR; }
    | DECIMAL                               { if (!literal_number(p, $1, @1)) YYERROR; }
    | INF                                   { if (!literal_number(p, $1, @1)) YYERROR; }
    | NEGATIVE_INF                          { if (!literal_number(p, $1, @1)) YYERROR; }
    | NAN                                   { if (!literal_number(p, $1, @1)) YYERROR; }
    | TRUE                                  { if (!literal_truth(p, true, @1)) YYERROR; }
    | FALSE                                 { if (!literal_truth(p, false, @1)) YYERROR; }
    | literal_brace literals '}'            { if (!literal_close(p, @3)) YYERROR; }
    | literal_brace DOTS '}'                { if (!literal_elided(p, @$)) YYERROR; }
    | literal_paren literals ')'            { if (!literal_close(p, @3)) YYERROR; }
    ;

literal_brace
    : lbrace                                { if (!nest_enter(p, @1) || !literal_open_brace(p, @1)) YYERROR; }
    ;

literal_paren
    : '('                                   { if (!nest_enter(p, @1) || !literal_open_paren(p, @1)) YYERROR; }
    ;

literals
    : %empty
    | literal_list
    ;

literal_list
    : literal
    | literal_list ',' literal
    ;

typed_literal
    : literal_shape literal                 { typed_literal_end(p); }
    | typed_open typed_literals comma ')'   { nest_leave(p); typed_tuple_end(p); }
    | typed_open ')'                        { nest_leave(p); typed_tuple_end(p); }
    ;

literal_shape
    : array_shape                           { literal_begin(p, $1); }
    ;

typed_open
    : '('                                   { if (!nest_enter(p, @1)) YYERROR; typed_tuple_begin(p); }
    ;

typed_literals
    : typed_literal
    | typed_literals ',' typed_literal
    ;

/* ---- attributes -------------------------------------------------------------------------------------------------- */

attributes
    : %empty
    | attributes ',' attribute
    ;

attribute
    : attribute_name value                  { attribute_end(p, @2); }
    ;

attribute_name
    : KEY                                   { if (!attribute_begin(p, $1, @1)) YYERROR; }
    ;

/* Values with parts of their own. Commas between them are errors (window), allowed (metadata) or required. */
spaced_parts
    : %empty
    | spaced_parts part
    ;

loose_parts
    : %empty
    | loose_parts part
    | loose_parts ',' part
    ;

listed_parts
    : part
    | listed_parts ',' part
    ;

part
    : part_name value                       { part_end(p, @2); }
    ;

part_name
    : KEY                                   { if (!part_begin(p, $1, @1)) YYERROR; }
    ;

parts_begin
    : %empty                                { parts_begin(p); }
    ;

value
    : SKIPPED
    | K_INT int                             { value_int(p, $2); }
    | K_BOOL bool                           { value_int(p, $2.at[0] == 't'); }
    | K_FLOAT number                        { value_float(p, $2, @2); }
    | K_STRING STRING                       { value_string(p, $2, @2); }
    | K_WORD WORD                           { value_word(p, $2, @2); }
    | K_WORDS lbrace words '}'              { value_taken_ints(p); }
    | K_KEYWORDS lbrace keywords '}'
    | K_INTS int_set                        { value_ints(p, $2); }
    | K_BOOLS bool_set                      { value_taken_ints(p); }
    | K_BOOL_OR_BOOLS bool                  { value_text(p, @2); }
    | K_BOOL_OR_BOOLS bool_set              { value_text(p, @2); }
    | K_INT_LISTS int_lists                 { value_int_lists(p); }
    | K_INTS_OR_LISTS int_set               { value_ints(p, $2); }
    | K_INTS_OR_LISTS lbrace int_sets '}'   { value_int_lists(p); }
    | K_COMPUTATION callee                  { value_computations(p); }
    | K_COMPUTATIONS '{' callees '}'        { value_computations(p); }
    | K_NAMES lbrace names '}'              { value_instrs(p); }
    | K_SPACED lbrace parts_begin spaced_parts '}'  { value_parts(p, @$); }
    | K_LOOSE lbrace parts_begin loose_parts '}'    { value_parts(p, @$); }
    | K_LISTED lbrace parts_begin '}'       { value_parts(p, @$); }
    | K_LISTED lbrace parts_begin listed_parts '}'  { value_parts(p, @$); }
    | K_DIM_LABELS DIM_LABELS               { value_dim_labels(p, $2, @2); }
    | K_PADDING PADS                        { value_padding(p, $2); }
    | K_SIZES SIZES                         { value_sizes(p, $2); }
    | K_SIZES INT                           { value_sizes(p, $2); }
    | K_SLICES lbrace slices '}'            { value_slices(p); }
    | K_SHAPE shape                         { shape_add(p, $2, @2); value_shapes(p); }
    | K_SHAPES lbrace '}'                   { value_shapes(p); }
    | K_SHAPES lbrace shape_list '}'        { value_shapes(p); }
    | K_ALIASING lbrace '}'                 { value_aliasing(p); }
    | K_ALIASING lbrace aliases comma '}'   { value_aliasing(p); }
    | K_DONORS lbrace '}'                   { value_aliasing(p); }
    | K_DONORS lbrace donors comma '}'      { value_aliasing(p); }
    | K_GROUPS lbrace '}'                   { groups_from_lists(p, @$); }
    | K_GROUPS lbrace int_sets '}'          { groups_from_lists(p, @$); }
    | K_GROUPS '[' ints ']' AT_MOST iota_start order    { groups_from_iota(p, $3, @$); }
    | K_GROUPS mesh axes                    { groups_from_mesh(p, @$); }
    | K_LITERAL typed_literal               { value_literal(p); }
    | K_DICTIONARY lbrace '}'               { value_dictionary(p); }
    | K_DICTIONARY lbrace entries '}'       { value_dictionary(p); }
    | K_CONFIG STRING                       { value_string(p, $2, @2); }
    | K_CONFIG DICT                         { value_dict(p, $2, @2); }
    | K_STATISTICS lbrace '}'               { value_text(p, @$); }
    | K_STATISTICS lbrace statistics '}'    { value_text(p, @$); }
    | K_SPARSITY SPARSITY                   { value_text(p, @2); }
    | K_ORIGIN lbrace origin '}'            { value_text(p, @$); }
    | K_SHARDING sharding                   { value_text(p, @2); }
    | K_DEVICES tile_dims device_list       { sharding_devices(p, @3); }
    | K_DEVICES tile_dims AT_MOST iota_start order  { sharding_iota(p, @4); }
    | K_METADATAS metadata
    | K_METADATAS '{' metadatas '}'
    | K_AXES axes
    | K_UNREDUCED axes
    | K_UNREDUCED WORD axes                 { unreduced_word(p, $2, @2); }
    | K_ENTRY_LAYOUT lbrace '(' layout_shapes ')' ARROW shape '}'   { shape_add(p, $7, @7); value_shapes(p); }
    | K_RECOVERY_TABLE lbrace recoveries '}'    { value_text(p, @$); }
    | K_DEBUG lbrace '}'                    { value_text(p, @$); }
    | K_DEBUG lbrace debug_entries '}'      { value_text(p, @$); }
    ;

int
    : INT                                   { $$ = token_int(p, $1, @1); }
    ;

bool
    : TRUE
    | FALSE
    ;

number
    : INT
    | DECIMAL
    | INF
    | NEGATIVE_INF
    | NAN
    ;

ints
    : %empty                                { $$ = (IntList){0, NULL}; }
    | int_list                              { $$ = ints_take(p); }
    ;

int_list
    : int                                   { ints_add(p, $1); }
    | int_list ',' int                      { ints_add(p, $3); }
    ;

int_set
    : lbrace ints '}'                       { $$ = $2; }
    ;

int_lists
    : lbrace '}'
    | lbrace int_sets '}'
    ;

int_sets
    : int_set                               { int_lists_add(p, $1); }
    | int_sets ',' int_set                  { int_lists_add(p, $3); }
    ;

bool_set
    : lbrace '}'
    | lbrace bool_list '}'
    ;

bool_list
    : bool                                  { ints_add(p, $1.at[0] == 't'); }
    | bool_list ',' bool                    { ints_add(p, $3.at[0] == 't'); }
    ;

words
    : %empty
    | word_list
    ;

word_list
    : WORD                                  { value_add_word(p, $1, @1); }
    | word_list ',' WORD                    { value_add_word(p, $3, @3); }
    ;

keywords
    : %empty
    | keyword_list
    ;

keyword_list
    : KEYWORD                               { tile_keyword(p, $1, @1); }
    | keyword_list ',' KEYWORD              { tile_keyword(p, $3, @3); }
    ;

callee
    : name                                  { callee_add(p, $1, @1); }
    | inline_head instructions computation_close    { callee_add_inline(p); }
    ;

inline_head
    : '{'                                   { if (!nest_enter(p, @1)) YYERROR; inline_begin(p, @1); }
    ;

callees
    : %empty
    | callee_list
    ;

callee_list
    : callee
    | callee_list ',' callee
    ;

names
    : name                                  { predecessor_add(p, $1, @1); }
    | names ',' name                        { predecessor_add(p, $3, @3); }
    ;

slices
    : %empty
    | slice_list
    ;

slice_list
    : slice
    | slice_list ',' slice
    ;

slice
    : '[' int ':' int ']'                   { slice_add(p, $2, $4, 1); }
    | '[' int ':' int ':' int ']'           { slice_add(p, $2, $4, $6); }
    ;

comma
    : %empty
    | ','
    ;

shape_index
    : lbrace '}'                            { $$ = (IntList){0, NULL}; }
    | lbrace int_list comma '}'             { $$ = ints_take(p); }
    ;

aliases
    : alias
    | aliases ',' alias
    ;

alias
    : shape_index ':' '(' int ',' shape_index ')'           { alias_add(p, $1, @1, $4, @4, $6); }
    | shape_index ':' '(' int ',' shape_index ',' WORD ')'  { alias_add(p, $1, @1, $4, @4, $6); alias_kind(p, $8, @8); }
    ;

donors
    : donor
    | donors ',' donor
    ;

donor
    : '(' int ',' shape_index ')'           { alias_add(p, (IntList){0, NULL}, @$, $2, @2, $4); }
    ;

layout_shapes
    : %empty
    | shape_list comma
    ;

entries
    : entry
    | entries ',' entry
    ;

entry
    : entry_key STRING                      { entry_string(p, $2, @2); }
    | entry_key DICT                        { entry_dict(p, $2); }
    ;

entry_key
    : KEY                                   { entry_key(p, $1); }
    ;

statistics
    : statistic
    | statistics ',' statistic
    ;

statistic
    : KEY INT
    | KEY DECIMAL
    ;

origin
    : origin_node
    | origin_node ',' '[' STRING ']'
    | '[' WORD ']'                          { origin_word(p, $2, @2); }
    ;

origin_node
    : origin_array
    | origin_open ')'                       { nest_leave(p); }
    | origin_open origin_nodes ')'          { nest_leave(p); }
    ;

origin_open
    : '('                                   { if (!nest_enter(p, @1)) YYERROR; }
    ;

origin_nodes
    : origin_node
    | origin_nodes ',' origin_node
    ;

origin_array
    : '{' '}'
    | '{' STRING '}'
    | '{' STRING shape_index '}'
    ;

/* ---- devices ----------------------------------------------------------------------------------------------------- */

iota_start
    : '[' ints ']'                          { iota_begin(p, $2, @2); }
    ;

order
    : %empty %prec ENOUGH
    | CALL '(' ints ')'                     { iota_order(p, $1, @1, $3, @3); }
    ;

mesh
    : mesh_word '[' mesh_axes ']' mesh_devices  { mesh_end(p, @$); }
    ;

mesh_word
    : WORD                                  { if (!mesh_begin(p, $1, @1)) YYERROR; }
    ;

mesh_axes
    : %empty
    | mesh_axis_list
    ;

mesh_axis_list
    : mesh_axis
    | mesh_axis_list ',' mesh_axis
    ;

mesh_axis
    : STRING '=' int                        { mesh_axis(p, $1, @1, $3, @3); }
    | KEY int                               { mesh_axis(p, $1, @1, $2, @2); }
    ;

mesh_devices
    : %empty
    | DEVICES_COMMA KEY '(' ints ')'        { mesh_device_list(p, $4); }
    | DEVICES_COMMA KEY '(' iota_start order ')'    { mesh_device_iota(p); }
    ;

axes
    : lbrace '}'
    | lbrace axis_list '}'
    ;

axis_list
    : axis
    | axis_list ',' axis
    ;

axis
    : STRING                                { axis_add(p, $1, @1, 0, 0); }
    | STRING ':' '(' int ')' int            { axis_add(p, $1, @1, $4, $6); }
    | WORD                                  { axis_add(p, $1, @1, 0, 0); }
    | LABEL '(' int ')' int                 { axis_add(p, $1, @1, $3, $5); }
    ;

sharding
    : sharding_open '}'                     { sharding_close_empty(p, @$); }
    | sharding_open sharding_items '}'      { sharding_close(p, @$); }
    | sharding_open mesh '}'                { sharding_close_named(p); }
    | sharding_open mesh sharding_parts '}' { sharding_close_named(p); }
    | sharding_open shardings '}'           { sharding_close_tuple(p, @$); }
    ;

sharding_open
    : lbrace                                { if (!nest_enter(p, @1)) YYERROR; sharding_open(p); }
    ;

shardings
    : sharding
    | shardings ',' sharding
    ;

sharding_items
    : sharding_item
    | sharding_items sharding_item
    ;

sharding_item
    : KEYWORD                               { sharding_word(p, $1, @1); }
    | KEYWORD int                           { sharding_group(p, $1, @1, $2); }
    | part
    ;

tile_dims
    : '[' ints ']'                          { sharding_tiles(p, $2); }
    ;

device_list
    : int_list %prec ENOUGH
    ;

metadatas
    : metadata
    | metadatas ',' metadata
    ;

metadata
    : '{' parts_begin loose_parts '}'       { value_parts(p, @$); }
    ;

sharding_parts
    : sharding_part
    | ',' sharding_part
    | sharding_parts ',' sharding_part
    ;

sharding_part
    : KEYWORD                               { sharding_word(p, $1, @1); }
    | KEYWORD axes                          { sharding_word(p, $1, @1); }
    | '[' sharding_dims ']'
    | part
    ;

sharding_dims
    : %empty
    | sharding_dim_list
    ;

sharding_dim_list
    : sharding_dim
    | sharding_dim_list ',' sharding_dim
    ;

sharding_dim
    : lbrace '}'
    | lbrace '?' '}'
    | lbrace axis_list '}'
    | lbrace axis_list ',' '?' '}'
    ;

/* ---- header tables ----------------------------------------------------------------------------------------------- */

recoveries
    : %empty
    | recoveries origin_array ':' origin_array
    | recoveries origin_array ':' origin_array ',' STRING   { recovery_module(p, $6, @6); }
    ;

debug_entries
    : debug_entry
    | debug_entries ',' debug_entry
    ;

debug_entry
    : origin_array ':' debug_value
    | origin_array ':' '(' ')'
    | origin_array ':' '(' debug_values ')'
    ;

debug_values
    : debug_value
    | debug_values ',' debug_value
    ;

debug_value
    : '{' parts_begin listed_parts '}'      { value_parts(p, @$); }
    ;

stack_frames
    : %empty
    | file_names function_names file_locations frames   { frames_end(p); }
    ;

file_names
    : FILE_NAMES                            { frames_section(p, "FileNames", ATTR_KIND_STRING); }
    | file_names INT STRING                 { frames_entry(p, @2, @3); }
    ;

function_names
    : FUNCTION_NAMES                        { frames_section(p, "FunctionNames", ATTR_KIND_STRING); }
    | function_names INT STRING             { frames_entry(p, @2, @3); }
    ;

file_locations
    : FILE_LOCATIONS                        { frames_section(p, "FileLocations", ATTR_KIND_FILE_LOCATION); }
    | file_locations INT frame              { frames_entry(p, @2, @3); }
    ;

frames
    : STACK_FRAMES                          { frames_section(p, "StackFrames", ATTR_KIND_STACK_FRAME); }
    | frames INT frame                      { frames_entry(p, @2, @3); }
    ;

frame
    : '{' parts_begin loose_parts '}'       { value_parts(p, @$); }
    ;

lbrace
    : '{'
    | DIGIT_BRACE
    ;
%%

static int yyreport_syntax_error(const yypcontext_t *context, Parser *p) {
    yysymbol_kind_t kinds[YYNTOKENS];
    const char *expected[YYNTOKENS];
    int n = 0, n_kinds = yypcontext_expected_tokens(context, kinds, YYNTOKENS);
    for (int i = 0; i < n_kinds; i++) {
        if (kinds[i] >= YYSYMBOL_RESYNC && kinds[i] < YYSYMBOL_ENOUGH) continue; /* the parser's own */
        const char *name = yysymbol_name(kinds[i]);
        bool quoted = name[0] == '\''; /* bison shows '(' so */
        expected[n++] = quoted ? arena_string(p->scratch, name + 1, 1) : name;
    }
    syntax_error(p, expected, n);
    return 0;
}

/* For what bison says itself: it is out of memory, or of stack. */
static void grammar_error(const Span *span, Parser *p, const char *message) {
    parse_error(p, *span, E_NESTING, "%s", message);
}
