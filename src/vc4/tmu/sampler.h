/* SPDX-License-Identifier: MIT */
/* sampler.h - texture sampling, the part of a texture unit after its request FIFO: converts 16
 * sets of coordinates to 16 filtered texels (manual section 4, docs/vc4/tmu.md).
 *
 * In:  a texture, coordinates s, t, r, b as float32 bits, texel memory through the bus.
 * Out: one or two result words per lane. Also the addresses that were read, the texels outside
 *      mapped memory, and the errata that apply. */
#ifndef VC4_TMU_SAMPLER_H
#define VC4_TMU_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/lanes/lanes.h"
#include "vc4/memory/bus.h"
#include "vc4/tmu/texture.h"

enum { SAMPLER_TAPS = 8 }; /* limit of texels per lane: four from each of two levels */

/* Texels outside mapped memory, which read as 0. */
struct sampler_outside {
    uint32_t texels;            /* number of such texels */
    uint32_t address;           /* address of the first such texel */
    uint32_t level, x, y;       /* level and texel numbers of the first such texel */
    uint32_t start, size_bytes; /* address and size of the level of the first such texel */
};

struct sampler_kernels;

/* State of a sampler that is kept between requests, and information about the latest request. Must
 * be zero-initialised. */
struct sampler {
    struct bus *bus;
    bool traced;                           /* true to fill address[] and used[] */
    bool plain;                            /* true to use only the plain functions, for tests */
    const struct sampler_kernels *kernels; /* set for this host, or NULL */
    struct etc1_cache etc1;

    lanes address[SAMPLER_TAPS];  /* bus addresses of the cells that were read, by tap and lane; a
                                     cell is a texel or block */
    lane_mask used[SAMPLER_TAPS]; /* lanes that read each tap */
    uint32_t taps;
    struct sampler_outside outside;
    uint32_t errata; /* bits FILTER_HW2619, FILTER_HW2645 */
};

/* Samples all lanes of a texture, which must be valid. coordinate[] has s, t, r and b. border is
 * the border colour, used for each result word. result receives one or two words per lane,
 * depending on the texture's format. */
void sampler_run(struct sampler *sampler, struct texture *texture, const lanes coordinate[4],
                 uint32_t border, lanes result[2]);

#endif
