/* SPDX-License-Identifier: MIT */
/* tlb_kernels_avx2.c - the functions of tlb_kernels.h for x86-64 processors with AVX2. Empty on
 * other hosts.
 *
 * All other headers are included before the compiler's target changes to AVX2, so that functions in
 * those headers are compiled for baseline processors. */
#include "vc4/tile/tlb_kernels.h"

#ifdef __x86_64__

#include <immintrin.h>
#include <string.h>

#include "vc4/lanes/quad.h"

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif

#define PART_BYTES 32
#include "vc4/tile/tlb_kernels_parts.h"

const struct tlb_kernels tlb_kernels_avx2 = TLB_KERNELS;

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
