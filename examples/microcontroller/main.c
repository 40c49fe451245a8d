/* The net of mlp.hlo on a microcontroller: one point at a time, no heap, a static workspace. */
#include <math.h>
#include <stdio.h>

#include "mlp.h"

int main(void) {
    int wrong = 0, k;
    for (k = 0; k < 8; k++) {
        const float point[2] = {-0.9f + 0.25f * (float)k, 0.8f - 0.2f * (float)k};
        const float wanted = sinf(3 * point[0]) * cosf(2 * point[1]);
        float value[1];
        int error = jit_mlp(point, value, NULL, NULL);
        if (error || !(fabsf(value[0] - wanted) < 0.05f)) wrong++;
        printf("%5d %5d: %5d, wanted %5d (thousandths)\n", (int)(1000 * point[0]), (int)(1000 * point[1]), (int)(1000 * value[0]),
               (int)(1000 * wanted));
    }
    printf(wrong ? "wrong\n" : "good\n");
    return wrong != 0;
}
