#include "passes/lower/target.h"

#include <stddef.h>
#include <string.h>

/* L1 and L2 are budgets: tile sizes must not depend on the very model, or results of one target would differ. */
static const Target table[] = {
    {"avx512", "x86-64 with AVX-512 F, VL, BW, DQ", 64, 32, true, 48 << 10, 1 << 20, 8, 2, "-march=x86-64-v4",
     "__AVX512BW__"},
    {"avx2", "x86-64 with AVX2 and FMA", 32, 16, true, 32 << 10, 512 << 10, 6, 2, "-march=x86-64-v3", "__AVX2__"},
    {"x86-64", "any x86-64 (SSE2)", 16, 16, false, 32 << 10, 512 << 10, 4, 2, "", NULL},
    {"neon", "64-bit ARM", 16, 32, true, 32 << 10, 512 << 10, 6, 4, "", NULL},
    {"generic", "any machine, plain C without vectors", 0, 16, false, 32 << 10, 256 << 10, 4, 4, "", NULL},
};

const Target *target_table(int *n) {
    *n = (int)(sizeof table / sizeof *table);
    return table;
}

static const char *native_name(void) {
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq"))
        return "avx512";
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "avx2";
    return "x86-64";
#elif defined(__aarch64__)
    return "neon";
#else
    return "generic";
#endif
}

const Target *target_find(const char *name) {
    if (strcmp(name, "native") == 0) name = native_name();
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0) return &table[i];
    return NULL;
}
