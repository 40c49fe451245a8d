#include "ir/eval/lapack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ir/eval/linalg.h"
#include "ir/eval/map.h"

/* --- attributes and batches --------------------------------------------------------------------------------------- */

/* A call on a batch of matrices: operands as complex numbers, results likewise, rounded at the end. */
typedef struct {
    Arena *scratch;
    const Instr *instr;
    Value *const *operands;
    int64_t m, n;     /* rows and columns of the first operand */
    int64_t n_batch;
    int n_results;
    const Shape *const *shapes;
    Complex **in, **out; /* whole batches */
} Call;

static Complex *matrix(Complex *all, const Shape *shape, const Call *call, int64_t b) {
    int64_t each = call->n_batch ? shape_elements(shape) / call->n_batch : 0;
    return all + b * each;
}

static Complex *in_matrix(const Call *call, int k, int64_t b) {
    return matrix(call->in[k], call->operands[k]->shape, call, b);
}

static Complex *out_matrix(const Call *call, int k, int64_t b) {
    return matrix(call->out[k], call->shapes[k], call, b);
}

/* Results that begin as a copy of an operand. */
static Complex *out_from_in(const Call *call, int k, int operand, int64_t b) {
    int64_t each = call->n_batch ? shape_elements(call->shapes[k]) / call->n_batch : 0;
    Complex *to = out_matrix(call, k, b);
    if (each) memcpy(to, in_matrix(call, operand, b), (size_t)each * sizeof *to);
    return to;
}

static void put(const Call *call, int k, int64_t b, int64_t i, double value) {
    if (k < call->n_results) out_matrix(call, k, b)[i] = (Complex){value, 0};
}

static int64_t columns_of(const Shape *shape) {
    return shape->dims[shape->rank - 1];
}

static int64_t rows_of(const Shape *shape) {
    return shape->dims[shape->rank - 2];
}

/* One matrix of a batch: false when the call makes no sense. */
typedef bool OneMatrix(const Call *call, int64_t b);

static void call_init(Call *call, const Shape *first) {
    call->m = rows_of(first);
    call->n = columns_of(first);
    call->n_batch = 1;
    for (int d = 0; d < first->rank - 2; d++) call->n_batch *= first->dims[d];
    call->in = NEW_ARRAY(call->scratch, Complex *, call->instr->n_operands);
    call->out = NEW_ARRAY(call->scratch, Complex *, call->n_results);
    for (int k = 0; k < call->instr->n_operands; k++) call->in[k] = wide_matrix(call->scratch, call->operands[k]);
    for (int k = 0; k < call->n_results; k++)
        call->out[k] = NEW_ARRAY(call->scratch, Complex, shape_elements(call->shapes[k]));
}

/* Batches of one length, of matrices, vectors or numbers. */
static bool are_batches(const Instr *instr, int first, int n_results, const Shape *const *results) {
    if (!shape_is_array(instr->operands[first]->shape) || instr->operands[first]->shape->rank < 2) return false;
    const Shape *model = instr->operands[first]->shape;
    for (int k = 0; k < instr->n_operands + n_results; k++) {
        const Shape *shape = k < instr->n_operands ? instr->operands[k]->shape : results[k - instr->n_operands];
        if (!shape_is_array(shape) || shape->rank < model->rank - 2) return false;
        for (int d = 0; d < model->rank - 2; d++)
            if (shape->dims[d] != model->dims[d]) return false;
    }
    return true;
}

static Value *run_batch(Eval *eval, const Instr *instr, const Shape *shape, Value **operands, OneMatrix *one,
                        int first, int n_operands, int n_results) {
    int results = shape_is_tuple(shape) ? shape->n_elements : 1;
    const Shape *const *shapes = shape_is_tuple(shape) ? shape->elements : &shape;
    if (instr->n_operands != n_operands || results != n_results || !are_batches(instr, first, n_results, shapes))
        return eval_error(eval, instr, "cannot evaluate custom call '%s' with these operands and results",
                          instr_string(instr, ATTR_CUSTOM_CALL_TARGET));
    Call call = {arena_new(), instr, operands, 0, 0, 0, results, shapes, NULL, NULL};
    call_init(&call, operands[first]->shape);
    bool done = true;
    for (int64_t b = 0; done && b < call.n_batch; b++) done = one(&call, b);
    Value *result = NULL;
    if (done && !shape_is_tuple(shape)) {
        result = narrow_matrix(shape, call.out[0]);
    } else if (done) {
        result = value_new(shape);
        for (int k = 0; k < results; k++) result->elements[k] = narrow_matrix(shape->elements[k], call.out[k]);
    }
    arena_free(call.scratch);
    if (result) return result;
    return eval_error(eval, instr, "custom call '%s' failed", instr_string(instr, ATTR_CUSTOM_CALL_TARGET));
}

