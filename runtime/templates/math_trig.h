/* header: hlocc/math_trig_large.h */
/* sin, cos and tan. x = n pi/2 + r, |r| <= pi/4; then polynomials. */

/* piece: hlocc_two_over_pi */
/* The bits of 2/pi, after 64 zeros. */
static const uint64_t hlocc_two_over_pi[] HLOCC_UNUSED = {
    0, 0xA2F9836E4E441529, 0xFC2757D1F534DDC0, 0xDB6295993C439041, 0xFE5163ABDEBBC561, 0xB7246E3A424DD2E0,
    0x06492EEA09D1921C, 0xFE1DEB1CB129A73E, 0xE88235F52EBB4484, 0xE99C7026B45F7E41, 0x3991D639835339F4,
    0x9C845F8BBDF9283B, 0x1FF897FFDE05980F, 0xEF2F118B5A0A6D1F, 0x6D367ECF27CB09B7, 0x4F463F669E5FEA2D,
    0x7527BAC7EBE5F17B, 0x3D0739F78A5292EA, 0x6BFB5FB11F8D5D08, 0x56033046FC7B6BAB, 0xF0CFBC209AF4361D,
    0xA9E391615EE61B08,
};

/* piece: hlocc_umul_high */
/* The upper half of the product of 64 by 64 bits. */
HLOCC_INLINE uint64_t hlocc_umul_high(uint64_t a, uint64_t b)
{
    uint64_t a0 = a & 0xFFFFFFFF, a1 = a >> 32, b0 = b & 0xFFFFFFFF, b1 = b >> 32;
    uint64_t middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (middle & 0xFFFFFFFF);
    return a1 * b1 + (middle >> 32) + (other >> 32);
}

/* piece: hlocc_trig_large */
/* r + *low and n (modulo 4) of x = n pi/2 + r, for any |x| >= 1 (Payne and Hanek): x times those bits of 2/pi that
 * decide. */
HLOCC_NOINLINE double hlocc_trig_large(double x, double *low_part, int *quadrant)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int exponent = (int)(bits >> 52 & 0x7FF) - 1075; /* |x| = m 2^exponent */
    uint64_t m = (bits & 0xFFFFFFFFFFFFF) | 0x10000000000000;
    if (exponent == 2047 - 1075) {
        *quadrant = 0;
        *low_part = 0;
        return x - x;
    }
    int first = exponent - 2 + 64; /* bits of 2/pi before it give multiples of 2 pi */
    const uint64_t *word = hlocc_two_over_pi + first / 64;
    int shift = first % 64;
    uint64_t w[3];
    for (int i = 0; i < 3; i++) w[i] = shift ? word[i] << shift | word[i + 1] >> (64 - shift) : word[i];
    /* the fraction of 0.w m, in 192 bits, of which the last word only gives a carry */
    uint64_t low = m * w[1] + hlocc_umul_high(m, w[2]);
    uint64_t high = m * w[0] + hlocc_umul_high(m, w[1]) + (low < m * w[1]);
    uint64_t n = (high + ((uint64_t)1 << 61)) >> 62; /* x / (pi/2) = 4 * fraction */
    high -= n << 62;
    int64_t part = (int64_t)high;
    /* head is exact */
    double head = (double)(part - part % 1024), tail = (double)(part % 1024) + (double)low * 0x1p-64;
    const double quarter = 0x1.921fb54442d18p-62, quarter_low = 0x1.1a62633145c07p-116; /* pi/2 / 2^62 */
    double p = hlocc_exact_f64(head * quarter);
    double p_low = hlocc_product_rest_f64(head, quarter, p);
    double rest = p_low + (head * quarter_low + tail * quarter), r = p + rest;
    int negative = (int)(bits >> 63);
    *low_part = negative ? r - p - rest : rest - (r - p);
    *quadrant = (int)((negative ? 0 - n : n) & 3);
    return negative ? -r : r;
}

