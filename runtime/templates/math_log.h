/* header: hlocc/math_log_V.h */
/* log and log1p. Polynomials: minimax (sollya, fpminimax). */

/* piece: hlocc_log_sum_V | F | scalar vector */
/* e ln 2 + log(1 + f) for -0.25 <= f < 0.5. */
HLOCC_INLINE hlocc_V hlocc_log_sum_V(hlocc_V e, hlocc_V f)
{
@if f32
    hlocc_V p = FMA(f, K(-0x1.710f16p-5f), K(0x1.ad06cp-4f));
    p = FMA(p, f, K(-0x1.0dd548p-3f));
    p = FMA(p, f, K(0x1.28961cp-3f));
    p = FMA(p, f, K(-0x1.54e9d4p-3f));
    p = FMA(p, f, K(0x1.996788p-3f));
    p = FMA(p, f, K(-0x1.00004ep-2f));
    p = FMA(p, f, K(0x1.5555aap-2f));
    p = FMA(p, f, K(-0.5f));
    hlocc_V low = FMA(MUL(f, f), p, MUL(e, K(0x1.7f7d1cp-20f)));
    return FMA(e, K(0x1.62e4p-1f), ADD(f, low));
@else
    /* log(1 + f) = f - f^2/2 + s (f^2/2 + R(s^2)), s = f / (2 + f): as in fdlibm's e_log.c */
    hlocc_V s = DIV(f, ADD(f, K(2))), z = MUL(s, s);
    hlocc_V z2 = MUL(z, z); /* even and odd powers apart: half the latency */
    hlocc_V p_even = FMA(z2, K(0x1.0e7f05e1df6c9p-3), K(0x1.745ca7065cc7ep-3));
    p_even = FMA(p_even, z2, K(0x1.24924923cb84bp-2));
    p_even = FMA(p_even, z2, K(0x1.5555555555555p-1));
    hlocc_V p_odd = FMA(z2, K(0x1.16fbfe3a4ad62p-3), K(0x1.3b2a8c5c62dbdp-3));
    p_odd = FMA(p_odd, z2, K(0x1.c71c72f322d18p-3));
    p_odd = FMA(p_odd, z2, K(0x1.999999999a011p-2));
    hlocc_V p = FMA(p_odd, z, p_even);
    hlocc_V half_square = MUL(MUL(K(0.5), f), f);
    hlocc_V low = FMA(s, FMA(p, z, half_square), MUL(e, K(0x1.a39ef35793c76p-33)));
    return FMA(e, K(0x1.62e42fee00000p-1), SUB(f, SUB(half_square, low)));
@end
}

/* piece: hlocc_log_V | F | scalar vector */
HLOCC_INLINE hlocc_V hlocc_log_V(hlocc_V x)
{
    hlocc_V m = hlocc_mantissa_V(x);
    hlocc_V r = hlocc_log_sum_V(hlocc_exponent_V(x, m), SUB(m, K(1)));
@if vector & !wide & avx512
    return r; /* the instructions for mantissa and exponent do 0, inf, NaN and negative numbers, too */
@else
    return hlocc_select_V(GE(x, K(0)), r, hlocc_nan_V());
@end
}

/* piece: hlocc_log1p_V | F | scalar vector */
/* With 1 + x = m 2^e: f = x 2^-e + (2^-e - 1), which is m - 1 without the rounding of 1 + x. */
HLOCC_INLINE hlocc_V hlocc_log1p_V(hlocc_V x)
{
    hlocc_V u = ADD(x, K(1));
    hlocc_V m = hlocc_mantissa_V(u), e = hlocc_exponent_V(u, m);
@if f32
    hlocc_M large = GT(x, K(0x1p60f));
@else
    hlocc_M large = GT(x, K(0x1p60));
@end
    hlocc_V power = hlocc_pow2_V(hlocc_select_V(hlocc_or_M(large, LE(u, K(0))), K(0), NEG(e)));
    hlocc_V f = hlocc_select_V(large, SUB(m, K(1)), FMA(x, power, SUB(power, K(1))));
    hlocc_V r = hlocc_copysign_V(hlocc_log_sum_V(e, f), x); /* keeps -0 */
    return hlocc_select_V(GE(x, K(-1)), r, hlocc_nan_V());
}

