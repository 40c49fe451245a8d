/* The program that hlocc-run builds around generated code: PROGRAM INPUTS OUTPUTS THREADS SECONDS [DEVICES].
 *
 * INPUTS holds the arrays of all parameters one after the other, each in row-major order whatever its layout; OUTPUTS
 * is written likewise. The function is called twice, on fresh memory filled with two different patterns, the second
 * time in place where the signature allows that: the results must be the same bits, the parameters unchanged, and
 * nothing may be written beside a buffer. With SECONDS above 0 calls are then timed for so long, and "MIN MEDIAN" of
 * a call in seconds goes to standard output.
 *
 * With HARNESS_THREADS it runs DEVICES ranks as threads, with HARNESS_MPI each process is a rank; INPUTS then holds the
 * arrays of all devices one after the other, and device r writes OUTPUTS.r.
 *
 * It knows the function by its signature alone. Exit: 0; 5 when something was wrong, which standard error tells. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "hlocc/rt_comm.h"
#ifdef HARNESS_MPI
#include "hlocc/rt_mpi.h"
#endif
#ifdef HARNESS_THREADS
#include <pthread.h>
#endif

extern const hlocc_signature *const harness_signature;

/* Under the address sanitizer its own red zones are the better guards: they catch reads too. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_RED_ZONES 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define HAS_RED_ZONES 1
#endif
#ifdef HAS_RED_ZONES
enum { GUARD = 0 };
#else
enum { GUARD = 64 };
#endif
enum { EXIT_WRONG = 5, ALIGNMENT = 64 };
enum { GUARD_BYTE = 0xC3, FIRST_PATTERN = 0xA5, SECOND_PATTERN = 0x5A, OTHER_THREADS = 3 };

/* What one device is to do. */
typedef struct {
    int rank, devices;
    hlocc_comm *comm;
    const char *inputs, *outputs;
    int threads;
    double seconds;
} Device;

