/* infeed, outfeed, send and recv of transfers.hlo: in order, once per array; errors end the call. */
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

typedef struct {
    int fed, given, sent, received;
    int fails_at; /* the infeed that returns an error; 0: none */
    float sum[3];
} Host;

static int infeed(void *user, void *data, size_t bytes, const char *config)
{
    Host *host = user;
    CHECK(strcmp(config, "a \"b\"") == 0);
    if (++host->fed == host->fails_at) return 1;
    if (host->fed % 2) {
        CHECK(bytes == 12);
        for (int i = 0; i < 3; i++) ((float *)data)[i] = (float)(10 * host->fed + i);
    } else {
        CHECK(bytes == 4);
        *(int32_t *)data = host->fed;
    }
    return 0;
}

static int outfeed(void *user, const void *data, size_t bytes, const char *config)
{
    Host *host = user;
    CHECK(strcmp(config, "out") == 0);
    if (++host->given % 2) {
        CHECK(bytes == 12);
        memcpy(host->sum, data, bytes);
    } else {
        CHECK(bytes == 4 && *(const int32_t *)data == host->given && host->given == host->fed);
    }
    return 0;
}

static int send(void *user, const void *data, size_t bytes, int64_t channel)
{
    Host *host = user;
    CHECK(bytes == 12 && channel == 5 && memcmp(data, host->sum, 12) == 0);
    host->sent++;
    return 0;
}

static int recv(void *user, void *data, size_t bytes, int64_t channel)
{
    Host *host = user;
    CHECK(bytes == 12 && channel == 6 && host->sent == 1);
    for (int i = 0; i < 3; i++) ((float *)data)[i] = 1000;
    host->received++;
    return 0;
}

int main(void)
{
    void *workspace = aligned_alloc(64, (PROGRAM_WORKSPACE_BYTES(1) + 127) / 64 * 64);
    float x[3] = {1, 2, 3}, result[3];
    Host host = {0};
    hlocc_context ctx = {.size = sizeof ctx, .threads = 1, .infeed = infeed, .outfeed = outfeed, .send = send,
                         .recv = recv, .user = &host};
    CHECK(program(x, result, workspace, &ctx) == HLOCC_OK);
    CHECK(host.fed == 6 && host.given == 6 && host.sent == 1 && host.received == 1);
    for (int i = 0; i < 3; i++) CHECK(result[i] == (float)(1000 + 1 + i + 10 + 30 + 50 + 3 * i));
    CHECK(program(x, result, workspace, NULL) == HLOCC_ECALLBACK);
    host = (Host){.fails_at = 3};
    CHECK(program(x, result, workspace, &ctx) == HLOCC_ECALLBACK);
    CHECK(host.fed == 3 && host.given == 2);
    free(workspace);
    return 0;
}
