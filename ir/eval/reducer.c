#include "ir/eval/reducer.h"

#include <string.h>

#include "ir/eval/move.h"

static DType widest(DType dtype) {
    return dtype_is_complex(dtype) ? DT_C128 : DT_F64;
}

static void look_for_sum(Reducer *reducer, const Computation *computation) {
    DType dtype = reducer->element_dtypes[0];
    if (reducer->n != 1 || lane_class(dtype) == LANE_INT || computation_single_op(computation) != OP_ADD) return;
    DType wide = widest(dtype);
    reducer->is_sum = map_plan_op(&reducer->sum, OP_ADD, 2, (const DType[]){wide, dtype}, wide);
    if (reducer->is_sum) reducer->accumulator_dtypes[0] = wide;
}

Reducer *reducer_new(Eval *eval, Arena *arena, const Computation *computation, int n, Value *const *operands) {
    Reducer *reducer = NEW(arena, Reducer);
    reducer->n = n;
    reducer->program = program_of(eval, computation);
    reducer->element_dtypes = NEW_ARRAY(arena, DType, n);
    reducer->accumulator_dtypes = NEW_ARRAY(arena, DType, n);
    reducer->result_dtypes = NEW_ARRAY(arena, DType, n);
    reducer->arguments = NEW_ARRAY(arena, const void *, 2 * n);
    reducer->converted = NEW_ARRAY(arena, void *, n);
    for (int k = 0; k < n; k++) {
        DType parameter = program_parameter_dtype(reducer->program, n + k);
        reducer->element_dtypes[k] = operands[k]->shape->dtype;
        reducer->result_dtypes[k] = program_result_dtype(reducer->program, k);
        reducer->accumulator_dtypes[k] = program_parameter_dtype(reducer->program, k);
        if (parameter != reducer->element_dtypes[k])
            reducer->converted[k] = arena_alloc(arena, LANES * (size_t)dtype_bytes(parameter));
    }
    look_for_sum(reducer, computation);
    return reducer;
}

static void convert(DType from, DType to, void *result, const void *elements, int64_t n) {
    MapPlan plan;
    if (from == to)
        memmove(result, elements, (size_t)n * (size_t)dtype_bytes(from));
    else if (map_plan_convert(&plan, from, to))
        map_run(&plan, result, &elements, n);
}

void **reducer_start(Arena *arena, const Reducer *reducer, Value *const *initial, int64_t count) {
    void **accumulators = NEW_ARRAY(arena, void *, reducer->n);
    for (int k = 0; k < reducer->n; k++) {
        size_t bytes = (size_t)dtype_bytes(reducer->accumulator_dtypes[k]);
        double start[2];
        convert(initial[k]->shape->dtype, reducer->accumulator_dtypes[k], start, initial[k]->data, 1);
        accumulators[k] = arena_alloc(arena, (size_t)count * bytes);
        fill_elements(bytes, accumulators[k], start, count);
    }
    return accumulators;
}

bool reducer_step(Eval *eval, const Reducer *reducer, void *const *accumulators, const void *const *elements,
                  int count) {
    if (reducer->is_sum) {
        map_run(&reducer->sum, accumulators[0], (const void *const[]){accumulators[0], elements[0]}, count);
        return true;
    }
    int n = reducer->n, first = reducer->element_first ? n : 0;
    for (int k = 0; k < n; k++) {
        reducer->arguments[first + k] = accumulators[k];
        reducer->arguments[n - first + k] = reducer->converted[k] ? reducer->converted[k] : elements[k];
        if (reducer->converted[k])
            convert(reducer->element_dtypes[k], program_parameter_dtype(reducer->program, n + k),
                    reducer->converted[k], elements[k], count);
    }
    return program_run(eval, reducer->program, reducer->arguments, accumulators, count);
}

void reducer_finish(const Reducer *reducer, int k, void *result, const void *accumulators, int64_t count) {
    convert(reducer->accumulator_dtypes[k], reducer->result_dtypes[k], result, accumulators, count);
}

Value *reducer_results(Arena *arena, const Shape *shape, int n, void ***results) {
    Value *value = value_new(shape);
    *results = NEW_ARRAY(arena, void *, n);
    for (int k = 0; k < n; k++) {
        if (value->elements) value->elements[k] = value_new(shape->elements[k]);
        (*results)[k] = (value->elements ? value->elements[k] : value)->data;
    }
    return value;
}
