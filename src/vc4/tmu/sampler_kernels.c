/* SPDX-License-Identifier: MIT */
/* sampler_kernels.c - see sampler_kernels.h: the choice of the set at run time. */
#include "vc4/tmu/sampler_kernels.h"

#include <stddef.h>

#include "exec/cpu.h"

const struct sampler_kernels *sampler_kernels_native(void)
{
    return CPU_FASTEST(NULL, &sampler_kernels_avx2);
}
