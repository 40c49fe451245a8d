#include "passes/lower/factor.h"

/* Eigenvalues, singular values, tridiagonal matrices. */

static int64_t parts(LibraryMatrix a) {
    return is_complex(a) ? 2 : 1;
}

/* The upper triangle of a matrix is the lower one when rows and columns are counted from the end. */
void lower_sytrd(Frame *frame, int step, Instr *instr) {
    LibraryMatrix a = library_matrix(frame, instr->operands[0], 0), out = library_result_matrix(frame, step, instr, 0);
    KBuffer *results[5];
    for (int k = 1; k < 5; k++) results[k] = library_result(frame, step, instr, k);
    bool upper = instr_config_number(instr, "uplo", 'L') != 'L';
    if (!a.rows) {
        library_zeros(frame, instr, results[4]);
        return;
    }
    LibraryCall call = factor_call(frame, instr, "hlocc_tridiagonal", a);
    library_add_matrix(&call, matrix_reversed(a, upper, upper));
    library_add_matrix(&call, matrix_reversed(out, upper, upper));
    for (int k = 1; k < 5; k++) library_buffer(&call, results[k]);
    library_buffer(&call, factor_columns(frame, "tridiagonal_work", a, a.rows, a.rows + 4));
    library_number(&call, a.batches);
    library_number(&call, a.rows);
    library_number(&call, upper);
    library_number(&call, parts(a));
    library_emit(&call);
}

static void lower_hermitian(Frame *frame, int step, Instr *instr, bool lower, bool vectors, bool with_info) {
    LibraryMatrix a = library_matrix(frame, instr->operands[0], 0), out = library_result_matrix(frame, step, instr, 0);
    KBuffer *values = library_result(frame, step, instr, 1);
    KBuffer *info = with_info ? library_result(frame, step, instr, 2) : NULL;
    if (!a.rows) {
        if (info) library_zeros(frame, instr, info);
        return;
    }
    LibraryCall call = factor_call(frame, instr, "hlocc_eigh", a);
    library_add_matrix(&call, matrix_reversed(a, !lower, !lower));
    library_add_matrix(&call, matrix_reversed(out, !lower, false));
    library_buffer(&call, values);
    factor_optional(&call, info);
    library_buffer(&call, factor_columns(frame, "eigh_work", a, a.rows, 2 * a.rows + 8));
    library_number(&call, a.batches);
    library_number(&call, a.rows);
    library_number(&call, vectors);
    library_number(&call, parts(a));
    library_emit(&call);
}

void lower_syevd(Frame *frame, int step, Instr *instr) {
    lower_hermitian(frame, step, instr, instr_config_number(instr, "uplo", 'L') == 'L',
                    instr_config_number(instr, "mode", 'V') == 'V', true);
}

/* Its configuration begins with "1" for the lower triangle. */
void lower_eigh(Frame *frame, int step, Instr *instr) {
    const char *config = instr_string(instr, ATTR_BACKEND_CONFIG);
    lower_hermitian(frame, step, instr, !config || config[0] != '0', true, false);
}

/* A wide matrix is transposed: A^T = conj(V) S U^T. */
void lower_gesdd(Frame *frame, int step, Instr *instr) {
    LibraryMatrix a = library_matrix(frame, instr->operands[0], 0);
    factor_keep(frame, step, instr, 0);
    KBuffer *values = library_result(frame, step, instr, 1), *info = library_result(frame, step, instr, 4);
    LibraryMatrix u = library_result_matrix(frame, step, instr, 2), vt = library_result_matrix(frame, step, instr, 3);
    bool vectors = instr_config_number(instr, "mode", 'S') != 'N';
    if (!a.batches) return;
    if (a.rows < a.columns) {
        LibraryMatrix kept = u;
        a = matrix_transposed(a);
        u = matrix_transposed(vt);
        vt = matrix_transposed(kept);
    }
    LibraryCall call = factor_call(frame, instr, "hlocc_svd", a);
    library_add_matrix(&call, a);
    library_buffer(&call, values);
    if (vectors) library_add_matrix(&call, u);
    else library_text(&call, "NULL, 0, 0, 0");
    if (vectors) library_add_matrix(&call, vt);
    else library_text(&call, "NULL, 0, 0, 0");
    library_buffer(&call, info);
    int64_t columns = vectors && u.columns > a.columns ? u.columns : a.columns;
    library_buffer(&call, factor_columns(frame, "svd_work", a, a.rows, columns + a.columns));
    library_number(&call, a.batches);
    library_number(&call, a.rows);
    library_number(&call, a.columns);
    library_number(&call, vectors ? u.columns : 0);
    library_number(&call, parts(a));
    library_emit(&call);
}

void lower_gtsv(Frame *frame, int step, Instr *instr) {
    KBuffer *diagonals[3];
    for (int k = 0; k < 3; k++) {
        diagonals[k] = library_operand(frame, instr->operands[k], 0);
        factor_keep(frame, step, instr, k);
    }
    LibraryMatrix b = library_matrix(frame, instr->operands[3], 0), x = library_result_matrix(frame, step, instr, 3);
    KBuffer *info = library_result(frame, step, instr, 4);
    const Shape *beside = instr->operands[0]->shape;
    LibraryCall call = library_call(frame, instr, "hlocc_tridiagonal_solve", dtype_name(real_type(b.buffer->shape)));
    for (int k = 0; k < 3; k++) library_buffer(&call, diagonals[k]);
    library_add_matrix(&call, b);
    library_add_matrix(&call, x);
    library_buffer(&call, info);
    library_buffer(&call, library_scratch(frame, "gtsv_work", real_type(b.buffer->shape), 3 * parts(b) * b.rows));
    library_number(&call, b.batches);
    library_number(&call, b.rows);
    library_number(&call, beside->dims[beside->rank - 1]);
    library_number(&call, b.columns);
    library_number(&call, parts(b));
    library_emit(&call);
}
