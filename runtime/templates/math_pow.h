/* header: hlocc/math_pow_V.h */
/* piece: hlocc_pow_special_V | F | scalar vector */
/* The rules of C for pow: r is |x|^y where that is an ordinary case. */
HLOCC_INLINE hlocc_V hlocc_pow_special_V(hlocc_V x, hlocc_V y, hlocc_V r)
{
    hlocc_V half = MUL(y, K(0.5${f}));
    hlocc_M whole = EQ(hlocc_round_even_V(y), y), odd = hlocc_and_M(whole, NE(hlocc_round_even_V(half), half));
    hlocc_M negative = hlocc_and_M(LT(x, K(0)), GT(x, NEG(hlocc_inf_V())));
    hlocc_M no_number = hlocc_or_M(hlocc_or_M(NE(x, x), NE(y, y)), hlocc_andnot_M(whole, negative));
    r = hlocc_select_V(odd, hlocc_copysign_V(r, x), r);
    r = hlocc_select_V(no_number, hlocc_nan_V(), r);
    hlocc_M one = hlocc_or_M(EQ(x, K(1)), EQ(y, K(0)));
    one = hlocc_or_M(one, hlocc_and_M(EQ(x, K(-1)), EQ(ABS(y), hlocc_inf_V())));
    return hlocc_select_V(one, K(1), r);
}

/* piece: hlocc_pow_V | f32 | scalar vector */
/* 2^(y log2 |x|), the logarithm and the product in f64: 24 bits of the result need 32 bits of the exponent. */
HLOCC_INLINE hlocc_V hlocc_pow_V(hlocc_V x, hlocc_V y)
{
    hlocc_V a = ABS(x), m = hlocc_mantissa_V(a);
    hlocc_D f = hlocc_D_from_V(SUB(m, K(1)));
    hlocc_D s = hlocc_div_D(f, hlocc_add_D(f, KD(2))), z = hlocc_mul_D(s, s);
    hlocc_D p = hlocc_fma_D(z, KD(0x1.29eeeefa147dfp-2), KD(0x1.46efd677af5d8p-2));
    p = hlocc_fma_D(p, z, KD(0x1.a61eb4b4ad1b9p-2));
    p = hlocc_fma_D(p, z, KD(0x1.2776bc2afd029p-1));
    p = hlocc_fma_D(p, z, KD(0x1.ec709dcb81d1p-1));
    p = hlocc_fma_D(p, z, KD(0x1.71547652b7e78p1));
    hlocc_D log2 = hlocc_fma_D(p, s, hlocc_D_from_V(hlocc_exponent_V(a, m)));
    hlocc_D t = hlocc_clip_D(KD(-200), hlocc_mul_D(hlocc_D_from_V(y), log2), KD(200));
    hlocc_D n = hlocc_round_even_D(t), r = hlocc_sub_D(t, n);
    hlocc_D q = hlocc_fma_D(r, KD(0x1.4278d692467c1p-13), KD(0x1.5f45815acdb52p-10));
    q = hlocc_fma_D(q, r, KD(0x1.3b2c972ca55c1p-7));
    q = hlocc_fma_D(q, r, KD(0x1.c6aed498062e1p-5));
    q = hlocc_fma_D(q, r, KD(0x1.ebfbdd2ea78fdp-3));
    q = hlocc_fma_D(q, r, KD(0x1.62e430c7f2d7ap-1));
    q = hlocc_fma_D(q, r, KD(1));
    return hlocc_pow_special_V(x, y, hlocc_V_from_D(hlocc_mul_D(q, hlocc_pow2_D(n))));
}

/* piece: hlocc_pow_V | f64 | scalar vector */
/* exp(y log |x|) with the logarithm as a sum of two numbers, 64 bits or more:
 * log m = 2 atanh(s) = 2 (s + s^3 / 3 + s^5 p(s^2)), s = (m - 1) / (m + 1); each "low" is the rest of what stands
 * before it. */
HLOCC_INLINE hlocc_V hlocc_pow_V(hlocc_V x, hlocc_V y)
{
    hlocc_V a = ABS(x), m = hlocc_mantissa_V(a), e = hlocc_exponent_V(a, m);
    hlocc_V f = SUB(m, K(1)), d = ADD(f, K(2)), d_low = SUB(f, SUB(d, K(2)));
    hlocc_V inverse = DIV(K(1), d);
    hlocc_V s = hlocc_exact_V(MUL(f, inverse)), sd = hlocc_exact_V(MUL(s, d));
    hlocc_V rest = SUB(SUB(f, sd), hlocc_product_rest_V(s, d, sd));
    hlocc_V s_low = MUL(FMA(NEG(s), d_low, rest), inverse);
    hlocc_V z = hlocc_exact_V(MUL(s, s)), z_low = FMA(ADD(s, s), s_low, hlocc_product_rest_V(s, s, z));
    const hlocc_V third = K(0x1.5555555555555p-2), third_low = K(0x1.5555555555555p-56);
    hlocc_V t = hlocc_exact_V(MUL(z, third));
    hlocc_V t_low = FMA(z_low, third, FMA(z, third_low, hlocc_product_rest_V(z, third, t)));
    hlocc_V z2 = MUL(z, z); /* even and odd powers apart: half the latency */
    hlocc_V p_even = FMA(z2, K(0x1.dd3a601732ed7p-5), K(0x1.3b134ba73f99p-4));
    p_even = FMA(p_even, z2, K(0x1.c71c71c5b5164p-4));
    p_even = FMA(p_even, z2, K(0x1.9999999999999p-3));
    hlocc_V p_odd = FMA(z2, K(0x1.f40a59337ffa2p-5), K(0x1.1125c17d00246p-4));
    p_odd = FMA(p_odd, z2, K(0x1.745d185534e02p-4));
    p_odd = FMA(p_odd, z2, K(0x1.2492492492a69p-3));
    hlocc_V p = FMA(p_odd, z, p_even);
    hlocc_V tail = hlocc_exact_V(MUL(MUL(z, z), p));
    hlocc_V u = ADD(t, tail), u_low = ADD(ADD(SUB(t, u), tail), t_low);
    hlocc_V v = hlocc_exact_V(MUL(s, u)), v_low = FMA(s, u_low, FMA(s_low, u, hlocc_product_rest_V(s, u, v)));
    hlocc_V w = ADD(s, v), w_low = ADD(ADD(SUB(s, w), v), ADD(v_low, s_low));
    w = ADD(w, w);
    w_low = ADD(w_low, w_low);
    hlocc_V big = hlocc_exact_V(MUL(e, K(0x1.62e42fee00000p-1)));
    hlocc_V log = ADD(big, w), log_low = ADD(ADD(SUB(big, log), w), FMA(e, K(0x1.a39ef35793c76p-33), w_low));
    hlocc_V product = hlocc_exact_V(MUL(y, log));
    hlocc_V low = FMA(y, log_low, hlocc_product_rest_V(y, log, product));
    low = hlocc_select_V(LT(ABS(product), K(800)), low, K(0));
    hlocc_V n, r = hlocc_exp_reduce_V(hlocc_clip_V(K(-746), product, K(710)), &n);
    return hlocc_pow_special_V(x, y, hlocc_scale_V(ADD(hlocc_expm1_poly_V(ADD(r, low)), K(1)), n));
}
