/* Calls the compiled net of mlp.hlo: sin(3 x) * cos(2 y), learned by two layers of 32 tanh units. Its weights are
 * constants in mlp.c. */
#include <math.h>
#include <stdio.h>

#include "mlp.h"

enum { POINTS = 8 };

int main(void) {
    float points[POINTS][2], values[POINTS][1];
    _Alignas(64) static unsigned char workspace[JIT_MLP_WORKSPACE_BYTES(1) + 1];
    int error, k;
    for (k = 0; k < POINTS; k++) {
        points[k][0] = -0.9f + 0.25f * (float)k;
        points[k][1] = 0.8f - 0.2f * (float)k;
    }
    error = jit_mlp(&points[0][0], &values[0][0], workspace, NULL);
    if (error) {
        fprintf(stderr, "jit_mlp: %s\n", hlocc_strerror(error));
        return 1;
    }
    printf("    x      y      net    sin(3 x) cos(2 y)\n");
    for (k = 0; k < POINTS; k++)
        printf("%6.2f %6.2f %8.4f %8.4f\n", points[k][0], points[k][1], values[k][0],
               sin(3 * points[k][0]) * cos(2 * points[k][1]));
    return 0;
}
