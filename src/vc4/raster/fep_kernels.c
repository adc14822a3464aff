/* SPDX-License-Identifier: MIT */
/* fep_kernels.c - see fep_kernels.h: the portable functions, and the choice of the fastest set at
 * run time. */
#include "vc4/raster/fep_kernels.h"

#define PART_BYTES 16
#include "vc4/raster/fep_kernels_parts.h"

const struct fep_kernels fep_kernels_portable = FEP_KERNELS;

const struct fep_kernels *fep_kernels_native(void)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2"))
        return &fep_kernels_avx2;
#endif
    return &fep_kernels_portable;
}
