/* SPDX-License-Identifier: MIT */
/* vri_kernels_parts.h - the functions of vri_kernels.h, for one width of host vectors.
 *
 * A source file defines PART_BYTES (see base/f32_parts.h) and includes this header once. The header
 * then defines the static functions and the initialiser VRI_KERNELS. */
#include <string.h>

#include "base/f32_parts.h"
#include "vc4/lanes/quad.h"
#include "vc4/raster/vri_kernels.h"

enum { PART_DOUBLES = PART_BYTES / 8, QUAD_PARTS = 4 / PART_DOUBLES };

typedef double part_double __attribute__((vector_size(PART_BYTES)));
typedef float half_float __attribute__((vector_size(PART_BYTES / 2)));
typedef int32_t half_int __attribute__((vector_size(PART_BYTES / 2)));

#define FOR_QUAD_PARTS _Pragma("GCC unroll 2") for (unsigned i = 0; i < QUAD_PARTS; i++)

/* Converts to the bits of the nearest floats. */
INLINE half_int float_words(part_double value)
{
    half_float nearest = __builtin_convertvector(value, half_float);
    half_int nan = nearest != nearest;
    return ((half_int)nearest & ~nan) | (nan & VRI_NAN);
}

/* Return the distances of the pixels of part i of a quad from the origin. x and y are those of the
 * first pixel. */
INLINE part_double columns_of(double x)
{
#if PART_BYTES == 32
    return (part_double){x, x + 1, x, x + 1};
#else
    return (part_double){x, x + 1};
#endif
}

INLINE part_double rows_of(double y, unsigned i)
{
#if PART_BYTES == 32
    (void)i;
    return (part_double){y, y, y + 1, y + 1};
#else
    return (part_double){y + i, y + i};
#endif
}

/* VP is (0 + a*x) + b*y, as a plane whose value is 0 at the origin. A sum of 0 is +0. */
static void interpolate(const struct vri_coefficients *varying, uint32_t count, double x, double y,
                        uint32_t quad, lanes *partial, lanes *c)
{
    const part_double columns = columns_of(x);
    for (uint32_t n = 0; n < count; n++) {
        uint32_t *to = (uint32_t *)&partial[n] + 4 * quad;
        FOR_QUAD_PARTS
        {
            half_int value = float_words(0 + varying[n].a * columns + varying[n].b * rows_of(y, i));
            memcpy(to + i * PART_DOUBLES, &value, sizeof value);
        }
        uint32_t constant;
        memcpy(&constant, &varying[n].c, sizeof constant);
        quad_store((uint32_t *)&c[n] + 4 * quad, quad_all(constant));
    }
}

#define VRI_KERNELS                \
    {                              \
        .interpolate = interpolate \
    }
