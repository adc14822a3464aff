/* SPDX-License-Identifier: MIT */
/* fep_kernels_avx2.c - the functions of fep_kernels.h for x86-64 processors with AVX2. Empty on
 * other hosts.
 *
 * All other headers are included before the compiler's target changes to AVX2, so that functions in
 * those headers are compiled for baseline processors. */
#include "vc4/raster/fep_kernels.h"

#ifdef __x86_64__

#include <immintrin.h>
#include <string.h>

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif

#define PART_BYTES 32
#include "vc4/raster/fep_kernels_parts.h"

const struct fep_kernels fep_kernels_avx2 = FEP_KERNELS;

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
