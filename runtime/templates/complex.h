/* header: hlocc/complex_C.h */
/* Functions of complex numbers, by parts: hlocc_exp_re_c64(re, im), hlocc_exp_im_c64(re, im); lanes: c64x16 with
 * parts in
 * f32x16. Formulas: HLO's, that is without C's recovery of infinities from NaNs, quotients excepted. */

/* piece: hlocc_abs_C | F | scalar vector */
/* sqrt(re^2 + im^2) without overflow; infinite if a part is. */
HLOCC_INLINE hlocc_V hlocc_abs_C(hlocc_V re, hlocc_V im)
{
    hlocc_V a = ABS(re), b = ABS(im);
    hlocc_M steep = GT(b, a);
    hlocc_V large = hlocc_select_V(steep, b, a), small = hlocc_select_V(steep, a, b);
    hlocc_V ratio = DIV(small, hlocc_select_V(EQ(large, K(0)), K(1), large));
    hlocc_V r = MUL(large, hlocc_sqrt_V(FMA(ratio, ratio, K(1))));
    hlocc_M infinite = hlocc_or_M(EQ(a, hlocc_inf_V()), EQ(b, hlocc_inf_V()));
    return hlocc_select_V(infinite, hlocc_inf_V(), r);
}

/* piece: hlocc_divide_re_C hlocc_divide_im_C | F | scalar vector */
/* (a + bi) / (c + di) by Smith's algorithm; quotients of limits (1 / 0, inf / 1, 1 / inf) have their usual values. */
HLOCC_INLINE hlocc_V hlocc_divide_re_C(hlocc_V a, hlocc_V b, hlocc_V c, hlocc_V d)
{
    return hlocc_quotient_C(a, b, c, d, 0);
}
HLOCC_INLINE hlocc_V hlocc_divide_im_C(hlocc_V a, hlocc_V b, hlocc_V c, hlocc_V d)
{
    return hlocc_quotient_C(a, b, c, d, 1);
}

/* piece: hlocc_quotient_C | F | scalar vector */
/* The real (imaginary: part 1) part of a quotient. */
HLOCC_INLINE hlocc_V hlocc_quotient_C(hlocc_V a, hlocc_V b, hlocc_V c, hlocc_V d, int part)
{
    hlocc_M flat = GE(ABS(c), ABS(d));
    hlocc_V large = hlocc_select_V(flat, c, d), small = hlocc_select_V(flat, d, c);
    hlocc_V ratio = DIV(small, large), scale = FMA(small, ratio, large);
    hlocc_V first = hlocc_select_V(flat, a, b), second = hlocc_select_V(flat, b, a);
    hlocc_V re = DIV(FMA(second, ratio, first), scale);
    hlocc_V difference = FMA(NEG(first), ratio, second);
    hlocc_V im = DIV(hlocc_select_V(flat, difference, NEG(difference)), scale);
    hlocc_M lost = hlocc_and_M(NE(re, re), NE(im, im));
    hlocc_V r = part ? im : re;
    return hlocc_any_M(lost) ? hlocc_select_V(lost, hlocc_quotient_limit_C(a, b, c, d, part, r), r) : r;
}

/* piece: hlocc_quotient_limit_C | F | scalar vector */
/* What a quotient means when its formula gave NaN in both parts. */
HLOCC_INLINE hlocc_V hlocc_quotient_limit_C(hlocc_V a, hlocc_V b, hlocc_V c, hlocc_V d, int part, hlocc_V r)
{
    const hlocc_V inf = hlocc_inf_V(), zero = K(0), one = K(1);
    hlocc_M a_inf = EQ(ABS(a), inf), b_inf = EQ(ABS(b), inf), c_inf = EQ(ABS(c), inf), d_inf = EQ(ABS(d), inf);
    hlocc_M x_finite = hlocc_and_M(LT(ABS(a), inf), LT(ABS(b), inf)), y_finite =
        hlocc_and_M(LT(ABS(c), inf), LT(ABS(d), inf));
    hlocc_V sa = hlocc_copysign_V(hlocc_select_V(a_inf, one, zero), a), sb =
        hlocc_copysign_V(hlocc_select_V(b_inf, one, zero), b);
    hlocc_V sc = hlocc_copysign_V(hlocc_select_V(c_inf, one, zero), c), sd =
        hlocc_copysign_V(hlocc_select_V(d_inf, one, zero), d);
    hlocc_V of_infinite = part ? SUB(MUL(sb, c), MUL(sa, d)) : ADD(MUL(sa, c), MUL(sb, d));
    hlocc_V by_infinite = part ? SUB(MUL(b, sc), MUL(a, sd)) : ADD(MUL(a, sc), MUL(b, sd));
    hlocc_V by_zero = MUL(hlocc_copysign_V(inf, c), part ? b : a);
    r = hlocc_select_V(hlocc_and_M(x_finite, hlocc_or_M(c_inf, d_inf)), MUL(zero, by_infinite), r);
    r = hlocc_select_V(hlocc_and_M(y_finite, hlocc_or_M(a_inf, b_inf)), MUL(inf, of_infinite), r);
    hlocc_M zero_divisor = hlocc_and_M(EQ(c, zero), EQ(d, zero)), some_number = hlocc_or_M(EQ(a, a), EQ(b, b));
    return hlocc_select_V(hlocc_and_M(zero_divisor, some_number), by_zero, r);
}

