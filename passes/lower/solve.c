#include "passes/lower/linalg.h"

/* cholesky and triangular-solve, and the custom calls that are the same: functions of the runtime on matrices as they
 * lie in memory. Whatever the form, steps between elements make it one with lower triangles, solved forwards. */

bool is_complex(LibraryMatrix m) {
    return dtype_is_complex(m.buffer->shape->dtype);
}

DType real_type(const Shape *shape) {
    return shape->dtype == DT_F64 || shape->dtype == DT_C128 ? DT_F64 : DT_F32;
}

/* f32x16, c64x16. */
static const char *function_type(Frame *frame, const Shape *shape) {
    const char *real = library_type(frame, real_type(shape));
    if (!dtype_is_complex(shape->dtype)) return real;
    const char *lanes = library_lanes(frame, real_type(shape)) > 1 ? real + 3 : "";
    return arena_printf(frame->low->arena, "%s%s", dtype_name(shape->dtype), lanes);
}

void lower_solve_as(Frame *frame, int step, Instr *instr, SolveForm form) {
    LibraryMatrix a = library_matrix(frame, instr->operands[0], 0), b = library_matrix(frame, instr->operands[1], 0);
    LibraryMatrix x = library_result_matrix(frame, step, instr, 0);
    const Shape *shape = instr->shape;
    if (!shape_elements(shape)) return;
    bool transposed = form.transpose != TRANSPOSE_NONE, lower = form.lower != transposed;
    if (transposed) a = matrix_transposed(a);
    if (!form.left) { /* x a = b: a^T x^T = b^T */
        a = matrix_transposed(a);
        b = matrix_transposed(b);
        x = matrix_transposed(x);
        lower = !lower;
    }
    if (!lower) {
        a = matrix_reversed(a, true, true);
        b = matrix_reversed(b, true, false);
        x = matrix_reversed(x, true, false);
    }
    LibraryCall call = library_call(frame, instr, "hlocc_solve", function_type(frame, shape));
    library_add_matrix(&call, a);
    library_add_matrix(&call, b);
    library_add_matrix(&call, x);
    int lanes = library_lanes(frame, real_type(shape));
    library_buffer(&call, library_scratch(frame, "solve_work", real_type(shape), 2 * lanes * a.rows));
    library_number(&call, a.batches);
    library_number(&call, a.rows);
    library_number(&call, x.columns);
    library_number(&call, form.unit);
    if (is_complex(a)) library_number(&call, form.transpose == TRANSPOSE_ADJOINT);
    library_emit(&call);
}

void lower_cholesky_as(Frame *frame, int step, Instr *instr, bool lower, bool with_info) {
    const Shape *shape = instr->operands[0]->shape;
    LibraryMatrix a = library_matrix(frame, instr->operands[0], 0), out = library_result_matrix(frame, step, instr, 0);
    KBuffer *info = with_info ? library_result(frame, step, instr, 1) : NULL;
    if (!shape_elements(shape)) {
        if (info) library_zeros(frame, instr, info);
        return;
    }
    if (!lower) {
        a = matrix_transposed(a);
        out = matrix_transposed(out);
    }
    DType real = real_type(shape);
    int64_t lanes = library_lanes(frame, real), width = (a.rows + lanes - 1) / lanes * lanes;
    LibraryCall call = library_call(frame, instr, "hlocc_cholesky", function_type(frame, shape));
    library_add_matrix(&call, a);
    library_add_matrix(&call, out);
    if (info) library_buffer(&call, info);
    else library_text(&call, "NULL");
    library_buffer(&call, library_scratch(frame, "cholesky_work", real, (is_complex(a) ? 2 : 1) * a.rows * width));
    library_number(&call, a.batches);
    library_number(&call, a.rows);
    if (is_complex(a)) library_number(&call, lower);
    library_emit(&call);
}

void lower_cholesky(Frame *frame, int step, Instr *instr) {
    lower_cholesky_as(frame, step, instr, instr_bool(instr, ATTR_LOWER, false), false);
}

void lower_triangular_solve(Frame *frame, int step, Instr *instr) {
    SolveForm form = {instr_bool(instr, ATTR_LEFT_SIDE, false), instr_bool(instr, ATTR_LOWER, false),
                      instr_bool(instr, ATTR_UNIT_DIAGONAL, false),
                      (TransposeA)instr_int(instr, ATTR_TRANSPOSE_A, TRANSPOSE_NONE)};
    lower_solve_as(frame, step, instr, form);
}
