/* SPDX-License-Identifier: MIT */
/* tlb_kernels_portable.c - the functions of tlb_kernels.h for every host. */
#include "vc4/tile/tlb_kernels.h"

#define PART_BYTES 16
#include "vc4/tile/tlb_kernels_parts.h"

const struct tlb_kernels tlb_kernels_portable = TLB_KERNELS;
