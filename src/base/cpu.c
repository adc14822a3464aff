/* SPDX-License-Identifier: MIT */
/* cpu.c - see cpu.h. */
#include "base/cpu.h"

#ifdef __x86_64__
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static bool find_avx2(void)
{
    const char *kernels = getenv("TESSERA_KERNELS");
    if (kernels && strcmp(kernels, "portable") == 0)
        return false;
    return __builtin_cpu_supports("avx2");
}

bool cpu_has_avx2(void)
{
    enum { UNKNOWN, NO, YES };
    static atomic_int known = UNKNOWN;
    int answer = atomic_load_explicit(&known, memory_order_relaxed);
    if (answer == UNKNOWN) {
        answer = find_avx2() ? YES : NO;
        atomic_store_explicit(&known, answer, memory_order_relaxed);
    }
    return answer == YES;
}
#else
bool cpu_has_avx2(void)
{
    return false;
}
#endif