/* header: hlocc/math_trig_V.h */
/* piece: hlocc_trig_large_V | F | scalar vector */
/* Replaces what is larger than limit. */
HLOCC_NOINLINE void hlocc_trig_large_V(const hlocc_V *x, hlocc_S limit, hlocc_V *r, hlocc_V *low, hlocc_I *quadrant)
{
@if scalar
    int n;
    double rest;
    if (!(hlocc_abs_S(*x) > limit)) return;
    double d = hlocc_trig_large((double)*x, &rest, &n);
    *r = (hlocc_S)d;
    *low = (hlocc_S)(d - (double)*r + rest);
    *quadrant = n;
@else
    for (int i = 0; i < LANES; i++) {
        int n;
        double rest;
        hlocc_S xi = hlocc_lane_V(*x, i);
        if (!(hlocc_abs_S(xi) > limit)) continue;
        double d = hlocc_trig_large((double)xi, &rest, &n);
        *r = hlocc_set_lane_V(*r, i, (hlocc_S)d);
        *low = hlocc_set_lane_V(*low, i, (hlocc_S)(d - (double)(hlocc_S)d + rest));
        *quadrant = hlocc_set_lane_I(*quadrant, i, n);
    }
@end
}

/* piece: hlocc_trig_reduce_V | F | scalar vector */
/* r; *low: what is missing to it; *quadrant: n, of which the last two bits count. x >= 0. */
HLOCC_INLINE hlocc_V hlocc_trig_reduce_V(hlocc_V x, hlocc_V *low, hlocc_I *quadrant)
{
@if f32
    const hlocc_V magic = K(0x1.8p23f);
    hlocc_V t = FMA(x, K(0x1.45f306p-1f), magic), n = SUB(t, magic);
@if hwfma
    const float limit = 0x1p17f; /* so far n times the first part of pi/2 is exact */
    hlocc_V r1 = FMA(n, K(-0x1.921fb6p0f), x), r = FMA(n, K(0x1.777a5cp-25f), r1);
    /* wrong where the second product cancels: there r is exact */
    hlocc_V lost = FMA(n, K(0x1.777a5cp-25f), SUB(r1, r));
    *low = FMA(n, K(0x1.ee59dap-50f), hlocc_select_V(GT(ABS(r), K(0x1p-7f)), lost, K(0)));
@else
    const float limit = 0x1p13f; /* so far the products with the first three parts are exact */
    hlocc_V r0 = SUB(x, MUL(n, K(0x1.92p0f))), p = MUL(n, K(0x1.fb4p-12f)), q = MUL(n, K(0x1.444p-24f));
    hlocc_V r1 = SUB(r0, p), r = SUB(r1, q);
    *low = ADD(SUB(SUB(r0, r1), p), SUB(SUB(SUB(r1, r), q), MUL(n, K(0x1.68c234p-39f))));
@end
@else
    const hlocc_V magic = K(0x1.8p52);
    hlocc_V t = FMA(x, K(0x1.45f306dc9c883p-1), magic), n = SUB(t, magic);
@if hwfma
    const double limit = 0x1p30; /* so far n times the first part of pi/2 is exact */
    hlocc_V r1 = FMA(n, K(-0x1.921fb54442d18p0), x), r = FMA(n, K(-0x1.1a62633145c07p-54), r1);
    hlocc_V lost = FMA(n, K(-0x1.1a62633145c07p-54), SUB(r1, r)); /* as for f32 */
    *low = FMA(n, K(0x1.f1976b7ed8fbcp-110), hlocc_select_V(GT(ABS(r), K(0x1p-23)), lost, K(0)));
@else
    const double limit = 0x1p20; /* so far the products with the first two parts are exact */
    hlocc_V r0 = SUB(x, MUL(n, K(0x1.921fb544p0))), p = MUL(n, K(0x1.0b4611a6p-34)), q =
        MUL(n, K(0x1.3198a2e037073p-69));
    hlocc_V r1 = SUB(r0, p), r = SUB(r1, q);
    *low = ADD(SUB(SUB(r0, r1), p), SUB(SUB(r1, r), q));
@end
@end
    *quadrant = hlocc_bitcast_I_V(t);
    if (hlocc_any_M(GT(x, K(limit)))) {
        hlocc_V given = x, replaced = r, rest = *low;
        hlocc_I q = *quadrant;
        hlocc_trig_large_V(&given, limit, &replaced, &rest, &q);
        *quadrant = q;
        *low = rest;
        r = replaced;
    }
    return r;
}

