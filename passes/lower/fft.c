#include <math.h>

#include "passes/lower/library.h"

/* fft: one dim after the other, by functions of the runtime (runtime/templates/fft.h, fft_long.h); the roots of unity
 * are tables of the program. */

typedef struct {
    Frame *frame;
    const Instr *instr;
    DType dtype;      /* of the components */
    int lanes;
    bool inverse;
    KBuffer *from, *to;
} Fft;

/* One dim: [outer][n][inner], steps between the outer ones. */
typedef struct {
    int64_t n, outer, inner, in_step, out_step;
    const char *reals; /* flags of real input or output, or "" */
    double scale;
} FftAxis;

static void set_root(Literal *literal, int64_t at, int64_t k, int64_t n) {
    double angle = -2 * 3.14159265358979323846 * (double)(k % n) / (double)n;
    bool quarter = 4 * (k % n) % n == 0; /* exact there */
    literal_set_double(literal, 2 * at, quarter ? round(cos(angle)) : cos(angle), 0);
    literal_set_double(literal, 2 * at + 1, quarter ? round(sin(angle)) : sin(angle), 0);
}

/* --- lengths that factors below 50 divide ------------------------------------------------------------------------- */

enum { LARGEST_RADIX = 50 };

static bool has_large_factor(int64_t n) {
    for (int64_t p = 2; p * p <= n; p++)
        while (n % p == 0) n /= p;
    return n > LARGEST_RADIX;
}

static bool needs_padding(int64_t n) {
    for (int64_t p = 2; p < LARGEST_RADIX; p++)
        while (n % p == 0) n /= p;
    return n > 1;
}

static int64_t padded_length(int64_t n) {
    int64_t padded = 1;
    while (padded < 2 * n - 1) padded *= 2;
    return padded;
}

static void fill_roots(Literal *literal, const int64_t *key) {
    for (int64_t k = 0; k < key[0]; k++) set_root(literal, k, k, key[0]);
}

/* A plain transform of n complex numbers, n a power of two, in double. */
static void transform(Arena *scratch, double *re, double *im, int64_t n) {
    if (n == 1) return;
    double *parts = NEW_ARRAY(scratch, double, 2 * n), *even_re = parts, *odd_re = parts + n / 2;
    double *even_im = parts + n, *odd_im = parts + n + n / 2;
    for (int64_t j = 0; j < n / 2; j++) {
        even_re[j] = re[2 * j];
        odd_re[j] = re[2 * j + 1];
        even_im[j] = im[2 * j];
        odd_im[j] = im[2 * j + 1];
    }
    transform(scratch, even_re, even_im, n / 2);
    transform(scratch, odd_re, odd_im, n / 2);
    for (int64_t k = 0; k < n / 2; k++) {
        double angle = -2 * 3.14159265358979323846 * (double)k / (double)n, c = cos(angle), s = sin(angle);
        double t_re = odd_re[k] * c - odd_im[k] * s, t_im = odd_re[k] * s + odd_im[k] * c;
        re[k] = even_re[k] + t_re;
        im[k] = even_im[k] + t_im;
        re[k + n / 2] = even_re[k] - t_re;
        im[k + n / 2] = even_im[k] - t_im;
    }
}

/* Bluestein's: roots of the padded length, the chirp, and the transform of its conjugate. key: n, padded. */
static void fill_chirp(Literal *literal, const int64_t *key) {
    int64_t n = key[0], padded = key[1];
    Arena *scratch = arena_new();
    double *re = NEW_ARRAY(scratch, double, padded), *im = NEW_ARRAY(scratch, double, padded);
    fill_roots(literal, &padded);
    for (int64_t k = 0; k < n; k++) {
        int64_t square = (int64_t)((uint64_t)k * (uint64_t)k % (uint64_t)(2 * n));
        set_root(literal, padded + k, square, 2 * n);
        double angle = 3.14159265358979323846 * (double)square / (double)n;
        re[k] = cos(angle) / (double)padded;
        im[k] = sin(angle) / (double)padded;
        if (k) {
            re[padded - k] = re[k];
            im[padded - k] = im[k];
        }
    }
    transform(scratch, re, im, padded);
    for (int64_t k = 0; k < padded; k++) {
        literal_set_double(literal, 2 * (padded + n + k), re[k], 0);
        literal_set_double(literal, 2 * (padded + n + k) + 1, im[k], 0);
    }
    arena_free(scratch);
}

static const char *number_text(const Fft *f, double value) {
    return arena_printf(f->frame->low->arena, f->dtype == DT_F32 ? "(float)%.17g" : "%.17g", value);
}

static const char *flags(const Fft *f, const FftAxis *axis) {
    const char *inverse = f->inverse ? "HLOCC_FFT_INVERSE" : "";
    if (!*inverse && !*axis->reals) return "0";
    return arena_printf(f->frame->low->arena, "%s%s%s", inverse, *inverse && *axis->reals ? " | " : "", axis->reals);
}

