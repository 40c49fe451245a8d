/* sort and topk: stable merge sorts of positions. */
#include <math.h>
#include <string.h>

#include "ir/eval/move.h"
#include "ir/eval/program.h"
#include "ir/eval/sort.h"

/* --- merge sort --------------------------------------------------------------------------------------------------- */

bool merge_sort(int64_t *order, int64_t *spare, int64_t n, SortBefore *before, void *context) {
    for (int64_t width = 1; width < n; width *= 2) {
        for (int64_t start = 0; start < n; start += 2 * width) {
            int64_t middle = start + width < n ? start + width : n, end = middle + width < n ? middle + width : n;
            int64_t a = start, b = middle;
            for (int64_t i = start; i < end; i++) {
                int later_first = a < middle && b < end ? before(context, order[b], order[a]) : a >= middle;
                if (later_first < 0) return false;
                spare[i] = order[later_first ? b++ : a++];
            }
        }
        memcpy(order, spare, (size_t)n * sizeof *order);
    }
    return true;
}

/* --- sort --------------------------------------------------------------------------------------------------------- */

typedef struct {
    Eval *eval;
    Program *comparator;
    int n_operands;
    char **rows; /* the elements of one row of each operand, side by side */
    size_t *bytes;
    const void **arguments;
} Comparison;

static int row_before(void *context, int64_t i, int64_t j) {
    Comparison *comparison = context;
    for (int k = 0; k < comparison->n_operands; k++) {
        comparison->arguments[2 * k] = comparison->rows[k] + (size_t)i * comparison->bytes[k];
        comparison->arguments[2 * k + 1] = comparison->rows[k] + (size_t)j * comparison->bytes[k];
    }
    uint8_t answer;
    void *results[] = {&answer};
    return program_run(comparison->eval, comparison->comparator, comparison->arguments, results, 1) ? answer : -1;
}

static Comparison comparison_new(Eval *eval, Arena *scratch, const Computation *comparator, int n_operands,
                                 Value *const *operands, int64_t n) {
    Comparison comparison = {eval,
                             program_of(eval, comparator),
                             n_operands,
                             NEW_ARRAY(scratch, char *, n_operands),
                             NEW_ARRAY(scratch, size_t, n_operands),
                             NEW_ARRAY(scratch, const void *, 2 * n_operands)};
    for (int k = 0; k < n_operands; k++) {
        comparison.bytes[k] = (size_t)dtype_bytes(operands[k]->shape->dtype);
        comparison.rows[k] = arena_alloc(scratch, (size_t)n * comparison.bytes[k]);
    }
    return comparison;
}

Value *sort_rows(Eval *eval, const Shape *shape, int n_operands, Value *const *operands, const Computation *comparator,
                 int64_t along, int64_t keep) {
    Arena *scratch = arena_new();
    const Shape *array = operands[0]->shape;
    int64_t n = array->dims[along], inner = 1;
    for (int d = (int)along + 1; d < array->rank; d++) inner *= array->dims[d];
    Value *result = value_new(shape);
    for (int k = 0; k < n_operands && result->elements; k++) result->elements[k] = value_new(shape->elements[k]);
    Comparison comparison = comparison_new(eval, scratch, comparator, n_operands, operands, n);
    int64_t *order = NEW_ARRAY(scratch, int64_t, n), *spare = NEW_ARRAY(scratch, int64_t, n);
    int64_t *offsets = NEW_ARRAY(scratch, int64_t, n), n_rows = n ? value_elements(operands[0]) / n : 0;
    for (int64_t i = 0; i < n; i++) offsets[i] = i * inner;
    bool done = true;
    for (int64_t row = 0; done && row < n_rows; row++) {
        int64_t outer = row / inner * inner;
        for (int k = 0; k < n_operands; k++)
            gather_elements(comparison.bytes[k], comparison.rows[k], operands[k]->data, outer * n + row % inner,
                            offsets, n);
        for (int64_t i = 0; i < n; i++) order[i] = i;
        done = merge_sort(order, spare, n, row_before, &comparison);
        for (int k = 0; done && k < n_operands; k++) {
            char *to = (result->elements ? result->elements[k] : result)->data;
            for (int64_t i = 0; i < keep; i++)
                memcpy(to + (size_t)(outer * keep + row % inner + offsets[i]) * comparison.bytes[k],
                       comparison.rows[k] + (size_t)order[i] * comparison.bytes[k], comparison.bytes[k]);
        }
    }
    arena_free(scratch);
    if (done) return result;
    value_release(result);
    return NULL;
}

