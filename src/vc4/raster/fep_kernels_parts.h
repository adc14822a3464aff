/* SPDX-License-Identifier: MIT */
/* fep_kernels_parts.h - the functions of fep_kernels.h, for one width of host vectors.
 *
 * A source file defines PART_BYTES (see base/f32_parts.h) and includes this header once. The header
 * then defines the static functions and the initialiser FEP_KERNELS. */
#include <string.h>

#include "base/f32_parts.h"
#include "vc4/raster/fep_kernels.h"

enum { PART_PIXELS = PART_BYTES / 4 };

/* Returns 0, 1, 2 and so on. */
INLINE part_int columns(void)
{
#if PART_BYTES == 32
    return (part_int){0, 1, 2, 3, 4, 5, 6, 7};
#else
    return (part_int){0, 1, 2, 3};
#endif
}

/* Returns the pixels of one row that are inside all edges at one sample. */
INLINE uint64_t cover_row(const struct fep_edges *of, uint32_t edges, const part_int *across,
                          int32_t y, uint32_t sample)
{
    part_int value[PSE_MAX_EDGES];
    uint64_t outside = 0;
    for (uint32_t e = 0; e < edges; e++)
        value[e] = across[e] + (of->at[e][sample] + of->b[e] * y);
    for (uint32_t x = 0; x < of->width; x += PART_PIXELS) {
        part_int any = {0};
        for (uint32_t e = 0; e < edges; e++) {
            any |= value[e];
            value[e] += PART_PIXELS * of->a[e];
        }
        outside |= (uint64_t)signs((part)any) << x;
    }
    return ~outside;
}

INLINE void cover_rows(const struct fep_edges *of, struct fep_cover *cover, uint32_t edges,
                       uint32_t samples)
{
    part_int across[PSE_MAX_EDGES];
    for (uint32_t e = 0; e < edges; e++)
        across[e] = columns() * of->a[e];
    for (uint32_t y = 0; y < of->height; y++)
        for (uint32_t s = 0; s < samples; s++)
            cover->row[y][s] = cover_row(of, edges, across, (int32_t)y, s);
}

/* Numbers of edges and samples are constants in most calls; after inlining, the compiler then keeps
 * the edges in registers. */
static void cover(const struct fep_edges *of, struct fep_cover *cover)
{
    if (of->samples == 1 && of->edges == 3)
        cover_rows(of, cover, 3, 1);
    else if (of->edges == 3)
        cover_rows(of, cover, 3, FEP_SAMPLES);
    else if (of->edges == 2)
        cover_rows(of, cover, 2, of->samples);
    else if (of->edges == 1)
        cover_rows(of, cover, 1, of->samples);
    else
        cover_rows(of, cover, of->edges, of->samples);
}

/* --- Z and W --- */

enum { Z_LIMIT = 0xffffff, PART_DOUBLES = PART_BYTES / 8 };

typedef double part_double __attribute__((vector_size(PART_BYTES)));
typedef int32_t half_int __attribute__((vector_size(PART_BYTES / 2)));
typedef float half_float __attribute__((vector_size(PART_BYTES / 2)));

/* Sets the columns and rows of a plane. x and y are the distances of the first pixel's centre from
 * the plane's origin. */
INLINE void set_plane(struct fep_plane *to, const struct pse_plane *plane, double x, double y,
                      uint32_t width, uint32_t height)
{
#if PART_BYTES == 32
    const part_double numbers = {0, 1, 2, 3};
#else
    const part_double numbers = {0, 1};
#endif
    for (uint32_t i = 0; i < width; i += PART_DOUBLES) {
        part_double value = plane->at0 + plane->dx * (x + (numbers + (double)i));
        memcpy(&to->column[i], &value, sizeof value);
    }
    for (uint32_t i = 0; i < height; i += PART_DOUBLES) {
        part_double value = plane->dy * (y + (numbers + (double)i));
        memcpy(&to->row[i], &value, sizeof value);
    }
}