/* piece: hlocc_exp_re_C hlocc_exp_im_C | F | scalar vector */
/* e^re (cos im + i sin im); where e^re overflows, e^(re/2) twice. */
HLOCC_INLINE hlocc_V hlocc_exp_re_C(hlocc_V re, hlocc_V im)
{
    hlocc_M large = GT(re, K(${exp_limit}));
    hlocc_V e = hlocc_exp_V(hlocc_select_V(large, MUL(re, K(0.5${f})), re)), r = MUL(e, hlocc_cos_V(im));
    return hlocc_select_V(large, MUL(r, e), r);
}
HLOCC_INLINE hlocc_V hlocc_exp_im_C(hlocc_V re, hlocc_V im)
{
    hlocc_M large = GT(re, K(${exp_limit}));
    hlocc_V e = hlocc_exp_V(hlocc_select_V(large, MUL(re, K(0.5${f})), re)), r = MUL(e, hlocc_sin_V(im));
    return hlocc_select_V(EQ(im, K(0)), im, hlocc_select_V(large, MUL(r, e), r));
}

/* piece: hlocc_expm1_re_C hlocc_expm1_im_C | F | scalar vector */
HLOCC_INLINE hlocc_V hlocc_expm1_re_C(hlocc_V re, hlocc_V im)
{
    hlocc_V half = hlocc_sin_V(MUL(im, K(0.5${f})));
    return FMA(MUL(K(-2), half), half, MUL(hlocc_expm1_V(re), hlocc_cos_V(im)));
}
HLOCC_INLINE hlocc_V hlocc_expm1_im_C(hlocc_V re, hlocc_V im) { return hlocc_exp_im_C(re, im); }

/* piece: hlocc_log_abs_C | F | scalar vector */
/* log |z|, without cancellation where |z| is near 1: half of log1p(|z|^2 - 1), that difference in twice the
 * precision. */
HLOCC_INLINE hlocc_V hlocc_log_abs_C(hlocc_V re, hlocc_V im)
{
    hlocc_V a = ABS(re), b = ABS(im);
    hlocc_M steep = GT(b, a);
    hlocc_V large = hlocc_select_V(steep, b, a), small = hlocc_select_V(steep, a, b);
    hlocc_V p = hlocc_exact_V(MUL(large, large)), p_low = hlocc_product_rest_V(large, large, p);
    hlocc_V q = hlocc_exact_V(MUL(small, small)), q_low = hlocc_product_rest_V(small, small, q);
    hlocc_V t = SUB(p, K(1)), sum = ADD(t, q), part = SUB(sum, t);
    hlocc_V rest = ADD(SUB(t, SUB(sum, part)), SUB(q, part)); /* of the sum (Knuth) */
    hlocc_M near = hlocc_and_M(GT(large, K(0.5${f})), LT(large, K(2)));
    hlocc_M extreme = hlocc_or_M(EQ(large, K(0)), EQ(large, hlocc_inf_V()));
    hlocc_V ratio = hlocc_select_V(extreme, K(0), DIV(small, large));
    hlocc_V argument = hlocc_select_V(near, ADD(sum, ADD(rest, ADD(p_low, q_low))), MUL(ratio, ratio));
    return FMA(K(0.5${f}), hlocc_log1p_V(argument), hlocc_select_V(near, K(0), hlocc_log_V(large)));
}

