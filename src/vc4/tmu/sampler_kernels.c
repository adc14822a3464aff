/* SPDX-License-Identifier: MIT */
/* sampler_kernels.c - see sampler_kernels.h: the choice of the set at run time. */
#include "vc4/tmu/sampler_kernels.h"

#include <stddef.h>

const struct sampler_kernels *sampler_kernels_native(void)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2"))
        return &sampler_kernels_avx2;
#endif
    return NULL;
}