static void set_planes(struct fep_planes *planes, const struct pse_primitive *primitive,
                       uint32_t width, uint32_t height)
{
    double x = planes->left + 0.5 - primitive->x0, y = planes->bottom + 0.5 - primitive->y0;
    set_plane(&planes->z, &primitive->z, x, y, width, height);
    if (planes->w_varies)
        set_plane(&planes->inv_w, &primitive->inv_w, x, y, width, height);
}

/* Returns part i of the values of the quad at (x, y) of the block. */
INLINE part_double plane_part(const struct fep_plane *plane, uint32_t x, uint32_t y, unsigned i)
{
    const double *column = &plane->column[x], *row = &plane->row[y];
#if PART_BYTES == 32
    (void)i;
    part_double columns = (part_double)_mm256_broadcast_pd((const __m128d *)column);
    part_double rows = (part_double)_mm256_permute4x64_pd(_mm256_castpd128_pd256(_mm_loadu_pd(row)),
                                                          0x50);
    return columns + rows;
#else
    part_double columns;
    memcpy(&columns, column, sizeof columns);
    return columns + row[i];
#endif
}

/* Limits values to 0 ... Z_LIMIT. NaN becomes 0. */
INLINE part_double limit_z(part_double value)
{
#if defined(__x86_64__) && PART_BYTES == 32
    return (part_double)_mm256_min_pd(_mm256_max_pd((__m256d)value, _mm256_setzero_pd()),
                                      _mm256_set1_pd(Z_LIMIT));
#elif defined(__x86_64__)
    return (part_double)_mm_min_pd(_mm_max_pd((__m128d)value, _mm_setzero_pd()),
                                   _mm_set1_pd(Z_LIMIT));
#else
    const part_double limit = (part_double){0} + Z_LIMIT;
    __typeof__(value < limit) below = value < limit, bits;
    bits = (((__typeof__(bits))value & below) | ((__typeof__(bits))limit & ~below)) & (value > 0);
    return (part_double)bits;
#endif
}

/* Converts Z to integers, rounded and clamped to 24 bits. */
INLINE half_int z_integers(part_double z, double offset)
{
    return __builtin_convertvector(limit_z((z + offset) * Z_LIMIT + 0.5), half_int);
}

/* Converts 1/Wc to the float bits of W. */
INLINE half_int w_floats(part_double inv_w)
{
    half_float w = __builtin_convertvector(1 / inv_w, half_float);
    half_int nan = w != w;
    return ((half_int)w & ~nan) | (nan & VRI_NAN);
}

INLINE void quad_values(const struct fep_planes *planes, struct fep_batch *batch, uint32_t quad)
{
    uint32_t x = (uint32_t)(batch->x[quad] - planes->left);
    uint32_t y = (uint32_t)(batch->y[quad] - planes->bottom);
    uint8_t *z = (uint8_t *)&batch->z + 16 * quad, *w = (uint8_t *)&batch->w + 16 * quad;
    for (unsigned i = 0; i < 4 / PART_DOUBLES; i++) {
        half_int value = z_integers(plane_part(&planes->z, x, y, i), planes->z_offset);
        memcpy(z + i * sizeof value, &value, sizeof value);
        if (!planes->w_varies)
            continue;
        value = w_floats(plane_part(&planes->inv_w, x, y, i));
        memcpy(w + i * sizeof value, &value, sizeof value);
    }
    if (!planes->w_varies)
        memcpy(w, planes->w, sizeof planes->w);
}

static void set_values(const struct fep_planes *planes, struct fep_batch *batch, uint32_t first,
                       uint32_t end)
{
    for (uint32_t quad = first; quad < end; quad++)
        quad_values(planes, batch, quad);
}

#define FEP_KERNELS                                                \
    {                                                              \
        .cover = cover, .planes = set_planes, .values = set_values \
    }
