/* SPDX-License-Identifier: MIT */
/* filter.h - sums of texels by weights: the last stage of a texture unit (docs/vc4/tmu.md). */
#ifndef VC4_FILTER_H
#define VC4_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/lanes.h"

enum { FILTER_ONE = 256 }; /* steps of a weight */

/* Four texels of 8-bit channels: texel[y * 2 + x]. *x and *y, 0..FILTER_ONE, are the weights of the
 * right column and of the lower row. The sum is rounded once, halves up. */
void filter_quad(const lanes texel[4], const lanes *x, const lanes *y, lanes *result);

/* The same of two texels: weight, 0..FILTER_ONE, is that of the second. */
void filter_pair(const lanes *first, const lanes *second, const lanes *weight, lanes *result);

/* Errata of blending 16-bit floats, as bits of what met them. */
enum {
    FILTER_HW2619 = 1, /* a single negative power of two lost its sign */
    FILTER_HW2645 = 2, /* infinity with a negative value became negative */
};

/* count (1 to 4) texels of four 16-bit floats; the weights sum up to FILTER_ONE * FILTER_ONE. Rounded
 * once, halves away from zero; denormals are kept. levels: the texels are of two levels. */
uint64_t filter_halves(const uint64_t *texel, const uint32_t *weight, unsigned count, bool levels,
                       uint32_t *errata);

#endif
