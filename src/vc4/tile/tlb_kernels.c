/* SPDX-License-Identifier: MIT */
/* tlb_kernels.c - see tlb_kernels.h: the portable functions. */
#include "vc4/tile/tlb_kernels.h"

#define PART_BYTES 16
#include "vc4/tile/tlb_kernels_parts.h"

const struct tlb_kernels tlb_kernels_portable = TLB_KERNELS;
