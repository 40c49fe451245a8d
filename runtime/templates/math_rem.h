/* header: hlocc/math_rem_V.h */
/* piece: hlocc_rem_large_V | F | scalar vector */
/* Replaces r where the quotient is large, or no number. */
@include <math.h>
HLOCC_NOINLINE void hlocc_rem_large_V(const hlocc_V *a, const hlocc_V *b, hlocc_V *r)
{
@if scalar
    *r = fmod${f}(*a, *b);
@else
    for (int i = 0; i < LANES; i++) *r = hlocc_set_lane_V(*r, i, fmod${f}(hlocc_lane_V(*a, i), hlocc_lane_V(*b, i)));
@end
}

/* piece: hlocc_rem_V | F | scalar vector */
/* As fmod of C: exact, with the sign of the dividend. a - q b is exact for the right q, and for one more. */
HLOCC_INLINE hlocc_V hlocc_rem_V(hlocc_V a, hlocc_V b)
{
    hlocc_V x = ABS(a), y = ABS(b), q = hlocc_trunc_V(DIV(x, y)), p = hlocc_exact_V(MUL(q, y));
    hlocc_V r = SUB(SUB(x, p), hlocc_product_rest_V(q, y, p));
    r = hlocc_copysign_V(ADD(r, hlocc_select_V(LT(r, K(0)), y, K(0))), a);
@if f32
    hlocc_M good = hlocc_and_M(LT(q, K(0x1p22f)), hlocc_and_M(GT(y, K(0x1p-80f)), LT(y, K(0x1p100f))));
@else
    hlocc_M good = hlocc_and_M(LT(q, K(0x1p51)), hlocc_and_M(GT(y, K(0x1p-900)), LT(y, K(0x1p900))));
@end
    if (!hlocc_all_M(good)) {
        hlocc_V dividend = a, divisor = b, replaced = r;
        hlocc_rem_large_V(&dividend, &divisor, &replaced);
        r = replaced;
    }
    return r;
}
