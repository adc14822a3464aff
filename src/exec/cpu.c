/* SPDX-License-Identifier: MIT */
/* cpu.c - see cpu.h. */
#include "exec/cpu.h"

#ifdef __x86_64__
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { UNKNOWN, NO, YES };

static atomic_int known = UNKNOWN;

static bool find_avx2(void)
{
    const char *kernels = getenv("TESSERA_KERNELS");
    if (kernels && strcmp(kernels, "portable") == 0)
        return false;
    return __builtin_cpu_supports("avx2");
}

bool cpu_has_avx2(void)
{
    int answer = atomic_load_explicit(&known, memory_order_relaxed);
    if (answer == UNKNOWN) {
        answer = find_avx2() ? YES : NO;
        atomic_store_explicit(&known, answer, memory_order_relaxed);
    }
    return answer == YES;
}

void cpu_use_portable(bool portable)
{
    atomic_store_explicit(&known, portable ? NO : UNKNOWN, memory_order_relaxed);
}
#else
bool cpu_has_avx2(void)
{
    return false;
}

void cpu_use_portable(bool portable)
{
    (void)portable;
}
#endif
