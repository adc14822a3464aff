/* SPDX-License-Identifier: MIT */
/* vri.c - Varyings Interpolator: the FIFO that VARYING_READ reads.
 *
 * In:        coefficients of up to four primitives, one for each quad of a batch.
 * Out:       VP for 16 pixels and C, one varying per read.
 * Source:    manual section 6.
 * Modelled:  the equation VP = A*(x-x0) + B*(y-y0) at pixel centres, rounded once to a float.
 * Left out:  timing; the coefficient memory of the slices and its limits.
 */
#include "vc4/raster/vri.h"

/* Sets *partial and *c to VP and C of `count` varyings from number `first` on. Lanes without such a
 * varying become 0. */
static void compute(const struct vri *vri, uint32_t first, uint32_t count, lanes *partial, lanes *c)
{
    const struct vri_kernels *kernels = vri_kernels_native();
    for (unsigned quad = 0; quad < 4; quad++) {
        const struct vri_primitive *primitive = vri->quad[quad];
        uint32_t left = primitive && primitive->count > first ? primitive->count - first : 0;
        for (uint32_t n = left; n < count; n++) {
            memset((char *)&partial[n] + 16 * quad, 0, 16);
            memset((char *)&c[n] + 16 * quad, 0, 16);
        }
        if (left)
            kernels->interpolate(&primitive->varying[first], left < count ? left : count,
                                 vri->x[quad] + 0.5 - primitive->x0,
                                 vri->y[quad] + 0.5 - primitive->y0, quad, partial, c);
    }
}

void vri_prepare(struct vri *vri)
{
    compute(vri, 0, vri->count, vri->partial, vri->c);
    vri->prepared = vri->count;
}

bool vri_read(struct vri *vri, lanes *partial, lanes *c)
{
    uint32_t n = vri->next;
    if (n < vri->prepared) {
        *partial = vri->partial[n];
        *c = vri->c[n];
    } else if (n < vri->count) {
        compute(vri, n, 1, partial, c);
    } else {
        *partial = *c = (lanes){0};
        return false;
    }
    vri->next++;
    return true;
}
