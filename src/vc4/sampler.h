/* SPDX-License-Identifier: MIT */
/* sampler.h - texture sampling, the part of a texture unit behind its request FIFO: from 16 sets of
 * coordinates to 16 filtered texels (manual section 4, docs/vc4/tmu.md).
 *
 * In:  a texture, coordinates s, t, r, b as float32 bits, texel memory through the bus.
 * Out: one or two result words per lane; which memory was read; what went wrong. */
#ifndef VC4_SAMPLER_H
#define VC4_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/bus.h"
#include "vc4/lanes.h"
#include "vc4/texture.h"

enum { SAMPLER_TAPS = 8 }; /* texels of a lane: four from each of two levels */

/* Texels that lie outside of mapped memory; they read 0. */
struct sampler_outside {
    uint32_t texels;            /* how many */
    uint32_t address;           /* of the first found */
    uint32_t level, x, y;       /* which texel that is */
    uint32_t start, size_bytes; /* where its level lies */
};

/* A sampler's memory between requests, and what it says about the latest one. Plain data; zeroed
 * memory is a new one. */
struct sampler {
    struct bus *bus;
    bool traced; /* whether address[] and used[] are wanted */
    struct etc1_cache etc1;

    lanes address[SAMPLER_TAPS];  /* bus addresses of the cells read, by tap and lane */
    lane_mask used[SAMPLER_TAPS]; /* lanes that read this tap */
    uint32_t taps;
    struct sampler_outside outside;
    uint32_t errata; /* FILTER_HW2619, FILTER_HW2645 */
};

/* Samples all lanes of a valid texture. coordinate is s, t, r, b; border is the border colour, for
 * each result word; result has room for two words. */
void sampler_run(struct sampler *sampler, struct texture *texture, const lanes coordinate[4],
                 uint32_t border, lanes result[2]);

#endif
