/* What every file that hlocc writes shares with its callers: element types, the context of a call, signatures, error
 * codes. Strict C99; C++ may include it. The lines "piece:" mark what --self-contained can copy alone. */
#ifndef HLOCC_RT_CORE_H
#define HLOCC_RT_CORE_H

/* header: hlocc/rt_core.h */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* piece: HLOCC_RESTRICT */
#if defined(__cplusplus)
#define HLOCC_RESTRICT __restrict
#else
#define HLOCC_RESTRICT restrict
#endif

/* piece: hlocc_bf16 */
typedef uint16_t hlocc_bf16; /* the upper half of an f32 */

/* piece: hlocc_f16 */
typedef uint16_t hlocc_f16; /* IEEE binary16 */

/* piece: hlocc_c64 */
typedef struct {
    float re, im;
} hlocc_c64;

/* piece: hlocc_c128 */
typedef struct {
    double re, im;
} hlocc_c128;

/* piece: HLOCC_OK HLOCC_EARGUMENT HLOCC_ECOMM HLOCC_EASSERT HLOCC_ECALLBACK HLOCC_ELAPACK HLOCC_EMEMORY HLOCC_ETIMEOUT HLOCC_EUNSUPPORTED HLOCC_ERROR_COUNT */
enum {
    HLOCC_OK = 0,
    HLOCC_EARGUMENT,    /* a pointer, size or number of threads that cannot be */
    HLOCC_ECOMM,        /* the communicator is missing, of the wrong size, or failed */
    HLOCC_EASSERT,      /* an assertion of the program does not hold */
    HLOCC_ECALLBACK,    /* a callback of the context is missing or returned non-zero */
    HLOCC_ELAPACK,      /* a LAPACK routine refused its arguments */
    HLOCC_EMEMORY,      /* no memory (only where something is created) */
    HLOCC_ETIMEOUT,     /* a peer did not come in time */
    HLOCC_EUNSUPPORTED, /* what was asked for is not part of this build of the runtime */
    HLOCC_ERROR_COUNT
};

/* piece: hlocc_strerror */
/* The words for an error code, in English; never NULL. In libhlocc-rt. */
const char *hlocc_strerror(int error);

/* piece: hlocc_comm */
/* A group of ranks that run the same program; made by hlocc_comm_create_threads or hlocc_comm_create_mpi. */
typedef struct hlocc_comm hlocc_comm;

/* piece: hlocc_context */
/* The circumstances of a call. All zero is a good start; `size` is sizeof(hlocc_context). */
typedef struct hlocc_context {
    size_t size;
    int threads;      /* 0: as many as OpenMP gives */
    hlocc_comm *comm; /* of this rank (hlocc/rt_comm.h); NULL: one device */
    /* Transfers of the host. Each returns 0, or makes the call end with HLOCC_ECALLBACK. */
    int (*infeed)(void *user, void *data, size_t bytes, const char *config);
    int (*outfeed)(void *user, const void *data, size_t bytes, const char *config);
    int (*send)(void *user, const void *data, size_t bytes, int64_t channel);
    int (*recv)(void *user, void *data, size_t bytes, int64_t channel);
    void *user;
    uint64_t *rng_state;  /* 2 words; NULL: the state starts anew in each call */
    char *message;        /* room for a message when a call fails, or NULL */
    size_t message_bytes; /* of it, the final 0 included */
    /* Of programs for several devices (docs/collectives.md). */
    double comm_seconds;  /* a peer that comes later than that is an error; 0: 60 s */
    int comm_any_order;   /* not 0: MPI may sum floats in an order of its own (faster; the last bits may differ) */
} hlocc_context;

/* piece: hlocc_array */
/* One parameter or result. */
typedef struct hlocc_array {
    const char *name;
    const char *dtype; /* as in HLO: "f32" */
    int rank;
    const int64_t *dims;       /* rank of them */
    const int *minor_to_major; /* rank of them: the layout at the interface */
    size_t bytes;
    int alias; /* of a result: the parameter whose memory it may share; of a parameter: that result; -1: none */
} hlocc_array;

/* piece: hlocc_call */
/* A custom call of a function of yours (hlocc --custom-call=TARGET=FUNCTION). */
typedef struct hlocc_call {
    const char *target, *config; /* custom_call_target; backend_config, "" without one */
    int inputs, results;
    const hlocc_array *input, *result;
} hlocc_call;

/* piece: hlocc_signature */
typedef struct hlocc_signature {
    const char *name;
    int inputs, results;
    const hlocc_array *input, *result; /* flattened in order */
    int replicas, partitions;          /* devices: replicas * partitions */
    int (*call)(const void *const in[], void *const out[], void *workspace, const hlocc_context *ctx);
    size_t (*workspace_bytes)(int threads);
    const char *libraries; /* what a linker needs, as "-lhlocc-rt -lm" */
} hlocc_signature;

/* end */
#ifdef __cplusplus
}
#endif

#endif
