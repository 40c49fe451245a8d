/* A net with its weights as parameters, for any number of rows: it is compiled for batches of 1, 8 and 64 rows, and rows are
 * given to the largest that they fill. */
#ifndef NET_H
#define NET_H

#include <stddef.h>

enum { NET_IN = 16, NET_HIDDEN = 64, NET_OUT = 4 };

typedef struct {
    float w1[NET_IN][NET_HIDDEN], b1[NET_HIDDEN], w2[NET_HIDDEN][NET_OUT], b2[NET_OUT];
} net_weights;

/* Bytes of workspace that net_run needs, aligned to 64. */
size_t net_workspace_bytes(void);

/* y[row] = net(x[row]) for each of `rows`. 0, or a code for hlocc_strerror. */
int net_run(const net_weights *weights, const float (*x)[NET_IN], float (*y)[NET_OUT], size_t rows, void *workspace);

#endif
