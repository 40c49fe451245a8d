/* header: hlocc/math_exp_V.h */
/* exp and what is made of it. Polynomials: minimax (sollya, fpminimax). */

/* piece: hlocc_exp_reduce_V | F | scalar vector */
/* r with x = n ln 2 + r for n = *n, the integer nearest to x / ln 2; |x| up to 1100. */
HLOCC_INLINE hlocc_V hlocc_exp_reduce_V(hlocc_V x, hlocc_V *n)
{
@if f32
    const hlocc_V magic = K(0x1.8p23f);
    *n = SUB(FMA(x, K(0x1.715476p0f), magic), magic);
    return FMA(*n, K(-0x1.7f7d1cp-20f), FMA(*n, K(-0x1.62e4p-1f), x)); /* n times the first part is exact */
@else
    const hlocc_V magic = K(0x1.8p52);
    *n = SUB(FMA(x, K(0x1.71547652b82fep0), magic), magic);
    return FMA(*n, K(-0x1.a39ef35793c76p-33), FMA(*n, K(-0x1.62e42fee00000p-1), x));
@end
}

/* piece: hlocc_exp_V | F | scalar vector */
HLOCC_INLINE hlocc_V hlocc_exp_V(hlocc_V x)
{
@if f32
    hlocc_V n, r = hlocc_exp_reduce_V(hlocc_clip_V(K(-104), x, K(89)), &n);
    hlocc_V p = FMA(r, K(0x1.684fbp-10f), K(0x1.123becp-7f));
    p = FMA(p, r, K(0x1.555b9ap-5f));
    p = FMA(p, r, K(0x1.55548ep-3f));
    p = FMA(p, r, K(0x1.fffff8p-2f));
    p = FMA(p, r, K(1));
    p = FMA(p, r, K(1));
@else
    hlocc_V n, r = hlocc_exp_reduce_V(hlocc_clip_V(K(-746), x, K(710)), &n);
    hlocc_V p = FMA(r, K(0x1.ae04a2d309db6p-26), K(0x1.28b0d5cc1bfd7p-22));
    p = FMA(p, r, K(0x1.71ded0a1b45eap-19));
    p = FMA(p, r, K(0x1.a01995e2733d7p-16));
    p = FMA(p, r, K(0x1.a01a01509b8e9p-13));
    p = FMA(p, r, K(0x1.6c16c185f826dp-10));
    p = FMA(p, r, K(0x1.111111112094ep-7));
    p = FMA(p, r, K(0x1.555555554fe3dp-5));
    p = FMA(p, r, K(0x1.5555555555517p-3));
    p = FMA(p, r, K(0x1.000000000000cp-1));
    p = FMA(p, r, K(1));
    p = FMA(p, r, K(1));
@end
    return hlocc_scale_V(p, n);
}

/* piece: hlocc_expm1_poly_V | F | scalar vector */
/* exp(r) - 1 for |r| <= 0.5 ln 2. */
HLOCC_INLINE hlocc_V hlocc_expm1_poly_V(hlocc_V r)
{
@if f32
    hlocc_V q = FMA(r, K(0x1.9e081p-13f), K(0x1.6d4386p-10f));
    q = FMA(q, r, K(0x1.111308p-7f));
    q = FMA(q, r, K(0x1.5554fp-5f));
    q = FMA(q, r, K(0x1.555554p-3f));
    q = FMA(q, r, K(0x1p-1f));
@else
    hlocc_V r2 = MUL(r, r); /* even and odd powers apart: half the latency */
    hlocc_V q_even = FMA(r2, K(0x1.1f331ab8bc83cp-29), K(0x1.27e500d57afe7p-22));
    q_even = FMA(q_even, r2, K(0x1.a01a0197bc1bbp-16));
    q_even = FMA(q_even, r2, K(0x1.6c16c16c1893ap-10));
    q_even = FMA(q_even, r2, K(0x1.5555555555552p-5));
    q_even = FMA(q_even, r2, K(0x1p-1));
    hlocc_V q_odd = FMA(r2, K(0x1.af4f0207e0f2p-26), K(0x1.71de0195a0db5p-19));
    q_odd = FMA(q_odd, r2, K(0x1.a01a01ac23daep-13));
    q_odd = FMA(q_odd, r2, K(0x1.111111111004ap-7));
    q_odd = FMA(q_odd, r2, K(0x1.5555555555557p-3));
    hlocc_V q = FMA(q_odd, r, q_even);
@end
    return FMA(MUL(r, r), q, r);
}

/* piece: hlocc_expm1_V | F | scalar vector */
HLOCC_INLINE hlocc_V hlocc_expm1_V(hlocc_V x)
{
@if f32
    hlocc_V n, r = hlocc_exp_reduce_V(hlocc_clip_V(K(-18), x, K(89)), &n);
@else
    hlocc_V n, r = hlocc_exp_reduce_V(hlocc_clip_V(K(-38), x, K(710)), &n);
@end
    hlocc_V half = hlocc_pow2_V(SUB(n, K(1))); /* 2^n may be infinite where the result is not */
    hlocc_V e = FMA(half, hlocc_expm1_poly_V(r), SUB(half, K(0.5${f})));
    return hlocc_copysign_V(ADD(e, e), x); /* keeps -0 */
}

