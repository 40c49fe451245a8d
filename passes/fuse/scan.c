#include "passes/fuse/fuse.h"

/* Windows that grow with the index: running sums, maxima, products. */

enum { WORTH = 4 }; /* smaller windows are read as others are */

static bool is_single(const WindowDim *w) {
    return w->size == 1 && w->stride == 1 && !w->pad_low && !w->pad_high && w->base_dilation == 1 &&
           w->window_dilation == 1;
}

/* Output o reads elements o - pad_low ... o - pad_low + size - 1 of n, those that there are. */
static bool grows(const WindowDim *w, int64_t n, int64_t outputs, WindowScan *scan) {
    if (w->stride != 1 || w->base_dilation != 1 || w->window_dilation != 1 || w->size <= WORTH || n < 1) return false;
    int64_t newest = w->size - 1 - w->pad_low; /* of output 0 */
    scan->reverse = false;
    scan->newest = w->size - 1;
    if (newest <= 0 && w->pad_low >= outputs - 1) return true;
    scan->reverse = true;
    scan->newest = 0;
    return newest >= n - 1 && outputs - 1 - w->pad_low >= n - 1;
}

bool window_scan(const Instr *reduction, WindowScan *scan) {
    if (reduction->op != OP_REDUCE_WINDOW) return false;
    const Shape *from = reduction->operands[0]->shape, *to = element_shape(reduction);
    Window window = instr_window(reduction, from->rank);
    scan->dim = -1;
    for (int i = 0; i < from->rank; i++) {
        if (is_single(&window.dims[i])) continue;
        if (scan->dim >= 0) return false;
        scan->dim = i;
    }
    return scan->dim >= 0 && grows(&window.dims[scan->dim], from->dims[scan->dim], to->dims[scan->dim], scan);
}