/* piece: hlocc_log_re_C hlocc_log_im_C | F | scalar vector */
HLOCC_INLINE hlocc_V hlocc_log_re_C(hlocc_V re, hlocc_V im) { return hlocc_log_abs_C(re, im); }
HLOCC_INLINE hlocc_V hlocc_log_im_C(hlocc_V re, hlocc_V im) { return hlocc_atan2_V(im, re); }

/* piece: hlocc_log1p_re_C hlocc_log1p_im_C | F | scalar vector */
HLOCC_INLINE hlocc_V hlocc_log1p_re_C(hlocc_V re, hlocc_V im)
{
    hlocc_M near = hlocc_and_M(LT(ABS(re), K(0.5${f})), LT(ABS(im), K(1)));
    hlocc_V square = FMA(im, im, MUL(re, ADD(re, K(2)))); /* |1 + z|^2 - 1 */
    hlocc_V small = MUL(K(0.5${f}), hlocc_log1p_V(hlocc_select_V(near, square, K(0))));
    return hlocc_select_V(near, small, hlocc_log_abs_C(ADD(re, K(1)), im));
}
HLOCC_INLINE hlocc_V hlocc_log1p_im_C(hlocc_V re, hlocc_V im) { return hlocc_atan2_V(im, ADD(re, K(1))); }

/* piece: hlocc_sqrt_parts_C | F | scalar vector */
/* With t = sqrt((|re| + |z|) / 2): t, or |im| / 2t (other: the second of them). z scaled so that nothing overflows. */
HLOCC_INLINE hlocc_V hlocc_sqrt_parts_C(hlocc_V re, hlocc_V im, int other)
{
    hlocc_V a = ABS(re), b = ABS(im), sum = ADD(a, b);
@if f32
    hlocc_M big = GT(sum, K(0x1p100f)), tiny = LT(sum, K(0x1p-80f));
    hlocc_V scale = hlocc_select_V(big, K(0x1p-4f), hlocc_select_V(tiny, K(0x1p48f), K(1)));
    hlocc_V back = hlocc_select_V(big, K(4), hlocc_select_V(tiny, K(0x1p-24f), K(1)));
@else
    hlocc_M big = GT(sum, K(0x1p1000)), tiny = LT(sum, K(0x1p-900));
    hlocc_V scale = hlocc_select_V(big, K(0x1p-4), hlocc_select_V(tiny, K(0x1p200), K(1)));
    hlocc_V back = hlocc_select_V(big, K(4), hlocc_select_V(tiny, K(0x1p-100), K(1)));
@end
    a = MUL(a, scale);
    b = MUL(b, scale);
    hlocc_V t = hlocc_sqrt_V(MUL(K(0.5${f}), ADD(a, hlocc_abs_C(a, b))));
    if (!other) return MUL(t, back);
    hlocc_V divisor = hlocc_select_V(EQ(t, K(0)), K(1), ADD(t, t));
    hlocc_V u = MUL(DIV(b, divisor), back);
    u = hlocc_select_V(EQ(a, hlocc_inf_V()), hlocc_select_V(EQ(b, b), K(0), b), u);
    return hlocc_select_V(EQ(b, hlocc_inf_V()), b, u);
}

/* piece: hlocc_sqrt_re_C hlocc_sqrt_im_C | F | scalar vector */
/* The root with re >= 0; the sign of im is that of the argument's. */
HLOCC_INLINE hlocc_V hlocc_sqrt_re_C(hlocc_V re, hlocc_V im)
{
    return hlocc_select_V(LT(re, K(0)), hlocc_sqrt_parts_C(re, im, 1), hlocc_sqrt_parts_C(re, im, 0));
}
HLOCC_INLINE hlocc_V hlocc_sqrt_im_C(hlocc_V re, hlocc_V im)
{
    hlocc_V r = hlocc_select_V(LT(re, K(0)), hlocc_sqrt_parts_C(re, im, 0), hlocc_sqrt_parts_C(re, im, 1));
    return hlocc_copysign_V(r, im);
}

