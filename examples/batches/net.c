#include "net.h"

#include "net_1.h"
#include "net_64.h"
#include "net_8.h"

/* The modules differ in their number of rows only, so that their functions have one type. Largest first. */
static const struct {
    size_t rows;
    int (*run)(const float *w1, const float *b1, const float *w2, const float *b2, const float *x, float *y, void *workspace,
               const hlocc_context *ctx);
    const hlocc_signature *signature;
} sizes[] = {{64, net_64, &net_64_signature}, {8, net_8, &net_8_signature}, {1, net_1, &net_1_signature}};

size_t net_workspace_bytes(void) {
    size_t most = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const size_t bytes = sizes[i].signature->workspace_bytes(1);
        if (bytes > most) most = bytes;
    }
    return most;
}

int net_run(const net_weights *weights, const float (*x)[NET_IN], float (*y)[NET_OUT], size_t rows, void *workspace) {
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (; rows >= sizes[i].rows; rows -= sizes[i].rows) {
            const int error = sizes[i].run(weights->w1[0], weights->b1, weights->w2[0], weights->b2, x[0], y[0], workspace, NULL);
            if (error) return error;
            x += sizes[i].rows;
            y += sizes[i].rows;
        }
    }
    return 0;
}