/* --- one matrix --------------------------------------------------------------------------------------------------- */

static bool potrf(const Call *call, int64_t b) {
    Complex *a = out_from_in(call, 0, 0, b);
    put(call, 1, b, 0,
        (double)cholesky_factor(a, call->n, instr_config_number(call->instr, "uplo", 'L') == 'L', false));
    return true;
}

static bool getrf(const Call *call, int64_t b) {
    int64_t k = call->m < call->n ? call->m : call->n;
    int64_t *pivots = NEW_ARRAY(call->scratch, int64_t, k);
    int64_t info = lu_factor(out_from_in(call, 0, 0, b), call->m, call->n, pivots);
    for (int64_t i = 0; i < k; i++) put(call, 1, b, i, (double)(pivots[i] + 1));
    put(call, 2, b, 0, (double)info);
    return true;
}

/* LuDecomposition: (lu, pivots from 0, the permutation that they make). */
static bool lu_decomposition(const Call *call, int64_t b) {
    int64_t k = call->m < call->n ? call->m : call->n;
    int64_t *pivots = NEW_ARRAY(call->scratch, int64_t, k), *rows = NEW_ARRAY(call->scratch, int64_t, call->m);
    lu_factor(out_from_in(call, 0, 0, b), call->m, call->n, pivots);
    for (int64_t i = 0; i < call->m; i++) rows[i] = i;
    for (int64_t i = 0; i < k; i++) {
        int64_t kept = rows[i];
        rows[i] = rows[pivots[i]];
        rows[pivots[i]] = kept;
        put(call, 1, b, i, (double)pivots[i]);
    }
    for (int64_t i = 0; i < call->m; i++) put(call, 2, b, i, (double)rows[i]);
    return true;
}

static bool geqrf(const Call *call, int64_t b) {
    qr_factor(out_from_in(call, 0, 0, b), call->m, call->n, out_matrix(call, 1, b));
    return true;
}

/* (a, jpvt) -> (qr, jpvt, tau): columns from 1; those that come with a number other than 0 stand in front. */
static bool geqp3(const Call *call, int64_t b) {
    bool *fixed = NEW_ARRAY(call->scratch, bool, call->n);
    int64_t *columns = NEW_ARRAY(call->scratch, int64_t, call->n);
    for (int64_t j = 0; j < call->n; j++) fixed[j] = in_matrix(call, 1, b)[j].re != 0;
    qr_factor_pivoted(out_from_in(call, 0, 0, b), call->m, call->n, fixed, columns, out_matrix(call, 2, b));
    for (int64_t j = 0; j < call->n; j++) put(call, 1, b, j, (double)(columns[j] + 1));
    return true;
}

static bool orgqr(const Call *call, int64_t b) {
    Complex *a = out_from_in(call, 0, 0, b);
    qr_form(a, call->m, call->n, columns_of(call->operands[1]->shape), in_matrix(call, 1, b));
    return true;
}

/* (a, tau, c) -> Q c and so on; for complex numbers transpose means the adjoint. */
static bool ormqr(const Call *call, int64_t b) {
    Complex *c = out_from_in(call, 0, 2, b);
    bool left = instr_config_number(call->instr, "left", 1) != 0,
         transpose = instr_config_number(call->instr, "transpose", 0) != 0;
    qr_apply(in_matrix(call, 0, b), call->n, columns_of(call->operands[1]->shape), in_matrix(call, 1, b), c,
             rows_of(call->shapes[0]), columns_of(call->shapes[0]), left, transpose);
    return true;
}

static bool trsm(const Call *call, int64_t b) {
    int64_t transpose = instr_config_number(call->instr, "trans_x", 'N');
    TriangularForm form = {instr_config_number(call->instr, "side", 'L') == 'L',
                           instr_config_number(call->instr, "uplo", 'L') == 'L',
                           instr_config_number(call->instr, "diag", 'N') == 'U',
                           transpose == 'C'   ? TRANSPOSE_ADJOINT
                           : transpose == 'T' ? TRANSPOSE_TRANSPOSE
                                              : TRANSPOSE_NONE};
    triangular_solve(in_matrix(call, 0, b), call->n, out_from_in(call, 0, 1, b), rows_of(call->shapes[0]),
                     columns_of(call->shapes[0]), form);
    return true;
}