/* piece: hlocc_rsqrt_re_C hlocc_rsqrt_im_C | F | scalar vector */
/* 1 / sqrt(z); of 0: (inf, NaN), of infinite z: 0. */
HLOCC_INLINE hlocc_V hlocc_rsqrt_re_C(hlocc_V re, hlocc_V im)
{
    hlocc_M infinite = hlocc_or_M(EQ(ABS(re), hlocc_inf_V()), EQ(ABS(im), hlocc_inf_V()));
    hlocc_M zero = hlocc_and_M(EQ(re, K(0)), EQ(im, K(0))), nan = hlocc_or_M(NE(re, re), NE(im, im));
    hlocc_V r = hlocc_divide_re_C(K(1), K(0), hlocc_sqrt_re_C(re, im), hlocc_sqrt_im_C(re, im));
    r = hlocc_select_V(zero, hlocc_inf_V(), hlocc_select_V(infinite, K(0), r));
    return hlocc_select_V(nan, hlocc_nan_V(), r);
}
HLOCC_INLINE hlocc_V hlocc_rsqrt_im_C(hlocc_V re, hlocc_V im)
{
    hlocc_M infinite = hlocc_or_M(EQ(ABS(re), hlocc_inf_V()), EQ(ABS(im), hlocc_inf_V()));
    hlocc_M zero = hlocc_and_M(EQ(re, K(0)), EQ(im, K(0))), nan = hlocc_or_M(NE(re, re), NE(im, im));
    hlocc_V r = hlocc_divide_im_C(K(1), K(0), hlocc_sqrt_re_C(re, im), hlocc_sqrt_im_C(re, im));
    r = hlocc_select_V(infinite, K(0), r);
    return hlocc_select_V(hlocc_or_M(zero, nan), hlocc_nan_V(), r);
}

/* piece: hlocc_product_or_zero_C | F | scalar vector */
/* a * b, but b where b is 0 (and a may be infinite). */
HLOCC_INLINE hlocc_V hlocc_product_or_zero_C(hlocc_V a, hlocc_V b)
{
    return hlocc_select_V(EQ(b, K(0)), hlocc_xorsign_V(b, a), MUL(a, b));
}

/* piece: hlocc_sin_re_C hlocc_sin_im_C | F | scalar vector */
HLOCC_INLINE hlocc_V hlocc_sin_re_C(hlocc_V re, hlocc_V im)
{
    return hlocc_product_or_zero_C(hlocc_cosh_V(im), hlocc_sin_V(re));
}
HLOCC_INLINE hlocc_V hlocc_sin_im_C(hlocc_V re, hlocc_V im)
{
    return hlocc_product_or_zero_C(hlocc_cos_V(re), hlocc_sinh_V(im));
}

/* piece: hlocc_cos_re_C hlocc_cos_im_C | F | scalar vector */
HLOCC_INLINE hlocc_V hlocc_cos_re_C(hlocc_V re, hlocc_V im) { return MUL(hlocc_cos_V(re), hlocc_cosh_V(im)); }
HLOCC_INLINE hlocc_V hlocc_cos_im_C(hlocc_V re, hlocc_V im)
{
    return NEG(hlocc_product_or_zero_C(hlocc_sinh_V(im), hlocc_sin_V(re)));
}

/* piece: hlocc_sinh_re_C hlocc_sinh_im_C | F | scalar vector */
HLOCC_INLINE hlocc_V hlocc_sinh_re_C(hlocc_V re, hlocc_V im)
{
    return hlocc_product_or_zero_C(hlocc_cos_V(im), hlocc_sinh_V(re));
}
HLOCC_INLINE hlocc_V hlocc_sinh_im_C(hlocc_V re, hlocc_V im)
{
    return hlocc_product_or_zero_C(hlocc_cosh_V(re), hlocc_sin_V(im));
}

/* piece: hlocc_cosh_re_C hlocc_cosh_im_C | F | scalar vector */
HLOCC_INLINE hlocc_V hlocc_cosh_re_C(hlocc_V re, hlocc_V im) { return MUL(hlocc_cosh_V(re), hlocc_cos_V(im)); }
HLOCC_INLINE hlocc_V hlocc_cosh_im_C(hlocc_V re, hlocc_V im)
{
    return hlocc_product_or_zero_C(hlocc_sinh_V(re), hlocc_sin_V(im));
}

/* piece: hlocc_tanh_re_C hlocc_tanh_im_C | F | scalar vector */
/* Kahan: with t = tan(im), s = sinh(re), b = 1 + t^2, d = 1 + b s^2: (b sqrt(1 + s^2) s + i t) / d;
 * for large |re|: +-1, and 4 sin cos e^(-2 |re|). */
