/* Literals: elements arrive one by one and are stored as their type says. */
#include "parser/literals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "parser/actions.h"

enum { FIRST_ROOM = 4096 };

void literal_begin(Parser *p, const Shape *shape) {
    LiteralDraft *draft = &p->literal;
    draft->shape = shape;
    draft->whole = draft->array = NULL;
    draft->places.n = 0;
}

void literal_begin_constant(Parser *p) {
    literal_begin(p, top_frame(p)->declared);
}

void literal_end(Parser *p) {
    top_frame(p)->literal = p->literal.whole;
}

/* ---- what may come next ------------------------------------------------------------------------------------------ */

typedef enum {
    SLOT_ARRAY, /* the outermost brace of an array */
    SLOT_ROW,   /* a brace within one */
    SLOT_ELEMENT,
    SLOT_PART, /* of a complex pair */
    SLOT_TUPLE,
    SLOT_FULL,    /* nothing: the innermost place has all it wants */
    SLOT_DOTS,    /* a tuple was opened by '{': only ... */
    SLOT_NOTHING, /* tokens have no values */
} SlotKind;

typedef struct {
    SlotKind kind;
    const Shape *shape; /* that the slot belongs to */
} Slot;

static int64_t expected_count(const LiteralPlace *place) {
    if (place->kind == IN_PAIR) return 2;
    return place->kind == IN_TUPLE ? place->shape->n_elements : place->shape->dims[place->dim];
}

static Slot slot_of(const Shape *shape) {
    if (shape_is_tuple(shape)) return (Slot){SLOT_TUPLE, shape};
    if (!shape_is_array(shape)) return (Slot){SLOT_NOTHING, shape};
    return (Slot){shape->rank ? SLOT_ARRAY : SLOT_ELEMENT, shape};
}

static Slot next_slot(const LiteralDraft *draft) {
    if (!draft->places.n) return slot_of(draft->shape);
    const LiteralPlace *place = &draft->places.at[draft->places.n - 1];
    if (place->kind == IN_TUPLE && place->braced) return (Slot){SLOT_DOTS, place->shape};
    if (place->count == expected_count(place)) return (Slot){SLOT_FULL, place->shape};
    if (place->kind == IN_TUPLE) return slot_of(place->shape->elements[place->count]);
    if (place->kind == IN_PAIR) return (Slot){SLOT_PART, place->shape};
    return (Slot){place->dim < place->shape->rank - 1 ? SLOT_ROW : SLOT_ELEMENT, place->shape};
}

static const char *shape_words(Parser *p, const Shape *shape) {
    return shape_text(p->scratch, shape);
}

/* What came does not fit into the slot. */
static bool report_misfit(Parser *p, Slot slot, const char *found, Span span) {
    const char *shape = shape_words(p, slot.shape);
    const LiteralDraft *draft = &p->literal;
    switch (slot.kind) {
    case SLOT_ARRAY:
    case SLOT_ROW:
        return parse_fail(p, span, E_LITERAL_FORM, "expected '{' in a constant of %s, found %s", shape, found);
    case SLOT_ELEMENT:
        if (dtype_is_complex(slot.shape->dtype))
            return parse_fail(p, span, E_LITERAL_FORM, "a value of %s is written (re, im), found %s", shape, found);
        return parse_fail(p, span, E_LITERAL_FORM, "expected a value of %s, found %s", shape, found);
    case SLOT_PART:
        return parse_fail(p, span, E_LITERAL_FORM, "expected a number in a pair of %s, found %s", shape, found);
    case SLOT_TUPLE:
        return parse_fail(p, span, E_LITERAL_FORM, "expected '(' in a constant of %s, found %s", shape, found);
    case SLOT_FULL: {
        int64_t n = expected_count(&draft->places.at[draft->places.n - 1]);
        return parse_fail(p, span, E_LITERAL_COUNT, "more than the %lld value%s that %s has here", (long long)n,
                          n == 1 ? "" : "s", shape);
    }
    case SLOT_DOTS:
        return parse_fail(p, span, E_LITERAL_FORM, "a tuple is written ( ... ), or {...} if left out: %s", shape);
    case SLOT_NOTHING: break;
    }
    return parse_fail(p, span, E_LITERAL_FORM, "there are no constants of type %s", dtype_name(slot.shape->dtype));
}