static void fail(const char *what, const char *which) {
    fprintf(stderr, which ? "%s %s\n" : "%s\n", what, which);
    exit(EXIT_WRONG);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

typedef struct {
    unsigned char *block, *data; /* guards before and behind data */
    size_t bytes;
} Buffer;

static Buffer buffer_new(size_t bytes, int pattern) {
    Buffer buffer = {NULL, NULL, bytes};
    void *block;
    if (posix_memalign(&block, ALIGNMENT, bytes || GUARD ? bytes + 2 * GUARD : 1)) fail("out of memory", NULL);
    buffer.block = block;
    buffer.data = buffer.block + GUARD;
    memset(buffer.block, GUARD_BYTE, GUARD);
    memset(buffer.data, pattern, bytes);
    memset(buffer.data + bytes, GUARD_BYTE, GUARD);
    return buffer;
}

static void check_guards(const Buffer *buffer, const char *name) {
    int i;
    for (i = 0; i < GUARD; i++)
        if (buffer->block[i] != GUARD_BYTE || buffer->data[buffer->bytes + i] != GUARD_BYTE)
            fail("something was written outside of the buffer of", name);
}

static Buffer *buffers_new(const hlocc_array *arrays, int n, int pattern) {
    Buffer *buffers = calloc((size_t)n + 1, sizeof *buffers);
    int k;
    if (!buffers) fail("out of memory", NULL);
    for (k = 0; k < n; k++) buffers[k] = buffer_new(arrays[k].bytes, pattern);
    return buffers;
}

static void buffers_free(Buffer *buffers, int n) {
    int k;
    for (k = 0; k < n; k++) free(buffers[k].block);
    free(buffers);
}

/* ---- row-major order and the layout of the interface ------------------------------------------------------------- */

static int is_row_major(const hlocc_array *array) {
    int i;
    for (i = 0; i < array->rank; i++)
        if (array->minor_to_major[i] != array->rank - 1 - i) return 0;
    return 1;
}

/* Copies between the two orders: logical is row-major. */
static void reorder(const hlocc_array *array, unsigned char *logical, unsigned char *physical, int to_physical) {
    size_t elements = 1, i, size;
    ptrdiff_t *strides = calloc((size_t)array->rank + 1, sizeof *strides);
    ptrdiff_t *index = calloc((size_t)array->rank + 1, sizeof *index);
    int d, k;
    if (!strides || !index) fail("out of memory", NULL);
    for (k = 0; k < array->rank; k++) {
        strides[array->minor_to_major[k]] = (ptrdiff_t)elements;
        elements *= (size_t)array->dims[array->minor_to_major[k]];
    }
    size = elements ? array->bytes / elements : 0;
    for (i = 0; i < elements; i++) {
        ptrdiff_t at = 0;
        for (d = 0; d < array->rank; d++) at += index[d] * strides[d];
        if (to_physical) memcpy(physical + (size_t)at * size, logical + i * size, size);
        else memcpy(logical + i * size, physical + (size_t)at * size, size);
        for (d = array->rank - 1; d >= 0 && ++index[d] == (ptrdiff_t)array->dims[d]; d--) index[d] = 0;
    }
    free(strides);
    free(index);
}

static void read_inputs(const Device *device, const Buffer *inputs) {
    const hlocc_signature *signature = harness_signature;
    FILE *file = fopen(device->inputs, "rb");
    size_t total = 0;
    int k;
    for (k = 0; k < signature->inputs; k++) total += signature->input[k].bytes;
    if (!file || fseeko(file, (off_t)total * device->rank, SEEK_SET)) fail("cannot read", device->inputs);
    for (k = 0; k < signature->inputs; k++) {
        const hlocc_array *array = &signature->input[k];
        int straight = is_row_major(array);
        unsigned char *logical = straight ? inputs[k].data : malloc(array->bytes + 1);
        if (!logical) fail("out of memory", NULL);
        if (fread(logical, 1, array->bytes, file) != array->bytes)
            fail("the signature asks for more bytes than there are inputs, at", array->name);
        if (straight) continue;
        reorder(array, logical, inputs[k].data, 1);
        free(logical);
    }
    if (device->rank == device->devices - 1 &&
        fgetc(file) != EOF) fail("the signature asks for fewer bytes than there are inputs", NULL);
    fclose(file);
}

static void write_outputs(const Device *device, const Buffer *outputs) {
    const hlocc_signature *signature = harness_signature;
    size_t length = strlen(device->outputs) + 16;
    char *path = malloc(length);
    FILE *file;
    int k, good;
    if (!path) fail("out of memory", NULL);
    snprintf(path, length, device->devices > 1 ? "%s.%d" : "%s", device->outputs, device->rank);
    file = fopen(path, "wb");
    good = file != NULL;
    for (k = 0; k < signature->results && good; k++) {
        const hlocc_array *array = &signature->result[k];
        int straight = is_row_major(array);
        unsigned char *logical = straight ? outputs[k].data : malloc(array->bytes + 1);
        if (!logical) fail("out of memory", NULL);
        if (!straight) reorder(array, logical, outputs[k].data, 0);
        good = fwrite(logical, 1, array->bytes, file) == array->bytes;
        if (!straight) free(logical);
    }
    if (!good || fclose(file)) fail("cannot write", path);
    free(path);
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

typedef struct {
    const void **in;
    void **out;
    Buffer workspace;
    hlocc_context context;
    char message[256];
} Call;

/* in_place: results go where the parameters are that they may overwrite. */
static void call_prepare(Call *call, const Device *device, const Buffer *inputs, const Buffer *outputs, int pattern,
                         int in_place) {
    const hlocc_signature *signature = harness_signature;
    int threads = device->threads;
    int k;
    memset(call, 0, sizeof *call);
    call->in = calloc((size_t)signature->inputs + 1, sizeof *call->in);
    call->out = calloc((size_t)signature->results + 1, sizeof *call->out);
    if (!call->in || !call->out) fail("out of memory", NULL);
    for (k = 0; k < signature->inputs; k++) call->in[k] = inputs[k].data;
    for (k = 0; k < signature->results; k++) {
        int alias = signature->result[k].alias;
        call->out[k] = in_place && alias >= 0 ? inputs[alias].data : outputs[k].data;
    }
    call->workspace = buffer_new(signature->workspace_bytes(threads), pattern);
    call->context.size = sizeof call->context;
    call->context.threads = threads;
    call->context.comm = device->comm;
    call->context.message = call->message;
    call->context.message_bytes = sizeof call->message;
}

static void call_free(Call *call) {
    free((void *)call->in);
    free(call->out);
    free(call->workspace.block);
}

static void call_once(Call *call) {
    int code = harness_signature->call(call->in, call->out, call->workspace.data, &call->context);
    if (!code) return;
    if (call->context.comm) fprintf(stderr, "rank %d: ", hlocc_comm_rank(call->context.comm));
    fprintf(stderr, "error %d (%s)%s%s\n", code, hlocc_strerror(code), *call->message ? ": " : "", call->message);
    exit(EXIT_WRONG);
}

static void check_call(const Call *call, const Buffer *inputs, const Buffer *pristine, const Buffer *outputs,
                       int in_place) {
    const hlocc_signature *signature = harness_signature;
    int k, i;
    check_guards(&call->workspace, "the workspace");
    for (k = 0; k < signature->results; k++) check_guards(&outputs[k], signature->result[k].name);
    for (k = 0; k < signature->inputs; k++) {
        int overwritten = 0;
        check_guards(&inputs[k], signature->input[k].name);
        for (i = 0; i < signature->results && in_place; i++) overwritten |= signature->result[i].alias == k;
        if (!overwritten && memcmp(inputs[k].data, pristine[k].data, inputs[k].bytes) != 0)
            fail("a call changed the parameter", signature->input[k].name);
    }
}

/* The second call, on other memory and with another number of threads. */
static void call_again(const Device *device, const Buffer *pristine, const Buffer *expected) {
    const hlocc_signature *signature = harness_signature;
    Buffer *inputs = buffers_new(signature->input, signature->inputs, 0);
    Buffer *outputs = buffers_new(signature->result, signature->results, SECOND_PATTERN);
    Device other = *device;
    Call call;
    int k;
    for (k = 0; k < signature->inputs; k++) memcpy(inputs[k].data, pristine[k].data, inputs[k].bytes);
    if (device->devices == 1) other.threads = device->threads == 1 ? OTHER_THREADS : 1;
    call_prepare(&call, &other, inputs, outputs, SECOND_PATTERN, 1);
    call_once(&call);
    check_call(&call, inputs, pristine, outputs, 1);
    for (k = 0; k < signature->results; k++)
        if (memcmp(call.out[k], expected[k].data, expected[k].bytes) != 0)
            fail("a second call gives other bits for", signature->result[k].name);
    call_free(&call);
    buffers_free(inputs, signature->inputs);
    buffers_free(outputs, signature->results);
}

/* ---- time -------------------------------------------------------------------------------------------------------- */

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double time_batch(Call *call, long calls) {
    double start = now();
    long i;
    for (i = 0; i < calls; i++) call_once(call);
    return now() - start;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* What device 0 says: the number of calls must be the same for all. */
static double agreed(const Device *device, double value) {
#if defined(HARNESS_MPI)
    (void)device;
    MPI_Bcast(&value, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
#elif defined(HARNESS_THREADS)
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static pthread_cond_t all_came = PTHREAD_COND_INITIALIZER;
    static int came;
    static long round;
    static double said[2];
    long mine;
    pthread_mutex_lock(&lock);
    mine = round;
    if (device->rank == 0) said[mine & 1] = value;
    if (++came == device->devices) {
        came = 0;
        round++;
        pthread_cond_broadcast(&all_came);
    }
    while (round == mine) pthread_cond_wait(&all_came, &lock);
    value = said[mine & 1];
    pthread_mutex_unlock(&lock);
#else
    (void)device;
#endif
    return value;
}

/* Calls in batches long enough for the clock. */
static void measure(const Device *device, Call *call) {
    const double batch_seconds = 0.5e-3;
    enum { LEAST_BATCHES = 3 };
    long calls = 1;
    size_t n = 0, capacity = 1024;
    double *times = malloc(capacity * sizeof *times), spent = agreed(device, time_batch(call, calls)), end;
    while (spent < batch_seconds) {
        calls = spent > batch_seconds / 100 ? (long)((double)calls * 1.2 * batch_seconds / spent) + 1 : calls * 10;
        spent = agreed(device, time_batch(call, calls));
    }
    for (end = now() + device->seconds; agreed(device, n < LEAST_BATCHES || now() < end) != 0; n++) {
        if (n == capacity) times = realloc(times, (capacity *= 2) * sizeof *times);
        if (!times) fail("out of memory", NULL);
        times[n] = time_batch(call, calls) / (double)calls;
    }
    qsort(times, n, sizeof *times, by_size);
    if (device->rank == 0) printf("%.9e %.9e\n", times[0], times[n / 2]);
    free(times);
}

/* ---- devices ----------------------------------------------------------------------------------------------------- */

static void run_device(const Device *device) {
    const hlocc_signature *signature = harness_signature;
    Buffer *inputs = buffers_new(signature->input, signature->inputs, 0);
    Buffer *pristine = buffers_new(signature->input, signature->inputs, 0);
    Buffer *outputs = buffers_new(signature->result, signature->results, FIRST_PATTERN);
    Call call;
    int k;
    read_inputs(device, inputs);
    for (k = 0; k < signature->inputs; k++) memcpy(pristine[k].data, inputs[k].data, inputs[k].bytes);
    call_prepare(&call, device, inputs, outputs, FIRST_PATTERN, 0);
    call_once(&call);
    check_call(&call, inputs, pristine, outputs, 0);
    call_again(device, pristine, outputs);
    write_outputs(device, outputs);
    if (device->seconds > 0) measure(device, &call);
    call_free(&call);
    buffers_free(inputs, signature->inputs);
    buffers_free(pristine, signature->inputs);
    buffers_free(outputs, signature->results);
}

#if defined(HARNESS_MPI)
static void run_devices(Device device) {
    int provided, code;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
    code = hlocc_comm_create_mpi(MPI_COMM_WORLD, &device.comm);
    if (code) fail("no communicator:", hlocc_strerror(code));
    device.rank = hlocc_comm_rank(device.comm);
    device.devices = hlocc_comm_size(device.comm);
    run_device(&device);
    hlocc_comm_free(device.comm);
    MPI_Finalize();
}
#elif defined(HARNESS_THREADS)
static void *run_thread(void *device) {
    run_device(device);
    return NULL;
}

static void run_devices(Device all) {
    hlocc_comm **comms = calloc((size_t)all.devices, sizeof *comms);
    Device *devices = calloc((size_t)all.devices, sizeof *devices);
    pthread_t *threads = calloc((size_t)all.devices, sizeof *threads);
    int r;
    if (!comms || !devices || !threads || hlocc_comm_create_threads(all.devices, comms)) fail("out of memory", NULL);
    for (r = 0; r < all.devices; r++) {
        devices[r] = all;
        devices[r].rank = r;
        devices[r].comm = comms[r];
        if (pthread_create(&threads[r], NULL, run_thread, &devices[r])) fail("cannot start a thread for each device",
                                                                             NULL);
    }
    for (r = 0; r < all.devices; r++) {
        pthread_join(threads[r], NULL);
        hlocc_comm_free(comms[r]);
    }
    free(comms);
    free(devices);
    free(threads);
}
#else
static void run_devices(Device device) {
    run_device(&device);
}
#endif

int main(int argc, char **argv) {
    Device device = {0, 1, NULL, NULL, NULL, 1, 0};
    if (argc != 5 && argc != 6) fail("usage: PROGRAM INPUTS OUTPUTS THREADS SECONDS [DEVICES]", NULL);
    device.inputs = argv[1];
    device.outputs = argv[2];
    device.threads = atoi(argv[3]);
    device.seconds = atof(argv[4]);
    if (argc == 6) device.devices = atoi(argv[5]);
    run_devices(device);
    return 0;
}