HLOCC_INLINE hlocc_V hlocc_tanh_re_C(hlocc_V re, hlocc_V im)
{
    hlocc_M large = GT(ABS(re), K(${tanh_limit}));
    hlocc_V t = hlocc_tan_V(im), s = hlocc_sinh_V(hlocc_select_V(large, K(0), re));
    hlocc_V b = FMA(t, t, K(1)), bs = MUL(b, s), d = FMA(bs, s, K(1));
    hlocc_V r = DIV(MUL(bs, hlocc_sqrt_V(FMA(s, s, K(1)))), d);
    return hlocc_select_V(large, hlocc_copysign_V(K(1), re), r);
}
HLOCC_INLINE hlocc_V hlocc_tanh_im_C(hlocc_V re, hlocc_V im)
{
    hlocc_M large = GT(ABS(re), K(${tanh_limit}));
    hlocc_V t = hlocc_tan_V(im), s = hlocc_sinh_V(hlocc_select_V(large, K(0), re));
    hlocc_V r = DIV(t, FMA(MUL(FMA(t, t, K(1)), s), s, K(1)));
    hlocc_V small = MUL(K(4), hlocc_exp_V(MUL(K(-2), ABS(re))));
    return hlocc_select_V(large, MUL(MUL(hlocc_sin_V(im), hlocc_cos_V(im)), small), r);
}

/* piece: hlocc_tan_re_C hlocc_tan_im_C | F | scalar vector */
/* tan(z) = -i tanh(iz). */
HLOCC_INLINE hlocc_V hlocc_tan_re_C(hlocc_V re, hlocc_V im) { return hlocc_tanh_im_C(im, re); }
HLOCC_INLINE hlocc_V hlocc_tan_im_C(hlocc_V re, hlocc_V im) { return hlocc_tanh_re_C(im, re); }

/* piece: hlocc_logistic_re_C hlocc_logistic_im_C | F | scalar vector */
/* 1 / (1 + e^-z). */
HLOCC_INLINE hlocc_V hlocc_logistic_re_C(hlocc_V re, hlocc_V im)
{
    hlocc_V e = hlocc_exp_re_C(NEG(re), NEG(im)), f = hlocc_exp_im_C(NEG(re), NEG(im));
    return hlocc_divide_re_C(K(1), K(0), ADD(e, K(1)), f);
}
HLOCC_INLINE hlocc_V hlocc_logistic_im_C(hlocc_V re, hlocc_V im)
{
    hlocc_V e = hlocc_exp_re_C(NEG(re), NEG(im)), f = hlocc_exp_im_C(NEG(re), NEG(im));
    return hlocc_divide_im_C(K(1), K(0), ADD(e, K(1)), f);
}

/* piece: hlocc_sign_re_C hlocc_sign_im_C | F | scalar vector */
/* z / |z|; of 0: 0. */
HLOCC_INLINE hlocc_V hlocc_sign_re_C(hlocc_V re, hlocc_V im)
{
    hlocc_V r = hlocc_abs_C(re, im);
    return hlocc_select_V(EQ(r, K(0)), K(0), DIV(re, r));
}
HLOCC_INLINE hlocc_V hlocc_sign_im_C(hlocc_V re, hlocc_V im)
{
    hlocc_V r = hlocc_abs_C(re, im);
    return hlocc_select_V(EQ(r, K(0)), K(0), DIV(im, r));
}

