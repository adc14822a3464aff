/* SPDX-License-Identifier: MIT */
/* vri_kernels.h - private to the VRI: interpolation of all varyings of a quad, with one set of
 * functions for each width of host vectors. All sets have the same results.
 *
 * In:  the coefficients of a primitive's varyings, the position of a quad.
 * Out: VP and C of the quad's four lanes. */
#ifndef VC4_RASTER_VRI_KERNELS_H
#define VC4_RASTER_VRI_KERNELS_H

#include <stdint.h>

#include "exec/cpu.h"
#include "vc4/lanes/lanes.h"

/* The bits of every NaN, because hosts have different bits for NaN. */
enum { VRI_NAN = 0x7fc00000 };

/* Coefficients of one varying in one primitive. VP is 0 at the primitive's origin (x0, y0). x and y
 * are pixel centres, in pixels. */
struct vri_coefficients {
    double a, b; /* change of VP per pixel */
    float c;
};

struct vri_kernels {
    /* Sets the four lanes of a quad in partial[n] to VP and in c[n] to C, for `count` varyings. x
     * and y are the distances of the first pixel's centre from the origin. */
    void (*interpolate)(const struct vri_coefficients *varying, uint32_t count, double x, double y,
                        uint32_t quad, lanes *partial, lanes *c);
};

/* The set for vectors of 16 bytes, which every host supports, and the set for x86-64 with AVX2. */
extern const struct vri_kernels vri_kernels_portable, vri_kernels_avx2;

/* Returns the fastest set of this host. */
static inline const struct vri_kernels *vri_kernels_native(void)
{
    return CPU_FASTEST(&vri_kernels_portable, &vri_kernels_avx2);
}

#endif
