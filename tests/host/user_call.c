/* Custom calls of a function of ours: shapes, layouts and configuration arrive; an error ends the call. */
#include <stdio.h>
#include <stdlib.h>

#include "program.h"

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            exit(1); \
        } \
    } while (0)

int my_function(const hlocc_call *call, const void *const in[], void *const out[], const hlocc_context *ctx)
{
    CHECK(strcmp(call->target, "mine") == 0);
    if (call->inputs == 1) { /* the result holds the operand already */
        CHECK(call->results == 1 && *call->config == 0 && memcmp(in[0], out[0], 16) == 0 && in[0] != out[0]);
        ((int32_t *)out[0])[0] += 100;
        return ctx && ctx->user ? 77 : 0;
    }
    CHECK(call->inputs == 2 && call->results == 2 && strcmp(call->config, "k = \"3\"") == 0);
    CHECK(call->input[0].rank == 2 && call->input[0].dims[1] == 3 && call->input[0].minor_to_major[0] == 0);
    CHECK(strcmp(call->input[1].dtype, "s32") == 0 && call->input[1].bytes == 16);
    CHECK(call->result[0].minor_to_major[0] == 0 && call->result[1].rank == 0);
    const float *x = in[0];
    const int32_t *n = in[1];
    float *y = out[0];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++) y[i + 2 * j] = x[i + 2 * j] + (float)(10 * i + j);
    *(int32_t *)out[1] = n[0] + n[1] + n[2] + n[3];
    return 0;
}

int main(void)
{
    void *workspace = aligned_alloc(64, (PROGRAM_WORKSPACE_BYTES(1) + 127) / 64 * 64);
    float x[6] = {0, 1, 2, 3, 4, 5}, y[6];
    int32_t n[4] = {1, 2, 3, 4}, sum, d[4];
    CHECK(program(x, n, y, &sum, d, workspace, NULL) == 0);
    for (int i = 0; i < 6; i++) CHECK(y[i] == (float)(10 * (i / 3) + i % 3 - i));
    CHECK(sum == 10 && d[0] == 101 && d[3] == 4);
    hlocc_context ctx = {.size = sizeof ctx, .threads = 1, .user = &sum};
    CHECK(program(x, n, y, &sum, d, workspace, &ctx) == 77);
    free(workspace);
    return 0;
}
