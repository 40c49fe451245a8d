/* Calls the compiled loop of lorenz.hlo: 1000 steps along the Lorenz attractor from one state. */
#include <stdio.h>

#include "lorenz.h"

enum { STEPS = 1000, ROWS = 20, COLUMNS = 60 };

int main(void) {
    static float path[STEPS][3];
    _Alignas(64) static unsigned char workspace[JIT_LORENZ_WORKSPACE_BYTES(1) + 1];
    static char picture[ROWS][COLUMNS + 1];
    const float start[3] = {1, 1, 1};
    int error = jit_lorenz(start, &path[0][0], workspace, NULL), k, row;
    if (error) {
        fprintf(stderr, "jit_lorenz: %s\n", hlocc_strerror(error));
        return 1;
    }
    for (row = 0; row < ROWS; row++) {
        for (k = 0; k < COLUMNS; k++) picture[row][k] = ' ';
    }
    for (k = 0; k < STEPS; k++) { /* x from -25 to 25 to the right, z from 0 to 50 upwards */
        int column = (int)((path[k][0] + 25) / 50 * COLUMNS);
        row = ROWS - 1 - (int)(path[k][2] / 50 * ROWS);
        if (column >= 0 && column < COLUMNS && row >= 0 && row < ROWS) picture[row][column] = '*';
    }
    for (row = 0; row < ROWS; row++) printf("%s\n", picture[row]);
    printf("after %d steps: %.4f %.4f %.4f\n", STEPS, path[STEPS - 1][0], path[STEPS - 1][1], path[STEPS - 1][2]);
    return 0;
}