/* piece: hlocc_sin_poly_V hlocc_cos_poly_V | F | scalar vector */
/* sin(r + low) and cos(r + low) for |r| <= pi/4, z = r^2. */
HLOCC_INLINE hlocc_V hlocc_sin_poly_V(hlocc_V r, hlocc_V low, hlocc_V z)
{
@if f32
    hlocc_V p = FMA(z, K(-0x1.98eb98p-13f), K(0x1.110622p-7f));
    p = FMA(p, z, K(-0x1.555542p-3f));
@else
    hlocc_V p = FMA(z, K(0x1.5de719acc57b8p-33), K(-0x1.ae5fa11561623p-26));
    p = FMA(p, z, K(0x1.71de3728c0744p-19));
    p = FMA(p, z, K(-0x1.a01a019e24c31p-13));
    p = FMA(p, z, K(0x1.11111111109c4p-7));
    p = FMA(p, z, K(-0x1.5555555555554p-3));
@end
    return ADD(r, FMA(MUL(p, z), r, low));
}
HLOCC_INLINE hlocc_V hlocc_cos_poly_V(hlocc_V r, hlocc_V low, hlocc_V z)
{
@if f32
    hlocc_V p = FMA(z, K(0x1.999998p-16f), K(-0x1.6c0b06p-10f));
    p = FMA(p, z, K(0x1.555548p-5f));
@else
    hlocc_V p = FMA(z, K(-0x1.9059d7a538a58p-37), K(0x1.1eeb344575037p-29));
    p = FMA(p, z, K(-0x1.27e4f9e14f407p-22));
    p = FMA(p, z, K(0x1.a01a019f1f892p-16));
    p = FMA(p, z, K(-0x1.6c16c16c16871p-10));
    p = FMA(p, z, K(0x1.5555555555555p-5));
@end
    hlocc_V half = hlocc_exact_V(MUL(z, K(0.5${f}))), w = SUB(K(1), half);
    return ADD(w, FMA(MUL(p, z), z, FMA(NEG(r), low, SUB(SUB(K(1), w), half))));
}

/* piece: hlocc_quadrant_odd_V | F | scalar vector */
/* Is the quadrant 1 or 3? */
HLOCC_INLINE hlocc_M hlocc_quadrant_odd_V(hlocc_I quadrant)
{
    return hlocc_ne_I(hlocc_and_I(quadrant, KI(1)), KI(0));
}

/* piece: hlocc_sin_V | F | scalar vector */
HLOCC_INLINE hlocc_V hlocc_sin_V(hlocc_V x)
{
    hlocc_I quadrant;
    hlocc_V low, r = hlocc_trig_reduce_V(ABS(x), &low, &quadrant), z = MUL(r, r);
    hlocc_V y = hlocc_select_V(hlocc_quadrant_odd_V(quadrant), hlocc_cos_poly_V(r, low, z),
        hlocc_sin_poly_V(r, low, z));
    hlocc_V sign = hlocc_bitcast_V_I(hlocc_xor_I(hlocc_shl_I(quadrant, KI(BITS - 2)), hlocc_bitcast_I_V(x)));
    return hlocc_xorsign_V(y, sign);
}

