/* SPDX-License-Identifier: MIT */
/* fep_kernels_parts.h - the functions of fep_kernels.h, for one width of host vectors.
 *
 * A source file defines PART_BYTES (see base/f32_parts.h) and includes this header once. The header
 * then defines the static functions and the initialiser FEP_KERNELS. */
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

#define FEP_KERNELS    \
    {                  \
        .cover = cover \
    }
