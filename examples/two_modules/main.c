/* Two modules in one program: what the net of ../mlp says along the curve of ../lorenz. Built by the Makefile, the
 * CMakeLists.txt or the meson.build beside it. */
#include <stdio.h>

#include "lorenz.h"
#include "mlp.h"

enum { STEPS = 1000, POINTS = 8 };

int main(void) {
    static float path[STEPS][3];
    _Alignas(64) static unsigned char workspace[JIT_LORENZ_WORKSPACE_BYTES(1) + JIT_MLP_WORKSPACE_BYTES(1) + 1];
    const float start[3] = {1, 1, 1};
    float points[POINTS][2], values[POINTS][1];
    int error = jit_lorenz(start, &path[0][0], workspace, NULL), k;
    for (k = 0; k < POINTS; k++) {
        points[k][0] = path[k * 100][0] / 25;
        points[k][1] = path[k * 100][1] / 25;
    }
    if (!error) error = jit_mlp(&points[0][0], &values[0][0], workspace, NULL);
    if (error) {
        fprintf(stderr, "error: %s\n", hlocc_strerror(error));
        return 1;
    }
    for (k = 0; k < POINTS; k++) printf("net(%7.4f, %7.4f) = %7.4f\n", points[k][0], points[k][1], values[k][0]);
    return 0;
}
