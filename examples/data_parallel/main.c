/* Training on four devices: each has a quarter of the batch and all weights; gradients are averaged by all-reduces in
 * the compiled step. Compared with the same steps on one device. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <string.h>

#include "../devices/ranks.h"
#include "devices.h"
#include "one_device.h"

enum { IN = 128, HIDDEN = 256, OUT = 16, BATCH = 256, SHARE = BATCH / RANKS, STEPS = 100 };

typedef struct {
    float w1[IN * HIDDEN], b1[HIDDEN], w2[HIDDEN * OUT], b2[OUT];
} Weights;

static float x[BATCH * IN], wanted[BATCH * OUT];

static void begin(Weights *weights) {
    memset(weights, 0, sizeof *weights);
    fill(weights->w1, IN * HIDDEN, 1, 0.1f);
    fill(weights->w2, HIDDEN * OUT, 2, 0.1f);
}

static void train(int rank, hlocc_context *ctx) {
    Weights *now = malloc(sizeof *now), *next = malloc(sizeof *next), *t;
    void *workspace = workspace_new(devices_workspace_bytes(1));
    float loss = 0, first = 0;
    double start = seconds_now(), seconds;
    begin(now);
    for (int step = 0; step < STEPS; step++) {
        check(devices(now->w1, now->b1, now->w2, now->b2, x + rank * SHARE * IN, wanted + rank * SHARE * OUT, next->w1,
                      next->b1,
                      next->w2, next->b2, &loss, workspace, ctx), ctx);
        if (step == 0) first = loss;
        t = now;
        now = next;
        next = t;
    }
    seconds = seconds_now() - start;
    free(workspace);
    if (rank == 0) {
        float farthest = 0, one_loss = 0;
        Weights *one = malloc(sizeof *one);
        hlocc_context alone = {.size = sizeof alone, .threads = 1};
        workspace = workspace_new(one_device_workspace_bytes(1));
        begin(one);
        for (int step = 0; step < STEPS; step++) {
            check(one_device(one->w1, one->b1, one->w2, one->b2, x, wanted, next->w1, next->b1, next->w2, next->b2,
                             &one_loss,
                             workspace, &alone), &alone);
            memcpy(one, next, sizeof *one);
        }
        for (int i = 0; i < IN * HIDDEN; i++) farthest = fmaxf(farthest, fabsf(one->w1[i] - now->w1[i]));
        printf("%d steps on %d devices: loss %.6f to %.6f, %.0f us a step\n", STEPS, RANKS, first, loss,
               1e6 * seconds / STEPS);
        printf("on one device: loss %.6f; weights differ by at most %.1g\n", one_loss, farthest);
        free(workspace);
        free(one);
        if (!(farthest < 1e-5f)) exit(1);
    }
    free(now);
    free(next);
}

int main(void) {
    fill(x, BATCH * IN, 3, 1.0f);
    fill(wanted, BATCH * OUT, 4, 1.0f);
    return run_ranks(train);
}