/* ---- brackets ---------------------------------------------------------------------------------------------------- */

static void count_child(LiteralDraft *draft) {
    if (draft->places.n) draft->places.at[draft->places.n - 1].count++;
}

/* A literal of shape in the next slot. Data grows with the text, because a shape alone may claim any size. */
static Literal *add_literal(Parser *p, const Shape *shape) {
    LiteralDraft *draft = &p->literal;
    Literal *literal = NEW(p->arena, Literal);
    literal->shape = shape;
    const LiteralPlace *place = draft->places.n ? &draft->places.at[draft->places.n - 1] : NULL;
    if (place) place->literal->elements[place->count] = literal;
    else draft->whole = literal;
    count_child(draft);
    if (!shape_is_array(shape)) {
        literal->elements = NEW_ARRAY(p->arena, Literal *, shape->n_elements);
        return literal;
    }
    int64_t all = shape_elements(shape);
    draft->array = literal;
    draft->n = 0;
    draft->room = all < FIRST_ROOM ? all : FIRST_ROOM;
    literal->data = arena_alloc(p->arena, (size_t)(draft->room * dtype_bytes(shape->dtype)));
    return literal;
}

static void push_place(Parser *p, PlaceKind kind, const Shape *shape, Literal *literal, int dim) {
    LiteralPlace place = {.kind = kind, .shape = shape, .literal = literal, .dim = dim};
    vec_push(p->scratch, &p->literal.places, place);
}

bool literal_open_brace(Parser *p, Span span) {
    LiteralDraft *draft = &p->literal;
    Slot slot = next_slot(draft);
    if (slot.kind == SLOT_ROW) {
        int dim = draft->places.at[draft->places.n - 1].dim + 1;
        count_child(draft);
        push_place(p, IN_DIM, slot.shape, NULL, dim);
    } else if (slot.kind == SLOT_ARRAY) {
        push_place(p, IN_DIM, slot.shape, add_literal(p, slot.shape), 0);
    } else if (slot.kind == SLOT_TUPLE) {
        push_place(p, IN_TUPLE, slot.shape, add_literal(p, slot.shape), 0);
        draft->places.at[draft->places.n - 1].braced = true;
    } else {
        return report_misfit(p, slot, "'{'", span);
    }
    return true;
}

/* The next element, made room for and counted; slot is of kind SLOT_ELEMENT. */
static char *take_element(Parser *p, Slot slot) {
    LiteralDraft *draft = &p->literal;
    if (!draft->places.n || draft->places.at[draft->places.n - 1].kind == IN_TUPLE) add_literal(p, slot.shape);
    else count_child(draft);
    int64_t bytes = dtype_bytes(slot.shape->dtype);
    if (draft->n == draft->room) {
        int64_t all = shape_elements(slot.shape);
        draft->room = 2 * draft->room < all ? 2 * draft->room : all;
        void *data = arena_alloc(p->arena, (size_t)(draft->room * bytes));
        memcpy(data, draft->array->data, (size_t)(draft->n * bytes));
        draft->array->data = data;
    }
    return (char *)draft->array->data + draft->n++ * bytes;
}

/* The next part of the pair that was opened last. */
static char *take_part(LiteralDraft *draft, const Shape *shape) {
    int64_t bytes = dtype_bytes(shape->dtype), part = draft->places.at[draft->places.n - 1].count++;
    return (char *)draft->array->data + (draft->n - 1) * bytes + part * bytes / 2;
}

bool literal_open_paren(Parser *p, Span span) {
    Slot slot = next_slot(&p->literal);
    if (slot.kind == SLOT_TUPLE) {
        push_place(p, IN_TUPLE, slot.shape, add_literal(p, slot.shape), 0);
        return true;
    }
    if (slot.kind == SLOT_ELEMENT && !dtype_is_complex(slot.shape->dtype))
        return parse_fail(p, span, E_LITERAL_FORM, "'(' begins a complex number, but %s is not complex",
                          shape_words(p, slot.shape));
    if (slot.kind != SLOT_ELEMENT) return report_misfit(p, slot, "'('", span);
    take_element(p, slot);
    push_place(p, IN_PAIR, slot.shape, NULL, 0);
    return true;
}

