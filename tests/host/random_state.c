/* rng-get-and-update-state: from XLA's start in each call, or on from call to call where the caller keeps the state. */
#include <stdlib.h>

#include "program.h"

int main(void)
{
    void *workspace = aligned_alloc(64, (PROGRAM_WORKSPACE_BYTES(1) + 127) / 64 * 64);
    uint64_t a[2], b[2], state[2] = {UINT64_MAX, 7};
    hlocc_context ctx = {.size = sizeof ctx, .threads = 1, .rng_state = state};
    for (int i = 0; i < 2; i++)
        if (program(a, b, workspace, NULL) || a[0] != 0x7012395 || a[1] || b[0] != a[0] + 5 || b[1]) return 1;
    if (program(a, b, workspace, &ctx) || a[0] != UINT64_MAX || a[1] != 7 || b[0] != 4 || b[1] != 8) return 2;
    if (state[0] != 5 || state[1] != 8) return 3;
    if (program(a, b, workspace, &ctx) || a[0] != 5 || state[0] != 11) return 4;
    free(workspace);
    return 0;
}
