/* header: hlocc/math_inverse_V.h */
/* Inverse trigonometric and hyperbolic functions, cbrt. Polynomials: minimax (sollya, fpminimax). */

/* piece: hlocc_asin_poly_V | F | scalar vector */
/* asin(x) / x - 1 for z = x^2 <= 0.36. */
HLOCC_INLINE hlocc_V hlocc_asin_poly_V(hlocc_V z)
{
@if f32
    hlocc_V p = FMA(z, K(0x1.824446p-5f), K(-0x1.a89104p-9f));
    p = FMA(p, z, K(0x1.cb94dep-6f));
    p = FMA(p, z, K(0x1.e5221ap-6f));
    p = FMA(p, z, K(0x1.6e1ddep-5f));
    p = FMA(p, z, K(0x1.3331f8p-4f));
    p = FMA(p, z, K(0x1.555556p-3f));
@else
    hlocc_V z2 = MUL(z, z); /* even and odd powers apart: half the latency */
    hlocc_V p_even = FMA(z2, K(0x1.51e14887d86cbp-4), K(0x1.062609e334e99p-3));
    p_even = FMA(p_even, z2, K(0x1.ff7174b459c9ap-6));
    p_even = FMA(p_even, z2, K(0x1.6388f21575135p-7));
    p_even = FMA(p_even, z2, K(0x1.ca026d0a8ad0bp-7));
    p_even = FMA(p_even, z2, K(0x1.6e8bc3bab010dp-6));
    p_even = FMA(p_even, z2, K(0x1.6db6db6efe311p-5));
    p_even = FMA(p_even, z2, K(0x1.5555555555557p-3));
    hlocc_V p_odd = FMA(z2, K(-0x1.12b63cc990e4ep-3), K(-0x1.e7bf319eb74bp-5));
    p_odd = FMA(p_odd, z2, K(0x1.32959d79fc0ddp-9));
    p_odd = FMA(p_odd, z2, K(0x1.75f7c8c39dee8p-7));
    p_odd = FMA(p_odd, z2, K(0x1.1c4b8e98557f6p-6));
    p_odd = FMA(p_odd, z2, K(0x1.f1c71ba7c2d99p-6));
    p_odd = FMA(p_odd, z2, K(0x1.33333333325d7p-4));
    hlocc_V p = FMA(p_odd, z, p_even);
@end
    return MUL(p, z);
}

/* piece: hlocc_asin_V | F | scalar vector */
/* Up to 0.6 a polynomial; further out asin(x) = pi/2 - 2 asin(sqrt((1 - x) / 2)). */
HLOCC_INLINE hlocc_V hlocc_asin_V(hlocc_V x)
{
    hlocc_V a = ABS(x);
    hlocc_M near = LT(a, K(0.6${f}));
    hlocc_V z = hlocc_select_V(near, MUL(a, a), FMA(a, K(-0.5${f}), K(0.5${f})));
    hlocc_V s = hlocc_select_V(near, a, hlocc_sqrt_V(z));
    hlocc_V y = FMA(s, hlocc_asin_poly_V(z), s);
@if f32
    hlocc_V far = ADD(FMA(K(-2), y, K(-0x1.777a5cp-25f)), K(0x1.921fb6p0f));
@else
    hlocc_V far = ADD(FMA(K(-2), y, K(0x1.1a62633145c07p-54)), K(0x1.921fb54442d18p0));
@end
    return hlocc_copysign_V(hlocc_select_V(near, y, far), x);
}

/* piece: hlocc_acos_V | F | scalar vector */
/* Up to 0.6: pi/2 - asin(x); further out 2 asin(sqrt((1 - |x|) / 2)), from pi for negative x. */
HLOCC_INLINE hlocc_V hlocc_acos_V(hlocc_V x)
{
    hlocc_V a = ABS(x);
    hlocc_M near = LT(a, K(0.6${f}));
    hlocc_V z = hlocc_select_V(near, MUL(a, a), FMA(a, K(-0.5${f}), K(0.5${f})));
    hlocc_V s = hlocc_select_V(near, x, hlocc_sqrt_V(z));
    hlocc_V y = FMA(s, hlocc_asin_poly_V(z), s);
    hlocc_V far = ADD(y, y);
@if f32
    hlocc_V middle = ADD(SUB(K(-0x1.777a5cp-25f), y), K(0x1.921fb6p0f));
    hlocc_V negative = ADD(SUB(K(-0x1.777a5cp-24f), far), K(0x1.921fb6p1f));
@else
    hlocc_V middle = ADD(SUB(K(0x1.1a62633145c07p-54), y), K(0x1.921fb54442d18p0));
    hlocc_V negative = ADD(SUB(K(0x1.1a62633145c07p-53), far), K(0x1.921fb54442d18p1));
@end
    return hlocc_select_V(near, middle, hlocc_select_V(LT(x, K(0)), negative, far));
}

