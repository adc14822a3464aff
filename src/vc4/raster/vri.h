/* SPDX-License-Identifier: MIT */
/* vri.h - Varyings Interpolator (manual section 6).
 *
 * In:  plane coefficients from the PSE for each of the four quads of a batch.
 * Out: for each read, the partial value VP = A*(x-x0) + B*(y-y0) of each pixel, and the constant C
 *      of each quad. The shader itself computes VP*W + C. */
#ifndef VC4_RASTER_VRI_H
#define VC4_RASTER_VRI_H

#include <stdbool.h>
#include <string.h>

#include "base/bits.h"
#include "vc4/lanes/lanes.h"
#include "vc4/raster/vri_kernels.h"

/* Converts a double to the bits of the nearest float. Every NaN becomes VRI_NAN. */
static inline uint32_t vri_float_bits(double value)
{
    return value == value ? float_bits((float)value) : VRI_NAN;
}

/* Doubles for two pixels; a quad has one pair for each of its two rows. */
typedef double vri_pair __attribute__((vector_size(2 * sizeof(double))));

struct vri_quad {
    vri_pair row[2];
};

/* Returns the values of the plane at0 + a*x + b*y at a quad's pixel centres. x and y are the
 * distances of the first pixel's centre from the origin. */
static inline struct vri_quad vri_plane(double at0, double a, double b, double x, double y)
{
    vri_pair columns = {at0 + a * x, at0 + a * (x + 1)};
    return (struct vri_quad){{columns + b * y, columns + b * (y + 1)}};
}

/* Converts the four values of a quad, like vri_float_bits(). */
static inline void vri_float_quad(uint32_t out[4], const struct vri_quad *value)
{
    typedef float floats __attribute__((vector_size(16)));
    typedef uint32_t words __attribute__((vector_size(16)));
    const vri_pair *row = value->row;
    const floats nearest = {(float)row[0][0], (float)row[0][1], (float)row[1][0], (float)row[1][1]};
    const words nan = (words)(nearest != nearest);
    const words bits = ((words)nearest & ~nan) | (nan & (uint32_t)VRI_NAN);
    memcpy(out, &bits, sizeof bits);
}

enum {
    VRI_MAX_VARYINGS = 64, /* limit of varyings, including implicit point or line coordinates */
};

/* All varyings of one primitive. */
struct vri_primitive {
    double x0, y0;
    uint32_t count;    /* number of varyings, including implicit ones */
    uint32_t implicit; /* number of implicit varyings, which come first: 2 for points, 1 for lines,
                          otherwise 0 */
    struct vri_coefficients varying[VRI_MAX_VARYINGS];
};

/* The FIFO of varyings for one run of a fragment shader. */
struct vri {
    const struct vri_primitive *quad[4]; /* NULL for an empty quad */
    uint16_t x[4], y[4];                 /* coordinates of the top-left pixel of each quad, in
                                            pixels */
    uint32_t count, next;                /* number of varyings, and number of the next one to
                                            read */
    uint32_t implicit;                   /* number of varyings that are point or line coordinates */
    uint32_t prepared;                   /* number of varyings that vri_prepare() has computed */
    lanes partial[VRI_MAX_VARYINGS], c[VRI_MAX_VARYINGS];
};

/* Computes all varyings before the program runs, so that the program can read them without leaving
 * the QPU's float mode. */
void vri_prepare(struct vri *vri);

/* Reads the next varying. If all varyings have been read, returns false and sets *partial and *c to
 * 0. */
bool vri_read(struct vri *vri, lanes *partial, lanes *c);

#endif