/* header: hlocc/math_erf_V.h */
/* piece: hlocc_erf_V | F | scalar vector */
/* x + x p(x^2) near 0; further out 1 - exp(q(|x|)) with q a fit of log(erfc) (f32: of log2). */
HLOCC_INLINE hlocc_V hlocc_erf_V(hlocc_V x)
{
@if f32
    hlocc_V a = hlocc_clip_V(K(0), ABS(x), K(3.95f)), z = MUL(a, a);
    hlocc_V p = FMA(z, K(-0x1.38ed5cp-11f), K(0x1.46c834p-8f));
    p = FMA(p, z, K(-0x1.b66af8p-6f));
    p = FMA(p, z, K(0x1.ce16a8p-4f));
    p = FMA(p, z, K(-0x1.8126bep-2f));
    p = FMA(p, z, K(0x1.06eba4p-3f));
    hlocc_V near = FMA(a, p, a);
    hlocc_V q = FMA(a, K(0x1.23e3dcp-12f), K(-0x1.1cf6b2p-8f)); /* log2(erfc(a)) */
    q = FMA(q, a, K(0x1.055p-5f));
    q = FMA(q, a, K(-0x1.325de6p-3f));
    q = FMA(q, a, K(-0x1.d6dd2cp-1f));
    q = FMA(q, a, K(-0x1.a06c96p0f));
    q = FMA(q, a, K(-0x1.639e6ep-12f));
    hlocc_V far = SUB(K(1), hlocc_exp2_normal_V(q));
    hlocc_M is_near = LT(a, K(0.9375f));
@else
    hlocc_V a = hlocc_clip_V(K(0), ABS(x), K(6)), z = MUL(a, a), t = SUB(a, K(2));
    hlocc_V z2 = MUL(z, z); /* even and odd powers apart: half the latency */
    hlocc_V p_even = FMA(z2, K(0x1.e87cdf9027b71p-27), K(0x1.b9ce1d1d2aecap-20));
    p_even = FMA(p_even, z2, K(0x1.f9a32040226afp-14));
    p_even = FMA(p_even, z2, K(0x1.565bcd0fcc3dep-8));
    p_even = FMA(p_even, z2, K(0x1.ce2f21a043337p-4));
    p_even = FMA(p_even, z2, K(0x1.06eba8214db69p-3));
    hlocc_V p_odd = FMA(z2, K(-0x1.e86ecbbecc7a2p-31), K(-0x1.5e3078a8da866p-23));
    p_odd = FMA(p_odd, z2, K(-0x1.f4d13abb463fcp-17));
    p_odd = FMA(p_odd, z2, K(-0x1.c02db403972cfp-11));
    p_odd = FMA(p_odd, z2, K(-0x1.b82ce3129be17p-6));
    p_odd = FMA(p_odd, z2, K(-0x1.812746b0379fap-2));
    hlocc_V p = FMA(p_odd, z, p_even);
    hlocc_V near = FMA(a, p, a);
    /* even and odd powers apart: half the latency; the first three terms cancel and stay together */
    hlocc_V t2 = MUL(t, t);
    hlocc_V q_even = FMA(t2, K(-0x1.ad987a113c6a9p-37), K(-0x1.168f0bde12c8ap-35));
    q_even = FMA(q_even, t2, K(0x1.590f2ccd2e7f3p-29));
    q_even = FMA(q_even, t2, K(0x1.f0d584b8d24a4p-25));
    q_even = FMA(q_even, t2, K(0x1.b53d52d84fee3p-23));
    q_even = FMA(q_even, t2, K(-0x1.5b655f9176571p-16));
    q_even = FMA(q_even, t2, K(-0x1.7ffcfb6ae59cp-11));
    q_even = FMA(q_even, t2, K(-0x1.0dc3b5faf3c74p-6));
    hlocc_V q_odd = FMA(t2, K(0x1.938e71ad6a1b3p-40), K(0x1.4e3d81a9592abp-35));
    q_odd = FMA(q_odd, t2, K(-0x1.37847d8150eaep-32));
    q_odd = FMA(q_odd, t2, K(-0x1.de9b4604a772p-27));
    q_odd = FMA(q_odd, t2, K(-0x1.73fff8502352cp-23));
    q_odd = FMA(q_odd, t2, K(0x1.06052587730eap-19));
    q_odd = FMA(q_odd, t2, K(0x1.1bc3a55c4d6d2p-13));
    q_odd = FMA(q_odd, t2, K(0x1.d406b373ec979p-9));
    hlocc_V q = FMA(q_odd, t, q_even);
    q = FMA(q, t, K(-0x1.d8f5dece92269p-1));
    q = FMA(q, t, K(-0x1.1ac3258a8dc35p2));
    q = FMA(q, t, K(-0x1.575b329b1f516p2));
    hlocc_M is_near = LT(a, K(0.875));
    hlocc_V n, r = hlocc_exp_reduce_V(q, &n), power = hlocc_pow2_V(n);
    hlocc_V far = SUB(SUB(K(1), power), MUL(power, hlocc_expm1_poly_V(r)));
@end
    return hlocc_copysign_V(hlocc_select_V(is_near, near, far), x);
}
