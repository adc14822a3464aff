/* SPDX-License-Identifier: MIT */
/* tlb_kernels_avx2.c - the functions of tlb_kernels.h for x86-64 processors with AVX2. Empty on
 * other hosts. */
#include "vc4/tile/tlb_kernels.h"

#ifdef __x86_64__

#include <immintrin.h>

#include "vc4/lanes/quad.h"

#include "exec/avx2_begin.h"

#define PART_BYTES 32
#include "vc4/tile/tlb_kernels_parts.h"

const struct tlb_kernels tlb_kernels_avx2 = TLB_KERNELS;

#include "exec/avx2_end.h"

#endif