/* piece: hlocc_cos_V | F | scalar vector */
HLOCC_INLINE hlocc_V hlocc_cos_V(hlocc_V x)
{
    hlocc_I quadrant;
    hlocc_V low, r = hlocc_trig_reduce_V(ABS(x), &low, &quadrant), z = MUL(r, r);
    hlocc_V y = hlocc_select_V(hlocc_quadrant_odd_V(quadrant), hlocc_sin_poly_V(r, low, z),
        hlocc_cos_poly_V(r, low, z));
    hlocc_V sign = hlocc_bitcast_V_I(hlocc_shl_I(hlocc_add_I(quadrant, KI(1)), KI(BITS - 2)));
    return hlocc_xorsign_V(y, sign);
}

/* piece: hlocc_tan_V | F | scalar vector */
HLOCC_INLINE hlocc_V hlocc_tan_V(hlocc_V x)
{
    hlocc_I quadrant;
    hlocc_V low, r = hlocc_trig_reduce_V(ABS(x), &low, &quadrant), z = MUL(r, r);
@if f32
    hlocc_V p = FMA(z, K(0x1.06e8bap-8f), K(0x1.d45c2ap-11f));
    p = FMA(p, z, K(0x1.4c9e92p-7f));
    p = FMA(p, z, K(0x1.61536p-6f));
    p = FMA(p, z, K(0x1.ba623ep-5f));
    p = FMA(p, z, K(0x1.111056p-3f));
    p = FMA(p, z, K(0x1.555556p-2f));
@else
    hlocc_V z2 = MUL(z, z); /* even and odd powers apart: half the latency */
    hlocc_V p_even = FMA(z2, K(0x1.31b0ae850acb6p-17), K(0x1.5a57f446d1cc5p-15));
    p_even = FMA(p_even, z2, K(0x1.f0441e295bfbcp-15));
    p_even = FMA(p_even, z2, K(0x1.fb0abe7409e5dp-13));
    p_even = FMA(p_even, z2, K(0x1.7da93715faf23p-10));
    p_even = FMA(p_even, z2, K(0x1.226e3692bc6b6p-7));
    p_even = FMA(p_even, z2, K(0x1.ba1ba1ba2676ap-5));
    p_even = FMA(p_even, z2, K(0x1.5555555555555p-2));
    hlocc_V p_odd = FMA(z2, K(-0x1.5ed4297948a0fp-16), K(-0x1.0ecfdaf2e355bp-16));
    p_odd = FMA(p_odd, z2, K(0x1.7258bd2b8f5c3p-14));
    p_odd = FMA(p_odd, z2, K(0x1.350af8f4ba4a4p-11));
    p_odd = FMA(p_odd, z2, K(0x1.d6d38568321bcp-9));
    p_odd = FMA(p_odd, z2, K(0x1.664f487d3aa9p-6));
    p_odd = FMA(p_odd, z2, K(0x1.111111111111p-3));
    hlocc_V p = FMA(p_odd, z, p_even);
@end
    hlocc_V pz = MUL(p, z), near = FMA(pz, r, r); /* tan(r + low) = tan r + (1 + tan^2 r) low */
    hlocc_V rest = FMA(pz, r, FMA(MUL(near, near), low, low)), t = ADD(r, rest), t_low = SUB(rest, SUB(t, r));
    hlocc_V inverse = DIV(K(1), t), product = hlocc_exact_V(MUL(inverse, t));
    hlocc_V error = SUB(SUB(SUB(K(1), product), hlocc_product_rest_V(inverse, t, product)),
        hlocc_exact_V(MUL(inverse, t_low)));
    inverse = FMA(inverse, error, inverse);
    hlocc_V y = hlocc_select_V(hlocc_quadrant_odd_V(quadrant), inverse, t);
    hlocc_V sign = hlocc_bitcast_V_I(hlocc_xor_I(hlocc_shl_I(quadrant, KI(BITS - 1)), hlocc_bitcast_I_V(x)));
    return hlocc_xorsign_V(y, sign);
}