/* piece: hlocc_pow_re_C hlocc_pow_im_C | F | scalar vector */
/* (a + bi)^(c + di) = |z|^c e^(-d theta) at the angle d log|z| + c theta. 1 for z = 1 or exponent 0. */
HLOCC_INLINE hlocc_V hlocc_pow_re_C(hlocc_V a, hlocc_V b, hlocc_V c, hlocc_V d)
{
    hlocc_V log = hlocc_log_abs_C(a, b), theta = hlocc_atan2_V(b, a);
    hlocc_V size = hlocc_exp_V(FMA(c, log, MUL(NEG(d), theta)));
    hlocc_V r = MUL(size, hlocc_cos_V(FMA(d, log, MUL(c, theta))));
    hlocc_M real = EQ(b, K(0)), power_one =
        hlocc_or_M(hlocc_and_M(EQ(a, K(1)), real), hlocc_and_M(EQ(c, K(0)), EQ(d, K(0))));
    hlocc_M infinite = hlocc_and_M(hlocc_and_M(EQ(a, hlocc_inf_V()), real), NE(c, K(0)));
    r = hlocc_select_V(infinite, hlocc_select_V(GT(c, K(0)), hlocc_inf_V(), K(0)), r);
    r = hlocc_select_V(hlocc_and_M(hlocc_and_M(EQ(a, K(0)), real), GT(c, K(0))), K(0), r);
    return hlocc_select_V(power_one, K(1), r);
}
HLOCC_INLINE hlocc_V hlocc_pow_im_C(hlocc_V a, hlocc_V b, hlocc_V c, hlocc_V d)
{
    hlocc_V log = hlocc_log_abs_C(a, b), theta = hlocc_atan2_V(b, a);
    hlocc_V size = hlocc_exp_V(FMA(c, log, MUL(NEG(d), theta)));
    hlocc_V r = MUL(size, hlocc_sin_V(FMA(d, log, MUL(c, theta))));
    hlocc_M real = EQ(b, K(0)), power_one =
        hlocc_or_M(hlocc_and_M(EQ(a, K(1)), real), hlocc_and_M(EQ(c, K(0)), EQ(d, K(0))));
    hlocc_M infinite = hlocc_and_M(hlocc_and_M(EQ(a, hlocc_inf_V()), real), NE(c, K(0)));
    hlocc_M zero = hlocc_and_M(hlocc_and_M(EQ(a, K(0)), real), GT(c, K(0)));
    return hlocc_select_V(hlocc_or_M(power_one, hlocc_or_M(infinite, zero)), K(0), r);
}

/* piece: hlocc_atan2_quotient_re_C hlocc_atan2_quotient_im_C | F | scalar vector */
/* (x + iy) / sqrt(x^2 + y^2) for y = a + bi, x = c + di. */
HLOCC_INLINE hlocc_V hlocc_atan2_quotient_re_C(hlocc_V a, hlocc_V b, hlocc_V c, hlocc_V d)
{
    hlocc_V re = ADD(SUB(MUL(c, c), MUL(d, d)), SUB(MUL(a, a), MUL(b, b))), im = MUL(K(2), ADD(MUL(c, d), MUL(a, b)));
    return hlocc_divide_re_C(SUB(c, b), ADD(d, a), hlocc_sqrt_re_C(re, im), hlocc_sqrt_im_C(re, im));
}
HLOCC_INLINE hlocc_V hlocc_atan2_quotient_im_C(hlocc_V a, hlocc_V b, hlocc_V c, hlocc_V d)
{
    hlocc_V re = ADD(SUB(MUL(c, c), MUL(d, d)), SUB(MUL(a, a), MUL(b, b))), im = MUL(K(2), ADD(MUL(c, d), MUL(a, b)));
    return hlocc_divide_im_C(SUB(c, b), ADD(d, a), hlocc_sqrt_re_C(re, im), hlocc_sqrt_im_C(re, im));
}

/* piece: hlocc_atan2_re_C hlocc_atan2_im_C | F | scalar vector */
/* -i log((x + iy) / sqrt(x^2 + y^2)) for y = a + bi, x = c + di. */
HLOCC_INLINE hlocc_V hlocc_atan2_re_C(hlocc_V a, hlocc_V b, hlocc_V c, hlocc_V d)
{
    return hlocc_atan2_V(hlocc_atan2_quotient_im_C(a, b, c, d), hlocc_atan2_quotient_re_C(a, b, c, d));
}
HLOCC_INLINE hlocc_V hlocc_atan2_im_C(hlocc_V a, hlocc_V b, hlocc_V c, hlocc_V d)
{
    return NEG(hlocc_log_abs_C(hlocc_atan2_quotient_re_C(a, b, c, d), hlocc_atan2_quotient_im_C(a, b, c, d)));
}