/* (x, s, u, vt, info); u and vt whole, thin, or not at all, as the mode says. */
static bool gesdd(const Call *call, int64_t b) {
    int64_t m = call->m, n = call->n, k = m < n ? m : n, mode = instr_config_number(call->instr, "mode", 'S');
    Complex *u = NEW_ARRAY(call->scratch, Complex, m * m), *vt = NEW_ARRAY(call->scratch, Complex, n * n);
    double *s = NEW_ARRAY(call->scratch, double, k);
    singular_values(call->scratch, in_matrix(call, 0, b), m, n, s, u, vt);
    out_from_in(call, 0, 0, b);
    for (int64_t i = 0; i < k; i++) put(call, 1, b, i, s[i]);
    if (mode == 'N') return true;
    int64_t width = columns_of(call->shapes[2]), height = rows_of(call->shapes[3]);
    if (width > m || height > n) return false;
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < width; j++) out_matrix(call, 2, b)[i * width + j] = u[i * m + j];
    memcpy(out_matrix(call, 3, b), vt, (size_t)(height * n) * sizeof *vt);
    return true;
}

/* The Hermitian matrix that one triangle of an operand gives. */
static Complex *hermitian_from(const Call *call, int64_t b, bool lower) {
    int64_t n = call->n;
    const Complex *given = in_matrix(call, 0, b);
    Complex *a = NEW_ARRAY(call->scratch, Complex, n * n);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            a[i * n + j] = i == j ? (Complex){given[i * n + i].re, 0}
                           : (i > j) == lower ? given[i * n + j]
                                              : c_conj(given[j * n + i]);
    return a;
}

static void put_eigen(const Call *call, int64_t b, bool lower) {
    double *values = NEW_ARRAY(call->scratch, double, call->n);
    hermitian_eigen(call->scratch, hermitian_from(call, b, lower), call->n, values, out_matrix(call, 0, b));
    for (int64_t i = 0; i < call->n; i++) put(call, 1, b, i, values[i]);
}

static bool syevd(const Call *call, int64_t b) {
    put_eigen(call, b, instr_config_number(call->instr, "uplo", 'L') == 'L');
    return true;
}

/* Eigh: (vectors, values); its configuration begins with "1" for the lower triangle. */
static bool eigh(const Call *call, int64_t b) {
    const char *config = instr_string(call->instr, ATTR_BACKEND_CONFIG);
    put_eigen(call, b, !config || config[0] != '0');
    return true;
}

/* The triangle that is not given stays as it is. */
static bool sytrd(const Call *call, int64_t b) {
    int64_t n = call->n;
    bool lower = instr_config_number(call->instr, "uplo", 'L') == 'L';
    Complex *a = out_from_in(call, 0, 0, b);
    double *d = NEW_ARRAY(call->scratch, double, n), *e = NEW_ARRAY(call->scratch, double, n);
    tridiagonal_factor(a, n, lower, d, e, out_matrix(call, 3, b));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            if (i != j && (j > i) == lower) a[i * n + j] = in_matrix(call, 0, b)[i * n + j];
    for (int64_t i = 0; i < n; i++) put(call, 1, b, i, d[i]);
    for (int64_t i = 0; i + 1 < n; i++) put(call, 2, b, i, e[i]);
    return true;
}

static bool gehrd(const Call *call, int64_t b) {
    int64_t low = instr_config_number(call->instr, "low", 1), high = instr_config_number(call->instr, "high", call->n);
    if (low < 1 || high > call->n) return false;
    hessenberg_factor(out_from_in(call, 0, 0, b), call->n, low - 1, high, out_matrix(call, 1, b));
    return true;
}

