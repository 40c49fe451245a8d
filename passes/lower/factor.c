#include "passes/lower/factor.h"

KBuffer *factor_columns(Frame *frame, const char *name, LibraryMatrix a, int64_t m, int64_t columns) {
    DType real = real_type(a.buffer->shape);
    int64_t lanes = library_lanes(frame, real), width = (m + lanes - 1) / lanes * lanes;
    return library_scratch(frame, name, real, (is_complex(a) ? 2 : 1) * width * columns);
}

LibraryCall factor_call(Frame *frame, const Instr *instr, const char *function, LibraryMatrix a) {
    return library_call(frame, instr, function, library_type(frame, real_type(a.buffer->shape)));
}

void factor_optional(LibraryCall *call, KBuffer *buffer) {
    if (buffer) library_buffer(call, buffer);
    else library_text(call, "NULL");
}


static bool is_read(const Instr *instr, int leaf) {
    for (int i = 0; i < instr->users.n; i++) {
        const Instr *user = instr->users.at[i];
        if (user->op != OP_GET_TUPLE_ELEMENT || instr_int(user, ATTR_INDEX, 0) == leaf) return true;
    }
    return instr->parent->root == instr;
}

void factor_keep(Frame *frame, int step, Instr *instr, int leaf) {
    KBuffer *kept = library_result(frame, step, instr, leaf);
    if (is_read(instr, leaf))
        copy_value(frame, host_value(frame, instr->operands[leaf], 0), kept, kept->shape, instr->name);
}

static void lower_lu(Frame *frame, int step, Instr *instr, bool permutes) {
    LibraryMatrix a = library_matrix(frame, instr->operands[0], 0), out = library_result_matrix(frame, step, instr, 0);
    KBuffer *pivots = library_result(frame, step, instr, 1), *other = library_result(frame, step, instr, 2);
    if (!shape_elements(instr->operands[0]->shape) && !permutes) {
        library_zeros(frame, instr, other);
        return;
    }
    LibraryCall call = factor_call(frame, instr, "hlocc_lu", a);
    library_add_matrix(&call, a);
    library_add_matrix(&call, out);
    library_buffer(&call, pivots);
    factor_optional(&call, permutes ? other : NULL);
    factor_optional(&call, permutes ? NULL : other);
    library_buffer(&call, factor_columns(frame, "lu_work", a, a.rows, a.columns + 2));
    library_number(&call, a.batches);
    library_number(&call, a.rows);
    library_number(&call, a.columns);
    library_number(&call, !permutes);
    library_number(&call, is_complex(a) ? 2 : 1);
    library_emit(&call);
}

void lower_getrf(Frame *frame, int step, Instr *instr) {
    lower_lu(frame, step, instr, false);
}

void lower_lu_decomposition(Frame *frame, int step, Instr *instr) {
    lower_lu(frame, step, instr, true);
}

static void lower_qr(Frame *frame, int step, Instr *instr, bool pivoted) {
    LibraryMatrix a = library_matrix(frame, instr->operands[0], 0), out = library_result_matrix(frame, step, instr, 0);
    KBuffer *given = pivoted ? library_operand(frame, instr->operands[1], 0) : NULL;
    KBuffer *columns = pivoted ? library_result(frame, step, instr, 1) : NULL;
    KBuffer *tau = library_result(frame, step, instr, pivoted ? 2 : 1);
    if (!a.batches || !a.columns) return;
    LibraryCall call = factor_call(frame, instr, "hlocc_qr", a);
    library_add_matrix(&call, a);
    library_add_matrix(&call, out);
    library_buffer(&call, tau);
    factor_optional(&call, given);
    factor_optional(&call, columns);
    library_buffer(&call, factor_columns(frame, "qr_work", a, a.rows, a.columns + 2));
    library_number(&call, a.batches);
    library_number(&call, a.rows);
    library_number(&call, a.columns);
    library_number(&call, is_complex(a) ? 2 : 1);
    library_emit(&call);
}

void lower_geqrf(Frame *frame, int step, Instr *instr) {
    lower_qr(frame, step, instr, false);
}

void lower_geqp3(Frame *frame, int step, Instr *instr) {
    lower_qr(frame, step, instr, true);
}

static int64_t reflectors(const Instr *instr) {
    const Shape *tau = instr->operands[1]->shape;
    return tau->dims[tau->rank - 1];
}

void lower_orgqr(Frame *frame, int step, Instr *instr) {
    LibraryMatrix a = library_matrix(frame, instr->operands[0], 0), out = library_result_matrix(frame, step, instr, 0);
    KBuffer *tau = library_operand(frame, instr->operands[1], 0);
    if (!shape_elements(instr->shape)) return;
    LibraryCall call = factor_call(frame, instr, "hlocc_qr_form", a);
    library_add_matrix(&call, a);
    library_add_matrix(&call, out);
    library_buffer(&call, tau);
    library_buffer(&call, factor_columns(frame, "qr_work", a, a.rows, 2 * a.columns + 2));
    library_number(&call, a.batches);
    library_number(&call, a.rows);
    library_number(&call, a.columns);
    library_number(&call, reflectors(instr));
    library_number(&call, is_complex(a) ? 2 : 1);
    library_emit(&call);
}

/* c Q is (Q^H c^H)^H. */
void lower_ormqr(Frame *frame, int step, Instr *instr) {
    LibraryMatrix a = library_matrix(frame, instr->operands[0], 0), c = library_matrix(frame, instr->operands[2], 0);
    LibraryMatrix out = library_result_matrix(frame, step, instr, 0);
    KBuffer *tau = library_operand(frame, instr->operands[1], 0);
    bool left = instr_config_number(instr, "left", 1) != 0, adjoint = instr_config_number(instr, "transpose", 0) != 0;
    if (!shape_elements(instr->shape)) return;
    if (!left) {
        c = matrix_transposed(c);
        out = matrix_transposed(out);
        adjoint = !adjoint;
    }
    LibraryCall call = factor_call(frame, instr, "hlocc_qr_apply", a);
    library_add_matrix(&call, a);
    library_add_matrix(&call, c);
    library_add_matrix(&call, out);
    library_buffer(&call, tau);
    library_buffer(&call, factor_columns(frame, "qr_work", a, c.rows, reflectors(instr) + c.columns + 2));
    library_number(&call, a.batches);
    library_number(&call, c.rows);
    library_number(&call, c.columns);
    library_number(&call, reflectors(instr));
    library_number(&call, adjoint);
    library_number(&call, !left);
    library_number(&call, is_complex(a) ? 2 : 1);
    library_emit(&call);
}