static KBuffer *table_of(const Fft *f, const char *name, int64_t elements, LibraryTable *fill, const int64_t *key,
                         int n_key) {
    return library_table(f->frame, f->instr, name, f->dtype, elements, fill, key, n_key);
}

static LibraryCall call_of(const Fft *f, const char *function) {
    return library_call(f->frame, f->instr, function, library_type(f->frame, f->dtype));
}

static void side_by_side(const Fft *f, KBuffer *from, KBuffer *to, const FftAxis *axis) {
    int64_t padded = needs_padding(axis->n) ? padded_length(axis->n) : 0, key[2] = {axis->n, padded};
    int64_t room = padded > axis->n ? padded : axis->n;
    KBuffer *table = padded ? table_of(f, "chirp", 2 * (axis->n + 2 * padded), fill_chirp, key, 2)
                            : table_of(f, "roots", 2 * axis->n, fill_roots, key, 1);
    LibraryCall call = call_of(f, "hlocc_fft_axis");
    library_buffer(&call, from);
    library_buffer(&call, to);
    library_buffer(&call, library_scratch(f->frame, "fft_work", f->dtype, 4 * f->lanes * room));
    library_buffer(&call, table);
    const int64_t numbers[] = {axis->n, padded, axis->outer, axis->inner, axis->in_step, axis->out_step};
    for (int i = 0; i < 6; i++) library_number(&call, numbers[i]);
    library_text(&call, flags(f, axis));
    library_text(&call, number_text(f, axis->scale));
    library_emit(&call);
}

/* --- long transforms, one at a time ------------------------------------------------------------------------------- */

/* n = n1 * n2, both multiples of the lanes, near each other; false: there is none, or it would not pay. */
static bool split_length(const Fft *f, const FftAxis *axis, int64_t *n1) {
    if (f->lanes < 2 || axis->inner != 1 || *axis->reals || axis->n < 256 || has_large_factor(axis->n)) return false;
    *n1 = 0;
    for (int64_t a = f->lanes; a * a <= axis->n; a += f->lanes)
        if (axis->n % a == 0 && axis->n / a % f->lanes == 0) *n1 = a;
    return *n1 && axis->n / *n1 <= 16 * *n1;
}

/* Roots of n1, roots of n2, the first n2 roots of n; a ramp, if there is room. key: n1, n2, lanes (0: no ramp). */
static void fill_long(Literal *literal, const int64_t *key) {
    int64_t n1 = key[0], n2 = key[1], lanes = key[2], ramp = 2 * (n1 + 2 * n2);
    for (int64_t k = 0; k < n1; k++) set_root(literal, k, k, n1);
    for (int64_t k = 0; k < n2; k++) set_root(literal, n1 + k, k, n2);
    for (int64_t k = 0; k < n2; k++) set_root(literal, n1 + n2 + k, k, n1 * n2);
    for (int64_t k = 0; k < n1; k++)
        for (int64_t l = 0; l < lanes; l++) {
            double angle = -2 * 3.14159265358979323846 * (double)(k * l) / (double)(n1 * n2);
            literal_set_double(literal, ramp + k * lanes + l, cos(angle), 0);
            literal_set_double(literal, ramp + (n1 + k) * lanes + l, sin(angle), 0);
        }
}

enum { LARGEST_RAMP = 64 };

static void one_by_one(const Fft *f, KBuffer *from, KBuffer *to, const FftAxis *axis, int64_t n1) {
    int64_t n2 = axis->n / n1, key[] = {n1, n2, n1 <= LARGEST_RAMP ? f->lanes : 0}, larger = n1 > n2 ? n1 : n2;
    int64_t ramp_at = 2 * (n1 + 2 * n2);
    KBuffer *table = table_of(f, "roots", ramp_at + 2 * n1 * key[2], fill_long, key, 3), *ramp = table;
    if (!key[2]) {
        ramp = library_scratch(f->frame, "ramp", f->dtype, 2 * n1 * f->lanes);
        ramp_at = 0;
        LibraryCall fill = call_of(f, "hlocc_fft_ramp");
        library_buffer(&fill, ramp);
        library_buffer(&fill, table);
        library_number(&fill, n1);
        library_number(&fill, n2);
        library_emit(&fill);
    }
    LibraryCall call = call_of(f, "hlocc_fft_long");
    library_buffer(&call, from);
    library_buffer(&call, to);
    library_buffer(&call, library_scratch(f->frame, "fft_work", f->dtype, 2 * axis->n + 4 * f->lanes * larger));
    library_buffer(&call, table);
    library_part(&call, ramp, ramp_at);
    const int64_t numbers[] = {n1, n2, axis->outer, axis->in_step, axis->out_step, f->inverse};
    for (int i = 0; i < 6; i++) library_number(&call, numbers[i]);
    library_text(&call, number_text(f, axis->scale));
    library_emit(&call);
}

