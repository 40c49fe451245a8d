/* shape_assertion: its message with numbers, cut to the room there is. */
#include <stdlib.h>

#include "program.h"

int main(void)
{
    void *workspace = aligned_alloc(64, (PROGRAM_WORKSPACE_BYTES(1) + 127) / 64 * 64);
    int32_t n = 3, result;
    int64_t m = INT64_MIN;
    char message[64] = "";
    hlocc_context ctx = {.size = sizeof ctx, .threads = 1, .message = message, .message_bytes = sizeof message};
    if (program(&n, &m, &result, workspace, &ctx) || result != -3) return 1;
    n = 40;
    if (program(&n, &m, &result, workspace, NULL) != HLOCC_EASSERT) return 2;
    if (program(&n, &m, &result, workspace, &ctx) != HLOCC_EASSERT) return 3;
    if (strcmp(message, "n is 40, not 3; m is -9223372036854775808 {2}") != 0) return 4;
    ctx.message_bytes = 7;
    if (program(&n, &m, &result, workspace, &ctx) != HLOCC_EASSERT || strcmp(message, "n is 4") != 0) return 5;
    free(workspace);
    return 0;
}