/* piece: hlocc_tanh_V | f32 | scalar vector */
/* A polynomial near 0; further out 1 - 2 / (exp(2 |x|) + 1). */
HLOCC_INLINE hlocc_V hlocc_tanh_V(hlocc_V x)
{
    hlocc_V a = hlocc_clip_V(K(0), ABS(x), K(9.25f)), z = MUL(a, a);
    hlocc_V p = FMA(z, K(-0x1.8f15a4p-8f), K(0x1.57ea42p-6f));
    p = FMA(p, z, K(-0x1.b921b4p-5f));
    p = FMA(p, z, K(0x1.110e02p-3f));
    p = FMA(p, z, K(-0x1.555552p-2f));
    hlocc_V near = FMA(MUL(a, z), p, a), e = hlocc_exp2_normal_V(MUL(a, K(0x1.715476p1f)));
    hlocc_V far = SUB(K(1), DIV(K(2), ADD(e, K(1))));
    return hlocc_copysign_V(hlocc_select_V(LT(a, K(0.625f)), near, far), x);
}

/* piece: hlocc_tanh_V | f64 | scalar vector */
/* With e = exp(2 |x|) - 1: e / (e + 2), the quotient corrected by what its rounding and that of the sum left out. */
HLOCC_INLINE hlocc_V hlocc_tanh_V(hlocc_V x)
{
    hlocc_V a = hlocc_clip_V(K(0), ABS(x), K(19.5));
    hlocc_V n, r = hlocc_exp_reduce_V(ADD(a, a), &n), power = hlocc_pow2_V(n);
    hlocc_V e = FMA(power, hlocc_expm1_poly_V(r), SUB(power, K(1)));
    hlocc_V d = ADD(e, K(2)), d_low = SUB(e, SUB(d, K(2))), inverse = DIV(K(1), d), t = hlocc_exact_V(MUL(e, inverse));
    hlocc_V product = hlocc_exact_V(MUL(t, d));
    hlocc_V rest = FMA(NEG(t), d_low, SUB(SUB(e, product), hlocc_product_rest_V(t, d, product)));
    return hlocc_copysign_V(FMA(rest, inverse, t), x);
}

/* piece: hlocc_logistic_V | F | scalar vector */
/* 1 / (1 + exp(-x)), for negative x as exp(x) / (1 + exp(x)). */
HLOCC_INLINE hlocc_V hlocc_logistic_V(hlocc_V x)
{
    hlocc_V e = hlocc_exp_V(NEG(ABS(x)));
    return DIV(hlocc_select_V(LT(x, K(0)), e, K(1)), ADD(e, K(1)));
}

/* piece: hlocc_sinh_V | F | scalar vector */
/* A polynomial up to 1; further out, with e = exp(|x|) / 4: 2 (e - 1 / 16e). */
HLOCC_INLINE hlocc_V hlocc_sinh_V(hlocc_V x)
{
@if f32
    hlocc_V a = hlocc_clip_V(K(0), ABS(x), K(89.5f)), z = MUL(a, a);
    hlocc_V p = FMA(z, K(0x1.720e84p-19f), K(0x1.a036dap-13f));
    p = FMA(p, z, K(0x1.1110c4p-7f));
    p = FMA(p, z, K(0x1.555556p-3f));
@else
    hlocc_V a = hlocc_clip_V(K(0), ABS(x), K(710.5)), z = MUL(a, a);
    hlocc_V p = FMA(z, K(0x1.b2502d89ea57ep-41), K(0x1.612265e4b979bp-33));
    p = FMA(p, z, K(0x1.ae6452c7cecbep-26));
    p = FMA(p, z, K(0x1.71de3a5f0db9dp-19));
    p = FMA(p, z, K(0x1.a01a01a00b33ep-13));
    p = FMA(p, z, K(0x1.111111111119ap-7));
    p = FMA(p, z, K(0x1.5555555555555p-3));
@end
    hlocc_V near = FMA(MUL(a, z), p, a);
    hlocc_V n, r = hlocc_exp_reduce_V(a, &n);
    hlocc_V power = hlocc_pow2_V(SUB(n, K(2)));
    hlocc_V e = FMA(power, hlocc_expm1_poly_V(r), power);
    hlocc_V half = SUB(e, DIV(K(0.0625${f}), e));
    return hlocc_copysign_V(hlocc_select_V(LT(a, K(1)), near, ADD(half, half)), x);
}

/* piece: hlocc_cosh_V | F | scalar vector */
/* With e = exp(|x|) / 4: 2 (e + 1 / 16e). */
HLOCC_INLINE hlocc_V hlocc_cosh_V(hlocc_V x)
{
@if f32
    hlocc_V n, r = hlocc_exp_reduce_V(hlocc_clip_V(K(0), ABS(x), K(89.5f)), &n);
@else
    hlocc_V n, r = hlocc_exp_reduce_V(hlocc_clip_V(K(0), ABS(x), K(710.5)), &n);
@end
    hlocc_V power = hlocc_pow2_V(SUB(n, K(2)));
    hlocc_V e = FMA(power, hlocc_expm1_poly_V(r), power);
    hlocc_V half = ADD(e, DIV(K(0.0625${f}), e));
    return ADD(half, half);
}