bool literal_close(Parser *p, Span span) {
    LiteralDraft *draft = &p->literal;
    const LiteralPlace *place = &draft->places.at[draft->places.n - 1];
    int64_t expected = expected_count(place);
    if (place->braced) return report_misfit(p, (Slot){SLOT_DOTS, place->shape}, "'}'", span);
    if (place->count != expected)
        return parse_fail(p, span, E_LITERAL_COUNT, "expected %lld value%s for %s, found %lld", (long long)expected,
                          expected == 1 ? "" : "s", shape_words(p, place->shape), (long long)place->count);
    draft->places.n--;
    nest_leave(p);
    return true;
}

bool literal_elided(Parser *p, Span span) {
    LiteralDraft *draft = &p->literal;
    const LiteralPlace *place = &draft->places.at[draft->places.n - 1];
    if (!place->literal)
        return parse_fail(p, span, E_LITERAL_FORM, "{...} stands for a whole array, not for one of its rows: %s",
                          shape_words(p, place->shape));
    place->literal->elided = true;
    place->literal->data = NULL;
    draft->places.n--;
    nest_leave(p);
    return true;
}

/* ---- elements ---------------------------------------------------------------------------------------------------- */

static void store_bits(void *at, DType dtype, uint64_t bits) {
    switch (dtype_bytes(dtype)) {
    case 1: *(uint8_t *)at = (uint8_t)bits; break;
    case 2: *(uint16_t *)at = (uint16_t)bits; break;
    case 4: *(uint32_t *)at = (uint32_t)bits; break;
    default: *(uint64_t *)at = bits;
    }
}

static bool report_range(Parser *p, TokenText text, DType dtype, Span span) {
    return parse_fail(p, span, E_LITERAL_RANGE, "%s is out of range for %s", text_quoted(p, text), dtype_name(dtype));
}

static bool store_integer(Parser *p, void *at, DType dtype, TokenText text, Span span) {
    bool negative = text.at[0] == '-', too_large = false;
    uint64_t magnitude = 0;
    for (size_t i = negative; i < text.n; i++) {
        uint64_t digit = (uint64_t)(text.at[i] - '0');
        too_large = too_large || magnitude > (UINT64_MAX - digit) / 10;
        magnitude = 10 * magnitude + digit;
    }
    int bits = dtype_bits(dtype);
    bool is_signed = dtype_class(dtype) == DTYPE_SIGNED;
    uint64_t half = UINT64_C(1) << (bits - 1), largest = is_signed ? half - 1 : half - 1 + half;
    uint64_t limit = !negative ? largest : is_signed ? half : 0;
    bool wraps = magnitude > limit && bits == 64 && !too_large && (!negative || magnitude <= half);
    if ((too_large || magnitude > limit) && !wraps) return report_range(p, text, dtype, span);
    uint64_t value = negative ? 0 - magnitude : magnitude;
    if (wraps)
        diag_warning(p->diags, span, W_WRAPS, "%s is out of range for %s and wraps around, as in XLA",
                     text_quoted(p, text), dtype_name(dtype));
    store_bits(at, dtype, value);
    return true;
}

/* Bits of a NaN with its payload, or the type's own. False: the type has no room for the payload. */
static bool nan_bits(DType dtype, TokenText text, uint64_t *bits) {
    const char *paren = memchr(text.at, '(', text.n);
    bool negative = text.at[0] == '-';
    int n = dtype_payload_bits(dtype);
    uint64_t payload = paren ? strtoull(paren + 1, NULL, 16) : 0;
    if (paren && (!n || payload >> n)) return false;
    if (!n) {
        *bits = small_float_from_double(dtype, negative ? -NAN : NAN);
        return true;
    }
    uint64_t sign = UINT64_C(1) << (dtype_bits(dtype) - 1), exponent = (sign - 1) ^ ((UINT64_C(1) << n) - 1);
    *bits = (negative ? sign : 0) | exponent | (paren ? payload : UINT64_C(1) << (n - 1));
    return true;
}

