/* SPDX-License-Identifier: MIT */
/* sampler_kernels.c - see sampler_kernels.h: the choice of the set at run time. */
#include "vc4/tmu/sampler_kernels.h"

#include <stddef.h>

#include "base/cpu.h"

const struct sampler_kernels *sampler_kernels_native(void)
{
#ifdef __x86_64__
    if (cpu_has_avx2())
        return &sampler_kernels_avx2;
#endif
    return NULL;
}
