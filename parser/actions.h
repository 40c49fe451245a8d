/* The actions of the grammar (parser/grammar.y), file by file. Those that answer false have reported an error after
 * which what is being read cannot go on. Text and span are a token's. */
#ifndef PARSER_ACTIONS_H
#define PARSER_ACTIONS_H

#include "base/codes.h"
#include "parser/state.h"

/* faults.c */
void parse_error(Parser *p, Span span, const char *code, const char *format, ...) __attribute__((format(printf, 4, 5)));
bool parse_fail(Parser *p, Span span, const char *code, const char *format, ...) /* false; tokens are passed over */
    __attribute__((format(printf, 4, 5)));
void parse_note(Parser *p, Span span, const char *format, ...) __attribute__((format(printf, 3, 4)));
void mark_broken(Parser *p);
bool nest_enter(Parser *p, Span span); /* one bracket deeper */
void nest_leave(Parser *p);

/* syntax.c: bison found a token that does not fit; expected: n names of those that would. */
void syntax_error(Parser *p, const char *expected[], int n);

/* words.c */
void words_init(Parser *p);
Op op_from_word(const Parser *p, TokenText word);         /* N_OPS if there is none */
AttrId attr_from_word(const Parser *p, TokenText word);   /* N_ATTRS */
DType dtype_from_word(const Parser *p, TokenText word);   /* N_DTYPES */
bool text_is(TokenText text, const char *word);
const char *text_copy(Parser *p, TokenText text);
const char *text_quoted(Parser *p, TokenText text);       /* for messages: shortened if long */
const char *suggestion(Parser *p, TokenText word, const char *const words[], int n); /* "; did you mean 'x'?" or "" */
const char *opcode_suggestion(Parser *p, TokenText word);
const char *dtype_suggestion(Parser *p, TokenText word);
const char *attr_suggestion(Parser *p, TokenText word);
const char *quoted_list(Parser *p, const char *const words[], int n); /* 'a', 'b' or 'c' */

/* strings.c */
Span span_within(const Parser *p, const char *from, const char *to); /* both point into the source */
TokenText string_bytes(Parser *p, TokenText quoted, Span span);      /* without quotes and escapes; NUL behind */
const char *source_text(Parser *p, Span span);                       /* without comments, with single blanks */

/* tokens.c: what must follow, chosen by a word that was looked up */
void expect_literal(Parser *p);
void expect_parameter(Parser *p);
void expect_value(Parser *p, AttrKind kind);

/* modules.c */
void module_begin(Parser *p, TokenText name, Span span);
void module_end(Parser *p);
void forget_value(Parser *p);
void single_end(Parser *p);
void frames_section(Parser *p, const char *name, AttrKind kind);
void frames_entry(Parser *p, Span number, Span value);
void frames_end(Parser *p);
void recovery_module(Parser *p, TokenText text, Span span);

/* computations.c */
void computation_begin(Parser *p, TokenText name, Span span, Span entry);
void computation_close(Parser *p, Span brace);
void computation_cut(Parser *p);
void computation_end(Parser *p);
void inline_begin(Parser *p, Span brace);
void callee_add(Parser *p, TokenText name, Span span);
void callee_add_inline(Parser *p);
void report_missing_computations(Parser *p);
Level *top_level(Parser *p);
void single_begin(Parser *p); /* opens the computation of a text that is one instruction, if none is open */

/* instructions.c */
Frame *top_frame(Parser *p);
void instruction_begin(Parser *p, TokenText name, Span span, Span root);
void instruction_end(Parser *p, Span span);
void instruction_broken(Parser *p);
bool call_begin(Parser *p, TokenText word, Span span);
void call_parameter(Parser *p, int64_t number, Span span);
void nested_end(Parser *p, Span span);
bool check_operand_count(Parser *p, Op op, int n, Span span); /* false: reported at span */

/* operands.c */
void operand_reference(Parser *p, TokenText name, Span span, Span whole);
void operand_index(Parser *p, int64_t index, Span span);
void operand_shape(Parser *p, Span span);
void operand_add(Parser *p, Instr *instr, Span span);
void predecessor_add(Parser *p, TokenText name, Span span);
void report_missing_names(Parser *p, Level *level);
Instr *stand_in(Parser *p, const char *name, const Shape *shape, Span span); /* for what was not, or wrongly, defined */

/* async.c */
Op async_from_word(Parser *p, TokenText word, Op *wrapped); /* N_OPS: it is none */
bool async_takes_attr(const Frame *frame, AttrId id);
void async_finish(Parser *p, Frame *frame);

/* attributes.c */
bool attribute_begin(Parser *p, TokenText key, Span span);
void attribute_end(Parser *p, Span span);
bool attribute_is_expected(const Parser *p, AttrId id);

/* parts.c */
void parts_begin(Parser *p);
bool part_begin(Parser *p, TokenText key, Span span);
void part_end(Parser *p, Span span);
void value_parts(Parser *p, Span span);