/* piece: hlocc_atan_ratio_V | f32 | scalar vector */
/* atan(y / x) for 0 <= y <= x. */
HLOCC_INLINE hlocc_V hlocc_atan_ratio_V(hlocc_V y, hlocc_V x)
{
    hlocc_V t = DIV(y, x), z = MUL(t, t);
    hlocc_V p = FMA(z, K(-0x1.3b6c6ap-9f), K(0x1.bd14p-7f));
    p = FMA(p, z, K(-0x1.26cceep-5f));
    p = FMA(p, z, K(0x1.005ebp-4f));
    p = FMA(p, z, K(-0x1.62baf8p-4f));
    p = FMA(p, z, K(0x1.c3f7fep-4f));
    p = FMA(p, z, K(-0x1.246ce4p-3f));
    p = FMA(p, z, K(0x1.999832p-3f));
    p = FMA(p, z, K(-0x1.555554p-2f));
    return FMA(MUL(p, z), t, t);
}

/* piece: hlocc_atan_ratio_V | f64 | scalar vector */
/* atan(y / x) for 0 <= y <= x, x and its inverse normal. Beyond tan(pi/8): pi/4 + atan((y - x) / (y + x)). */
HLOCC_INLINE hlocc_V hlocc_atan_ratio_V(hlocc_V y, hlocc_V x)
{
    hlocc_M far = GT(y, MUL(x, K(0.4142135623730950)));
    hlocc_V over = hlocc_select_V(far, SUB(y, x), y), under = hlocc_select_V(far, ADD(y, x), x);
    /* the quotient t, and what is missing to it */
    hlocc_V over_low = hlocc_select_V(far, SUB(SUB(y, over), x), K(0));
    hlocc_V under_low = hlocc_select_V(far, ADD(SUB(x, under), y), K(0));
    hlocc_V inverse = DIV(K(1), under), t = MUL(over, inverse), z = MUL(t, t), product = hlocc_exact_V(MUL(t, under));
    hlocc_V error = SUB(SUB(over, product), hlocc_product_rest_V(t, under, product));
    hlocc_V t_low = MUL(ADD(error, FMA(NEG(t), under_low, over_low)), inverse);
    hlocc_V z2 = MUL(z, z); /* even and odd powers apart: half the latency */
    hlocc_V p_even = FMA(z2, K(-0x1.3abfe6d0a47f8p-6), K(-0x1.a0b2bbad1c3a9p-5));
    p_even = FMA(p_even, z2, K(-0x1.10fad4189e99ap-4));
    p_even = FMA(p_even, z2, K(-0x1.745d0b8f05795p-4));
    p_even = FMA(p_even, z2, K(-0x1.249249243cfddp-3));
    p_even = FMA(p_even, z2, K(-0x1.5555555555555p-2));
    hlocc_V p_odd = FMA(z2, K(0x1.41a3647f24271p-5), K(0x1.dfebbc3dff599p-5));
    p_odd = FMA(p_odd, z2, K(0x1.3b126ab90700fp-4));
    p_odd = FMA(p_odd, z2, K(0x1.c71c71886a3cep-4));
    p_odd = FMA(p_odd, z2, K(0x1.9999999999423p-3));
    hlocc_V p = FMA(p_odd, z, p_even);
    const hlocc_V quarter_pi = K(0x1.921fb54442d18p-1), quarter_rest = K(0x1.1a62633145c07p-55);
    hlocc_V base = hlocc_select_V(far, quarter_pi, K(0)), sum = ADD(base, t);
    /* base is larger than t, or 0 */
    hlocc_V rest = hlocc_select_V(far, ADD(quarter_rest, SUB(t, SUB(sum, base))), K(0));
    return ADD(sum, ADD(FMA(MUL(p, z), t, t_low), rest));
}

