#include "passes/lower/factor.h"

/* Matrices without symmetry: Hessenberg form, Schur form, eigenvectors. */

static int64_t parts(LibraryMatrix a) {
    return is_complex(a) ? 2 : 1;
}

void lower_gehrd(Frame *frame, int step, Instr *instr) {
    LibraryMatrix a = library_matrix(frame, instr->operands[0], 0), out = library_result_matrix(frame, step, instr, 0);
    KBuffer *tau = library_result(frame, step, instr, 1), *info = library_result(frame, step, instr, 2);
    int64_t low = instr_config_number(instr, "low", 1), high = instr_config_number(instr, "high", a.rows);
    if (!a.rows) {
        library_zeros(frame, instr, info);
        return;
    }
    LibraryCall call = factor_call(frame, instr, "hlocc_hessenberg", a);
    library_add_matrix(&call, a);
    library_add_matrix(&call, out);
    library_buffer(&call, tau);
    library_buffer(&call, info);
    library_buffer(&call, factor_columns(frame, "hessenberg_work", a, a.rows, a.rows + 4));
    library_number(&call, a.batches);
    library_number(&call, a.rows);
    library_number(&call, low > 1 ? low - 1 : 0);
    library_number(&call, high < a.rows ? high : a.rows);
    library_number(&call, parts(a));
    library_emit(&call);
}

/* Eigenvalues: two results of real matrices, one of complex ones. Returns the number of the next result. */
static int add_values(LibraryCall *call, int step, Instr *instr, int leaf, bool complex) {
    library_buffer(call, library_result(call->frame, step, instr, leaf));
    if (complex) {
        library_text(call, "NULL");
        return leaf + 1;
    }
    library_buffer(call, library_result(call->frame, step, instr, leaf + 1));
    return leaf + 2;
}

void lower_gees(Frame *frame, int step, Instr *instr) {
    LibraryMatrix a = library_matrix(frame, instr->operands[0], 0), out = library_result_matrix(frame, step, instr, 0);
    LibraryMatrix vs = library_result_matrix(frame, step, instr, 1);
    LibraryCall call = factor_call(frame, instr, "hlocc_schur", a);
    library_add_matrix(&call, a);
    library_add_matrix(&call, out);
    library_add_matrix(&call, vs);
    int leaf = add_values(&call, step, instr, 2, is_complex(a));
    KBuffer *sorted = library_result(frame, step, instr, leaf), *info = library_result(frame, step, instr, leaf + 1);
    if (!a.rows) {
        library_zeros(frame, instr, sorted);
        library_zeros(frame, instr, info);
        return;
    }
    library_buffer(&call, sorted);
    library_buffer(&call, info);
    library_buffer(&call, factor_columns(frame, "schur_work", a, a.rows, 2 * a.rows + 5));
    library_number(&call, a.batches);
    library_number(&call, a.rows);
    library_number(&call, parts(a));
    library_emit(&call);
}

void lower_geev(Frame *frame, int step, Instr *instr) {
    LibraryMatrix a = library_matrix(frame, instr->operands[0], 0);
    LibraryCall call = factor_call(frame, instr, "hlocc_eigen", a);
    library_add_matrix(&call, a);
    int leaf = add_values(&call, step, instr, 0, is_complex(a));
    static const char *const wanted[] = {"compute_left", "compute_right"};
    for (int side = 0; side < 2; side++) {
        LibraryMatrix vectors = library_result_matrix(frame, step, instr, leaf + side);
        if (instr_config_number(instr, wanted[side], 'V') == 'V') library_add_matrix(&call, vectors);
        else library_text(&call, "NULL, 0, 0, 0");
    }
    KBuffer *info = library_result(frame, step, instr, leaf + 2);
    if (!a.rows) {
        library_zeros(frame, instr, info);
        return;
    }
    library_buffer(&call, info);
    library_buffer(&call, factor_columns(frame, "eigen_work", a, a.rows, (is_complex(a) ? 1 : 2) * (4 * a.rows + 12)));
    library_number(&call, a.batches);
    library_number(&call, a.rows);
    library_number(&call, parts(a));
    library_emit(&call);
}
