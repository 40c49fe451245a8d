#include "passes/lower/library.h"

/* topk: a function of the runtime on the bits of the elements, as integers of their size. */

static const char *key_type(DType dtype) {
    static const char *const names[2][4] = {{"s8", "s16", "s32", "s64"}, {"u8", "u16", "u32", "u64"}};
    int bytes = dtype_bytes(dtype), log2 = bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
    return names[dtype == DT_PRED || dtype_class(dtype) == DTYPE_UNSIGNED][log2];
}

static DType key_dtype(DType dtype) {
    int bytes = dtype_bytes(dtype);
    bool is_unsigned = dtype == DT_PRED || dtype_class(dtype) == DTYPE_UNSIGNED;
    if (is_unsigned) return bytes == 1 ? DT_U8 : bytes == 2 ? DT_U16 : bytes == 4 ? DT_U32 : DT_U64;
    return bytes == 1 ? DT_S8 : bytes == 2 ? DT_S16 : bytes == 4 ? DT_S32 : DT_S64;
}

void lower_topk(Frame *frame, int step, Instr *instr) {
    const Shape *shape = instr->operands[0]->shape;
    int64_t n = shape->dims[shape->rank - 1], k = instr_int(instr, ATTR_K, 0);
    KBuffer *from = library_operand(frame, instr->operands[0], 0);
    KBuffer *values = library_result(frame, step, instr, 0), *places = library_result(frame, step, instr, 1);
    if (!shape_elements(shape) || !k) return;
    LibraryCall call = library_call(frame, instr, "hlocc_topk", key_type(shape->dtype));
    library_buffer(&call, from);
    library_buffer(&call, values);
    library_buffer(&call, places);
    library_buffer(&call, library_scratch(frame, "keys", key_dtype(shape->dtype), k));
    library_buffer(&call, library_scratch(frame, "places", DT_S32, k));
    library_number(&call, shape_elements(shape) / n);
    library_number(&call, n);
    library_number(&call, k);
    library_number(&call, dtype_is_float(shape->dtype));
    library_number(&call, !instr_bool(instr, ATTR_LARGEST, true));
    library_emit(&call);
}
