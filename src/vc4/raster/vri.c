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

/* Computes one quad's values of VP and C. x and y are the coordinates of the centre of the quad's
 * first pixel. */
static void interpolate(const struct vri_primitive *primitive, uint32_t n, double x, double y,
                        uint32_t partial[4], uint32_t c[4])
{
    const struct vri_coefficients *varying = &primitive->varying[n];
    struct vri_quad value = vri_plane(0, varying->a, varying->b, x - primitive->x0,
                                      y - primitive->y0);
    vri_float_quad(partial, &value);
    c[0] = c[1] = c[2] = c[3] = float_bits(varying->c);
}

static void compute(const struct vri *vri, uint32_t n, lanes *partial, lanes *c)
{
    *partial = *c = (lanes){0};
    for (unsigned quad = 0; quad < 4; quad++) {
        const struct vri_primitive *primitive = vri->quad[quad];
        if (!primitive || n >= primitive->count)
            continue;
        uint32_t partial4[4], c4[4];
        interpolate(primitive, n, vri->x[quad] + 0.5, vri->y[quad] + 0.5, partial4, c4);
        vri_set_quad(partial, quad, partial4);
        vri_set_quad(c, quad, c4);
    }
}

void vri_prepare(struct vri *vri)
{
    for (uint32_t n = 0; n < vri->count; n++)
        compute(vri, n, &vri->partial[n], &vri->c[n]);
    vri->prepared = vri->count;
}

bool vri_read(struct vri *vri, lanes *partial, lanes *c)
{
    uint32_t n = vri->next;
    if (n < vri->prepared) {
        *partial = vri->partial[n];
        *c = vri->c[n];
    } else if (n < vri->count) {
        compute(vri, n, partial, c);
    } else {
        *partial = *c = (lanes){0};
        return false;
    }
    vri->next++;
    return true;
}