static bool store_float(Parser *p, void *at, DType dtype, TokenText text, Span span) {
    char last = text.at[text.n - 1];
    bool is_infinite = last == 'f';
    if (last == 'n' || last == ')') {
        uint64_t bits;
        if (!nan_bits(dtype, text, &bits))
            return parse_fail(p, span, E_NAN_PAYLOAD, "%s: the NaNs of %s have no such payload", text_quoted(p, text),
                              dtype_name(dtype));
        store_bits(at, dtype, bits);
        return true;
    }
    double value = !is_infinite ? decimal_read(text.at, text.n) : text.at[0] == '-' ? -INFINITY : INFINITY;
    bool fits = is_infinite || isfinite(value);
    if (dtype == DT_F64) {
        *(double *)at = value;
    } else if (dtype == DT_F32) {
        *(float *)at = (float)value;
        fits = is_infinite || isfinite(*(float *)at);
    } else {
        unsigned bits = small_float_from_double(dtype, value);
        fits = is_infinite || (fits && isfinite(small_float_to_double(dtype, bits)));
        store_bits(at, dtype, bits);
    }
    return fits || report_range(p, text, dtype, span);
}

static bool is_plain_integer(TokenText text) {
    char last = text.at[text.n - 1];
    return last >= '0' && last <= '9' && !memchr(text.at, '.', text.n) && !memchr(text.at, 'e', text.n) &&
           !memchr(text.at, 'E', text.n);
}

bool literal_number(Parser *p, TokenText text, Span span) {
    Slot slot = next_slot(&p->literal);
    DType dtype = slot.shape->dtype;
    if (slot.kind == SLOT_PART)
        return store_float(p, take_part(&p->literal, slot.shape), dtype_component(dtype), text, span);
    if (slot.kind != SLOT_ELEMENT || dtype_is_complex(dtype))
        return report_misfit(p, slot, arena_printf(p->scratch, "'%s'", text_quoted(p, text)), span);
    if (dtype_is_float(dtype)) return store_float(p, take_element(p, slot), dtype, text, span);
    if (!is_plain_integer(text))
        return parse_fail(p, span, E_LITERAL_FORM, "%s is no integer: a value of %s is", text_quoted(p, text),
                          dtype_name(dtype));
    if (dtype != DT_PRED) return store_integer(p, take_element(p, slot), dtype, text, span);
    *take_element(p, slot) = strspn(text.at, "-0") < text.n;
    return true;
}

bool literal_truth(Parser *p, bool truth, Span span) {
    Slot slot = next_slot(&p->literal);
    const char *word = truth ? "'true'" : "'false'";
    if (slot.kind != SLOT_ELEMENT) return report_misfit(p, slot, word, span);
    if (slot.shape->dtype != DT_PRED)
        return parse_fail(p, span, E_LITERAL_FORM, "%s is a value of pred, not of %s", word,
                          dtype_name(slot.shape->dtype));
    *take_element(p, slot) = truth;
    return true;
}

/* ---- typed literals ---------------------------------------------------------------------------------------------- */

void typed_literal_end(Parser *p) {
    vec_push(p->scratch, &p->literal.typed, p->literal.whole);
}

void typed_tuple_begin(Parser *p) {
    vec_push(p->scratch, &p->literal.typed_first, p->literal.typed.n);
}

void typed_tuple_end(Parser *p) {
    LiteralDraft *draft = &p->literal;
    int first = draft->typed_first.at[--draft->typed_first.n], n = draft->typed.n - first;
    Literal *tuple = NEW(p->arena, Literal);
    const Shape **shapes = NEW_ARRAY(p->arena, const Shape *, n);
    tuple->elements = NEW_ARRAY(p->arena, Literal *, n);
    for (int i = 0; i < n; i++) {
        tuple->elements[i] = draft->typed.at[first + i];
        shapes[i] = tuple->elements[i]->shape;
    }
    tuple->shape = shape_tuple(p->arena, n, shapes);
    draft->typed.n = first;
    vec_push(p->scratch, &draft->typed, tuple);
}

const Literal *literal_take(Parser *p) {
    LiteralDraft *draft = &p->literal;
    const Literal *literal = draft->typed.at[draft->typed.n - 1];
    draft->typed.n = draft->typed_first.n = 0;
    return literal;
}