/* (dl, d, du, b): dl begins and du ends with a number that does not count, or has one less than d. */
static bool gtsv(const Call *call, int64_t b) {
    int64_t n = columns_of(call->operands[1]->shape);
    Complex *diagonals[3];
    for (int k = 0; k < 3; k++) {
        int64_t size = columns_of(call->operands[k]->shape);
        diagonals[k] = NEW_ARRAY(call->scratch, Complex, n);
        out_from_in(call, k, k, b);
        memcpy(diagonals[k], in_matrix(call, k, b) + (k == 0 && size == n), (size_t)(size - (k != 1 && size == n)) *
                                                                                sizeof(Complex));
    }
    int64_t info = tridiagonal_solve(diagonals[0], diagonals[1], diagonals[2], n, out_from_in(call, 3, 3, b), call->n);
    put(call, 4, b, 0, (double)info);
    return true;
}

/* Eigenvalues w, right and left eigenvectors. The left ones are the right ones of the adjoint: t^H is lower triangular,
 * with rows and columns counted from the end upper triangular again. */
static bool eigen(const Call *call, int64_t b, Complex *w, Complex *left, Complex *right) {
    int64_t n = call->n;
    Complex *t = NEW_ARRAY(call->scratch, Complex, n * n), *z = NEW_ARRAY(call->scratch, Complex, n * n);
    Complex *turned = NEW_ARRAY(call->scratch, Complex, n * n), *z_turned = NEW_ARRAY(call->scratch, Complex, n * n);
    Complex *vectors = NEW_ARRAY(call->scratch, Complex, n * n);
    memcpy(t, in_matrix(call, 0, b), (size_t)(n * n) * sizeof *t);
    bool converged = schur_factor(call->scratch, t, n, z);
    schur_vectors(call->scratch, t, z, n, right);
    for (int64_t i = 0; i < n; i++) {
        w[i] = t[i * n + i];
        for (int64_t j = 0; j < n; j++) {
            turned[i * n + j] = c_conj(t[(n - 1 - j) * n + n - 1 - i]);
            z_turned[i * n + j] = z[i * n + n - 1 - j];
        }
    }
    schur_vectors(call->scratch, turned, z_turned, n, vectors);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) left[i * n + j] = vectors[i * n + n - 1 - j];
    return converged;
}

/* (w, vl, vr, info). */
static bool geev_complex(const Call *call, int64_t b) {
    put(call, 3, b, 0, !eigen(call, b, out_matrix(call, 0, b), out_matrix(call, 1, b), out_matrix(call, 2, b)));
    return true;
}

/* Column j of `to`: column k of `from`, real or conjugate. */
static void put_vector(Complex *to, int64_t j, const Complex *from, int64_t k, int64_t n, double im_factor) {
    for (int64_t i = 0; i < n; i++) to[i * n + j] = (Complex){from[i * n + k].re, im_factor * from[i * n + k].im};
}

/* (wr, wi, vl, vr, info): what rounding made unequal in a pair is made equal again. */
static bool geev_real(const Call *call, int64_t b) {
    int64_t n = call->n, *order = NEW_ARRAY(call->scratch, int64_t, n);
    Complex *w = NEW_ARRAY(call->scratch, Complex, n);
    Complex *vectors[2] = {NEW_ARRAY(call->scratch, Complex, n * n), NEW_ARRAY(call->scratch, Complex, n * n)};
    bool converged = eigen(call, b, w, vectors[0], vectors[1]) && pair_conjugates(w, n, order);
    put(call, 4, b, 0, !converged);
    for (int64_t i = 0; converged && i < n; i++) {
        int64_t k = order[i];
        bool second = i && w[k].im < 0 && w[order[i - 1]].im > 0, first = !second && w[k].im > 0 && i + 1 < n &&
                      w[order[i + 1]].im < 0;
        if (second) k = order[i - 1];
        double factor = second ? -1 : first;
        put(call, 0, b, i, w[k].re);
        put(call, 1, b, i, factor * w[k].im);
        for (int side = 0; side < 2; side++) put_vector(out_matrix(call, 2 + side, b), i, vectors[side], k, n, factor);
    }
    return true;
}

/* (t, vs, w, sdim, info), of complex matrices. */
static bool gees_complex(const Call *call, int64_t b) {
    int64_t n = call->n;
    Complex *t = out_from_in(call, 0, 0, b);
    put(call, 4, b, 0, schur_factor(call->scratch, t, n, out_matrix(call, 1, b)) ? 0 : 1);
    for (int64_t i = 0; i < n; i++) {
        out_matrix(call, 2, b)[i] = t[i * n + i];
        for (int64_t j = 0; j < i; j++) t[i * n + j] = (Complex){0, 0};
    }
    return true;
}

