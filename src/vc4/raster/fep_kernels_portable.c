/* SPDX-License-Identifier: MIT */
/* fep_kernels_portable.c - the functions of fep_kernels.h for every host. */
#include "vc4/raster/fep_kernels.h"
#include "vc4/raster/samples.h"

#define PART_BYTES 16
#include "vc4/raster/fep_kernels_parts.h"

const struct fep_kernels fep_kernels_portable = FEP_KERNELS;