/* piece: hlocc_atan_V | F | scalar vector */
HLOCC_INLINE hlocc_V hlocc_atan_V(hlocc_V x)
{
@if f32
    hlocc_V a = hlocc_clip_V(K(0), ABS(x), K(0x1p60f));
@else
    hlocc_V a = hlocc_clip_V(K(0), ABS(x), K(0x1p500));
@end
    hlocc_M far = GT(a, K(1));
    hlocc_V y = hlocc_atan_ratio_V(hlocc_select_V(far, K(1), a), hlocc_select_V(far, a, K(1)));
@if f32
    hlocc_V other = ADD(SUB(K(-0x1.777a5cp-25f), y), K(0x1.921fb6p0f));
@else
    hlocc_V other = ADD(SUB(K(0x1.1a62633145c07p-54), y), K(0x1.921fb54442d18p0));
@end
    return hlocc_copysign_V(hlocc_select_V(far, other, y), x);
}

/* piece: hlocc_atan2_V | F | scalar vector */
HLOCC_INLINE hlocc_V hlocc_atan2_V(hlocc_V y, hlocc_V x)
{
    hlocc_V ay = ABS(y), ax = ABS(x);
    hlocc_M steep = GT(ay, ax);
    hlocc_V small = hlocc_select_V(steep, ax, ay), large = hlocc_select_V(steep, ay, ax);
@if f32
    const hlocc_V scale = K(1);
    const hlocc_V half_pi = K(0x1.921fb6p0f), half_rest = K(-0x1.777a5cp-25f), pi = K(0x1.921fb6p1f), rest =
        K(-0x1.777a5cp-24f);
@else
    /* their sum must not overflow, nor the inverse of the larger */
    hlocc_V scale = hlocc_select_V(GT(large, K(0x1p900)), K(0x1p-200),
        hlocc_select_V(LT(large, K(0x1p-900)), K(0x1p200), K(1)));
    const hlocc_V half_pi = K(0x1.921fb54442d18p0), half_rest = K(0x1.1a62633145c07p-54);
    const hlocc_V pi = K(0x1.921fb54442d18p1), rest = K(0x1.1a62633145c07p-53);
@end
    hlocc_M infinite = EQ(large, hlocc_inf_V()), both = EQ(small, hlocc_inf_V()), zero = EQ(large, K(0));
    small = hlocc_select_V(infinite, hlocc_select_V(both, K(1), K(0)), MUL(small, scale));
    large = hlocc_select_V(hlocc_or_M(infinite, zero), K(1), MUL(large, scale));
    hlocc_V r = hlocc_atan_ratio_V(small, large);
    r = hlocc_select_V(steep, ADD(SUB(half_rest, r), half_pi), r);
    hlocc_M left = hlocc_lt_I(hlocc_bitcast_I_V(x), KI(0)); /* also -0 */
    r = hlocc_select_V(left, ADD(SUB(rest, r), pi), r);
    return hlocc_select_V(EQ(x, x), hlocc_select_V(EQ(y, y), hlocc_copysign_V(r, y), y), x);
}