/* (t, vs, wr, wi, sdim, info), of real ones. */
static bool gees_real(const Call *call, int64_t b) {
    int64_t n = call->n;
    Complex *t = out_from_in(call, 0, 0, b);
    put(call, 5, b, 0, !schur_factor_real(call->scratch, t, n, out_matrix(call, 1, b)));
    for (int64_t i = 0; i < n; i++) {
        bool first = i + 1 < n && t[(i + 1) * n + i].re != 0, second = i > 0 && t[i * n + i - 1].re != 0;
        double product = first ? t[(i + 1) * n + i].re * t[i * n + i + 1].re
                         : second ? t[i * n + i - 1].re * t[(i - 1) * n + i].re
                                  : 0;
        put(call, 2, b, i, t[i * n + i].re);
        put(call, 3, b, i, product == 0 ? 0 : first ? sqrt(-product) : -sqrt(-product));
    }
    return true;
}

/* --- by name ------------------------------------------------------------------------------------------------------ */

/* Operands, results, and the operand whose last two dims are m and n. */
#define RULE(name, one, first, n_operands, n_results)                                                   \
    static Value *name##_rule(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {   \
        return run_batch(eval, instr, shape, operands, one, first, n_operands, n_results);              \
    }
RULE(potrf, potrf, 0, 1, 2)
RULE(getrf, getrf, 0, 1, 3)
RULE(geqrf, geqrf, 0, 1, 2)
RULE(geqp3, geqp3, 0, 2, 3)
RULE(orgqr, orgqr, 0, 2, 1)
RULE(ormqr, ormqr, 0, 3, 1)
RULE(trsm, trsm, 0, 2, 1)
RULE(gesdd, gesdd, 0, 1, 5)
RULE(syevd, syevd, 0, 1, 3)
RULE(sytrd, sytrd, 0, 1, 5)
RULE(gehrd, gehrd, 0, 1, 3)
RULE(gtsv, gtsv, 3, 4, 5)
RULE(geev_real, geev_real, 0, 1, 5)
RULE(geev_complex, geev_complex, 0, 1, 4)
RULE(gees_complex, gees_complex, 0, 1, 5)
RULE(gees_real, gees_real, 0, 1, 6)
RULE(lu_decomposition, lu_decomposition, 0, 1, 3)
RULE(eigh, eigh, 0, 1, 2)

static const struct {
    const char *types, *name; /* letters of element types: s, d, c, z */
    EvalRule *rule;
} routines[] = {
    {"sdcz", "potrf", potrf_rule},   {"sdcz", "getrf", getrf_rule}, {"sdcz", "geqrf", geqrf_rule},
    {"sdcz", "geqp3", geqp3_rule},   {"sd", "orgqr", orgqr_rule},   {"cz", "ungqr", orgqr_rule},
    {"sd", "ormqr", ormqr_rule},     {"cz", "unmqr", ormqr_rule},   {"sdcz", "trsm", trsm_rule},
    {"sdcz", "gesdd", gesdd_rule},   {"sdcz", "gesvd", gesdd_rule}, {"sd", "syevd", syevd_rule},
    {"cz", "heevd", syevd_rule},     {"sd", "sytrd", sytrd_rule},   {"cz", "hetrd", sytrd_rule},
    {"sdcz", "gehrd", gehrd_rule},   {"sdcz", "gtsv", gtsv_rule},   {"sd", "geev", geev_real_rule},
    {"cz", "geev", geev_complex_rule}, {"cz", "gees", gees_complex_rule},
    {"sd", "gees", gees_real_rule},
};

static const struct {
    const char *target;
    EvalRule *rule;
} others[] = {
    {"Qr", geqrf_rule},
    {"ProductOfElementaryHouseholderReflectors", orgqr_rule},
    {"LuDecomposition", lu_decomposition_rule},
    {"Eigh", eigh_rule},
};

EvalRule *lapack_rule(const char *target) {
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (strcmp(others[k].target, target) == 0) return others[k].rule;
    if (strncmp(target, "lapack_", 7) != 0 || !target[7]) return NULL;
    const char *name = target + 8;
    for (size_t k = 0; k < sizeof routines / sizeof *routines; k++) {
        size_t n = strlen(routines[k].name);
        if (strncmp(name, routines[k].name, n) == 0 && strcmp(name + n, "_ffi") == 0 &&
            strchr(routines[k].types, target[7]))
            return routines[k].rule;
    }
    return NULL;
}
