/* SPDX-License-Identifier: MIT */
/* fep_kernels_avx2.c - the functions of fep_kernels.h for x86-64 processors with AVX2. Empty on
 * other hosts. */
#include "vc4/raster/fep_kernels.h"
#include "vc4/raster/samples.h"

#ifdef __x86_64__

#include <immintrin.h>
#include <string.h>

#include "exec/avx2_begin.h"

#define PART_BYTES 32
#include "vc4/raster/fep_kernels_parts.h"

const struct fep_kernels fep_kernels_avx2 = FEP_KERNELS;

#include "exec/avx2_end.h"

#endif
