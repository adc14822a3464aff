/* SPDX-License-Identifier: MIT */
/* sampler.h - texture sampling, the part of a texture unit after its request FIFO: converts 16
 * sets of coordinates to 16 filtered texels (manual section 4, docs/vc4/tmu.md).
 *
 * In:  a texture, coordinates s, t, r, b as float32 bits, texel memory through the bus.
 * Out: one or two result words per lane; addresses read; texels outside mapped memory; errata. */
#ifndef VC4_SAMPLER_H
#define VC4_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/bus.h"
#include "vc4/lanes.h"
#include "vc4/texture.h"

enum { SAMPLER_TAPS = 8 }; /* texels of a lane: four from each of two levels */

/* Texels outside mapped memory, which read as 0. */
struct sampler_outside {
    uint32_t texels;            /* number of such texels */
    uint32_t address;           /* of the first such texel */
    uint32_t level, x, y;       /* level and texel numbers of the first such texel */
    uint32_t start, size_bytes; /* address and size of its level */
};

/* Memory of a sampler between requests, and notes about the latest request. Plain data. Must be
 * zero-initialised. */
struct sampler {
    struct bus *bus;
    bool traced; /* fill address[] and used[] */
    struct etc1_cache etc1;

    lanes address[SAMPLER_TAPS];  /* bus addresses of the cells read, by tap and lane */
    lane_mask used[SAMPLER_TAPS]; /* lanes that read this tap */
    uint32_t taps;
    struct sampler_outside outside;
    uint32_t errata; /* bits FILTER_HW2619, FILTER_HW2645 */
};

/* Samples all lanes of a valid texture. coordinate has s, t, r, b. border is the border colour, for
 * each result word. result receives one or two words per lane, by format. */
void sampler_run(struct sampler *sampler, struct texture *texture, const lanes coordinate[4],
                 uint32_t border, lanes result[2]);

#endif
