#include <string.h>

#include "passes/lower/custom_call.h"
#include "passes/lower/factor.h"

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
    FactorLowering *lower;
} routines[] = {
    {"sdcz", "trsm", 2, 1, trsm},
    {"sdcz", "potrf", 1, 2, potrf},
    {"sdcz", "getrf", 1, 3, lower_getrf},
    {"sdcz", "geqrf", 1, 2, lower_geqrf},
    {"sdcz", "geqp3", 2, 3, lower_geqp3},
    {"sd", "orgqr", 2, 1, lower_orgqr},
    {"cz", "ungqr", 2, 1, lower_orgqr},
    {"sd", "ormqr", 3, 1, lower_ormqr},
    {"cz", "unmqr", 3, 1, lower_ormqr},
    {"sd", "sytrd", 1, 5, lower_sytrd},
    {"cz", "hetrd", 1, 5, lower_sytrd},
    {"sd", "syevd", 1, 3, lower_syevd},
    {"cz", "heevd", 1, 3, lower_syevd},
    {"sdcz", "gesdd", 1, 5, lower_gesdd},
    {"sdcz", "gesvd", 1, 5, lower_gesdd},
    {"sdcz", "gtsv", 4, 5, lower_gtsv},
    {"sdcz", "gehrd", 1, 3, lower_gehrd},
    {"sd", "gees", 1, 6, lower_gees},
    {"cz", "gees", 1, 5, lower_gees},
    {"sd", "geev", 1, 5, lower_geev},
    {"cz", "geev", 1, 4, lower_geev},
};

/* What TPUs have instead. */
static const struct {
    const char *target;
    int operands, results;
    FactorLowering *lower;
} others[] = {
    {"Qr", 1, 2, lower_geqrf},
    {"ProductOfElementaryHouseholderReflectors", 2, 1, lower_orgqr},
    {"LuDecomposition", 1, 3, lower_lu_decomposition},
    {"Eigh", 1, 2, lower_eigh},
};

static bool fits(const Instr *call, int operands, int results) {
    if (call->n_operands != operands || (shape_is_tuple(call->shape) ? call->shape->n_elements : 1) !=
        results) return false;
    int rank = call->operands[0]->shape->rank;
    DType dtype = call->operands[0]->shape->dtype;
    if (dtype != DT_F32 && dtype != DT_F64 && !dtype_is_complex(dtype)) return false;
    for (int k = 0; k < operands; k++)
        if (!shape_is_array(call->operands[k]->shape) || call->operands[k]->shape->rank < rank - 2) return false;
    return call->operands[operands == 4 ? 3 : 0]->shape->rank >= 2;
}

static FactorLowering *routine_of(const Instr *call) {
    const char *target = instr_string(call, ATTR_CUSTOM_CALL_TARGET);
    for (size_t i = 0; target && i < sizeof others / sizeof *others; i++)
        if (strcmp(target, others[i].target) == 0)
            return fits(call, others[i].operands, others[i].results) ? others[i].lower : NULL;
    if (!target || strncmp(target, "lapack_", 7) != 0 || !target[7]) return NULL;
    for (size_t i = 0; i < sizeof routines / sizeof *routines; i++) {
        size_t n = strlen(routines[i].name);
        if (!strchr(routines[i].types, target[7]) || strncmp(target + 8, routines[i].name, n) != 0) continue;
        if (strcmp(target + 8 + n, "_ffi") != 0) continue;
        return fits(call, routines[i].operands, routines[i].results) ? routines[i].lower : NULL;
    }
    return NULL;
}

bool custom_call_is_compiled(const Instr *call) {
    return routine_of(call) != NULL;
}

void lower_custom_call(Frame *frame, int step, Instr *call) {
    routine_of(call)(frame, step, call);
}