/* piece: hlocc_cbrt_V | F | scalar vector */
/* With x = m 2^(3k + j): a polynomial times 2^(j/3), then one step of Newton (f32) or Halley (f64). */
HLOCC_INLINE hlocc_V hlocc_cbrt_V(hlocc_V x)
{
    hlocc_V a = ABS(x), m = hlocc_mantissa_V(a), e = hlocc_exponent_V(a, m);
    hlocc_V third = K((hlocc_S)(1.0 / 3));
    hlocc_V k = hlocc_round_even_V(FMA(e, third, NEG(third))), j = FMA(k, K(-3), e);
    hlocc_M one = EQ(j, K(1)), two = EQ(j, K(2));
@if f32
    hlocc_V y = FMA(m, K(-0x1.f2e0ep-6f), K(0x1.7bb77ap-3f));
    y = FMA(y, m, K(-0x1.f134e8p-2f));
    y = FMA(y, m, K(0x1.bd6e38p-1f));
    y = FMA(y, m, K(0x1.d7ad2p-2f));
    y = MUL(y, hlocc_select_V(one, K(0x1.428a3p0f), hlocc_select_V(two, K(0x1.965feap0f), K(1))));
    m = MUL(m, hlocc_select_V(one, K(2), hlocc_select_V(two, K(4), K(1))));
    hlocc_V square = MUL(y, y);
    y = SUB(y, DIV(FMA(square, y, NEG(m)), MUL(K(3), square)));
@else
    hlocc_V y = FMA(m, K(-0x1.de5cc9de4e5c6p-7), K(0x1.e4a7bcf387c83p-4));
    y = FMA(y, m, K(-0x1.a8cf8123e7ca1p-2));
    y = FMA(y, m, K(0x1.a8ed7ae85d66fp-1));
    y = FMA(y, m, K(-0x1.13769ef5d1ddbp0));
    y = FMA(y, m, K(0x1.26a5b27ea4fa5p0));
    y = FMA(y, m, K(0x1.a00129bbd38d7p-2));
    y = MUL(y, hlocc_select_V(one, K(0x1.428a2f98d728bp0), hlocc_select_V(two, K(0x1.965fea53d6e3dp0), K(1))));
    m = MUL(m, hlocc_select_V(one, K(2), hlocc_select_V(two, K(4), K(1))));
    hlocc_V error = FMA(MUL(y, y), y, NEG(m));
    y = FMA(NEG(y), DIV(error, FMA(K(2), error, MUL(K(3), m))), y);
@end
    hlocc_M ordinary = hlocc_and_M(GT(a, K(0)), LT(a, hlocc_inf_V()));
    y = MUL(y, hlocc_pow2_V(hlocc_select_V(ordinary, k, K(0))));
    return hlocc_select_V(ordinary, hlocc_copysign_V(y, x), ADD(x, x));
}

/* header: hlocc/math_hyperbolic_V.h */
/* piece: hlocc_asinh_V | F | scalar vector */
/* log1p(a + a^2 / (1 + sqrt(a^2 + 1))); for large a log(2 a). */
HLOCC_INLINE hlocc_V hlocc_asinh_V(hlocc_V x)
{
    hlocc_V a = ABS(x), z = MUL(a, a);
@if f32
    hlocc_M large = GT(a, K(0x1p30f));
    const hlocc_V ln2 = K(0x1.62e43p-1f);
@else
    hlocc_M large = GT(a, K(0x1p60));
    const hlocc_V ln2 = K(0x1.62e42fefa39efp-1);
@end
    hlocc_V t = ADD(a, DIV(z, ADD(K(1), hlocc_sqrt_V(ADD(z, K(1))))));
    hlocc_V r = ADD(hlocc_log1p_V(hlocc_select_V(large, a, t)), hlocc_select_V(large, ln2, K(0)));
    return hlocc_copysign_V(r, x);
}

/* piece: hlocc_acosh_V | F | scalar vector */
/* With t = x - 1: log1p(t + sqrt(2 t + t^2)); for large x log(2 x). */
HLOCC_INLINE hlocc_V hlocc_acosh_V(hlocc_V x)
{
    hlocc_V t = SUB(x, K(1));
@if f32
    hlocc_M large = GT(x, K(0x1p30f));
    const hlocc_V ln2 = K(0x1.62e43p-1f);
@else
    hlocc_M large = GT(x, K(0x1p60));
    const hlocc_V ln2 = K(0x1.62e42fefa39efp-1);
@end
    hlocc_V u = ADD(t, hlocc_sqrt_V(FMA(t, t, ADD(t, t))));
    hlocc_V r = ADD(hlocc_log1p_V(hlocc_select_V(large, x, u)), hlocc_select_V(large, ln2, K(0)));
    return hlocc_select_V(GE(x, K(1)), r, hlocc_nan_V());
}

/* piece: hlocc_atanh_V | F | scalar vector */
/* log1p(2 a / (1 - a)) / 2. */
HLOCC_INLINE hlocc_V hlocc_atanh_V(hlocc_V x)
{
    hlocc_V a = ABS(x);
    return hlocc_copysign_V(MUL(K(0.5${f}), hlocc_log1p_V(DIV(ADD(a, a), SUB(K(1), a)))), x);
}