/* values.c */
Naming *naming(Parser *p); /* the value being read */
Naming *naming_push(Parser *p, const char *name, Span span, AttrKind kind);
void naming_pop(Parser *p);
int64_t token_int(Parser *p, TokenText text, Span span);
IntList ints_take(Parser *p);
void ints_add(Parser *p, int64_t value);
void int_lists_add(Parser *p, IntList list);
void slice_add(Parser *p, int64_t start, int64_t limit, int64_t stride);
void alias_add(Parser *p, IntList output_index, Span output, int64_t operand, Span span, IntList operand_index);
void alias_kind(Parser *p, TokenText word, Span span);
void entry_key(Parser *p, TokenText key);
void entry_string(Parser *p, TokenText text, Span span);
void entry_dict(Parser *p, TokenText text);
void origin_word(Parser *p, TokenText word, Span span);
void value_int(Parser *p, int64_t value);
void value_float(Parser *p, TokenText text, Span span);
void value_ints(Parser *p, IntList ints);
void value_taken_ints(Parser *p);
void value_int_lists(Parser *p);
void value_sizes(Parser *p, TokenText text);
void value_padding(Parser *p, TokenText text);
void value_word(Parser *p, TokenText word, Span span);
void value_add_word(Parser *p, TokenText word, Span span);
void value_text(Parser *p, Span span);
void value_string(Parser *p, TokenText text, Span span);
void value_dict(Parser *p, TokenText text, Span span);
void value_dictionary(Parser *p);
void value_shapes(Parser *p);
void value_slices(Parser *p);
void value_aliasing(Parser *p);
void value_instrs(Parser *p);
void value_computations(Parser *p);
void value_literal(Parser *p);

/* dim_labels.c */
void value_dim_labels(Parser *p, TokenText text, Span span);

/* devices.c */
void iota_begin(Parser *p, IntList dims, Span span);
void iota_order(Parser *p, TokenText word, Span word_span, IntList order, Span span);
int64_t iota_count(Parser *p); /* of its devices; 0: something was wrong */
bool mesh_begin(Parser *p, TokenText word, Span span);
void mesh_axis(Parser *p, TokenText name, Span span, int64_t size, Span size_span);
void mesh_device_list(Parser *p, IntList ids);
void mesh_device_iota(Parser *p);
void mesh_end(Parser *p, Span span);
void axis_add(Parser *p, TokenText name, Span span, int64_t pre, int64_t size);
void groups_from_lists(Parser *p, Span span);
void groups_from_iota(Parser *p, IntList sizes, Span span);
void groups_from_mesh(Parser *p, Span span);

/* sharding.c */
void sharding_open(Parser *p);
void sharding_word(Parser *p, TokenText word, Span span);
void sharding_group(Parser *p, TokenText word, Span span, int64_t number);
void sharding_tiles(Parser *p, IntList tiles);
void sharding_devices(Parser *p, Span span);
void sharding_iota(Parser *p, Span span);
void sharding_close(Parser *p, Span span);
void sharding_close_empty(Parser *p, Span span);
void sharding_close_named(Parser *p);
void sharding_close_tuple(Parser *p, Span span);
void tile_keyword(Parser *p, TokenText word, Span span);
void unreduced_word(Parser *p, TokenText word, Span span);

/* shapes.c */
void shape_begin(Parser *p, TokenText type);
void shape_dim(Parser *p, int64_t size, int kind, Span span);
const Shape *shape_array_end(Parser *p, Span span, Span layout); /* layout {0, 0}: none */
void shape_declare(Parser *p, const Shape *shape, Span span);    /* for the opcode or operand that follows */
void shape_add(Parser *p, const Shape *shape, Span span);        /* to Parser.shapes */
const Shape *shape_take_tuple(Parser *p, int first);             /* of Parser.shapes from first on */
const Shape *shape_buffer(Parser *p, const Shape *content, Span span);
void layout_begin(Parser *p, IntList order);
bool layout_item_begin(Parser *p, TokenText letter, Span span);
bool layout_item_type(Parser *p, const char *letter, TokenText type, Span span);
bool layout_item_end(Parser *p, Span span);
void layout_group_begin(Parser *p);
void layout_group_end(Parser *p);
bool layout_number(Parser *p, int64_t number, Span span);
bool layout_split(Parser *p, int64_t dimension, int64_t index, Span span);
bool layout_star(Parser *p, Span span);
bool layout_level(Parser *p, TokenText word, TokenText flags, Span span);

/* literals.c */
void literal_begin(Parser *p, const Shape *shape);
void literal_begin_constant(Parser *p);
void literal_end(Parser *p);
bool literal_number(Parser *p, TokenText text, Span span);
bool literal_truth(Parser *p, bool truth, Span span);
bool literal_open_brace(Parser *p, Span span);
bool literal_open_paren(Parser *p, Span span);
bool literal_close(Parser *p, Span span);
bool literal_elided(Parser *p, Span span);
void typed_literal_end(Parser *p);
void typed_tuple_begin(Parser *p);
void typed_tuple_end(Parser *p);
const Literal *literal_take(Parser *p);

#endif
