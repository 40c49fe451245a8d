/* header: hlocc/rt_host.h */
/* What a program asks of its caller while it runs: data, and the state of random numbers. */

/* piece: hlocc_infeed */
/* bytes of data from the caller's callback. */
static inline int hlocc_infeed(const hlocc_context *ctx, void *data, size_t bytes, const char *config)
{
    if (!ctx || !ctx->infeed || ctx->infeed(ctx->user, data, bytes, config)) return HLOCC_ECALLBACK;
    return HLOCC_OK;
}

/* piece: hlocc_outfeed */
static inline int hlocc_outfeed(const hlocc_context *ctx, const void *data, size_t bytes, const char *config)
{
    if (!ctx || !ctx->outfeed || ctx->outfeed(ctx->user, data, bytes, config)) return HLOCC_ECALLBACK;
    return HLOCC_OK;
}

/* piece: hlocc_host_send */
static inline int hlocc_host_send(const hlocc_context *ctx, const void *data, size_t bytes, int64_t channel)
{
    if (!ctx || !ctx->send || ctx->send(ctx->user, data, bytes, channel)) return HLOCC_ECALLBACK;
    return HLOCC_OK;
}

/* piece: hlocc_host_recv */
static inline int hlocc_host_recv(const hlocc_context *ctx, void *data, size_t bytes, int64_t channel)
{
    if (!ctx || !ctx->recv || ctx->recv(ctx->user, data, bytes, channel)) return HLOCC_ECALLBACK;
    return HLOCC_OK;
}

/* piece: hlocc_rng_begin */
/* The counter of rng-get-and-update-state, low word first: the caller's, or where XLA's starts. */
static inline void hlocc_rng_begin(const hlocc_context *ctx, uint64_t *state)
{
    state[0] = ctx && ctx->rng_state ? ctx->rng_state[0] : 0x7012395;
    state[1] = ctx && ctx->rng_state ? ctx->rng_state[1] : 0;
}

/* piece: hlocc_rng_step */
/* old: the counter, which then goes on by delta. */
static inline void hlocc_rng_step(const hlocc_context *ctx, uint64_t *state, uint64_t *old, uint64_t delta)
{
    old[0] = state[0];
    old[1] = state[1];
    state[0] += delta;
    state[1] += state[0] < delta;
    if (ctx && ctx->rng_state) memcpy(ctx->rng_state, state, 2 * sizeof *state);
}

/* piece: hlocc_assertion */
/* The message of an assertion that does not hold, its {0}, {1} ... replaced by numbers. */
static inline int hlocc_assertion(const hlocc_context *ctx, int holds, const char *message, const int64_t *numbers,
                                  int n)
{
    if (holds) return HLOCC_OK;
    if (!ctx || !ctx->message || !ctx->message_bytes) return HLOCC_EASSERT;
    size_t at = 0;
    while (*message && at + 1 < ctx->message_bytes) {
        const int k = message[0] == '{' && message[1] >= '0' && message[1] <= '9' ? message[1] - '0' : -1;
        if (k < 0 || k >= n || message[2] != '}') {
            ctx->message[at++] = *message++;
            continue;
        }
        char digits[24];
        int first = 23;
        uint64_t rest = numbers[k] < 0 ? 0 - (uint64_t)numbers[k] : (uint64_t)numbers[k];
        do digits[--first] = (char)('0' + rest % 10); while (rest /= 10);
        if (numbers[k] < 0) digits[--first] = '-';
        while (first < 23 && at + 1 < ctx->message_bytes) ctx->message[at++] = digits[first++];
        message += 3;
    }
    ctx->message[at] = 0;
    return HLOCC_EASSERT;
}

/* end */
