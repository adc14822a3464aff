/* SPDX-License-Identifier: MIT */
/* filter.h - weighted sums of texels: the last stage of a texture unit (docs/vc4/tmu.md). */
#ifndef VC4_TMU_FILTER_H
#define VC4_TMU_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/lanes/lanes.h"

enum { FILTER_ONE = 256 }; /* value of the weight 1.0 */

/* Blends four texels with 8-bit channels, texel[y * 2 + x]. *x and *y (0 to FILTER_ONE) are the
 * weights of the right column and of the lower row. The sum is rounded once, halves up. */
void filter_quad(const lanes texel[4], const lanes *x, const lanes *y, lanes *result);

/* Blends two texels with 8-bit channels. *weight (0 to FILTER_ONE) is the weight of *second. The
 * sum is rounded once, halves up. */
void filter_pair(const lanes *first, const lanes *second, const lanes *weight, lanes *result);

/* Set of errata of 16-bit float filtering, one bit each. */
enum {
    FILTER_HW2619 = 1, /* the only weighted texel, a negative power of two, lost its sign */
    FILTER_HW2645 = 2, /* the sum of an infinity and a negative value became negative */
};

/* Blends count (1 to 4) texels of four 16-bit floats. The sum of the weights must be FILTER_ONE *
 * FILTER_ONE. The result is rounded once, halves away from zero. Denormals are kept. levels is true
 * if the texels are from two mipmap levels. Adds to *errata all errata that occurred. */
uint64_t filter_halves(const uint64_t *texel, const uint32_t *weight, unsigned count, bool levels,
                       uint32_t *errata);

/* Like filter_quad() for texels of four 16-bit floats, and only for the lanes in mask. The two
 * words of a texel are texel[i][0] and texel[i][1]. Adds to *errata all errata that occurred. */
void filter_quad_halves(lanes texel[4][2], const lanes *x, const lanes *y, lane_mask mask,
                        lanes result[2], uint32_t *errata);

/* Like filter_pair() for texels of four 16-bit floats from two mipmap levels, and only for the
 * lanes in mask. *result contains the first texels. Adds to *errata all errata that occurred. */
void filter_pair_halves(const lanes second[2], const lanes *weight, lane_mask mask, lanes result[2],
                        uint32_t *errata);

#endif
