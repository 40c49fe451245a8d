#include "ir/eval/window.h"

int64_t window_at(const WindowDim *window, int64_t size, int64_t o, int64_t k) {
    int64_t tap = window->reversal ? window->size - 1 - k : k;
    int64_t dilated = o * window->stride - window->pad_low + tap * window->window_dilation;
    if (dilated < 0 || dilated % window->base_dilation) return -1;
    int64_t at = dilated / window->base_dilation;
    return at < size ? at : -1;
}

int64_t window_offset(int rank, const WindowDim *windows, const int64_t *sizes, const int64_t *strides,
                      const int64_t *output, const int64_t *position) {
    int64_t offset = 0;
    for (int d = 0; d < rank; d++) {
        int64_t at = window_at(&windows[d], sizes[d], output[d], position[d]);
        if (at < 0) return -1;
        offset += at * strides[d];
    }
    return offset;
}

bool index_next(int rank, const int64_t *dims, int64_t *index) {
    for (int d = rank - 1; d >= 0; d--) {
        if (++index[d] < dims[d]) return true;
        index[d] = 0;
    }
    return false;
}

void index_from_number(int rank, const int64_t *dims, int64_t n, int64_t *index) {
    for (int d = rank - 1; d >= 0; d--) {
        index[d] = n % dims[d];
        n /= dims[d];
    }
}