Value *eval_sort(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    const Shape *array = operands[0]->shape;
    if (!array->rank) return instr->n_operands == 1 ? eval_forward(eval, instr, shape, operands)
                                                    : eval_tuple(eval, instr, shape, operands);
    int64_t along = instr_ints(instr, ATTR_DIMENSIONS).at[0];
    return sort_rows(eval, shape, instr->n_operands, operands, instr_computation(instr, ATTR_TO_APPLY), along,
                     array->dims[along]);
}

/* --- topk --------------------------------------------------------------------------------------------------------- */

typedef struct {
    const int64_t *keys;
    bool largest;
} Keys;

static int key_before(void *context, int64_t i, int64_t j) {
    const Keys *keys = context;
    return keys->largest ? keys->keys[i] > keys->keys[j] : keys->keys[i] < keys->keys[j];
}

/* Integers that are in the order of the elements: floats in total order, u64 moved into the signed range. */
static void sort_keys(int64_t *keys, DType dtype, const void *elements, int64_t n) {
    Lanes lanes;
    size_t bytes = (size_t)dtype_bytes(dtype);
    for (int64_t start = 0; start < n; start += LANES) {
        int count = n - start < LANES ? (int)(n - start) : LANES;
        lanes_load(&lanes, dtype, (const char *)elements + (size_t)start * bytes, count);
        for (int i = 0; i < count; i++) {
            int64_t key = lanes.i[i]; /* of a double: its bits */
            if (dtype_is_float(dtype) && key < 0) key ^= INT64_MAX;
            keys[start + i] = dtype == DT_U64 ? (int64_t)((uint64_t)key ^ UINT64_C(1) << 63) : key;
        }
    }
}

static void topk_row(DType dtype, const void *elements, int64_t n, bool largest, int64_t *order, int64_t *spare) {
    sort_keys(spare, dtype, elements, n);
    Keys keys = {spare, largest};
    for (int64_t i = 0; i < n; i++) order[i] = i;
    merge_sort(order, spare + n, n, key_before, &keys);
}

Value *topk(const Shape *shape, const Value *operand, int64_t k, bool largest) {
    Arena *scratch = arena_new();
    int rank = operand->shape->rank;
    int64_t n = operand->shape->dims[rank - 1], n_rows = n ? value_elements(operand) / n : 0;
    size_t bytes = (size_t)dtype_bytes(operand->shape->dtype);
    Value *result = value_new(shape);
    for (int i = 0; i < 2; i++) result->elements[i] = value_new(shape->elements[i]);
    int64_t *order = NEW_ARRAY(scratch, int64_t, n), *spare = NEW_ARRAY(scratch, int64_t, 2 * n);
    char *values = result->elements[0]->data;
    int32_t *indices = result->elements[1]->data;
    for (int64_t row = 0; row < n_rows; row++) {
        const char *elements = (const char *)operand->data + (size_t)(row * n) * bytes;
        topk_row(operand->shape->dtype, elements, n, largest, order, spare);
        for (int64_t i = 0; i < k; i++) {
            memcpy(values + (size_t)(row * k + i) * bytes, elements + (size_t)order[i] * bytes, bytes);
            indices[row * k + i] = (int32_t)order[i];
        }
    }
    arena_free(scratch);
    return result;
}

Value *eval_topk(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    (void)eval;
    return topk(shape, operands[0], instr_int(instr, ATTR_K, 1), instr_bool(instr, ATTR_LARGEST, true));
}
