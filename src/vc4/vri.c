/* SPDX-License-Identifier: MIT */
/* vri.c - Varyings Interpolator: the FIFO behind VARYING_READ.
 *
 * In:        coefficients of up to four primitives, one for each quad of a batch.
 * Out:       VP for 16 pixels and C, one varying a read.
 * Source:    manual section 6.
 * Modelled:  the equation VP = A*(x-x0) + B*(y-y0) at pixel centres, rounded once to a float.
 * Left out:  timing; the coefficient memory of the slices and its limits.
 */
#include "vc4/vri.h"

/* One quad's four lanes, from lane on. */
static void interpolate(const struct vri_primitive *primitive, uint32_t n, double x, double y,
                        unsigned lane, lanes *partial, lanes *c)
{
    const struct vri_coefficients *varying = &primitive->varying[n];
    for (unsigned i = 0; i < 4; i++) {
        double along_x = varying->a * (x + (i & 1) - primitive->x0);
        double along_y = varying->b * (y + (i >> 1) - primitive->y0);
        (*partial)[lane + i] = vri_float_bits(along_x + along_y);
        (*c)[lane + i] = float_bits(varying->c);
    }
}

bool vri_read(struct vri *vri, lanes *partial, lanes *c)
{
    *partial = *c = (lanes){0};
    if (vri->next >= vri->count)
        return false;
    uint32_t n = vri->next++;
    for (unsigned quad = 0; quad < 4; quad++) {
        const struct vri_primitive *primitive = vri->quad[quad];
        if (primitive && n < primitive->count)
            interpolate(primitive, n, vri->x[quad] + 0.5, vri->y[quad] + 0.5, quad * 4, partial, c);
    }
    return true;
}
