/* A layer too large for one device: each of four has its columns of the first matrix and its rows of the second; an
 * all-reduce in the compiled function adds up what they give. Compared with the same layer on one device. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>

#include "../devices/ranks.h"
#include "devices.h"
#include "one_device.h"

enum { TOKENS = 64, WIDTH = 256, HIDDEN = 1024, SHARE = HIDDEN / RANKS, CALLS = 200 };

static float x[TOKENS * WIDTH], w1[WIDTH * HIDDEN], w2[HIDDEN * WIDTH];

static void apply(int rank, hlocc_context *ctx) {
    float *columns = malloc(WIDTH * SHARE * sizeof *columns), *y = malloc(2 * TOKENS * WIDTH * sizeof *y);
    void *workspace = workspace_new(devices_workspace_bytes(1));
    double start, seconds;
    for (int i = 0; i < WIDTH; i++)
        for (int k = 0; k < SHARE; k++) columns[i * SHARE + k] = w1[i * HIDDEN + rank * SHARE + k];
    start = seconds_now();
    for (int call = 0; call < CALLS; call++)
        check(devices(x, columns, w2 + rank * SHARE * WIDTH, y, workspace, ctx), ctx);
    seconds = seconds_now() - start;
    free(workspace);
    if (rank == 0) {
        float *one = y + TOKENS * WIDTH, farthest = 0;
        hlocc_context alone = {.size = sizeof alone, .threads = 1};
        workspace = workspace_new(one_device_workspace_bytes(1));
        check(one_device(x, w1, w2, one, workspace, &alone), &alone);
        for (int i = 0; i < TOKENS * WIDTH; i++) farthest = fmaxf(farthest, fabsf(one[i] - y[i]));
        printf("%d calls on %d devices: %.0f us a call; one device's results differ by at most %.1g\n", CALLS, RANKS,
               1e6 * seconds / CALLS, farthest);
        free(workspace);
        if (!(farthest < 1e-4f)) exit(1);
    }
    free(columns);
    free(y);
}

int main(void) {
    fill(x, TOKENS * WIDTH, 1, 1.0f);
    fill(w1, WIDTH * HIDDEN, 2, 0.1f);
    fill(w2, HIDDEN * WIDTH, 3, 0.1f);
    return run_ranks(apply);
}
