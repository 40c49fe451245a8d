#include <string.h>

#include "passes/lower/custom_call.h"
#include "passes/lower/linalg.h"

/* Custom calls by functions of the runtime, by target. */

static void trsm(Frame *frame, int step, Instr *call) {
    int64_t transpose = instr_config_number(call, "trans_x", 'N');
    SolveForm form = {instr_config_number(call, "side", 'L') == 'L', instr_config_number(call, "uplo", 'L') == 'L',
                      instr_config_number(call, "diag", 'N') == 'U',
                      transpose == 'C'   ? TRANSPOSE_ADJOINT
                      : transpose == 'T' ? TRANSPOSE_TRANSPOSE
                                         : TRANSPOSE_NONE};
    lower_solve_as(frame, step, call, form);
}

static void potrf(Frame *frame, int step, Instr *call) {
    lower_cholesky_as(frame, step, call, instr_config_number(call, "uplo", 'L') == 'L', true);
}

/* LAPACK's routines as JAX calls them: lapack_ and a letter for the element type, then the name, then _ffi. */
static const struct {
    const char *types, *name; /* letters of element types: s, d, c, z */
    int operands, results;
    void (*lower)(Frame *frame, int step, Instr *call);
} routines[] = {
    {"sdcz", "trsm", 2, 1, trsm},
    {"sdcz", "potrf", 1, 2, potrf},
};

static bool fits(const Instr *call, int operands, int results) {
    if (call->n_operands != operands || (shape_is_tuple(call->shape) ? call->shape->n_elements : 1) !=
        results) return false;
    int rank = call->operands[0]->shape->rank;
    for (int k = 0; k < operands; k++)
        if (!shape_is_array(call->operands[k]->shape) || call->operands[k]->shape->rank < rank - 2) return false;
    return rank >= 2;
}

static int routine_of(const Instr *call) {
    const char *target = instr_string(call, ATTR_CUSTOM_CALL_TARGET);
    if (!target || strncmp(target, "lapack_", 7) != 0 || !target[7]) return -1;
    for (int i = 0; i < (int)(sizeof routines / sizeof *routines); i++) {
        size_t n = strlen(routines[i].name);
        if (!strchr(routines[i].types, target[7]) || strncmp(target + 8, routines[i].name, n) != 0) continue;
        if (strcmp(target + 8 + n, "_ffi") == 0) return fits(call, routines[i].operands, routines[i].results) ? i : -1;
    }
    return -1;
}

bool custom_call_is_compiled(const Instr *call) {
    return routine_of(call) >= 0;
}

void lower_custom_call(Frame *frame, int step, Instr *call) {
    routines[routine_of(call)].lower(frame, step, call);
}
