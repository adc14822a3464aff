/* SPDX-License-Identifier: MIT */
/* vri_kernels_avx2.c - the functions of vri_kernels.h for x86-64 processors with AVX2. Empty on
 * other hosts. */
#include "vc4/raster/vri_kernels.h"

#ifdef __x86_64__

#include <immintrin.h>
#include <string.h>

#include "vc4/lanes/quad.h"

#include "exec/avx2_begin.h"

#define PART_BYTES 32
#include "vc4/raster/vri_kernels_parts.h"

const struct vri_kernels vri_kernels_avx2 = VRI_KERNELS;

#include "exec/avx2_end.h"

#endif
