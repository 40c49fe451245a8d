/* 155 rows at once (64 + 64 + 8 + 8 + 8 + 1 + 1 + 1), and each by itself: the same values. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "net.h"

enum { ROWS = 155 };

static void fill(float *at, size_t n, unsigned seed) {
    for (size_t i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        at[i] = (float)(int)(seed >> 8) / (float)(1 << 24) - 0.5f;
    }
}

int main(void) {
    static net_weights weights;
    static float x[ROWS][NET_IN], together[ROWS][NET_OUT], alone[ROWS][NET_OUT];
    const size_t bytes = (net_workspace_bytes() + 63) / 64 * 64;
    void *workspace = aligned_alloc(64, bytes + 64);
    float farthest = 0;
    fill(weights.w1[0], sizeof weights / sizeof(float), 1);
    fill(x[0], ROWS * NET_IN, 2);
    int error = net_run(&weights, x, together, ROWS, workspace);
    for (int row = 0; row < ROWS && !error; row++) error = net_run(&weights, x + row, alone + row, 1, workspace);
    for (int i = 0; i < ROWS * NET_OUT; i++) farthest = fmaxf(farthest, fabsf((&together[0][0])[i] - (&alone[0][0])[i]));
    free(workspace);
    printf("%d rows: error %d, values differ by at most %.1g\n", ROWS, error, farthest);
    return error || !(farthest < 1e-5f);
}
