/* SPDX-License-Identifier: MIT */
/* vri_kernels_portable.c - the functions of vri_kernels.h for every host. */
#include "vc4/raster/vri_kernels.h"

#define PART_BYTES 16
#include "vc4/raster/vri_kernels_parts.h"

const struct vri_kernels vri_kernels_portable = VRI_KERNELS;