/* header: hlocc/complex_inverse_C.h */
/* Inverse functions after Kahan, "Branch cuts for complex elementary functions". */
/* piece: hlocc_asin_re_C hlocc_asin_im_C | F | scalar vector */
HLOCC_INLINE hlocc_V hlocc_asin_re_C(hlocc_V re, hlocc_V im)
{
    hlocc_V a = hlocc_sqrt_re_C(SUB(K(1), re), NEG(im)), b = hlocc_sqrt_im_C(SUB(K(1), re), NEG(im));
    hlocc_V c = hlocc_sqrt_re_C(ADD(K(1), re), im), d = hlocc_sqrt_im_C(ADD(K(1), re), im);
    return hlocc_atan2_V(re, FMA(a, c, MUL(NEG(b), d)));
}
HLOCC_INLINE hlocc_V hlocc_asin_im_C(hlocc_V re, hlocc_V im)
{
    hlocc_V a = hlocc_sqrt_re_C(SUB(K(1), re), NEG(im)), b = hlocc_sqrt_im_C(SUB(K(1), re), NEG(im));
    hlocc_V c = hlocc_sqrt_re_C(ADD(K(1), re), im), d = hlocc_sqrt_im_C(ADD(K(1), re), im);
    return hlocc_copysign_V(hlocc_asinh_V(FMA(a, d, MUL(NEG(b), c))), im);
}

/* piece: hlocc_acos_re_C hlocc_acos_im_C | F | scalar vector */
HLOCC_INLINE hlocc_V hlocc_acos_re_C(hlocc_V re, hlocc_V im)
{
    hlocc_V a = hlocc_sqrt_re_C(SUB(K(1), re), NEG(im)), c = hlocc_sqrt_re_C(ADD(K(1), re), im);
    return MUL(K(2), hlocc_atan2_V(a, c));
}
HLOCC_INLINE hlocc_V hlocc_acos_im_C(hlocc_V re, hlocc_V im) { return NEG(hlocc_asin_im_C(re, im)); }

/* piece: hlocc_asinh_re_C hlocc_asinh_im_C | F | scalar vector */
/* asinh(z) = -i asin(iz). */
HLOCC_INLINE hlocc_V hlocc_asinh_re_C(hlocc_V re, hlocc_V im) { return hlocc_asin_im_C(NEG(im), re); }
HLOCC_INLINE hlocc_V hlocc_asinh_im_C(hlocc_V re, hlocc_V im) { return NEG(hlocc_asin_re_C(NEG(im), re)); }

/* piece: hlocc_acosh_re_C hlocc_acosh_im_C | F | scalar vector */
HLOCC_INLINE hlocc_V hlocc_acosh_re_C(hlocc_V re, hlocc_V im)
{
    hlocc_V a = hlocc_sqrt_re_C(SUB(re, K(1)), im), b = hlocc_sqrt_im_C(SUB(re, K(1)), im);
    hlocc_V c = hlocc_sqrt_re_C(ADD(re, K(1)), im), d = hlocc_sqrt_im_C(ADD(re, K(1)), im);
    return hlocc_asinh_V(FMA(a, c, MUL(b, d)));
}
HLOCC_INLINE hlocc_V hlocc_acosh_im_C(hlocc_V re, hlocc_V im)
{
    hlocc_V b = hlocc_sqrt_im_C(SUB(re, K(1)), im), c = hlocc_sqrt_re_C(ADD(re, K(1)), im);
    return MUL(K(2), hlocc_atan2_V(b, c));
}

/* piece: hlocc_atanh_re_C hlocc_atanh_im_C | F | scalar vector */
/* re: log1p(4 a / ((1 - a)^2 + b^2)) / 4 for a = |re|. */
HLOCC_INLINE hlocc_V hlocc_atanh_re_C(hlocc_V re, hlocc_V im)
{
    hlocc_V a = ABS(re), distance = hlocc_abs_C(SUB(K(1), a), im);
    hlocc_V r = MUL(K(0.25${f}), hlocc_log1p_V(DIV(DIV(MUL(K(4), a), distance), distance)));
    r = hlocc_select_V(EQ(distance, hlocc_inf_V()), K(0), r);
    return hlocc_copysign_V(r, re);
}
HLOCC_INLINE hlocc_V hlocc_atanh_im_C(hlocc_V re, hlocc_V im)
{
    hlocc_V x = FMA(NEG(im), im, MUL(SUB(K(1), re), ADD(K(1), re)));
    return MUL(K(0.5${f}), hlocc_atan2_V(ADD(im, im), x));
}

/* piece: hlocc_atan_re_C hlocc_atan_im_C | F | scalar vector */
/* atan(z) = -i atanh(iz). */
HLOCC_INLINE hlocc_V hlocc_atan_re_C(hlocc_V re, hlocc_V im) { return hlocc_atanh_im_C(NEG(im), re); }
HLOCC_INLINE hlocc_V hlocc_atan_im_C(hlocc_V re, hlocc_V im) { return NEG(hlocc_atanh_re_C(NEG(im), re)); }