static void along(const Fft *f, KBuffer *from, KBuffer *to, const FftAxis *axis) {
    int64_t n1;
    if (split_length(f, axis, &n1)) one_by_one(f, from, to, axis, n1);
    else side_by_side(f, from, to, axis);
}

/* --- real numbers ------------------------------------------------------------------------------------------------- */

/* 64 roots of n, and every 64th root up to a quarter of n. */
static void fill_real_roots(Literal *literal, const int64_t *key) {
    for (int64_t k = 0; k < 64; k++) set_root(literal, k, k, key[0]);
    for (int64_t k = 0; k <= key[0] / 4 / 64; k++) set_root(literal, 64 + k, 64 * k, key[0]);
}

static void add_real_roots(const Fft *f, LibraryCall *call, int64_t rows, int64_t n) {
    library_number(call, rows);
    library_number(call, n);
    library_buffer(call, table_of(f, "real_roots", 2 * (65 + n / 4 / 64), fill_real_roots, &n, 1));
    library_emit(call);
}

static LibraryCall complex_call(const Fft *f, const char *function) {
    return library_call(f->frame, f->instr, function, f->dtype == DT_F32 ? "c64" : "c128");
}

/* Rows of n real numbers to n / 2 + 1 complex ones: in pairs, where n is even. */
static void from_reals(const Fft *f, KBuffer *from, KBuffer *to, int64_t rows, int64_t n) {
    if (n % 2) {
        along(f, from, to, &(FftAxis){n, rows, 1, n, n / 2 + 1, "HLOCC_FFT_REAL_IN", 1});
        return;
    }
    along(f, from, to, &(FftAxis){n / 2, rows, 1, n / 2, n / 2 + 1, "", 1});
    LibraryCall call = complex_call(f, "hlocc_fft_unpack");
    library_buffer(&call, to);
    add_real_roots(f, &call, rows, n);
}

static void to_reals(const Fft *f, KBuffer *from, KBuffer *to, int64_t rows, int64_t n, double scale) {
    if (n % 2) {
        along(f, from, to, &(FftAxis){n, rows, 1, n / 2 + 1, n, "HLOCC_FFT_REAL_OUT", scale});
        return;
    }
    LibraryCall call = complex_call(f, "hlocc_fft_pack");
    library_buffer(&call, from);
    library_buffer(&call, to);
    add_real_roots(f, &call, rows, n);
    along(f, to, to, &(FftAxis){n / 2, rows, 1, n / 2, n / 2, "", scale});
}

/* --- the operation ------------------------------------------------------------------------------------------------ */

/* Complex transform along dim of shape, in an array of shape's sizes. */
static void complex_axis(const Fft *f, KBuffer *from, KBuffer *to, const Shape *shape, int dim, double scale) {
    FftAxis axis = {.n = shape->dims[dim], .outer = 1, .inner = 1, .reals = "", .scale = scale};
    for (int i = 0; i < dim; i++) axis.outer *= shape->dims[i];
    for (int i = dim + 1; i < shape->rank; i++) axis.inner *= shape->dims[i];
    axis.in_step = axis.out_step = axis.n * axis.inner;
    along(f, from, to, &axis);
}

void lower_fft(Frame *frame, int step, Instr *instr) {
    FftType type = (FftType)instr_int(instr, ATTR_FFT_TYPE, FFT_FFT);
    IntList lengths = instr_ints(instr, ATTR_FFT_LENGTH);
    const Shape *in = instr->operands[0]->shape, *out = instr->shape;
    Fft f = {.frame = frame, .instr = instr, .inverse = type == FFT_IFFT || type == FFT_IRFFT};
    f.dtype = out->dtype == DT_C128 || out->dtype == DT_F64 ? DT_F64 : DT_F32;
    f.lanes = library_lanes(frame, f.dtype);
    f.from = library_operand(frame, instr->operands[0], 0);
    f.to = library_result(frame, step, instr, 0);
    if (!shape_elements(out)) return;
    int last = out->rank - 1;
    int64_t n = lengths.at[lengths.n - 1], rows = shape_elements(out) / out->dims[last];
    double count = 1;
    for (int i = 0; i < lengths.n; i++) count *= (double)lengths.at[i];
    double scale = f.inverse ? 1 / count : 1;
    if (type == FFT_IRFFT) {
        KBuffer *between = f.from;
        if (lengths.n > 1) between = library_scratch(frame, "spectrum", f.dtype, 2 * shape_elements(in));
        for (int i = 1; i < lengths.n; i++) complex_axis(&f, i == 1 ? f.from : between, between, in, last - i, 1);
        to_reals(&f, between, f.to, rows, n, scale);
        return;
    }
    if (type == FFT_RFFT) from_reals(&f, f.from, f.to, rows, n);
    else complex_axis(&f, f.from, f.to, out, last, lengths.n == 1 ? scale : 1);
    for (int i = 1; i < lengths.n; i++) complex_axis(&f, f.to, f.to, out, last - i, i == lengths.n - 1 ? scale : 1);
}
